//! Where a mapping finds the time of an event, and in which unit it is written.

use crate::number::Number;

/// Where the timestamp of an event is, and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeRule {
    /// The first of these that an event has.
    pub fields: Vec<Box<str>>,
    pub unit: Unit,
    pub writing: TimeWriting,
    /// Whether an event may lack all of them.
    pub optional: bool,
}

/// How a timestamp is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeWriting {
    /// A number of the trace's unit.
    Number,
    /// `2026-11-15T12:30:00.5Z`: becomes the exact number of units since 1970.
    Rfc3339,
}

impl TimeRule {
    /// The time that a text stands for.
    pub(crate) fn read(&self, text: &str) -> Option<Number> {
        match self.writing {
            TimeWriting::Number => Number::parse(text),
            TimeWriting::Rfc3339 => {
                let instant: jiff::Timestamp = text.parse().ok()?;
                let nanoseconds = Number::Int(instant.as_second())
                    .mul(&Number::Int(Unit::Second.nanoseconds()))
                    .add(&Number::Int(instant.subsec_nanosecond().into()));
                nanoseconds.div(&Number::Int(self.unit.nanoseconds()))
            }
        }
    }

    /// Whether a time is what its text says as a number.
    pub(crate) fn is_number(&self) -> bool {
        self.writing == TimeWriting::Number
    }

    /// What [`TimeRule::read`] accepts, for messages.
    pub(crate) fn expected(&self) -> &'static str {
        match self.writing {
            TimeWriting::Number => "a number",
            TimeWriting::Rfc3339 => "a time like 2026-11-15T12:30:00Z",
        }
    }
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
