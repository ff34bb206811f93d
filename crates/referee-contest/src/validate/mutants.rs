//! Does it matter what the specification says? Slightly other specifications must give other verdicts.
//!
//! ```text
//!  text ─▶ words, numbers, signs ─▶ one of them exchanged: and ↔ or, not ↔ nothing, 3 ↔ 4, open ↔ close …
//!                                        └─▶ compiles? ─▶ verdicts on the demonstrations and on a short trace
//! ```
//!
//! Mutants are made of the text, so that every language has them and every one can be shown. Those that do not compile
//! are nobody's.

use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_trace::owned::{Collect, OwnedTrace};
use referee_trace::reader;

use super::checklist::Check;
use super::demonstrations;
use super::judge::{read_options, status_of_all};
use super::specification::{Specification, mapping_of, trace as trace_of};
use super::subject::order;
use crate::package::{EventKind, Package, TraceSource};

/// How many mutants are judged at most.
const MUTANTS: usize = 40;
/// How many events the trace has that they are judged on: mutants may be very slow to judge.
const EVENTS: u64 = 100;
/// How many mutants must change the verdict of the trace before no more are judged on it.
const ENOUGH: usize = 3;

/// Words and signs that are exchanged for each other.
const PAIRS: [(&str, &str); 22] = [
    ("and", "or"),
    ("AND", "OR"),
    ("&", "|"),
    ("&&", "||"),
    ("always", "eventually"),
    ("ALWAYS", "EVENTUALLY"),
    ("historically", "once"),
    ("PAST_ALWAYS", "ONCE"),
    ("H", "P"),
    ("last", "once"),
    ("forall", "exists"),
    ("Forall", "Exists"),
    ("FORALL", "EXISTS"),
    ("<", "<="),
    (">", ">="),
    ("=", "!="),
    ("==", "!="),
    ("=>", "<=>"),
    ("->", "<->"),
    ("skip", "next"),
    ("+", "-"),
    ("true", "false"),
];
/// Words and signs that are left out.
const NEGATIONS: [&str; 3] = ["not", "NOT", "!"];

/// A specification with one change.
struct Mutant {
    rules: Vec<Arc<Rule>>,
    change: String,
}

/// Judges mutants of the first specification.
pub(super) fn check(package: &Package, specifications: &[Specification]) -> Option<Check> {
    let first = specifications.first()?;
    let mutants = mutants(first, &package.property.events);
    if mutants.is_empty() {
        return Some(Check::doubtful("mutants", format!("no small change of {} compiles", first.name)));
    }
    let demonstrated: Vec<(Vec<OwnedTrace>, Status)> = package
        .property
        .demonstrations
        .iter()
        .filter_map(|one| Some((demonstrations::read(package, one, first).ok()?, demonstrations::expected(one))))
        .collect();
    let noticed =
        |mutant: &&Mutant| demonstrated.iter().any(|(traces, said)| status_of_all(&mutant.rules, traces) != *said);
    let (noticed, unnoticed): (Vec<&Mutant>, Vec<&Mutant>) = mutants.iter().partition(noticed);
    let traces = short_trace(package, first).map(|traces| (status_of_all(&first.rules, &traces), traces));
    let of_trace = traces.map(|(said, traces)| changes(&mutants, &traces, said));
    Some(verdict(mutants.len(), noticed.len(), unnoticed.first().copied(), of_trace))
}

/// How many of how many mutants change the verdict of a trace; it stops when there are enough.
fn changes(mutants: &[Mutant], traces: &[OwnedTrace], said: Status) -> (usize, usize) {
    let (mut changed, mut judged) = (0, 0);
    for mutant in mutants {
        judged += 1;
        changed += usize::from(flips(said, status_of_all(&mutant.rules, traces)));
        if changed == ENOUGH {
            break;
        }
    }
    (changed, judged)
}

fn flips(one: Status, other: Status) -> bool {
    matches!((one, other), (Status::Satisfied, Status::Violated) | (Status::Violated, Status::Satisfied))
}

fn verdict(all: usize, noticed: usize, unnoticed: Option<&Mutant>, of_trace: Option<(usize, usize)>) -> Check {
    if noticed == 0 && of_trace.is_none_or(|(changed, _)| changed == 0) {
        let text = format!("none of {all} small changes of the specification changes any verdict");
        return Check::wrong("mutants", text);
    }
    let on_trace = of_trace.map(|(changed, judged)| format!(", {changed} of {judged} change the verdict of the trace"));
    let text = format!("demonstrations notice {noticed} of {all} small changes{}", on_trace.unwrap_or_default());
    match unnoticed.filter(|_| noticed * 2 < all) {
        Some(mutant) => Check::doubtful("mutants", format!("{text}; none shows {}", mutant.change)),
        None if matches!(of_trace, Some((0, _))) => Check::doubtful("mutants", text),
        None => Check::fine("mutants", text),
    }
}

/// The trace of the package in a short form, where it can be had.
fn short_trace(package: &Package, specification: &Specification) -> Option<Vec<OwnedTrace>> {
    let trace = trace_of(package)?;
    let mapping = trace.mapping.as_deref().and_then(|name| mapping_of(package, name).ok());
    let options = read_options(specification, Some(trace.format), mapping);
    let mut collect = Collect::default();
    match &trace.source {
        TraceSource::Generated(generated) => {
            let order = order(generated, Some(EVENTS)).ok()?;
            let mut bytes = Vec::new();
            generated.generator.write(&order, trace.format, &mut bytes, None).ok()?;
            reader::read_stream("trace", std::io::Cursor::new(bytes), &options, &mut collect).ok()?;
        }
        TraceSource::File(file) if trace.events <= EVENTS => {
            reader::read(&[file], &options, &mut collect).ok()?;
        }
        TraceSource::File(_) | TraceSource::Url(_) => return None,
    }
    Some(collect.into_traces())
}

/// The mutants that compile, evenly chosen where there are many.
fn mutants(specification: &Specification, events: &[EventKind]) -> Vec<Mutant> {
    let changes = changed_texts(&specification.text, events);
    let step = changes.len().div_ceil(MUTANTS).max(1);
    let chosen = changes.into_iter().step_by(step);
    chosen
        .filter_map(|(text, change)| Some(Mutant { rules: specification.compile(&text, None).ok()?, change }))
        .collect()
}

/// Every text with one word exchanged, and what was exchanged.
fn changed_texts(text: &str, events: &[EventKind]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (start, word) in words(text) {
        for other in substitutes(word, events) {
            let changed = format!("{}{other}{}", &text[..start], &text[start + word.len()..]);
            let line = text[..start].matches('\n').count() + 1;
            let change = match other.is_empty() {
                true => format!("that line {line} says `{word}`"),
                false => format!("that line {line} says `{word}` and not `{other}`"),
            };
            all.push((changed, change));
        }
    }
    all
}

/// What may stand in the place of a word.
fn substitutes(word: &str, events: &[EventKind]) -> Vec<String> {
    if let Ok(number) = word.parse::<u64>() {
        return vec![number.saturating_add(1).to_string(), number.saturating_sub(1).to_string()];
    }
    if NEGATIONS.contains(&word) {
        return vec![String::new()];
    }
    let mut found: Vec<String> = Vec::new();
    for (one, other) in PAIRS {
        found.extend((word == one).then(|| other.to_owned()));
        found.extend((word == other).then(|| one.to_owned()));
    }
    let arity = events.iter().find(|event| event.name == word).map(|event| event.fields.len());
    let namesakes = events.iter().filter(|event| Some(event.fields.len()) == arity && event.name != word);
    found.extend(namesakes.take(1).map(|event| event.name.clone()));
    found
}

/// The words, numbers and runs of signs of a text, with where they begin; comments to the end of a line have none.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = ["#", "//"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
        found.extend(words_of_line(&line[..end]).into_iter().map(|(at, word)| (start + at, word)));
        start += line.len();
    }
    found
}

fn words_of_line(text: &str) -> Vec<(usize, &str)> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Word,
        Sign,
        Other,
    }
    let class = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' => Class::Word,
        '&' | '|' | '<' | '>' | '=' | '!' | '-' | '+' => Class::Sign,
        _ => Class::Other,
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let end = rest.find(|letter| class(letter) != kind).unwrap_or(rest.len());
        if kind != Class::Other {
            found.push((text.len() - rest.len(), &rest[..end]));
        }
        rest = &rest[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_change_word_by_word() {
        let event = |name: &str| EventKind { name: name.into(), fields: Vec::new(), meaning: None };
        let changed = changed_texts("always (a and\nx <= 3)# not 3", &[event("a"), event("b")]);
        let texts: Vec<&str> = changed.iter().map(|(text, _)| text.as_str()).collect();
        let expected = [
            "eventually (a and\nx <= 3)# not 3",
            "always (b and\nx <= 3)# not 3",
            "always (a or\nx <= 3)# not 3",
            "always (a and\nx < 3)# not 3",
            "always (a and\nx <= 4)# not 3",
            "always (a and\nx <= 2)# not 3",
        ];
        assert_eq!(texts, expected);
        assert_eq!(changed[4].1, "that line 2 says `3` and not `4`");
    }
}
