//! Texts that wait to be looked up together.
//!
//! ```text
//!   acq,thread-7,lock-3      thread-7  lock-3
//!   acq,thread-7,lock-4          ▲     lock-4        what the same column of the row before has waits already
//! ```

use super::cell::{Cell, Kept, short_text};

/// Texts that wait.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    pub(super) keys: Vec<Key>,
    /// The long ones of them.
    pub(super) bytes: Vec<u8>,
    /// Places of texts that wait already, and which of them they are.
    pub(super) repeats: Vec<(u32, u32)>,
    /// The newest text of each column, among those that wait.
    newest: [u32; COLUMNS],
}

/// In how many columns texts are compared with those before: the lines of most logs have fewer.
const COLUMNS: usize = 16;

/// A text that waits.
#[derive(Debug)]
pub(super) struct Key {
    pub cell: Cell,
    pub place: u32,
    /// Not known before the text is looked up, for whoever reads need not know how texts are hashed. Then it is the hash, and in the
    /// end the number.
    pub hash: u32,
}

impl Pending {
    /// Lets a text wait. Its number is told with `place` when it is known.
    #[inline]
    pub(crate) fn push(&mut self, text: &str, place: usize) {
        let cell = match Cell::short(text.as_bytes()) {
            Some(cell) => cell,
            None => Cell::long(self.keep(text), text.len()),
        };
        self.keys.push(Key { cell, place: place as u32, hash: 0 });
    }

    /// The same for a text in a column, in which it may follow itself.
    #[inline]
    pub(crate) fn push_in_column(&mut self, text: &str, place: usize, column: usize) {
        let Some(cell) = Cell::short(text.as_bytes()) else { return self.push_long_in_column(text, place, column) };
        let newest = &mut self.newest[column % COLUMNS];
        // Whatever waits there, it is the same text if the cells are the same.
        if self.keys.get(*newest as usize).is_some_and(|key| key.cell == cell) {
            self.repeats.push((place as u32, *newest));
        } else {
            *newest = self.keys.len() as u32;
            self.keys.push(Key { cell, place: place as u32, hash: 0 });
        }
    }

    #[inline(never)]
    fn push_long_in_column(&mut self, text: &str, place: usize, column: usize) {
        let newest = self.newest[column % COLUMNS];
        let waiting = self.keys.get(newest as usize).and_then(|key| key.cell.long_among(&self.bytes));
        if waiting == Some(text.as_bytes()) {
            self.repeats.push((place as u32, newest));
        } else {
            self.newest[column % COLUMNS] = self.keys.len() as u32;
            self.push(text, place);
        }
    }

    /// Keeps a long text; tells where. Not as a cell, which would have to be in memory then, short or long.
    #[inline(never)]
    fn keep(&mut self, text: &str) -> usize {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.len() - text.len()
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Tells every text and its place. Nothing waits afterwards.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(&str, usize)) {
        let repeats = self.repeats.iter().map(|(place, key)| (*place, &self.keys[*key as usize].cell));
        for (place, cell) in self.keys.iter().map(|key| (key.place, &key.cell)).chain(repeats) {
            let mut kept = Kept::default();
            cell.write(&mut kept);
            let text = cell.long_among(&self.bytes).or(short_text(&kept)).unwrap_or_default();
            each(std::str::from_utf8(text).expect("only texts wait"), place as usize);
        }
        self.clear();
    }

    /// Lets nothing wait.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.bytes.clear();
        self.repeats.clear();
    }

    /// How many bytes wait.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.keys.len() * size_of::<Key>() + self.repeats.len() * size_of::<(u32, u32)>()
    }
}
