//! Who receives batches of points.

use super::amount::Amount;
use super::batch::Points;
use super::interest::Interest;
use super::last::Last;
use crate::error::Flow;
use crate::event::EventShape;
use crate::raw::ShapeId;
use crate::values::Values;

/// Receives batches of points.
pub trait PointSink {
    /// The sink's table of values, in which the texts of points are looked up before it gets them.
    fn values(&mut self) -> &mut Values;

    /// A shape comes for the first time; shapes are numbered in this order.
    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest;

    /// Whether points without events are handed over; asked once per trace.
    fn wants_empty_points(&self) -> bool {
        true
    }

    /// Whether the last point of a trace may be shown even if nobody reads its events; asked once per trace.
    fn shows_last_point(&self) -> bool {
        false
    }

    /// A trace is over, and this was its last point.
    fn last_point(&mut self, _last: &Last) {}

    /// A new trace begins: all points up to now belong to earlier ones, the newest of which ended with point `last`.
    fn begin_trace(&mut self, trace: u64, last: u64) -> Flow;

    /// The next points, in order.
    fn points(&mut self, points: &Points) -> Flow;

    /// More may take its time to come, after so much; whoever shows progress may ask.
    fn pause(&mut self, _amount: impl FnOnce() -> Amount) {}
}

impl<S: PointSink> PointSink for &mut S {
    fn values(&mut self) -> &mut Values {
        (**self).values()
    }

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest {
        (**self).shape(id, shape)
    }

    fn wants_empty_points(&self) -> bool {
        (**self).wants_empty_points()
    }

    fn shows_last_point(&self) -> bool {
        (**self).shows_last_point()
    }

    fn last_point(&mut self, last: &Last) {
        (**self).last_point(last);
    }

    fn begin_trace(&mut self, trace: u64, last: u64) -> Flow {
        (**self).begin_trace(trace, last)
    }

    fn points(&mut self, points: &Points) -> Flow {
        (**self).points(points)
    }

    fn pause(&mut self, amount: impl FnOnce() -> Amount) {
        (**self).pause(amount);
    }
}
