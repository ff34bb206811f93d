//! Which values a fold of quantifiers has to look at.
//!
//! ```text
//!  instances  (r1=A, r2=B) (r1=A, r2=C) (r2=D)
//!  below r1=A   r2: B, C, D stand apart; all other values of r2 are alike
//!  below r1=E   r2: D stands apart
//! ```
//!
//! A value that no stored instance binds, given the values of the outer variables, leaves every binding that has it the configuration that
//! it has with any other such value. So one of them stands for all, and a fold costs what the instances are, not what the product of
//! the domains is. Where an inner condition speaks of the variable, its values are not alike, and all of them are looked at.

use referee_trace::values::Atom;

use super::spread::Instances;
use crate::machine::binding::{Partial, VarSet, members};
use crate::shared::maps::{Map, Set};

/// Values by those of outer variables.
type Below = Map<Vec<Atom>, Vec<Atom>>;

/// The values that stand apart, by variable, by the outer variables that the instance binds, and by the values of those.
#[derive(Debug, Default)]
pub struct Apart {
    levels: Vec<Vec<(VarSet, Below)>>,
}

impl Apart {
    /// What the instances of an automaton with so many variables tell apart.
    pub fn new(instances: &Instances, variables: usize) -> Apart {
        let mut apart = Apart { levels: vec![Vec::new(); variables] };
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
            tables.push((outer, Below::default()));
            tables.len() - 1
        });
        tables[place].1.entry(key[..len].to_vec()).or_default().push(instance.values[level]);
    }

    /// The values of the next variable that stand apart below a binding of the first ones.
    pub fn below(&self, binding: &[Atom]) -> Set<Atom> {
        let mut found = Set::default();
        for (set, table) in &self.levels[binding.len()] {
            let key: Vec<Atom> = members(*set).map(|variable| binding[variable]).collect();
            found.extend(table.get(&key).into_iter().flatten().copied());
        }
        found
    }
}
