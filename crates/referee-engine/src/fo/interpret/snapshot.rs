//! Saving an interpreter's state, and going on from it.
//!
//! ```text
//!   Interpreter ── snapshot ─▶ Snapshot ── write ─▶ bytes ── read ─▶ Snapshot ── restore ─▶ Interpreter
//! ```
//!
//! A snapshot holds everything that a later verdict can depend on: the values and when they were named, the domains, what
//! the past operators remember, what is open, and the counts. Tables are persistent, so taking one copies the
//! values and a reference per table. Cost of the bytes: one pass over all distinct rows. Who frames the bytes sees to it that they
//! are whole and belong to the same property; **nothing that does not fit is restored**.

use std::collections::HashSet;

use referee_spec::core::Obstacle;
use referee_trace::number::Number;

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::codec::{Limits, Pool, Tables};
use crate::fo::interpret::evaluate::{FormulaEvaluator, Memory};
use crate::fo::interpret::interpreter::{Interpreter, Root};
use crate::fo::interpret::past::{PastWindow, Runs};
use crate::fo::interpret::plan::PastKind;
use crate::fo::interpret::table::ConditionTable;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::universe::{Universe, ValueId};

/// The state of a monitor between two points.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    futures: u32,
    universe: Universe,
    domains: Vec<Vec<ValueId>>,
    memories: Vec<Memory>,
    roots: Vec<Root>,
    point: u64,
    ended: bool,
    void: bool,
    violations: u64,
    obstacle: Option<Obstacle>,
}

impl Interpreter {
    /// The state between two points, from which this monitor or another one of the same property can go on.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let (roots, obstacle) = (self.roots.clone(), self.obstacle.clone());
        Snapshot { roots, violations: self.violations, ..Snapshot::of_evaluator(&self.evaluator, obstacle) }
    }

    /// Goes on from a snapshot. Kinds have the numbers that they have.
    pub(crate) fn restore(&mut self, snapshot: Snapshot) -> Result<(), Damaged> {
        self.roots = snapshot.roots.clone();
        self.violations = snapshot.violations;
        (self.members, self.obstacle) = self.evaluator.restore(snapshot)?;
        Ok(())
    }
}

impl FormulaEvaluator {
    /// Goes on from a snapshot; gives back the members of each sort, and what stands in the way of a verdict.
    pub(crate) fn restore(&mut self, snapshot: Snapshot) -> Result<(Vec<HashSet<ValueId>>, Option<Obstacle>), Damaged> {
        if !self.fits(&snapshot) {
            return Err(Damaged);
        }
        let members = snapshot.domains.iter().map(|domain| domain.iter().copied().collect()).collect();
        let algebra = Algebra {
            universe: snapshot.universe,
            domains: snapshot.domains,
            unseen_order: self.algebra.unseen_order,
            ended: snapshot.ended,
        };
        *self = FormulaEvaluator::new(self.compiled.clone(), algebra);
        self.memories = snapshot.memories;
        self.point = snapshot.point;
        self.void = snapshot.void;
        Ok((members, snapshot.obstacle))
    }

    /// Whether a snapshot has a memory for each operator, and a domain for each sort.
    fn fits(&self, snapshot: &Snapshot) -> bool {
        let compiled = &self.compiled;
        let operator_fits = |(kind, memory): (&PastKind, &Memory)| match (kind, memory) {
            (PastKind::Prev(_), Memory::Prev(_)) | (PastKind::Since { .. }, Memory::Since(_)) => true,
            (PastKind::Match(automaton), Memory::Match(states)) => automaton.states() == states.len(),
            _ => false,
        };
        snapshot.futures == count(compiled.futures.len())
            && snapshot.domains.len() == self.algebra.domains.len()
            && snapshot.universe.by_text() == self.algebra.universe.by_text()
            && snapshot.memories.len() == compiled.pasts.len()
            && compiled.pasts.iter().map(|past| &past.kind).zip(&snapshot.memories).all(operator_fits)
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

// ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

impl Snapshot {
    /// The state of an evaluator alone, and what stands in the way of a verdict.
    pub(crate) fn of_evaluator(evaluator: &FormulaEvaluator, obstacle: Option<Obstacle>) -> Snapshot {
        Snapshot {
            futures: count(evaluator.compiled.futures.len()),
            universe: evaluator.algebra.universe.clone(),
            domains: evaluator.algebra.domains.clone(),
            memories: evaluator.memories.clone(),
            roots: Vec::new(),
            point: evaluator.point,
            ended: evaluator.algebra.ended,
            void: evaluator.void,
            violations: 0,
            obstacle,
        }
    }

    /// Writes the snapshot, the same on every machine.
    pub(crate) fn write(&self, out: &mut Writer) {
        self.write_counts(out);
        self.write_values(out);
        let (mut pool, mut state) = (Pool::default(), Writer::default());
        state.length(self.memories.len());
        self.memories.iter().for_each(|memory| write_memory(memory, &mut pool, &mut state));
        state.length(self.roots.len());
        self.roots.iter().for_each(|root| write_root(root, &mut pool, &mut state));
        pool.finish(out);
        out.append(state.as_bytes());
    }

    fn write_counts(&self, out: &mut Writer) {
        out.number(u64::from(self.futures));
        out.number(self.point);
        out.truth(self.ended);
        out.truth(self.void);
        out.number(self.violations);
        out.truth(self.obstacle.is_some());
        self.obstacle.iter().for_each(|obstacle| out.obstacle(obstacle));
    }

    fn write_values(&self, out: &mut Writer) {
        out.truth(self.universe.by_text());
        out.length(self.universe.values().len());
        self.universe.values().for_each(|value| out.value(value));
        out.length(self.universe.named().len());
        for id in self.universe.named() {
            out.number(u64::from(id.0));
            out.number(self.universe.point_of(*id).unwrap_or(0));
        }
        out.length(self.domains.len());
        for domain in &self.domains {
            out.length(domain.len());
            domain.iter().for_each(|id| out.number(u64::from(id.0)));
        }
    }
}

fn write_root(root: &Root, pool: &mut Pool, out: &mut Writer) {
    out.number(root.point);
    out.number(pool.table(&root.table));
}

fn write_memory(memory: &Memory, pool: &mut Pool, out: &mut Writer) {
    match memory {
        Memory::Prev(previous) => {
            out.byte(0);
            write_dated(previous, pool, out);
        }
        Memory::Since(window) => {
            out.byte(1);
            write_dated(&window.waiting, pool, out);
            write_dated(&window.live, pool, out);
        }
        Memory::Match(states) => {
            out.byte(2);
            out.length(states.len());
            states.iter().for_each(|runs| write_dated(&runs.0, pool, out));
        }
    }
}

fn write_dated<'t>(
    dated: impl IntoIterator<Item = &'t (Number, ConditionTable), IntoIter: ExactSizeIterator>,
    pool: &mut Pool,
    out: &mut Writer,
) {
    let dated = dated.into_iter();
    out.length(dated.len());
    for (time, table) in dated {
        out.exact(time);
        out.number(pool.table(table));
    }
}

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Reads what [`Snapshot::write`] wrote.
pub(crate) fn read(reader: &mut Reader) -> Result<Snapshot, Damaged> {
    let (futures, point, ended, void) = (reader.small()?, reader.number()?, reader.truth()?, reader.truth()?);
    let violations = reader.number()?;
    let obstacle = if reader.truth()? { Some(reader.obstacle()?) } else { None };
    let universe = read_universe(reader)?;
    let values = count(universe.values().len());
    let id = |reader: &mut Reader| match reader.small()? {
        id if id < values => Ok(ValueId(id)),
        _ => Err(Damaged),
    };
    let domains = reader.list(|reader| reader.list(id))?;
    let limits = Limits { values, sorts: count(domains.len()), futures };
    let mut tables = Tables::read(reader, limits)?;
    let memories = reader.list(|reader| read_memory(reader, &mut tables))?;
    let roots = reader.list(|reader| read_root(reader, &mut tables))?;
    Ok(Snapshot { futures, universe, domains, memories, roots, point, ended, void, violations, obstacle })
}

fn read_universe(reader: &mut Reader) -> Result<Universe, Damaged> {
    let mut universe = Universe::new(reader.truth()?);
    for number in 0..reader.length()? {
        // Equal values would share a number, and all later ones would be off by one.
        if universe.intern(&reader.value()?).0 as usize != number {
            return Err(Damaged);
        }
    }
    let values = universe.values().len();
    for _ in 0..reader.length()? {
        let id = reader.small()?;
        let point = reader.number()?;
        if id as usize >= values || universe.rank(ValueId(id)).is_some() {
            return Err(Damaged);
        }
        universe.name_known(ValueId(id), point);
    }
    Ok(universe)
}

fn read_root(reader: &mut Reader, tables: &mut Tables) -> Result<Root, Damaged> {
    let (point, table) = (reader.number()?, tables.table(reader)?);
    Ok(Root { point, table })
}

fn read_memory(reader: &mut Reader, tables: &mut Tables) -> Result<Memory, Damaged> {
    match reader.byte()? {
        0 => {
            let mut previous = read_dated(reader, tables)?;
            if previous.len() > 1 { Err(Damaged) } else { Ok(Memory::Prev(previous.pop())) }
        }
        1 => {
            let (waiting, live) = (read_dated(reader, tables)?.into(), read_dated(reader, tables)?.into());
            Ok(Memory::Since(PastWindow { waiting, live }))
        }
        2 => Ok(Memory::Match(reader.list(|reader| read_dated(reader, tables).map(Runs))?)),
        _ => Err(Damaged),
    }
}

fn read_dated(reader: &mut Reader, tables: &mut Tables) -> Result<Vec<(Number, ConditionTable)>, Damaged> {
    reader.list(|reader| Ok((reader.exact()?, tables.table(reader)?)))
}
