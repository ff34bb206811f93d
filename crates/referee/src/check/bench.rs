//! The bench: where all rules stand, and the passes over the trace that bring them there.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use referee_engine::fo::Passes;
use referee_engine::judge::{Size, Wanted};
use referee_spec::core::{Outcome, Rule, Status, Violation};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{Argument, EventShape as Arguments, Vocabulary};
use referee_spec::lint;
use referee_trace::event::{self, EventShape};
use referee_trace::points::{Amount, Done, read_on_own_thread};

use super::CheckArgs;
use super::options::{Reading, inline_or_files, is_timed, read_here, read_options, threads};
use super::pass::{Pass, Results, Totals, Unjudged};
use super::record::Record;
use super::report::{Context, Reporter};
use crate::failure::Failure;

/// Where one rule stands.
pub struct Standing {
    specification: usize,
    /// The rule.
    pub rule: Arc<Rule>,
    /// Whether it takes part in the current pass and wants more points.
    pub active: bool,
    violations: u64,
    outcome: Option<Outcome>,
    sizes: Vec<Size>,
    /// All that the rule can see of the trace, where reasons are wanted.
    pub record: Option<Record>,
}

impl Standing {
    fn new(specification: usize, rule: Arc<Rule>) -> Standing {
        Standing { specification, rule, active: false, violations: 0, outcome: None, sizes: Vec::new(), record: None }
    }

    /// Notes the outcome of one trace; the rule's is the worst of all.
    fn conclude(&mut self, outcome: Outcome) {
        self.outcome = Some(match self.outcome.take() {
            None => outcome,
            Some(earlier) => Outcome {
                status: if earlier.status == Status::Satisfied { outcome.status } else { earlier.status },
                violations: Vec::new(),
                pending: earlier.pending + outcome.pending,
                obstacle: earlier.obstacle.or(outcome.obstacle),
            },
        });
    }

    fn status(&self, timed_out: bool) -> Status {
        match (&self.outcome, self.violations) {
            (_, 1..) => Status::Violated,
            (_, 0) if timed_out => Status::TimeOut,
            (Some(outcome), _) => outcome.status,
            (None, _) => Status::Satisfied,
        }
    }
}

/// All passes but those that are left out.
fn passes(without: &[String]) -> Passes {
    let mut passes = Passes::ALL;
    for name in without {
        match &**name {
            "all" => passes = Passes::NONE,
            name => {
                passes.set(name, false);
            }
        }
    }
    passes
}

/// What the command line asks of the bench.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Which violations are reported.
    pub wanted: Wanted,
    /// The trace may go on.
    pub prefix: bool,
    /// The naive evaluator judges.
    pub oracle: bool,
    /// The passes of the compiler.
    pub passes: Passes,
    /// Whether formulas are compiled at all.
    pub compile: bool,
    /// Events are printed.
    pub print_events: bool,
    /// Reasons are given.
    pub witness: bool,
    /// Streams, too, report their first violation only.
    first: bool,
    deadline: Option<Instant>,
}

impl Settings {
    fn new(args: &CheckArgs) -> Settings {
        Settings {
            wanted: if args.all { Wanted::All } else { Wanted::First },
            prefix: args.prefix,
            oracle: args.oracle,
            passes: passes(&args.without),
            compile: !args.without.iter().any(|name| name == "compile"),
            print_events: args.trace,
            witness: args.witness,
            first: args.first,
            deadline: args.timeout.map(|timeout| Instant::now() + timeout),
        }
    }

    /// What the judges have to know.
    pub fn of_judges(&self) -> referee_engine::Settings {
        let Settings { wanted, prefix, passes, compile, .. } = *self;
        referee_engine::Settings { wanted, prefix, passes, compile }
    }

    /// Whether every point is looked at, not only those with a violation.
    pub fn follows_points(&self) -> bool {
        self.print_events || self.witness
    }

    /// Whether all violations of a rule are reported: those of streams are unless only the first is asked for. A rule over
    /// signals has one violation, and whoever wants its robustness wants the samples after it, too.
    fn wants_all(&self, rule: &Rule) -> bool {
        match rule {
            _ if self.wanted == Wanted::All => true,
            Rule::Stream(_) => !self.first,
            Rule::Signal(signal) => signal.robustness,
            _ => false,
        }
    }

    /// Whether time is up.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// Leaves out what was read after the point that decided everything.
fn take_back(amount: &mut Amount, unjudged: &Unjudged) {
    for shape in &unjudged.events {
        amount.counts[shape.index()] = amount.counts[shape.index()].saturating_sub(1);
    }
    amount.points = amount.points.saturating_sub(amount.last_point.saturating_sub(unjudged.after));
}

/// All rules, and what has been found out so far.
pub struct Bench<'a> {
    /// Where the rules stand.
    pub standings: Vec<Standing>,
    /// Where results go.
    pub reporter: &'a mut Reporter,
    /// What was asked for.
    pub settings: Settings,
    totals: Totals,
    kinds: BTreeMap<String, u64>,
    vocabulary: Vocabulary,
    timed_out: bool,
}

impl<'a> Bench<'a> {
    /// A bench before the first pass.
    pub fn new(rules: Vec<(usize, Arc<Rule>)>, reporter: &'a mut Reporter, args: &CheckArgs) -> Bench<'a> {
        Bench {
            standings: rules.into_iter().map(|(specification, rule)| Standing::new(specification, rule)).collect(),
            reporter,
            settings: Settings::new(args),
            totals: Totals::default(),
            kinds: BTreeMap::new(),
            vocabulary: Vocabulary::default(),
            timed_out: false,
        }
    }

    /// Judges the trace: one pass for each way in which the rules' languages read it.
    pub fn judge(&mut self, args: &CheckArgs) -> Result<(), Failure> {
        for (reading, members) in self.groups(is_timed(args)) {
            for (index, standing) in self.standings.iter_mut().enumerate() {
                standing.active = members.contains(&index);
            }
            self.pass(args, reading)?;
        }
        Ok(())
    }

    /// The rules by how their languages read traces.
    fn groups(&self, timed: bool) -> Vec<(Reading, Vec<usize>)> {
        let mut groups: Vec<(Reading, Vec<usize>)> = Vec::new();
        for (index, standing) in self.standings.iter().enumerate() {
            let reading = Reading::of(standing.rule.language(), timed);
            match groups.iter_mut().find(|(known, _)| *known == reading) {
                Some((_, members)) => members.push(index),
                None => groups.push((reading, vec![index])),
            }
        }
        groups
    }

    /// Reads the trace once, for the rules that are active.
    fn pass(&mut self, args: &CheckArgs, reading: Reading) -> Result<(), Failure> {
        let options = read_options(args, reading)?;
        let mut pass = Pass::new(self);
        let Done { read, flow, mut amount, mut values } = match threads(args) {
            1 => read_here(args, &options, &mut pass),
            _ => read_on_own_thread(&mut pass, |filler| inline_or_files(args, &options, filler)),
        };
        pass.take_failure()?;
        // What was read before a fault counts: it may have settled everything.
        if flow.is_ok() {
            read?;
        }
        pass.finish(amount.last_point, &mut values)?;
        let Results { shapes, sizes, timed_out, unjudged } = pass.take_results();
        self.timed_out |= timed_out;
        sizes.into_iter().for_each(|(rule, sizes)| self.standings[rule].sizes = sizes);
        self.standings.iter_mut().for_each(|standing| standing.active = false);
        if let Some(unjudged) = unjudged {
            take_back(&mut amount, &unjudged);
        }
        self.count(&shapes, &amount);
        Ok(())
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
    pub fn is_judging(&self) -> bool {
        self.standings.iter().any(|standing| standing.active)
    }

    /// Reports a violation of a rule that still wants to know of it; unless all are wanted, that ends its part.
    pub fn report(&mut self, rule: usize, violation: &Violation, context: &Context) -> Result<(), Failure> {
        let standing = &mut self.standings[rule];
        if !standing.active {
            return Ok(());
        }
        standing.violations += 1;
        standing.active = self.settings.wants_all(&standing.rule);
        let why = standing.record.as_ref().map_or_else(Vec::new, |record| record.explain(violation));
        self.reporter.violation(rule, &standing.rule, violation, context, why)
    }

    /// Notes the robustness of a rule over signals.
    pub fn measured(&mut self, rule: usize, robustness: Option<String>) {
        if let Some(robustness) = robustness {
            self.reporter.robustness(rule, &self.standings[rule].rule, &robustness);
        }
    }

    /// Notes the outcome of one trace for a rule.
    pub fn conclude_trace(&mut self, rule: usize, outcome: Outcome) {
        self.standings[rule].conclude(outcome);
    }

    /// What the rules say of events that the trace never showed, by specification.
    pub fn strangers(&self) -> Vec<(usize, Vec<Diagnostic>)> {
        let all = self.settings.wanted == Wanted::All;
        let complete = self.standings.iter().all(|standing| all || standing.violations == 0) && !self.timed_out;
        if !complete || self.totals.events == 0 {
            return Vec::new();
        }
        let unmet = |standing: &Standing| {
            let known = lint::lint(&standing.rule, None);
            let mut found = lint::lint(&standing.rule, Some(&self.vocabulary));
            found.retain(|diagnostic| !known.contains(diagnostic));
            (standing.specification, found)
        };
        self.standings.iter().map(unmet).collect()
    }

    /// Prints what is left to say and gives the overall verdict.
    pub fn conclude(mut self) -> Result<Status, Failure> {
        for (index, standing) in self.standings.iter_mut().enumerate() {
            let status = standing.status(self.timed_out);
            // Whoever wants the first violation only has not asked for what comes after it, which may have been read or not.
            if let (Status::Violated, false, Some(outcome)) =
                (status, self.settings.wants_all(&standing.rule), &mut standing.outcome)
            {
                outcome.obstacle = None;
            }
            self.reporter.rule(index, &standing.rule, status, standing.outcome.as_ref(), standing.violations);
            self.reporter.tables(&standing.rule, &standing.sizes);
        }
        self.reporter.conclude(self.totals, &self.kinds, self.settings.prefix)
    }
}
