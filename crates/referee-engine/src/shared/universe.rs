//! The values a monitor knows, as dense numbers.
//!
//! A value is *named* once the specification or the trace has shown it; the number then says how early. Arithmetic may
//! produce values that nobody has named: those get numbers too, so that they can be looked up, but stay unnamed until the
//! trace shows them.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use referee_trace::value::Value;

/// A dense number for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// When a value was named: its rank among all named values, and the point.
#[derive(Debug, Clone, Copy)]
struct Naming {
    rank: u32,
    point: u64,
}

#[derive(Debug, Clone)]
struct KnownValue {
    value: Value,
    naming: Option<Naming>,
}

/// All values known to a monitor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Universe {
    known: Vec<KnownValue>,
    index: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
    named: Vec<ValueId>,
    by_text: bool,
}

impl Universe {
    /// No values yet; `by_text` is the equality of the property, under which numbers are texts that write one.
    pub(crate) fn new(by_text: bool) -> Universe {
        Universe { by_text, ..Universe::default() }
    }

    /// The number of a value, which may be new and unnamed.
    pub(crate) fn intern(&mut self, value: &Value) -> ValueId {
        let hash = self.hasher.hash_one(value);
        if let Some(id) = self.find_hashed(hash, value) {
            return id;
        }
        let id = u32::try_from(self.known.len()).expect("fewer than four billion values fit in memory");
        self.known.push(KnownValue { value: value.clone(), naming: None });
        let (known, hasher) = (&self.known, &self.hasher);
        self.index.insert_unique(hash, id, |&id| hasher.hash_one(&known[id as usize].value));
        ValueId(id)
    }

    /// The number of a value, if it has one.
    pub(crate) fn find(&self, value: &Value) -> Option<ValueId> {
        self.find_hashed(self.hasher.hash_one(value), value)
    }

    fn find_hashed(&self, hash: u64, value: &Value) -> Option<ValueId> {
        self.index.find(hash, |&id| self.known[id as usize].value == *value).map(|&id| ValueId(id))
    }

    /// The number of a value that the trace or the specification shows at this point.
    pub(crate) fn name(&mut self, value: &Value, point: u64) -> ValueId {
        let id = self.intern(value);
        self.name_known(id, point);
        id
    }

    /// Notes that a known value is shown at this point.
    pub(crate) fn name_known(&mut self, id: ValueId, point: u64) {
        let naming = &mut self.known[id.0 as usize].naming;
        if naming.is_none() {
            let rank = u32::try_from(self.named.len()).expect("no more named values than values");
            *naming = Some(Naming { rank, point });
            self.named.push(id);
        }
    }

    /// All values, by number.
    pub(crate) fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.known.iter().map(|known| &known.value)
    }

    /// The point at which a value was named.
    pub(crate) fn point_of(&self, id: ValueId) -> Option<u64> {
        self.known[id.0 as usize].naming.map(|naming| naming.point)
    }

    /// A value by its number.
    pub(crate) fn value(&self, id: ValueId) -> &Value {
        &self.known[id.0 as usize].value
    }

    /// Whether values are compared as texts.
    pub(crate) fn by_text(&self) -> bool {
        self.by_text
    }

    /// All named values, earliest first.
    pub(crate) fn named(&self) -> &[ValueId] {
        &self.named
    }

    /// The rank of a value among the named ones.
    pub(crate) fn rank(&self, id: ValueId) -> Option<u32> {
        self.known[id.0 as usize].naming.map(|naming| naming.rank)
    }

    /// Whether a value was named at this point or before.
    pub(crate) fn is_named_by(&self, id: ValueId, point: u64) -> bool {
        self.known[id.0 as usize].naming.is_some_and(|naming| naming.point <= point)
    }
}
