//! State: snapshots change nothing, nor does forgetting what never comes again.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` work as in the differential tests.

use std::sync::Arc;

use referee_engine::{Kinds, Monitor, RestoreError, Snapshot};
use referee_oracle::random::{
    Rng, describe, random_aggregation, random_aggregation_trace, random_property, random_trace,
};
use referee_spec::core::{Language, Outcome, Property, Violation};
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

/// Judges a trace; `between` may do anything to the monitor after each point, whose index it gets.
fn judge(
    property: &Arc<Property>,
    trace: &OwnedTrace,
    prefix: bool,
    mut between: impl FnMut(&mut Monitor, usize),
) -> Outcome {
    let mut monitor = Monitor::new(property.clone());
    let mut kinds = Kinds::default();
    let mut violations: Vec<Violation> = Vec::new();
    between(&mut monitor, 0);
    for (index, point) in trace.points.iter().enumerate() {
        violations.extend(kinds.step(&mut monitor, point));
        between(&mut monitor, index + 1);
    }
    let mut outcome = if prefix { monitor.pause() } else { monitor.end() };
    violations.append(&mut outcome.violations);
    violations.sort_by(Violation::report_order);
    Outcome { violations, ..outcome }
}

/// Puts a monitor's state into a new monitor, by way of bytes.
fn move_house(monitor: &mut Monitor) {
    let bytes = monitor.snapshot().to_bytes();
    let snapshot = Snapshot::from_bytes(&bytes).expect("what was written can be read");
    assert_eq!(snapshot.to_bytes(), bytes, "what was read is what was written");
    let mut other = Monitor::new(monitor.property().clone());
    other.restore(&snapshot).expect("it is the same property");
    *monitor = other;
}

fn snapshots_change_nothing(language: Language) {
    for seed in seeds(CASES) {
        let (mut rng, property, trace) = random_case(seed, language);
        let prefix = seed % 4 == 0;
        let expected = judge(&property, &trace, prefix, |_, _| {});
        let outcome = judge(&property, &trace, prefix, |monitor, _| {
            if rng.chance(40) {
                move_house(monitor);
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
        let outcome = judge(&property, &trace, prefix, |monitor, index| {
            open += u32::from(index > 0 && index < trace.points.len());
            move_house(monitor);
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
        let outcome = judge(&property, &trace, prefix, |monitor, index| {
            for text in last_seen(&trace, index) {
                if rng.chance(70) {
                    let value = monitor.text(text, None);
                    monitor.forget(value);
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

/// A snapshot with something in every part of it.
fn rich_snapshot() -> Vec<u8> {
    let mut monitor = Monitor::new(property(
        "FORALL x, y. r(x, y) IMPLIES (NOT p(x) SINCE[0,9] q(y)) AND (PREV p(x) OR EVENTUALLY[0,9] (x < y AND p(y)))",
    ));
    let (p, q, r) = (monitor.kind("p", &["1"], 1), monitor.kind("q", &["1"], 1), monitor.kind("r", &["1", "2"], 2));
    let values = ["1", "two", "3.25", "true", "99999999999999999999"].map(|text| monitor.text(text, None));
    for (time, value) in (1..).zip(values) {
        let time = Some(&Number::Int(time));
        monitor.step(time, &[(q, &[value]), (r, &[value, values[0]])]);
        monitor.step(time, &[(p, &[value]), (r, &[values[0], value])]);
    }
    monitor.snapshot().to_bytes()
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let bytes = rich_snapshot();
    assert!(Snapshot::from_bytes(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..length]).is_err(), "cut at {length}");
    }
    for place in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        assert!(Snapshot::from_bytes(&bytes).is_err(), "bit {place}");
    }
}

#[test]
fn what_is_no_snapshot_of_this_property_is_refused() {
    let bytes = rich_snapshot();
    assert_eq!(Snapshot::from_bytes(b"a,1\n").err(), Some(RestoreError::NotASnapshot));
    assert_eq!(Snapshot::from_bytes(b"RFS\x7f").err(), Some(RestoreError::OtherVersion(0x7f)));
    assert_eq!(Snapshot::from_bytes(&bytes[..bytes.len() - 1]).err(), Some(RestoreError::Damaged));
    let snapshot = Snapshot::from_bytes(&bytes).expect("nothing is wrong with it");
    let mut other = Monitor::new(property("FORALL x. p(x) IMPLIES q(x)"));
    assert_eq!(other.restore(&snapshot), Err(RestoreError::OtherProperty));
}

#[test]
fn tables_that_are_shared_are_written_once() {
    let size = |text: &str| {
        let mut monitor = Monitor::new(property(text));
        let p = monitor.kind("p", &["1"], 1);
        for identity in 0..1000 {
            let value = monitor.identity(identity);
            monitor.step(None, &[(p, &[value])]);
        }
        (0..10).for_each(|_| drop(monitor.step(None, &[])));
        monitor.snapshot().to_bytes().len()
    };
    let one = size("FORALL x. q(x) IMPLIES ONCE p(x)");
    let five = size("FORALL x. q(x) IMPLIES PREV PREV PREV PREV ONCE p(x)");
    assert!(five < one + 100, "{one} bytes for one table, {five} for five that are the same");
}

#[test]
fn monitors_and_snapshots_move_between_threads() {
    fn moves<T: Send + 'static>() {}
    moves::<Monitor>();
    moves::<Snapshot>();
    let mut monitor = Monitor::new(property("FORALL x. p(x) IMPLIES ONCE q(x)"));
    let p = monitor.kind("p", &["1"], 1);
    let value = monitor.identity(u64::MAX);
    let found = std::thread::spawn(move || monitor.step(None, &[(p, &[value])])).join().expect("it does not panic");
    assert_eq!(found.len(), 1);
}
