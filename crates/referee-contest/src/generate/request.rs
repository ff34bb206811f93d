//! What is asked of a generator, and what becomes of it.

use super::share::Share;
use super::{Breach, Generator, Refusal, Sizes};

/// Whether the trace obeys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds.
    #[default]
    Satisfied,
    /// It does not.
    Violated,
}

/// How things are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Values {
    /// By numbers, mostly in the order of their first appearance.
    #[default]
    Integers,
    /// By strings without any order, such as `user-8f3a51c07be2`.
    Strings,
}

/// A wish for a trace. What is left out is as the generator has it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// How many events.
    pub events: Option<u64>,
    /// Where chance begins.
    pub seed: u64,
    /// Whether the trace obeys.
    pub verdict: Verdict,
    /// How things are called.
    pub values: Values,
    /// Which part of the trace has passed with the event that breaks the property; 0.999 by default.
    pub at: Option<Share>,
    /// The variant with times.
    pub timed: bool,
    /// How many events a time point has; 1 by default.
    pub per_point: Option<u64>,
    /// How many rows are within the property's window; 10,000 by default.
    pub live: Option<u64>,
    /// How many of the events break the property; 1 % by default.
    pub violations: Option<Share>,
}

/// A wish that has been checked and completed.
#[derive(Debug, Clone)]
pub struct Order {
    /// How many events.
    pub events: u64,
    /// How many of them keep the property.
    pub obeying: u64,
    /// How many events a time point has.
    pub per_point: u64,
    /// How many rows are within the property's window.
    pub live: u64,
    /// Where chance begins.
    pub seed: u64,
    /// How things are called.
    pub values: Values,
    /// Which events break the property.
    pub schedule: Schedule,
}

/// Which events break the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// None.
    Never,
    /// One breach, whose steps are the events with these numbers.
    Once {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// This share of all events, spread evenly; each is a breach of one step.
    Spread(Share),
}

impl Schedule {
    /// Which step of a breach the event with this number is, if it belongs to one.
    #[inline]
    pub fn step(self, number: u64) -> Option<u64> {
        match self {
            Schedule::Never => None,
            Schedule::Once { first, last } => (first..=last).contains(&number).then(|| number - first),
            Schedule::Spread(share) => (share.down(number) > share.down(number - 1)).then_some(0),
        }
    }

    /// How many of the events belong to breaches.
    fn total(self, events: u64) -> u64 {
        match self {
            Schedule::Never => 0,
            Schedule::Once { first, last } => last - first + 1,
            Schedule::Spread(share) => share.down(events),
        }
    }
}

impl Order {
    /// Checks and completes a wish.
    pub(super) fn new(generator: &Generator, request: &Request) -> Result<Order, Refusal> {
        refuse_foreign_options(generator, request)?;
        let events = request.events.unwrap_or(generator.events);
        if request.verdict == Verdict::Satisfied {
            refuse_impossible_size(generator, events)?;
        }
        let schedule = schedule(generator, request, events)?;
        let per_point = request.per_point.unwrap_or(1).max(1);
        // A short trace would never fill a large window; and a point must not span much of a window.
        let live = request.live.unwrap_or(10_000).min(events / 8).max(per_point.saturating_mul(4));
        Ok(Order {
            events,
            obeying: events - schedule.total(events),
            per_point,
            live,
            seed: request.seed,
            values: request.values,
            schedule,
        })
    }
}

/// Options that say nothing to this generator are mistakes.
fn refuse_foreign_options(generator: &Generator, request: &Request) -> Result<(), Refusal> {
    let spread = generator.breach == Breach::Spread;
    let name = generator.name;
    let foreign = [
        ("--at", request.at.is_some() && spread, "its violations are spread evenly: see --violations"),
        ("--per-point", request.per_point.is_some() && !spread, "each of its events is a point of its own"),
        ("--live", request.live.is_some() && !spread, "its property has no window"),
        ("--violations", request.violations.is_some() && !spread, "it breaks its property once: see --at"),
    ];
    match foreign.into_iter().find(|(_, wrong, _)| *wrong) {
        Some((option, _, why)) => Err(Refusal(format!("{name} does not take {option}: {why}"))),
        None => Ok(()),
    }
}

/// Some properties hold of traces of some sizes only.
fn refuse_impossible_size(generator: &Generator, events: u64) -> Result<(), Refusal> {
    let Sizes { least, multiple_of } = generator.sizes;
    if events >= least && events.is_multiple_of(multiple_of) {
        return Ok(());
    }
    let name = generator.name;
    let (below, above) = (events - events % multiple_of, events.next_multiple_of(multiple_of).max(least));
    Err(Refusal(match events < least {
        true => {
            format!("{name} is violated by every trace with {events} events\n  hint: ask for {least} --events or more")
        }
        false => format!(
            "{name} is satisfied only by traces whose number of events is a multiple of {multiple_of}, and {events} is \
             none\n  hint: ask for {below} or {above} --events"
        ),
    }))
}

fn schedule(generator: &Generator, request: &Request, events: u64) -> Result<Schedule, Refusal> {
    match (request.verdict, generator.breach) {
        (Verdict::Satisfied, _) => Ok(Schedule::Never),
        (Verdict::Violated, Breach::Spread) => spread(generator, request, events),
        (Verdict::Violated, Breach::Once { before, after }) => {
            let at = request.at.unwrap_or(Share::thousandths(999));
            let place = at.up(events).max(1);
            match place <= events && place > before {
                true => Ok(Schedule::Once { first: place - before, last: (place + after).min(events) }),
                false => Err(too_early(generator, place, before, events)),
            }
        }
    }
}

fn spread(generator: &Generator, request: &Request, events: u64) -> Result<Schedule, Refusal> {
    let share = request.violations.unwrap_or(Share::thousandths(10));
    match share.down(events) {
        0 => Err(Refusal(format!(
            "{} of {events} events is no event, and the trace of {} would not be violated\n  hint: ask for more \
             --events or --violations",
            share, generator.name
        ))),
        _ => Ok(Schedule::Spread(share)),
    }
}

fn too_early(generator: &Generator, place: u64, before: u64, events: u64) -> Refusal {
    let name = generator.name;
    let earliest = before + 1;
    Refusal(format!(
        "{name} cannot be violated by event {place} of {events}: it needs {before} events before that\n  hint: ask for \
         more --events, or a later --at, so that the place is {earliest} or more"
    ))
}
