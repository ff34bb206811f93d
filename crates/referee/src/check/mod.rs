//! `referee check`: judges a trace against specifications.
//!
//! ```text
//!   specifications ─▶ rules ─▶ Session: what is known of each ◀─ findings ─ TracePass: gives one batch of points
//!                                │                                            ▲ after the other to all judges
//!                                ▼                                            │
//!                              Reporter: lines as they are decided, or JSON   └ Batcher ◀─ reader ◀─ traces
//! ```

mod args;
mod contexts;
mod kept;
mod options;
mod oracle;
mod read_trace;
mod report;
mod rows;
mod rule_state;
mod satisfactions;
mod session;
mod settings;
mod trace_pass;

use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_spec::language::Options;
use referee_spec::lint;
use referee_trace::abstraction::TimeField;

pub(crate) use args::{CheckArgs, languages};
pub(crate) use options::{Reading, are_marked_timed, options_as_judged};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::specification::Specification;

use options::signature;
use report::{Reporter, Style};
use session::Session;

/// The lint that `check` leaves to `explain`: what grows is no mistake, and true of many good properties.
const GROWING_TABLE: &str = "L0005";

/// Runs the command. What cannot be read or judged is GaveUp.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitStatus, Failure> {
    let style = Style { json: args.json, events: args.events, traces: false };
    match judge(args, style) {
        Ok(status) => Ok(match status {
            Status::Satisfied => ExitStatus::Fine,
            Status::Violated => ExitStatus::Violated,
            Status::TimeOut | Status::GaveUp => ExitStatus::Failed,
        }),
        Err(failure) if failure.is_closed_pipe() => Err(failure),
        Err(failure) => {
            report::gave_up(&failure, style)?;
            Err(failure)
        }
    }
}

fn judge(args: &CheckArgs, style: Style) -> Result<Status, Failure> {
    let specifications = load(args)?;
    if args.satisfactions {
        return satisfactions::print(args, &specifications);
    }
    let rules = compile(args, &specifications)?;
    rows::check_files(rules.iter().map(|(_, rule)| &**rule))?;
    let traces = args.read.options(TimeField::Named)?.meaning.mapping.splits();
    let style = Style { traces, ..style };
    let mut reporter = Reporter::new(style, rules.len());
    let mut session = Session::new(rules, &mut reporter, args);
    read_trace::judge(&mut session, args)?;
    for (specification, strangers) in session.strangers() {
        specifications[specification].report(&strangers)?;
    }
    session.conclude()
}

fn load(args: &CheckArgs) -> Result<Vec<Specification>, Failure> {
    let mut all = Vec::new();
    for path in std::iter::once(&args.specification).chain(&args.more_specifications) {
        all.extend(Specification::load(path, args.language)?);
    }
    Ok(all)
}

/// All rules that are asked for, with the number of the specification each comes from.
fn compile(args: &CheckArgs, specifications: &[Specification]) -> Result<Vec<(usize, Arc<Rule>)>, Failure> {
    let signature = signature(args)?;
    let options = Options {
        signature: signature.as_ref().map(crate::specification::vocabulary),
        lenient: args.lenient,
        seen: args.seen,
        full_window: args.full_window,
        vacuous: args.vacuous,
        unit: args.read.options(TimeField::Named)?.meaning.mapping.unit(),
        robustness: args.robustness,
    };
    let mut rules = Vec::new();
    for (index, specification) in specifications.iter().enumerate() {
        for rule in specification.compile(&options)? {
            if args.properties.is_empty() || args.properties.iter().any(|name| **name == **rule.name()) {
                let mut lints = lint::lint(&rule, None);
                lints.retain(|found| found.code != GROWING_TABLE);
                specification.report(&lints)?;
                rules.push((index, Arc::new(rule)));
            }
        }
    }
    match args.properties.iter().find(|name| !rules.iter().any(|(_, rule)| **rule.name() == ***name)) {
        Some(missing) => Err(Failure::Other(format!("no property is called `{missing}`"))),
        None => Ok(rules),
    }
}
