//! Where the records of a JSON text are: line by line, in one array, or in an array inside of a document.

use serde_json::Value;

use super::sample::LogSample;

/// How deep records are looked for.
const DEEPEST: usize = 4;

/// The head of the log, whose open brackets are closed where it was cut off.
///
/// The text is cut behind the last value that is followed by a comma, so what is left is a document.
pub(super) fn completed(sample: &LogSample) -> String {
    if sample.is_whole {
        return sample.head.clone();
    }
    let (mut open, mut best): (Vec<u8>, Option<(usize, Vec<u8>)>) = (Vec::new(), None);
    let (mut in_text, mut is_escaped) = (false, false);
    for (at, byte) in sample.head.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => drop(open.pop()),
            b',' if open.len() <= DEEPEST * 2 => best = Some((at, open.clone())),
            _ => {}
        }
    }
    match best {
        Some((end, open)) => {
            let close = open.into_iter().rev().map(char::from);
            sample.head[..end].chars().chain(close).collect()
        }
        None => sample.head.clone(),
    }
}

/// The shape of a JSON log.
#[derive(Debug)]
pub(super) struct DocumentShape {
    /// Whether each line is a record.
    pub is_by_line: bool,
    /// The path to the records, if they are inside a document.
    pub records: Option<String>,
    /// One of them.
    pub record: Value,
    /// The first document, if the records are inside.
    pub document: Value,
}

/// Where the records are, if the log is JSON.
pub(super) fn shape(sample: &LogSample) -> Option<DocumentShape> {
    let text = sample.head.trim_start();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
    let first = lines.first().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let is_by_line = lines.len() > 1 && first.is_some() && lines[1].trim_start().starts_with('{');
    let document = match first.filter(Value::is_object) {
        Some(first) if is_by_line || lines.len() == 1 => first,
        _ => serde_json::Deserializer::from_str(&completed(sample)).into_iter::<Value>().next()?.ok()?,
    };
    let path = records_path(&document, String::new(), DEEPEST).map(|(path, _)| path);
    let record = match (&document, &path) {
        (Value::Array(records), _) => records.first()?.clone(),
        (_, Some(path)) => first_at(&document, path)?.clone(),
        _ => document.clone(),
    };
    record.is_object().then_some(DocumentShape { is_by_line, records: path, record, document })
}

/// The path to the array of objects inside a document that is not itself a record, and how many it has: a record has
/// values of its own beside the array, a document around records has hardly any.
fn records_path(value: &Value, path: String, depth: usize) -> Option<(String, usize)> {
    let Value::Object(members) = value else { return None };
    if depth == 0 || members.keys().any(|key| key.contains(['.', '[', '/', '$']) || key.is_empty()) {
        return None;
    }
    let scalars = members.values().filter(|value| !value.is_object() && !value.is_array()).count();
    if path.is_empty() && scalars > 3 {
        return None;
    }
    let mut found: Option<(String, usize)> = None;
    for (key, value) in members {
        let place = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let here = match value {
            Value::Array(items) if items.first().is_some_and(Value::is_object) => {
                let inner = items.first().and_then(|first| match_inner(first, &place, depth));
                inner.or(Some((format!("{place}[]"), items.len())))
            }
            Value::Object(_) => records_path(value, place, depth - 1),
            _ => None,
        };
        if here.as_ref().is_some_and(|(_, count)| found.as_ref().is_none_or(|(_, best)| count > best)) {
            found = here;
        }
    }
    found
}

/// Records inside of the elements of an array that hold nothing else.
fn match_inner(element: &Value, place: &str, depth: usize) -> Option<(String, usize)> {
    let members = element.as_object()?;
    let scalars = members.values().filter(|value| !value.is_object() && !value.is_array()).count();
    (scalars == 0).then(|| records_path(element, format!("{place}[]"), depth - 1)).flatten()
}

/// The first record at a path of keys and `[]`.
fn first_at<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(document, |value, step| {
        let key = step.trim_end_matches("[]");
        let inner = value.get(key)?;
        if step.ends_with("[]") { inner.get(0) } else { Some(inner) }
    })
}
