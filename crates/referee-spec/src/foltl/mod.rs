//! FO-LTL of the competition of 2016: first-order linear temporal logic with past and future over finite traces.
//!
//! # Grammar
//!
//! ```text
//!  file        ::= (declaration | definition | property)*
//!  declaration ::= 'event' name ['(' [argument (',' argument)*] ')']        argument ::= [field ':'] sort
//!  definition  ::= 'define' name '(' point (',' argument)* ')' '=' F     F joins comparisons that are linear in point.x and point.y
//!  property    ::= ['property' name ':'] F              without a name, the file's stem; at most one such property
//!  F           ::= U | U ('and' U)+ | U ('or' U)+ | U binary U
//!  U           ::= 'not' U | unary U | ['('] quantifier x (',' x)* [':' sort] [')'] U | '(' F ')' | 'true' | 'false'
//!                | event ['(' [t (',' t)*] ')'] | t ('=' | '!=' | '<' | '<=' | '>' | '>=') t
//!  unary       ::= 'next' | 'weak-next' | 'last' | 'weak-last' | 'always' | 'always-been' | 'eventually' | 'once'
//!  binary      ::= '=>' | '<=>' | 'until' | 'weakly until' | 'since' | 'weakly since' | 'release'
//!  t           ::= x | field | field '(' x ')' | number | '"' text '"' | 'true' | 'false' | word | '-' t | t ('+' | '-' | '*' | '/') t
//! ```
//!
//! Comments are `/* … */`, `// …` and `# …`. Synonyms: `strong-next`, `strong-last`, `previously` (once), `always before`,
//! `weak-until`, `weak-since`, `back-to`, `-> <-> & | ! ~ ==`, the letters `U W S B R` between formulas, and the symbols
//! `∀ ∃ ¬ ∧ ∨ → ⇒ ↔ ⇔ □ ◇ ■ ◆ ○ ● ○̂ ●̂ 𝒰 𝒲 𝒮 ℬ ℛ ≠ ≤ ≥ · ×`.
//!
//! # Readings
//!
//! - **Precedence.** Unary operators and quantifiers bind tighter than all binary ones: `always a => b` is
//!   `(always a) => b`, and a lint says so. Chains of `and` alone or `or` alone are fine; everything else needs
//!   parentheses. With `lenient` the order is until, since, release > and > or > => > <=>; the first group and `=>`
//!   associate to the right.
//! - **Strength.** `next` and `last` are strong. Past operators include now.
//! - **Events or operators.** A temporal word that is applied to terms only is an event: `next(i)`. `<next>(i)` is
//!   always the event, `<"any text">` too. A bare event name holds whatever the arguments.
//! - **Sorts.** A variable ranges over the values that the trace shows at the argument positions of its sort. A position
//!   belongs to a sort if it is declared so, or if a variable of that sort stands there. A position may belong to several
//!   sorts; a use that contradicts a declaration is an error. Each property infers its own sorts. Without a sort a
//!   variable has one of its own, named like it.
//! - **Names in terms.** What no quantifier binds is the field of the current event if some event is declared with a
//!   field of that name, else a string constant, and a lint says so. `true` and `false` are booleans.
//! - **Points of the plane.** A property that uses a definition is judged for every point, by itself; see the `definitions` and
//!   `points` modules. No other property and no file without a definition has anything to do with them.
//! - **Per object.** `f(x)` in a comparison is the field `f` of the object `x`; see the `relative` module.
//!
//! The leading universal quantifiers become the bindings that a violation reports.

mod codes;
mod definitions;
mod lex;
mod lower;
mod parse;
mod points;
mod print;
mod relative;
mod syntax;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::Rule;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::options::Options;
use crate::source::Source;

/// Compiles a file.
pub fn compile(source: &Source, options: &Options) -> Compiled<Rule> {
    let parsed = parse::parse(&source.text, options.lenient);
    lower::lower(&parsed, source, options)
}

/// A file in canonical layout, or its errors.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse::parse(&source.text, false);
    if has_errors(&parsed.diagnostics) {
        return Err(parsed.diagnostics);
    }
    Ok(print::print(&parsed.file, &parsed.comments, &source.text))
}

#[cfg(test)]
mod tests;
