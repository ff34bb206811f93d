//! The values of a trace are written as the package declares: one reading of the trace, until the first that is not.
//!
//! A generator writes all values of a field alike, so of a generated trace the beginning is enough.

use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::raw::{ShapeId, Want};

use super::declared::{Declared, Shown, fits, wrong_value};
use crate::package::FieldType;

/// How many events of a generated trace are looked at.
pub(super) const BEGINNING: u64 = 2_000;

/// Looks at the values of typed fields.
pub(super) struct Types<'a> {
    declared: Declared<'a>,
    shapes: Vec<(EventShape, Vec<(usize, FieldType)>)>,
    /// How many values were looked at.
    pub seen: u64,
    /// The first that is not written as it should be.
    pub wrong: Option<String>,
}

impl<'a> Types<'a> {
    /// Nothing seen so far.
    pub(super) fn new(declared: Declared<'a>) -> Types<'a> {
        Types { declared, shapes: Vec::new(), seen: 0, wrong: None }
    }

    /// Whether any field has a type that not every text has.
    pub(super) fn are_declared(&self) -> bool {
        let mut fields = self.declared.kinds.iter().flat_map(|kind| &kind.fields);
        fields.any(|field| field.writing.is_some_and(|writing| writing != FieldType::String))
    }

    fn complain(&self, (shape, _): &(EventShape, Vec<(usize, FieldType)>), event: Event<'_>, at: usize) -> String {
        let writing = self.declared.types(&shown(shape))[at].unwrap_or(FieldType::String);
        let complaint = wrong_value(&shown(shape), at, event.arguments[at], writing);
        format!("event {}: {complaint}", event.number)
    }
}

fn shown(shape: &EventShape) -> Shown<'_> {
    let arguments = shape.arguments.iter().map(|argument| &*argument.name).collect();
    Shown { name: &shape.name, arguments, positional: shape.positional }
}

impl EventSink for Types<'_> {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        let types = self.declared.types(&shown(shape));
        let typed: Vec<(usize, FieldType)> =
            types.into_iter().enumerate().filter_map(|(index, writing)| Some((index, writing?))).collect();
        let want = Want::fields(typed.iter().map(|(index, _)| *index));
        self.shapes.push((shape.clone(), typed));
        want
    }

    fn begin_point(&mut self, _: Point<'_>) -> Flow {
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let Some(known) = self.shapes.get(event.shape.0 as usize) else { return Ok(()) };
        self.seen += known.1.len() as u64;
        let wrong = known.1.iter().find(|(index, writing)| !fits(event.arguments[*index], *writing));
        if let Some(&(index, _)) = wrong {
            self.wrong = Some(self.complain(known, event, index));
            return Err(Stop::Enough);
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}
