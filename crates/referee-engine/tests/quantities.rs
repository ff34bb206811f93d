//! Quantitative rules: the engine against the oracle, on random formulas and random traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test quantities` is the long mode; `REFEREE_SEED` takes
//! other seeds. A disagreement is shown with the shortest trace that has it.

use referee_engine::quantity::judge_quantity;
use referee_oracle::random::{Rng, random_quantity, random_quantity_trace};
use referee_oracle::{Mode, judge_quantity as expected};
use referee_spec::core::Outcome;
use referee_spec::core::quantity::QuantityRule;
use referee_spec::language::{Compiled, Options, Source};
use referee_spec::soloist::compile as compile_soloist;
use referee_testing::{cases, is_sample, seeds};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// How many cases a normal test run has.
const CASES: u64 = 60_000;

fn disagreement(rule: &QuantityRule, trace: &OwnedTrace, prefix: bool) -> Option<(Outcome, Outcome)> {
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (mut engine, oracle) = (judge_quantity(rule, trace, prefix), expected(rule, trace, mode));
    for violation in &mut engine.violations {
        // The definition does not say where a verdict was left open.
        let opened = violation.opened.take();
        assert!(opened.is_none_or(|opened| (1..violation.point).contains(&opened)), "{opened:?} in {violation:?}");
    }
    (engine != oracle).then_some((engine, oracle))
}

/// Drops points as long as the disagreement stays.
fn shorten(rule: &QuantityRule, mut trace: OwnedTrace, prefix: bool) -> OwnedTrace {
    let mut index = 0;
    while index < trace.points.len() {
        let mut shorter = trace.clone();
        shorter.points.remove(index);
        if disagreement(rule, &shorter, prefix).is_some() {
            (trace, index) = (shorter, 0);
        } else {
            index += 1;
        }
    }
    trace
}

fn show(trace: &OwnedTrace) -> String {
    let point = |point: &referee_trace::owned::OwnedPoint| {
        let names: Vec<&str> = point.events.iter().map(|event| &*event.name).collect();
        format!("@{} {}", point.time.as_ref().map_or("-".into(), |time| time.to_string()), names.join(" "))
    };
    trace.points.iter().map(point).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_engine_agrees_with_the_oracle() {
    let cases = cases(CASES);
    let (mut violated, mut early) = (0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let text = random_quantity(&mut rng, 1 + usize::try_from(seed % 5).expect("small"));
        let options = Options { full_window: rng.chance(25), vacuous: rng.chance(25), ..Options::default() };
        let Compiled { properties: rules, diagnostics } =
            compile_soloist(&Source::new("random.soloist", text.as_str()), &options);
        let [rule] = &rules[..] else { panic!("seed {seed}: {text}: {diagnostics:?}") };
        for prefix in [false, true] {
            let trace = random_quantity_trace(&mut rng);
            if disagreement(rule, &trace, prefix).is_some() {
                let trace = shorten(rule, trace, prefix);
                let (engine, oracle) = disagreement(rule, &trace, prefix).expect("shortening keeps the failure");
                panic!("seed {seed}, prefix {prefix}\n{text}\n{}\nengine {engine:?}\noracle {oracle:?}", show(&trace));
            }
            let outcome = judge_quantity(rule, &trace, prefix);
            violated += outcome.violations.len();
            let length = trace.points.len() as u64;
            early += outcome.violations.iter().filter(|one| one.decided.is_some_and(|point| point < length)).count();
        }
    }
    // The cases are worth something only if many are violated, and many of those before the end.
    assert!(
        !is_sample(cases) || (violated as u64 * 8 > cases && early as u64 * 16 > cases),
        "{violated} violated, {early} early"
    );
}

#[test]
fn what_was_left_open_is_named() {
    let opened = |rule: &str, names: &[&str]| {
        let Compiled { properties: rules, .. } =
            compile_soloist(&Source::new("rule.soloist", rule), &Options::default());
        let points = names.iter().zip(1..).map(|(name, time)| format!("@{time} {name} ()\n")).collect::<String>();
        let options = ReadOptions { format: Some(Format::Monpoly), ..ReadOptions::default() };
        let trace = read_text("log", &points, &options).expect("a log").remove(0);
        let outcome = judge_quantity(&rules[0], &trace, false);
        outcome.violations.iter().map(|violation| (violation.point, violation.opened)).collect::<Vec<_>>()
    };
    assert_eq!(opened("G (start -> F stop)", &["x", "start", "stop", "start", "y"]), [(5, Some(4))]);
    assert_eq!(opened("G (start -> F[1,2] stop)", &["x", "start", "x", "x", "stop"]), [(4, Some(2))]);
    assert_eq!(opened("G !start", &["x", "start"]), [(2, None)]);
}
