//! State: snapshots change nothing, what is dead is forgotten, and what cannot matter is freed.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` work as in the differential tests.

use std::sync::Arc;

use referee_engine::{Kinds, Monitor, RestoreError, Snapshot};
use referee_oracle::random::{Rng, describe, random_property, random_trace};
use referee_spec::core::{Language, Outcome, Property, Violation};
use referee_trace::owned::OwnedTrace;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 3_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn cases() -> impl Iterator<Item = u64> {
    let first = setting("REFEREE_SEED", 1);
    first..first + setting("REFEREE_CASES", CASES)
}

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
    monitor.sort(&mut violations);
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
    for seed in cases() {
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
