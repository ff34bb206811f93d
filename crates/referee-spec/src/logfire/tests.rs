//! Reading and printing LogFire.

use super::*;
use crate::core::facts::Action;

fn read(text: &str) -> RuleSet {
    let Compiled { properties: mut sets, diagnostics } = compile(&Source::new("t.logfire", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    sets.remove(0)
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("t.logfire", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn both_notations_mean_the_same() {
    let plain =
        read("rule safe: hasNext(i, true) -> insert Safe(i)\nrule bad: next(i) & not Safe(i) -> fail \"unsafe\"");
    let scala = read(
        "\"safe\" -- 'hasNext('i, true) |-> insert('Safe('i))\n\"bad\" -- 'next('i) & not('Safe('i)) |-> fail(\"unsafe\")",
    );
    let shown = |set: &RuleSet| {
        let rules = set.rules.iter().map(|rule| format!("{:?} {:?} {:?}", rule.name, rule.event, rule.facts));
        rules.collect::<Vec<_>>()
    };
    assert_eq!(shown(&plain), shown(&scala));
    assert_eq!(plain.relations.len(), 1);
    assert_eq!(scala.rules[1].guards.len(), 1);
}

#[test]
fn updates_replace_what_was_matched() {
    let set = read(
        "rule a: tick() & Count(n) & n < 3 -> update Count(n + 1)\nrule b: stop() & Count(n) -> remove Count, fail",
    );
    assert!(matches!(set.rules[0].actions[..], [Action::Remove(0, ..), Action::Insert(0, ..)]));
    assert!(matches!(set.rules[1].actions[..], [Action::Remove(0, ..), Action::Fail(..)]));
}

#[test]
fn faults_have_codes() {
    assert_eq!(codes("event e(x)\nrule r: f(x) -> fail"), ["E1001"]);
    assert_eq!(codes("fact F(x)\nrule r: e(x) -> insert G(x), insert F(x), fail"), ["E1001"]);
    assert_eq!(codes("fact F(x)\nhot fact F(x)\nrule r: e(x) -> insert F(x), fail"), ["E1002"]);
    assert_eq!(codes("rule r: e(x) -> fail\nrule r: e(x) -> fail"), ["E1002"]);
    assert_eq!(codes("rule r: e(x) & x = on -> fail"), ["E1003"]);
    assert_eq!(codes("rule r: e(x) & f(y) -> fail"), ["E1004"]);
    assert_eq!(codes("fact F(x)\nrule r: e(x, y) -> insert F(x, y), fail"), ["L1001", "E1005"]);
    assert_eq!(codes("rule r: e(x) -> update F(x), fail"), ["E1008", "L1001"]);
    assert_eq!(codes("rule r: F(x) & F(y) -> update F(x), fail"), ["E1008", "L1001"]);
    assert_eq!(codes("// nothing"), ["E1009"]);
    assert_eq!(codes("rule r: e(x + 1) -> fail"), ["E1010"]);
    assert_eq!(codes("fact F(x)\nrule r: e(x) & not F(x) -> fail"), ["L1001"]);
    assert_eq!(codes("rule r: e(x) -> insert F(x)"), ["L1002"]);
    assert_eq!(codes("rule r: e(x) -> insert\nrule s: f(x) -> fail"), ["E0003"]);
    assert_eq!(codes("monitor M { rule r: e -> fail } monitor M { rule r: e -> fail }"), ["E1002"]);
}

#[test]
fn printing_is_canonical_and_stable() {
    let text = "// why\nmonitor M{event e(x),f hot fact F(x,y) // warm\n\"a rule\" -- e('x)&F(x,_)&(x>1||f)&!(x=2) |-> remove(F),insert F(x,x*2),fail(\"no\\n\")\nrule s:f->ok;}";
    let expected = "// why\nmonitor M {\n  event e(x), f\n  // warm\n  hot fact F(x, y)\n  rule \"a rule\": e(x) & F(x, _) & (x > 1 or f) & not (x = 2) -> remove F, insert F(x, x * 2), fail \"no\\n\"\n  rule s: f -> ok\n}\n";
    let printed = format(&Source::new("t.logfire", text)).expect("readable");
    assert_eq!(printed, expected);
    assert_eq!(format(&Source::new("t.logfire", printed.as_str())).expect("readable"), printed);
}
