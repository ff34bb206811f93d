//! What is still demanded of a point after some steps: a formula that shrinks as steps come.
//!
//! A step replaces every demand on it by what it leaves open. Only constants are folded and equal parts merged, so that a residue is false
//! exactly when the structure of the formula decides it. There are finitely many residues; each gets a number, and the next one is looked up in
//! a table by number and kind of step.

use std::collections::BTreeSet;

use referee_spec::core::machine::plane::PlaneFormula;

use crate::shared::maps::Map;

/// The number of a residue.
pub(super) type ResidueId = u32;

/// Nothing will make it true.
pub(super) const FALSE: ResidueId = 0;

/// How many residues are followed.
const MOST_RESIDUES: usize = 1 << 14;

/// A kind of step, as one point sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PlaneStep {
    /// The event, if the formula names it.
    pub event: Option<usize>,
    /// The definitions in whose regions the point lies, one bit each.
    pub inside: u64,
}

/// What is still demanded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Residue {
    Constant(bool),
    /// There is a next step, and the formula holds there.
    Later(PlaneFormula),
    Not(Box<Residue>),
    And(BTreeSet<Residue>),
    Or(BTreeSet<Residue>),
}

/// All residues of a formula that were met.
#[derive(Debug)]
pub(super) struct Residues {
    list: Vec<Residue>,
    numbers: Map<Residue, ResidueId>,
    /// The kinds of steps that were met, each with its column of the table; and the last one, since most cells see the same.
    columns: Map<PlaneStep, usize>,
    last: Option<(PlaneStep, usize)>,
    table: Vec<Vec<Option<ResidueId>>>,
}

impl Residues {
    /// The residues of a formula, and the first one.
    pub(super) fn new(formula: &PlaneFormula) -> (Residues, ResidueId) {
        let mut residues = Residues {
            list: Vec::new(),
            numbers: Map::default(),
            columns: Map::default(),
            last: None,
            table: Vec::new(),
        };
        residues.intern(Residue::Constant(false));
        let first = residues.intern(Residue::Later(formula.clone()));
        (residues, first)
    }

    /// Whether there are too many.
    pub(super) fn is_too_large(&self) -> bool {
        self.list.len() > MOST_RESIDUES
    }

    fn intern(&mut self, residue: Residue) -> ResidueId {
        if let Some(&known) = self.numbers.get(&residue) {
            return known;
        }
        let number = self.list.len() as ResidueId;
        self.numbers.insert(residue.clone(), number);
        self.list.push(residue);
        self.table.push(Vec::new());
        number
    }

    /// The residue after a step.
    pub(super) fn step(&mut self, residue: ResidueId, step: PlaneStep) -> ResidueId {
        let column = self.column(step);
        if let Some(Some(known)) = self.table[residue as usize].get(column) {
            return *known;
        }
        let next = progress(&self.list[residue as usize], step);
        let next = self.intern(next);
        let row = &mut self.table[residue as usize];
        row.resize(row.len().max(column + 1), None);
        row[column] = Some(next);
        next
    }

    /// The column of a kind of step.
    fn column(&mut self, step: PlaneStep) -> usize {
        if let Some((last, column)) = self.last
            && last == step
        {
            return column;
        }
        let fresh = self.columns.len();
        let column = *self.columns.entry(step).or_insert(fresh);
        self.last = Some((step, column));
        column
    }

    /// Whether nothing is demanded any more.
    pub(super) fn is_true(&self, residue: ResidueId) -> bool {
        self.list[residue as usize] == Residue::Constant(true)
    }

    /// Whether it holds if no step comes any more.
    pub(super) fn holds_at_end(&self, residue: ResidueId) -> bool {
        at_end(&self.list[residue as usize])
    }
}

fn at_end(residue: &Residue) -> bool {
    match residue {
        Residue::Constant(truth) => *truth,
        Residue::Later(_) => false,
        Residue::Not(body) => !at_end(body),
        Residue::And(all) => all.iter().all(at_end),
        Residue::Or(all) => all.iter().any(at_end),
    }
}

fn progress(residue: &Residue, step: PlaneStep) -> Residue {
    match residue {
        Residue::Constant(truth) => Residue::Constant(*truth),
        Residue::Later(formula) => now(formula, step),
        Residue::Not(body) => not(progress(body, step)),
        Residue::And(all) => join(true, all.iter().map(|part| progress(part, step))),
        Residue::Or(all) => join(false, all.iter().map(|part| progress(part, step))),
    }
}

/// What a formula that must hold at a step leaves open.
fn now(formula: &PlaneFormula, step: PlaneStep) -> Residue {
    match formula {
        PlaneFormula::Constant(truth) => Residue::Constant(*truth),
        PlaneFormula::Event(event) => Residue::Constant(step.event == Some(*event)),
        PlaneFormula::Inside(region) => Residue::Constant(step.inside >> region & 1 == 1),
        PlaneFormula::Not(body) => not(now(body, step)),
        PlaneFormula::And(all) => join(true, all.iter().map(|part| now(part, step))),
        PlaneFormula::Or(all) => join(false, all.iter().map(|part| now(part, step))),
        PlaneFormula::Next(body) => Residue::Later((**body).clone()),
        PlaneFormula::Until(left, right) => {
            let goes_on = join(true, [now(left, step), Residue::Later(formula.clone())].into_iter());
            join(false, [now(right, step), goes_on].into_iter())
        }
    }
}

fn not(residue: Residue) -> Residue {
    match residue {
        Residue::Constant(truth) => Residue::Constant(!truth),
        Residue::Not(body) => *body,
        other => Residue::Not(Box::new(other)),
    }
}

/// A conjunction or a disjunction; `neutral` is the truth that changes nothing.
fn join(neutral: bool, parts: impl Iterator<Item = Residue>) -> Residue {
    let mut all = BTreeSet::new();
    for part in parts {
        match part {
            Residue::Constant(truth) if truth == neutral => {}
            Residue::Constant(truth) => return Residue::Constant(truth),
            Residue::And(inner) if neutral => all.extend(inner),
            Residue::Or(inner) if !neutral => all.extend(inner),
            other => drop(all.insert(other)),
        }
    }
    match (all.len(), neutral) {
        (0, _) => Residue::Constant(neutral),
        (1, _) => all.pop_first().unwrap_or(Residue::Constant(neutral)),
        (_, true) => Residue::And(all),
        (_, false) => Residue::Or(all),
    }
}
