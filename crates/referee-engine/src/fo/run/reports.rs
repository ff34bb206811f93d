//! What a program has found, at a point and at the end, as violations in the order of reports.

use std::cmp::Ordering;
use std::collections::HashSet;

use referee_spec::core::{Judgement, Violation, bindings_order};
use referee_trace::points::Points;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::fo::code::key::Slot;
use crate::fo::code::program::Follow;
use crate::fo::run::executor::Waiting;
use crate::fo::run::program::{Program, Rule, Told};
use crate::fo::run::values::value;
use crate::fo::store::demand::Demands;
use crate::fo::store::row::Row;
use crate::judge::{Finding, Wanted};

impl Program {
    /// Whether some view has rows that is looked at at every point.
    #[inline(always)]
    pub(super) fn is_state_seen(&self) -> bool {
        self.state_views.iter().any(|view| self.executor.store.tables[*view].len() > 0)
    }

    /// Tells what was found at a point.
    pub(super) fn conclude(&mut self, values: &Values, found: &mut Vec<Finding>) {
        if self.is_state_seen() {
            self.state_checks(values);
        }
        if self.has_rows {
            self.has_rows = false;
            self.report(values, found);
        }
    }

    /// How many violations of a rule are neither certain nor excluded.
    pub(super) fn pending(&self, rule: usize) -> u64 {
        let of_rule = |(follow, _): &(&Follow, &Demands)| follow.rule == rule;
        let demands = self.program.follows.iter().zip(&self.executor.store.demands).filter(of_rule);
        let Rule { judgement, ambiguous, reported, .. } = &self.rules[rule];
        if !ambiguous {
            return demands.map(|(_, demands)| demands.open).sum();
        }
        // Several demands may be about one violation, which may be certain already.
        let violation = |point: u64, words: Vec<u64>| match judgement {
            Judgement::Once => (0, words),
            _ => (point, words),
        };
        let certain: HashSet<_> = reported.iter().map(|(point, words)| violation(*point, words.clone())).collect();
        let mut open = HashSet::new();
        for (follow, demands) in demands {
            let table = &self.executor.store.tables[follow.view];
            for (row, opened) in table.rows().flat_map(|row| demands.openings(row).map(move |own| (row, own))) {
                let key = table.key(row);
                let words = follow.bindings.iter().filter_map(|column| column.map(|at| key[at as usize])).collect();
                open.insert(violation(opened, words));
            }
        }
        open.difference(&certain).count() as u64
    }

    /// Whether a demand that was opened at a point is open.
    pub(super) fn is_demand_open(&self, point: u64) -> bool {
        self.executor.store.demands.iter().any(|demands| demands.points.has(point))
    }

    /// The rows of a violation's view are violations of every point.
    pub(super) fn state_checks(&mut self, values: &Values) {
        for at in 0..self.states.len() {
            let check = self.states[at];
            let Some(view) = self.program.checks[check].state else { continue };
            if self.executor.store.tables[view].len() == 0 {
                continue;
            }
            let table = &self.executor.store.tables[view];
            let bindings = &self.program.checks[check].bindings;
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
    pub(super) fn note_rows(&mut self, check: usize, rows: &[Vec<Option<u64>>], values: &Values) {
        rows.iter().for_each(|row| self.note_row(check, row, values));
    }

    /// Notes the rows of a report that a handler has found.
    #[inline(never)]
    pub(super) fn note_waiting(&mut self, reports: &[(usize, Vec<Option<Slot>>)], values: &Values) {
        let Waiting { report, rows, words } = std::mem::take(&mut self.executor.waiting);
        let (check, slots) = &reports[report];
        let (mut all, mut row) = (words.iter(), std::mem::take(&mut self.row));
        for _ in 0..rows {
            row.clear();
            row.extend(slots.iter().map(|slot| slot.and_then(|_| all.next().copied())));
            self.note_row(*check, &row, values);
        }
        self.row = row;
        self.executor.waiting = Waiting { words, ..Waiting::default() };
        self.executor.waiting.words.clear();
    }

    /// Notes a row that violates a check's property. Where one row is wanted, it is the first in the order of reports.
    pub(super) fn note_row(&mut self, number: usize, row: &[Option<u64>], values: &Values) {
        let check = &self.program.checks[number];
        let rule = &mut self.rules[check.rule];
        if check.by_end {
            rule.by_end.entry(row.iter().copied().flatten().collect()).or_insert(self.executor.store.point);
            return;
        }
        let first_only = self.wanted == Wanted::First;
        // Others that are decided at the same point may come before the one that was found first.
        if first_only && rule.decided.is_some_and(|decided| decided < self.executor.store.point) {
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
            self.executor.report_bounds[number] = first.unwrap_or(i64::MAX);
        }
    }

    /// Reports the violations of this point.
    pub(super) fn report(&mut self, values: &Values, found: &mut Vec<Finding>) {
        self.executor.report_bounds.fill(i64::MAX);
        for rule in 0..self.rules.len() {
            if self.rules[rule].now.is_empty() {
                continue;
            }
            let rows = std::mem::take(&mut self.rules[rule].now);
            let context = self.context(values);
            let mut rows: Vec<Told> = rows
                .into_iter()
                .map(|row| (row.iter().map(|word| word.map(|word| context.value(word))).collect(), row))
                .collect();
            rows.sort_by(|(one, _), (other, _)| bindings_order(one, other));
            rows.dedup_by(|(_, one), (_, other)| one == other);
            for (bindings, words) in rows {
                let words = words.into_iter().flatten().collect();
                self.violation(rule, self.executor.store.point, self.executor.store.point, bindings, words, found);
            }
        }
    }

    pub(super) fn violation(
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
    pub(super) fn decide_at_end(&mut self, last: u64, values: &Values) -> Vec<Finding> {
        let mut found = Vec::new();
        for demand in 0..self.executor.store.demands.len() {
            let follow = &self.program.follows[demand];
            if follow.forbidden {
                continue;
            }
            let rows: Vec<Row> = self.executor.store.tables[follow.view].rows().collect();
            for row in rows {
                while let Some(opened) = self.executor.store.demands[demand].any(row) {
                    let follow = &self.program.follows[demand];
                    let key = self.executor.store.tables[follow.view].key(row);
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

    pub(super) fn end_violation(
        &mut self,
        rule: usize,
        words: Vec<u64>,
        opened: u64,
        last: u64,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let context = self.context(values);
        let bindings = words.iter().map(|word| Some(context.value(*word))).collect();
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
    pub(super) fn demands_among(&self, points: &Points, places: &mut Vec<usize>) {
        let mut numbers = points.numbers().enumerate().peekable();
        let Some(&(_, first)) = numbers.peek() else { return };
        let mut waiting = self.executor.store.demands.iter().filter(|demands| demands.points.len() > 0);
        match (waiting.next().map(|demands| demands.points.since(first)), waiting.next()) {
            // Nearly always all of them are of one kind, and in order.
            (Some(Some(open)), None) => {
                for point in open {
                    places.extend(numbers.by_ref().find(|(_, number)| *number >= point).map(|(place, _)| place));
                }
            }
            _ => places.extend(numbers.filter(|(_, point)| self.is_demand_open(*point)).map(|(place, _)| place)),
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

/// The order of reports, of two words.
pub(super) fn word_order(one: u64, other: u64, values: &Values, by_text: bool) -> Ordering {
    let (first, second) = (Atom::from_word(one), Atom::from_word(other));
    if let (Some(one), Some(other)) = (first.as_integer(), second.as_integer()) {
        return one.cmp(&other);
    }
    match (values.plain_bytes(first), values.plain_bytes(second)) {
        (Some(one), Some(other)) => one.cmp(other),
        _ => value(one, values, by_text).report_order(&value(other, values, by_text)),
    }
}
