use proptest::prelude::*;
use referee_testing::properties;

use super::*;
use crate::format::testing::{Outcome, collect, collect_cut};

fn read(text: &str) -> Outcome {
    collect(AbstractDecoder::default(), text)
}

#[test]
fn dots_and_line_breaks_separate_events() {
    assert_eq!(read("a(1).b(2,x)").shown(), ["a(1=1)", "b(1=2,2=x)"]);
    assert_eq!(read("a(1).\n  b(2) . c\n.").fault().0, 17);
    assert_eq!(read("a(1).\r\n  b(2) . c.\n").shown(), ["a(1=1)", "b(1=2)", "c()"]);
    assert_eq!(read("a\nb()\n\nc (1)\n").shown(), ["a()", "b()", "c(1=1)"]);
    assert_eq!(read("").shown(), [""; 0]);
}

#[test]
fn values_with_and_without_quotes() {
    let text = r#"a( x y , "a, (b).c" ,"\"\\\n\t","").b(#1@é)."c d"(1)"#;
    assert_eq!(read(text).shown(), ["a(1=x y,2=a, (b).c,3=\"\\\n\t,4=)", "b(1=#1@é)", "c d(1=1)"]);
    assert_eq!(read("a(\n1,\n2\n)").shown(), ["a(1=1,2=2)"]);
}

#[test]
fn a_dot_between_digits_belongs_to_a_number() {
    assert_eq!(read("a(1.5,-2.25e3).b(10.0.0.1)").shown(), ["a(1=1.5,2=-2.25e3)", "b(1=10.0.0.1)"]);
    assert_eq!(read("a(x.y)").fault(), (3, "expected `,` or `)`, found `.`"));
    assert_eq!(read("a(1.)").fault().0, 3);
}

#[test]
fn comments_stand_between_events() {
    assert_eq!(read("# head\na(1) # one\n# more\nb.# two\nc").shown(), ["a(1=1)", "b()", "c()"]);
}

#[test]
fn what_cat_prints_is_read_again() {
    let text = "1 @5 a(1,x)\n1 @5 b\n2 @5 a(2,y)\n4 @7.5 7(1)\n";
    assert_eq!(read(text).shown(), ["@5", "a(1=1,2=x)", "b()", "@5", "a(1=2,2=y)", "@7.5", "7(1=1)"]);
    assert_eq!(read("1 a(1)\n2 17\n3 \"b c\"(2)").shown(), ["a(1=1)", "17()", "b c(1=2)"]);
    assert_eq!(
        read("1 a(1)\n2 b\n2 a(x)\n\n2 c\n3 b\n").shown(),
        ["a(1=1)", "b(tp=2)", "a(1=x,tp=2)", "c(tp=2)", "b()"]
    );
    assert_eq!(read("1 a\n11 b\n1 c\n").shown(), ["a()", "b()", "c()"]);
    assert_eq!(read("17\n18(1)\n19 (2)\n20 .21").shown(), ["17()", "18(1=1)", "19(1=2)", "20()", "21()"]);
}

#[test]
fn faults() {
    for (text, offset, message) in [
        ("a(1)b(2)", 4, "expected `.` or a line break after an event, found `b`"),
        ("a b", 2, "expected `.` or a line break after an event, found `b`"),
        ("a,1", 1, "expected `.` or a line break after an event, found `,`"),
        (".a", 0, "expected an event, found `.`"),
        ("a...b", 2, "expected an event, found `.`"),
        ("a(1).….b(2)", 5, "expected an event, found `…`"),
        ("a(1)…", 4, "expected an event, found `…`"),
        ("a….b", 0, "expected an event, found `a`"),
        ("a.\"\"(1)", 2, "expected an event, found an empty name"),
        ("(1)", 0, "expected an event, found `(`"),
        ("a(1", 3, "expected `,` or `)`, found the end of the text"),
        ("a(", 2, "expected a value or `)`, found the end of the text"),
        ("a(1,)", 4, "expected a value, found `)`"),
        ("a(,1)", 2, "expected a value, found `,`"),
        ("a(b\"c\")", 3, "expected `,` or `)`, found `\"`"),
        ("a((1))", 2, "expected a value, found `(`"),
        ("a(1.", 4, "expected `,` or `)`, found the end of the text"),
        ("1 @5 a\nb", 7, "expected a position and a time, as on the lines before"),
        ("1 @5 a\n2 b", 9, "expected a position and a time, as on the lines before"),
        ("1 a\n# c\n1 b", 8, "two events share the position 1, and something stands between their lines"),
        ("1 @x a", 3, "expected a time after `@`, found `x`"),
        ("1 @5 \na", 5, "expected an event after its position, found the end of the line"),
        ("1 @5 ", 5, "expected an event, found the end of the text"),
        ("@5 a", 0, "expected an event, found `@`"),
    ] {
        assert_eq!(read(text).fault(), (offset, message), "{text}");
    }
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn cuts_change_nothing(
        text in r#"(ab|c |\(1,|\("é\\"|x y"\)|\(|2\.5\)|\)|#c\n|\.|\n|1 @2 |3 |\n3 |\n33 ){0,14}"#,
        cuts in prop::collection::vec(0..60usize, 0..6),
    ) {
        prop_assert_eq!(collect_cut(AbstractDecoder::default(), &text, &cuts), collect(AbstractDecoder::default(), &text));
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"[.(),"\\#a1@…é \n]{0,30}"#) {
        let outcome = read(&text);
        prop_assert!(outcome.fault.is_none_or(|fault| fault.offset <= text.len()));
    }
}
