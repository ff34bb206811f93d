//! The part of the kit for languages whose expressions look like those of C: QEA, LARVA and the rule languages.
//!
//! ```text
//!  c_like_tokens!   the tokens that all have, and those of one language      ─▶ its type of tokens
//!  Dialect          what else differs: the case of words, `and` beside `&&`, which token compares
//!  Reader           a cursor with names, words, comments and constants
//!  expression       c ::= d (or d)*   d ::= e (and e)*   e ::= not e | …      s ::= p ((+|-) p)*   p ::= v ((*|/|%) v)*
//!  guard            conditions over values, for languages that keep the two apart (QEA, LARVA)
//!  print            the canonical layout of all that
//! ```
//!
//! A language adds its declarations and statements, what its values begin with, and what its conditions may ask.

mod expression;
mod guard;
pub(crate) mod print;
mod reader;
pub(crate) mod token;
mod tree;

pub(crate) use expression::{Arithmetical, Connected};
pub(crate) use guard::Conditions;
pub(crate) use reader::Reader;
pub(crate) use token::{Dialect, c_like_tokens};
pub(crate) use tree::{CLikeExpression, CLikeGuard, Name};
