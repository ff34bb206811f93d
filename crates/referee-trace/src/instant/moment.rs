//! A time as it is written, the zone it is written in, and the moment that both make.

use crate::number::Number;

const SECONDS_OF_DAY: i64 = 86_400;
const NANOSECONDS: i64 = 1_000_000_000;

/// What a text says: a date, a time of the day, and perhaps how far ahead of UTC its clock was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenTime {
    /// Days after the first of January 1970.
    pub day: i64,
    /// Seconds after midnight.
    pub second: i64,
    pub nanosecond: i64,
    /// In seconds, east of Greenwich positive.
    pub offset: Option<i64>,
}

impl WrittenTime {
    /// The moment; where the text names no offset, of a clock in `zone`. Nothing if the calendar ends before it.
    #[inline]
    pub(crate) fn moment(self, zone: &Zone) -> Option<Moment> {
        let local = self.day * SECONDS_OF_DAY + self.second;
        let offset = match (self.offset, zone) {
            (Some(offset), _) => offset,
            (None, Zone::Fixed(offset)) => *offset,
            (None, Zone::Named(zone)) => offset_of(zone, local)?,
        };
        Some(Moment { second: local - offset, nanosecond: self.nanosecond })
    }
}

/// How far ahead of UTC a zone is when its clocks show so many seconds since 1970.
fn offset_of(zone: &jiff::tz::TimeZone, local: i64) -> Option<i64> {
    let shown = jiff::Timestamp::from_second(local).ok()?.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let moment = zone.to_ambiguous_timestamp(shown).compatible().ok()?;
    Some(local - moment.as_second())
}

/// The clock of times that do not say how far they are from UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Zone {
    /// So many seconds ahead of UTC.
    Fixed(i64),
    /// A zone of the time zone database, such as `Europe/Berlin`.
    Named(jiff::tz::TimeZone),
}

impl Zone {
    pub(crate) const UTC: Zone = Zone::Fixed(0);

    /// The zone that a mapping names: `UTC`, an offset such as `+02:00`, or a name of the time zone database.
    pub(crate) fn of(name: &str) -> Option<Zone> {
        if name == "UTC" || name == "Z" {
            return Some(Zone::UTC);
        }
        if name.starts_with(['+', '-']) {
            return super::digits::offset(name.as_bytes()).map(Zone::Fixed);
        }
        jiff::tz::TimeZone::get(name).ok().map(Zone::Named)
    }
}

/// A moment: seconds since 1970 in UTC, and nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    pub second: i64,
    pub nanosecond: i64,
}

impl Moment {
    /// The exact number of units, each of so many nanoseconds.
    #[inline]
    pub(crate) fn in_units(self, unit: i64) -> Number {
        if unit == NANOSECONDS && self.nanosecond == 0 {
            return Number::Int(self.second);
        }
        if let Some(all) = self.second.checked_mul(NANOSECONDS).and_then(|all| all.checked_add(self.nanosecond))
            && all % unit == 0
        {
            return Number::Int(all / unit);
        }
        self.in_units_slowly(unit)
    }

    /// Fractions of units, and moments centuries away.
    #[cold]
    fn in_units_slowly(self, unit: i64) -> Number {
        let nanoseconds = Number::Int(self.second).mul(&Number::Int(NANOSECONDS)).add(&Number::Int(self.nanosecond));
        nanoseconds.div(&Number::Int(unit)).unwrap_or(nanoseconds)
    }
}
