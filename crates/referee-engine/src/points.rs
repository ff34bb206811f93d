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

/// Compares two conditions that differ at most in the points of their tests: the greater one implies the lesser.
pub fn strength(own: &Condition, other: &Condition) -> Option<Ordering> {
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
