//! Concrete events: what a format says, before any mapping.
//!
//! ```text
//!  text block ─▶ Decoder ─▶ RawEvent { shape, values } ─▶ RawSink
//! ```
//!
//! Logs repeat themselves: thousands of events carry the same name and the same field names in the same order. That
//! pair is a [`Shape`]. A decoder finds the shape of an event and hands over only the values; whoever listens works out
//! once per shape what it wants of such an event, never once per event.

mod integers;

use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::error::Flow;
pub use integers::IntegerRows;
pub(crate) use integers::RowHead;
pub(crate) use integers::Unused;

/// An event name together with the names of the fields that follow, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The event's name.
    pub name: Box<str>,
    /// The names of its fields; positional formats call them `1`, `2`, ….
    pub fields: Box<[Box<str>]>,
}

/// A dense number for a [`Shape`] of one [`Shapes`] table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

impl ShapeId {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which fields of a shape are wanted; the others need not be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want(u64);

impl Want {
    /// Every field.
    pub const ALL: Want = Want(u64::MAX);
    /// No field: only that the event happened.
    pub const NONE: Want = Want(0);

    /// The fields at these positions; from position 63 on all are wanted if one is.
    pub fn fields(positions: impl IntoIterator<Item = usize>) -> Want {
        Want(positions.into_iter().fold(0, |bits, position| bits | 1 << position.min(63)))
    }

    /// The fields that either wants.
    #[must_use]
    pub fn or(self, other: Want) -> Want {
        Want(self.0 | other.0)
    }

    /// The fields that both want.
    #[must_use]
    pub fn and(self, other: Want) -> Want {
        Want(self.0 & other.0)
    }

    /// The fields that this one wants and another does not.
    #[must_use]
    pub fn without(self, other: Want) -> Want {
        Want(self.0 & !other.0)
    }

    /// Whether the field at `position` is wanted.
    #[inline]
    pub fn has(self, position: usize) -> bool {
        self.0 >> position.min(63) & 1 == 1
    }

    /// The fields as bits, from the first on.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// Whether nothing is wanted.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// One event as the file has it.
#[derive(Debug, Clone, Copy)]
pub struct RawEvent<'a> {
    /// Its shape, announced to the sink before.
    pub shape: ShapeId,
    /// One text per field of the shape, unescaped; unspecified for fields that are not wanted.
    pub values: &'a [&'a str],
    /// Where the event starts, in bytes from the start of the block.
    pub offset: usize,
}

/// How rows of a shape come in bulk.
#[derive(Debug, Clone, Copy)]
pub struct Bulk {
    /// By which shape they are called.
    pub shape: ShapeId,
    /// Which of their cells are read.
    pub want: Want,
    /// Which of these may be short texts; the others are integers.
    pub texts: Want,
}

/// Receives what a decoder finds, in the order of the file.
pub trait RawSink {
    /// Whether events of some shapes may come by [`RawSink::integers`].
    const TAKES_INTEGERS: bool = false;

    /// A shape comes for the first time. The answer holds for all its events.
    fn shape(&mut self, id: ShapeId, shape: &Shape) -> Want;

    /// An event.
    fn event(&mut self, event: RawEvent<'_>) -> Flow;

    /// How rows of a known shape come by [`RawSink::integers`]; nothing if they must come one by one. The answer holds for all
    /// its events.
    fn takes_integers(&mut self, _shape: ShapeId) -> Option<Bulk> {
        None
    }

    /// Events of shapes that may come so, in order. Nothing is left of them in `rows`.
    fn integers(&mut self, rows: &mut IntegerRows) -> Flow {
        rows.clear();
        Ok(())
    }

    /// The last of the events that came by [`RawSink::integers`] just now, as it is written, if some of its cells are not read.
    fn last_of_integers(&mut self, _shape: ShapeId, _values: &[&str]) {}

    /// Opens a time point that is explicit in the format (monpoly's `@ts`). Until the next one, all events belong to it.
    fn point(&mut self, time: &str, offset: usize) -> Flow;
}

/// All shapes seen, with their dense numbers.
///
/// The table outlives a decoder: several files are one trace and share it.
#[derive(Debug, Default)]
pub struct Shapes {
    all: Vec<(Shape, Want)>,
    index: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
}

impl Shapes {
    /// No shapes yet.
    pub fn new() -> Self {
        Shapes::default()
    }

    /// The shape with this name and these fields; a new one is announced to `sink`.
    ///
    /// Costs a hash of all names. A decoder remembers the last answer and compares before it asks.
    pub fn find<S: RawSink>(&mut self, name: &str, fields: &[&str], sink: &mut S) -> ShapeId {
        let hash = self.hasher.hash_one((name, fields));
        let same = |shape: &Shape| {
            *shape.name == *name
                && shape.fields.len() == fields.len()
                && shape.fields.iter().zip(fields).all(|(a, b)| **a == **b)
        };
        if let Some(id) = self.index.find(hash, |&id| same(&self.all[id as usize].0)) {
            return ShapeId(*id);
        }
        let shape = Shape { name: name.into(), fields: fields.iter().map(|&field| field.into()).collect() };
        let id = u32::try_from(self.all.len()).expect("fewer than four billion shapes fit in memory");
        let want = sink.shape(ShapeId(id), &shape);
        self.all.push((shape, want));
        let (all, hasher) = (&self.all, &self.hasher);
        self.index.insert_unique(hash, id, |&id| {
            let shape = &all[id as usize].0;
            let fields: Vec<&str> = shape.fields.iter().map(|field| &**field).collect();
            hasher.hash_one((&*shape.name, fields.as_slice()))
        });
        ShapeId(id)
    }

    /// A shape by its number.
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.index()].0
    }

    /// What the sink wants of a shape.
    #[inline]
    pub fn want(&self, id: ShapeId) -> Want {
        self.all[id.index()].1
    }

    /// How many shapes there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is no shape yet.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
