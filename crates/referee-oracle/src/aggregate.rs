//! Aggregations: all assignments, one by one.
//!
//! ```text
//!   for every assignment of the own variables:   the body is true ─▶ its value counts
//!                                                unknown, undecidable ─▶ so is the aggregation
//!                                                true of a value that nobody has named ─▶ there is no end of them
//! ```

use std::collections::BTreeSet;

use referee_spec::core::{AggregateFunction, Aggregation, Formula, Obstacle, Problem, VarId};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::assignment::Assignment;
use crate::assignment::{Datum, Place};
use crate::evaluate::Evaluator;
use crate::truth::Truth;

/// What was found of the assignments.
struct Found {
    /// The values of the aggregated variable, one per assignment that satisfies the body.
    values: Vec<Datum>,
    /// What stands in the way of knowing all of them: unknown before undecidable.
    obstacle: Truth,
}

impl Evaluator<'_> {
    pub(crate) fn aggregate(&mut self, formula: &Formula, aggregation: &Aggregation, place: Place<'_>) -> Truth {
        let own = self.own(formula, aggregation);
        let mut outside = Assignment::empty(self.property);
        let mut used = BTreeSet::new();
        for &group in &aggregation.groups {
            if let Some(datum) = place.assignment.get(group) {
                outside = outside.with(group, datum);
                used.insert(datum);
            }
        }
        let mut found = Found { values: Vec::new(), obstacle: Truth::True };
        self.gather(formula, aggregation, &own, &outside, &used, place.point, &mut found);
        match (found.obstacle, self.put_together(aggregation, &found.values)) {
            (Truth::True, Ok(None)) => Truth::False,
            (Truth::True, Ok(Some(value))) => self.is_result(aggregation, value, place),
            (Truth::True, Err(problem)) => undecidable(formula, place.point, problem),
            (obstacle, _) => obstacle,
        }
    }

    /// Goes through all values of the first of the own variables, then of the next.
    #[allow(clippy::too_many_arguments)]
    fn gather(
        &mut self,
        formula: &Formula,
        aggregation: &Aggregation,
        own: &[VarId],
        assignment: &Assignment,
        used: &BTreeSet<Datum>,
        point: usize,
        found: &mut Found,
    ) {
        let [variable, others @ ..] = own else {
            let truth = match self.formula(&aggregation.body, point, assignment) {
                Truth::False => return,
                Truth::True => {
                    found.values.extend(assignment.get(aggregation.over));
                    self.endless(formula, aggregation, assignment, point)
                }
                open => open,
            };
            found.obstacle = std::mem::replace(&mut found.obstacle, Truth::True).and(truth);
            return;
        };
        for datum in self.candidates(*variable, used, point) {
            let used = used.iter().copied().chain([datum]).collect();
            self.gather(formula, aggregation, others, &assignment.with(*variable, datum), &used, point, found);
        }
    }

    /// Undecidable if an own variable has a value that stands for all that nobody has named.
    fn endless(
        &mut self,
        formula: &Formula,
        aggregation: &Aggregation,
        assignment: &Assignment,
        point: usize,
    ) -> Truth {
        let outside: Vec<Datum> = aggregation.groups.iter().filter_map(|&group| assignment.get(group)).collect();
        let is_any = |variable: VarId| match assignment.get(variable) {
            Some(datum @ Datum::Anonymous(_)) => !outside.contains(&datum),
            _ => false,
        };
        let own = self.own(formula, aggregation);
        match own.iter().copied().any(is_any) {
            true => undecidable(formula, point, Problem::Endless),
            false => Truth::True,
        }
    }

    /// The number, by the definition of the function; nothing where there is none.
    fn put_together(&self, aggregation: &Aggregation, values: &[Datum]) -> Result<Option<Value>, Problem> {
        let function = aggregation.function;
        let count = Number::Int(values.len() as i64);
        if values.is_empty() {
            let zero = matches!(function, AggregateFunction::Count | AggregateFunction::Sum);
            return Ok((zero && aggregation.groups.is_empty()).then_some(Value::Number(Number::ZERO)));
        }
        if function == AggregateFunction::Count {
            return Ok(Some(Value::Number(count)));
        }
        let mut known = Vec::new();
        for datum in values {
            match datum {
                Datum::Value(id) => known.push(self.world.value(*id).clone()),
                Datum::Anonymous(_) => return Err(Problem::UnnamedValue),
            }
        }
        let numbers: Vec<Number> = known.iter().filter_map(|value| value.as_number().cloned()).collect();
        let texts: Vec<&Value> = known.iter().filter(|value| matches!(value, Value::String(_))).collect();
        let ordered = matches!(function, AggregateFunction::Minimum | AggregateFunction::Maximum);
        if ordered && texts.len() == known.len() {
            let text = |value: &&&Value| value.to_string();
            let found = if function == AggregateFunction::Minimum {
                texts.iter().min_by_key(text)
            } else {
                texts.iter().max_by_key(text)
            };
            return Ok(found.map(|value| (**value).clone()));
        }
        if numbers.len() < known.len() {
            return Ok(None);
        }
        Ok(Some(Value::Number(number(function, numbers, &count))))
    }

    /// Whether the result variable has the value; it is tried for variables from now on.
    fn is_result(&mut self, aggregation: &Aggregation, value: Value, place: Place<'_>) -> Truth {
        let id = self.world.intern(value);
        let stage = self.known + usize::from(self.ended);
        self.yields.entry(id).or_insert(stage);
        Truth::from(place.assignment.get(aggregation.result) == Some(Datum::Value(id)))
    }
}

/// What a function makes of numbers, at least one.
fn number(function: AggregateFunction, mut numbers: Vec<Number>, count: &Number) -> Number {
    numbers.sort();
    let sum = numbers.iter().fold(Number::ZERO, |sum, number| sum.add(number));
    let half = |sum: Number| sum.div(&Number::Int(2)).unwrap_or(Number::ZERO);
    let at = |index: usize| numbers.get(index).cloned().unwrap_or(Number::ZERO);
    match function {
        AggregateFunction::Count => count.clone(),
        AggregateFunction::Sum => sum,
        AggregateFunction::Average => sum.div(count).unwrap_or(Number::ZERO),
        AggregateFunction::Minimum => at(0),
        AggregateFunction::Maximum => at(numbers.len() - 1),
        AggregateFunction::Median if numbers.len() % 2 == 1 => at(numbers.len() / 2),
        AggregateFunction::Median => half(at(numbers.len() / 2 - 1).add(&at(numbers.len() / 2))),
    }
}

fn undecidable(formula: &Formula, point: usize, problem: Problem) -> Truth {
    Truth::Undecidable(Obstacle { point: point as u64, span: formula.span, problem })
}
