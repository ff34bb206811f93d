//! The parser of QEA: the reader of C-like languages over its tokens.

use crate::parse::c_like::Reader;
use crate::qea::lex::Lexeme;

/// Where the parser stands.
pub(super) type Parser<'s> = Reader<'s, Lexeme>;
