//! Rewritings of the logic, each with its side condition and the reason why it is right.
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | split | `φ S (a ∨ b) = (φ S a) ∨ (φ S b)` | applied when a and b have different variables | a witness of the disjunction is one of a part |
//! | miniscope | `∃x (a ∨ b) = ∃x a ∨ ∃x b`, `∃x (a ∧ b) = a ∧ ∃x b` | x not in a | first-order logic, every domain here being non-empty |
//! | project | `∃x (φ S ψ) = φ S ∃x ψ`, also below `@` | x not in φ | the witness point may depend on x, φ does not |
//! | absorb | `φ S m = m` | m monotone, no interval | if m holds now, now is the witness; if it does not, it never did |
//! | stamps | `P (a ∧ m)`: the last a is not before the first m | m monotone with variables that a lacks, no interval | if some point has both, m holds from it on, so the last a is as good a witness |
//!
//! | reduce | `¬∃l (¬m(x,l) ∧ ¬n(y,l))` implies `¬∃l (¬∃x m ∧ ¬∃y n)`, which is added to it | x not in n, y not in m | what no x has, this x has not |
//!
//! The laws run in this order, innermost first. Without them the program is slower, never wrong; [`Passes`] switches each
//! off, and can break one on purpose, for the test that shows that a wrong law would be found.

use referee_spec::core::Interval;

use super::logic::{Logic, Var};

/// Which passes the compiler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passes {
    /// Split `S` at disjunctions.
    pub split: bool,
    /// Push `∃` inwards.
    pub miniscope: bool,
    /// Push `∃` below `S`.
    pub project: bool,
    /// Drop `S` above monotone formulas.
    pub absorb: bool,
    /// Compare stamps instead of storing pairs.
    pub stamps: bool,
    /// Add cheaper consequences to joins.
    pub reduce: bool,
    /// Let one event of a conjunction stand for all its triggers.
    pub drivers: bool,
    /// Read old values in place instead of keeping a delayed copy.
    pub old_values: bool,
    /// Reach rows by indexes instead of scanning tables.
    pub indexes: bool,
    /// Drop events in the reader that the properties cannot see.
    pub filter: bool,
    /// Run points with one event by handlers instead of plans.
    pub handlers: bool,
    /// Break `absorb` on purpose: forget its side condition.
    pub broken: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes {
        split: true,
        miniscope: true,
        project: true,
        absorb: true,
        stamps: true,
        reduce: true,
        drivers: true,
        old_values: true,
        indexes: true,
        filter: true,
        handlers: true,
        broken: false,
    };

    /// None of them.
    pub const NONE: Passes = Passes {
        split: false,
        miniscope: false,
        project: false,
        absorb: false,
        stamps: false,
        reduce: false,
        drivers: false,
        old_values: false,
        indexes: false,
        filter: false,
        handlers: false,
        broken: false,
    };

    /// The names of the passes, as the hidden option of `check` takes them.
    pub const NAMES: [&'static str; 11] = [
        "split",
        "miniscope",
        "project",
        "absorb",
        "stamps",
        "reduce",
        "drivers",
        "old-values",
        "indexes",
        "filter",
        "handlers",
    ];

    /// Switches a pass by its name; tells whether there is one.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let pass = match name {
            "split" => &mut self.split,
            "miniscope" => &mut self.miniscope,
            "project" => &mut self.project,
            "absorb" => &mut self.absorb,
            "stamps" => &mut self.stamps,
            "reduce" => &mut self.reduce,
            "drivers" => &mut self.drivers,
            "old-values" => &mut self.old_values,
            "indexes" => &mut self.indexes,
            "filter" => &mut self.filter,
            "handlers" => &mut self.handlers,
            _ => return false,
        };
        *pass = on;
        true
    }
}

/// Applies the laws that are switched on.
pub fn rewrite(logic: Logic, passes: &Passes) -> Logic {
    let below = |body: Box<Logic>| rewrite(*body, passes);
    match logic {
        Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) => logic,
        Logic::Not(body) => with_cheaper(below(body).negate(), passes),
        Logic::And(parts) => with_cheaper(Logic::and(parts.into_iter().map(|part| rewrite(part, passes))), passes),
        Logic::Or(parts) => Logic::or(parts.into_iter().map(|part| rewrite(part, passes))),
        Logic::Exists(variables, body) => {
            let body = below(body);
            variables.into_iter().rev().fold(body, |body, variable| exists(variable, body, passes))
        }
        Logic::Prev(body) => previous(below(body)),
        Logic::Since(interval, left, right) => since(interval, below(left), below(right), passes),
        Logic::Last(event, state) => Logic::Last(Box::new(below(event)), Box::new(below(state))),
    }
}

/// A conjunction with what its joins imply.
fn with_cheaper(logic: Logic, passes: &Passes) -> Logic {
    let Logic::And(parts) = logic else { return logic };
    let cheaper: Vec<Logic> = parts.iter().filter_map(|part| reduced(part, passes)).collect();
    let new: Vec<Logic> = cheaper.into_iter().filter(|part| !parts.contains(part)).collect();
    Logic::and(parts.into_iter().chain(new))
}

/// What a join implies of each of its sides alone: a test that needs no pair of rows.
fn reduced(part: &Logic, passes: &Passes) -> Option<Logic> {
    let Logic::Not(body) = part else { return None };
    let Logic::Exists(shared, body) = &**body else { return None };
    let Logic::And(sides) = &**body else { return None };
    let free: Vec<_> = sides.iter().map(Logic::free).collect();
    let is_own = |at: usize, variable: &Var| {
        let elsewhere = free.iter().enumerate().any(|(other, free)| other != at && free.contains(variable));
        !elsewhere && !shared.contains(variable)
    };
    let own: Vec<Vec<Var>> = free
        .iter()
        .enumerate()
        .map(|(at, free)| free.iter().copied().filter(|variable| is_own(at, variable)).collect())
        .collect();
    if !passes.reduce || own.iter().filter(|own| !own.is_empty()).count() < 2 {
        return None;
    }
    let sides: Option<Vec<Logic>> = sides
        .iter()
        .zip(own)
        .map(|(side, own)| match side {
            side if own.is_empty() => Some(side.clone()),
            Logic::Not(body) => {
                let any = own.into_iter().fold((**body).clone(), |body, variable| exists(variable, body, passes));
                Some(any.negate())
            }
            _ => None,
        })
        .collect();
    let join = Logic::and(sides?);
    let some = shared.iter().rev().fold(join, |join, variable| exists(*variable, join, passes));
    Some(some.negate())
}

/// `@` above what came of an operator: a law may have split it.
fn previous(body: Logic) -> Logic {
    match body {
        Logic::Or(parts) => Logic::or(parts.into_iter().map(previous)),
        Logic::Exists(variables, body) => Logic::Exists(variables, Box::new(previous(*body))),
        other => Logic::Prev(Box::new(other)),
    }
}

/// `∃x`, as far inside as the laws allow.
fn exists(variable: Var, body: Logic, passes: &Passes) -> Logic {
    if !body.free().contains(&variable) {
        return body;
    }
    match body {
        Logic::Or(parts) if passes.miniscope => Logic::or(parts.into_iter().map(|part| exists(variable, part, passes))),
        Logic::And(parts) if passes.miniscope => {
            let (with, without): (Vec<Logic>, Vec<Logic>) =
                parts.into_iter().partition(|part| part.free().contains(&variable));
            match <[Logic; 1]>::try_from(with) {
                Ok([only]) => Logic::and(without.into_iter().chain([exists(variable, only, passes)])),
                Err(with) => {
                    let inner = Logic::exists(vec![variable], Logic::and(with));
                    Logic::and(without.into_iter().chain([inner]))
                }
            }
        }
        Logic::Since(interval, left, right) if passes.project && !left.free().contains(&variable) => {
            since(interval, *left, exists(variable, *right, passes), passes)
        }
        Logic::Prev(inner) if passes.project && matches!(*inner, Logic::Since(..)) => {
            previous(exists(variable, *inner, passes))
        }
        other => Logic::exists(vec![variable], other),
    }
}

fn since(interval: Interval, left: Logic, right: Logic, passes: &Passes) -> Logic {
    if let Logic::Or(parts) = right {
        let variables: Vec<_> = parts.iter().map(Logic::free).collect();
        if passes.split && variables.windows(2).any(|pair| pair[0] != pair[1]) {
            return Logic::or(parts.into_iter().map(|part| since(interval.clone(), left.clone(), part, passes)));
        }
        return Logic::since(interval, left, Logic::Or(parts));
    }
    if passes.absorb && interval.is_all() && is_plainly_monotone(&right, passes) {
        return right;
    }
    if passes.stamps
        && interval.is_all()
        && left == Logic::TRUE
        && let Some(last) = stamped(&right)
    {
        return last;
    }
    Logic::since(interval, left, right)
}

/// Whether a formula is one monotone operator: what is built of several is left to be a table of its own.
fn is_plainly_monotone(logic: &Logic, passes: &Passes) -> bool {
    matches!(logic, Logic::Since(..)) && (passes.broken || logic.is_monotone())
}

/// `P (a ∧ m)` by stamps, if the conjunction has such a form: an event in a, and variables of m that a lacks.
fn stamped(right: &Logic) -> Option<Logic> {
    let Logic::And(parts) = right else { return None };
    let is_state = |part: &Logic| match part {
        Logic::Since(..) => part.is_monotone(),
        Logic::Prev(body) => matches!(**body, Logic::Since(..)) && body.is_monotone(),
        _ => false,
    };
    for (index, state) in parts.iter().enumerate().filter(|(_, part)| is_state(part)) {
        let others: Vec<Logic> =
            parts.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, part)| part.clone()).collect();
        let event = Logic::and(others);
        let happens = event.conjuncts().iter().any(|part| matches!(part, Logic::Event(_)));
        let bound: std::collections::BTreeSet<Var> = event
            .conjuncts()
            .iter()
            .filter_map(|part| match part {
                Logic::Event(event) => Some(event.bound()),
                _ => None,
            })
            .flatten()
            .collect();
        if happens && event.free().is_subset(&bound) && !state.free().is_subset(&bound) {
            return Some(Logic::Last(Box::new(event), Box::new(state.clone())));
        }
    }
    None
}
