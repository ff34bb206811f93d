//! Degrees of robustness in a queue: four bytes each while they are small integers.
//!
//! Operators wait for intervals to pass, and what their neighbours tell waits with them: a value for every sample of an
//! interval. What is no small integer waits in a second queue, and a mark in the first one says so.

use std::collections::VecDeque;

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

/// A queue of degrees.
#[derive(Debug, Default)]
pub struct Degrees {
    small: VecDeque<i32>,
    others: VecDeque<Robustness>,
}

const OTHER: i32 = i32::MIN;
const NEGATIVE_INFINITY: i32 = i32::MIN + 1;
const POSITIVE_INFINITY: i32 = i32::MAX;

impl Degrees {
    /// Adds one behind.
    #[inline]
    pub fn push(&mut self, degree: Robustness) {
        let small = match &degree {
            Robustness::NegativeInfinity => NEGATIVE_INFINITY,
            Robustness::PositiveInfinity => POSITIVE_INFINITY,
            Robustness::Finite(Number::Int(integer)) => match i32::try_from(*integer) {
                Ok(small) if small > NEGATIVE_INFINITY && small < POSITIVE_INFINITY => small,
                _ => OTHER,
            },
            Robustness::Finite(_) => OTHER,
        };
        self.small.push_back(small);
        if small == OTHER {
            self.others.push_back(degree);
        }
    }

    /// Takes the first.
    #[inline]
    pub fn pop(&mut self) -> Option<Robustness> {
        Some(match self.small.pop_front()? {
            OTHER => return self.others.pop_front(),
            NEGATIVE_INFINITY => Robustness::NegativeInfinity,
            POSITIVE_INFINITY => Robustness::PositiveInfinity,
            small => Robustness::Finite(Number::Int(i64::from(small))),
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.small.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.small.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_in_order() {
        let half = Number::parse("0.5").expect("a number");
        let limits = [0, 7, -7, i64::from(i32::MIN), i64::from(i32::MIN) + 1, i64::from(i32::MAX), i64::MAX, i64::MIN];
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
