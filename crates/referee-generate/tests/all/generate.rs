//! Every generator against its own specification: the verdict that was asked for, and the violation where it was asked
//! for, for several sizes and seeds and both kinds of values.

use std::sync::Arc;

use crate::collect::trace;
use referee_engine::judge_rule;
use referee_generate::{Breach, Generator, Order, Request, Schedule, Share, Sizes, TimePlace, Values, Verdict};
use referee_spec::core::{Language, Outcome, Rule, Status, Violation};
use referee_spec::language::{Options, Source, compile};
use referee_trace::format::{Format, PointNotation};
use referee_trace::owned::OwnedTrace;
use referee_trace::write::TraceSink;

/// The rules that a generator's traces are made for.
fn rules(generator: &Generator) -> Vec<Arc<Rule>> {
    let source = Source::new(format!("{}.spec", generator.name), generator.specification);
    let compiled = compile(generator.language, &source, &Options::default());
    assert!(!compiled.properties.is_empty(), "{}: {:?}", generator.name, compiled.diagnostics);
    compiled.properties.into_iter().map(Arc::new).collect()
}

/// All violations of all properties.
fn violations(generator: &Generator, trace: &OwnedTrace) -> Vec<Violation> {
    let outcomes: Vec<Outcome> = rules(generator).iter().map(|rule| judge_rule(rule, trace, false)).collect();
    assert!(outcomes.iter().all(|outcome| outcome.status != Status::GaveUp), "{}: {outcomes:?}", generator.name);
    outcomes.into_iter().flat_map(|outcome| outcome.violations).collect()
}

/// The events that the violations of a trace go back to: where the property broke, or where an obligation was opened.
/// The languages that are judged at every point say so themselves.
///
/// What the end decided without naming an obligation goes back to the expected event if nothing is wrong without it.
fn places(generator: &Generator, trace: &OwnedTrace, expected: u64) -> Vec<u64> {
    let mut without = trace.clone();
    without.points.remove(usize::try_from(expected).expect("a small number") - 1);
    let at_once = !matches!(generator.language, Language::Foltl | Language::Qea);
    let blamed = |violation: &Violation| match (violation.opened, violation.decided) {
        _ if at_once => violation.point,
        (Some(opened), _) => opened,
        (None, Some(decided)) => decided,
        (None, None) if violations(generator, &without).is_empty() => expected,
        (None, None) => 0,
    };
    violations(generator, trace).iter().map(blamed).collect()
}

/// All generators that the engine can judge, with their variants.
fn judged() -> impl Iterator<Item = &'static Generator> {
    let variants = referee_generate::all().flat_map(|generator| std::iter::once(generator).chain(generator.timed));
    // Their events are read through a mapping, and so by the tests of the packages.
    let elsewhere = |generator: &&Generator| matches!(generator.language, Language::Soloist | Language::Lola);
    variants.filter(move |generator| !elsewhere(generator))
}

/// A number of events, or the next that a satisfied trace can have.
fn possible(generator: &Generator, request: Request) -> Request {
    let Sizes { least, multiple_of } = generator.sizes;
    let events = request.events.map(|events| events.next_multiple_of(multiple_of).max(least));
    Request { events, ..request }
}

fn order(generator: &Generator, request: &Request) -> Order {
    generator.order(request).unwrap_or_else(|refusal| panic!("{}: {refusal}", generator.name))
}

/// Different requests of one verdict: sizes, seeds and values.
fn requests(verdict: Verdict) -> Vec<Request> {
    let mut all = Vec::new();
    for (events, values) in [(40, Values::Integers), (90, Values::Strings), (157, Values::Integers)] {
        for seed in 0..6 {
            all.push(Request { events: Some(events), seed, verdict, values, ..Request::default() });
        }
    }
    all
}

#[test]
fn satisfied_traces_satisfy() {
    for generator in judged() {
        for request in requests(Verdict::Satisfied) {
            let request = possible(generator, request);
            let trace = trace(generator, &order(generator, &request));
            assert_eq!(trace.points.len() as u64, request.events.unwrap_or(0), "{}", generator.name);
            assert_eq!(violations(generator, &trace), [], "{} {request:?}", generator.name);
        }
    }
}

/// Generators that break their property at one place. Where calls are counted only the end decides.
fn broken_once() -> impl Iterator<Item = &'static Generator> {
    judged().filter(|generator| generator.breach != Breach::Spread && generator.sizes.multiple_of == 1)
}

#[test]
fn what_the_end_decides_is_violated() {
    for generator in judged().filter(|generator| generator.sizes.multiple_of > 1) {
        for request in requests(Verdict::Violated) {
            let found = violations(generator, &trace(generator, &order(generator, &request)));
            assert_eq!(found.len(), 1, "{} {request:?}", generator.name);
        }
    }
}

#[test]
fn violated_traces_break_where_they_should_and_nowhere_before() {
    for generator in broken_once() {
        for request in requests(Verdict::Violated) {
            for at in ["0.15", "0.5", "0.999"] {
                let share: Share = at.parse().expect("a share");
                let request = Request { at: Some(share), ..request.clone() };
                let expected = share.up(request.events.unwrap_or(0));
                let found = places(generator, &trace(generator, &order(generator, &request)), expected);
                assert_eq!(found.iter().min(), Some(&expected), "{} {request:?}", generator.name);
            }
        }
    }
}

/// Properties that forget a violation are broken by one event only; the others stay broken.
#[test]
fn a_breach_is_tidied_up() {
    for generator in broken_once() {
        let lasting = ["dejavu-datarace", "suite-parts"].contains(&generator.name);
        for seed in 0..10 {
            let at = Some(Share::thousandths(500));
            let verdict = Verdict::Violated;
            let request = Request { events: Some(120), seed, at, verdict, ..Request::default() };
            let mut places = places(generator, &trace(generator, &order(generator, &request)), 60);
            // Two variables that may change places break together.
            places.dedup();
            let places = if lasting { &places[..1] } else { &places[..] };
            assert_eq!(places, [60], "{} {request:?}", generator.name);
        }
    }
}

/// The points of the events that a schedule calls breaches.
fn scheduled_points(order: &Order) -> Vec<u64> {
    let broken = (1..=order.events).filter(|number| order.schedule.step(*number).is_some());
    broken.map(|number| (number - 1) / order.per_point + 1).collect()
}

/// The violations that begin with their points: whoever has withdrawn too much has done so until the window has moved on.
fn begun(all: Vec<Violation>) -> Vec<Violation> {
    let user = |violation: &Violation| violation.bindings.last().cloned();
    let before = |later: &Violation| all.iter().any(|one| one.point + 1 == later.point && user(one) == user(later));
    all.iter().filter(|violation| !before(violation)).cloned().collect()
}

#[test]
fn spread_violations_are_all_where_they_should_be() {
    for generator in judged().filter(|generator| generator.breach == Breach::Spread) {
        for (percent, per_point, live) in [("3", 1, 4), ("10", 1, 12), ("12.5", 3, 12), ("40", 4, 50), ("100", 2, 8)] {
            for (seed, values) in [(1, Values::Integers), (2, Values::Strings), (3, Values::Integers)] {
                let request = Request {
                    events: Some(241),
                    seed,
                    values,
                    verdict: Verdict::Violated,
                    per_point: Some(per_point),
                    live: Some(live),
                    violations: Share::of_percent(percent).ok(),
                    ..Request::default()
                };
                let order = order(generator, &request);
                let found = violations(generator, &trace(generator, &order));
                let points: Vec<u64> = found.iter().map(|violation| violation.point).collect();
                let scheduled = scheduled_points(&order);
                if generator.name == "monpoly-withdraw" {
                    let begun: Vec<u64> = begun(found).iter().map(|violation| violation.point).collect();
                    assert!(scheduled.iter().all(|point| points.contains(point)), "{request:?}");
                    assert!(begun.iter().all(|point| scheduled.contains(point)), "{request:?}");
                } else {
                    assert_eq!(points, scheduled, "{} {request:?}", generator.name);
                }
            }
        }
    }
}

#[test]
fn satisfied_windows_with_several_events_a_point() {
    for generator in judged().filter(|generator| generator.breach == Breach::Spread) {
        for (per_point, live) in [(1, 4), (2, 4), (3, 30), (10, 40)] {
            let (per_point, live) = (Some(per_point), Some(live));
            for seed in 0..4 {
                let request = Request { events: Some(323), seed, per_point, live, ..Request::default() };
                let trace = trace(generator, &order(generator, &request));
                assert_eq!(violations(generator, &trace), [], "{} {request:?}", generator.name);
            }
        }
    }
}

/// How many withdrawals of a trace lift a user's sum above the limit; aggregations are counted by hand.
fn excesses(trace: &OwnedTrace) -> u64 {
    let mut past: Vec<(i64, String, i64)> = Vec::new();
    let mut count = 0;
    for point in &trace.points {
        let now = point.time.as_ref().and_then(|time| time.as_i64()).expect("a time");
        past.retain(|(time, ..)| now - time <= 28);
        for event in &point.events {
            let (user, amount) =
                (event.arguments[0].text.to_string(), event.arguments[1].text.parse().expect("amount"));
            let before: i64 = past.iter().filter(|(_, other, _)| *other == user).map(|(.., amount)| amount).sum();
            count += u64::from(before <= 10_000 && before + amount > 10_000);
            past.push((now, user, amount));
        }
        let mut at_this_point: Vec<_> = point.events.iter().map(|event| &event.arguments).collect();
        at_this_point.dedup();
        assert_eq!(at_this_point.len(), point.events.len(), "equal withdrawals at a point are one");
    }
    count
}

#[test]
fn withdrawals_exceed_the_limit_as_often_as_they_should() {
    let generator = referee_generate::find("monpoly-withdraw").expect("it exists");
    for (percent, per_point, live) in [("0", 1, 40), ("2", 1, 40), ("10", 5, 100), ("50", 3, 12)] {
        for (seed, values) in [(1, Values::Integers), (2, Values::Strings)] {
            let verdict = if percent == "0" { Verdict::Satisfied } else { Verdict::Violated };
            let violations = Share::of_percent(percent).ok().filter(|_| verdict == Verdict::Violated);
            let (per_point, live) = (Some(per_point), Some(live));
            let request =
                Request { events: Some(900), seed, values, verdict, per_point, live, violations, ..Request::default() };
            let order = order(generator, &request);
            assert_eq!(excesses(&trace(generator, &order)), order.events - order.obeying, "{request:?}");
        }
    }
}

#[test]
fn windows_hold_the_rows_that_were_asked_for() {
    for (name, window, kind, filter) in [
        ("monpoly-auth", 20, "auth", ""),
        ("monpoly-approve", 10, "approve", ""),
        ("monpoly-insert", 60, "insert", "db2"),
        ("monpoly-withdraw", 28, "withdraw", ""),
    ] {
        let generator = referee_generate::find(name).expect("it exists");
        let request = Request { events: Some(8000), live: Some(500), per_point: Some(10), ..Request::default() };
        let trace = trace(generator, &order(generator, &request));
        let last =
            trace.points.last().and_then(|point| point.time.clone()).and_then(|time| time.as_i64()).expect("time");
        let rows = trace
            .points
            .iter()
            .filter(|point| point.time.as_ref().is_some_and(|time| time.as_i64() >= Some(last - window)));
        let counts = rows.flat_map(|point| &point.events).filter(|event| {
            &*event.name == kind
                && (filter.is_empty() || event.arguments.iter().any(|argument| &*argument.text == filter))
        });
        let count = counts.count();
        assert!((400..=600).contains(&count), "{name}: {count} rows");
    }
}

#[test]
fn the_same_wish_gives_the_same_trace() {
    for generator in referee_generate::all() {
        let request = possible(generator, Request { events: Some(200), seed: 5, ..Request::default() });
        let told = |request: &Request| trace(generator, &order(generator, request));
        assert_eq!(told(&request), told(&request), "{}", generator.name);
        let strings = Request { values: Values::Strings, ..request.clone() };
        let names = |trace: &OwnedTrace| -> Vec<Arc<str>> {
            trace.points.iter().flat_map(|point| &point.events).map(|event| event.name.clone()).collect()
        };
        assert_eq!(names(&told(&request)), names(&told(&strings)), "{}: only values differ", generator.name);
    }
}

#[test]
fn every_size_from_the_empty_trace_on() {
    for generator in judged() {
        for events in (0..30).chain([60, 61]) {
            let request = Request { events: Some(events), seed: events, ..Request::default() };
            let request = possible(generator, request);
            let trace = trace(generator, &order(generator, &request));
            assert_eq!(Some(trace.points.len() as u64), request.events, "{}", generator.name);
            assert_eq!(violations(generator, &trace), [], "{} {request:?}", generator.name);
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refusal = |name: &str, request: Request| {
        let generator = referee_generate::find(name).expect("it exists");
        let refused = generator.variant(&request).and_then(|variant| variant.order(&request));
        refused.map(|_| ()).expect_err(name).to_string()
    };
    let violated = Request { verdict: Verdict::Violated, ..Request::default() };
    let early = Request { events: Some(100), at: Some(Share::thousandths(10)), ..violated.clone() };
    assert!(refusal("dejavu-deadlock", early).contains("cannot be violated by event 1 of 100"));
    assert!(refusal("dejavu-access", Request { events: Some(0), ..violated.clone() }).contains("event 1 of 0"));
    assert!(refusal("monpoly-auth", Request { events: Some(99), ..violated.clone() }).contains("no event"));
    assert!(refusal("dejavu-file", Request { timed: true, ..Request::default() }).contains("--timed"));
    assert!(refusal("dejavu-file", Request { live: Some(5), ..Request::default() }).contains("--live"));
    assert!(refusal("hasnext", Request { per_point: Some(5), ..Request::default() }).contains("--per-point"));
    let at = Some(Share::thousandths(500));
    assert!(refusal("monpoly-auth", Request { at, ..violated.clone() }).contains("--at"));
    assert!(refusal("auction", Request { violations: at, ..violated }).contains("--violations"));
    let sized = |events| Request { events: Some(events), ..Request::default() };
    assert!(refusal("mop-counts", sized(100)).contains("ask for 99 or 102 --events"));
    assert!(refusal("qea-leader", sized(0)).contains("ask for 1 --events or more"));
}

#[test]
fn schedules_are_exact() {
    let schedule = Schedule::Spread(Share::thousandths(10));
    let broken: Vec<u64> = (1..=500).filter(|number| schedule.step(*number).is_some()).collect();
    assert_eq!(broken, [100, 200, 300, 400, 500]);
}

/// What is written when the kinds of events and the sizes of points are told beforehand is what is written when they are not.
#[test]
fn foresight_changes_nothing() {
    let variants = referee_generate::all().flat_map(|generator| std::iter::once(generator).chain(generator.timed));
    for generator in variants {
        let per_points = if generator.breach == Breach::Spread { &[None, Some(3), Some(7)][..] } else { &[None] };
        for (per_point, (verdict, events)) in per_points.iter().flat_map(|per_point| {
            [(Verdict::Satisfied, 1), (Verdict::Satisfied, 190), (Verdict::Violated, 300)].map(|one| (*per_point, one))
        }) {
            let values = if events == 1 { Values::Integers } else { Values::Strings };
            let request = Request { events: Some(events), seed: 3, verdict, values, per_point, ..Request::default() };
            let request = possible(generator, request);
            let order = order(generator, &request);
            for format in Format::ALL {
                let (mut told, mut found) = (Vec::new(), Vec::new());
                // A format without a place for times is refused.
                let Ok(()) = generator.write(&order, format, &mut told, None) else { continue };
                let mut sink = TraceSink::new(format, true, &mut found, None);
                let time_place = match generator.language == Language::Qtl && !format.names_fields() {
                    true if generator.times && format.description().points != PointNotation::Explicit => {
                        TimePlace::LastArgument
                    }
                    _ => TimePlace::Point,
                };
                generator.tell(&order, time_place, &mut sink).expect("there is room");
                sink.finish().expect("there is room");
                assert!(told == found, "{} {} {request:?}", generator.name, format.name());
            }
        }
    }
}
