//! Computes what an aggregation puts together at a point, by listing its assignments.
//!
//! ```text
//!   ONCE[0, 28] withdraw(u, a) AND tp(i)   with u = 7, at point 40
//!   └─ points 40, 39, … in the interval ─▶ events withdraw(7, a) ─▶ rows (a, i), each with its point
//! ```
//!
//! A formula whose variables all have values is asked; one that names events lists what they bind; conjunctions, `Once`,
//! `Since` and inner aggregations list through their parts. Whatever else leaves a variable open is not listed, and then
//! nothing is said. Cost: the events of the interval, within the budget of the explanation.

use std::collections::HashSet;

use referee_spec::core::{
    Aggregation, BinaryOp, Comparison, EventAtom, Formula, Interval, Kind, Quantifier, Term, UnaryOp,
};
use referee_trace::value::Value;

use super::evaluate::{WhyEvaluator, WhyTruth};
use super::terms::{Assignment, Failure, WhyDatum};
use crate::shared::aggregate::{of_nothing, put_together};

/// Values that satisfy a formula, and the latest point whose events gave them; 0 if none did.
#[derive(Debug, Clone)]
struct ListedRow {
    given: Assignment,
    at: usize,
}

/// What an aggregation amounts to.
#[derive(Debug, Clone)]
pub(crate) struct Amount {
    /// The result; nothing if there is none.
    pub value: Option<Value>,
    /// How many assignments there are.
    pub count: usize,
    /// The first and the last point that they come from.
    pub points: Option<(usize, usize)>,
}

impl<'h> WhyEvaluator<'h> {
    /// What an aggregation amounts to at a point; nothing if its groups have no values, or that is too hard to tell.
    pub(super) fn number(&mut self, aggregation: &'h Aggregation, point: usize, given: &Assignment) -> Option<Amount> {
        if aggregation.groups.iter().any(|group| given.get(*group).is_none()) {
            return None;
        }
        let rows = self.list(&aggregation.body, point, &bare(aggregation, given))?;
        self.put_together(aggregation, &rows.iter().collect::<Vec<_>>())
    }

    /// Whether an aggregation has the result that is given.
    pub(super) fn aggregate(&mut self, aggregation: &'h Aggregation, point: usize, given: &Assignment) -> WhyTruth {
        let number = self.number(aggregation, point, given)?;
        let Some(value) = number.value else { return Some(false) };
        match given.get(aggregation.result)? {
            WhyDatum::Anonymous(_) => None,
            datum => Some(self.history.datum(value) == *datum),
        }
    }

    fn put_together(&mut self, aggregation: &'h Aggregation, rows: &[&ListedRow]) -> Option<Amount> {
        let own = aggregation.own();
        let key = |row: &ListedRow| own.iter().map(|&variable| row.given.get(variable).cloned()).collect::<Vec<_>>();
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        for row in rows.iter().filter(|row| seen.insert(key(row))) {
            values.push(self.history.value_of(row.given.get(aggregation.over)?)?.clone());
        }
        let value = match values.is_empty() {
            true => of_nothing(aggregation.function, !aggregation.groups.is_empty()),
            false => put_together(aggregation.function, &values),
        };
        let first = rows.iter().map(|row| row.at).min();
        Some(Amount { value, count: values.len(), points: first.zip(rows.iter().map(|row| row.at).max()) })
    }

    /// The values of the open variables of a formula that satisfy it at a point; nothing if they cannot be listed.
    fn list(&mut self, formula: &'h Formula, point: usize, given: &Assignment) -> Option<Vec<ListedRow>> {
        if self.free(formula).iter().all(|&variable| given.get(variable).is_some()) {
            let holds = self.formula(formula, point, given)?;
            return Some(holds.then(|| ListedRow { given: given.clone(), at: 0 }).into_iter().collect());
        }
        if !self.goes_deeper() {
            return None;
        }
        let rows = self.list_open(formula, point, given);
        self.comes_back();
        rows
    }

    fn list_open(&mut self, formula: &'h Formula, point: usize, given: &Assignment) -> Option<Vec<ListedRow>> {
        match &formula.kind {
            Kind::Event(atom) => self.list_events(atom, point, given),
            Kind::Compare(Comparison::Equal, left, right) => self.list_equal(left, right, point, given),
            Kind::And(members) => self.list_all(members, point, given),
            Kind::Or(members) => self.list_any(formula, members, point, given),
            Kind::Quantified(Quantifier::Exists, variable, body) => {
                let mut rows = self.list(body, point, &given.without(*variable))?;
                rows.iter_mut().for_each(|row| row.given = row.given.without(*variable));
                Some(rows)
            }
            Kind::Unary(UnaryOp::Prev, interval, body) => match point > 1 && self.within(interval, point - 1, point) {
                true => self.list(body, point - 1, given),
                false => Some(Vec::new()),
            },
            Kind::Unary(UnaryOp::Once, interval, body) => self.list_since(None, interval, body, point, given),
            Kind::Binary(BinaryOp::Since, interval, left, right) => {
                self.list_since(Some(left), interval, right, point, given)
            }
            Kind::Aggregate(aggregation) => self.list_numbers(aggregation, point, given),
            _ => None,
        }
    }

    fn list_events(&mut self, atom: &EventAtom, point: usize, given: &Assignment) -> Option<Vec<ListedRow>> {
        let terms = atom.arguments.as_deref().unwrap_or_default();
        let mut rows = Vec::new();
        for event in self.history.events(point) {
            let mut bound = given.clone();
            for (term, value) in terms.iter().zip(event.values) {
                if let Term::Variable(variable) = term
                    && bound.get(*variable).is_none()
                {
                    bound = bound.with(*variable, WhyDatum::Known(*value));
                }
            }
            if self.event_fits(atom, event, point, &bound)? {
                rows.push(ListedRow { given: bound, at: point });
            }
        }
        Some(rows)
    }

    /// A variable without a value that equals something with one.
    fn list_equal(&mut self, left: &Term, right: &Term, point: usize, given: &Assignment) -> Option<Vec<ListedRow>> {
        let open = |term: &Term| match term {
            Term::Variable(variable) if given.get(*variable).is_none() => Some(*variable),
            _ => None,
        };
        let (variable, term) = match (open(left), open(right)) {
            (Some(variable), _) => (variable, right),
            (None, variable) => (variable?, left),
        };
        match self.term(term, point, given) {
            Ok(datum) => Some(vec![ListedRow { given: given.with(variable, datum), at: 0 }]),
            Err(Failure::NoValue) if has_values(term, given) => Some(Vec::new()),
            Err(_) => None,
        }
    }

    /// What satisfies all members: first those that only test, then those that list from few.
    fn list_all(&mut self, members: &'h [Formula], point: usize, given: &Assignment) -> Option<Vec<ListedRow>> {
        let mut rows = vec![ListedRow { given: given.clone(), at: 0 }];
        let mut left: Vec<&'h Formula> = members.iter().collect();
        while let Some(known) = rows.first().map(|row| row.given.clone())
            && let Some(next) = (0..left.len()).min_by_key(|&index| self.rank(left[index], &known))
        {
            let member = left.remove(next);
            let mut joined = Vec::new();
            for row in &rows {
                let found = self.list(member, point, &row.given)?;
                joined.extend(found.into_iter().map(|found| ListedRow { at: found.at.max(row.at), ..found }));
            }
            rows = joined;
        }
        Some(rows)
    }

    /// In which order members of a conjunction are listed.
    fn rank(&mut self, member: &'h Formula, given: &Assignment) -> u8 {
        let open = self.free(member).iter().filter(|&&variable| given.get(variable).is_none()).count();
        match &member.kind {
            _ if open == 0 => 0,
            Kind::Compare(Comparison::Equal, ..) if open == 1 => 1,
            Kind::Event(_) => 2,
            Kind::And(_) | Kind::Or(_) | Kind::Aggregate(_) | Kind::Quantified(Quantifier::Exists, ..) => 3,
            Kind::Unary(UnaryOp::Once | UnaryOp::Prev, ..) | Kind::Binary(BinaryOp::Since, ..) => 3,
            _ => 4,
        }
    }

    fn list_any(
        &mut self,
        formula: &'h Formula,
        members: &'h [Formula],
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ListedRow>> {
        let mut rows = Vec::new();
        for member in members {
            rows.extend(self.list(member, point, given)?);
        }
        let free = self.free(formula);
        let complete = |row: &ListedRow| free.iter().all(|&variable| row.given.get(variable).is_some());
        rows.iter().all(complete).then_some(rows)
    }

    fn list_since(
        &mut self,
        left: Option<&'h Formula>,
        interval: &'h Interval,
        right: &'h Formula,
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ListedRow>> {
        let mut rows = Vec::new();
        for witness in (1..=point).rev() {
            if self.is_past(interval, witness, point) {
                break;
            }
            if !self.within(interval, witness, point) {
                continue;
            }
            for row in self.list(right, witness, given)? {
                if self.held(left, witness + 1..=point, &row.given)? {
                    rows.push(ListedRow { at: if row.at == 0 { witness } else { row.at }, ..row });
                }
            }
        }
        Some(rows)
    }

    /// Whether a formula holds at all these points.
    fn held(
        &mut self,
        formula: Option<&'h Formula>,
        points: std::ops::RangeInclusive<usize>,
        given: &Assignment,
    ) -> WhyTruth {
        let Some(formula) = formula else { return Some(true) };
        if self.free(formula).iter().any(|&variable| given.get(variable).is_none()) {
            return None;
        }
        for point in points.rev() {
            if !self.formula(formula, point, given)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The groups of an inner aggregation, each with its result.
    fn list_numbers(
        &mut self,
        aggregation: &'h Aggregation,
        point: usize,
        given: &Assignment,
    ) -> Option<Vec<ListedRow>> {
        let rows = self.list(&aggregation.body, point, &bare(aggregation, given))?;
        let key =
            |row: &ListedRow| aggregation.groups.iter().map(|&group| row.given.get(group).cloned()).collect::<Vec<_>>();
        let mut groups: Vec<(Vec<Option<WhyDatum>>, Vec<&ListedRow>)> = Vec::new();
        if aggregation.groups.is_empty() {
            groups.push((Vec::new(), Vec::new()));
        }
        for row in &rows {
            let key = key(row);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, members)) => members.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        let mut found = Vec::new();
        for (key, members) in groups {
            let number = self.put_together(aggregation, &members)?;
            let Some(value) = number.value else { continue };
            let datum = self.history.datum(value);
            if given.get(aggregation.result).is_some_and(|wanted| *wanted != datum) {
                continue;
            }
            let mut row = given.with(aggregation.result, datum);
            for (group, datum) in aggregation.groups.iter().zip(key) {
                row = row.with(*group, datum?);
            }
            found.push(ListedRow { given: row, at: number.points.map_or(0, |(_, last)| last) });
        }
        Some(found)
    }
}

/// The given values without those of variables that an aggregation binds.
fn bare(aggregation: &Aggregation, given: &Assignment) -> Assignment {
    aggregation.own().into_iter().fold(given.clone(), |bare, variable| bare.without(variable))
}

/// Whether all variables of a term have values.
fn has_values(term: &Term, given: &Assignment) -> bool {
    match term {
        Term::Variable(variable) => given.get(*variable).is_some(),
        Term::Binary(_, left, right) => has_values(left, given) && has_values(right, given),
        Term::Negate(body) | Term::Apply(_, body) => has_values(body, given),
        Term::Constant(_) | Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => true,
    }
}
