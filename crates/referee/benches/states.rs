//! What the state of a compiled program costs: bytes per row, and CPU time to save and to load it.
//!
//! `cargo bench -p referee --bench states [-- FILTER]` fills a table with a million rows, saves the session and loads it into a new
//! one, and prints per work: rows, bytes, bytes per row, CPU milliseconds to judge the events that fill it, to save and to load, the least of
//! some times. The loaded session must have the same rows, and be saved as the same bytes. Nothing fails because a machine is slow.

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;

use std::sync::Arc;
use std::time::Duration;

use referee_engine::session::{Loaded, Session, SessionKind};
use referee_spec::core::{Language, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::values::Atom;

/// How many rows are filled.
const ROWS: u64 = 1_000_000;

/// How often saving and loading is repeated.
const TIMES: usize = 3;

/// A property, the event that adds a row, and the values of each.
struct Work {
    name: &'static str,
    language: Language,
    text: &'static str,
    event: &'static str,
    values: fn(u64, &mut Session) -> Vec<Atom>,
    is_timed: bool,
}

/// Numbers below a thousand and numbers in no order, so that look-ups meet the memory that they would meet.
fn two_integers(number: u64, session: &mut Session) -> Vec<Atom> {
    let scattered = number.wrapping_mul(0x9E37_79B9) % 1_000_003;
    vec![session.integer((number % 1000) as i64), session.integer(scattered as i64)]
}

fn integer_and_text(number: u64, session: &mut Session) -> Vec<Atom> {
    vec![session.integer(number as i64), session.text(&format!("session-{:06}", number % 100_000))]
}

const WORKS: [Work; 5] = [
    Work {
        name: "two integers",
        language: Language::Qtl,
        text: "prop rows: Forall t . Forall l . rel(t, l) -> @[acq(t, l), rel(t, l))",
        event: "acq",
        values: two_integers,
        is_timed: false,
    },
    Work {
        name: "two integers, an index",
        language: Language::Qtl,
        text: "prop rows: Forall t . sleep(t) -> !Exists l . [acq(t, l), rel(t, l))",
        event: "acq",
        values: two_integers,
        is_timed: false,
    },
    Work {
        name: "two integers, in a window",
        language: Language::Mfotl,
        text: "FORALL t, l. rel(t, l) IMPLIES ONCE[0,1000000] acq(t, l)",
        event: "acq",
        values: two_integers,
        is_timed: true,
    },
    Work {
        name: "two integers, open demands",
        language: Language::Mfotl,
        text: "FORALL t, l. acq(t, l) IMPLIES EVENTUALLY[0,1000000] rel(t, l)",
        event: "acq",
        values: two_integers,
        is_timed: true,
    },
    Work {
        name: "an integer and a text",
        language: Language::Qtl,
        text: "prop rows: Forall t . Forall l . rel(t, l) -> @[acq(t, l), rel(t, l))",
        event: "acq",
        values: integer_and_text,
        is_timed: false,
    },
];

/// The rule of a work.
fn rule(work: &Work) -> [Arc<Rule>; 1] {
    let mut compiled = compile(work.language, &Source::new("rows", work.text), &Options::default());
    assert_eq!(compiled.properties.len(), 1, "{}: {:?}", work.name, compiled.diagnostics);
    [Arc::new(compiled.properties.remove(0))]
}

/// Adds a row per event.
fn fill(work: &Work, session: &mut Session) {
    let kind: SessionKind = session.kind(work.event, &["1", "2"]);
    for number in 0..ROWS {
        let values = (work.values)(number, session);
        let time = work.is_timed.then_some(Number::Int(number as i64 / 10));
        session.add(time.as_ref(), &[(kind, &values)]).expect("points are in order");
        if number % 512 == 0 {
            assert_eq!(session.judge().len(), 0, "nothing is violated");
        }
    }
    session.judge();
}

fn rows(session: &Session) -> usize {
    session.sizes().iter().map(|size| size.rows).sum()
}

/// The CPU time of some work, and what it gives.
fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let mut result = None;
    let time = measure::cpu_of(|| {
        result = Some(work());
        0
    });
    (time, result.expect("the work was done"))
}

fn run(work: &Work) {
    let rule = rule(work);
    let mut session = Session::new(&rule);
    let (filling, ()) = timed(|| fill(work, &mut session));
    let kept = rows(&session);
    assert!(kept as u64 >= ROWS, "{}: {kept} rows", work.name);
    let (mut saving, mut loading, mut bytes) = (Duration::MAX, Duration::MAX, Vec::new());
    for _ in 0..TIMES {
        let (time, saved) = timed(|| session.save().expect("it can be saved"));
        saving = saving.min(time);
        let mut other = Session::new(&rule);
        let (time, loaded) = timed(|| other.load(&saved));
        loading = loading.min(time);
        assert_eq!((loaded, rows(&other)), (Ok(Loaded::default()), kept), "{}", work.name);
        assert!(other.save().as_ref() == Ok(&saved), "{}: what was loaded is what was saved", work.name);
        bytes = saved;
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{:<28} {kept:>9} {:>11} {:>10.1} {:>9.0} {:>9.0} {:>9.0}",
        work.name,
        bytes.len(),
        bytes.len() as f64 / kept as f64,
        milliseconds(filling),
        milliseconds(saving),
        milliseconds(loading)
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "{:<28} {:>9} {:>11} {:>10} {:>9} {:>9} {:>9}",
        "work", "rows", "bytes", "bytes/row", "fill ms", "save ms", "load ms"
    );
    for work in WORKS.iter().filter(|work| wanted.iter().all(|wanted| work.name.contains(wanted.as_str()))) {
        run(work);
    }
}
