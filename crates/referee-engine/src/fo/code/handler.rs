//! Handlers: what happens at a point, as straight code over slots.
//!
//! ```text
//!   access(u,f) ─▶ 0  probe table 0 by slot 0, there: on at 2
//!                  1  report u, f
//!                  2  probe table 1 by slot 1, there: on at 4
//!                  3  report u, f
//!   frame           │ arguments of the event │ registers of scans │ constants │
//! ```
//!
//! A shape of events has one handler, made when the shape comes first: where the event's arguments are, which patterns it can match,
//! and that nothing else happens at the point is known then, so most of what a plan asks is decided before any event comes (see
//! [`crate::fo::code::codegen`]). What the code does not cover stays with the unit's plans, as a whole: the handler pauses, and the
//! program runs the unit. **A handler does what the units that it stands for would do.**
//!
//! A handler is data: its instructions, and what they name by number. The executor of `fo/run` runs it.

use referee_spec::core::Comparison;

use crate::fo::code::instruction::{Bytecode, Op};
use crate::fo::code::key::{REGISTER, Slot, SlotKey};
use crate::fo::code::set_use::SetUse;
use crate::fo::types::ViewId;

/// What happens at a point with one event of a shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Handler {
    /// The instructions.
    pub ops: Vec<Op>,
    /// The same as they are run, once all is finished.
    pub bytecode: Vec<Bytecode>,
    /// The memory that its events will need.
    pub prefetches: Vec<Prefetch>,
    /// The scans.
    pub scans: Vec<Scan>,
    /// The pairs of stamps.
    pub stamps: Vec<StampPair>,
    /// The goals that something has to come before.
    pub relays: Vec<RelayUse>,
    /// The sets that rows may grow by, or that may be empty.
    pub sets: Vec<SetUse>,
    /// The rows that have changed, and are gone through.
    pub changes: Vec<ChangeScan>,
    /// What the events of the point look like that are asked for.
    pub event_queries: Vec<EventQuery>,
    /// Views of which one must have changed.
    pub watched: Vec<Vec<ViewId>>,
    /// The check and the slot of each binding.
    pub reports: Vec<(usize, Vec<Option<Slot>>)>,
}

impl Handler {
    /// Whether it may find a violation, or leaves something to others.
    pub(crate) fn tells(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Report { .. } | Op::Settle { .. } | Op::RunUnit { .. }))
    }

    /// The arguments of the event that it reads, if it does all by itself.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = usize> {
        let mut slots: Vec<Slot> = self.ops.iter().flat_map(Op::slots).collect();
        slots.extend(self.event_queries.iter().flat_map(|query| query.equals.iter().map(|(_, slot)| *slot)));
        for scan in &self.scans {
            slots.extend(scan.index.iter().flat_map(|(_, key)| key.slots()));
            slots.extend(scan.key.iter().flat_map(|key| key.slots()));
            slots.extend(scan.older.iter().flat_map(|older| older.last.1.slots()));
            slots.extend(scan.equals.iter().map(|(_, slot)| *slot).chain(scan.member));
            slots.extend(scan.bound.iter().map(|bound| bound.slot));
        }
        slots.extend(self.stamps.iter().flat_map(|pair| pair.last.1.slots().chain(pair.first.1.slots())));
        slots.extend(self.sets.iter().flat_map(SetUse::slots));
        slots.extend(self.relays.iter().flat_map(|relay| relay.key.slots().chain(relay.before.1.slots())));
        slots.into_iter().map(usize::from).filter(|slot| *slot < REGISTER)
    }
}

/// Rows that a handler goes through.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scan {
    /// The table.
    pub table: ViewId,
    /// The index by which rows are found, and the values to look for; nothing for all rows.
    pub index: Option<(usize, SlotKey)>,
    /// The key, if all of it is known.
    pub key: Option<SlotKey>,
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
    /// A column, and the check whose report bound its integers must not be above: what is, would be reported too late.
    pub report_bound: Option<(usize, usize)>,
    /// How a column of the rows that matter compares, if an index keeps ranges of it.
    pub bound: Option<ScanBound>,
    /// Whether every row that it comes by is one it looks for.
    pub takes_all: bool,
    /// Where the place of the scan is kept.
    pub cursor: usize,
}

/// How a column compares with a slot, or does not.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScanBound {
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
pub(crate) struct Older {
    /// The row with the last stamp.
    pub last: (ViewId, SlotKey),
    /// Whether a row counts from the point after its stamp.
    pub delayed: bool,
    /// A table with some columns of the row as its key: once such a row is there, this one is never asked for again.
    pub unless: Option<(ViewId, Vec<usize>)>,
}

/// Two rows whose stamps are compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StampPair {
    /// The row with the last stamp.
    pub last: (ViewId, SlotKey),
    /// The row with the first stamp.
    pub first: (ViewId, SlotKey),
    /// Whether the first counts from the point after its stamp.
    pub delayed: bool,
}

/// What an event of the point looks like, where a handler asks whether there is one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EventQuery {
    /// The pattern.
    pub pattern: usize,
    /// The arguments of the pattern that must be equal to slots.
    pub equals: Vec<(usize, Slot)>,
}

/// A row of a demand whose goal is reached, and the row with the last point of what had to come before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RelayUse {
    /// The demand.
    pub demand: usize,
    /// The key of the row.
    pub key: SlotKey,
    /// What had to come before.
    pub before: (ViewId, SlotKey),
}

/// Rows of a view that have changed at this point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangeScan {
    /// The view.
    pub view: ViewId,
    /// How many words are noted per row.
    pub width: usize,
    /// Columns that are stored in slots.
    pub binds: Vec<(usize, Slot)>,
    /// Columns that must be equal to slots, once the others are stored.
    pub equals: Vec<(usize, Slot)>,
}

/// Memory that an event will need, by its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prefetch {
    /// The table.
    pub table: ViewId,
    /// The key, of arguments alone.
    pub key: SlotKey,
    /// What of the table.
    pub part: PrefetchPart,
}

/// What an event needs of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PrefetchPart {
    /// The row with a key.
    Row,
    /// The same, and it comes or goes.
    ChangedRow,
    /// The group of an index with some values.
    Group(usize),
}
