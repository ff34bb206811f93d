//! What the parser of FO-LTL keeps: where it stands, which variables are bound, and the chains of operators that are open.

use std::sync::Arc;

use crate::foltl::lex::Kind;
use crate::foltl::syntax::*;
use crate::parse::Cursor;

/// What can be a term or a formula until the next token is seen.
pub(super) enum Operand {
    Term(Term),
    Formula(Formula),
}

impl Operand {
    pub(super) fn span_mut(&mut self) -> &mut Span {
        match self {
            Operand::Term(term) => &mut term.span,
            Operand::Formula(formula) => &mut formula.span,
        }
    }
}

pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s, Kind>,
    pub(super) lenient: bool,
    /// The variables that quantifiers bind here.
    pub(super) scope: Vec<Arc<str>>,
    /// In a definition, its parameters: these are never applied to anything.
    pub(super) parameters: Option<Vec<Name>>,
    /// The operators of every chain that is being parsed, innermost last.
    pub(super) chains: Vec<Vec<(Operator, Span)>>,
}

/// A binary operator on formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    And,
    Or,
    Implies,
    Iff,
    Temporal(BinaryOp),
}
