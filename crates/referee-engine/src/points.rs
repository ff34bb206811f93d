//! Conditions that differ only in the points at which they compare.
//!
//! An order comparison may depend on which values had been named by its point. What an earlier point had named, a later
//! one has too: so a comparison that was made earlier implies the same one made later, and their negations the other way
//! round. Conditions are positive combinations, so two that differ in nothing else imply one another in one direction,
//! if all their differences go the same way. Where every point adds such a condition, one of them is enough.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::condition::{Condition, Open, Test};
use crate::table::Table;

/// How many pairs of parts a search for an implication looks at before it gives up; the search alone is exponential.
const PATIENCE: u32 = 64;

/// Whether one condition is never truer than another, as far as a short look at their structure shows it.
pub fn implies(one: &Condition, other: &Condition) -> bool {
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

fn table_strength(own: &Table, other: &Table) -> Option<Ordering> {
    match (own, other) {
        (Table::Leaf(own), Table::Leaf(other)) => strength(own, other),
        (Table::Node(own), Table::Node(other)) if own.var == other.var && own.rows.size() == other.rows.size() => {
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
