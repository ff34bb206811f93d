//! Reads the trace and lets a session judge it: once for each way in which the rules' languages read traces.

use std::path::{Path, PathBuf};

use referee_trace::abstraction::TimeNeed;
use referee_trace::points::{Amount, Done, read_on_own_thread};
use referee_trace::reader::{ReadOptions, Summary};

use super::args::CheckArgs;
use super::options::{Given, Input, Reading, inline_or_files, is_timed, read_here, read_options, threads};
use super::rule_state::RuleState;
use super::session::{PassEnd, Session};
use super::trace_pass::{Results, TracePass, Unjudged};
use crate::failure::Failure;

/// Judges the trace of the command line.
pub(super) fn judge(session: &mut Session<'_>, args: &CheckArgs, given: &Given) -> Result<Option<Summary>, Failure> {
    let groups = groups(&session.rules, is_timed(args));
    refuse_second_reading(&groups, &session.rules, args)?;
    let mut summary = None;
    for (reading, members) in groups {
        for (index, state) in session.rules.iter_mut().enumerate() {
            state.active = members.contains(&index);
        }
        summary = read_once(session, args, given, reading)?;
        if session.is_cut() {
            break;
        }
    }
    Ok(summary)
}

/// A pipe can be read once only: what is read a second time would be taken for an empty trace.
fn refuse_second_reading(
    groups: &[(Reading, Vec<usize>)],
    rules: &[RuleState],
    args: &CheckArgs,
) -> Result<(), Failure> {
    let is_pipe = |path: &&PathBuf| {
        **path == Path::new("-") || std::fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
    };
    let pipe = args.traces.iter().find(is_pipe).filter(|_| args.inline.is_none());
    let (Some(pipe), [(_, first), (_, second), ..]) = (pipe, groups) else { return Ok(()) };
    let name = |members: &[usize]| members.first().map_or("", |rule| rules[*rule].rule.language().name());
    Err(Failure::Other(format!(
        "{}: rules in {} and {} see time differently and need a reading each, and a pipe can be read only once\n  \
         hint: save the trace in a file, or judge the rules of each language by themselves",
        pipe.display(),
        name(first),
        name(second)
    )))
}

/// The rules by how their languages read traces.
pub(super) fn groups(rules: &[RuleState], timed: bool) -> Vec<(Reading, Vec<usize>)> {
    let mut groups: Vec<(Reading, Vec<usize>)> = Vec::new();
    for (index, state) in rules.iter().enumerate() {
        let reading = Reading::of(state.rule.language(), timed);
        match groups.iter_mut().find(|(other, _)| *other == reading) {
            Some((_, members)) => members.push(index),
            None => groups.push((reading, vec![index])),
        }
    }
    groups
}

/// Reads the trace once, for the rules that are active.
fn read_once(
    session: &mut Session<'_>,
    args: &CheckArgs,
    given: &Given,
    reading: Reading,
) -> Result<Option<Summary>, Failure> {
    let mut options = read_options(args, given, reading);
    let needs = session.rules.iter().filter(|state| state.active).map(|state| state.need.clone());
    options.meaning.need = needs.fold(TimeNeed::default(), TimeNeed::and);
    let mut pass = TracePass::new(session);
    let Done { read, flow, mut amount } = read_input(Input::of(args), threads(args), &options, &mut pass);
    pass.take_failure()?;
    // What was read before a fault counts: it may have settled everything.
    let summary = match (flow, read) {
        (Ok(()), read) => Some(read?),
        (Err(_), read) => read.ok(),
    };
    pass.finish(amount.last_point)?;
    let Results { shapes, sizes, cut, unjudged } = pass.into_results();
    if let Some(unjudged) = &unjudged {
        take_back(&mut amount, unjudged);
    }
    // Whether more was read than was judged depends on the size of batches, and must not show.
    let is_whole = unjudged.is_none() && summary.as_ref().is_some_and(|summary| summary.complete);
    let end = match cut {
        Some(cut) => PassEnd::Cut(cut),
        None if is_whole => PassEnd::Complete,
        None => PassEnd::Decided,
    };
    session.end_pass(&shapes, &amount, sizes, end);
    Ok(summary)
}

/// Reads a trace on so many threads.
pub(super) fn read_input(
    input: Input<'_>,
    threads: usize,
    options: &ReadOptions,
    pass: &mut TracePass<'_, '_>,
) -> Done<Result<Summary, Failure>> {
    match threads {
        1 => read_here(input, options, pass),
        _ => read_on_own_thread(pass, |filler| inline_or_files(input, options, filler)),
    }
}

/// Leaves out what was read after the point that decided everything.
fn take_back(amount: &mut Amount, unjudged: &Unjudged) {
    for shape in &unjudged.events {
        amount.counts[shape.index()] = amount.counts[shape.index()].saturating_sub(1);
    }
    amount.points = amount.points.saturating_sub(amount.last_point.saturating_sub(unjudged.after));
}
