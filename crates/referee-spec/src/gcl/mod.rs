//! Guarded commands: rules `event | condition -> actions` over global variables, sets and maps.
//!
//! ```text
//!  text ─ parse ─▶ syntax ─ lower ─▶ core::facts, effects in turn
//!                    └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document    ::= (item | 'property' name '{' item* '}')*
//!  item        ::= ('var' x ['=' constant] | 'set' s | 'map' m) [';'] | rule
//!  rule        ::= event '|' [condition] '->' (action (';' action)* [';'] | '{' (action ';')* '}')
//!  event       ::= [('*' | Class) '.'] name ['(' ('..' | ([Type] x | constant | '_'),*) ')'] ['target' '(' [Type] x ')']
//!  condition   ::= `&&`, `||`, `!` over comparisons, s.contains(e), m.containsKey(e), e in s, s.isEmpty(), a.equals(b), x
//!  action      ::= x '=' e | x '++' | x '--' | x '+=' e | x '-=' e | m '[' k ']' '=' e | s '.add(' e ')' | m '.put(' k, e ')'
//!                | s '.remove(' e ')' | s '.clear()' | 'fail' ['(' "message" ')']
//! ```
//!
//! `Verification.` before a name is passed over, so that the benchmarks of the competition are read as printed. A name that the
//! event does not bind is global; what it holds is found out from its declaration and its uses. After an action, another one
//! follows unless a bar or an arrow comes before the next semicolon: then it is another rule.

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
use crate::rules::file::{Draft, assemble};
use crate::source::Source;

/// The rule sets of a file, and what is wrong with it; properties with errors are left out.
pub fn compile(source: &Source, options: &Options) -> Compiled<RuleSet> {
    let (document, diagnostics) = parse::parse(&source.text);
    let drafts = document.properties.iter().map(|property| {
        let mut found = Vec::new();
        let lower::Lowered { relations, alphabet, rules } = lower::lower(property, &mut found);
        Draft { name: property.name.clone(), span: property.span, relations, alphabet, rules, found }
    });
    assemble(Language::Gcl, Effects::InTurn, source, options, drafts.collect(), diagnostics)
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (document, diagnostics) = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}
