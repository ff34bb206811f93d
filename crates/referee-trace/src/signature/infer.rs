//! A signature from the events of a trace: the types of an argument's texts are joined.

use std::collections::HashMap;

use super::declaration::Signature;
use crate::error::Flow;
use crate::event::{Argument, Event, EventShape, EventSink, NoRows, Point};
use crate::raw::{ShapeId, Want};
use crate::value::Type;

/// Infers a signature from the events it receives.
#[derive(Debug, Default)]
pub struct Inference {
    shapes: Vec<Observed>,
}

/// The types seen so far at the arguments of one shape; nothing where no event came.
#[derive(Debug)]
struct Observed {
    shape: EventShape,
    types: Vec<Option<Type>>,
}

impl Inference {
    /// What was inferred so far. Events that share a name share its declaration: their arguments are joined by name.
    pub fn signature(&self) -> Signature {
        let mut signature = Signature::default();
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        for Observed { shape, types } in &self.shapes {
            let known = &mut signature.entry(&shape.name).arguments;
            for (argument, seen) in shape.arguments.iter().zip(types) {
                let place = *places.entry((&shape.name, &argument.name)).or_insert(known.len());
                match known.get_mut(place) {
                    Some(known) => known.declared = join(known.declared, *seen),
                    None => known.push(Argument { name: argument.name.clone(), declared: *seen }),
                }
            }
        }
        signature
    }
}

impl EventSink for Inference {
    type Rows = NoRows;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        debug_assert_eq!(id.index(), self.shapes.len(), "shapes are announced in order");
        let types: Vec<Option<Type>> = shape.arguments.iter().map(|argument| argument.declared).collect();
        self.shapes.push(Observed { shape: shape.clone(), types });
        Want::ALL
    }

    fn begin_point(&mut self, _: Point<'_>) -> Flow {
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let Observed { shape, types } = &mut self.shapes[event.shape.index()];
        for ((seen, argument), text) in types.iter_mut().zip(shape.arguments.iter()).zip(event.arguments) {
            if argument.declared.is_none() && *seen != Some(Type::String) {
                *seen = join(*seen, Some(Type::of(text)));
            }
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// The least type that holds both.
fn join(one: Option<Type>, other: Option<Type>) -> Option<Type> {
    match (one, other) {
        (None, typed) | (typed, None) => typed,
        (Some(one), Some(other)) if one == other => Some(one),
        (Some(Type::Integer | Type::Decimal), Some(Type::Integer | Type::Decimal)) => Some(Type::Decimal),
        _ => Some(Type::String),
    }
}
