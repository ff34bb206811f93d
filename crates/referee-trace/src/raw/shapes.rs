//! The table of all shapes of a trace.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;

use super::shape::{Shape, ShapeId, Want};
use super::sink::RawSink;

/// All shapes seen, with their dense numbers.
///
/// The table outlives a decoder: several files are one trace and share it.
#[derive(Debug, Default)]
pub struct Shapes {
    all: Vec<(Shape, Want)>,
    index: HashTable<u32>,
    /// The lists of fields, each once: a log may have many names and few lists.
    lists: HashTable<Arc<[Box<str>]>>,
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
        let shape = Shape { name: name.into(), fields: self.list(fields) };
        let id = u32::try_from(self.all.len()).expect("fewer than four billion shapes fit in memory");
        let want = sink.shape(ShapeId(id), &shape);
        self.all.push((shape, want));
        let (all, hasher) = (&self.all, &self.hasher);
        self.index.insert_unique(hash, id, |&id| {
            let shape = &all[id as usize].0;
            hasher.hash_one((&*shape.name, &*shape.fields))
        });
        ShapeId(id)
    }

    /// The list of these fields.
    fn list(&mut self, fields: &[&str]) -> Arc<[Box<str>]> {
        let hasher = &self.hasher;
        let same =
            |list: &Arc<[Box<str>]>| list.len() == fields.len() && list.iter().zip(fields).all(|(a, b)| **a == **b);
        let entry = self.lists.entry(hasher.hash_one(fields), same, |list| hasher.hash_one(&**list));
        entry.or_insert_with(|| fields.iter().map(|&field| field.into()).collect()).get().clone()
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

    /// All shapes, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Shape> {
        self.all.iter().map(|(shape, _)| shape)
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
