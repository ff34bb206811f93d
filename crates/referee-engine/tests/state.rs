//! State: saving and loading changes nothing, nor does forgetting what never comes again.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` work as in the differential tests.

mod feeding;

use std::sync::Arc;

use feeding::follow;
use referee_engine::Settings;
use referee_engine::session::{Loaded, SavedState, Session, StateError};
use referee_oracle::random::{
    Rng, describe, random_aggregation, random_aggregation_trace, random_property, random_trace,
};
use referee_spec::core::{Language, Outcome, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 3_000;

fn random_case(seed: u64, language: Language) -> (Rng, Arc<Property>, OwnedTrace) {
    let mut rng = Rng::new(seed);
    let depth = 1 + usize::try_from(seed % 6).expect("small");
    let property = random_property(&mut rng, language, depth);
    let trace = random_trace(&mut rng, &property);
    (rng, Arc::new(property), trace)
}

/// A session in which the property is interpreted.
fn interpreting(property: &Arc<Property>, prefix: bool) -> Session {
    let settings = Settings { prefix, compile: false, ..Settings::default() };
    Session::with(&[Arc::new(Rule::Formula(property.clone()))], &settings)
}

/// Judges a trace; `between` may do anything to the session after each point, whose number it gets.
fn judge(
    property: &Arc<Property>,
    trace: &OwnedTrace,
    prefix: bool,
    between: impl FnMut(&mut Session, usize),
) -> Outcome {
    follow(&mut interpreting(property, prefix), trace, between)
}

/// Puts a session's state into a new session, by way of bytes. Values have been met in another order there.
fn move_house(session: &mut Session, property: &Arc<Property>, prefix: bool) {
    let bytes = session.save().expect("interpreters can be saved");
    let mut other = interpreting(property, prefix);
    ["z", "b", "17.5", "a", "3"].iter().for_each(|text| {
        other.text(text);
    });
    let loaded = other.load(&bytes).expect("what was written can be read");
    assert_eq!(loaded, Loaded::default());
    assert_eq!(other.save().as_ref(), Ok(&bytes), "what was read is what was written");
    *session = other;
}

fn snapshots_change_nothing(language: Language) {
    for seed in seeds(CASES) {
        let (mut rng, property, trace) = random_case(seed, language);
        let prefix = seed % 4 == 0;
        let expected = judge(&property, &trace, prefix, |_, _| {});
        let outcome = judge(&property, &trace, prefix, |session, _| {
            if rng.chance(40) {
                move_house(session, &property, prefix);
            }
        });
        assert_eq!(outcome, expected, "seed {seed}\n{}", describe(&property, &trace));
    }
}

/// What is being put together when a snapshot is taken goes on as if it had not been.
#[test]
fn snapshots_change_nothing_in_aggregations() {
    let mut open = 0;
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (property, trace) = (property(&random_aggregation(&mut rng)), random_aggregation_trace(&mut rng));
        let prefix = seed % 4 == 0;
        let expected = judge(&property, &trace, prefix, |_, _| {});
        let outcome = judge(&property, &trace, prefix, |session, index| {
            open += u32::from(index > 0 && index < trace.points.len());
            move_house(session, &property, prefix);
        });
        assert_eq!(outcome, expected, "seed {seed}\n{}", describe(&property, &trace));
    }
    assert!(open > 0 || !is_sample(cases(CASES)), "some snapshot is taken between points");
}

#[test]
fn snapshots_change_nothing_in_foltl() {
    snapshots_change_nothing(Language::Foltl);
}

#[test]
fn snapshots_change_nothing_in_qtl() {
    snapshots_change_nothing(Language::Qtl);
}

#[test]
fn snapshots_change_nothing_in_mfotl() {
    snapshots_change_nothing(Language::Mfotl);
}

/// The texts that a point shows and no later one does.
fn last_seen(trace: &OwnedTrace, index: usize) -> Vec<&str> {
    let texts = |points: std::ops::Range<usize>| {
        let events = trace.points[points].iter().flat_map(|point| &point.events);
        events.flat_map(|event| &event.arguments).map(|argument| &*argument.text).collect::<Vec<&str>>()
    };
    let later = texts(index..trace.points.len());
    texts(0..index).into_iter().filter(|text| !later.contains(text)).collect()
}

fn forgetting_changes_nothing(language: Language) {
    for seed in seeds(CASES) {
        let (mut rng, property, trace) = random_case(seed, language);
        let prefix = seed % 4 == 0;
        let expected = judge(&property, &trace, prefix, |_, _| {});
        let outcome = judge(&property, &trace, prefix, |session, index| {
            for text in last_seen(&trace, index) {
                if rng.chance(70) {
                    let value = session.text(text);
                    session.forget(value);
                }
            }
        });
        // What counts as pending is a matter of what is still kept.
        let outcome = Outcome { pending: expected.pending, ..outcome };
        assert_eq!(outcome, expected, "seed {seed}\n{}", describe(&property, &trace));
    }
}

#[test]
fn forgetting_changes_nothing_in_foltl() {
    forgetting_changes_nothing(Language::Foltl);
}

#[test]
fn forgetting_changes_nothing_in_qtl() {
    forgetting_changes_nothing(Language::Qtl);
}

#[test]
fn forgetting_changes_nothing_in_mfotl() {
    forgetting_changes_nothing(Language::Mfotl);
}

fn property(text: &str) -> Arc<Property> {
    let mut compiled = compile(Language::Mfotl, &Source::new("test", text), &Options::default());
    assert_eq!(compiled.properties.len(), 1, "{:?}", compiled.diagnostics);
    compiled.properties.remove(0).into_formula().expect("a formula")
}

/// A session that keeps something in every part of its state.
fn rich_session() -> Session {
    let property = property(
        "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) AND (PREV p(x) OR EVENTUALLY[0,9] (x < y AND p(y)))",
    );
    let mut session = interpreting(&property, false);
    let (p, q, r) = (session.kind("p", &["1"]), session.kind("q", &["1"]), session.kind("r", &["1", "2"]));
    let values = ["1", "two", "3.25", "true", "99999999999999999999"].map(|text| session.text(text));
    for (time, value) in (1..).zip(values) {
        let time = Some(&Number::Int(time));
        session.point(time, &[(q, &[value]), (r, &[value, values[0]])]).expect("a point");
        session.point(time, &[(p, &[value]), (r, &[values[0], value])]).expect("a point");
    }
    session
}

/// A session before the first point, for the same rule.
fn empty_session() -> Session {
    let mut session = rich_session();
    session.begin_trace();
    session
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let (bytes, mut session) = (rich_session().save().expect("it can be saved"), empty_session());
    for length in 0..bytes.len() {
        assert!(session.load(&bytes[..length]).is_err(), "cut at {length}");
    }
    for place in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        assert!(session.load(&bytes).is_err(), "bit {place}");
    }
    assert_eq!(session.load(&bytes), Ok(Loaded::default()));
    assert_eq!(session.save(), Ok(bytes));
}

#[test]
fn what_is_no_state_of_these_rules_is_refused_with_a_reason() {
    let (bytes, mut session) = (rich_session().save().expect("it can be saved"), empty_session());
    let message = |result: Result<Loaded, StateError>| result.expect_err("refused").to_string();
    assert_eq!(message(session.load(b"a,1\n")), "this is no saved state");
    assert_eq!(
        message(session.load(b"RFST\x7f")),
        "the state was written by a newer version, in layout 127; this one reads layout 3"
    );
    assert_eq!(
        message(session.load(b"RFST\x01")),
        "the state was written by an older version, in layout 1; this one reads layout 3"
    );
    assert_eq!(
        message(session.load(&bytes[..bytes.len() - 1])),
        "the state is damaged: its checksum or its content is not what was written"
    );
    let mut other = interpreting(&property("FORALL x. p(x) IMPLIES q(x)"), false);
    assert_eq!(
        message(other.load(&bytes)),
        "the state was saved for other rules or options: it has `test`, and none of its rules is judged here"
    );
    let _ = session.load(&bytes).expect("it is whole");
    assert_eq!(message(session.load(&bytes)), "the session has begun already; load a state before the first point");
    session.end();
    assert_eq!(
        session.save().expect_err("refused").to_string(),
        "the trace has ended, and nothing can go on from there; save the state before the end"
    );
}

/// Refuses all after so many bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_disk_that_is_full_is_told() {
    let (session, length) = (rich_session(), rich_session().save().expect("it can be saved").len());
    for room in [0, 1, length - 1] {
        let error = session.save_to(&mut Full(room), &[]).expect_err("there is no room");
        assert_eq!(error.to_string(), "the state cannot be written: no storage space", "{room} bytes");
    }
    assert_eq!(session.save_to(&mut Full(length), &[]), Ok(()));
}

#[test]
fn a_state_says_what_it_holds() {
    let mut bytes = Vec::new();
    rich_session().save_to(&mut bytes, b"a note").expect("it can be saved");
    let saved = SavedState::read(&bytes).expect("it is whole");
    assert_eq!((saved.position.point, saved.position.events), (10, 20));
    assert_eq!(saved.position.clock, Some(Number::Int(5)));
    assert_eq!(saved.note, b"a note");
    let rules: Vec<(&str, &str)> = saved.rules.iter().map(|rule| (&*rule.name, &*rule.language)).collect();
    assert_eq!(rules, [("test", "mfotl")]);
    let shapes: Vec<&str> = saved.shapes.iter().map(|shape| &*shape.name).collect();
    assert_eq!(shapes, ["p", "q", "r"]);
    let sizes = rich_session().sizes();
    assert!(sizes.iter().any(|size| size.rows > 0));
    assert_eq!(
        saved.parts.iter().map(|part| (part.before, &part.rules, &part.sizes)).collect::<Vec<_>>(),
        [(0, &vec![0], &sizes)]
    );
    assert!(!saved.parts[0].bytes.is_empty());
}

#[test]
fn tables_that_are_shared_are_written_once() {
    let size = |text: &str| {
        let mut session = interpreting(&property(text), false);
        let p = session.kind("p", &["1"]);
        for identity in 0..1000 {
            let value = session.identity(identity);
            session.event(p, &[value]).expect("an event");
        }
        (0..10).for_each(|_| drop(session.point(None, &[])));
        let bytes = session.save().expect("it can be saved");
        // What the tables are for is listed beside them, once for each.
        SavedState::read(&bytes).expect("it is whole").parts[0].bytes.len()
    };
    let one = size("FORALL x. q(x) IMPLIES ONCE p(x)");
    let five = size("FORALL x. q(x) IMPLIES PREV PREV PREV PREV ONCE p(x)");
    assert!(five < one + 100, "{one} bytes for one table, {five} for five that are the same");
}

#[test]
fn a_session_goes_on_in_another_thread() {
    let mut session = interpreting(&property("FORALL x. p(x) IMPLIES ONCE q(x)"), false);
    let p = session.kind("p", &["1"]);
    let value = session.identity(u64::MAX);
    let found = std::thread::spawn(move || session.event(p, &[value])).join().expect("it does not panic");
    assert_eq!(found.map(|found| found.len()), Ok(1));
}
