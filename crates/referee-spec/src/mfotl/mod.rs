//! MFOTL: metric first-order temporal logic in MonPoly's notation, files `.mfotl`.
//!
//! ```text
//!  text ─▶ lex ─▶ parse (regex) ─▶ tree ─▶ resolve ─▶ types ─▶ lower ─▶ core::Property
//!                                    └───▶ print ─▶ canonical layout
//! ```
//!
//! # Grammar
//!
//! ```text
//! F ::= (F) | TRUE | FALSE | P(t,*) | t ⋈ t | t SUBSTRING t | t MATCHES t | NOT F | F AND F | F OR F | F IMPLIES F
//!     | F EQUIV F | EXISTS x,*. F | FORALL x,*. F | F (SINCE | UNTIL | TRIGGER | RELEASE) I F
//!     | (PREV | NEXT | ONCE | EVENTUALLY | ALWAYS | PAST_ALWAYS) I F | (MATCHF | MATCHP) I R
//!     | (LET | LETPAST) P(x,*) = F IN F | r <- AGG x[; g,*] [.] F           AGG: CNT MIN MAX SUM AVG MED
//! ⋈ ::= = | != | < | <= | > | >=          also <> ≠ ≤ ≥
//! I ::= nothing | ('[' | '(') n ',' (n | '*') (']' | ')')                   n: digits, with d, h, m, s, ms, us, ns or none
//! R ::= . | F | F? | R R | R + R | R* | (R)
//! t ::= number | "string" | x | _ | t + t | t - t | t * t | t / t | t MOD t | -t | f2i(t) i2f i2s s2i f2s s2f
//! ```
//!
//! Loosest first: LET and aggregations; SINCE UNTIL TRIGGER RELEASE (right); prefix temporal operators; EXISTS FORALL;
//! EQUIV; IMPLIES (right); OR; AND; NOT; comparisons; `+ -`; `* / MOD`; the sign. Synonyms: PREVIOUS (PREV), SOMETIMES
//! (EVENTUALLY), HISTORICALLY (PAST_ALWAYS), FORWARD (MATCHF), BACKWARD (MATCHP), `←` (`<-`). Comments: `#` to the end of
//! the line and `(* … *)`. A full stop may end the file.
//!
//! # Readings
//!
//! - **What is judged.** A policy must hold at every point for all values of its free variables. A leading ALWAYS without
//!   interval says the same and is stripped, then leading FORALLs are, so that violations report their variables:
//!   stripped ones in order, then free ones by first occurrence. Definitions may stand before either.
//! - **Names that nothing binds.** If the policy begins with FORALL (after definitions and ALWAYS) such a name is a
//!   string, as papers write them, and lint L0006 says so; in every other policy it is a free variable, as in MonPoly.
//!   In an aggregation it is a variable; in a definition of a policy without leading FORALL it is an error.
//! - **`10,000`.** Outside argument lists and intervals, digits in groups of three are one number: `s <= 10,000`. Among
//!   arguments a comma separates: `p(10,000)` has two.
//! - **`(`** after a temporal operator begins an interval if two bounds and its right end follow, else a formula.
//! - **Regular expressions** and their parentheses: see the source of `regex.rs`. Formulas with connectives stand in
//!   parentheses there; `MATCHP a() b() AND c()` is `(MATCHP a() b()) AND c()`; a full stop at the end is the wildcard.
//! - **Units.** A bound with `d`, `h`, `m`, `s`, `ms`, `us` or `ns` is that much time, whatever the trace counts in: lowering makes an
//!   exact number of the trace's unit of it, which may be a fraction. A bound without unit counts in what the trace counts in.
//! - **`/`** truncates unless a decimal is involved: see `types.rs`. Integers and decimals may be compared and mixed.
//! - **Strings** have no escapes. `r"…"` is the same as `"…"`.
//! - **Regular expressions in strings** (`MATCHES`) are those of the Rust crate `regex`; constants are checked here.
//! - **LET** hides events and outer definitions of its name, also `tp`, `ts` and `tpts`, in its body and not in itself.
//!   LETPAST may use its name in itself below PREV, or on the right of a past operator whose interval is above 0, with no
//!   future operator around that use, and not in another definition inside it.
//! - **Aggregations** see the groups of the formula around them; every other name inside is a variable of their own, also
//!   if a quantifier around binds it (L0301 says so). The result and the groups are free if nothing binds them.

mod codes;
mod expression;
mod level;
mod lex;
mod lower;
mod operators;
mod parse;
mod print;
mod regex;
mod resolve;
mod syntax;
mod types;

#[cfg(test)]
mod tests;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_signature;
use crate::options::Options;
use crate::source::Source;
use lower::Reading;

/// Compiles a policy to the property whose violations are the falsifying assignments of stripped and free variables.
pub fn compile(source: &Source, options: &Options) -> Compiled {
    compile_as(source, options, Reading::Policy)
}

/// Compiles the formula as it is written, nothing stripped: its bindings are its free variables, so that the assignments
/// that satisfy it at each point can be listed.
pub fn compile_satisfactions(source: &Source, options: &Options) -> Compiled {
    compile_as(source, options, Reading::AsWritten)
}

fn compile_as(source: &Source, options: &Options, reading: Reading) -> Compiled {
    let (document, mut diagnostics) = parse::parse(&source.text);
    // What nests too deeply is not walked any further.
    if diagnostics.iter().any(|found| found.code == "E0004") {
        return Compiled { properties: Vec::new(), diagnostics };
    }
    let broken = has_errors(&diagnostics);
    let names = resolve::resolve(&document.formula);
    let types = types::infer(&document.formula, &names, &source.text, options.signature.as_ref());
    let (property, found) = lower::lower(source, &document.formula, &names, &types, options.unit, reading);
    let strangers = options.signature.iter().flat_map(|signature| check_signature(&property, signature));
    let found = names.diagnostics.into_iter().chain(types.diagnostics).chain(found).chain(strangers);
    // A quantifier that could not be read leaves its names unbound: that is no second error.
    diagnostics.extend(found.filter(|found| !broken || !matches!(found.code, "L0006" | "E0311" | "E0301")));
    drop_types_of_strangers(&mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    let properties = if has_errors(&diagnostics) { Vec::new() } else { vec![property] };
    Compiled { properties, diagnostics }
}

/// A name that is no parameter of its definition has no type either: that is no second error.
fn drop_types_of_strangers(diagnostics: &mut Vec<Diagnostic>) {
    let strangers: Vec<_> = diagnostics.iter().filter(|found| found.code == "E0311").map(|found| found.span).collect();
    let mentions_stranger =
        |found: &Diagnostic| strangers.iter().any(|stranger| found.span.to(*stranger) == found.span);
    diagnostics.retain(|found| found.code != "E0308" || !mentions_stranger(found));
}

/// A policy in canonical layout, or the errors that keep it from being read.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (document, diagnostics) = parse::parse(&source.text);
    if has_errors(&diagnostics) { Err(diagnostics) } else { Ok(print::print(&document, &source.text)) }
}
