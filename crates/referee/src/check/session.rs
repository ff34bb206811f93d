//! A session: all rules that are judged together, what is known of each, and where results go.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_engine::judge::{Size, Wanted};
use referee_spec::core::{Outcome, Rule, Status, Violation};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{Argument, EventShape as Arguments, Vocabulary};
use referee_spec::lint;
use referee_trace::event::{self, EventShape};
use referee_trace::points::Amount;

use super::args::CheckArgs;
use super::report::{Context, Reporter, Totals};
use super::rule_state::RuleState;
use super::settings::Settings;
use crate::failure::Failure;

/// All rules, and what has been found out so far.
pub(super) struct Session<'a> {
    /// The rules, with what is known of each.
    pub rules: Vec<RuleState>,
    /// Where results go.
    pub reporter: &'a mut Reporter,
    /// What the command line says.
    pub settings: Settings,
    totals: Totals,
    kinds: BTreeMap<String, u64>,
    vocabulary: Vocabulary,
    timed_out: bool,
}

impl<'a> Session<'a> {
    /// A session before the first pass.
    pub(super) fn new(rules: Vec<(usize, Arc<Rule>)>, reporter: &'a mut Reporter, args: &CheckArgs) -> Session<'a> {
        Session {
            rules: rules.into_iter().map(|(specification, rule)| RuleState::new(specification, rule)).collect(),
            reporter,
            settings: Settings::new(args),
            totals: Totals::default(),
            kinds: BTreeMap::new(),
            vocabulary: Vocabulary::default(),
            timed_out: false,
        }
    }

    /// Takes what a pass over the trace has shown beside violations.
    pub(super) fn end_pass(
        &mut self,
        shapes: &[EventShape],
        amount: &Amount,
        sizes: Vec<(usize, Vec<Size>)>,
        timed_out: bool,
    ) {
        self.timed_out |= timed_out;
        sizes.into_iter().for_each(|(rule, sizes)| self.rules[rule].sizes = sizes);
        self.rules.iter_mut().for_each(|state| state.active = false);
        self.count(shapes, amount);
    }

    fn count(&mut self, shapes: &[EventShape], amount: &Amount) {
        self.totals = Totals { events: amount.counts.iter().sum(), points: amount.points };
        self.kinds.clear();
        for (shape, count) in shapes.iter().zip(&amount.counts) {
            // A mapping may leave nothing of what was announced.
            if *count > 0 {
                *self.kinds.entry(shape.name.to_string()).or_default() += count;
            }
            let (arguments, others) = shape.arguments.split_at(shape.positional);
            self.vocabulary.fields.extend(others.iter().map(|field| Arc::from(&*field.name)));
            let argument = |argument: &event::Argument| Argument {
                name: Some((*argument.name).into()),
                declared: argument.declared,
            };
            let arguments = Arguments { arguments: arguments.iter().map(argument).collect() };
            self.vocabulary.events.entry((*shape.name).into()).or_default().push(arguments);
        }
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
        state.active = self.settings.wants_all(&state.rule);
        self.reporter.violation(rule, &state.rule, violation, context, why)
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

    /// What the rules say of events that the trace never showed, by specification.
    pub(super) fn strangers(&self) -> Vec<(usize, Vec<Diagnostic>)> {
        let all = self.settings.wanted == Wanted::All;
        let complete = self.rules.iter().all(|state| all || state.violations == 0) && !self.timed_out;
        if !complete || self.totals.events == 0 {
            return Vec::new();
        }
        let unmet = |state: &RuleState| {
            let known = lint::lint(&state.rule, None);
            let mut found = lint::lint(&state.rule, Some(&self.vocabulary));
            found.retain(|diagnostic| !known.contains(diagnostic));
            (state.specification, found)
        };
        self.rules.iter().map(unmet).collect()
    }

    /// Prints what is left to say and gives the overall verdict.
    pub(super) fn conclude(mut self) -> Result<Status, Failure> {
        for (index, state) in self.rules.iter_mut().enumerate() {
            let status = state.status(self.timed_out);
            // Whoever wants the first violation only does not want what comes after it, which may have been read or not.
            if let (Status::Violated, false, Some(outcome)) =
                (status, self.settings.wants_all(&state.rule), &mut state.outcome)
            {
                outcome.obstacle = None;
            }
            self.reporter.rule(index, &state.rule, status, state.outcome.as_ref(), state.violations);
            self.reporter.tables(&state.rule, &state.sizes);
        }
        self.reporter.conclude(self.totals, &self.kinds, self.settings.prefix)
    }
}
