//! A set of dense numbers, a bit each.

/// Some numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
}

/// The word of a number, and its bit there.
#[inline(always)]
fn place(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

impl Bits {
    /// Adds a number.
    #[inline]
    pub(super) fn insert(&mut self, number: u32) {
        let (word, bit) = place(number);
        if word >= self.words.len() {
            self.words.resize((word + 1).next_power_of_two(), 0);
        }
        self.words[word] |= bit;
    }

    /// Takes a number out.
    #[inline]
    pub(super) fn remove(&mut self, number: u32) {
        let (word, bit) = place(number);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Whether a number is among them.
    #[inline]
    pub(super) fn has(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds all numbers of another set.
    pub(super) fn add_all(&mut self, other: &Bits) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// The least number from that of a word on, as words of 64 numbers are counted.
    pub(super) fn least_from(&self, word: usize) -> Option<u32> {
        let at = (word..self.words.len()).find(|at| self.words[*at] != 0)?;
        Some(at as u32 * 64 + self.words[at].trailing_zeros())
    }

    /// All numbers, the least first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words
            .iter()
            .zip(0..)
            .flat_map(|(&word, at)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }

    /// Takes out all numbers from this one on, and the memory for them.
    pub(super) fn truncate(&mut self, number: u32) {
        let (word, bit) = place(number);
        self.words.truncate(word + 1);
        if let Some(last) = self.words.get_mut(word) {
            *last &= bit - 1;
        }
        self.words.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use referee_testing::properties;

    use super::*;

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn bits_are_a_set(steps in prop::collection::vec((0..4_u32, 0..300_u32), 0..60)) {
            let (mut bits, mut set) = (Bits::default(), BTreeSet::new());
            for (step, number) in steps {
                match step {
                    0 | 1 => {
                        bits.insert(number);
                        set.insert(number);
                    }
                    2 => {
                        bits.remove(number);
                        set.remove(&number);
                    }
                    _ => {
                        bits.truncate(number);
                        set.retain(|other| *other < number);
                    }
                }
                prop_assert!(bits.iter().eq(set.iter().copied()));
                prop_assert_eq!(bits.has(number), set.contains(&number));
                prop_assert_eq!(bits.least_from(1), set.range(64..).next().copied());
            }
        }
    }
}
