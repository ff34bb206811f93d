//! The core of quantitative logic: propositions, strict metric until and since, and counts over windows.
//!
//! SOLOIST lowers to it. It is a core of its own beside [`super::Formula`], because it has no variables: a position is a
//! set of atoms and a time, every window needs one queue, and the whole is judged once.
//!
//! # Meaning
//!
//! A trace is a sequence of positions 1..n with times t_1 < t_2 < … < t_n. An atom is the name of an event. At position i:
//!
//! | statement | holds at i iff |
//! |---|---|
//! | `Atom(p)` | an event of position i is called p |
//! | `φ Until_I ψ` | some j > i, t_j − t_i ∈ I, ψ at j, φ at all k with i < k < j |
//! | `φ Since_I ψ` | some j < i, t_i − t_j ∈ I, ψ at j, φ at all k with j < k < i |
//! | `Count_K ⋈ n (p)` | c(t_i − K, t_i) ⋈ n |
//! | `Average_{K,h} ⋈ n (p)` | c(t_i − ⌊K/h⌋h, t_i) / ⌊K/h⌋ ⋈ n |
//! | `Maximum_{K,h} ⋈ n (p)` | the largest of c(max(t_i − K, t_i − (m+1)h), t_i − mh), for m = 0..⌊K/h⌋, ⋈ n |
//! | `Distance_K ⋈ n (p, q)` | the mean of t_t − t_s over all pairs (s, t) ⋈ n |
//!
//! where c(a, b) is the number of positions with a < time ≤ b at which p holds, and (s, t) is a pair if t_i − K < t_s ≤ t_i,
//! p holds at s, and t is the first position after s with q, t ≤ i. Without a pair the distance is false, or true if the
//! rule is `vacuous`. If the rule wants full windows, all four also ask that t_i ≥ K.
//!
//! **Decided.** As in [`super`]: after position k everything that reads a later position is unknown in Kleene's sense, unless
//! time excludes it. Times increase strictly, so for `Until` that is when t_k − t_i has reached the end of I.
//!
//! **The empty trace.** Nothing happens: atoms, until and since are false, counts are 0 and there are no pairs; no window is
//! full.

use std::sync::Arc;

use referee_trace::number::Number;

use super::formula::{Comparison, Interval, Span};
use super::language::Language;

/// One rule of a quantitative specification, judged once, at the first position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityRule {
    /// Its name; the file's stem where it has none.
    pub name: Arc<str>,
    /// The language it was written in.
    pub language: Language,
    /// The text that all spans point into.
    pub source: Arc<str>,
    /// What must hold at the first position.
    pub body: QuantityStatement,
    /// Whether a modality is false as long as less than its window has passed.
    pub full_window: bool,
    /// Whether a distance without a pair is true.
    pub vacuous: bool,
}

impl QuantityRule {
    /// The text at a span.
    pub fn text(&self, span: Span) -> &str {
        self.source.get(span.start..span.end).unwrap_or("")
    }

    /// The atoms of the rule, each once, in textual order.
    pub fn atoms(&self) -> Vec<Arc<str>> {
        let mut atoms: Vec<Arc<str>> = Vec::new();
        self.body.visit(&mut |statement| {
            if let StatementKind::Atom(name) = &statement.kind
                && !atoms.contains(name)
            {
                atoms.push(name.clone());
            }
        });
        atoms
    }
}

/// A statement and where it stands in the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityStatement {
    /// What it says.
    pub kind: StatementKind,
    /// Where it was written; for statements that a lowering adds, where their reason was written.
    pub span: Span,
}

/// What a statement says; see the module's table for its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// True or false.
    Constant(bool),
    /// An event of this name happens now.
    Atom(Arc<str>),
    /// Negation.
    Not(Box<QuantityStatement>),
    /// Conjunction; true if empty.
    And(Vec<QuantityStatement>),
    /// Disjunction; false if empty.
    Or(Vec<QuantityStatement>),
    /// Equivalence.
    Iff(Box<QuantityStatement>, Box<QuantityStatement>),
    /// Strict until or since: the interval, the left and the right side.
    Reach(StrictOperator, Interval, Box<QuantityStatement>, Box<QuantityStatement>),
    /// A bound on what a window holds.
    Modality(Box<Modality>),
}

/// Which way a strict operator looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StrictOperator {
    /// To later positions.
    Until,
    /// To earlier positions.
    Since,
}

/// A number that is measured over the window that ends now, and its bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modality {
    /// What is measured.
    pub measure: Measure,
    /// The length of the window.
    pub window: Number,
    /// How the number compares with the bound: one of `<`, `<=`, `>=`, `>`, `=`.
    pub comparison: Comparison,
    /// The bound.
    pub bound: Number,
}

/// What is measured; arguments are Boolean combinations of atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// How often something held.
    Count(QuantityStatement),
    /// How often it held per stretch of this length, on average; the stretch is not 0 and no longer than the window.
    Average(QuantityStatement, Number),
    /// How often it held in the richest stretch of this length, which is not 0.
    Maximum(QuantityStatement, Number),
    /// How much time passed on average from the first thing to the second.
    Distance(QuantityStatement, QuantityStatement),
}

impl Measure {
    /// The arguments.
    pub fn arguments(&self) -> Vec<&QuantityStatement> {
        match self {
            Measure::Count(of) | Measure::Average(of, _) | Measure::Maximum(of, _) => vec![of],
            Measure::Distance(from, to) => vec![from, to],
        }
    }

    /// "the count", as messages name it.
    pub fn words(&self) -> &'static str {
        match self {
            Measure::Count(_) => "the count",
            Measure::Average(..) => "the average",
            Measure::Maximum(..) => "the maximum",
            Measure::Distance(..) => "the mean distance",
        }
    }
}

impl Modality {
    /// How many whole stretches the window of an average or a maximum holds; 0 for the others.
    pub fn stretches(&self) -> Number {
        match &self.measure {
            Measure::Average(_, stretch) | Measure::Maximum(_, stretch) => {
                self.window.div_trunc(stretch).unwrap_or(Number::ZERO)
            }
            Measure::Count(_) | Measure::Distance(..) => Number::ZERO,
        }
    }
}

impl QuantityStatement {
    /// A statement written at `span`.
    pub fn new(kind: StatementKind, span: Span) -> QuantityStatement {
        QuantityStatement { kind, span }
    }

    /// The negation, without a second one on top of a first.
    #[must_use]
    pub fn negated(self) -> QuantityStatement {
        let span = self.span;
        match self.kind {
            StatementKind::Not(body) => *body,
            StatementKind::Constant(truth) => QuantityStatement::new(StatementKind::Constant(!truth), span),
            kind => QuantityStatement::new(StatementKind::Not(Box::new(QuantityStatement::new(kind, span))), span),
        }
    }

    /// The statements directly below this one, in textual order.
    pub fn children(&self) -> Vec<&QuantityStatement> {
        match &self.kind {
            StatementKind::Constant(_) | StatementKind::Atom(_) => Vec::new(),
            StatementKind::Not(body) => vec![body],
            StatementKind::And(all) | StatementKind::Or(all) => all.iter().collect(),
            StatementKind::Iff(left, right) | StatementKind::Reach(_, _, left, right) => vec![left, right],
            StatementKind::Modality(modality) => modality.measure.arguments(),
        }
    }

    /// Calls `visit` for this statement and all below it, outermost first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a QuantityStatement)) {
        visit(self);
        self.children().into_iter().for_each(|child| child.visit(visit));
    }
}
