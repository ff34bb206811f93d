//! Texts that wait to be looked up together.

use super::cell::{Cell, Kept, short_text};

/// Texts that wait.
#[derive(Debug, Default)]
pub struct Pending {
    pub(super) keys: Vec<Key>,
    /// The long ones of them.
    pub(super) bytes: Vec<u8>,
}

/// A text that waits.
#[derive(Debug)]
pub(super) struct Key {
    pub cell: Cell,
    pub place: u32,
    /// Not known before the text is looked up: whoever reads need not know how texts are hashed.
    pub hash: u32,
}

impl Pending {
    /// Lets a text wait. Its number is told with `place` when it is known.
    #[inline]
    pub fn push(&mut self, text: &str, place: usize) {
        let cell = match Cell::short(text.as_bytes()) {
            Some(cell) => cell,
            None => Cell::long(self.keep(text), text.len()),
        };
        self.keys.push(Key { cell, place: place as u32, hash: 0 });
    }

    /// Keeps a long text; tells where. Not as a cell, which would have to be in memory then, short or long.
    #[inline(never)]
    fn keep(&mut self, text: &str) -> usize {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.len() - text.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Tells every text and its place. Nothing waits afterwards.
    pub fn drain(&mut self, mut each: impl FnMut(&str, usize)) {
        for key in self.keys.drain(..) {
            let mut kept = Kept::default();
            key.cell.write(&mut kept);
            let text = key.cell.long_among(&self.bytes).or(short_text(&kept)).unwrap_or_default();
            each(std::str::from_utf8(text).expect("only texts wait"), key.place as usize);
        }
        self.bytes.clear();
    }

    /// How many bytes wait.
    #[inline]
    pub fn size(&self) -> usize {
        self.bytes.len() + self.keys.len() * size_of::<Key>()
    }
}
