//! Reads the TOML text of a mapping.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::condition::Condition;
use super::nearest::nearest;
use super::rules::{ArgumentRule, Mapping, MappingEntry};
use super::template::Template;
use super::time::{TimeRule, TimeWriting, Unit};
use crate::error::TraceError;
use crate::value::Type;

/// What is wrong with a mapping, and where in its text.
pub(super) struct Wrong {
    offset: usize,
    message: String,
    hint: Option<String>,
}

impl Wrong {
    fn new(offset: usize, message: impl Into<String>) -> Wrong {
        Wrong { offset, message: message.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }

    /// The error with its place in the text of the mapping.
    pub(super) fn located(self, text: &str, file: &str) -> TraceError {
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() as u64 + 1;
        let column = before[line_start..].chars().count() as u64 + 1;
        let error = TraceError::new(self.message).in_file(file).at(line, column);
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// The document as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    time: Option<TimeEntry>,
    split: Option<Box<str>>,
    #[serde(default)]
    drop_others: bool,
    #[serde(default)]
    event: Vec<EventEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeEntry {
    field: Fields,
    unit: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a field, or a list of such names")]
enum Fields {
    One(Box<str>),
    Several(Vec<Box<str>>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventEntry {
    from: Box<str>,
    when: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    args: Option<Vec<Spanned<String>>>,
}

/// Reads a mapping.
pub(super) fn mapping(text: &str) -> Result<Mapping, Wrong> {
    let document: Document = toml::from_str(text).map_err(|error| from_toml(&error))?;
    Ok(Mapping {
        time: document.time.map(time_rule).transpose()?,
        split: document.split,
        drop_others: document.drop_others,
        entries: document.event.into_iter().map(|event| entry(event, text)).collect::<Result<_, _>>()?,
    })
}

/// The parser's own message: its first line says all; an unknown key is listed with those that are known.
fn from_toml(error: &toml::de::Error) -> Wrong {
    let offset = error.span().map_or(0, |span| span.start);
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    let wrong = Wrong::new(offset, message.as_str());
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next().filter(|_| message.starts_with("unknown field")).and_then(|word| nearest(word, names)) {
        Some(name) => wrong.hint(format!("did you mean `{name}`?")),
        None => wrong,
    }
}

fn time_rule(time: TimeEntry) -> Result<TimeRule, Wrong> {
    let fields = match time.field {
        Fields::One(field) => vec![field],
        Fields::Several(fields) => fields,
    };
    let writing = match &time.format {
        None => TimeWriting::Number,
        Some(format) => choose(format, "time format", &["rfc3339", "number"], |word| match word {
            "rfc3339" => Some(TimeWriting::Rfc3339),
            "number" => Some(TimeWriting::Number),
            _ => None,
        })?,
    };
    let unit = match &time.unit {
        None => Unit::Second,
        Some(unit) => choose(unit, "unit", &Unit::ALL.map(Unit::sign), Unit::from_sign)?,
    };
    Ok(TimeRule { fields, unit, writing, optional: time.optional })
}

/// One of a few words.
fn choose<T>(word: &Spanned<String>, what: &str, known: &[&str], find: fn(&str) -> Option<T>) -> Result<T, Wrong> {
    let text = word.get_ref();
    find(text).ok_or_else(|| {
        let wrong =
            Wrong::new(word.span().start, format!("unknown {what} `{text}`, expected one of {}", known.join(", ")));
        match nearest(text, known.iter().copied()) {
            Some(name) => wrong.hint(format!("did you mean `{name}`?")),
            None => wrong,
        }
    })
}

fn entry(event: EventEntry, text: &str) -> Result<MappingEntry, Wrong> {
    let when = event.when.map(|when| {
        Condition::parse(when.get_ref()).map_err(|wrong| {
            Wrong::new(inside(&when, wrong.offset, text), format!("in the condition: {}", wrong.message))
        })
    });
    let to = event.to.map(|to| {
        Template::parse(to.get_ref()).map_err(|(offset, message)| Wrong::new(inside(&to, offset, text), message))
    });
    let arguments = event.args.map(|arguments| arguments.iter().map(argument).collect());
    Ok(MappingEntry {
        from: (&*event.from != "*").then_some(event.from),
        when: when.transpose()?,
        to: to.transpose()?.unwrap_or_else(Template::unchanged),
        arguments: arguments.transpose()?,
    })
}

/// Where a place inside a string is in the document: exactly if the string has no escapes, else where it starts.
fn inside(string: &Spanned<String>, offset: usize, text: &str) -> usize {
    let Range { start, end } = string.span();
    match text.get(start + 1..end.saturating_sub(1)) {
        Some(written) if written == string.get_ref() => start + 1 + offset,
        _ => start,
    }
}

/// `field`, `field:type`, `name = field`, `name = field:type`. A field's own name may hold a colon.
fn argument(written: &Spanned<String>) -> Result<ArgumentRule, Wrong> {
    let text = written.get_ref();
    let (name, field) = match text.split_once('=') {
        Some((name, field)) => (Some(name.trim()), field.trim()),
        None => (None, text.trim()),
    };
    let (field, declared) = match field.rsplit_once(':').map(|(field, word)| (field.trim_end(), word.trim_start())) {
        Some((before, word)) => match Type::from_keyword(word) {
            Some(declared) => (before, Some(declared)),
            None => (field, misspelt_type(word, written)?),
        },
        None => (field, None),
    };
    let name = name.unwrap_or(field);
    if field.is_empty() || name.is_empty() {
        let wrong = Wrong::new(written.span().start, format!("`{text}` names no field"));
        return Err(wrong.hint("an argument is written \"field\", \"field:int\" or \"name = field:int\""));
    }
    Ok(ArgumentRule { name: name.into(), field: field.into(), declared })
}

/// No type, unless the word after the colon is nearly one: then it was meant as such.
fn misspelt_type(word: &str, written: &Spanned<String>) -> Result<Option<Type>, Wrong> {
    let known = ["int", "float", "string", "bool"];
    match nearest(word, known) {
        Some(name) => {
            let message = format!("unknown type `{word}`, expected one of {}", known.join(", "));
            Err(Wrong::new(written.span().start, message).hint(format!("did you mean `{name}`?")))
        }
        None => Ok(None),
    }
}
