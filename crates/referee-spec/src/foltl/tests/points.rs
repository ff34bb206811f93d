//! Definitions of predicates over points, and the properties that use them.

use super::super::{compile, format};
use crate::core::Rule;
use crate::core::machine::Body;
use crate::core::machine::plane::{Plane, PlaneFormula};
use crate::options::Options;
use crate::source::Source;

const LEFT: &str = "define left(p, x) = p.x < x\n";

/// The codes, the texts that they point to, and the messages.
fn found(text: &str) -> Vec<(&'static str, String, String)> {
    let source = Source::new("spec.foltl", text);
    let compiled = compile(&source, &Options::default());
    compiled.diagnostics.iter().map(|it| (it.code, source.slice(it.span).to_owned(), it.message.clone())).collect()
}

fn one(text: &str) -> (&'static str, String, String) {
    let mut all = found(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

fn plane(text: &str) -> Plane {
    let compiled = compile(&Source::new("spec.foltl", text), &Options::default());
    assert_eq!(compiled.diagnostics, [], "{text}");
    let [Rule::Machine(machine)] = compiled.properties.as_slice() else { panic!("{text}: {:?}", compiled.properties) };
    let Body::Plane(plane) = &machine.body else { panic!("{text}") };
    plane.clone()
}

#[test]
fn any_name_any_sort_any_number_of_arguments() {
    let plane =
        plane("define above(q, who, y) = q.y - y / 2 > 3 * 4\n(forall q:spot)(always (go => eventually above(q)))");
    assert_eq!(&*plane.variable, "q");
    let [above] = plane.regions.as_slice() else { panic!("{:?}", plane.regions) };
    assert_eq!((&*above.name, above.arity, above.reads.as_slice()), ("above", 2, [1].as_slice()));
    assert_eq!(plane.events.iter().map(|event| &*event.name).collect::<Vec<_>>(), ["go"]);
}

#[test]
fn a_formula_uses_several_definitions_and_each_once() {
    let text = format!("{LEFT}define right(p, x) = p.x > x\n(forall p:s)(always (right(p) or (left(p) and right(p))))");
    let plane = plane(&text);
    assert_eq!(plane.regions.iter().map(|region| &*region.name).collect::<Vec<_>>(), ["right", "left"]);
    assert!(matches!(plane.formula, PlaneFormula::Not(_)));
}

#[test]
fn properties_that_use_no_definition_stay_formulas() {
    let text =
        format!("{LEFT}property a: (forall p:s)(always not left(p))\nproperty b: (forall p:s)(always not go(p))");
    let rules = compile(&Source::new("spec.foltl", text.as_str()), &Options::default()).properties;
    assert!(matches!(rules.as_slice(), [Rule::Machine(_), Rule::Formula(_)]), "{rules:?}");
}

#[test]
fn a_definition_ends_where_its_formula_ends() {
    for end in ["(forall p:s)(always not left(p))", "property a: (forall p:s)(left(p) => true)", "∀p:s. left(p)"] {
        plane(&format!("define left(p, x) = p.x < x {end}"));
        plane(&format!("define left(p, x) = x > p.x {end}"));
        plane(&format!("define left(p, x) = p.x < min(x, 1) {end}"));
    }
}

#[test]
fn what_is_not_linear_is_told_with_its_place() {
    for (body, place) in [
        ("p.x * p.y < x", "p.x * p.y"),
        ("p.x < p.x * (x + p.x)", "p.x * (x + p.x)"),
        ("p.x / x < 1", "p.x / x"),
        ("p.x < x / 0", "x / 0"),
        ("p.x < max(p.y, x)", "max(p.y, x)"),
        ("p.x < sqrt(x)", "sqrt(x)"),
        ("p.x < min()", "min()"),
        ("p < x", "p"),
        ("p.z < x", "z"),
        ("x.x < 3", "x.x"),
        ("p.x < y", "y"),
        ("p.x < \"a\"", "\"a\""),
        ("p.x = true", "true"),
        ("always p.x < x", "always p.x < x"),
        ("(exists z:s)(p.x < x)", "(exists z:s)(p.x < x)"),
        ("p.x < x and go", "go"),
        ("p.x < 007", "007"),
    ] {
        let text = format!("define left(p, x) = {body}\nproperty a: (forall p:s)(always not left(p))");
        let (code, at, _) = one(&text);
        assert_eq!((code, at.as_str()), ("E1121", place), "{text}");
    }
}

#[test]
fn what_is_linear_is_not_refused() {
    for body in
        ["2 * p.x - -p.y <= x * x * (p.x - 3) / 4", "min(x, 2 * x) = p.y", "not (p.x = x => p.y != x)", "true", "x > 3"]
    {
        plane(&format!("define left(p, x) = {body}\n(forall p:s)(always not left(p))"));
    }
}

#[test]
fn what_cannot_be_said_of_points_is_told_with_its_place() {
    for (formula, code, place) in [
        ("(forall p:s)(always left(p, 3))", "E1122", "left(p, 3)"),
        ("(forall p:s)(always left)", "E1122", "left"),
        ("(forall p:s)(always left(q))", "E1122", "left(q)"),
        ("(forall p:s)(always once left(p))", "E1120", "once left(p)"),
        ("(forall p:s)(left(p) since go)", "E1120", "(left(p) since go)"),
        ("(forall p:s)(forall q:t)(always (left(p) or go(q)))", "E1120", "q"),
        ("(forall p,q:s)(always left(p))", "E1120", "q"),
        ("(exists p:s)(eventually left(p))", "E1120", "p"),
        ("(forall p:s)(always (left(p) or p))", "E1120", "p"),
        ("(forall p:s)(always (left(p) or go(p)))", "E1120", "go(p)"),
        ("(forall p:s)(always (left(p) or p = 3))", "E1120", "p = 3"),
        ("always left(3)", "E1120", "always left(3)"),
    ] {
        let (found, at, _) = one(&format!("{LEFT}{formula}"));
        assert_eq!((found, at.as_str()), (code, place), "{formula}");
    }
    let (code, at, _) = one(&format!("event go(place)\n{LEFT}(forall p:place)(always not left(p))"));
    assert_eq!((code, at.as_str()), ("E1120", "place"));
}

#[test]
fn clashes_and_what_nothing_uses() {
    let using = "property a: (forall p:s)(always not left(p))";
    assert_eq!(one(&format!("{LEFT}{LEFT}{using}")).0, "E1123");
    assert_eq!(one(&format!("event left(t)\n{LEFT}{using}")).0, "E1123");
    let (code, at, _) = one(&format!("define left(p, x, x) = p.x < x\n{using}"));
    assert_eq!((code, at.as_str()), ("E1123", "x"));
    let (code, at, _) = one(&format!("{LEFT}always not leftt"));
    assert_eq!((code, at.as_str()), ("L0010", "left"));
    let alone: Vec<_> = found(LEFT.trim_end()).into_iter().map(|(code, ..)| code).collect();
    assert_eq!(alone, ["L0010", "E0112"]);
}

#[test]
fn definitions_are_laid_out() {
    let text =
        "define   onLine(p,x1,y1,x2,y2)=((p.x-x1)*(y2-y1)=(p.y-y1)*(x2-x1)) and (min(x1,x2)<=p.x and p.x<=max(x1,x2)) and p.y!=y1
        (forall p:place)(always not onLine(p))";
    let expected = "\
define onLine(p, x1, y1, x2, y2) =
  (p.x - x1) * (y2 - y1) = (p.y - y1) * (x2 - x1)
  and min(x1, x2) <= p.x
  and p.x <= max(x1, x2)
  and p.y != y1

(forall p:place)(always not onLine(p))
";
    assert_eq!(format(&Source::new("spec.foltl", text)).as_deref(), Ok(expected));
    assert_eq!(format(&Source::new("spec.foltl", expected)).as_deref(), Ok(expected));
}
