//! The tree of a DejaVu file, as written: macros are not inlined, intervals and bounds keep their notation.
//!
//! Chains of `&` and of `|` are one node each, whatever parentheses group them; a formula that was written in
//! parentheses has them in its span. Every node knows its place, and the comments that stood before it.

use std::sync::Arc;

use crate::core::stream::Duration;
use crate::core::{self, Quantifier, Span};

/// A whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Document {
    /// What it defines, in order.
    pub items: Vec<Item>,
    /// The comments after the last item.
    pub comments: Vec<Comment>,
}

impl Document {
    /// The properties, in textual order.
    pub(super) fn properties(&self) -> impl Iterator<Item = &Property> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Property(property) => Some(property),
            _ => None,
        })
    }
}

/// A comment, with its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Comment {
    /// Its text.
    pub text: Arc<str>,
    /// Whether a blank line sets it off from what follows.
    pub blank_after: bool,
}

/// A definition of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The comments before it, and those in it that belong to no formula.
    pub comments: Vec<Comment>,
    /// What it defines.
    pub kind: ItemKind,
    /// From its keyword to its last token.
    pub span: Span,
}

/// What an item defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// `pred name(x) = F`
    Macro(Definition),
    /// `prop name: F where …`
    Property(Property),
    /// `events name(x), …`
    Events(Vec<Head>),
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name; empty if it is missing.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

/// A defined name and its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Name>,
}

/// A macro or a rule: a named formula with parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    /// The comments before it; those of a macro belong to its item.
    pub comments: Vec<Comment>,
    /// Name and parameters.
    pub head: Head,
    /// What it stands for.
    pub body: Formula,
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    /// Its name.
    pub name: Name,
    /// What must hold at every point.
    pub formula: Formula,
    /// The rules after `where`.
    pub rules: Vec<Definition>,
}

/// A formula, its place, and the comments before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// What it says.
    pub kind: Kind,
    /// Its place, with the parentheses around it.
    pub span: Span,
    /// The comments before it.
    pub comments: Vec<Comment>,
}

impl Formula {
    /// A formula without comments.
    pub(super) fn new(kind: Kind, span: Span) -> Formula {
        Formula { kind, span, comments: Vec::new() }
    }
}

/// What a formula says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// `true` or `false`
    Constant(bool),
    /// `name(x, "a", 3)`: an event, a macro or a rule.
    Atom(Name, Vec<Argument>),
    /// `x < y`
    Relation(Relation, Argument, Argument),
    /// `!F`
    Not(Box<Formula>),
    /// `@F`
    Previous(Box<Formula>),
    /// `P F`, `P[<=n] F`, `P[>n] F`
    Once(Bound, Box<Formula>),
    /// `H F`, `H[<=n] F`, `H[>n] F`
    Historically(Bound, Box<Formula>),
    /// `F S F`, `F S[<=n] F`, `F S[>n] F`
    Since(Bound, Box<Formula>, Box<Formula>),
    /// `F Z[<=n] F`
    StrictSince(Duration, Box<Formula>, Box<Formula>),
    /// `[F, F)`
    Interval(Box<Formula>, Box<Formula>),
    /// `Forall x . F` and its three siblings.
    Quantified(Quantification, Name, Box<Formula>),
    /// `F & F & …`, at least two.
    And(Vec<Formula>),
    /// `F | F | …`, at least two.
    Or(Vec<Formula>),
    /// `F -> F`
    Implies(Box<Formula>, Box<Formula>),
    /// `F <-> F`
    Iff(Box<Formula>, Box<Formula>),
    /// Something that could not be read and was reported.
    Unreadable,
}

/// How a variable is quantified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantification {
    /// For all values or for some.
    pub quantifier: Quantifier,
    /// Whether it was written in lower case, which `--seen` reads as "among the values seen so far".
    pub lower_case: bool,
}

/// What a timed operator demands of the time that has passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing.
    None,
    /// `[<=n]`
    AtMost(Duration),
    /// `[>n]`
    MoreThan(Duration),
}

/// How two arguments compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `=`
    Equal,
}

impl Relation {
    /// How it is written.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
            Relation::Equal => "=",
        }
    }

    /// What it means.
    pub(super) fn comparison(self) -> core::Comparison {
        match self {
            Relation::Less => core::Comparison::Less,
            Relation::LessOrEqual => core::Comparison::LessOrEqual,
            Relation::Greater => core::Comparison::Greater,
            Relation::GreaterOrEqual => core::Comparison::GreaterOrEqual,
            Relation::Equal => core::Comparison::Equal,
        }
    }
}

/// An argument of an atom, or a side of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// A variable.
    Variable(Name),
    /// A constant.
    Constant(Constant),
}

/// A constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constant {
    /// The text that it stands for.
    pub text: Arc<str>,
    /// Whether it was written in quotes; `7` and `"7"` mean the same.
    pub quoted: bool,
}

impl Kind {
    /// The formulas directly below this one, in textual order.
    pub(super) fn children(&self) -> Vec<&Formula> {
        match self {
            Kind::Constant(_) | Kind::Atom(..) | Kind::Relation(..) | Kind::Unreadable => Vec::new(),
            Kind::Not(body) | Kind::Previous(body) | Kind::Quantified(_, _, body) => vec![body],
            Kind::Once(_, body) | Kind::Historically(_, body) => vec![body],
            Kind::Since(_, left, right) | Kind::StrictSince(_, left, right) => vec![left, right],
            Kind::Interval(left, right) | Kind::Implies(left, right) | Kind::Iff(left, right) => vec![left, right],
            Kind::And(all) | Kind::Or(all) => all.iter().collect(),
        }
    }

    /// The arguments that stand directly in this formula.
    pub(super) fn arguments(&self) -> Vec<&Argument> {
        match self {
            Kind::Atom(_, arguments) => arguments.iter().collect(),
            Kind::Relation(_, left, right) => vec![left, right],
            _ => Vec::new(),
        }
    }
}

impl Formula {
    /// Calls `visit` for this formula and all below it, outermost first.
    pub(super) fn visit<'t>(&'t self, visit: &mut impl FnMut(&'t Formula)) {
        visit(self);
        for child in self.kind.children() {
            child.visit(visit);
        }
    }
}
