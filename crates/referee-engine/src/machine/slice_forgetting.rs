//! Which slices and bindings of a sliced logic may go when a value dies.
//!
//! ```text
//!  forget(i = 7) ─▶ slices with i = 7 that nothing without `i` can report any more: dropped
//!                └▶ none of them left: bindings seen with i = 7: dropped
//! ```
//!
//! **A slice θ may go** if no sequence of events that avoid its dead parameters, the event of the end included, reports anything from its
//! configuration. No other event belongs to θ or to what extends it, since that would show the value; so from now on θ, and all that
//! would be made of it, is silent for ever, as a slice is that has become hopeless, and those are dropped, too.
//!
//! **When a binding was seen** is asked of joins that contain it, and such a join contains the value. It is made of a stored slice
//! and an event, of which only the slice can have the value. So where no slice has it, nobody asks.

use referee_trace::values::Atom;

use super::behaviour::Behaviour;
use super::binding::BoundVariables;
use super::config::ConfigId;
use crate::shared::maps::Map;

/// What is known of configurations whose slices hear of some events only.
#[derive(Debug, Default)]
pub(super) struct SilentStates {
    /// By dead parameters, the states of a finite machine from which events that avoid them report nothing.
    silent: Map<BoundVariables, Box<[bool]>>,
}

impl SilentStates {
    /// Whether nothing can be reported from a configuration, where only events that avoid some parameters come. `kinds` has the parameters
    /// of each event, and whether it is the event of the end.
    pub(super) fn are(
        &mut self,
        behaviour: &mut Behaviour,
        kinds: &[(BoundVariables, bool)],
        dead: BoundVariables,
        config: ConfigId,
    ) -> bool {
        let heard: Vec<usize> = (0..kinds.len()).filter(|symbol| kinds[*symbol].0 & dead == 0).collect();
        if heard.iter().all(|symbol| kinds[*symbol].1) {
            // Only the end is left.
            return heard.iter().all(|symbol| {
                let after = behaviour.step(config, *symbol);
                after.is_ok_and(|after| !behaviour.reports_any(config, after))
            });
        }
        if behaviour.finite().is_none() {
            // What a stack or a string may become is not worked out.
            return false;
        }
        let silent = self.silent.entry(dead).or_insert_with(|| silent_states(behaviour, &heard));
        silent.get(config as usize).copied().unwrap_or(false)
    }
}

/// The states of a finite machine from which these events report nothing.
fn silent_states(behaviour: &Behaviour, heard: &[usize]) -> Box<[bool]> {
    let Some(finite) = behaviour.finite() else { return Box::default() };
    let states = 0..finite.len() as u32;
    let steps = |state: u32| heard.iter().map(move |symbol| (state, finite.step(state, *symbol)));
    let mut silent: Box<[bool]> =
        states.clone().map(|state| !steps(state).any(|(from, to)| behaviour.reports_any(from, to))).collect();
    loop {
        let before = silent.clone();
        for state in states.clone() {
            silent[state as usize] &= steps(state).all(|(_, to)| before[to as usize]);
        }
        if silent == before {
            return silent;
        }
    }
}

/// The parameters of a slice that have a value.
pub(super) fn parameters_with(value: Atom, set: BoundVariables, key: &[Atom]) -> BoundVariables {
    let own = super::binding::members(set).zip(key);
    own.filter(|(_, other)| **other == value).fold(0, |dead, (parameter, _)| dead | 1 << parameter)
}
