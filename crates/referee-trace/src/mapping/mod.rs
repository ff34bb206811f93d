//! From concrete to abstract events: what a specification's names mean in this log.
//!
//! ```toml
//! time        = { field = "Timestamp", unit = "s" }  # or format = "rfc3339"; a list of fields: the first that is there
//! split       = "log"                # such an event starts a new trace and is dropped
//! drop-others = true                 # events that no entry matches are dropped; without it they stay as they are
//!
//! [[event]]
//! from = "invcheckaccess"            # the concrete name, or "*" for any
//! when = 'EventType = "start"'       # optional; see `condition`
//! to   = "{name}_{EventType}"        # absent: the name stays; {{ and }} are braces
//! args = ["customer", "total = amount:int"]   # fields in order, renamed, typed; absent: all; []: none
//! ```
//!
//! Every entry whose `from` and `when` match makes one event, in the order of the file; those of one concrete event
//! belong to one point. An event that is dropped is no point. The mapping says nothing of files: the same one serves
//! logs and running programs (see [`crate::abstraction`]).

mod condition;
mod nearest;
mod parse;
mod template;

pub(crate) use condition::{Bound, Condition, Name};
pub use nearest::nearest;
pub(crate) use template::{Part, Template};

use crate::error::TraceError;
use crate::number::Number;
use crate::value::Type;

/// The mappings that come with Referee, by name.
const BUILT_IN: [(&str, &str); 2] =
    [("soloist", include_str!("../../mappings/soloist.toml")), ("stepr", include_str!("../../mappings/stepr.toml"))];

/// How concrete events become abstract ones; by default they are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub(crate) time: Option<TimeRule>,
    pub(crate) split: Option<Box<str>>,
    pub(crate) drop_others: bool,
    pub(crate) entries: Vec<Entry>,
}

impl Mapping {
    /// The names of the mappings that come with Referee.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// What `--map` names: a mapping that comes with Referee, or a file.
    pub fn load(name: &str) -> Result<Mapping, TraceError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
            return Mapping::parse(text, name);
        }
        match std::fs::read_to_string(name) {
            Ok(text) => Mapping::parse(&text, name),
            Err(error) => {
                let error = TraceError::new(format!("the mapping cannot be read: {error}")).in_file(name);
                let known: Vec<&str> = Mapping::built_in_names().collect();
                Err(error.hint(format!("--map takes a TOML file or one of: {}", known.join(", "))))
            }
        }
    }

    /// Reads the text of a mapping; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Mapping, TraceError> {
        parse::mapping(text).map_err(|wrong| wrong.located(text, file))
    }

    /// Whether the input may have several traces.
    pub fn splits(&self) -> bool {
        self.split.is_some()
    }

    /// The unit of the trace's times; seconds unless the mapping says otherwise.
    pub fn unit(&self) -> Unit {
        self.time.as_ref().map_or(Unit::Second, |time| time.unit)
    }
}

/// Where the timestamp of an event is, and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeRule {
    /// The first of these that an event has.
    pub fields: Vec<Box<str>>,
    pub unit: Unit,
    pub writing: Writing,
    /// Whether an event may lack all of them.
    pub optional: bool,
}

/// How a timestamp is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// A number of the trace's unit.
    Number,
    /// `2026-11-15T12:30:00.5Z`: becomes the exact number of units since 1970.
    Rfc3339,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unit {
    /// `ns`
    Nanosecond,
    /// `us`
    Microsecond,
    /// `ms`
    Millisecond,
    /// `s`
    #[default]
    Second,
    /// `m`
    Minute,
    /// `h`
    Hour,
    /// `d`
    Day,
}

impl Unit {
    /// Every unit, shortest first.
    pub const ALL: [Unit; 7] =
        [Unit::Nanosecond, Unit::Microsecond, Unit::Millisecond, Unit::Second, Unit::Minute, Unit::Hour, Unit::Day];

    /// The unit's sign, as mappings write it.
    pub fn sign(self) -> &'static str {
        match self {
            Unit::Nanosecond => "ns",
            Unit::Microsecond => "us",
            Unit::Millisecond => "ms",
            Unit::Second => "s",
            Unit::Minute => "m",
            Unit::Hour => "h",
            Unit::Day => "d",
        }
    }

    /// The unit with this sign.
    pub fn from_sign(sign: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.sign() == sign)
    }

    /// The unit's length.
    pub fn nanoseconds(self) -> i64 {
        match self {
            Unit::Nanosecond => 1,
            Unit::Microsecond => 1_000,
            Unit::Millisecond => 1_000_000,
            Unit::Second => 1_000_000_000,
            Unit::Minute => 60_000_000_000,
            Unit::Hour => 3_600_000_000_000,
            Unit::Day => 86_400_000_000_000,
        }
    }
}

impl TimeRule {
    /// The time that a text stands for.
    pub fn read(&self, text: &str) -> Option<Number> {
        match self.writing {
            Writing::Number => Number::parse(text),
            Writing::Rfc3339 => {
                let instant: jiff::Timestamp = text.parse().ok()?;
                let nanoseconds = Number::Int(instant.as_second())
                    .mul(&Number::Int(Unit::Second.nanoseconds()))
                    .add(&Number::Int(instant.subsec_nanosecond().into()));
                nanoseconds.div(&Number::Int(self.unit.nanoseconds()))
            }
        }
    }

    /// Whether a time is what its text says as a number.
    pub fn is_number(&self) -> bool {
        self.writing == Writing::Number
    }

    /// What [`TimeRule::read`] accepts, for messages.
    pub fn expected(&self) -> &'static str {
        match self.writing {
            Writing::Number => "a number",
            Writing::Rfc3339 => "a time like 2026-11-15T12:30:00Z",
        }
    }
}

/// One `[[event]]` of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The concrete name; nothing for `*`.
    pub from: Option<Box<str>>,
    pub when: Option<Condition<Name>>,
    pub to: Template,
    /// Nothing: all fields, in order.
    pub arguments: Option<Vec<ArgumentRule>>,
}

/// One argument of an abstract event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArgumentRule {
    pub name: Box<str>,
    pub field: Box<str>,
    pub declared: Option<Type>,
}

#[cfg(test)]
mod tests;
