//! LogFire: rules that insert and remove facts, its Scala notation as plain text.
//!
//! ```text
//!  text ─ parse ─▶ syntax ─ lower ─▶ core::facts, effects together
//!                    └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document  ::= (item | 'monitor' Name '{' item* '}')*
//!  item      ::= 'event' declared+, | ['hot'] 'fact' declared+, | rule [';']
//!  declared  ::= name ['(' (x [':' type])+, ')']
//!  rule      ::= 'rule' name ':' condition+& '->' action+,          or, as in Scala: "name" '--' condition+& '|->' action+,
//!  condition ::= e '(' (x | constant | '_'),* ')' | F '(' … ')' | 'not' … | comparison | '(' … 'or' … ')' | x
//!  action    ::= 'insert' F(e,*) | 'remove' F(e | '_',*) | 'remove' F | 'update' F(e,*) | 'fail' ["message"] | 'ok'
//! ```
//!
//! Names may be written as Scala's symbols, `'x`, and actions as calls, `insert(F('x))`. Where facts are declared, only those
//! exist; else those that some rule inserts. Every other name in a condition is an event, which must be declared if any is.

mod lower;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

use crate::compiled::Compiled;
use crate::core::Language;
use crate::core::facts::{Effects, RuleSet};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::options::Options;
use crate::rules::file::assemble;
use crate::source::Source;

/// The rule sets of a file, and what is wrong with it; those with errors are left out.
pub fn compile(source: &Source, options: &Options) -> Compiled<RuleSet> {
    let (document, diagnostics) = parse::parse(&source.text);
    let drafts = document.monitors.iter().map(lower::lower).collect();
    assemble(Language::Logfire, Effects::Together, source, options, drafts, diagnostics)
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (document, diagnostics) = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}
