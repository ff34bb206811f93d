//! What plans look at while a point is judged, and how they are run.
//!
//! ```text
//!   steps of a plan ─▶ the first one tests, or binds registers in each possible way ─▶ the rest, for each of them
//! ```

use std::cell::RefCell;

use referee_spec::core::{Arithmetic, Comparison};
use referee_trace::number::Number;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::fo::code::expression::{Compare, Expr};
use crate::fo::code::plan::{Action, EventMatch, PlanOperand, PlanStep, RowMatch, SetPlan};
use crate::fo::run::fallback::FallbackParts;
use crate::fo::run::point_events::{Constants, Matches, PointEvents, Registers};
use crate::fo::run::values::{value, values_compare};
use crate::fo::store::join::Joined;
use crate::fo::store::row::Row;
use crate::fo::store::sets::Set;
use crate::fo::store::table::RowTable;
use crate::fo::types::{REGISTERS, ViewId, orders};

/// What plans look at.
#[derive(Clone, Copy)]
pub(super) struct PlanContext<'a> {
    /// The tables, by view.
    pub tables: &'a [RowTable],
    /// What windows are joined with that have no rows, by view.
    pub joins: &'a [Option<Box<Joined>>],
    /// The events of the point.
    pub events: &'a PointEvents,
    /// Which events match which patterns.
    pub matches: &'a Matches,
    /// The constants.
    pub constants: &'a Constants,
    /// All values.
    pub values: &'a Values,
    /// The time of the point.
    pub time: &'a Number,
    /// Whether values are texts.
    pub by_text: bool,
    /// Rows that may leave an index for good.
    pub skips: &'a RefCell<Vec<(ViewId, usize, Row)>>,
    /// What the interpreter says of parts of formulas.
    pub fallback: &'a RefCell<FallbackParts>,
}

impl PlanContext<'_> {
    /// The word of an operand.
    #[inline]
    fn word(&self, operand: PlanOperand, registers: &Registers) -> u64 {
        match operand {
            PlanOperand::Register(register) => registers[register as usize],
            PlanOperand::Constant(constant) => self.constants.words[constant as usize],
        }
    }

    /// Matches one event against a pattern and binds registers.
    #[inline]
    pub(super) fn matches_event(
        &self,
        events: &PointEvents,
        event: usize,
        matching: &EventMatch,
        registers: &mut Registers,
    ) -> bool {
        let Some(places) = self.matches.places_of(events.shape(event), matching.pattern) else { return false };
        let words = events.words(event);
        let fits = places.iter().zip(&matching.actions).all(|(place, action)| match action {
            Action::Skip => true,
            Action::Equal(operand) => words[*place] == self.word(*operand, registers),
            Action::Bind(register) => {
                registers[*register as usize] = words[*place];
                true
            }
        });
        fits && matching.condition.as_ref().is_none_or(|condition| {
            let field = |place: usize| words[places[place]];
            self.holds(condition, registers, &field)
        })
    }

    /// Matches values against actions and binds registers.
    #[inline]
    pub(super) fn binds(&self, words: &[u64], actions: &[Action], registers: &mut Registers) -> bool {
        words.iter().zip(actions).all(|(word, action)| match action {
            Action::Skip => true,
            Action::Equal(operand) => *word == self.word(*operand, registers),
            Action::Bind(register) => {
                registers[*register as usize] = *word;
                true
            }
        })
    }

    /// Runs steps; calls `found` for every solution until it says that it has enough. Tells whether it did.
    pub(super) fn solve(
        &self,
        steps: &[PlanStep],
        registers: &mut Registers,
        found: &mut dyn FnMut(&mut Registers) -> bool,
    ) -> bool {
        let Some((step, rest)) = steps.split_first() else { return found(registers) };
        let passes = match step {
            PlanStep::Events(matching) => {
                for event in 0..self.events.len() {
                    if self.matches_event(self.events, event, matching, registers) && self.solve(rest, registers, found)
                    {
                        return true;
                    }
                }
                return false;
            }
            PlanStep::NoEvent(matching) => {
                let mut scratch = *registers;
                !(0..self.events.len()).any(|event| self.matches_event(self.events, event, matching, &mut scratch))
            }
            PlanStep::Probe { there, view, key, member, all } => {
                self.probe(*view, key, *member, *all, registers) == *there
            }
            PlanStep::Rows(rows) => {
                return self.each_row(rows, registers, &mut |registers, _| self.solve(rest, registers, found));
            }
            PlanStep::Compare(there, compare) => self.holds(compare, registers, &|_| 0) == *there,
            PlanStep::Assign(register, operand) => {
                registers[*register as usize] = self.word(*operand, registers);
                true
            }
            PlanStep::Stamps { there, last, first, delayed } => {
                let limit = self.row(last.0, &last.1, registers).map(|row| self.tables[last.0].stamp(row));
                let since = self.row(first.0, &first.1, registers).map(|row| self.tables[first.0].stamp(row));
                let holds = match (limit, since) {
                    (Some(limit), Some(since)) => since + u64::from(*delayed) <= limit,
                    _ => false,
                };
                holds == *there
            }
            PlanStep::Older { last, rows, delayed, unless } => {
                let Some(limit) = self.row(last.0, &last.1, registers).map(|row| self.tables[last.0].stamp(row)) else {
                    return false;
                };
                return self.each_older(rows, limit, *delayed, unless, registers, &mut |registers| {
                    self.solve(rest, registers, found)
                });
            }
            PlanStep::Choice(plans) => {
                for plan in plans {
                    if self.solve(&plan.steps, registers, &mut |registers| self.solve(rest, registers, found)) {
                        return true;
                    }
                }
                return false;
            }
            PlanStep::Some(there, plan) => self.solve(&plan.steps, registers, &mut |_| true) == *there,
            PlanStep::Fallback { there, part, key } => {
                let words = self.words(key, registers);
                self.fallback.borrow_mut().holds(*part, &words[..key.len()], self.values) == Some(*there)
            }
            PlanStep::Yield { part, key, register } => {
                let words = self.words(key, registers);
                let word = self.fallback.borrow_mut().yielded(*part, &words[..key.len()], self.values);
                word.is_some_and(|word| {
                    registers[*register as usize] = word;
                    true
                })
            }
            PlanStep::NonEmpty(there, set) => self.set(set, registers).is_empty() != *there,
        };
        passes && self.solve(rest, registers, found)
    }

    /// The words of some operands.
    fn words(&self, operands: &[PlanOperand], registers: &Registers) -> Registers {
        let mut words = [0; REGISTERS];
        for (word, operand) in words.iter_mut().zip(operands) {
            *word = self.word(*operand, registers);
        }
        words
    }

    #[inline]
    fn row(&self, view: ViewId, key: &[PlanOperand], registers: &Registers) -> Option<Row> {
        let table = &self.tables[view];
        match *key {
            [one] => table.find(&[self.word(one, registers)]),
            [one, two] => table.find(&[self.word(one, registers), self.word(two, registers)]),
            _ => {
                let mut words = [0; REGISTERS];
                for (word, operand) in words.iter_mut().zip(key) {
                    *word = self.word(*operand, registers);
                }
                table.find(&words[..key.len()])
            }
        }
    }

    #[inline]
    fn probe(
        &self,
        view: ViewId,
        key: &[PlanOperand],
        member: Option<PlanOperand>,
        all: bool,
        registers: &Registers,
    ) -> bool {
        let table = &self.tables[view];
        if let Some(joined) = &self.joins[view] {
            let mut words = [0; REGISTERS];
            words.iter_mut().zip(key).for_each(|(word, operand)| *word = self.word(*operand, registers));
            return joined.has(&words[..key.len()], table, &self.tables[joined.of()]);
        }
        let Some(row) = self.row(view, key, registers).filter(|&row| all || table.is_true(row)) else { return false };
        member.is_none_or(|member| table.set(row).is_some_and(|set| set.has(self.word(member, registers))))
    }

    fn each_row(
        &self,
        rows: &RowMatch,
        registers: &mut Registers,
        each: &mut dyn FnMut(&mut Registers, Row) -> bool,
    ) -> bool {
        let table = &self.tables[rows.view];
        let mut take = |row: Row, registers: &mut Registers| {
            (rows.all || table.is_true(row))
                && self.binds(table.key(row), &rows.actions, registers)
                && rows
                    .member
                    .is_none_or(|member| table.set(row).is_some_and(|set| set.has(self.word(member, registers))))
                && each(registers, row)
        };
        let Some((index, values)) = &rows.index else {
            return table.rows().any(|row| take(row, registers));
        };
        if values.len() == rows.actions.len() {
            return self.row(rows.view, values, registers).is_some_and(|row| take(row, registers));
        }
        let mut next = self.first_of(rows.view, *index, values, registers);
        while let Some(row) = next {
            // The row may be gone from the index once it was taken, so the way on is asked for first.
            next = table.next(*index, row);
            if take(row, registers) {
                return true;
            }
        }
        false
    }

    fn first_of(&self, view: ViewId, index: usize, values: &[PlanOperand], registers: &Registers) -> Option<Row> {
        let mut words = [0; REGISTERS];
        for (word, operand) in words.iter_mut().zip(values) {
            *word = self.word(*operand, registers);
        }
        self.tables[view].first(index, &words[..values.len()])
    }

    /// The rows whose first stamp is not after the limit, oldest first; those that will never be asked for again are noted.
    fn each_older(
        &self,
        rows: &RowMatch,
        limit: u64,
        delayed: bool,
        unless: &Option<(ViewId, Vec<usize>)>,
        registers: &mut Registers,
        each: &mut dyn FnMut(&mut Registers) -> bool,
    ) -> bool {
        let table = &self.tables[rows.view];
        let Some((index, values)) = &rows.index else {
            return table.rows().any(|row| {
                table.stamp(row) + u64::from(delayed) <= limit
                    && self.binds(table.key(row), &rows.actions, registers)
                    && each(registers)
            });
        };
        if unless.is_none() && values.len() == rows.actions.len() {
            // The whole key is known: it has no index.
            return self.row(rows.view, values, registers).is_some_and(|row| {
                table.stamp(row) + u64::from(delayed) <= limit
                    && self.binds(table.key(row), &rows.actions, registers)
                    && each(registers)
            });
        }
        let mut next = self.first_of(rows.view, *index, values, registers);
        while let Some(row) = next {
            if table.stamp(row) + u64::from(delayed) > limit {
                return false;
            }
            next = table.next(*index, row);
            if let Some((view, columns)) = unless {
                let mut words = [0; REGISTERS];
                for (word, column) in words.iter_mut().zip(columns) {
                    *word = table.key(row)[*column];
                }
                if self.tables[*view].find(&words[..columns.len()]).is_some() {
                    self.skips.borrow_mut().push((rows.view, *index, row));
                    continue;
                }
            }
            if self.binds(table.key(row), &rows.actions, registers) && each(registers) {
                return true;
            }
        }
        false
    }

    /// The values of one variable that make a formula true.
    pub(super) fn set(&self, plan: &SetPlan, registers: &mut Registers) -> Set {
        match plan {
            SetPlan::If(plan) => Set::constant(self.solve(&plan.steps, registers, &mut |_| true)),
            SetPlan::Value(operand) => Set::of([self.word(*operand, registers)]),
            SetPlan::Column(rows, register) => {
                let mut found = Vec::new();
                self.each_row(rows, registers, &mut |registers, _| {
                    found.push(registers[*register as usize]);
                    false
                });
                Set::of(found)
            }
            SetPlan::OfRow(view, key) => {
                let row = self.row(*view, key, registers);
                row.and_then(|row| self.tables[*view].set(row).cloned()).unwrap_or_default()
            }
            SetPlan::Events(matching, register) => {
                let mut found = Vec::new();
                for event in 0..self.events.len() {
                    if self.matches_event(self.events, event, matching, registers) {
                        found.push(registers[*register as usize]);
                    }
                }
                Set::of(found)
            }
            SetPlan::Not(body) => self.set(body, registers).complement(),
            SetPlan::And(parts) => {
                let all = Set::constant(true);
                parts
                    .iter()
                    .fold(all, |all, part| if all.is_empty() { all } else { all.and(&self.set(part, registers)) })
            }
            SetPlan::Or(parts) => {
                parts.iter().fold(Set::constant(false), |all, part| all.or(&self.set(part, registers)))
            }
        }
    }

    /// Whether two terms compare.
    #[inline]
    fn holds(&self, compare: &Compare, registers: &Registers, field: &dyn Fn(usize) -> u64) -> bool {
        let (Some(left), Some(right)) =
            (self.term(&compare.left, registers, field), self.term(&compare.right, registers, field))
        else {
            return false;
        };
        match (left, right) {
            (TermValue::Word(left), TermValue::Word(right)) => self.words_compare(compare.how, left, right),
            (left, right) => values_compare(compare.how, &self.evaluated(left), &self.evaluated(right), self.by_text),
        }
    }

    /// Whether two words compare.
    #[inline]
    pub(super) fn words_compare(&self, how: Comparison, left: u64, right: u64) -> bool {
        match how {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            how => match (Atom::from_word(left).as_integer(), Atom::from_word(right).as_integer()) {
                (Some(left), Some(right)) => orders(how, left.cmp(&right)),
                _ => values_compare(
                    how,
                    &self.evaluated(TermValue::Word(left)),
                    &self.evaluated(TermValue::Word(right)),
                    self.by_text,
                ),
            },
        }
    }

    fn evaluated(&self, term: TermValue) -> Value {
        match term {
            TermValue::Word(word) => self.value(word),
            TermValue::Value(value) => value,
        }
    }

    /// The value of a word, as reports have it.
    pub(super) fn value(&self, word: u64) -> Value {
        value(word, self.values, self.by_text)
    }

    fn term(&self, expr: &Expr, registers: &Registers, field: &dyn Fn(usize) -> u64) -> Option<TermValue> {
        Some(match expr {
            Expr::Var(variable) => TermValue::Word(registers[*variable as usize]),
            Expr::Constant(value) => {
                let at = self.constants.values.iter().position(|known| known == value);
                at.map_or_else(|| TermValue::Value(value.clone()), |at| TermValue::Word(self.constants.words[at]))
            }
            Expr::Field(place) => TermValue::Word(field(*place)),
            Expr::Time => TermValue::Value(Value::Number(self.time.clone())),
            Expr::Binary(how, left, right) => {
                let left = self.number(self.term(left, registers, field)?)?;
                let right = self.number(self.term(right, registers, field)?)?;
                TermValue::Value(Value::Number(match how {
                    Arithmetic::Add => left.add(&right),
                    Arithmetic::Subtract => left.sub(&right),
                    _ => left.mul(&right),
                }))
            }
            Expr::Negate(body) => {
                TermValue::Value(Value::Number(self.number(self.term(body, registers, field)?)?.neg()))
            }
        })
    }

    fn number(&self, term: TermValue) -> Option<Number> {
        self.evaluated(term).as_number().cloned()
    }
}

/// A word, or a value that was computed.
enum TermValue {
    Word(u64),
    Value(Value),
}
