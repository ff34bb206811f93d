//! What is wanted of a session: which violations, which evaluator.

use referee_engine::fo::Passes;
use referee_engine::judge::Wanted;
use referee_spec::core::Rule;

use super::args::CheckArgs;

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

/// What the command line asks of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
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
    /// Each rule has a judge of its own.
    pub separate: bool,
    /// Streams, too, report their first violation only.
    first: bool,
}

impl Settings {
    pub(super) fn new(args: &CheckArgs) -> Settings {
        Settings {
            wanted: if args.all { Wanted::All } else { Wanted::First },
            prefix: args.prefix || args.resume.is_some(),
            oracle: args.oracle,
            passes: passes(&args.without),
            compile: !args.without.iter().any(|name| name == "compile"),
            print_events: args.trace,
            witness: args.witness,
            separate: args.resume.is_some(),
            first: args.first,
        }
    }

    /// What the judges have to know.
    pub(super) fn of_judges(&self) -> referee_engine::Settings {
        let Settings { wanted, prefix, passes, compile, witness, separate, .. } = *self;
        referee_engine::Settings { wanted, prefix, passes, compile, witness, separate }
    }

    /// Whether every point is looked at, not only those with a violation.
    pub(super) fn follows_points(&self) -> bool {
        self.print_events || self.witness
    }

    /// Whether all violations of a rule are reported: those of streams are unless only the first is asked for. A rule over
    /// signals has one violation, and whoever wants its robustness wants the samples after it, too.
    pub(super) fn wants_all(&self, rule: &Rule) -> bool {
        match rule {
            _ if self.wanted == Wanted::All => true,
            Rule::Stream(_) => !self.first,
            Rule::Signal(signal) => signal.robustness,
            _ => false,
        }
    }
}
