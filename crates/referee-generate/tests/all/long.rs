//! Traces of thousands of events: all passes of the compiler against none, and both against the interpreter.
//!
//! Short traces hardly fill a table, let it grow twice, or let a row die and its place be taken again. Here the generators
//! tell long traces for the formulas of the benchmark suite, and judged are those formulas and mutants of them. The oracle
//! would take days, so three ways that share little are compared:
//!
//! ```text
//!  formula, or a mutant ──▶ compiled with all passes ──┐
//!                       ├─▶ compiled without passes ───┼─▶ the same outcome on thousands of events
//!                       └─▶ interpreted ───────────────┘   (on the first of them: it may join all rows at every point)
//! ```
//!
//! `REFEREE_CASES=10000 cargo test --release -p referee-generate --test all long` is the long mode; `REFEREE_SEED` takes
//! other seeds.

#[path = "../../../referee-engine/tests/mutation/mod.rs"]
pub(crate) mod mutation;

use std::sync::Arc;

use referee_engine::fo::Passes;
use referee_engine::{judge_compiled, judge_property};
use referee_generate::{Generator, Request, Values, Verdict};
use referee_oracle::random::Rng;
use referee_spec::core::{Judgement, Language, Outcome, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::OwnedTrace;

use crate::collect::trace;

/// How many cases a normal test run has.
const CASES: u64 = 60;

/// How many events a trace has.
const EVENTS: u64 = 3_000;

/// How many points the interpreter gets.
const INTERPRETED: usize = 60;

/// A mutant that is violated more often than this on the first points would be violated millions of times.
const VIOLATIONS: usize = 300;

/// The generators of formulas.
fn generators() -> Vec<&'static Generator> {
    referee_generate::all().filter(|generator| formula(generator.language, generator.specification).is_some()).collect()
}

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    if !Language::FORMULAS.contains(&language) {
        return None;
    }
    let compiled = compile(language, &Source::new("formula", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

/// A generator's specification with up to two changes.
fn mutant(rng: &mut Rng, generator: &Generator) -> String {
    let mut tokens = mutation::tokens(generator.specification);
    if rng.chance(30) {
        mutation::shorten(rng, &mut tokens);
    }
    (0..rng.below(3)).for_each(|_| mutation::mutate(rng, generator.language, &mut tokens));
    tokens.concat()
}

/// A long trace, of which now and then a point is left out.
fn long_trace(rng: &mut Rng, generator: &Generator, seed: u64) -> OwnedTrace {
    let (verdict, values) = match rng.below(2) {
        0 => (Verdict::Satisfied, Values::Integers),
        _ => (Verdict::Violated, Values::Strings),
    };
    let request = Request { events: Some(EVENTS), seed, verdict, values, ..Request::default() };
    let mut trace = trace(generator, &generator.order(&request).expect("a possible order"));
    let share = rng.pick(&[0, 1, 10]);
    trace.points.retain(|_| !rng.chance(share));
    trace
}

fn first_points(trace: &OwnedTrace, count: usize) -> OwnedTrace {
    OwnedTrace { points: trace.points.iter().take(count).cloned().collect() }
}

/// What a formula that is compiled with these passes says; nothing where the compiler leaves it to the interpreter.
fn compiled(property: &Arc<Property>, trace: &OwnedTrace, prefix: bool, passes: Passes) -> Option<Outcome> {
    let mut outcome = judge_compiled(property.clone(), trace, prefix, passes).ok()?;
    outcome.violations.iter_mut().for_each(|violation| violation.opened = None);
    Some(outcome)
}

fn interpreted(property: &Arc<Property>, trace: &OwnedTrace, prefix: bool) -> Outcome {
    let mut outcome = judge_property(property.clone(), trace, prefix);
    outcome.violations.iter_mut().for_each(|violation| violation.opened = None);
    outcome
}

#[test]
fn long_traces_are_judged_alike_with_all_passes_with_none_and_by_the_interpreter() {
    let (generators, cases) = (generators(), cases(CASES));
    let (mut with_and_without, mut with_interpreter, mut violated) = (0, 0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let generator = rng.pick(&generators);
        let text = mutant(&mut rng, generator);
        let Some(property) = formula(generator.language, &text) else { continue };
        let trace = long_trace(&mut rng, generator, seed);
        let prefix = rng.chance(25) && property.judgement != Judgement::Once;
        let context = format!("seed {seed}, prefix {prefix}, {}\n{text}", generator.name);
        let beginning = first_points(&trace, INTERPRETED);
        let Some(all) = compiled(&property, &beginning, prefix, Passes::ALL) else { continue };
        assert_eq!(all, interpreted(&property, &beginning, prefix), "{context}");
        with_interpreter += 1;
        if all.violations.len() > VIOLATIONS {
            continue;
        }
        let Some(all) = compiled(&property, &trace, prefix, Passes::ALL) else { continue };
        let Some(none) = compiled(&property, &trace, prefix, Passes::NONE) else { continue };
        assert!(all == none, "{context}\n{}", difference(&all, &none));
        with_and_without += 1;
        violated += u64::from(!all.violations.is_empty());
    }
    println!(
        "{with_and_without} with and without passes, {with_interpreter} with the interpreter, {violated} violated"
    );
    let worth = with_interpreter * 4 > cases && with_and_without * 8 > cases && violated > 0;
    assert!(!is_sample(cases) || worth, "{with_and_without}, {with_interpreter}, {violated} of {cases}");
}

/// Where two outcomes begin to differ.
fn difference(one: &Outcome, other: &Outcome) -> String {
    let pairs = one.violations.iter().zip(&other.violations);
    let first = pairs.enumerate().find(|(_, (one, other))| one != other);
    let counts = (one.violations.len(), other.violations.len());
    format!("{counts:?} violations; {:?} and {:?}; first {first:?}", one.status, other.status)
}
