//! A small generator of pseudo-random numbers.

/// Pseudo-random numbers from a seed: a counter stepped by an odd constant, its bits mixed.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.next_number().checked_rem(bound as u64).unwrap_or(0) as usize
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// The index of a weight, in proportion to the weights.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                let hit = rest < weight;
                rest = rest.saturating_sub(weight);
                hit
            })
            .unwrap_or(0)
    }
}
