//! Sets of quantified variables, and bindings of some of them to values.

use referee_trace::values::Atom;

/// A set of variables, one bit each.
pub(super) type BoundVariables = u32;

/// The most variables that instances are kept for.
pub(super) const MOST_VARIABLES: usize = 8;

/// The variables of a set, ascending.
#[inline]
pub(super) fn members(set: BoundVariables) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let lowest = left.trailing_zeros();
        left &= left.wrapping_sub(1);
        (lowest < 32).then_some(lowest as usize)
    })
}

/// A partial binding: a set of variables and their values, each at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Partial {
    /// The variables.
    pub set: BoundVariables,
    /// Their values; others are false.
    pub values: [Atom; MOST_VARIABLES],
}

impl Partial {
    /// Nothing bound.
    pub(super) const EMPTY: Partial = Partial { set: 0, values: [Atom::boolean(false); MOST_VARIABLES] };

    /// The same with another value.
    #[must_use]
    pub(super) fn with(mut self, variable: usize, value: Atom) -> Partial {
        self.set |= 1 << variable;
        self.values[variable] = value;
        self
    }

    /// The binding of a set of variables to the values of a key.
    pub(super) fn of_key(set: BoundVariables, key: &[Atom]) -> Partial {
        members(set).zip(key).fold(Partial::EMPTY, |partial, (variable, value)| partial.with(variable, *value))
    }

    /// Both together, if they agree.
    pub(super) fn join(&self, other: &Partial) -> Option<Partial> {
        let agrees = members(self.set & other.set).all(|variable| self.values[variable] == other.values[variable]);
        let all = members(other.set & !self.set);
        agrees.then(|| all.fold(*self, |joined, variable| joined.with(variable, other.values[variable])))
    }

    /// Whether all that this binds is bound the same way in another.
    pub(super) fn is_part_of(&self, other: &Partial) -> bool {
        self.set & !other.set == 0 && members(self.set).all(|variable| self.values[variable] == other.values[variable])
    }

    /// The values of some of its variables, ascending.
    pub(super) fn key(&self, set: BoundVariables) -> ([Atom; MOST_VARIABLES], usize) {
        let mut key = [Atom::boolean(false); MOST_VARIABLES];
        let mut len = 0;
        for variable in members(set) {
            key[len] = self.values[variable];
            len += 1;
        }
        (key, len)
    }
}
