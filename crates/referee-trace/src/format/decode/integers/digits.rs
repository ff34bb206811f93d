//! From the words that end with some digits to integers, many at once.
//!
//! ```text
//!   word    , 4 7 , 1 2 0 5     length 4 ─▶ shift out what is before ─▶ 0 0 0 0 1 2 0 5 ─▶ 12 | 05 ─▶ 1205
//! ```

use crate::number::digits_before;
use crate::values::Atom;

/// A word that ends with the digit of zero.
pub(super) const ZERO: u64 = (b'0' as u64) << 56;

/// Converts words that end with as many digits as `lengths` tells, up to the first that is no integer of at most eight
/// digits in canonical form; tells how many it converted.
pub(super) fn convert(words: &mut [Atom], lengths: &[u64]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature, as was just asked. One by one, a value takes forty instructions instead of
        // six.
        return unsafe { avx2::convert(words, lengths) };
    }
    convert_each(words, lengths)
}

/// The same, one by one.
fn convert_each(words: &mut [Atom], lengths: &[u64]) -> usize {
    for (index, (word, length)) in words.iter_mut().zip(lengths).enumerate() {
        match digits_before(word.word(), *length as usize) {
            Some(integer) => *word = Atom::small(integer),
            None => return index,
        }
    }
    words.len()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! Four words at a time.

    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi64,
        _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epu8,
        _mm256_movemask_epi8, _mm256_mul_epu32, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
        _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srli_epi64, _mm256_srlv_epi64,
        _mm256_storeu_si256, _mm256_sub_epi64, _mm256_xor_si256,
    };

    use crate::format::decode::integers::digits::convert_each;
    use crate::values::Atom;

    #[target_feature(enable = "avx2")]
    pub(super) fn convert(words: &mut [Atom], lengths: &[u64]) -> usize {
        let (fours, rest) = words.as_chunks_mut::<4>();
        let (lengths, rest_lengths) = lengths.as_chunks::<4>();
        let mut good = 0;
        for (four, lengths) in fours.iter_mut().zip(lengths) {
            if !convert_four(four, lengths) {
                // Nothing is stored then, so the first that is wrong can be looked for.
                return good + convert_each(four, lengths);
            }
            good += 4;
        }
        good + convert_each(rest, rest_lengths)
    }

    /// Converts four words; tells whether all are integers. If not, nothing is stored.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn convert_four(words: &mut [Atom; 4], lengths: &[u64; 4]) -> bool {
        // SAFETY: both are 32 bytes, and an atom is a word.
        let (word, length): (__m256i, __m256i) =
            unsafe { (_mm256_loadu_si256(words.as_ptr().cast()), _mm256_loadu_si256(lengths.as_ptr().cast())) };
        let unused = _mm256_sub_epi64(_mm256_set1_epi64x(64), _mm256_slli_epi64::<3>(length));
        let digits = _mm256_srlv_epi64(word, unused);
        let value = _mm256_sllv_epi64(_mm256_xor_si256(digits, _mm256_set1_epi8(0x30)), unused);
        if has_odd(digits, value, length) {
            return false;
        }
        // The first digit of a pair weighs ten, the first pair of two a hundred, the first four ten thousand.
        let pairs = _mm256_maddubs_epi16(value, _mm256_set1_epi16(1 << 8 | 10));
        let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 100));
        let high = _mm256_mul_epu32(fours, _mm256_set1_epi64x(10_000));
        let integer = _mm256_add_epi64(high, _mm256_srli_epi64::<32>(fours));
        let atom = _mm256_slli_epi64::<{ Atom::INTEGER_SHIFT }>(integer);
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), atom) };
        true
    }

    /// Whether a length is not 1 to 8, a byte no digit, or a zero leads.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn has_odd(digits: __m256i, value: __m256i, length: __m256i) -> bool {
        let nine = _mm256_set1_epi8(9);
        let are_digits = _mm256_cmpeq_epi8(_mm256_max_epu8(value, nine), nine);
        let fits = _mm256_and_si256(
            _mm256_cmpgt_epi64(length, _mm256_set1_epi64x(0)),
            _mm256_cmpgt_epi64(_mm256_set1_epi64x(9), length),
        );
        let first = _mm256_and_si256(digits, _mm256_set1_epi64x(0xff));
        let is_zero = _mm256_cmpeq_epi64(first, _mm256_set1_epi64x(0x30));
        let leads = _mm256_and_si256(is_zero, _mm256_cmpgt_epi64(length, _mm256_set1_epi64x(1)));
        let good = _mm256_andnot_si256(leads, _mm256_and_si256(are_digits, fits));
        _mm256_movemask_epi8(good) != -1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use referee_testing::properties;

    /// What eight bytes and a length mean, one by one and together.
    fn both(texts: &[(String, usize)]) -> [(usize, Vec<Atom>); 2] {
        let words: Vec<Atom> = texts
            .iter()
            .map(|(text, _)| {
                let padded = format!(",,,,,,,,{text}");
                let last = padded.as_bytes().last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                Atom::from_word(last)
            })
            .collect();
        let lengths: Vec<u64> = texts.iter().map(|(_, length)| *length as u64).collect();
        let (mut one, mut other) = (words.clone(), words);
        let (good, also) = (convert(&mut one, &lengths), convert_each(&mut other, &lengths));
        one.truncate(good);
        other.truncate(also);
        [(good, one), (also, other)]
    }

    #[test]
    fn integers_are_converted_up_to_the_first_text_that_is_none() {
        let texts = ["0", "7", "42", "100", "99999999", "12345678", "1", "x", "3"];
        let [(good, atoms), _] = both(&texts.map(|text| (text.to_owned(), text.len())));
        let integers: Vec<_> = atoms.iter().filter_map(|atom| atom.as_integer()).collect();
        assert_eq!((good, integers), (7, vec![0, 7, 42, 100, 99_999_999, 12_345_678, 1]));
    }

    #[test]
    fn a_zero_that_leads_and_other_lengths_are_not_converted() {
        for (text, length) in [("07", 2), ("00", 2), ("", 0), ("123456789", 9), ("1", 1 << 40), ("-1", 2), ("1.5", 3)] {
            let texts = vec![(text.to_owned(), length); 5];
            assert_eq!(both(&texts).map(|(good, _)| good), [0, 0], "{text}");
        }
    }

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn four_at_once_are_as_one_by_one(texts in prop::collection::vec("([1-9][0-9]{0,7}|[0-9]{1,3}|[0-9a:/]{1,8})", 0..23)) {
            let texts: Vec<_> = texts.into_iter().map(|text| { let length = text.len(); (text, length) }).collect();
            let [one, other] = both(&texts);
            prop_assert_eq!(one, other);
        }
    }
}
