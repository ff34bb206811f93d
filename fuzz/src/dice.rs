//! Mutations of known inputs, for tests that run the checks of the fuzz targets.

/// A small generator of numbers, the same for a seed in every run.
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same way every time for a seed.
    pub fn new(seed: u64) -> Dice {
        // Zero would stay zero.
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).max(1))
    }

    /// A number below a limit above 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit
    }

    /// A text of the corpus with a few pieces put in, taken out or taken from another text.
    #[allow(dead_code, reason = "tests of binary inputs have no texts")]
    pub fn text(&mut self, corpus: &[&str], pieces: &[&str]) -> String {
        let mut text = corpus[self.below(corpus.len())].to_owned();
        for _ in 0..=self.below(4) {
            let start = text.floor_char_boundary(self.below(text.len() + 1));
            let end = text.ceil_char_boundary(start + self.below(4)).min(text.len());
            match self.below(3) {
                0 => text.insert_str(start, pieces[self.below(pieces.len())]),
                1 => text.replace_range(start..end, ""),
                _ => {
                    let other = corpus[self.below(corpus.len())];
                    let from = other.floor_char_boundary(self.below(other.len() + 1));
                    text.insert_str(start, &other[from..]);
                }
            }
        }
        text
    }
}
