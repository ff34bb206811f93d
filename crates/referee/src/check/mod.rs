//! `referee check`: judges a trace against specifications.
//!
//! ```text
//!   specifications ─▶ rules ─▶ Session: what is known of each ◀─ findings ─ TracePass: gives one batch of points
//!                                │                                            ▲ after the other to all judges
//!                                ▼                                            │
//!                              Reporter: lines as they are decided, or JSON   └ Batcher ◀─ reader ◀─ traces
//!                                ▲
//!                              limits: what ends a check from outside
//! ```

mod args;
mod cut;
mod document;
mod growth;
mod inputs;
mod limits;
mod options;
mod oracle;
mod read_trace;
mod report;
mod resume;
mod resumption;
mod rows;
mod rule_state;
mod satisfactions;
mod session;
mod settings;
mod state_file;
mod trace_pass;
mod trace_progress;
mod warnings;

use std::path::Path;
use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_spec::language::Options;
use referee_spec::lint;
use referee_trace::mapping::{Mapping, nearest};
use referee_trace::reader::Summary;

pub(crate) use args::{CheckArgs, languages};
pub(crate) use inputs::InputMark;
pub(crate) use options::{Reading, are_marked_timed, options_as_judged};
pub(crate) use state_file::{read as read_state, refused as refused_state};
pub(crate) use trace_progress::InputProgress;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::specification::{Specification, language_of};

use cut::Cut;
use options::{Given, is_timed};
use report::{Form, Reporter, Style};
use resume::Resumed;
use session::Session;
use state_file::WrittenState;
use warnings::Warning;

/// The lint that `check` leaves to `explain`: what grows is no mistake, and true of many good properties.
const GROWING_TABLE: &str = "L0005";

/// Runs the command. What cannot be read or judged is GaveUp.
pub(crate) fn run(args: &CheckArgs) -> Result<ExitStatus, Failure> {
    let form = match (args.json, args.json_lines) {
        (true, _) => Form::Document,
        (false, true) => Form::Lines,
        (false, false) => Form::Text,
    };
    let mut reporter = Reporter::new(Style { form, events: args.events, prefix: args.prefix || args.resume.is_some() });
    let judged = limits::watch(args, &reporter).and_then(|()| judge(args, &mut reporter));
    match judged {
        Ok(_) if reporter.why_cut() == Some(Cut::Interrupt) => Ok(ExitStatus::Interrupted),
        Ok(_) if args.deny_warnings && reporter.is_denied() => Ok(ExitStatus::Failed),
        Ok(status) => Ok(exit_of(status)),
        Err(failure) if failure.is_closed_pipe() => {
            let closed_after = reporter.is_violated();
            Ok(if closed_after { ExitStatus::Violated } else { ExitStatus::Fine })
        }
        // The verdict has been printed: what went wrong is the state.
        Err(failure) if reporter.is_concluded() => Err(failure),
        Err(failure) => {
            reporter.gave_up(&failure)?;
            Err(failure)
        }
    }
}

fn exit_of(status: Status) -> ExitStatus {
    match status {
        Status::Satisfied => ExitStatus::Fine,
        Status::Violated => ExitStatus::Violated,
        Status::TimeOut | Status::GaveUp => ExitStatus::Failed,
    }
}

fn judge(args: &CheckArgs, reporter: &mut Reporter) -> Result<Status, Failure> {
    refuse_shared_input(args)?;
    refuse_exchanged(args)?;
    let specifications = load(args)?;
    let given = Given::load(args)?;
    resume::refuse(args, &given)?;
    if args.satisfactions {
        return satisfactions::print(args, &given, &specifications, reporter);
    }
    let rules = compile(args, &given, &specifications, reporter)?;
    rows::check_files(rules.iter().map(|(_, rule)| &**rule), args.resume.is_some())?;
    reporter.begin(rules.iter().map(|(_, rule)| &**rule), given.splits());
    let needs = rules.iter().map(|(number, rule)| specifications[*number].time_need(rule)).collect();
    let mut session = Session::new(rules, needs, reporter, args);
    let Resumed { summary, state } = match &args.resume {
        Some(path) => resume::judge(&mut session, args, &given, path, is_timed(args))?,
        None => Resumed { summary: read_trace::judge(&mut session, args, &given)?, state: None },
    };
    // With a state, tables of other nights may have had other columns.
    let columns = summary.as_ref().filter(|_| args.resume.is_none()).and_then(|summary| summary.columns.clone());
    session.note_columns(columns);
    for (specification, missing) in session.missing_inputs() {
        specifications[specification].report(&missing)?;
    }
    let mut warnings = session.warnings(&specifications);
    warnings.extend(of_reading(args, &session, summary.as_ref())?);
    session.reporter.warn(warnings, true);
    let status = session.conclude()?;
    // Whoever kills the check before this is told again what it found.
    state.map_or(Ok(()), WrittenState::commit)?;
    Ok(status)
}

/// Standard input can be one thing only.
fn refuse_shared_input(args: &CheckArgs) -> Result<(), Failure> {
    let specifications = std::iter::once(&args.specification).chain(&args.more_specifications);
    let others = args.signature.iter().chain(&args.traces);
    let from_input = specifications.chain(others).filter(|path| **path == Path::new("-"));
    match from_input.count() > 1 {
        true => Err(Failure::Other(
            "standard input is named more than once, and can be read only once\n  hint: keep `-` for one of them"
                .into(),
        )),
        false => Ok(()),
    }
}

/// A trace whose name is that of a specification is none, unless its format is told.
fn refuse_exchanged(args: &CheckArgs) -> Result<(), Failure> {
    let by_name = args.traces.iter().find(|path| language_of(path).is_some()).filter(|_| args.read.format.is_none());
    let Some(path) = by_name else { return Ok(()) };
    let (trace, first) = (path.display(), args.specification.display());
    Err(Failure::Other(match language_of(&args.specification) {
        None => format!(
            "{first}: the first argument is the specification, and {trace} looks like one\n  \
             hint: exchange the two: referee check {trace} {first}"
        ),
        Some(_) => format!(
            "{trace}: this is a specification by its name, not a trace\n  \
             hint: --spec {trace} judges it, too; if it is a trace, say its format with --format"
        ),
    }))
}

/// What reading the whole trace has shown: no event at all, or rules of the mapping that never matched.
fn of_reading(args: &CheckArgs, session: &Session<'_>, summary: Option<&Summary>) -> Result<Vec<Warning>, Failure> {
    let Some(summary) = summary.filter(|_| session.is_complete()) else { return Ok(Vec::new()) };
    let file = args.traces.first().map(|path| path.display().to_string());
    if session.events() == 0 && args.expect_events {
        let name = file.map_or(String::new(), |file| format!("{file}: "));
        let hint = "hint: look at what is read with `referee cat`, or leave --expect-events out";
        return Err(Failure::Other(format!("{name}the trace has no events\n  {hint}")));
    }
    let empty = (session.events() == 0).then(|| warnings::of_empty_trace(file, summary.totals.events > 0));
    // A ready mapping serves many logs, and none has all that it knows. Of a trace without events nothing matches.
    let is_own = |name: &&str| !Mapping::built_in_names().any(|ready| ready == *name);
    let mapping = args.read.map.as_deref().filter(is_own).filter(|_| summary.totals.events > 0);
    let of_mapping = |name| summary.unmatched.iter().map(move |rule| warnings::of_mapping(rule, name));
    Ok(empty.into_iter().chain(mapping.into_iter().flat_map(of_mapping)).collect())
}

fn load(args: &CheckArgs) -> Result<Vec<Specification>, Failure> {
    let mut all = Vec::new();
    for path in std::iter::once(&args.specification).chain(&args.more_specifications) {
        all.extend(Specification::load(path, args.language)?);
    }
    Ok(all)
}

/// All rules that are asked for, with the number of the specification each comes from.
fn compile(
    args: &CheckArgs,
    given: &Given,
    specifications: &[Specification],
    reporter: &mut Reporter,
) -> Result<Vec<(usize, Arc<Rule>)>, Failure> {
    let options = Options {
        signature: given.signature.as_ref().map(crate::specification::vocabulary),
        lenient: args.lenient,
        seen: args.seen,
        full_window: args.full_window,
        vacuous: args.vacuous,
        unit: given.unit(),
        robustness: args.robustness,
    };
    let mut rules = Vec::new();
    let mut names: Vec<Arc<str>> = Vec::new();
    for (index, specification) in specifications.iter().enumerate() {
        let (compiled, diagnostics) = specification.compile_and_keep(&options)?;
        reporter.warn(warnings::of_specification(&diagnostics, &specification.source), false);
        for rule in compiled {
            names.push(rule.name().clone());
            if args.properties.is_empty() || args.properties.iter().any(|name| **name == **rule.name()) {
                let mut lints = lint::lint(&rule, None);
                lints.retain(|found| found.code != GROWING_TABLE);
                specification.report(&lints)?;
                reporter.warn(warnings::of_specification(&lints, &specification.source), false);
                rules.push((index, Arc::new(rule)));
            }
        }
    }
    match args.properties.iter().find(|name| !rules.iter().any(|(_, rule)| **rule.name() == ***name)) {
        Some(missing) => Err(no_property(missing, &names)),
        None => Ok(rules),
    }
}

/// How many names a message lists.
const LISTED: usize = 8;

fn no_property(missing: &str, names: &[Arc<str>]) -> Failure {
    let hint = match nearest(missing, names.iter().map(|name| &**name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
            let more = names.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("there are {}{more}", shown.join(", "))
        }
    };
    Failure::Other(format!("no property is called `{missing}`\n  hint: {hint}"))
}
