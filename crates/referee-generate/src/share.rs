//! Parts of a whole, exactly: `0.999` of a trace is the same event on every machine.

use std::fmt;
use std::str::FromStr;

/// How many parts the whole has.
const WHOLE: u64 = 1_000_000_000;

/// A share from 0 to 1, in billionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(u64);

impl Share {
    /// So many thousandths.
    ///
    /// # Panics
    ///
    /// If that is more than the whole.
    pub const fn thousandths(thousandths: u64) -> Share {
        assert!(thousandths <= 1000, "a share is at most the whole");
        Share(thousandths * (WHOLE / 1000))
    }

    /// Reads a number of percent, from `0` to `100`.
    pub fn of_percent(text: &str) -> Result<Share, String> {
        billionths(text, WHOLE / 100)
            .map(Share)
            .ok_or_else(|| format!("`{text}` is no number from 0 to 100; write one like 1 or 0.5"))
    }

    /// The share of a number, rounded down.
    #[inline]
    pub fn down(self, of: u64) -> u64 {
        match self.0.checked_mul(of) {
            Some(product) => product / WHOLE,
            None => (u128::from(self.0) * u128::from(of) / u128::from(WHOLE)) as u64,
        }
    }

    /// The share of a number, rounded up.
    pub fn up(self, of: u64) -> u64 {
        (u128::from(self.0) * u128::from(of)).div_ceil(u128::from(WHOLE)) as u64
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        billionths(text, WHOLE)
            .map(Share)
            .ok_or_else(|| format!("`{text}` is no number from 0 to 1; write one like 0.999"))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0 / WHOLE, self.0 % WHOLE);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A decimal number times `unit`, if that is an integer and not more than the whole.
fn billionths(text: &str, unit: u64) -> Option<u64> {
    let (integer, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if integer.is_empty() || !digits(integer) || !digits(fraction) || text.ends_with('.') {
        return None;
    }
    let integer: u64 = integer.parse().ok()?;
    let mut total = integer.checked_mul(unit)?;
    let mut worth = unit;
    for digit in fraction.trim_end_matches('0').bytes() {
        if !worth.is_multiple_of(10) {
            return None;
        }
        worth /= 10;
        total = total.checked_add(worth * u64::from(digit - b'0'))?;
    }
    (total <= WHOLE).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact() {
        let share = |text: &str| text.parse::<Share>().expect(text);
        assert_eq!(share("0.999").up(1000), 999);
        assert_eq!(share("0.999").up(10), 10);
        assert_eq!(share("1").up(u64::MAX), u64::MAX);
        assert_eq!(share("0.000000001").up(1_000_000_000), 1);
        assert_eq!(Share::of_percent("1"), Ok(share("0.01")));
        assert_eq!(Share::of_percent("0.5").map(|share| share.down(1000)), Ok(5));
        assert_eq!(share("0.500").to_string(), "0.5");
        assert_eq!(Share::thousandths(1000).to_string(), "1");
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for wrong in ["", ".5", "1.", "-0", "1.1", "2", "a", "0.0000000001", "1e-3", "99999999999999999999"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
        for wrong in ["101", "100.1", "1%", "0.00000001"] {
            assert!(Share::of_percent(wrong).is_err(), "{wrong}");
        }
    }
}
