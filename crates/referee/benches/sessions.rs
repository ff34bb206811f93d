//! What an event costs that a program hands to a session: CPU nanoseconds, alone and with 63 others.
//!
//! `cargo bench -p referee --bench sessions [-- FILTER]` makes a million events about a thousand or half a million live objects, in turn and in
//! no order, whose arguments are integers, and hands them to a [`Session`] of one rule; per rule it prints the least of some runs, event by event and in
//! batches of 64. A run that finds a violation ends the bench: the events obey their rule.

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;

use std::sync::Arc;

use referee_engine::session::{Session, SessionKind};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::event::{Argument, EventShape};
use referee_trace::values::Atom;

const EVENTS: usize = 1_000_000;
const REPEAT: u32 = 7;
const BATCH: usize = 64;

/// An event before it has a kind: the number of its kind and its arguments.
type RawEvent = (usize, [i64; 2]);

struct Work {
    name: &'static str,
    language: Language,
    text: &'static str,
    /// Names, arguments by position, arguments by name.
    kinds: &'static [(&'static str, &'static [&'static str], bool)],
    /// The next events, given a random object and a random number; what came last of that object is kept for it.
    step: fn(object: i64, last: &mut u8, random: u64, out: &mut Vec<RawEvent>),
}

const WORKS: [Work; 5] = [
    Work {
        name: "access",
        language: Language::Qtl,
        text: include_str!("../../referee-generate/specifications/dejavu-access.qtl"),
        kinds: &[
            ("login", &["u"], false),
            ("logout", &["u"], false),
            ("open", &["f"], false),
            ("close", &["f"], false),
            ("access", &["u", "f"], false),
        ],
        step: |object, last, random, out| match (*last, random % 8) {
            (0, _) => {
                out.extend([(0, [object, 0]), (2, [object, 0])]);
                *last = 1;
            }
            (_, 0) => {
                out.extend([(1, [object, 0]), (3, [object, 0])]);
                *last = 0;
            }
            _ => out.push((4, [object, object])),
        },
    },
    Work {
        name: "file",
        language: Language::Qtl,
        text: include_str!("../../referee-generate/specifications/dejavu-file.qtl"),
        kinds: &[("open", &["f", "m"], false), ("close", &["f"], false)],
        step: |object, last, random, out| {
            out.push(if *last == 0 { (0, [object, (random % 3) as i64]) } else { (1, [object, 0]) });
            *last ^= 1;
        },
    },
    Work {
        name: "has-next (QEA)",
        language: Language::Qea,
        text: "qea { forall(i) accept skip(unsafe) { has(i) -> safe  next(i) -> failure } \
               accept skip(safe) { next(i) -> unsafe } }",
        kinds: &[("has", &["i"], false), ("next", &["i"], false)],
        step: |object, last, _, out| {
            out.push((usize::from(*last), [object, 0]));
            *last ^= 1;
        },
    },
    Work {
        name: "lifecycle (QEA)",
        language: Language::Qea,
        text: include_str!("../../referee-generate/specifications/qea-lifecycle.qea"),
        kinds: &[
            ("request", &["r"], false),
            ("deny", &["r"], false),
            ("grant", &["r"], false),
            ("cancel", &["r"], false),
            ("rescind", &["r"], false),
        ],
        step: |object, last, random, out| {
            let (kind, next) = match (*last, random % 4) {
                (0, _) => (0, 1),
                (1, 0) => (1, 0),
                (1, _) => (2, 2),
                (_, 0) => (3, 0),
                _ => (4, 2),
            };
            out.push((kind, [object, 0]));
            *last = next;
        },
    },
    Work {
        name: "alarm (Lola, 4.3.11)",
        language: Language::Lola,
        text: include_str!("../../referee-generate/specifications/stepr-alarm.lola"),
        kinds: &[("step", &["alarm", "time"], true), ("step", &["start2", "time"], true)],
        step: |_, last, random, out| {
            // An alarm comes long after the start before it.
            let (before, time) = out.last().map_or((0, 0), |(kind, [_, time])| (*kind, *time));
            *last = u8::from(random.is_multiple_of(16));
            out.push((usize::from(*last), [1, time + if before == 1 { 70_000 } else { 1000 }]));
        },
    },
];

/// Events about so many objects, which come in turn or in no order: then no processor guesses what comes.
fn events(work: &Work, objects: usize, in_turn: bool) -> Vec<RawEvent> {
    let mut random: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let (mut out, mut last) = (Vec::with_capacity(EVENTS + 2), vec![0; objects]);
    // First all objects come, so that they are alive when it counts.
    for (object, last) in last.iter_mut().enumerate() {
        (work.step)(object as i64, last, next(), &mut out);
    }
    let (before, mut turn) = (out.len(), 0);
    while out.len() < before + EVENTS {
        turn += 1;
        let object = if in_turn { turn } else { next() as usize } % objects;
        (work.step)(object as i64, &mut last[object], next(), &mut out);
    }
    out
}

/// A session of the rule of a work, and its kinds.
fn start(work: &Work) -> (Session, Vec<SessionKind>) {
    let mut compiled = compile(work.language, &Source::new(work.name, work.text), &Options::default());
    assert_eq!(compiled.properties.len(), 1, "{}: {:?}", work.name, compiled.diagnostics);
    let mut session = Session::new(&[Arc::new(compiled.properties.remove(0)) as Arc<Rule>]);
    let kind = |(name, arguments, is_named): &(&str, &[&str], bool)| match is_named {
        false => session.kind(name, arguments),
        true => {
            let argument = |name: &&str| Argument { name: (*name).into(), declared: None };
            let arguments: Vec<Argument> = arguments.iter().map(argument).collect();
            session.kind_of(&EventShape { name: (*name).into(), arguments: arguments.into(), positional: 0 })
        }
    };
    let kinds = work.kinds.iter().map(kind).collect();
    (session, kinds)
}

/// Nanoseconds of an event, handed over alone or so many at a time.
fn nanoseconds(work: &Work, raw: &[RawEvent], together: usize) -> f64 {
    let before = raw.len() - EVENTS;
    let mut least = f64::MAX;
    for _ in 0..REPEAT {
        let (mut session, kinds) = start(work);
        let atoms = |[one, two]: [i64; 2], kind: usize, session: &mut Session| {
            let one = if work.kinds[kind].2 { Atom::boolean(one == 1) } else { session.integer(one) };
            [one, session.integer(two)]
        };
        let all: Vec<(usize, [Atom; 2])> =
            raw.iter().map(|(kind, own)| (*kind, atoms(*own, *kind, &mut session))).collect();
        let counts: Vec<usize> = work.kinds.iter().map(|(_, arguments, _)| arguments.len()).collect();
        let mut hand_over = |events: &[(usize, [Atom; 2])]| {
            let mut found = 0;
            for chunk in events.chunks(together) {
                for (kind, atoms) in chunk {
                    let arguments = &atoms[..counts[*kind]];
                    match together {
                        1 => found += session.event(kinds[*kind], arguments).expect("an event").len(),
                        _ => session.add(None, &[(kinds[*kind], arguments)]).expect("an event"),
                    }
                }
                if together > 1 {
                    found += session.judge().len();
                }
            }
            assert_eq!(found, 0, "{}: the events obey their rule", work.name);
            found as u64
        };
        hand_over(&all[..before]);
        let cpu = measure::cpu_of(|| hand_over(&all[before..]));
        least = least.min(cpu.as_secs_f64() * 1e9 / EVENTS as f64);
    }
    least
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!("{:<22} {:>9} {:>10} {:>14} {:>18}", "rule", "objects", "order", "one by one, ns", "64 at a time, ns");
    for work in WORKS.iter().filter(|work| wanted.iter().all(|wanted| work.name.contains(wanted.as_str()))) {
        for (objects, in_turn) in [(1000, true), (1000, false), (500_000, true), (500_000, false)] {
            let raw = events(work, objects, in_turn);
            let (single, batch) = (nanoseconds(work, &raw, 1), nanoseconds(work, &raw, BATCH));
            let order = if in_turn { "in turn" } else { "random" };
            println!("{:<22} {objects:>9} {order:>10} {single:>14.1} {batch:>18.1}", work.name);
        }
    }
}
