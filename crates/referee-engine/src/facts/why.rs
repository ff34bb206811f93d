//! Tells why rules over facts were violated: the rule, and the facts that made it fire, with the points at which they came.
//!
//! A second judge goes along with a table of values of its own and notes, at every event at which a rule fails, what it found.
//! Only what belongs to a violation is kept.

use std::sync::Arc;

use referee_spec::core::Violation;
use referee_spec::core::facts::{Action, FactGuard, FactPattern, FactTerm, Implication, RuleSet, Slot};
use referee_trace::event::{EventShape, EventShapes};
use referee_trace::points::PointView;
use referee_trace::values::{Atom, Values};

use super::judge::FactsJudge;
use super::table::{FactsTable, NONE};
use crate::judge::{Finding, Judge};

/// Follows a trace and remembers why its violations are violations.
#[derive(Debug)]
pub struct Witness {
    rules: Arc<RuleSet>,
    judge: FactsJudge,
    values: Values,
    reasons: Vec<(Violation, Vec<String>)>,
    /// Whether the judge has given up.
    is_over: bool,
}

impl Witness {
    /// A witness before the first point.
    pub fn new(rules: Arc<RuleSet>) -> Witness {
        let judge = FactsJudge::new(rules.clone());
        Witness { rules, judge, values: Values::new(), reasons: Vec::new(), is_over: false }
    }

    /// Notes a shape of events.
    pub fn shape(&mut self, shape: &EventShape) {
        self.judge.shape(shape, &mut self.values);
    }

    /// Follows a point, whose atoms are of another table of values.
    pub fn point(&mut self, point: PointView<'_>, shapes: &EventShapes, values: &Values) {
        for (shape, atoms) in point.events() {
            let own = atoms.iter().zip(shapes.arguments(shape.index())).map(|(atom, argument)| {
                let text = values.text(*atom);
                self.values.intern_as(&text, argument.declared).unwrap_or_else(|| self.values.intern(&text))
            });
            let own: Vec<Atom> = own.collect();
            if !self.is_over {
                self.event(shape.index(), &own, point.number);
            }
        }
    }

    fn event(&mut self, shape: usize, arguments: &[Atom], point: u64) {
        if !self.judge.hears(shape, arguments, &self.values) {
            return;
        }
        if self.judge.fire(shape, &mut self.values).is_err() {
            self.is_over = true;
            return;
        }
        let lines = self.lines();
        if self.judge.act(shape, point, &mut self.values).is_err() {
            self.is_over = true;
            return;
        }
        let mut found: Vec<Finding> = Vec::new();
        self.judge.report(point, &self.values, &mut found);
        self.reasons.extend(found.into_iter().map(|finding| finding.violation).zip(lines));
    }

    /// For every fail of every firing, what can be said of it; on the facts before the event.
    fn lines(&self) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for (number, binding) in self.judge.fired() {
            let rule = &self.rules.rules[number];
            let fails = rule.actions.iter().filter(|action| matches!(action, Action::Fail(..)));
            let count = fails.count();
            if count > 0 {
                let lines = self.explain_firing(number, rule, binding);
                all.extend(std::iter::repeat_n(lines, count));
            }
        }
        all
    }

    fn explain_firing(&self, number: usize, rule: &Implication, binding: &[Atom]) -> Vec<String> {
        let text = self.rules.source.get(rule.span.start..rule.span.end).unwrap_or("");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines = vec![format!("{} fires: {text}", rule.title(number))];
        for fact in rule.facts.iter().filter(|fact| !fact.arguments.is_empty()) {
            lines.extend(self.present(fact, binding));
        }
        rule.guards.iter().for_each(|guard| self.explain_guard(guard, binding, &mut lines));
        lines
    }

    /// "`Safe(A)` holds since point 3"
    fn present(&self, fact: &FactPattern, binding: &[Atom]) -> Option<String> {
        let wanted: Vec<Option<Atom>> = fact
            .arguments
            .iter()
            .map(|slot| match slot {
                Slot::Variable(variable) => binding.get(*variable).copied(),
                Slot::Constant(_) | Slot::Any => None,
            })
            .collect();
        let table = &self.judge.tables()[fact.relation];
        let constants = |slot: u32| {
            fact.arguments.iter().zip(table.row(slot)).all(|(argument, atom)| match argument {
                Slot::Constant(value) => self.values.value(*atom) == *value,
                Slot::Variable(_) | Slot::Any => true,
            })
        };
        let slot = table.slots().find(|slot| fits(&wanted, table.row(*slot)) && constants(*slot))?;
        Some(self.since(fact.relation, table, slot))
    }

    fn since(&self, relation: usize, table: &FactsTable, slot: u32) -> String {
        let fact = self.shown(relation, table.row(slot));
        match table.born(slot) {
            0 => format!("`{fact}` holds from the beginning"),
            born => format!("`{fact}` holds since point {born}"),
        }
    }

    /// `Safe(A)`
    fn shown(&self, relation: usize, row: &[Atom]) -> String {
        let values: Vec<String> = row.iter().map(|atom| self.values.text(*atom).into_owned()).collect();
        match values.as_slice() {
            [] => self.rules.relations[relation].name.to_string(),
            values => format!("{}({})", self.rules.relations[relation].name, values.join(", ")),
        }
    }

    /// What a guard says of single facts.
    fn explain_guard(&self, guard: &FactGuard, binding: &[Atom], lines: &mut Vec<String>) {
        match guard {
            FactGuard::And(all) => all.iter().for_each(|guard| self.explain_guard(guard, binding, lines)),
            FactGuard::Holds(relation, terms) => {
                let Some(wanted) = wanted(terms, binding) else { return };
                let table = &self.judge.tables()[*relation];
                let slot = table.slots().find(|slot| fits(&wanted, table.row(*slot))).unwrap_or(NONE);
                if slot != NONE {
                    lines.push(self.since(*relation, table, slot));
                }
            }
            FactGuard::Not(body) => {
                if let FactGuard::Holds(relation, terms) = &**body
                    && let Some(wanted) = wanted(terms, binding)
                {
                    let value =
                        |atom: &Option<Atom>| atom.map_or("_".into(), |atom| self.values.text(atom).into_owned());
                    let values: Vec<String> = wanted.iter().map(value).collect();
                    let name = &self.rules.relations[*relation].name;
                    let fact =
                        if values.is_empty() { name.to_string() } else { format!("{name}({})", values.join(", ")) };
                    lines.push(format!("`{fact}` does not hold"));
                }
            }
            _ => {}
        }
    }

    /// Why a violation is one, line by line.
    pub fn explain(&self, violation: &Violation) -> Vec<String> {
        if let Some((_, lines)) = self.reasons.iter().find(|(known, _)| known == violation) {
            return lines.clone();
        }
        match violation.opened {
            Some(opened) => vec![format!("the fact holds since point {opened}, and nothing has removed it")],
            None if violation.decided.is_none() => vec!["the fact holds from the beginning".to_owned()],
            None => Vec::new(),
        }
    }
}

/// The values that terms demand; nothing if one is computed.
fn wanted(terms: &[Option<FactTerm>], binding: &[Atom]) -> Option<Vec<Option<Atom>>> {
    let value = |term: &Option<FactTerm>| match term {
        None => Some(None),
        Some(FactTerm::Variable(variable)) => Some(Some(*binding.get(*variable)?)),
        Some(_) => None,
    };
    terms.iter().map(value).collect()
}

fn fits(wanted: &[Option<Atom>], row: &[Atom]) -> bool {
    wanted.iter().zip(row).all(|(wanted, atom)| wanted.is_none_or(|wanted| wanted == *atom))
}
