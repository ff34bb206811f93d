//! What a document expects, read from info strings and lines with `!`.

use referee_spec::core::Equality;
use referee_trace::format::Format;
use referee_trace::value::Value;

use crate::fault::Fault;

/// A block of traces and what must be said of each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceBlock {
    /// The line of the block, from 1.
    pub line: usize,
    /// The verdict.
    pub outcome: ExpectedOutcome,
    /// Whether the traces may go on.
    pub prefix: bool,
    /// The only property that the block speaks of.
    pub property: Option<String>,
    /// The format of the traces.
    pub format: Format,
    /// The traces, each with its line.
    pub traces: Vec<(usize, String)>,
}

/// A verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedOutcome {
    /// Satisfied.
    Accepted,
    /// Violated.
    Rejected {
        /// The first violation.
        first: ExpectedViolation,
        /// How many there are.
        count: Option<usize>,
        /// All of them, if they are listed.
        all: Vec<ExpectedViolation>,
    },
    /// Given up, at this point.
    GaveUp(Option<u64>),
    /// Satisfied so far, with so many violations still possible.
    Pending(u64),
}

/// A violation, as far as the document describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExpectedViolation {
    /// The point it is reported for.
    pub point: Option<u64>,
    /// The point that decided it; inside, nothing stands for the end.
    pub decided: Option<Option<u64>>,
    /// The point that opened it.
    pub opened: Option<u64>,
    /// Variables and their values as written.
    pub bindings: Vec<(String, ExpectedValue)>,
}

/// The value of a variable, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedValue(pub String);

impl ExpectedValue {
    /// What it stands for in a language with this equality; nothing stands for the values that nobody named.
    pub fn value(&self, equality: Equality) -> Option<Value> {
        let text = self.0.as_str();
        match (text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')), equality) {
            (Some(quoted), _) => Some(Value::string(quoted)),
            (None, _) if text == "null" => None,
            (None, Equality::ByText) => Some(Value::string(text)),
            (None, Equality::ByValue) => Some(Value::of(text)),
        }
    }
}

/// An error or a lint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExpectedDiagnostic {
    /// The line of the block in the document, from 1.
    pub block: usize,
    /// Its code.
    pub code: String,
    /// Its line in the specification, from 1.
    pub line: Option<usize>,
    /// Its column, from 1.
    pub column: Option<usize>,
    /// Its sentence.
    pub message: Option<String>,
    /// Its hint.
    pub hint: Option<String>,
}

/// `key=value` as its two parts; a word alone has no value.
pub(crate) fn key_value(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (word, None),
    }
}

/// Reads a number at a line.
pub(crate) fn number<N: std::str::FromStr>(line: usize, key: &str, text: &str) -> Result<N, Fault> {
    text.parse().map_err(|_| Fault::new(line, format!("`{key}` needs a number, found `{text}`")))
}

impl ExpectedViolation {
    /// Takes one `key=value`; keys that are no property of a violation are variables.
    pub(crate) fn take(&mut self, line: usize, word: &str) -> Result<(), Fault> {
        let (key, Some(value)) = key_value(word) else {
            return Err(Fault::new(line, format!("expected `key=value`, found `{word}`")));
        };
        match key {
            "point" => self.point = Some(number(line, key, value)?),
            "opened" => self.opened = Some(number(line, key, value)?),
            "decided" if value == "end" => self.decided = Some(None),
            "decided" => self.decided = Some(Some(number(line, key, value)?)),
            _ => self.bindings.push((key.to_owned(), ExpectedValue(value.to_owned()))),
        }
        Ok(())
    }
}
