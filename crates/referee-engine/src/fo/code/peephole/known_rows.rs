//! Tests whose outcome is known.
//!
//! ```text
//!   0  probe V0 by slot 0, there: on at 3           0  probe V0 by slot 0, there: on at 3
//!   1  report …                                     1  report …
//!   2  … the same row is asked for again     ─▶     2  … where it is there, nothing is asked
//!   3  …                                            3  … where it is not, neither
//! ```
//!
//! A handler holds the code of several units, and more than one of them may look up the same row. After the first look-up the answer is
//! known, as long as nothing inserts or removes that row and its key stays the same. So every instruction is written at most three times,
//! **once for what is known of the row when it is reached**: that it is there, that it is not, or nothing. A test whose outcome is
//! known is a jump, and a row that is known not to be there is inserted without a look-up.
//!
//! What an instruction does to what is known: a row that is inserted is there, and one that is removed is not; of another key, the row may be
//! the same one, so what is inserted may be it and what is removed, too. Instructions that bind registers leave keys of arguments and constants as they
//! are. After all others nothing is known.

use std::collections::HashMap;

use crate::fo::code::instruction::{ASK_PROGRAM, Op, OpEffect};
use crate::fo::code::key::{CONSTANT, REGISTER, SlotKey};

/// How many instructions a handler may have afterwards.
const MOST: usize = 256;

/// What is known of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum RowFact {
    Nothing,
    There,
    Missing,
}

/// An instruction, and what is known when it is reached.
type Place = (usize, RowFact);

/// Asks for no row of a table that fits again whose answer is known.
pub(super) fn ask_once(ops: &mut Vec<Op>, fits: impl Fn(usize) -> bool) {
    let mut seen: Vec<(u32, SlotKey)> = Vec::new();
    for at in 0..ops.len() {
        let Some(&Op::Probe { table, key, .. }) = ops.get(at) else { continue };
        let is_same = |op: &&Op| matches!(op, Op::Probe { table: of, key: by, .. } if (*of, *by) == (table, key));
        let is_new = !seen.contains(&(table, key));
        seen.push((table, key));
        if is_new && fits(table as usize) && ops.iter().filter(is_same).count() > 1 {
            let shorter = KnownRow { ops, table, key }.write();
            if shorter.len() <= MOST {
                *ops = shorter;
            }
        }
    }
}

/// The instructions of a handler, and the row of which something may be known.
struct KnownRow<'o> {
    ops: &'o [Op],
    table: u32,
    key: SlotKey,
}

impl KnownRow<'_> {
    /// The handler with every instruction once for what is known when it is reached.
    fn write(&self) -> Vec<Op> {
        let mut written: Vec<(Op, [Option<Place>; 2])> = Vec::new();
        let mut places: HashMap<Place, usize> = HashMap::new();
        let mut open = vec![(0, RowFact::Nothing)];
        while let Some(mut place) = open.pop() {
            while !places.contains_key(&place) && place.0 < self.ops.len() {
                places.insert(place, written.len());
                let (op, leads, next) = self.step(place);
                open.extend(leads.into_iter().flatten());
                written.push((op, leads));
                let Some(next) = next else { break };
                // What comes next was written before, or nothing does.
                if places.contains_key(&next) || next.0 >= self.ops.len() {
                    written.push((Op::Jump { to: 0 }, [Some(next), None]));
                    break;
                }
                place = next;
            }
        }
        let end = written.len();
        let position = |place: Place| places.get(&place).map_or(end, |at| *at) as u32;
        let resolve = |(mut op, leads): (Op, [Option<Place>; 2])| {
            for (to, lead) in op.targets_mut().into_iter().zip(leads) {
                to.into_iter().zip(lead).for_each(|(to, lead)| *to = position(lead));
            }
            op
        };
        written.into_iter().map(resolve).collect()
    }

    /// What becomes of an instruction, where it may lead, and what follows it otherwise.
    fn step(&self, (at, fact): Place) -> (Op, [Option<Place>; 2], Option<Place>) {
        let op = &self.ops[at];
        let [one, other] = op.targets().map(|to| to.filter(|to| *to != ASK_PROGRAM as usize));
        if let Op::Probe { table, key, there, to, .. } = *op
            && (table, key) == (self.table, self.key)
        {
            let (passes, fails) =
                if there { (RowFact::There, RowFact::Missing) } else { (RowFact::Missing, RowFact::There) };
            let target = (to as usize, fails);
            return match fact {
                RowFact::Nothing => (*op, [Some(target), None], Some((at + 1, passes))),
                fact if fact == passes => (Op::Jump { to: 0 }, [Some((at + 1, fact)), None], None),
                _ => (Op::Jump { to: 0 }, [Some(target), None], None),
            };
        }
        let then = self.after(op, fact);
        let leads = [one, other].map(|to| to.map(|to| (to, then)));
        let leads_on = op.leads_on();
        let op = match *op {
            Op::Insert { table, key } if (table, key, fact) == (self.table, self.key, RowFact::Missing) => {
                Op::InsertNew { table, key }
            }
            _ => *op,
        };
        (op, leads, leads_on.then_some((at + 1, then)))
    }

    /// What is known behind an instruction.
    fn after(&self, op: &Op, fact: RowFact) -> RowFact {
        let is_own = |table: u32, key: SlotKey| table == self.table && key == self.key;
        match op.effect() {
            OpEffect::Nothing => fact,
            OpEffect::Inserts(table, key) if is_own(table, key) => RowFact::There,
            OpEffect::Removes(table, key) if is_own(table, key) => RowFact::Missing,
            OpEffect::Inserts(table, _) if table == self.table && fact == RowFact::Missing => RowFact::Nothing,
            OpEffect::Removes(table, _) if table == self.table && fact == RowFact::There => RowFact::Nothing,
            OpEffect::Inserts(..) | OpEffect::Removes(..) => fact,
            OpEffect::Binds if self.is_fixed() => fact,
            _ => RowFact::Nothing,
        }
    }

    /// Whether no instruction changes the key.
    fn is_fixed(&self) -> bool {
        self.key.slots().all(|slot| !(REGISTER..CONSTANT).contains(&(slot as usize)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The rows of two tables, by the words of their keys.
    type Rows = HashSet<(u32, u8)>;

    /// What a handler reports, and which rows are there then; slots hold some words, two of which may be the same.
    fn run(ops: &[Op], slots: [u8; 3], mut rows: Rows, outcomes: u32) -> (Vec<u32>, Rows) {
        let (mut at, mut found, mut steps) = (0, Vec::new(), 0);
        let row = |table: u32, key: &SlotKey| (table, slots[key.slots().next().map_or(0, usize::from)]);
        while let Some(op) = ops.get(at) {
            (at, steps) = (at + 1, steps + 1);
            assert!(steps < 200, "it ends");
            match op {
                Op::Probe { table, key, there, to, .. } if rows.contains(&row(*table, key)) != *there => {
                    at = *to as usize;
                }
                Op::Equal { one, to, .. } if outcomes >> one & 1 == 0 => at = *to as usize,
                Op::Jump { to } => at = *to as usize,
                Op::Report { report } => found.push(*report),
                Op::Insert { table: view, key } => _ = rows.insert(row(*view, key)),
                Op::InsertNew { table: view, key } => assert!(rows.insert(row(*view, key)), "it is new"),
                Op::Remove { table: view, key } => _ = rows.remove(&row(*view, key)),
                _ => {}
            }
        }
        (found, rows)
    }

    fn probes(ops: &[Op]) -> usize {
        ops.iter().filter(|op| matches!(op, Op::Probe { .. })).count()
    }

    #[test]
    fn handlers_do_what_they_did() {
        let mut state = 5_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let mut shorter = 0;
        for _ in 0..3000 {
            let len = 2 + random(10);
            let ops: Vec<Op> = (0..len)
                .map(|at| {
                    let (to, table, key) = (at + 1 + random(len - at), random(2), SlotKey::One(random(3) as u8));
                    match random(8) {
                        0..4 => Op::Probe { table, key, there: random(2) == 0, all: false, to },
                        4 => Op::Insert { table, key },
                        5 => Op::Remove { table, key },
                        6 => Op::Equal { one: random(3) as u8, other: 0, same: true, to },
                        _ => Op::Report { report: at },
                    }
                })
                .collect();
            let mut once = ops.clone();
            ask_once(&mut once, |_| true);
            crate::fo::code::peephole::tidy::tidy(&mut once);
            for _ in 0..30 {
                let slots = std::array::from_fn(|_| random(2) as u8);
                let rows: Rows = (0..4).filter(|_| random(2) == 0).map(|row| (row / 2, row as u8 % 2)).collect();
                let outcomes = random(8);
                let expected = run(&ops, slots, rows.clone(), outcomes);
                assert_eq!(run(&once, slots, rows, outcomes), expected, "{ops:?}\n{once:?}");
            }
            shorter += usize::from(probes(&once) < probes(&ops));
        }
        assert!(shorter > 300, "{shorter}");
    }

    #[test]
    fn the_same_row_is_asked_for_once() {
        let probe = |there: bool, to: u32| Op::Probe { table: 0, key: SlotKey::One(0), there, all: false, to };
        let scan = Op::Scan { scan: 0, to: 4 };
        let ops =
            vec![probe(true, 2), Op::Report { report: 0 }, scan, Op::Next { scan: 0, body: 3, to: 4 }, probe(false, 6)];
        let ops = [ops, vec![Op::Report { report: 1 }, Op::Insert { table: 0, key: SlotKey::One(0) }]].concat();
        let mut once = ops.clone();
        ask_once(&mut once, |_| true);
        assert_eq!(probes(&once), 1, "{once:?}");
        assert!(once.contains(&Op::InsertNew { table: 0, key: SlotKey::One(0) }), "{once:?}");
        // A register may have changed, and of some tables nothing can be said.
        let mut bound: Vec<Op> = ops.clone();
        for op in &mut bound {
            if let Op::Probe { key, .. } = op {
                *key = SlotKey::One(REGISTER as u8);
            }
        }
        for (mut again, fits) in [(bound, true), (ops, false)] {
            let before = again.clone();
            ask_once(&mut again, |_| fits);
            assert!(probes(&again) >= probes(&before), "{again:?}");
        }
    }
}
