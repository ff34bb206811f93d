//! Errors and lints: their codes, places and words.

use super::super::compile;
use crate::compiled::Compiled;
use crate::lint::lint;
use crate::options::Options;
use crate::source::Source;

/// `CODE start..end message`
fn told(text: &str) -> Vec<String> {
    let source = Source::new("spec.soloist", text);
    let Compiled { properties: rules, diagnostics } = compile(&source, &Options::default());
    let lints = rules.iter().flat_map(|rule| lint(&rule.clone().into(), None));
    diagnostics
        .into_iter()
        .chain(lints)
        .map(|found| format!("{} {}..{} {}", found.code, found.span.start, found.span.end, found.message))
        .collect()
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "E0406 0..0 the file has no formula"),
        ("p &", "E0003 3..3 expected a formula, found the end of the file"),
        ("G", "E0003 1..1 expected a formula, found the end of the file"),
        ("F & p", "E0003 2..3 expected a formula, found `&`"),
        ("(p", "E0003 2..2 expected an operator or `)`, found the end of the file"),
        ("p q", "E0003 2..3 expected an operator, found `q`"),
        ("F_ p", "E0003 3..4 expected an interval, found `p`"),
        ("F_ & p", "E0003 3..4 expected an interval, found `&`"),
        ("F_[5,3] p", "E0401 2..7 no natural number lies in this interval"),
        ("F_(3,4) p", "E0401 2..7 no natural number lies in this interval"),
        ("AVG[10,0] < 3 (p)", "E0402 7..8 a stretch of length 0 holds nothing"),
        ("AVG[10,11] < 3 (p)", "E0402 7..9 no stretch of 11 fits into a window of 10"),
        ("MAX[10,0] < 3 (p)", "E0402 7..8 a stretch of length 0 holds nothing"),
        ("MAX[10] < 3 (p)", "E0402 0..15 `MAX` has no stretch"),
        ("C[10,2] < 3 (p)", "E0402 5..6 `C` counts no stretches"),
        ("C[10] < 3 (F p)", "E0403 11..14 what a modality counts must be a combination of atoms"),
        ("C[10] < 3 (p & C[1] > 1 (q))", "E0403 15..27 what a modality counts must be a combination of atoms"),
        ("C[1.5] < 3 (p)", "E0404 2..5 `1.5` is no natural number"),
        ("C[10] < -3 (p)", "E0404 8..10 `-3` is no natural number"),
        ("C[10] 3 (p)", "E0003 6..7 expected a comparison, found `3`"),
        ("C[10] < 3 p", "E0003 10..11 expected `(`, found `p`"),
        ("D[10] < 3 (p)", "E0003 12..13 expected an operator or `,`, found `)`"),
        ("G^2 p", "E0405 1..3 `G` cannot be repeated with `^`"),
        ("X^0 p", "E0405 1..3 zero times is no operator"),
        ("p $$ q", "E0003 2..4 expected an operator, found `$$`"),
        ("p ~ q", "E0001 2..3 `~` has no meaning here"),
        ("\"p", "E0002 0..2 this name in quotes has no end"),
        ("property a: p property a: q", "E0407 14..27 a property called `a` is there already"),
        ("C[10] >= 0 (p)", "L0401 0..14 the count is never below 0, so this is always true"),
        ("C[0] > 1 (p)", "L0401 0..12 a window of length 0 holds nothing: the count is the same everywhere"),
        ("F_[0,0] p", "L0401 0..9 an interval that ends at 0 holds no other position"),
    ] {
        assert!(told(text).contains(&expected.to_owned()), "{text}: {:?}", told(text));
    }
}

#[test]
fn one_mistake_is_one_error_and_the_rest_is_read() {
    assert_eq!(told("(p & ) | C[1.5] < 3 (q)").len(), 2);
    assert_eq!(told("D[10] < 3 (p").len(), 1);
    assert_eq!(told("property a: (p & property b: C[10] < 3 (F p)").len(), 2);
    let Compiled { properties: rules, .. } =
        compile(&Source::new("s.soloist", "property a: p & & q\nproperty b: q"), &Options::default());
    assert_eq!(rules.iter().map(|rule| &*rule.name).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn nesting_is_bounded() {
    for text in ["X^1000000 p".to_owned(), "!".repeat(100_000), "(".repeat(100_000), "p U ".repeat(100_000)] {
        assert!(told(&text).iter().any(|found| found.starts_with("E0004")), "{}", &text[..9]);
    }
    assert!(told("X^150 p").is_empty());
    let chain = vec!["p"; 10_000].join(" & ");
    assert!(told(&chain).is_empty());
}
