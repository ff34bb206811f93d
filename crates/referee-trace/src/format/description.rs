//! What there is to know about a format besides its text: one record, from which options, hints, detection, writers,
//! generators, schemas and tests take it.

/// A format.
#[derive(Debug)]
pub struct Description {
    /// The name that `--format` takes.
    pub name: &'static str,
    /// How the names of files in this format end, the usual ending first. Where two formats share one, a file of that
    /// name is written in the first of them.
    pub extensions: &'static [&'static str],
    /// Whether a file with such an ending is in this format if its text has no marks of any format.
    pub trusts_extension: bool,
    /// How its texts are recognised.
    pub detection: Detection,
    /// How it tells points and times.
    pub points: PointNotation,
    /// Whether the first line names the fields of all events, so that a writer has to know them all.
    pub has_header: bool,
    /// Whether an event takes several lines as a rule, so that a blank line says nothing about the end of a trace.
    pub multiline: bool,
}

/// How texts in a format are recognised. The kinds are tried in this order, and the extension of the file between the
/// second and the third.
#[derive(Debug, Clone, Copy)]
pub enum Detection {
    /// By their first characters, which leave no doubt. The check gets the text from the first line on that is neither
    /// blank nor a `#` comment.
    Opening(fn(&str) -> bool),
    /// By their first telling line, which leaves no doubt either.
    Line(fn(&str) -> bool),
    /// By what they look like.
    Likeness(fn(&str) -> bool),
    /// Not at all: a mapping or an option has to say it.
    Never,
    /// Not at all: what is in no other format is in this one.
    Otherwise,
}

/// How a format tells which events share a point, and the times of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointNotation {
    /// By fields of the events, `tp` and `ts`: only such formats have names for fields.
    Fields,
    /// By the lines of the events, which begin with the number and the time of their point, all of them or none.
    LineStarts,
    /// By points of its own around the events, all with a time; they may be empty.
    Explicit,
    /// Not at all: every event has a point of its own, without a time.
    Absent,
}
