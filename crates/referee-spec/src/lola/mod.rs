//! Streams: Lola, with the parameters and windows of its successors, judged at every event.
//!
//! ```text
//!  text ─ lex, parse ─▶ syntax ─ lower ─▶ equations ─ types, check ─▶ core::stream::Program
//!                         └─ print ─▶ canonical text
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document ::= (input | constant | output | trigger | report)*
//!  input    ::= 'input' (name [':' T] ['from' event ['.' field]]),+
//!  constant ::= ('constant' | 'const') name [':' T] ':=' e
//!  output   ::= 'output' name ['(' (p ':' T),+ ')'] [':' T] clause+
//!  clause   ::= ':=' e | 'spawn' ['with' (e | '(' e,+ ')')] ['when' e] | 'eval' ['when' e] 'with' e | 'close' 'when' e
//!  trigger  ::= 'trigger' ['(' (p ':' T),+ ')'] spawn* ['at' 'end'] ['eval'] ['when'] e [['with'] "message {e}"] [close]
//!  report   ::= 'report' name,+ 'to' "file.csv"
//!  T        ::= Int | Float | Bool | String             (with any number of bits behind)
//!  e        ::= e op e | 'not' e | '-' e | 'if' e 'then' e 'else' e | ('min' | 'max' | 'abs' | 'ite') '(' e,+ ')'
//!             | literal | parameter | constant | s | s '[' n ',' e ']' | s '.' access | '(' e ')'
//!  s        ::= name ['(' e,+ ')']
//!  access   ::= hold(or: e) | get(or: e) | last(or: e) | is_fresh() | offset(by: -n).defaults(to: e)
//!             | aggregate(over: D | over_discrete: n | over_instances: (all | fresh), using: A)[.defaults(to: e)]
//!  A        ::= count | sum | avg | min | max | forall | exists | median
//! ```
//!
//! Loosest first: `<->`, `->` (right), `or`, `and`, `not`, comparisons, `+ -`, `* / %`, signs. Also read: `&& || ! == =>` and
//! the usual symbols. What it means is said in [`crate::core::stream`].

mod check;
mod codes;
mod lex;
mod lower;
mod parse;
mod print;
mod syntax;
#[cfg(test)]
mod tests;
mod types;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::Span;
use crate::core::stream::Program;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::options::Options;
use crate::source::Source;
use parse::Parsed;

/// Compiles a file; without a program if it has errors.
pub fn compile(source: &Source, options: &Options) -> Compiled<Program> {
    let Parsed { document, mut diagnostics } = parse::parse(&source.text);
    let lowered = lower::lower(&document, source, options.unit, &mut diagnostics);
    if has_errors(&diagnostics) {
        return Compiled { properties: Vec::new(), diagnostics: sorted(diagnostics) };
    }
    let program = types::infer(lowered, &mut diagnostics);
    check::check_keys(&program, &mut diagnostics);
    check::check_circles(&program, &mut diagnostics);
    if program.triggers.is_empty() && program.reports.is_empty() {
        let end = source.text.trim_end().len();
        let error = Diagnostic::error("E0916", Span { start: end, end }, "the file has no trigger");
        diagnostics.push(error.hint("write `trigger condition \"message\"`, or `report s to \"file.csv\"`"));
    }
    if has_errors(&diagnostics) {
        return Compiled { properties: Vec::new(), diagnostics: sorted(diagnostics) };
    }
    check::lint_scans(&program, &mut diagnostics);
    check::lint_triggers(&program, &mut diagnostics);
    Compiled { properties: vec![program], diagnostics: sorted(diagnostics) }
}

/// Prints a file in canonical layout, unless it cannot be read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let Parsed { document, diagnostics } = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document)) }
}

fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    diagnostics
}
