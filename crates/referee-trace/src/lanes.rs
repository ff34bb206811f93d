//! Looks for bytes, sixteen at a time.
//!
//! The searches of `memchr` are made for long texts. What is looked for here, the end of a field or of a string, is ten or twenty
//! bytes away, so that the search must cost next to nothing to set up, and be part of the loop around it.

/// The first place from `at` on where one of three bytes stands.
///
/// Every processor of this family compares sixteen bytes at once: twice as fast on records of the bench as eight by arithmetic.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn find(bytes: &[u8], mut at: usize, wanted: [u8; 3]) -> Option<usize> {
    use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8};
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        // SAFETY: the reference is to 16 readable bytes, the load needs no alignment, and all processors have SSE2.
        let marks = unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast::<__m128i>());
            let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte.cast_signed()));
            let any = _mm_or_si128(_mm_or_si128(is(wanted[0]), is(wanted[1])), is(wanted[2]));
            _mm_movemask_epi8(any)
        };
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += 16;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| wanted.contains(byte)).map(|distance| at + distance)
}

/// The first place from `at` on where one of three bytes stands.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn find(bytes: &[u8], at: usize, wanted: [u8; 3]) -> Option<usize> {
    let rest = bytes.get(at..)?;
    memchr::memchr3(wanted[0], wanted[1], wanted[2], rest).map(|distance| at + distance)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(referee_testing::properties(256))]

        #[test]
        fn agrees_with_a_search_byte_by_byte(
            bytes in prop::collection::vec(0u8..8, 0..60),
            at in 0usize..64,
            wanted in prop::array::uniform3(0u8..10),
        ) {
            let expected = bytes.iter().enumerate().position(|(place, byte)| place >= at && wanted.contains(byte));
            prop_assert_eq!(super::find(&bytes, at, wanted), expected);
        }
    }
}
