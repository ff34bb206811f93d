//! Errors: their codes, their exact places, and that one mistake is one error.

use super::super::compile;
use crate::options::Options;
use crate::source::Source;

/// What is wrong with a text: for each diagnostic its code and the text that it points at.
fn found(text: &str) -> Vec<(&'static str, String)> {
    let source = Source::new("spec.foltl", text);
    let compiled = compile(&source, &Options::default());
    compiled.diagnostics.iter().map(|found| (found.code, source.slice(found.span).to_owned())).collect()
}

fn message(text: &str) -> (String, String) {
    let compiled = compile(&Source::new("spec.foltl", text), &Options::default());
    let [only] = compiled.diagnostics.as_slice() else { panic!("{text}: {:?}", compiled.diagnostics) };
    (only.message.clone(), only.hint.clone().unwrap_or_default())
}

#[test]
fn each_mistake_has_its_code_and_place() {
    for (text, code, place) in [
        ("p $ and q", "E0001", "$"),
        ("p(\"a)", "E0002", "\"a)"),
        ("always (p and)", "E0003", ")"),
        ("always (p and q", "E0003", ""),
        ("p q", "E0003", "q"),
        ("always", "E0003", ""),
        ("p and or q", "E0003", "or"),
        ("(forall :s)(p)", "E0003", ":"),
        ("until p", "E0003", "until"),
        ("p weakly q", "E0003", "weakly"),
        ("<3>(x)", "E0003", "3"),
        ("property a: p property b:", "E0003", ""),
        ("p or q and r", "E0101", "and"),
        ("p => q => r", "E0101", "=>"),
        ("p until q until r", "E0101", "until"),
        ("not (3 + 4)", "E0102", "(3 + 4)"),
        ("(p and q) < 3", "E0103", "(p and q)"),
        ("p(q => r)", "E0103", "q => r"),
        ("G (p => q)", "E0103", "p => q"),
        ("1 < 2 < 3", "E0104", "<"),
        ("p(007)", "E0105", "007"),
        ("p(1e99999)", "E0105", "1e99999"),
        ("event e(f:s) p(f)", "E0106", "f"),
        ("always (forall x:s)(f(x) < 3)", "E0107", "f(x)"),
        ("(forall x,y:s)(f(x) < g(y))", "E0107", "g(y)"),
        ("f(3) < 3", "E0107", "f(3)"),
        ("event p(t) (forall x:s)(p(x))", "E0108", "x"),
        ("event p(t) p(3, 4)", "E0109", "p(3, 4)"),
        ("(forall x:s)(always x)", "E0110", "x"),
        ("property a: p property a: q", "E0111", "a"),
        ("# nothing\n", "E0112", ""),
        ("event p(s) event p(t) p(3)", "E0113", "p"),
    ] {
        assert_eq!(found(text), [(code, place.to_owned())], "{text}");
    }
}

#[test]
fn messages_say_what_was_expected_and_what_to_write() {
    let (message_text, hint) = message("p or q and r");
    assert_eq!(message_text, "`or` and `and` are mixed without parentheses");
    assert_eq!(hint, "write for example `(p or q) and …`, or check with `--lenient`");
    assert_eq!(message("always (p and)").0, "expected a formula, found `)`");
    assert_eq!(message("always (p q)").0, "expected `(`, an operator or `)`, found `q`");
    assert_eq!(message("G (p => q)").1, "the operator is written `always`");
    assert_eq!(message("F p").1, "`F` is an event here; the operator is written `eventually`");
    assert_eq!(message("(10,000 < 3)").1, "write the number without a comma: `10000`");
    assert_eq!(message("once(1 once(1").0, "expected an operator or `)`, found `once`");
    let (arity, _) = message("event p(t) p(3, 4)");
    assert_eq!(arity, "`p` is declared with 1 argument, not with 2 arguments");
}

#[test]
fn all_errors_of_a_file_are_reported_and_good_properties_kept() {
    let text = "property a: always (p and) \n property b: always p \n property c: (q or \n property d: p(007)";
    let codes: Vec<_> = found(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["E0003", "E0003", "E0105"]);
    let kept = compile(&Source::new("spec.foltl", text), &Options::default()).properties;
    assert_eq!(kept.iter().map(|rule| &**rule.name()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn lints_of_the_parser_and_the_lowering() {
    assert_eq!(found("always p => q"), [("L0003", "always p".to_owned())]);
    assert_eq!(found("(forall x:s) always p(x) => q"), [("L0003", "always p(x)".to_owned())]);
    assert_eq!(found("(always p) => q"), []);
    assert_eq!(found("always (p => q)"), []);
    assert_eq!(found("always not p(root)"), [("L0006", "root".to_owned())]);
    let (_, hint) = message("((forall x:s) p(x)) and q(x)");
    assert_eq!(hint, "the quantifier of `x` ends before; put all that it binds into parentheses");
}

#[test]
fn nesting_is_bounded_with_one_error() {
    for text in [
        "(".repeat(100_000),
        "not ".repeat(100_000),
        "always ".repeat(5_000),
        format!("p({}1 < 2", "-".repeat(100_000)),
        "p(".repeat(50_000),
        "(forall x:s)".repeat(50_000),
        format!("(forall {}x:s)(p)", "x,".repeat(50_000)),
        format!("(forall {}x:s)({}p)", "x,".repeat(150), "not ".repeat(150)),
        format!("{}p", "p => ".repeat(50_000)),
        format!("x < {}1", "1 + ".repeat(50_000)),
    ] {
        let compiled =
            compile(&Source::new("deep.foltl", text.as_str()), &Options { lenient: true, ..Options::default() });
        let codes: Vec<_> =
            compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code).collect();
        assert_eq!(codes, ["E0004"], "{}", &text[..20]);
    }
}

#[test]
fn long_chains_of_one_operator_are_fine() {
    let text = format!("{}p", "p and ".repeat(50_000));
    assert_eq!(found(&text), []);
}

#[test]
fn every_code_has_an_explanation_whose_example_shows_it_and_whose_remedy_does_not() {
    for explanation in super::super::CODES {
        let codes: Vec<_> = found(explanation.example).into_iter().map(|(code, _)| code).collect();
        assert!(codes.contains(&explanation.code), "{}: {codes:?}", explanation.code);
        let errors: Vec<_> = found(explanation.instead).into_iter().filter(|(code, _)| code.starts_with('E')).collect();
        assert_eq!(errors, [], "{}", explanation.code);
    }
}
