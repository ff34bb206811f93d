//! Reads the trace and lets a session judge it: once for each way in which the rules' languages read traces.

use referee_trace::points::{Amount, Done, read_on_own_thread};

use super::args::CheckArgs;
use super::options::{Reading, inline_or_files, is_timed, read_here, read_options, threads};
use super::rule_state::RuleState;
use super::session::Session;
use super::trace_pass::{Results, TracePass, Unjudged};
use crate::failure::Failure;

/// Judges the trace of the command line.
pub(super) fn judge(session: &mut Session<'_>, args: &CheckArgs) -> Result<(), Failure> {
    for (reading, members) in groups(&session.rules, is_timed(args)) {
        for (index, state) in session.rules.iter_mut().enumerate() {
            state.active = members.contains(&index);
        }
        read_once(session, args, reading)?;
    }
    Ok(())
}

/// The rules by how their languages read traces.
fn groups(rules: &[RuleState], timed: bool) -> Vec<(Reading, Vec<usize>)> {
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
fn read_once(session: &mut Session<'_>, args: &CheckArgs, reading: Reading) -> Result<(), Failure> {
    let options = read_options(args, reading)?;
    let mut pass = TracePass::new(session);
    let Done { read, flow, mut amount } = match threads(args) {
        1 => read_here(args, &options, &mut pass),
        _ => read_on_own_thread(&mut pass, |filler| inline_or_files(args, &options, filler)),
    };
    pass.take_failure()?;
    // What was read before a fault counts: it may have settled everything.
    if flow.is_ok() {
        read?;
    }
    pass.finish(amount.last_point)?;
    let Results { shapes, sizes, timed_out, unjudged } = pass.take_results();
    if let Some(unjudged) = unjudged {
        take_back(&mut amount, &unjudged);
    }
    session.end_pass(&shapes, &amount, sizes, timed_out);
    Ok(())
}

/// Leaves out what was read after the point that decided everything.
fn take_back(amount: &mut Amount, unjudged: &Unjudged) {
    for shape in &unjudged.events {
        amount.counts[shape.index()] = amount.counts[shape.index()].saturating_sub(1);
    }
    amount.points = amount.points.saturating_sub(amount.last_point.saturating_sub(unjudged.after));
}
