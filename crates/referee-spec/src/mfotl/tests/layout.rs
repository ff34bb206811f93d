//! Canonical layout: examples, and the round trip of random trees.

use std::sync::Arc;

use proptest::prelude::*;
use referee_testing::properties;
use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::{skeleton, source};
use crate::core::{
    AggregateFunction, AggregateMaker, AggregateNotation, BinaryOp, Comparison, Direction, Quantifier, Rank, Span,
    UnaryOp,
};
use crate::mfotl::syntax::{
    Aggregation, Bound, Conversion, Document, Formula, FormulaKind, Interval, Let, Name, Operator, Predicate, Regex,
    Term, TermKind,
};
use crate::mfotl::{format, parse, print};

fn formatted(text: &str) -> String {
    format(&source(text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

#[test]
fn parentheses_only_where_the_tree_needs_them() {
    for (text, expected) in [
        ("q <- P99.9 x; g. p(x, g)", "q <- QUANTILE 0.999 x; g p(x, g)"),
        ("((a()) AND (b() OR c()))", "a() AND (b() OR c())"),
        ("a() AND (ONCE b()) AND c()", "a() AND (ONCE b()) AND c()"),
        ("a() AND (c() AND (ONCE (b())))", "a() AND c() AND ONCE b()"),
        ("(a() AND (ONCE b())) OR c()", "a() AND (ONCE b()) OR c()"),
        ("(NOT a()) SINCE[0,1] (b() SINCE c())", "NOT a() SINCE[0, 1] b() SINCE c()"),
        ("(a() SINCE b()) SINCE c()", "(a() SINCE b()) SINCE c()"),
        ("NOT (ONCE a()) AND b()", "NOT (ONCE a()) AND b()"),
        ("EXISTS x. (a(x) SINCE b())", "EXISTS x. (a(x) SINCE b())"),
        ("(EXISTS x. (ONCE a(x))) SINCE b()", "EXISTS x. (ONCE a(x)) SINCE b()"),
        ("(a() IMPLIES b()) IMPLIES (c() IMPLIES d())", "(a() IMPLIES b()) IMPLIES c() IMPLIES d()"),
        ("a() EQUIV (b() EQUIV c())", "a() EQUIV (b() EQUIV c())"),
        ("(x + (1)) * 2 - (3 - y) = -(-z)", "(x + 1) * 2 - (3 - y) = --z"),
        ("a() OR (LET p(x)=b(x) IN p(y))", "a() OR (LET p(x) = b(x) IN p(y))"),
        ("MATCHP (x = 1)* (a()) + (NOT b())?", "MATCHP (x = 1)* a() + (NOT b())?"),
        ("MATCHP ((a() + b()) c())*", "MATCHP ((a() + b()) c())*"),
        ("s <- SUM a; u. p(u,a)", "s <- SUM a; u p(u, a)"),
        ("x≠'a\"b' AND y <> r\"c\"", "x != 'a\"b' AND y != \"c\""),
        ("ONCE (0,*] SOMETIMES[1h,5) PREVIOUS a().", "ONCE(0, *) EVENTUALLY[1h, 5) PREV a()"),
    ] {
        assert_eq!(formatted(text), format!("{expected}\n"), "{text}");
        assert_eq!(formatted(expected), format!("{expected}\n"));
    }
}

#[test]
fn long_lines_break_at_the_outermost_operator() {
    let text = "ALWAYS FORALL a, f. publish(a, f) IMPLIES (NOT acc_F(a) SINCE acc_S(a)) AND ONCE[0, 10] EXISTS m. \
                approve(m, f) AND (NOT mgr_F(m, a) SINCE mgr_S(m, a))";
    assert_eq!(
        formatted(text),
        "ALWAYS FORALL a, f.
  publish(a, f)
  IMPLIES (NOT acc_F(a) SINCE acc_S(a))
    AND ONCE[0, 10] EXISTS m. approve(m, f) AND (NOT mgr_F(m, a) SINCE mgr_S(m, a))
"
    );
    let text = "LET longer_name_of_definition(x) = first_event_of_all(x) OR second_event_of_all(x) OR third(x) IN \
                longer_name_of_definition(y)";
    assert_eq!(
        formatted(text),
        "LET longer_name_of_definition(x) = first_event_of_all(x) OR second_event_of_all(x) OR third(x)
IN longer_name_of_definition(y)
"
    );
}

#[test]
fn comments_stay_with_what_follows_them() {
    let text = "# the policy
(* of two
   lines *) ALWAYS a() # first
  AND (* second *) b()
# last";
    let expected = "# the policy
(* of two
   lines *)
ALWAYS
  a()
  # first
  (* second *)
  AND b()
# last
";
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
}

#[test]
fn the_deepest_tree_is_laid_out() {
    let depth = 190;
    let text = format!("{}a()", "NOT ".repeat(depth));
    assert_eq!(formatted(&text).len(), text.len() + 1);
    let text = format!("{}a(){}", "NOT (b() AND ".repeat(depth / 3), ")".repeat(depth / 3));
    let once = formatted(&text);
    assert_eq!(formatted(&once), once);
}

fn span() -> Span {
    Span::default()
}

fn name() -> impl Strategy<Value = Name> {
    let text = prop::sample::select(vec!["x", "y", "u'", "acc_F", "db3", "longer_name_of_a_thing"]);
    text.prop_map(|text| Name { text: text.into(), span: span() })
}

fn names(least: usize) -> impl Strategy<Value = Vec<Name>> {
    prop::collection::vec(name(), least..3)
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        4 => name().prop_map(|name| TermKind::Name(name.text)),
        2 => prop::sample::select(vec!["0", "7", "10000", "2.50", "1e3"]).prop_map(|text| TermKind::Number(text.into())),
        1 => prop::sample::select(vec!["", "a b", "say \"x\"", "it's", "\\d+"]).prop_map(|text| TermKind::Text(text.into())),
        1 => Just(TermKind::Any),
    ];
    let leaf = leaf.prop_map(|kind| Term { kind, span: span() });
    leaf.prop_recursive(3, 8, 2, |inner| {
        let operator = prop::sample::select(vec![
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Modulo,
        ]);
        let conversion = prop::sample::select(vec![
            Conversion::FloatToInteger,
            Conversion::IntegerToFloat,
            Conversion::IntegerToText,
            Conversion::TextToInteger,
            Conversion::FloatToText,
            Conversion::TextToFloat,
        ]);
        let kind = prop_oneof![
            (operator, inner.clone(), inner.clone()).prop_map(|(operator, left, right)| TermKind::Binary(
                operator,
                Box::new(left),
                Box::new(right)
            )),
            inner.clone().prop_map(|body| TermKind::Negate(Box::new(body))),
            (conversion, inner).prop_map(|(conversion, body)| TermKind::Apply(conversion, Box::new(body))),
        ];
        kind.prop_map(|kind| Term { kind, span: span() })
    })
}

fn interval() -> impl Strategy<Value = Option<Interval>> {
    let unit = prop::option::of(prop::sample::select(Unit::ALL.to_vec()));
    let digits = prop::sample::select(vec!["0", "5", "28", "100"]);
    let bound = (digits, unit).prop_map(|(digits, unit)| Bound { digits: digits.into(), unit, span: span() });
    let interval = (bound.clone(), any::<bool>(), prop::option::of(bound), any::<bool>());
    prop::option::of(interval.prop_map(|(low, low_included, high, closed)| {
        let high_included = closed && high.is_some();
        Interval { low, low_included, high, high_included, span: span() }
    }))
}

fn regex(formula: impl Strategy<Value = Formula> + Clone + 'static) -> impl Strategy<Value = Regex> {
    let leaf = prop_oneof![
        Just(Regex::Any),
        formula.clone().prop_map(|formula| Regex::Step(Box::new(formula))),
        formula.prop_map(|formula| Regex::Test(Box::new(formula))),
    ];
    leaf.prop_recursive(3, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Regex::concat),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Regex::choice),
            inner.prop_map(Regex::star),
        ]
    })
}

fn predicate() -> impl Strategy<Value = FormulaKind> {
    (name(), prop::collection::vec(term(), 0..4))
        .prop_map(|(name, arguments)| FormulaKind::Predicate(Predicate { name, arguments }))
}

fn comparison() -> impl Strategy<Value = FormulaKind> {
    let comparison = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::Substring,
        Comparison::Matches,
    ]);
    (comparison, term(), term()).prop_map(|(comparison, left, right)| FormulaKind::Compare(comparison, left, right))
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(FormulaKind::Constant),
        4 => predicate(),
        2 => comparison(),
    ];
    let leaf = leaf.prop_map(|kind| Formula { kind, span: span() });
    leaf.prop_recursive(6, 40, 3, |inner| {
        let kind = prop_oneof![
            2 => inner.clone().prop_map(|body| FormulaKind::Not(Box::new(body))),
            4 => connected(inner.clone()),
            4 => prefixed(inner.clone()),
            3 => temporal(inner.clone()),
            1 => (direction(), interval(), regex(inner.clone()))
                .prop_map(|(direction, interval, regex)| FormulaKind::Match(direction, interval, regex)),
            1 => (any::<bool>(), name(), names(0), inner.clone(), inner.clone()).prop_map(
                |(past, name, parameters, definition, body)| {
                    FormulaKind::Let(Box::new(Let { past, name, parameters, definition, body }))
                }
            ),
            1 => (name(), aggregate(), name(), names(0), inner).prop_map(|(result, operator, over, groups, body)| {
                FormulaKind::Aggregation(Box::new(Aggregation { result, operator, over, groups, body }))
            }),
        ];
        kind.prop_map(|kind| Formula { kind, span: span() })
    })
}

fn connected(inner: impl Strategy<Value = Formula> + Clone) -> impl Strategy<Value = FormulaKind> {
    (0..4, inner.clone(), inner).prop_map(|(connective, left, right)| match connective {
        0 => Formula::and(left, right, span()).kind,
        1 => Formula::or(left, right, span()).kind,
        2 => FormulaKind::Implies(Box::new(left), Box::new(right)),
        _ => FormulaKind::Equiv(Box::new(left), Box::new(right)),
    })
}

fn prefixed(inner: impl Strategy<Value = Formula> + Clone) -> impl Strategy<Value = FormulaKind> {
    let quantifier = prop::sample::select(vec![Quantifier::Forall, Quantifier::Exists]);
    let operator = prop::sample::select(vec![
        UnaryOp::Prev,
        UnaryOp::Next,
        UnaryOp::Once,
        UnaryOp::Historically,
        UnaryOp::Eventually,
        UnaryOp::Always,
    ]);
    prop_oneof![
        (quantifier, names(1), inner.clone()).prop_map(|(quantifier, names, body)| FormulaKind::Quantified(
            quantifier,
            names,
            Box::new(body)
        )),
        (operator, interval(), inner).prop_map(|(operator, interval, body)| FormulaKind::Unary(
            operator,
            interval,
            Box::new(body)
        )),
    ]
}

fn temporal(inner: impl Strategy<Value = Formula> + Clone) -> impl Strategy<Value = FormulaKind> {
    let operator = prop::sample::select(vec![BinaryOp::Since, BinaryOp::Until, BinaryOp::Trigger, BinaryOp::Release]);
    (operator, interval(), inner.clone(), inner).prop_map(|(operator, interval, left, right)| {
        FormulaKind::Binary(operator, interval, Box::new(left), Box::new(right))
    })
}

fn direction() -> impl Strategy<Value = Direction> {
    prop::sample::select(vec![Direction::Past, Direction::Future])
}

/// Every aggregate that MFOTL spells; those with a rank, with some.
fn aggregate() -> impl Strategy<Value = AggregateFunction> {
    let rows: Vec<_> = AggregateNotation::Mfotl.all().collect();
    const RANKS: &[&str] = &["0", "0.25", "0.5", "0.999", "1"];
    (prop::sample::select(rows), prop::sample::select(RANKS)).prop_map(|(row, rank)| match row.make {
        AggregateMaker::Plain(function) => function,
        AggregateMaker::Ranked(make) => make(Number::parse(rank).as_ref().and_then(Rank::of).unwrap_or(Rank::MIDDLE)),
    })
}

proptest! {
    #![proptest_config(properties(1500))]

    #[test]
    fn what_is_printed_is_read_as_the_same_tree(formula in formula()) {
        let printed = print::print(&Document { formula: formula.clone(), comments: Vec::new() }, "");
        let (document, diagnostics) = parse::parse(&printed);
        prop_assert!(diagnostics.is_empty(), "{printed}\n{diagnostics:?}");
        prop_assert_eq!(skeleton::formula(&document.formula), skeleton::formula(&formula), "{}", printed);
        prop_assert_eq!(formatted(&printed), printed.clone());
    }

    #[test]
    fn comments_are_kept_and_the_layout_is_stable(formula in formula(), places in prop::collection::vec(any::<prop::sample::Index>(), 1..5)) {
        let printed = print::print(&Document { formula, comments: Vec::new() }, "");
        let gaps: Vec<usize> = printed.match_indices([' ', '\n']).map(|(at, _)| at).filter(|at| !in_string(&printed, *at)).collect();
        let mut cuts: Vec<usize> = places.iter().map(|place| gaps[place.index(gaps.len())]).collect();
        cuts.sort_unstable();
        let mut text = printed.clone();
        for (number, cut) in cuts.iter().enumerate().rev() {
            text.insert_str(*cut, &format!(" # note {number}\n"));
        }
        let once = formatted(&text);
        for number in 0..cuts.len() {
            let note: Arc<str> = format!("# note {number}\n").into();
            prop_assert_eq!(once.matches(&*note).count(), 1, "{}", once);
        }
        prop_assert_eq!(formatted(&once), once.clone(), "{}", text);
    }
}

/// Whether an offset lies between quotes.
fn in_string(text: &str, offset: usize) -> bool {
    let mut open = None;
    for (at, character) in text.char_indices().take_while(|(at, _)| *at < offset) {
        match open {
            None if character == '"' => open = Some('"'),
            // A quote behind a letter is a prime of a name.
            None if character == '\''
                && !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '\'') =>
            {
                open = Some('\'');
            }
            Some(quote) if character == quote => open = None,
            _ => {}
        }
    }
    open.is_some()
}
