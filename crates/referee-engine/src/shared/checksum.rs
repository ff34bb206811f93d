//! A checksum that is the same on every machine: 64-bit words, multiplied and turned, in four lanes that do not wait for each
//! other.
//!
//! ```text
//!  32 bytes ─▶ word 1 │ word 2 │ word 3 │ word 4
//!                ▼        ▼        ▼        ▼        lane = turn((lane xor word) · odd number)
//! ```
//!
//! A step can be undone, so two texts of one length that differ in a single word have different sums: no flipped bit is missed.
//! It costs a cycle for several bytes.

use std::fmt;

/// How many bytes a step takes: one word per lane.
const BLOCK: usize = 32;
/// An odd number with bits everywhere.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sum of bytes that come piece by piece; where the pieces end changes nothing.
#[derive(Debug, Clone)]
pub(crate) struct Checksum {
    lanes: [u64; 4],
    /// The bytes that do not yet make a block.
    rest: [u8; BLOCK],
    length: u64,
}

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum { lanes: [1, 2, 3, 4].map(|lane| FACTOR.wrapping_mul(lane)), rest: [0; BLOCK], length: 0 }
    }
}

impl Checksum {
    /// Adds bytes.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        let waiting = (self.length % BLOCK as u64) as usize;
        self.length += bytes.len() as u64;
        if waiting > 0 {
            let taken = bytes.len().min(BLOCK - waiting);
            self.rest[waiting..waiting + taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if waiting + taken < BLOCK {
                return;
            }
            let block = self.rest;
            self.block(&block);
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        blocks.iter().for_each(|block| self.block(block));
        self.rest[..rest.len()].copy_from_slice(rest);
    }

    #[inline]
    fn block(&mut self, block: &[u8; BLOCK]) {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in self.lanes.iter_mut().zip(words) {
            *lane = mixed(*lane, u64::from_le_bytes(*word));
        }
    }

    /// The sum of all that was added.
    pub(crate) fn sum(&self) -> u64 {
        let mut last = self.clone();
        let waiting = (self.length % BLOCK as u64) as usize;
        last.rest[waiting..].fill(0);
        let block = last.rest;
        last.block(&block);
        let sum = last.lanes.iter().fold(mixed(FACTOR, self.length), |sum, lane| mixed(sum, *lane));
        sum ^ sum >> 32
    }

    /// The sum of bytes.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut sum = Checksum::default();
        sum.add(bytes);
        sum.sum()
    }
}

#[inline]
fn mixed(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(FACTOR).rotate_left(29)
}

impl fmt::Write for Checksum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Checksum;

    #[test]
    fn pieces_change_nothing() {
        let bytes: Vec<u8> = (0..200_u32).map(|at| (at * 37 % 251) as u8).collect();
        for step in 1..70 {
            let mut sum = Checksum::default();
            bytes.chunks(step).for_each(|piece| sum.add(piece));
            assert_eq!(sum.sum(), Checksum::of(&bytes), "pieces of {step}");
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_seen() {
        let bytes: Vec<u8> = (0..100_u8).collect();
        let whole = Checksum::of(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(Checksum::of(&other), whole, "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert_ne!(Checksum::of(&bytes[..length]), whole, "{length} bytes");
        }
        assert_ne!(Checksum::of(&[0; 3]), Checksum::of(&[0; 4]), "zeros count");
    }

    #[test]
    fn sums_are_those_of_every_machine() {
        assert_eq!(Checksum::of(b""), 0xa044_d6a1_62b5_1839);
        assert_eq!(Checksum::of(b"referee"), 0x0929_e702_4645_31ca);
        let bytes: Vec<u8> = (0..100).collect();
        assert_eq!(Checksum::of(&bytes), 0xcc95_fcb2_2c28_498d);
    }
}
