//! What a mapping says, after its text was read.

use std::collections::HashSet;

use super::condition::{Condition, Name};
use super::template::Template;
use super::time::{TimeRule, Unit};
use super::window::ReorderWindow;
use crate::format::{Format, InputRule};
use crate::value::Type;

/// How concrete events become abstract ones; by default they are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    /// The format of the records, where `[input]` says it.
    pub(crate) format: Option<Format>,
    /// How the records of a foreign log are read.
    pub(crate) input: InputRule,
    pub(crate) time: Option<TimeRule>,
    pub(crate) split: Option<SplitRule>,
    pub(crate) drop_others: bool,
    /// Within which window the log is sorted.
    pub(crate) reorder: Option<ReorderWindow>,
    pub(crate) entries: Vec<MappingEntry>,
}

/// Where one trace ends and the next begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SplitRule {
    /// An event of this name starts a trace, and is dropped.
    Event(Box<str>),
    /// Neighbours whose values of this field are equal belong to one trace.
    Field(Box<str>),
}

impl Mapping {
    /// Whether the input may have more than one trace.
    pub fn splits(&self) -> bool {
        self.split.is_some()
    }

    /// Whether events are sorted by time on the way.
    pub fn sorts(&self) -> bool {
        self.reorder.is_some()
    }

    /// The format of the input, where the mapping says it.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The same mapping, for tables whose first line names the columns.
    #[must_use]
    pub fn with_header(mut self) -> Mapping {
        self.input.header = true;
        self.format.get_or_insert(Format::Csv);
        self
    }

    /// The unit of the trace's times; seconds unless the mapping says otherwise.
    pub fn unit(&self) -> Unit {
        let of_entries = || self.entries.iter().find_map(|entry| entry.time.as_ref());
        self.time.as_ref().or_else(of_entries).map_or(Unit::Second, |time| time.unit)
    }
}

impl Mapping {
    /// The fields that the mapping names, each once.
    pub(super) fn named_fields(&self) -> Vec<Box<str>> {
        let times = self.time.iter().chain(self.entries.iter().filter_map(|entry| entry.time.as_ref()));
        let mut named: Vec<&str> = times.flat_map(TimeRule::fields).collect();
        if let Some(SplitRule::Field(field)) = &self.split {
            named.push(field);
        }
        for entry in &self.entries {
            if let Some(when) = &entry.when {
                when.add_names(&mut named);
            }
            named.extend(entry.to.fields());
            named.extend(entry.arguments.iter().flatten().map(|argument| &*argument.field));
        }
        let mut seen = HashSet::new();
        named.into_iter().filter(|name| seen.insert(*name)).map(Box::from).collect()
    }

    /// Whether fields may be passed on that the mapping does not name.
    pub(super) fn takes_all(&self) -> bool {
        let takes_any = |entry: &MappingEntry| entry.from.is_none() && entry.when.is_none();
        let others_stay = !self.drop_others && !self.entries.iter().any(takes_any);
        others_stay || self.entries.iter().any(|entry| entry.arguments.is_none())
    }
}

/// One `[[event]]` of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MappingEntry {
    /// The concrete name; nothing for `*`.
    pub from: Option<Box<str>>,
    pub when: Option<Condition<Name>>,
    pub to: Template,
    /// Nothing: all fields, in order.
    pub arguments: Option<Vec<ArgumentRule>>,
    /// Where the time of these events is, if not where that of the others is.
    pub time: Option<TimeRule>,
    /// The line of the mapping that has it.
    pub line: u64,
}

/// One argument of an abstract event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArgumentRule {
    pub name: Box<str>,
    pub field: Box<str>,
    pub declared: Option<Type>,
    /// Whether events may lack the field: then its text is empty.
    pub optional: bool,
}
