//! The kit that all parsers share: tokens with spans, a cursor that knows what it expected, and operator precedence.
//!
//! ```text
//!  text ─▶ lex (logos) ─▶ tokens, comments ─▶ Cursor ─▶ tree with spans
//!                            └────────────────────┴──▶ diagnostics
//! ```
//!
//! **Parsing never fails: it returns a tree and diagnostics.** How the kit keeps that promise:
//!
//! - Every question that a parser asks about the current token ([`Cursor::at`], [`Cursor::eat`]) notes what was asked
//!   for, so that the error can say "expected A, B or C, found D".
//! - An error is reported once per token: whatever fails at a token that already failed is silent.
//! - After an error the parser skips to a token of its choice ([`Cursor::skip_to`]), over whole pairs of brackets.
//! - Depth is bounded: [`Cursor::enter`] counts how deep the parser stands and how high the trees below are. Past
//!   [`MAX_DEPTH`] there is one error and the rest of the text is not read, so recursion over a tree is always safe.
//!
//! Every token is passed over once; parsing is linear in the text.

pub(crate) mod c_like;
mod codes;
mod cursor;
mod pratt;
mod spelling;
pub(crate) mod token;

pub use codes::CODES;
pub use cursor::{Cursor, Errors, Level, MAX_DEPTH};
pub use pratt::{BindingPower, Pratt, pratt};
pub use spelling::Spelling;
pub use token::{Comment, Lexed, Token, TokenKind, lex, literal, number_hint, one_of, quote, unescape};
