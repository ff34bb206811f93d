//! The lints on FO-LTL properties.

use super::{CODES, check_signature, helpful_events, is_unheard, lint};
use crate::core::{Language, Rule};
use crate::diagnostic::Diagnostic;
use crate::language::compile;
use crate::options::Options;
use crate::source::Source;
use crate::vocabulary::{Argument, EventShape, Vocabulary};

fn rule(text: &str) -> Rule {
    let mut compiled = compile(Language::Foltl, &Source::new("spec.foltl", text), &Options::default());
    assert!(compiled.diagnostics.iter().all(|found| !found.is_error()), "{text}: {:?}", compiled.diagnostics);
    compiled.properties.remove(0)
}

fn shown(rule: &Rule, found: &[Diagnostic]) -> Vec<(&'static str, String)> {
    found.iter().map(|found| (found.code, rule.text(found.span).to_owned())).collect()
}

/// For each lint its code and the text that it points at.
fn linted(text: &str) -> Vec<(&'static str, String)> {
    let rule = rule(text);
    shown(&rule, &lint(&rule, None))
}

fn vocabulary() -> Vocabulary {
    let argument = |name: &str| Argument { name: Some(name.into()), declared: None };
    let shape = |names: &[&str]| EventShape { arguments: names.iter().map(|name| argument(name)).collect() };
    let events = [
        ("open".into(), vec![shape(&["process", "file"])]),
        ("close".into(), vec![shape(&["file"]), shape(&["process", "file"])]),
    ];
    Vocabulary { events: events.into(), fields: ["time".into()].into(), ..Vocabulary::default() }
}

#[test]
fn each_lint_points_at_its_place() {
    for (text, code, place) in [
        ("(forall x,y:s)(always not p(x))", "L0001", "y"),
        ("always (exists y:s)(p)", "L0001", "y"),
        ("(forall x:s)(always x < 3)", "L0002", "x"),
        ("always ((p and not p) => q)", "L0004", "(p and not p)"),
        ("always (p => (q or true))", "L0004", "(q or true)"),
        ("always (1 > 2 => q)", "L0004", "1 > 2"),
        ("always (p => p)", "L0004", "p => p"),
        ("always (p => eventually (1 = 1))", "L0004", "eventually (1 = 1)"),
        ("always (last false => q)", "L0004", "last false"),
        ("(forall x:s)(always (p(x) => once q(x)))", "L0005", "once q(x)"),
        ("(forall x:s)(always (p(x) => weak-last always-been not p(x)))", "L0005", "always-been not p(x)"),
        ("(forall x:s)(always (p(x) => (true since q(x))))", "L0005", "(true since q(x))"),
    ] {
        assert_eq!(linted(text), [(code, place.to_owned())], "{text}");
    }
}

#[test]
fn good_properties_are_left_alone() {
    for text in [
        "(forall i:iterator)(always (next(i) => last (not next(i) since hasNext(i, true))))",
        "always (p => once q)",
        "always (p => weak-next q)",
        "(forall x:s)(always (p(x) => (not end(x) since q(x))))",
        "(forall c:connection)(always (chunksize(c) <= 999999))",
        "(forall x:s)(always (p(x) => x >= x))",
    ] {
        assert_eq!(linted(text), [], "{text}");
    }
}

#[test]
fn growing_tables_name_their_variables() {
    let rule = rule("(forall x:s)(forall y:t)(always (p(x) => once q(x, y)))");
    let [found] = &lint(&rule, None)[..] else { panic!("one lint") };
    assert_eq!(found.message, "this table grows with every new combination of `x`, `y`");
    assert_eq!(found.hint.as_deref(), Some("write what ends it: `not end(x) since begin(x)`"));
}

#[test]
fn strangers_to_a_trace_are_lints_and_to_a_signature_errors() {
    let rule = rule("(forall f:file)(always ((opne(f) and opne(f)) => (close(f) or (open(f) or zap))))");
    let trace = lint(&rule, Some(&vocabulary()));
    let place = |code, text: &str| (code, text.to_owned());
    let expected = [place("L0007", "opne(f)"), place("L0008", "open(f)"), place("L0007", "zap")];
    assert_eq!(shown(&rule, &trace), expected);
    assert_eq!(trace[0].hint.as_deref(), Some("did you mean `open`?"));
    assert_eq!(trace[1].message, "`open` has 2 arguments in the trace, not 1");
    assert_eq!(trace[1].hint.as_deref(), Some("the trace has `open(process, file)`"));
    assert_eq!(trace[2].hint.as_deref(), Some("the trace has the events `close`, `open`"));
    let formula = rule.as_formula().expect("FO-LTL has formulas");
    let codes: Vec<_> =
        check_signature(formula, &vocabulary()).iter().map(|found| (found.code, found.is_error())).collect();
    assert_eq!(codes, [("E0006", true), ("E0007", true), ("E0006", true)]);
}

#[test]
fn a_rule_is_unheard_if_none_of_its_events_happens() {
    for (text, expected) in [
        ("always (zap => eventually zip)", true),
        ("(forall f:file)(always (open(f) => zap))", true),
        ("(forall f:file)(always (zap => eventually close(f)))", false),
        ("always open", false),
        // It reads a field of any event.
        ("(forall p:process)(always file(p) > 3)", false),
        ("always 1 = 1", false),
    ] {
        assert_eq!(is_unheard(&rule(text), &vocabulary()), expected, "{text}");
    }
}

#[test]
fn helpful_events_are_those_that_can_only_satisfy() {
    for (text, expected) in [
        ("always (a => once b)", &["b"][..]),
        ("always (a => (not c since b))", &["b"]),
        ("always (not a or not not b)", &["b"]),
        ("always (a <=> b)", &[]),
        ("always ((a => b) and (b => c))", &["c"]),
    ] {
        let found = helpful_events(&rule(text));
        assert_eq!(found.iter().map(|name| &**name).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn fields_are_looked_up_too() {
    let found = lint(&rule("(forall p:process)(always fiel(p) > 3)"), Some(&vocabulary()));
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["L0009"]);
    assert_eq!(found[0].hint.as_deref(), Some("did you mean `file`?"));
    // What is no argument can still be read by name.
    let timed = rule("(forall p:process)(always time(p) > 3)");
    assert!(lint(&timed, Some(&vocabulary())).is_empty());
}

#[test]
fn explanations_show_what_they_explain() {
    for explanation in
        CODES.iter().filter(|explanation| ["L0001", "L0002", "L0004", "L0005"].contains(&explanation.code))
    {
        let codes = |text| linted(text).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
        assert!(codes(explanation.example).contains(&explanation.code), "{}", explanation.code);
        assert!(!codes(explanation.instead).contains(&explanation.code), "{}", explanation.code);
    }
}
