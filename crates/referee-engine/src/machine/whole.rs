//! Judging a trace that is held in memory.

use referee_spec::core::machine::Machine;
use referee_spec::core::{Outcome, Violation};
use referee_trace::error::Flow;
use referee_trace::event::{Argument, Event, EventShape, EventSink as _, Point};
use referee_trace::owned::{OwnedEvent, OwnedTrace};
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::values::Values;

use crate::judge::{Finding, Judge};

/// A judge in front of a batcher.
struct Seat {
    judge: Box<dyn Judge>,
    found: Vec<Finding>,
}

impl PointSink for Seat {
    fn shape(&mut self, _: ShapeId, shape: &EventShape, values: &mut Values) -> Interest {
        self.judge.shape(shape, values)
    }

    fn begin_trace(&mut self, _: u64, _: &mut Values) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points, values: &mut Values) -> Flow {
        self.judge.points(points, values, &mut self.found);
        Ok(())
    }
}

/// Judges a whole trace, or with `prefix` one that may go on.
pub fn judge_trace(machine: &Machine, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let seat = Seat { judge: super::judge(machine, !prefix), found: Vec::new() };
    let mut batcher = Batcher::new(seat);
    let mut shapes: Vec<EventShape> = Vec::new();
    let mut number = 0;
    for (place, point) in (1..).zip(&trace.points) {
        // The sink never stops.
        let _ = batcher.begin_point(Point { trace: 1, number: place, time: point.time.as_ref() });
        for event in &point.events {
            number += 1;
            let shape = shape_of(event);
            let id = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                let _ = batcher.shape(ShapeId(shapes.len() as u32), &shape);
                shapes.push(shape);
                shapes.len() - 1
            });
            let arguments: Vec<&str> = event.arguments.iter().map(|argument| &*argument.text).collect();
            let _ = batcher.event(Event { shape: ShapeId(id as u32), arguments: &arguments, number, offset: 0 });
        }
        let _ = batcher.end_point();
    }
    let _ = batcher.flush();
    let (mut seat, mut values) = batcher.into_parts();
    let outcome = seat.judge.end(&mut values, prefix).into_iter().next();
    let found = seat.found.into_iter().map(|finding| finding.violation);
    whole(outcome, found.collect(), trace.points.len() as u64)
}

/// All that was found; what the end decided is reported for the last point.
fn whole(outcome: Option<Outcome>, mut violations: Vec<Violation>, last: u64) -> Outcome {
    let mut outcome = outcome.unwrap_or(Outcome {
        status: referee_spec::core::Status::Satisfied,
        violations: Vec::new(),
        pending: 0,
        obstacle: None,
    });
    outcome.violations.iter_mut().for_each(|violation| violation.point = last);
    violations.append(&mut outcome.violations);
    violations.sort_by(Violation::report_order);
    Outcome { violations, ..outcome }
}

fn shape_of(event: &OwnedEvent) -> EventShape {
    let argument = |argument: &referee_trace::owned::OwnedArgument| Argument {
        name: (*argument.name).into(),
        declared: argument.declared,
    };
    EventShape {
        name: (*event.name).into(),
        arguments: event.arguments.iter().map(argument).collect(),
        positional: event.positional,
    }
}
