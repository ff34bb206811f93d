//! Finds where plain text ends, eight bytes at a time.
//!
//! Values are short: setting up a vector search costs more than it saves. A word of eight bytes is compared with each
//! special byte by arithmetic on all its bytes at once. Such a comparison may mark bytes above the first special one
//! by mistake, never below it, so the lowest mark is right.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Marks the bytes of `word` that are `byte`.
#[inline(always)]
fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & HIGHS
}

/// Marks the bytes of `word` that are control characters.
#[inline(always)]
fn control(word: u64) -> u64 {
    below(word, 0x20)
}

/// Marks the bytes of `word` that are less than `byte`, which is ASCII.
#[inline(always)]
fn below(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(byte)) & !word & HIGHS
}

/// The first offset from `at` on whose byte `marks` marks; the length of `bytes` if there is none.
#[inline(always)]
fn first(bytes: &[u8], mut at: usize, marks: impl Fn(u64) -> u64) -> usize {
    while let Some(&chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let found = marks(u64::from_le_bytes(chunk));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    // The rest is padded with what is not special anywhere.
    let rest = bytes.get(at..).unwrap_or_default();
    let mut chunk = [b'.'; 8];
    chunk[..rest.len()].copy_from_slice(rest);
    let found = marks(u64::from_le_bytes(chunk));
    if found == 0 { bytes.len() } else { at + found.trailing_zeros() as usize / 8 }
}

/// The end of the characters, from `at` on, that stand for themselves in a JSON string.
#[inline]
pub(crate) fn json_string_end(bytes: &[u8], at: usize) -> usize {
    first(bytes, at, |word| equal(word, b'"') | equal(word, b'\\') | control(word))
}

/// The end of the characters, from `at` on, that certainly stand for themselves in XML text.
///
/// Stops at `<` and `&`, at `]`, which may begin `]]>`, at control characters, which are line ends or forbidden, and at
/// the byte 0xEF, with which the forbidden U+FFFE and U+FFFF begin.
#[inline]
pub(crate) fn xml_text_end(bytes: &[u8], at: usize) -> usize {
    first(bytes, at, |word| {
        equal(word, b'<') | equal(word, b'&') | equal(word, b']') | equal(word, 0xEF) | control(word)
    })
}

/// The end of the characters, from `at` on, that are part of one cell of comma-separated values whatever is around them: stops at
/// commas, quotes, blanks and control characters.
#[inline]
pub(crate) fn cell_end(bytes: &[u8], at: usize) -> usize {
    first(bytes, at, |word| equal(word, b',') | equal(word, b'"') | below(word, b'!'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use referee_testing::properties;

    proptest! {
        #![proptest_config(properties(256))]

        #[test]
        fn agrees_with_a_search_byte_by_byte(bytes in prop::collection::vec(any::<u8>(), 0..40), at in 0usize..40) {
            let at = at.min(bytes.len());
            let json = |&byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
            let xml = |&byte: &u8| matches!(byte, b'<' | b'&' | b']' | 0xEF | 0..0x20);
            let cell = |&byte: &u8| matches!(byte, b',' | b'"' | 0..=b' ');
            let first = |special: &dyn Fn(&u8) -> bool| {
                bytes[at..].iter().position(special).map_or(bytes.len(), |distance| at + distance)
            };
            prop_assert_eq!(json_string_end(&bytes, at), first(&json));
            prop_assert_eq!(xml_text_end(&bytes, at), first(&xml));
            prop_assert_eq!(cell_end(&bytes, at), first(&cell));
        }
    }
}
