//! DATEs: the engine against the oracle, on random files and random timed traces.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::Mode;
use referee_oracle::judge_rule as expected;
use referee_oracle::random::{Rng, random_dates, random_dates_trace};
use referee_spec::core::{Language, Outcome, Problem, Rule, Status, Violation};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Compiled, Options, Source, compile as compile_source};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// How many cases there are in a normal test run.
const CASES: u64 = 3_000;

fn compile(text: &str) -> Option<Arc<Rule>> {
    let Compiled { mut properties, diagnostics } =
        compile_source(Language::Larva, &Source::new("t", text), &Options::default());
    (!has_errors(&diagnostics)).then(|| Arc::new(properties.remove(0)))
}

fn read(text: &str) -> OwnedTrace {
    let options = ReadOptions { format: Some(Format::Monpoly), ..ReadOptions::default() };
    read_text("t", text, &options).expect("readable").pop().unwrap_or_default()
}

fn disagreement(specification: &str, trace: &str, prefix: bool) -> Option<(Outcome, Outcome)> {
    let rule = compile(specification)?;
    let trace = read(trace);
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (mut engine, mut oracle) = (judge_rule(&rule, &trace, prefix), expected(&rule, &trace, mode));
    for outcome in [&mut engine, &mut oracle] {
        let key = |violation: &Violation| (violation.message.clone(), violation.decided);
        outcome.violations.sort_by(|one, other| one.report_order(other).then_with(|| key(one).cmp(&key(other))));
    }
    (engine != oracle).then_some((engine, oracle))
}

/// Takes lines out of the specification and the trace as long as the disagreement stays.
fn shrink(mut specification: String, mut trace: String, fails: impl Fn(&str, &str) -> bool) -> (String, String) {
    let fewer = |text: &str| -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let without = |skip: usize| {
            let kept = lines.iter().enumerate().filter(|(at, _)| *at != skip);
            kept.map(|(_, line)| format!("{line}\n")).collect()
        };
        (0..lines.len()).map(without).collect()
    };
    loop {
        if let Some(shorter) = fewer(&trace).into_iter().find(|shorter| fails(&specification, shorter)) {
            trace = shorter;
        } else if let Some(smaller) = fewer(&specification).into_iter().find(|smaller| fails(smaller, &trace)) {
            specification = smaller;
        } else {
            return (specification, trace);
        }
    }
}

#[test]
fn dates_agree_with_the_oracle() {
    let cases = cases(CASES);
    let (mut judged, mut violated, mut gave_up, mut at_the_end) = (0u64, 0u64, 0u64, 0u64);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (specification, prefix) = (random_dates(&mut rng), seed % 4 == 0);
        let Some(rule) = compile(&specification) else { continue };
        for _ in 0..3 {
            let trace = random_dates_trace(&mut rng);
            let outcome = judge_rule(&rule, &read(&trace), prefix);
            judged += 1;
            violated += u64::from(!outcome.violations.is_empty());
            gave_up += u64::from(outcome.obstacle.is_some());
            at_the_end += u64::from(outcome.violations.iter().any(|violation| violation.decided.is_none()));
            if disagreement(&specification, &trace, prefix).is_some() {
                let fails = |s: &str, t: &str| disagreement(s, t, prefix).is_some();
                let (specification, trace) = shrink(specification, trace, fails);
                let (engine, oracle) = disagreement(&specification, &trace, prefix).expect("kept");
                panic!("seed {seed}, prefix {prefix}\n{specification}\n{trace}\nengine {engine:?}\noracle {oracle:?}");
            }
        }
    }
    // The cases must be worth judging: most can be compiled, verdicts differ, and timeouts matter.
    let worth = judged > cases && violated > judged / 20 && violated < judged && at_the_end > judged / 100;
    assert!(!is_sample(cases) || worth, "{judged} {violated} {gave_up} {at_the_end}");
}

/// Without times, points count.
#[test]
fn points_count_where_there_are_no_times() {
    let text = "GLOBAL { VARIABLES { Clock c; } EVENTS { p() = { p(x) } late() = { c@2 } } PROPERTY quick { \
        STATES { BAD { bad } STARTING { s } } TRANSITIONS { s -> s [p \\\\ c.reset();] s -> bad [late] } } }";
    let rule = compile(text).expect("readable");
    let options = ReadOptions { format: Some(Format::Abstract), ..ReadOptions::default() };
    let judge = |text: &str| {
        let trace = read_text("t", text, &options).expect("readable").remove(0);
        let outcome = judge_rule(&rule, &trace, false);
        assert_eq!(outcome, expected(&rule, &trace, Mode::Complete));
        outcome.violations.iter().map(|violation| (violation.point, violation.decided)).collect::<Vec<_>>()
    };
    assert_eq!(judge("p(1).q(1).p(1).q(1).p(1)"), [(5, None)]);
    assert_eq!(judge("p(1).q(1).q(1).q(1).p(1)"), [(4, Some(4))]);
}

/// A message that answers itself, and a clock that goes off far too often, are given up.
#[test]
fn what_does_not_come_to_rest_is_given_up() {
    let endless = "GLOBAL { VARIABLES { Channel k; } EVENTS { p() = { p(x) } got() = { k.receive() } } PROPERTY echo { \
        STATES { STARTING { s } } TRANSITIONS { s -> s [p \\\\ k.send();] s -> s [got \\\\ k.send();] } } }";
    let often = "GLOBAL { VARIABLES { Clock c; } EVENTS { tick() = { c@1 } } PROPERTY ticks { \
        STATES { STARTING { s } } TRANSITIONS { s -> s [tick \\\\ c.reset();] } } }";
    for (text, trace, point) in [(endless, "@1 q(1)\n@2 p(1)\n", 2), (often, "@1 q(1)\n@1000000000 q(1)\n", 2)] {
        let rule = compile(text).expect("readable");
        let outcome = judge_rule(&rule, &read(trace), false);
        let obstacle = outcome.obstacle.expect("one");
        assert_eq!((outcome.status, obstacle.point, obstacle.problem), (Status::GaveUp, point, Problem::Restless));
    }
}
