//! The normal form of a number's text: digits without zeros around them, and a power of ten.
//!
//! Powers up to 64 are written out (`0.125`, `12000`), larger ones with an exponent (`125e-70`). The exponent stays within
//! what a number may have; zeros make up for the rest, which the text that was read had to have as well.

use crate::number::{MAX_EXPONENT, Parts};

/// Up to which power of ten a number is written without an exponent.
const WRITTEN_OUT: i64 = 64;

/// The normal form of a number's text; nothing if the text is no decimal or is its own normal form.
pub(super) fn of(text: &str) -> Option<String> {
    let normal = Decimal::of(text)?.written();
    (normal != text).then_some(normal)
}

/// Whether a number's text stands for an integer.
pub(super) fn is_integer(text: &str) -> bool {
    Decimal::of(text).is_some_and(|decimal| decimal.power >= 0)
}

/// `digits` times ten to the `power`. Digits neither start nor end with `0`; zero has none.
struct Decimal {
    negative: bool,
    digits: String,
    power: i64,
}

impl Decimal {
    fn of(text: &str) -> Option<Decimal> {
        let parts = Parts::of(text)?;
        let all = format!("{}{}", parts.integer, parts.fraction);
        let digits = all.trim_end_matches('0');
        let power = parts.exponent - length(parts.fraction) + length(&all) - length(digits);
        let digits = digits.trim_start_matches('0').to_owned();
        let is_zero = digits.is_empty();
        Some(Decimal { negative: parts.negative && !is_zero, digits, power: if is_zero { 0 } else { power } })
    }

    /// The normal form.
    fn written(&self) -> String {
        let limit = i64::from(MAX_EXPONENT);
        let exponent = if self.power.abs() <= WRITTEN_OUT { 0 } else { self.power.clamp(-limit, limit) };
        let mut text = String::from(if self.negative { "-" } else { "" });
        self.write_shifted(&mut text, self.power - exponent);
        if exponent != 0 {
            text.push_str(&format!("e{exponent}"));
        }
        text
    }

    /// Writes the digits times ten to the power `shift`, without an exponent.
    fn write_shifted(&self, text: &mut String, shift: i64) {
        let places = usize::try_from(-shift).unwrap_or(0);
        let zeros = usize::try_from(shift).unwrap_or(0);
        let (integer, fraction) = self.digits.split_at(self.digits.len().saturating_sub(places));
        text.push_str(if integer.is_empty() { "0" } else { integer });
        text.extend(std::iter::repeat_n('0', zeros));
        if places > 0 {
            text.push('.');
            text.extend(std::iter::repeat_n('0', places - fraction.len()));
            text.push_str(fraction);
        }
    }
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).expect("a text is shorter than the memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms() {
        for (text, normal) in [
            ("3.0", Some("3")),
            ("3", None),
            ("-0.0", Some("0")),
            ("0.5", None),
            ("5e-1", Some("0.5")),
            ("0.0012500", Some("0.00125")),
            ("12e3", Some("12000")),
            ("1200e68", Some("12e70")),
            ("12e-70", None),
            ("100e9999", None),
            ("0.01e-9999", None),
            ("0.010e-9999", Some("0.01e-9999")),
            ("1/3", None),
        ] {
            assert_eq!(of(text).as_deref(), normal, "{text}");
        }
    }
}
