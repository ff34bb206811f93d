//! Shorter handlers: a handler does not find out again what an earlier instruction has found out.
//!
//! ```text
//!   probe table 0 by slots 0, 1           find in table 0 by slots 0, 1, and note the row
//!   report …                       ─▶     report …
//!   remove from table 0, slots 0, 1       remove the row that was noted; the same for an insertion
//!
//!   scan table 0, binds slot 64           scan table 0, skipping rows whose column is above the report bound
//!   probe table 1 by slot 64       ─▶     probe table 1 by slot 64
//!   report slot 64, …                     report slot 64, …
//! ```
//!
//! Each rule reads the facts that the declaration of an [instruction](crate::fo::code::instruction) states (which tables it reads,
//! what it changes, where it leads), and the shape of tables.
//!
//! | rule | what it does | why that is sound |
//! |---|---|---|
//! | ask once ([`known_rows`]) | A handler looks up a row once. | The answer stays the same as long as nothing inserts or removes that row. |
//! | find once | The instruction that inserts or removes a row takes the row that a probe before it has found. | Every way to it leads through the probe, and all in between are tests and reports, which change neither a table nor a slot of the key. |
//! | joined steps | A look-up and the insertion or removal that follows it are one instruction. | It does both. |
//! | walks | A scan that takes every row of a group, and one column of each, is a walk. | There is nothing else to compare. |
//! | walks once | Two walks through the same rows, of which the second inserts a row of another table for each, are one. | See below. |
//! | windows that lag | Time does not pass in a window that keeps the newest witness of each row where the handler does not read that window. | What counts depends on the time at which somebody reads it alone, and the next advance makes up for what was left out. Time passes when a witness comes at a new time, so the window stays bounded. Windows that others read, as checks of states and joins do, are never left behind. |
//! | nothing to settle | A handler that only opens a demand does not settle it. | There is neither a violation to tell nor a row that may go. |
//! | one change | A loop over the rows of a table that have changed has one round. | One instruction, which is in no loop, can change that table, and it changes one row. |
//! | report bounds | A scan skips rows whose violation would come behind the one that will be reported. | One violation of the point is reported, the first in the order of reports, and the scan leads to nothing but tests and reports that begin with that column. |
//! | tidiness ([`tidy`]) | A jump leads where jumps lead to in the end, and instructions that nothing leads to go. | They are never run. |
//!
//! *Walks once.* Nothing that the first walk reads in a later round may have been inserted in an earlier one. It reads a group or a
//! row in which one column is a value v of the event where the inserted row has the walked column, and another column is the walked
//! one where the inserted row has v. Whatever one round inserts and another reads has the same walked column in both, and that
//! column tells the row: so both are the same round, in which the handler reads before it inserts, as it did with two walks.

mod known_rows;
mod tidy;

use crate::fo::code::handler::{Handler, Scan};
use crate::fo::code::instruction::{Op, OpEffect, TableReads, Walked};
use crate::fo::code::key::{CONSTANT, REGISTER, Slot, SlotKey};
use crate::fo::code::peephole::tidy::tidy;
use crate::fo::types::ViewId;
use crate::fo::types::store_shape::{StoreShape, TableShape};

/// Makes a handler shorter.
pub(crate) fn shorten(handler: &mut Handler, store: &StoreShape) {
    // While every scan is written once.
    bound_scans(handler);
    // Of some tables it can be said that a row that was found is there, and counts, until it is taken out, and that one that was not
    // found can be added.
    let fits = |view: ViewId| store.tables[view].is_plain() && store.tables[view].has_row_numbers();
    known_rows::ask_once(&mut handler.ops, fits);
    tidy(&mut handler.ops);
    find_once(&mut handler.ops, fits);
    join_steps(&mut handler.ops);
    walk(handler);
    walk_once(&mut handler.ops, |view| &store.tables[view]);
    tidy(&mut handler.ops);
}

/// Leaves out what the handler of all that happens at a point need not do.
pub(crate) fn rest(handler: &mut Handler, store: &StoreShape) {
    let_lag(&mut handler.ops, |view| store.tables[view].may_lag());
    settle_less(&mut handler.ops, |demand| !store.demands[demand].is_awaited);
    look_once(handler, |ops, view| crate::faults::is(crate::faults::Fault::Peephole) || changes_once(ops, view));
}

/// Looks for no second row that has changed where there is one at most.
fn look_once(handler: &mut Handler, changes_once: impl Fn(&[Op], u32) -> bool) {
    let Handler { ops, changes, .. } = handler;
    for at in 0..ops.len() {
        if let Op::NextChange { scan, to, .. } = ops[at]
            && changes_once(ops, changes[scan as usize].view as u32)
        {
            ops[at] = Op::Jump { to };
        }
    }
}

/// Whether a handler can change one row of a view, and no other.
fn changes_once(ops: &[Op], view: u32) -> bool {
    let may_change = |op: &Op| match op.effect() {
        OpEffect::Nothing | OpEffect::Binds => false,
        OpEffect::Inserts(table, _) | OpEffect::Removes(table, _) | OpEffect::Grows(table, _) => table == view,
        _ => true,
    };
    let mut changing = (0..ops.len()).filter(|at| may_change(&ops[*at]));
    let (Some(only), None) = (changing.next(), changing.next()) else { return false };
    let leads_back = |op: &Op| op.targets().into_iter().flatten().any(|to| to <= only);
    let effect = ops[only].effect();
    let notes_one = matches!(effect, OpEffect::Inserts(..) | OpEffect::Removes(..) | OpEffect::Grows(..));
    notes_one && !ops[only..].iter().any(leads_back)
}

/// Settles no demands that are opened and nothing else.
fn settle_less(ops: &mut [Op], is_patient: impl Fn(usize) -> bool) {
    let is_touched = |op: &Op, own: u32| match op.effect() {
        OpEffect::Settles(demand) => demand == own,
        OpEffect::Everything => true,
        _ => false,
    };
    leave_out(ops, |ops, op| {
        let Op::Settle { demand } = *op else { return false };
        is_patient(demand as usize) && !ops.iter().any(|op| is_touched(op, demand))
    });
}

/// Lets no time pass in windows that nothing asks.
fn let_lag(ops: &mut [Op], may_lag: impl Fn(ViewId) -> bool) {
    let reads = |op: &Op, view: u32| match op.tables() {
        TableReads::Nothing => false,
        TableReads::Row(table, _) | TableReads::Group(table, ..) | TableReads::Table(table) => table == view,
        TableReads::Unknown => true,
    };
    leave_out(ops, |ops, op| {
        let Op::Advance { table: view } = *op else { return false };
        may_lag(view as usize) && !ops.iter().any(|op| reads(op, view))
    });
}

/// Goes on behind instructions that do nothing which matters among the others.
fn leave_out(ops: &mut [Op], is_idle: impl Fn(&[Op], &Op) -> bool) {
    for at in 0..ops.len() {
        if is_idle(ops, &ops[at]) {
            ops[at] = Op::Jump { to: at as u32 + 1 };
        }
    }
}

/// Lets two walks through the same rows, the second of which inserts a row for each, be one.
fn walk_once<'t>(ops: &mut [Op], table: impl Fn(ViewId) -> &'t TableShape) {
    for at in 0..ops.len() {
        if let Some(WalkPair { end, made }) = pair_of_walks(ops, at, &table) {
            let behind = end as u32 + 4;
            if let Op::Walk { to, .. } = &mut ops[at] {
                *to = behind;
            }
            let Op::WalkOn { table, walked, body, .. } = ops[end] else { continue };
            ops[end] = made;
            ops[end + 1] = Op::WalkOn { table, walked, body, to: behind };
            // Nothing leads to what was the second walk.
            ops[end + 2..end + 4].fill(Op::Jump { to: behind });
        }
    }
}

/// Two walks of which the first ends at an instruction, and what the second inserts in words of the first.
struct WalkPair {
    end: usize,
    made: Op,
}

/// The pair of walks that begins with an instruction.
fn pair_of_walks<'t>(ops: &[Op], at: usize, table: &impl Fn(ViewId) -> &'t TableShape) -> Option<WalkPair> {
    let Op::Walk { table: rows, key: values, walked: first, to } = ops[at] else { return None };
    let end = (to as usize).checked_sub(1).filter(|end| *end > at)?;
    let body_start = at as u32 + 1;
    let is_next = |op: &Op| match op {
        Op::WalkOn { walked, body, to: then, .. } => (walked.cursor, *body, *then) == (first.cursor, body_start, to),
        _ => false,
    };
    let [next, second, made, last] = ops.get(end..end + 4)? else { return None };
    let Op::Walk { table: again, key: of, walked: bound, to: behind } = *second else { return None };
    let (slot, other) = (first.slot, bound.slot);
    let Op::Insert { table: view, key } = *made else { return None };
    let ends =
        matches!(last, Op::WalkOn { body, to: then, .. } if (*body, *then) == (to + 1, behind) && behind == to + 3);
    if !is_next(next)
        || (again, bound.index, of, bound.column) != (rows, first.index, values, first.column)
        || !ends
        || view == rows
    {
        return None;
    }
    // One column tells which row it is.
    let walked = table(rows as usize);
    let is_told = walked.keys == columns_of(walked, first.index).len() + 1;
    let body = &ops[at + 1..end];
    let apart = body.iter().all(|op| match op {
        Op::Report { .. } | Op::Equal { .. } | Op::Order { .. } => true,
        // A group that is gone through is gone through before a row is made.
        Op::WalkOn { .. } => true,
        Op::Filled { table, .. } => *table != view,
        Op::Walk { walked, .. } if walked.slot == slot => false,
        Op::Walk { table: asked, key: values, walked, .. } if *asked == view => {
            let columns = columns_of(table(view as usize), walked.index);
            is_apart(columns.iter().copied().zip(values.slots()), slot, &key, other)
        }
        Op::Probe { table: asked, key: of, .. } if *asked == view => {
            is_apart(of.slots().enumerate(), slot, &key, other)
        }
        Op::Walk { .. } | Op::Probe { .. } => true,
        _ => false,
    });
    // Nothing in between can change the rest of what is made.
    let is_known = |own: Slot| own == other || !(REGISTER..CONSTANT).contains(&(own as usize));
    let stays = key.slots().all(is_known)
        && body.iter().all(|op| op.targets().into_iter().flatten().all(|to| (at + 1..=end).contains(&to)));
    let made = Op::Insert { table: view, key: key.with_slot(other, slot) };
    let both = at..end + 4;
    let is_elsewhere = |(own, op): (usize, &Op)| {
        both.contains(&own) || op.targets().into_iter().flatten().all(|to| to == at || !both.contains(&to))
    };
    let is_closed = ops.iter().enumerate().all(is_elsewhere);
    (is_told && apart && stays && is_closed).then_some(WalkPair { end, made })
}

/// The columns of an index; none if there is no such index.
fn columns_of(table: &TableShape, index: u8) -> &[usize] {
    table.indexes.get(index as usize).map_or(&[], Vec::as_slice)
}

/// Whether what is asked for in one round can only be inserted in the same one: one value, of the event, would have to be that of
/// both rounds.
fn is_apart(asked: impl Iterator<Item = (usize, Slot)>, slot: Slot, made: &SlotKey, other: Slot) -> bool {
    let asked: Vec<(usize, Slot)> = asked.collect();
    let made: Vec<Slot> = made.slots().collect();
    let same = |own: Slot| {
        let links = asked.iter().any(|(column, word)| *word == own && made.get(*column) == Some(&other));
        links && asked.iter().any(|(column, word)| *word == slot && made.get(*column) == Some(&own))
    };
    made.iter().any(|own| (*own as usize) < REGISTER && same(*own))
}

/// Lets a row that is found not to be there come at once if that is what happens next, and one that is there go.
fn join_steps(ops: &mut [Op]) {
    for at in 0..ops.len() {
        let Op::Find { table, key, there, to } = ops[at] else { continue };
        ops[at] = match (there, ops.get(to as usize)) {
            (true, Some(Op::InsertFound { table: view, key: of })) if *view == table && *of == key => {
                Op::FindOrInsert { table, key, to: to + 1 }
            }
            (false, Some(Op::RemoveFound { table: view, key: of })) if *view == table && *of == key => {
                Op::FindAndRemove { table, key, to: to + 1 }
            }
            _ => continue,
        };
    }
}

/// Lets scans that take every row of a group, and one column of it, be walks.
fn walk(handler: &mut Handler) {
    let Handler { ops, scans, .. } = handler;
    for op in ops {
        match *op {
            Op::Scan { scan, to } => *op = first_of_walk(&scans[scan as usize], to).unwrap_or(Op::Scan { scan, to }),
            Op::Next { scan, body, to } => {
                *op = next_of_walk(&scans[scan as usize], body, to).unwrap_or(Op::Next { scan, body, to });
            }
            _ => {}
        }
    }
}

fn first_of_walk(scan: &Scan, to: u32) -> Option<Op> {
    let (table, key, walked) = walked(scan)?;
    Some(Op::Walk { table: table.into(), key, walked, to })
}

fn next_of_walk(scan: &Scan, body: u32, to: u32) -> Option<Op> {
    let (table, _, walked) = walked(scan)?;
    Some(Op::WalkOn { table, walked, body, to })
}

/// The table of a scan that can be a walk, the values of its group, and what is walked.
fn walked(scan: &Scan) -> Option<(u16, SlotKey, Walked)> {
    let ((index, values), [(column, slot)]) = (scan.index?, &scan.binds[..]) else { return None };
    let is_whole = scan.takes_all && scan.older.is_none() && scan.bound.is_none() && scan.report_bound.is_none();
    let (index, column) = (u8::try_from(index).ok()?, u8::try_from(*column).ok()?);
    let walked = Walked { index, column, slot: *slot, cursor: scan.cursor as u8 };
    let table = u16::try_from(scan.table).ok()?;
    (is_whole && scan.key.is_none() && scan.member.is_none()).then_some((table, values, walked))
}

/// Lets rows that are looked up and then come or go be looked up once; `fits` tells of which tables that can be said.
fn find_once(ops: &mut [Op], fits: impl Fn(ViewId) -> bool) {
    for at in 0..ops.len() {
        let (Op::Remove { table: view, key } | Op::Insert { table: view, key }) = ops[at] else { continue };
        let Some(from) = found_at(&ops[..at], view, key).filter(|_| fits(view as usize)) else { continue };
        if jumps_between(ops, from, at) {
            continue;
        }
        if let Op::Probe { there, to, .. } = ops[from] {
            ops[from] = Op::Find { table: view, key, there, to };
            ops[at] = match ops[at] {
                Op::Insert { .. } => Op::InsertFound { table: view, key },
                _ => Op::RemoveFound { table: view, key },
            };
        }
    }
}

/// Where a row was looked up last, if only tests and reports follow.
fn found_at(ops: &[Op], view: u32, key: SlotKey) -> Option<usize> {
    let is_same = |op: &Op| matches!(op, Op::Probe { table, key: of, .. } if *table == view && *of == key);
    let last = ops.iter().rposition(|op| is_same(op) || op.effect() != OpEffect::Nothing)?;
    is_same(&ops[last]).then_some(last)
}

/// Whether there is a way behind one instruction, up to another one, that does not lead through it.
fn jumps_between(ops: &[Op], from: usize, to: usize) -> bool {
    let elsewhere = ops.iter().enumerate().filter(|(at, _)| !(from..to).contains(at));
    { elsewhere }.any(|(_, op)| op.targets().into_iter().flatten().any(|target| (from + 1..=to).contains(&target)))
}

/// Lets scans pass over rows that would be reported in vain.
fn bound_scans(handler: &mut Handler) {
    for at in 0..handler.ops.len() {
        let Op::Scan { scan, .. } = handler.ops[at] else { continue };
        handler.scans[scan as usize].report_bound = report_bound(handler, at, scan);
    }
}

/// The column of a scan that all reports in its body begin with, and their check.
fn report_bound(handler: &Handler, at: usize, scan: u32) -> Option<(usize, usize)> {
    let is_end = |op: &Op| matches!(op, Op::Next { scan: of, .. } if *of == scan);
    let end = at + handler.ops[at..].iter().position(is_end)?;
    let body = &handler.ops[at + 1..end];
    let stays = |op: &Op| op.targets().into_iter().flatten().all(|target| (at + 1..=end).contains(&target));
    if !body.iter().all(|op| op.effect() == OpEffect::Nothing && stays(op)) {
        return None;
    }
    let column = |op: &Op| {
        let Op::Report { report } = op else { return None };
        let (check, slots) = &handler.reports[*report as usize];
        let slot = (*slots.first()?)?;
        let bound = handler.scans[scan as usize].binds.iter().find(|(_, bound)| *bound == slot);
        Some(bound.map(|(column, _)| (*column, *check)))
    };
    let mut columns = body.iter().filter(|op| matches!(op, Op::Report { .. })).map(column);
    let first = columns.next()??;
    columns.all(|column| column == Some(first)).then_some(first).flatten()
}

#[cfg(test)]
mod tests {
    use referee_spec::core::Comparison;

    use super::*;
    use crate::fo::code::handler::ChangeScan;
    use crate::fo::code::instruction::ASK_PROGRAM;

    const KEY: SlotKey = SlotKey::Two(0, 1);

    fn probe(to: u32) -> Op {
        Op::Probe { table: 0, key: KEY, there: false, all: false, to }
    }

    fn is_found_once(mut ops: Vec<Op>) -> bool {
        find_once(&mut ops, |view| view == 0);
        let is_found = |op: &Op| matches!(op, Op::RemoveFound { .. } | Op::InsertFound { .. });
        let (found, noted) = (ops.iter().any(is_found), ops.iter().any(|op| matches!(op, Op::Find { .. })));
        assert_eq!(found, noted);
        found
    }

    #[test]
    fn a_row_that_was_found_goes_without_being_found_again() {
        assert!(is_found_once(vec![probe(2), Op::Report { report: 0 }, Op::Remove { table: 0, key: KEY }]));
        assert!(is_found_once(vec![probe(2), Op::Report { report: 0 }, Op::Insert { table: 0, key: KEY }]));
    }

    /// Walks through T0 by slot 0, of which the body asks T1 for a group; then again, to insert rows of table 1.
    fn walks(asked: SlotKey, made: SlotKey) -> Vec<Op> {
        let walked = |slot: Slot, cursor: u8| Walked { index: 0, column: 1, slot, cursor };
        let walk = |slot: Slot, cursor: u8, to: u32| Op::Walk {
            table: 0,
            key: SlotKey::One(0),
            walked: walked(slot, cursor),
            to,
        };
        let next = |slot: Slot, cursor: u8, body: u32, to: u32| Op::WalkOn {
            table: 0,
            walked: walked(slot, cursor),
            body,
            to,
        };
        let other = Walked { index: 0, column: 0, slot: 65, cursor: 1 };
        let ask = Op::Walk { table: 1, key: asked, walked: other, to: 4 };
        let ask_on = Op::WalkOn { table: 1, walked: other, body: 2, to: 4 };
        let make = Op::Insert { table: 1, key: made };
        vec![
            walk(66, 0, 5),
            ask,
            Op::Report { report: 0 },
            ask_on,
            next(66, 0, 1, 5),
            walk(65, 2, 8),
            make,
            next(65, 2, 6, 8),
        ]
    }

    #[test]
    fn two_walks_are_one_where_rounds_are_apart() {
        let table = |keys, index| TableShape { keys, indexes: vec![index], ..TableShape::default() };
        let tables = [table(2, vec![0]), table(3, vec![1, 2])];
        let is_once = |mut ops: Vec<Op>| {
            walk_once(&mut ops, |view| &tables[view]);
            ops.iter().filter(|op| matches!(op, Op::Walk { table: 0, .. })).count() == 1
        };
        assert!(is_once(walks(SlotKey::Two(1, 66), SlotKey::Three(0, 65, 1))));
        // What is made for one row is what is asked for with the next.
        assert!(!is_once(walks(SlotKey::Two(66, 1), SlotKey::Three(0, 65, 1))));
        assert!(!is_once(walks(SlotKey::Two(1, 0), SlotKey::Three(0, 65, 1))));
        assert!(!is_once(walks(SlotKey::Two(2, 66), SlotKey::Three(0, 65, 1))));
        let mut ops = walks(SlotKey::Two(1, 66), SlotKey::Three(0, 65, 1));
        walk_once(&mut ops, |view| &tables[view]);
        assert_eq!(ops[4], Op::Insert { table: 1, key: SlotKey::Three(0, 66, 1) });
        assert!(matches!(ops[5], Op::WalkOn { walked: Walked { slot: 66, cursor: 0, .. }, body: 1, to: 8, .. }));
        assert!(matches!(ops[0], Op::Walk { to: 8, .. }));
        // Another way to the second walk.
        let mut ops = walks(SlotKey::Two(1, 66), SlotKey::Three(0, 65, 1));
        ops.push(Op::Jump { to: 5 });
        assert!(!is_once(ops));
    }

    #[test]
    fn one_row_has_changed_where_one_instruction_changes_rows_once() {
        let looks_once = |before: &[Op], after: &[Op]| {
            let scan = ChangeScan { view: 3, width: 2, binds: Vec::new(), equals: Vec::new() };
            let first = before.len() as u32;
            let walk = [
                Op::FirstChange { scan: 0, table: 3, to: first + 3 },
                Op::Insert { table: 4, key: SlotKey::One(64) },
                Op::NextChange { scan: 0, body: first + 1, to: first + 3 },
            ];
            let ops = [before, &walk, after].concat();
            let mut handler = Handler::default();
            (handler.ops, handler.changes) = (ops, vec![scan]);
            look_once(&mut handler, changes_once);
            handler.ops[first as usize + 2] == Op::Jump { to: first + 3 }
        };
        let make = [Op::Insert { table: 3, key: KEY }];
        assert!(looks_once(&make, &[]));
        assert!(looks_once(&[Op::Report { report: 0 }, Op::Remove { table: 3, key: KEY }], &[Op::Jump { to: 5 }]));
        assert!(looks_once(&[Op::Insert { table: 2, key: KEY }, Op::Grow { table: 3, key: KEY, set: 0 }], &[]));
        // Two instructions, one that may change many, one in a loop, and others of which nothing is known.
        assert!(!looks_once(&[make, make].concat(), &[]));
        assert!(!looks_once(&[Op::RemovePending { table: 3 }], &[]));
        assert!(!looks_once(&[Op::Advance { table: 3 }], &[]));
        assert!(!looks_once(&make, &[Op::Next { scan: 0, body: 0, to: 5 }]));
        assert!(!looks_once(&make, &[Op::RunUnit { unit: 0 }]));
    }

    #[test]
    fn a_row_is_found_again_where_that_may_make_a_difference() {
        let gone = Op::Remove { table: 0, key: KEY };
        // Another key, another table, and a table whose rows have no numbers.
        assert!(!is_found_once(vec![
            probe(2),
            Op::Report { report: 0 },
            Op::Remove { table: 0, key: SlotKey::Two(1, 0) }
        ]));
        assert!(!is_found_once(vec![probe(2), Op::Report { report: 0 }, Op::Remove { table: 1, key: KEY }]));
        let mut other = vec![Op::Probe { table: 1, key: KEY, there: false, all: false, to: 1 }];
        other.push(Op::Remove { table: 1, key: KEY });
        assert!(!is_found_once(other));
        // Something changes in between, or a slot may.
        assert!(!is_found_once(vec![probe(2), Op::Insert { table: 1, key: KEY }, gone]));
        assert!(!is_found_once(vec![probe(2), Op::RunUnit { unit: 0 }, gone]));
        assert!(!is_found_once(vec![probe(2), Op::Scan { scan: 0, to: 3 }, gone]));
        // There is a way around the first instruction, from before it or back from behind.
        assert!(!is_found_once(vec![Op::Equal { one: 0, other: 1, same: true, to: 2 }, probe(2), gone]));
        assert!(!is_found_once(vec![probe(1), gone, Op::Next { scan: 0, body: 1, to: 3 }]));
        assert!(is_found_once(vec![probe(1), gone, Op::Next { scan: 0, body: 0, to: 3 }]));
    }

    /// What a handler of tests, jumps and reports reports, where tests come out as the bits of a number say.
    fn reports(ops: &[Op], outcomes: u32) -> Vec<u32> {
        let (mut at, mut found) = (0, Vec::new());
        while let Some(op) = ops.get(at) {
            at += 1;
            match op {
                Op::Equal { one, to, .. } if outcomes >> one & 1 == 0 => at = *to as usize,
                Op::Jump { to } => at = *to as usize,
                Op::Report { report } => found.push(*report),
                _ => {}
            }
        }
        found
    }

    #[test]
    fn a_tidy_handler_does_what_it_did() {
        let mut state = 11_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        for _ in 0..3000 {
            let len = 1 + random(10);
            let ops: Vec<Op> = (0..len)
                .map(|at| match (random(4), at + 1 + random(len - at)) {
                    (0, to) => Op::Equal { one: random(4) as Slot, other: 0, same: true, to },
                    (1 | 2, to) => Op::Jump { to },
                    _ => Op::Report { report: at },
                })
                .collect();
            let mut tidied = ops.clone();
            tidy(&mut tidied);
            for outcomes in 0..16 {
                assert_eq!(reports(&tidied, outcomes), reports(&ops, outcomes), "{ops:?}\n{tidied:?}");
            }
            let leads_on = |(at, op): (usize, &Op)| matches!(op, Op::Jump { to } if *to as usize == at + 1);
            assert!(!tidied.iter().enumerate().any(leads_on), "{ops:?}\n{tidied:?}");
        }
        // What the program decides stays with the program.
        let order = Op::Order { how: Comparison::Less, left: 0, right: 1, there: true, to: 2, otherwise: ASK_PROGRAM };
        let mut ops = vec![order, Op::Report { report: 0 }];
        tidy(&mut ops);
        assert_eq!(ops, [order, Op::Report { report: 0 }]);
    }

    #[test]
    fn time_passes_in_windows_that_are_asked() {
        let lagged = |mut ops: Vec<Op>, may_lag: bool| {
            let_lag(&mut ops, |_| may_lag);
            tidy(&mut ops);
            ops
        };
        let make = Op::Insert { table: 1, key: KEY };
        let made = vec![Op::Advance { table: 0 }, Op::Advance { table: 1 }, make, Op::Advance { table: 1 }];
        assert_eq!(lagged(made.clone(), true), [make]);
        assert_eq!(lagged(made.clone(), false), made);
        // One of them is asked, perhaps before its time passes, or somebody may ask both.
        let asked = vec![Op::Advance { table: 0 }, Op::Advance { table: 1 }, probe(3), Op::Report { report: 0 }];
        assert_eq!(lagged(asked, true), [Op::Advance { table: 0 }, probe(2), Op::Report { report: 0 }]);
        for other in [
            Op::Scan { scan: 0, to: 3 },
            Op::RunUnit { unit: 0 },
            Op::ProbeJoined { table: 0, key: KEY, there: true, to: 3 },
        ] {
            let asked = vec![Op::Advance { table: 0 }, Op::Advance { table: 1 }, other];
            assert_eq!(lagged(asked.clone(), true), asked);
        }
    }

    #[test]
    fn demands_that_are_opened_and_nothing_else_need_not_be_settled() {
        let settles = |mut ops: Vec<Op>, is_patient: bool| {
            ops.push(Op::Settle { demand: 0 });
            settle_less(&mut ops, |_| is_patient);
            ops.last() == Some(&Op::Settle { demand: 0 })
        };
        let open = Op::Open { demand: 0, key: KEY };
        assert!(!settles(vec![open], true) && settles(vec![open], false));
        assert!(!settles(vec![open, Op::Meet { demand: 1, key: KEY }], true));
        for other in [
            Op::PassDeadlines { demand: 0 },
            Op::Meet { demand: 0, key: KEY },
            Op::Fail { demand: 0, key: KEY },
            Op::Relay { relay: 0 },
        ] {
            assert!(settles(vec![open, other], true));
        }
        for other in [Op::FailAtOnce { demand: 0, key: KEY }, Op::RunUnit { unit: 0 }] {
            assert!(settles(vec![other, open], true));
        }
    }
}
