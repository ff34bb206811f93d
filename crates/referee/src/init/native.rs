//! Logs that need no mapping.

use std::collections::HashSet;

use referee_trace::format::csv::has_own_header;
use referee_trace::format::detect::detect;
use referee_trace::format::{Detection, Format};

use super::draft::{Draft, DraftSource};
use super::records::looks_like_table;
use super::sample::LogSample;
use super::words::is_name;

/// The way to read a log that needs no mapping, if it is one.
pub(super) fn drafts(sample: &LogSample) -> impl Iterator<Item = Draft> {
    draft(sample).into_iter()
}

fn draft(sample: &LogSample) -> Option<Draft> {
    let format = detect(&sample.head, sample.extension.as_deref()).ok()?;
    let has_tabs = sample.extension.as_deref() == Some("tsv") && sample.head.contains('\t');
    if has_own_header(&sample.head) || has_tabs || (format == Format::CsvPlain && looks_like_table(sample)) {
        return None;
    }
    if format == Format::Journald {
        return Some(Draft::ready("an export of journald, whose events are named by the program", "journald"));
    }
    let is_by_line = match format {
        Format::Json => super::document::shape(sample).is_some_and(|shape| shape.is_by_line),
        _ => !format.description().multiline,
    };
    let draft = Draft {
        what: format!("a trace in the format {}", format.name()),
        source: DraftSource::Native(format),
        is_by_line,
    };
    let read = draft.read(sample)?;
    let names: HashSet<&str> =
        read.trace.points.iter().flat_map(|point| &point.events).map(|event| &*event.name).collect();
    is_plausible(format, &names, read.events()).then_some(draft)
}

/// Whether so many events with these names are a trace. Formats without marks of their own take nearly any line, and pairs `a = b`
/// stand in many a sentence.
fn is_plausible(format: Format, names: &HashSet<&str>, events: usize) -> bool {
    let has_marks = matches!(format.description().detection, Detection::Opening(_) | Detection::Line(_));
    let takes_any_line = !has_marks || format == Format::CsvNamed;
    let words = names.iter().filter(|name| is_name(name)).count();
    !takes_any_line || (words * 10 >= names.len() * 8 && (names.len() <= 10 || names.len() * 3 <= events))
}
