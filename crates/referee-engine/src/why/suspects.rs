//! Finds the values of a variable that a formula can be true of, in the events of its point.
//!
//! `exists m . open(f, m) and …` needs to try only those m that the point's `open` events show, not all values there are.
//! The answer may name too many values, never too few; nothing means that all must be tried.
//!
//! | formula, to be true | values |
//! |---|---|
//! | an event with x as an argument | the values there in the point's events of that name |
//! | `x = t` | the value of t |
//! | a conjunction | those of the member with the fewest |
//! | a disjunction | those of all members |
//! | `once φ`, `ψ since φ` | those of φ at every point up to now |
//! | without x | none if the formula is false, else all |

use std::collections::BTreeSet;

use referee_spec::core::{BinaryOp, Comparison, Domain, EventAtom, Formula, Kind, Quantifier, Term, UnaryOp, VarId};

use super::evaluate::WhyEvaluator;
use super::history::HistoryEvent;
use super::terms::{Assignment, WhyDatum};
use crate::shared::universe::ValueId;

impl<'h> WhyEvaluator<'h> {
    /// A superset of the values for which `formula` may have this truth; nothing if that may be any value.
    pub(crate) fn suspects(
        &mut self,
        formula: &'h Formula,
        truth: bool,
        variable: VarId,
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ValueId>> {
        if self.is_exhausted() {
            return None;
        }
        let free = self.free(formula);
        if !free.contains(&variable) {
            let assigned = free.iter().all(|&other| given.get(other).is_some());
            let impossible = assigned && self.formula(formula, point, given) == Some(!truth);
            return impossible.then(Vec::new);
        }
        match (&formula.kind, truth) {
            (Kind::Event(atom), true) => self.shown(atom, variable, point, given),
            (Kind::Compare(Comparison::Equal, left, right), true)
            | (Kind::Compare(Comparison::NotEqual, left, right), false) => {
                self.equal_to(left, right, variable, point, given)
            }
            (Kind::Not(body), _) => self.suspects(body, !truth, variable, point, given),
            (Kind::And(members), true) | (Kind::Or(members), false) => {
                let parts = members.iter().map(|member| self.suspects(member, truth, variable, point, given));
                fewest(parts)
            }
            (Kind::And(members), false) | (Kind::Or(members), true) => {
                let parts = members.iter().map(|member| self.suspects(member, truth, variable, point, given));
                union(parts)
            }
            (Kind::Implies(left, right), _) => {
                let left = self.suspects(left, !truth, variable, point, given);
                let right = self.suspects(right, truth, variable, point, given);
                if truth { union([left, right].into_iter()) } else { fewest([left, right].into_iter()) }
            }
            (Kind::Quantified(quantifier, inner, body), _) => {
                // Over an empty domain the body does not matter.
                let matters = (*quantifier == Quantifier::Exists) == truth
                    || self.property.variable(*inner).domain == Domain::Infinite;
                if matters { self.suspects(body, truth, variable, point, given) } else { None }
            }
            _ => self.temporal_suspects(formula, truth, variable, point, given),
        }
    }

    fn temporal_suspects(
        &mut self,
        formula: &'h Formula,
        truth: bool,
        variable: VarId,
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ValueId>> {
        let (body, points) = match (&formula.kind, truth) {
            (Kind::Unary(UnaryOp::Prev, _, body), true) | (Kind::Unary(UnaryOp::WeakPrev, _, body), false) => {
                (body, point.saturating_sub(1).max(1)..=point.saturating_sub(1))
            }
            (Kind::Unary(UnaryOp::Once, _, body), true)
            | (Kind::Unary(UnaryOp::Historically, _, body), false)
            | (Kind::Binary(BinaryOp::Since | BinaryOp::StrictSince, _, _, body), true) => (body, 1..=point),
            (Kind::Unary(UnaryOp::Eventually, _, body), true)
            | (Kind::Unary(UnaryOp::Always, _, body), false)
            | (Kind::Binary(BinaryOp::Until, _, _, body), true)
                if self.ended =>
            {
                (body, point..=self.known)
            }
            _ => return None,
        };
        union(points.map(|at| self.suspects(body, truth, variable, at, given)))
    }

    /// The values that the point's events show where an atom has the variable, if its other arguments fit.
    fn shown(&self, atom: &EventAtom, variable: VarId, point: usize, given: &Assignment) -> Option<Vec<ValueId>> {
        let terms = atom.arguments.as_ref()?;
        let index = terms.iter().position(|term| *term == Term::Variable(variable))?;
        // What is not assigned yet may have any value.
        let open: Vec<Term> =
            terms.iter().map(|term| if is_assigned(term, given) { term } else { &Term::Any }).cloned().collect();
        let atom = EventAtom { name: atom.name.clone(), arguments: Some(open) };
        let fits = |event: &HistoryEvent<'_>| self.event_fits(&atom, *event, point, given) != Some(false);
        Some(self.history.events(point).filter(fits).filter_map(|event| event.values.get(index).copied()).collect())
    }

    fn equal_to(
        &self,
        left: &Term,
        right: &Term,
        variable: VarId,
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ValueId>> {
        let own = Term::Variable(variable);
        let other = if *left == own { right } else { left };
        let known = *left == own || *right == own;
        match (known && is_assigned(other, given)).then(|| self.term(other, point, given))? {
            Ok(WhyDatum::Known(id)) => Some(vec![id]),
            Ok(WhyDatum::Computed(_) | WhyDatum::Anonymous(_)) => Some(Vec::new()),
            Err(_) => None,
        }
    }
}

/// Whether all variables of a term have values.
fn is_assigned(term: &Term, given: &Assignment) -> bool {
    let mut mentioned = BTreeSet::new();
    term.collect_variables(&mut mentioned);
    mentioned.iter().all(|&variable| given.get(variable).is_some())
}

fn fewest(parts: impl Iterator<Item = Option<Vec<ValueId>>>) -> Option<Vec<ValueId>> {
    parts.flatten().min_by_key(Vec::len)
}

fn union(parts: impl Iterator<Item = Option<Vec<ValueId>>>) -> Option<Vec<ValueId>> {
    let mut all = Vec::new();
    for part in parts {
        all.extend(part?);
    }
    Some(all)
}
