//! Explanations word by word.

use std::sync::Arc;

use referee_spec::core::{Language, Property};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

use super::explain;
use super::history::{FormulaHistory, HistoryKindId};
use crate::judge_property;
use crate::shared::universe::ValueId;

/// The history of a whole trace.
pub(super) fn history_of(property: &Property, trace: &OwnedTrace) -> FormulaHistory {
    let mut history = FormulaHistory::new(Arc::new(property.clone()));
    for point in &trace.points {
        let events: Vec<(HistoryKindId, Vec<ValueId>)> = point
            .events
            .iter()
            .map(|event| {
                let fields: Vec<&str> = event.arguments.iter().map(|argument| &*argument.name).collect();
                let kind = history.kind(&event.name, &fields, event.positional);
                (kind, event.arguments.iter().map(|argument| history.text(&argument.text, argument.declared)).collect())
            })
            .collect();
        let events: Vec<(HistoryKindId, &[ValueId])> =
            events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
        history.push_point(point.time.as_ref(), &events);
    }
    history
}

/// `7@p(1);q(2) s`: points with times, their events separated by semicolons.
fn trace(text: &str) -> OwnedTrace {
    let event = |text: &str| {
        let (name, rest) = text.split_once('(').unwrap_or((text, ")"));
        let arguments: Vec<&str> = rest.trim_end_matches(')').split(',').filter(|text| !text.is_empty()).collect();
        OwnedEvent::positional(name, &arguments)
    };
    let point = |text: &str| {
        let (time, events) = text.split_once('@').map_or((None, text), |(time, events)| (Number::parse(time), events));
        OwnedPoint { time, events: events.split(';').filter(|text| *text != "-").map(event).collect() }
    };
    OwnedTrace { points: text.split_whitespace().map(point).collect() }
}

/// The explanation of the last violation.
fn why(language: Language, specification: &str, events: &str) -> Vec<String> {
    let source = Source::new("test", specification);
    let compiled = compile(language, &source, &Options::default());
    let rule = compiled.properties.first().unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let property = rule.as_formula().expect("a formula");
    let trace = trace(events);
    let outcome = judge_property(property.clone(), &trace, false);
    let violation = outcome.violations.last().unwrap_or_else(|| panic!("{specification} holds on {events}"));
    explain(&history_of(property, &trace), violation)
}

/// Checks the explanation of the last violation of a property.
fn check(language: Language, specification: &str, events: &str, expected: &[&str]) {
    assert_eq!(why(language, specification, events), expected, "{specification} on {events}");
}

#[test]
fn two_conjuncts_fail() {
    check(
        Language::Qtl,
        "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))",
        "login(1) open(3) logout(1) close(3) access(1,3)",
        &[
            "`access(1,3)` happens at point 5",
            "`[login(u), logout(u))` fails at point 5 for u = 1",
            "`login(1)` at point 1 was ended by `logout(1)` at point 3",
            "`[open(f), close(f))` fails at point 5 for f = 3",
            "`open(3)` at point 2 was ended by `close(3)` at point 4",
        ],
    );
}

#[test]
fn what_began_never_did() {
    check(
        Language::Qtl,
        "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))",
        "login(1) access(1,3)",
        &[
            "`access(1,3)` happens at point 2",
            "`[open(f), close(f))` fails at point 2 for f = 3",
            "`open(3)` never happened up to point 2",
        ],
    );
}

#[test]
fn an_exists_with_the_nearest_candidate() {
    check(
        Language::Qtl,
        "prop file: Forall f . close(f) -> Exists m . @[open(f, m), close(f))",
        "open(7,r) close(7) open(8,w) close(7)",
        &[
            "`close(7)` happens at point 4",
            "no m makes `@[open(f, m), close(f))` hold at point 4 for f = 7",
            "`open(7,r)` at point 1 was ended by `close(7)` at point 2",
        ],
    );
}

#[test]
fn an_exists_without_a_candidate() {
    check(
        Language::Qtl,
        "prop file: Forall f . close(f) -> Exists m . @[open(f, m), close(f))",
        "open(8,r) close(7)",
        &[
            "`close(7)` happens at point 2",
            "no m makes `@[open(f, m), close(f))` hold at point 2 for f = 7",
            "`open(7,m)` never happened up to point 1 for m = any other value",
        ],
    );
}

#[test]
fn a_forall_with_a_counterexample() {
    check(
        Language::Qtl,
        "prop fifo: Forall x . (enter(x) -> !@P enter(x)) & (exit(x) -> !@P exit(x)) & (exit(x) -> @P enter(x)) & Forall y . exit(y) & P (enter(y) & @P enter(x)) -> @P exit(x)",
        "enter(1) enter(2) exit(2)",
        &[
            "for y = 2, `exit(y) & P (enter(y) & @P enter(x)) -> @P exit(x)` fails at point 3",
            "`exit(2)` happens at point 3",
            "`P (enter(y) & @P enter(x))` holds at point 3 for x = 1, y = 2",
            "`enter(2)` happens at point 2",
            "`@P exit(x)` fails at point 3 for x = 1",
            "`exit(1)` never happened up to point 2",
        ],
    );
}

#[test]
fn an_exists_that_should_fail() {
    check(
        Language::Qtl,
        "prop locking: Forall t . Forall l . (sleep(t) -> ![acq(t, l), rel(t, l))) & (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) & (rel(t, l) -> @[acq(t, l), rel(t, l)))",
        "acq(1,9) acq(2,9)",
        &[
            "`acq(2,9)` happens at point 2",
            "`Exists s . @[acq(s, l), rel(s, l))` holds at point 2 for l = 9",
            "for s = 1, `@[acq(s, l), rel(s, l))` holds at point 2",
            "`acq(1,9)` happens at point 1",
        ],
    );
}

#[test]
fn a_since_that_should_fail() {
    check(
        Language::Qtl,
        "prop locking: Forall t . Forall l . (sleep(t) -> ![acq(t, l), rel(t, l))) & (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) & (rel(t, l) -> @[acq(t, l), rel(t, l)))",
        "acq(1,9) sleep(1)",
        &[
            "`sleep(1)` happens at point 2",
            "`[acq(t, l), rel(t, l))` holds at point 2 for t = 1, l = 9",
            "`acq(1,9)` happens at point 1",
            "`rel(1,9)` did not happen at point 2",
        ],
    );
}

#[test]
fn events_that_should_not_have_met() {
    check(
        Language::Qtl,
        "prop deadlock: Forall t1 . Forall t2 . Forall l1 . Forall l2 . @[acq(t1, l1), rel(t1, l1)) & acq(t1, l2) -> !@P (@[acq(t2, l2), rel(t2, l2)) & acq(t2, l1))",
        "acq(1,a) acq(1,b) rel(1,b) rel(1,a) acq(2,b) acq(2,a)",
        &[
            "`@[acq(t1, l1), rel(t1, l1))` holds at point 6 for t1 = 2, l1 = b",
            "`acq(2,b)` happens at point 5",
            "`acq(2,a)` happens at point 6",
            "`@P (@[acq(t2, l2), rel(t2, l2)) & acq(t2, l1))` holds at point 6 for t2 = 1, l1 = b, l2 = a",
            "`acq(1,a)` happens at point 1",
            "`acq(1,b)` happens at point 2",
        ],
    );
}

#[test]
fn a_common_lock_is_missing() {
    check(
        Language::Qtl,
        "prop datarace: Forall t1 . Forall t2 . Forall x . P (read(t1, x) | write(t1, x)) & P write(t2, x) -> Exists l . H (read(t1, x) | write(t1, x) -> [acq(t1, l), rel(t1, l))) & H (read(t2, x) | write(t2, x) -> [acq(t2, l), rel(t2, l)))",
        "acq(1,k) write(1,v) rel(1,k) read(2,v)",
        &[
            "`P (read(t1, x) | write(t1, x))` holds at point 4 for t1 = 2, x = v",
            "`read(2,v)` happens at point 4",
            "`P write(t2, x)` holds at point 4 for t2 = 1, x = v",
            "no l makes `H (read(t1, x) | write(t1, x) -> [acq(t1, l), rel(t1, l))) & H (read(t2, x) | write(t2, x) -> [acq(t…` hold at point 4 for t1 = 2, t2 = 1, x = v",
            "`acq(2,k)` never happened up to point 4",
        ],
    );
}

#[test]
fn a_recursive_definition_is_named() {
    check(
        Language::Qtl,
        "prop ancestry: Forall x . Forall y . stop(x, y) -> ancestor(x, y) where ancestor(a, c) := @ancestor(a, c) | spawn(a, c) | Exists b . @ancestor(a, b) & spawn(b, c)",
        "spawn(1,2) stop(2,1)",
        &["`stop(2,1)` happens at point 2", "`ancestor(x, y)` fails at point 2 for x = 2, y = 1"],
    );
}

#[test]
fn historically_names_the_first_failure() {
    check(
        Language::Qtl,
        "prop p: Forall x . H[<=3] !a(x)",
        "1@a(1) 4@b 9@b 11@a(2)",
        &["`a(2)` happens at time 11 (point 4)"],
    );
}

#[test]
fn a_past_window_names_the_last_event_before_it() {
    check(
        Language::Qtl,
        "prop p: Forall x . b(x) -> P[<=3] a(x)",
        "1@a(1) 9@b(1)",
        &[
            "`b(1)` happens at time 9 (point 2)",
            "`P[<=3] a(x)` fails at time 9 (point 2) for x = 1",
            "no `a(1)` from time 6 to 9; the last one before that is at time 1 (point 1)",
        ],
    );
}

#[test]
fn there_is_no_previous_point() {
    check(Language::Qtl, "prop p: @true", "a", &["`@true` fails at point 1", "there is no point before point 1"]);
}

#[test]
fn no_value_at_all() {
    check(
        Language::Qtl,
        "prop p: Exists x . a(x) & b(x)",
        "a(1)",
        &[
            "no x makes `a(x) & b(x)` hold at point 1",
            "`a(x)` does not happen at point 1 for x = any other value",
            "`b(x)` does not happen at point 1 for x = any other value",
        ],
    );
}

#[test]
fn any_other_value() {
    check(
        Language::Qtl,
        "prop p: Forall x . a(x)",
        "a(1)",
        &["`a(x)` does not happen at point 1 for x = any other value"],
    );
}

#[test]
fn an_obligation_is_open_at_the_end() {
    check(
        Language::Foltl,
        "(forall p:proc)(forall f:file)(always (open(p,f) => eventually close(p,f)))",
        "open(1,2) open(1,3) close(1,2)",
        &["`open(1,3)` at point 2 was never followed by `close(1,3)`: the trace ended at point 3"],
    );
}

#[test]
fn there_is_no_next_point() {
    check(
        Language::Foltl,
        "(forall x:int)(always (a(x) => next b(x)))",
        "a(1) b(1) a(2)",
        &[
            "`a(2)` happens at point 3",
            "`next b(x)` fails at point 3 for x = 2",
            "there is no point after point 3: the trace ended",
        ],
    );
}

#[test]
fn until_is_broken() {
    check(
        Language::Foltl,
        "(forall x:int)(always (a(x) => (not c(x) until b(x))))",
        "a(1) c(1) b(1)",
        &[
            "`a(1)` happens at point 1",
            "`(not c(x) until b(x))` fails at point 1 for x = 1",
            "`c(1)` happens at point 2",
            "`b(1)` did not happen from point 1 to point 2",
        ],
    );
}

#[test]
fn an_exists_over_the_trace() {
    check(
        Language::Foltl,
        "always (a => (exists x:int) b(x))",
        "b(3) a",
        &["`a` happens at point 2", "no x makes `b(x)` hold at point 2"],
    );
}

#[test]
fn a_future_window_names_the_next_event() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL x. request(x) IMPLIES EVENTUALLY[0,5] report(x)",
        "32@request(132) 33@other(1) 38@report(132)",
        &[
            "`request(132)` happens at time 32 (point 1)",
            "`EVENTUALLY[0,5] report(x)` fails at time 32 (point 1) for x = 132",
            "no `report(132)` from time 32 to 37; the next one is at time 38 (point 3)",
        ],
    );
}

#[test]
fn a_future_window_beyond_the_end() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL x. request(x) IMPLIES EVENTUALLY[0,5] report(x)",
        "32@request(132) 33@other(1)",
        &[
            "`request(132)` happens at time 32 (point 1)",
            "`EVENTUALLY[0,5] report(x)` fails at time 32 (point 1) for x = 132",
            "no `report(132)` from time 32 to 37 (the trace ended at time 33 (point 2))",
        ],
    );
}

#[test]
fn a_comparison_fails() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL u,a. withdraw(u,a) IMPLIES a <= 2000",
        "1@withdraw(7,2035)",
        &["`withdraw(7,2035)` happens at time 1 (point 1)", "`2035 <= 2000` does not hold"],
    );
}

#[test]
fn a_comparison_holds() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL u,a. withdraw(u,a) IMPLIES NOT (a + 5 > 2000)",
        "1@withdraw(7,2035)",
        &["`withdraw(7,2035)` happens at time 1 (point 1)", "`2040 > 2000` holds"],
    );
}

#[test]
fn the_previous_point_is_too_far() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL x. a(x) IMPLIES PREV[0,2] b(x)",
        "1@b(1) 4@a(1)",
        &[
            "`a(1)` happens at time 4 (point 2)",
            "`PREV[0,2] b(x)` fails at time 4 (point 2) for x = 1",
            "from time 1 (point 1) to time 4 (point 2) it took 3, which is not in [0,2]",
        ],
    );
}

#[test]
fn a_regular_expression_is_named() {
    check(
        Language::Mfotl,
        "ALWAYS FORALL x. a(x) IMPLIES MATCHP (b(x) .)",
        "1@c(1) 4@a(1)",
        &["`a(1)` happens at time 4 (point 2)", "`MATCHP (b(x) .)` fails at time 4 (point 2) for x = 1"],
    );
}

#[test]
fn a_definition_is_opened() {
    check(
        Language::Mfotl,
        "LET seen(x) = ONCE b(x) IN ALWAYS FORALL x. a(x) IMPLIES seen(x)",
        "1@c(1) 4@a(1)",
        &[
            "`a(1)` happens at time 4 (point 2)",
            "`seen(x)` fails at time 4 (point 2) for x = 1",
            "`b(1)` never happened up to time 4 (point 2)",
        ],
    );
}

#[test]
fn both_sides_of_an_equivalence() {
    check(
        Language::Mfotl,
        "p(x) EQUIV q(x)",
        "1@p(1)",
        &["`p(1)` happens at time 1 (point 1)", "`q(1)` does not happen at time 1 (point 1)"],
    );
}

#[test]
fn a_window_without_points() {
    check(
        Language::Mfotl,
        "p(x) OR ONCE[2,3] q(x)",
        "1@p(1) 9@p(1)",
        &[
            "`p(x)` does not happen at time 9 (point 2) for x = any other value",
            "`ONCE[2,3] q(x)` fails at time 9 (point 2) for x = any other value",
            "no point lies [2,3] before time 9 (point 2)",
        ],
    );
}

#[test]
fn duals_say_what_their_negations_do() {
    let trigger = "ALWAYS FORALL x. a(x) IMPLIES (b(x) TRIGGER c(x))";
    check(
        Language::Mfotl,
        trigger,
        "1@c(1) 2@c(2) 3@a(1);c(1)",
        &[
            "`a(1)` happens at time 3 (point 3)",
            "`b(x) TRIGGER c(x)` fails at time 3 (point 3) for x = 1",
            "`c(1)` does not happen at time 2 (point 2)",
            "`b(1)` did not happen at time 3 (point 3)",
        ],
    );
    let release = "ALWAYS FORALL x. a(x) IMPLIES (b(x) RELEASE c(x))";
    check(
        Language::Mfotl,
        release,
        "1@a(1);c(1) 2@c(2)",
        &[
            "`a(1)` happens at time 1 (point 1)",
            "`b(x) RELEASE c(x)` fails at time 1 (point 1) for x = 1",
            "`c(1)` does not happen at time 2 (point 2)",
            "`b(1)` did not happen at time 1 (point 1)",
        ],
    );
}

#[test]
fn deep_recursion_is_followed() {
    let specification = "prop lamp: glow -> on where on := press & (@off | !@true) | !press & @on, off := !on";
    let events = format!("press {}press glow", "idle ".repeat(20_000));
    check(Language::Qtl, specification, &events, &["`glow` happens at point 20003", "`on` fails at point 20003"]);
}

#[test]
fn long_histories_are_scanned_once() {
    let specification = "prop p: Forall x . b(x) -> H (a(x) -> P c(x))";
    let events = format!("{}a(7) b(7)", "a(1) c(2) ".repeat(20_000));
    check(
        Language::Qtl,
        specification,
        &events,
        &[
            "`b(7)` happens at point 40002",
            "`a(7)` happens at point 40001",
            "`P c(x)` fails at point 40001 for x = 7",
            "`c(7)` never happened up to point 40001",
        ],
    );
}
