//! Where the numbers of texts are found by their hashes.
//!
//! ```text
//!  hash ─▶ bucket   hash  hash  hash  0  0  0  0  0  |  number  number  number  …      one line of the cache
//!             └ full ─▶ the next one
//! ```
//!
//! Eight hashes are compared at once. Hashes come from the front of a bucket and nothing is ever taken out, so a free place ends
//! a search. Buckets are in the order of the hashes they are for: growing reads the old ones and writes the new ones from the
//! first to the last, and needs no text.
//!
//! A place that was free when somebody looked, and still is, tells that the text is new: had the same text come in the meantime,
//! it would lie there. So nobody searches twice.

use super::huge::{LARGE, Memory};
use crate::prefetch;

const BUCKET: usize = 64;
const LANES: usize = 8;
/// How many of the eight places are taken on average when the table grows.
const FULL: usize = 6;
/// From this size on a table grows to that of a large page, and is doubled then.
const MIDDLE: usize = 128 << 10;
/// More buckets have no places that can be numbered.
const MOST: usize = 1 << 29;

/// Hashes and numbers.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    memory: Memory,
    /// How many buckets there are.
    count: usize,
}

/// What a search came to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lookup {
    /// A number with the same hash.
    Taken(u32),
    /// A free place: its bucket and its lane.
    Free(u32),
}

impl Buckets {
    /// How many bytes of memory they take.
    pub(super) fn memory(&self) -> usize {
        self.memory.len()
    }

    /// Makes room for so many texts in all.
    #[inline(always)]
    pub(super) fn reserve(&mut self, texts: usize) {
        if texts > self.count * FULL {
            self.grow(texts);
        }
    }

    /// Asks for the bucket of a hash.
    #[inline(always)]
    pub(super) fn ask_for(&self, hash: u32) {
        prefetch::of(self.memory.as_chunks::<BUCKET>().0, self.home(hash));
    }

    /// The first number with this hash, or the place for it.
    #[inline(always)]
    pub(super) fn look(&self, hash: u32) -> Lookup {
        let mut taken = None;
        let free = self.search(hash, |id| {
            taken = Some(id);
            true
        });
        match (taken, free) {
            (Some(id), _) => Lookup::Taken(id),
            (None, free) => Lookup::Free(free),
        }
    }

    /// Shows all numbers with this hash until one is the right one; gives the free place that ends the search.
    #[inline(always)]
    pub(super) fn search(&self, hash: u32, mut is_right: impl FnMut(u32) -> bool) -> u32 {
        let mut at = self.home(hash);
        loop {
            let bucket = &self.memory.as_chunks::<BUCKET>().0[at];
            let (mut same, free) = scan(bucket, hash);
            while same != 0 {
                if is_right(lane(bucket, LANES + same.trailing_zeros() as usize)) {
                    return u32::MAX;
                }
                same &= same - 1;
            }
            if free != 0 {
                return (at * LANES) as u32 + free.trailing_zeros();
            }
            at = self.next(at);
        }
    }

    /// What is at a place: hash and number.
    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> (u32, u32) {
        let (bucket, at) = (place as usize / LANES, place as usize % LANES);
        let bucket = &self.memory.as_chunks::<BUCKET>().0[bucket];
        (lane(bucket, at), lane(bucket, LANES + at))
    }

    /// Puts a number at a free place.
    #[inline(always)]
    pub(super) fn put(&mut self, place: u32, hash: u32, id: u32) {
        let (bucket, at) = (place as usize / LANES, place as usize % LANES);
        let bucket = &mut self.memory.as_chunks_mut::<BUCKET>().0[bucket];
        set_lane(bucket, at, hash);
        set_lane(bucket, LANES + at, id);
    }

    /// The bucket where the search for a hash begins: a share of the hashes each, in their order.
    #[inline(always)]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.count as u64) >> 32) as usize
    }

    #[inline(always)]
    fn next(&self, bucket: usize) -> usize {
        if bucket + 1 == self.count { 0 } else { bucket + 1 }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, texts: usize) {
        let old = std::mem::take(self);
        self.count = enlarged(old.count, texts);
        self.memory = Memory::zeroed(self.count * BUCKET);
        // How many places of each bucket are taken: read from a bucket that was just written to, that would have to wait.
        let mut taken = vec![0_u8; self.count];
        for bucket in old.memory.as_chunks::<BUCKET>().0 {
            for at in 0..LANES {
                let hash = lane(bucket, at);
                if hash == 0 {
                    break;
                }
                let mut home = self.home(hash);
                while usize::from(taken[home]) == LANES {
                    home = self.next(home);
                }
                self.put((home * LANES) as u32 + u32::from(taken[home]), hash, lane(bucket, LANES + at));
                taken[home] += 1;
            }
        }
    }
}

/// How many buckets there are after so many, if there must be room for so many texts.
fn enlarged(mut count: usize, texts: usize) -> usize {
    while count * FULL < texts {
        count = match count * BUCKET {
            0..MIDDLE => (4 * count).max(16),
            MIDDLE..LARGE => LARGE / BUCKET,
            _ => 2 * count,
        };
    }
    assert!(count <= MOST, "fewer than three billion texts fit in memory");
    count
}

#[inline(always)]
fn lane(bucket: &[u8; BUCKET], index: usize) -> u32 {
    u32::from_ne_bytes(bucket.as_chunks().0[index])
}

#[inline(always)]
fn set_lane(bucket: &mut [u8; BUCKET], index: usize, value: u32) {
    bucket.as_chunks_mut().0[index] = value.to_ne_bytes();
}

/// The places with this hash and those that are free, a bit each.
#[inline(always)]
fn scan(bucket: &[u8; BUCKET], hash: u32) -> (u32, u32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this kind has SSE2. Without it a look-up takes a quarter longer.
    let found = unsafe { sse2::scan(bucket, hash) };
    #[cfg(not(target_arch = "x86_64"))]
    let found = portable::scan(bucket, hash);
    found
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use crate::values::texts::buckets::{BUCKET, LANES, lane};

    pub(super) fn scan(bucket: &[u8; BUCKET], hash: u32) -> (u32, u32) {
        let places = |wanted: u32| (0..LANES).map(|at| u32::from(lane(bucket, at) == wanted) << at).sum();
        (places(hash), places(0))
    }
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use crate::values::texts::buckets::BUCKET;
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32,
        _mm_setzero_si128,
    };

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn scan(bucket: &[u8; BUCKET], hash: u32) -> (u32, u32) {
        let at: *const __m128i = bucket.as_ptr().cast();
        // SAFETY: the hashes are the first half of the bucket, and need not be aligned.
        let (first, second) = unsafe { (_mm_loadu_si128(at), _mm_loadu_si128(at.add(1))) };
        let (wanted, none) = (_mm_set1_epi32(hash.cast_signed()), _mm_setzero_si128());
        let same = _mm_packs_epi32(_mm_cmpeq_epi32(first, wanted), _mm_cmpeq_epi32(second, wanted));
        let free = _mm_packs_epi32(_mm_cmpeq_epi32(first, none), _mm_cmpeq_epi32(second, none));
        let bits = _mm_movemask_epi8(_mm_packs_epi16(same, free)).cast_unsigned();
        (bits & 0xFF, bits >> 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use referee_testing::properties;

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn eight_hashes_are_compared_as_one_by_one(hashes in prop::array::uniform8(0..4_u32), wanted in 1..4_u32) {
            let mut bucket = [0; BUCKET];
            hashes.iter().enumerate().for_each(|(at, hash)| set_lane(&mut bucket, at, *hash));
            prop_assert_eq!(scan(&bucket, wanted), portable::scan(&bucket, wanted));
        }

        #[test]
        fn what_was_put_is_found(hashes in prop::collection::vec(prop_oneof![1..20_u32, u32::MAX - 20..=u32::MAX, 1..=u32::MAX], 0..300)) {
            let mut buckets = Buckets::default();
            for (hash, id) in hashes.iter().zip(0..) {
                buckets.reserve(id as usize + 1);
                let place = buckets.search(*hash, |_| false);
                prop_assert_eq!(buckets.at(place), (0, 0));
                buckets.put(place, *hash, id);
            }
            for (hash, id) in hashes.iter().zip(0..) {
                let mut all = Vec::new();
                buckets.search(*hash, |id| { all.push(id); false });
                all.sort_unstable();
                let expected: Vec<u32> = (0..).zip(&hashes).filter(|(_, other)| *other == hash).map(|(id, _)| id).collect();
                prop_assert_eq!(&all, &expected);
                prop_assert!(matches!(buckets.look(*hash), Lookup::Taken(found) if all.contains(&found)), "{} {}", hash, id);
            }
        }
    }

    #[test]
    fn a_table_grows_by_large_steps() {
        let sizes: Vec<usize> = [1, 97, 1000, 12_289, 24_577, 200_000].map(|texts| enlarged(0, texts) * BUCKET).into();
        assert_eq!(sizes, [1 << 10, 4 << 10, 16 << 10, 256 << 10, 2 << 20, 4 << 20]);
    }
}
