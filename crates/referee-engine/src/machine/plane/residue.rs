//! What is still demanded of a point after some steps: a formula that shrinks as steps come.
//!
//! A step replaces every demand on it by what it leaves open. Only constants are folded and equal parts merged, so that a residue is false
//! exactly when the structure of the formula decides it. There are finitely many residues; each gets a number, and the next one is looked up in
//! a table by number and kind of step.

use std::collections::BTreeSet;

use referee_spec::core::machine::plane::PlaneFormula;

use crate::judge::Unsavable;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::maps::Map;

/// The number of a residue.
pub(super) type ResidueId = u32;

/// Nothing will make it true.
pub(super) const FALSE: ResidueId = 0;

/// How many residues are followed.
const MOST_RESIDUES: usize = 1 << 14;

/// How deep the residues lie in each other that are written and read: those that read damaged bytes must not run out of stack.
const MOST_DEPTH: usize = 1000;

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

    /// Whether there is one of this number.
    pub(super) fn has(&self, residue: ResidueId) -> bool {
        (residue as usize) < self.list.len()
    }

    /// Writes all residues of a formula in the order of their numbers. Formulas in them are parts of it, and have its parts' numbers.
    pub(super) fn save(&self, formula: &PlaneFormula, out: &mut Writer) -> Result<(), Unsavable> {
        let mut parts = Vec::new();
        collect(formula, &mut parts);
        out.length(self.list.len());
        for residue in &self.list {
            let mut own = Writer::default();
            let count = residue.save(&parts, MOST_DEPTH, &mut own)?;
            out.length(count);
            out.append(own.as_bytes());
        }
        Ok(())
    }

    /// Reads what [`Residues::save`] wrote.
    pub(super) fn load(&mut self, formula: &PlaneFormula, reader: &mut Reader) -> Result<(), Damaged> {
        let mut parts = Vec::new();
        collect(formula, &mut parts);
        for number in 0..reader.length()? {
            let residue = Residue::load(&parts, reader)?;
            if self.intern(residue) as usize != number {
                return Err(Damaged);
            }
        }
        Ok(())
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

impl Residue {
    /// Writes what it is made of before itself, and tells how many things that are.
    fn save(&self, parts: &[&PlaneFormula], depth: usize, out: &mut Writer) -> Result<usize, Unsavable> {
        let depth = depth.checked_sub(1).ok_or(Unsavable)?;
        let mut count = 1;
        match self {
            Residue::Constant(truth) => out.number(u64::from(*truth)),
            Residue::Later(formula) => {
                out.number(2);
                out.length(parts.iter().position(|part| *part == formula).ok_or(Unsavable)?);
            }
            Residue::Not(body) => {
                count += body.save(parts, depth, out)?;
                out.number(3);
            }
            Residue::And(all) | Residue::Or(all) => {
                for part in all {
                    count += part.save(parts, depth, out)?;
                }
                out.number(if matches!(self, Residue::And(_)) { 4 } else { 5 });
                out.length(all.len());
            }
        }
        Ok(count)
    }

    /// Reads what [`Residue::save`] wrote: each thing takes what it is made of from those before it.
    fn load(parts: &[&PlaneFormula], reader: &mut Reader) -> Result<Residue, Damaged> {
        let mut read: Vec<(Residue, usize)> = Vec::new();
        for _ in 0..reader.length()? {
            let next = match reader.number()? {
                0 => (Residue::Constant(false), 1),
                1 => (Residue::Constant(true), 1),
                2 => {
                    let part = *parts.get(reader.small()? as usize).ok_or(Damaged)?;
                    (Residue::Later(part.clone()), 1)
                }
                3 => {
                    let (body, depth) = read.pop().ok_or(Damaged)?;
                    (Residue::Not(Box::new(body)), depth + 1)
                }
                kind @ (4 | 5) => {
                    let start = read.len().checked_sub(reader.small()? as usize).ok_or(Damaged)?;
                    let depth = read[start..].iter().map(|(_, depth)| *depth).max().unwrap_or(0) + 1;
                    let all = read.drain(start..).map(|(part, _)| part).collect();
                    (if kind == 4 { Residue::And(all) } else { Residue::Or(all) }, depth)
                }
                _ => return Err(Damaged),
            };
            if next.1 > MOST_DEPTH {
                return Err(Damaged);
            }
            read.push(next);
        }
        match (read.pop(), read.is_empty()) {
            (Some((residue, _)), true) => Ok(residue),
            _ => Err(Damaged),
        }
    }
}

/// Collects a formula and its parts, outer ones first.
fn collect<'f>(formula: &'f PlaneFormula, parts: &mut Vec<&'f PlaneFormula>) {
    parts.push(formula);
    match formula {
        PlaneFormula::Constant(_) | PlaneFormula::Event(_) | PlaneFormula::Inside(_) => {}
        PlaneFormula::Not(body) | PlaneFormula::Next(body) => collect(body, parts),
        PlaneFormula::And(all) | PlaneFormula::Or(all) => all.iter().for_each(|part| collect(part, parts)),
        PlaneFormula::Until(left, right) => {
            collect(left, parts);
            collect(right, parts);
        }
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
