//! Diagnostics: what is wrong or doubtful in a specification, where, and what to write instead.
//!
//! ```text
//!  error[E0003]: expected `)`, found `and`
//!   --> file.qtl:3:17                          Diagnostic  = severity, code, span, sentence
//!    |                                         hint        = the `help:` line
//!  3 | always (open(x) and)                    related     = other places, each with a word on it
//!    |                 ^^^                     Explanation = what `referee explain E0003` prints
//!    |
//!    = help: close the parenthesis
//! ```
//!
//! A diagnostic carries no file: spans point into the [`Source`](crate::source::Source) that it is rendered with.

mod explanation;
mod finding;
mod render;

pub use explanation::Explanation;
pub use finding::{Diagnostic, Severity, has_errors};
