//! Mutants of real properties, compiled, against the oracle.
//!
//! Purely random formulas rarely look like what people write: a guard, a look at the past under `@`, a quantifier that one
//! event binds, an obligation with a deadline. So the properties of the benchmark suite, in all their writings and languages, are
//! changed in up to three places, and what still compiles is judged on short traces over the same events: one event a point or
//! several, with times that stand still and go on. `REFEREE_CASES` and `REFEREE_SEED` as elsewhere.

mod mutation;

use std::cmp::Ordering;
use std::sync::Arc;

use mutation::{events, mutate, shorten, tokens, trace_over};
use referee_engine::fo::Passes;
use referee_engine::{first_compiled, judge_compiled};
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Judgement, Language, Outcome, Property, Rule, Violation};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::OwnedTrace;

const CASES: u64 = 1_500;

macro_rules! texts {
    ($folder:literal: $($file:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../../", $folder, "/", $file))),*]
    };
}

macro_rules! writings {
    ($($property:literal),*) => {
        &[$(
            include_str!(concat!("../../../benches/specifications/", $property, "/prenex.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/miniscoped.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/demorgan.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/macro.qtl")),
        )*]
    };
}

const QTL: &[&str] = writings!("access", "file", "fifo", "locking", "deadlock", "datarace");
const PAST_FOLTL: &[&str] = texts!("benches/specifications": "access/access.foltl", "file/file.foltl", "fifo/fifo.foltl",
    "locking/locking.foltl", "deadlock/deadlock.foltl", "datarace/datarace.foltl");
const PAST_MFOTL: &[&str] = texts!("benches/specifications": "access/access.mfotl", "file/file.mfotl", "fifo/fifo.mfotl",
    "locking/locking.mfotl", "deadlock/deadlock.mfotl", "datarace/datarace.mfotl");
const FOLTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-audits.foltl", "suite-cards.foltl",
    "suite-jobs.foltl", "suite-parcels.foltl", "suite-tickets.foltl", "c-files.foltl");
const MFOTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-alarms.mfotl", "suite-ballots.mfotl",
    "suite-doses.mfotl", "suite-nodes.mfotl", "suite-shifts.mfotl", "monpoly-report.mfotl", "monpoly-auth.mfotl",
    "monpoly-approve.mfotl");

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    let compiled = compile(language, &Source::new("mutant", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

fn passes(seed: u64) -> Passes {
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    if let Some(name) = Passes::NAMES.get((seed % (2 * Passes::NAMES.len() as u64)) as usize) {
        assert!(passes.set(name, false));
    }
    passes
}

/// What was decided first, and of that what reports tell first.
fn first(outcome: &Outcome) -> Option<&Violation> {
    let decided = outcome.violations.iter().filter(|violation| violation.decided.is_some());
    decided.min_by(|one, other| one.decided.cmp(&other.decided).then_with(|| one.report_order(other)))
}

/// Whether every obligation that was still open when the trace ended was opened at one of its points, and no other was.
fn opens_within(outcome: &Outcome, trace: &OwnedTrace) -> bool {
    let points = 1..=trace.points.len() as u64;
    let mut violations = outcome.violations.iter();
    violations.all(|violation| match violation.opened {
        Some(opened) => violation.decided.is_none() && points.contains(&opened),
        None => true,
    })
}

fn compare(property: &Arc<Property>, trace: &OwnedTrace, seed: u64, context: &str) -> Option<bool> {
    let prefix = seed.is_multiple_of(4) && property.judgement != Judgement::Once;
    let mut compiled = judge_compiled(property.clone(), trace, prefix, passes(seed)).ok()?;
    assert!(opens_within(&compiled, trace), "opened, {context}: {compiled:?}");
    compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
    let oracle = expected(property, trace, if prefix { Mode::Prefix } else { Mode::Complete });
    assert_eq!(compiled, oracle, "{context}");
    let alone = first_compiled(property.clone(), trace, passes(seed)).ok()?;
    let is_same =
        |one: &Violation, other: &Violation| one.decided == other.decided && one.report_order(other) == Ordering::Equal;
    let agrees = match (first(&alone), first(&oracle)) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    assert!(agrees, "the first, {context}: {alone:?}, {oracle:?}");
    Some(!oracle.violations.is_empty())
}

fn check(language: Language, properties: &[&str]) {
    let cases = cases(CASES);
    let (mut judged, mut violated) = (0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let original = tokens(rng.pick(properties));
        let mut mutant = original.clone();
        shorten(&mut rng, &mut mutant);
        (0..rng.below(4)).for_each(|_| mutate(&mut rng, language, &mut mutant));
        let text = mutant.concat();
        let Some(property) = formula(language, &text) else { continue };
        let trace = trace_over(&mut rng, language, &events(&original), &["1", "2", "2", "x", "-1"]);
        let context = format!("seed {seed}, {:?}\n{text}\n{trace:?}", passes(seed));
        if let Some(is_violated) = compare(&property, &trace, seed, &context) {
            judged += 1;
            violated += u64::from(is_violated);
        }
    }
    println!("{language:?}: {judged} mutants of {cases} were compiled, {violated} violated");
    assert!(
        !is_sample(cases) || (judged * 4 > cases && violated * 5 > judged),
        "{judged} of {cases} judged, {violated} violated"
    );
}

#[test]
fn qtl() {
    check(Language::Qtl, QTL);
}

#[test]
fn foltl() {
    check(Language::Foltl, &[PAST_FOLTL, FOLTL].concat());
}

#[test]
fn mfotl() {
    check(Language::Mfotl, &[PAST_MFOTL, MFOTL].concat());
}
