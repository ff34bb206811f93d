//! Formulas written in Rust: short names for every construct, for generators and tests.
//!
//! ```
//! use referee_spec::core::builder::*;
//! use referee_spec::core::{Judgement, Language};
//!
//! // forall x . always (open(x) -> eventually close(x))
//! let mut property = PropertyBuilder::new(Language::Mfotl, Judgement::EveryBinding);
//! let x = property.binding("x");
//! let body = implies(event("open", [var(x)]), eventually(event("close", [var(x)])));
//! assert_eq!(property.build(body).bindings.len(), 1);
//! ```
//!
//! Spans are empty; [`at`] sets one.

use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::aggregate::AggregateFunction;
use super::formula::{
    Aggregation, Arithmetic, BinaryOp, Comparison, DefId, Direction, EventAtom, Formula, Interval, Kind, Quantifier,
    Regex, Span, Term, UnaryOp, VarId,
};
use super::language::Language;
use super::property::{
    Binding, Definition, Domain, Equality, Judgement, Position, Property, Sort, SortId, UnseenOrder, Variable,
};

/// A formula of this kind, without a place in a text.
pub fn formula(kind: Kind) -> Formula {
    Formula::new(kind, Span::default())
}

/// The same formula, written at these bytes.
pub fn at(start: usize, end: usize, formula: Formula) -> Formula {
    Formula { span: Span { start, end }, ..formula }
}

/// True or false.
pub fn constant(truth: bool) -> Formula {
    formula(Kind::Constant(truth))
}

/// An event with these arguments happens now.
pub fn event(name: &str, arguments: impl IntoIterator<Item = Term>) -> Formula {
    formula(Kind::Event(EventAtom { name: name.into(), arguments: Some(arguments.into_iter().collect()) }))
}

/// An event of this name happens now, whatever its arguments.
pub fn any_event(name: &str) -> Formula {
    formula(Kind::Event(EventAtom { name: name.into(), arguments: None }))
}

/// Two terms compare.
pub fn compare(left: Term, comparison: Comparison, right: Term) -> Formula {
    formula(Kind::Compare(comparison, left, right))
}

/// `left = right`
pub fn equal(left: Term, right: Term) -> Formula {
    compare(left, Comparison::Equal, right)
}

/// `left < right`
pub fn less(left: Term, right: Term) -> Formula {
    compare(left, Comparison::Less, right)
}

/// Negation.
pub fn not(body: Formula) -> Formula {
    formula(Kind::Not(Box::new(body)))
}

/// Conjunction.
pub fn and(all: impl IntoIterator<Item = Formula>) -> Formula {
    formula(Kind::And(all.into_iter().collect()))
}

/// Disjunction.
pub fn or(all: impl IntoIterator<Item = Formula>) -> Formula {
    formula(Kind::Or(all.into_iter().collect()))
}

/// Implication.
pub fn implies(left: Formula, right: Formula) -> Formula {
    formula(Kind::Implies(Box::new(left), Box::new(right)))
}

/// Equivalence.
pub fn iff(left: Formula, right: Formula) -> Formula {
    formula(Kind::Iff(Box::new(left), Box::new(right)))
}

/// For all values of a variable.
pub fn forall(variable: VarId, body: Formula) -> Formula {
    formula(Kind::Quantified(Quantifier::Forall, variable, Box::new(body)))
}

/// For some value of a variable.
pub fn exists(variable: VarId, body: Formula) -> Formula {
    formula(Kind::Quantified(Quantifier::Exists, variable, Box::new(body)))
}

/// A temporal operator with one argument, without bounds.
pub fn unary(op: UnaryOp, body: Formula) -> Formula {
    unary_within(op, Interval::all(), body)
}

/// A temporal operator with one argument.
pub fn unary_within(op: UnaryOp, interval: Interval, body: Formula) -> Formula {
    formula(Kind::Unary(op, interval, Box::new(body)))
}

/// A temporal operator with two arguments, without bounds.
pub fn binary(left: Formula, op: BinaryOp, right: Formula) -> Formula {
    binary_within(left, op, Interval::all(), right)
}

/// A temporal operator with two arguments.
pub fn binary_within(left: Formula, op: BinaryOp, interval: Interval, right: Formula) -> Formula {
    formula(Kind::Binary(op, interval, Box::new(left), Box::new(right)))
}

/// At some point up to now.
pub fn once(body: Formula) -> Formula {
    unary(UnaryOp::Once, body)
}

/// At the previous point, which exists.
pub fn prev(body: Formula) -> Formula {
    unary(UnaryOp::Prev, body)
}

/// At all points from now on.
pub fn always(body: Formula) -> Formula {
    unary(UnaryOp::Always, body)
}

/// At some point from now on.
pub fn eventually(body: Formula) -> Formula {
    unary(UnaryOp::Eventually, body)
}

/// A regular expression that ends (past) or begins (future) now.
pub fn matches(direction: Direction, interval: Interval, regex: Regex) -> Formula {
    formula(Kind::Match(direction, interval, regex))
}

/// A definition applied to terms.
pub fn call(definition: DefId, arguments: impl IntoIterator<Item = Term>) -> Formula {
    formula(Kind::Call(definition, arguments.into_iter().collect()))
}

/// A number over the values that satisfy a formula.
pub fn aggregate(
    result: VarId,
    function: AggregateFunction,
    over: VarId,
    groups: impl IntoIterator<Item = VarId>,
    body: Formula,
) -> Formula {
    let groups = groups.into_iter().collect();
    formula(Kind::Aggregate(Box::new(Aggregation { result, function, over, groups, body })))
}

/// A test and a step.
pub fn step(body: Formula) -> Regex {
    Regex::Step(Box::new(body))
}

/// A test without a step.
pub fn test(body: Formula) -> Regex {
    Regex::Test(Box::new(body))
}

/// One after the other.
pub fn concat(left: Regex, right: Regex) -> Regex {
    Regex::Concat(Box::new(left), Box::new(right))
}

/// Either.
pub fn choice(left: Regex, right: Regex) -> Regex {
    Regex::Choice(Box::new(left), Box::new(right))
}

/// Any number of times.
pub fn star(body: Regex) -> Regex {
    Regex::Star(Box::new(body))
}

/// A variable.
pub fn var(variable: VarId) -> Term {
    Term::Variable(variable)
}

/// An integer.
pub fn int(integer: i64) -> Term {
    Term::Constant(Value::from(integer))
}

/// A string.
pub fn text(text: &str) -> Term {
    Term::Constant(Value::string(text))
}

/// A field of the event at hand.
pub fn field(name: &str) -> Term {
    Term::Field(name.into())
}

/// Arithmetic.
pub fn arithmetic(left: Term, operation: Arithmetic, right: Term) -> Term {
    Term::Binary(operation, Box::new(left), Box::new(right))
}

/// [low, high]
pub fn closed(low: i64, high: i64) -> Interval {
    Interval { high: Some(Number::Int(high)), high_included: true, ..at_least(low) }
}

/// [low, high)
pub fn half_open(low: i64, high: i64) -> Interval {
    Interval { high: Some(Number::Int(high)), ..at_least(low) }
}

/// [low, ∞)
pub fn at_least(low: i64) -> Interval {
    Interval { low: Number::Int(low), ..Interval::all() }
}

/// (low, ∞)
pub fn more_than(low: i64) -> Interval {
    Interval { low_included: false, ..at_least(low) }
}

/// A property that is being put together.
#[derive(Debug, Clone)]
pub struct PropertyBuilder {
    property: Property,
}

impl PropertyBuilder {
    /// A property without variables, with the equality and the order of unseen values that its language has.
    pub fn new(language: Language, judgement: Judgement) -> PropertyBuilder {
        let qtl = language == Language::Qtl;
        let property = Property {
            name: "property".into(),
            language,
            source: "".into(),
            variables: Vec::new(),
            sorts: Vec::new(),
            definitions: Vec::new(),
            bindings: Vec::new(),
            body: constant(true),
            judgement,
            timed: language == Language::Mfotl,
            equality: if qtl { Equality::ByText } else { Equality::ByValue },
            unseen_order: if qtl { UnseenOrder::False } else { UnseenOrder::Undecided },
        };
        PropertyBuilder { property }
    }

    /// A new sort with these positions.
    pub fn sort(&mut self, name: &str, positions: impl IntoIterator<Item = Position>) -> SortId {
        let id = SortId(self.property.sorts.len() as u32);
        self.property.sorts.push(Sort { name: name.into(), positions: positions.into_iter().collect() });
        id
    }

    /// A new variable over all values.
    pub fn variable(&mut self, name: &str) -> VarId {
        self.variable_over(name, Domain::Infinite)
    }

    /// A new variable.
    pub fn variable_over(&mut self, name: &str, domain: Domain) -> VarId {
        let id = VarId(self.property.variables.len() as u32);
        self.property.variables.push(Variable { name: name.into(), domain, span: Span::default() });
        id
    }

    /// A new variable over all values, which violations report.
    pub fn binding(&mut self, name: &str) -> VarId {
        self.binding_over(name, Domain::Infinite)
    }

    /// A new variable, which violations report.
    pub fn binding_over(&mut self, name: &str, domain: Domain) -> VarId {
        let variable = self.variable_over(name, domain);
        self.property.bindings.push(Binding { variable });
        variable
    }

    /// A new definition. Its number, by which its body may call it, is known before its body is.
    pub fn define(
        &mut self,
        name: &str,
        parameters: &[VarId],
        recursive: bool,
        body: impl FnOnce(DefId) -> Formula,
    ) -> DefId {
        let id = DefId(self.property.definitions.len() as u32);
        let definition = Definition { name: name.into(), parameters: parameters.to_vec(), body: body(id), recursive };
        self.property.definitions.push(definition);
        id
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.property.variables.len()
    }

    /// The finished property.
    pub fn build(&self, body: Formula) -> Property {
        Property { body, ..self.property.clone() }
    }
}

/// The argument at this index of an event.
pub fn argument(event: &str, arity: usize, index: usize) -> Position {
    Position::Argument { event: Arc::from(event), arity, index }
}
