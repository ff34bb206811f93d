//! A generator's trace, held in memory.

use referee_generate::{Generator, Order, TimePlace};
use referee_trace::error::Flow;
use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::raw::{ShapeId, Want};

#[derive(Default)]
struct Collector {
    shapes: Vec<EventShape>,
    trace: OwnedTrace,
}

impl EventSink for Collector {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.shapes.push(shape.clone());
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.trace.points.push(OwnedPoint { time: point.time.cloned(), events: Vec::new() });
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        let arguments = shape.arguments.iter().zip(event.arguments).map(|(argument, text)| OwnedArgument {
            name: (*argument.name).into(),
            text: (*text).into(),
            declared: argument.declared,
        });
        let event =
            OwnedEvent { name: (*shape.name).into(), arguments: arguments.collect(), positional: shape.positional };
        self.trace.points.last_mut().expect("a point has begun").events.push(event);
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// The trace that an order asks for.
pub(crate) fn trace(generator: &Generator, order: &Order) -> OwnedTrace {
    let mut collector = Collector::default();
    generator.tell(order, TimePlace::Point, &mut collector).expect("the collector takes everything");
    collector.trace
}
