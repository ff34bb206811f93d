//! The day on which a command runs.

/// Today, where we are.
pub(super) fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
