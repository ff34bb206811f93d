//! Signal temporal logic.
//!
//! ```text
//!  text ─ lex, parse ─▶ core::signal::Signal
//!           └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  F ::= F '<=>' F | F '=>' F | F 'or' F | F 'and' F | F 'U' [I] F | 'not' F | 'G' [I] F | 'F' [I] F
//!      | t ('<' | '<=' | '>' | '>=' | '=' | '!=') t | field | 'true' | 'false' | '(' F ')'
//!  I ::= ['_'] '[' n ',' (n ']' | 'inf' ')')             n: a number, or one with ns, us, ms, s, m, h, d
//!  t ::= number | "string" | field | t '+' t | t '-' t | t '*' t | t '/' t | '-' t | 'abs' '(' t ')' | '(' t ')'
//! ```
//!
//! Loosest first: `<=>`, `=>` (right), `or`, `and`, `U` (right), `not` `G` `F`, comparisons, `+ -`, `* /`, signs. Also read:
//! `always`, `eventually`, `until`, `&`, `|`, `!`, `->` and the usual symbols. Without an interval an operator looks at all of
//! the future. What it means is said in [`crate::core::signal`].

mod codes;
mod lex;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::signal::Signal;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::options::Options;
use crate::source::Source;
use parse::Parsed;

/// Compiles a file; without a formula if it has errors.
pub fn compile(source: &Source, options: &Options) -> Compiled<Signal> {
    let Parsed { formula, fields, diagnostics, .. } = parse::parse(&source.text);
    if has_errors(&diagnostics) {
        return Compiled { properties: Vec::new(), diagnostics };
    }
    let signal = Signal {
        name: source.stem.as_str().into(),
        source: source.text.clone(),
        unit: options.unit,
        robustness: options.robustness,
        fields,
        formula,
    };
    Compiled { properties: vec![signal], diagnostics }
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { formula, fields, comments, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let mut text = String::new();
    for comment in comments {
        text.push_str(source.slice(comment.span).trim_end());
        text.push('\n');
    }
    text.push_str(&print::formula(&formula, &fields));
    text.push('\n');
    Ok(text)
}
