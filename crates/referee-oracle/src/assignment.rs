//! Values of variables, and where terms are evaluated under them.

use referee_spec::core::{Problem, Property, VarId};

use crate::world::ValueId;

/// A value that a variable can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Datum {
    /// A value of the world.
    Value(ValueId),
    /// One of the values that nobody has named: in no event, and equal only to itself.
    Anonymous(usize),
}

/// Why a term has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// There is none, such as the sum of two strings.
    NoValue,
    /// It cannot be told.
    Problem(Problem),
}

/// Where a term is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The point.
    pub point: usize,
    /// The event at hand, in observations: its index among those of the point.
    pub event: Option<usize>,
    /// The values of the variables.
    pub assignment: &'a Assignment,
}

/// The values of the variables, by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Assignment(Vec<Option<Datum>>);

impl Assignment {
    /// No variable has a value.
    pub(crate) fn empty(property: &Property) -> Assignment {
        Assignment(vec![None; property.variables.len()])
    }

    /// The value of a variable.
    pub(crate) fn get(&self, variable: VarId) -> Option<Datum> {
        self.0.get(variable.index()).copied().flatten()
    }

    /// The same with another value for one variable.
    pub(crate) fn with(&self, variable: VarId, datum: Datum) -> Assignment {
        let mut changed = self.clone();
        changed.0[variable.index()] = Some(datum);
        changed
    }
}
