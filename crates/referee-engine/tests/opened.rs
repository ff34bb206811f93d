//! Which point opened an obligation that the end of the trace broke.

use std::sync::Arc;

use referee_engine::fo::Passes;
use referee_engine::{judge_compiled, judge_property};
use referee_spec::core::{Language, Property};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

fn property(language: Language, text: &str) -> Arc<Property> {
    let mut compiled = compile(language, &Source::new("test", text), &Options::default());
    assert_eq!(compiled.properties.len(), 1, "{:?}", compiled.diagnostics);
    compiled.properties.remove(0).into_formula().expect("a formula")
}

/// `open 3, close 3`: one event with one argument per point, at times 1, 2, ….
fn trace(text: &str) -> OwnedTrace {
    let point = |(time, event): (i64, &str)| {
        let (name, argument) = event.trim().split_once(' ').expect("a name and an argument");
        OwnedPoint { time: Some(Number::Int(time)), events: vec![OwnedEvent::positional(name, &[argument])] }
    };
    OwnedTrace { points: (1..).zip(text.split(',')).map(point).collect() }
}

/// When violations were decided and opened, as the general path and the compiled one agree.
fn opened(property: &Arc<Property>, trace: &OwnedTrace) -> Vec<(Option<u64>, Option<u64>)> {
    let outcome = judge_property(property.clone(), trace, false);
    assert_eq!(judge_compiled(property.clone(), trace, false, Passes::ALL).as_ref(), Ok(&outcome));
    outcome.violations.iter().map(|violation| (violation.decided, violation.opened)).collect()
}

const CLOSED: &str = "(forall f:file)(always (open(f) => eventually close(f)))";

#[test]
fn the_first_event_that_nothing_discharged() {
    let property = property(Language::Foltl, CLOSED);
    let trace = trace("open 1, open 2, close 1, open 1, open 1, close 2, open 3");
    assert_eq!(opened(&property, &trace), [(None, Some(4)), (None, Some(7))]);
}

#[test]
fn what_must_happen_at_all_is_open_from_the_start() {
    let property = property(Language::Foltl, "eventually close(1)");
    assert_eq!(opened(&property, &trace("open 1, open 2")), [(None, Some(1))]);
}

#[test]
fn what_was_decided_before_the_end_is_not_open() {
    let property = property(Language::Foltl, "(forall f:file)(always (not close(f)))");
    assert_eq!(opened(&property, &trace("open 1, close 2")), [(Some(2), None)]);
}

#[test]
fn a_point_opens_its_own_obligation() {
    let property = property(Language::Mfotl, "ALWAYS FORALL f. open(f) IMPLIES EVENTUALLY[0,10] close(f)");
    assert_eq!(opened(&property, &trace("open 1, open 2, close 1")), [(None, Some(2))]);
}
