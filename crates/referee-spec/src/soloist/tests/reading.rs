//! What texts mean: all notations of a formula give one rule.

use super::super::compile;
use crate::compiled::Compiled;
use crate::core::quantity::{Measure, QuantityStatement, StatementKind, StrictOperator};
use crate::options::Options;
use crate::source::Source;

/// A statement in a notation of its own, so that tests can compare it.
fn shown(statement: &QuantityStatement) -> String {
    match &statement.kind {
        StatementKind::Constant(truth) => truth.to_string(),
        StatementKind::Atom(name) => name.to_string(),
        StatementKind::Not(body) => format!("not {}", shown(body)),
        StatementKind::And(all) => format!("and({})", list(all)),
        StatementKind::Or(all) => format!("or({})", list(all)),
        StatementKind::Iff(left, right) => format!("iff({}, {})", shown(left), shown(right)),
        StatementKind::Reach(reach, interval, left, right) => {
            let word = if *reach == StrictOperator::Until { "until" } else { "since" };
            format!("{word}{interval}({}, {})", shown(left), shown(right))
        }
        StatementKind::Modality(modality) => {
            let (word, stretch) = match &modality.measure {
                Measure::Count(_) => ("count", String::new()),
                Measure::Average(_, stretch) => ("average", format!(",{stretch}")),
                Measure::Maximum(_, stretch) => ("maximum", format!(",{stretch}")),
                Measure::Distance(..) => ("distance", String::new()),
            };
            let arguments: Vec<String> = modality.measure.arguments().into_iter().map(shown).collect();
            let (window, comparison) = (&modality.window, modality.comparison.word());
            format!("{word}[{window}{stretch}]{comparison}{}({})", modality.bound, arguments.join(", "))
        }
    }
}

fn list(all: &[QuantityStatement]) -> String {
    all.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn read(text: &str) -> String {
    let Compiled { properties: rules, diagnostics } = compile(&Source::new("spec.soloist", text), &Options::default());
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    rules.iter().map(|rule| shown(&rule.body)).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_four_properties_of_the_package() {
    assert_eq!(
        read("G(recvlogoff -> C[600] <= 3 (repwithdraw))"),
        "not until(0,*)(true, not or(not recvlogoff, count[600]<=3(repwithdraw)))"
    );
    let next = |body: &str| format!("until(0,*)(false, {body})");
    let globally = "not until(0,*)(true, not distance[900]<=5(a_start, a_complete))";
    let six = (0..6).fold(globally.to_owned(), |body, _| next(&body));
    assert_eq!(read("X^6(G(D[900] <= 5 {(a_start, a_complete)}))"), six);
    assert_eq!(read("r -> (!r) S c"), "or(not r, since(0,*)(not r, c))");
    assert_eq!(read("s -> (!s) U_(0,10) c"), "or(not s, until(0,10)(not s, c))");
}

#[test]
fn all_notations_of_a_modality_are_one() {
    let expected = "count[600]<=3(p)";
    for text in [
        "C[600] <= 3 (p)",
        "C[600; <=3](p)",
        "C[600;<=3] (p)",
        "ℭ[600] ≤ 3 (p)",
        "ℭ^600_{<=3}(p)",
        "ℭ^{600}_{≤3}(p)",
        "𝒞_{≤ 3}^{600}(p)",
        "C_<=3^600(p)",
        "C[0600] <= 003 (\"p\")",
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    assert_eq!(read("𝔘^{60,10}_{>2}(p | !q)"), "average[60,10]>2(or(p, not q))");
    assert_eq!(read("AVG[60,10] = 2 (p <-> q)"), "average[60,10]=2(iff(p, q))");
    assert_eq!(read("𝔐[60,10; >=2](p & q & r)"), "maximum[60,10]>=2(and(p, q, r))");
    assert_eq!(read("𝔇_{<5}^9{(p, q)}"), "distance[9]<5(p, q)");
}

#[test]
fn intervals_may_have_an_underscore_or_none() {
    for text in ["p U_[3,7) q", "p U[3,7) q", "p U_ [3,7) q", "p U_{[3,7)} q", "p U [ 3 , 7 ) q"] {
        assert_eq!(read(text), "until[3,7)(p, q)", "{text}");
    }
    assert_eq!(read("F(p)"), "until(0,*)(true, p)");
    assert_eq!(read("F(0,inf) p"), "until(0,*)(true, p)");
    assert_eq!(read("P_[2,∞) (p)"), "since[2,*)(true, p)");
    assert_eq!(read("H_(0,5] p"), "not since(0,5](true, not p)");
    assert_eq!(read("Y^2 p"), "since(0,*)(false, since(0,*)(false, p))");
    assert_eq!(read("X_[1,1] p"), "until[1,1](false, p)");
}

#[test]
fn operators_bind_as_the_manual_says() {
    assert_eq!(read("!p U q & r | s -> t -> u"), "or(not or(and(until(0,*)(not p, q), r), s), or(not t, u))");
    assert_eq!(read("p U q S r"), "until(0,*)(p, since(0,*)(q, r))");
    assert_eq!(read("a <-> b <-> c"), "iff(iff(a, b), c)");
    assert_eq!(read("G p & q"), "and(not until(0,*)(true, not p), q)");
    assert_eq!(read("!!p"), "p");
    assert_eq!(read("⊤ ∧ ⊥ ∨ ¬p → q"), "or(not or(and(true, false), not p), q)");
}

#[test]
fn letters_are_operators_only_where_one_can_stand() {
    assert_eq!(read("U U S"), "until(0,*)(U, S)");
    assert_eq!(read("C & D | AVG"), "or(and(C, D), AVG)");
    assert_eq!(read("\"G\" & \"a b\""), "and(G, a b)");
    assert_eq!(read("property & properties"), "and(property, properties)");
    assert_eq!(read("property a: G p property \"b c\": F q"), "not until(0,*)(true, not p); until(0,*)(true, q)");
}

#[test]
fn options_reach_the_rule() {
    let options = Options { full_window: true, vacuous: true, ..Options::default() };
    let Compiled { properties: rules, .. } = compile(&Source::new("dir/limit.soloist", "G p # note"), &options);
    assert_eq!((&*rules[0].name, rules[0].full_window, rules[0].vacuous), ("limit", true, true));
    assert_eq!(rules[0].atoms(), ["p".into()]);
}
