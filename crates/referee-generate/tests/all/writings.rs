//! The benchmark suite's specifications mean what they should: every writing of the six DejaVu properties agrees with the
//! original, and the oracle agrees with the engine on them and on the twenty further properties.
//!
//! Traces are those of the generators and, because these break a property in few ways, the same with events left out. With
//! `REFEREE_CASES` in the environment there are more and longer ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::collect::trace;
use referee_engine::judge_rule;
use referee_generate::{Generator, Request, Values, Verdict};
use referee_oracle::Mode;
use referee_spec::core::{Language, Outcome, Property, Rule, Status};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, daily_seed, is_sample};
use referee_trace::owned::OwnedTrace;

const SIX: [&str; 6] = ["access", "file", "fifo", "locking", "deadlock", "datarace"];

/// One way to write a property.
struct Writing {
    name: String,
    language: Language,
    property: Arc<Property>,
    /// Whether it is for traces with other names and the arguments of every event in reverse order.
    permuted: bool,
}

impl Writing {
    fn new(name: &str, language: Language, text: &str) -> Writing {
        let compiled = compile(language, &Source::new(name, text), &Options::default());
        let formulas: Vec<Arc<Property>> = compiled.properties.into_iter().filter_map(Rule::into_formula).collect();
        let [property] = <[Arc<Property>; 1]>::try_from(formulas)
            .unwrap_or_else(|found| panic!("{name}: {} formulas, {:?}", found.len(), compiled.diagnostics));
        Writing { name: name.to_owned(), language, property, permuted: name.contains("permuted") }
    }

    fn original(generator: &Generator) -> Writing {
        Writing::new(generator.name, generator.language, generator.specification)
    }

    fn read(path: &Path) -> Writing {
        let language = path.extension().and_then(|name| Language::from_name(name.to_str()?)).expect("a language");
        let text = std::fs::read_to_string(path).expect("a readable file");
        Writing::new(&path.display().to_string(), language, &text)
    }

    fn judge(&self, trace: &OwnedTrace) -> Verdicts {
        let trace = if self.permuted { &permuted(trace) } else { trace };
        Verdicts::new(self, judge_rule(&Arc::new(Rule::Formula(self.property.clone())), trace, false))
    }

    fn judge_with_oracle(&self, trace: &OwnedTrace) -> Verdicts {
        let trace = if self.permuted { &permuted(trace) } else { trace };
        Verdicts::new(self, referee_oracle::judge(&self.property, trace, Mode::Complete))
    }
}

/// The status, and the points of the violations that were decided before the end.
#[derive(Debug, PartialEq, Eq)]
struct Verdicts {
    status: Status,
    points: BTreeSet<u64>,
}

impl Verdicts {
    fn new(writing: &Writing, outcome: Outcome) -> Verdicts {
        assert_ne!(outcome.status, Status::GaveUp, "{}: {outcome:?}", writing.name);
        let decided = outcome.violations.iter().filter(|violation| violation.decided.is_some());
        Verdicts { status: outcome.status, points: decided.map(|violation| violation.point).collect() }
    }
}

/// The writings of one of the six properties, the original first.
fn writings(property: &str) -> Vec<Writing> {
    let generator = referee_generate::find(&format!("dejavu-{property}")).expect("it exists");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../benches/specifications").join(property);
    let files = std::fs::read_dir(&folder).expect("a folder of writings");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert_eq!(files.len(), 7, "{property}: five writings, FO-LTL and MFOTL");
    std::iter::once(Writing::original(generator)).chain(files.iter().map(|file| Writing::read(file))).collect()
}

/// The trace with `on_` before every name and the arguments in reverse order.
fn permuted(trace: &OwnedTrace) -> OwnedTrace {
    let mut trace = trace.clone();
    for event in trace.points.iter_mut().flat_map(|point| &mut point.events) {
        event.name = format!("on_{}", event.name).into();
        event.arguments.reverse();
    }
    trace
}

/// The trace without some of its points.
fn with_gaps(trace: &OwnedTrace, seed: u64) -> OwnedTrace {
    let keep =
        |index: u64| !(index.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(seed | 1).is_multiple_of(5);
    let points = (0..).zip(&trace.points).filter(|(index, _)| keep(*index)).map(|(_, point)| point.clone());
    OwnedTrace { points: points.collect() }
}

/// Whether there is time for more.
fn is_long() -> bool {
    is_sample(cases(0))
}

/// Traces of these sizes, satisfied and violated and with gaps; of the smallest also those of the day.
fn traces(generator: &Generator, sizes: &[u64], seeds: u64) -> Vec<OwnedTrace> {
    let mut all = Vec::new();
    for &events in sizes {
        let daily = (events == sizes[0]).then(daily_seed);
        for seed in (1..=seeds).chain(daily) {
            for (verdict, values) in [(Verdict::Satisfied, Values::Integers), (Verdict::Violated, Values::Strings)] {
                let request = Request { events: Some(events), seed, verdict, values, ..Request::default() };
                let trace = trace(generator, &generator.order(&request).expect("a possible order"));
                all.push(with_gaps(&trace, seed));
                all.push(trace);
            }
        }
    }
    all
}

/// Whether two writings agree. FO-LTL reports where a binding is decided first, and what asks whether a value exists
/// only when all values are known.
fn agree(expected: &Verdicts, found: &Verdicts, language: Language) -> bool {
    let first = found.points.first();
    expected.status == found.status
        && match language {
            Language::Foltl => first.is_none() || first == expected.points.first(),
            _ => found.points == expected.points,
        }
}

#[test]
fn every_writing_agrees_with_the_original() {
    for name in SIX {
        let generator = referee_generate::find(&format!("dejavu-{name}")).expect("it exists");
        // The general path of the engine joins the queue with itself at every point.
        let sizes: &[u64] = match (name, is_long()) {
            ("access" | "file", _) | ("locking" | "deadlock" | "datarace", true) => &[10, 100, 1000],
            _ => &[10, 100],
        };
        let (traces, writings) = (traces(generator, sizes, if is_long() { 2 } else { 1 }), writings(name));
        for (number, trace) in traces.iter().enumerate() {
            let expected = writings[0].judge(trace);
            for writing in &writings[1..] {
                let found = writing.judge(trace);
                assert!(
                    agree(&expected, &found, writing.language),
                    "{} {number}: {expected:?} {found:?}",
                    writing.name
                );
            }
        }
    }
}

#[test]
fn the_oracle_agrees_on_every_writing() {
    for name in SIX {
        let generator = referee_generate::find(&format!("dejavu-{name}")).expect("it exists");
        let traces = if is_long() { traces(generator, &[10, 14], 3) } else { traces(generator, &[10], 1) };
        for writing in writings(name) {
            for trace in &traces {
                assert_eq!(writing.judge(trace), writing.judge_with_oracle(trace), "{}", writing.name);
            }
        }
    }
}

/// The generators of the twenty further properties.
fn suite() -> impl Iterator<Item = &'static Generator> {
    referee_generate::all().filter(|generator| generator.name.starts_with("suite-"))
}

#[test]
fn the_oracle_agrees_on_the_further_properties() {
    assert_eq!(suite().count(), 20);
    for generator in suite() {
        let writing = Writing::original(generator);
        let traces = if is_long() { traces(generator, &[10, 25], 4) } else { traces(generator, &[10, 14], 2) };
        let violated = traces.iter().filter(|trace| writing.judge(trace).status == Status::Violated).count();
        assert!(violated >= traces.len() / 4, "{}: {violated} of {}", generator.name, traces.len());
        for trace in &traces {
            assert_eq!(writing.judge(trace), writing.judge_with_oracle(trace), "{}", generator.name);
        }
    }
}

#[test]
fn the_further_properties_are_no_renamings_of_each_other() {
    let mut shapes: Vec<(String, &str)> =
        suite().map(|generator| (shape(generator.specification), generator.name)).collect();
    shapes.sort();
    for pair in shapes.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "{} and {}", pair[0].1, pair[1].1);
    }
}

/// A specification with every name that follows the language's words replaced by where it was first seen.
fn shape(specification: &str) -> String {
    let text: String = specification.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let (mut shape, mut names, mut word) = (String::new(), Vec::new(), String::new());
    for letter in text.chars().chain([' ']) {
        if letter.is_alphanumeric() {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            let place = names.iter().position(|name| *name == word).unwrap_or_else(|| {
                names.push(word.clone());
                names.len() - 1
            });
            shape.push_str(&format!("${place}"));
            word.clear();
        }
        if !letter.is_whitespace() {
            shape.push(letter);
        }
    }
    shape
}
