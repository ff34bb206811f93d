//! What becomes of the events of one shape, worked out once.

use std::sync::Arc;

use super::interest::Interest;
use crate::event::EventShape;
use crate::raw::Want;
use crate::value::Type;
use crate::values::Atom;

/// How many events of a shape are taken without a try after one that was not short integers.
const PATIENCE: u8 = 50;

/// What becomes of a point with one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Both are kept.
    Keep,
    /// The event is dropped.
    DropEvent,
    /// Both are dropped.
    DropPoint,
}

/// How events of a shape are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Not at all.
    Drop,
    /// All of them, with all arguments.
    Whole,
    /// All of them, with some arguments.
    Part,
    /// Only some of them, or arguments that are not what they look like.
    Choosy,
}

/// What becomes of the events of one shape.
#[derive(Debug)]
pub(super) struct Handling {
    pub way: Way,
    /// Whether some of them may be dropped.
    pub may_drop: bool,
    /// Whether those that are alone at their point are taken whole, and quickly.
    pub is_single_whole: bool,
    /// Whether all of them are taken, and their arguments are what they look like.
    pub is_single_simple: bool,
    /// Whether all arguments of those that are alone at their point are read.
    pub is_complete_alone: bool,
    /// Whether their points are kept even if all their events are dropped.
    pub steps: bool,
    /// How many there were.
    pub count: u64,
    /// How many are taken without a try whether they are nothing but short integers.
    waits: u8,
    /// What is read of them, unless they are dropped. A log may have as many shapes as events: what few have stands apart.
    read: Option<Box<EventRead>>,
}

/// What is read of the events of one shape.
#[derive(Debug)]
struct EventRead {
    want: Want,
    /// What is read of those that are alone at their point.
    alone: Want,
    /// Which of them are taken, if they are [`Way::Choosy`].
    choice: Option<EventChoice>,
}

/// Which events of a shape are taken, and which of their arguments are not what they look like.
#[derive(Debug)]
struct EventChoice {
    patterns: Vec<Vec<(usize, Arc<str>)>>,
    /// The same for events that come in bulk, without the patterns that none of these can fit.
    written: Vec<Vec<(usize, Atom)>>,
    /// The arguments that are strings whatever they look like. Other declared types are checked before, and texts that
    /// pass are what they look like.
    strings: Box<[bool]>,
}

impl Handling {
    pub(super) fn new(interest: Interest, shape: &EventShape) -> Handling {
        let strings = shape.arguments.iter().map(|argument| argument.declared == Some(Type::String));
        let strings: Box<[bool]> = strings.collect();
        let complete = (0..shape.arguments.len()).all(|place| interest.want.has(place));
        let alone = interest.read_alone();
        let complete_alone = (0..shape.arguments.len()).all(|place| alone.has(place));
        let choosy = !interest.patterns.is_empty() || strings.contains(&true);
        Handling {
            way: match (interest.is_none(), choosy, complete) {
                (true, _, _) => Way::Drop,
                (_, true, _) => Way::Choosy,
                (_, _, true) => Way::Whole,
                (_, _, false) => Way::Part,
            },
            may_drop: interest.is_none() || choosy,
            is_single_whole: !interest.is_none() && !choosy && complete_alone,
            is_single_simple: !interest.is_none() && !choosy,
            is_complete_alone: complete_alone,
            steps: interest.steps,
            count: 0,
            waits: 0,
            read: (!interest.is_none()).then(|| {
                let choice = choosy.then(|| {
                    let written = written(&interest.patterns);
                    EventChoice { written, patterns: interest.patterns, strings }
                });
                Box::new(EventRead { want: interest.want, alone, choice })
            }),
        }
    }

    /// Whether it is worth a try to take an event as short integers.
    #[inline(always)]
    pub(super) fn tries(&mut self) -> bool {
        if self.waits == 0 {
            return true;
        }
        self.waits -= 1;
        false
    }

    /// An event turned out not to be short integers: the next ones are likely not to be, either.
    pub(super) fn give_up(&mut self) {
        self.waits = PATIENCE;
    }

    /// Which arguments are read of events that come in bulk, each alone at its point or not; nothing if they must come one by
    /// one, as those that are dropped must if the last of them may be shown, and those with arguments that are not what they look
    /// like.
    pub(super) fn wanted(&self, are_alone: bool, keeps_dropped: bool) -> Option<Want> {
        let want = match self.read.as_deref() {
            Some(read) if are_alone => read.alone,
            Some(read) => read.want,
            None => Want::NONE,
        };
        match self.way {
            Way::Drop => (!keeps_dropped).then_some(Want::NONE),
            Way::Whole | Way::Part => Some(want),
            Way::Choosy => {
                let choice = self.choice().filter(|choice| !keeps_dropped && !choice.strings.contains(&true))?;
                Some(want.or(Want::fields(choice.patterns.iter().flatten().map(|(place, _)| *place))))
            }
        }
    }

    /// What becomes of an event that came in bulk, and of its point, where it is alone.
    #[inline]
    pub(super) fn fate(&self, values: &[Atom]) -> Fate {
        match self.way {
            Way::Drop => Fate::DropPoint,
            Way::Choosy if self.rejects_written(values) && self.steps => Fate::DropEvent,
            Way::Choosy if self.rejects_written(values) => Fate::DropPoint,
            Way::Whole | Way::Part | Way::Choosy => Fate::Keep,
        }
    }

    /// Whether an event that came in bulk contradicts all patterns.
    #[inline]
    pub(super) fn rejects_written(&self, values: &[Atom]) -> bool {
        let fits = |(place, value): &(usize, Atom)| values.get(*place) == Some(value);
        let fits_none = |choice: &EventChoice| !choice.written.iter().any(|pattern| pattern.iter().all(fits));
        self.choice().is_some_and(fits_none)
    }

    #[inline(always)]
    fn choice(&self) -> Option<&EventChoice> {
        self.read.as_ref()?.choice.as_ref()
    }

    /// Whether an argument is read.
    #[inline(always)]
    pub(super) fn wants(&self, place: usize) -> bool {
        self.read.as_ref().is_some_and(|read| read.want.has(place))
    }

    /// Whether an argument is read of an event that is alone at its point.
    #[inline(always)]
    pub(super) fn wants_alone(&self, place: usize) -> bool {
        self.read.as_ref().is_some_and(|read| read.alone.has(place))
    }

    /// Whether an argument is a string whatever it looks like.
    #[inline(always)]
    pub(super) fn is_string(&self, place: usize) -> bool {
        self.choice().is_some_and(|choice| choice.strings[place])
    }

    /// Whether an event contradicts all patterns.
    #[inline(always)]
    pub(super) fn rejects(&self, texts: &[&str]) -> bool {
        self.choice().is_some_and(|choice| choice.rejects(texts))
    }
}

impl EventChoice {
    fn rejects(&self, texts: &[&str]) -> bool {
        let fits = |(place, text): &(usize, Arc<str>)| texts.get(*place) == Some(&&**text);
        !self.patterns.is_empty() && !self.patterns.iter().any(|pattern| pattern.iter().all(fits))
    }
}

/// Patterns as values that come in bulk; one with a text that never comes so is fitted by none of these.
fn written(patterns: &[Vec<(usize, Arc<str>)>]) -> Vec<Vec<(usize, Atom)>> {
    let value = |(place, text): &(usize, Arc<str>)| Some((*place, Atom::as_written(text)?));
    patterns.iter().filter_map(|pattern| pattern.iter().map(value).collect()).collect()
}
