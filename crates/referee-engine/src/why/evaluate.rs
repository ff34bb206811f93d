//! Evaluates formulas at points by scanning the history.
//!
//! The variables have values, so every operator is a scan from its point backwards or forwards that stops as soon as its
//! result is certain. Truth is Kleene's: nothing is certain that a later point could change, that cannot be decided, or
//! that more work than [`BUDGET`] would be needed for. What is certain here is so by the definitions of
//! [`referee_spec::core`]; the rest of `why` claims nothing else.
//!
//! ```text
//!   φ S ψ at i:   ψ(i)?  φ(i)?  ψ(i−1)?  φ(i−1)?  …   down to a point that decides, or one whose result is remembered
//! ```
//!
//! Without an interval the results of all points passed are remembered, so that an operator costs O(points) for one
//! assignment however often it is asked. With one, each question costs O(points in the interval).

use std::collections::BTreeMap;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt};
use referee_spec::core::{
    BinaryOp, DefId, Direction, Domain, EventAtom, Formula, Interval, Kind, Observation, Property, Quantifier, Regex,
    Term, UnaryOp, VarId,
};

use super::history::{FormulaHistory, HistoryEvent};
use super::terms::{Assignment, Failure, TermPlace, WhyDatum};

/// How many formulas are evaluated at most for one explanation.
pub(crate) const BUDGET: usize = 4_000_000;

/// How deeply evaluations nest before those of earlier points are done first, and before nothing is certain any more.
const DEEP: usize = 100;
const TOO_DEEP: usize = 300;

/// True, false, or not certain.
pub(crate) type WhyTruth = Option<bool>;

/// What a temporal operator asks of a point: a formula or its negation; true without a formula.
#[derive(Clone, Copy)]
pub(crate) struct WhyOperand<'h> {
    pub formula: Option<&'h Formula>,
    pub negated: bool,
}

impl<'h> WhyOperand<'h> {
    /// The formula itself.
    pub(super) fn plain(formula: &'h Formula) -> WhyOperand<'h> {
        WhyOperand { formula: Some(formula), negated: false }
    }

    /// Its negation.
    pub(super) fn negated(formula: &'h Formula) -> WhyOperand<'h> {
        WhyOperand { formula: Some(formula), negated: true }
    }

    /// What is always true.
    pub(super) fn always() -> WhyOperand<'h> {
        WhyOperand { formula: None, negated: false }
    }
}

/// `left S right` or `left U right`, with an interval.
#[derive(Clone, Copy)]
pub(crate) struct WhyPair<'h> {
    pub left: WhyOperand<'h>,
    pub right: WhyOperand<'h>,
    pub interval: &'h Interval,
    /// Whether the right side must hold before now.
    pub strict: bool,
}

/// What a remembered result is the result of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum WhyPart {
    /// The formula.
    Whole,
    /// The `Since` or `Until` in it.
    Strong,
    /// The `Historically` or `Always` in it.
    Weak,
    /// The formula as the body of a definition.
    Called,
}

/// A formula with the values of its free variables.
type Question = (*const Formula, Vec<Option<WhyDatum>>);

/// Evaluates formulas of one property on one history.
pub(crate) struct WhyEvaluator<'h> {
    pub history: &'h FormulaHistory,
    pub property: &'h Property,
    /// The last point that is known.
    pub known: usize,
    /// Whether the trace ends there.
    pub ended: bool,
    visits: usize,
    depth: usize,
    free: HashMap<*const Formula, Rc<[VarId]>>,
    questions: HashMap<Question, u32>,
    results: HashMap<(u32, WhyPart, usize), WhyTruth>,
}

impl<'h> WhyEvaluator<'h> {
    /// An evaluator that knows the points up to `known`, and with `ended` that no more follow.
    pub(super) fn new(history: &'h FormulaHistory, known: usize, ended: bool) -> WhyEvaluator<'h> {
        WhyEvaluator {
            history,
            property: history.property(),
            // The empty trace has one point without events.
            known: if ended { known.max(1) } else { known },
            ended,
            visits: 0,
            depth: 0,
            free: HashMap::new(),
            questions: HashMap::new(),
            results: HashMap::new(),
        }
    }

    /// Whether the work is used up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.visits > BUDGET
    }

    /// The truth of a formula at a point.
    pub(super) fn formula(&mut self, formula: &'h Formula, point: usize, given: &Assignment) -> WhyTruth {
        self.visits += 1;
        if point > self.known || self.is_exhausted() || self.depth > TOO_DEEP {
            return None;
        }
        self.depth += 1;
        let truth = if is_worth_remembering(&formula.kind) {
            let question = self.question(formula, given);
            self.remembered((question, WhyPart::Whole, point), |this| this.truth(formula, point, given))
        } else {
            self.truth(formula, point, given)
        };
        self.depth -= 1;
        truth
    }

    /// Notes that evaluations nest one level deeper; not if that is too deep, or the work is used up.
    pub(super) fn goes_deeper(&mut self) -> bool {
        self.visits += 1;
        let possible = !self.is_exhausted() && self.depth <= TOO_DEEP;
        self.depth += usize::from(possible);
        possible
    }

    /// Notes the end of such a level.
    pub(super) fn comes_back(&mut self) {
        self.depth -= 1;
    }

    fn remembered(&mut self, key: (u32, WhyPart, usize), compute: impl FnOnce(&mut Self) -> WhyTruth) -> WhyTruth {
        if let Some(truth) = self.results.get(&key) {
            return *truth;
        }
        let truth = compute(self);
        self.results.insert(key, truth);
        truth
    }

    fn question(&mut self, formula: &'h Formula, given: &Assignment) -> u32 {
        let values = self.free(formula).iter().map(|&variable| given.get(variable).cloned()).collect();
        let next = u32::try_from(self.questions.len()).unwrap_or(u32::MAX);
        *self.questions.entry((&raw const *formula, values)).or_insert(next)
    }

    /// The free variables of a formula.
    pub(super) fn free(&mut self, formula: &'h Formula) -> Rc<[VarId]> {
        let variables = self.free.entry(&raw const *formula);
        variables.or_insert_with(|| formula.free_variables().into_iter().collect()).clone()
    }

    fn truth(&mut self, formula: &'h Formula, point: usize, given: &Assignment) -> WhyTruth {
        match &formula.kind {
            Kind::Constant(truth) => Some(*truth),
            Kind::Event(atom) => {
                any(self.history.events(point).map(|event| self.event_fits(atom, event, point, given)))
            }
            Kind::Compare(comparison, left, right) => {
                settle(self.history.compare(*comparison, left, right, self.place(point, given)))
            }
            Kind::Observe(observation) => {
                any(self.history.events(point).map(|event| self.observed(observation, event, point, given)))
            }
            Kind::Not(body) => not(self.formula(body, point, given)),
            Kind::And(members) => all(members.iter().map(|member| self.formula(member, point, given))),
            Kind::Or(members) => any(members.iter().map(|member| self.formula(member, point, given))),
            Kind::Implies(left, right) => match self.formula(left, point, given) {
                Some(false) => Some(true),
                left => or(not(left), self.formula(right, point, given)),
            },
            Kind::Iff(left, right) => {
                let (left, right) = (self.formula(left, point, given), self.formula(right, point, given));
                Some(left? == right?)
            }
            Kind::Quantified(quantifier, variable, body) => {
                self.quantified(formula, *quantifier, *variable, body, point, given)
            }
            Kind::Unary(op, interval, body) => self.unary(formula, *op, interval, body, point, given),
            Kind::Binary(op, interval, left, right) => self.binary(formula, *op, interval, (left, right), point, given),
            Kind::Match(direction, interval, regex) => self.matching(*direction, interval, regex, point, given),
            Kind::Aggregate(aggregation) => self.aggregate(aggregation, point, given),
            Kind::Call(definition, arguments) => match self.parameters(*definition, arguments, point, given) {
                Ok(inner) => self.definition(*definition, point, &inner),
                Err(failure) => settle(Err(failure)),
            },
        }
    }

    // Atoms.

    fn place<'a>(&self, point: usize, assignment: &'a Assignment) -> TermPlace<'a> {
        TermPlace { point, known: self.known, event: None, assignment }
    }

    /// Whether an event is what an atom asks for.
    pub(super) fn event_fits(
        &self,
        atom: &EventAtom,
        event: HistoryEvent<'_>,
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        if event.kind.name != atom.name {
            return Some(false);
        }
        let Some(terms) = &atom.arguments else { return Some(true) };
        if event.kind.positional != terms.len() {
            return Some(false);
        }
        let place = self.place(point, given);
        all(terms.iter().zip(event.values).filter(|(term, _)| **term != Term::Any).map(|(term, value)| {
            let wanted = self.history.term(term, place);
            settle(wanted.and_then(|wanted| self.history.equal(&wanted, &WhyDatum::Known(*value), self.known)))
        }))
    }

    fn observed(
        &self,
        observation: &Observation,
        event: HistoryEvent<'_>,
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        let place = TermPlace { event: Some(event), ..self.place(point, given) };
        let compare =
            |comparison, left: &Term, right: &Term| settle(self.history.compare(comparison, left, right, place));
        let present = observation.present.iter().map(|field| Some(event.field(field).is_some()));
        let required = observation
            .required
            .iter()
            .map(|(field, wanted)| compare(referee_spec::core::Comparison::Equal, &Term::Field(field.clone()), wanted));
        let constraint = observation
            .constraint
            .iter()
            .map(|constraint| compare(constraint.comparison, &constraint.left, &constraint.right));
        all(present.chain(required).chain(constraint))
    }

    /// The value of a term at a point.
    pub(super) fn term(&self, term: &Term, point: usize, given: &Assignment) -> Result<WhyDatum, Failure> {
        self.history.term(term, self.place(point, given))
    }

    // Definitions.

    /// The values of a definition's parameters in a call.
    pub(super) fn parameters(
        &self,
        definition: DefId,
        arguments: &[Term],
        point: usize,
        given: &Assignment,
    ) -> Result<Assignment, Failure> {
        let definition = &self.property.definitions[definition.index()];
        let mut inner = Ok(Assignment::empty(self.property.variables.len()));
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            inner = match (inner, self.term(argument, point, given)) {
                (Ok(inner), Ok(datum)) => Ok(inner.with(*parameter, datum)),
                (Err(a), Err(b)) => Err(a.min(b)),
                (Err(failure), _) | (_, Err(failure)) => Err(failure),
            };
        }
        inner
    }

    /// The truth of a definition's body. Where recursion is deep, earlier points are done first, so that it is not.
    fn definition(&mut self, definition: DefId, point: usize, inner: &Assignment) -> WhyTruth {
        let property = self.property;
        let definition = &property.definitions[definition.index()];
        let question = self.question(&definition.body, inner);
        if definition.recursive && self.depth > DEEP && self.depth < TOO_DEEP / 2 {
            let is_new = |&at: &usize| !self.results.contains_key(&(question, WhyPart::Called, at));
            let first = (1..point).rev().take_while(is_new).last().unwrap_or(point);
            for earlier in first..point {
                let key = (question, WhyPart::Called, earlier);
                self.remembered(key, |this| this.formula(&definition.body, earlier, inner));
            }
        }
        let key = (question, WhyPart::Called, point);
        self.remembered(key, |this| this.formula(&definition.body, point, inner))
    }

    // Quantifiers.

    fn quantified(
        &mut self,
        formula: &'h Formula,
        quantifier: Quantifier,
        variable: VarId,
        body: &'h Formula,
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        let wanted = quantifier == Quantifier::Exists;
        let mut open = matches!(self.property.variable(variable).domain, Domain::Trace(_)) && !self.ended;
        for candidate in self.candidates(formula, point, given) {
            match self.formula(body, point, &given.with(variable, candidate)) {
                Some(truth) if truth == wanted => return Some(wanted),
                Some(_) => {}
                None => open = true,
            }
        }
        if open || self.is_exhausted() { None } else { Some(!wanted) }
    }

    /// The values of a quantified formula's variable that can decide it, those that are named first.
    pub(super) fn candidates(&mut self, formula: &'h Formula, point: usize, given: &Assignment) -> Vec<WhyDatum> {
        let Kind::Quantified(quantifier, variable, body) = &formula.kind else { return Vec::new() };
        let wanted = *quantifier == Quantifier::Exists;
        let (history, known) = (self.history, self.known);
        let suspects = self.suspects(body, wanted, *variable, point, given);
        let restricted = |all: &mut dyn Iterator<Item = _>, belongs: &dyn Fn(&_) -> bool| match suspects {
            None => all.collect::<Vec<_>>(),
            Some(mut few) => {
                few.sort_unstable();
                few.dedup();
                few.retain(belongs);
                few
            }
        };
        let values = match self.property.variable(*variable).domain {
            Domain::Infinite => restricted(&mut history.named(known), &|&id| history.is_named(id, known)),
            Domain::Trace(sort) => {
                restricted(&mut history.seen(sort, known).into_iter(), &|&id| history.is_seen(sort, id, known))
            }
            Domain::SoFar(sort) => {
                restricted(&mut history.seen(sort, point).into_iter(), &|&id| history.is_seen(sort, id, point))
            }
        };
        let mut candidates: Vec<WhyDatum> = values.into_iter().map(WhyDatum::Known).collect();
        if self.property.variable(*variable).domain == Domain::Infinite {
            candidates.extend(self.unnamed_candidates(formula, given));
        }
        candidates
    }

    /// The values of other variables that nobody has named, and one value more.
    fn unnamed_candidates(&mut self, formula: &'h Formula, given: &Assignment) -> Vec<WhyDatum> {
        let others: Vec<WhyDatum> = self.free(formula).iter().filter_map(|&other| given.get(other).cloned()).collect();
        let named = |datum: &WhyDatum| matches!(datum, WhyDatum::Known(id) if self.history.is_named(*id, self.known));
        let fresh = (0..).map(WhyDatum::Anonymous).find(|datum| !others.contains(datum));
        others.iter().filter(|datum| !named(datum)).cloned().chain(fresh).collect()
    }

    // Temporal operators.

    fn unary(
        &mut self,
        formula: &'h Formula,
        op: UnaryOp,
        interval: &'h Interval,
        body: &'h Formula,
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        let left = WhyOperand::always();
        let holds = WhyPair { left, right: WhyOperand::plain(body), interval, strict: false };
        let fails = WhyPair { right: WhyOperand::negated(body), ..holds };
        let question = self.question(formula, given);
        match op {
            UnaryOp::Prev => self.prev(holds, point, given),
            UnaryOp::WeakPrev => not(self.prev(fails, point, given)),
            UnaryOp::Next => self.next(holds, point, given),
            UnaryOp::WeakNext => not(self.next(fails, point, given)),
            UnaryOp::Once => self.since((question, WhyPart::Strong), holds, point, given),
            UnaryOp::Historically => not(self.since((question, WhyPart::Strong), fails, point, given)),
            UnaryOp::Eventually => self.until((question, WhyPart::Strong), holds, point, given),
            UnaryOp::Always => not(self.until((question, WhyPart::Strong), fails, point, given)),
        }
    }

    fn binary(
        &mut self,
        formula: &'h Formula,
        op: BinaryOp,
        interval: &'h Interval,
        (left, right): (&'h Formula, &'h Formula),
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        let strict = op == BinaryOp::StrictSince;
        let holds = WhyPair { left: WhyOperand::plain(left), right: WhyOperand::plain(right), interval, strict };
        let fails = WhyPair { left: WhyOperand::negated(left), right: WhyOperand::negated(right), interval, strict };
        let left_fails = WhyPair { left: WhyOperand::always(), right: WhyOperand::negated(left), interval, strict };
        let question = self.question(formula, given);
        let (strong, weak) = ((question, WhyPart::Strong), (question, WhyPart::Weak));
        match op {
            BinaryOp::Since | BinaryOp::StrictSince => self.since(strong, holds, point, given),
            BinaryOp::WeakSince => match self.since(strong, holds, point, given) {
                Some(true) => Some(true),
                since => or(since, not(self.since(weak, left_fails, point, given))),
            },
            BinaryOp::Trigger => not(self.since(strong, fails, point, given)),
            BinaryOp::Until => self.until(strong, holds, point, given),
            BinaryOp::WeakUntil => match self.until(strong, holds, point, given) {
                Some(true) => Some(true),
                until => or(until, not(self.until(weak, left_fails, point, given))),
            },
            BinaryOp::Release => not(self.until(strong, fails, point, given)),
        }
    }

    /// The truth of an operand at a point.
    pub(super) fn operand(&mut self, operand: WhyOperand<'h>, point: usize, given: &Assignment) -> WhyTruth {
        let Some(formula) = operand.formula else { return Some(!operand.negated) };
        let truth = self.formula(formula, point, given);
        if operand.negated { not(truth) } else { truth }
    }

    /// Whether the time from one point to a later one lies in an interval.
    pub(super) fn within(&self, interval: &Interval, from: usize, to: usize) -> bool {
        interval.is_all() || interval.contains(&self.history.time(to).sub(self.history.time(from)))
    }

    /// Whether a point, and all beyond it, are further away than an interval allows.
    pub(super) fn is_past(&self, interval: &Interval, from: usize, to: usize) -> bool {
        interval.high.is_some() && interval.is_before(&self.history.time(to).sub(self.history.time(from)))
    }

    /// Whether points to come may lie in an interval.
    pub(super) fn may_go_on(&self, interval: &Interval, point: usize) -> bool {
        !self.ended && !self.is_past(interval, point, self.known)
    }

    fn prev(&mut self, pair: WhyPair<'h>, point: usize, given: &Assignment) -> WhyTruth {
        if point <= 1 || !self.within(pair.interval, point - 1, point) {
            return Some(false);
        }
        self.operand(pair.right, point - 1, given)
    }

    fn next(&mut self, pair: WhyPair<'h>, point: usize, given: &Assignment) -> WhyTruth {
        if point == self.known {
            return if self.may_go_on(pair.interval, point) { None } else { Some(false) };
        }
        if self.within(pair.interval, point, point + 1) {
            self.operand(pair.right, point + 1, given)
        } else {
            Some(false)
        }
    }

    fn since(&mut self, key: (u32, WhyPart), pair: WhyPair<'h>, point: usize, given: &Assignment) -> WhyTruth {
        if pair.interval.is_all() && !pair.strict {
            let points = (1..=point).rev();
            return self.chained(key, pair, points, Some(false), given);
        }
        let (mut result, mut held) = (Some(false), Some(true));
        for witness in (1..=point).rev() {
            if self.is_past(pair.interval, witness, point) || self.is_exhausted() {
                break;
            }
            self.visits += 1;
            if self.within(pair.interval, witness, point) && !(pair.strict && witness == point) {
                let right = self.operand(pair.right, witness, given);
                result = or(result, and(held, right));
            }
            held = and(held, self.operand(pair.left, witness, given));
            if result == Some(true) || held == Some(false) {
                break;
            }
        }
        if self.is_exhausted() { None } else { result }
    }

    fn until(&mut self, key: (u32, WhyPart), pair: WhyPair<'h>, point: usize, given: &Assignment) -> WhyTruth {
        if pair.interval.is_all() {
            let beyond = if self.ended { Some(false) } else { None };
            return self.chained(key, pair, point..=self.known, beyond, given);
        }
        let (mut result, mut held) = (Some(false), Some(true));
        for witness in point..=self.known {
            if self.is_past(pair.interval, point, witness) || self.is_exhausted() {
                break;
            }
            self.visits += 1;
            if self.within(pair.interval, point, witness) {
                let right = self.operand(pair.right, witness, given);
                result = or(result, and(held, right));
            }
            held = and(held, self.operand(pair.left, witness, given));
            if result == Some(true) || held == Some(false) {
                break;
            }
        }
        if self.is_exhausted() {
            return None;
        }
        if self.may_go_on(pair.interval, point) { or(result, and(held, None)) } else { result }
    }

    /// `Since` or `Until` without an interval: right, or left and the same at the next of `points`; after the last one,
    /// `beyond`. Remembers the results of all points that it passes.
    fn chained(
        &mut self,
        (question, part): (u32, WhyPart),
        pair: WhyPair<'h>,
        points: impl Iterator<Item = usize>,
        beyond: WhyTruth,
        given: &Assignment,
    ) -> WhyTruth {
        let mut passed = Vec::new();
        let mut result = beyond;
        for point in points {
            if let Some(truth) = self.results.get(&(question, part, point)) {
                result = *truth;
                break;
            }
            let right = self.operand(pair.right, point, given);
            let left = if right == Some(true) { Some(true) } else { self.operand(pair.left, point, given) };
            passed.push((point, left, right));
            if self.is_exhausted() {
                result = None;
                break;
            }
            if right == Some(true) || left == Some(false) {
                break;
            }
        }
        for (point, left, right) in passed.into_iter().rev() {
            result = or(right, and(left, result));
            self.results.insert((question, part, point), result);
        }
        result
    }

    // Regular expressions.

    fn matching(
        &mut self,
        direction: Direction,
        interval: &'h Interval,
        regex: &'h Regex,
        point: usize,
        given: &Assignment,
    ) -> WhyTruth {
        let reached = self.reach(direction, regex, &Reached::from([(point, Some(true))]), given);
        let mut result = Some(false);
        for (at, truth) in reached {
            let counts = match direction {
                Direction::Past => self.within(interval, at, point),
                Direction::Future if at > self.known => self.may_go_on(interval, point),
                Direction::Future => self.within(interval, point, at),
            };
            if counts {
                result = or(result, truth);
            }
        }
        if self.is_exhausted() { None } else { result }
    }

    /// Where an expression leads from these points, with the truth that it does; read backwards in the past.
    fn reach(&mut self, direction: Direction, regex: &'h Regex, from: &Reached, given: &Assignment) -> Reached {
        self.visits += from.len();
        if self.is_exhausted() {
            return Reached::new();
        }
        match regex {
            Regex::Any => self.step(direction, from),
            Regex::Step(body) => {
                let tested = self.tested(body, from, given);
                self.step(direction, &tested)
            }
            Regex::Test(body) => self.tested(body, from, given),
            Regex::Concat(left, right) => {
                let (first, second) = if direction == Direction::Past { (right, left) } else { (left, right) };
                let middle = self.reach(direction, first, from, given);
                self.reach(direction, second, &middle, given)
            }
            Regex::Choice(left, right) => {
                let mut reached = self.reach(direction, left, from, given);
                add(&mut reached, self.reach(direction, right, from, given));
                reached
            }
            Regex::Star(body) => {
                let mut reached = from.clone();
                let mut news = from.clone();
                while !news.is_empty() && !self.is_exhausted() {
                    let round = self.reach(direction, body, &news, given);
                    news = add(&mut reached, round);
                }
                reached
            }
        }
    }

    fn tested(&mut self, body: &'h Formula, from: &Reached, given: &Assignment) -> Reached {
        let mut passed = Reached::new();
        for (&point, &truth) in from {
            let truth = and(truth, self.formula(body, point, given));
            if truth != Some(false) {
                passed.insert(point, truth);
            }
        }
        passed
    }

    /// One step from each point. Beyond the last point that is known nothing is certain.
    fn step(&self, direction: Direction, from: &Reached) -> Reached {
        let mut reached = Reached::new();
        for (&point, &truth) in from {
            if direction == Direction::Past {
                if point > 1 {
                    reached.insert(point - 1, truth);
                }
            } else if point < self.known {
                reached.insert(point + 1, truth);
            } else if !self.ended {
                reached.insert(self.known + 1, None);
            }
        }
        reached
    }
}

/// Points with the truth that an expression leads there, without those to which it certainly does not.
type Reached = BTreeMap<usize, WhyTruth>;

/// Adds more points and returns those that are new or more certain than before.
fn add(reached: &mut Reached, more: Reached) -> Reached {
    let mut news = Reached::new();
    for (point, truth) in more {
        let known = reached.get(&point).copied();
        if known.is_none() || known == Some(None) && truth == Some(true) {
            reached.insert(point, truth);
            news.insert(point, truth);
        }
    }
    news
}

fn is_worth_remembering(kind: &Kind) -> bool {
    matches!(kind, Kind::Quantified(..) | Kind::Unary(..) | Kind::Binary(..) | Kind::Match(..) | Kind::Aggregate(_))
}

fn settle(result: Result<bool, Failure>) -> WhyTruth {
    match result {
        Ok(truth) => Some(truth),
        Err(Failure::NoValue) => Some(false),
        Err(Failure::Undecidable) => None,
    }
}

/// Negation.
pub(crate) fn not(truth: WhyTruth) -> WhyTruth {
    truth.map(|truth| !truth)
}

fn and(left: WhyTruth, right: WhyTruth) -> WhyTruth {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: WhyTruth, right: WhyTruth) -> WhyTruth {
    not(and(not(left), not(right)))
}

fn all(truths: impl Iterator<Item = WhyTruth>) -> WhyTruth {
    let mut result = Some(true);
    for truth in truths {
        result = and(result, truth);
        if result == Some(false) {
            break;
        }
    }
    result
}

fn any(truths: impl Iterator<Item = WhyTruth>) -> WhyTruth {
    not(all(truths.map(not)))
}
