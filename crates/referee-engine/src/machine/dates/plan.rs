//! Works out what an event, a message or a timeout can fit: once per shape of events, per channel and per timeout.

use referee_spec::core::machine::dates::{DateTrigger, Dates, Way};
use referee_trace::values::{Atom, Values};

/// A way of an event line, ready to be compared with arguments.
#[derive(Debug, Clone)]
pub(super) struct PlannedWay {
    /// The event line.
    pub event: usize,
    /// The keys that it shows: the place among the keys of their scope's chain, and the argument.
    pub keys: Box<[(usize, usize)]>,
    /// The argument of each local of the line, if the way shows it.
    pub locals: Box<[Option<usize>]>,
    constants: Box<[(usize, Atom)]>,
    equal: Box<[(usize, usize)]>,
}

impl PlannedWay {
    fn new(dates: &Dates, event: usize, way: &Way, values: &mut Values) -> PlannedWay {
        let mut locals: Box<[Option<usize>]> = vec![None; dates.events[event].locals.len()].into();
        let keys = way.keys();
        let (mut constants, mut equal) = (Vec::new(), Vec::new());
        for (position, argument) in way.arguments.iter().enumerate() {
            if let Some(constant) = &argument.constant {
                constants.push((position, values.constant(constant)));
            }
            if let Some(local) = argument.local {
                let first = *locals[local].get_or_insert(position);
                equal.extend((first != position).then_some((first, position)));
            }
            let first = keys.iter().find(|(key, _)| Some(*key) == argument.key);
            equal.extend(first.filter(|(_, first)| *first != position).map(|(_, first)| (*first, position)));
        }
        let mut keys: Vec<(usize, usize)> = keys.iter().map(|(key, place)| (depth(dates, *key), *place)).collect();
        keys.sort_unstable();
        PlannedWay { event, keys: keys.into(), locals, constants: constants.into(), equal: equal.into() }
    }

    /// Whether arguments, in normal form, fit it in some context.
    #[inline]
    pub(super) fn fits(&self, arguments: &[Atom]) -> bool {
        self.constants.iter().all(|(place, constant)| arguments[*place] == *constant)
            && self.equal.iter().all(|(one, other)| arguments[*one] == arguments[*other])
    }

    /// Whether the arguments agree with the keys of a context, as far as it has them.
    #[inline]
    pub(super) fn agrees(&self, arguments: &[Atom], keys: &[Atom]) -> bool {
        self.keys.iter().all(|(depth, place)| keys.get(*depth).is_none_or(|key| *key == arguments[*place]))
    }

    /// The values of the keys from one depth up to another, if it shows all of them.
    pub(super) fn shown(&self, from: usize, to: usize, arguments: &[Atom], own: &mut Vec<Atom>) -> bool {
        own.clear();
        let inside = self.keys.iter().filter(|(depth, _)| (from..to).contains(depth));
        own.extend(inside.map(|(_, place)| arguments[*place]));
        own.len() == to - from
    }
}

/// The place of a key among those of its scope and of all scopes that this stands in.
fn depth(dates: &Dates, key: usize) -> usize {
    let scope = dates.scopes.iter().position(|scope| scope.keys.contains(&key)).unwrap_or(0);
    dates.keys_of(scope).iter().position(|other| *other == key).unwrap_or(0)
}

/// What happenings of one kind can fit.
#[derive(Debug, Clone, Default)]
pub(super) struct DatesPlan {
    /// How many arguments they have.
    pub arity: usize,
    /// The ways, in textual order.
    pub ways: Vec<PlannedWay>,
    /// Which contexts may open: the scope, and a way that shows its keys and those around it; outer scopes first.
    pub opens: Vec<(usize, usize)>,
    /// Which scopes have automata that know such happenings, with the ways that these know.
    pub moves: Vec<(usize, Vec<usize>)>,
}

impl DatesPlan {
    /// The plan for happenings with such a trigger and so many arguments.
    pub(super) fn new(
        dates: &Dates,
        matches: impl Fn(&DateTrigger) -> bool,
        arity: usize,
        values: &mut Values,
    ) -> DatesPlan {
        let enough = |way: &Way| if way.open { arity >= way.arguments.len() } else { arity == way.arguments.len() };
        let mut plan = DatesPlan { arity, ..DatesPlan::default() };
        for (event, line) in dates.events.iter().enumerate() {
            for way in line.ways.iter().filter(|way| matches(&way.trigger) && enough(way)) {
                plan.ways.push(PlannedWay::new(dates, event, way, values));
            }
        }
        plan.find_opens(dates);
        plan.find_moves(dates);
        plan
    }

    fn find_opens(&mut self, dates: &Dates) {
        for scope in 1..dates.scopes.len() {
            let count = dates.keys_of(scope).len();
            for (number, way) in self.ways.iter().enumerate() {
                let shown = (0..count).all(|depth| way.keys.iter().any(|(known, _)| *known == depth));
                if shown && dates.is_inside(dates.events[way.event].scope, scope) {
                    self.opens.push((scope, number));
                }
            }
        }
    }

    fn find_moves(&mut self, dates: &Dates) {
        for (scope, parts) in dates.scopes.iter().enumerate() {
            let transitions = parts.properties.iter().flat_map(|property| &dates.properties[*property].transitions);
            let events: Vec<usize> = transitions.map(|transition| transition.event).collect();
            let known: Vec<usize> =
                (0..self.ways.len()).filter(|way| events.contains(&self.ways[*way].event)).collect();
            if !known.is_empty() {
                self.moves.push((scope, known));
            }
        }
    }
}
