//! Giving values back to which nobody refers, so that their numbers come to stand for others: nothing that is found changes.
//!
//! ```text
//!   rule, trace ─┬▶ a session that keeps all values ───────────────────────▶ findings, outcome ─┐
//!                └▶ one that gives them back between points, before others ─▶ findings, outcome ─┴ the same, in the same order
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

mod feeding;
mod random_rules;

use std::collections::HashMap;
use std::sync::Arc;

use feeding::step;
use random_rules::{KINDS, case, rule_of, show};
use referee_engine::Settings;
use referee_engine::session::{Loaded, Session};
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Outcome, Rule, Violation};
use referee_testing::seeds;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedPoint, OwnedTrace};

/// How many cases each kind gets in a normal test run.
const CASES: u64 = 300;

/// Another value of the same type, which is kept as a text: a number of many digits, or a longer string.
fn other_text(text: &str, copy: u32) -> String {
    match text.parse::<i64>() {
        _ if matches!(text, "true" | "false") => text.to_owned(),
        Ok(integer) => (10_i128.pow(20) * i128::from(copy) + i128::from(integer)).to_string(),
        Err(_) if text.parse::<f64>().is_ok() => text.to_owned(),
        Err(_) => format!("{text}{}", "x".repeat(copy as usize * 7)),
    }
}

/// Copies of a trace, one after the other, in each of which most values are others.
fn copies(trace: &OwnedTrace, rng: &mut Rng) -> OwnedTrace {
    let mut points: Vec<OwnedPoint> = Vec::new();
    for copy in 0..1 + rng.below(3) as u32 {
        let pause = Number::Int(rng.pick(&[1, 1, 5, 30]));
        let last = points.last().and_then(|point| point.time.clone());
        let first = trace.points.first().and_then(|point| point.time.clone());
        let delay = last.zip(first).map_or(pause.clone(), |(last, first)| last.sub(&first).add(&pause));
        let mut others: HashMap<String, String> = HashMap::new();
        for mut point in trace.points.iter().cloned() {
            for argument in point.events.iter_mut().flat_map(|event| &mut event.arguments) {
                let text = argument.text.to_string();
                let mut other = || if rng.chance(80) { other_text(&text, copy + 1) } else { text.clone() };
                argument.text = others.entry(text.clone()).or_insert_with(&mut other).as_str().into();
            }
            if copy > 0 {
                point.time = point.time.map(|time| time.add(&delay));
            }
            points.push(point);
        }
    }
    OwnedTrace { points }
}

/// What a session of one rule has found, in order, and what it says in the end.
fn told(session: &mut Session, trace: &OwnedTrace, mut between: impl FnMut(&mut Session)) -> (Vec<Violation>, Outcome) {
    let mut found = Vec::new();
    for point in &trace.points {
        found.extend(step(session, point).into_iter().map(|finding| finding.violation));
        between(session);
    }
    (found, session.end().remove(0))
}

#[test]
fn values_are_given_back_and_nothing_changes() {
    let (mut given_back, mut violated) = ([0_usize; KINDS], [0; KINDS]);
    for (kind, seed) in (0..KINDS).flat_map(|kind| seeds(CASES).map(move |seed| (kind, seed))) {
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = case(kind, &mut rng) else { continue };
        let mut trace = copies(&trace, &mut rng);
        if kind <= 2 {
            // The interpreter takes exponentially long for some formulas on long traces.
            trace.points.truncate(14);
        }
        let settings = Settings { prefix: seed % 4 == 0, compile: rng.chance(70), ..Settings::default() };
        let start = || Session::with(std::slice::from_ref(&rule), &settings);
        let expected = told(&mut start(), &trace, |_| {});
        let mut session = start();
        let mut strangers = 0;
        let actual = told(&mut session, &trace, |session| {
            if rng.chance(70) {
                let before = session.values().len();
                session.reclaim_all_values(|_| {});
                given_back[kind] += before - session.values().len();
                // Some of the numbers go to values that no rule ever sees.
                for _ in 0..rng.below(4) {
                    strangers += 1;
                    session.passing_text(&format!("stranger{strangers}"));
                }
            }
            if rng.chance(10) {
                let bytes = session.save().expect("every rule can be saved");
                *session = start();
                assert_eq!(session.load(&bytes), Ok(Loaded::default()), "what was written can be read");
            }
        });
        violated[kind] += usize::from(!expected.0.is_empty());
        assert_eq!(actual, expected, "kind {kind}, seed {seed}\n{}", show(&rule, &trace));
    }
    let enough = given_back.iter().zip(&violated).all(|(given_back, violated)| *given_back > 50 && *violated > 0);
    assert!(enough || referee_testing::cases(CASES) < 100, "{given_back:?} {violated:?}");
}

/// Values that the caller keeps stay, and those that only pass go when no rule refers to them.
#[test]
fn who_keeps_a_value_may_use_it_again() {
    let rule: Arc<Rule> = rule_of(Language::Qtl, "prop p: Forall f . close(f) -> (P open(f))").expect("a rule");
    let mut session = Session::new(&[rule]);
    let (open, close) = (session.kind("open", &["1"]), session.kind("close", &["1"]));
    let kept = session.text("kept");
    for number in 0..1000 {
        let passing = session.passing_text(&format!("file{number}"));
        session.event(if number % 2 == 0 { open } else { close }, &[passing]).expect("an event");
    }
    session.reclaim_all_values(|_| {});
    assert_eq!(session.values().len(), 501, "the open files and the kept text");
    assert_eq!(session.event(close, &[kept]).expect("the value is there").len(), 1);
    let late = session.passing_text("file4");
    assert!(session.event(close, &[late]).expect("an event").is_empty(), "it was opened");
    session.forget(kept);
    session.reclaim_all_values(|_| {});
    assert_eq!(session.values().len(), 500);
}
