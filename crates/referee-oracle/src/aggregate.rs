//! Aggregations: all assignments, one by one.
//!
//! ```text
//!   for every assignment of the own variables:   the body is true ─▶ its value counts
//!                                                unknown, undecidable ─▶ so is the aggregation
//!                                                true of a value that nobody has named ─▶ there is no end of them
//! ```

use std::collections::BTreeSet;

use referee_spec::core::{AggregateFunction, Aggregation, Formula, Obstacle, Problem, VarId};
use referee_trace::value::Value;

use crate::assignment::Assignment;
use crate::assignment::{Datum, Place};
use crate::combine::combine;
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
        if values.is_empty() && !aggregation.groups.is_empty() {
            return Ok(None);
        }
        let mut named = Vec::new();
        for datum in values {
            match datum {
                Datum::Value(id) => named.push(self.world.value(*id).clone()),
                // Whoever only counts need not know it.
                Datum::Anonymous(_) if function == AggregateFunction::Count => named.push(Value::Boolean(true)),
                Datum::Anonymous(_) => return Err(Problem::UnnamedValue),
            }
        }
        Ok(combine(function, &named))
    }

    /// Whether the result variable has the value; it is tried for variables from now on.
    fn is_result(&mut self, aggregation: &Aggregation, value: Value, place: Place<'_>) -> Truth {
        let id = self.world.intern(value);
        let stage = self.known + usize::from(self.ended);
        self.yields.entry(id).or_insert(stage);
        Truth::from(place.assignment.get(aggregation.result) == Some(Datum::Value(id)))
    }
}

fn undecidable(formula: &Formula, point: usize, problem: Problem) -> Truth {
    Truth::Undecidable(Obstacle { point: point as u64, span: formula.span, problem })
}
