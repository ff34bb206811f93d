//! What a format gets to see of the events of one shape, worked out once per shape.

use super::TraceWriter;
use crate::error::TraceError;
use crate::event::EventShape;
use crate::format::Format;
use crate::signature::are_numerals;

/// The field that tells which events share a point.
const POINT_FIELD: &str = "tp";
/// The field that holds a point's time.
const TIME_FIELD: &str = "ts";

/// How the events of one shape are written.
#[derive(Debug)]
pub(super) struct Plan {
    pub name: Box<str>,
    /// The arguments that are written, by position.
    pub columns: Vec<usize>,
    /// Written arguments that may be the point's time under another name, by position.
    pub stamps: Vec<usize>,
    /// Why such events cannot be written.
    pub refusal: Option<TraceError>,
    /// The written fields, `tp` and `ts`.
    with_point: Vec<Box<str>>,
    /// The written fields and `ts`.
    with_time: Vec<Box<str>>,
}

impl Plan {
    pub(super) fn new(shape: &EventShape, format: Format, lossy: bool, writer: &dyn TraceWriter) -> Plan {
        let columns = columns(shape, format);
        let fields: Vec<Box<str>> = columns.iter().map(|&column| shape.arguments[column].name.clone()).collect();
        let loss = if lossy { None } else { loss(shape, format) };
        let refusal = loss.or_else(|| writer.check_shape(&shape.name, &fields).err());
        let and = |more: &[&str]| fields.iter().cloned().chain(more.iter().map(|&field| field.into())).collect();
        let (with_point, with_time) = (and(&[POINT_FIELD, TIME_FIELD]), and(&[TIME_FIELD]));
        let by_name = columns.iter().copied().filter(|&column| column >= shape.positional);
        let stamps = by_name.filter(|&column| is_time(&shape.arguments[column].name)).collect();
        Plan { name: shape.name.clone(), columns, stamps, refusal, with_point, with_time }
    }

    /// The names of the written fields, followed by `tp` and `ts` where those are written too.
    pub(super) fn fields(&self, grouped: bool, timed: bool) -> &[Box<str>] {
        let own = self.columns.len();
        match (grouped, timed) {
            (true, _) => &self.with_point[..own + 1 + usize::from(timed)],
            (false, _) => &self.with_time[..own + usize::from(timed)],
        }
    }
}

/// Whether languages with time take a field of this name for the time.
fn is_time(name: &str) -> bool {
    ["ts", "time", "timestamp"].iter().any(|time| name.eq_ignore_ascii_case(time))
}

/// Whether an argument is the point or its time, so that whatever carries those carries it.
fn is_of_the_point(shape: &EventShape, column: usize) -> bool {
    column >= shape.positional && [POINT_FIELD, TIME_FIELD].contains(&&*shape.arguments[column].name)
}

/// The arguments that a format writes as such.
fn columns(shape: &EventShape, format: Format) -> Vec<usize> {
    let all = if format.names_fields() { shape.arguments.len() } else { shape.positional };
    (0..all).filter(|&column| !is_of_the_point(shape, column)).collect()
}

/// What of these events a format would lose.
fn loss(shape: &EventShape, format: Format) -> Option<TraceError> {
    if format.names_fields() { taken_names(shape, format) } else { lost_names(shape, format) }
}

/// An argument with the name of the point or its time would be read as such.
fn taken_names(shape: &EventShape, format: Format) -> Option<TraceError> {
    let positional = &shape.arguments[..shape.positional];
    let taken = positional.iter().find(|argument| [POINT_FIELD, TIME_FIELD].contains(&&*argument.name))?;
    let (format, name, taken) = (format.name(), &shape.name, &taken.name);
    let message = format!("{format} would read the argument `{taken}` of `{name}` as the point or its time");
    Some(TraceError::new(message).hint("rename the argument with a mapping, or write it all the same with --lossy"))
}

fn lost_names(shape: &EventShape, format: Format) -> Option<TraceError> {
    let (positional, by_name) = shape.arguments.split_at(shape.positional);
    let unnamed = are_numerals(positional.iter().map(|argument| &*argument.name));
    let carried =
        |name: &str| [POINT_FIELD, TIME_FIELD].contains(&name) || (format == Format::Monpoly && is_time(name));
    let lost = match positional.iter().find(|_| !unnamed) {
        Some(argument) => argument,
        None => by_name.iter().find(|argument| !carried(&argument.name))?,
    };
    let message = format!("{} has no field names, and `{}` has the field `{}`", format.name(), shape.name, lost.name);
    Some(TraceError::new(message).hint("write a format with field names, such as csv-named, or drop them with --lossy"))
}
