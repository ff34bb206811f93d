//! Finds out once per shape of events which classes they fit.

use referee_spec::core::machine::{ClassArgument, EventClass};
use referee_trace::event::EventShape;
use referee_trace::points::Interest;
use referee_trace::raw::Want;
use referee_trace::values::{Atom, Values};

use crate::machine::binding::{BoundVariables, MOST_VARIABLES};

/// A class that the events of a shape may fit.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The class.
    pub class: u32,
    /// Where their values stand, by ascending variable.
    pub places: Box<[(usize, usize)]>,
    set: BoundVariables,
    arity: usize,
    constants: Box<[(usize, Atom)]>,
    equal: Box<[(usize, usize)]>,
}

impl Candidate {
    /// Whether an event with these arguments, in normal form, binds its variables to the values of a full binding.
    #[inline]
    pub(super) fn agrees(&self, arguments: &[Atom], binding: &[Atom]) -> bool {
        self.places.iter().all(|(variable, place)| arguments[*place] == binding[*variable])
    }

    /// The values that an event with these arguments binds, by ascending variable, and how many.
    #[inline]
    pub(super) fn key(&self, arguments: &[Atom]) -> ([Atom; MOST_VARIABLES], usize) {
        let mut key = [Atom::boolean(false); MOST_VARIABLES];
        for (value, (_, place)) in key.iter_mut().zip(&self.places) {
            *value = arguments[*place];
        }
        (key, self.places.len())
    }

    /// How many arguments its events have, those aside that can only be read by name.
    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    /// The variables that it binds.
    #[inline]
    pub(super) fn set(&self) -> BoundVariables {
        self.set
    }

    /// Whether an event with these arguments, in normal form, fits.
    #[inline]
    pub(super) fn fits(&self, arguments: &[Atom]) -> bool {
        self.constants.iter().all(|(place, constant)| arguments[*place] == *constant)
            && self.equal.iter().all(|(one, other)| arguments[*one] == arguments[*other])
    }

    fn of(number: usize, class: &EventClass, values: &mut Values) -> Candidate {
        let mut places = class.variables();
        places.sort_unstable();
        let mut constants = Vec::new();
        let mut equal = Vec::new();
        for (place, argument) in class.arguments.iter().enumerate() {
            match argument {
                ClassArgument::Constant(value) => constants.push((place, values.constant(value))),
                ClassArgument::Same(earlier) => equal.push((*earlier, place)),
                ClassArgument::Variable(variable) => {
                    let first = places.iter().find(|(known, _)| known == variable);
                    equal.extend(first.filter(|(_, first)| *first != place).map(|(_, first)| (*first, place)));
                }
                ClassArgument::Any => {}
            }
        }
        Candidate {
            class: number as u32,
            set: places.iter().fold(0, |set, (variable, _)| set | 1 << (variable & 31)),
            arity: class.arguments.len(),
            places: places.into(),
            constants: constants.into(),
            equal: equal.into(),
        }
    }
}

/// The classes that events of a shape may fit.
pub(super) fn candidates(classes: &[EventClass], shape: &EventShape, values: &mut Values) -> Vec<Candidate> {
    let named =
        |class: &&(usize, &EventClass)| *class.1.event == *shape.name && class.1.arguments.len() == shape.positional;
    let found: Vec<(usize, &EventClass)> = classes.iter().enumerate().collect();
    found.iter().filter(named).map(|(number, class)| Candidate::of(*number, class, values)).collect()
}

/// What is read of events with these candidates; `all` if guards may read any argument.
pub(super) fn interest(candidates: &[Candidate], all: bool) -> Interest {
    if candidates.is_empty() {
        return Interest::none();
    }
    let places = candidates.iter().flat_map(|candidate| {
        let bound = candidate.places.iter().map(|(_, place)| *place);
        let compared = candidate.equal.iter().flat_map(|(one, other)| [*one, *other]);
        bound.chain(candidate.constants.iter().map(|(place, _)| *place)).chain(compared)
    });
    let want = if all { Want::ALL } else { Want::fields(places) };
    Interest { want, ..Interest::all() }
}
