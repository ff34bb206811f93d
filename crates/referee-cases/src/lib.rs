//! Tests as documents: a Markdown file holds specifications, traces and what a judge must say of them.
//!
//! ````text
//! Prose explains, and is not looked at.
//!
//! ```qtl name=access                     a specification; the language is the first word
//! prop access: Forall u . access(u) -> [login(u), logout(u))
//! ```
//!
//! ```accepted                            traces that satisfy it, one per line
//! login(ann).access(ann)
//! ```
//!
//! ```rejected point=2 u=bob              a trace that violates it, and its first violation
//! login(ann).access(bob)
//! ```
//!
//! ```rejected                            the same with all violations, one per line that begins with `!`
//! access(ann).access(bob)
//! ! point=1 u=ann
//! ! point=2 u=bob
//! ```
//! ````
//!
//! # Blocks
//!
//! | first word | then | holds |
//! |---|---|---|
//! | `foltl`, `qtl`, `mfotl` and so on | `name=N`, `seen`, `lenient`, `timed`, `unit=U`, `also` | a specification; the unit is that of the times in its traces, seconds without it; `also`: the traces below are for the one before, too |
//! | `accepted` | `prefix` | traces that satisfy the specification |
//! | `rejected` | `prefix`, `count=N` and a violation | traces that violate it, so many times |
//! | `gaveup` | `point=N` | traces that cannot be judged |
//! | `pending` | `n=N` | prefixes on which so many violations are possible but not decided |
//! | `error`, `lint` | `code=C`, `line=N`, `column=N` | the message about the specification; after `help: ` the hint |
//!
//! A violation is `point=N`, `decided=N` or `decided=end`, `opened=N`, and bindings `variable=value`; what is not written is
//! not compared, except that a line with `!` names all bindings. `null` stands for all values that nobody named, quotes make
//! a string. Trace blocks may say `property=N` to speak of one property of several, and `format=F`. Any other block
//! belongs to the prose.
//!
//! Without `format` a trace is MonPoly's if it begins with `@`, else abstract. Abstract traces end with their line unless
//! that ends with a dot, or the next one begins with a point's number; `ε`, or nothing at all, is the empty trace. Traces in
//! other formats of lines are separated by blank lines; XML, JSON and blocks have one trace per block.
//!
//! A specification followed by `error` blocks must have exactly these errors; every other must have none.
//! A trace without what a rule needs (times, inputs: `referee_spec::trace_needs`) is a mistake of the document.

mod check;
mod document;
mod expect;
mod fault;
mod markdown;
mod traces;

pub use check::{Judge, Mismatch, check};
pub use document::{Document, Specification, parse};
pub use expect::{ExpectedDiagnostic, ExpectedOutcome, ExpectedValue, ExpectedViolation, TraceBlock};
pub use fault::Fault;
