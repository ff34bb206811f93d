//! Times in any other form, described by a pattern such as `%d.%m.%Y %H:%M:%S`.

use jiff::fmt::strtime::{self, BrokenDownTime};

use super::forms::written;
use super::moment::WrittenTime;

/// A pattern with the directives of `strftime`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern(Box<str>);

impl Pattern {
    /// The pattern with this text, or what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Pattern, String> {
        let sample = jiff::civil::date(2001, 2, 3).at(4, 5, 6, 0).to_zoned(jiff::tz::TimeZone::UTC);
        let sample = sample.map_err(|error| error.to_string())?;
        let shown = strtime::format(text, &sample).map_err(|error| error.to_string())?;
        let pattern = Pattern(text.into());
        match pattern.read(&shown) {
            Some(_) => Ok(pattern),
            None => Err(format!("it does not say which day it is: it writes {sample} as `{shown}`")),
        }
    }

    /// The time that a text of this form says.
    pub(crate) fn read(&self, text: &str) -> Option<WrittenTime> {
        let read = BrokenDownTime::parse(&*self.0, text).ok()?;
        if let Ok(moment) = read.to_timestamp() {
            let time = moment.to_zoned(jiff::tz::TimeZone::UTC).datetime();
            return written(time, Some(0));
        }
        let date = read.to_date().ok()?;
        let time = read.to_time().unwrap_or(jiff::civil::Time::midnight());
        written(date.to_datetime(time), None)
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}
