//! The compiled path against the oracle: random properties, mutants of real ones, every pass on and off.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test compiled` is the long mode; `REFEREE_SEED` takes
//! other seeds. A disagreement is shrunk and printed with its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_engine::faults::{self, Fault};
use referee_engine::fo::Passes;
use referee_engine::{judge_compiled, judge_property};
use referee_oracle::random::{Rng, random_property, random_trace, random_trace_of, shrink};
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Judgement, Language, Outcome, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

const CASES: u64 = 8_000;

/// How many of them have a trace of thousands of events.
const LONG: u64 = 120;

/// How many points the traces of these have.
const POINTS: usize = 2_000;

/// The passes of a case: all, none, or all but one.
fn passes(seed: u64) -> Passes {
    let count = Passes::NAMES.len() as u64 + 2;
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    match (seed % count) as usize {
        0 => passes,
        1 => Passes::NONE,
        other => {
            assert!(passes.set(Passes::NAMES[other - 2], false));
            passes
        }
    }
}

fn disagreement(property: &Property, trace: &OwnedTrace, prefix: bool, passes: Passes) -> Option<(Outcome, Outcome)> {
    let prefix = prefix && property.judgement != Judgement::Once;
    let mut compiled = judge_compiled(Arc::new(property.clone()), trace, prefix, passes).ok()?;
    let oracle = expected(property, trace, if prefix { Mode::Prefix } else { Mode::Complete });
    compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
    (compiled != oracle).then_some((compiled, oracle))
}

fn show(trace: &OwnedTrace) -> String {
    let mut text = String::new();
    for point in &trace.points {
        if let Some(time) = &point.time {
            text.push_str(&format!("@{time} "));
        }
        for event in &point.events {
            let arguments: Vec<String> =
                event.arguments.iter().map(|argument| format!("{}={}", argument.name, argument.text)).collect();
            text.push_str(&format!("{}({}) ", event.name, arguments.join(",")));
        }
        text.push('\n');
    }
    text
}

fn check(language: Language) {
    let cases = cases(CASES);
    let mut taken: BTreeMap<String, u64> = BTreeMap::new();
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let depth = 1 + usize::try_from(seed % 6).expect("small");
        let property = random_property(&mut rng, language, depth);
        let trace = random_trace(&mut rng, &property);
        let (prefix, passes) = (seed % 4 == 0, passes(seed / 3));
        let way = match judge_compiled(Arc::new(property.clone()), &trace, false, passes) {
            Ok(_) => "compiled".to_owned(),
            Err(reason) => format!("{reason:?}"),
        };
        *taken.entry(way).or_default() += 1;
        if disagreement(&property, &trace, prefix, passes).is_some() {
            let (property, trace) =
                shrink(property, trace, |property, trace| disagreement(property, trace, prefix, passes).is_some());
            let (compiled, oracle) =
                disagreement(&property, &trace, prefix, passes).expect("shrinking keeps the failure");
            panic!(
                "seed {seed}, prefix {prefix}, {passes:?}\n{}\n{}\ncompiled {compiled:?}\noracle {oracle:?}",
                property.source,
                show(&trace)
            );
        }
    }
    println!("{language:?}: {taken:?}");
    assert!(
        !is_sample(cases) || taken.get("compiled").copied().unwrap_or(0) * 6 > cases,
        "too few cases are compiled: {taken:?}"
    );
}

#[test]
fn foltl_agrees_with_the_oracle() {
    check(Language::Foltl);
}

#[test]
fn qtl_agrees_with_the_oracle() {
    check(Language::Qtl);
}

#[test]
fn mfotl_agrees_with_the_oracle() {
    check(Language::Mfotl);
}

/// Traces that the oracle would take days for: all passes against none, and on their first points against the interpreter.
#[test]
fn long_traces_are_judged_alike_with_all_passes_with_none_and_by_the_interpreter() {
    let (mut judged, mut violated) = (0, 0);
    for seed in seeds(LONG) {
        let mut rng = Rng::new(seed);
        let language = Language::FORMULAS[(seed % 3) as usize];
        let depth = 1 + rng.below(4);
        let property = Arc::new(random_property(&mut rng, language, depth));
        let trace = random_trace_of(&mut rng, &property, |_| POINTS);
        let without_opened = |mut outcome: Outcome| {
            outcome.violations.iter_mut().for_each(|violation| violation.opened = None);
            outcome
        };
        let compiled = |trace: &OwnedTrace, passes: Passes| {
            judge_compiled(property.clone(), trace, false, passes).ok().map(without_opened)
        };
        let beginning = OwnedTrace { points: trace.points[..POINTS / 20].to_vec() };
        let Some(all) = compiled(&beginning, Passes::ALL) else { continue };
        let interpreted = without_opened(judge_property(property.clone(), &beginning, false));
        assert_eq!(all, interpreted, "seed {seed}\n{}", property.source);
        let Some(all) = compiled(&trace, Passes::ALL) else { continue };
        let Some(none) = compiled(&trace, Passes::NONE) else { continue };
        assert!(all == none, "seed {seed}\n{}", property.source);
        judged += 1;
        violated += u64::from(!all.violations.is_empty());
    }
    let cases = cases(LONG);
    println!("{judged} of {cases} were compiled with and without passes, {violated} violated");
    assert!(
        !is_sample(cases) || (judged * 8 > cases && violated * 8 > judged),
        "{judged} of {cases}, {violated} violated"
    );
}

/// A law whose side condition is forgotten is found: the comparison above is no formality.
#[test]
fn the_fault_of_a_law_is_caught() {
    let text = "prop broken: Forall x . c(x) -> !P [a(x), b(x))";
    let compiled = compile(Language::Qtl, &Source::new("broken.qtl", text), &Options::default());
    let property = compiled.properties.into_iter().find_map(Rule::into_formula).expect("a formula");
    let trace = |text: &str| read_text("trace", text, &ReadOptions::default()).expect("a trace").remove(0);
    // "It once was so" is not "it is so".
    let trace = trace("a(1).b(1).c(1)");
    assert_eq!(disagreement(&property, &trace, false, Passes::ALL), None);
    let wrong = faults::with(Fault::Absorb, || disagreement(&property, &trace, false, Passes::ALL));
    assert!(wrong.is_some());
}

/// A row with a set is not made before its keys are known: `s()` names no y.
#[test]
fn rows_with_sets_know_their_keys() {
    let text = "property x: (forall x,y:s)(always (not p(x) => (p(y) => always not s())))";
    let compiled = compile(Language::Foltl, &Source::new("sets.foltl", text), &Options::default());
    let property = compiled.properties.into_iter().find_map(Rule::into_formula).expect("a formula");
    let trace = read_text("trace", "p(2).s().p(1)", &ReadOptions::default()).expect("a trace").remove(0);
    assert_eq!(expected(&property, &trace, Mode::Complete).violations.len(), 1);
    for without in ["stamps", "drivers"] {
        let mut passes = Passes { stamps: false, ..Passes::ALL };
        assert!(passes.set(without, false));
        assert_eq!(disagreement(&property, &trace, false, passes), None, "{without}");
    }
}

/// Shapes of events share their handlers from some number on; the events of a rule may come before it and behind it.
#[test]
fn a_thousand_shapes_are_judged_alike() {
    let text = "prop p : Forall x . b(x) -> (P a(x) | Exists y . P c(y,x))";
    let compiled = compile(Language::Qtl, &Source::new("shapes.qtl", text), &Options::default());
    let property = compiled.properties.into_iter().find_map(Rule::into_formula).expect("a formula");
    for before in [0, 254, 255, 256, 257, 1_000] {
        let others = |from: usize| (from..from + before).map(|number| format!("n{number}({number})."));
        let rest = ["a(1).", "b(1).", "b(2).", "n0(2).", "b(1,2).", "c(3,2).", "b(2).", "b(3)"].map(str::to_owned);
        let trace: String =
            others(0).chain(rest[..4].to_vec()).chain(others(5_000)).chain(rest[4..].to_vec()).collect();
        let options = ReadOptions { format: Some(Format::Abstract), ..ReadOptions::default() };
        let trace = read_text("trace", &trace, &options).expect("a trace").remove(0);
        // The naive reference takes too long for as many values.
        let found = judge_compiled(property.clone(), &trace, false, Passes::ALL).expect("it compiles");
        let points: Vec<u64> = found.violations.iter().map(|violation| violation.point).collect();
        assert_eq!(points, [before as u64 + 3, 2 * before as u64 + 8], "{before}");
    }
}
