//! Formulas per object against their definition: the same formula, judged on the object's events alone.

use proptest::prelude::*;
use referee_testing::properties;
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::super::compile;
use crate::core::{BinaryOp, Comparison, Formula, Kind, Observation, Property, Term, UnaryOp};
use crate::options::Options;
use crate::source::Source;

/// A point with one event: whose it is (nobody's if it lacks the field), and its fields f and g.
#[derive(Debug, Clone, Copy)]
struct Point {
    owner: Option<i64>,
    f: i64,
    g: i64,
}

impl Point {
    fn field(self, name: &str) -> Option<i64> {
        match name {
            "object" => self.owner,
            "f" => Some(self.f),
            "g" => Some(self.g),
            _ => None,
        }
    }
}

/// The naive value of a formula at a point, every variable being 1.
fn holds(formula: &Formula, trace: &[Point], at: usize) -> bool {
    let value = |formula: &Formula, at: usize| holds(formula, trace, at);
    let later = at..trace.len();
    match &formula.kind {
        Kind::Constant(truth) => *truth,
        Kind::Observe(observation) => observed(observation, trace[at]),
        Kind::Compare(comparison, left, right) => compare(*comparison, term(left, trace[at]), term(right, trace[at])),
        Kind::Not(body) => !value(body, at),
        Kind::And(all) => all.iter().all(|part| value(part, at)),
        Kind::Or(all) => all.iter().any(|part| value(part, at)),
        Kind::Implies(left, right) => !value(left, at) || value(right, at),
        Kind::Unary(op, _, body) => match op {
            UnaryOp::Prev => at > 0 && value(body, at - 1),
            UnaryOp::WeakPrev => at == 0 || value(body, at - 1),
            UnaryOp::Next => at + 1 < trace.len() && value(body, at + 1),
            UnaryOp::WeakNext => at + 1 >= trace.len() || value(body, at + 1),
            UnaryOp::Once => (0..=at).any(|i| value(body, i)),
            UnaryOp::Historically => (0..=at).all(|i| value(body, i)),
            UnaryOp::Eventually => later.into_iter().any(|i| value(body, i)),
            UnaryOp::Always => later.into_iter().all(|i| value(body, i)),
        },
        Kind::Binary(op, _, left, right) => {
            let until = || later.clone().any(|j| value(right, j) && (at..j).all(|k| value(left, k)));
            let since = || (0..=at).any(|j| value(right, j) && (j + 1..=at).all(|k| value(left, k)));
            match op {
                BinaryOp::Until => until(),
                BinaryOp::WeakUntil => until() || later.clone().all(|k| value(left, k)),
                BinaryOp::Release => later.clone().all(|j| value(right, j) || (at..j).any(|k| value(left, k))),
                BinaryOp::Since => since(),
                BinaryOp::WeakSince => since() || (0..=at).all(|k| value(left, k)),
                BinaryOp::StrictSince | BinaryOp::Trigger => panic!("FO-LTL has no {}", op.word()),
            }
        }
        other => panic!("not in these tests: {other:?}"),
    }
}

fn observed(observation: &Observation, point: Point) -> bool {
    let required = observation
        .required
        .iter()
        .all(|(field, value)| point.field(field).is_some_and(|found| Some(found) == term(value, point)));
    let present = observation.present.iter().all(|field| point.field(field).is_some());
    let constraint = observation.constraint.as_ref().is_none_or(|constraint| {
        compare(constraint.comparison, term(&constraint.left, point), term(&constraint.right, point))
    });
    required && present && constraint
}

fn term(term: &Term, point: Point) -> Option<i64> {
    match term {
        Term::Variable(_) => Some(1),
        Term::Constant(Value::Number(Number::Int(integer))) => Some(*integer),
        Term::Field(name) => point.field(name),
        other => panic!("not in these tests: {other:?}"),
    }
}

fn compare(comparison: Comparison, left: Option<i64>, right: Option<i64>) -> bool {
    assert_eq!(comparison, Comparison::Greater);
    left.zip(right).is_some_and(|(left, right)| left > right)
}

/// What a formula says of the empty trace.
fn holds_of_nothing(formula: &Formula) -> bool {
    match &formula.kind {
        Kind::Not(body) => !holds_of_nothing(body),
        Kind::And(all) => all.iter().all(holds_of_nothing),
        Kind::Or(all) => all.iter().any(holds_of_nothing),
        Kind::Implies(left, right) => !holds_of_nothing(left) || holds_of_nothing(right),
        Kind::Unary(op, ..) => {
            matches!(op, UnaryOp::Always | UnaryOp::Historically | UnaryOp::WeakNext | UnaryOp::WeakPrev)
        }
        Kind::Binary(op, ..) => matches!(op, BinaryOp::WeakUntil | BinaryOp::WeakSince | BinaryOp::Release),
        Kind::Compare(..) => holds(formula, &[Point { owner: None, f: 0, g: 0 }], 0),
        _ => false,
    }
}

fn property(text: &str) -> Property {
    let mut compiled = compile(&Source::new("spec.foltl", text), &Options::default());
    assert_eq!(compiled.diagnostics, [], "{text}");
    compiled.properties.remove(0).into_formula().expect("a formula").as_ref().clone()
}

/// A formula that asks for a field; `@` stands where the object goes.
fn body() -> impl Strategy<Value = String> {
    let asks = |body: String| if body.contains('@') { body } else { format!("({body}) and (f@ > 0)") };
    any_body().prop_map(asks)
}

fn any_body() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("f@ > 0".to_owned()), Just("g@ > 0".to_owned()), Just("1 > 0".to_owned())];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let unary = prop::sample::select(vec![
            "not",
            "next",
            "weak-next",
            "last",
            "weak-last",
            "once",
            "always-been",
            "eventually",
            "always",
        ]);
        let binary =
            prop::sample::select(vec!["and", "or", "=>", "until", "weakly until", "since", "weakly since", "release"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, body)| format!("{op} ({body})")),
            (binary, inner.clone(), inner).prop_map(|(op, left, right)| format!("({left}) {op} ({right})")),
        ]
    })
}

fn trace() -> impl Strategy<Value = Vec<Point>> {
    let point = (prop::option::of(1i64..3), 0i64..2, 0i64..2).prop_map(|(owner, f, g)| Point { owner, f, g });
    prop::collection::vec(point, 1..7)
}

proptest! {
    #![proptest_config(properties(3000))]

    #[test]
    fn a_formula_per_object_is_judged_on_its_events_alone(body in body(), trace in trace()) {
        let confined = property(&format!("(forall x:object)({})", body.replace('@', "(x)")));
        let plain = property(&format!("event e(f:int, g:int) {}", body.replace('@', "")));
        let own: Vec<Point> = trace.iter().copied().filter(|point| point.owner == Some(1)).collect();
        let expected = if own.is_empty() { holds_of_nothing(&plain.body) } else { holds(&plain.body, &own, 0) };
        prop_assert_eq!(holds(&confined.body, &trace, 0), expected, "{}", confined.body.display(&confined));
    }
}
