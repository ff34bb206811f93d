//! The loop that runs the bytecode of handlers.
//!
//! ```text
//!   run_here     bytecode, one after the other ─▶ Rare, Demand: the instruction at the same place
//!   run_rare     instructions that most handlers do not have
//!   run_demands  instructions about demands on the future
//! ```
//!
//! Cost: a few nanoseconds per instruction, and the memory that it touches. What only some events need stays out of
//! [`Executor::run_here`], so that nothing is made ready for it at every event.

use crate::fo::code::handler::Handler;
use crate::fo::code::instruction::{Bytecode, Op};
use crate::fo::run::executor::Executor;
use crate::fo::store::lookup::NONE;

/// Why a handler stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// All is done.
    Done,
    /// Violations that wait are to be noted; then it goes on.
    Reports { at: u32 },
    /// Violations of a demand are to be told; then it goes on.
    Violated { demand: u32, at: u32 },
    /// A unit is to be run; then it goes on.
    Unit { unit: u32, at: u32 },
    /// The program answers what an instruction asks.
    Question { op: u32 },
}

impl Executor {
    /// Runs a handler from an instruction on.
    #[inline(never)]
    pub(crate) fn run(&mut self, handler: &Handler, at: usize) -> Pause {
        self.run_here(handler, at)
    }

    /// The same within the loop over events: to call it takes longer than many handlers do.
    ///
    /// All kinds of bytecode are named, so that no range has to be checked before the jump.
    #[inline(always)]
    pub(crate) fn run_here(&mut self, handler: &Handler, mut at: usize) -> Pause {
        let bytecode = &handler.bytecode[..];
        while let Some(code) = bytecode.get(at) {
            at += 1;
            let (passes, to) = match *code {
                Bytecode::Equal { one, other, same, to } => ((self.word(one) == self.word(other)) == same, to),
                Bytecode::Order { how, left, right, there, to, otherwise } => {
                    match self.order((how, left, right), there, to, otherwise) {
                        Some(outcome) => outcome,
                        None => return Pause::Question { op: at as u32 - 1 },
                    }
                }
                Bytecode::Probe1 { key, there, all, to } => (self.probe(key, all) == there, to),
                Bytecode::Probe2 { key, there, all, to } => (self.probe(key, all) == there, to),
                Bytecode::Probe3 { key, there, all, to } => (self.probe(key, all) == there, to),
                Bytecode::Find1 { key, there, to } => (self.find(key) == there, to),
                Bytecode::Find2 { key, there, to } => (self.find(key) == there, to),
                Bytecode::FindOrInsert1 { key, to } => (self.find_or_insert(key), to),
                Bytecode::FindOrInsert2 { key, to } => (self.find_or_insert(key), to),
                Bytecode::FindAndRemove1 { key, to } => (!self.find_and_remove(key), to),
                Bytecode::FindAndRemove2 { key, to } => (!self.find_and_remove(key), to),
                Bytecode::Walk1 { key, walked, to } => (self.walk(key, walked), to),
                Bytecode::Walk2 { key, walked, to } => (self.walk(key, walked), to),
                Bytecode::WalkOn { table, walked, body, to } => {
                    at = if self.walk_on(table as usize, walked) { body } else { to } as usize;
                    continue;
                }
                Bytecode::Jump { to } => (false, to),
                Bytecode::Filled { table, to } => (self.store.tables[table as usize].len() > 0, to),
                Bytecode::Changed { tables, to } => (self.has_changed(handler, tables), to),
                Bytecode::FirstChange { table, to, .. } if !self.store.changes.has(table as usize) => (false, to),
                Bytecode::Advance { table } => {
                    self.store.advance_window(table as usize);
                    continue;
                }
                Bytecode::Insert1 { key } => {
                    self.store.insert_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::Insert2 { key } => {
                    self.store.insert_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::Insert3 { key } => {
                    self.store.insert_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::InsertFound1 { key } => {
                    self.store.insert_found_words(key.table as usize, self.words(key), self.found);
                    continue;
                }
                Bytecode::InsertFound2 { key } => {
                    self.store.insert_found_words(key.table as usize, self.words(key), self.found);
                    continue;
                }
                Bytecode::InsertNew1 { key } => {
                    self.insert_new(key);
                    continue;
                }
                Bytecode::InsertNew2 { key } => {
                    self.insert_new(key);
                    continue;
                }
                Bytecode::Remove1 { key } => {
                    self.store.remove_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::Remove2 { key } => {
                    self.store.remove_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::Remove3 { key } => {
                    self.store.remove_words(key.table as usize, self.words(key));
                    continue;
                }
                Bytecode::RemoveFound1 { key } => {
                    self.store.remove_found(key.table as usize, self.words(key), self.found);
                    continue;
                }
                Bytecode::RemoveFound2 { key } => {
                    self.store.remove_found(key.table as usize, self.words(key), self.found);
                    continue;
                }
                Bytecode::Demand | Bytecode::FirstChange { .. } | Bytecode::Rare => {
                    let next = match code {
                        Bytecode::Demand => self.run_demands(handler, at - 1),
                        _ => self.run_rare(handler, at - 1),
                    };
                    match next {
                        Ok(next) => at = next,
                        Err(pause) => return pause,
                    }
                    continue;
                }
            };
            if !passes {
                at = to as usize;
            }
        }
        if self.waiting.rows > 0 { Pause::Reports { at: at as u32 } } else { Pause::Done }
    }

    /// Runs instructions that most handlers do not have, or rarely come to, from one on: apart, so that what they need is not made
    /// ready for every event. Tells where the handler goes on.
    #[inline(never)]
    fn run_rare(&mut self, handler: &Handler, mut at: usize) -> Result<usize, Pause> {
        while let Some(op) = handler.ops.get(at) {
            at += 1;
            let (passes, to) = match *op {
                Op::Order { how, left, right, there, to, otherwise } => {
                    match self.order((how, left, right), there, to, otherwise) {
                        Some(outcome) => outcome,
                        None => return Err(Pause::Question { op: at as u32 - 1 }),
                    }
                }
                Op::ProbeJoined { table, key, there, to } => {
                    let has = key.with(&self.frame, |words| self.store.has_joined(table as usize, words));
                    (has == there, to)
                }
                Op::Member { table, key, value, there, to } => {
                    (self.member(table as usize, key, self.frame[value as usize]) == there, to)
                }
                Op::Stamps { pair, there, to } => (self.stamps(handler, pair) == there, to),
                Op::Scan { scan, to } => (self.open(&handler.scans[scan as usize]), to),
                Op::Next { scan, body, to } => {
                    let goes_on = self.next(&handler.scans[scan as usize]);
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::Grow { table, key, set } => {
                    self.grow(table as usize, key, &handler.sets[set as usize]);
                    continue;
                }
                Op::HasEvent { .. } => return Err(Pause::Question { op: at as u32 - 1 }),
                Op::Inhabited { set, there, to } => (self.is_inhabited(&handler.sets[set as usize]) == there, to),
                Op::FirstChange { scan, to, .. } => {
                    self.marks[scan as usize] = 0;
                    (self.next_change(scan as usize, &handler.changes[scan as usize]), to)
                }
                Op::NextChange { scan, body, to } => {
                    let goes_on = self.next_change(scan as usize, &handler.changes[scan as usize]);
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::Filled { table, to } => (self.store.tables[table as usize].len() > 0, to),
                Op::Advance { table } => {
                    self.store.advance_window(table as usize);
                    continue;
                }
                Op::AddWitness { table, key } => {
                    self.with_key(key, |executor, words| executor.store.add_witness(table as usize, words));
                    continue;
                }
                Op::RemoveLater { key } => {
                    self.with_key(key, |executor, words| executor.pending_removals.extend_from_slice(words));
                    continue;
                }
                Op::RemovePending { table } => {
                    self.remove_pending(table as usize);
                    continue;
                }
                Op::Report { report } if self.is_late(handler, report) => continue,
                Op::Report { report } if self.waiting.has_room(report as usize) => {
                    self.wait_for_report(report as usize, &handler.reports[report as usize].1);
                    continue;
                }
                Op::Report { .. } => return Err(Pause::Reports { at: at as u32 - 1 }),
                Op::RunUnit { unit } => return Err(Pause::Unit { unit, at: at as u32 }),
                Op::Jump { to } => (false, to),
                Op::Changed { tables, to } => (self.has_changed(handler, tables), to),
                Op::Probe { table, key, there, all, to } => {
                    (self.row(table as usize, key).is_some_and(|row| all || self.counts(table, row)) == there, to)
                }
                Op::Insert { table, key } => {
                    self.insert(table as usize, key);
                    continue;
                }
                // What else there is a bytecode for is left to the loop that runs it.
                _ if handler.bytecode[at - 1] != Bytecode::Rare => return Ok(at - 1),
                Op::Equal { one, other, same, to } => ((self.word(one) == self.word(other)) == same, to),
                Op::Find { table, key, there, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    ((self.found != NONE) == there, to)
                }
                Op::FindOrInsert { table, key, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    let is_there = self.found != NONE;
                    if !is_there {
                        self.with_key(key, |executor, words| executor.store.insert_found(table as usize, words, NONE));
                    }
                    (is_there, to)
                }
                Op::FindAndRemove { table, key, to } => {
                    self.found = self.row(table as usize, key).unwrap_or(NONE);
                    self.with_key(key, |executor, words| executor.store.remove_row(table as usize, words));
                    (self.found == NONE, to)
                }
                Op::Walk { table, key, walked, to } => {
                    let index = walked.index as usize;
                    let first =
                        key.with(&self.frame, |values| self.store.tables[table as usize].first_of(index, values));
                    (self.take_walked(table as usize, first, walked), to)
                }
                Op::WalkOn { table, walked, body, to } => {
                    let goes_on = self.walk_on(table as usize, walked);
                    at = if goes_on { body } else { to } as usize;
                    continue;
                }
                Op::InsertFound { table, key } => {
                    let found = self.found;
                    self.with_key(key, |executor, words| executor.store.insert_found(table as usize, words, found));
                    continue;
                }
                Op::InsertNew { table, key } => {
                    self.with_key(key, |executor, words| executor.store.insert_found(table as usize, words, NONE));
                    continue;
                }
                // Who has found a row can find it again.
                Op::Remove { table, key } | Op::RemoveFound { table, key } => {
                    self.with_key(key, |executor, words| executor.store.remove_row(table as usize, words));
                    continue;
                }
                // They have a bytecode, all of them.
                Op::PassDeadlines { .. } | Op::Meet { .. } | Op::Relay { .. } | Op::Fail { .. } => return Ok(at - 1),
                Op::Open { .. } | Op::FailAtOnce { .. } | Op::Settle { .. } => return Ok(at - 1),
            };
            if !passes {
                at = to as usize;
            }
        }
        Ok(at)
    }

    /// Runs instructions about demands on the future, from one on; tells where the handler goes on.
    #[inline(never)]
    fn run_demands(&mut self, handler: &Handler, mut at: usize) -> Result<usize, Pause> {
        while let Some(op) = handler.ops.get(at) {
            match op {
                Op::PassDeadlines { demand } => self.store.pass_deadlines(*demand as usize),
                Op::Meet { demand, key } => self.meet_demand(*demand as usize, *key),
                Op::Relay { relay } => self.relay(handler, *relay),
                Op::Fail { demand, key } => self.fail_demand(*demand as usize, *key),
                Op::Open { demand, key } => self.open_demand_of(*demand as usize, *key),
                Op::FailAtOnce { demand, key } => {
                    self.with_key(*key, |executor, words| executor.store.fail_demand_at_once(*demand as usize, words));
                }
                Op::Settle { demand } if self.store.demands[*demand as usize].violated.is_empty() => {
                    self.store.sweep_demands(*demand as usize);
                }
                Op::Settle { demand } => return Err(Pause::Violated { demand: *demand, at: at as u32 + 1 }),
                _ => break,
            }
            at += 1;
        }
        Ok(at)
    }
}
