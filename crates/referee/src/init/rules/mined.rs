//! Orders that a sample keeps: events of one kind that always come behind one of another kind with the same value.

use std::collections::HashSet;

use referee_trace::owned::OwnedTrace;

use super::atoms::{FirstRule, atom_with};
use crate::init::kinds::EventKind;

/// How many kinds of events are compared.
const MOST_KINDS: usize = 12;

/// How many rules are told.
const MOST_RULES: usize = 3;

/// How often an order must have been kept.
const LEAST: usize = 2;

/// An order that may be one.
struct Order<'k> {
    before: &'k EventKind,
    before_at: usize,
    after: &'k EventKind,
    after_at: usize,
    /// The values that came first.
    seen: HashSet<String>,
    kept: usize,
    is_broken: bool,
}

/// The orders that were kept most often.
pub(super) fn rules(kinds: &[&EventKind], trace: &OwnedTrace) -> Vec<FirstRule> {
    let mut orders = orders(&kinds[..kinds.len().min(MOST_KINDS)]);
    for event in trace.points.iter().flat_map(|point| &point.events) {
        for order in orders.iter_mut().filter(|order| !order.is_broken) {
            let is = |kind: &EventKind| *kind.name == *event.name && kind.arguments.len() == event.positional;
            if is(order.before) {
                order.seen.insert(event.arguments[order.before_at].text.to_string());
            } else if is(order.after) {
                order.is_broken = !order.seen.contains(&*event.arguments[order.after_at].text);
                order.kept += 1;
            }
        }
    }
    orders.retain(|order| !order.is_broken && order.kept >= LEAST && order.seen.len() > 1);
    let score = |order: &Order<'_>| (order.before.arguments[order.before_at].identity(), order.seen.len(), order.kept);
    orders.sort_by_key(|order| std::cmp::Reverse(score(order)));
    let mut told: HashSet<(&str, &str)> = HashSet::new();
    orders.retain(|order| told.insert((&order.before.name, &order.after.name)));
    orders.truncate(MOST_RULES);
    orders.iter().map(written).collect()
}

/// All pairs of kinds with an argument of the same name and more than one value.
fn orders<'k>(kinds: &[&'k EventKind]) -> Vec<Order<'k>> {
    let mut orders = Vec::new();
    for before in kinds {
        for after in kinds.iter().filter(|after| after.name != before.name) {
            for (before_at, argument) in
                before.arguments.iter().enumerate().filter(|(_, argument)| argument.values.len() > 1)
            {
                let same = after.arguments.iter().position(|other| other.name == argument.name);
                orders.extend(same.map(|after_at| Order {
                    before,
                    before_at,
                    after,
                    after_at,
                    seen: HashSet::new(),
                    kept: 0,
                    is_broken: false,
                }));
            }
        }
    }
    orders
}

fn written(order: &Order<'_>) -> FirstRule {
    let Order { before, before_at, after, after_at, .. } = order;
    let key = &before.arguments[*before_at].variable;
    FirstRule::new(
        format!("`{}` comes only behind `{}` with the same {key}, as it did so far.", after.name, before.name),
        format!("{} IMPLIES ONCE {}", atom_with(after, *after_at, key), atom_with(before, *before_at, key)),
    )
}
