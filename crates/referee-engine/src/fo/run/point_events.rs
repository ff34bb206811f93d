//! The events of one point as words, and what programs know of their shapes.

use std::sync::Arc;

use referee_trace::value::Value;

use crate::fo::code::codegen::Places;
use crate::fo::types::REGISTERS;

/// The registers of a unit.
pub(super) type Registers = [u64; REGISTERS];

/// The events of one point.
#[derive(Debug, Clone, Default)]
pub(super) struct PointEvents {
    shapes: Vec<u32>,
    ends: Vec<u32>,
    words: Vec<u64>,
}

impl PointEvents {
    /// Forgets all events.
    pub(super) fn clear(&mut self) {
        self.shapes.clear();
        self.ends.clear();
        self.words.clear();
    }

    /// Adds an event.
    #[inline]
    pub(super) fn push(&mut self, shape: u32, words: impl Iterator<Item = u64>) {
        self.shapes.push(shape);
        self.words.extend(words);
        self.ends.push(self.words.len() as u32);
    }

    /// Takes all events of a point instead: shapes and where the words of each end, and all words.
    #[inline]
    pub(super) fn take(&mut self, events: impl Iterator<Item = (u32, u32)>, words: impl Iterator<Item = u64>) {
        self.clear();
        self.words.extend(words);
        for (shape, end) in events {
            self.shapes.push(shape);
            self.ends.push(end);
        }
    }

    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// The shape of an event.
    #[inline]
    pub(super) fn shape(&self, event: usize) -> u32 {
        self.shapes[event]
    }

    /// The arguments of an event.
    #[inline]
    pub(super) fn words(&self, event: usize) -> &[u64] {
        let start = event.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.words[start..self.ends[event] as usize]
    }
}

/// Where the arguments of each pattern are in the events of each shape.
///
/// Shapes that fit the patterns in the same way are one *class*: a log may have as many shapes as events, and few classes. The first
/// shapes, which most traces never go beyond, have a class of their own, so that their handlers are found without asking for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Matches {
    /// The class of each shape behind those that have their own.
    classes: Vec<u32>,
    /// By class and pattern; nothing if such events do not match.
    pub places: Vec<Arc<Places>>,
}

/// How many shapes have a class of their own.
const OWN_CLASSES: usize = 256;

impl Matches {
    /// The class of a shape.
    #[inline(always)]
    pub(super) fn class(&self, shape: usize) -> usize {
        match shape.checked_sub(OWN_CLASSES) {
            None => shape,
            Some(later) => self.classes[later] as usize,
        }
    }

    /// A shape of a class, if one has come.
    pub(super) fn shape_of(&self, class: u32) -> Option<usize> {
        match class as usize {
            own if own < OWN_CLASSES.min(self.places.len()) => Some(own),
            _ => self.classes.iter().position(|other| *other == class).map(|later| OWN_CLASSES + later),
        }
    }

    /// Whether the next shape may share a class with shapes before it.
    pub(super) fn shares_next(&self) -> bool {
        self.places.len() >= OWN_CLASSES
    }

    /// The next shape is of this class.
    pub(super) fn add_shape(&mut self, class: u32) {
        if self.shares_next() {
            self.classes.push(class);
        }
    }

    /// Where the arguments of a pattern are in the events of a shape; nothing if such events do not match.
    #[inline]
    pub(super) fn places_of(&self, shape: u32, pattern: usize) -> Option<&[usize]> {
        self.places[self.class(shape as usize)][pattern].as_deref()
    }
}

/// The constants of a program, as words and as values.
#[derive(Debug, Clone, Default)]
pub(super) struct Constants {
    /// The values.
    pub values: Vec<Value>,
    /// Their words.
    pub words: Vec<u64>,
}
