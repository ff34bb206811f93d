//! What policies become.

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::{compiled, property, signature, source};
use crate::core::{
    Arithmetic, BinaryOp, Comparison, Domain, Equality, EventAtom, Formula, Function, Interval, Judgement, Kind,
    Property, Quantifier, Regex, Term, UnaryOp, UnseenOrder, VarId,
};
use crate::diagnostic::Diagnostic;
use crate::mfotl::{compile, compile_satisfactions};
use crate::options::Options;

fn bindings(property: &Property) -> Vec<&str> {
    property.bindings.iter().map(|binding| &*property.variable(binding.variable).name).collect()
}

fn satisfactions(text: &str) -> Property {
    let compiled = compile_satisfactions(&source(text), &Options::default());
    assert!(!compiled.diagnostics.iter().any(Diagnostic::is_error), "{text}: {:?}", compiled.diagnostics);
    compiled.properties.into_iter().next().expect("one property")
}

/// All arithmetic of a property, outermost first.
fn arithmetic(property: &Property) -> Vec<Arithmetic> {
    fn of(term: &Term, found: &mut Vec<Arithmetic>) {
        match term {
            Term::Binary(operator, left, right) => {
                found.push(*operator);
                of(left, found);
                of(right, found);
            }
            Term::Negate(body) | Term::Apply(_, body) => of(body, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let bodies = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
    for body in bodies {
        body.visit(&mut |formula| formula.kind.terms().into_iter().for_each(|term| of(term, &mut found)));
    }
    found
}

#[test]
fn a_policy_is_judged_at_every_point_for_every_binding() {
    let property = property("p(x)");
    assert_eq!(property.judgement, Judgement::EveryBinding);
    assert_eq!(property.equality, Equality::ByValue);
    assert_eq!(property.unseen_order, UnseenOrder::Undecided);
    assert_eq!(property.variables[0].domain, Domain::Infinite);
    assert!(property.sorts.is_empty());
}

#[test]
fn what_leads_a_policy_is_stripped() {
    for (text, names, body) in [
        ("ALWAYS FORALL x, y. FORALL z. p(x, y, z)", vec!["x", "y", "z"], "p(x, y, z)"),
        ("ALWAYS (FORALL x. (p(x)))", vec!["x"], "p(x)"),
        ("FORALL x. p(x)", vec!["x"], "p(x)"),
        ("p(b, a) AND q(c, a)", vec!["b", "a", "c"], "p(b, a) AND q(c, a)"),
        ("ALWAYS p(x)", vec!["x"], "p(x)"),
        ("ALWAYS ALWAYS p(x)", vec!["x"], "ALWAYS p(x)"),
        ("ALWAYS[0,*) p(x)", vec!["x"], "ALWAYS[0,*) p(x)"),
        ("EXISTS x. p(x, y)", vec!["y"], "EXISTS x. p(x, y)"),
        ("LET q(x) = r(x) IN ALWAYS LET s(x) = q(x) IN FORALL x. s(x)", vec!["x"], "s(x)"),
    ] {
        let property = property(text);
        assert_eq!(bindings(&property), names, "{text}");
        assert_eq!(property.text(property.body.span), body, "{text}");
    }
}

#[test]
fn satisfactions_keep_the_formula_as_it_is_written() {
    for (text, names) in [
        ("ALWAYS FORALL x. p(x)", vec![]),
        ("p(b, a) AND EXISTS c. q(c, a)", vec!["b", "a"]),
        ("LET q(x) = r(x) IN q(y)", vec!["y"]),
    ] {
        assert_eq!(bindings(&satisfactions(text)), names, "{text}");
    }
    let Kind::Unary(UnaryOp::Always, _, inner) = satisfactions("ALWAYS FORALL x. p(x)").body.kind else {
        panic!("ALWAYS stays")
    };
    assert!(matches!(inner.kind, Kind::Quantified(Quantifier::Forall, VarId(0), _)));
}

#[test]
fn unbound_names_are_strings_only_behind_a_leading_forall() {
    let Kind::Event(EventAtom { arguments: Some(arguments), .. }) = property("FORALL x. p(x, k)").body.kind else {
        panic!("an event")
    };
    assert_eq!(arguments, [Term::Variable(VarId(0)), Term::Constant(Value::string("k"))]);
    assert_eq!(bindings(&property("NOT FORALL x. p(x, k)")), ["k"]);
    assert!(compiled("p(x, k) IMPLIES FORALL y. q(y)").diagnostics.is_empty());
    let definition = property("LET q(x) = r(x, k) IN FORALL x. q(x)");
    assert_eq!(definition.definitions[0].body.free_variables().len(), 1);
}

#[test]
fn points_are_terms() {
    let number = Kind::Compare(Comparison::Equal, Term::Variable(VarId(0)), Term::PointNumber);
    let time = |variable| Kind::Compare(Comparison::Equal, Term::Variable(VarId(variable)), Term::PointTime);
    assert_eq!(property("tp(i)").body.kind, number);
    assert_eq!(property("ts(t)").body.kind, time(0));
    let Kind::And(parts) = property("tpts(i, t)").body.kind else { panic!("both") };
    assert_eq!([&parts[0].kind, &parts[1].kind], [&number, &time(1)]);
    assert_eq!(property("tp(_)").body.kind, Kind::Constant(true));
    assert!(matches!(property("LET tp(x) = p(x) IN tp(i)").body.kind, Kind::Call(..)));
}

#[test]
fn operators() {
    for (text, expected) in [
        ("PREV a()", UnaryOp::Prev),
        ("NEXT a()", UnaryOp::Next),
        ("ONCE a()", UnaryOp::Once),
        ("PAST_ALWAYS a()", UnaryOp::Historically),
        ("EVENTUALLY a()", UnaryOp::Eventually),
        ("NOT ALWAYS a()", UnaryOp::Always),
    ] {
        let mut found = Vec::new();
        let property = property(text);
        property.body.visit(&mut |formula: &Formula| {
            if let Kind::Unary(operator, interval, _) = &formula.kind {
                found.push((*operator, interval.is_all()));
            }
        });
        assert_eq!(found, [(expected, true)], "{text}");
    }
    for (text, expected) in [
        ("a() SINCE b()", BinaryOp::Since),
        ("a() UNTIL b()", BinaryOp::Until),
        ("a() TRIGGER b()", BinaryOp::Trigger),
        ("a() RELEASE b()", BinaryOp::Release),
    ] {
        assert!(matches!(property(text).body.kind, Kind::Binary(operator, ..) if operator == expected), "{text}");
    }
}

#[test]
fn intervals_count_in_seconds_where_they_have_units() {
    let Kind::Unary(_, interval, _) = property("ONCE(2h, 1d] a()").body.kind else { panic!("ONCE") };
    let expected =
        Interval { low: Number::from(7200), low_included: false, high: Some(Number::from(86400)), high_included: true };
    assert_eq!(interval, expected);
    let Kind::Unary(_, interval, _) = property("ONCE[0, *] a()").body.kind else { panic!("ONCE") };
    assert!(interval.is_all());
}

#[test]
fn division_truncates_unless_a_decimal_is_involved() {
    use Arithmetic::{Divide, DivideTruncating};
    for (text, expected) in [
        ("x / 2 = y", DivideTruncating),
        ("p(x) AND x / y > 1", DivideTruncating),
        ("x / 2.0 = y", Divide),
        ("x / 2 = 1.5", Divide),
        ("x / y = z AND z = w AND w > 0.5", Divide),
        ("i2f(x) / 2 = y", Divide),
        ("f2i(x / 2) = y", Divide),
        ("i2s(x / 2) = y", DivideTruncating),
        ("s2f(x) / 2 = y", Divide),
        ("LET h(x, y) = x / 2 = y IN h(3.5, z)", Divide),
    ] {
        assert_eq!(arithmetic(&property(text)), [expected], "{text}");
    }
    for (declared, expected) in [("float", Divide), ("int", DivideTruncating)] {
        let options = signature(&[&format!("p({declared})")]);
        let compiled = compile(&source("p(x) AND x / 2 = y"), &options);
        assert_eq!(arithmetic(&compiled.properties[0]), [expected], "{declared}");
    }
}

#[test]
fn terms() {
    let Kind::Compare(Comparison::Less, left, right) = property("-5 < s2i(x) MOD 3 - 1,000").body.kind else {
        panic!("a comparison")
    };
    assert_eq!(left, Term::Constant(Value::from(-5)));
    let parsed = Term::Apply(Function::ParseInteger, Box::new(Term::Variable(VarId(0))));
    let modulo = Term::Binary(Arithmetic::Modulo, Box::new(parsed), Box::new(Term::Constant(Value::from(3))));
    let thousand = Term::Constant(Value::from(1000));
    assert_eq!(right, Term::Binary(Arithmetic::Subtract, Box::new(modulo), Box::new(thousand)));
    let Kind::Event(EventAtom { arguments: Some(arguments), .. }) = property("p(_, \"7\", 2.50)").body.kind else {
        panic!("an event")
    };
    let decimal = Number::parse("2.5").expect("a number");
    assert_eq!(arguments, [Term::Any, Term::Constant(Value::string("7")), Term::Constant(Value::Number(decimal))]);
}

#[test]
fn definitions_come_after_those_inside_them() {
    let text = "LET a(x) = LET b(y) = p(y) IN b(x) OR q(x) IN LETPAST c(x) = a(x) OR PREV c(x) IN c(z) AND p(z)";
    let property = property(text);
    let shown: Vec<_> = property
        .definitions
        .iter()
        .map(|definition| (&*definition.name, definition.parameters.len(), definition.recursive))
        .collect();
    assert_eq!(shown, [("b", 1, false), ("a", 1, false), ("c", 1, true)]);
    for (index, definition) in property.definitions.iter().enumerate() {
        definition.body.visit(&mut |formula| {
            if let Kind::Call(called, _) = &formula.kind {
                assert!(called.index() < index || (called.index() == index && definition.recursive));
            }
        });
        assert!(definition.body.free_variables().iter().all(|free| definition.parameters.contains(free)));
    }
}

#[test]
fn definitions_hide_events_in_their_body_only() {
    let property = property("LET p(x) = p(x) AND q(x) IN p(y) OR q(y)");
    let Kind::And(parts) = &property.definitions[0].body.kind else { panic!("AND") };
    assert!(matches!(&parts[0].kind, Kind::Event(_)));
    let Kind::Or(parts) = &property.body.kind else { panic!("OR") };
    assert!(matches!((&parts[0].kind, &parts[1].kind), (Kind::Call(..), Kind::Event(_))));
}

#[test]
fn any_value_in_a_call_is_a_quantifier() {
    let property = property("LET p(x, y) = q(x, y) IN p(_, z)");
    let Kind::Quantified(Quantifier::Exists, added, call) = &property.body.kind else { panic!("EXISTS") };
    let Kind::Call(_, arguments) = &call.kind else { panic!("a call") };
    assert_eq!(arguments[0], Term::Variable(*added));
    assert_eq!(&*property.variable(*added).name, "_");
    assert_eq!(bindings(&property), ["z"]);
}

#[test]
fn regular_expressions() {
    let Kind::Match(_, interval, regex) = property("MATCHP[0,5] a() .* (b()? + c())").body.kind else {
        panic!("MATCHP")
    };
    assert!(interval.high.is_some());
    assert_eq!(regex.formulas().len(), 3);
    let Regex::Concat(left, right) = regex else { panic!("a sequence") };
    assert!(matches!(*left, Regex::Step(_)));
    let Regex::Concat(star, choice) = *right else { panic!("a sequence") };
    assert_eq!(*star, Regex::Star(Box::new(Regex::Any)));
    let Regex::Choice(first, second) = *choice else { panic!("a choice") };
    assert!(matches!((*first, *second), (Regex::Test(_), Regex::Step(_))));
}
