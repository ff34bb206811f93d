//! Finds the facts that make a formula true or false.
//!
//! ```text
//!   access(u,f) -> [login(u), logout(u)) & [open(f), close(f))       false at 40
//!   ├─ access(u,f)                          true at 40               Is
//!   └─ & ─ [login(u), logout(u))            false at 40              Is
//!          ├─ login(u)                      true at 12, the last one
//!          └─ !logout(u)                    false at 30              Ended: login at 12 by logout at 30
//! ```
//!
//! The walk goes down only where the evaluator is certain, so each fact holds by itself, wherever the walk stops.

use std::ops::RangeInclusive;

use referee_spec::core::{BinaryOp, Direction, Formula, Interval, Kind, Quantifier, UnaryOp, VarId};

use super::evaluate::{WhyEvaluator, WhyOperand, WhyPair};
use super::fact::{Claim, PointStretch, WhyFact, WhyReason};
use super::terms::WhyDatum;

/// How many facts an explanation has at most.
pub(crate) const LIMIT: usize = 12;

/// How many of them say why the left side of an implication holds.
const BRIEF: usize = 3;

/// How many candidates are looked at to find those that come nearest to making an `exists` true.
const TRIED: usize = 64;

/// How many of them are explained.
const NEAREST: usize = 2;

/// How deep the walk goes.
const DEPTH: usize = 60;

/// Collects the facts of one explanation.
pub(crate) struct Reasons<'e, 'h> {
    pub evaluator: &'e mut WhyEvaluator<'h>,
    pub facts: Vec<WhyFact<'h>>,
    limit: usize,
    depth: usize,
    /// Whether the subformula that this is about has been named.
    named: bool,
}

impl<'e, 'h> Reasons<'e, 'h> {
    /// No facts yet.
    pub(super) fn new(evaluator: &'e mut WhyEvaluator<'h>) -> Reasons<'e, 'h> {
        Reasons { evaluator, facts: Vec::new(), limit: LIMIT, depth: 0, named: false }
    }

    fn truth(&mut self, claim: &Claim<'h>) -> Option<bool> {
        self.evaluator.formula(claim.formula, claim.point, &claim.given)
    }

    fn operand(&mut self, operand: WhyOperand<'h>, point: usize, claim: &Claim<'h>) -> Option<bool> {
        self.evaluator.operand(operand, point, &claim.given)
    }

    fn push(&mut self, fact: WhyFact<'h>) {
        if self.facts.len() < self.limit {
            self.facts.push(fact);
        }
    }

    /// Says why a formula is true or false, where that is certain.
    pub(super) fn explain(&mut self, claim: &Claim<'h>, truth: bool) {
        if self.facts.len() >= self.limit || self.depth > DEPTH || self.truth(claim) != Some(truth) {
            return;
        }
        self.depth += 1;
        let (named, before) = (self.named, self.facts.len());
        self.name(claim, truth);
        self.walk(claim, truth);
        if self.facts.len() == before {
            self.push(WhyFact::Is { claim: claim.clone(), truth });
        }
        self.named = named;
        self.depth -= 1;
    }

    /// Names the outermost temporal or quantified subformula on the way, but not one whose failing point says it all.
    fn name(&mut self, claim: &Claim<'h>, truth: bool) {
        let worth = match &claim.formula.kind {
            Kind::Unary(UnaryOp::Always | UnaryOp::Historically, ..) => truth,
            Kind::Quantified(Quantifier::Forall, ..) => truth,
            Kind::Unary(..) | Kind::Binary(..) | Kind::Quantified(..) | Kind::Call(..) => true,
            _ => false,
        };
        if worth && !self.named {
            self.named = true;
            self.push(WhyFact::Is { claim: claim.clone(), truth });
        }
    }

    fn walk(&mut self, claim: &Claim<'h>, truth: bool) {
        match (&claim.formula.kind, truth) {
            (Kind::Not(body), _) => self.explain(&claim.of(body), !truth),
            (Kind::And(members), true) | (Kind::Or(members), false) => {
                members.iter().for_each(|member| self.explain(&claim.of(member), truth));
            }
            (Kind::And(members), false) => members.iter().for_each(|member| self.explain(&claim.of(member), false)),
            (Kind::Or(members), true) => {
                if let Some(member) = members.iter().find(|member| self.truth(&claim.of(member)) == Some(true)) {
                    self.explain(&claim.of(member), true);
                }
            }
            (Kind::Implies(left, right), false) => self.implication_fails(claim, left, right),
            (Kind::Implies(left, right), true) => {
                let (left, right) = (claim.of(left), claim.of(right));
                if self.truth(&right) == Some(true) { self.explain(&right, true) } else { self.explain(&left, false) }
            }
            (Kind::Iff(left, right), _) => {
                for side in [left, right] {
                    if let Some(truth) = self.truth(&claim.of(side)) {
                        self.briefly(&claim.of(side), truth);
                    }
                }
            }
            (Kind::Quantified(quantifier, variable, body), _) => {
                self.quantified(claim, *quantifier, *variable, body, truth);
            }
            (Kind::Unary(op, interval, body), _) => self.unary(claim, *op, interval, body, truth),
            (Kind::Binary(op, interval, left, right), _) => self.binary(claim, *op, interval, left, right, truth),
            (Kind::Call(definition, arguments), _) => {
                let property = self.evaluator.property;
                let body = &property.definitions[definition.index()];
                let inner = self.evaluator.parameters(*definition, arguments, claim.point, &claim.given);
                if let (Ok(given), false) = (inner, body.recursive) {
                    self.explain(&Claim { formula: &body.body, given, point: claim.point }, truth);
                }
            }
            (Kind::Aggregate(aggregation), true) => {
                let number = self.evaluator.number(aggregation, claim.point, &claim.given);
                number.into_iter().for_each(|number| self.push(WhyFact::Number { claim: claim.clone(), number }));
            }
            (
                Kind::Constant(_)
                | Kind::Event(_)
                | Kind::Compare(..)
                | Kind::Observe(_)
                | Kind::Match(..)
                | Kind::Aggregate(_),
                _,
            ) => {}
        }
    }

    fn briefly(&mut self, claim: &Claim<'h>, truth: bool) {
        let limit = self.limit;
        self.limit = limit.min(self.facts.len() + BRIEF);
        self.explain(claim, truth);
        self.limit = limit;
    }

    fn implication_fails(&mut self, claim: &Claim<'h>, left: &'h Formula, right: &'h Formula) {
        let begun = claim.of(left);
        if let (Kind::Event(_), Kind::Unary(UnaryOp::Eventually, interval, missing)) = (&left.kind, &right.kind)
            && matches!(missing.kind, Kind::Event(_))
            && interval.is_all()
        {
            let last = self.evaluator.known;
            return self.push(WhyFact::NeverFollowed { begun, missing: claim.of(missing), last });
        }
        if !matches!(left.kind, Kind::Constant(_)) {
            self.briefly(&begun, true);
        }
        self.explain(&claim.of(right), false);
    }

    // Quantifiers.

    fn quantified(
        &mut self,
        claim: &Claim<'h>,
        quantifier: Quantifier,
        variable: VarId,
        body: &'h Formula,
        truth: bool,
    ) {
        let candidates = self.evaluator.candidates(claim.formula, claim.point, &claim.given);
        let mut instances = candidates.into_iter().map(|datum| Claim {
            formula: body,
            point: claim.point,
            given: claim.given.with(variable, datum),
        });
        if truth == (quantifier == Quantifier::Exists) {
            if let Some(body) = instances.find(|instance| self.truth(instance) == Some(truth)) {
                self.push(WhyFact::Example { variable, body: body.clone(), truth });
                self.explain(&body, truth);
            }
        } else if !truth {
            self.explain_nearest(variable, instances.take(TRIED).collect());
        }
    }

    /// Explains why those values fail that come nearest: of which most conjuncts hold, named ones rather than others.
    fn explain_nearest(&mut self, variable: VarId, instances: Vec<Claim<'h>>) {
        let mut ranked: Vec<((bool, usize), Claim<'h>)> =
            instances.into_iter().map(|instance| (self.distance(variable, &instance), instance)).collect();
        ranked.sort_by_key(|(distance, _)| *distance);
        let best = ranked.first().map(|(distance, _)| *distance);
        for (_, instance) in ranked.iter().take_while(|(distance, _)| Some(*distance) == best).take(NEAREST) {
            self.explain(instance, false);
        }
    }

    /// Whether a value is one that nobody has named, and how many conjuncts do not hold of it.
    fn distance(&mut self, variable: VarId, instance: &Claim<'h>) -> (bool, usize) {
        let unnamed = matches!(instance.given.get(variable), Some(WhyDatum::Anonymous(_)));
        let Kind::And(members) = &instance.formula.kind else { return (unnamed, 0) };
        let holding = members.iter().filter(|member| self.truth(&instance.of(member)) == Some(true)).count();
        (unnamed, members.len() - holding)
    }

    // Temporal operators, reduced to four questions: why does `Since` (`Until`) hold, why does it fail?

    fn unary(&mut self, claim: &Claim<'h>, op: UnaryOp, interval: &'h Interval, body: &'h Formula, truth: bool) {
        let left = WhyOperand::always();
        let holds = WhyPair { left, right: WhyOperand::plain(body), interval, strict: false };
        let fails = WhyPair { right: WhyOperand::negated(body), ..holds };
        match (op, truth) {
            (UnaryOp::Prev, true) | (UnaryOp::WeakPrev, false) => {
                self.explain(&claim.of(body).at(claim.point - 1), truth)
            }
            (UnaryOp::Next, true) | (UnaryOp::WeakNext, false) => {
                self.explain(&claim.of(body).at(claim.point + 1), truth)
            }
            (UnaryOp::Prev | UnaryOp::WeakPrev, _) => self.no_previous(claim, interval, body, truth),
            (UnaryOp::Next | UnaryOp::WeakNext, _) => self.no_next(claim, interval, body, truth),
            (UnaryOp::Once, true) => self.since_holds(claim, holds),
            (UnaryOp::Once, false) => self.since_fails(claim, holds),
            (UnaryOp::Historically, true) => self.since_fails(claim, fails),
            (UnaryOp::Historically, false) => self.first_failure(claim, interval, body),
            (UnaryOp::Eventually, true) => self.until_holds(claim, holds),
            (UnaryOp::Eventually, false) => self.until_fails(claim, holds),
            (UnaryOp::Always, true) => self.until_fails(claim, fails),
            (UnaryOp::Always, false) => self.until_holds(claim, fails),
        }
    }

    fn binary(
        &mut self,
        claim: &Claim<'h>,
        op: BinaryOp,
        interval: &'h Interval,
        left: &'h Formula,
        right: &'h Formula,
        truth: bool,
    ) {
        let strict = op == BinaryOp::StrictSince;
        let holds = WhyPair { left: WhyOperand::plain(left), right: WhyOperand::plain(right), interval, strict };
        let fails = WhyPair { left: WhyOperand::negated(left), right: WhyOperand::negated(right), interval, strict };
        match (op, truth) {
            (BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince, true) => self.since_holds(claim, holds),
            (BinaryOp::Since | BinaryOp::StrictSince, false) => self.since_fails(claim, holds),
            (BinaryOp::WeakSince, false) => {
                self.since_fails(claim, holds);
                self.first_failure(claim, interval, left);
            }
            (BinaryOp::Trigger, true) => self.since_fails(claim, fails),
            (BinaryOp::Trigger, false) => self.since_holds(claim, fails),
            (BinaryOp::Until | BinaryOp::WeakUntil, true) => self.until_holds(claim, holds),
            (BinaryOp::Until | BinaryOp::WeakUntil, false) => self.until_fails(claim, holds),
            (BinaryOp::Release, true) => self.until_fails(claim, fails),
            (BinaryOp::Release, false) => self.until_holds(claim, fails),
        }
    }

    fn no_previous(&mut self, claim: &Claim<'h>, interval: &'h Interval, body: &'h Formula, truth: bool) {
        if claim.point <= 1 {
            self.push(WhyFact::Edge { point: claim.point, direction: Direction::Past });
        } else if self.evaluator.within(interval, claim.point - 1, claim.point) {
            self.explain(&claim.of(body).at(claim.point - 1), truth);
        } else {
            self.push(WhyFact::Gap { first: claim.point - 1, interval });
        }
    }

    fn no_next(&mut self, claim: &Claim<'h>, interval: &'h Interval, body: &'h Formula, truth: bool) {
        if claim.point < self.evaluator.known && self.evaluator.within(interval, claim.point, claim.point + 1) {
            self.explain(&claim.of(body).at(claim.point + 1), truth);
        } else if claim.point < self.evaluator.known {
            self.push(WhyFact::Gap { first: claim.point, interval });
        } else if self.evaluator.ended {
            self.push(WhyFact::Edge { point: claim.point, direction: Direction::Future });
        }
    }

    /// The earliest point in the interval at which the body of `Historically` fails.
    fn first_failure(&mut self, claim: &Claim<'h>, interval: &'h Interval, body: &'h Formula) {
        let Some(window) = self.past_window(interval, claim.point, claim.point) else { return };
        let body = claim.of(body);
        let failure = window.into_iter().find(|&at| self.truth(&body.at(at)) == Some(false));
        if let Some(at) = failure {
            self.explain(&body.at(at), false);
        }
    }

    fn since_holds(&mut self, claim: &Claim<'h>, pair: WhyPair<'h>) {
        for witness in (1..=claim.point).rev() {
            let counts =
                self.evaluator.within(pair.interval, witness, claim.point) && (!pair.strict || witness < claim.point);
            if counts && self.operand(pair.right, witness, claim) == Some(true) {
                self.explain_operand(claim, pair.right, witness, true);
                return self.between(claim, pair.left, witness + 1..=claim.point);
            }
            if self.operand(pair.left, witness, claim) != Some(true) {
                return;
            }
        }
        // Only the weak operator holds without a witness.
        self.between(claim, pair.left, 1..=claim.point);
    }

    fn until_holds(&mut self, claim: &Claim<'h>, pair: WhyPair<'h>) {
        for witness in claim.point..=self.evaluator.known {
            let counts = self.evaluator.within(pair.interval, claim.point, witness);
            if counts && self.operand(pair.right, witness, claim) == Some(true) {
                self.explain_operand(claim, pair.right, witness, true);
                if witness > claim.point {
                    self.between(claim, pair.left, claim.point..=witness - 1);
                }
                return;
            }
            if self.operand(pair.left, witness, claim) != Some(true) {
                return;
            }
        }
        self.between(claim, pair.left, claim.point..=self.evaluator.known);
    }

    /// An operand holds at all these points; the caller has seen to that.
    fn between(&mut self, claim: &Claim<'h>, operand: WhyOperand<'h>, points: RangeInclusive<usize>) {
        if let Some(formula) = operand.formula
            && !points.is_empty()
        {
            let stretch = PointStretch { first: *points.start(), last: *points.end(), reason: WhyReason::Between };
            self.throughout(claim.of(formula), !operand.negated, stretch, None);
        }
    }

    /// A formula has this truth throughout; of a negation, what is negated is named.
    fn throughout(&mut self, mut claim: Claim<'h>, mut truth: bool, stretch: PointStretch<'h>, nearest: Option<usize>) {
        while let Kind::Not(body) = &claim.formula.kind {
            claim.formula = body;
            truth = !truth;
        }
        self.push(WhyFact::Throughout { claim, truth, stretch, nearest });
    }

    fn explain_operand(&mut self, claim: &Claim<'h>, operand: WhyOperand<'h>, point: usize, truth: bool) {
        if let Some(formula) = operand.formula {
            self.explain(&claim.of(formula).at(point), truth != operand.negated);
        }
    }

    fn since_fails(&mut self, claim: &Claim<'h>, pair: WhyPair<'h>) {
        if pair.strict && claim.point == 1 {
            return self.push(WhyFact::Edge { point: 1, direction: Direction::Past });
        }
        let latest = if pair.strict { claim.point - 1 } else { claim.point };
        let (anchor, interval, direction) = (claim.point, pair.interval, Direction::Past);
        let Some(window) = self.past_window(interval, anchor, latest) else {
            // Whether the point itself lies in the interval is another matter for a strict operator.
            if !pair.strict {
                self.push(WhyFact::NoPoint { anchor, interval, direction });
            }
            return;
        };
        let mut certain = true;
        for witness in window.clone().rev() {
            match self.operand(pair.right, witness, claim) {
                Some(true) => return self.ended(claim, pair, witness),
                Some(false) => {}
                None => certain = false,
            }
        }
        if let (true, Some(right)) = (certain, pair.right.formula) {
            let reason = match interval.is_all() && !pair.strict {
                true => WhyReason::Past,
                false if pair.strict => WhyReason::Between,
                false => WhyReason::Window { anchor, interval, direction, ended: false },
            };
            let nearest = self.nearest(claim, pair.right, (1..*window.start()).rev());
            let stretch = PointStretch { first: *window.start(), last: *window.end(), reason };
            self.throughout(claim.of(right), pair.right.negated, stretch, nearest);
        }
    }

    /// The right side held at `witness`, and the left side did not hold ever since.
    fn ended(&mut self, claim: &Claim<'h>, pair: WhyPair<'h>, witness: usize) {
        let end = (witness + 1..=claim.point).find(|&at| self.operand(pair.left, at, claim) == Some(false));
        let (Some(end), Some(left), Some(right)) = (end, pair.left.formula, pair.right.formula) else { return };
        let (culprit, by_truth) = match &left.kind {
            Kind::Not(body) => (&**body, !pair.left.negated),
            _ => (left, pair.left.negated),
        };
        let begun = claim.of(right).at(witness);
        let by = claim.of(culprit).at(end);
        self.push(WhyFact::Ended { begun, begun_truth: !pair.right.negated, by: by.clone(), by_truth });
        if !matches!(culprit.kind, Kind::Event(_)) {
            self.explain(&by, by_truth);
        }
    }

    fn until_fails(&mut self, claim: &Claim<'h>, pair: WhyPair<'h>) {
        let (anchor, interval, known) = (claim.point, pair.interval, self.evaluator.known);
        let in_reach = |this: &Self, at: usize| !this.evaluator.is_past(interval, anchor, at);
        let reach: Vec<usize> = (anchor..=known).take_while(|&at| in_reach(self, at)).collect();
        let broken = reach.iter().copied().find(|&at| self.operand(pair.left, at, claim) == Some(false));
        let last = broken.unwrap_or(known);
        let window: Vec<usize> =
            reach.into_iter().filter(|&at| at <= last && self.evaluator.within(interval, anchor, at)).collect();
        if let Some(at) = broken {
            self.explain_operand(claim, pair.left, at, false);
        }
        let (Some(&first), Some(&last)) = (window.first(), window.last()) else {
            if broken.is_none() {
                self.push(WhyFact::NoPoint { anchor, interval, direction: Direction::Future });
            }
            return;
        };
        let certain = window.iter().all(|&at| self.operand(pair.right, at, claim) == Some(false));
        if let (true, Some(right)) = (certain, pair.right.formula) {
            let (reason, nearest) = self.future_stretch(claim, pair, broken.is_some(), last);
            let stretch = PointStretch { first, last, reason };
            self.throughout(claim.of(right), pair.right.negated, stretch, nearest);
        }
    }

    /// How far the future was searched, and the next point beyond that would have done.
    fn future_stretch(
        &mut self,
        claim: &Claim<'h>,
        pair: WhyPair<'h>,
        broken: bool,
        last: usize,
    ) -> (WhyReason<'h>, Option<usize>) {
        let (anchor, interval, known) = (claim.point, pair.interval, self.evaluator.known);
        if broken {
            return (WhyReason::Between, None);
        }
        if interval.is_all() {
            return (WhyReason::End, None);
        }
        let ended = self.evaluator.ended && !self.evaluator.is_past(interval, anchor, known);
        let nearest = self.nearest(claim, pair.right, last + 1..=known);
        (WhyReason::Window { anchor, interval, direction: Direction::Future, ended }, nearest)
    }

    /// The first of these points at which an operand holds, if it certainly does not before.
    fn nearest(
        &mut self,
        claim: &Claim<'h>,
        operand: WhyOperand<'h>,
        points: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        for point in points {
            match self.operand(operand, point, claim) {
                Some(true) => return Some(point),
                Some(false) => {}
                None => return None,
            }
        }
        None
    }

    /// The points up to `latest` whose distance from `point` lies in an interval, if there are any.
    fn past_window(&self, interval: &Interval, point: usize, latest: usize) -> Option<RangeInclusive<usize>> {
        let reach = (1..=latest).rev().take_while(|&at| !self.evaluator.is_past(interval, at, point));
        let mut inside = reach.filter(|&at| self.evaluator.within(interval, at, point));
        let last = inside.next()?;
        Some(inside.last().unwrap_or(last)..=last)
    }
}
