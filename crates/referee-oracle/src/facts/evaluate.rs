//! Guards and terms.

use std::cmp::Ordering;

use referee_spec::core::facts::{EventPattern, FactGuard, FactTerm, LONGEST_NUMBER, Slot};
use referee_spec::core::{Comparison, Problem, Span};
use referee_trace::number::Number;
use referee_trace::owned::OwnedEvent;
use referee_trace::value::Value;

use super::state::Facts;
use crate::arithmetic::{Trouble, compute};

/// What guards are judged on.
pub(super) struct FactsScope<'a> {
    /// The facts that hold.
    pub facts: &'a Facts,
    /// The event at hand.
    pub event: &'a OwnedEvent,
    /// The values of the rule's variables.
    pub binding: &'a [Value],
}

/// Whether a guard holds, or why that cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FactsTruth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// This cannot be computed.
    Stuck(Trouble),
}

impl From<bool> for FactsTruth {
    fn from(truth: bool) -> FactsTruth {
        if truth { FactsTruth::True } else { FactsTruth::False }
    }
}

impl FactsScope<'_> {
    /// Whether all of them hold.
    pub(super) fn all(&self, guards: &[FactGuard]) -> FactsTruth {
        let truths: Vec<FactsTruth> = guards.iter().map(|guard| self.holds(guard)).collect();
        if truths.contains(&FactsTruth::False) {
            return FactsTruth::False;
        }
        truths.into_iter().find(|truth| *truth != FactsTruth::True).unwrap_or(FactsTruth::True)
    }

    fn holds(&self, guard: &FactGuard) -> FactsTruth {
        match guard {
            FactGuard::Constant(truth) => (*truth).into(),
            FactGuard::Not(body) => opposite(self.holds(body)),
            FactGuard::And(all) => self.all(all),
            // One of them holds unless all of their opposites do.
            FactGuard::Or(all) => {
                let negated: Vec<FactGuard> = all.iter().map(|guard| FactGuard::Not(Box::new(guard.clone()))).collect();
                opposite(self.all(&negated))
            }
            FactGuard::Compare(comparison, left, right) => match (self.value(left), self.value(right)) {
                (Err(trouble), _) | (_, Err(trouble)) => FactsTruth::Stuck(trouble),
                (Ok(Some(left)), Ok(Some(right))) => compare(*comparison, &left, &right).into(),
                _ => FactsTruth::False,
            },
            FactGuard::Holds(relation, terms) => {
                let given: Vec<&FactTerm> = terms.iter().flatten().collect();
                let values = match self.all_values(&given) {
                    Ok(Some(values)) => values,
                    Ok(None) => return FactsTruth::False,
                    Err(trouble) => return FactsTruth::Stuck(trouble),
                };
                let mut values = values.into_iter();
                let pattern: Vec<Option<Value>> =
                    terms.iter().map(|term| term.as_ref().and_then(|_| values.next())).collect();
                self.facts.keys().any(|(known, row)| known == relation && fits(&pattern, row)).into()
            }
            FactGuard::Happens(pattern) => self.happens(pattern).into(),
            FactGuard::Defined(term) => match self.value(term) {
                Ok(value) => value.is_some().into(),
                Err(trouble) => FactsTruth::Stuck(trouble),
            },
        }
    }

    fn happens(&self, pattern: &EventPattern) -> bool {
        let event = self.event;
        let fits = |(slot, value): (&Slot, Value)| match slot {
            Slot::Any => true,
            Slot::Constant(constant) => *constant == value,
            Slot::Variable(variable) => self.binding[*variable] == value,
        };
        pattern.admits(&event.name, event.positional)
            && pattern.arguments.iter().zip(event.arguments.iter().map(|text| text.value())).all(fits)
    }

    /// The values of all terms; nothing if one has none, but what cannot be computed comes first.
    fn all_values(&self, terms: &[&FactTerm]) -> Result<Option<Vec<Value>>, Trouble> {
        let values: Result<Vec<Option<Value>>, Trouble> = terms.iter().map(|term| self.value(term)).collect();
        Ok(values?.into_iter().collect())
    }

    /// The value of a term, if it has one.
    fn value(&self, term: &FactTerm) -> Result<Option<Value>, Trouble> {
        Ok(match term {
            FactTerm::Variable(variable) => Some(self.binding[*variable].clone()),
            FactTerm::Constant(value) => Some(value.clone()),
            FactTerm::Field(field) => {
                self.event.arguments.iter().find(|argument| argument.name == *field).map(|argument| argument.value())
            }
            FactTerm::Size(relation) => {
                let count = self.facts.keys().filter(|(known, _)| known == relation).count();
                Some(Value::Number(Number::Int(count as i64)))
            }
            FactTerm::Lookup(relation, keys) => {
                let Some(wanted) = self.all_values(&keys.iter().collect::<Vec<_>>())? else { return Ok(None) };
                let row = self.facts.keys().find(|(known, row)| known == relation && row.starts_with(&wanted));
                row.and_then(|(_, row)| row.last().cloned())
            }
            FactTerm::Binary(operator, left, right, span) => match (self.value(left)?, self.value(right)?) {
                (None, _) | (_, None) => return Err((Problem::Unbound, *span)),
                (Some(Value::Number(left)), Some(Value::Number(right))) => {
                    let result = compute(*operator, &left, &right).ok_or((Problem::DivisionByZero, *span))?;
                    if is_too_long(&result) {
                        return Err((Problem::TooLong, *span));
                    }
                    Some(Value::Number(result))
                }
                _ => return Err((Problem::NotANumber, *span)),
            },
        })
    }

    /// The values of a fact that is inserted.
    pub(super) fn row(&self, terms: &[FactTerm], span: Span) -> Result<Vec<Value>, Trouble> {
        terms.iter().map(|term| self.value(term)?.ok_or((Problem::Unbound, span))).collect()
    }

    /// The values of the facts that are removed.
    pub(super) fn pattern(&self, terms: &[Option<FactTerm>], span: Span) -> Result<Vec<Option<Value>>, Trouble> {
        let value = |term: &Option<FactTerm>| match term {
            None => Ok(None),
            Some(term) => Ok(Some(self.value(term)?.ok_or((Problem::Unbound, span))?)),
        };
        terms.iter().map(value).collect()
    }
}

/// Whether a row has the values that a pattern demands.
pub(super) fn fits(pattern: &[Option<Value>], row: &[Value]) -> bool {
    pattern.iter().zip(row).all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value))
}

fn opposite(truth: FactsTruth) -> FactsTruth {
    match truth {
        FactsTruth::True => FactsTruth::False,
        FactsTruth::False => FactsTruth::True,
        stuck @ FactsTruth::Stuck(_) => stuck,
    }
}

fn is_too_long(number: &Number) -> bool {
    match number {
        Number::Int(_) => false,
        Number::Ratio(ratio) => ratio.numer().bits() + ratio.denom().bits() > LONGEST_NUMBER,
    }
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        Comparison::Substring | Comparison::Matches => false,
    }
}
