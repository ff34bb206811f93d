//! What the parser of the stream language keeps.

use crate::lola::lex::Lexeme;
use crate::parse::{self, Cursor};

/// Where the parser stands, and the comments of the text.
pub(super) struct Parser<'s> {
    pub(super) text: &'s str,
    pub(super) cursor: Cursor<'s, Lexeme>,
    pub(super) comments: Vec<parse::Comment>,
    /// The first comment that nobody has been given.
    pub(super) next_comment: usize,
}
