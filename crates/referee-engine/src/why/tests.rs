//! Explanations word by word.

use std::sync::Arc;

use referee_spec::core::{Language, Property};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

use super::explain;
use super::history::{History, KindId};
use crate::replay::judge;
use crate::universe::ValueId;

/// The history of a whole trace.
pub fn history_of(property: &Property, trace: &OwnedTrace) -> History {
    let mut history = History::new(Arc::new(property.clone()));
    for point in &trace.points {
        let events: Vec<(KindId, Vec<ValueId>)> = point
            .events
            .iter()
            .map(|event| {
                let fields: Vec<&str> = event.arguments.iter().map(|argument| &*argument.name).collect();
                let kind = history.kind(&event.name, &fields, event.positional);
                (kind, event.arguments.iter().map(|argument| history.text(&argument.text, argument.declared)).collect())
            })
            .collect();
        let events: Vec<(KindId, &[ValueId])> = events.iter().map(|(kind, values)| (*kind, &values[..])).collect();
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
    let property = compiled.properties.first().unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let trace = trace(events);
    let outcome = judge(Arc::new(property.clone()), &trace, false);
    let violation = outcome.violations.last().unwrap_or_else(|| panic!("{specification} holds on {events}"));
    explain(&history_of(property, &trace), violation)
}

#[test]
fn dump() {
    for (language, spec, events) in [
        (
            Language::Qtl,
            "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))",
            "login(1) open(3) logout(1) close(3) access(1,3)",
        ),
        (
            Language::Qtl,
            "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))",
            "login(1) access(1,3)",
        ),
        (
            Language::Qtl,
            "prop file: Forall f . close(f) -> Exists m . @[open(f, m), close(f))",
            "open(7,r) close(7) open(8,w) close(7)",
        ),
        (Language::Qtl, "prop file: Forall f . close(f) -> Exists m . @[open(f, m), close(f))", "open(8,r) close(7)"),
        (
            Language::Qtl,
            "prop fifo: Forall x . (enter(x) -> !@P enter(x)) & (exit(x) -> !@P exit(x)) & (exit(x) -> @P enter(x)) & Forall y . exit(y) & P (enter(y) & @P enter(x)) -> @P exit(x)",
            "enter(1) enter(2) exit(2)",
        ),
        (
            Language::Qtl,
            "prop locking: Forall t . Forall l . (sleep(t) -> ![acq(t, l), rel(t, l))) & (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) & (rel(t, l) -> @[acq(t, l), rel(t, l)))",
            "acq(1,9) acq(2,9)",
        ),
        (
            Language::Qtl,
            "prop locking: Forall t . Forall l . (sleep(t) -> ![acq(t, l), rel(t, l))) & (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) & (rel(t, l) -> @[acq(t, l), rel(t, l)))",
            "acq(1,9) sleep(1)",
        ),
        (
            Language::Qtl,
            "prop deadlock: Forall t1 . Forall t2 . Forall l1 . Forall l2 . @[acq(t1, l1), rel(t1, l1)) & acq(t1, l2) -> !@P (@[acq(t2, l2), rel(t2, l2)) & acq(t2, l1))",
            "acq(1,a) acq(1,b) rel(1,b) rel(1,a) acq(2,b) acq(2,a)",
        ),
        (
            Language::Qtl,
            "prop datarace: Forall t1 . Forall t2 . Forall x . P (read(t1, x) | write(t1, x)) & P write(t2, x) -> Exists l . H (read(t1, x) | write(t1, x) -> [acq(t1, l), rel(t1, l))) & H (read(t2, x) | write(t2, x) -> [acq(t2, l), rel(t2, l)))",
            "acq(1,k) write(1,v) rel(1,k) read(2,v)",
        ),
        (
            Language::Qtl,
            "prop ancestry: Forall x . Forall y . stop(x, y) -> ancestor(x, y) where ancestor(a, c) := @ancestor(a, c) | spawn(a, c) | Exists b . @ancestor(a, b) & spawn(b, c)",
            "spawn(1,2) stop(2,1)",
        ),
        (Language::Qtl, "prop p: Forall x . H[<=3] !a(x)", "1@a(1) 4@b 9@b 11@a(2)"),
        (Language::Qtl, "prop p: Forall x . b(x) -> P[<=3] a(x)", "1@a(1) 9@b(1)"),
        (Language::Qtl, "prop p: @true", "a"),
        (Language::Qtl, "prop p: Exists x . a(x) & b(x)", "a(1)"),
        (Language::Qtl, "prop p: Forall x . a(x)", "a(1)"),
        (
            Language::Foltl,
            "(forall p:proc)(forall f:file)(always (open(p,f) => eventually close(p,f)))",
            "open(1,2) open(1,3) close(1,2)",
        ),
        (Language::Foltl, "(forall x:int)(always (a(x) => next b(x)))", "a(1) b(1) a(2)"),
        (Language::Foltl, "(forall x:int)(always (a(x) => (not c(x) until b(x))))", "a(1) c(1) b(1)"),
        (Language::Foltl, "always (a => (exists x:int) b(x))", "b(3) a"),
        (
            Language::Mfotl,
            "ALWAYS FORALL x. request(x) IMPLIES EVENTUALLY[0,5] report(x)",
            "32@request(132) 33@other(1) 38@report(132)",
        ),
        (
            Language::Mfotl,
            "ALWAYS FORALL x. request(x) IMPLIES EVENTUALLY[0,5] report(x)",
            "32@request(132) 33@other(1)",
        ),
        (Language::Mfotl, "ALWAYS FORALL u,a. withdraw(u,a) IMPLIES a <= 2000", "1@withdraw(7,2035)"),
        (Language::Mfotl, "ALWAYS FORALL u,a. withdraw(u,a) IMPLIES NOT (a + 5 > 2000)", "1@withdraw(7,2035)"),
        (Language::Mfotl, "ALWAYS FORALL x. a(x) IMPLIES PREV[0,2] b(x)", "1@b(1) 4@a(1)"),
        (Language::Mfotl, "ALWAYS FORALL x. a(x) IMPLIES MATCHP (b(x) .)", "1@c(1) 4@a(1)"),
        (Language::Mfotl, "LET seen(x) = ONCE b(x) IN ALWAYS FORALL x. a(x) IMPLIES seen(x)", "1@c(1) 4@a(1)"),
        (Language::Mfotl, "p(x) EQUIV q(x)", "1@p(1)"),
        (Language::Mfotl, "p(x) OR ONCE[2,3] q(x)", "1@p(1) 9@p(1)"),
    ] {
        eprintln!("{spec}\n   on {events}");
        for line in why(language, spec, events) {
            eprintln!("      {line}");
        }
    }
}
