//! Reading and printing RuleR.

use super::*;
use crate::core::facts::{Action, Lifetime};

fn read(text: &str) -> RuleSet {
    let Compiled { properties: mut sets, diagnostics } = compile(&Source::new("t.ruler", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    sets.remove(0)
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.ruler", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn the_seed_is_read_as_printed() {
    let set = read(
        "ruler HasNext{\n  observes hasNext(obj,bool), next(obj);\n  always Start {\n    next(i:obj), !Safe(i) -> Fail;\n    \
         hasNext(i:obj,r:bool), r -> Safe(i)\n  }\n  state Safe(i:obj){ % A 'state' rule instance is removed by Ok\n    \
         next(i) -> Ok;\n  }\n  initials Start;\n}",
    );
    assert_eq!((&*set.name, set.rules.len(), set.alphabet.len()), ("HasNext", 3, 2));
    assert_eq!(set.relations[0].initial, [Vec::new()]);
    assert!(matches!(set.rules[2].actions[..], [Action::Remove(1, ..)]));
    assert_eq!(set.binding_names(), ["i"]);
}

#[test]
fn faults_have_codes() {
    let wrap = |rules: &str| format!("ruler R {{ observes e(obj), f; always S {{ {rules} }} initials S; }}");
    assert_eq!(codes(&wrap("e(x) -> Fial")), ["E1001"]);
    assert_eq!(codes(&wrap("g(x) -> Fail")), ["E1001"]);
    assert_eq!(codes(&wrap("e(x), y > 1 -> Fail")), ["E1003"]);
    assert_eq!(codes(&wrap("e(x), f -> Fail")), ["E1004"]);
    assert_eq!(codes(&wrap("e(x, y) -> Fail")), ["E1005"]);
    assert_eq!(codes(&wrap("e(x) -> S(x), Fail")), ["E1005"]);
    assert_eq!(codes(&wrap("e(x + 1) -> Fail")), ["E1010"]);
    assert_eq!(codes(&wrap("e(x) Fail; f -> Fail")), ["E0003"]);
    assert_eq!(codes("ruler R { always S { e -> Fail } always S { } initials S; }"), ["E1002"]);
    assert_eq!(codes("ruler R { always S { e -> Fail } state T(x) { e -> T(1) } initials S; }"), Vec::<&str>::new());
    assert_eq!(codes("ruler R { always S { e -> Fail } }"), ["L1001"]);
    assert_eq!(codes("ruler R { always S { e -> Ok } initials S; }"), ["L1002"]);
    assert_eq!(codes("% nothing"), ["E1009"]);
    assert_eq!(codes("ruler R { initials S(x); state S(y) { e -> Fail } }"), ["E1010", "L1001"]);
    assert_eq!(codes("ruler R { observes e f; always S { e -> Fail } initials S; }"), ["E0003"]);
}

#[test]
fn steps_live_for_one_event() {
    let set = read(
        "ruler R { always S { e(x) -> Next(x) } step Next(x) { !e(x) -> Fail(\"late\") } initials S; forbidden Next; }",
    );
    assert_eq!(set.relations[1].lifetime, Lifetime::Step);
    assert!(set.relations[1].hot.is_some());
}

#[test]
fn printing_is_canonical_and_stable() {
    let text = "% why % so\nruler R{observes e(obj,\"%\"),f;always S{e(x:obj,_),!T(x) and(x>1 or f),x mod 2=0->T(x+1),!S,Fail(\"100%\"); % one\n->Ok} state T(y){ } initials S,T(1);forbidden T}";
    let expected = "% why % so\nruler R {\n  observes e(obj, \"%\"), f;\n  always S {\n    % one\n    e(x:obj, _), !T(x), (x > 1 or f), x mod 2 = 0 -> T(x + 1), !S, Fail(\"100%\");\n    -> Ok;\n  }\n  state T(y) { }\n  initials S, T(1);\n  forbidden T;\n}\n";
    let printed = format(&Source::new("t.ruler", text)).expect("readable");
    assert_eq!(printed, expected);
    assert_eq!(format(&Source::new("t.ruler", printed.as_str())).expect("readable"), printed);
}
