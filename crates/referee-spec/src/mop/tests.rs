//! Reading properties.

use super::*;
use crate::core::machine::{Category, Ere, Logic, Role, Side, Sliced};

fn read(text: &str) -> Sliced {
    let Compiled { properties: mut machines, diagnostics } = compile(&Source::new("t.mop", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    match machines.remove(0).body {
        Body::Sliced(body) => body,
        _ => panic!("a sliced property"),
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.mop", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn a_property_is_read_with_its_pointcuts() {
    let body = read(
        "import java.util.*;\nUnsafeMapIterator(Map map, Collection c, Iterator i) {
           creation event createColl after(Map map) returning(Collection c) : (call(* Map.values()) || call(* Map.keySet())) && target(map) {}
           event createIter after(Collection c) returning(Iterator i) : call(* Collection.iterator()) && target(c) {}
           event useIter before(Iterator i) : call(* Iterator.next()) && target(i) {}
           event update after(Map map) : call(* Map.put*(..)) && target(map) {}
           ere : createColl.update*.createIter.useIter*.update+.useIter
           @match { System.out.println(\"unsafe\"); }
         }",
    );
    assert_eq!(body.parameters.len(), 3);
    let bound: Vec<&[usize]> = body.events.iter().map(|event| &event.parameters[..]).collect();
    assert_eq!(bound, [&[0, 1][..], &[1, 2], &[2], &[0]]);
    assert!(body.events[0].creation && !body.events[1].creation);
    assert!(matches!(body.categories[..], [(Category::Match, _)]));
}

#[test]
fn every_logic_is_read() {
    let head = "P(T x) { event a(x) event b(x) event done endtrace ";
    let fsm = read(&format!("{head} fsm: s [ a -> t, default s ] t [] alias both = s, t @both @fail }}"));
    let Logic::Fsm(machine) = &fsm.logic else { panic!("fsm") };
    assert_eq!(machine.states[0].targets, [Some(1), Some(0), Some(0)]);
    assert_eq!(fsm.categories[0].0, Category::States(vec![0, 1]));
    let ere = read(&format!("{head} ere: ~a* & (a | epsilon) b @fail }}"));
    let Logic::Ere(Ere::And(left, right)) = &ere.logic else { panic!("ere {:?}", ere.logic) };
    assert!(matches!(**left, Ere::Not(_)) && matches!(**right, Ere::Concat(..)));
    assert!(matches!(read(&format!("{head} ltl: [] (a => o b) and ~o a ~U b @violation }}")).logic, Logic::Ltl(_)));
    assert!(matches!(read(&format!("{head} ptltl: a => (*) b S a @violation }}")).logic, Logic::PtLtl(_)));
    let caret = "ptcaret: (a Sa ~(*a) b) and @b a ~Ss@bc (@c b or [*s@c] <*a> a) @violation @validation";
    let Logic::PtCaret(nested) = read(&format!("P(T x) {{ event a(x) call event b(x) return {caret} }}")).logic else {
        panic!("ptcaret")
    };
    assert_eq!(nested.roles, [Role::Call, Role::Return]);
    assert!(nested.formula.reads_calls());
    let Logic::Cfg(grammar) = read(&format!("{head} cfg: S -> a S b | epsilon, A -> b @fail }}")).logic else {
        panic!()
    };
    assert_eq!((grammar.nonterminals.len(), grammar.productions.len()), (2, 3));
    let Logic::Srs(system) =
        read(&format!("{head} srs: b a -> a E . ^ done -> #succeed . a $ -> epsilon . @fail }}")).logic
    else {
        panic!()
    };
    assert_eq!((system.rules.len(), system.names.len()), (3, 4));
    assert_eq!(
        (&system.rules[1].right, system.rules[1].at_start, system.rules[2].at_end),
        (&Side::Succeed, true, true)
    );
}

#[test]
fn faults_have_codes() {
    assert_eq!(codes("P(T x) { event a(x) ere: a b @match }"), ["E0701"]);
    assert_eq!(codes("P(T x) { event a(x) event a(x) ere: a @match }"), ["E0702"]);
    assert_eq!(codes("P(T x) { event a(y) ere: a @match }"), ["E0703"]);
    assert_eq!(codes("P(T x) { event a(x) fsm: s [ a -> t ] @fail }"), ["E0704"]);
    assert_eq!(codes("P(T x) { event a(x) ere: a @violation }"), ["E0705"]);
    assert_eq!(codes("P(T x) { event a(x) ptltl: <> a @violation }"), ["E0706"]);
    assert_eq!(codes("P(T x) { event a(x) ptcaret: o a @violation }"), ["E0706"]);
    for operator in ["(*a) a", "<*a> a", "@b a", "@c a", "[*s@bc] a", "a Sa a", "a Ss@c a"] {
        assert_eq!(codes(&format!("P(T x) {{ event a(x) ptltl: {operator} @violation }}")), ["E0707"], "{operator}");
    }
    let wrong = compile(&Source::new("t.mop", "P() { event a() ltl: a ~Ss@b a @violation }"), &Options::default());
    let found = &wrong.diagnostics[0];
    assert_eq!(
        (&*found.message, found.span),
        ("only `ptcaret` has operators of the call stack", Span { start: 24, end: 28 })
    );
    assert_eq!(codes(""), ["E0708"]);
    assert_eq!(codes("P(T x) { event a(x) ere: a }"), ["E0003"]);
}
