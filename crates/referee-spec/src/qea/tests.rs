//! Reading and printing automata.

use super::*;
use crate::core::Quantifier;
use crate::core::machine::{AutomatonGuard, AutomatonStatement, ClassArgument, Mode, Quantified};

fn read(text: &str) -> Quantified {
    let Compiled { properties: mut machines, diagnostics } = compile(&Source::new("t.qea", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    match machines.remove(0).body {
        Body::Quantified(body) => body,
        _ => panic!("an automaton"),
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.qea", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn the_seed_is_read_as_printed() {
    let leader = read(
        "qea {\n Exists (r1) Forall (r2) Where (r1 != r2)\n Join (r1, r2)\n skip (start) { ping (r1, r2) -> pinged\n }\n \
         skip (pinged) { ack (r2, r1) -> success\n }\n}",
    );
    assert_eq!(leader.variables[0].quantifier, Quantifier::Exists);
    assert_eq!((leader.variables[0].domain, leader.variables[1].domain), (0, 0));
    assert_eq!((leader.conditions.len(), leader.conditions[0].level), (1, 1));
    assert_eq!(leader.states.len(), 4);
    assert_eq!(leader.classes[1].arguments, [ClassArgument::Variable(1), ClassArgument::Variable(0)]);
}

#[test]
fn else_do_on_both_sides_and_free_variables() {
    let body = read(
        "qea { forall(i) accept next(a) { e(i, x, x) if [x > 1 and not x in S] do [S.add(x)] -> a do [n := 1] else -> b; f(i, 3) -> a } \
         accept skip(b) { } }",
    );
    assert_eq!(body.states[0].mode, Mode::Next);
    let transition = &body.states[0].transitions[0];
    assert_eq!(body.classes[0].arguments[2], ClassArgument::Same(1));
    assert_eq!(transition.branches.len(), 2);
    assert!(matches!(
        transition.branches[0].statements[..],
        [AutomatonStatement::Add(..), AutomatonStatement::Assign(..)]
    ));
    assert!(matches!(transition.branches[1].guard, AutomatonGuard::Constant(true)));
}

#[test]
fn faults_have_codes_and_places() {
    assert_eq!(codes("qea { forall(x) skip(a) { e(x) -> bee } }"), ["E0601"]);
    assert_eq!(codes("qea { forall(x, x) skip(a) { e(x) -> a } }"), ["E0602"]);
    assert_eq!(codes("qea { forall(x) where(y = 1) skip(a) { e(x) -> a } }"), ["E0603"]);
    assert_eq!(codes("qea { forall(x) }"), ["E0605", "L0602"]);
    assert_eq!(codes("qea { skip(a) { e(x) if [x in S and S = x] -> a } }"), ["E0606"]);
    assert_eq!(codes("qea { forall(x) skip(a) { e(x) do [x := 1] -> a } }"), ["E0607"]);
    assert_eq!(codes("qea { skip(a) { e(x) do [x := n + 1] -> a } }"), ["E0608"]);
    assert_eq!(codes("# nothing"), ["E0609"]);
    assert_eq!(codes("qea { skip(a) { e(x) if [x = on] -> a } }"), ["L0601"]);
    assert_eq!(codes("qea { skip(a) { e(x) if x = 1 -> a } }"), ["E0003"]);
    assert_eq!(codes("qea (A) { skip(a) { } } qea (A) { skip(a) { } }"), ["E0602"]);
}

#[test]
fn printing_is_canonical_and_stable() {
    let text = "// why\nQEA(P){forall(x)exists(y)where((x!=y or x=1)and not(y>2)) negated // odd\n accept skip(s){ // one\n e(x,y,_,\"a\",-1) if[n-(1-2)>=x*(y+1)] do[n--;S:={}]->s else->failure;f->s }}";
    let expected = "// why\nqea (P) {\n  forall(x) exists(y)\n  where((x != y or x = 1) and not (y > 2))\n  negated\n  // odd\n  accept skip(s) {\n    // one\n    e(x, y, _, \"a\", -1) if [n - (1 - 2) >= x * (y + 1)] do [n--; S := {}] -> s else -> failure\n    f() -> s\n  }\n}\n";
    let printed = format(&Source::new("t.qea", text)).expect("readable");
    assert_eq!(printed, expected);
    assert_eq!(format(&Source::new("t.qea", printed.as_str())).expect("readable"), printed);
}
