//! Aggregations over tables.
//!
//! ```text
//!   body, over groups and own variables          result, over groups and r
//!   u ┬ ann ─▶ a ┬ 3 ─▶ i ┬ 0 ─▶ true             u ┬ ann ─▶ r ┬ 7 ─▶ true
//!     │          └ 4 ─▶ i ┬ 2 ─▶ true      SUM      │          └ anything else ─▶ false
//!     └ anything else ─▶ false             ──▶      └ anything else ─▶ false
//! ```
//!
//! Levels of outer variables, wherever they stand in the body, are kept; below them the paths to *true* are the assignments.
//! Where the body is open, or depends on an outer variable that is not known yet, the aggregation waits as a
//! [`Gathering`]. Where "anything else" satisfies it, there is no end of assignments.
//!
//! Cost: all assignments of all groups that the body lists, at every point. It is the general path; policies of the usual
//! shape are judged by deltas instead.

use std::sync::Arc;

use referee_spec::core::{AggregateFunction, Obstacle, Problem, Span};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::algebra::{Algebra, listed_values};
use crate::condition::{Condition, Open, Slot, Var, VarSet};
use crate::roots::earlier;
use crate::table::Table;
use crate::universe::{Universe, ValueId};
use crate::window::median;

/// What an aggregation does, whatever it is applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// How values are put together.
    pub function: AggregateFunction,
    /// Whether there are groups, so that an empty one has no number.
    pub grouped: bool,
    /// The variables that it binds.
    pub own: Vec<Var>,
    /// Where it stands.
    pub span: Span,
}

/// An aggregation whose assignments are not all known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathering {
    /// What is done.
    pub spec: Arc<Aggregate>,
    /// What is to be the result.
    pub result: Slot,
    /// Whose values are put together.
    pub over: Slot,
    /// What assignments must satisfy.
    pub body: Table,
    /// Whether its negation is meant.
    pub negated: bool,
    /// The point at which it was made.
    pub point: u64,
}

impl Gathering {
    /// The variables that occur free in it.
    pub fn mentions(&self) -> VarSet {
        let body = self.body.mentions().with(self.body.nodes());
        let own = self.spec.own.iter().fold(body, |set, var| set.without(*var));
        [self.result, self.over].into_iter().fold(own, |set, slot| match slot {
            Slot::Var(var) if !self.spec.own.contains(&var) => set.with(VarSet::of(var)),
            _ => set,
        })
    }

    /// The variables that occur free in its tests.
    pub fn tests(&self) -> VarSet {
        self.spec.own.iter().fold(self.body.tests(), |set, var| set.without(*var))
    }

    /// The same with a variable replaced, in the body already.
    #[must_use]
    pub fn with(&self, var: Var, slot: Slot, body: Table) -> Gathering {
        let replaced = |own: Slot| if own == Slot::Var(var) { slot } else { own };
        Gathering { result: replaced(self.result), over: replaced(self.over), body, ..self.clone() }
    }

    fn obstacle(&self, problem: Problem) -> Obstacle {
        Obstacle { point: self.point, span: self.spec.span, problem }
    }

    fn open(self) -> Table {
        Table::Leaf(Condition::open(Open::Gathering(self)))
    }
}

/// Why a table has no list of assignments.
enum Reason {
    /// It depends on something that is not known yet.
    Open,
    /// It never will have one.
    Stuck(Obstacle),
}

impl Algebra {
    /// The table of an aggregation, as far as its body is known.
    pub fn gather(&mut self, gathering: Gathering) -> Table {
        if let Some(outer) = outer_level(&gathering.body, &gathering.spec.own) {
            return self.gather_below(outer, &gathering);
        }
        if gathering.body.is_pending() {
            return gathering.open();
        }
        let mut assignments = Vec::new();
        let own = gathering.spec.own.clone();
        let mut path: Vec<Option<ValueId>> = vec![None; own.len()];
        match collect(&gathering, &gathering.body, &mut path, &mut assignments) {
            Ok(()) => self.settle_gathering(&gathering, &assignments),
            Err(Reason::Open) => gathering.open(),
            Err(Reason::Stuck(obstacle)) => Table::Leaf(Condition::open(Open::Stuck(obstacle))),
        }
    }

    /// Aggregates where the body has a level of an outer variable.
    fn gather_below(&mut self, outer: Var, gathering: &Gathering) -> Table {
        let rest = self.strip(&gathering.body, outer);
        let rest = self.gather(Gathering { body: rest, ..gathering.clone() });
        let mut rows = Vec::new();
        for value in listed_values(&gathering.body, outer) {
            let body = self.at(&gathering.body, outer, value);
            rows.push((value, self.gather(gathering.with(outer, Slot::Value(value), body))));
        }
        self.level(outer, rows, rest)
    }

    fn settle_gathering(&mut self, gathering: &Gathering, assignments: &[Vec<ValueId>]) -> Table {
        let Gathering { spec, negated, .. } = gathering;
        let result = match assignments.len() {
            0 => of_nothing(spec.function, spec.grouped),
            count if spec.function == AggregateFunction::Count => Some(counted(count)),
            _ => match over_values(&self.universe, gathering, assignments) {
                Some(values) => put_together(spec.function, &values),
                // It is a group whose value nobody has named.
                None => return stuck(gathering.obstacle(Problem::UnnamedValue)),
            },
        };
        let Some(result) = result else { return Table::constant(*negated) };
        let id = self.universe.intern(&result);
        match gathering.result {
            Slot::Var(var) => Table::equals(var, id, !negated),
            Slot::Value(value) => Table::constant((value == id) != *negated),
        }
    }
}

fn stuck(obstacle: Obstacle) -> Table {
    Table::Leaf(Condition::open(Open::Stuck(obstacle)))
}

/// A variable that has a level in a table and is not among `own`.
fn outer_level(table: &Table, own: &[Var]) -> Option<Var> {
    let Table::Node(node) = table else { return None };
    if own.iter().fold(table.nodes(), |set, var| set.without(*var)).is_empty() {
        return None;
    }
    if !own.contains(&node.var) {
        return Some(node.var);
    }
    outer_level(&node.rest, own).or_else(|| node.rows.values().find_map(|row| outer_level(row, own)))
}

/// The assignments of the own variables that satisfy a table without other levels.
fn collect(
    gathering: &Gathering,
    table: &Table,
    path: &mut Vec<Option<ValueId>>,
    assignments: &mut Vec<Vec<ValueId>>,
) -> Result<(), Reason> {
    match table {
        Table::Leaf(Condition::Constant(false)) => Ok(()),
        Table::Leaf(Condition::Constant(true)) => {
            let assignment: Option<Vec<ValueId>> = path.iter().copied().collect();
            assignments.push(assignment.ok_or_else(|| Reason::Stuck(gathering.obstacle(Problem::Endless)))?);
            Ok(())
        }
        Table::Leaf(condition) => Err(unresolved(gathering, condition)),
        Table::Node(node) => {
            let at = gathering.spec.own.iter().position(|own| *own == node.var);
            let mut obstacle = None;
            let rows = node.rows.iter().map(|(value, row)| (Some(*value), row));
            for (value, child) in rows.chain([(None, &node.rest)]) {
                if let Some(at) = at {
                    path[at] = value;
                }
                let found = collect(gathering, child, path, assignments);
                if let Some(at) = at {
                    path[at] = None;
                }
                match found {
                    Err(Reason::Open) => return Err(Reason::Open),
                    Err(Reason::Stuck(found)) => obstacle = earlier(obstacle, Some(found)),
                    Ok(()) => {}
                }
            }
            obstacle.map_or(Ok(()), |obstacle| Err(Reason::Stuck(obstacle)))
        }
    }
}

/// Why a condition is no truth value: an outer variable may settle it, or nothing will.
fn unresolved(gathering: &Gathering, condition: &Condition) -> Reason {
    let outer = gathering.spec.own.iter().fold(condition.mentions(), |set, var| set.without(*var));
    if !outer.is_empty() {
        return Reason::Open;
    }
    Reason::Stuck(condition.obstacle().unwrap_or_else(|| gathering.obstacle(Problem::UnnamedValue)))
}

/// The values that are put together, one per assignment; nothing if they are of a variable without a value.
fn over_values(universe: &Universe, gathering: &Gathering, assignments: &[Vec<ValueId>]) -> Option<Vec<Value>> {
    match gathering.over {
        Slot::Value(value) => Some(vec![universe.value(value).clone(); assignments.len()]),
        Slot::Var(var) => {
            let at = gathering.spec.own.iter().position(|own| *own == var)?;
            Some(assignments.iter().map(|assignment| universe.value(assignment[at]).clone()).collect())
        }
    }
}

fn counted(count: usize) -> Value {
    Value::Number(Number::Int(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// What a function makes of no values at all.
pub(crate) fn of_nothing(function: AggregateFunction, grouped: bool) -> Option<Value> {
    let zero = matches!(function, AggregateFunction::Count | AggregateFunction::Sum);
    (zero && !grouped).then(|| counted(0))
}

/// What a function makes of values, at least one; nothing if they are of the wrong kind.
pub(crate) fn put_together(function: AggregateFunction, values: &[Value]) -> Option<Value> {
    let texts: Option<Vec<&str>> = values.iter().map(as_text).collect();
    match (function, texts) {
        (AggregateFunction::Minimum, Some(texts)) => return texts.into_iter().min().map(Value::string),
        (AggregateFunction::Maximum, Some(texts)) => return texts.into_iter().max().map(Value::string),
        _ => {}
    }
    if function == AggregateFunction::Count {
        return Some(counted(values.len()));
    }
    let mut numbers: Vec<Number> = values.iter().map(|value| value.as_number().cloned()).collect::<Option<_>>()?;
    let sum = |numbers: &[Number]| numbers.iter().fold(Number::ZERO, |sum, number| sum.add(number));
    let result = match function {
        AggregateFunction::Count | AggregateFunction::Sum => Some(sum(&numbers)),
        AggregateFunction::Average => sum(&numbers).div(&Number::Int(i64::try_from(numbers.len()).ok()?)),
        AggregateFunction::Minimum => numbers.into_iter().min(),
        AggregateFunction::Maximum => numbers.into_iter().max(),
        AggregateFunction::Median => {
            numbers.sort();
            median(&numbers)
        }
    };
    result.map(Value::Number)
}

fn as_text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}
