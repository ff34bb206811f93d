//! Evaluates terms and comparisons at a point, for given values of the variables.

use std::cmp::Ordering;

use referee_spec::core::{Comparison, Equality, Problem, Term, UnseenOrder, VarId};
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::history::{FormulaHistory, HistoryEvent};
use crate::shared::arithmetic::{calculate, convert};
use crate::shared::universe::ValueId;

/// What a variable or a term stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum WhyDatum {
    /// A value of the history.
    Known(ValueId),
    /// A value that only a computation yields.
    Computed(Value),
    /// One of the values that nobody has named; equal numbers are equal values.
    Anonymous(usize),
}

/// The values of the variables, by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Assignment(Vec<Option<WhyDatum>>);

impl Assignment {
    /// No variable has a value.
    pub(crate) fn empty(variables: usize) -> Assignment {
        Assignment(vec![None; variables])
    }

    /// The value of a variable.
    pub(crate) fn get(&self, variable: VarId) -> Option<&WhyDatum> {
        self.0.get(variable.index())?.as_ref()
    }

    /// The same with another value for one variable.
    pub(crate) fn with(&self, variable: VarId, datum: WhyDatum) -> Assignment {
        let mut changed = self.clone();
        if let Some(place) = changed.0.get_mut(variable.index()) {
            *place = Some(datum);
        }
        changed
    }

    /// The same without a value for one variable.
    pub(crate) fn without(&self, variable: VarId) -> Assignment {
        let mut changed = self.clone();
        if let Some(place) = changed.0.get_mut(variable.index()) {
            *place = None;
        }
        changed
    }
}

/// Why a term has no value: there is none, or it cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// There is none, such as the sum of two strings.
    NoValue,
    /// It cannot be told.
    Undecidable,
}

/// Where a term is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct TermPlace<'a> {
    pub point: usize,
    /// The last point that is known.
    pub known: usize,
    /// The event at hand, in observations.
    pub event: Option<HistoryEvent<'a>>,
    pub assignment: &'a Assignment,
}

impl FormulaHistory {
    /// The value of a term.
    pub(crate) fn term(&self, term: &Term, place: TermPlace<'_>) -> Result<WhyDatum, Failure> {
        match term {
            Term::Variable(variable) => place.assignment.get(*variable).cloned().ok_or(Failure::NoValue),
            Term::Constant(value) => Ok(self.datum(value.clone())),
            Term::Field(field) => {
                let value = place.event.and_then(|event| event.field(field));
                value.map(WhyDatum::Known).ok_or(Failure::NoValue)
            }
            Term::Any => Err(Failure::NoValue),
            Term::PointNumber => Ok(self.datum(Value::from(place.point as i64 - 1))),
            Term::PointTime => Ok(self.datum(Value::Number(self.time(place.point).clone()))),
            Term::Binary(operation, left, right) => {
                let (left, right) = both(self.operand(left, place), self.operand(right, place))?;
                let undecidable = |_: Problem| Failure::Undecidable;
                calculate(*operation, &left, &right).map(|value| self.datum(value)).map_err(undecidable)
            }
            Term::Negate(body) => Ok(self.datum(Value::Number(self.operand(body, place)?.neg()))),
            Term::Apply(function, body) => {
                let body = self.term(body, place)?;
                let value = self.value_of(&body).ok_or(self.unnamed())?;
                convert(*function, value).map(|value| self.datum(value)).ok_or(Failure::NoValue)
            }
        }
    }

    /// A value, by its number if it has one.
    pub(crate) fn datum(&self, value: Value) -> WhyDatum {
        let value = self.normal(value);
        self.find(&value).map_or(WhyDatum::Computed(value), WhyDatum::Known)
    }

    /// The value that a datum is, unless it is anonymous.
    pub(crate) fn value_of<'a>(&'a self, datum: &'a WhyDatum) -> Option<&'a Value> {
        match datum {
            WhyDatum::Known(id) => Some(self.value(*id)),
            WhyDatum::Computed(value) => Some(value),
            WhyDatum::Anonymous(_) => None,
        }
    }

    fn number(&self, value: &Value) -> Option<Number> {
        match (self.property().equality, value) {
            (Equality::ByText, Value::String(text)) => Number::parse(text),
            _ => value.as_number().cloned(),
        }
    }

    fn operand(&self, term: &Term, place: TermPlace<'_>) -> Result<Number, Failure> {
        let datum = self.term(term, place)?;
        let value = self.value_of(&datum).ok_or(self.unnamed())?;
        self.number(value).ok_or(Failure::NoValue)
    }

    /// What comes of computing with a value that nobody has named.
    fn unnamed(&self) -> Failure {
        match self.property().unseen_order {
            UnseenOrder::Undecided => Failure::Undecidable,
            UnseenOrder::False => Failure::NoValue,
        }
    }

    /// Whether two terms have values that compare so.
    pub(crate) fn compare(
        &self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        place: TermPlace<'_>,
    ) -> Result<bool, Failure> {
        let (left, right) = both(self.term(left, place), self.term(right, place))?;
        match comparison {
            Comparison::Equal => return self.equal(&left, &right, place.known),
            Comparison::NotEqual => return self.equal(&left, &right, place.known).map(|equal| !equal),
            _ => {}
        }
        let (Some(a), Some(b)) = (self.value_of(&left), self.value_of(&right)) else { return Err(self.unnamed()) };
        let order = || self.order((&left, a), (&right, b), place.point);
        Ok(match comparison {
            Comparison::Less => order() == Some(Ordering::Less),
            Comparison::LessOrEqual => order().is_some_and(Ordering::is_le),
            Comparison::Greater => order() == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
            Comparison::Substring => strings(a, b).is_some_and(|(part, whole)| whole.contains(part)),
            _ => strings(a, b).is_some_and(|(text, pattern)| matches(text, pattern)),
        })
    }

    /// Whether two values are equal; an anonymous one may or may not be what a computation yields.
    pub(crate) fn equal(&self, left: &WhyDatum, right: &WhyDatum, known: usize) -> Result<bool, Failure> {
        match (left, right) {
            (WhyDatum::Known(id), WhyDatum::Anonymous(_)) | (WhyDatum::Anonymous(_), WhyDatum::Known(id)) => {
                if self.is_named(*id, known) { Ok(false) } else { Err(self.unnamed()) }
            }
            (WhyDatum::Computed(_), WhyDatum::Anonymous(_)) | (WhyDatum::Anonymous(_), WhyDatum::Computed(_)) => {
                Err(self.unnamed())
            }
            _ => Ok(left == right),
        }
    }

    fn order(&self, left: (&WhyDatum, &Value), right: (&WhyDatum, &Value), point: usize) -> Option<Ordering> {
        let everything_counts = self.property().unseen_order == UnseenOrder::Undecided;
        let named = |datum: &WhyDatum| matches!(datum, WhyDatum::Known(id) if self.is_named(*id, point));
        if let (Some(a), Some(b)) = (self.number(left.1), self.number(right.1)) {
            return (everything_counts || named(left.0) && named(right.0)).then(|| a.cmp(&b));
        }
        let (a, b) = strings(left.1, right.1)?;
        (everything_counts && self.property().equality == Equality::ByValue).then(|| a.cmp(b))
    }
}

/// Both, or why not: what has no value has none, whatever the other side may be.
fn both<T>(left: Result<T, Failure>, right: Result<T, Failure>) -> Result<(T, T), Failure> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok((left, right)),
        (Err(left), Err(right)) => Err(left.min(right)),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

fn strings<'a>(left: &'a Value, right: &'a Value) -> Option<(&'a str, &'a str)> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some((left, right)),
        _ => None,
    }
}

/// Whether some part of a text matches a regular expression; nothing matches what is none.
fn matches(text: &str, pattern: &str) -> bool {
    regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}
