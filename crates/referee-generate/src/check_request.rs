//! Checks a request against what the generator can do, and completes it to an order.

use crate::generator::{Breach, Generator, Sizes};
use crate::order::{Order, Schedule};
use crate::request::{Request, Verdict};
use crate::share::Share;

/// A wish that cannot be fulfilled, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Generator {
    /// The generator that answers a request: this one or its variant with times.
    pub fn variant(&'static self, request: &Request) -> Result<&'static Generator, Refusal> {
        match (request.timed, self.timed) {
            (false, _) => Ok(self),
            (true, Some(timed)) => Ok(timed),
            (true, None) => Err(Refusal(format!("{} does not take --timed: it has one form only", self.name))),
        }
    }

    /// Checks and completes a request to this variant.
    pub fn order(&self, request: &Request) -> Result<Order, Refusal> {
        refuse_foreign_options(self, request)?;
        let events = request.events.unwrap_or(self.events);
        if request.verdict == Verdict::Satisfied {
            refuse_impossible_size(self, events)?;
        }
        let schedule = schedule(self, request, events)?;
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
