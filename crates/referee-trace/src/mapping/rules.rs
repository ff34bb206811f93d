//! What a mapping says, after its text was read.

use super::condition::{Condition, Name};
use super::template::Template;
use super::time::{TimeRule, Unit};
use crate::value::Type;

/// How concrete events become abstract ones; by default they are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub(crate) time: Option<TimeRule>,
    pub(crate) split: Option<Box<str>>,
    pub(crate) drop_others: bool,
    pub(crate) entries: Vec<MappingEntry>,
}

impl Mapping {
    /// Whether the input may have more than one trace.
    pub fn splits(&self) -> bool {
        self.split.is_some()
    }

    /// The unit of the trace's times; seconds unless the mapping says otherwise.
    pub fn unit(&self) -> Unit {
        self.time.as_ref().map_or(Unit::Second, |time| time.unit)
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
}

/// One argument of an abstract event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArgumentRule {
    pub name: Box<str>,
    pub field: Box<str>,
    pub declared: Option<Type>,
}
