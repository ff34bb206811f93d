//! The tree of a stream specification, as written.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use crate::core::Span;
use crate::core::stream::Operator;

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// What it declares, in order.
    pub items: Vec<Item>,
    /// The comments after the last item.
    pub comments: Vec<Comment>,
}

/// A comment, with its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comment {
    /// Its text.
    pub text: Arc<str>,
    /// Whether a blank line follows.
    pub blank_after: bool,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The comments before and in it.
    pub comments: Vec<Comment>,
    /// What it declares.
    pub kind: ItemKind,
    /// From its keyword to its last token.
    pub span: Span,
    /// Whether a blank line stands before it.
    pub blank_before: bool,
}

/// What an item declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// `input x, y: Int from e.f`
    Input(Vec<InputItem>),
    /// `constant c: Int := 5`
    Constant(ConstantItem),
    /// `output s := e`
    Output(OutputItem),
    /// `trigger e "message"`
    Trigger(TriggerItem),
    /// `report a, b to "file.csv"`
    Report(ReportItem),
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name; empty if it is missing.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

/// One declared input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputItem {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub type_name: Option<Name>,
    /// The event it is read from, and its field.
    pub from: Option<(Name, Option<Name>)>,
}

/// A constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConstantItem {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub type_name: Option<Name>,
    /// Its value.
    pub value: Expr,
}

/// An output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutputItem {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub type_name: Option<Name>,
    /// The rest.
    pub body: Body,
}

/// Parameters and clauses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Body {
    /// The parameters with their types.
    pub parameters: Vec<(Name, Name)>,
    /// `spawn with e when c`, in order.
    pub spawns: Vec<SpawnClause>,
    /// `eval when c with e`, in order.
    pub evals: Vec<EvalClause>,
    /// `close when c`
    pub close: Option<Expr>,
}

/// `spawn with e when c`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpawnClause {
    /// One expression per parameter.
    pub with: Vec<Expr>,
    /// The condition.
    pub when: Option<Expr>,
    /// Its place.
    pub span: Span,
}

/// `eval when c with e`, or `:= e`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EvalClause {
    /// The condition.
    pub when: Option<Expr>,
    /// The value; nothing stands for `true`.
    pub with: Option<Expr>,
    /// Whether it was written `:= e`.
    pub is_definition: bool,
    /// Its place.
    pub span: Span,
}

/// A trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TriggerItem {
    /// Parameters, spawn and close; the condition is the one `eval` clause.
    pub body: Body,
    /// Whether it is judged at the end.
    pub at_end: bool,
    /// What it says.
    pub message: Option<Message>,
}

/// A string with expressions in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// The token as written.
    pub raw: Arc<str>,
    /// Its parts.
    pub pieces: Vec<Piece>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// As it stands.
    Text(String),
    /// An expression.
    Value(Expr),
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportItem {
    /// The streams.
    pub columns: Vec<Name>,
    /// The file.
    pub path: Name,
}

/// An expression and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expr {
    /// What it says.
    pub kind: Kind,
    /// Its place.
    pub span: Span,
}

/// What an expression says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `5`, `2.5`
    Number(Number),
    /// `10s`
    Duration(Number, Unit),
    /// `"text"`
    Text(Arc<str>),
    /// `true`, `false`
    Truth(bool),
    /// A stream, a parameter, a constant, or a word in an argument.
    Name(Name),
    /// `s(k)`, `min(a, b)`
    Call(Name, Vec<Expr>),
    /// `s.hold(or: 0)`
    Method(Box<Expr>, Name, Vec<Argument>),
    /// `s[-1, 0]`
    Offset(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `a + b`
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Something that could not be read and was reported.
    Unreadable,
}

/// An argument of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    /// What stands before the colon.
    pub label: Option<Name>,
    /// The value.
    pub value: Expr,
}
