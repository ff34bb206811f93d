//! Short texts and numbers, put behind a text without a call per copy.
//!
//! ```text
//!  out ─▶ …,"amount":"              a piece is copied in whole chunks, however short it is,
//!         …,"amount":"··········    and what is too much of the last one is taken back:
//!         …,"amount":"1234          the next text is written over it
//! ```
//!
//! A copy whose length is known when it is compiled is a few moves, one whose length is not is a call, and the call costs more
//! than the copy. An event is a dozen of texts of a few bytes, so that is most of what it costs.

/// How many bytes of a piece are copied at once.
const CHUNK: usize = 32;

/// A text that is written many times.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The text, and zeros up to a whole number of chunks.
    chunks: Box<[[u8; CHUNK]]>,
    /// How long the text is.
    length: usize,
}

impl Piece {
    pub(crate) fn new(text: &[u8]) -> Piece {
        let padded = |part: &[u8]| {
            let mut chunk = [0; CHUNK];
            chunk[..part.len()].copy_from_slice(part);
            chunk
        };
        Piece { chunks: text.chunks(CHUNK).map(padded).collect(), length: text.len() }
    }

    #[inline]
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        for chunk in &self.chunks {
            out.extend_from_slice(chunk);
        }
        out.truncate(end);
    }
}

/// Puts a text that is probably short.
#[inline]
pub(crate) fn put_short(out: &mut Vec<u8>, text: &[u8]) {
    match text.len() {
        8..=16 => put_ends::<8>(out, text),
        4..8 => put_ends::<4>(out, text),
        0..4 => text.iter().for_each(|&byte| out.push(byte)),
        _ => out.extend_from_slice(text),
    }
}

/// Puts a text of `N` to twice as many bytes: its first and its last `N`, which may overlap.
#[inline]
fn put_ends<const N: usize>(out: &mut Vec<u8>, text: &[u8]) {
    let (Some(first), Some(last)) = (text.first_chunk::<N>(), text.last_chunk::<N>()) else { return };
    let end = out.len() + text.len();
    out.extend_from_slice(first);
    out.truncate(end - N);
    out.extend_from_slice(last);
}

/// Puts a number.
#[inline]
pub(crate) fn put_integer(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    put_natural(out, number.unsigned_abs());
}

/// Puts a number of tenths, with one decimal place.
#[inline]
pub(crate) fn put_tenths(out: &mut Vec<u8>, tenths: i64) {
    if tenths < 0 {
        out.push(b'-');
    }
    let magnitude = tenths.unsigned_abs();
    put_natural(out, magnitude / 10);
    out.extend_from_slice(&[b'.', b'0' + (magnitude % 10) as u8]);
}

/// How many numbers have eight digits or fewer.
const EIGHT_DIGITS: u64 = 100_000_000;
/// One in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;
/// The character of the digit 0 in each byte.
const ZEROS: u64 = b'0' as u64 * EACH;

#[inline]
fn put_natural(out: &mut Vec<u8>, number: u64) {
    match number < EIGHT_DIGITS {
        true => put_few_digits(out, number),
        false => put_many_digits(out, number),
    }
}

fn put_many_digits(out: &mut Vec<u8>, number: u64) {
    put_natural(out, number / EIGHT_DIGITS);
    out.extend_from_slice(&(eight_digits(number % EIGHT_DIGITS) + ZEROS).to_le_bytes());
}

/// Puts a number of eight digits or fewer, without zeros at its front.
#[inline]
fn put_few_digits(out: &mut Vec<u8>, number: u64) {
    let digits = eight_digits(number);
    // Zero itself has one digit.
    let leading = (digits.trailing_zeros() / 8).min(7);
    let end = out.len() + 8 - leading as usize;
    out.extend_from_slice(&((digits + ZEROS) >> (8 * leading)).to_le_bytes());
    out.truncate(end);
}

/// The eight digits of a number, one to each byte, the first in the lowest.
///
/// The number is cut into halves of four digits, both into pairs, and all four into digits; each cut is a product with a
/// rounded reciprocal, which is exact for numbers so small.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let halves = (number / 10_000) | (number % 10_000) << 32;
    let hundreds = (halves * 10_486) >> 20 & 0x0000_007f_0000_007f;
    let pairs = hundreds | (halves - 100 * hundreds) << 16;
    let tens = (pairs * 103) >> 10 & 0x000f_000f_000f_000f;
    tens | (pairs - 10 * tens) << 8
}

/// Puts a hyphen and the twelve hexadecimal digits of the lower 48 bits of a number.
#[inline]
pub(crate) fn put_tag(out: &mut Vec<u8>, number: u64) {
    let mut text = [b'-'; 13];
    text[1..5].copy_from_slice(&hexadecimal(number >> 32)[4..]);
    text[5..].copy_from_slice(&hexadecimal(number));
    out.extend_from_slice(&text);
}

/// The eight digits of the lower half of a number, all at once: a digit to each byte, then what makes it a character.
#[inline]
fn hexadecimal(number: u64) -> [u8; 8] {
    let halves = (number & 0xffff_0000) << 16 | (number & 0xffff);
    let bytes = (halves << 8 | halves) & 0x00ff_00ff_00ff_00ff;
    let digits = (bytes << 4 | bytes) & (0x0f * EACH);
    let letters = (digits + 6 * EACH) >> 4 & EACH;
    (digits + ZEROS + letters * u64::from(b'a' - b'0' - 10)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is put behind a text that is there already.
    fn put(put: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut text = b"before ".to_vec();
        put(&mut text);
        String::from_utf8(text).expect("text").strip_prefix("before ").expect("what was there").to_owned()
    }

    #[test]
    fn texts_of_any_length_stay_as_they_are() {
        let long = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(4);
        for length in 0..long.len() {
            let text = &long[..length];
            assert_eq!(put(|out| put_short(out, text.as_bytes())), text);
            assert_eq!(put(|out| Piece::new(text.as_bytes()).put(out)), text);
        }
    }

    #[test]
    fn numbers_are_written_as_usual() {
        let powers = (0..19).map(|power| 10_i64.pow(power));
        let near = powers.flat_map(|power| [power - 1, power, power + 1, 3 * (power / 7), power / 3 * 2]);
        for number in near.chain([7, 12_345_678, 99_999_999, 1_234_567_890, i64::MAX, i64::MIN]) {
            for number in [number, number.wrapping_neg()] {
                assert_eq!(put(|out| put_integer(out, number)), number.to_string());
                let sign = if number < 0 { "-" } else { "" };
                let tenths = format!("{sign}{}.{}", number.unsigned_abs() / 10, number.unsigned_abs() % 10);
                assert_eq!(put(|out| put_tenths(out, number)), tenths);
            }
        }
        for number in (0..10_000).chain((0..EIGHT_DIGITS).step_by(9_973)) {
            assert_eq!(put(|out| put_natural(out, number)), number.to_string());
        }
    }

    #[test]
    fn tags_have_twelve_digits() {
        for number in [0, 1, 0x9abc_def0, 0x1234_5678, 0xffff_ffff, 0x0fed_cba9_8765, 0xffff_ffff_ffff, u64::MAX] {
            assert_eq!(put(|out| put_tag(out, number)), format!("-{:012x}", number & 0xffff_ffff_ffff));
        }
    }
}
