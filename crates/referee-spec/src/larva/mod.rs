//! LARVA: dynamic automata with timers and events (DATEs).
//!
//! ```text
//!  text ─ lex, parse ─▶ syntax ─ lower ─▶ core::machine::dates::Dates
//!                         └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document   ::= 'GLOBAL' '{' part* '}'
//!  part       ::= 'VARIABLES' '{' declaration* '}' | 'EVENTS' '{' event line* '}'
//!               | 'PROPERTY' name '{' 'STATES' '{' (kind '{' name* '}')* '}' 'TRANSITIONS' '{' transition* '}' '}'
//!               | 'FOREACH' '(' [T] x,+ ')' '{' part* '}'
//!  kind       ::= 'ACCEPTING' | 'BAD' | 'NORMAL' | 'STARTING'
//!  transition ::= state '->' state '[' event ['\' [condition] ['\' [statement (';' statement)*]]] ']'
//! ```
//!
//! Lines are in `parse::lines`, conditions and statements in `parse::expression`. Words of the language are read in any case.
//! Comments begin with `//` or `%%`, or stand between `/*` and `*/`. Types are kept and, but for `Clock`, `Channel` and sets,
//! only say what a variable holds at first.

mod codes;
mod lex;
mod lower;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::machine::{Body, Machine};
use crate::core::{Language, Span};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_machine_signature;
use crate::options::Options;
use crate::source::Source;
use parse::Parsed;

/// The machine of a file, and what is wrong with it; with errors there is none.
pub fn compile(source: &Source, options: &Options) -> Compiled<Machine> {
    let Parsed { document, mut diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) {
        return Compiled { properties: Vec::new(), diagnostics };
    }
    let body = lower::lower(&document, options.unit, &mut diagnostics);
    if body.properties.is_empty() && !has_errors(&diagnostics) {
        let end = source.text.trim_end().len();
        let hint = "write `GLOBAL { EVENTS { … } PROPERTY name { STATES { … } TRANSITIONS { … } } }`";
        diagnostics.push(Diagnostic::error("E1108", Span { start: end, end }, "the file has no property").hint(hint));
    }
    let name = source.stem.as_str().into();
    let machine = Machine { name, language: Language::Larva, source: source.text.clone(), body: Body::Dates(body) };
    if let Some(signature) = &options.signature {
        diagnostics.extend(check_machine_signature(&machine, signature));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let properties = if has_errors(&diagnostics) { Vec::new() } else { vec![machine] };
    Compiled { properties, diagnostics }
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { document, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}
