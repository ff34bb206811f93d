//! Rows that have as many cells as the header.
//!
//! ```text
//!  text         x , 7 , , , 9 \n
//!  separators     1   3 4 5   7      as many as the header has columns, the last one ends the line
//!  differences  1   2   1 1   2      a cell is blank where the next separator follows at once
//!  present      1   1   0 0   1
//! ```
//!
//! In a log with a column for every field of every event most cells are blank. Four differences are compared at a time, and a
//! blank cell costs nothing else. Only positions are compared, so rows with blanks, quotes or NUL bytes must not come here.

/// Which cells of the row that begins at `start` are not blank, the name of the event in the lowest bit, if the row has a name and
/// these are its separators.
#[inline]
pub(crate) fn present(bytes: &[u8], start: usize, row: &[usize]) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("bmi1") {
        // SAFETY: the processor has the features, as was just asked.
        let present = unsafe { avx2::present(bytes, start, row) };
        return present.filter(|present| present & 1 == 1);
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi8, _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_movemask_epi8,
        _mm256_movemask_pd, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_sub_epi64,
    };

    use memchr::memchr2;

    /// The cells that are not blank, if the first line end from `start` on is the row's last separator.
    #[target_feature(enable = "avx2,bmi1")]
    pub(super) fn present(bytes: &[u8], start: usize, row: &[usize]) -> Option<u64> {
        let (&first, &last) = (row.first()?, row.last()?);
        if row.len() > 64 || line_end(bytes, start) != Some(last) {
            return None;
        }
        let mut present = u64::from(first > start);
        let (fours, rest) = row[1..].as_chunks::<4>();
        let (fours_before, rest_before) = row[..row.len() - 1].as_chunks::<4>();
        let mut column = 1;
        for (before, after) in fours_before.iter().zip(fours) {
            present |= u64::from(apart(before, after)) << column;
            column += 4;
        }
        for (before, after) in rest_before.iter().zip(rest) {
            present |= u64::from(after - before > 1) << column;
            column += 1;
        }
        Some(present)
    }

    /// Where the line ends.
    #[target_feature(enable = "avx2,bmi1")]
    fn line_end(bytes: &[u8], mut at: usize) -> Option<usize> {
        while let Some((chunk, _)) = bytes.get(at..)?.split_first_chunk::<32>() {
            // SAFETY: the reference is to 32 readable bytes, and the load needs no alignment.
            let chunk = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast::<__m256i>()) };
            let is = |byte: u8| _mm256_cmpeq_epi8(chunk, _mm256_set1_epi8(byte.cast_signed()));
            let ends = _mm256_movemask_epi8(_mm256_or_si256(is(b'\n'), is(b'\r'))).cast_unsigned();
            if ends != 0 {
                return Some(at + ends.trailing_zeros() as usize);
            }
            at += 32;
        }
        Some(at + memchr2(b'\n', b'\r', &bytes[at..])?)
    }

    /// One bit for each of four positions that does not follow at once on the one before.
    #[target_feature(enable = "avx2")]
    fn apart(before: &[usize; 4], after: &[usize; 4]) -> u8 {
        // SAFETY: the references are to four words of eight bytes each, and the loads need no alignment.
        let (before, after) = unsafe {
            (
                _mm256_loadu_si256(before.as_ptr().cast::<__m256i>()),
                _mm256_loadu_si256(after.as_ptr().cast::<__m256i>()),
            )
        };
        let are_apart = _mm256_cmpgt_epi64(_mm256_sub_epi64(after, before), _mm256_set1_epi64x(1));
        _mm256_movemask_pd(_mm256_castsi256_pd(are_apart)) as u8
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use referee_testing::properties;

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn what_is_present_is_what_is_not_blank(
            before in "[a\n,]{0,40}",
            cells in prop::collection::vec("[a-c]{0,3}", 1..70),
            cut in 0usize..70,
            after in "[a\n]{0,40}",
        ) {
            let start = before.len();
            let row = cells.join(",");
            let text = format!("{before}{row}\n{after}");
            let separators: Vec<usize> = (start..text.len()).filter(|&at| matches!(text.as_bytes()[at], b',' | b'\n')).collect();
            let count = if cut < 4 { cells.len().saturating_sub(cut) } else { cells.len() };
            let found = super::present(text.as_bytes(), start, &separators[..count]);
            let expected = cells.iter().enumerate().fold(0u128, |bits, (at, cell)| bits | u128::from(!cell.is_empty()) << at);
            let fits = count == cells.len() && count <= 64 && !cells[0].is_empty();
            match found {
                Some(present) => prop_assert!(fits && u128::from(present) == expected),
                None => prop_assert!(!fits || !std::is_x86_feature_detected!("avx2")),
            }
        }
    }
}
