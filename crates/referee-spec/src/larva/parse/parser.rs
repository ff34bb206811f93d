//! The parser of LARVA: the reader of C-like languages over its tokens.

use crate::larva::lex::Lexeme;
use crate::parse::c_like::Reader;

/// Where the parser stands.
pub(super) type Parser<'s> = Reader<'s, Lexeme>;
