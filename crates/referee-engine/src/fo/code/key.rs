//! The words that handlers work on, and the keys that are made of them.
//!
//! ```text
//!   frame    │ arguments of the event │ registers of scans │ constants │
//!   key      slots of the frame, whose words are looked up
//! ```

/// How many slots a frame has: as many as a byte can name, so that no access has to be checked.
pub(crate) const SLOTS: usize = 256;
/// Where the registers begin, behind the arguments of the event.
pub(crate) const REGISTER: usize = 64;
/// Where the constants begin.
pub(crate) const CONSTANT: usize = 96;
/// The slot of a value that may belong to a set.
pub(crate) const HOLE: Slot = 255;
/// How many scans a handler may have, of tables and of what has changed.
pub(crate) const CURSORS: usize = 16;

/// A word of the frame.
pub(crate) type Slot = u8;

/// The words that a handler works on.
pub(crate) type Frame = [u64; SLOTS];

/// The slots of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotKey {
    /// No column.
    None,
    /// One column.
    One(Slot),
    /// Two columns.
    Two(Slot, Slot),
    /// Three columns.
    Three(Slot, Slot, Slot),
    /// So many columns.
    More(u8, [Slot; 6]),
}

impl SlotKey {
    /// The key of some slots, if they are not too many.
    pub(crate) fn new(slots: &[Slot]) -> Option<SlotKey> {
        Some(match *slots {
            [] => SlotKey::None,
            [one] => SlotKey::One(one),
            [one, two] => SlotKey::Two(one, two),
            [one, two, three] => SlotKey::Three(one, two, three),
            ref more => {
                let mut all = [0; 6];
                all.get_mut(..more.len())?.copy_from_slice(more);
                SlotKey::More(more.len() as u8, all)
            }
        })
    }

    /// The slots, in order.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let (len, slots) = match *self {
            SlotKey::None => (0, [0; 6]),
            SlotKey::One(one) => (1, [one, 0, 0, 0, 0, 0]),
            SlotKey::Two(one, two) => (2, [one, two, 0, 0, 0, 0]),
            SlotKey::Three(one, two, three) => (3, [one, two, three, 0, 0, 0]),
            SlotKey::More(len, slots) => (len as usize, slots),
        };
        slots.into_iter().take(len)
    }

    /// The same key with another slot in the place of one.
    pub(crate) fn with_slot(&self, old: Slot, new: Slot) -> SlotKey {
        let slot = |slot: Slot| if slot == old { new } else { slot };
        match *self {
            SlotKey::None => SlotKey::None,
            SlotKey::One(one) => SlotKey::One(slot(one)),
            SlotKey::Two(one, two) => SlotKey::Two(slot(one), slot(two)),
            SlotKey::Three(one, two, three) => SlotKey::Three(slot(one), slot(two), slot(three)),
            SlotKey::More(len, slots) => SlotKey::More(len, slots.map(slot)),
        }
    }

    /// Calls `then` with the words of the key.
    #[inline(always)]
    pub(crate) fn with<R>(self, frame: &Frame, then: impl Fn(&[u64]) -> R) -> R {
        self.with_words(|slot| frame[slot as usize], then)
    }

    /// The same with a value in the place of the slot [`HOLE`].
    #[inline(always)]
    pub(crate) fn with_hole<R>(self, frame: &Frame, value: u64, then: impl Fn(&[u64]) -> R) -> R {
        self.with_words(|slot| if slot == HOLE { value } else { frame[slot as usize] }, then)
    }

    /// Calls `then` with the words of the key's slots.
    #[inline(always)]
    pub(crate) fn with_words<R>(self, word: impl Fn(Slot) -> u64, then: impl Fn(&[u64]) -> R) -> R {
        match self {
            SlotKey::None => then(&[]),
            SlotKey::One(one) => then(&[word(one)]),
            SlotKey::Two(one, two) => then(&[word(one), word(two)]),
            SlotKey::Three(one, two, three) => then(&[word(one), word(two), word(three)]),
            SlotKey::More(len, slots) => then(&slots.map(word)[..len as usize]),
        }
    }
}
