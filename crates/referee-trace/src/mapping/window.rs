//! How far events of a log may be from their places in time.

use super::time::Unit;
use crate::number::Number;

/// The window within which a log is sorted by time, such as `5s`; a bare number is in the trace's own unit. `all` is the whole
/// log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReorderWindow {
    /// Nothing: the whole log.
    amount: Option<Number>,
    unit: Option<Unit>,
}

impl ReorderWindow {
    /// No window at all: events stay where they are.
    pub const NONE: ReorderWindow = ReorderWindow { amount: Some(Number::ZERO), unit: None };

    /// Reads `5s`, `500ms`, `1.5h`, `5` or `all`.
    pub fn parse(text: &str) -> Option<ReorderWindow> {
        if text == "all" {
            return Some(ReorderWindow { amount: None, unit: None });
        }
        let end = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
        let (amount, sign) = text.split_at(end);
        let unit = if sign.is_empty() { None } else { Some(Unit::from_sign(sign)?) };
        let amount = Number::parse(amount.trim_end()).filter(|amount| *amount >= Number::ZERO)?;
        Some(ReorderWindow { amount: Some(amount), unit })
    }

    /// Its length in units of the trace; nothing if it has no end.
    pub(crate) fn in_units(&self, unit: Unit) -> Option<Number> {
        let amount = self.amount.as_ref()?;
        let Some(own) = self.unit else { return Some(amount.clone()) };
        let nanoseconds = amount.mul(&Number::Int(own.nanoseconds()));
        Some(nanoseconds.div(&Number::Int(unit.nanoseconds())).unwrap_or(Number::ZERO))
    }
}

impl std::fmt::Display for ReorderWindow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.amount {
            Some(amount) => write!(f, "{amount}{}", self.unit.map_or("", Unit::sign)),
            None => f.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_durations_or_numbers_of_the_trace_s_unit() {
        let units =
            |text: &str, unit| ReorderWindow::parse(text).and_then(|window| Some(window.in_units(unit)?.to_string()));
        assert_eq!(units("5s", Unit::Second).as_deref(), Some("5"));
        assert_eq!(units("5s", Unit::Millisecond).as_deref(), Some("5000"));
        assert_eq!(units("1.5h", Unit::Minute).as_deref(), Some("90"));
        assert_eq!(units("500 ms", Unit::Second).as_deref(), Some("0.5"));
        assert_eq!(units("7", Unit::Day).as_deref(), Some("7"));
        assert_eq!(
            ReorderWindow::parse("all").map(|all| (all.in_units(Unit::Day), all.to_string())),
            Some((None, "all".into()))
        );
        for wrong in ["", "s", "-1s", "5 weeks", "1e", "5sec"] {
            assert_eq!(ReorderWindow::parse(wrong), None, "{wrong}");
        }
    }
}
