//! Whether the equations can be solved step by step, and how late each stream is known.
//!
//! ```text
//!  a := b[2, 0] + c          a waits two steps for b            delay(a) = delay(b) + 2
//!  b := a[-3, 0]             b reads what a was                 delay(b) ≥ delay(a) − 3
//! ```
//!
//! An edge s → t with offset o says that s at step i reads t at step i + o. The delay of s is the least one such that
//! delay(s) ≥ delay(t) + o for all edges; it exists unless some circle adds up to more than 0, and then the stream waits
//! for ever. With delays as potentials, an edge is *tight* if delay(s) = delay(t) + o; a circle adds up to 0, and its
//! streams need themselves at the same step, exactly if all its edges are tight. Costs edges × streams.

use super::expression::{How, Reference, StreamId};
use super::program::{Moment, Piece, Program, StreamTrigger, Template};
use crate::core::formula::Span;

/// How many steps after its own step each stream and trigger is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delays {
    /// By stream.
    pub streams: Vec<u32>,
    /// By trigger.
    pub triggers: Vec<u32>,
}

/// Streams that need each other in a circle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circle {
    /// The streams with the places at which they are read: each reads the next, the last one the first.
    pub links: Vec<(StreamId, Span)>,
    /// Whether the circle waits for ever, rather than needing itself at the same step.
    pub waits: bool,
}

/// One stream reads another.
#[derive(Debug, Clone, Copy)]
struct Edge {
    reader: usize,
    read: usize,
    offset: i64,
    span: Span,
    /// Whether it reads strictly earlier steps only, though what it reads must be as far as the reader.
    strictly_past: bool,
}

/// The delays of all streams, or a circle that prevents them.
pub fn delays(program: &Program) -> Result<Delays, Circle> {
    let edges = edges(program);
    let mut delay = vec![0i64; program.stream_count()];
    let mut cause: Vec<Option<usize>> = vec![None; delay.len()];
    for round in 0..=delay.len() {
        let mut last = None;
        for (index, edge) in edges.iter().enumerate() {
            let needed = delay[edge.read] + edge.offset;
            if needed > delay[edge.reader] {
                delay[edge.reader] = needed;
                cause[edge.reader] = Some(index);
                last = Some(edge.reader);
            }
        }
        match last {
            None => break,
            Some(stream) if round == delay.len() => return Err(waiting_circle(&edges, &cause, stream)),
            Some(_) => {}
        }
    }
    if let Some(links) = tight_circle(&edges, &delay) {
        return Err(Circle { links, waits: false });
    }
    let triggers = program.triggers.iter().map(|trigger| trigger_delay(program, trigger, &delay)).collect();
    Ok(Delays { streams: delay.iter().map(|delay| u32::try_from(*delay).unwrap_or(u32::MAX)).collect(), triggers })
}

/// When a trigger is known at its step: when all that it reads there is, its message included.
fn trigger_delay(program: &Program, trigger: &StreamTrigger, delay: &[i64]) -> u32 {
    let mut most = 0;
    let mut wait = |reference: Reference<'_>| {
        most = most.max(delay[reference.access.stream.index()] + offset(program, reference));
    };
    match trigger.moment {
        Moment::Step => {
            visit_edges(&trigger.template, &mut |reference, _| wait(reference));
            let values = trigger.message.iter().filter_map(|piece| match piece {
                Piece::Value(value) => Some(value),
                Piece::Text(_) => None,
            });
            values.for_each(|value| value.references(&mut wait));
        }
        Moment::End => {
            let lives = Template { evals: Vec::new(), ..trigger.template.clone() };
            visit_edges(&lives, &mut |reference, _| wait(reference));
        }
    }
    u32::try_from(most).unwrap_or(u32::MAX)
}

fn edges(program: &Program) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (index, output) in program.outputs.iter().enumerate() {
        let reader = program.output_id(index).index();
        visit_edges(&output.template, &mut |reference, same_step| {
            edges.push(Edge {
                reader,
                read: reference.access.stream.index(),
                offset: offset(program, reference),
                span: reference.span,
                strictly_past: !same_step || is_past(&reference.access.how),
            });
        });
    }
    edges
}

/// Calls `visit` for every reference, with whether it matters within the step: closings come after all else.
fn visit_edges<'t>(template: &'t Template, visit: &mut impl FnMut(Reference<'t>, bool)) {
    let spawn = template.spawns.iter().flat_map(|spawn| spawn.with.iter().chain(&spawn.when));
    let evals = template.evals.iter().flat_map(|eval| eval.when.iter().chain([&eval.with]));
    for expression in spawn.chain(evals) {
        expression.references(&mut |reference| visit(reference, true));
    }
    if let Some(expression) = &template.close {
        expression.references(&mut |reference| visit(reference, false));
    }
}

/// How many steps ahead a reference reads. Where the reader needs an instance or a history as it is at its own step, what
/// it reads must not be farther than itself, so that counts as 0.
fn offset(program: &Program, reference: Reference<'_>) -> i64 {
    // An instance may have ended since the step that is read, also the only one of a stream without parameters.
    let output = program.output(reference.access.stream);
    let has_instances = output.is_some_and(|output| !output.template.spawns.is_empty());
    match reference.access.how {
        How::Step(offset, _) if offset > 0 || !has_instances => i64::from(offset),
        _ => 0,
    }
}

fn is_past(how: &How) -> bool {
    match how {
        How::Own(..) => true,
        How::Step(offset, _) => *offset < 0,
        _ => false,
    }
}

/// Follows the causes back from a stream whose delay still grows, into the circle that makes it grow.
fn waiting_circle(edges: &[Edge], cause: &[Option<usize>], mut stream: usize) -> Circle {
    for _ in 0..cause.len() {
        stream = cause[stream].map_or(stream, |edge| edges[edge].read);
    }
    let mut links = Vec::new();
    let first = stream;
    while let Some(edge) = cause[stream].map(|edge| edges[edge]) {
        links.push((StreamId::new(stream), edge.span));
        stream = edge.read;
        if stream == first {
            break;
        }
    }
    Circle { links, waits: true }
}

/// A circle of edges that read the same step, if there is one.
fn tight_circle(edges: &[Edge], delay: &[i64]) -> Option<Vec<(StreamId, Span)>> {
    let is_tight = |edge: &Edge| delay[edge.reader] == delay[edge.read] + edge.offset;
    // A keyed access to an earlier step counts 0 for the delay, but does not read the same step.
    let mut next: Vec<Vec<Edge>> = vec![Vec::new(); delay.len()];
    for edge in edges.iter().filter(|edge| is_tight(edge) && !(edge.strictly_past && edge.offset == 0)) {
        next[edge.reader].push(*edge);
    }
    let mut done = vec![false; delay.len()];
    (0..delay.len()).find_map(|start| search(&next, start, &mut done))
}

/// Depth-first from a stream, without recursion: programs may be long chains.
fn search(next: &[Vec<Edge>], start: usize, done: &mut [bool]) -> Option<Vec<(StreamId, Span)>> {
    let mut path: Vec<(usize, usize)> = vec![(start, 0)];
    while let Some((stream, tried)) = path.last_mut() {
        let stream = *stream;
        let Some(edge) = next[stream].get(*tried).filter(|_| !done[stream]) else {
            done[stream] = true;
            path.pop();
            continue;
        };
        *tried += 1;
        if let Some(at) = path.iter().position(|(on_path, _)| *on_path == edge.read) {
            let link = |(stream, tried): &(usize, usize)| (StreamId::new(*stream), next[*stream][tried - 1].span);
            return Some(path[at..].iter().map(link).collect());
        }
        path.push((edge.read, 0));
    }
    None
}
