//! Sets that handlers speak of, as data: rows whose sets they are made of, and what belongs to them.

use crate::fo::code::key::{Slot, SlotKey};
use crate::fo::types::ViewId;

/// How many rows a set may be made of.
pub(crate) const ROWS: usize = 4;

/// A set of values, and the rows whose sets it is made of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SetUse {
    /// The rows.
    pub rows: Vec<(ViewId, SlotKey)>,
    /// What belongs to it.
    pub body: Belongs,
    /// The column, if what belongs to it is what is not among its values.
    pub lacks: Option<Column>,
}

/// What belongs to a set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Belongs {
    /// One value.
    Value(Slot),
    /// The values of a column in some rows.
    Column(Column),
    /// What belongs to the set of a row, by its place among the rows.
    OfRow(usize),
    /// What does not belong.
    Not(Box<Belongs>),
    /// What belongs to all.
    And(Vec<Belongs>),
    /// What belongs to one.
    Or(Vec<Belongs>),
}

/// The values of a column in rows that have some others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    /// The table.
    pub table: ViewId,
    /// The key, with [`HOLE`](crate::fo::code::key::HOLE) in the place of the column.
    pub key: SlotKey,
    /// The place of the column.
    pub column: usize,
    /// The index by which the rows are found; nothing for all rows.
    pub index: Option<(usize, SlotKey)>,
    /// Whether rows that do not count now, in a window, are meant as well.
    pub all: bool,
}

impl SetUse {
    /// A set that is made of the sets of some rows, and of others.
    pub(crate) fn new(rows: Vec<(ViewId, SlotKey)>, body: Belongs) -> SetUse {
        let mut inner = &body;
        while let Belongs::And(parts) | Belongs::Or(parts) = inner
            && let [part] = &parts[..]
        {
            inner = part;
        }
        let lacks = match inner {
            Belongs::Not(inner) => match &**inner {
                Belongs::Column(column) => Some(column.clone()),
                _ => None,
            },
            _ => None,
        };
        SetUse { rows, body, lacks }
    }

    /// All slots that it reads.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = self.rows.iter().flat_map(|(_, key)| key.slots()).collect();
        self.body.collect_slots(&mut slots);
        slots
    }
}

impl Belongs {
    fn collect_slots(&self, slots: &mut Vec<Slot>) {
        match self {
            Belongs::Value(slot) => slots.push(*slot),
            Belongs::Column(column) => slots.extend(column.key.slots()),
            Belongs::OfRow(_) => {}
            Belongs::Not(body) => body.collect_slots(slots),
            Belongs::And(parts) | Belongs::Or(parts) => parts.iter().for_each(|part| part.collect_slots(slots)),
        }
    }
}
