//! Packages as pages: Markdown for the manual, and what `referee contest show` renders in a terminal.
//!
//! ```text
//!  Package ─▶ page: description, property, events, demonstrations, specifications, traces
//!  Package… ─▶ index: one row each
//! ```
//!
//! A page holds nothing that the package does not: who changes a package makes its page again.

use std::fmt::Write;

use crate::package::{Acceptance, Demonstration, EventKind, Package, Program, Subject, Trace, TraceSource, Verdict};

/// The page of a package.
pub fn page(package: &Package) -> String {
    let mut page = format!("# {}\n\n{}\n", package.name, paragraph(&package.description));
    facts(&mut page, package);
    section(&mut page, "Property");
    informal(&mut page, package);
    section(&mut page, "Events");
    page.push_str(&table(&["event", "meaning"], package.property.events.iter().map(event_row)));
    if !package.property.demonstrations.is_empty() {
        section(&mut page, "Demonstrations");
        let rows = package.property.demonstrations.iter().map(demonstration_row);
        page.push_str(&table(&["verdict", "trace", "why"], rows));
    }
    formal(&mut page, package);
    subject(&mut page, package);
    page
}

/// The page that lists all packages, each with the file of its page.
pub fn index(packages: &[Package]) -> String {
    let mut page = String::from(
        "# Gallery\n\nThe benchmarks of this repository, one page each. `referee contest show NAME` shows the same in a \
         terminal; the pages are made from the packages.\n\n",
    );
    let row = |package: &Package| {
        vec![
            format!("[{}]({})", package.name, file_name(package)),
            first_sentence(&package.description),
            verdict_word(package).to_owned(),
        ]
    };
    page.push_str(&table(&["benchmark", "what it is about", "verdict"], packages.iter().map(row)));
    page
}

/// The file of a package's page.
pub fn file_name(package: &Package) -> String {
    format!(
        "{}.md",
        package.directory.file_name().map_or_else(|| package.id.clone(), |name| name.display().to_string())
    )
}

/// The first sentence of a text, on one line.
pub fn first_sentence(text: &str) -> String {
    let text = paragraph(text);
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

/// The word for the right answer.
pub fn verdict_word(package: &Package) -> &'static str {
    package.verdict.status.name()
}

/// A text without line breaks.
fn paragraph(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn section(page: &mut String, title: &str) {
    add(page, format_args!("\n## {title}\n\n"));
}

/// Adds text to a page, which takes everything.
fn add(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}

fn facts(page: &mut String, package: &Package) {
    let facts = [
        ("identifier", Some(format!("`{}`", package.id))),
        ("track", Some(package.track.name().to_owned())),
        ("team", package.team.clone()),
        ("domains", Some(package.domains.join(", "))),
        ("origin", package.origin.as_deref().map(paragraph)),
        ("licence", package.licence.clone()),
    ];
    let rows = facts.into_iter().filter_map(|(name, value)| Some(vec![name.to_owned(), value?]));
    page.push('\n');
    page.push_str(&table(&["", ""], rows));
}

fn informal(page: &mut String, package: &Package) {
    let informal = &package.property.informal;
    add(page, format_args!("{}\n\n{}\n", paragraph(&informal.context), paragraph(&informal.ordering)));
    if !informal.assumptions.is_empty() {
        page.push_str("\nAssumed:\n\n");
    }
    for assumption in &informal.assumptions {
        add(page, format_args!("- {}\n", paragraph(assumption)));
    }
}

fn event_row(event: &EventKind) -> Vec<String> {
    let fields: Vec<&str> = event.fields.iter().map(|field| field.name.as_str()).collect();
    let meaning = event.meaning.as_deref().map(paragraph).unwrap_or_default();
    vec![format!("`{}({})`", event.name, fields.join(", ")), meaning]
}

fn demonstration_row(demonstration: &Demonstration) -> Vec<String> {
    let verdict = match demonstration.verdict {
        Acceptance::Accepted => "accepted",
        Acceptance::Rejected => "rejected",
    };
    let trace = match (&demonstration.trace, &demonstration.file) {
        (_, Some(file)) => format!("file `{file}`"),
        (Some(text), None) if !text.trim().is_empty() => format!("`{}`", paragraph(text)),
        _ => "the empty trace".into(),
    };
    vec![verdict.to_owned(), trace, paragraph(&demonstration.why)]
}

fn formal(page: &mut String, package: &Package) {
    for formal in &package.property.formal {
        section(page, &format!("In {}", formal.language));
        let text = std::fs::read_to_string(package.path(&formal.file)).unwrap_or_default();
        add(page, format_args!("{}\n\n{}", paragraph(&formal.explanation), code(&text)));
    }
    if let Some(text) = &package.property.foltl {
        section(page, "In foltl");
        page.push_str(&code(text));
    }
    if let Some(file) = &package.property.assumed {
        section(page, "What is assumed");
        let text = std::fs::read_to_string(package.path(file)).unwrap_or_default();
        add(page, format_args!("As long as this holds, all specifications say the same.\n\n{}", code(&text)));
    }
}

/// A block of code. Its fence names no language, so that nobody takes it for a test.
fn code(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end())
}

fn subject(page: &mut String, package: &Package) {
    match &package.subject {
        Subject::Trace(trace) => {
            section(page, "Traces");
            let first = trace_row("", trace, &package.verdict);
            let further = package.further.iter().map(|one| trace_row(&one.name, &one.trace, &one.verdict));
            let headings = ["trace", "events", "format", "kinds", "verdict", "from"];
            page.push_str(&table(&headings, std::iter::once(first).chain(further)));
        }
        Subject::Program(program) => program_section(page, program, &package.verdict),
    }
}

fn trace_row(name: &str, trace: &Trace, verdict: &Verdict) -> Vec<String> {
    let counts: Vec<String> = trace.counts.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    let event = verdict.violating_event.map(|event| format!(" by event {}", grouped(event.get()))).unwrap_or_default();
    let from = match &trace.source {
        TraceSource::File(_) => "a file".to_owned(),
        TraceSource::Url(url) => url.clone(),
        TraceSource::Generated(made) => format!("generator `{}`, seed {}", made.generator.name, made.request.seed),
    };
    vec![
        name.to_owned(),
        grouped(trace.events),
        trace.format.name().to_owned(),
        counts.join(", "),
        format!("{}{event}", verdict.status.name()),
        from,
    ]
}

fn program_section(page: &mut String, program: &Program, verdict: &Verdict) {
    section(page, "Program");
    let rows = [
        ("sources", format!("`{}`", program.sources)),
        ("compile", format!("`{}`", program.compile)),
        ("run", format!("`{}`", program.run)),
        ("verdict", verdict.status.name().to_owned()),
    ];
    page.push_str(&table(&["", ""], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value])));
}

/// A number with its thousands apart: `1,000,002`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let places = digits.len();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (places - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table in Markdown.
fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = cells(&mut headings.iter().map(|heading| (*heading).to_owned()));
    text.push_str(&format!("|{}\n", "---|".repeat(headings.len())));
    for row in rows {
        text.push_str(&cells(&mut row.into_iter().map(|cell| cell.replace('|', "\\|"))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn package() -> Package {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/has-next");
        Package::load(&path).expect("it loads")
    }

    #[test]
    fn a_page_holds_the_package() {
        let page = page(&package());
        for part in [
            "# HasNext\n\nIterators over collections",
            "| domains | Software Engineering |",
            "| `hasNext(iterator, result)` | An iterator is asked",
            "| accepted | the empty trace | Nothing is taken. |",
            "## In foltl\n\nThe past-time form",
            "```text\n(forall i:iterator) always",
            "| Violated by event 9,990 | generator `hasnext`, seed 1 |",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn an_index_links_its_pages() {
        let index = index(&[package()]);
        assert!(
            index.contains("| [HasNext](has-next.md) | Iterators over collections, as in Java's standard library. |")
        );
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 999, 1000, 1_000_002].map(grouped), ["0", "999", "1,000", "1,000,002"]);
    }
}
