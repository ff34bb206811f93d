//! Joins conditions, and leaves out those that others imply.
//!
//! **Conditions are simplified only by laws that hold in Kleene's logic** (neutral, absorbing and repeated members), never
//! by `a or not a`: a verdict is decided when its structure decides it, as the semantics demands.
//!
//! A condition implies another one that differs from it only in the points at which they compare. An order comparison may
//! depend on which values had been named by its point. What an earlier point had named, a later one has too: so a
//! comparison that was made earlier implies the same one made later, and their negations the other way round. Conditions
//! are positive combinations, so two that differ in nothing else imply one another in one direction, if all their
//! differences go the same way. Where every point adds such a condition, one of them is enough.

use std::cmp::Ordering;
use std::sync::Arc;

use referee_spec::core::Obstacle;

use crate::fo::interpret::obligation::Later;
use crate::fo::interpret::operand::Test;
use crate::fo::interpret::table::{Condition, ConditionTable, Open};

/// The conjunction (`all`) or disjunction of conditions.
pub(crate) fn join(all: bool, members: impl IntoIterator<Item = Condition>) -> Condition {
    let mut joined: Vec<Condition> = Vec::new();
    for member in members {
        match &member {
            Condition::Constant(truth) if *truth == all => {}
            Condition::Constant(_) => return member,
            Condition::Open(node) => match &node.open {
                Open::All(inner) if all => inner.iter().for_each(|inner| add(&mut joined, inner, all)),
                Open::Any(inner) if !all => inner.iter().for_each(|inner| add(&mut joined, inner, all)),
                _ => add(&mut joined, &member, all),
            },
        }
    }
    match joined.len() {
        0 => Condition::Constant(all),
        1 => joined.swap_remove(0),
        _ => Condition::open(if all { Open::All(joined) } else { Open::Any(joined) }),
    }
}

/// Adds a member unless others absorb it, and drops those that it absorbs.
///
/// `a or (a and b)` is `a` in Kleene's logic too, and of obstacles only the first is ever reported. Without this a window
/// of comparisons would grow with every point.
fn add(joined: &mut Vec<Condition>, member: &Condition, all: bool) {
    if let Some(later) = as_later(member) {
        let older = |own: &&mut Condition| as_later(own).is_some_and(|own| own == later && own.opened > later.opened);
        if let Some(own) = joined.iter_mut().find(older) {
            *own = member.clone();
            return;
        }
    }
    // The stronger of two decides a conjunction, the weaker a disjunction.
    let absorbs = |one: &Condition, other: &Condition| match (as_stuck(one), as_stuck(other)) {
        (Some(one), Some(other)) => one.point <= other.point && one.span == other.span && one.problem == other.problem,
        _ if all => implies(one, other),
        _ => implies(other, one),
    };
    if !joined.iter().any(|own| absorbs(own, member)) {
        joined.retain(|own| !absorbs(member, own));
        joined.push(member.clone());
    }
}

fn as_later(condition: &Condition) -> Option<&Later> {
    match condition {
        Condition::Open(node) => match &node.open {
            Open::Later(later) => Some(later),
            _ => None,
        },
        Condition::Constant(_) => None,
    }
}

fn as_stuck(condition: &Condition) -> Option<&Obstacle> {
    match condition {
        Condition::Open(node) => match &node.open {
            Open::Stuck(obstacle) => Some(obstacle),
            _ => None,
        },
        Condition::Constant(_) => None,
    }
}

/// How many pairs of parts a search for an implication looks at before it gives up; the search alone is exponential.
const PATIENCE: u32 = 64;

/// Whether one condition is never truer than another, as far as a short look at their structure shows it.
fn implies(one: &Condition, other: &Condition) -> bool {
    shown(one, other, &mut PATIENCE.clone())
}

fn shown(one: &Condition, other: &Condition, patience: &mut u32) -> bool {
    let Some(left) = patience.checked_sub(1) else { return false };
    *patience = left;
    if strength(one, other).is_some_and(Ordering::is_ge) {
        return true;
    }
    let (Condition::Open(one_node), Condition::Open(other_node)) = (one, other) else { return false };
    match (&one_node.open, &other_node.open) {
        (Open::Any(members), _) => members.iter().all(|member| shown(member, other, patience)),
        (_, Open::All(members)) => members.iter().all(|member| shown(one, member, patience)),
        (Open::All(members), Open::Any(others)) => {
            members.iter().any(|member| shown(member, other, patience))
                || others.iter().any(|other| shown(one, other, patience))
        }
        (Open::All(members), _) => members.iter().any(|member| shown(member, other, patience)),
        (_, Open::Any(members)) => members.iter().any(|member| shown(one, member, patience)),
        _ => false,
    }
}

/// Compares two conditions that differ at most in the points of their tests: the greater one implies the lesser.
fn strength(own: &Condition, other: &Condition) -> Option<Ordering> {
    let (own, other) = match (own, other) {
        (Condition::Open(own), Condition::Open(other)) if !Arc::ptr_eq(own, other) => (own, other),
        _ => return (own == other).then_some(Ordering::Equal),
    };
    match (&own.open, &other.open) {
        (Open::All(own), Open::All(other)) | (Open::Any(own), Open::Any(other)) if own.len() == other.len() => {
            own.iter().zip(other).try_fold(Ordering::Equal, |sum, (own, other)| joined(sum, strength(own, other)?))
        }
        (Open::Test(own), Open::Test(other)) => test_strength(own, other),
        (Open::Residual(own), Open::Residual(other))
            if (own.quantifier, own.var, own.scope, &own.apart)
                == (other.quantifier, other.var, other.scope, &other.apart) =>
        {
            table_strength(&own.body, &other.body)
        }
        (own, other) => (own == other).then_some(Ordering::Equal),
    }
}

fn test_strength(own: &Test, other: &Test) -> Option<Ordering> {
    let earlier = other.point.cmp(&own.point);
    own.same_but_point(other).then_some(if own.negated { earlier.reverse() } else { earlier })
}

fn table_strength(own: &ConditionTable, other: &ConditionTable) -> Option<Ordering> {
    match (own, other) {
        (ConditionTable::Leaf(own), ConditionTable::Leaf(other)) => strength(own, other),
        (ConditionTable::Node(own), ConditionTable::Node(other))
            if own.var == other.var && own.rows.size() == other.rows.size() =>
        {
            let rest = table_strength(&own.rest, &other.rest)?;
            own.rows.iter().zip(other.rows.iter()).try_fold(rest, |sum, ((value, own), (other_value, other))| {
                if value == other_value { joined(sum, table_strength(own, other)?) } else { None }
            })
        }
        _ => None,
    }
}

/// Differences that go the same way; nothing where they do not.
fn joined(one: Ordering, other: Ordering) -> Option<Ordering> {
    (one == other || one.is_eq() || other.is_eq()).then_some(one.then(other))
}

#[cfg(test)]
mod tests {
    use referee_spec::core::{Comparison, Problem, Span};
    use referee_trace::number::Number;

    use super::*;
    use crate::fo::interpret::obligation::FutureId;
    use crate::fo::interpret::operand::{Operand, OperandSlot};
    use crate::fo::interpret::table::MOST_DEPTH;
    use crate::fo::interpret::variables::FormulaVar;

    fn test(point: u64, span: usize) -> Condition {
        let side = |number: u32| Operand::Slot(OperandSlot::Var(FormulaVar(number)));
        let span = Span { start: span, end: span + 1 };
        let (left, right) = (side(0), side(u32::try_from(span.start).expect("small")));
        Condition::open(Open::Test(Test { comparison: Comparison::Less, left, right, negated: false, point, span }))
    }

    #[test]
    fn conditions_do_not_nest_without_end() {
        let mut nested = test(1, 1);
        for level in 2..2000 {
            nested = join(level % 2 == 0, [test(7, level), nested]);
            assert!(nested.depth() <= MOST_DEPTH, "level {level}");
        }
        let obstacle = nested.obstacle().expect("the innermost levels were given up");
        assert_eq!((obstacle.problem, obstacle.point), (Problem::TooDeep, 7));
    }

    #[test]
    fn the_older_of_two_obligations_is_kept() {
        let later = |opened| {
            let slots = Arc::from([]);
            let later = Later { future: FutureId(0), origin: Number::ZERO, slots, negated: false, opened };
            Condition::open(Open::Later(later))
        };
        for order in [[3, 5], [5, 3]] {
            let joined = join(true, order.map(later));
            assert_eq!(joined.opened(), Some(3), "{order:?}");
        }
    }
}
