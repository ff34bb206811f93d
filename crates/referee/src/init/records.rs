//! Drafts for logs of records: JSON, logfmt, and tables with a header of their own.
//!
//! The sample is read once with all fields of its records, under one name for all events. What the fields look like then says
//! which of them names the events, which is the time, and which are arguments.

use referee_trace::abstraction::Meaning;
use referee_trace::format::Format;
use referee_trace::format::detect::detect;
use referee_trace::mapping::Mapping;
use referee_trace::owned::OwnedTrace;
use referee_trace::reader::ReadOptions;
use serde_json::Value;

use super::document::{self, DocumentShape};
use super::draft::{Draft, NO_TIME, OwnMapping, plain, read_text};
use super::fields::{FieldSummary, summaries};
use super::roles::{Roles, argument_lines, cut, examples};
use super::sample::LogSample;
use super::words::{identifier, is_name};

/// Ways to read a JSON log.
pub(super) fn json(sample: &LogSample) -> Vec<Draft> {
    let Some(shape) = document::shape(sample) else { return Vec::new() };
    let mut drafts: Vec<Draft> = known_json(&shape).into_iter().collect();
    let input = match &shape.records {
        Some(path) => {
            format!("format = \"json\"\nrecords = \"{path}\"        # where the records are inside a document\n")
        }
        None => "format = \"json\"\n".to_owned(),
    };
    let what = match (&shape.records, shape.is_by_line) {
        (Some(path), _) => format!("JSON documents with records in `{path}`"),
        (None, true) => "JSON, one record per line".to_owned(),
        (None, false) => "JSON records".to_owned(),
    };
    drafts.extend(structured(sample, &what, &input, "record", None, shape.is_by_line));
    drafts.iter_mut().for_each(|draft| draft.is_by_line = shape.is_by_line);
    drafts
}

/// A JSON log for which a mapping comes with Referee.
fn known_json(shape: &DocumentShape) -> Option<Draft> {
    let (record, document) = (&shape.record, &shape.document);
    let has = |path: &str| record.pointer(path).is_some();
    let has_all = |paths: &[&str]| paths.iter().all(|path| has(path));
    let is_audit =
        record.get("apiVersion").and_then(Value::as_str).is_some_and(|version| version.starts_with("audit.k8s.io"));
    let (what, name) = match () {
        () if document.get("resourceSpans").is_some() => ("spans of OpenTelemetry (OTLP)", "otlp"),
        () if document.get("Records").is_some() && has_all(&["/eventName", "/eventTime"]) => {
            ("AWS CloudTrail", "cloudtrail")
        }
        () if is_audit && has_all(&["/verb", "/requestReceivedTimestamp"]) => {
            ("an audit log of Kubernetes", "kubernetes-audit")
        }
        () if has("/@timestamp") && (has("/ecs.version") || has("/ecs/version")) => {
            ("the Elastic Common Schema", "ecs")
        }
        () if has_all(&["/repository/full_name", "/sender/login"]) => {
            ("payloads of GitHub's webhooks", "github-webhook")
        }
        () if has("/__REALTIME_TIMESTAMP") => ("the journal of systemd", "journald"),
        () => return None,
    };
    // A mapping that this version does not have yet is left to the general way.
    let name = Mapping::built_in_names().find(|known| *known == name)?;
    Some(Draft::ready(what, name))
}

/// Ways to read lines of pairs.
pub(super) fn logfmt(sample: &LogSample) -> Vec<Draft> {
    match detect(&sample.head, sample.extension.as_deref()) {
        Ok(Format::Logfmt) => {
            structured(sample, "logfmt, one record per line", "format = \"logfmt\"\n", "record", None, true)
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Ways to read a table whose first line names its columns.
pub(super) fn table(sample: &LogSample) -> Vec<Draft> {
    let Some(delimiter) = delimiter(sample) else { return Vec::new() };
    let (written, name) = match delimiter {
        '\t' => ("\\t".to_owned(), "tabulators".to_owned()),
        other => (other.to_string(), format!("`{other}`")),
    };
    let input = format!("header = true               # the first line names the columns\ndelimiter = \"{written}\"\n");
    let what = format!("a table with a header, its cells separated by {name}");
    structured(sample, &what, &input, "row", Some(()), true).into_iter().collect()
}

/// Whether the first line of a text names columns, and one of them has a name that columns have.
pub(super) fn looks_like_table(sample: &LogSample) -> bool {
    let first = sample.head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    delimiter(sample).is_some_and(|delimiter| first.split(delimiter).any(|name| is_called_column(name.trim())))
}

/// What separates the cells of a table, if the log is one.
fn delimiter(sample: &LogSample) -> Option<char> {
    let lines = sample.lines();
    let rows: Vec<&str> = lines.lines().filter(|line| !line.trim().is_empty()).take(200).collect();
    let [header, rows @ ..] = &rows[..] else { return None };
    [',', ';', '\t', '|'].into_iter().find(|delimiter| is_header(header, rows, *delimiter))
}

/// Whether columns are called so.
fn is_called_column(name: &str) -> bool {
    let known = ["event", "time", "timestamp", "date", "when", "user", "id", "action", "activity", "status"];
    known.contains(&&*name.trim_matches('"').to_ascii_lowercase())
}

/// Whether a line names the columns of the rows below it.
fn is_header(header: &str, rows: &[&str], delimiter: char) -> bool {
    let cells =
        |line: &str| line.split(delimiter).map(|cell| cell.trim().trim_matches('"').to_owned()).collect::<Vec<_>>();
    let names = cells(header);
    let is_word = |name: &String| {
        name.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '@') && name.len() <= 64
    };
    let are_names = names.len() > 1 && names.iter().all(is_word);
    let same = rows.iter().filter(|row| cells(row).len() >= names.len()).count();
    let has_value = |row: &&str| cells(row).iter().any(|cell| cell.starts_with(|first: char| first.is_ascii_digit()));
    are_names
        && !rows.is_empty()
        && same * 10 >= rows.len() * 8
        && (rows.iter().filter(|row| has_value(row)).count() * 10 >= rows.len() * 8
            || names.iter().any(|name| is_called_column(name)))
}

/// A draft for records with fields. `is_table` tells that cells without blanks are in all rows.
fn structured(
    sample: &LogSample,
    what: &str,
    input: &str,
    constant: &str,
    is_table: Option<()>,
    is_by_line: bool,
) -> Option<Draft> {
    let all = all_fields(sample, input, constant, is_by_line)?;
    let records: usize = all.points.iter().map(|point| point.events.len()).sum();
    let fields = summaries(&all);
    let roles = Roles::of(&fields, records);
    let naming = match roles.name {
        Some(field) => format!("name = \"{}\"        # names the events: {}\n", field.name, examples(field)),
        None => format!(
            "constant = \"{constant}\"         # the name of all events; name = \"FIELD\" takes it from a field\n"
        ),
    };
    let always = is_table.map(|()| records);
    let mapping = OwnMapping {
        remarks: remarks(sample, what),
        time: roles.time.as_ref().map(|(_, time)| time.clone()),
        drops_others: true,
        input: format!("{input}{naming}"),
        entries: entries(roles.name, &argument_lines(&roles.arguments, always)),
    };
    Some(Draft { is_by_line, ..Draft::own(what, mapping) })
}

/// The sample with all fields of its records.
fn all_fields(sample: &LogSample, input: &str, constant: &str, is_by_line: bool) -> Option<OwnedTrace> {
    let mapping = Mapping::parse(&format!("{NO_TIME}\n[input]\n{input}constant = \"{constant}\"\n"), "mapping").ok()?;
    let options = ReadOptions { meaning: Meaning { mapping, ..Meaning::default() }, ..ReadOptions::default() };
    let text = if is_by_line { sample.lines() } else { document::completed(sample) };
    read_text(&text, &options, !sample.is_whole && !is_by_line)
}

/// The tables `[[event]]`: one for all events, or one for each if some names are none in a specification.
fn entries(name: Option<&FieldSummary>, arguments: &str) -> String {
    let arguments = if arguments.is_empty() { "args = []\n".to_owned() } else { format!("args = [\n{arguments}]\n") };
    let names: Vec<&str> = name.map_or(Vec::new(), |field| field.values.iter().map(|value| &**value).collect());
    if names.iter().all(|name| is_name(name)) {
        return format!("[[event]]\nfrom = \"*\"\n{arguments}");
    }
    let mut taken: Vec<String> = Vec::new();
    let mut tables =
        "# Names with blanks and the like cannot be written in specifications, and are changed.\n".to_owned();
    for name in names {
        let mut to = identifier(name);
        while taken.contains(&to) {
            to.push('_');
        }
        tables.push_str(&format!("[[event]]\nfrom = {}\nto = \"{to}\"\n{arguments}\n", toml_text(name)));
        taken.push(to);
    }
    tables
}

/// A text as TOML writes it.
fn toml_text(text: &str) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => written.extend(['\\', letter]),
            _ if letter.is_control() => written.push_str(&format!("\\u{:04X}", u32::from(letter))),
            _ => written.push(letter),
        }
    }
    written + "\""
}

/// What stands above a mapping.
pub(super) fn remarks(sample: &LogSample, what: &str) -> Vec<String> {
    let first = sample.head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    vec![
        format!("How the events of {} are read: {what}, such as", plain(&sample.name)),
        format!("  {}", cut(first.trim_start_matches('\u{feff}'), 160)),
        "Every command takes this file with --map. Change what you like; `referee cat` shows what comes out."
            .to_owned(),
    ]
}
