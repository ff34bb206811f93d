//! The median of what is in a window, and its ends.
//!
//! ```text
//!   lower half            upper half          the lower half has as many values as the upper one, or one more
//!   … 3 3 5       |       8 8 9 …             median: 5, or the mean of 5 and 8
//! ```
//!
//! Both halves are ordered multisets; a value that enters or leaves moves at most one value across. Cost: O(log n).

use std::collections::BTreeMap;

use referee_trace::number::Number;

/// An ordered multiset that knows its size.
#[derive(Debug, Clone, Default)]
struct Half {
    counts: BTreeMap<Number, usize>,
    size: usize,
}

impl Half {
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

    fn first(&self) -> Option<&Number> {
        self.counts.first_key_value().map(|(number, _)| number)
    }

    fn last(&self) -> Option<&Number> {
        self.counts.last_key_value().map(|(number, _)| number)
    }
}

/// The median of numbers that enter and leave in any order.
#[derive(Debug, Clone, Default)]
pub struct Middle {
    lower: Half,
    upper: Half,
}

impl Middle {
    /// A number enters.
    pub fn enter(&mut self, number: Number) {
        if self.lower.last().is_some_and(|last| number > *last) {
            self.upper.insert(number);
        } else {
            self.lower.insert(number);
        }
        self.balance();
    }

    /// A number that entered leaves.
    pub fn leave(&mut self, number: &Number) {
        let _ = self.lower.remove(number) || self.upper.remove(number);
        self.balance();
    }

    fn balance(&mut self) {
        while self.lower.size > self.upper.size + 1 {
            let Some(moved) = self.lower.last().cloned() else { return };
            self.lower.remove(&moved);
            self.upper.insert(moved);
        }
        while self.lower.size < self.upper.size {
            let Some(moved) = self.upper.first().cloned() else { return };
            self.upper.remove(&moved);
            self.lower.insert(moved);
        }
    }

    /// The median, the mean of the middle two if there is an even number of values; nothing if there is none.
    pub fn value(&self) -> Option<Number> {
        let lower = self.lower.last()?;
        if self.lower.size > self.upper.size {
            return Some(lower.clone());
        }
        lower.add(self.upper.first()?).div(&Number::Int(2))
    }

    /// The least value.
    pub fn least(&self) -> Option<&Number> {
        self.lower.first()
    }

    /// The greatest value.
    pub fn greatest(&self) -> Option<&Number> {
        self.upper.last().or_else(|| self.lower.last())
    }
}

/// The median of sorted numbers, as [`Middle::value`] has it.
pub fn median(sorted: &[Number]) -> Option<Number> {
    let (lower, upper) = (sorted.get((sorted.len().checked_sub(1)?) / 2)?, sorted.get(sorted.len() / 2)?);
    lower.add(upper).div(&Number::Int(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_that_of_the_sorted_values() {
        let mut state = 7u64;
        let mut random = move |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let (mut middle, mut values) = (Middle::default(), Vec::new());
        for _ in 0..2000 {
            if random(5) < 3 || values.is_empty() {
                let number = Number::Int(random(9) as i64 - 4);
                middle.enter(number.clone());
                values.push(number);
            } else {
                let gone = values.swap_remove(random(values.len() as u64) as usize);
                middle.leave(&gone);
            }
            let mut sorted = values.clone();
            sorted.sort();
            assert_eq!(middle.value(), median(&sorted));
            assert_eq!((middle.least(), middle.greatest()), (sorted.first(), sorted.last()));
        }
    }
}
