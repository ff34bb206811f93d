//! Formulas at points, by the definitions of [`referee_spec::core`], as far as a part of the trace decides them.
//!
//! ```text
//!   1 … point … known | beyond
//!                     | nothing, if the trace is complete and ends here;
//!                     | else points that may or may not come, at which every formula is unknown
//! ```
//!
//! Every operator quantifies over points as its definition does. The points beyond the last known one are one more case
//! of that quantification, and drop out where their time would be past the interval.
//!
//! A variable over all values tries the values named up to the last known point, those the formula's other variables
//! have, and one anonymous value more: two values in neither set cannot be told apart by the formula, so one is enough.
//!
//! Cost: exponential in the number of variables, polynomial in points. What is true or false stays so when more is known
//! (a law that the random tests check), so those results are kept; unknown ones are forgotten at the next point.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use referee_spec::core::{
    Aggregation, BinaryOp, Comparison, DefId, Domain, EventAtom, Formula, Interval, Kind, Observation, Obstacle,
    Property, Quantifier, Term, UnaryOp, VarId,
};
use referee_trace::number::Number;

use crate::assignment::{Assignment, Datum, Failure, Place};
use crate::truth::Truth;
use crate::world::World;

/// Evaluates formulas of one property on one trace.
pub(crate) struct Evaluator<'a> {
    pub property: &'a Property,
    pub world: World,
    /// The last point that is known.
    pub known: usize,
    /// Whether the trace is complete and ends there.
    pub ended: bool,
    /// Before which time no point comes, where that is known.
    horizon: Option<Number>,
    free: HashMap<*const Formula, Rc<[VarId]>>,
    own: HashMap<*const Formula, Rc<[VarId]>>,
    results: HashMap<Question, Truth>,
    /// The values that aggregations have yielded, with the stage at which they first did.
    pub yields: BTreeMap<usize, usize>,
}

/// A formula, a point, and the values of the formula's free variables.
type Question = (*const Formula, usize, Vec<Option<Datum>>);

impl<'a> Evaluator<'a> {
    /// An evaluator that knows nothing of the trace yet.
    pub(crate) fn new(property: &'a Property, world: World) -> Self {
        Evaluator {
            property,
            world,
            known: 0,
            ended: false,
            horizon: None,
            free: HashMap::new(),
            own: HashMap::new(),
            results: HashMap::new(),
            yields: BTreeMap::new(),
        }
    }

    /// Learns the trace up to a point.
    pub(crate) fn learn(&mut self, known: usize) {
        self.known = known;
        self.horizon = None;
        self.results.retain(|_, truth| truth.is_decided());
    }

    /// Learns that no point comes before a time.
    pub(crate) fn learn_time(&mut self, time: &Number) {
        self.learn(self.known);
        self.horizon = Some(time.clone());
    }

    /// Learns that the trace is complete, and all of it. A point without events then stands for the empty trace.
    pub(crate) fn learn_end(&mut self) {
        self.learn(self.world.length.max(1));
        self.ended = true;
    }

    /// The truth of a formula at a point.
    pub(crate) fn formula(&mut self, formula: &Formula, point: usize, assignment: &Assignment) -> Truth {
        if point > self.known {
            return Truth::Unknown;
        }
        if !is_worth_remembering(&formula.kind) {
            return self.truth(formula, point, assignment);
        }
        let values = self.free(formula).iter().map(|&variable| assignment.get(variable)).collect();
        let question = (&raw const *formula, point, values);
        if let Some(truth) = self.results.get(&question) {
            return truth.clone();
        }
        let truth = self.truth(formula, point, assignment);
        self.results.insert(question, truth.clone());
        truth
    }

    fn truth(&mut self, formula: &Formula, point: usize, assignment: &Assignment) -> Truth {
        let place = Place { point, event: None, assignment };
        match &formula.kind {
            Kind::Constant(truth) => Truth::from(*truth),
            Kind::Event(atom) => self.event_atom(formula, atom, place),
            Kind::Compare(comparison, left, right) => {
                let result = self.compare(*comparison, left, right, place);
                settle(formula, point, result)
            }
            Kind::Observe(observation) => self.observation(formula, observation, place),
            Kind::Not(body) => self.formula(body, point, assignment).negated(),
            Kind::And(all) => Truth::all(all.iter().map(|each| self.formula(each, point, assignment))),
            Kind::Or(all) => Truth::any(all.iter().map(|each| self.formula(each, point, assignment))),
            Kind::Implies(left, right) => {
                let left = self.formula(left, point, assignment);
                left.negated().or(self.formula(right, point, assignment))
            }
            Kind::Iff(left, right) => {
                let (a, b) = (self.formula(left, point, assignment), self.formula(right, point, assignment));
                a.clone().negated().or(b.clone()).and(b.negated().or(a))
            }
            Kind::Quantified(quantifier, variable, body) => {
                let others = self.free(formula).iter().filter_map(|&other| assignment.get(other)).collect();
                let candidates = self.candidates(*variable, &others, point);
                self.quantified(*quantifier, *variable, candidates, body, place)
            }
            Kind::Unary(op, interval, body) => self.unary(*op, interval, body, point, assignment),
            Kind::Binary(op, interval, left, right) => self.binary(*op, interval, (left, right), point, assignment),
            Kind::Match(direction, interval, regex) => self.matching(*direction, interval, regex, point, assignment),
            Kind::Call(definition, arguments) => self.call(formula, *definition, arguments, place),
            Kind::Aggregate(aggregation) => self.aggregate(formula, aggregation, place),
        }
    }

    fn free(&mut self, formula: &Formula) -> Rc<[VarId]> {
        let variables = self.free.entry(&raw const *formula);
        variables.or_insert_with(|| formula.free_variables().into_iter().collect()).clone()
    }

    /// The variables that an aggregation binds.
    pub(crate) fn own(&mut self, formula: &Formula, aggregation: &Aggregation) -> Rc<[VarId]> {
        let variables = self.own.entry(&raw const *formula);
        variables.or_insert_with(|| aggregation.own().into_iter().collect()).clone()
    }

    // Atoms.

    fn event_atom(&mut self, formula: &Formula, atom: &EventAtom, place: Place<'_>) -> Truth {
        let events = 0..self.world.point(place.point).events.len();
        Truth::any(events.map(|event| self.event_fits(formula, atom, place, event)))
    }

    fn event_fits(&mut self, formula: &Formula, atom: &EventAtom, place: Place<'_>, event: usize) -> Truth {
        let event = &self.world.point(place.point).events[event];
        let Some(terms) = &atom.arguments else { return Truth::from(event.name == atom.name) };
        if event.name != atom.name || event.positional != terms.len() {
            return Truth::False;
        }
        let values: Vec<Datum> = event.arguments.iter().map(|&(_, value)| Datum::Value(value)).collect();
        Truth::all(terms.iter().zip(values).filter(|(term, _)| **term != Term::Any).map(|(term, value)| {
            let result = self.term(term, place).and_then(|wanted| self.equal(wanted, value));
            settle(formula, place.point, result)
        }))
    }

    fn observation(&mut self, formula: &Formula, observation: &Observation, place: Place<'_>) -> Truth {
        let events = 0..self.world.point(place.point).events.len();
        Truth::any(events.map(|event| {
            let place = Place { event: Some(event), ..place };
            self.observed(formula, observation, place)
        }))
    }

    fn observed(&mut self, formula: &Formula, observation: &Observation, place: Place<'_>) -> Truth {
        let mut result = Truth::True;
        for field in &observation.present {
            result = result.and(Truth::from(self.term(&Term::Field(field.clone()), place).is_ok()));
        }
        for (field, wanted) in &observation.required {
            let field = Term::Field(field.clone());
            let equal = self.compare(Comparison::Equal, &field, wanted, place);
            result = result.and(settle(formula, place.point, equal));
        }
        if let Some(constraint) = &observation.constraint {
            let holds = self.compare(constraint.comparison, &constraint.left, &constraint.right, place);
            result = result.and(settle(formula, place.point, holds));
        }
        result
    }

    // Definitions and quantifiers.

    fn call(&mut self, formula: &Formula, definition: DefId, arguments: &[Term], place: Place<'_>) -> Truth {
        let definition = &self.property.definitions[definition.index()];
        let mut inner = Ok(Assignment::empty(self.property));
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            inner = match (inner, self.term(argument, place)) {
                (Ok(inner), Ok(datum)) => Ok(inner.with(*parameter, datum)),
                (Err(a), Err(b)) => Err(a.min(b)),
                (Err(failure), _) | (_, Err(failure)) => Err(failure),
            };
        }
        match inner {
            Ok(inner) => self.formula(&definition.body, place.point, &inner),
            Err(failure) => settle(formula, place.point, Err(failure)),
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        variable: VarId,
        candidates: Vec<Datum>,
        body: &Formula,
        place: Place<'_>,
    ) -> Truth {
        let unseen = self.may_grow(variable).then_some(Truth::Unknown);
        let instance = |datum| self.formula(body, place.point, &place.assignment.with(variable, datum));
        let truths = candidates.into_iter().map(instance).chain(unseen);
        match quantifier {
            Quantifier::Forall => Truth::all(truths),
            Quantifier::Exists => Truth::any(truths),
        }
    }

    /// Whether a variable's domain may have values that the known part of the trace does not show.
    pub(crate) fn may_grow(&self, variable: VarId) -> bool {
        matches!(self.property.variable(variable).domain, Domain::Trace(_)) && !self.ended
    }

    /// The values to try for a variable at a point, beside variables with the values `others`.
    pub(crate) fn candidates(&self, variable: VarId, others: &BTreeSet<Datum>, point: usize) -> Vec<Datum> {
        let mut candidates: Vec<Datum> = self.row_values(variable, point).into_iter().map(Datum::Value).collect();
        if self.property.variable(variable).domain == Domain::Infinite {
            let unnamed: Vec<Datum> = others.iter().filter(|datum| !candidates.contains(datum)).copied().collect();
            candidates.extend(unnamed);
            candidates.extend((0..).map(Datum::Anonymous).find(|datum| !others.contains(datum)));
        }
        candidates
    }

    /// The values that belong to a variable's domain at a point, in order, without those that nobody has named.
    pub(crate) fn values(&self, variable: VarId, point: usize) -> Vec<usize> {
        let belongs = |&id: &usize| match self.property.variable(variable).domain {
            Domain::Infinite => self.world.is_named(id, self.known),
            Domain::Trace(sort) => self.world.is_seen(sort, id, self.known),
            Domain::SoFar(sort) => self.world.is_seen(sort, id, point),
        };
        self.world.ids().filter(belongs).collect()
    }

    /// The values that get rows of their own: those of [`Evaluator::values`], and what aggregations have yielded.
    pub(crate) fn row_values(&self, variable: VarId, point: usize) -> Vec<usize> {
        let mut values = self.values(variable, point);
        if self.property.variable(variable).domain == Domain::Infinite {
            values.extend(self.yields.keys().filter(|&&id| !self.world.is_named(id, self.known)));
        }
        values
    }

    /// Evaluates until aggregations yield nothing new: what they yield is tried for variables, also for their own.
    pub(crate) fn saturate(&mut self, mut evaluate: impl FnMut(&mut Self)) {
        loop {
            let before = self.yields.len();
            evaluate(self);
            if self.yields.len() == before {
                return;
            }
            self.forget();
        }
    }

    /// Forgets all results: there are new values to try.
    pub(crate) fn forget(&mut self) {
        self.results.clear();
    }

    // Time.

    /// Whether the time from one point to a later one lies in an interval.
    pub(crate) fn within(&self, interval: &Interval, from: usize, to: usize) -> bool {
        interval.contains(&self.world.point(to).time.sub(&self.world.point(from).time))
    }

    /// Whether there may be points beyond the known ones whose distance from `point` lies in an interval.
    pub(crate) fn may_go_on(&self, interval: &Interval, point: usize) -> bool {
        let newest = self.horizon.as_ref().unwrap_or(&self.world.point(self.known).time);
        let passed = newest.sub(&self.world.point(point).time);
        !self.ended && !interval.is_before(&passed)
    }

    fn unary(&mut self, op: UnaryOp, interval: &Interval, body: &Formula, point: usize, given: &Assignment) -> Truth {
        let mut holds = |this: &mut Self, at: usize| this.formula(body, at, given);
        let mut fails = |this: &mut Self, at: usize| this.formula(body, at, given).negated();
        let mut always = |_: &mut Self, _: usize| Truth::True;
        match op {
            UnaryOp::Prev => self.prev(interval, point, &mut holds),
            UnaryOp::WeakPrev => self.prev(interval, point, &mut fails).negated(),
            UnaryOp::Next => self.next(interval, point, &mut holds),
            UnaryOp::WeakNext => self.next(interval, point, &mut fails).negated(),
            UnaryOp::Once => self.since(interval, point, point, &mut always, &mut holds),
            UnaryOp::Historically => self.since(interval, point, point, &mut always, &mut fails).negated(),
            UnaryOp::Eventually => self.until(interval, point, &mut always, &mut holds),
            UnaryOp::Always => self.until(interval, point, &mut always, &mut fails).negated(),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        interval: &Interval,
        (left, right): (&Formula, &Formula),
        point: usize,
        given: &Assignment,
    ) -> Truth {
        let mut left_holds = |this: &mut Self, at: usize| this.formula(left, at, given);
        let mut left_fails = |this: &mut Self, at: usize| this.formula(left, at, given).negated();
        let mut right_holds = |this: &mut Self, at: usize| this.formula(right, at, given);
        let mut right_fails = |this: &mut Self, at: usize| this.formula(right, at, given).negated();
        match op {
            BinaryOp::Since => self.since(interval, point, point, &mut left_holds, &mut right_holds),
            BinaryOp::StrictSince => self.since(interval, point, point - 1, &mut left_holds, &mut right_holds),
            BinaryOp::WeakSince => {
                let since = self.since(interval, point, point, &mut left_holds, &mut right_holds);
                since.or(self.unary(UnaryOp::Historically, interval, left, point, given))
            }
            BinaryOp::Trigger => self.since(interval, point, point, &mut left_fails, &mut right_fails).negated(),
            BinaryOp::Until => self.until(interval, point, &mut left_holds, &mut right_holds),
            BinaryOp::WeakUntil => {
                let until = self.until(interval, point, &mut left_holds, &mut right_holds);
                until.or(self.unary(UnaryOp::Always, interval, left, point, given))
            }
            BinaryOp::Release => self.until(interval, point, &mut left_fails, &mut right_fails).negated(),
        }
    }

    /// Whether the trace is empty, so that there is no point to speak of, not even the current one.
    pub(crate) fn is_void(&self) -> bool {
        self.ended && self.world.length == 0
    }

    fn prev(&mut self, interval: &Interval, point: usize, body: Operand<'_, 'a>) -> Truth {
        if point == 1 || !self.within(interval, point - 1, point) {
            return Truth::False;
        }
        body(self, point - 1)
    }

    fn next(&mut self, interval: &Interval, point: usize, body: Operand<'_, 'a>) -> Truth {
        if point == self.known {
            return if self.may_go_on(interval, point) { Truth::Unknown } else { Truth::False };
        }
        if self.within(interval, point, point + 1) { body(self, point + 1) } else { Truth::False }
    }

    /// Some point from 1 to `latest` has the right distance and `right`, and all after it up to `point` have `left`.
    fn since(
        &mut self,
        interval: &Interval,
        point: usize,
        latest: usize,
        left: Operand<'_, 'a>,
        right: Operand<'_, 'a>,
    ) -> Truth {
        if self.is_void() {
            return Truth::False;
        }
        Truth::any((1..=latest).map(|witness| {
            if !self.within(interval, witness, point) {
                return Truth::False;
            }
            let between = Truth::all((witness + 1..=point).map(|at| left(self, at)));
            right(self, witness).and(between)
        }))
    }

    /// Some point from `point` on has the right distance and `right`, and all from `point` up to it have `left`.
    fn until(&mut self, interval: &Interval, point: usize, left: Operand<'_, 'a>, right: Operand<'_, 'a>) -> Truth {
        if self.is_void() {
            return Truth::False;
        }
        let known = Truth::any((point..=self.known).map(|witness| {
            if !self.within(interval, point, witness) {
                return Truth::False;
            }
            let between = Truth::all((point..witness).map(|at| left(self, at)));
            right(self, witness).and(between)
        }));
        if !self.may_go_on(interval, point) {
            return known;
        }
        let beyond = Truth::all((point..=self.known).map(|at| left(self, at))).and(Truth::Unknown);
        known.or(beyond)
    }
}

fn is_worth_remembering(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Quantified(..)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Match(..)
            | Kind::Call(..)
            | Kind::Aggregate(_)
    )
}

/// What a temporal operator asks of a point.
type Operand<'o, 'a> = &'o mut dyn FnMut(&mut Evaluator<'a>, usize) -> Truth;

/// The truth of an atom: false where a term has no value, undecidable where that cannot be told.
fn settle(formula: &Formula, point: usize, result: Result<bool, Failure>) -> Truth {
    match result {
        Ok(truth) => Truth::from(truth),
        Err(Failure::NoValue) => Truth::False,
        Err(Failure::Problem(problem)) => {
            Truth::Undecidable(Obstacle { point: point as u64, span: formula.span, problem })
        }
    }
}
