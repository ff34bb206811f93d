//! Evaluates limits: comparisons of results, groups and constants.

use referee_spec::core::{Comparison, Formula, Kind, Term, VarId};
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::groups::{GroupId, TallyGroups};
use super::shape::TallyShape;
use crate::shared::aggregate::integer_total;
use crate::shared::arithmetic::{calculate, convert};

/// What a group must exceed to violate the policy.
#[derive(Debug, Clone)]
pub(super) enum Limit {
    /// One sum or count against an integer, or its negation: the usual case, without any value being built.
    Integer { negated: bool, comparison: Comparison, bound: i128 },
    /// All of these.
    Formulas(Vec<Formula>),
}

impl Limit {
    /// The limit of a policy.
    pub(super) fn of(shape: &TallyShape) -> Limit {
        Limit::integer(shape).unwrap_or_else(|| Limit::Formulas(shape.limits.clone()))
    }

    fn integer(shape: &TallyShape) -> Option<Limit> {
        let ([one], [limit]) = (&shape.aggregates[..], &shape.limits[..]) else { return None };
        let summed = integer_total(one.function).is_some();
        let (negated, kind) = match &limit.kind {
            Kind::Not(body) => (true, &body.kind),
            kind => (false, kind),
        };
        match kind {
            Kind::Compare(comparison, Term::Variable(result), Term::Constant(Value::Number(Number::Int(bound))))
                if summed && *result == one.result && is_order(*comparison) =>
            {
                Some(Limit::Integer { negated, comparison: *comparison, bound: i128::from(*bound) })
            }
            _ => None,
        }
    }

    /// Whether the only state of a group exceeds the limit; nothing if that takes more than integers.
    #[inline]
    pub(super) fn quick(&self, groups: &TallyGroups, id: GroupId) -> Option<bool> {
        let Limit::Integer { negated, comparison, bound } = self else { return None };
        let (&[recipe], [state]) = (groups.recipes(), groups.states(id)) else { return None };
        if state.is_empty() && recipe.grouped {
            return Some(false);
        }
        let order = state.integer(recipe)?.cmp(bound);
        let holds = match comparison {
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
            Comparison::Equal => order.is_eq(),
            _ => order.is_ne(),
        };
        Some(holds != *negated)
    }

    /// Whether the limit is exceeded where variables have these values.
    pub(super) fn holds(&self, shape: &TallyShape, value: &impl Fn(VarId) -> Option<Value>) -> bool {
        let formulas = match self {
            Limit::Integer { .. } => &shape.limits,
            Limit::Formulas(formulas) => formulas,
        };
        formulas.iter().all(|formula| holds(formula, value))
    }
}

fn is_order(comparison: Comparison) -> bool {
    !matches!(comparison, Comparison::Substring | Comparison::Matches)
}

/// Whether a formula over values alone holds.
pub(super) fn holds(formula: &Formula, value: &impl Fn(VarId) -> Option<Value>) -> bool {
    match &formula.kind {
        Kind::Constant(truth) => *truth,
        Kind::Not(body) => !holds(body, value),
        Kind::And(parts) => parts.iter().all(|part| holds(part, value)),
        Kind::Or(parts) => parts.iter().any(|part| holds(part, value)),
        Kind::Implies(left, right) => !holds(left, value) || holds(right, value),
        Kind::Iff(left, right) => holds(left, value) == holds(right, value),
        Kind::Compare(comparison, left, right) => match (term(left, value), term(right, value)) {
            (Some(left), Some(right)) => compare(*comparison, &left, &right),
            _ => false,
        },
        // The shape has nothing else in limits and filters.
        _ => false,
    }
}

fn term(written: &Term, value: &impl Fn(VarId) -> Option<Value>) -> Option<Value> {
    match written {
        Term::Variable(variable) => value(*variable),
        Term::Constant(constant) => Some(constant.clone()),
        Term::Binary(operation, left, right) => match (term(left, value)?, term(right, value)?) {
            (Value::Number(left), Value::Number(right)) => calculate(*operation, &left, &right).ok(),
            _ => None,
        },
        Term::Negate(body) => Some(Value::Number(term(body, value)?.as_number()?.neg())),
        Term::Apply(function, body) => convert(*function, &term(body, value)?),
        Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => None,
    }
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> bool {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    };
    let texts = match (left, right) {
        (Value::String(left), Value::String(right)) => Some((&**left, &**right)),
        _ => None,
    };
    match comparison {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        Comparison::Less => order.is_some_and(|order| order.is_lt()),
        Comparison::LessOrEqual => order.is_some_and(|order| order.is_le()),
        Comparison::Greater => order.is_some_and(|order| order.is_gt()),
        Comparison::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
        Comparison::Substring => texts.is_some_and(|(part, whole)| whole.contains(part)),
        Comparison::Matches => {
            texts.is_some_and(|(text, pattern)| regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)))
        }
    }
}
