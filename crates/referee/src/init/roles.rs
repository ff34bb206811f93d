//! Which field of the records names the events, which is the time, and which are worth having as arguments.

use super::draft::plain;
use super::fields::FieldSummary;
use super::words::{identifier, last_word};

/// Fields that name events, the most telling first.
const NAMING: [&str; 23] = [
    "event",
    "eventname",
    "event_name",
    "eventtype",
    "event_type",
    "action",
    "activity",
    "operation",
    "op",
    "verb",
    "method",
    "syslog_identifier",
    "program",
    "type",
    "kind",
    "msg",
    "message",
    "name",
    "state",
    "status",
    "level",
    "severity",
    "outcome",
];

/// The most names that a log's events may have.
const MOST_NAMES: usize = 60;

/// The longest name of an event, in bytes.
const LONGEST_NAME: usize = 60;

/// The most arguments that are written.
const MOST_ARGUMENTS: usize = 12;

/// The longest value of an argument, in bytes.
const LONGEST_VALUE: usize = 200;

/// How many records tell that a value is always the same.
const MANY: usize = 5;

/// What the fields of records are for.
#[derive(Debug)]
pub(super) struct Roles<'f> {
    pub name: Option<&'f FieldSummary>,
    /// The field with the time, and what stands behind it in a mapping.
    pub time: Option<(&'f FieldSummary, String)>,
    pub arguments: Vec<&'f FieldSummary>,
}

impl<'f> Roles<'f> {
    /// The roles of the fields of so many records.
    pub(super) fn of(fields: &'f [FieldSummary], records: usize) -> Roles<'f> {
        let usable: Vec<&FieldSummary> = fields.iter().filter(|field| is_usable(&field.name)).collect();
        let time = time_of(&usable, records);
        let is_time = |field: &FieldSummary| time.as_ref().is_some_and(|(own, _)| own.name == field.name);
        let name = name_of(usable.iter().copied().filter(|field| !is_time(field)), records);
        let is_name = |field: &FieldSummary| name.is_some_and(|own| own.name == field.name);
        let mut arguments: Vec<&FieldSummary> =
            usable.into_iter().filter(|field| !is_time(field) && !is_name(field)).collect();
        arguments.retain(|field| field.longest <= LONGEST_VALUE && field.present > 0 && !field.name.contains('['));
        // What most records have comes first, but for what is the same in all of them.
        arguments.sort_by_key(|field| std::cmp::Reverse((field.values.len() > 1, field.present)));
        arguments.truncate(MOST_ARGUMENTS);
        arguments.sort_by_key(|field| fields.iter().position(|other| other.name == field.name));
        Roles { name, time, arguments }
    }
}

/// Whether the name of a field can be written in a mapping.
fn is_usable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('/')
        && !name.contains(['=', '"', '\\', '?', '#', '{', '}', '`', '\''])
        && !name.chars().any(char::is_control)
        && name.trim() == name
        && name.rsplit_once(':').is_none_or(|(_, word)| word.trim().len() > 8)
}

fn time_of<'f>(fields: &[&'f FieldSummary], records: usize) -> Option<(&'f FieldSummary, String)> {
    let scored = fields.iter().filter_map(|field| time_format(field).map(|(score, format)| (score, *field, format)));
    // Of equals the first counts.
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, field, format)| {
        let optional = if field.present < records { ", optional = true" } else { "" };
        let format = if format.is_empty() { String::new() } else { format!(", format = \"{format}\"") };
        (field, format!("{{ field = \"{}\"{format}{optional} }}", field.name))
    })
}

/// How much a field looks like the time, and its form; the form of a number is empty.
fn time_format(field: &FieldSummary) -> Option<(u32, &'static str)> {
    let is_called_so = is_called_time(&field.name);
    if let Some(format) = field.time_format() {
        return Some((if is_called_so { 4 } else { 3 }, format));
    }
    if !is_called_so || !field.is_number || field.values.is_empty() {
        return None;
    }
    let is_epoch = field.values.iter().all(|value| value.parse::<f64>().is_ok_and(|number| number > 1e8));
    match (is_epoch, field.is_rising) {
        (true, _) => Some((2, "epoch")),
        (false, true) => Some((1, "")),
        (false, false) => None,
    }
}

fn is_called_time(name: &str) -> bool {
    let word = last_word(name).to_ascii_lowercase();
    ["ts", "t", "at", "when", "created"].contains(&&*word)
        || ["time", "date", "timestamp"].iter().any(|part| word.contains(part))
        || word.ends_with("_at")
        || last_word(name).ends_with("At")
}

fn name_of<'f>(fields: impl Iterator<Item = &'f FieldSummary>, records: usize) -> Option<&'f FieldSummary> {
    let rank =
        |field: &FieldSummary| NAMING.iter().position(|word| *word == last_word(&field.name).to_ascii_lowercase());
    let could = |field: &&FieldSummary| {
        let names = field.values.len();
        let is_rare = names * 2 <= records || (rank(field).is_some() && (names < records || records < 3));
        field.present == records && !field.is_number && field.longest <= LONGEST_NAME && names <= MOST_NAMES && is_rare
    };
    let possible: Vec<&FieldSummary> = fields.filter(could).collect();
    let called_so = || possible.iter().copied().filter(|field| rank(field).is_some());
    let varied = |field: &&FieldSummary| field.values.len() > 1;
    let by_rank = |field: &&FieldSummary| (rank(field), field.name.len());
    let words = |field: &&FieldSummary| {
        let is_word = |value: &String| {
            value.chars().all(|letter| letter.is_alphabetic() || " _-".contains(letter)) && value.len() <= 30
        };
        varied(field) && field.values.iter().all(is_word)
    };
    called_so()
        .filter(varied)
        .min_by_key(by_rank)
        .or_else(|| possible.iter().copied().filter(words).min_by_key(|field| field.values.len()))
        .or_else(|| called_so().filter(|field| rank(field).is_some_and(|rank| rank < 6)).min_by_key(by_rank))
}

/// The lines of `args`, each with examples. Fields that are not in all of `always` records may be absent. What is the same in all of
/// many records is only mentioned.
pub(super) fn argument_lines(arguments: &[&FieldSummary], always: Option<usize>) -> String {
    let mut taken: Vec<String> = Vec::new();
    let mut lines = String::new();
    for field in arguments {
        let short = identifier(last_word(&field.name));
        let name = if taken.contains(&short) { identifier(&field.name) } else { short };
        if taken.contains(&name) {
            continue;
        }
        let mark = if always.is_some_and(|records| field.present >= records) { "" } else { "?" };
        let written = if name == field.name {
            format!("\"{name}{mark}\",")
        } else {
            format!("\"{name} = {}{mark}\",", field.name)
        };
        let is_constant = field.values.len() == 1 && field.present >= MANY && arguments.len() > 1;
        let written = if is_constant { format!("# {written}") } else { written };
        lines.push_str(&format!("    {written:<38} # {}\n", examples(field)));
        taken.push(name);
    }
    lines
}

/// A few values of a field, for a comment.
pub(super) fn examples(field: &FieldSummary) -> String {
    let shown: Vec<String> = field.values.iter().take(3).map(|value| cut(value, 24)).collect();
    match field.values.len() {
        1 => format!("always {}", shown.concat()),
        count if count > 3 => format!("{}, … ({count} values)", shown.join(", ")),
        _ => shown.join(", "),
    }
}

/// The beginning of a text, on one line.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let text = plain(text);
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
