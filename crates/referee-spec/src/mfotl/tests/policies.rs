//! The five policies that the competition of 2014 took from MonPoly's authors, as they are printed there.

use std::path::Path;

use super::{compiled, property, signature, told, understood};
use crate::core::{Kind, Property, UnaryOp, VarId};
use crate::mfotl::{compile, format};
use crate::source::Source;

const REPORT: &str = "ALWAYS FORALL c, t, a.\n  trans(c, t, a) AND 2000 < a IMPLIES\n  EVENTUALLY[0, 5] report(t).\n";
const AUTHORISE: &str =
    "ALWAYS FORALL c, t, a.\n  trans(c, t, a) AND 2000 < a IMPLIES\n  ONCE[2, 20] EXISTS e. auth(e, t).\n";
const APPROVE: &str = "ALWAYS FORALL a, f.
  publish(a, f) IMPLIES
  (NOT acc_F(a) SINCE acc_S(a)) AND
  ONCE[0, 10] EXISTS m. approve(m, f) AND
  (NOT mgr_F(m, a) SINCE mgr_S(m, a)).
";
const WITHDRAW: &str = "ALWAYS FORALL s, u.
  (s ← SUM a; u. ONCE[0, 28] withdraw(u, a) AND tp(i))
  IMPLIES
  s ≤ 10,000.
";
const INSERT: &str = "ALWAYS FORALL u, p, d.
  insert(u, db3, p, d) AND d ≠ unknown IMPLIES
  ONCE[0, 60] EXISTS u', q. insert(u', db2, q, d).
";

/// The names of the bindings.
fn bindings(property: &Property) -> Vec<&str> {
    property.bindings.iter().map(|binding| &*property.variable(binding.variable).name).collect()
}

#[test]
fn they_are_understood() {
    assert_eq!(
        understood(APPROVE),
        "(Always (Forall a, f. (publish(a, f) IMPLIES (AND ((NOT acc_F(a)) Since acc_S(a)), (Once<0None true 10None \
         true> (Exists m. (AND approve(m, f), ((NOT mgr_F(m, a)) Since mgr_S(m, a)))))))))"
    );
    assert_eq!(
        understood(WITHDRAW),
        "(Always (Forall s, u. ((s <- Sum a; u. (Once<0None true 28None true> (AND withdraw(u, a), tp(i)))) IMPLIES (s \
         LessOrEqual #10000))))"
    );
}

#[test]
fn leading_quantifiers_become_bindings() {
    for (text, expected) in [
        (REPORT, vec!["c", "t", "a"]),
        (AUTHORISE, vec!["c", "t", "a"]),
        (APPROVE, vec!["a", "f"]),
        (INSERT, vec!["u", "p", "d"]),
    ] {
        let property = property(text);
        assert_eq!(bindings(&property), expected);
        assert_eq!(property.name.as_ref(), "policy");
        let Kind::Implies(_, right) = &property.body.kind else { panic!("an implication: {:?}", property.body) };
        assert_eq!(property.text(property.body.span), text[property.body.span.start..].trim_end_matches(".\n"));
        assert!(right.span.end == property.body.span.end);
    }
}

#[test]
fn names_that_nothing_binds_are_strings_and_a_lint_says_so() {
    let compiled = compiled(INSERT);
    assert_eq!(
        told(&compiled.diagnostics),
        [
            "L0006 35..38 nothing binds `db3`, so it is read as the string \"db3\"",
            "L0006 56..63 nothing binds `unknown`, so it is read as the string \"unknown\"",
            "L0006 111..114 nothing binds `db2`, so it is read as the string \"db2\"",
        ]
    );
    assert_eq!(compiled.diagnostics[0].hint.as_deref(), {
        Some("write `\"db3\"`, or bind it with a quantifier if a variable is meant")
    });
}

#[test]
fn the_aggregation_has_a_result_and_groups() {
    let compiled = compiled(WITHDRAW);
    assert_eq!(told(&compiled.diagnostics), Vec::<String>::new());
    let property = &compiled.properties[0];
    let Kind::Implies(left, _) = &property.body.kind else { panic!("an implication") };
    let Kind::Aggregate(aggregation) = &left.kind else { panic!("an aggregation") };
    let name = |variable: VarId| &*property.variable(variable).name;
    let bindings: Vec<&str> = property.bindings.iter().map(|binding| name(binding.variable)).collect();
    assert_eq!(bindings, ["s", "u"]);
    assert_eq!((name(aggregation.result), name(aggregation.over)), ("s", "a"));
    assert_eq!(aggregation.groups.iter().map(|group| name(*group)).collect::<Vec<_>>(), ["u"]);
    assert_eq!(aggregation.own().into_iter().map(name).collect::<Vec<_>>(), ["a", "i"]);
    let printed = format(&super::source(WITHDRAW)).expect("no syntax errors");
    assert_eq!(
        printed,
        "ALWAYS FORALL s, u. (s <- SUM a; u ONCE[0, 28] withdraw(u, a) AND tp(i)) IMPLIES s <= 10000\n"
    );
}

#[test]
fn names_inside_an_aggregation_are_its_own() {
    let text = "withdraw(u, a) AND (s <- SUM a; u ONCE[0, 28] withdraw(u, a)) IMPLIES s <= 10 * a";
    let found = compiled(text);
    assert_eq!(
        told(&found.diagnostics),
        ["L0301 58..59 `a` inside the aggregation is another variable than `a` around it"]
    );
    let names: Vec<&str> = found.properties[0].variables.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["u", "a", "s", "a"]);
    let wrong = |text: &str| told(&compiled(text).diagnostics);
    assert_eq!(wrong("u <- CNT a; u withdraw(u, a)"), ["E0314 0..1 `u` cannot be the result and a group"]);
    assert_eq!(wrong("(s <- SUM a p(a)) AND s = \"x\"").len(), 1);
    assert_eq!(wrong("(s <- MAX a (p(a) AND a = \"x\")) AND s = \"y\""), Vec::<String>::new());
}

#[test]
fn future_obligations_keep_their_interval() {
    let property = property(REPORT);
    let Kind::Implies(_, right) = &property.body.kind else { panic!("an implication") };
    let Kind::Unary(UnaryOp::Eventually, interval, _) = &right.kind else { panic!("an obligation") };
    assert!(interval.contains(&5.into()) && !interval.contains(&6.into()));
}

#[test]
fn the_examples_are_in_canonical_layout_and_fit_their_signatures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mfotl");
    for name in ["report", "authorise", "approve", "insert", "delegate", "deploy"] {
        let read =
            |extension| std::fs::read_to_string(folder.join(name).with_extension(extension)).expect("an example");
        let declarations = read("sig");
        let events: Vec<&str> = declarations.lines().filter(|line| !line.starts_with('#')).collect();
        let source = Source::new(format!("{name}.mfotl"), read("mfotl"));
        let compiled = compile(&source, &signature(&events));
        assert_eq!(told(&compiled.diagnostics), Vec::<String>::new(), "{name}");
        assert_eq!(compiled.properties.len(), 1);
        assert_eq!(format(&source).as_deref(), Ok(&*source.text));
    }
}
