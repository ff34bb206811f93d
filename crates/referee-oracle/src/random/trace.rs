//! Random traces.

use referee_spec::core::{Kind, Language, Property};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

use super::rng::Rng;
use super::vocabulary::{EVENTS, FIELDS, TEXTS};

/// A trace of up to ten points for a property: its events, a few values, and times with ties and gaps.
pub fn random_trace(rng: &mut Rng, property: &Property) -> OwnedTrace {
    random_trace_of(rng, property, |rng| rng.below(11))
}

/// The same with as many points as `length` says.
pub fn random_trace_of(rng: &mut Rng, property: &Property, length: impl Fn(&mut Rng) -> usize) -> OwnedTrace {
    let timed = match property.language {
        Language::Foltl => rng.chance(10),
        Language::Qtl => rng.chance(60),
        _ => true,
    };
    let values: Vec<&str> = (0..3).map(|_| rng.pick(&TEXTS)).collect();
    let events = events_of(property);
    let mut time = rng.below(3) as i64;
    let mut points = Vec::new();
    for _ in 0..length(rng) {
        time += rng.pick(&[0, 0, 1, 1, 1, 2, 3, 5]);
        let count = match property.language {
            Language::Foltl | Language::Qtl => rng.weighted(&[3, 90, 7]),
            _ => rng.weighted(&[15, 35, 30, 20]),
        };
        let events = (0..count).map(|_| event(rng, &events, &values, property.language)).collect();
        points.push(OwnedPoint { time: timed.then_some(Number::Int(time)), events });
    }
    OwnedTrace { points }
}

/// The events that a property speaks of, with their arities; all there are if it speaks of none.
fn events_of(property: &Property) -> Vec<(&'static str, usize)> {
    let mut events = Vec::new();
    let bodies = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
    for body in bodies {
        body.visit(&mut |formula| {
            if let Kind::Event(atom) = &formula.kind {
                events.extend(EVENTS.iter().filter(|(name, _)| *name == &*atom.name));
            }
        });
    }
    if events.is_empty() { EVENTS.to_vec() } else { events }
}

fn event(rng: &mut Rng, events: &[(&'static str, usize)], values: &[&str], language: Language) -> OwnedEvent {
    let (name, arity) = if rng.chance(90) { rng.pick(events) } else { rng.pick(&EVENTS) };
    // Now and then an event has an argument more than its namesakes.
    let arity = if rng.chance(3) { (arity + 1).min(2) } else { arity };
    let texts: Vec<&str> = (0..arity).map(|_| rng.pick(values)).collect();
    let mut event = OwnedEvent::positional(name, &texts);
    if language == Language::Foltl {
        for (argument, field) in event.arguments.iter_mut().zip(FIELDS) {
            argument.name = field.into();
        }
        if rng.chance(40) {
            let size = FIELDS[FIELDS.len() - 1];
            event.arguments.push(OwnedArgument { name: size.into(), text: rng.pick(values).into(), declared: None });
        }
    }
    event
}
