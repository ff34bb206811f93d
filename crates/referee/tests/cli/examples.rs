//! `test`: what is wrong with a page is told, and nothing counts as passed that was not judged.

use crate::kit::Desk;

const BROKEN: &str = "```qtl name=p\nprop p: Forall x . use(x -> P def(x)\n```\n\n```accepted\ndef(1)\n```\n\n```rejected\nuse(1)\n```\n";

#[test]
fn traces_of_a_specification_with_errors_are_not_judged() {
    let desk = Desk::with("e.md", BROKEN);
    let run = desk.run(&["test", "e.md", "--verbose", "--junit", "out.xml"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(
        run.out.contains("FAIL e.md:1: p.qtl compiles as written: expected no error, found \n    E"),
        "{}",
        run.out
    );
    assert!(run.out.contains("line=1 column="), "{}", run.out);
    for line in ["FAIL e.md:6: p.qtl accepts: ", "FAIL e.md:10: p.qtl rejects: "] {
        assert!(run.out.contains(line), "{}", run.out);
    }
    assert!(!run.out.contains("ok "), "{}", run.out);
    assert!(run.out.ends_with("3 tests in 1 file, 3 failed\n"), "{}", run.out);
    let junit = desk.read("out.xml");
    assert!(junit.contains("tests=\"3\" failures=\"3\""), "{junit}");
}

#[test]
fn misspelt_blocks_are_told() {
    let page =
        "```qtl\nprop p: Forall x . use(x) -> P def(x)\n```\n```accepted\ndef(1)\n```\n```rejectd\nuse(1)\n```\n";
    let run = Desk::with("e.md", page).run(&["test", "e.md"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("e.md:7: the page: there is no block `rejectd`; did you mean `rejected`?"), "{}", run.out);
}

#[test]
fn parameters_that_a_slice_does_not_bind_are_left_out() {
    let desk = Desk::with("p.mop", "P(T x, T y) {\n  event a(x)\n  event b(x, y)\n  ere: a a\n  @match\n}\n");
    let run = desk.run(&["check", "p.mop", "--inline", "a(1).a(1)"]);
    assert_eq!(run.out, "VIOLATION P: point 2, a(1), x = 1, match\nSTATUS: Violated\n");
    let run = desk.run(&["check", "p.mop", "--inline", "a(1).a(1)", "--json"]);
    assert!(run.out.contains("\"bindings\":{\"x\":1,\"y\":null}"), "{}", run.out);
}
