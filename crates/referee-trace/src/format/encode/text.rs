//! Text on its way to an output, and what is quick to ask of short texts.

use std::io::{self, Write};

/// How many bytes are handed on together.
const FULL: usize = 64 * 1024;

/// Collects text and hands it on in large pieces: an output is asked rarely, whatever it is.
pub(crate) struct Text<W> {
    out: W,
    waiting: Vec<u8>,
}

impl<W: Write> Text<W> {
    pub(crate) fn new(out: W) -> Self {
        Text { out, waiting: Vec::with_capacity(FULL + FULL / 8) }
    }

    /// What waits, to write behind it.
    #[inline]
    pub(crate) fn waiting(&mut self) -> &mut Vec<u8> {
        &mut self.waiting
    }

    /// Hands on what waits if that is much; to be called after each event.
    #[inline]
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        if self.waiting.len() < FULL { Ok(()) } else { self.hand_on() }
    }

    #[cold]
    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Hands on all that waits and flushes the output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.hand_on()?;
        self.out.flush()
    }
}

/// Whether a text has letters, digits, `-` and `_` of ASCII only, and at least one: no format minds any of these anywhere.
///
/// Long texts are looked at in pieces of sixteen or eight bytes, the last of which may overlap the one before it: the compiler
/// makes a few vector instructions of a piece.
#[inline]
pub(crate) fn is_harmless(text: &str) -> bool {
    let bytes = text.as_bytes();
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        if bytes.len() <= 16 {
            return all_harmless(first) & all_harmless(last);
        }
        let (pieces, _) = bytes.as_chunks::<16>();
        return pieces.iter().all(all_harmless) && bytes.last_chunk::<16>().is_some_and(all_harmless);
    }
    !bytes.is_empty() && bytes.iter().all(|&byte| harmless(byte))
}

#[inline]
fn all_harmless<const N: usize>(bytes: &[u8; N]) -> bool {
    bytes.iter().fold(true, |all, &byte| all & harmless(byte))
}

#[inline]
fn harmless(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    is_letter | is_digit | (byte == b'-') | (byte == b'_')
}

/// A set of bytes.
#[derive(Debug)]
pub(crate) struct ByteSet([bool; 256]);

impl ByteSet {
    /// The bytes of this text.
    pub(crate) const fn of(listed: &[u8]) -> ByteSet {
        let mut set = [false; 256];
        let mut index = 0;
        while index < listed.len() {
            set[listed[index] as usize] = true;
            index += 1;
        }
        ByteSet(set)
    }

    /// These and the bytes from `first` to `last`.
    pub(crate) const fn and(mut self, first: u8, last: u8) -> ByteSet {
        let mut byte = first as usize;
        while byte <= last as usize {
            self.0[byte] = true;
            byte += 1;
        }
        self
    }

    /// Whether one of them is in a text.
    #[inline]
    pub(crate) fn occur_in(&self, text: &str) -> bool {
        text.as_bytes().iter().any(|&byte| self.0[usize::from(byte)])
    }

    /// Whether a text consists of them.
    #[inline]
    pub(crate) fn make_up(&self, text: &str) -> bool {
        text.as_bytes().iter().all(|&byte| self.0[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_is_noticed_wherever_it_stands() {
        assert!(!is_harmless(""));
        for length in 1..70 {
            let text = "a-Z_09z".repeat(10)[..length].to_owned();
            assert!(is_harmless(&text), "{text}");
            for place in 0..length {
                for other in [" ", "\0", "/", ":", "@", "[", "`", "{", "\x7f", ".", "é"] {
                    let mut text = text.clone();
                    text.replace_range(place..=place, other);
                    assert!(!is_harmless(&text), "{text}");
                }
            }
        }
    }
}
