//! What the rule languages (guarded commands, RuleR, LogFire) share.
//!
//! ```text
//!  lex ─▶ parse: conditions and values, names, comments ─▶ syntax ─┬─ lower ─▶ guards, terms, patterns of core::facts
//!                                                                  └─ print ─▶ canonical text
//! ```
//!
//! Each language adds its own declarations, rules and actions. A condition and a value are one kind of tree: whether `r` is
//! an event, a fact, a truth value or a variable is known only when all names are.

mod codes;
pub(crate) mod file;
pub(crate) mod lex;
pub(crate) mod lower;
pub(crate) mod parse;
pub(crate) mod print;
pub(crate) mod syntax;

pub(crate) use codes::CODES;
