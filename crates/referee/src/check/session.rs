//! A session: all rules that are judged together, what is known of each, and where results go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_engine::judge::Size;
use referee_monitor::lines::Context;
use referee_spec::core::{Outcome, Rule, Status, Violation};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::Vocabulary;
use referee_spec::trace_needs;
use referee_trace::abstraction::TimeNeed;
use referee_trace::event::EventShapes;
use referee_trace::points::Amount;

use super::args::CheckArgs;
use super::cut::Cut;
use super::report::{Reporter, Totals};
use super::rule_state::RuleState;
use super::settings::Settings;
use super::warnings::{self, Extent, Warning};
use crate::failure::Failure;
use crate::specification::Specification;

/// How a pass over the trace ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PassEnd {
    /// With the trace.
    Complete,
    /// Before it, as everything was decided.
    Decided,
    /// Before it, as something ended the check.
    Cut(Cut),
}

/// Of so many kinds of events the names are kept that no rule mentions, to tell which of them a misspelt one may mean.
const MOST_NAMES: usize = 10_000;

/// All rules, and what has been found out so far.
pub(super) struct Session<'a> {
    /// The rules, with what is known of each.
    pub rules: Vec<RuleState>,
    /// Where results go.
    pub reporter: &'a mut Reporter,
    /// What the command line says.
    pub settings: Settings,
    totals: Totals,
    vocabulary: Vocabulary,
    /// What ended the check before the end of the trace, if something did.
    cut: Option<Cut>,
    /// Whether a pass ended before the end of the trace, as everything was decided.
    stopped: bool,
}

impl<'a> Session<'a> {
    /// A session before the first pass.
    pub(super) fn new(
        rules: Vec<(usize, Arc<Rule>)>,
        needs: Vec<TimeNeed>,
        reporter: &'a mut Reporter,
        args: &CheckArgs,
    ) -> Session<'a> {
        let rules = rules.into_iter().zip(needs);
        Session {
            rules: rules.map(|((specification, rule), need)| RuleState::new(specification, rule, need)).collect(),
            reporter,
            settings: Settings::new(args),
            totals: Totals::default(),
            vocabulary: Vocabulary::default(),
            cut: None,
            stopped: false,
        }
    }

    /// Takes what a pass over the trace has shown beside violations.
    pub(super) fn end_pass(
        &mut self,
        shapes: &(EventShapes, Vec<bool>),
        amount: &Amount,
        sizes: Vec<(usize, Vec<Size>)>,
        end: PassEnd,
    ) {
        match end {
            PassEnd::Complete => {}
            PassEnd::Decided => self.stopped = true,
            PassEnd::Cut(cut) => self.cut = self.cut.or(Some(cut)),
        }
        sizes.into_iter().for_each(|(rule, sizes)| self.rules[rule].sizes = sizes);
        self.rules.iter_mut().for_each(|state| state.active = false);
        self.count(shapes, amount);
    }

    fn count(&mut self, shapes: &(EventShapes, Vec<bool>), amount: &Amount) {
        self.totals = Totals { events: amount.counts.iter().sum(), points: amount.points };
        // There may be as many kinds as events: where nobody prints them, nobody keeps them.
        let keeps_kinds = self.reporter.prints_kinds();
        let mut kinds: BTreeMap<Arc<str>, u64> = BTreeMap::new();
        let (shapes, heard_of) = shapes;
        for (number, (shape, count)) in shapes.iter().zip(&amount.counts).enumerate() {
            // A mapping may leave nothing of what was announced.
            if *count == 0 {
                continue;
            }
            if keeps_kinds {
                *kinds.entry(shape.name.clone()).or_default() += count;
            }
            if number >= MOST_NAMES && !heard_of[number] {
                continue;
            }
            self.vocabulary.add(&shape);
        }
        self.reporter.read(self.totals, kinds);
    }

    /// Whether some rule wants more points.
    pub(super) fn is_judging(&self) -> bool {
        self.rules.iter().any(|state| state.active)
    }

    /// Reports a violation of a rule that still wants to know of it; unless all are wanted, that ends its part.
    pub(super) fn report(
        &mut self,
        rule: usize,
        violation: &Violation,
        context: &Context,
        why: Vec<String>,
    ) -> Result<(), Failure> {
        let state = &mut self.rules[rule];
        if !state.active {
            return Ok(());
        }
        state.violations += 1;
        state.stopped |= violation.decided.is_some() && !self.settings.wants_all(&state.rule);
        state.active = self.settings.wants_all(&state.rule);
        self.reporter.violation(rule, &state.rule, violation, context, why)
    }

    /// Notes what earlier runs have told of a rule, and whether more of it is wanted.
    pub(super) fn go_on(&mut self, rule: usize, violations: u64, is_active: bool) {
        let state = &mut self.rules[rule];
        (state.violations, state.active, state.stopped) = (violations, is_active, !is_active);
        if violations > 0 {
            self.reporter.earlier(rule, violations);
        }
    }

    /// Notes the robustness of a rule over signals.
    pub(super) fn measured(&mut self, rule: usize, robustness: Option<String>) {
        if let Some(robustness) = robustness {
            self.reporter.robustness(rule, &self.rules[rule].rule, &robustness);
        }
    }

    /// Notes the outcome of one trace for a rule.
    pub(super) fn conclude_trace(&mut self, rule: usize, outcome: Outcome) {
        self.rules[rule].conclude(outcome);
    }

    /// Takes what the headers of tables say of fields that events could have carried.
    pub(super) fn note_columns(&mut self, columns: Option<BTreeSet<Box<str>>>) {
        self.vocabulary.columns = columns;
    }

    /// Inputs that no event of the trace carried, by specification. Of a rule that was decided before the end, and of a trace that may
    /// go on, nobody knows what would still have come.
    pub(super) fn missing_inputs(&self) -> Vec<(usize, Vec<Diagnostic>)> {
        let missing =
            |state: &RuleState| (state.specification, trace_needs::check_inputs(&state.rule, &self.vocabulary));
        self.rules.iter().filter(|state| self.knows_inputs(state)).map(missing).collect()
    }

    /// Whether the trace is over for a rule, so that an input that did not come never comes.
    fn knows_inputs(&self, state: &RuleState) -> bool {
        self.cut.is_none() && !self.settings.prefix && !state.stopped
    }

    /// How many events were judged.
    pub(super) fn events(&self) -> u64 {
        self.totals.events
    }

    /// Whether something ended the check.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Whether the trace was read to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.cut.is_none() && !self.stopped
    }

    /// What the trace never showed of the rules, by specification.
    pub(super) fn warnings(&self, specifications: &[Specification]) -> Vec<Warning> {
        if self.cut.is_some() || self.totals.events == 0 {
            return Vec::new();
        }
        let of_rule = |state: &RuleState| {
            let source = &specifications[state.specification].source;
            let mut found = match self.stopped {
                false => warnings::of_whole_trace(&state.rule, source, &self.vocabulary),
                true if state.violations > 0 => warnings::of_part_of_trace(&state.rule, source, &self.vocabulary),
                true => Vec::new(),
            };
            let extent = match (self.knows_inputs(state), self.stopped, self.settings.prefix) {
                (true, ..) => Extent::Whole,
                (_, true, _) => Extent::UpToViolation,
                (_, false, true) => Extent::SoFar,
                (_, false, false) => Extent::Whole,
            };
            found.extend(warnings::of_inputs(&state.rule, source, &self.vocabulary, extent));
            found
        };
        let rules = self.rules.iter().map(|state| &*state.rule);
        let unasked = if self.stopped { Vec::new() } else { warnings::of_unasked_arguments(rules, &self.vocabulary) };
        let mut all: Vec<Warning> = Vec::new();
        for warning in self.rules.iter().flat_map(of_rule).chain(unasked) {
            // Properties of one file say the same of the same place.
            if !all.contains(&warning) {
                all.push(warning);
            }
        }
        all
    }

    /// Prints what is left to say and gives the overall verdict.
    pub(super) fn conclude(mut self) -> Result<Status, Failure> {
        for (index, state) in self.rules.iter_mut().enumerate() {
            let status = state.status(self.cut);
            // Whoever wants the first violation only does not want what comes after it, which may have been read or not.
            if let (Status::Violated, false, Some(outcome)) =
                (status, self.settings.wants_all(&state.rule), &mut state.outcome)
            {
                outcome.obstacle = None;
            }
            self.reporter.rule(index, &state.rule, status, state.outcome.as_ref(), self.cut);
            self.reporter.tables(&state.rule, &state.sizes);
        }
        self.reporter.conclude()
    }
}
