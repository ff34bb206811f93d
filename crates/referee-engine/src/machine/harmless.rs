//! Finds out whether bindings of a quantified automaton stay accepted, or rejected, whatever events without some variables come.
//!
//! Of a plain automaton all configurations are looked at that such events lead to, and what was found is kept. Of others, what guards will say
//! is not worked out.

use referee_trace::values::Values;

use super::automaton::{Automaton, AutomatonEvent, AutomatonFact};
use super::binding::BoundVariables;
use super::config::ConfigId;
use crate::shared::maps::{Map, Set};

/// The most configurations that are looked at to find out whether one is harmless.
const MOST_CONFIGURATIONS: usize = 256;
/// The most classes of one event of which all combinations are tried.
const MOST_CLASSES: usize = 5;

/// What a binding must be to be harmless, and what is known of that.
#[derive(Debug)]
pub(super) struct Harmless {
    /// Whether bindings are harmless that are accepted: then all quantifiers are universal; otherwise those that are rejected.
    accepted: bool,
    /// Whether they must be settled, because open ones are counted.
    settled: bool,
    /// The variables that the events of each class bind.
    classes: Vec<BoundVariables>,
    /// Letters that an event may be to a binding, with the variables that none of their classes binds; nothing if there are too many.
    letters: Option<Vec<(u32, BoundVariables)>>,
    /// By configuration and dead variables. Only those of plain automata are kept, whose configurations keep their numbers.
    known: Map<(ConfigId, BoundVariables), bool>,
}

impl Harmless {
    /// What is harmless to an automaton whose classes bind these variables.
    pub(super) fn new(accepted: bool, settled: bool, classes: Vec<BoundVariables>) -> Harmless {
        Harmless { accepted, settled, classes, letters: None, known: Map::default() }
    }

    /// Whether every event that belongs to a binding shows one of these variables.
    pub(super) fn all_bind(&self, dead: BoundVariables) -> bool {
        self.classes.iter().all(|bound| bound & dead != 0)
    }

    /// Whether open bindings are counted.
    pub(super) fn counts_open(&self) -> bool {
        self.settled
    }

    /// Whether a binding is accepted or rejected as harmless ones are.
    pub(super) fn is_wanted(&self, fact: AutomatonFact) -> bool {
        fact.accepted == self.accepted
    }

    fn is_now(&self, fact: AutomatonFact) -> bool {
        let settled = if self.accepted { fact.surely } else { fact.never };
        fact.stuck.is_none() && self.is_wanted(fact) && (settled || !self.settled)
    }

    /// Whether bindings with a configuration are harmless, where events bind none of the dead variables.
    pub(super) fn is(
        &mut self,
        judge: &mut Automaton,
        events: &[&str],
        config: ConfigId,
        dead: BoundVariables,
    ) -> bool {
        if !self.is_now(judge.fact(config)) {
            return false;
        }
        if self.all_bind(dead) {
            return true;
        }
        if !judge.is_plain() {
            // What guards say of values to come is not worked out, nor whether they can be computed.
            return false;
        }
        if let Some(known) = self.known.get(&(config, dead)) {
            return *known;
        }
        let harmless = self.explore(judge, events, config, dead);
        self.known.insert((config, dead), harmless);
        harmless
    }

    /// Looks at all configurations that events without the dead variables lead to.
    fn explore(&mut self, judge: &mut Automaton, events: &[&str], config: ConfigId, dead: BoundVariables) -> bool {
        let Some(letters) = self.letters(judge, events, dead) else { return false };
        let mut met: Set<ConfigId> = Set::from_iter([config]);
        let mut open = vec![config];
        // Plain automata look at no values.
        let (event, mut values) = (AutomatonEvent { arguments: &[], point: 0 }, Values::new());
        while let Some(config) = open.pop() {
            for letter in &letters {
                let next = judge.step(config, *letter, event, &mut values);
                if !self.is_now(judge.fact(next)) || met.len() > MOST_CONFIGURATIONS {
                    return false;
                }
                if met.insert(next) {
                    open.push(next);
                }
            }
        }
        true
    }

    /// The letters that an event may be to a binding whose dead variables it does not bind; more than there are, perhaps.
    fn letters(&mut self, judge: &mut Automaton, events: &[&str], dead: BoundVariables) -> Option<Vec<u32>> {
        if self.letters.is_none() {
            self.letters = self.all_letters(judge, events);
        }
        let avoiding = self.letters.as_ref()?.iter().filter(|(_, bound)| bound & dead == 0);
        Some(avoiding.map(|(letter, _)| *letter).collect())
    }

    fn all_letters(&self, judge: &mut Automaton, events: &[&str]) -> Option<Vec<(u32, BoundVariables)>> {
        let mut letters = Vec::new();
        let distinct: Set<&str> = events.iter().copied().collect();
        for event in distinct {
            let own: Vec<usize> = (0..events.len()).filter(|class| events[*class] == event).collect();
            if own.len() > MOST_CLASSES {
                return None;
            }
            for chosen in 1..1usize << own.len() {
                let classes: Vec<usize> =
                    own.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1).map(|(_, class)| *class).collect();
                let bound = classes.iter().fold(0, |bound, class| bound | self.classes[*class]);
                let numbers: Vec<u32> = classes.iter().map(|class| *class as u32).collect();
                letters.push((judge.letter(&numbers), bound));
            }
        }
        Some(letters)
    }
}
