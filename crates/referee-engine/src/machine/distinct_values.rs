//! Finds the values of a variable that behave differently from all others, so that quantifiers look at those alone.
//!
//! ```text
//!  instances  (r1=A, r2=B) (r1=A, r2=C) (r2=D)
//!  below r1=A   r2: B, C, D are distinct; all other values of r2 are alike
//!  below r1=E   r2: D is distinct
//! ```
//!
//! Take the values of the outer variables as given, and two values of the next variable that no stored instance binds. A
//! binding has the same configuration with either. So one such value represents all of them, and evaluating the quantifiers
//! costs as much as there are instances, not as much as the product of the domains. Where an inner condition mentions the
//! variable, its values are not alike, and all of them are evaluated.

use referee_trace::values::Atom;

use super::event_routing::Instances;
use crate::machine::binding::{BoundVariables, Partial, members};
use crate::shared::maps::{Map, Set};

/// Values by those of outer variables.
type ValuesBelow = Map<Vec<Atom>, Vec<Atom>>;

/// The distinct values, by variable, by the outer variables that the instance binds, and by the values of those.
#[derive(Debug, Default)]
pub(super) struct DistinctValues {
    levels: Vec<Vec<(BoundVariables, ValuesBelow)>>,
}

impl DistinctValues {
    /// The values that the instances of an automaton with so many variables bind.
    pub(super) fn new(instances: &Instances, variables: usize) -> DistinctValues {
        let mut apart = DistinctValues { levels: vec![Vec::new(); variables] };
        for instance in instances.all() {
            members(instance.set).for_each(|level| apart.enter(level, &instance));
        }
        apart
    }

    fn enter(&mut self, level: usize, instance: &Partial) {
        let outer = instance.set & ((1 << level) - 1);
        let (key, len) = instance.key(outer);
        let tables = &mut self.levels[level];
        let place = tables.iter().position(|(set, _)| *set == outer).unwrap_or_else(|| {
            tables.push((outer, ValuesBelow::default()));
            tables.len() - 1
        });
        tables[place].1.entry(key[..len].to_vec()).or_default().push(instance.values[level]);
    }

    /// The distinct values of the next variable below a binding of the first ones.
    pub(super) fn below(&self, binding: &[Atom]) -> Set<Atom> {
        let mut found = Set::default();
        for (set, table) in &self.levels[binding.len()] {
            let key: Vec<Atom> = members(*set).map(|variable| binding[variable]).collect();
            found.extend(table.get(&key).into_iter().flatten().copied());
        }
        found
    }
}
