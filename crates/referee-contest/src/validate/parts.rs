//! All parts are there: demonstrations of both kinds, reasons, a formal specification, counts that add up.

use std::collections::BTreeMap;

use super::checklist::Check;
use super::declared::Declared;
use crate::package::{Acceptance, FieldType, Package, Subject, Trace};
use crate::skeleton::blanks;

/// How many demonstrations of each kind a package has at least.
const DEMONSTRATIONS: usize = 3;
/// How many words a description and a sentence have at least.
const DESCRIPTION: usize = 5;
const SENTENCE: usize = 3;

/// The checks that need nothing but the document.
pub(super) fn checks(package: &Package) -> Vec<Check> {
    let mut checks = vec![Check::of("parts", parts(package)), Check::of("reasons", reasons(package))];
    checks.extend(meagre(package).map(|text| Check::wrong("words", text)));
    checks.extend(blank(package).map(|text| Check::wrong("blanks", text)));
    checks.extend(two_types(package).map(|text| Check::wrong("sorts", text)));
    checks.extend(undeclared(package).map(|text| Check::wrong("counts", text)));
    if let Subject::Trace(trace) = &package.subject {
        let further = package.further.iter().map(|further| (further.name.as_str(), &further.trace));
        let wrong = std::iter::once(("", trace)).chain(further).find_map(|(name, trace)| sum(name, trace).err());
        checks.extend(wrong.map(|text| Check::wrong("counts", text)));
    }
    checks
}

fn parts(package: &Package) -> Result<String, String> {
    if package.property.implicit.is_some() {
        return Ok("an implicit property needs neither formula nor demonstrations".into());
    }
    let [accepted, rejected] = [Acceptance::Accepted, Acceptance::Rejected].map(|kind| package.demonstrations(kind));
    if accepted < DEMONSTRATIONS || rejected < DEMONSTRATIONS {
        return Err(format!(
            "expected at least {DEMONSTRATIONS} accepted and {DEMONSTRATIONS} rejected demonstrations, found {accepted} and {rejected}"
        ));
    }
    match package.property.formal.len() {
        0 => Err("expected a formal specification, found none; add a table [[property.formal]]".into()),
        formal => Ok(format!("{accepted} accepted and {rejected} rejected demonstrations, {formal} specifications")),
    }
}

fn reasons(package: &Package) -> Result<String, String> {
    let mut numbered = (1..).zip(&package.property.demonstrations);
    match numbered.find(|(_, demonstration)| demonstration.why.trim().is_empty()) {
        Some((number, _)) => Err(format!("demonstration {number} has no reason; say in `why` what is right or wrong")),
        None => Ok("every demonstration has its reason".into()),
    }
}

/// A text that says too little: what is told in a word is no description.
fn meagre(package: &Package) -> Option<String> {
    let informal = &package.property.informal;
    let texts = [
        ("description", &package.description, DESCRIPTION, "two or three sentences that say what it is about"),
        ("property.informal.context", &informal.context, SENTENCE, "a sentence that says where the events come from"),
        ("property.informal.ordering", &informal.ordering, SENTENCE, "a sentence that says what must come when"),
    ];
    let meagre = texts.into_iter().find(|(_, text, least, _)| text.split_whitespace().count() < *least);
    let of_texts = meagre.map(|(key, text, _, expected)| (key, text.trim().to_owned(), expected));
    let empty = |text: &&String| text.trim().is_empty();
    let names = [("name", std::slice::from_ref(&package.name)), ("domains", package.domains.as_slice())];
    let of_names = names.into_iter().find(|(_, texts)| texts.iter().any(|text| empty(&text)));
    let (key, found, expected) = of_texts.or(of_names.map(|(key, _)| (key, String::new(), "a name")))?;
    let file = package.document.file_name().unwrap_or_default().display();
    Some(format!("{file}: {key}: expected {expected}, found `{found}`; write it out"))
}

/// A sort whose values are written in two ways: nobody could compare them.
fn two_types(package: &Package) -> Option<String> {
    let mut known: BTreeMap<&str, (&str, FieldType)> = BTreeMap::new();
    for kind in &package.property.events {
        for field in &kind.fields {
            let (Some(sort), Some(writing)) = (field.sort.as_deref(), field.writing) else { continue };
            let (first, before) = *known.entry(sort).or_insert((&kind.name, writing));
            if before != writing {
                let file = package.document.file_name().unwrap_or_default().display();
                let [before, writing] = [before, writing].map(FieldType::name);
                return Some(format!(
                    "{file}: the sort `{sort}` is of type {before} in `{first}`, and {writing} in `{}`; give it one type, or \
                     two sorts",
                    kind.name
                ));
            }
        }
    }
    None
}

/// Counts of an event that is not declared.
fn undeclared(package: &Package) -> Option<String> {
    let declared = Declared { kinds: &package.property.events, mapped: false };
    let further = package.further.iter().map(|further| &further.trace.counts);
    let first = match &package.subject {
        Subject::Trace(trace) => &trace.counts,
        Subject::Program(program) => &program.counts,
    };
    let mut names = std::iter::once(first).chain(further).flat_map(|counts| counts.keys());
    let name = names.find(|name| !declared.kinds.iter().any(|kind| kind.name == **name))?;
    let file = package.document.file_name().unwrap_or_default().display();
    Some(format!("{file}: the counts speak of `{name}`: {}", declared.stranger(name)))
}

/// The first blank that nobody has filled.
fn blank(package: &Package) -> Option<String> {
    let formal = package.property.formal.iter().map(|formal| package.path(&formal.file));
    [package.document.clone()].into_iter().chain(formal).find_map(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        let (line, asked) = blanks(&text).next()?;
        let name = file.file_name().unwrap_or_default().display();
        Some(format!("{name}:{line}: still blank: «{asked}»"))
    })
}

/// Whether the counts of a trace add up.
fn sum(name: &str, trace: &Trace) -> Result<(), String> {
    let sum: u64 = trace.counts.values().sum();
    let which = if name.is_empty() { String::new() } else { format!("{name}: ") };
    match sum == trace.events {
        true => Ok(()),
        false => Err(format!("{which}the counts add up to {sum}, not to the {} events", trace.events)),
    }
}
