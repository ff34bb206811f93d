//! What streams are computed from.

use referee_trace::value::{Type, Value};

use super::duration::Duration;
use crate::core::aggregate::AggregateFunction;
use crate::core::formula::Span;

/// A stream of a program: inputs come first, then outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(u32);

impl StreamId {
    /// The stream with this number.
    pub fn new(index: usize) -> StreamId {
        StreamId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression, its type and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// The type of its values.
    pub value_type: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExprKind {
    /// A value.
    Constant(Value),
    /// The parameter at this index of the template.
    Parameter(usize),
    /// Something of a stream.
    Access(Access),
    /// `not e`
    Not(Box<Expr>),
    /// `-e`
    Negate(Box<Expr>),
    /// `abs(e)`
    Absolute(Box<Expr>),
    /// Two expressions joined.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e.defaults(to: d)`: e, or d where e is absent.
    Defaults(Box<Expr>, Box<Expr>),
}

/// What joins two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `and`; the right side matters only where the left one is true.
    And,
    /// `or`; the right side matters only where the left one is false.
    Or,
    /// `->`; the right side matters only where the left one is true.
    Implies,
    /// `<->`
    Iff,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`: numbers by size, strings by code point.
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, exact.
    Divide,
    /// `%`, with the sign of the dividend.
    Remainder,
    /// `min(a, b)`
    Minimum,
    /// `max(a, b)`
    Maximum,
}

/// Something of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The stream.
    pub stream: StreamId,
    /// Which instance: one expression per parameter.
    pub key: Vec<Expr>,
    /// What of it.
    pub how: How,
}

/// What of a stream; see the table of this module's parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// `s`
    Now,
    /// `s.get(or: d)`
    Get(Box<Expr>),
    /// `s.is_fresh()`
    Fresh,
    /// `s.hold(or: d)`
    Hold(Box<Expr>),
    /// `s.offset(by: -n).defaults(to: d)`, n at least 1.
    Own(u32, Box<Expr>),
    /// `s[n, d]`, n not 0.
    Step(i32, Box<Expr>),
    /// `s.aggregate(over: …, using: …)`
    Window(Extent, AggregateFunction),
    /// `s.aggregate(over_instances: …, using: …)`
    Instances(Instances, AggregateFunction),
}

/// What a window holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The own values with time in (now − D, now].
    Time(Duration),
    /// The last n own values.
    Values(u32),
}

/// Which instances are aggregated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instances {
    /// All that live, by their last own values; those without any do not count.
    All,
    /// Those that have a value at this step.
    Fresh,
}

impl How {
    /// The value that stands for a missing one.
    pub fn default_value(&self) -> Option<&Expr> {
        match self {
            How::Get(default) | How::Hold(default) | How::Own(_, default) | How::Step(_, default) => Some(default),
            How::Now | How::Fresh | How::Window(..) | How::Instances(..) => None,
        }
    }
}

/// A place at which an expression reads a stream.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'e> {
    /// What is read.
    pub access: &'e Access,
    /// Where.
    pub span: Span,
}

impl Expr {
    /// The expressions directly below.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Parameter(_) => Vec::new(),
            ExprKind::Access(access) => access.key.iter().chain(access.how.default_value()).collect(),
            ExprKind::Not(body) | ExprKind::Negate(body) | ExprKind::Absolute(body) => vec![body],
            ExprKind::Binary(_, left, right) | ExprKind::Defaults(left, right) => vec![left, right],
            ExprKind::If(condition, then, other) => vec![condition, then, other],
        }
    }

    /// Calls `visit` for this expression and all below it, outermost first.
    pub fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Expr)) {
        visit(self);
        for child in self.children() {
            child.visit(visit);
        }
    }

    /// Calls `visit` for every place at which a stream is read.
    pub fn references<'e>(&'e self, visit: &mut impl FnMut(Reference<'e>)) {
        self.visit(&mut |expression| {
            if let ExprKind::Access(access) = &expression.kind {
                visit(Reference { access, span: expression.span });
            }
        });
    }

    /// Whether it mentions a parameter.
    pub fn has_parameter(&self) -> bool {
        let mut found = false;
        self.visit(&mut |expression| found |= matches!(expression.kind, ExprKind::Parameter(_)));
        found
    }
}
