//! The generators make what they promise, and the oracle obeys laws on what they make.

use std::collections::{BTreeMap, BTreeSet};

use referee_spec::core::builder::*;
use referee_spec::core::*;
use referee_testing::{is_sample, seeds};
use referee_trace::owned::OwnedTrace;
use referee_trace::value::Value;

use super::vocabulary::TEXTS;
use super::{Rng, describe, is_well_formed, random_property, random_trace, shrink};
use crate::world::World;
use crate::{Known, Meaning, Mode, Truth, evaluate, judge};

/// Calls `check` on random cases of every language.
fn cases(count: u64, mut check: impl FnMut(&mut Rng, &Property, &OwnedTrace)) {
    for seed in seeds(count) {
        let mut rng = Rng::new(seed);
        let language = Language::FORMULAS[seed as usize % 3];
        let depth = 1 + rng.below(6);
        let property = random_property(&mut rng, language, depth);
        let trace = random_trace(&mut rng, &property);
        check(&mut rng, &property, &trace);
    }
}

#[test]
fn properties_are_well_formed_and_their_spans_quote_them() {
    cases(3000, |_, property, trace| {
        assert!(is_well_formed(property), "{}", property.source);
        assert!(trace.points.is_sorted_by_key(|point| point.time.clone()));
        property.body.visit(&mut |formula| {
            if let Kind::Event(atom) = &formula.kind {
                assert!(property.text(formula.span).starts_with(&*atom.name), "{}", property.source);
            }
        });
    });
}

#[test]
fn every_construct_of_a_language_comes_up() {
    let mut constructs: [BTreeSet<String>; 3] = Default::default();
    for seed in 0..3000 {
        let language = Language::FORMULAS[seed as usize % 3];
        let property = random_property(&mut Rng::new(seed), language, 6);
        let bodies = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
        for body in bodies {
            body.visit(&mut |formula| {
                constructs[seed as usize % 3].insert(construct(&formula.kind));
            });
        }
    }
    let [foltl, qtl, mfotl] = constructs.map(|all| all.into_iter().collect::<Vec<_>>().join(" "));
    assert_eq!(
        foltl,
        "Always And Compare Constant Event Eventually Exists Forall Historically Iff Implies Next Not Observe Once Or Prev \
         Release Since Trigger Until WeakNext WeakPrev WeakSince WeakUntil"
    );
    assert_eq!(
        qtl,
        "And Call Compare Constant Event Exists Forall Historically Iff Implies Not Once Or Prev Since StrictSince"
    );
    assert_eq!(
        mfotl,
        "Always And Call Compare Constant Event Eventually Exists Forall Historically Iff Implies MatchFuture MatchPast Next \
         Not Once Or Prev Release Since Trigger Until"
    );
}

fn construct(kind: &Kind) -> String {
    match kind {
        Kind::Quantified(quantifier, ..) => format!("{quantifier:?}"),
        Kind::Unary(op, ..) => format!("{op:?}"),
        Kind::Binary(op, ..) => format!("{op:?}"),
        Kind::Match(direction, ..) => format!("Match{direction:?}"),
        other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_string(),
    }
}

#[test]
fn outcomes_are_consistent() {
    cases(2000, |_, property, trace| {
        let complete = judge(property, trace, Mode::Complete);
        let expected = match (complete.violations.is_empty(), &complete.obstacle) {
            (false, _) => Status::Violated,
            (true, Some(_)) => Status::GaveUp,
            (true, None) => Status::Satisfied,
        };
        assert_eq!((complete.status, complete.pending), (expected, 0), "{}", describe(property, trace));
        for violation in &complete.violations {
            assert!(violation.decided.is_none_or(|decided| decided >= violation.point), "{violation:?}");
            assert!(violation.point <= trace.points.len() as u64);
            assert_eq!(violation.bindings.len(), property.bindings.len());
        }
        let rows: BTreeSet<_> = complete.violations.iter().map(|it| (it.point, &it.bindings)).collect();
        assert_eq!(rows.len(), complete.violations.len(), "a row is reported once: {}", describe(property, trace));
        if property.judgement == Judgement::EveryPoint {
            assert!(complete.violations.is_sorted_by(|a, b| a.point < b.point));
        }
    });
}

#[test]
fn what_was_decided_stays_and_what_was_not_is_pending() {
    cases(1000, |rng, property, trace| {
        let complete = judge(property, trace, Mode::Complete).violations;
        let prefix = judge(property, trace, Mode::Prefix);
        let decided: Vec<_> = complete.iter().filter(|it| it.decided.is_some()).cloned().collect();
        assert_eq!(prefix.violations, decided, "{}", describe(property, trace));
        let by_the_end = (complete.len() - decided.len()) as u64;
        assert!(prefix.pending >= by_the_end, "{}", describe(property, trace));
        // A decision depends on the points up to it only.
        let cut = rng.below(trace.points.len() + 1);
        let shorter = OwnedTrace { points: trace.points[..cut].to_vec() };
        let early: Vec<_> = decided.into_iter().filter(|it| it.decided <= Some(cut as u64)).collect();
        assert_eq!(judge(property, &shorter, Mode::Prefix).violations, early, "{}", describe(property, &shorter));
    });
}

/// All stages of a trace.
fn stages(trace: &OwnedTrace) -> Vec<Known> {
    (0..=trace.points.len()).map(Known::UpTo).chain([Known::End]).collect()
}

/// Values for all variables.
fn random_assignment(rng: &mut Rng, property: &Property) -> Vec<(VarId, Meaning)> {
    (0..property.variables.len()).map(|index| (VarId(index as u32), random_meaning(rng))).collect()
}

fn random_subformula<'a>(rng: &mut Rng, property: &'a Property) -> &'a Formula {
    let mut all = Vec::new();
    property.body.visit(&mut |formula| all.push(formula));
    rng.pick(&all)
}

fn random_meaning(rng: &mut Rng) -> Meaning {
    if rng.chance(30) { Meaning::Anonymous(rng.below(2)) } else { Meaning::Value(Value::of(rng.pick(&TEXTS))) }
}

#[test]
fn what_is_true_or_false_stays_so() {
    cases(1000, |rng, property, trace| {
        let assignment = random_assignment(rng, property);
        let point = 1 + rng.below(trace.points.len());
        let formula = random_subformula(rng, property);
        let mut before = Truth::Unknown;
        for known in stages(trace) {
            let now = evaluate(property, trace, formula, point, &assignment, known);
            assert!(!before.is_decided() || now == before, "{known:?} {}", describe(property, trace));
            before = now;
        }
        assert_ne!(before, Truth::Unknown, "at the end nothing is unknown: {}", describe(property, trace));
    });
}

#[test]
fn negations_meet_their_duals() {
    cases(1000, |rng, property, trace| {
        let assignment = random_assignment(rng, property);
        let point = 1 + rng.below(trace.points.len());
        let formula = random_subformula(rng, property);
        let (negated, dual) = (not(formula.clone()), dual(formula));
        for known in stages(trace) {
            let left = evaluate(property, trace, &negated, point, &assignment, known);
            let right = evaluate(property, trace, &dual, point, &assignment, known);
            assert_eq!(left, right, "{known:?} {}", describe(property, trace));
        }
    });
}

/// The negation, pushed down to the atoms.
fn dual(formula: &Formula) -> Formula {
    match &formula.kind {
        Kind::Constant(truth) => constant(!truth),
        Kind::Not(body) => (**body).clone(),
        Kind::And(all) => or(all.iter().map(dual)),
        Kind::Or(all) => and(all.iter().map(dual)),
        Kind::Implies(left, right) => and([(**left).clone(), dual(right)]),
        Kind::Iff(left, right) => iff((**left).clone(), dual(right)),
        Kind::Quantified(Quantifier::Forall, variable, body) => exists(*variable, dual(body)),
        Kind::Quantified(Quantifier::Exists, variable, body) => forall(*variable, dual(body)),
        Kind::Unary(op, interval, body) => unary_within(dual_unary(*op), interval.clone(), dual(body)),
        Kind::Binary(op, interval, left, right) => dual_binary(*op, interval, left, right),
        Kind::Event(_)
        | Kind::Compare(..)
        | Kind::Observe(_)
        | Kind::Match(..)
        | Kind::Call(..)
        | Kind::Aggregate(_) => not(formula.clone()),
    }
}

fn dual_unary(op: UnaryOp) -> UnaryOp {
    match op {
        UnaryOp::Prev => UnaryOp::WeakPrev,
        UnaryOp::WeakPrev => UnaryOp::Prev,
        UnaryOp::Next => UnaryOp::WeakNext,
        UnaryOp::WeakNext => UnaryOp::Next,
        UnaryOp::Once => UnaryOp::Historically,
        UnaryOp::Historically => UnaryOp::Once,
        UnaryOp::Eventually => UnaryOp::Always,
        UnaryOp::Always => UnaryOp::Eventually,
    }
}

fn dual_binary(op: BinaryOp, interval: &Interval, left: &Formula, right: &Formula) -> Formula {
    let with = |op| binary_within(dual(left), op, interval.clone(), dual(right));
    match op {
        BinaryOp::Since => with(BinaryOp::Trigger),
        BinaryOp::Trigger => with(BinaryOp::Since),
        BinaryOp::Until => with(BinaryOp::Release),
        BinaryOp::Release => with(BinaryOp::Until),
        BinaryOp::StrictSince => not(binary_within(left.clone(), op, interval.clone(), right.clone())),
        BinaryOp::WeakSince => {
            and([with(BinaryOp::Trigger), unary_within(UnaryOp::Once, interval.clone(), dual(left))])
        }
        BinaryOp::WeakUntil => {
            and([with(BinaryOp::Release), unary_within(UnaryOp::Eventually, interval.clone(), dual(left))])
        }
    }
}

#[test]
fn until_and_since_are_regular_expressions() {
    cases(1000, |rng, property, trace| {
        let mut pairs = Vec::new();
        property.body.visit(&mut |formula| {
            if let Kind::Binary(op @ (BinaryOp::Until | BinaryOp::Since), interval, left, right) = &formula.kind {
                pairs.push((formula, as_regex(*op, interval, left, right)));
            }
        });
        let assignment = random_assignment(rng, property);
        let point = 1 + rng.below(trace.points.len());
        for (formula, regex) in pairs {
            for known in stages(trace) {
                let left = evaluate(property, trace, formula, point, &assignment, known);
                let right = evaluate(property, trace, &regex, point, &assignment, known);
                assert_eq!(left, right, "{known:?} {}", describe(property, trace));
            }
        }
    });
}

/// `left* right?` forwards, `right? left*` backwards.
fn as_regex(op: BinaryOp, interval: &Interval, left: &Formula, right: &Formula) -> Formula {
    let (left, right) = (star(step(left.clone())), test(right.clone()));
    match op {
        BinaryOp::Until => matches(Direction::Future, interval.clone(), concat(left, right)),
        _ => matches(Direction::Past, interval.clone(), concat(right, left)),
    }
}

#[test]
fn what_holds_of_an_unnamed_value_holds_when_it_is_named() {
    cases(1000, |rng, property, trace| {
        let Some(last) = property.bindings.last().map(|binding| binding.variable) else { return };
        let mut assignment = random_assignment(rng, property);
        let point = 1 + rng.below(trace.points.len());
        let mut world = World::new(property, trace);
        for known in 1..=trace.points.len() {
            set(&mut assignment, last, Meaning::Anonymous(7));
            let unnamed = evaluate(property, trace, &property.body, point, &assignment, Known::UpTo(known));
            let value = Value::of(rng.pick(&TEXTS));
            let id = world.intern(value.clone());
            let meaning = Meaning::Value(value);
            let later = !world.is_named(id, known) && world.is_named(id, world.length);
            let fresh = assignment.iter().all(|(_, other)| *other != meaning);
            if later && fresh && unnamed.is_decided() {
                set(&mut assignment, last, meaning);
                let named = evaluate(property, trace, &property.body, point, &assignment, Known::End);
                assert_eq!(named, unnamed, "after {known}, {assignment:?}: {}", describe(property, trace));
            }
        }
    });
}

fn set(assignment: &mut [(VarId, Meaning)], variable: VarId, meaning: Meaning) {
    for (_, old) in assignment.iter_mut().filter(|(other, _)| *other == variable) {
        *old = meaning.clone();
    }
}

#[test]
fn a_value_that_only_the_specification_names_fails_like_those_nobody_names() {
    cases(3000, |_, property, trace| {
        if property.language == Language::Foltl || mentions_order(property) {
            return;
        }
        let lonely = || text("lonely");
        let body = and([property.body.clone(), equal(lonely(), lonely())]);
        let named = judge(&Property { body, ..property.clone() }, trace, Mode::Complete);
        let plain = judge(property, trace, Mode::Complete);
        assert_eq!(rows(property, &named), rows(property, &plain), "{}", describe(property, trace));
    });
}

/// Whether an atom asks for more than the equality of values, so that a string differs from what has no name.
fn mentions_order(property: &Property) -> bool {
    let computes = |term: &&Term| matches!(term, Term::Binary(..) | Term::Negate(_) | Term::Apply(..));
    let mut found = false;
    for body in property.definitions.iter().map(|definition| &definition.body).chain([&property.body]) {
        body.visit(&mut |formula| {
            found |= formula.kind.terms().iter().any(computes);
            found |= matches!(&formula.kind, Kind::Compare(op, ..) if *op != Comparison::Equal);
        });
    }
    found && property.unseen_order == UnseenOrder::Undecided
}

/// When each row was first decided, taking the lonely value for one that nobody names; points alone if judged by point.
fn rows(property: &Property, outcome: &Outcome) -> BTreeMap<(u64, Vec<Option<Value>>), u64> {
    let mut rows = BTreeMap::new();
    for violation in &outcome.violations {
        let unnamed = |value: &Option<Value>| value.clone().filter(|value| *value != Value::string("lonely"));
        let bindings = match property.judgement {
            Judgement::EveryPoint => Vec::new(),
            _ => violation.bindings.iter().map(unnamed).collect(),
        };
        let decided = violation.decided.unwrap_or(u64::MAX);
        let first = rows.entry((violation.point, bindings)).or_insert(decided);
        *first = decided.min(*first);
    }
    rows
}

#[test]
fn all_verdicts_come_up() {
    let mut counts = [0; 3];
    for seed in seeds(1200) {
        let mut rng = Rng::new(seed);
        let property = random_property(&mut rng, Language::FORMULAS[seed as usize % 3], 4);
        let trace = random_trace(&mut rng, &property);
        match judge(&property, &trace, Mode::Complete).status {
            Status::Satisfied => counts[0] += 1,
            Status::Violated => counts[1] += 1,
            Status::GaveUp | Status::TimeOut => counts[2] += 1,
        }
    }
    let worth = counts[0] > 200 && counts[1] > 200 && counts[2] > 5;
    assert!(worth || !is_sample(counts.iter().sum()), "satisfied, violated, given up: {counts:?}");
}

#[test]
fn shrinking_keeps_the_failure_and_drops_the_rest() {
    let fails = |property: &Property, trace: &OwnedTrace| {
        let outcome = judge(property, trace, Mode::Complete);
        outcome.violations.iter().any(|it| it.point == 2 && it.decided == Some(2))
    };
    let mut shrunk = 0;
    cases(150, |_, property, trace| {
        if fails(property, trace) {
            shrunk += 1;
            let (small, short) = shrink(property.clone(), trace.clone(), fails);
            assert!(fails(&small, &short) && is_well_formed(&small), "{}", describe(&small, &short));
            assert_eq!(short.points.len(), 2, "{}", describe(&small, &short));
        }
    });
    assert!(shrunk > 10);
}
