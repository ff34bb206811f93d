//! Records what a trace has shown so far, as far as one property can see it.
//!
//! ```text
//!   point   1      2        3            ends    [1, 1, 3]           where the events of each point end
//!   events  p(7)   –        q(7) q(8)    events  [p 0, q 1, q 2]     kind and first value
//!                                        values  [7, 7, 8]           numbers of values
//! ```
//!
//! Events that the property does not mention are left out; their points are counted all the same. An event costs
//! sixteen bytes and four per argument, a point eight and its time, where there is one.

use std::ops::Range;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use referee_spec::core::{Equality, Property, SortId, Term};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

use crate::fo::interpret::event_kind::{fed_sorts, is_relevant, named_arguments};
use crate::fo::interpret::interpreter::constants;
use crate::fo::interpret::plan::mentions;
use crate::shared::universe::{Universe, ValueId};

/// An event kind of a history: a name and field names, resolved once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HistoryKindId(u32);

#[derive(Debug, Clone)]
pub(crate) struct HistoryEventKind {
    pub name: Arc<str>,
    pub fields: Vec<Arc<str>>,
    pub positional: usize,
    names: Vec<usize>,
    feeds: Vec<(usize, usize)>,
    relevant: bool,
}

#[derive(Debug, Clone, Copy)]
struct HistoryOccurrence {
    kind: HistoryKindId,
    first: usize,
}

/// The events of a trace that a property can see, point by point.
#[derive(Debug, Clone)]
pub struct FormulaHistory {
    property: Arc<Property>,
    kinds: Vec<HistoryEventKind>,
    universe: Universe,
    /// Per sort, its values with the first point that shows them.
    seen: Vec<HashMap<ValueId, usize>>,
    ends: Vec<usize>,
    /// The times of the points; empty where the trace has none.
    times: Vec<Number>,
    events: Vec<HistoryOccurrence>,
    values: Vec<ValueId>,
    names_numbers: bool,
    names_times: bool,
}

/// An event of a history.
#[derive(Clone, Copy)]
pub(crate) struct HistoryEvent<'a> {
    pub kind: &'a HistoryEventKind,
    pub values: &'a [ValueId],
}

impl HistoryEvent<'_> {
    /// The value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<ValueId> {
        let index = self.kind.fields.iter().position(|field| **field == *name)?;
        self.values.get(index).copied()
    }
}

impl FormulaHistory {
    /// The history before the first point.
    pub fn new(property: Arc<Property>) -> FormulaHistory {
        let mut universe = Universe::new(property.equality == Equality::ByText);
        for constant in constants(&property) {
            universe.name(&constant, 0);
        }
        FormulaHistory {
            kinds: Vec::new(),
            universe,
            seen: vec![HashMap::new(); property.sorts.len()],
            ends: Vec::new(),
            times: Vec::new(),
            events: Vec::new(),
            values: Vec::new(),
            names_numbers: mentions(&property, &Term::PointNumber),
            names_times: mentions(&property, &Term::PointTime),
            property,
        }
    }

    /// Resolves an event kind; `fields` are the names of its arguments, of which the first `positional` are positional.
    pub fn kind(&mut self, name: &str, fields: &[&str], positional: usize) -> HistoryKindId {
        let id = HistoryKindId(u32::try_from(self.kinds.len()).unwrap_or(u32::MAX));
        self.kinds.push(HistoryEventKind {
            name: name.into(),
            fields: fields.iter().map(|&field| field.into()).collect(),
            positional,
            names: named_arguments(&self.property, name, fields, positional),
            feeds: fed_sorts(&self.property, name, fields, positional),
            relevant: is_relevant(&self.property, name, fields, positional),
        });
        id
    }

    /// The number of a text, typed by itself unless a type is declared; by its text where the property compares so.
    pub fn text(&mut self, text: &str, declared: Option<Type>) -> ValueId {
        let value = match self.property.equality {
            Equality::ByText => Value::string(text),
            Equality::ByValue => Value::of_type(text, declared).unwrap_or_else(|| Value::string(text)),
        };
        self.universe.intern(&value)
    }

    /// Adds a point with its events and the values of all their arguments.
    pub fn push_point(&mut self, time: Option<&Number>, events: &[(HistoryKindId, &[ValueId])]) {
        let point = self.ends.len() as u64 + 1;
        if self.names_numbers {
            self.name(&Value::from(i64::try_from(point).unwrap_or(i64::MAX) - 1), point);
        }
        if self.names_times {
            self.name(&Value::Number(time.cloned().unwrap_or(Number::ZERO)), point);
        }
        self.times.extend(time.cloned());
        for &(kind, values) in events {
            self.push_event(kind, values, point);
        }
        self.ends.push(self.events.len());
    }

    fn push_event(&mut self, kind: HistoryKindId, values: &[ValueId], point: u64) {
        let Some(shape) = self.kinds.get(kind.0 as usize) else { return };
        for value in shape.names.iter().filter_map(|&index| values.get(index)) {
            self.universe.name_known(*value, point);
        }
        for &(index, sort) in &shape.feeds {
            if let Some(&value) = values.get(index) {
                self.universe.name_known(value, point);
                self.seen[sort].entry(value).or_insert(point as usize);
            }
        }
        if shape.relevant && values.len() == shape.fields.len() {
            let first = self.values.len();
            self.values.extend_from_slice(values);
            self.events.push(HistoryOccurrence { kind, first });
        }
    }

    fn name(&mut self, value: &Value, point: u64) {
        let value = self.normal(value.clone());
        self.universe.name(&value, point);
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn property(&self) -> &Property {
        &self.property
    }

    /// A value as the property's equality wants it.
    pub(crate) fn normal(&self, value: Value) -> Value {
        match (self.property.equality, value) {
            (Equality::ByText, Value::Number(number)) => Value::string(&number.to_string()),
            (Equality::ByText, Value::Boolean(truth)) => Value::string(&truth.to_string()),
            (_, value) => value,
        }
    }

    pub(crate) fn find(&self, value: &Value) -> Option<ValueId> {
        self.universe.find(value)
    }

    pub(crate) fn value(&self, id: ValueId) -> &Value {
        self.universe.value(id)
    }

    pub(crate) fn is_named(&self, id: ValueId, point: usize) -> bool {
        self.universe.is_named_by(id, point as u64)
    }

    /// The values named up to a point, in the order in which they were.
    pub(crate) fn named(&self, point: usize) -> impl Iterator<Item = ValueId> {
        self.universe.named().iter().copied().take_while(move |&id| self.is_named(id, point))
    }

    /// Whether the positions of a sort have shown a value up to a point.
    pub(crate) fn is_seen(&self, sort: SortId, id: ValueId, point: usize) -> bool {
        self.seen.get(sort.0 as usize).and_then(|seen| seen.get(&id)).is_some_and(|&first| first <= point)
    }

    /// The values that the positions of a sort have shown up to a point, earliest first.
    pub(crate) fn seen(&self, sort: SortId, point: usize) -> Vec<ValueId> {
        let seen = self.seen.get(sort.0 as usize).into_iter().flatten();
        let mut values: Vec<ValueId> = seen.filter(|(_, first)| **first <= point).map(|(&id, _)| id).collect();
        values.sort_unstable_by_key(|&id| self.universe.rank(id));
        values
    }

    /// The time of a point; 0 without one.
    pub(crate) fn time(&self, point: usize) -> &Number {
        point.checked_sub(1).and_then(|index| self.times.get(index)).unwrap_or(&Number::ZERO)
    }

    /// Whether points have times.
    pub(crate) fn is_timed(&self) -> bool {
        !self.times.is_empty()
    }

    /// The events of a point that the property can see.
    pub(crate) fn events(&self, point: usize) -> impl Iterator<Item = HistoryEvent<'_>> {
        self.range(point).map(|index| {
            let HistoryOccurrence { kind, first } = self.events[index];
            let kind = &self.kinds[kind.0 as usize];
            HistoryEvent { kind, values: &self.values[first..first + kind.fields.len()] }
        })
    }

    fn range(&self, point: usize) -> Range<usize> {
        let Some(&end) = point.checked_sub(1).and_then(|index| self.ends.get(index)) else { return 0..0 };
        let start = point.checked_sub(2).map_or(0, |index| self.ends[index]);
        start..end
    }
}
