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

use super::degree::{Degree, SmallDegree};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// A queue of degrees.
#[derive(Debug)]
pub(super) struct Degrees<D> {
    tiny: VecDeque<i8>,
    small: VecDeque<i32>,
    others: VecDeque<D>,
}

/// The marks, and what stands for what is no number.
const NOT_TINY: i8 = i8::MIN;
const NOT_SMALL: i32 = i32::MIN;
const NEVER: i8 = i8::MIN + 1;
const ALWAYS: i8 = i8::MAX;

impl<D: Degree> Degrees<D> {
    /// An empty queue.
    pub(super) fn new() -> Degrees<D> {
        Degrees { tiny: VecDeque::new(), small: VecDeque::new(), others: VecDeque::new() }
    }

    /// Adds one behind.
    #[inline]
    pub(super) fn push(&mut self, degree: D) {
        let tiny = degree.to_small().map_or(NOT_TINY, tiny);
        self.tiny.push_back(tiny);
        if tiny == NOT_TINY {
            self.push_large(degree);
        }
    }

    fn push_large(&mut self, degree: D) {
        let small = degree.to_small().and_then(|small| i32::try_from(small.code()).ok()).unwrap_or(NOT_SMALL);
        self.small.push_back(small);
        if small == NOT_SMALL {
            self.others.push_back(degree);
        }
    }

    /// Takes the first.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<D> {
        match self.tiny.pop_front()? {
            NOT_TINY => self.pop_large(),
            NEVER => Some(D::NEVER),
            ALWAYS => Some(D::ALWAYS),
            tiny => Some(D::from_small(SmallDegree::from_code(i64::from(tiny)))),
        }
    }

    fn pop_large(&mut self) -> Option<D> {
        match self.small.pop_front()? {
            NOT_SMALL => self.others.pop_front(),
            small => Some(D::from_small(SmallDegree::from_code(i64::from(small)))),
        }
    }

    /// Writes all of them.
    pub(super) fn save(&self, out: &mut Writer) {
        out.length(self.len());
        let (mut small, mut others) = (self.small.iter(), self.others.iter());
        for tiny in &self.tiny {
            let degree = match *tiny {
                NEVER => Some(D::NEVER),
                ALWAYS => Some(D::ALWAYS),
                NOT_TINY => match small.next() {
                    Some(&NOT_SMALL) => others.next().cloned(),
                    Some(small) => Some(D::from_small(SmallDegree::from_code(i64::from(*small)))),
                    None => None,
                },
                tiny => Some(D::from_small(SmallDegree::from_code(i64::from(tiny)))),
            };
            degree.unwrap_or(D::NEVER).save(out);
        }
    }

    /// Reads what [`Degrees::save`] wrote.
    pub(super) fn load(reader: &mut Reader) -> Result<Degrees<D>, Damaged> {
        let mut degrees = Degrees::new();
        reader.list(D::load)?.into_iter().for_each(|degree| degrees.push(degree));
        Ok(degrees)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.tiny.len()
    }

    /// Whether there is none.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.tiny.is_empty()
    }
}

impl Degrees<SmallDegree> {
    /// The same with degrees of any size.
    pub(super) fn widen(self) -> Degrees<Robustness> {
        let others = self.others.into_iter().map(SmallDegree::to_robustness).collect();
        Degrees { tiny: self.tiny, small: self.small, others }
    }
}

/// What stands for a degree among the tiny ones.
#[inline]
fn tiny(degree: SmallDegree) -> i8 {
    match i8::try_from(degree.code()) {
        Ok(tiny) if tiny > NEVER && tiny < ALWAYS => tiny,
        _ if degree == SmallDegree::NEVER => NEVER,
        _ if degree == SmallDegree::ALWAYS => ALWAYS,
        _ => NOT_TINY,
    }
}

#[cfg(test)]
mod tests {
    use referee_trace::number::Number;

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
        let mut degrees = Degrees::new();
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

    #[test]
    fn widened_they_are_the_same() {
        let mut degrees = Degrees::new();
        let all: Vec<SmallDegree> =
            [3, 900, i64::MAX - 1, -7].into_iter().filter_map(SmallDegree::of_integer).collect();
        all.iter().chain([&SmallDegree::NEVER, &SmallDegree::ALWAYS]).for_each(|degree| degrees.push(*degree));
        let mut wide = degrees.widen();
        for degree in all.into_iter().chain([SmallDegree::NEVER, SmallDegree::ALWAYS]) {
            assert_eq!(wide.pop(), Some(degree.to_robustness()));
        }
        assert!(wide.is_empty());
    }
}
