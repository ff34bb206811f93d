//! The table `[input]`: how the records of a foreign log are read, before `time` and `[[event]]` apply.
//!
//! ```toml
//! [input]
//! format    = "lines"        # any name that --format takes; that option wins
//! name      = "method"       # the field, column, group or path that names the event …
//! constant  = "request"      # … or the name of all events
//! delimiter = ";"            # csv: otherwise the header tells
//! header    = true           # csv: the first line names the columns, whatever its first cell is
//! patterns  = ["combined", '%{IP:client} %{WORD:method}', { pattern = '(?<user>\w+) left', name = "left" }]
//! strict    = true           # lines: one that no pattern fits is an error
//! records   = "Records[]"    # json: where the records are inside a document
//! ```
//!
//! What names the events of a pattern is, in this order: the name beside it, `name` or `constant`, what a ready pattern says, a
//! group called `event`.
//!
//! Keys that belong to one format choose it. Keys of two formats contradict each other, and are refused.

use std::fmt;
use std::ops::Range;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::wrong::{Wrong, choose, inside, line_of};
use crate::format::{Format, InputRule, LinePattern, Naming};
use crate::nearest::nearest;
use crate::pattern::{LineExpression, ReadyNaming, describe};

/// The table as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputEntry {
    format: Option<Spanned<String>>,
    name: Option<Spanned<String>>,
    constant: Option<Spanned<String>>,
    delimiter: Option<Spanned<String>>,
    header: Option<Spanned<bool>>,
    patterns: Option<Vec<Spanned<PatternEntry>>>,
    strict: Option<Spanned<bool>>,
    records: Option<Spanned<String>>,
}

/// An entry of `patterns`.
enum PatternEntry {
    Text(String),
    Named(NamedPattern),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPattern {
    pattern: Spanned<String>,
    name: Option<Spanned<String>>,
}

impl<'de> Deserialize<'de> for PatternEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PatternEntry, D::Error> {
        deserializer.deserialize_any(PatternVisitor)
    }
}

/// Reads an entry of `patterns`; unlike an untagged enumeration, it keeps the places within a table.
struct PatternVisitor;

impl<'de> Visitor<'de> for PatternVisitor {
    type Value = PatternEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pattern, or a table { pattern = \"…\", name = \"…\" }")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<PatternEntry, E> {
        Ok(PatternEntry::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<PatternEntry, A::Error> {
        NamedPattern::deserialize(de::value::MapAccessDeserializer::new(table)).map(PatternEntry::Named)
    }
}

/// Reads the table: which format it asks for, and what it says to the decoder.
pub(super) fn input_rule(entry: InputEntry, text: &str) -> Result<(Option<Format>, InputRule), Wrong> {
    let format = format_of(&entry)?;
    let naming = match (entry.name, entry.constant) {
        (Some(_), Some(constant)) => {
            let wrong = Wrong::new(constant.span().start, "`name` and `constant` both name the events");
            return Err(wrong.hint("keep `name` if a field names them, `constant` if all have one name"));
        }
        (Some(field), None) => Naming::Field(not_empty(field, "field")?),
        (None, Some(name)) => Naming::Constant(not_empty(name, "event")?),
        (None, None) => Naming::Usual,
    };
    let patterns = match entry.patterns {
        None => Vec::new(),
        Some(patterns) => {
            let patterns = patterns.into_iter().enumerate();
            let patterns = patterns.map(|(number, entry)| line_patterns(number, entry, &naming, text));
            patterns.collect::<Result<Vec<_>, _>>()?.concat()
        }
    };
    let rule = InputRule {
        naming,
        delimiter: entry.delimiter.map(|text| delimiter(&text)).transpose()?,
        header: entry.header.is_some_and(Spanned::into_inner),
        patterns,
        strict: entry.strict.is_some_and(Spanned::into_inner),
        records: entry.records.map(|records| not_empty(records, "place of the records")).transpose()?,
        ..InputRule::default()
    };
    Ok((format, rule))
}

/// The format that the table names, or that its keys belong to.
fn format_of(entry: &InputEntry) -> Result<Option<Format>, Wrong> {
    let named = entry.format.as_ref().map(named_format).transpose()?;
    let span = |key: Option<Range<usize>>| key.map(|span| span.start);
    let patterns_at = entry.patterns.as_ref().map(|patterns| patterns.first().map_or(0, |first| first.span().start));
    let keys = [
        ("patterns", Format::Lines, patterns_at),
        ("strict", Format::Lines, span(entry.strict.as_ref().map(Spanned::span))),
        ("delimiter", Format::Csv, span(entry.delimiter.as_ref().map(Spanned::span))),
        ("header", Format::Csv, span(entry.header.as_ref().map(Spanned::span))),
        ("records", Format::Json, span(entry.records.as_ref().map(Spanned::span))),
    ];
    let mut chosen = named.map(|format| (format, "format"));
    for (key, format, place) in keys {
        let Some(place) = place else { continue };
        match chosen {
            Some((other, by)) if other != format => {
                let message =
                    format!("`{key}` is for {}, but `{by}` says that the input is {}", format.name(), other.name());
                return Err(Wrong::new(place, message).hint(format!("remove one of `{key}` and `{by}`")));
            }
            _ => chosen = Some((format, key)),
        }
    }
    if let (Some((Format::Lines, by)), None) = (chosen, patterns_at) {
        let start = entry.strict.as_ref().map_or(0, |strict| strict.span().start);
        let start = entry.format.as_ref().map_or(start, |format| format.span().start);
        return Err(Wrong::new(start, format!("`{by}` asks for lines of text, and `patterns` is missing"))
            .hint("describe the lines with patterns = [\"…\"], each a ready name, Grok or a regular expression"));
    }
    Ok(chosen.map(|(format, _)| format))
}

fn named_format(word: &Spanned<String>) -> Result<Format, Wrong> {
    choose(word, "format", &Format::READ.map(Format::name), Format::from_name)
}

/// One byte that separates cells.
fn delimiter(text: &Spanned<String>) -> Result<u8, Wrong> {
    match text.get_ref().as_bytes() {
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\n\r".contains(byte) => Ok(*byte),
        _ => {
            let message = format!("expected one character that separates cells, found `{}`", text.get_ref());
            Err(Wrong::new(text.span().start, message).hint("write delimiter = \";\", or \"\\t\" for tabulators"))
        }
    }
}

/// The expressions of an entry of `patterns`, and what names their events.
fn line_patterns(
    number: usize,
    entry: Spanned<PatternEntry>,
    naming: &Naming,
    document: &str,
) -> Result<Vec<LinePattern>, Wrong> {
    let span = entry.span();
    let (text, name) = match entry.into_inner() {
        PatternEntry::Text(text) => (Spanned::new(span.clone(), text), None),
        PatternEntry::Named(NamedPattern { pattern, name }) => (pattern, name),
    };
    if text.get_ref().is_empty() {
        return Err(Wrong::new(text.span().start, "expected a pattern, found an empty text"));
    }
    let described = describe(text.get_ref()).map_err(|wrong| {
        let located = Wrong::new(inside(&text, wrong.offset, document), wrong.message);
        match wrong.hint {
            Some(hint) => located.hint(hint),
            None => located,
        }
    })?;
    let own = name.map(|name| not_empty(name, "event")).transpose()?.map(Naming::Constant);
    let naming = match (own, naming, described.naming) {
        (Some(own), ..) => own,
        (None, Naming::Usual, ReadyNaming::Name(name)) => Naming::Constant(name.into()),
        (None, Naming::Usual, ReadyNaming::Group(group)) => Naming::Field(group.into()),
        (None, Naming::Usual, ReadyNaming::Unknown) => Naming::Field("event".into()),
        (None, told, _) => told.clone(),
    };
    for expression in &described.expressions {
        if let Naming::Field(group) = &naming
            && !expression.fields().any(|field| field == &**group)
        {
            return Err(without_name(text.span().start, group, expression));
        }
    }
    let line = line_of(document, span.start);
    let pattern = |expression| LinePattern { expression, naming: naming.clone(), entry: number, line };
    Ok(described.expressions.into_iter().map(pattern).collect())
}

fn without_name(offset: usize, group: &str, expression: &LineExpression) -> Wrong {
    let groups: Vec<&str> = expression.fields().collect();
    let wrong = Wrong::new(offset, format!("the pattern has no group `{group}`, which would name its events"));
    match nearest(group, groups.iter().copied()) {
        Some(near) => wrong.hint(format!("did you mean `{near}`? Say so with name = \"{near}\"")),
        None => wrong.hint(
            "name all events with constant = \"…\", those of one pattern with { pattern = '…', name = \"…\" }, \
             or by a group with name = \"…\"",
        ),
    }
}

fn not_empty(text: Spanned<String>, what: &str) -> Result<Box<str>, Wrong> {
    match text.get_ref().is_empty() {
        true => Err(Wrong::new(text.span().start, format!("expected the {what}, found an empty text"))),
        false => Ok(text.into_inner().into()),
    }
}
