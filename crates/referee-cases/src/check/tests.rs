//! Every way in which a document can be wrong is noticed.

use crate::{Mismatch, check, parse};

const SPECIFICATION: &str = "```qtl\nprop p: Forall x . use(x) -> P def(x)\n```\n";

fn mismatches(text: &str) -> Vec<Mismatch> {
    let document = parse("t.md", text).expect("a document");
    check(&document, &mut |rule, trace, prefix| referee_engine::judge_rule(rule, trace, prefix))
}

/// The mismatches of a block below [`SPECIFICATION`].
fn with_block(block: &str) -> Vec<String> {
    mismatches(&format!("{SPECIFICATION}{block}\n```\n")).iter().map(ToString::to_string).collect()
}

#[test]
fn right_documents_have_no_mismatch() {
    for block in [
        "```accepted\ndef(1).use(1)\nε",
        "```rejected\nuse(1)",
        "```rejected point=1 decided=1 x=1 count=1\nuse(1).def(1)",
        "```rejected\nuse(1).use(2)\n! point=1 x=1\n! point=2 x=2 decided=2",
        "```rejected format=csv-plain\nuse,7",
        "```pending n=0\ndef(1)",
        "```rejected prefix property=p\nuse(1)",
        "```lint code=L0005\n",
    ] {
        assert_eq!(with_block(block), [""; 0], "{block}");
    }
}

#[test]
fn wrong_documents_have_one() {
    for block in [
        "```accepted\nuse(1)",
        "```rejected\ndef(1)",
        "```rejected point=2\nuse(1)",
        "```rejected decided=end\nuse(1)",
        "```rejected opened=1\nuse(1)",
        "```rejected x=2\nuse(1)",
        "```rejected x=null\nuse(1)",
        "```rejected y=1\nuse(1)",
        "```rejected count=2\nuse(1)",
        "```rejected\nuse(1).use(2)\n! point=1 x=1",
        "```rejected\nuse(1)\n! point=1",
        "```gaveup\nuse(1)",
        "```pending n=1\ndef(1)",
        "```accepted property=q\ndef(1)",
        "```accepted\nuse(1",
        "```error code=E0201\n",
        "```lint code=L0001\n",
    ] {
        assert_eq!(with_block(block).len(), 1, "{block}");
    }
}

#[test]
fn a_mismatch_says_where_what_and_what_instead() {
    let found = with_block("```rejected\n\nuse(1).use(007)\n! point=1 x=1\n! point=2 x=7");
    let expected = "t.md:6: expected Violated\n    ! point=1 x=1\n    ! point=2 x=7, found Violated\n    \
                    ! point=1 decided=1 x=1\n    ! point=2 decided=2 x=007";
    assert_eq!(found, [expected]);
}

#[test]
fn errors_must_all_be_expected() {
    let faulty = "```qtl\nprop p: use(x) -> def(y)\n```\n";
    let one = "```error code=E0201 line=1 column=13\n```\n";
    let other = "```error code=E0201 line=1 column=23\n```\n";
    assert!(mismatches(&format!("{faulty}{one}{other}")).is_empty());
    assert_eq!(mismatches(&format!("{faulty}{one}")).len(), 1, "the other is not expected");
    let wrong = other.replace("column=23", "column=24");
    assert_eq!(mismatches(&format!("{faulty}{one}{wrong}")).len(), 2, "one is missing, one is too many");
    let worded = one.replace("13\n", "13\nsomething else\n");
    assert_eq!(mismatches(&format!("{faulty}{worded}{other}")).len(), 2, "the message differs");
}
