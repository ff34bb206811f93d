//! What machines cost from file to verdict, in CPU time of the release binary.
//!
//! `cargo bench -p referee --bench machines [-- FILTER]` prints a table: the work, the verdict, CPU milliseconds, the ratio to the csv
//! loop over the same bytes in this process, events per second and peak memory. Traces come from the generators, at the sizes that the
//! competition published; where they violate, an event of the last thousandth does. Each work comes a second time with other names for states
//! and variables, quantifiers in another order where that means the same, and events of a kind that nobody knows; the last column is what that
//! costs per event, in those of the first form. Nothing fails because a machine is slow.

#[allow(dead_code)]
#[path = "check/measure.rs"]
mod measure;
#[allow(dead_code)]
#[path = "check/references.rs"]
mod references;

use std::path::PathBuf;

use referee_generate::{Request, Verdict};
use referee_trace::format::Format;

/// A specification, a trace and what they are called.
struct Work {
    name: String,
    specification: String,
    extension: &'static str,
    trace: Vec<u8>,
}

/// What is measured: a generator, and the verdict of its trace.
const WORKS: [(&str, Verdict); 8] = [
    ("qea-leader", Verdict::Satisfied),
    ("qea-granting", Verdict::Violated),
    ("qea-nested", Verdict::Violated),
    ("qea-lifecycle", Verdict::Violated),
    ("qea-conflicts", Verdict::Satisfied),
    ("qea-pieces", Verdict::Satisfied),
    ("mop-maps", Verdict::Satisfied),
    ("mop-maps", Verdict::Violated),
];

/// A million iterators, a thousand of them at a time, in three languages.
const HAS_NEXT: [(&str, &str); 3] = [
    (
        "qea",
        "qea { forall(i) accept skip(unsafe) { hasnext(i) -> safe; next(i) -> failure } accept skip(safe) { next(i) -> unsafe } }",
    ),
    (
        "mop",
        "HasNext(i) { event hasnext(i) event next(i) fsm: unsafe [ hasnext -> safe, next -> error ] safe [ hasnext -> safe, next -> unsafe ] \
      error [ ] @error }",
    ),
    (
        "larva",
        "GLOBAL { FOREACH (i) { EVENTS { hasnext() = { hasnext(i) } next() = { next(i) } } PROPERTY HasNext { STATES { BAD { bad } \
      NORMAL { safe } STARTING { unsafe } } TRANSITIONS { unsafe -> safe [hasnext] unsafe -> bad [next] safe -> unsafe [next] } } } }",
    ),
];

/// The names of states and variables that the second form calls otherwise.
const NAMES: [&str; 29] = [
    "unsafe",
    "safe",
    "error",
    "bad",
    "free",
    "requested",
    "granted",
    "granted1",
    "granted2",
    "start",
    "pinged",
    "none",
    "startedOne",
    "startedTwo",
    "new",
    "a",
    "b",
    "r",
    "r1",
    "r2",
    "t1",
    "t2",
    "c1",
    "c2",
    "d",
    "p",
    "m",
    "c",
    "i",
];

fn generated(name: &str, verdict: Verdict) -> Work {
    let generator = referee_generate::find(name).expect("it exists");
    let order = generator.order(&Request { verdict, seed: 1, ..Request::default() }).expect("a possible order");
    let mut trace = Vec::new();
    generator.write(&order, Format::CsvPlain, &mut trace, None).expect("memory has room");
    let (specification, extension) = (generator.specification.to_owned(), generator.language.name());
    Work { name: format!("{name}, {} events, {verdict:?}", order.events), specification, extension, trace }
}

fn short_lived(extension: &'static str, specification: &str) -> Work {
    let mut trace = String::new();
    for first in (0..1_000_000).step_by(1000) {
        for kind in ["hasnext", "next"] {
            (first..first + 1000).for_each(|iterator| trace.push_str(&format!("{kind},{iterator}\n")));
        }
    }
    let name = format!("{extension}: 1,000,000 iterators of which 1,000 live");
    Work { name, specification: specification.to_owned(), extension, trace: trace.into_bytes() }
}

/// The same in other words, with an event that nobody knows after every tenth.
fn renamed(work: &Work) -> Work {
    let mut specification = String::new();
    for word in work.specification.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let name = word.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        specification.push_str(name);
        specification.push_str(if NAMES.contains(&name) { "Z9" } else { "" });
        specification.push_str(&word[name.len()..]);
    }
    for (one, other) in [("dZ9", "pZ9"), ("r1Z9", "r2Z9"), ("c1Z9", "c2Z9")] {
        specification = specification.replace(&format!("forall({one}, {other})"), &format!("forall({other}, {one})"));
    }
    let mut trace = Vec::new();
    for (number, line) in work.trace.split_inclusive(|byte| *byte == b'\n').enumerate() {
        trace.extend_from_slice(line);
        if number % 10 == 9 {
            trace.extend_from_slice(b"noise,7\n");
        }
    }
    Work { name: format!("{} in other words", work.name), specification, extension: work.extension, trace }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--measure") {
        return measure::helper(&arguments[1..]);
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with("--")).cloned().unwrap_or_default();
    let chosen = WORKS.into_iter().filter(|(name, _)| name.contains(filter.as_str()));
    let generated = chosen.map(|(name, verdict)| generated(name, verdict));
    let has_next = HAS_NEXT.into_iter().map(|(extension, text)| short_lived(extension, text));
    println!(
        "{:<64} {:>9} {:>9} {:>9} {:>8} {:>9} {:>6}",
        "work", "verdict", "ms CPU", "csv loops", "M ev/s", "peak MB", "×"
    );
    for work in generated.chain(has_next.filter(|work| work.name.contains(filter.as_str()))) {
        let first = report(&work, None);
        report(&renamed(&work), Some(first));
    }
}

/// Measures a work and prints its row; the seconds per event, which are compared with those of its first form.
fn report(work: &Work, first: Option<f64>) -> f64 {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name: String = work.name.chars().filter(char::is_ascii_alphanumeric).collect();
    let (trace, specification) =
        (folder.join(format!("{name}.csv")), folder.join(format!("{name}.{}", work.extension)));
    std::fs::write(&trace, &work.trace).expect("there is room for a file");
    std::fs::write(&specification, &work.specification).expect("there is room for a file");
    let texts = [specification.display().to_string(), trace.display().to_string()];
    let arguments: Vec<String> = ["check", "--threads", "1", &texts[0], &texts[1], "--format", "csv-plain"]
        .iter()
        .map(|text| (*text).to_owned())
        .collect();
    let runs: Vec<measure::Run> = (0..3).map(|_| measure::run(&arguments, None)).collect();
    let best = runs.iter().min_by_key(|run| run.cpu).expect("three runs");
    let piped: Vec<String> = ["check", "--threads", "1", &texts[0], "-", "--format", "csv-plain"]
        .iter()
        .map(|text| (*text).to_owned())
        .collect();
    let peak = measure::run(&piped, Some(&trace)).peak;
    let loops = measure::least(3, || references::csv_loop(&work.trace));
    let (seconds, events) = (best.cpu.as_secs_f64(), work.trace.iter().filter(|byte| **byte == b'\n').count() as f64);
    let ratio = first.map_or_else(String::new, |first| format!("{:.2}", seconds / events / first));
    println!(
        "{:<64} {:>9} {:>9.1} {:>9.2} {:>8.1} {:>9.1} {ratio:>6}",
        work.name,
        best.status,
        seconds * 1e3,
        seconds / loops.as_secs_f64(),
        events / seconds / 1e6,
        peak as f64 / 1024.0
    );
    seconds / events
}
