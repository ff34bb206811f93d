//! Rewritings of the logic, each with its side condition and the reason why it is right.
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | split | `φ S (a ∨ b) = (φ S a) ∨ (φ S b)` | applied when a and b have different variables | a witness of the disjunction is one of a part |
//! | miniscope | `∃x (a ∨ b) = ∃x a ∨ ∃x b`, `∃x (a ∧ b) = a ∧ ∃x b` | x not in a | first-order logic, every domain here being non-empty |
//! | project | `∃x (φ S ψ) = φ S ∃x ψ`, also below `@` | x not in φ | the witness point may depend on x, φ does not |
//! | absorb | `φ S m = m` | m monotone, no interval | if m holds now, now is the witness; if it does not, it never did |
//! | stamps | `P (a ∧ m)`: the last a is not before the first m | m monotone with variables that a lacks, no interval | if some point has both, m holds from it on, so the last a is as good a witness |
//! | prenex | `∃x φ` is violated at a point iff some row of the table of φ is true there: x is a column, and no binding | a check that no event drives; φ restricts x | the rows of such a table are kept up by what changes, which names the x that it is about |
//! | gather | `(φ S a) ∨ (φ S b) = φ S (a ∨ b)`, and the common conjuncts of a and b once | a check that no event drives; a and b have the same variables | a witness of one is one of the disjunction |
//! | reduce | `¬∃l (¬m(x,l) ∧ ¬n(y,l))` implies `¬∃l (¬∃x m ∧ ¬∃y n)`, which is added to it | none; applied when some side lacks x, and some lacks y | what no x has, this x has not |
//! | latch | the rows that are violations now are those that were at some point, `m = P m` | a check that no event drives; m stays true once it is | what was so is so: no row of the table ever goes, and nothing has to look whether one does |
//!
//! The laws run in this order, innermost first. Without them the program is slower, never wrong; [`Passes`] switches each
//! off, and a fault of its own shows that a wrong law would be found ([`crate::faults`]). Laws about demands, sorts,
//! definitions and windows are in [`crate::fo::compile::lower`], [`crate::fo::compile::future_to_past`], [`crate::fo::compile::sort_coverage`], [`crate::fo::compile::recursion`] and [`crate::fo::store::join`],
//! those about tables in [`crate::fo::compile::shared_views`] and [`crate::fo::compile::previous_state`], that about parts for the interpreter in [`crate::fo::compile::fallback`].

use std::collections::BTreeSet;

use referee_spec::core::Interval;

use crate::faults::{self, Fault};
use crate::fo::compile::logic::{Defined, Logic};
use crate::fo::compile::restricted::restricted;
use crate::fo::passes::Passes;
use crate::fo::types::Var;

/// Applies the laws that are switched on.
pub(crate) fn rewrite(logic: Logic, passes: &Passes) -> Logic {
    let below = |body: Box<Logic>| rewrite(*body, passes);
    match logic {
        Logic::Constant(_) | Logic::Event(_) | Logic::Compare(_) | Logic::Own(..) | Logic::Part(..) => logic,
        Logic::Defined(defined) => Logic::Defined(Box::new(Defined {
            left: rewrite(defined.left, passes),
            right: rewrite(defined.right, passes),
            ..*defined
        })),
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

/// A formula that looks at one table instead of several, where that can be, outside its temporal operators.
pub(crate) fn gather(logic: Logic, passes: &Passes) -> Logic {
    match logic {
        logic if !passes.gather => logic,
        Logic::Or(parts) => Logic::or(gathered(parts.into_iter().map(|part| gather(part, passes)))),
        Logic::And(parts) => {
            let negated = gathered(parts.into_iter().map(|part| gather(part, passes).negate()));
            Logic::and(negated.into_iter().map(Logic::negate))
        }
        Logic::Not(body) => gather(*body, passes).negate(),
        Logic::Exists(variables, body) => Logic::exists(variables, gather(*body, passes)),
        other => other,
    }
}

/// Disjuncts, of which those that are the same but for what they look for become one.
fn gathered(parts: impl Iterator<Item = Logic>) -> Vec<Logic> {
    let mut all: Vec<Logic> = Vec::new();
    for part in parts {
        let Logic::Since(interval, left, right) = part else {
            all.push(part);
            continue;
        };
        let known = all.iter_mut().find_map(|known| match known {
            Logic::Since(own, other, body) if *own == interval && (*other == left || faults::is(Fault::Gather)) => {
                (body.free() == right.free()).then_some(body)
            }
            _ => None,
        });
        match known {
            Some(body) => **body = either(body, &right),
            None => all.push(Logic::Since(interval, left, right)),
        }
    }
    all
}

/// A disjunction, with what both sides have in common outside.
fn either(one: &Logic, other: &Logic) -> Logic {
    let (ones, others) = (one.conjuncts(), other.conjuncts());
    let rest = |parts: &[&Logic], without: &[&Logic]| {
        Logic::and(parts.iter().filter(|part| !without.contains(part)).map(|part| (*part).clone()))
    };
    let common: Vec<&Logic> = ones.iter().copied().filter(|part| others.contains(part)).collect();
    let both = Logic::or([rest(&ones, &common), rest(&others, &common)]);
    Logic::and(common.into_iter().cloned().chain([both]))
}

/// A formula without the quantifiers in front of it, whose variables are then free, where it restricts all of them.
pub(crate) fn prenex(logic: Logic, passes: &Passes) -> Logic {
    let opened = without_quantifiers(logic.clone());
    match passes.prenex && opened.free().is_subset(&restricted(&opened)) {
        true => opened,
        false => logic,
    }
}

/// What keeps the rows of a check that no event drives: nothing has to, or what it says is asked at every point anew.
pub(crate) fn latch(logic: &Logic, passes: &Passes) -> Logic {
    Logic::Constant(passes.latch && (faults::is(Fault::Latch) || logic.stays(true)))
}

fn without_quantifiers(logic: Logic) -> Logic {
    match logic {
        Logic::Exists(_, body) => without_quantifiers(*body),
        Logic::And(parts) => Logic::and(parts.into_iter().map(without_quantifiers)),
        other => other,
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
    let is_own = |variable: &Var| !shared.contains(variable) && free.iter().any(|free| !free.contains(variable));
    let own: Vec<Vec<Var>> = free.iter().map(|free| free.iter().copied().filter(is_own).collect()).collect();
    // What holds of some value of an interpreted part, nobody can ask.
    let is_asked = body.has_parts();
    if !passes.reduce || is_asked || own.iter().filter(|own| !own.is_empty()).collect::<BTreeSet<_>>().len() < 2 {
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
    if passes.absorb && interval.is_all() && is_plainly_monotone(&right) {
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
fn is_plainly_monotone(logic: &Logic) -> bool {
    matches!(logic, Logic::Since(..)) && (faults::is(Fault::Absorb) || logic.is_monotone())
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
        let bound: BTreeSet<Var> = event
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
