//! The table of all shapes of a trace.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;

use super::shape::{Shape, ShapeId, Want};
use super::sink::RawSink;
use crate::pool::Pool;

/// All shapes seen, with their dense numbers.
///
/// The table outlives a decoder: several files are one trace and share it. A log may have as many names as lines, so what is kept of
/// one is small.
#[derive(Debug, Default)]
pub struct Shapes {
    names: Vec<Arc<str>>,
    /// What each shape has beside its name, by its number in the pool.
    rests: Vec<u32>,
    pool: Pool<(Arc<[Box<str>]>, Want)>,
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
        let same = |id: ShapeId| {
            let known = self.fields(id);
            *self.names[id.index()] == *name
                && known.len() == fields.len()
                && known.iter().zip(fields).all(|(a, b)| **a == **b)
        };
        if let Some(id) = self.index.find(hash, |&id| same(ShapeId(id))) {
            return ShapeId(*id);
        }
        let shape = Shape { name: name.into(), fields: self.list(fields) };
        let id = u32::try_from(self.names.len()).expect("fewer than four billion shapes fit in memory");
        let want = sink.shape(ShapeId(id), &shape);
        self.rests.push(self.pool.number((shape.fields, want)));
        self.names.push(shape.name);
        let Shapes { names, rests, pool, index, hasher, .. } = self;
        index.insert_unique(hash, id, |&id| hasher.hash_one((&*names[id as usize], &*pool.get(rests[id as usize]).0)));
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

    /// The names of a shape's fields.
    pub fn fields(&self, id: ShapeId) -> &[Box<str>] {
        &self.pool.get(self.rests[id.index()]).0
    }

    /// What the sink wants of a shape.
    #[inline]
    pub fn want(&self, id: ShapeId) -> Want {
        self.pool.get(self.rests[id.index()]).1
    }

    /// The names of all shapes, in the order of their numbers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// How many shapes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no shape yet.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
