//! Terms and comparisons.

use std::cmp::Ordering;

use referee_spec::core::{Arithmetic, Comparison, Equality, Function, Problem, Term, UnseenOrder};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

use crate::arithmetic::compute;
use crate::assignment::{Datum, Failure, Place};
use crate::evaluate::Evaluator;
use crate::world::{Event, ValueId};

impl Evaluator<'_> {
    fn event(&self, place: Place<'_>) -> Option<&Event> {
        self.world.point(place.point).events.get(place.event?)
    }

    /// The value of a term.
    pub(crate) fn term(&mut self, term: &Term, place: Place<'_>) -> Result<Datum, Failure> {
        match term {
            Term::Variable(variable) => place.assignment.get(*variable).ok_or(Failure::NoValue),
            Term::Constant(value) => Ok(Datum::Value(self.world.intern(value.clone()))),
            Term::Field(field) => {
                let value = self.event(place).and_then(|event| event.field(field));
                value.map(Datum::Value).ok_or(Failure::NoValue)
            }
            Term::Any => Err(Failure::NoValue),
            Term::PointNumber => Ok(self.number(Number::Int(place.point as i64 - 1))),
            Term::PointTime => Ok(self.number(self.world.point(place.point).time.clone())),
            Term::Binary(operation, left, right) => self.arithmetic(*operation, left, right, place),
            Term::Negate(body) => {
                let number = self.operand(body, place)?;
                Ok(self.number(number.neg()))
            }
            Term::Apply(function, body) => self.apply(*function, body, place),
        }
    }

    fn number(&mut self, number: Number) -> Datum {
        Datum::Value(self.world.intern(Value::Number(number)))
    }

    /// The number that a term is.
    fn operand(&mut self, term: &Term, place: Place<'_>) -> Result<Number, Failure> {
        match self.term(term, place)? {
            Datum::Value(id) => self.world.number(id).ok_or(Failure::NoValue),
            Datum::Anonymous(_) => Err(self.unnamed()),
        }
    }

    /// What comes of computing with a value that nobody has named.
    fn unnamed(&self) -> Failure {
        match self.property.unseen_order {
            UnseenOrder::Undecided => Failure::Problem(Problem::UnnamedValue),
            UnseenOrder::False => Failure::NoValue,
        }
    }

    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: &Term,
        right: &Term,
        place: Place<'_>,
    ) -> Result<Datum, Failure> {
        let (left, right) = both(self.operand(left, place), self.operand(right, place))?;
        // Only between integers is anything cut off.
        let operation = match operation {
            Arithmetic::DivideTruncating if !(left.is_integer() && right.is_integer()) => Arithmetic::Divide,
            other => other,
        };
        let number = compute(operation, &left, &right).ok_or(Failure::Problem(Problem::DivisionByZero))?;
        Ok(self.number(number))
    }

    fn apply(&mut self, function: Function, body: &Term, place: Place<'_>) -> Result<Datum, Failure> {
        let id = match self.term(body, place)? {
            Datum::Value(id) => id,
            Datum::Anonymous(_) => return Err(self.unnamed()),
        };
        let value = match (function, self.world.value(id)) {
            (Function::ToInteger, Value::Number(number)) => Value::Number(number.trunc()),
            (Function::ToDecimal, Value::Number(number)) => Value::Number(number.clone()),
            (Function::ToText, Value::Number(number)) => Value::string(&number.to_string()),
            (Function::ParseInteger, Value::String(text)) if Type::of(text) == Type::Integer => Value::of(text),
            (Function::ParseDecimal, Value::String(text)) if Number::parse(text).is_some() => Value::of(text),
            _ => return Err(Failure::NoValue),
        };
        Ok(Datum::Value(self.world.intern(value)))
    }

    /// Whether two terms have values that compare so.
    pub(crate) fn compare(
        &mut self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        place: Place<'_>,
    ) -> Result<bool, Failure> {
        let (left, right) = both(self.term(left, place), self.term(right, place))?;
        let (Datum::Value(left), Datum::Value(right)) = (left, right) else {
            return match comparison {
                Comparison::Equal => self.equal(left, right),
                Comparison::NotEqual => self.equal(left, right).map(|equal| !equal),
                _ => Err(self.unnamed()),
            };
        };
        let order = self.order(left, right, place.point);
        let texts = strings(self.world.value(left), self.world.value(right));
        Ok(match comparison {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Comparison::Substring => texts.is_some_and(|(part, whole)| whole.contains(part)),
            Comparison::Matches => texts.is_some_and(|(text, pattern)| matches(text, pattern)),
        })
    }

    /// Whether two values are equal.
    ///
    /// Computing with named values can yield one that nobody has named. An anonymous value may or may not be that one.
    pub(crate) fn equal(&self, left: Datum, right: Datum) -> Result<bool, Failure> {
        match (left, right) {
            (Datum::Value(id), Datum::Anonymous(_)) | (Datum::Anonymous(_), Datum::Value(id)) => {
                if self.world.is_named(id, self.known) { Ok(false) } else { Err(self.unnamed()) }
            }
            _ => Ok(left == right),
        }
    }

    /// How two values are ordered at a point, if they are.
    fn order(&self, left: ValueId, right: ValueId, point: usize) -> Option<Ordering> {
        let named = |id| self.world.is_named(id, point);
        let everything_counts = self.property.unseen_order == UnseenOrder::Undecided;
        if let (Some(a), Some(b)) = (self.world.number(left), self.world.number(right)) {
            return (everything_counts || named(left) && named(right)).then(|| a.cmp(&b));
        }
        let (a, b) = strings(self.world.value(left), self.world.value(right))?;
        (everything_counts && self.property.equality == Equality::ByValue).then(|| a.cmp(b))
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
