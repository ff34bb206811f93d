//! Keeps what a file of DATEs remembers: open contexts with their variables, clocks and states, timeouts that are still to
//! come, and messages that wait.

use std::collections::VecDeque;
use std::sync::Arc;

use referee_spec::core::machine::dates::{ClockAct, Dates};
use referee_spec::core::{Problem, Span};
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::contexts::{Content, ContextId, Contexts, GLOBAL};
use super::timeouts::{TimeoutOwner, Timeouts};

/// Something that cannot be computed, and where.
pub(super) type DatesTrouble = (Problem, Span);

/// A message that waits to be dealt with.
#[derive(Debug)]
pub(super) struct Message {
    /// The channel.
    pub channel: usize,
    /// What it carries.
    pub arguments: Vec<Atom>,
    /// The context of the channel.
    pub root: ContextId,
    /// Where it was sent.
    pub span: Span,
}

/// What later verdicts depend on.
#[derive(Debug)]
pub(super) struct DatesMemory {
    /// What is judged.
    pub dates: Arc<Dates>,
    /// The open contexts.
    pub contexts: Contexts,
    /// The timeouts that are ahead.
    pub timeouts: Timeouts,
    /// The messages that wait to be dealt with.
    pub waiting: VecDeque<Message>,
    /// The time.
    pub now: Number,
    /// The place of each variable among those of its scope.
    variable_places: Vec<usize>,
    /// The place of each clock among those of its scope.
    clock_places: Vec<usize>,
}

impl DatesMemory {
    /// Before the first point.
    pub(super) fn new(dates: &Arc<Dates>, values: &mut Values) -> DatesMemory {
        DatesMemory {
            contexts: Contexts::new(dates, values),
            dates: dates.clone(),
            timeouts: Timeouts::default(),
            waiting: VecDeque::new(),
            now: Number::from(0),
            variable_places: places(dates.variables.len(), dates.scopes.iter().map(|scope| &scope.variables[..])),
            clock_places: places(dates.clocks.len(), dates.scopes.iter().map(|scope| &scope.clocks[..])),
        }
    }

    /// Opens a context and watches its clocks.
    pub(super) fn open(&mut self, scope: usize, parent: ContextId, own: &[Atom]) {
        let context = self.contexts.open(scope, parent, own, &self.now);
        for place in 0..self.dates.scopes[scope].clocks.len() {
            self.watch(context, place);
        }
    }

    /// Closes the contexts with a dead key that hear of nothing any more.
    pub(super) fn forget(&mut self, value: Atom) {
        let dates = &self.dates;
        self.contexts.forget(value, |context| {
            let clocks = context.clocks.iter().zip(&dates.scopes[context.scope].clocks);
            clocks.into_iter().all(|(watch, clock)| watch.due(&dates.clocks[*clock].delays).is_none())
        });
    }

    /// Sees to it that a clock of a context will be looked at in time.
    pub(super) fn watch(&mut self, context: ContextId, place: usize) {
        let open = self.contexts.get_mut(context);
        let clock = self.dates.scopes[open.scope].clocks[place];
        let owner = TimeoutOwner { serial: open.serial, clock, place, context };
        self.timeouts.watch(&mut open.clocks[place], &self.dates.clocks[clock].delays, owner);
    }

    /// The context of a clock that is visible from another, and its place there.
    pub(super) fn clock(&self, context: ContextId, clock: usize) -> (ContextId, usize) {
        (self.owner(context, self.dates.clocks[clock].scope), self.clock_places[clock])
    }

    /// The context of a scope, among one and those that it stands in.
    pub(super) fn owner(&self, mut context: ContextId, scope: usize) -> ContextId {
        while self.contexts.get(context).scope != scope && context != GLOBAL {
            context = self.contexts.get(context).parent;
        }
        context
    }

    /// The context of a variable that is visible from another, and its place there.
    pub(super) fn variable(&self, context: ContextId, variable: usize) -> (ContextId, usize) {
        (self.owner(context, self.dates.variables[variable].scope), self.variable_places[variable])
    }

    /// What a variable that is visible from a context holds, to be changed.
    pub(super) fn content_mut(&mut self, context: ContextId, variable: usize) -> &mut Content {
        let (owner, place) = self.variable(context, variable);
        &mut self.contexts.get_mut(owner).variables[place]
    }

    /// Lets a message wait until the happening at hand has been dealt with.
    pub(super) fn send(&mut self, message: Message) {
        self.waiting.push_back(message);
    }

    /// Does something with a clock that is visible from a context.
    pub(super) fn touch(&mut self, context: ContextId, clock: usize, act: ClockAct) {
        let (owner, place) = self.clock(context, clock);
        self.contexts.get_mut(owner).clocks[place].touch(act, &self.now);
        self.watch(owner, place);
    }
}

/// The place of each of so many things in the list that has it.
fn places<'d>(count: usize, lists: impl Iterator<Item = &'d [usize]>) -> Vec<usize> {
    let mut places = vec![0; count];
    for (place, thing) in lists.flat_map(|list| list.iter().enumerate()) {
        places[*thing] = place;
    }
    places
}
