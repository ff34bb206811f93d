//! Each error with its place, code, sentence and hint.

use proptest::prelude::*;
use referee_testing::properties;

use super::{compiled, signature, source, told};
use crate::compiled::Compiled;
use crate::diagnostic::Diagnostic;
use crate::explanations::explain;
use crate::mfotl::compile;
use crate::options::Options;

/// A text, and of its one error: the code, the text it stands at (`$` for the end), the message and the hint.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

fn check(case: Case, options: &Options) {
    let (text, code, at, message, hint) = case;
    let Compiled { properties, diagnostics } = compile(&source(text), options);
    assert!(properties.is_empty(), "{text}");
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|found| found.is_error()).collect();
    let [error] = errors[..] else { panic!("{text}: {:?}", told(&diagnostics)) };
    let start = if at == "$" { text.len() } else { text.rfind(at).expect("the place") };
    let end = if at == "$" { text.len() } else { start + at.len() };
    assert_eq!((error.code, error.span.start, error.span.end), (code, start, end), "{text}: {}", error.message);
    assert_eq!(error.message, message, "{text}");
    assert_eq!(error.hint.as_deref().unwrap_or(""), hint, "{text}");
    assert!(explain(code).is_some(), "{code}");
}

#[test]
fn what_the_parser_finds() {
    let cases: &[Case] = &[
        ("a() AND", "E0003", "$", "expected a formula, found the end of the file", ""),
        ("", "E0003", "$", "expected a formula, found the end of the file", ""),
        ("x < ", "E0003", "$", "expected a term, found the end of the file", ""),
        (
            "a() and b()",
            "E0003",
            "and",
            "expected an operator or the end of the file, found `and`",
            "keywords are written in capitals: `AND`",
        ),
        ("a() b()", "E0003", "b", "expected an operator or the end of the file, found `b`", ""),
        (
            "(a() b()) AND c()",
            "E0003",
            "b",
            "expected an operator or `)`, found `b`",
            "close the parenthesis, or write an operator",
        ),
        (
            "(a() AND b()",
            "E0003",
            "$",
            "expected an operator or `)`, found the end of the file",
            "close the parenthesis, or write an operator",
        ),
        (
            "p(x y) AND b()",
            "E0003",
            "y",
            "expected `,` or `)`, found `y`",
            "close the parenthesis, or write an operator",
        ),
        ("a() AND ] OR b()", "E0003", "]", "expected a formula, found `]`", ""),
        (
            "EXISTS x p(x)",
            "E0003",
            "p",
            "expected `,` or `.`, found `p`",
            "write a full stop between the variables and the formula",
        ),
        ("EXISTS . p(x)", "E0003", ".", "expected a name, found `.`", "write the name of a variable"),
        (
            "ONCE[5] a()",
            "E0003",
            "]",
            "expected `,`, found `]`",
            "an interval is written `[0, 5]`, `(2, 3h]` or `[1, *)`",
        ),
        (
            "ONCE[x,2] a()",
            "E0003",
            "x",
            "expected a number, found `x`",
            "an interval is written `[0, 5]`, `(2, 3h]` or `[1, *)`",
        ),
        (
            "LET p = a() IN p()",
            "E0003",
            "=",
            "expected `(`, found `=`",
            "a definition is written `LET P(x, y) = F IN F`",
        ),
        (
            "LET p() = a()",
            "E0003",
            "$",
            "expected `IN`, found the end of the file",
            "write IN and the formula that uses the definition",
        ),
        (
            "s <- SUM money; u withdraw(u, _)",
            "E0301",
            "money",
            "`money` does not occur in what is aggregated",
            "aggregate over, and group by, variables of the formula after them",
        ),
        (
            "s <- SUM a; user withdraw(u, a)",
            "E0301",
            "user",
            "`user` does not occur in what is aggregated",
            "aggregate over, and group by, variables of the formula after them",
        ),
        (
            "s ← p(x)",
            "E0003",
            "p",
            "expected an aggregation, found `p`",
            "write CNT, SUM, AVG, MIN, MAX, MED or QUANTILE",
        ),
        (
            "q <- QUANTILE time; g p(x, g)",
            "E0315",
            "time",
            "QUANTILE needs a rank, found `time`",
            "write a fraction from 0 to 1, such as `QUANTILE 0.95 x`, or percents: `P95 x`",
        ),
        (
            "q <- QUANTILE 95 x p(x)",
            "E0315",
            "95",
            "the rank `95` is not between 0 and 1",
            "write a fraction from 0 to 1, such as `QUANTILE 0.95 x`, or percents: `P95 x`",
        ),
        (
            "q <- QUANTILE -0.5 x p(x)",
            "E0315",
            "-0.5",
            "the rank `-0.5` is not between 0 and 1",
            "write a fraction from 0 to 1, such as `QUANTILE 0.95 x`, or percents: `P95 x`",
        ),
        (
            "q <- QUANTILE 0.1234567890123456789 x p(x)",
            "E0315",
            "0.1234567890123456789",
            "the rank `0.1234567890123456789` has more than 18 digits after the point",
            "write a fraction from 0 to 1, such as `QUANTILE 0.95 x`, or percents: `P95 x`",
        ),
        (
            "q <- P999 x p(x)",
            "E0315",
            "P999",
            "`P999` is not between 0 and 100 percent",
            "write percents from `P0` to `P100`, such as `P95` or `P99.9`",
        ),
        ("a() & b()", "E0001", "&", "`&` has no meaning here", "write `AND`"),
        (
            "p(\"a) AND q()",
            "E0002",
            "\"a) AND q()",
            "this string has no end on its line",
            "close it with the quote that opened it",
        ),
        ("a() (* b", "E0002", "(* b", "this comment has no end", "close it with `*)`"),
        (
            "alarm",
            "E0302",
            "alarm",
            "expected a formula, found the term `alarm`",
            "write `alarm()` for an event without arguments",
        ),
        (
            "always a()",
            "E0302",
            "always",
            "expected a formula, found the term `always`",
            "write `ALWAYS`: keywords are written in capitals",
        ),
        (
            "p(x) AND x + 1",
            "E0302",
            "x + 1",
            "expected a formula, found the term `x + 1`",
            "compare it with another term, as in `x + 1 = x`",
        ),
        (
            "0 < x < 10",
            "E0303",
            "0 < x",
            "expected a term, found the formula `0 < x`",
            "write two comparisons and join them with AND",
        ),
        (
            "x = p(y)",
            "E0303",
            "p(y)",
            "expected a term, found the formula `p(y)`",
            "an event has no value: bind its arguments to variables and compare those",
        ),
        (
            "ONCE[0,1.5] a()",
            "E0313",
            "1.5",
            "expected a whole number, found `1.5`",
            "write a whole number of a smaller unit, such as `90s` or `500ms`",
        ),
        ("p(007)", "E0313", "007", "the number `007` begins with a zero", "write `7`, or `\"007\"` for the text"),
        (
            "MATCHP (a() AND b() c())",
            "E0312",
            "a() AND b()",
            "a formula with a connective needs parentheses in a regular expression",
            "write `(a() AND b())`",
        ),
        (
            "MATCHP (a() b() OR c())",
            "E0312",
            "OR",
            "`OR` cannot join regular expressions",
            "put formulas with connectives in parentheses, or MATCHF and MATCHP around each expression",
        ),
    ];
    cases.iter().for_each(|case| check(*case, &Options::default()));
}

#[test]
fn what_names_and_lowering_find() {
    let once = "write the smaller bound first, and `[` and `]` where a bound belongs to the interval";
    let arity = "give one term for each parameter of the definition; `_` stands for any value";
    let cases: &[Case] = &[
        ("ONCE[10,5] a()", "E0304", "[10,5]", "no duration lies in this interval", once),
        ("ONCE[5,5) a()", "E0304", "[5,5)", "no duration lies in this interval", once),
        ("ONCE[1h,30m] a()", "E0304", "[1h,30m]", "no duration lies in this interval", once),
        (
            "LETPAST r(x) = a(x) OR r(x) IN b()",
            "E0305",
            "r(x)",
            "`r` uses itself at a point that is not earlier",
            "write `PREV r(…)`, or a past operator with an interval above 0 around it",
        ),
        ("tp(i, j)", "E0307", "tp(i, j)", "`tp` is built in and has 1 argument, not 2", "write `tp(x)`"),
        ("tpts(i)", "E0307", "tpts(i)", "`tpts` is built in and has 2 arguments, not 1", "write `tpts(i, t)`"),
        ("LET p(x) = a(x) IN p(y, z)", "E0307", "p(y, z)", "`p` has 1 argument, not 2", arity),
        (
            "_ > 5",
            "E0309",
            "_",
            "`_` stands for any value and can only be a whole argument",
            "give the value a name and bind it with EXISTS",
        ),
        (
            "p(_ + 1)",
            "E0309",
            "_",
            "`_` stands for any value and can only be a whole argument",
            "give the value a name and bind it with EXISTS",
        ),
        (
            "LET p(x) = a(x, y) IN p(z)",
            "E0311",
            "y",
            "`y` is no parameter of this definition",
            "add `y` to the parameters, bind it with EXISTS, or write `\"y\"` for the string",
        ),
        (
            "LET p(x, x) = a() IN p(y, z)",
            "E0306",
            "x",
            "the parameter `x` is there twice",
            "give each parameter a name of its own",
        ),
        (
            "f MATCHES \"a(b\"",
            "E0310",
            "\"a(b\"",
            "this is no regular expression: unclosed group",
            "write special characters that stand for themselves with `\\` before them",
        ),
        (
            "p(1e99999)",
            "E0313",
            "1e99999",
            "the number `1e99999` is too large or too small",
            "numbers have at most 10000 digits and exponents from -9999 to 9999",
        ),
    ];
    cases.iter().for_each(|case| check(*case, &Options::default()));
}

#[test]
fn a_definition_uses_itself_for_earlier_points_only() {
    let inner = "`r` is not complete inside a definition of its own definition";
    let early = "`r` uses itself at a point that is not earlier";
    for (body, expected) in [
        ("PREV r(x)", None),
        ("PREV (a(x) AND r(x))", None),
        ("ONCE[1,5] r(x)", None),
        ("PAST_ALWAYS(0,5] r(x)", None),
        ("a(x) SINCE[1,*) r(x)", None),
        ("PREV MATCHP a(x) r(x)", None),
        ("r(x)", Some(early)),
        ("ONCE r(x)", Some(early)),
        ("ONCE[0,5] r(x)", Some(early)),
        ("r(x) SINCE[1,*) a(x)", Some(early)),
        ("MATCHP[1,2] r(x)", Some(early)),
        ("PREV NEXT r(x)", Some(early)),
        ("NEXT PREV r(x)", Some(early)),
        ("PREV EVENTUALLY r(x)", Some(early)),
        ("PREV (r(x) UNTIL a(x))", Some(early)),
        ("LET q(y) = PREV r(y) IN q(x)", Some(inner)),
        ("LET r(y) = PREV a(y) IN r(x)", None),
    ] {
        let text = format!("LETPAST r(x) = a(x) OR {body} IN r(z)");
        let errors: Vec<String> = compiled(&text).diagnostics.iter().map(|found| found.message.clone()).collect();
        assert_eq!(errors, expected.into_iter().collect::<Vec<_>>(), "{text}");
    }
    assert_eq!(told(&compiled("LET r(x) = r(x) IN r(y)").diagnostics), Vec::<String>::new());
}

#[test]
fn what_the_signature_finds() {
    let options = signature(&["trans(c:string, t:int, a:float)", "report(int)", "up()"]);
    let known = "the signature has `trans(c:string, t:int, a:float)`";
    let cases: &[Case] = &[
        ("Report(x)", "E0006", "Report(x)", "the signature has no event `Report`", "did you mean `report`?"),
        (
            "logout(x)",
            "E0006",
            "logout(x)",
            "the signature has no event `logout`",
            "the signature has the events `report`, `trans`, `up`",
        ),
        ("trans(x, y)", "E0007", "trans(x, y)", "`trans` has 3 arguments in the signature, not 2", known),
        ("up(1)", "E0007", "up(1)", "`up` has 0 arguments in the signature, not 1", "the signature has `up()`"),
        ("trans(5, t, a)", "E0308", "5", "`5` is a number, and the signature has a string here", known),
        ("trans(c, \"7\", a)", "E0308", "\"7\"", "`\"7\"` is a string, and the signature has a number here", known),
        ("trans(x, x, a)", "E0308", "x", "`x` is a string, and the signature has a number here", known),
        (
            "trans(c, t, a) AND c > 2",
            "E0308",
            "c > 2",
            "`c` is a string and `2` is a number",
            "compare values of one type; `i2s`, `f2s`, `s2i` and `s2f` convert",
        ),
        (
            "trans(c, t, a) AND c + 1 = t",
            "E0308",
            "c",
            "`c` is a string, but is computed with where a number is needed",
            "convert it with `i2s`, `f2s`, `s2i` or `s2f`, or use a value of that type",
        ),
    ];
    cases.iter().for_each(|case| check(*case, &options));
    let found = compile(&source("trans(c, t, a) AND c + 1 = t"), &options).diagnostics;
    assert_eq!(found[0].related, [(crate::core::Span { start: 6, end: 7 }, "a string here".to_owned())]);
}

#[test]
fn types_without_a_signature() {
    for (text, expected) in [
        ("p(x) AND x = 5 AND x = \"a\"", vec!["E0308 19..26 `x` is a number and `\"a\"` is a string"]),
        ("\"a\" + 1 = x", vec!["E0308 0..3 `\"a\"` is a string, but is computed with where a number is needed"]),
        ("i2s(x) = x", vec!["E0308 0..10 `i2s(x)` is a string and `x` is a number"]),
        ("s2i(5) = x", vec!["E0308 4..5 `5` is a number, but is converted where a string is needed"]),
        ("5 SUBSTRING x", vec!["E0308 0..1 `5` is a number, but is compared as a string where a string is needed"]),
        ("tp(x) AND x = \"a\"", vec!["E0308 10..17 `x` is a number and `\"a\"` is a string"]),
        ("LET q(y) = y > 1 IN q(\"a\")", vec!["E0308 22..25 `q` wants a number here, and `\"a\"` is a string"]),
        ("x = y AND y = z AND x = 1 AND z = \"a\"", vec!["E0308 30..37 `z` is a number and `\"a\"` is a string"]),
        ("x = 1 AND x = 1.5 AND i2f(x) > 2", vec![]),
        ("p(1) AND p(\"a\")", vec![]),
    ] {
        assert_eq!(told(&compiled(text).diagnostics), expected, "{text}");
    }
}

#[test]
fn all_errors_of_a_file_are_reported_at_once() {
    let text = "ALWAYS FORALL x.\n  p(x y) AND\n  ONCE[5] q(x) OR\n  (a() b()) AND x IMPLIES\n  ONCE[3,2] p(_ + 1)\n  f MATCHES \"(\"";
    assert_eq!(
        told(&compiled(text).diagnostics),
        [
            "E0003 23..24 expected `,` or `)`, found `y`",
            "E0003 38..39 expected `,`, found `]`",
            "E0003 55..56 expected an operator or `)`, found `b`",
            "E0302 64..65 expected a formula, found the term `x`",
            "E0304 80..85 no duration lies in this interval",
            "E0309 88..89 `_` stands for any value and can only be a whole argument",
            "E0003 97..98 expected an operator or the end of the file, found `f`",
        ]
    );
}

#[test]
fn reading_goes_on_behind_a_stray_parenthesis() {
    assert_eq!(
        told(&compiled("a() ) AND x OR b(,x)").diagnostics),
        [
            "E0003 4..5 expected an operator or the end of the file, found `)`",
            "E0302 10..11 expected a formula, found the term `x`",
            "E0003 17..18 expected a term, found `,`",
        ]
    );
}

#[test]
fn depth_is_bounded() {
    for text in [
        "NOT ".repeat(100_000),
        "(".repeat(100_000),
        "MATCHP (".repeat(100_000),
        "a() IMPLIES ".repeat(100_000),
        "a() EQUIV ".repeat(100_000),
        format!("x = 1{}", " + 1".repeat(100_000)),
        format!("EXISTS {}y. p(y)", "x, ".repeat(100_000)),
        format!("p(x) AND LET q(x) = p(x) IN q({}_)", "_, ".repeat(100_000)),
        "LET p() = ".repeat(100_000),
        "c <- CNT x ".repeat(100_000),
    ] {
        let codes: Vec<&str> = compiled(&text).diagnostics.iter().map(|found| found.code).collect();
        assert!(codes.contains(&"E0004"), "{}: {codes:?}", &text[..20]);
    }
}

#[test]
fn long_chains_are_fine() {
    for text in [
        format!("a(){}", " AND a()".repeat(20_000)),
        format!("a(){}", " OR a()".repeat(20_000)),
        format!("MATCHP a(){}", " a()".repeat(20_000)),
        format!("MATCHP a(){}", " + a()".repeat(20_000)),
        format!("MATCHP a(){}", "*".repeat(20_000)),
        format!("p(x{})", ", x".repeat(20_000)),
    ] {
        let compiled = compiled(&text);
        assert_eq!((compiled.properties.len(), compiled.diagnostics.len()), (1, 0), "{}", &text[..20]);
    }
}

proptest! {
    #![proptest_config(properties(2000))]

    #[test]
    fn token_soup_never_panics(tokens in prop::collection::vec(token(), 0..40), spaced in any::<bool>()) {
        let text = tokens.join(if spaced { " " } else { "" });
        for found in compile(&source(&text), &Options::default()).diagnostics {
            prop_assert!(found.span.start <= found.span.end && found.span.end <= text.len(), "{text}: {found:?}");
            prop_assert!(text.is_char_boundary(found.span.start) && text.is_char_boundary(found.span.end));
            prop_assert!(explain(found.code).is_some(), "{}", found.code);
        }
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,60}") {
        let compiled = compile(&source(&text), &Options::default());
        prop_assert!(compiled.properties.len() + compiled.diagnostics.len() > 0);
    }
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        ".",
        "?",
        "=",
        "!=",
        "<",
        "<-",
        "←",
        "+",
        "-",
        "*",
        "/",
        "MOD",
        "SUBSTRING",
        "MATCHES",
        "TRUE",
        "NOT",
        "AND",
        "OR",
        "IMPLIES",
        "EQUIV",
        "EXISTS",
        "FORALL",
        "PREV",
        "ONCE",
        "ALWAYS",
        "SINCE",
        "RELEASE",
        "MATCHF",
        "MATCHP",
        "LET",
        "LETPAST",
        "IN",
        "SUM",
        "CNT",
        "QUANTILE",
        "P95",
        "<- QUANTILE 0.9 x",
        "f2i",
        "s2f",
        "_",
        "x",
        "y'",
        "p",
        "p(",
        "q(x)",
        "tp(",
        "0",
        "10",
        "000",
        "1.5",
        "3d",
        "\"s\"",
        "\"",
        "'",
        "(*",
        "*)",
        "#",
        "\n",
        "é",
        "∧",
        "LET p(x) =",
        "EXISTS x.",
        "[0,5]",
        "p(x)",
    ])
}
