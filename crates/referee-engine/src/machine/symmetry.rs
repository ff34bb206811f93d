//! Finds two variables that can be exchanged, so that one instance is stored for each unordered pair of values.
//!
//! ```text
//!  forall(r1, r2)   conflict(r1, r2), conflict(r2, r1) -> free      free ─ grant(r1) ─▶ granted1 ─ cancel(r1) ─▶ free
//!                                                                   free ─ grant(r2) ─▶ granted2 ─ cancel(r2) ─▶ free
//!  r1 ⇄ r2          maps the automaton to itself, if granted1 ⇄ granted2
//!  stored           (A, B) in granted1                              (B, A) is not stored: it is in granted2
//! ```
//!
//! **Law.** Let σ exchange two variables, and π rename the states. If
//!
//! 1. every class with the two variables exchanged is a class of the automaton, too,
//! 2. π leaves the first state where it is, and a state and its image are both accepting or not, and both `skip` or `next`,
//! 3. on a class, a state leads to the images of what its image leads to on the exchanged class,
//! 4. and no transition looks at values: there are no guards, no statements and no registers that are read,
//!
//! then at any time the configuration of the binding σ(β) is that of β with π applied to each state. For an event belongs to β by a
//! class exactly if it belongs to σ(β) by the exchanged one (1), so a step of a run of β by 3 and 4 is one of the renamed run of σ(β); and
//! both begin in the first state (2). What is known of the two, whether they are accepted, surely or never, is the same: that depends on
//! accepting states that can be reached, which π keeps (2, 3).
//!
//! So of β and σ(β) one instance is kept, the *upright* one, and the other is read off it. Every question is asked of both:
//! quantifiers, their order and conditions on them do not enter the law, because they are folded over all bindings as before, and whatever
//! settles one binding is told of the other.
//!
//! Which π there is, is found once by trying: the first state decides most of it, and a search that takes too long finds none.

use referee_spec::core::machine::{ClassArgument, EventClass, Quantified};

use crate::faults::{self, Fault};
use crate::machine::binding::{BoundVariables, Partial};

/// The most states of an automaton that is looked at.
const MOST_STATES: usize = 200;
/// The most guesses that are tried.
const MOST_GUESSES: usize = 2_000;

/// Whether one instance is to stand for two bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Halving {
    /// Where the law allows it.
    #[default]
    Sound,
    /// Nowhere.
    Never,
}

/// Two variables that are exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Swap {
    /// The first.
    pub one: usize,
    /// The second.
    pub other: usize,
}

impl Swap {
    /// A variable's partner, or itself.
    pub(super) fn variable(self, variable: usize) -> usize {
        match variable {
            variable if variable == self.one => self.other,
            variable if variable == self.other => self.one,
            variable => variable,
        }
    }

    /// A set of variables with the two exchanged.
    pub(super) fn set(self, set: BoundVariables) -> BoundVariables {
        let differ = (set >> self.one ^ set >> self.other) & 1;
        set ^ (differ << self.one | differ << self.other)
    }

    /// A binding with the values of the two exchanged.
    #[must_use]
    pub(super) fn binding(self, binding: &Partial) -> Partial {
        let mut swapped = *binding;
        swapped.set = self.set(binding.set);
        swapped.values.swap(self.one, self.other);
        swapped
    }

    /// Whether a binding is the one of the two that is kept.
    pub(super) fn is_upright(self, binding: &Partial) -> bool {
        match (binding.set >> self.one & 1, binding.set >> self.other & 1) {
            (1, 1) => binding.values[self.one].word() <= binding.values[self.other].word(),
            (0, 1) => false,
            _ => true,
        }
    }

    fn class(self, class: &EventClass) -> EventClass {
        let argument = |argument: &ClassArgument| match argument {
            ClassArgument::Variable(variable) => ClassArgument::Variable(self.variable(*variable)),
            other => other.clone(),
        };
        EventClass { arguments: class.arguments.iter().map(argument).collect(), ..class.clone() }
    }
}

/// Two variables that can be exchanged, and what the states are called then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Symmetry {
    /// The variables.
    pub swap: Swap,
    /// The image of every state; one that cannot be reached has itself.
    pub states: Vec<usize>,
}

/// The first two variables that can be exchanged in an automaton that looks at no values.
pub(super) fn find(body: &Quantified, halving: Halving) -> Option<Symmetry> {
    let count = body.variables.len();
    let mut transitions = body.states.iter().flat_map(|state| &state.transitions);
    if halving == Halving::Never || body.states.len() > MOST_STATES || transitions.any(|step| step.branches.len() != 1)
    {
        return None;
    }
    let mut pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| Swap { one, other }));
    pairs.find_map(|swap| {
        let states = Renaming::new(body, swap)?.search()?;
        Some(Symmetry { swap, states })
    })
}

/// States that have to be mapped onto others, as sets.
type RequiredStates = (Vec<usize>, Vec<usize>);

/// A search for the images of states.
struct Renaming<'b> {
    body: &'b Quantified,
    /// The exchanged class of each.
    classes: Vec<usize>,
    image: Vec<Option<usize>>,
    taken: Vec<bool>,
    guesses: usize,
}

impl<'b> Renaming<'b> {
    fn new(body: &'b Quantified, swap: Swap) -> Option<Renaming<'b>> {
        let number = |class: &EventClass| {
            let swapped = swap.class(class);
            body.classes.iter().position(|other| other.event == swapped.event && other.arguments == swapped.arguments)
        };
        let classes: Vec<usize> = body.classes.iter().map(number).collect::<Option<_>>()?;
        // Something must tell the two apart, or there are no instances to save.
        let moved = classes.iter().enumerate().any(|(class, swapped)| class != *swapped);
        let count = body.states.len();
        let (image, taken) = (vec![None; count], vec![false; count]);
        moved.then_some(Renaming { body, classes, image, taken, guesses: 0 })
    }

    fn search(mut self) -> Option<Vec<usize>> {
        let count = self.body.states.len();
        // What falls out of a `next` state is in the last but one, whoever it was.
        let fixed = [0, count - 2, count - 1];
        let first = fixed.into_iter().map(|state| (vec![state], vec![state])).collect();
        let found = self.meet(first);
        found.then(|| (0..count).map(|state| self.image[state].unwrap_or(state)).collect())
    }

    /// Whether all demands can be met together with what has been settled; if so, the images are those.
    fn meet(&mut self, mut open: Vec<RequiredStates>) -> bool {
        while let Some((mut from, mut onto)) = open.pop() {
            let Some(state) = from.pop() else {
                if onto.is_empty() {
                    continue;
                }
                return false;
            };
            let Some(known) = self.image[state] else {
                return onto.iter().any(|other| self.guess(state, *other, (&from, &onto), &open));
            };
            let Some(place) = onto.iter().position(|other| *other == known) else { return false };
            onto.swap_remove(place);
            open.push((from, onto));
        }
        true
    }

    /// Whether all can be met if a state has this image.
    fn guess(&mut self, state: usize, image: usize, rest: (&[usize], &[usize]), open: &[RequiredStates]) -> bool {
        if self.taken[image] || !self.is_alike(state, image) || self.guesses == MOST_GUESSES {
            return false;
        }
        self.guesses += 1;
        (self.image[state], self.taken[image]) = (Some(image), true);
        let others = rest.1.iter().copied().filter(|other| *other != image).collect();
        let mut demands = open.to_vec();
        demands.push((rest.0.to_vec(), others));
        demands.extend(
            (0..self.classes.len()).map(|class| (self.targets(state, class), self.targets(image, self.classes[class]))),
        );
        let met = self.meet(demands);
        if !met {
            (self.image[state], self.taken[image]) = (None, false);
        }
        met
    }

    fn is_alike(&self, state: usize, image: usize) -> bool {
        let (state, image) = (&self.body.states[state], &self.body.states[image]);
        faults::is(Fault::Halving) || (state.accepting == image.accepting && state.mode == image.mode)
    }

    /// Where a state leads on a class, each once.
    fn targets(&self, state: usize, class: usize) -> Vec<usize> {
        let own = self.body.states[state].transitions.iter().filter(|transition| transition.class == class);
        let mut targets: Vec<usize> = own.flat_map(|step| &step.branches).map(|branch| branch.target).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}
