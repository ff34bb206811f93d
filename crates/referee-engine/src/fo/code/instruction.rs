//! The instructions of handlers, and what they name: slots, keys and rows to go through.
//!
//! ```text
//!   frame    │ arguments of the event │ registers of scans │ constants │
//!   key      slots of the frame, whose words are looked up
//! ```

use crate::fo::types::ViewId;
use referee_spec::core::Comparison;

/// How many slots a frame has: as many as a byte can name, so that no access has to be checked.
pub const SLOTS: usize = 256;
/// Where the registers begin, behind the arguments of the event.
pub const REGISTER: usize = 64;
/// Where the constants begin.
pub const CONSTANT: usize = 96;
/// The slot of a value that may belong to a set.
pub const HOLE: Slot = 255;
/// How many scans a handler may have, of tables and of what has changed.
pub const CURSORS: usize = 16;
/// Where the program decides what an instruction cannot.
pub const ASKS: u32 = u32::MAX;

/// A word of the frame.
pub type Slot = u8;

/// The words that a handler works on.
pub type Frame = [u64; SLOTS];

/// The slots of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
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

impl Key {
    /// The key of some slots, if they are not too many.
    pub fn new(slots: &[Slot]) -> Option<Key> {
        Some(match *slots {
            [] => Key::None,
            [one] => Key::One(one),
            [one, two] => Key::Two(one, two),
            [one, two, three] => Key::Three(one, two, three),
            ref more => {
                let mut all = [0; 6];
                all.get_mut(..more.len())?.copy_from_slice(more);
                Key::More(more.len() as u8, all)
            }
        })
    }

    /// The slots, in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        let (len, slots) = match *self {
            Key::None => (0, [0; 6]),
            Key::One(one) => (1, [one, 0, 0, 0, 0, 0]),
            Key::Two(one, two) => (2, [one, two, 0, 0, 0, 0]),
            Key::Three(one, two, three) => (3, [one, two, three, 0, 0, 0]),
            Key::More(len, slots) => (len as usize, slots),
        };
        slots.into_iter().take(len)
    }

    /// The same key with another slot in the place of one.
    pub fn with_slot(&self, old: Slot, new: Slot) -> Key {
        let slot = |slot: Slot| if slot == old { new } else { slot };
        match *self {
            Key::None => Key::None,
            Key::One(one) => Key::One(slot(one)),
            Key::Two(one, two) => Key::Two(slot(one), slot(two)),
            Key::Three(one, two, three) => Key::Three(slot(one), slot(two), slot(three)),
            Key::More(len, slots) => Key::More(len, slots.map(slot)),
        }
    }

    /// Calls `then` with the words of the key.
    #[inline(always)]
    pub fn with<R>(self, frame: &Frame, then: impl Fn(&[u64]) -> R) -> R {
        self.with_words(|slot| frame[slot as usize], then)
    }

    /// The same with a value in the place of the slot [`HOLE`].
    #[inline(always)]
    pub fn with_hole<R>(self, frame: &Frame, value: u64, then: impl Fn(&[u64]) -> R) -> R {
        self.with_words(|slot| if slot == HOLE { value } else { frame[slot as usize] }, then)
    }

    /// Calls `then` with the words of the key's slots.
    #[inline(always)]
    pub fn with_words<R>(self, word: impl Fn(Slot) -> u64, then: impl Fn(&[u64]) -> R) -> R {
        match self {
            Key::None => then(&[]),
            Key::One(one) => then(&[word(one)]),
            Key::Two(one, two) => then(&[word(one), word(two)]),
            Key::Three(one, two, three) => then(&[word(one), word(two), word(three)]),
            Key::More(len, slots) => then(&slots.map(word)[..len as usize]),
        }
    }
}

/// One instruction. `to` is where the handler goes on if the test fails, or if there is no row.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Two words are the same, or not.
    Equal { one: Slot, other: Slot, same: bool, to: u32 },
    /// Two integers compare, or do not. What is no integer is left to the unit, or to the program if `otherwise` is [`ASKS`].
    Order { how: Comparison, left: Slot, right: Slot, there: bool, to: u32, otherwise: u32 },
    /// A row is there, or not, whether or not it counts now where `all` says so.
    Probe { table: u32, key: Key, there: bool, all: bool, to: u32 },
    /// The same of a row that counts whenever it is there, and that is noted: the handler will make it or take it out.
    Find { table: u32, key: Key, there: bool, to: u32 },
    /// A row that is not there yet comes, and the handler goes on elsewhere; if it is there, it is noted.
    FindOrMake { table: u32, key: Key, to: u32 },
    /// A row that is there goes, and the handler goes on elsewhere.
    FindAndBreak { table: u32, key: Key, to: u32 },
    /// A row is there and a value belongs to its set, or not.
    Member { table: u32, key: Key, value: Slot, there: bool, to: u32 },
    /// The stamps of two rows compare, or do not; see `Handler::stamps`.
    Stamps { pair: u32, there: bool, to: u32 },
    /// The first row of a scan.
    Scan { scan: u32, to: u32 },
    /// The next row of a scan, and back to its body.
    Next { scan: u32, body: u32, to: u32 },
    /// The first row of a group, all of which are gone through, and one of its columns.
    Walk { table: u32, index: u8, values: Key, column: u8, slot: Slot, cursor: u8, to: u32 },
    /// The next one, and back to the body.
    WalkOn { table: u32, index: u8, column: u8, slot: Slot, cursor: u8, body: u32, to: u32 },
    /// The set of a row grows by what belongs to another one; see `Handler::sets`.
    Grow { view: u32, key: Key, set: u32 },
    /// Something belongs to a set, or nothing does.
    Inhabited { set: u32, there: bool, to: u32 },
    /// The first row of a view that has changed at this point; see `Handler::changes`.
    FirstChange { scan: u32, view: u32, to: u32 },
    /// The next one, and back to the body.
    NextChange { scan: u32, body: u32, to: u32 },
    /// Some event of the point looks so, or none does; see `Handler::asked`.
    Ask { asked: u32, there: bool, to: u32 },
    /// A view has changed at this point; see `Handler::watched`.
    Changed { views: u32, to: u32 },
    /// A table has some row.
    Filled { table: u32, to: u32 },
    /// Goes on elsewhere.
    Jump(u32),
    /// Time passes in a window.
    Advance(u32),
    /// A row comes.
    Make { view: u32, key: Key },
    /// The row comes that was noted to be there or not.
    MakeFound { view: u32, key: Key },
    /// A row comes that is known not to be there.
    MakeNew { view: u32, key: Key },
    /// A witness comes to a window that is joined when it is asked for.
    Join { view: u32, key: Key },
    /// A window that is joined when it is asked for has a row, or not.
    Joined { view: u32, key: Key, there: bool, to: u32 },
    /// A row goes.
    Break { view: u32, key: Key },
    /// The row goes that was noted, if there was one.
    BreakFound { view: u32, key: Key },
    /// A row will go: its view is being gone through.
    Doom { key: Key },
    /// The rows go that will.
    BreakDoomed { view: u32 },
    /// Time passes for a demand on the future.
    Pass(u32),
    /// The goal of a row of a demand is reached.
    Meet { demand: u32, key: Key },
    /// The goal is reached, and something had to come before it; see `Handler::relays`.
    Relay(u32),
    /// What must hold of a row of a demand fails.
    Fail { demand: u32, key: Key },
    /// A row of a demand is opened.
    Open { demand: u32, key: Key },
    /// A row of a demand is violated as it is opened.
    BreakAtOnce { demand: u32, key: Key },
    /// What was found out about a demand is told, and what is settled goes.
    Settle(u32),
    /// A violation is found; see `Handler::reports`.
    Report(u32),
    /// A unit is run by its plans, by its place among those that the shape sets off.
    Unit(u32),
}

impl Op {
    /// Whether it is about demands on the future.
    #[inline(always)]
    pub(crate) fn is_about_demands(&self) -> bool {
        matches!(self, Op::Pass(_) | Op::Meet { .. } | Op::Relay(_) | Op::Fail { .. })
            || matches!(self, Op::Open { .. } | Op::BreakAtOnce { .. } | Op::Settle(_))
    }
}

/// Rows that a handler goes through.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// The table.
    pub table: ViewId,
    /// The index by which rows are found, and the values to look for; nothing for all rows.
    pub index: Option<(usize, Key)>,
    /// The key, if all of it is known.
    pub key: Option<Key>,
    /// Columns that must be equal to slots.
    pub equals: Vec<(usize, Slot)>,
    /// Columns that are stored in slots.
    pub binds: Vec<(usize, Slot)>,
    /// The value that must belong to the row's set.
    pub member: Option<Slot>,
    /// Whether rows that do not count now, in a window, are meant as well.
    pub all: bool,
    /// Rows that are not younger than another one only.
    pub older: Option<Older>,
    /// A column, and the check whose bar its integers must not be above: what is, would be reported too late.
    pub bar: Option<(usize, usize)>,
    /// How a column of the rows that matter compares, if an index keeps ranges of it.
    pub bound: Option<Bound>,
    /// Whether every row that it comes by is one it looks for.
    pub takes_all: bool,
    /// Where the place of the scan is kept.
    pub cursor: usize,
}

/// How a column compares with a slot, or does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The column.
    pub column: usize,
    /// How.
    pub how: Comparison,
    /// The slot.
    pub slot: Slot,
    /// Whether it compares so.
    pub there: bool,
}

/// Which rows are old enough.
#[derive(Debug, Clone, PartialEq)]
pub struct Older {
    /// The row with the last stamp.
    pub last: (ViewId, Key),
    /// Whether a row counts from the point after its stamp.
    pub delayed: bool,
    /// A table with some columns of the row as its key: once such a row is there, this one is never asked for again.
    pub unless: Option<(ViewId, Vec<usize>)>,
}

/// Two rows whose stamps are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct StampPair {
    /// The row with the last stamp.
    pub last: (ViewId, Key),
    /// The row with the first stamp.
    pub first: (ViewId, Key),
    /// Whether the first counts from the point after its stamp.
    pub delayed: bool,
}

/// What an event looks like that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The pattern.
    pub pattern: usize,
    /// The arguments of the pattern that must be equal to slots.
    pub equals: Vec<(usize, Slot)>,
}

/// A row of a demand whose goal is reached, and the row with the last point of what had to come before it.
#[derive(Debug, Clone, PartialEq)]
pub struct RelayUse {
    /// The demand.
    pub demand: usize,
    /// The key of the row.
    pub key: Key,
    /// What had to come before.
    pub before: (ViewId, Key),
}

/// Rows of a view that have changed at this point.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeScan {
    /// The view.
    pub view: ViewId,
    /// How many words are noted per row.
    pub width: usize,
    /// Columns that are stored in slots.
    pub binds: Vec<(usize, Slot)>,
    /// Columns that must be equal to slots, once the others are stored.
    pub equals: Vec<(usize, Slot)>,
}
