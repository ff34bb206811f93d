//! What a format gets to see of the events of one shape, worked out once per shape.

use std::collections::HashSet;

use crate::error::TraceError;
use crate::event::EventShape;
use crate::format::Format;
use crate::format::encode::encoder::Encoder;
use crate::signature::are_numerals;

/// The field that tells which events share a point.
const POINT_FIELD: &str = "tp";
/// The field that holds a point's time.
const TIME_FIELD: &str = "ts";

/// How the events of one shape are written.
///
/// Only the positional arguments are written as such. What can be read by name alone is the label and the time of the
/// point, and those are written as what they are.
#[derive(Debug)]
pub(super) struct WritePlan {
    pub name: Box<str>,
    /// How many arguments are written.
    pub arity: usize,
    /// Why such events cannot be written.
    pub refusal: Option<TraceError>,
    /// The written fields, `tp` and `ts`.
    with_point: Vec<Box<str>>,
    /// The written fields and `ts`.
    with_time: Vec<Box<str>>,
}

impl WritePlan {
    pub(super) fn new(shape: &EventShape, format: Format, lossy: bool, writer: &dyn Encoder) -> WritePlan {
        let fields: Vec<Box<str>> = positional(shape).map(Box::from).collect();
        let loss = if lossy { None } else { loss(shape, format) };
        let refusal = loss.or_else(|| misnamed(shape)).or_else(|| writer.check_shape(&shape.name, &fields).err());
        let and = |more: &[&str]| fields.iter().cloned().chain(more.iter().map(|&field| field.into())).collect();
        let (with_point, with_time) = (and(&[POINT_FIELD, TIME_FIELD]), and(&[TIME_FIELD]));
        WritePlan { name: (*shape.name).into(), arity: fields.len(), refusal, with_point, with_time }
    }

    /// The names of the written fields, followed by `tp` and `ts` where those are written too.
    pub(super) fn fields(&self, grouped: bool, timed: bool) -> &[Box<str>] {
        match grouped {
            true => &self.with_point[..self.arity + 1 + usize::from(timed)],
            false => &self.with_time[..self.arity + usize::from(timed)],
        }
    }
}

/// The names of the arguments that are written.
fn positional(shape: &EventShape) -> impl Iterator<Item = &str> {
    shape.arguments.iter().take(shape.positional).map(|argument| &*argument.name)
}

/// What of these events a format would lose.
fn loss(shape: &EventShape, format: Format) -> Option<TraceError> {
    if format.names_fields() {
        let taken = positional(shape).find(|name| [POINT_FIELD, TIME_FIELD].contains(name))?;
        Some(taken_name(shape, format, taken))
    } else if are_numerals(positional(shape)) {
        None
    } else {
        Some(lost_name(shape, format, positional(shape).next()?))
    }
}

/// Names that no format has: empty ones, and one for two arguments.
fn misnamed(shape: &EventShape) -> Option<TraceError> {
    let mut seen = HashSet::new();
    let what = if shape.name.is_empty() {
        "an event has an empty name".to_owned()
    } else if positional(shape).any(str::is_empty) {
        format!("an argument of `{}` has an empty name", shape.name)
    } else {
        let twice = positional(shape).find(|&name| !seen.insert(name))?;
        format!("two arguments of `{}` are called `{twice}`", shape.name)
    };
    Some(TraceError::new(what).hint("name it with a mapping"))
}

/// An argument with the name of the label or the time would be read as such.
#[cold]
fn taken_name(shape: &EventShape, format: Format, taken: &str) -> TraceError {
    let (format, name) = (format.name(), &shape.name);
    TraceError::new(format!("{format} would read the argument `{taken}` of `{name}` as the point or its time"))
        .hint("rename the argument with a mapping, or write it all the same with --lossy")
}

#[cold]
fn lost_name(shape: &EventShape, format: Format, lost: &str) -> TraceError {
    TraceError::new(format!("{} has no field names, and `{}` has the field `{lost}`", format.name(), shape.name))
        .hint("write a format with field names, such as csv-named, or drop the names with --lossy")
}
