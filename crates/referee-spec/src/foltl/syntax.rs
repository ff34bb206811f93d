//! The tree of a file as it was written: quantifiers with several variables, names not yet resolved, spans everywhere.
//!
//! Parentheses are not part of the tree; the span of what they enclose includes them. Chains of `and` and of `or` are
//! flat: no `And` stands directly in an `And`.

use std::sync::Arc;

pub(super) use crate::core::{Arithmetic, BinaryOp, Comparison, Quantifier, Span, UnaryOp};

/// A file: declarations and properties in textual order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct File {
    /// What it holds.
    pub items: Vec<Item>,
}

/// A declaration or a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// `event step(counter:int)`
    Event(Declaration),
    /// `define inside(p, x1, x2) = x1 < p.x and p.x < x2`
    Definition(DefinitionItem),
    /// `property name: F`, or `F` alone.
    Property(PropertyItem),
}

impl Item {
    /// Where it stands.
    pub(super) fn span(&self) -> Span {
        match self {
            Item::Event(declaration) => declaration.span,
            Item::Definition(definition) => definition.span,
            Item::Property(property) => property.span,
        }
    }
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// The declaration of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The event.
    pub name: Name,
    /// Its arguments.
    pub arguments: Vec<DeclaredArgument>,
    /// Where.
    pub span: Span,
}

/// One argument of a declared event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeclaredArgument {
    /// The name of the field, if it has one.
    pub field: Option<Name>,
    /// Its sort.
    pub sort: Name,
}

/// The definition of a predicate over points, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DefinitionItem {
    /// The predicate.
    pub name: Name,
    /// The point, and then the arguments of the event.
    pub parameters: Vec<Name>,
    /// When it holds.
    pub body: Formula,
    /// Where.
    pub span: Span,
    /// What its errors did to it.
    pub damage: Damage,
}

/// A property as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PropertyItem {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What it says.
    pub formula: Formula,
    /// Where.
    pub span: Span,
    /// What its errors did to it.
    pub damage: Damage,
}

/// What errors did to a property or a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Damage {
    /// There were none.
    #[default]
    None,
    /// The tree is as written, but it may not be judged.
    Faulty,
    /// The tree lacks something; what else is wrong with it may be a consequence.
    Gap,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where, with the parentheses around it.
    pub span: Span,
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormulaKind {
    /// Stands for what could not be parsed; an error was reported.
    Missing,
    /// `true`, `false`
    Constant(bool),
    /// `e`, `e(t1, t2)`
    Event(Arc<str>, Option<Vec<Term>>),
    /// `t1 <= t2`
    Compare(Comparison, Term, Term),
    /// `not F`
    Not(Box<Formula>),
    /// `F and G and H`
    And(Vec<Formula>),
    /// `F or G or H`
    Or(Vec<Formula>),
    /// `F => G`
    Implies(Box<Formula>, Box<Formula>),
    /// `F <=> G`
    Iff(Box<Formula>, Box<Formula>),
    /// `(forall x,y:s)(F)`; without a sort, each variable is its own.
    Quantified(Quantifier, Vec<Name>, Option<Name>, Box<Formula>),
    /// `always F`
    Unary(UnaryOp, Box<Formula>),
    /// `F until G`
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where, with the parentheses around it.
    pub span: Span,
}

/// What a term is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TermKind {
    /// Stands for what could not be parsed; an error was reported.
    Missing,
    /// A variable, a field or a string constant.
    Name(Arc<str>),
    /// A number as written.
    Number(Arc<str>),
    /// A quoted string, without quotes and escapes.
    String(Arc<str>),
    /// `true`, `false`
    Boolean(bool),
    /// `p.x`: a coordinate of a point, in a definition.
    Coordinate(Arc<str>, Name),
    /// `f(t)`
    Apply(Arc<str>, Vec<Term>),
    /// `t1 + t2`
    Binary(Arithmetic, Box<Term>, Box<Term>),
    /// `-t`
    Negate(Box<Term>),
}

impl Formula {
    /// What stands where a formula could not be parsed.
    pub(super) fn missing(span: Span) -> Formula {
        Formula { kind: FormulaKind::Missing, span }
    }
}
