//! What the parser of SOLOIST keeps.

use crate::parse::Cursor;
use crate::soloist::lex::Lexeme;

/// Where the parser stands.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s, Lexeme>,
}
