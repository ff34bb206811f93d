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
mod wrong;

pub use expression::{Captures, LineExpression};
pub use grok::names as grok_names;
pub use ready::{ReadyNaming, names as ready_names};
pub use wrong::WrongPattern;

/// What a text of `patterns` stands for.
#[derive(Debug, Clone)]
pub struct Described {
    /// The expressions, of which the first that fits counts.
    pub expressions: Vec<LineExpression>,
    /// What names the events, if the mapping does not say: a group, or a name.
    pub naming: ReadyNaming,
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
