//! Every error about names, with its place, sentence and hint; those of `names` and `calls` too.

use super::super::tests::{assert_diagnostics, assert_errors, compiled, marked};
use crate::core::Span;
use crate::options::Options;
use crate::source::Source;
use crate::vocabulary::{Argument, EventShape, Vocabulary};

/// The places that the only error of a text refers to besides its own, as texts.
fn related(text: &str) -> Vec<(Span, String)> {
    compiled(text).diagnostics.into_iter().flat_map(|found| found.related).collect()
}

fn free(name: &str) -> (String, String) {
    let hint = format!("write `Forall {name} .` or `Exists {name} .` before the formula, or \"{name}\" for a constant");
    (format!("nothing binds variable `{name}`"), hint)
}

#[test]
fn free_variables_are_reported_once_per_definition() {
    let (x, y) = (free("x"), free("y"));
    assert_errors("prop p: a(«x») & b(x, «y») & x < y", &[("E0201", &x.0, &x.1), ("E0201", &y.0, &y.1)]);
    assert_errors("prop p: Forall x . a(x) & r where r := «x» = 3", &[("E0201", &x.0, &x.1)]);
    assert_errors("pred m(y) = a(«x») & b(y) prop p: Forall x . m(x)", &[("E0201", &x.0, &x.1)]);
    assert_errors("prop p: (Forall x . a(x)) & b(«x»)", &[("E0201", &x.0, &x.1)]);
}

#[test]
fn hidden_variables_are_reported() {
    let error = ("E0202", "variable `x` hides another of the same name", "rename one of the two");
    assert_errors("prop p: Forall x . a(x) -> Exists «x» . b(x)", &[error]);
    assert_errors("prop p: Forall x . Forall «x» . b(x)", &[error]);
    assert_errors("pred m(x, «x») = a(x) prop p: m(1, 2)", &[error]);
    assert_errors("pred m(x) = Exists «x» . a(x) prop p: m(1)", &[error]);
    assert_errors("prop p: r(1) where r(x) := a(x) & Exists «x» . b(x)", &[error]);
    let text = "prop p: Forall x . a(x) -> Exists x . b(x)";
    assert_eq!(related(text), [(Span { start: 15, end: 16 }, "the hidden one".to_owned())]);
}

#[test]
fn a_macro_may_use_names_that_its_callers_use() {
    let text = "pred m(y) = Exists x . a(x, y) prop p: Forall x . b(x) -> m(x)";
    assert_eq!(compiled(text).diagnostics, []);
}

#[test]
fn unused_variables_are_reported() {
    let variable = ("E0203", "variable `x` is never used", "remove the quantifier, or use the variable");
    let parameter = ("E0203", "parameter `x` is never used", "remove it here and from the calls, or use it");
    assert_errors("prop p: Forall «x» . a", &[variable]);
    assert_errors("pred m(«x») = a prop p: m(1)", &[parameter]);
    assert_errors("prop p: r(1) where r(«x») := a | @ r(2)", &[parameter]);
}

#[test]
fn what_could_not_be_read_is_not_blamed_on_variables() {
    let codes: Vec<_> =
        compiled("prop p: Forall x . Exists y . a( & (b | ) ").diagnostics.iter().map(|found| found.code).collect();
    assert!(!codes.is_empty() && codes.iter().all(|code| *code == "E0003"), "{codes:?}");
}

#[test]
fn events_keep_their_number_of_arguments() {
    assert_errors(
        "prop p: Forall x . a(x) -> P «a»",
        &[(
            "E0204",
            "event `a` has no arguments here, but 1 elsewhere",
            "write `a(x)`, or give one of the two events another name",
        )],
    );
    assert_errors(
        "event a(u, v) prop p: Forall x . «a(x)»",
        &[(
            "E0204",
            "event `a` is declared with 2 arguments, but has 1 here",
            "write `a(x, y)` here, or change the declaration",
        )],
    );
    let text = "event a(u, v) prop p: Forall x . a(x)";
    assert_eq!(related(text), [(Span { start: 6, end: 7 }, "declared here".to_owned())]);
}

#[test]
fn undeclared_events_are_errors_once_any_is_declared() {
    assert_eq!(compiled("prop p: Forall x . a(x) -> P b(x)").diagnostics, []);
    assert_errors(
        "event a(x) pred m = a(1) prop p: Forall x . a(x) -> P «b»(x) & m",
        &[(
            "E0205",
            "`b` is no declared event, no macro and no rule in sight",
            "declare it, `event b(x)`, or use `a`, `m`",
        )],
    );
}

#[test]
fn a_signature_is_a_declaration() {
    let shape = EventShape { arguments: vec![Argument::default(), Argument::default()] };
    let events = [("a".into(), vec![shape.clone()]), ("c".into(), vec![shape])].into();
    let signature = Vocabulary { events, ..Vocabulary::default() };
    let options = Options { signature: Some(signature), ..Options::default() };
    let text = "pred m(x) = «b(x)» prop p: Forall x . a(x, 1) -> m(x) prop q: m(1) prop r: a(1, 2)
        prop s: Forall x . «c(x)»";
    let (plain, spans) = marked(text);
    let result = super::super::compile(&Source::new("test.qtl", plain), &options);
    let shown: Vec<_> = result.diagnostics.iter().map(|found| (found.code, found.span)).collect();
    assert_eq!(shown, [("E0006", spans[0]), ("E0007", spans[1])]);
    let names: Vec<&str> = result.properties.iter().map(|property| &*property.name).collect();
    assert_eq!(names, ["r"]);
}

#[test]
fn calls_have_the_right_number_of_arguments() {
    assert_errors(
        "pred m(x) = a(x) prop p: «m» & «r(1, 2)» where r := @ b",
        &[
            ("E0206", "macro `m` takes 1 argument, but this call has 0", "call it with 1 argument"),
            ("E0206", "rule `r` takes no arguments, but this call has 2", "call it with no arguments"),
        ],
    );
}

#[test]
fn names_are_defined_once() {
    let hint = "rename one of them";
    assert_errors(
        "event a(x) pred «a» = b pred m = a(1) pred «m» = a(2) event b, «b»
         prop p: r where r := b, «r» := b, «m» := b, «a» := b
         prop «p»: b
         prop q: r where r := b",
        &[
            ("E0209", "macro `a` has the name of an event", hint),
            ("E0209", "macro `m` has the name of another macro", hint),
            ("E0209", "event `b` has the name of another event", hint),
            ("E0209", "rule `r` has the name of another rule", hint),
            ("E0209", "rule `m` has the name of a macro", hint),
            ("E0209", "rule `a` has the name of an event", hint),
            ("E0209", "property `p` has the name of another property", hint),
        ],
    );
}

#[test]
fn macros_do_not_see_rules() {
    assert_errors(
        "pred m(x) = !«r»(x) prop p: Forall x . m(x) where r(x) := @ b(x)",
        &[(
            "E0210",
            "`r` is a rule of property `p`, which a macro cannot call",
            "make this macro a rule of `p`, or rename the rule if an event is meant",
        )],
    );
}

const MACRO_HINT: &str =
    "macros are written out, so they cannot be recursive: use a rule, `where name(x) := … @ name(x) …`";

#[test]
fn circles_of_macros_are_drawn() {
    let text = "pred a = e | b pred b = @ c pred c = d & !a pred d = e prop p: a";
    let (plain, spans) = marked(&text.replacen("| b", "| «b»", 1));
    let found = compiled(&plain).diagnostics;
    assert_diagnostics(&found, &spans, &[("E0207", "macro `a` calls itself: a -> b -> c -> a", MACRO_HINT)]);
    let words: Vec<&str> = found[0].related.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(words, ["`b` calls `c` here", "`c` calls `a` here"]);
    assert_errors(
        "pred a = «a» pred b = «c» pred c = b | b prop p: e",
        &[
            ("E0207", "macro `a` calls itself: a -> a", MACRO_HINT),
            ("E0207", "macro `b` calls itself: b -> c -> b", MACRO_HINT),
        ],
    );
}

#[test]
fn long_chains_and_circles_of_macros_are_no_trouble() {
    let chain: String = (0..20_000).map(|number| format!("pred m{number} = m{} ", number + 1)).collect();
    for (end, expected) in
        [("prop p: m19900", &[][..]), ("prop p: m0", &["E0211"]), ("pred m20000 = m0 prop p: m0", &["E0207"])]
    {
        let result = compiled(&format!("{chain} {end}"));
        let codes: Vec<&str> = result.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, expected, "{end}");
    }
}

#[test]
fn rules_that_depend_on_themselves_now_are_reported() {
    let hint = "put `@` before a call in the circle, so that it reads the point before";
    assert_errors(
        "prop p: r where r := a | P «r»",
        &[("E0208", "rule `r` depends on itself at the same point: r -> r", hint)],
    );
    assert_errors(
        "prop p: r(1) where r(x) := a(x) & «s(x)», s(x) := b(x) | @ s(x) | r(x)",
        &[("E0208", "rule `r` depends on itself at the same point: r -> s -> r", hint)],
    );
    let guarded = "prop p: r(1) where r(x) := a(x) & s(x), s(x) := b(x) | @ (a(x) S r(x)) | @ s(x)";
    assert_eq!(compiled(guarded).diagnostics, []);
}

/// Macros that double at each of `steps` steps.
fn doubling(steps: usize) -> String {
    let macros: String = (0..steps).map(|number| format!("pred m{number} = m{n} & @ m{n} ", n = number + 1)).collect();
    format!("{macros} pred m{steps} = e prop «p»: m0")
}

#[test]
fn growth_is_bounded() {
    let (plain, spans) = marked(&doubling(60));
    let hint = "make rules of the macros that are called most: `where name(x) := formula`";
    let message = "property `p` has more than 50000 formulas when its macros are written out";
    assert_diagnostics(&compiled(&plain).diagnostics, &spans, &[("E0211", message, hint)]);
    assert_eq!(compiled(&marked(&doubling(10)).0).diagnostics, []);

    let deep: String = (0..150).map(|number| format!("pred m{number} = !@ m{} ", number + 1)).collect();
    let (plain, spans) = marked(&format!("{deep} pred m150 = e prop «p»: r where r := m0"));
    let message = "property `p` nests more than 200 levels deep when its macros are written out";
    assert_diagnostics(&compiled(&plain).diagnostics, &spans, &[("E0211", message, hint)]);
}
