//! What many events share: a name, the names of fields, and which of these are wanted.

use std::sync::Arc;

/// An event name together with the names of the fields that follow, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The event's name.
    pub name: Arc<str>,
    /// The names of its fields; positional formats call them `1`, `2`, …. Many shapes share one list.
    pub fields: Arc<[Box<str>]>,
}

/// A dense number for a [`Shape`] of one [`Shapes`](crate::raw::Shapes) table.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
