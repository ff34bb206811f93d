//! What is known while a file of streams is lowered: names, and the template at hand.

use std::collections::HashMap;
use std::sync::Arc;

use referee_trace::value::{Type, Value};

use crate::core::Span;
use crate::core::stream::{self, ExprKind, Parameter, StreamId};
use crate::diagnostic::Diagnostic;

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Entity {
    Stream(StreamId, usize),
    Constant(Value),
}

pub(super) struct Lowering<'d> {
    pub(super) names: HashMap<Arc<str>, (Entity, Span)>,
    /// The parameters of the template at hand.
    pub(super) parameters: Vec<Parameter>,
    /// The files of reports, and where they are named.
    pub(super) reports: Vec<(String, Span)>,
    /// Whether the expression at hand is evaluated after the last step.
    pub(super) at_end: bool,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
}

/// An expression whose type is found later.
pub(super) fn untyped(kind: ExprKind, span: Span) -> stream::Expr {
    stream::Expr { kind, value_type: Type::Boolean, span }
}

pub(super) fn constant(value: Value, span: Span) -> stream::Expr {
    untyped(ExprKind::Constant(value), span)
}

/// What stands for an expression with an error; the error keeps it from being used.
pub(super) fn unknown(span: Span) -> stream::Expr {
    constant(Value::Boolean(false), span)
}
