use proptest::prelude::*;
use referee_testing::properties;

use super::*;
use crate::format::testing::{Outcome, collect, collect_cut};

fn read(text: &str) -> Outcome {
    collect(MonpolyDecoder::default(), text)
}

fn fault(text: &str) -> (usize, String) {
    let outcome = read(text);
    let (offset, message) = outcome.fault();
    (offset, message.to_owned())
}

#[test]
fn points_predicates_and_tuples() {
    let text = "@10 login (alice)(bob) withdraw (alice,10);\n@10 tick\n@12.5 p(1)\n(2) q()";
    let expected = [
        "@10",
        "login(1=alice)",
        "login(1=bob)",
        "withdraw(1=alice,2=10)",
        "@10",
        "tick()",
        "@12.5",
        "p(1=1)",
        "p(1=2)",
        "q()",
    ];
    assert_eq!(read(text).shown(), expected);
}

#[test]
fn a_point_may_be_empty() {
    assert_eq!(read("@5;@6 @7\n@8").shown(), ["@5", "@6", "@7", "@8"]);
    assert_eq!(read("").shown(), [""; 0]);
    assert_eq!(read(" # nothing\n").shown(), [""; 0]);
}

#[test]
fn white_space_and_comments_stand_anywhere() {
    let text = "# head\r\n@ \t1\r\n P # why\n (\n a\t,\n# this too\nb )\n( c,d);# end";
    assert_eq!(read(text).shown(), ["@1", "P(1=a,2=b)", "P(1=c,2=d)"]);
}

#[test]
fn predicates_without_arguments() {
    assert_eq!(read("@1 a b () c ()(); @2 a").shown(), ["@1", "a()", "b()", "c()", "c()", "@2", "a()"]);
}

#[test]
fn words_and_texts_in_quotes() {
    let text = r#"@1 p (a-b/c:d'e.f*g?h![i],"a b, (c); @d #e","") "q r" ("x\"y\\z\n\tC:\dir\"","é",ü+=<>{}~)"#;
    let expected =
        ["@1", "p(1=a-b/c:d'e.f*g?h![i],2=a b, (c); @d #e,3=)", "q r(1=x\"y\\z\n\tC:\\dir\",2=é,3=ü+=<>{}~)"];
    assert_eq!(read(text).shown(), expected);
}

#[test]
fn faults() {
    for (text, offset, message) in [
        ("p (1)", 0, "expected `@` and a timestamp, found `p`"),
        ("@1; p (1)", 4, "expected `@` and a timestamp, found `p`"),
        ("@ p", 2, "expected a timestamp, found `p`"),
        ("@;", 1, "expected a timestamp, found `;`"),
        ("@", 1, "expected a timestamp, found the end of the text"),
        ("@1p (1)", 1, "expected a timestamp, found `1p`"),
        ("@1 (1)", 3, "expected a predicate, `@` or `;`, found `(`"),
        ("@1 p (1", 7, "expected `,` or `)`, found the end of the text"),
        ("@1 p (", 6, "expected a value or `)`, found the end of the text"),
        ("@1 p (1,)", 8, "expected a value, found `)`"),
        ("@1 p (,1)", 6, "expected a value, found `,`"),
        ("@1 p (a b)", 8, "expected `,` or `)`, found `b`"),
        ("@1 p (a@b)", 7, "expected `,` or `)`, found `@`"),
        ("@1 p (1) )", 9, "expected a predicate, `@` or `;`, found `)`"),
        ("@1 p (\"a", 8, "expected `\"` at the end of a text in quotes, found the end of the text"),
        ("@1 p (\"a\\", 9, "expected the rest of a text in quotes, found the end of the text"),
        ("@1 \"\" (2)", 3, "expected a predicate, found an empty name"),
        ("@1 p; (2)", 6, "expected `@` and a timestamp, found `(`"),
        ("@1 p (1) @2 (2)", 12, "expected a predicate, `@` or `;`, found `(`"),
    ] {
        assert_eq!(fault(text), (offset, message.to_owned()), "{text}");
    }
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn cuts_change_nothing(
        text in r#"(@1 |@2;|pq|r|\("é\\"|x y"\)|\(|a,|1\)|\)|#c\n| |;){0,14}"#,
        cuts in prop::collection::vec(0..60usize, 0..6),
    ) {
        prop_assert_eq!(collect_cut(MonpolyDecoder::default(), &text, &cuts), collect(MonpolyDecoder::default(), &text));
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"[@();,"\\#a1.é \n]{0,30}"#) {
        let outcome = read(&text);
        prop_assert!(outcome.fault.is_none_or(|fault| fault.offset <= text.len()));
    }
}
