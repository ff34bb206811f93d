//! What a line of text looks like: a regular expression with named groups, Grok, or a pattern that is ready.
//!
//! ```text
//!  %{IP:client} "(?<verb>\w+)        as written: Grok names within a regular expression
//!         │ grok                     names become expressions, their fields become groups
//!         ▼
//!  regular expression ─┬─▶ scanner   literals, runs of classes, branches: no line is looked at twice
//!                      └─▶ regex     what the scanner cannot decide
//! ```
//!
//! A pattern fits a line if it matches somewhere in it; `^` and `$` bind it to the ends. Where it fits, its groups are the fields
//! of an event, in the order of the pattern; a group that took no part is an absent field.
//!
//! Cost: the scanner takes a nanosecond per byte or less. A line on which it fails where another choice might have succeeded
//! is left to the engine of regular expressions, which is some ten times slower and never quadratic.

mod classes;
mod compile;
mod expression;
mod grok;
mod ready;
mod scan;

pub use expression::{Captures, LineExpression};
pub use grok::names as grok_names;
pub use ready::names as ready_names;

/// What is wrong with the text of a pattern, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongPattern {
    /// Where, in bytes from the start of the pattern; nothing if the pattern as a whole is wrong.
    pub offset: usize,
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// What a text of `patterns` stands for.
#[derive(Debug, Clone)]
pub struct Described {
    /// The expressions, of which the first that fits counts.
    pub expressions: Vec<LineExpression>,
    /// What names the events, if the mapping does not say: a group, or a name.
    pub naming: ReadyNaming,
}

/// What names the events of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadyNaming {
    /// Nothing: the mapping has to say it.
    Unknown,
    /// A group.
    Group(&'static str),
    /// A name for all.
    Name(&'static str),
}

/// Reads a ready name, Grok or a regular expression.
pub fn describe(text: &str) -> Result<Described, WrongPattern> {
    if let Some(ready) = ready::find(text) {
        let expressions = ready.expressions.iter().map(|text| LineExpression::new(text));
        return Ok(Described { expressions: expressions.collect::<Result<_, _>>()?, naming: ready.naming });
    }
    if let Some(wrong) = ready::misspelt(text) {
        return Err(wrong);
    }
    Ok(Described { expressions: vec![LineExpression::new(text)?], naming: ReadyNaming::Unknown })
}

#[cfg(test)]
mod tests;
