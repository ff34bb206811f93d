//! The forms of times in logs, read by position.

use super::calendar::{DayCache, day_of, month_of};
use super::digits::{number, offset};
use super::moment::WrittenTime;

/// `2026-11-15T12:30:00.5+01:00`, and what logs make of it: a space for the `T`, a comma in the fraction, no seconds, no offset.
#[inline]
pub(crate) fn rfc3339(text: &str, days: &mut DayCache) -> Option<WrittenTime> {
    by_position(text.as_bytes(), days).or_else(|| other_iso(text))
}

#[inline]
fn by_position(text: &[u8], days: &mut DayCache) -> Option<WrittenTime> {
    let (date, rest) = text.split_at_checked(10)?;
    let day = days.find(date, || {
        let ([b'-', ..], b'-') = (&date[4..], date[7]) else { return None };
        day_of(number(&date[..4])? as i32, number(&date[5..7])?, number(&date[8..])?)
    })?;
    let [b'T' | b't' | b' ', rest @ ..] = rest else { return None };
    let (second, rest) = clock(rest)?;
    let (nanosecond, rest) = fraction(rest)?;
    let offset = match rest {
        [] => None,
        [b'Z' | b'z'] | b" UTC" | b" Z" => Some(0),
        [b' ', rest @ ..] => Some(offset(rest)?),
        rest => Some(offset(rest)?),
    };
    Some(WrittenTime { day, second, nanosecond, offset })
}

/// Whatever else ISO 8601 has: `20261115T123000Z`, a date alone.
#[cold]
fn other_iso(text: &str) -> Option<WrittenTime> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        let (all, nanosecond) = (moment.as_second(), i64::from(moment.subsec_nanosecond()));
        // Before 1970 the nanoseconds count backwards, too.
        let (all, nanosecond) = if nanosecond < 0 { (all - 1, nanosecond + 1_000_000_000) } else { (all, nanosecond) };
        let (day, second) = (all.div_euclid(86_400), all.rem_euclid(86_400));
        return Some(WrittenTime { day, second, nanosecond, offset: Some(0) });
    }
    written(text.parse::<jiff::civil::DateTime>().ok()?, None)
}

/// The same, of a date and time of the calendar.
pub(super) fn written(time: jiff::civil::DateTime, offset: Option<i64>) -> Option<WrittenTime> {
    let day = day_of(time.year().into(), u32::try_from(time.month()).ok()?, u32::try_from(time.day()).ok()?)?;
    let second = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    Some(WrittenTime { day, second, nanosecond: time.subsec_nanosecond().into(), offset })
}

/// `10/Oct/2000:13:55:36 -0700`, in brackets or not.
#[inline]
pub(crate) fn apache(text: &str, days: &mut DayCache) -> Option<WrittenTime> {
    let text = match text.as_bytes() {
        [b'[', inner @ .., b']'] => inner,
        text => text,
    };
    let (date, rest) = text.split_at_checked(11)?;
    let day = days.find(date, || {
        let (b'/', b'/') = (date[2], date[6]) else { return None };
        day_of(number(&date[7..])? as i32, month_of(&date[3..6])?, number(&date[..2])?)
    })?;
    let [b':', rest @ ..] = rest else { return None };
    let (second, rest) = clock(rest)?;
    let (nanosecond, rest) = fraction(rest)?;
    let offset = match rest {
        [] => None,
        [b' ', rest @ ..] => Some(offset(rest)?),
        _ => return None,
    };
    Some(WrittenTime { day, second, nanosecond, offset })
}

/// `Oct 11 22:14:15`, of the year that makes it nearest to `newest` (seconds after 1970 on the same clock), or of `year`.
///
/// Logs that began in December and go on in January so go on in the next year, and a late line of December does not.
#[inline]
pub(crate) fn syslog(text: &str, year: i32, newest: Option<i64>, days: &mut DayCache) -> Option<WrittenTime> {
    let text = text.as_bytes();
    let (date, rest) = text.split_at_checked(6)?;
    let [b' ', rest @ ..] = rest else { return None };
    let (second, rest) = clock(rest)?;
    let (nanosecond, []) = fraction(rest)? else { return None };
    let b' ' = date[3] else { return None };
    let month = month_of(&date[..3])?;
    let day_of_month = if date[4] == b' ' { number(&date[5..])? } else { number(&date[4..])? };
    let in_year = |year: i32| day_of(year, month, day_of_month);
    let day = match newest {
        None => in_year(year)?,
        Some(newest) => {
            // The day of the year in which the newest line is, kept as long as the date stays.
            let today = newest.div_euclid(86_400);
            let same = days.find(date, || nearest_year(today, in_year))?;
            if (same - today).abs() <= 1 { same } else { nearest_year(today, in_year)? }
        }
    };
    Some(WrittenTime { day, second, nanosecond, offset: None })
}

/// The day in the year that brings it nearest to `today`.
fn nearest_year(today: i64, in_year: impl Fn(i32) -> Option<i64>) -> Option<i64> {
    // A year has 365.2425 days; off by one in the last days of December, which the neighbours make up for.
    let year = i32::try_from((today * 10_000).div_euclid(3_652_425) + 1970).ok()?;
    (year - 1..=year + 1).filter_map(in_year).min_by_key(|day| (day - today).abs())
}

/// `12:30:05`, or `12:30`: seconds after midnight, and what follows. A leap second is the one before it, as clocks have it.
#[inline]
fn clock(text: &[u8]) -> Option<(i64, &[u8])> {
    let (hour, minute) = (number(text.get(..2)?)?, number(text.get(3..5)?)?);
    let b':' = text[2] else { return None };
    let (second, rest) = match &text[5..] {
        [b':', rest @ ..] => (number(rest.get(..2)?)?, &rest[2..]),
        // A fraction of minutes is nothing that logs write.
        [b'.' | b',', ..] => return None,
        rest => (0, rest),
    };
    let second = if second == 60 { 59 } else { second };
    (hour < 24 && minute < 60 && second < 60).then(|| (i64::from(hour * 3600 + minute * 60 + second), rest))
}

/// `.5` or `,5`, up to nine digits: nanoseconds, and what follows.
#[inline]
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.' | b',', digits @ ..] = text else { return Some((0, text)) };
    let len = digits.iter().take_while(|digit| digit.is_ascii_digit()).count();
    if len == 0 || len > 9 {
        return None;
    }
    let read = digits[..len].iter().fold(0, |all, digit| all * 10 + i64::from(digit - b'0'));
    Some((read * 10_i64.pow(9 - len as u32), &digits[len..]))
}

/// What a text that is no time in the form which was expected looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guess {
    /// What people call the form.
    pub name: &'static str,
    /// How a mapping names it.
    pub format: &'static str,
}

/// The form in which a text is a time, if it is.
pub(crate) fn guess(text: &str) -> Option<Guess> {
    let days = &mut DayCache::default();
    if rfc3339(text, days).is_some() {
        return Some(Guess { name: "RFC 3339", format: "rfc3339" });
    }
    if apache(text, days).is_some() {
        return Some(Guess { name: "a time of Apache's logs", format: "apache" });
    }
    if syslog(text, 1972, None, days).is_some() {
        return Some(Guess { name: "a time of syslog", format: "syslog" });
    }
    crate::number::Number::parse(text).map(|_| Guess { name: "a number since 1970", format: "epoch" })
}

#[cfg(test)]
mod tests;
