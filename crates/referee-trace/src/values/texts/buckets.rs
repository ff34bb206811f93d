//! Where the numbers of texts are found by their hashes.
//!
//! ```text
//!  hash ─▶ bucket   hash  hash  hash  0  0  0  0  0  |  number  number  number  …      one line of the cache
//!             └ full ─▶ the next one
//! ```
//!
//! Eight hashes are compared at once. Hashes come from the front of a bucket, so a free place ends a search. What is taken out
//! of a bucket that was never full leaves no gap; in a full one, behind which others may lie, a mark stays that is no hash.
//! Buckets are in the order of the hashes they are for: growing reads the old ones and writes the new ones from the
//! first to the last, and needs no text.
//!
//! A place that was free when somebody looked, and still is, tells that the text is new: had the same text come in the meantime,
//! it would lie there. So nobody searches twice.

use std::ops::Range;

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

/// Stands in the place of a hash that was taken out. Hashes are larger.
const GONE: u32 = 1;
/// The least hash.
pub(super) const LEAST_HASH: u32 = 2;

/// Hashes and numbers.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    memory: Memory,
    /// How many buckets there are.
    count: usize,
    /// How many places are lost until the table is made anew.
    gone: usize,
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

    /// Makes room for so many texts in all; whether that made a new table.
    #[inline(always)]
    pub(super) fn reserve(&mut self, texts: usize) -> bool {
        let is_full = texts + self.gone > self.count * FULL;
        if is_full {
            self.grow(texts);
        }
        is_full
    }

    /// How many buckets there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Takes those numbers out of some buckets that are not to be kept, and tells them.
    pub(super) fn sweep(&mut self, buckets: Range<usize>, keeps: impl Fn(u32) -> bool, mut gone: impl FnMut(u32)) {
        let range = buckets.start..buckets.end.min(self.count);
        for bucket in &mut self.memory.as_chunks_mut::<BUCKET>().0[range] {
            let is_full = lane(bucket, LANES - 1) != 0;
            let mut kept = 0;
            for at in 0..LANES {
                let (hash, id) = (lane(bucket, at), lane(bucket, LANES + at));
                if hash == 0 {
                    break;
                }
                let stays = hash == GONE || keeps(id);
                if !stays {
                    gone(id);
                    self.gone += usize::from(is_full);
                }
                if stays || is_full {
                    set_lane(bucket, kept, if stays { hash } else { GONE });
                    set_lane(bucket, LANES + kept, id);
                    kept += 1;
                }
            }
            (kept..LANES).for_each(|at| set_lane(bucket, at, 0));
        }
    }

    /// Makes the table smaller if it has much more room than so many texts need.
    pub(super) fn shrink(&mut self, texts: usize) {
        let count = enlarged(0, 2 * texts.max(1));
        if self.count >= 4 * count {
            self.remake(count);
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
        // Half full without what is gone, it need not be larger.
        let is_roomy = 2 * texts <= self.count * FULL;
        self.remake(if is_roomy { self.count } else { enlarged(self.count, texts.max(self.count * FULL + 1)) });
    }

    /// Puts all numbers into a new table.
    fn remake(&mut self, count: usize) {
        let old = std::mem::take(self);
        self.count = count;
        self.memory = Memory::zeroed(self.count * BUCKET);
        // How many places of each bucket are taken: read from a bucket that was just written to, that would have to wait.
        let mut taken = vec![0_u8; self.count];
        for bucket in old.memory.as_chunks::<BUCKET>().0 {
            for at in 0..LANES {
                let hash = lane(bucket, at);
                if hash == 0 {
                    break;
                }
                if hash == GONE {
                    continue;
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
        fn what_was_put_is_found(hashes in prop::collection::vec(prop_oneof![LEAST_HASH..20_u32, u32::MAX - 20..=u32::MAX, LEAST_HASH..=u32::MAX], 0..300)) {
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

        #[test]
        fn what_is_swept_is_gone_and_the_rest_is_found(
            rounds in prop::collection::vec((prop::collection::vec(prop_oneof![LEAST_HASH..6_u32, LEAST_HASH..=u32::MAX], 0..150), 2..5_u32), 1..5)
        ) {
            let mut buckets = Buckets::default();
            let mut known: Vec<(u32, u32)> = Vec::new();
            let mut next = 0;
            for (hashes, part) in rounds {
                for hash in hashes {
                    buckets.reserve(known.len() + 1);
                    let place = buckets.search(hash, |_| false);
                    buckets.put(place, hash, next);
                    known.push((hash, next));
                    next += 1;
                }
                let keeps = |id: u32| id.is_multiple_of(part);
                let mut gone = Vec::new();
                for bucket in 0..buckets.count() {
                    buckets.sweep(bucket..bucket + 1, keeps, |id| gone.push(id));
                }
                gone.sort_unstable();
                let expected: Vec<u32> = known.iter().map(|(_, id)| *id).filter(|id| !keeps(*id)).collect();
                prop_assert_eq!(gone, expected);
                known.retain(|(_, id)| keeps(*id));
                if part == 2 {
                    buckets.shrink(known.len());
                }
                for (hash, _) in &known {
                    let mut all = Vec::new();
                    buckets.search(*hash, |id| { all.push(id); false });
                    all.sort_unstable();
                    let expected: Vec<u32> = known.iter().filter(|(other, _)| other == hash).map(|(_, id)| *id).collect();
                    prop_assert_eq!(all, expected);
                }
            }
        }
    }

    #[test]
    fn a_table_grows_by_large_steps() {
        let sizes: Vec<usize> = [1, 97, 1000, 12_289, 24_577, 200_000].map(|texts| enlarged(0, texts) * BUCKET).into();
        assert_eq!(sizes, [1 << 10, 4 << 10, 16 << 10, 256 << 10, 2 << 20, 4 << 20]);
    }
}
