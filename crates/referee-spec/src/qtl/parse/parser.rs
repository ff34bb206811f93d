//! What the parser of DejaVu keeps.

use crate::parse::{self, Cursor};
use crate::qtl::lex::Lexeme;

/// Where the parser stands, and the comments of the text.
pub(super) struct Parser<'s> {
    pub(super) text: &'s str,
    pub(super) cursor: Cursor<'s, Lexeme>,
    pub(super) comments: Vec<parse::Comment>,
    /// The first comment that nobody has been given.
    pub(super) next_comment: usize,
}
