//! Keeps a quantile of what is in a window.
//!
//! ```text
//!   up to the rank        beyond it           n values x0 ≤ x1 ≤ …, rank q, position h = (n − 1) · q
//!   … 3 3 5       |       8 8 9 …             the lower part has the ⌊h⌋ + 1 least values
//!                                             answer: 5 where h is whole; else between 5 and 8, as far as h is beyond ⌊h⌋
//! ```
//!
//! Both parts are ordered multisets; a value that enters or leaves moves at most one value across, as h grows by at most 1
//! with n. Cost: O(log n). The rank 1/2 is the median, 0 the least value, 1 the greatest: those of values that leave in any
//! order are kept here as well.

use std::collections::BTreeMap;

use referee_spec::core::{Rank, RankPosition};
use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// The most values that damaged bytes may claim: more than any trace has, and counting on cannot fail.
const MOST_READ: usize = 1 << 60;

/// An ordered multiset that knows its size.
#[derive(Debug, Clone, Default)]
struct Multiset {
    counts: BTreeMap<Number, usize>,
    size: usize,
}

impl Multiset {
    fn insert(&mut self, number: Number) {
        *self.counts.entry(number).or_insert(0) += 1;
        self.size += 1;
    }

    fn remove(&mut self, number: &Number) -> bool {
        let Some(count) = self.counts.get_mut(number) else { return false };
        *count -= 1;
        if *count == 0 {
            self.counts.remove(number);
        }
        self.size -= 1;
        true
    }

    fn save(&self, out: &mut Writer) {
        out.length(self.counts.len());
        for (number, count) in &self.counts {
            out.exact(number);
            out.length(*count);
        }
    }

    fn load(reader: &mut Reader) -> Result<Multiset, Damaged> {
        let mut read = Multiset::default();
        for (number, count) in reader.list(|reader| Ok((reader.exact()?, reader.number()?)))? {
            let count = usize::try_from(count).ok().filter(|count| (1..=MOST_READ).contains(count)).ok_or(Damaged)?;
            read.size = read.size.checked_add(count).filter(|size| *size <= MOST_READ).ok_or(Damaged)?;
            if read.counts.insert(number, count).is_some() {
                return Err(Damaged);
            }
        }
        Ok(read)
    }

    fn first(&self) -> Option<&Number> {
        self.counts.first_key_value().map(|(number, _)| number)
    }

    fn last(&self) -> Option<&Number> {
        self.counts.last_key_value().map(|(number, _)| number)
    }
}

/// A quantile of numbers that enter and leave in any order.
#[derive(Debug, Clone)]
pub(crate) struct RunningQuantile {
    rank: Rank,
    lower: Multiset,
    upper: Multiset,
}

impl RunningQuantile {
    /// Of nothing.
    pub(crate) fn new(rank: Rank) -> RunningQuantile {
        RunningQuantile { rank, lower: Multiset::default(), upper: Multiset::default() }
    }

    /// A number enters.
    pub(crate) fn enter(&mut self, number: Number) {
        if self.lower.last().is_some_and(|last| number > *last) {
            self.upper.insert(number);
        } else {
            self.lower.insert(number);
        }
        self.balance();
    }

    /// A number that entered leaves.
    pub(crate) fn leave(&mut self, number: &Number) {
        let _ = self.lower.remove(number) || self.upper.remove(number);
        self.balance();
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.lower.size + self.upper.size
    }

    /// How many belong to the lower part.
    fn wanted(&self) -> usize {
        if self.len() == 0 { 0 } else { self.rank.position(self.len()).lower + 1 }
    }

    /// Writes the numbers of both parts.
    pub(crate) fn save(&self, out: &mut Writer) {
        self.lower.save(out);
        self.upper.save(out);
    }

    /// Reads what [`RunningQuantile::save`] wrote.
    pub(crate) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        (self.lower, self.upper) = (Multiset::load(reader)?, Multiset::load(reader)?);
        let in_order = self.upper.first().is_none_or(|first| self.lower.last().is_some_and(|last| last <= first));
        if in_order && self.lower.size == self.wanted() { Ok(()) } else { Err(Damaged) }
    }

    fn balance(&mut self) {
        let wanted = self.wanted();
        while self.lower.size > wanted {
            let Some(moved) = self.lower.last().cloned() else { return };
            self.lower.remove(&moved);
            self.upper.insert(moved);
        }
        while self.lower.size < wanted {
            let Some(moved) = self.upper.first().cloned() else { return };
            self.upper.remove(&moved);
            self.lower.insert(moved);
        }
    }

    /// The quantile; nothing if there are no values.
    pub(crate) fn value(&self) -> Option<Number> {
        let low = self.lower.last()?;
        Some(between(low, self.upper.first().unwrap_or(low), self.rank.position(self.len())))
    }
}

/// The quantile of sorted numbers, as [`RunningQuantile::value`] has it.
pub(crate) fn quantile(sorted: &[Number], rank: Rank) -> Option<Number> {
    let position = rank.position(sorted.len());
    let low = sorted.get(position.lower)?;
    Some(between(low, sorted.get(position.lower + 1).unwrap_or(low), position))
}

/// The number that lies as far between two neighbours as a position does.
fn between(low: &Number, high: &Number, position: RankPosition) -> Number {
    let RankPosition { beyond, of, .. } = position;
    if beyond == 0 || low == high {
        return low.clone();
    }
    let exactly = |part: u64| Number::Int(i64::try_from(part).unwrap_or(i64::MAX));
    let middle = of % 2 == 0 && beyond == of / 2;
    let found = match middle {
        true => low.add(high).div(&Number::Int(2)),
        false => high.sub(low).mul(&exactly(beyond)).div(&exactly(of)).map(|step| low.add(&step)),
    };
    found.unwrap_or_else(|| low.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64, bound: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % bound
    }

    #[test]
    fn the_quantile_is_that_of_the_sorted_values() {
        let ranks = [(0, 1), (1, 1), (1, 2), (1, 3), (19, 20), (999, 1000), (1, 1_000_000_000_000_000_000)];
        for (seed, (numerator, denominator)) in ranks.into_iter().enumerate() {
            let rank = Rank::new(numerator, denominator).expect("a rank");
            let mut state = 7 + seed as u64;
            let (mut running, mut values) = (RunningQuantile::new(rank), Vec::new());
            for _ in 0..2000 {
                if random(&mut state, 5) < 3 || values.is_empty() {
                    let number = Number::Int(random(&mut state, 9) as i64 - 4);
                    running.enter(number.clone());
                    values.push(number);
                } else {
                    let gone = values.swap_remove(random(&mut state, values.len() as u64) as usize);
                    running.leave(&gone);
                }
                let mut sorted = values.clone();
                sorted.sort();
                assert_eq!(running.value(), quantile(&sorted, rank));
            }
        }
    }

    #[test]
    fn the_ends_and_the_middle_are_ranks() {
        let numbers = |integers: &[i64]| integers.iter().map(|integer| Number::Int(*integer)).collect::<Vec<_>>();
        let four = numbers(&[1, 4, 9, 10]);
        assert_eq!(quantile(&four, Rank::LEAST), Some(Number::Int(1)));
        assert_eq!(quantile(&four, Rank::GREATEST), Some(Number::Int(10)));
        assert_eq!(quantile(&four, Rank::MIDDLE), Number::Int(13).div(&Number::Int(2)));
        assert_eq!(quantile(&four[..3], Rank::MIDDLE), Some(Number::Int(4)));
        let third = Rank::new(1, 3).expect("a rank");
        assert_eq!(quantile(&four, third), Some(Number::Int(4)));
        assert_eq!(quantile(&four[..2], third), Some(Number::Int(2)));
        assert_eq!(quantile(&[], third), None);
    }
}
