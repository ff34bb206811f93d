//! What is read, and what is said of what cannot be.

use proptest::prelude::*;
use referee_testing::properties;

use super::super::print::print;
use super::super::tests::{assert_diagnostics, marked};
use super::*;

/// Parses and compares the errors with the marks in the text.
#[track_caller]
fn assert_syntax_errors(text: &str, expected: &[(&str, &str, &str)]) -> Document {
    let (plain, spans) = marked(text);
    let Parsed { document, diagnostics } = parse(&plain);
    assert_diagnostics(&diagnostics, &spans, expected);
    document
}

/// The canonical text of a formula.
#[track_caller]
fn canonical(formula: &str) -> String {
    let document = assert_syntax_errors(&format!("prop p: {formula}"), &[]);
    let text = print(&document);
    text.trim_end().strip_prefix("prop p: ").expect("one line").to_owned()
}

#[test]
fn operators_bind_as_the_grammar_says() {
    for (loose, grouped) in [
        ("a -> b -> c", "(a -> b) -> c"),
        ("a -> b <-> c -> d", "((a -> b) <-> c) -> d"),
        ("a | b & c -> d", "(a | (b & c)) -> d"),
        ("a & b S c & d", "a & (b S c) & d"),
        ("!a S @b", "(!a) S (@b)"),
        ("P a S H b", "(P a) S (H b)"),
        ("! @ P a & b", "(!(@(P a))) & b"),
        ("Exists x . p(x) & q -> r", "Exists x . ((p(x) & q) -> r)"),
        ("a & Forall x . p(x) | q", "a & (Forall x . (p(x) | q))"),
        ("!Exists x . p(x) S q", "!(Exists x . (p(x) S q))"),
        ("P [a, b) & c", "(P [a, b)) & c"),
        ("a S [b, c)", "a S ([b, c))"),
        ("a S[<=3] [b, c)", "a S[<=3] ([b, c))"),
        ("P[>2] P[<=3] a", "P[>2] (P[<=3] a)"),
        ("!x = 3 & a", "(!(x = 3)) & a"),
        ("(a & b) & (c & d)", "a & b & c & d"),
    ] {
        assert_eq!(canonical(loose), canonical(grouped), "{loose}");
    }
}

#[test]
fn groups_that_matter_are_kept() {
    for text in [
        "a -> (b -> c)",
        "(a | b) & c",
        "(a S b) S c",
        "a S (b S c)",
        "!(a & b)",
        "(Exists x . p(x)) & q",
        "(Exists x . p(x)) S q",
        "(!Exists x . p(x)) & q",
        "!(x = 3)",
        "@(a S b)",
    ] {
        // A quantifier under `!` takes the parentheses itself.
        let expected = if text.starts_with("(!") { "!(Exists x . p(x)) & q" } else { text };
        assert_eq!(canonical(text), expected);
    }
}

#[test]
fn symbols_mean_what_the_words_mean() {
    assert_eq!(
        canonical("∀ x . ∃ y . ¬p(x, y) ∧ q(x) ∨ ⊖ r(y) → ◆ q(x) ↔ ■ x ≤ y ⇔ ● (y ≥ x ⇒ a)"),
        "Forall x . Exists y . !p(x, y) & q(x) | @r(y) -> P q(x) <-> H (x <= y) <-> @(y >= x -> a)"
    );
}

#[test]
fn quantifiers_keep_their_case_and_intervals_lose_their_bracket() {
    assert_eq!(
        canonical("forall x.exists y.Forall z.Exists w.p(x,y,z,w)"),
        "forall x . exists y . Forall z . Exists w . p(x, y, z, w)"
    );
    assert_eq!(canonical("[ a,b ]"), "[a, b)");
    assert_eq!(canonical("a()"), "a");
    assert_eq!(canonical(r#"p("a\"\\b", -7, 007)"#), r#"p("a\"\\b", -7, 007)"#);
    assert_eq!(canonical("a Z[<=007] b"), "a Z[<=7] b");
    assert_eq!(canonical("Forall Z . p(Z)"), "Forall Z . p(Z)");
    assert_eq!(canonical("x<-3 & 3 = x"), "x < -3 & 3 = x");
}

#[test]
fn pred_begins_macros_and_declarations() {
    let document =
        assert_syntax_errors("pred m(x) = p(x) pred a, b(x, y) event c() preds d events e, f prop p: m", &[]);
    let kinds: Vec<&str> = (document.items.iter())
        .map(|item| match &item.kind {
            ItemKind::Macro(_) => "macro",
            ItemKind::Property(_) => "property",
            ItemKind::Events(heads) if heads.len() == 1 => "event",
            ItemKind::Events(_) => "events",
        })
        .collect();
    assert_eq!(kinds, ["macro", "events", "event", "event", "events", "property"]);
}

#[test]
fn spans_are_exact() {
    let text = "prop p: Forall x . (a & [b(x), c)) -> d S e";
    let Parsed { document, .. } = parse(text);
    let mut shown = Vec::new();
    let formula = &document.properties().next().expect("a property").formula;
    formula.visit(&mut |part| shown.push(&text[part.span.start..part.span.end]));
    let expected = [
        "Forall x . (a & [b(x), c)) -> d S e",
        "(a & [b(x), c)) -> d S e",
        "(a & [b(x), c))",
        "a",
        "[b(x), c)",
        "b(x)",
        "c",
        "d S e",
        "d",
        "e",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn missing_parts_are_named() {
    const FORMULA: &str = "write an event such as `open(f)`, or a formula in parentheses";
    assert_syntax_errors("prop p: a & «»", &[("E0003", "expected a formula, found the end of the file", FORMULA)]);
    assert_syntax_errors("prop p: (a & «)» | b", &[("E0003", "expected a formula, found `)`", FORMULA)]);
    assert_syntax_errors("prop p: «&» a", &[("E0003", "expected a formula, found `&`", FORMULA)]);
    assert_syntax_errors(
        "prop «:» a",
        &[("E0003", "expected a name, found `:`", "name the property: `prop name: formula`")],
    );
    assert_syntax_errors(
        "prop p «a» & b",
        &[("E0003", "expected `:`, found `a`", "write `:` between the property's name and its formula")],
    );
    assert_syntax_errors(
        "prop p: Forall x «p»(x)",
        &[("E0003", "expected `.`, found `p`", "write `.` between the variable and the formula")],
    );
    assert_syntax_errors(
        "prop p: Forall «S» . a",
        &[("E0003", "expected a name, found `S`", "`S` is a word of the language: choose another name")],
    );
    assert_syntax_errors(
        "prop p: r where r «=» a",
        &[("E0003", "expected `(` or `:=`, found `=`", "write `:=` between the rule's name and its formula")],
    );
    assert_syntax_errors("prop p: [a & «,» b)", &[("E0003", "expected a formula, found `,`", FORMULA)]);
    assert_syntax_errors(
        "prop p: a(«true»)",
        &[("E0003", "expected `)` or an argument, found `true`", "as a value, write it in quotes: `\"true\"`")],
    );
    assert_syntax_errors(
        "prop p: [a«)» & b",
        &[("E0003", "expected an operator or `,`, found `)`", "an interval has two formulas: `[from, to)`")],
    );
    assert_syntax_errors(
        "prop p: a & 3 «prop» q: a(x, «|») & b",
        &[
            ("E0003", "expected a comparison, found `prop`", "a constant is no formula: compare it, as in `x = 3`"),
            ("E0003", "expected an argument, found `|`", "write a variable, a whole number or a string in quotes"),
        ],
    );
}

#[test]
fn brackets_are_mended() {
    const CLOSE: &str = "close the parenthesis";
    assert_syntax_errors(
        "prop p: (a «b» c) & d prop q: c",
        &[("E0003", "expected an operator or `)`, found `b`", CLOSE)],
    );
}

#[test]
fn text_between_items_is_skipped() {
    let document = assert_syntax_errors(
        "«always» a prop p: b «c» d) prop q: d",
        &[
            (
                "E0003",
                "expected `prop`, `pred` or `event`, found `always`",
                "write `prop name: formula`, `pred name(x) = formula` or `event name(x)`",
            ),
            (
                "E0003",
                "expected an operator or the next definition, found `c`",
                "join formulas with `&`, `|`, `->`, `<->` or `S`, or begin the next definition",
            ),
        ],
    );
    assert_eq!(document.properties().count(), 2);
}

#[test]
fn other_languages_operators_are_understood() {
    let document = assert_syntax_errors(
        "prop p: Forall x . a(x) «&&» x «!=» 3 «||» x «==» 4 «=>» b «<=>» c",
        &[
            ("E0212", "DejaVu has no operator `&&`", "write `&`"),
            ("E0212", "DejaVu has no operator `!=`", "write `!(x = y)`"),
            ("E0212", "DejaVu has no operator `||`", "write `|`"),
            ("E0212", "DejaVu has no operator `==`", "write `=`"),
            ("E0212", "DejaVu has no operator `=>`", "write `->`"),
            ("E0212", "DejaVu has no operator `<=>`", "write `<->`"),
        ],
    );
    assert_eq!(print(&document), "prop p: Forall x . a(x) & !(x = 3) | x = 4 -> b <-> c\n");
    assert_syntax_errors(
        "prop p: a «and» b",
        &[("E0003", "expected an operator or the next definition, found `and`", "write `&`")],
    );
}

#[test]
fn time_bounds_are_checked() {
    let bound = "write `[<=n]` for at most n, `[>n]` for more than n";
    assert_syntax_errors(
        "prop p: P[«<»3] a & H[«>=»3] b",
        &[
            ("E0213", "expected `<=` or `>` in a time bound, found `<`", bound),
            ("E0213", "expected `<=` or `>` in a time bound, found `>=`", bound),
        ],
    );
    assert_syntax_errors(
        "prop p: P[<=«-3»] a",
        &[(
            "E0213",
            "a time bound cannot be negative",
            "time bounds look back already: write `[<=10]` for the last ten units of time",
        )],
    );
    let strict = ("E0213", "`Z` needs a time bound `[<=n]`", "write `p Z[<=10] q`");
    assert_syntax_errors("prop p: (a «Z» b) & (a «Z»[>3] b)", &[strict, strict]);
    assert_syntax_errors(
        "prop p: P[<=«0.5»] a",
        &[(
            "E0214",
            "`0.5` is no whole number",
            "as a value, write it in quotes: `\"0.5\"`; as a time bound, use a finer unit of time",
        )],
    );
    assert_syntax_errors(
        "prop p: P[<=«]» a",
        &[(
            "E0003",
            "expected a whole number, found `]`",
            "write a length of time, such as `[<=10]` in the trace's unit, or `[<=10s]`",
        )],
    );
}

#[test]
fn chained_since_needs_parentheses() {
    let hint = "say what belongs together: `(a S b) S c` or `a S (b S c)`";
    assert_syntax_errors("prop p: a S b «S» c", &[("E0216", "`S` and `Z` cannot be chained", hint)]);
}

#[test]
fn several_quantified_variables_are_understood() {
    let hint = "quantify one variable at a time: `Forall x . Forall y . formula`";
    let document =
        assert_syntax_errors("prop p: Forall x«,» y, z . a(x, y, z)", &[("E0003", "expected `.`, found `,`", hint)]);
    assert_eq!(print(&document), "prop p: Forall x . Forall y . Forall z . a(x, y, z)\n");
}

#[test]
fn what_has_no_end_is_reported() {
    assert_syntax_errors(
        "prop p: Exists x . a(x, «\"b) & c»\nprop q: d «/* e»",
        &[
            ("E0002", "this string has no end", "close it with `\"` on the same line"),
            ("E0002", "this comment has no end", "close it with `*/`"),
        ],
    );
}

#[test]
fn depth_is_bounded() {
    let cases = [
        ("(".repeat(100_000), ")".repeat(100_000)),
        ("!".repeat(100_000), String::new()),
        ("[".repeat(100_000), String::new()),
        ("P[<=3] ".repeat(100_000), String::new()),
        ("Forall x . ".repeat(100_000), String::new()),
        ("a -> ".repeat(100_000), String::new()),
        ("(a -> ".repeat(100_000), String::new()),
        ("(a & b | c S ".repeat(100_000), String::new()),
    ];
    for (before, after) in cases {
        let Parsed { diagnostics, .. } = parse(&format!("prop p: {before}a{after}"));
        let codes: Vec<&str> = diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, ["E0004"], "{}", &before[..10]);
    }
    let Parsed { diagnostics, .. } = parse(&format!("prop p: {}a", "a & b | ".repeat(50_000)));
    assert_eq!(diagnostics, []);
    // Few brackets, many levels: read and printed, but not judged.
    let text = format!("prop p: {}a{}", "a -> b | c & d S (".repeat(90), ")".repeat(90));
    let codes: Vec<_> = super::super::tests::compiled(&text).diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["E0211"]);
    let printed = print(&parse(&text).document);
    assert_eq!(print(&parse(&printed).document), printed);
}

#[test]
fn comments_go_with_what_they_explain() {
    let text = "// head\n\n# of p\nprop p: // why\n a & -- first\n b /* second */ | // third\n c // fourth\n | d // last\nprop q: d\n// end";
    let document = assert_syntax_errors(text, &[]);
    let texts = |comments: &[Comment]| comments.iter().map(|found| found.text.to_string()).collect::<Vec<_>>();
    assert_eq!(texts(&document.items[0].comments), ["// head", "# of p", "// last"]);
    assert!(document.items[0].comments[0].blank_after);
    let mut inner = Vec::new();
    let formula = &document.properties().next().expect("a property").formula;
    formula.visit(&mut |part| inner.push((texts(&part.comments), part.span)));
    inner.retain(|(comments, _)| !comments.is_empty());
    let whole = ["// why", "-- first", "/* second */", "// third"].map(str::to_owned).to_vec();
    let expected =
        [(whole, "a & -- first\n b /* second */ | // third\n c // fourth\n | d"), (vec!["// fourth".into()], "c")];
    let shown: Vec<_> = inner.into_iter().map(|(comments, span)| (comments, &text[span.start..span.end])).collect();
    assert_eq!(shown, expected);
    assert_eq!(texts(&document.comments), ["// end"]);
}

/// Tokens, words and rubbish to build texts of.
const SOUP: &[&str] = &[
    "prop", "where", "pred", "event", "true", "Forall", "exists", "S", "P", "H", "Z", "@", "!", "&", "|", "->", "<->",
    "&&", "!=", "<", "<=", ">", "=", ":=", ":", ".", ",", "(", ")", "[", "]", "x", "p", "7", "-1", "0.5", "\"s\"",
    "\"", "/*", "*/", "// c\n", "\n", "∀", "§", "\\", "é",
];

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn soup_of_tokens_is_read_to_the_end(picks in prop::collection::vec(0..SOUP.len(), 0..80)) {
        let text: Vec<&str> = picks.into_iter().map(|pick| SOUP[pick]).collect();
        let text = text.join(" ");
        let Parsed { diagnostics, .. } = parse(&text);
        for found in diagnostics {
            prop_assert!(text.get(found.span.start..found.span.end).is_some(), "{found:?} outside {text:?}");
        }
        super::super::tests::compiled(&text);
    }

    #[test]
    fn any_text_is_read_to_the_end(text in ".{0,120}") {
        let result = super::super::tests::compiled(&text);
        prop_assert!(!result.diagnostics.is_empty() || !result.properties.is_empty());
    }
}
