//! A pattern that is compiled, and what it finds in a line.

use std::sync::Arc;

use regex::{CaptureLocations, Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

use super::compile::{Scanner, scanner};
use super::grok::{Expanded, expand};
use super::scan::{ABSENT, Miss, scan};
use super::wrong::WrongPattern;
use crate::value::Type;

/// How many groups a pattern may have: each is a bit of a word.
const MOST_GROUPS: usize = 63;

/// How much memory the automaton of a pattern may take.
const MOST_BYTES: usize = 4 << 20;

/// A pattern for lines.
#[derive(Debug, Clone)]
pub struct LineExpression {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    text: Box<str>,
    regex: Regex,
    scanner: Option<Scanner>,
    fields: Vec<PatternField>,
}

/// A field of a pattern: its name, its type, and the groups that may fill it.
#[derive(Debug)]
struct PatternField {
    name: Box<str>,
    declared: Option<Type>,
    groups: Vec<usize>,
}

/// Where the groups of a line are. Serves line after line.
#[derive(Debug, Clone)]
pub struct Captures {
    groups: Vec<(usize, usize)>,
    locations: CaptureLocations,
}

impl PartialEq for LineExpression {
    fn eq(&self, other: &LineExpression) -> bool {
        self.inner.text == other.inner.text
    }
}

impl Eq for LineExpression {}

impl LineExpression {
    /// Compiles a regular expression with Grok names in it.
    pub(super) fn new(text: &str) -> Result<LineExpression, WrongPattern> {
        let expanded = expand(text)?;
        let hir = parse(&expanded)?;
        let regex = RegexBuilder::new(&expanded.text).size_limit(MOST_BYTES).build().map_err(|_| WrongPattern {
            offset: 0,
            message: "the pattern is too large".to_owned(),
            hint: Some("shorten its counted repetitions, or write several patterns".to_owned()),
        })?;
        let fields = fields(&expanded, &regex);
        if regex.captures_len() > MOST_GROUPS + 1 {
            let message = format!("the pattern has {} groups, more than {MOST_GROUPS}", regex.captures_len() - 1);
            let hint = "groups that are no fields are written (?:…), and %{NAME} without a field makes none";
            return Err(WrongPattern { offset: 0, message, hint: Some(hint.to_owned()) });
        }
        Ok(LineExpression { inner: Arc::new(Inner { text: text.into(), scanner: scanner(&hir), regex, fields }) })
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The names of its fields, in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.inner.fields.iter().map(|field| &*field.name)
    }

    /// The types that the pattern declares for its fields, in order.
    pub(crate) fn types(&self) -> impl ExactSizeIterator<Item = Option<Type>> {
        self.inner.fields.iter().map(|field| field.declared)
    }

    /// Whether lines are scanned, rather than left to the engine of regular expressions.
    pub fn is_scanned(&self) -> bool {
        self.inner.scanner.is_some()
    }

    /// Room for what it finds.
    pub fn captures(&self) -> Captures {
        let regex = &self.inner.regex;
        Captures { groups: vec![ABSENT; regex.captures_len()], locations: regex.capture_locations() }
    }

    /// Whether a line fits; then `captures` has its groups.
    #[inline]
    pub fn fits(&self, line: &str, captures: &mut Captures) -> bool {
        if let Some(scanner) = &self.inner.scanner {
            captures.groups.fill(ABSENT);
            match scan(&scanner.steps, line.as_bytes(), 0, &mut captures.groups) {
                Ok(_) => return true,
                Err(Miss::Certain) if scanner.is_anchored => return false,
                Err(_) => {}
            }
        }
        self.fits_slowly(line, captures)
    }

    /// The same, by the engine of regular expressions.
    #[inline(never)]
    fn fits_slowly(&self, line: &str, captures: &mut Captures) -> bool {
        let found = self.inner.regex.captures_read(&mut captures.locations, line).is_some();
        if found {
            for (index, group) in captures.groups.iter_mut().enumerate() {
                *group = captures.locations.get(index).unwrap_or(ABSENT);
            }
        }
        found
    }

    /// The text of the field at `index` in a line that fits; nothing if it took no part.
    #[inline]
    pub fn value<'l>(&self, index: usize, line: &'l str, captures: &Captures) -> Option<&'l str> {
        let groups = &self.inner.fields[index].groups;
        let (start, end) = groups.iter().map(|group| captures.groups[*group]).find(|group| *group != ABSENT)?;
        line.get(start..end)
    }
}

/// The expression's syntax tree, or what is wrong with it where it was written.
fn parse(expanded: &Expanded) -> Result<Hir, WrongPattern> {
    ParserBuilder::new().build().parse(&expanded.text).map_err(|error| {
        let (message, span) = match &error {
            regex_syntax::Error::Parse(error) => (error.kind().to_string(), Some(error.span())),
            regex_syntax::Error::Translate(error) => (error.kind().to_string(), Some(error.span())),
            error => (error.to_string(), None),
        };
        let offset = span.map_or(0, |span| expanded.source_of(span.start.offset));
        let hint = "a letter that means something else is written with a backslash before it: \\[, \\(, \\.";
        WrongPattern { offset, message: format!("no regular expression: {message}"), hint: Some(hint.to_owned()) }
    })
}

/// The fields of a pattern, in the order of its groups.
fn fields(expanded: &Expanded, regex: &Regex) -> Vec<PatternField> {
    let mut fields: Vec<PatternField> = Vec::new();
    for (group, name) in regex.capture_names().enumerate() {
        let Some(name) = name else { continue };
        let grok = expanded.fields.iter().find(|field| field.group == name);
        let (name, declared) = grok.map_or((name, None), |field| (&*field.field, field.declared));
        match fields.iter_mut().find(|field| *field.name == *name) {
            Some(field) => {
                field.groups.push(group);
                field.declared = field.declared.or(declared);
            }
            None => fields.push(PatternField { name: name.into(), declared, groups: vec![group] }),
        }
    }
    fields
}

#[cfg(test)]
impl LineExpression {
    /// What the engine of regular expressions finds: the texts of all groups.
    pub(super) fn groups_by_engine<'l>(&self, line: &'l str) -> Option<Vec<Option<&'l str>>> {
        let found = self.inner.regex.captures(line)?;
        Some((1..found.len()).map(|group| found.get(group).map(|group| group.as_str())).collect())
    }

    /// What the scanner finds, if it decides: the texts of all groups.
    pub(super) fn groups_by_scanner<'l>(&self, line: &'l str) -> Option<Option<Vec<Option<&'l str>>>> {
        let scanner = self.inner.scanner.as_ref()?;
        let mut groups = vec![ABSENT; self.inner.regex.captures_len()];
        match scan(&scanner.steps, line.as_bytes(), 0, &mut groups) {
            Ok(_) => Some(Some(
                groups[1..].iter().map(|&(start, end)| (start != usize::MAX).then(|| &line[start..end])).collect(),
            )),
            Err(Miss::Certain) if scanner.is_anchored => Some(None),
            Err(_) => None,
        }
    }
}
