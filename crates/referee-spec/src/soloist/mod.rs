//! SOLOIST: propositions, strict metric until and since, and bounds on counts over time windows; files `.soloist`.
//!
//! ```text
//!  text ─ lex, parse ─▶ syntax ─ lower ─▶ core::quantity::QuantityRule
//!                         └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  file ::= F | ('property' name ':' F)+
//!  F ::= p | true | false | !F | F & F | F '|' F | F -> F | F <-> F | (F)
//!      | F U_I F | F S_I F | F_I F | G_I F | P_I F | H_I F | X_I F | Y_I F | X^n F | Y^n F
//!      | C[K] op n (A) | AVG[K,h] op n (A) | MAX[K,h] op n (A) | D[K] op n (A, A)
//!  I ::= nothing, which is (0,inf) | ('[' | '(') m ',' (m | 'inf') (']' | ')')        m, K, h, and n of D: with a unit, `10m`, or none
//!  op ::= < | <= | >= | > | =            A ::= F without temporal operators and modalities
//! ```
//!
//! Also read: `¬ ∧ ∨ → ↔ ⊤ ⊥ ≤ ≥ ∞`, the fraktur and script letters `ℭ 𝔘 𝔐 𝔇` of the modalities, a window and a bound
//! as in `C[600; <=3](p)`, `ℭ^{600}_{<=3}(p)` or `ℭ_{<=3}^{600}(p)`, and the braces of `D[900] <= 5 {(p, q)}`. Comments begin with
//! `//` or `#`, or stand between `/*` and `*/`.
//!
//! # Readings
//!
//! - Loosest first: `<->`, `->` (right), `|`, `&`, `U` and `S` (right), prefix operators.
//! - The underscore before an interval is optional. `(` begins an interval if a number follows it.
//! - Letters are operators only where an operator can stand: `U` is an atom at the beginning of a formula, `C` one without a
//!   window. An atom called `G` stands in quotes, `"G"`, as does one that is no name.
//! - `U`, `S` and what is made of them are strict: they look at other positions than the current one.

mod codes;
mod lex;
mod lower;
mod parse;
mod print;
mod syntax;

#[cfg(test)]
mod tests;

pub use codes::CODES;

use std::collections::HashMap;
use std::sync::Arc;

use crate::compiled::Compiled;
use crate::core::Span;
use crate::core::quantity::QuantityRule;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::options::Options;
use crate::source::Source;
use parse::Parsed;
use syntax::Item;

/// Compiles a file: its rules, those with errors left out, and its errors.
pub fn compile(source: &Source, options: &Options) -> Compiled<QuantityRule> {
    let Parsed { items, mut diagnostics, .. } = parse::parse(&source.text);
    if items.is_empty() && !has_errors(&diagnostics) {
        diagnostics.push(no_formula(source));
    }
    diagnostics.extend(repeated_names(&items));
    let is_sound = |item: &&Item| {
        let within = |found: &Diagnostic| found.span.start >= item.span.start && found.span.end <= item.span.end;
        !item.formula.has_gap() && !diagnostics.iter().any(|found| found.is_error() && within(found))
    };
    let properties = items.iter().filter(is_sound).map(|item| lower::lower(item, source, options)).collect();
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties, diagnostics }
}

/// A file in canonical layout, or its errors.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { items, comments, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&items, &comments, &source.text)) }
}

fn no_formula(source: &Source) -> Diagnostic {
    let end = source.text.trim_end().len();
    Diagnostic::error("E0406", Span { start: end, end }, "the file has no formula")
        .hint("write what must hold, such as `G (request -> F_(0,10) response)`")
}

fn repeated_names(items: &[Item]) -> Vec<Diagnostic> {
    let mut seen: HashMap<Option<Arc<str>>, Span> = HashMap::new();
    let mut found = Vec::new();
    for item in items {
        if let Some(first) = seen.insert(item.name.clone(), item.span) {
            let message = match &item.name {
                Some(name) => format!("a property called `{name}` is there already"),
                None => "a second formula without a name".to_owned(),
            };
            let hint = "give each property a name of its own";
            found.push(Diagnostic::error("E0407", item.span, message).hint(hint).related(first, "first here"));
        }
    }
    found
}
