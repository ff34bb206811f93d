//! The engine against the oracle, on random properties and random traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test differential` is the long mode; `REFEREE_SEED`
//! takes other seeds. A disagreement is shrunk and printed with its seed.

use std::sync::Arc;

use referee_engine::judge_property;
use referee_oracle::random::{
    Rng, random_aggregation, random_aggregation_trace, random_property, random_trace, shrink, write_source,
};
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Kind, Language, Outcome, Property, Term, Violation};
use referee_spec::language::{Options, Source};
use referee_spec::mfotl::compile as compile_mfotl;
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::OwnedTrace;
use referee_trace::value::Value;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 8_000;
/// How many cases aggregations get: the oracle lists all assignments of all values that the trace shows.
const AGGREGATIONS: u64 = 1_500;

/// Whether the engine says what the oracle says.
///
/// Whether a value that nobody has named equals a computed one, the oracle cannot tell, while the engine's tables list the
/// computed one. So where a property computes, or something else is undecidable to the oracle, the engine may know more
/// and know it earlier, but never less. What keeps a prefix from being judged is a matter of its continuation, so it is
/// compared on complete traces only.
fn agree(property: &Property, engine: &Outcome, oracle: &Outcome, prefix: bool) -> bool {
    let same = engine.violations == oracle.violations
        && engine.pending == oracle.pending
        && (prefix || (engine.status == oracle.status && engine.obstacle.is_none()));
    if same && oracle.obstacle.is_none() {
        return true;
    }
    let undecidable = oracle.obstacle.is_some();
    let covered = |known: &Violation| engine.violations.iter().any(|found| covers(found, known));
    let confirmed = |found: &Violation| {
        let row = |known: &Violation| known.point == found.point && same_or_any(known, found);
        found.bindings.contains(&None) || oracle.violations.iter().any(row)
    };
    (undecidable || computes(property))
        && oracle.violations.iter().all(covered)
        && (undecidable || prefix || engine.violations.iter().all(confirmed))
}

/// Whether a property has a term that yields values which the trace may not show.
fn computes(property: &Property) -> bool {
    let is_computed = |term: &&Term| matches!(term, Term::Binary(..) | Term::Negate(_) | Term::Apply(..));
    let bodies = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
    let mut found = false;
    for body in bodies {
        body.visit(&mut |formula| {
            found |= formula.kind.terms().iter().any(is_computed) || matches!(formula.kind, Kind::Aggregate(_));
        });
    }
    found
}

/// Whether a violation says all that another says, and no later.
fn covers(found: &Violation, known: &Violation) -> bool {
    let same_point = found.point == known.point;
    let earlier = found.decided.is_some_and(|found| known.decided.is_none_or(|known| found <= known));
    found == known || (same_point && earlier && same_or_any(found, known))
}

/// Whether the row of one violation is that of another, or stands for it.
fn same_or_any(wide: &Violation, narrow: &Violation) -> bool {
    let stands_for = |(wide, narrow): (&Option<Value>, &Option<Value>)| wide.is_none() || wide == narrow;
    wide.bindings.iter().zip(&narrow.bindings).all(stands_for)
}

/// What the engine says and what the oracle says.
fn outcomes(property: &Property, trace: &OwnedTrace, prefix: bool) -> (Outcome, Outcome) {
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let oracle = expected(property, trace, mode);
    let mut engine = judge_property(Arc::new(property.clone()), trace, prefix);
    // The definitions do not say which obligation was open; the engine does, and tests of its own check that.
    engine.violations.iter_mut().for_each(|violation| violation.opened = None);
    (engine, oracle)
}

fn disagreement(property: &Property, trace: &OwnedTrace, prefix: bool) -> Option<(Outcome, Outcome)> {
    let (engine, oracle) = outcomes(property, trace, prefix);
    (!agree(property, &engine, &oracle, prefix)).then_some((engine, oracle))
}

/// One line per point: `@4 p(1) r(2,a)`.
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
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let depth = 1 + usize::try_from(seed % 6).expect("small");
        let property = random_property(&mut rng, language, depth);
        let trace = random_trace(&mut rng, &property);
        let prefix = seed % 4 == 0;
        if disagreement(&property, &trace, prefix).is_some() {
            let (property, trace) =
                shrink(property, trace, |property, trace| disagreement(property, trace, prefix).is_some());
            let (engine, oracle) = disagreement(&property, &trace, prefix).expect("shrinking keeps the failure");
            panic!(
                "seed {seed}, prefix {prefix}\n{}\n{}\nengine {engine:?}\noracle {oracle:?}",
                property.source,
                show(&trace)
            );
        }
    }
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

/// Policies with aggregations are made as texts and compiled. Nearly all verdicts must be the same to the letter.
#[test]
fn aggregations_agree_with_the_oracle() {
    let cases = cases(AGGREGATIONS);
    let (mut same, mut violated) = (0, 0);
    for seed in seeds(AGGREGATIONS) {
        let mut rng = Rng::new(seed);
        let text = random_aggregation(&mut rng);
        let compiled = compile_mfotl(&Source::new("random.mfotl", text.as_str()), &Options::default());
        let Some(property) = compiled.properties.into_iter().next() else {
            panic!("seed {seed}: {text}: {:?}", compiled.diagnostics)
        };
        let trace = random_aggregation_trace(&mut rng);
        let prefix = seed % 4 == 0;
        let (engine, oracle) = outcomes(&property, &trace, prefix);
        if !agree(&property, &engine, &oracle, prefix) {
            let (mut property, trace) =
                shrink(property, trace, |property, trace| disagreement(property, trace, prefix).is_some());
            write_source(&mut property);
            let (engine, oracle) = disagreement(&property, &trace, prefix).expect("shrinking keeps the failure");
            panic!(
                "seed {seed}, prefix {prefix}\n{text}\n{}\n{}\nengine {engine:?}\noracle {oracle:?}",
                property.source,
                show(&trace)
            );
        }
        let rows = |outcome: &Outcome| {
            let row = |one: &Violation| (one.point, one.decided, one.bindings.clone());
            outcome.violations.iter().map(row).collect::<Vec<_>>()
        };
        same += u64::from(rows(&engine) == rows(&oracle) && engine.status == oracle.status);
        violated += u64::from(!oracle.violations.is_empty());
    }
    assert!(!is_sample(cases) || same * 100 >= cases * 98, "{same} of {cases} are the same");
    assert!(!is_sample(cases) || violated * 4 >= cases, "{violated} of {cases} are violated");
}
