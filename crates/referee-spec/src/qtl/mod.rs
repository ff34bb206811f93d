//! DejaVu: first-order logic of the past, judged after every event.
//!
//! ```text
//!  text ─ lex, parse ─▶ syntax ─ names, check, calls ─▶ (no errors) ─ lower ─▶ core::Property
//!                         └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document ::= (macro | property | events)*
//!  macro    ::= 'pred' name ['(' x,* ')'] '=' F
//!  property ::= 'prop' name ':' F ['where' rule,+]
//!  rule     ::= name ['(' x,* ')'] ':=' F
//!  events   ::= ('event' | 'events' | 'pred' | 'preds') (name ['(' x,* ')']),+
//!  F        ::= F1 (('->' | '<->') F1)*                left associative, one level
//!  F1       ::= F2 ('|' F2)*       F2 ::= F3 ('&' F3)*
//!  F3       ::= L [('S' | 'S' B | 'Z[<=' n ']') L]
//!  L        ::= 'true' | 'false' | A op A | name ['(' A,* ')'] | '!' L | '@' L | ('P' | 'H') [B] L
//!             | '[' F ',' F (')' | ']') | ('Forall' | 'Exists' | 'forall' | 'exists') x '.' F | '(' F ')'
//!  A        ::= x | "string" | integer                 op ::= '<' | '<=' | '>' | '>=' | '='
//!  B        ::= '[<=' n ']' | '[>' n ']'
//! ```
//!
//! Also read: `→ ⇒ ↔ ⇔ ∧ ∨ ¬ ∀ ∃ ⊖ ● ◆ ■ ≤ ≥`. Comments begin with `//`, `--` or `#`, or stand between `/*` and `*/`.
//! Names are letters, digits, `_` and `$`; `prop where pred preds event events true false Forall Exists forall exists S P H`
//! are taken, `Z` is an operator only where an operator can stand.
//!
//! # Readings
//!
//! - The body of a quantifier reaches as far as it can: to the closing bracket or the end of the definition.
//! - `[p, q)` is `!q S p`; `[p, q]` says the same.
//! - All quantifiers range over infinitely many values. With [`Options::seen`] those in lower case range over the values
//!   seen so far at the argument positions at which their variable stands, also by way of rules.
//! - Values compare as texts; a constant stands for its text, quoted or not. A relation may have constants on both sides.
//! - A bare name is an event without arguments.
//! - Macros may stand in any order and are written out; they see events and macros, not rules. Rules see the other rules
//!   of their property; every circle of calls among them must pass an `@`, at whichever of its calls.
//! - A variable that nothing binds, that hides another, or that is not used is an error, as is an event with varying
//!   numbers of arguments, or an undeclared one in a file that declares any.

mod calls;
mod check;
mod codes;
mod lex;
mod lower;
mod names;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::{Property, Span};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_signature;
use crate::options::Options;
use crate::source::Source;
use calls::Macros;
use names::Names;
use parse::Parsed;
use syntax::{Document, ItemKind, Kind};

/// Compiles a file; properties with errors, or that use macros with errors, are left out.
pub fn compile(source: &Source, options: &Options) -> Compiled {
    let Parsed { document, mut diagnostics } = parse::parse(&source.text);
    let readable = readable_items(&document, &diagnostics);
    let names = Names::of(&document, &mut diagnostics);
    check::check(&document, &readable, &names, &mut diagnostics);
    let macros = Macros::of(&names, &mut diagnostics);
    for (item, readable) in document.items.iter().zip(readable) {
        if let ItemKind::Property(property) = &item.kind {
            calls::check_rules(property, &mut diagnostics);
            diagnostics.extend(macros.check_size(property, &names).filter(|_| readable));
        }
    }
    if document.properties().next().is_none() && !has_errors(&diagnostics) {
        diagnostics.push(no_property(source));
    }
    let mut properties: Vec<Property> = sound_properties(&document, &names, &macros, &diagnostics)
        .map(|property| lower::lower(property, &names, source, options))
        .collect();
    if let Some(signature) = &options.signature {
        properties.retain(|property| {
            let strangers = check_signature(property, signature);
            let is_known = strangers.is_empty();
            diagnostics.extend(strangers);
            is_known
        });
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    // A macro with a stranger to the signature is found in every property that uses it.
    diagnostics.dedup();
    Compiled { properties, diagnostics }
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { document, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}

fn no_property(source: &Source) -> Diagnostic {
    let end = source.text.trim_end().len();
    Diagnostic::error("E0215", Span { start: end, end }, "the file has no property")
        .hint("write `prop name: formula`, which must hold after every event")
}

/// The properties that have no errors in their own text or in that of macros that they use.
fn sound_properties<'t>(
    document: &'t Document,
    names: &Names<'t>,
    macros: &Macros,
    diagnostics: &[Diagnostic],
) -> impl Iterator<Item = &'t syntax::Property> {
    let faulty = items_with(document, diagnostics.iter().filter(|found| found.is_error()));
    let macro_items: Vec<bool> = (document.items.iter().zip(&faulty))
        .filter(|(item, _)| matches!(item.kind, ItemKind::Macro(_)))
        .map(|(_, faulty)| *faulty)
        .collect();
    let unusable = macros.unusable(|node| macro_items[node]);
    let uses_unusable = move |formula: &syntax::Formula| {
        let mut found = false;
        formula.visit(&mut |part| {
            if let Kind::Atom(name, _) = &part.kind {
                found |= names.macro_index.get(&*name.text).is_some_and(|node| unusable[*node]);
            }
        });
        found
    };
    document.items.iter().zip(faulty).filter_map(move |(item, faulty)| match &item.kind {
        ItemKind::Property(property) if !faulty => {
            let mut bodies = property.rules.iter().map(|rule| &rule.body).chain([&property.formula]);
            (!bodies.any(&uses_unusable)).then_some(property)
        }
        _ => None,
    })
}

/// Which items could be read in full; what the parser complained about but understood is no obstacle.
fn readable_items(document: &Document, diagnostics: &[Diagnostic]) -> Vec<bool> {
    let obstacles = diagnostics.iter().filter(|found| parse::loses_text(found.code));
    items_with(document, obstacles).into_iter().map(|obstacle| !obstacle).collect()
}

/// Which items have one of the diagnostics between their keyword and that of the next; at a keyword, what is missing is
/// missing before it.
fn items_with<'d>(document: &Document, diagnostics: impl Iterator<Item = &'d Diagnostic>) -> Vec<bool> {
    let mut faulty = vec![false; document.items.len()];
    for diagnostic in diagnostics {
        let after = document.items.partition_point(|item| item.span.start < diagnostic.span.start);
        if let Some(item) = after.checked_sub(1) {
            faulty[item] = true;
        }
    }
    faulty
}
