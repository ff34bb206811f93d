//! Reading and printing DATEs.

use super::*;
use crate::core::machine::dates::{DateTrigger, Dates};

fn read(text: &str) -> Dates {
    let Compiled { properties: mut machines, diagnostics } =
        compile(&Source::new("t.larva", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    match machines.remove(0).body {
        Body::Dates(body) => body,
        _ => panic!("a file of DATEs"),
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.larva", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

/// A file with one property of these transitions.
fn file(variables: &str, events: &str, transitions: &str) -> String {
    format!(
        "GLOBAL {{ VARIABLES {{ {variables} }} EVENTS {{ {events} }} PROPERTY p {{ STATES {{ BAD {{ b }} STARTING {{ s }} }} \
         TRANSITIONS {{ {transitions} }} }} }}"
    )
}

#[test]
fn scopes_nest_and_delays_are_in_order() {
    let dates = read(
        "GLOBAL { VARIABLES { Clock c; } EVENTS { t() = { c@5 | c@2.5 } } FOREACH (User u) { EVENTS { in() = { *.login(u) } both() = { in | t } } \
         FOREACH (s) { EVENTS { open(x) = { User x.open(s, ..) uponReturning (r) } where u = x; } \
         PROPERTY p { STATES { STARTING { a } } TRANSITIONS { a -> a [open \\ r == 1] } } } } }",
    );
    assert_eq!(dates.scopes.iter().map(|scope| scope.parent).collect::<Vec<_>>(), [None, Some(0), Some(1)]);
    assert_eq!(dates.clocks[0].delays.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2.5", "5"]);
    assert_eq!(dates.events[0].ways[0].trigger, DateTrigger::Timeout(0, 1));
    assert_eq!(dates.events[2].ways.len(), 3);
    let open = &dates.events[3].ways[0];
    assert_eq!(open.keys(), [(0, 0), (1, 1)]);
    assert!(open.open && open.arguments.len() == 3);
}

#[test]
fn faults_have_codes_and_places() {
    assert_eq!(codes(&file("", "e() = { e() }", "s -> c [e]")), ["E1101"]);
    assert_eq!(codes(&file("int n; Clock n;", "e() = { e() }", "s -> b [e]")), ["E1102"]);
    assert_eq!(codes(&file("", "e() = { e() } e() = { f() }", "s -> b [e]")), ["E1102"]);
    assert_eq!(codes(&file("", "e() = { e() }", "s -> b [f]")), ["E1103"]);
    assert_eq!(codes(&file("", "e() = { e(x) }", "s -> b [e \\ y == 1]")), ["E1104"]);
    assert_eq!(codes(&file("Clock c;", "e() = { e(x) }", "s -> b [e \\ c == 1]")), ["E1105"]);
    assert_eq!(codes(&file("int n;", "e() = { n@5 }", "s -> b [e]")), ["E1105"]);
    assert_eq!(codes(&file("int n;", "e() = { e() }", "s -> b [e \\\\ n.send(1);]")), ["E1105"]);
    assert_eq!(codes(&file("", "e() = { e(x) }", "s -> b [e \\\\ x = 1;]")), ["E1106"]);
    assert_eq!(codes(&file("Clock c;", "e() = { c@0 }", "s -> b [e]")), ["E1109"]);
    assert_eq!(codes(&file("", "e(User u) = { e(x) }", "s -> b [e]")), ["L1101"]);
    assert_eq!(codes("GLOBAL { EVENTS { e() = { e() } } }"), ["E1108"]);
    assert_eq!(codes("GLOBAL { PROPERTY p { STATES { NORMAL { s } } TRANSITIONS { } } }"), ["E1107"]);
    assert_eq!(codes("GLOBAL { FOREACH (u) { PROPERTY p { STATES { STARTING { s } } TRANSITIONS { } } } }"), ["L1102"]);
    // The missing bracket is told, and once more where the transition turns out to have no end.
    assert_eq!(codes(&file("", "e() = { e() }", "s -> b e")), ["E0003", "E0003"]);
}

#[test]
fn one_fault_does_not_hide_the_next() {
    let text = "GLOBAL { VARIABLES { int n = ; int m; } EVENTS { f() = { f(x) } e( = { e() } } PROPERTY p { STATES { STARTING { s } } \
                TRANSITIONS { s s [f]; s -> s [f \\ x > \\ m++;] s -> s [f \\\\ m.fly();] } } }";
    // Five faults; that of the event's arguments is told at both of its ends.
    assert_eq!(codes(text).len(), 6, "{:?}", compile(&Source::new("t", text), &Options::default()).diagnostics);
}

#[test]
fn printing_is_canonical_and_stable() {
    let text = "// why\nglobal{variables{int n=0;Clock c=new Clock();// odd\n}events{e(User u)={*.go(u,_,-1)|c@5}}property p{states{bad{b}starting{s}} \
                transitions{// one\n s->b[e\\(n>1||n==0)&&!(n<3)\\n=n+1;c.reset()] s->s[e\\\\n-=2]}}foreach(User v){}}";
    let expected = "// why\nGLOBAL {\n  VARIABLES {\n    int n = 0;\n    // odd\n    Clock c;\n  }\n  EVENTS {\n    e(User u) = { go(u, _, -1) | c@5 }\n  }\n  \
                    PROPERTY p {\n    STATES {\n      BAD { b }\n      STARTING { s }\n    }\n    TRANSITIONS {\n      // one\n      \
                    s -> b [e \\ (n > 1 || n == 0) && !(n < 3) \\ n++; c.reset();]\n      s -> s [e \\\\ n = n - 2;]\n    }\n  }\n  FOREACH (User v) {\n  }\n}\n";
    let printed = format(&Source::new("t.larva", text)).expect("readable");
    assert_eq!(printed, expected);
    assert_eq!(format(&Source::new("t.larva", printed.as_str())).expect("readable"), printed);
}
