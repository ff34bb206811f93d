//! Formulas, terms and intervals.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::aggregate::AggregateFunction;

/// A variable of a property; every quantifier binds one of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A definition of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefId(pub u32);

impl DefId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in the specification's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A formula and where it stands in the specification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Formula {
    /// What it says.
    pub kind: Kind,
    /// Where it was written; for formulas that a lowering adds, where their reason was written.
    pub span: Span,
}

impl Formula {
    /// A formula written at `span`.
    pub fn new(kind: Kind, span: Span) -> Formula {
        Formula { kind, span }
    }
}

/// What a formula says; see the module's table for its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Constant(bool),
    /// An event happens now.
    Event(EventAtom),
    /// Two terms without fields compare.
    Compare(Comparison, Term, Term),
    /// One event of the point makes a comparison over its fields true.
    Observe(Observation),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction; true if empty.
    And(Vec<Formula>),
    /// Disjunction; false if empty.
    Or(Vec<Formula>),
    /// Implication.
    Implies(Box<Formula>, Box<Formula>),
    /// Equivalence.
    Iff(Box<Formula>, Box<Formula>),
    /// For all or some values of a variable.
    Quantified(Quantifier, VarId, Box<Formula>),
    /// A temporal operator with one argument.
    Unary(UnaryOp, Interval, Box<Formula>),
    /// A temporal operator with two arguments.
    Binary(BinaryOp, Interval, Box<Formula>, Box<Formula>),
    /// A regular expression over points.
    Match(Direction, Interval, Regex),
    /// A definition applied to terms.
    Call(DefId, Vec<Term>),
    /// A number over the values that satisfy a formula.
    Aggregate(Box<Aggregation>),
}

/// `result` is what `function` makes of the values of `over` in all assignments that satisfy the body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Aggregation {
    /// The variable that is the result.
    pub result: VarId,
    /// How the values are put together.
    pub function: AggregateFunction,
    /// The variable whose values are put together; free in the body.
    pub over: VarId,
    /// The variables whose values make a group; free in the body, each once, and none of them the result.
    pub groups: Vec<VarId>,
    /// What must hold of an assignment. Its free variables other than the groups are bound here.
    pub body: Formula,
}

impl Aggregation {
    /// The variables that the aggregation binds: those free in its body, without the groups.
    pub fn own(&self) -> BTreeSet<VarId> {
        let mut own = self.body.free_variables();
        own.retain(|variable| !self.groups.contains(variable));
        own
    }
}

/// `forall` or `exists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some value.
    Exists,
}

/// Temporal operators with one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// At the previous point, which exists.
    Prev,
    /// At the previous point, if there is one.
    WeakPrev,
    /// At the next point, which exists.
    Next,
    /// At the next point, if there is one.
    WeakNext,
    /// At some point up to now.
    Once,
    /// At all points up to now.
    Historically,
    /// At some point from now on.
    Eventually,
    /// At all points from now on.
    Always,
}

/// Temporal operators with two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// The right side once, and the left side ever since.
    Since,
    /// As `Since`, but the right side strictly before now.
    StrictSince,
    /// `Since`, or the left side at all points up to now.
    WeakSince,
    /// The dual of `Since`.
    Trigger,
    /// The right side at some point from now on, the left side until then.
    Until,
    /// `Until`, or the left side at all points from now on.
    WeakUntil,
    /// The dual of `Until`.
    Release,
}

/// Which way a regular expression reads the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From some earlier point to now.
    Past,
    /// From now to some later point.
    Future,
}

/// A regular expression over points.
///
/// It relates two points i ≤ j. In the future direction a step tests its formula at the point it leaves; in the past
/// direction at the point it arrives at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Regex {
    /// `.`: one step, to the next point.
    Any,
    /// `F`: a test and a step.
    Step(Box<Formula>),
    /// `F?`: a test at the point, without a step.
    Test(Box<Formula>),
    /// One after the other.
    Concat(Box<Regex>, Box<Regex>),
    /// Either.
    Choice(Box<Regex>, Box<Regex>),
    /// Any number of times.
    Star(Box<Regex>),
}

/// Durations from `low` to `high`, each end included or not; no `high` is no bound.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The shortest duration.
    pub low: Number,
    /// Whether `low` itself belongs to the interval.
    pub low_included: bool,
    /// The longest duration.
    pub high: Option<Number>,
    /// Whether `high` itself belongs to the interval.
    pub high_included: bool,
}

impl Interval {
    /// [0, ∞): every duration.
    pub fn all() -> Interval {
        Interval { low: Number::ZERO, low_included: true, high: None, high_included: false }
    }

    /// Whether this is [0, ∞), so that time does not matter.
    pub fn is_all(&self) -> bool {
        self.high.is_none() && self.low_included && self.low == Number::ZERO
    }

    /// Whether a duration belongs to the interval.
    pub fn contains(&self, duration: &Number) -> bool {
        let low = if self.low_included { *duration >= self.low } else { *duration > self.low };
        low && !self.is_before(duration)
    }

    /// Whether a duration, and so every longer one, is past the interval.
    pub fn is_before(&self, duration: &Number) -> bool {
        match &self.high {
            None => false,
            Some(high) if self.high_included => duration > high,
            Some(high) => duration >= high,
        }
    }
}

/// An event's name and, unless any will do, its positional arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EventAtom {
    /// The event's name; `tp`, `ts` and `tpts` of MFOTL are lowered to terms, not to events.
    pub name: Arc<str>,
    /// The arguments; nothing where a bare name stands for the event with any arguments.
    pub arguments: Option<Vec<Term>>,
}

/// One event of the point has the required fields, and a comparison over its fields is true of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Observation {
    /// Fields that the event must have, with these values.
    pub required: Vec<(Arc<str>, Term)>,
    /// Fields that the event must have, with any value.
    pub present: Vec<Arc<str>>,
    /// What must hold of the event's fields; nothing if their presence is enough.
    pub constraint: Option<Constraint>,
}

/// A comparison of two terms that may mention fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// How.
    pub comparison: Comparison,
    /// The left term.
    pub left: Term,
    /// The right term.
    pub right: Term,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// The left string is part of the right one.
    Substring,
    /// The left string matches the regular expression that the right one writes.
    Matches,
}

/// A term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable.
    Variable(VarId),
    /// A constant.
    Constant(Value),
    /// A field of the event at hand; only in [`Observation`]s.
    Field(Arc<str>),
    /// Anything: only as a whole argument of an event.
    Any,
    /// The number of the current point, from 0.
    PointNumber,
    /// The time of the current point.
    PointTime,
    /// Arithmetic.
    Binary(Arithmetic, Box<Term>, Box<Term>),
    /// The negative.
    Negate(Box<Term>),
    /// A conversion.
    Apply(Function, Box<Term>),
}

/// Arithmetic on numbers; on anything else there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, exact.
    Divide,
    /// `/` on integers, cut off towards zero.
    DivideTruncating,
    /// `MOD`, with the sign of the dividend.
    Modulo,
}

/// Conversions of MFOTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// `f2i`: cut off towards zero.
    ToInteger,
    /// `i2f`: the same number.
    ToDecimal,
    /// `i2s`, `f2s`: the number's text.
    ToText,
    /// `s2i`: the integer that a text writes.
    ParseInteger,
    /// `s2f`: the number that a text writes.
    ParseDecimal,
}

impl Kind {
    /// The formulas directly below this one, in textual order.
    pub fn children(&self) -> Vec<&Formula> {
        match self {
            Kind::Constant(_) | Kind::Event(_) | Kind::Compare(..) | Kind::Observe(_) | Kind::Call(..) => Vec::new(),
            Kind::Not(body) | Kind::Quantified(_, _, body) | Kind::Unary(_, _, body) => vec![body],
            Kind::And(all) | Kind::Or(all) => all.iter().collect(),
            Kind::Implies(left, right) | Kind::Iff(left, right) | Kind::Binary(_, _, left, right) => vec![left, right],
            Kind::Match(_, _, regex) => regex.formulas(),
            Kind::Aggregate(aggregation) => vec![&aggregation.body],
        }
    }

    /// The terms that stand directly in this formula.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Kind::Event(atom) => atom.arguments.iter().flatten().collect(),
            Kind::Compare(_, left, right) => vec![left, right],
            Kind::Observe(observation) => {
                let constraint =
                    observation.constraint.iter().flat_map(|constraint| [&constraint.left, &constraint.right]);
                observation.required.iter().map(|(_, term)| term).chain(constraint).collect()
            }
            Kind::Call(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }
}

impl Formula {
    /// Calls `visit` for this formula and all below it, outermost first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Formula)) {
        visit(self);
        for child in self.kind.children() {
            child.visit(visit);
        }
    }

    /// The variables that occur in this formula and are not bound in it.
    pub fn free_variables(&self) -> BTreeSet<VarId> {
        if let Kind::Aggregate(aggregation) = &self.kind {
            return aggregation.groups.iter().copied().chain([aggregation.result]).collect();
        }
        let mut free: BTreeSet<VarId> = self.kind.children().into_iter().flat_map(Formula::free_variables).collect();
        if let Kind::Quantified(_, variable, _) = &self.kind {
            free.remove(variable);
        }
        for term in self.kind.terms() {
            term.collect_variables(&mut free);
        }
        free
    }
}

impl Regex {
    /// The formulas that the expression tests, in textual order.
    pub fn formulas(&self) -> Vec<&Formula> {
        match self {
            Regex::Any => Vec::new(),
            Regex::Step(formula) | Regex::Test(formula) => vec![formula],
            Regex::Concat(left, right) | Regex::Choice(left, right) => [left.formulas(), right.formulas()].concat(),
            Regex::Star(body) => body.formulas(),
        }
    }
}

impl Term {
    /// Adds the variables of this term to `variables`.
    pub fn collect_variables(&self, variables: &mut BTreeSet<VarId>) {
        match self {
            Term::Variable(variable) => {
                variables.insert(*variable);
            }
            Term::Binary(_, left, right) => {
                left.collect_variables(variables);
                right.collect_variables(variables);
            }
            Term::Negate(body) | Term::Apply(_, body) => body.collect_variables(variables),
            Term::Constant(_) | Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => {}
        }
    }
}
