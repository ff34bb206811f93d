//! How far something is from changing its truth, as the operators compute with it.
//!
//! ```text
//!  −∞ ─ i64::MIN      integers as they are      i64::MAX ─ +∞
//! ```
//!
//! Nearly all signals are integers that a word holds: [`Small`] is such a degree, compared as a machine compares. What it cannot
//! be is a [`Robustness`]; the operators are written once for both.

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

/// A degree that operators compute with.
pub trait Degree: Clone + Ord {
    /// It cannot become true by any change.
    const NEVER: Self;
    /// It cannot become false by any change.
    const ALWAYS: Self;

    /// That of the negation.
    #[must_use]
    fn negated(&self) -> Self;

    /// The same as a small one, if it is.
    fn to_small(&self) -> Option<Small>;

    /// A small one.
    fn from_small(small: Small) -> Self;

    /// That of something that holds or not, whatever numbers are.
    fn of(truth: bool) -> Self {
        if truth { Self::ALWAYS } else { Self::NEVER }
    }
}

/// A degree that is an integer of a word, or infinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Small(i64);

impl Small {
    /// An integer, unless its negation or itself stands for something else.
    #[inline]
    pub fn of_integer(integer: i64) -> Option<Small> {
        (integer > i64::MIN + 1 && integer < i64::MAX).then_some(Small(integer))
    }

    /// The integer that it is, or the least and the greatest one for what is infinite.
    #[inline]
    pub fn code(self) -> i64 {
        self.0
    }

    /// The one with this [code](Small::code).
    #[inline]
    pub fn from_code(code: i64) -> Small {
        Small(code)
    }

    /// The same in full.
    pub fn to_robustness(self) -> Robustness {
        match self {
            Small::NEVER => Robustness::NegativeInfinity,
            Small::ALWAYS => Robustness::PositiveInfinity,
            Small(integer) => Robustness::Finite(Number::Int(integer)),
        }
    }
}

impl Degree for Small {
    const NEVER: Small = Small(i64::MIN);
    const ALWAYS: Small = Small(i64::MAX);

    #[inline]
    fn negated(&self) -> Small {
        // The codes of the infinities are each other's complement.
        if self.0 == i64::MIN || self.0 == i64::MAX { Small(!self.0) } else { Small(-self.0) }
    }

    #[inline]
    fn to_small(&self) -> Option<Small> {
        Some(*self)
    }

    #[inline]
    fn from_small(small: Small) -> Small {
        small
    }
}

impl Degree for Robustness {
    const NEVER: Robustness = Robustness::NegativeInfinity;
    const ALWAYS: Robustness = Robustness::PositiveInfinity;

    fn negated(&self) -> Robustness {
        Robustness::negated(self)
    }

    fn to_small(&self) -> Option<Small> {
        match self {
            Robustness::NegativeInfinity => Some(Small::NEVER),
            Robustness::PositiveInfinity => Some(Small::ALWAYS),
            Robustness::Finite(Number::Int(integer)) => Small::of_integer(*integer),
            Robustness::Finite(_) => None,
        }
    }

    fn from_small(small: Small) -> Robustness {
        small.to_robustness()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_are_what_they_stand_for() {
        let integers = [0, 1, -1, 900, i64::MAX - 1, i64::MIN + 2];
        let finite = integers.into_iter().filter_map(Small::of_integer);
        let all: Vec<Small> = finite.chain([Small::NEVER, Small::ALWAYS]).collect();
        assert_eq!(all.len(), integers.len() + 2);
        for one in &all {
            assert_eq!(one.negated().to_robustness(), one.to_robustness().negated());
            assert_eq!(one.to_robustness().to_small(), Some(*one));
            for other in &all {
                assert_eq!(one.cmp(other), one.to_robustness().cmp(&other.to_robustness()));
            }
        }
        for integer in [i64::MAX, i64::MIN, i64::MIN + 1] {
            assert_eq!(Small::of_integer(integer), None, "{integer}");
        }
    }
}
