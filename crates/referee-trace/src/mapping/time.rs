//! Where a mapping finds the time of an event, and in which unit it is written.

use std::borrow::Cow;

use crate::instant::{DayCache, Pattern, WrittenTime, Zone, apache, rfc3339, syslog};
use crate::number::Number;

/// Where the timestamp of an event is, and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeRule {
    pub place: TimePlace,
    pub unit: Unit,
    pub writing: TimeWriting,
    /// The clock of times that do not say how far they are from UTC.
    pub zone: Zone,
    /// Whether an event may lack all of them.
    pub optional: bool,
}

/// Which fields of an event make its timestamp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimePlace {
    /// The first of these that an event has.
    FirstOf(Vec<Box<str>>),
    /// All of these, with a space between them: a date and a time of the day.
    Joined(Vec<Box<str>>),
}

/// How a timestamp is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimeWriting {
    /// A number of the trace's unit.
    Number,
    /// A number of seconds, milliseconds, microseconds or nanoseconds since 1970: how large the first one is tells which.
    Epoch,
    /// `2026-11-15T12:30:00.5Z`, as are all that follow: becomes the exact number of units since 1970.
    Rfc3339,
    /// `10/Oct/2000:13:55:36 -0700`.
    Apache,
    /// `Oct 11 22:14:15`, without a year: that of the log's first time is given here.
    Syslog { year: i32 },
    /// Whatever a pattern describes.
    Pattern(Pattern),
}

/// The year in which a log without years begins where the mapping does not say. Intervals are right in any year, but for the
/// leap day, which this year has not: a log that has one asks for its year.
pub(super) const NO_YEAR: i32 = 1970;

/// What reading times remembers from one event to the next.
#[derive(Debug, Default)]
pub(crate) struct TimeMemory {
    days: DayCache,
    /// The unit of times since 1970, once the first of them has told.
    pub epoch: Option<Unit>,
    /// The newest time of a log without years, in seconds of its own clock.
    pub newest: Option<i64>,
    /// Room for a time of several fields.
    pub joined: String,
}

impl TimeMemory {
    /// What an earlier reading remembered.
    pub(crate) fn going_on(epoch: Option<Unit>, newest: Option<i64>) -> TimeMemory {
        TimeMemory { epoch, newest, ..TimeMemory::default() }
    }
}

impl TimeRule {
    /// A field with a date, in seconds since 1970.
    pub(crate) fn rfc3339(field: &str) -> TimeRule {
        TimeRule {
            place: TimePlace::FirstOf(vec![field.into()]),
            unit: Unit::Second,
            writing: TimeWriting::Rfc3339,
            zone: Zone::UTC,
            optional: true,
        }
    }

    /// The fields that it names.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        let (TimePlace::FirstOf(fields) | TimePlace::Joined(fields)) = &self.place;
        fields.iter().map(|field| &**field)
    }

    /// The time that a text stands for.
    #[inline]
    pub(crate) fn read(&self, text: &str, memory: &mut TimeMemory) -> Option<Number> {
        let written = match &self.writing {
            TimeWriting::Number => return Number::parse(text),
            TimeWriting::Epoch => return self.since_1970(text, memory),
            TimeWriting::Rfc3339 => rfc3339(text, &mut memory.days)?,
            TimeWriting::Apache => apache(text, &mut memory.days)?,
            TimeWriting::Syslog { year } => without_year(text, *year, memory)?,
            TimeWriting::Pattern(pattern) => pattern.read(text)?,
        };
        Some(written.moment(&self.zone)?.in_units(self.unit.nanoseconds()))
    }

    /// The first number tells the unit; one that is far too large or too small for that unit is no time.
    fn since_1970(&self, text: &str, memory: &mut TimeMemory) -> Option<Number> {
        let number = Number::parse(text)?;
        let unit = Unit::by_magnitude(&number);
        if *memory.epoch.get_or_insert(unit) != unit {
            return None;
        }
        if unit == self.unit {
            return Some(number);
        }
        number.mul(&Number::Int(unit.nanoseconds())).div(&Number::Int(self.unit.nanoseconds()))
    }

    /// Whether a time is what its text says as a number.
    pub(crate) fn is_number(&self) -> bool {
        self.writing == TimeWriting::Number
    }

    /// Whether its size tells the unit of a time.
    pub(crate) fn is_epoch(&self) -> bool {
        self.writing == TimeWriting::Epoch
    }

    /// What [`TimeRule::read`] accepts, for messages.
    pub(crate) fn expected(&self, memory: &TimeMemory) -> Cow<'static, str> {
        match (&self.writing, memory.epoch) {
            (TimeWriting::Number, _) => "a number".into(),
            (TimeWriting::Epoch, None) => "a number since 1970".into(),
            (TimeWriting::Epoch, Some(unit)) => {
                format!("a number of {} since 1970, as the first was by its size,", unit.sign()).into()
            }
            (TimeWriting::Rfc3339, _) => "a time like 2026-11-15T12:30:00Z".into(),
            (TimeWriting::Apache, _) => "a time like 15/Nov/2026:12:30:00 +0000".into(),
            (TimeWriting::Syslog { .. }, _) => "a time like Nov 15 12:30:00".into(),
            (TimeWriting::Pattern(pattern), _) => format!("a time of the form {}", pattern.text()).into(),
        }
    }

    /// Why a text that looks right is refused, where that is known.
    pub(crate) fn objection(&self, text: &str) -> Option<&'static str> {
        let no_leap_day = matches!(self.writing, TimeWriting::Syslog { .. }) && text.starts_with("Feb 29");
        no_leap_day.then_some("such a log has no year: say which with `year = 2024` in `time`")
    }
}

/// A time of a log without years; rsyslog may be told to write RFC 3339 instead.
fn without_year(text: &str, year: i32, memory: &mut TimeMemory) -> Option<WrittenTime> {
    let TimeMemory { days, newest, .. } = memory;
    if text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return rfc3339(text, days);
    }
    let written = syslog(text, year, *newest, days)?;
    let second = written.day * 86_400 + written.second;
    *newest = Some(newest.map_or(second, |newest| newest.max(second)));
    Some(written)
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

    /// The unit of a number since 1970, by its size: seconds up to the year 5138, then milliseconds, and so on.
    fn by_magnitude(number: &Number) -> Unit {
        let size = number.abs();
        let bounds = [
            (100_000_000_000, Unit::Second),
            (100_000_000_000_000, Unit::Millisecond),
            (100_000_000_000_000_000, Unit::Microsecond),
        ];
        let found = bounds.into_iter().find(|(bound, _)| size < Number::Int(*bound));
        found.map_or(Unit::Nanosecond, |(_, unit)| unit)
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
