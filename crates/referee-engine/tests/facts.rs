//! Rules over facts: the engine against the oracle, on random rules and random traces.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::Mode;
use referee_oracle::judge_rule as expected;
use referee_oracle::random::{Rng, random_commands, random_events, random_logfire, random_ruler};
use referee_spec::core::{Language, Outcome, Rule, Violation};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Compiled, Options, Source, compile as compile_source};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 4_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn compile(language: Language, text: &str) -> Option<Arc<Rule>> {
    let Compiled { mut properties, diagnostics } =
        compile_source(language, &Source::new("t", text), &Options::default());
    (!has_errors(&diagnostics)).then(|| Arc::new(properties.remove(0)))
}

fn read(text: &str) -> OwnedTrace {
    let options = ReadOptions { format: Some(Format::Abstract), ..ReadOptions::default() };
    read_text("t", text, &options).expect("readable").remove(0)
}

fn disagreement(language: Language, specification: &str, trace: &str, prefix: bool) -> Option<(Outcome, Outcome)> {
    let rules = compile(language, specification)?;
    let trace = read(trace);
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (mut engine, mut oracle) = (judge_rule(&rules, &trace, prefix), expected(&rules, &trace, mode));
    for outcome in [&mut engine, &mut oracle] {
        let key = |violation: &Violation| (violation.message.clone(), violation.decided);
        outcome.violations.sort_by(|one, other| one.report_order(other).then_with(|| key(one).cmp(&key(other))));
    }
    let same = engine.violations == oracle.violations
        && engine.status == oracle.status
        && engine.obstacle.as_ref().map(|o| o.point) == oracle.obstacle.as_ref().map(|o| o.point)
        && (engine.pending == oracle.pending || oracle.obstacle.is_some());
    (!same).then_some((engine, oracle))
}

/// Takes lines out of the specification and events out of the trace as long as the disagreement stays.
fn shrink(specification: String, trace: String, fails: impl Fn(&str, &str) -> bool) -> (String, String) {
    let (mut specification, mut trace) = (specification, trace);
    loop {
        let events: Vec<&str> = trace.split('.').filter(|event| !event.is_empty()).collect();
        let fewer = |skip: usize| {
            let kept: Vec<&str> = events.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, e)| *e).collect();
            kept.join(".")
        };
        if let Some(shorter) = (0..events.len()).map(fewer).find(|shorter| fails(&specification, shorter)) {
            trace = shorter;
            continue;
        }
        let lines: Vec<&str> = specification.lines().collect();
        let without = |skip: usize| {
            let kept: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, l)| *l).collect();
            kept.join("\n")
        };
        match (0..lines.len()).map(without).find(|smaller| fails(smaller, &trace)) {
            Some(smaller) => specification = smaller,
            None => return (specification, trace),
        }
    }
}

fn check(language: Language, specification: impl Fn(&mut Rng) -> String) {
    let (cases, first) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let (mut judged, mut violated, mut gave_up) = (0u64, 0u64, 0u64);
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let (specification, prefix) = (specification(&mut rng), seed % 4 == 0);
        let Some(rules) = compile(language, &specification) else { continue };
        for _ in 0..3 {
            let trace = random_events(&mut rng);
            judged += 1;
            let outcome = judge_rule(&rules, &read(&trace), prefix);
            violated += u64::from(!outcome.violations.is_empty());
            gave_up += u64::from(outcome.obstacle.is_some());
            if disagreement(language, &specification, &trace, prefix).is_some() {
                let fails = |s: &str, t: &str| disagreement(language, s, t, prefix).is_some();
                let (specification, trace) = shrink(specification, trace, fails);
                let (engine, oracle) = disagreement(language, &specification, &trace, prefix).expect("kept");
                panic!("seed {seed}, prefix {prefix}\n{specification}\n{trace}\nengine {engine:?}\noracle {oracle:?}");
            }
        }
    }
    // The cases must be worth judging: most can be compiled, and verdicts differ.
    assert!(judged > cases && violated > judged / 20 && violated < judged, "{judged} {violated} {gave_up}");
}

#[test]
fn guarded_commands_agree_with_the_oracle() {
    check(Language::Gcl, random_commands);
}

#[test]
fn ruler_agrees_with_the_oracle() {
    check(Language::Ruler, random_ruler);
}

#[test]
fn logfire_agrees_with_the_oracle() {
    check(Language::Logfire, random_logfire);
}
