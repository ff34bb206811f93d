//! How far something is from changing its truth, as the operators compute with it.
//!
//! ```text
//!  −∞ ─ i64::MIN      integers as they are      i64::MAX ─ +∞
//! ```
//!
//! Nearly all signals are integers that a word holds: [`SmallDegree`] is such a degree, compared as a machine compares. What it cannot
//! be is a [`Robustness`]; the operators are written once for both.

use referee_spec::core::signal::Robustness;
use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// A degree that operators compute with.
pub(super) trait Degree: Clone + Ord {
    /// It cannot become true by any change.
    const NEVER: Self;
    /// It cannot become false by any change.
    const ALWAYS: Self;

    /// That of the negation.
    #[must_use]
    fn negated(&self) -> Self;

    /// The same as a small one, if it is.
    fn to_small(&self) -> Option<SmallDegree>;

    /// A small one.
    fn from_small(small: SmallDegree) -> Self;

    /// Writes it.
    fn save(&self, out: &mut Writer);

    /// Reads what [`Degree::save`] wrote.
    fn load(reader: &mut Reader) -> Result<Self, Damaged>;

    /// That of something that holds or not, whatever numbers are.
    fn of(truth: bool) -> Self {
        if truth { Self::ALWAYS } else { Self::NEVER }
    }
}

/// A degree that is an integer of a word, or infinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SmallDegree(i64);

impl SmallDegree {
    /// An integer, unless its negation or itself stands for something else.
    #[inline]
    pub(super) fn of_integer(integer: i64) -> Option<SmallDegree> {
        (integer > i64::MIN + 1 && integer < i64::MAX).then_some(SmallDegree(integer))
    }

    /// The integer that it is, or the least and the greatest one for what is infinite.
    #[inline]
    pub(super) fn code(self) -> i64 {
        self.0
    }

    /// The one with this [code](Small::code).
    #[inline]
    pub(super) fn from_code(code: i64) -> SmallDegree {
        SmallDegree(code)
    }

    /// The same in full.
    pub(super) fn to_robustness(self) -> Robustness {
        match self {
            SmallDegree::NEVER => Robustness::NegativeInfinity,
            SmallDegree::ALWAYS => Robustness::PositiveInfinity,
            SmallDegree(integer) => Robustness::Finite(Number::Int(integer)),
        }
    }
}

impl Degree for SmallDegree {
    const NEVER: SmallDegree = SmallDegree(i64::MIN);
    const ALWAYS: SmallDegree = SmallDegree(i64::MAX);

    #[inline]
    fn negated(&self) -> SmallDegree {
        // The codes of the infinities are each other's complement.
        if self.0 == i64::MIN || self.0 == i64::MAX { SmallDegree(!self.0) } else { SmallDegree(-self.0) }
    }

    #[inline]
    fn to_small(&self) -> Option<SmallDegree> {
        Some(*self)
    }

    #[inline]
    fn from_small(small: SmallDegree) -> SmallDegree {
        small
    }

    fn save(&self, out: &mut Writer) {
        out.integer(self.0);
    }

    fn load(reader: &mut Reader) -> Result<SmallDegree, Damaged> {
        match SmallDegree(reader.signed()?) {
            infinite @ (SmallDegree::NEVER | SmallDegree::ALWAYS) => Ok(infinite),
            SmallDegree(integer) => SmallDegree::of_integer(integer).ok_or(Damaged),
        }
    }
}

impl Degree for Robustness {
    const NEVER: Robustness = Robustness::NegativeInfinity;
    const ALWAYS: Robustness = Robustness::PositiveInfinity;

    fn negated(&self) -> Robustness {
        Robustness::negated(self)
    }

    fn to_small(&self) -> Option<SmallDegree> {
        match self {
            Robustness::NegativeInfinity => Some(SmallDegree::NEVER),
            Robustness::PositiveInfinity => Some(SmallDegree::ALWAYS),
            Robustness::Finite(Number::Int(integer)) => SmallDegree::of_integer(*integer),
            Robustness::Finite(_) => None,
        }
    }

    fn from_small(small: SmallDegree) -> Robustness {
        small.to_robustness()
    }

    fn save(&self, out: &mut Writer) {
        match self {
            Robustness::NegativeInfinity => out.number(0),
            Robustness::PositiveInfinity => out.number(1),
            Robustness::Finite(number) => {
                out.number(2);
                out.exact(number);
            }
        }
    }

    fn load(reader: &mut Reader) -> Result<Robustness, Damaged> {
        match reader.number()? {
            0 => Ok(Robustness::NegativeInfinity),
            1 => Ok(Robustness::PositiveInfinity),
            2 => Ok(Robustness::Finite(reader.exact()?)),
            _ => Err(Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_are_what_they_stand_for() {
        let integers = [0, 1, -1, 900, i64::MAX - 1, i64::MIN + 2];
        let finite = integers.into_iter().filter_map(SmallDegree::of_integer);
        let all: Vec<SmallDegree> = finite.chain([SmallDegree::NEVER, SmallDegree::ALWAYS]).collect();
        assert_eq!(all.len(), integers.len() + 2);
        for one in &all {
            assert_eq!(one.negated().to_robustness(), one.to_robustness().negated());
            assert_eq!(one.to_robustness().to_small(), Some(*one));
            for other in &all {
                assert_eq!(one.cmp(other), one.to_robustness().cmp(&other.to_robustness()));
            }
        }
        for integer in [i64::MAX, i64::MIN, i64::MIN + 1] {
            assert_eq!(SmallDegree::of_integer(integer), None, "{integer}");
        }
    }
}
