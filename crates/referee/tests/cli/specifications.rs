//! `fmt` and `explain`.

use crate::kit::Desk;

#[test]
fn formatting_prints_checks_and_writes() {
    let desk = Desk::with("a.foltl", "always   ( a(1)=>eventually b(1) )\n");
    let laid_out = desk.run(&["fmt", "a.foltl"]).fine();
    assert_eq!(laid_out, "always (a(1) => eventually b(1))\n");
    let check = desk.run(&["fmt", "--check", "a.foltl"]);
    assert_eq!((check.code, check.out.as_str()), (Some(1), "a.foltl\n"));
    desk.run(&["fmt", "--write", "a.foltl"]).fine();
    assert_eq!(desk.read("a.foltl"), laid_out);
    assert_eq!(desk.run(&["fmt", "--check", "a.foltl"]).fine(), "");
    assert_eq!(desk.run_with(&["fmt", "-", "--language", "foltl"], "always(a)\n").fine(), "always a\n");
}

#[test]
fn a_broken_specification_is_left_alone() {
    let desk = Desk::with("a.qtl", "prop a : Forall x . p(x\n");
    let run = desk.run(&["fmt", "--write", "a.qtl"]);
    assert!(run.failed().contains("a.qtl:"));
    assert_eq!(desk.read("a.qtl"), "prop a : Forall x . p(x\n");
}

#[test]
fn codes_are_explained() {
    let desk = Desk::new();
    let text = desk.run(&["explain", "E0101"]).fine();
    assert!(text.starts_with("E0101: operators mixed without parentheses\n"), "{text}");
    assert_eq!(desk.run(&["explain", "e0101"]).fine(), text);
    let json = desk.run(&["explain", "L0003", "--json"]).fine();
    let document: serde_json::Value = serde_json::from_str(&json).expect("a document");
    assert_eq!(document["code"], "L0003");
    assert!(desk.run(&["explain", "E9999"]).failed().contains("there is no code E9999"));
}

#[test]
fn specifications_are_explained_with_what_grows() {
    let desk = Desk::with("seen.qtl", "prop seen : Forall x . close(x) -> P open(x)\n");
    let run = desk.run(&["explain", "seen.qtl"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("`P open(x)`"), "{}", run.out);
    assert!(run.err.contains("warning[L0005]: this table grows with every new `x`"), "{}", run.err);
    let json = desk.run(&["explain", "seen.qtl", "--json"]).out;
    let outlines: serde_json::Value = serde_json::from_str(&json).expect("a document");
    assert_eq!(outlines.as_array().map(Vec::len), Some(1));
}
