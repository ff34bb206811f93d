//! Finds out which keys instances can have, as far as the clause that spawns them tells.
//!
//! ```text
//!  spawn with run when run > 0                    keys are at least 1
//!  spawn with max(a, b) when a > 0 or b > 0       either a is at least 1 or b is, so keys are at least 1
//! ```
//!
//! Specifications say `run.get(or: 0) = p` for "this event runs p", and on events without the field that concerns the
//! instance 0. Where no instance can have that key, nothing is looked for. What is found is a superset of the keys.

use referee_spec::core::stream::{Access, Expr, ExprKind, How, Operator, Spawn, Template};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

/// The integers between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PossibleRange {
    low: i64,
    high: i64,
}

const ALL: PossibleRange = PossibleRange { low: i64::MIN, high: i64::MAX };

impl PossibleRange {
    fn and(self, other: PossibleRange) -> PossibleRange {
        PossibleRange { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// What holds together: expressions and where they lie.
type Facts<'e> = Vec<(&'e Expr, PossibleRange)>;

/// How many alternatives of a condition are told apart.
const ALTERNATIVES: usize = 16;

/// Whether an instance can have this integer as its parameter of this index.
pub(super) fn is_possible(template: &Template, index: usize, key: i64) -> bool {
    template.spawns.is_empty() || template.spawns.iter().any(|spawn| begins(spawn, index, key))
}

/// Whether a clause can begin an instance with this integer there.
fn begins(spawn: &Spawn, index: usize, key: i64) -> bool {
    let Some(with) = spawn.with.get(index).filter(|with| with.value_type == Type::Integer) else { return true };
    let alternatives = spawn.when.as_ref().map_or_else(|| vec![Vec::new()], alternatives);
    alternatives.iter().any(|facts| {
        let PossibleRange { low, high } = range(with, facts);
        low <= key && key <= high
    })
}

/// What a condition says, as alternatives of which one holds wherever it does.
fn alternatives(condition: &Expr) -> Vec<Facts<'_>> {
    let found = match &condition.kind {
        ExprKind::Binary(Operator::Or, left, right) => {
            let mut found = alternatives(left);
            found.extend(alternatives(right));
            found
        }
        ExprKind::Binary(Operator::And, left, right) => {
            let (left, right) = (alternatives(left), alternatives(right));
            let joined = left.iter().flat_map(|one| right.iter().map(move |two| [&one[..], &two[..]].concat()));
            joined.take(ALTERNATIVES + 1).collect()
        }
        ExprKind::Binary(operator, left, right) => vec![fact(*operator, left, right).into_iter().collect()],
        _ => vec![Vec::new()],
    };
    if found.len() > ALTERNATIVES { vec![Vec::new()] } else { found }
}

/// What a comparison with an integer says of the other side.
fn fact<'e>(operator: Operator, left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, PossibleRange)> {
    let (operator, expression, bound) = match (integer(left), integer(right)) {
        (None, Some(bound)) => (operator, left, bound),
        (Some(bound), None) => (mirrored(operator), right, bound),
        _ => return None,
    };
    let range = match operator {
        Operator::Equal => PossibleRange { low: bound, high: bound },
        Operator::Less => PossibleRange { high: bound.checked_sub(1)?, ..ALL },
        Operator::LessOrEqual => PossibleRange { high: bound, ..ALL },
        Operator::Greater => PossibleRange { low: bound.checked_add(1)?, ..ALL },
        Operator::GreaterOrEqual => PossibleRange { low: bound, ..ALL },
        _ => return None,
    };
    (expression.value_type == Type::Integer).then_some((expression, range))
}

fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        other => other,
    }
}

fn integer(expression: &Expr) -> Option<i64> {
    match &expression.kind {
        ExprKind::Constant(Value::Number(Number::Int(integer))) => Some(*integer),
        ExprKind::Negate(body) => integer(body)?.checked_neg(),
        _ => None,
    }
}

/// Where an expression lies. Integers beyond 64 bits lie at the ends, which therefore are no bounds.
fn range(expression: &Expr, facts: &Facts<'_>) -> PossibleRange {
    let own = match &expression.kind {
        ExprKind::Binary(Operator::Maximum, left, right) => {
            let (left, right) = (range(left, facts), range(right, facts));
            PossibleRange { low: left.low.max(right.low), high: left.high.max(right.high) }
        }
        ExprKind::Binary(Operator::Minimum, left, right) => {
            let (left, right) = (range(left, facts), range(right, facts));
            PossibleRange { low: left.low.min(right.low), high: left.high.min(right.high) }
        }
        _ => integer(expression).map_or(ALL, |integer| PossibleRange { low: integer, high: integer }),
    };
    let known = facts.iter().filter(|(other, _)| is_same(expression, other)).map(|(_, range)| *range);
    known.fold(own, PossibleRange::and)
}

/// Whether two expressions are the same look at a stream without parameters at the step, wherever they stand.
fn is_same(one: &Expr, other: &Expr) -> bool {
    let (ExprKind::Access(one), ExprKind::Access(other)) = (&one.kind, &other.kind) else { return false };
    let Access { stream, key, how } = one;
    *stream == other.stream
        && key.is_empty()
        && other.key.is_empty()
        && match (how, &other.how) {
            (How::Now, How::Now) => true,
            (How::Get(one), How::Get(other)) => integer(one).is_some() && integer(one) == integer(other),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use referee_spec::core::{Language, Rule};
    use referee_spec::language::{Options, Source, compile};

    use super::*;

    /// Of the keys from -2 to 5, those that instances can have that begin so.
    fn possible(spawn: &str) -> Vec<i64> {
        let text =
            format!("input a: Int, b: Int\noutput s(p: Int) spawn {spawn} eval when a = p with 1\ntrigger s(1) > 3\n");
        let compiled = compile(Language::Lola, &Source::new("keys.lola", text.as_str()), &Options::default());
        let Some(Rule::Stream(program)) = compiled.properties.first() else { panic!("{:?}", compiled.diagnostics) };
        (-2..=5).filter(|key| is_possible(&program.outputs[0].template, 0, *key)).collect()
    }

    #[test]
    fn conditions_bound_keys() {
        let (all, above): (Vec<i64>, Vec<i64>) = ((-2..=5).collect(), (1..=5).collect());
        for (spawn, expected) in [
            ("with a", all.clone()),
            ("with a when a > 0", above.clone()),
            ("with a when 0 < a", above.clone()),
            ("with a when a >= -1 and a < 2", vec![-1, 0, 1]),
            ("with a when a = 2 or a = 4", vec![2, 4]),
            ("with a when b > 0", all.clone()),
            ("with a.get(or: 0) when a.get(or: 0) > 0", above.clone()),
            // The defaults differ, so these are two different values.
            ("with a.get(or: 0) when a.get(or: 1) > 0", all.clone()),
            ("with max(a.get(or: 0), b.get(or: 0)) when a.get(or: 0) > 0 or b.get(or: 0) > 0", above.clone()),
            ("with min(a.get(or: 0), b.get(or: 0)) when a.get(or: 0) > 0 or b.get(or: 0) > 0", all.clone()),
            ("with min(a, b) when a > 0 and b > 1", above),
            ("with a when not (a > 0)", all.clone()),
            ("with a when a > 0 spawn with b when b > 2", (1..=5).collect()),
            ("with a when a > 3 spawn with b when b = 1", vec![1, 4, 5]),
            ("with a when a > 0 spawn with b", all.clone()),
            ("with a + 1 when a > 0", all),
        ] {
            assert_eq!(possible(spawn), expected, "{spawn}");
        }
    }
}
