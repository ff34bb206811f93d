//! First rules for a log: what could be asked of its events, the most natural first.
//!
//! | the log has | rule |
//! |---|---|
//! | failures of somebody, and times | nobody has more than three in a minute |
//! | events such as `open` and `close` with a common argument | nothing is closed that was not opened; what is opened is closed |
//! | an argument such as `status` from 100 to 599 | no server error; at most ten errors of one client in a minute |
//! | an argument such as `level` | nothing is logged as an error |
//! | events that always come behind others with the same value | they always do (`mined`) |
//! | numbers | they stay within what was seen |
//! | anything else | the rarest event never happens |
//!
//! All are written in MFOTL, which has windows of time, counts and any value `_`.

mod atoms;
mod mined;
mod pairs;

use referee_trace::mapping::Unit;
use referee_trace::owned::OwnedTrace;

use super::kinds::{ArgumentSummary, EventKind};
use super::words::is_name;
use atoms::atom;
pub(super) use atoms::{FirstRule, signature};

/// Names that mean something else in MFOTL.
const TAKEN: [&str; 4] = ["tp", "ts", "tpts", "r"];

/// The rules that could be asked, the most natural first.
pub(super) fn candidates(kinds: &[EventKind], trace: &OwnedTrace, unit: Unit) -> Vec<FirstRule> {
    let has_times = trace.points.iter().any(|point| point.time.is_some());
    let minute = has_times.then(|| minute(unit));
    let minute = minute.as_deref();
    let named: Vec<&EventKind> =
        kinds.iter().filter(|kind| is_name(&kind.name) && !TAKEN.contains(&&*kind.name)).take(40).collect();
    let mut rules = failures(&named, minute);
    rules.extend(pairs::rules(&named));
    rules.extend(statuses(&named, minute));
    rules.extend(levels(&named));
    rules.extend(mined::rules(&named, trace));
    rules.extend(bounds(&named));
    if kinds.len() > 1 || rules.is_empty() {
        rules.extend(rarest(&named));
    }
    rules
}

/// A minute in the unit of the trace.
fn minute(unit: Unit) -> String {
    match unit {
        Unit::Second => "60s".to_owned(),
        _ => (60_000_000_000 / unit.nanoseconds()).max(1).to_string(),
    }
}

/// Arguments that tell who did something.
const ACTORS: [&str; 22] = [
    "client",
    "address",
    "ip",
    "clientip",
    "client_ip",
    "remote_addr",
    "source_ip",
    "sourceipaddress",
    "src",
    "from",
    "user",
    "username",
    "user_name",
    "user_id",
    "userid",
    "account",
    "customer",
    "host",
    "session",
    "case",
    "case_id",
    "id",
];

/// The argument that tells best who did it.
fn actor(kind: &EventKind) -> Option<&ArgumentSummary> {
    let rank = |argument: &&ArgumentSummary| ACTORS.iter().position(|actor| *actor == argument.word());
    kind.arguments.iter().filter(|argument| rank(argument).is_some()).min_by_key(rank)
}

/// Nobody fails too often within a minute.
fn failures(kinds: &[&EventKind], minute: Option<&str>) -> Vec<FirstRule> {
    let marks = ["fail", "denied", "deny", "invalid", "refused", "unauthor", "forbidden"];
    let failing = kinds.iter().filter(|kind| marks.iter().any(|mark| kind.name.to_ascii_lowercase().contains(mark)));
    let rule = |kind: &&EventKind| Some(at_most(kind, actor(kind)?, None, 3, minute?));
    failing.filter_map(rule).collect()
}

/// Nobody has more than so many events of a kind within a minute; those that satisfy a condition, if there is one.
fn at_most(
    kind: &EventKind,
    who: &ArgumentSummary,
    condition: Option<(&ArgumentSummary, &str)>,
    most: usize,
    minute: &str,
) -> FirstRule {
    let (name, variable) = (&kind.name, &who.variable);
    let (bound, condition, sentence) = match condition {
        Some((argument, test)) => (
            vec![who, argument],
            format!("{} {test} AND ", argument.variable),
            format!(
                "No {variable} has more than {most} events `{name}` with {} {test} in 60 seconds.",
                argument.variable
            ),
        ),
        None => {
            (vec![who], String::new(), format!("No {variable} has more than {most} events `{name}` in 60 seconds."))
        }
    };
    let event = atom(kind, &bound);
    FirstRule::new(
        sentence,
        format!("(n <- CNT i; {variable}. ONCE[0, {minute}] ({event} AND {condition}tp(i))) IMPLIES n <= {most}"),
    )
}

/// What the status of an answer is called.
const STATUSES: [&str; 8] =
    ["status", "status_code", "statuscode", "code", "response", "response_code", "http_status", "responsestatus"];

fn statuses(kinds: &[&EventKind], minute: Option<&str>) -> Vec<FirstRule> {
    let is_status = |kind: &EventKind, argument: &&ArgumentSummary| {
        STATUSES.contains(&&*argument.word())
            && argument.integers * 10 >= kind.count * 8
            && argument.least >= 100
            && argument.most <= 599
    };
    let mut rules = Vec::new();
    for kind in kinds {
        let Some(status) = kind.arguments.iter().find(|argument| is_status(kind, argument)) else { continue };
        let who = actor(kind);
        let bound: Vec<&ArgumentSummary> = who.into_iter().chain([status]).collect();
        let variable = &status.variable;
        rules.push(FirstRule::new(
            format!("No `{}` is answered with a server error.", kind.name),
            format!("{} IMPLIES NOT {variable} >= 500", atom(kind, &bound)),
        ));
        if let (Some(who), Some(minute)) = (who, minute) {
            rules.push(at_most(kind, who, Some((status, ">= 400")), 10, minute));
        }
    }
    rules
}

/// What tells how bad a line is, and the levels that are bad, the worst first.
const LEVELS: [&str; 5] = ["level", "severity", "priority", "log_level", "lvl"];
const BAD: [&str; 9] = ["emerg", "alert", "fatal", "critical", "crit", "severe", "error", "err", "warn"];

fn levels(kinds: &[&EventKind]) -> Vec<FirstRule> {
    let mut rules = Vec::new();
    for kind in kinds {
        let Some(level) = kind.arguments.iter().find(|argument| LEVELS.contains(&&*argument.word())) else { continue };
        let words = level.values.iter().filter(|value| value.chars().all(|letter| letter.is_ascii_alphabetic()));
        let rank = |value: &&String| BAD.iter().position(|bad| value.to_ascii_lowercase() == *bad).unwrap_or(BAD.len());
        let worst = words.filter(|value| rank(value) < BAD.len()).min_by_key(|value| (rank(value), (*value).clone()));
        let worst = worst.map_or("ERROR", |worst| worst.as_str());
        rules.push(FirstRule::new(
            format!("No `{}` has the {} {worst}.", kind.name, level.variable),
            format!("{} IMPLIES NOT {} = \"{worst}\"", atom(kind, &[level]), level.variable),
        ));
    }
    rules
}

/// Numbers stay within what was seen.
fn bounds(kinds: &[&EventKind]) -> Vec<FirstRule> {
    let measured = kinds.iter().filter_map(|kind| {
        let is_measure = |argument: &&ArgumentSummary| {
            let is_none = ["port", "line", "number"].iter().chain(&STATUSES).any(|word| *word == argument.word());
            argument.integers == kind.count && argument.values.len() > 2 && argument.identity() < 3 && !is_none
        };
        kind.arguments.iter().find(is_measure).map(|argument| (kind, argument))
    });
    let rule = |(kind, argument): (&&EventKind, &ArgumentSummary)| {
        let (variable, most) = (&argument.variable, argument.most);
        FirstRule::new(
            format!("No `{}` has more than {most} as {variable}, the most that was seen.", kind.name),
            format!("{} IMPLIES {variable} <= {most}", atom(kind, &[argument])),
        )
    };
    measured.take(2).filter(|(_, argument)| argument.most >= 0).map(rule).collect()
}

fn rarest(kinds: &[&EventKind]) -> Option<FirstRule> {
    let rarest = kinds.iter().min_by_key(|kind| kind.count)?;
    Some(FirstRule::new(format!("`{}` never happens.", rarest.name), format!("NOT {}", atom(rarest, &[]))))
}
