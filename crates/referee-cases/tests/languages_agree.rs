//! The six properties of the DejaVu paper, written in all three languages, agree on random traces.
//!
//! The specifications are those of `tests/cases/seeds/dejavu_*.md`: the first of each language. What the languages count as
//! one violation differs, so that compared are:
//!
//! - the verdict, in all three;
//! - the points that are violated, in DejaVu and MFOTL;
//! - the violated bindings, in FO-LTL and MFOTL: both report each of them, MFOTL once per point.
//!
//! `REFEREE_CASES=100000` makes more traces, `REFEREE_SEED` others.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use referee_cases::{Document, parse};
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Outcome, Property, Rule};
use referee_spec::language::{Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::value::Value;

/// How many traces each property gets in a normal test run.
const TRACES: u64 = 1_000;

/// A property and the events it speaks of, each with the kinds of its arguments.
type Subject = (&'static str, &'static [(&'static str, &'static [Kind])]);

/// What an argument is: values of one kind meet.
#[derive(Clone, Copy)]
enum Kind {
    Person,
    Thing,
}

use Kind::{Person, Thing};

const SUBJECTS: [Subject; 6] = [
    (
        "access",
        &[
            ("access", &[Person, Thing]),
            ("login", &[Person]),
            ("logout", &[Person]),
            ("open", &[Thing]),
            ("close", &[Thing]),
        ],
    ),
    ("file", &[("open", &[Thing, Person]), ("close", &[Thing])]),
    ("fifo", &[("enter", &[Thing]), ("exit", &[Thing])]),
    ("locking", &[("acq", &[Person, Thing]), ("rel", &[Person, Thing]), ("sleep", &[Person])]),
    ("deadlock", &[("acq", &[Person, Thing]), ("rel", &[Person, Thing])]),
    (
        "datarace",
        &[
            ("acq", &[Person, Thing]),
            ("rel", &[Person, Thing]),
            ("read", &[Person, Thing]),
            ("write", &[Person, Thing]),
        ],
    ),
];

fn document(name: &str) -> Document {
    let file = format!("tests/cases/seeds/dejavu_{name}.md");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&file);
    let text = std::fs::read_to_string(path).expect("a readable document");
    parse(&file, &text).expect("a document")
}

/// The first property of a language in a document.
fn property(document: &Document, language: Language) -> Arc<Property> {
    let specification = document.specifications.iter().find(|found| found.language == language);
    let specification = specification.unwrap_or_else(|| panic!("{} has no {}", document.file, language.name()));
    let compiled = compile(language, &Source::new("p", specification.text.as_str()), &specification.options);
    compiled.properties.into_iter().next().and_then(Rule::into_formula).expect("a formula")
}

/// A trace of up to twelve points with one event each, some with none or two.
fn random_trace(rng: &mut Rng, events: &[(&str, &[Kind])]) -> OwnedTrace {
    let length = rng.below(13);
    let points = (0..length).map(|_| {
        let count = rng.weighted(&[1, 18, 1]);
        OwnedPoint { time: None, events: (0..count).map(|_| random_event(rng, events)).collect() }
    });
    OwnedTrace { points: points.collect() }
}

fn random_event(rng: &mut Rng, events: &[(&str, &[Kind])]) -> OwnedEvent {
    let (name, kinds) = events[rng.below(events.len())];
    let texts: Vec<&str> = kinds
        .iter()
        .map(|kind| match kind {
            Person => rng.pick(&["ann", "bob"]),
            Thing => rng.pick(&["x", "y", "z"]),
        })
        .collect();
    OwnedEvent::positional(name, &texts)
}

fn points(outcome: &Outcome) -> BTreeSet<u64> {
    outcome.violations.iter().map(|violation| violation.point).collect()
}

fn bindings(outcome: &Outcome) -> BTreeSet<Vec<Option<Value>>> {
    outcome.violations.iter().map(|violation| violation.bindings.clone()).collect()
}

fn check(index: usize) -> [u64; 2] {
    let (name, events) = SUBJECTS[index];
    let document = document(name);
    let [foltl, qtl, mfotl] = Language::FORMULAS.map(|language| property(&document, language));
    let mut verdicts = [0, 0];
    for seed in seeds(TRACES) {
        let trace = random_trace(&mut Rng::new(seed), events);
        let [foltl, qtl, mfotl] =
            [&foltl, &qtl, &mfotl].map(|property| referee_engine::judge_property(Arc::clone(property), &trace, false));
        let context = || format!("{name}, seed {seed}: {trace:?}\nfoltl {foltl:?}\nqtl {qtl:?}\nmfotl {mfotl:?}");
        assert!(foltl.status == qtl.status && qtl.status == mfotl.status, "verdicts differ: {}", context());
        assert_eq!(points(&qtl), points(&mfotl), "points differ: {}", context());
        assert_eq!(bindings(&foltl), bindings(&mfotl), "bindings differ: {}", context());
        verdicts[usize::from(qtl.violations.is_empty())] += 1;
    }
    verdicts
}

#[test]
fn the_six_properties_agree_in_three_languages() {
    for (index, (name, _)) in SUBJECTS.iter().enumerate() {
        let [violated, satisfied] = check(index);
        let worth = violated > 0 && satisfied > 0;
        assert!(
            !is_sample(cases(TRACES)) || worth,
            "{name} was violated {violated} times and satisfied {satisfied} times"
        );
    }
}
