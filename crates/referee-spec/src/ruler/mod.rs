//! RuleR: rules whose instances are there or not, and that add instances of others.
//!
//! ```text
//!  text ─ parse ─▶ syntax ─ lower ─▶ core::facts, effects together
//!                    └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document  ::= ('ruler' [name] '{' part* '}')*
//!  part      ::= 'observes' (e ['(' [x ':'] type,* ')'])+, ';' | 'initials' (N ['(' constant,* ')'])+, ';' | 'forbidden' N+, ';'
//!              | ('always' | 'state' | 'step') N ['(' (x [':' type])+, ')'] '{' (rule [';'])* '}'
//!  rule      ::= condition,* '->' target+,
//!  condition ::= e '(' (x [':' type] | constant | '_'),* ')' | N '(' … ')' | '!' … | comparison | x
//!  target    ::= 'Ok' | 'Fail' ['(' "message" ')'] | N ['(' e,* ')'] | '!' N ['(' e,* ')']
//! ```
//!
//! Comments begin with `%`, `//` or `#`, or stand between `/*` and `*/`; the remainder of a division is `mod`.

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
    let drafts = document.rulers.iter().map(lower::lower).collect();
    assemble(Language::Ruler, Effects::Together, source, options, drafts, diagnostics)
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (document, diagnostics) = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}
