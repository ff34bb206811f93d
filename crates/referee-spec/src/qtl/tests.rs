//! Whole files, and what the other test modules share.

use std::path::Path;

use super::*;
use crate::explanations::explanations;

/// Compiles a text.
pub(super) fn compiled(text: &str) -> Compiled {
    compile(&Source::new("test.qtl", text), &Options::default())
}

/// Takes the marks `«` and `»` out of a text and tells what they enclosed.
pub(super) fn marked(text: &str) -> (String, Vec<Span>) {
    let (mut plain, mut spans) = (String::new(), Vec::new());
    for character in text.chars() {
        match character {
            '«' => spans.push(Span { start: plain.len(), end: plain.len() }),
            '»' => spans.last_mut().expect("an opened mark").end = plain.len(),
            other => plain.push(other),
        }
    }
    (plain, spans)
}

/// Compiles a text and compares its errors: places with the marks in the text; code, sentence and hint as given.
#[track_caller]
pub(super) fn assert_errors(text: &str, expected: &[(&str, &str, &str)]) {
    let (plain, spans) = marked(text);
    assert_diagnostics(&compiled(&plain).diagnostics, &spans, expected);
}

#[track_caller]
pub(super) fn assert_diagnostics(found: &[Diagnostic], spans: &[Span], expected: &[(&str, &str, &str)]) {
    let shown: Vec<_> =
        (found.iter()).map(|found| (found.code, found.message.as_str(), found.hint.as_deref().unwrap_or(""))).collect();
    assert_eq!(shown, expected);
    let places: Vec<Span> = found.iter().map(|found| found.span).collect();
    assert_eq!(places, spans);
}

#[test]
fn every_code_is_shown_by_its_example_and_mended_by_its_advice() {
    let own: Vec<_> = explanations().into_iter().filter(|entry| entry.code.starts_with("E02")).collect();
    assert_eq!(own.len(), CODES.len());
    for entry in own {
        // An example of a property that is too large would be too large as well; see the tests of `check`.
        if entry.code != "E0211" {
            let codes: Vec<_> = compiled(entry.example).diagnostics.iter().map(|found| found.code).collect();
            assert!(codes.iter().all(|code| *code == entry.code) && !codes.is_empty(), "{}: {codes:?}", entry.code);
        }
        assert_eq!(compiled(entry.instead).diagnostics, [], "{}", entry.code);
    }
}

#[test]
fn a_file_without_properties_is_an_error() {
    let hint = "write `prop name: formula`, which must hold after every event";
    assert_errors("pred m = a«»\n", &[("E0215", "the file has no property", hint)]);
    assert_errors("«»", &[("E0215", "the file has no property", hint)]);
}

#[test]
fn properties_without_errors_survive_those_with_errors() {
    let text = "pred good(x) = P open(x)
        pred bad(x) = P opened(y)
        pred worse(x) = bad(x) & x = 1
        prop first: Forall x . close(x) -> good(x)
        prop second: Forall x . close(x) -> worse(x)
        prop third: close( -> 3
        prop nothing: a &
        prop fourth: Forall x . r(x) where r(x) := worse(x)
        prop fifth: H !stop";
    let result = compiled(text);
    let names: Vec<&str> = result.properties.iter().map(|property| &*property.name).collect();
    assert_eq!(names, ["first", "fifth"]);
    let codes: Vec<&str> = result.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["E0203", "E0201", "E0003", "E0003"]);
}

#[test]
fn errors_of_all_stages_come_in_textual_order() {
    assert_errors(
        "prop p: Forall x . open(x) «&&» close(x)
         prop q: Forall «y» . Forall z . open(z) -> P «open(z, 1)»
         prop «p»: open(«w») S close(1)«)»
         pred m = «m»",
        &[
            ("E0212", "DejaVu has no operator `&&`", "write `&`"),
            ("E0203", "variable `y` is never used", "remove the quantifier, or use the variable"),
            (
                "E0204",
                "event `open` has 2 arguments here, but 1 elsewhere",
                "write `open(x)`, or give one of the two events another name",
            ),
            ("E0209", "property `p` has the name of another property", "rename one of them"),
            (
                "E0201",
                "nothing binds variable `w`",
                "write `Forall w .` or `Exists w .` before the formula, or \"w\" for a constant",
            ),
            (
                "E0003",
                "expected an operator or the next definition, found `)`",
                "join formulas with `&`, `|`, `->`, `<->` or `S`, or begin the next definition",
            ),
            (
                "E0207",
                "macro `m` calls itself: m -> m",
                "macros are written out, so they cannot be recursive: use a rule, `where name(x) := … @ name(x) …`",
            ),
        ],
    );
}

#[test]
fn the_language_is_found_by_its_name() {
    let source = Source::new("a.qtl", "prop  p :H !stop");
    let result = crate::language::compile(crate::core::Language::Qtl, &source, &Options::default());
    assert_eq!(result.properties.len(), 1);
    let text = crate::language::format(crate::core::Language::Qtl, &source).expect("no errors");
    assert_eq!(text, "prop p: H !stop\n");
}

#[test]
fn the_examples_compile_and_are_in_canonical_layout() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dejavu");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of examples") {
        let path = entry.expect("an entry").path();
        let source = Source::new(path.display().to_string(), std::fs::read_to_string(&path).expect("a text"));
        let result = compile(&source, &Options::default());
        assert_eq!(result.diagnostics, [], "{}", source.name);
        assert!(!result.properties.is_empty(), "{}", source.name);
        assert_eq!(format(&source).expect("no errors"), &*source.text, "{}", source.name);
        count += 1;
    }
    assert!(count >= 8, "{count} examples");
}
