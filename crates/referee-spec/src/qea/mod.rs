//! QEA: quantified event automata.
//!
//! ```text
//!  text ─ lex, parse ─▶ syntax ─ lower ─▶ core::machine::Quantified
//!                         └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document  ::= automaton*
//!  automaton ::= 'qea' ['(' name ')'] '{' part* state+ '}'
//!  part      ::= ('forall' | 'exists') '(' x,+ ')' | 'where' '(' G ')' | 'join' '(' x,+ ')' | 'negated'
//!  state     ::= ['accept'] ('skip' | 'next') '(' name ')' '{' (transition [';'])* '}'
//!  transition::= event ['(' (x | constant | '_'),* ')'] branch ('else' branch)*
//!  branch    ::= ['if' '[' G ']'] [do] '->' state [do]            do ::= 'do' '[' statement (';' statement)* ']'
//!  G         ::= G 'or' G | G 'and' G | 'not' G | '(' G ')' | 'true' | 'false' | e op e | e ['not'] 'in' S | 'empty' '(' S ')'
//!  statement ::= x ':=' e | x '++' | x '--' | x '+=' e | x '-=' e | S '.add(' e ')' | S '.remove(' e ')' | S ':=' '{}'
//! ```
//!
//! Words of the language are read in any case and only where they can stand: an event may be called `next`. Comments begin
//! with `//` or `#`, or stand between `/*` and `*/`. A variable that is not quantified is free. `else` follows a branch
//! whose guard is false. `/` is exact, `%` has the sign of the dividend.

mod codes;
mod lex;
mod lower;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::machine::{Body, Machine};
use crate::core::{Language, Span};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_machine_signature;
use crate::options::Options;
use crate::source::Source;
use parse::Parsed;

/// The machines of a file, and what is wrong with it; automata with errors are left out.
pub fn compile(source: &Source, options: &Options) -> Compiled<Machine> {
    let Parsed { document, mut diagnostics } = parse::parse(&source.text);
    let mut machines: Vec<Machine> = Vec::new();
    let mut names: Vec<(Arc<str>, Span)> = Vec::new();
    for automaton in &document.automata {
        let readable = !diagnostics.iter().any(|found| found.is_error() && holds(automaton.span, found.span));
        let mut found = Vec::new();
        let body = lower::lower(automaton, &mut found);
        if automaton.states.is_empty() && readable {
            let hint = "write at least one: `accept skip(start) { event(x) -> failure }`";
            found.push(Diagnostic::error("E0605", automaton.span, "the automaton has no state").hint(hint));
        }
        let (name, place) = match &automaton.name {
            Some(name) => (name.text.clone(), name.span),
            None => (source.stem.as_str().into(), Span { end: automaton.span.start + 3, ..automaton.span }),
        };
        match names.iter().find(|(known, _)| *known == name) {
            Some((_, first)) => {
                let message = format!("automaton `{name}` is there already");
                let clash =
                    Diagnostic::error("E0602", place, message).hint("give it a name of its own: `qea (Name) { … }`");
                found.push(clash.related(*first, "the first one"));
            }
            None => names.push((name.clone(), place)),
        }
        let machine =
            Machine { name, language: Language::Qea, source: source.text.clone(), body: Body::Quantified(body) };
        if let Some(signature) = &options.signature {
            found.extend(check_machine_signature(&machine, signature));
        }
        if readable && !has_errors(&found) {
            machines.push(machine);
        }
        if readable {
            diagnostics.extend(found);
        }
    }
    if document.automata.is_empty() && !has_errors(&diagnostics) {
        let end = source.text.trim_end().len();
        let hint = "write `qea { forall(x) accept skip(start) { event(x) -> failure } }`";
        diagnostics.push(Diagnostic::error("E0609", Span { start: end, end }, "the file has no automaton").hint(hint));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties: machines, diagnostics }
}

/// Whether a place lies in another.
fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { document, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}
