//! Degrees of robustness in a queue: one byte each while they are tiny integers, five while they are small ones.
//!
//! ```text
//!  tiny     3  -2   ▪   7   ▪        ▪: see below
//!  small            900     ▪
//!  others                   2/3
//! ```
//!
//! Operators wait for intervals to pass, and what their neighbours tell waits with them: a value for every sample of an
//! interval. What does not fit into a queue waits in the next one, and a mark stands in its place.

use std::collections::VecDeque;

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

/// A queue of degrees.
#[derive(Debug, Default)]
pub struct Degrees {
    tiny: VecDeque<i8>,
    small: VecDeque<i32>,
    others: VecDeque<Robustness>,
}

/// The marks, and what stands for what is no number.
const NOT_TINY: i8 = i8::MIN;
const NOT_SMALL: i32 = i32::MIN;
const NEGATIVE_INFINITY: i8 = i8::MIN + 1;
const POSITIVE_INFINITY: i8 = i8::MAX;

impl Degrees {
    /// Adds one behind.
    #[inline]
    pub fn push(&mut self, degree: Robustness) {
        let tiny = match &degree {
            Robustness::NegativeInfinity => NEGATIVE_INFINITY,
            Robustness::PositiveInfinity => POSITIVE_INFINITY,
            Robustness::Finite(Number::Int(integer)) => match i8::try_from(*integer) {
                Ok(tiny) if tiny > NEGATIVE_INFINITY && tiny < POSITIVE_INFINITY => tiny,
                _ => NOT_TINY,
            },
            Robustness::Finite(_) => NOT_TINY,
        };
        self.tiny.push_back(tiny);
        if tiny == NOT_TINY {
            self.push_large(degree);
        }
    }

    fn push_large(&mut self, degree: Robustness) {
        let small = match &degree {
            Robustness::Finite(Number::Int(integer)) => i32::try_from(*integer).unwrap_or(NOT_SMALL),
            _ => NOT_SMALL,
        };
        self.small.push_back(small);
        if small == NOT_SMALL {
            self.others.push_back(degree);
        }
    }

    /// Takes the first.
    #[inline]
    pub fn pop(&mut self) -> Option<Robustness> {
        match self.tiny.pop_front()? {
            NOT_TINY => self.pop_large(),
            NEGATIVE_INFINITY => Some(Robustness::NegativeInfinity),
            POSITIVE_INFINITY => Some(Robustness::PositiveInfinity),
            tiny => Some(Robustness::Finite(Number::Int(i64::from(tiny)))),
        }
    }

    fn pop_large(&mut self) -> Option<Robustness> {
        match self.small.pop_front()? {
            NOT_SMALL => self.others.pop_front(),
            small => Some(Robustness::Finite(Number::Int(i64::from(small)))),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tiny.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tiny.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_in_order() {
        let half = Number::parse("0.5").expect("a number");
        let limits = [
            0,
            7,
            -7,
            126,
            127,
            128,
            -126,
            -127,
            -128,
            900,
            -900,
            i64::from(i32::MIN),
            i64::from(i32::MIN) + 1,
            i64::from(i32::MAX),
            i64::MAX,
            i64::MIN,
        ];
        let mut degrees = Degrees::default();
        let mut all = vec![Robustness::NegativeInfinity, Robustness::Finite(half), Robustness::PositiveInfinity];
        all.extend(limits.into_iter().map(|integer| Robustness::Finite(Number::Int(integer))));
        for degree in &all {
            degrees.push(degree.clone());
        }
        assert_eq!(degrees.len(), all.len());
        for degree in all {
            assert_eq!(degrees.pop(), Some(degree));
        }
        assert!(degrees.is_empty() && degrees.pop().is_none());
    }
}
