//! Chance that is the same on every machine: integers only, from a seed.

/// Pseudo-random numbers: a counter stepped by an odd constant, its bits mixed.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from 0 up to, not including, `bound`; 0 if that is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product: no division, and no bias that a trace could show.
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 1 to `most`; 1 if that is 0.
    #[inline]
    pub fn up_to(&mut self, most: u64) -> u64 {
        1 + self.below(most)
    }

    /// True in one of so many cases.
    #[inline]
    pub fn one_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }

    /// An index into a list of this length.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A shuffle of all numbers of 48 bits: different numbers stay different, neighbours do not stay neighbours.
///
/// Each step (adding, multiplying by an odd number, folding the upper half onto the lower) can be undone modulo 2^48.
#[derive(Debug, Clone, Copy)]
pub struct Shuffle {
    shift: u64,
    factor: u64,
}

impl Shuffle {
    const MASK: u64 = (1 << 48) - 1;

    /// The shuffle of a seed; those of different purposes have nothing in common.
    pub fn new(seed: u64, purpose: u64) -> Shuffle {
        let mut random = Random::new(mix(seed) ^ mix(!purpose));
        Shuffle { shift: random.next(), factor: random.next() | 1 }
    }

    /// Where a number of 48 bits goes.
    #[inline]
    pub fn apply(self, number: u64) -> u64 {
        let mut mixed = number.wrapping_add(self.shift) & Self::MASK;
        for _ in 0..2 {
            mixed ^= mixed >> 24;
            mixed = mixed.wrapping_mul(self.factor) & Self::MASK;
        }
        mixed ^ (mixed >> 24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_sequence_everywhere() {
        let mut random = Random::new(7);
        let found: Vec<u64> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(found, [389, 16, 900, 582, 452, 249]);
        assert_eq!(Random::new(7).below(0), 0);
    }

    #[test]
    fn a_shuffle_keeps_numbers_apart() {
        for seed in 0..20 {
            let shuffle = Shuffle::new(seed, seed % 3);
            let mut found: Vec<u64> = (0..5000).map(|number| shuffle.apply(number)).collect();
            assert!(found.iter().all(|number| *number < 1 << 48));
            assert!(found.windows(2).filter(|pair| pair[0] < pair[1]).count() < 4000, "seed {seed} keeps the order");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 5000, "seed {seed}");
        }
    }
}
