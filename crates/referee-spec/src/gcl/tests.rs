//! Reading and printing guarded commands.

use super::*;
use crate::core::facts::{Action, FactGuard, Slot};

fn read(text: &str) -> RuleSet {
    let Compiled { properties: mut sets, diagnostics } = compile(&Source::new("t.gcl", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    sets.remove(0)
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.gcl", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn the_seeds_are_read_as_printed() {
    let unique = read(
        "*.approveOpenAccount(Integer uid, String acc_number)\n| → Verification.approvedAccounts.add(acc_number);\n\
         *.approveOpenAccount(Integer uid, String acc_number)\n| Verification.approvedAccounts.contains(acc_number)\n  \
         → Verification.fail(\"P4 violated\");",
    );
    assert_eq!(unique.rules.len(), 2);
    assert_eq!(unique.relations.len(), 1);
    assert!(matches!(&unique.rules[0].actions[..], [Action::Insert(0, terms, _)] if terms.len() == 1));
    assert!(matches!(&unique.rules[1].guards[..], [FactGuard::Holds(0, _)]));
    assert!(matches!(&unique.rules[1].actions[..], [Action::Fail(Some(message), _)] if &**message == "P4 violated"));
    let gold = read(
        "*.makeGoldUser(..) target (UserInfo u)\n| !(u.getCountry().equals(\"Argentina\"))\n→ Verification.fail(\"P1 violated\");",
    );
    let event = gold.rules[0].event.as_ref().expect("an event");
    assert_eq!((&*event.event, &event.arguments[..], event.open), ("makeGoldUser", &[Slot::Variable(0)][..], true));
    let flag = read(
        "*.initialise(..) | → Verification.initialized=true;\nUserInfo.openSession(..) | !Verification.initialized\n\
         → Verification.fail(\"P2 violated\");",
    );
    assert_eq!((flag.relations[0].keys, flag.relations[0].columns.len()), (0, 1));
}

#[test]
fn actions_end_where_a_rule_begins() {
    let set =
        read("a(x) | x > 1 -> n = x; s.add(x, 1), m[x] = n + 1; m.remove(x);\nb | -> fail\nproperty(x) | -> n++;");
    assert_eq!(set.rules.iter().map(|rule| rule.actions.len()).collect::<Vec<_>>(), [4, 1, 1]);
    let shapes: Vec<_> = set.relations.iter().map(|r| (&*r.name, r.keys, r.columns.len())).collect();
    assert_eq!(shapes, [("n", 0, 1), ("s", 2, 2), ("m", 1, 2)]);
}

#[test]
fn faults_have_codes() {
    assert_eq!(codes("a(x) | s.contains(x) && s == x -> s.add(x); fail"), ["E1006"]);
    assert_eq!(codes("a(x) | x > 3 -> x = 1; fail"), ["E1007"]);
    assert_eq!(codes("a(x) | s.contains(x) -> s.add(x, x); fail"), ["E1005"]);
    assert_eq!(codes("var n = 0 set n a(x) | n > 1 -> n++; fail"), ["E1002"]);
    assert_eq!(codes("a(x + 1) | -> fail"), ["E1010"]);
    assert_eq!(codes("a(x) | x + 1 -> fail"), ["E1010"]);
    assert_eq!(codes("// nothing"), ["E1009"]);
    assert_eq!(codes("a(x) | x = on -> fail"), ["L1001"]);
    assert_eq!(codes("a(x) | -> n = x"), ["L1002"]);
    assert_eq!(codes("a(x) | x > -> fail; b(x) -> fail"), ["E0003"]);
    assert_eq!(codes("property p { a | -> fail } property p { a | -> fail }"), ["E1002"]);
    assert_eq!(codes("a(x) | foo(x) -> fail"), ["E1001"]);
}

#[test]
fn printing_is_canonical_and_stable() {
    let text = "// why\nvar n=0\n*.a(Integer x,..) | ->fail\nproperty P{map m // of keys\n *.b(Integer x,_,-1) target(T t)|m[x]>=1&&!(x in s)||n==1 and x!=2->{n+=1;m.put(x,2);s.add(x);fail \"a\\\"b\";}}";
    assert!(format(&Source::new("t.gcl", text)).is_err());
    let text = text.replace(",..", "");
    let expected = "// why\nvar n = 0;\n*.a(Integer x) | -> fail;\n\nproperty P {\n  // of keys\n  map m;\n  *.b(Integer x, _, -1) target (T t) | m[x] >= 1 && x not in s || n == 1 && x != 2 -> n++; m.put(x, 2); s.add(x); fail(\"a\\\"b\");\n}\n";
    let printed = format(&Source::new("t.gcl", text.as_str())).expect("readable");
    assert_eq!(printed, expected);
    assert_eq!(format(&Source::new("t.gcl", printed.as_str())).expect("readable"), printed);
}
