//! What was found at a point, and at the end, as violations.

use std::cmp::Ordering;

use referee_spec::core::{Judgement, Violation, bindings_order};
use referee_trace::points::Points;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::{Program, Told};
use crate::fo::code::handler::Slot;
use crate::fo::run::world::value;
use crate::fo::store::Waiting;
use crate::fo::store::table::Row;
use crate::judge::{Finding, Judge as _, Wanted};

impl Program {
    /// The rows of a violation's view are violations of every point.
    pub(crate) fn state_checks(&mut self, values: &Values) {
        for at in 0..self.states.len() {
            let check = self.states[at];
            let Some(view) = self.print.checks[check].state else { continue };
            if self.store.tables[view].len() == 0 {
                continue;
            }
            let table = &self.store.tables[view];
            let bindings = &self.print.checks[check].bindings;
            let row = |row: Row| {
                let key = table.key(row);
                bindings.iter().map(|column| column.map(|at| key[at as usize])).collect()
            };
            // Rows that differ in values that are no bindings only are one violation.
            let enough = if bindings.iter().all(Option::is_none) { 1 } else { usize::MAX };
            let rows: Vec<Vec<Option<u64>>> = table.rows().take(enough).map(row).collect();
            self.note_rows(check, &rows, values);
        }
    }

    /// Notes rows that violate a check's property.
    pub(crate) fn note_rows(&mut self, check: usize, rows: &[Vec<Option<u64>>], values: &Values) {
        rows.iter().for_each(|row| self.note_row(check, row, values));
    }

    /// Notes the rows of a report that a handler has found.
    #[inline(never)]
    pub(crate) fn note_waiting(&mut self, reports: &[(usize, Vec<Option<Slot>>)], values: &Values) {
        let Waiting { report, rows, words } = std::mem::take(&mut self.store.waiting);
        let (check, slots) = &reports[report];
        let (mut all, mut row) = (words.iter(), std::mem::take(&mut self.row));
        for _ in 0..rows {
            row.clear();
            row.extend(slots.iter().map(|slot| slot.and_then(|_| all.next().copied())));
            self.note_row(*check, &row, values);
        }
        self.row = row;
        self.store.waiting = Waiting { words, ..Waiting::default() };
        self.store.waiting.words.clear();
    }

    /// Notes a row that violates a check's property. Where one row is wanted, it is the first in the order of reports.
    pub(crate) fn note_row(&mut self, number: usize, row: &[Option<u64>], values: &Values) {
        let check = &self.print.checks[number];
        let rule = &mut self.rules[check.rule];
        if check.by_end {
            rule.by_end.entry(row.iter().copied().flatten().collect()).or_insert(self.store.point);
            return;
        }
        let first_only = self.wanted == Wanted::First;
        // Others that are decided at the same point may come before the one that was found first.
        if first_only && rule.decided.is_some_and(|decided| decided < self.store.point) {
            return;
        }
        self.has_rows = true;
        let is_single = first_only || rule.judgement == Judgement::EveryPoint;
        match rule.now.first_mut() {
            Some(best) if is_single => {
                if row_order(row, best, values, self.by_text).is_lt() {
                    best.copy_from_slice(row);
                }
            }
            _ => rule.now.push(row.to_vec()),
        }
        if is_single && let Some(first) = rule.now.first().and_then(|best| best.first()) {
            let first = first.and_then(|word| Atom::from_word(word).as_integer());
            self.store.bars[number] = first.unwrap_or(i64::MAX);
        }
    }

    /// Reports the violations of this point.
    pub(crate) fn report(&mut self, values: &Values, found: &mut Vec<Finding>) {
        self.store.bars.fill(i64::MAX);
        for rule in 0..self.rules.len() {
            if self.rules[rule].now.is_empty() {
                continue;
            }
            let rows = std::mem::take(&mut self.rules[rule].now);
            let world = self.world(values);
            let mut rows: Vec<Told> = rows
                .into_iter()
                .map(|row| (row.iter().map(|word| word.map(|word| world.value(word))).collect(), row))
                .collect();
            rows.sort_by(|(one, _), (other, _)| bindings_order(one, other));
            rows.dedup_by(|(_, one), (_, other)| one == other);
            for (bindings, words) in rows {
                let words = words.into_iter().flatten().collect();
                self.violation(rule, self.store.point, self.store.point, bindings, words, found);
            }
        }
    }

    pub(crate) fn violation(
        &mut self,
        rule: usize,
        point: u64,
        decided: u64,
        bindings: Vec<Option<Value>>,
        words: Vec<u64>,
        found: &mut Vec<Finding>,
    ) {
        let state = &mut self.rules[rule];
        let new = match state.judgement {
            Judgement::Once => state.reported.insert((0, words)),
            _ if state.ambiguous => state.reported.insert((point, words)),
            _ => true,
        };
        if new {
            state.violations += 1;
            state.decided.get_or_insert(decided);
            let violation = Violation { point, decided: Some(decided), opened: None, bindings, message: None };
            found.push(Finding { rule, violation });
        }
    }

    /// What the end decides.
    pub(crate) fn decide_at_end(&mut self, last: u64, values: &Values) -> Vec<Finding> {
        let mut found = Vec::new();
        for demand in 0..self.store.demands.len() {
            let follow = &self.print.follows[demand];
            if follow.forbidden {
                continue;
            }
            let rows: Vec<Row> = self.store.tables[follow.view].rows().collect();
            for row in rows {
                while let Some(opened) = self.store.demands[demand].any(row) {
                    let follow = &self.print.follows[demand];
                    let key = self.store.tables[follow.view].key(row);
                    let words: Vec<u64> =
                        follow.bindings.iter().filter_map(|column| column.map(|at| key[at as usize])).collect();
                    self.end_violation(follow.rule, words, opened, last, values, &mut found);
                }
            }
        }
        for rule in 0..self.rules.len() {
            for (words, point) in std::mem::take(&mut self.rules[rule].by_end) {
                self.end_violation(rule, words, point, last, values, &mut found);
            }
        }
        found
    }

    pub(crate) fn end_violation(
        &mut self,
        rule: usize,
        words: Vec<u64>,
        opened: u64,
        last: u64,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let world = self.world(values);
        let bindings = words.iter().map(|word| Some(world.value(*word))).collect();
        let point = if self.rules[rule].judgement == Judgement::Once { last } else { opened };
        let before = found.len();
        self.violation(rule, point, last, bindings, words, found);
        if let Some(Finding { violation, .. }) = found.get_mut(before) {
            (violation.decided, violation.opened) = (None, Some(opened));
        }
    }
}

impl Program {
    /// The places of those points of a batch at which demands were opened that are open.
    pub(crate) fn demands_among(&self, points: &Points, places: &mut Vec<usize>) {
        let mut numbers = points.numbers().enumerate().peekable();
        let Some(&(_, first)) = numbers.peek() else { return };
        let mut waiting = self.store.demands.iter().filter(|demands| demands.points.len() > 0);
        match (waiting.next().map(|demands| demands.points.since(first)), waiting.next()) {
            // Nearly always all of them are of one kind, and in order.
            (Some(Some(open)), None) => {
                for point in open {
                    places.extend(numbers.by_ref().find(|(_, number)| *number >= point).map(|(place, _)| place));
                }
            }
            _ => places.extend(numbers.filter(|(_, point)| self.is_open(*point)).map(|(place, _)| place)),
        }
    }
}

/// The order of reports, as [`bindings_order`] has it, of rows as words.
fn row_order(one: &[Option<u64>], other: &[Option<u64>], values: &Values, by_text: bool) -> Ordering {
    let each = one.iter().zip(other).map(|(one, other)| match (one, other) {
        (Some(one), Some(other)) => word_order(*one, *other, values, by_text),
        (one, other) => one.is_some().cmp(&other.is_some()),
    });
    { each }.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn word_order(one: u64, other: u64, values: &Values, by_text: bool) -> Ordering {
    let (first, second) = (Atom::from_word(one), Atom::from_word(other));
    if let (Some(one), Some(other)) = (first.as_integer(), second.as_integer()) {
        return one.cmp(&other);
    }
    match (values.plain_bytes(first), values.plain_bytes(second)) {
        (Some(one), Some(other)) => one.cmp(other),
        _ => value(one, values, by_text).report_order(&value(other, values, by_text)),
    }
}
