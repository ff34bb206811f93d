//! Text on its way to an output, and what is quick to ask of short texts.

use std::io::{self, Write};

/// How many bytes are handed on together.
const FULL: usize = 64 * 1024;

/// Collects text and hands it on in large pieces: an output is asked rarely, whatever it is.
pub(super) struct Text<W> {
    out: W,
    waiting: Vec<u8>,
}

impl<W: Write> Text<W> {
    pub(super) fn new(out: W) -> Self {
        Text { out, waiting: Vec::with_capacity(FULL + FULL / 8) }
    }

    /// What waits, to write behind it.
    #[inline]
    pub(super) fn waiting(&mut self) -> &mut Vec<u8> {
        &mut self.waiting
    }

    /// Hands on what waits if that is much; to be called after each event.
    #[inline]
    pub(super) fn settle(&mut self) -> io::Result<()> {
        if self.waiting.len() < FULL { Ok(()) } else { self.hand_on() }
    }

    #[cold]
    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Hands on all that waits and flushes the output.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.hand_on()?;
        self.out.flush()
    }
}

/// A set of bytes.
#[derive(Debug)]
pub(super) struct Bytes([bool; 256]);

impl Bytes {
    /// The bytes of this text.
    pub(super) const fn of(listed: &[u8]) -> Bytes {
        let mut set = [false; 256];
        let mut index = 0;
        while index < listed.len() {
            set[listed[index] as usize] = true;
            index += 1;
        }
        Bytes(set)
    }

    /// These and the bytes from `first` to `last`.
    pub(super) const fn and(mut self, first: u8, last: u8) -> Bytes {
        let mut byte = first as usize;
        while byte <= last as usize {
            self.0[byte] = true;
            byte += 1;
        }
        self
    }

    /// Whether one of them is in a text.
    #[inline]
    pub(super) fn occur_in(&self, text: &str) -> bool {
        text.as_bytes().iter().any(|&byte| self.0[usize::from(byte)])
    }

    /// Whether a text consists of them.
    #[inline]
    pub(super) fn make_up(&self, text: &str) -> bool {
        text.as_bytes().iter().all(|&byte| self.0[usize::from(byte)])
    }
}
