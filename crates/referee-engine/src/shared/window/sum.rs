//! Keeps exact running sums.

use referee_trace::number::Number;

/// A sum from which what was added can be taken away again.
///
/// Integers of 64 bits are added in 128; whatever does not fit there is kept beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    small: i128,
    wide: Option<Box<Number>>,
}

impl Sum {
    /// Adds a number.
    #[inline]
    pub(crate) fn add(&mut self, number: &Number) {
        match number {
            Number::Int(integer) => self.add_integer(*integer),
            Number::Ratio(_) => self.add_wide(number),
        }
    }

    /// Takes a number away.
    #[inline]
    pub(crate) fn remove(&mut self, number: &Number) {
        match number {
            Number::Int(integer) => self.remove_integer(*integer),
            Number::Ratio(_) => self.add_wide(&number.neg()),
        }
    }

    /// Adds an integer. 128 bits hold the sum of 2^63 integers of 64 bits, more than any trace has.
    #[inline]
    pub(crate) fn add_integer(&mut self, integer: i64) {
        self.small = self.small.wrapping_add(i128::from(integer));
    }

    /// Takes an integer away.
    #[inline]
    pub(crate) fn remove_integer(&mut self, integer: i64) {
        self.small = self.small.wrapping_sub(i128::from(integer));
    }

    #[cold]
    fn add_wide(&mut self, number: &Number) {
        let sum = self.wide.take().map_or(number.clone(), |wide| wide.add(number));
        self.wide = (sum != Number::ZERO).then(|| Box::new(sum));
    }

    /// The sum.
    pub(crate) fn value(&self) -> Number {
        let small = match i64::try_from(self.small) {
            Ok(small) => Number::Int(small),
            Err(_) => widened(self.small),
        };
        match &self.wide {
            Some(wide) => small.add(wide),
            None => small,
        }
    }

    /// The sum, if it is an integer of 128 bits at hand.
    #[inline]
    pub(crate) fn as_integer(&self) -> Option<i128> {
        self.wide.is_none().then_some(self.small)
    }
}

/// An integer of 128 bits as a number: its upper half times 2^63, plus the rest.
pub(super) fn widened(integer: i128) -> Number {
    const HALF: i128 = 1 << 63;
    let parts = (i64::try_from(integer.div_euclid(HALF)), i64::try_from(integer.rem_euclid(HALF)));
    match parts {
        (Ok(upper), Ok(lower)) => {
            let half = Number::Int(i64::MAX).add(&Number::Int(1));
            Number::Int(upper).mul(&half).add(&Number::Int(lower))
        }
        _ => Number::parse(&integer.to_string()).unwrap_or(Number::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).expect("a number")
    }

    #[test]
    fn sums_that_leave_64_bits_are_exact_and_come_back() {
        let mut sum = Sum::default();
        for _ in 0..3 {
            sum.add(&Number::Int(i64::MAX));
        }
        assert_eq!(sum.value(), number("27670116110564327421"));
        sum.add(&number("0.5"));
        sum.add(&number("100000000000000000000000000000000000000000"));
        assert_eq!(sum.value(), number("100000000000000000000027670116110564327421.5"));
        sum.remove(&number("100000000000000000000000000000000000000000"));
        sum.remove(&number("0.5"));
        sum.remove(&Number::Int(i64::MAX));
        sum.remove(&Number::Int(i64::MAX));
        sum.remove(&Number::Int(i64::MAX));
        assert_eq!(sum, Sum::default());
    }

    #[test]
    fn integers_of_128_bits_widen() {
        for integer in
            [0, 1, -1, i128::from(i64::MAX), i128::from(i64::MIN), 1 << 100, -(1 << 100), i128::MAX, i128::MIN]
        {
            assert_eq!(widened(integer).to_string(), integer.to_string());
        }
    }
}
