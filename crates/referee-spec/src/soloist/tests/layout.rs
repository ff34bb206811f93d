//! Canonical layout, and that it says what was written.

use proptest::prelude::*;
use referee_testing::properties;
use referee_trace::mapping::Unit;

use super::super::lex::Letter;
use super::super::syntax::{Formula, Item, Kind, Modality, Natural, WrittenInterval};
use super::super::{format, parse, print};
use crate::core::{Comparison, Span};
use crate::source::Source;

fn formatted(text: &str) -> String {
    let once = format(&Source::new("spec.soloist", text)).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let twice = format(&Source::new("spec.soloist", once.as_str()));
    assert_eq!(twice.as_deref(), Ok(once.as_str()), "formatting is idempotent");
    once
}

#[test]
fn short_formulas_stay_on_a_line_with_few_parentheses() {
    assert_eq!(
        formatted("G((recvlogoff)→(ℭ^{600}_{≤3}(repwithdraw)))"),
        "G (recvlogoff -> C[600] <= 3 (repwithdraw))\n"
    );
    assert_eq!(formatted("X^6(G(D[900;<=5]{(a,b)}))"), "X^6 G D[900] <= 5 (a, b)\n");
    assert_eq!(formatted("((!s) U(0,10) c) & (p|q)"), "!s U_(0,10) c & (p | q)\n");
    assert_eq!(formatted("(a->b)->c <-> (d <-> e)"), "(a -> b) -> c <-> (d <-> e)\n");
    assert_eq!(formatted("\"G\" & \"p\" & \"true\""), "\"G\" & p & \"true\"\n");
}

#[test]
fn long_formulas_break_at_operators_and_comments_stay() {
    let text = "# limits\nproperty limit: G(the_first_long_atom_of_all_atoms & the_second_long_atom_of_all_atoms -> \
                F_[0,100] the_third_long_atom_of_all_atoms) # end\nproperty b: p";
    let expected = "\
# limits
property limit:
  G (
    the_first_long_atom_of_all_atoms & the_second_long_atom_of_all_atoms
    -> F_[0,100] the_third_long_atom_of_all_atoms
  ) # end

property b: p
";
    assert_eq!(formatted(text), expected);
}

fn natural() -> impl Strategy<Value = Natural> {
    (1u32..50).prop_map(|number| Natural { digits: number.to_string().into(), unit: None, span: Span::default() })
}

fn end(number: i64, unit: Option<Unit>) -> Natural {
    Natural { digits: number.to_string().into(), unit, span: Span::default() }
}

fn unit() -> impl Strategy<Value = Option<Unit>> {
    proptest::option::of(prop::sample::select(Unit::ALL.to_vec()))
}

fn interval() -> impl Strategy<Value = Option<WrittenInterval>> {
    let some = (0i64..9, 2i64..9, any::<bool>(), any::<bool>(), any::<bool>(), unit()).prop_map(
        |(low, length, low_included, bounded, high_included, unit)| WrittenInterval {
            low: end(low, unit),
            low_included,
            high: bounded.then(|| end(low + length, unit)),
            high_included: bounded && high_included,
        },
    );
    proptest::option::of(some)
}

fn name() -> impl Strategy<Value = Kind> {
    prop::sample::select(vec!["p", "q_start", "U", "G", "C", "D_", "a b", "true", "property", "inf", "\"\\"])
        .prop_map(|name| Kind::Atom(name.into()))
}

fn formula(kind: Kind) -> Formula {
    Formula { kind, span: Span::default() }
}

fn boolean() -> BoxedStrategy<Formula> {
    let leaf = prop_oneof![name(), any::<bool>().prop_map(Kind::Constant)].prop_map(formula);
    leaf.prop_recursive(3, 12, 3, |inner| connectives(inner.boxed())).boxed()
}

fn connectives(inner: BoxedStrategy<Formula>) -> BoxedStrategy<Formula> {
    let two = (inner.clone(), inner.clone());
    prop_oneof![
        inner.clone().prop_map(|body| Kind::Not(Box::new(body))),
        two.clone().prop_map(|(left, right)| Kind::Implies(Box::new(left), Box::new(right))),
        two.prop_map(|(left, right)| Kind::Iff(Box::new(left), Box::new(right))),
        prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| {
            Kind::And(
                parts
                    .into_iter()
                    .flat_map(|part| match part.kind {
                        Kind::And(inner) => inner,
                        kind => vec![formula(kind)],
                    })
                    .collect(),
            )
        }),
        prop::collection::vec(inner, 2..4).prop_map(|parts| {
            Kind::Or(
                parts
                    .into_iter()
                    .flat_map(|part| match part.kind {
                        Kind::Or(inner) => inner,
                        kind => vec![formula(kind)],
                    })
                    .collect(),
            )
        }),
    ]
    .prop_map(formula)
    .boxed()
}

fn modality() -> impl Strategy<Value = Kind> {
    let letters = [Letter::Count, Letter::Average, Letter::Maximum, Letter::Distance];
    let comparisons = [Comparison::Less, Comparison::LessOrEqual, Comparison::Equal, Comparison::GreaterOrEqual];
    let parts = (prop::sample::select(letters.to_vec()), prop::sample::select(comparisons.to_vec()));
    (parts, natural(), natural(), unit(), boolean(), boolean()).prop_map(|(head, window, bound, unit, one, two)| {
        let ((letter, comparison), window) = (head, Natural { unit, ..window });
        let stretch = matches!(letter, Letter::Average | Letter::Maximum).then(|| window.clone());
        let arguments = if letter == Letter::Distance { vec![one, two] } else { vec![one] };
        Kind::Modality(Box::new(Modality { letter, window, stretch, comparison, bound, arguments }))
    })
}

fn any_formula() -> BoxedStrategy<Formula> {
    let leaf = prop_oneof![3 => boolean(), 1 => modality().prop_map(formula)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let unary = [Letter::Eventually, Letter::Globally, Letter::Previously, Letter::Historically];
        let steps = [Letter::Next, Letter::Yesterday];
        prop_oneof![
            3 => connectives(inner.clone().boxed()),
            1 => (prop::sample::select(unary.to_vec()), interval(), inner.clone())
                .prop_map(|(letter, interval, body)| formula(Kind::Unary(letter, 1, interval, Box::new(body)))),
            1 => (prop::sample::select(steps.to_vec()), 1u32..5, interval(), inner.clone())
                .prop_map(|(letter, times, interval, body)| formula(Kind::Unary(letter, times, interval, Box::new(body)))),
            2 => (any::<bool>(), interval(), inner.clone(), inner).prop_map(|(until, interval, left, right)| {
                let letter = if until { Letter::Until } else { Letter::Since };
                formula(Kind::Binary(letter, interval, Box::new(left), Box::new(right)))
            }),
        ]
    })
    .boxed()
}

/// The tree without its places.
fn bare(tree: &Formula) -> Formula {
    let boxed = |body: &Formula| Box::new(bare(body));
    let all = |parts: &[Formula]| parts.iter().map(bare).collect();
    let plain = |natural: &Natural| Natural { span: Span::default(), ..natural.clone() };
    let between = |interval: &Option<WrittenInterval>| {
        interval.as_ref().map(|interval| WrittenInterval {
            low: plain(&interval.low),
            high: interval.high.as_ref().map(plain),
            ..interval.clone()
        })
    };
    formula(match &tree.kind {
        Kind::Not(body) => Kind::Not(boxed(body)),
        Kind::And(parts) => Kind::And(all(parts)),
        Kind::Or(parts) => Kind::Or(all(parts)),
        Kind::Implies(left, right) => Kind::Implies(boxed(left), boxed(right)),
        Kind::Iff(left, right) => Kind::Iff(boxed(left), boxed(right)),
        Kind::Binary(letter, interval, left, right) => {
            Kind::Binary(*letter, between(interval), boxed(left), boxed(right))
        }
        Kind::Unary(letter, times, interval, body) => Kind::Unary(*letter, *times, between(interval), boxed(body)),
        Kind::Modality(modality) => Kind::Modality(Box::new(Modality {
            window: plain(&modality.window),
            stretch: modality.stretch.as_ref().map(plain),
            bound: plain(&modality.bound),
            arguments: all(&modality.arguments),
            ..(**modality).clone()
        })),
        other => other.clone(),
    })
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn what_is_printed_reads_as_it_was(tree in any_formula()) {
        let item = Item { name: None, formula: tree.clone(), span: Span::default() };
        let text = print::print(&[item], &[], "");
        let parsed = parse::parse(&text);
        prop_assert!(parsed.diagnostics.is_empty(), "{}: {:?}", text, parsed.diagnostics);
        prop_assert_eq!(parsed.items.len(), 1, "{}", text);
        prop_assert_eq!(bare(&parsed.items[0].formula), bare(&tree), "{}", text);
        prop_assert_eq!(print::print(&parsed.items, &[], &text), text);
    }
}
