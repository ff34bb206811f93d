//! Sessions: event by event or in batches, rules of any languages, with a clock that moves between points.
//!
//! ```text
//!   rule, trace ─┬▶ read as a file ──────────────────────▶ outcome ─┐
//!                ├▶ point by point, in batches of any size ▶ outcome ┼ the same
//!                └▶ with a moving clock ─▶ outcome ─────────────────┴ that of the oracle, which knows of the clock
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

mod feeding;
mod random_rules;

use std::sync::Arc;

use feeding::{events_of, step};
use random_rules::{KINDS, case, rule_of, show, sorted};
use referee_engine::judge::{Finding, ReportRow, Wanted};
use referee_engine::session::{Loaded, Session, SessionError, SessionKind};
use referee_engine::{Settings, judge_rule};
use referee_oracle::random::Rng;
use referee_oracle::{ClockStep, Mode, judge_rule as expected, judge_with_clock};
use referee_spec::core::{Language, Outcome, Rule, Status, Violation};
use referee_testing::seeds;
use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::values::Atom;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 300;
/// How many DATEs: most never time out.
const DATES: u64 = 3_000;

// ── Feeding a session ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Hands a trace to a session, so many points at a time, and moves the clock where it is told to.
fn feed(session: &mut Session, trace: &OwnedTrace, together: usize, clock: &[ClockStep]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, point) in (1..).zip(&trace.points) {
        let events = events_of(session, point);
        let events: Vec<(SessionKind, &[Atom])> = events.iter().map(|(kind, atoms)| (*kind, &atoms[..])).collect();
        session.add(point.time.as_ref(), &events).expect("points are in order");
        if number % together == 0 {
            found.extend(session.judge());
        }
        for step in clock.iter().filter(|step| step.after == number) {
            found.extend(session.advance(&step.time).expect("the clock goes on"));
        }
    }
    found
}

/// The outcome of the only rule of a session, and its findings before the end.
fn outcome_of(
    session: &mut Session,
    trace: &OwnedTrace,
    together: usize,
    clock: &[ClockStep],
) -> (Outcome, Vec<Finding>) {
    let found = feed(session, trace, together, clock);
    let mut outcome = session.end().remove(0);
    let before = found.iter().map(|finding| finding.violation.clone());
    outcome.violations = before.chain(outcome.violations).collect();
    (sorted(outcome), found)
}

fn without_opened(mut outcome: Outcome) -> Outcome {
    outcome.violations.iter_mut().for_each(|violation| violation.opened = None);
    outcome
}

// ── Tests ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Event by event and in batches of every size, a session finds what `check` finds, in the same order.
#[test]
fn a_session_finds_what_check_finds() {
    for (kind, seed) in (0..KINDS).flat_map(|kind| seeds(CASES).map(move |seed| (kind, seed))) {
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = case(kind, &mut rng) else { continue };
        let prefix = seed % 4 == 0;
        let settings = Settings { prefix, ..Settings::default() };
        let check = sorted(judge_rule(&rule, &trace, prefix));
        let mut first = None;
        for together in [1, 2, 3, 7, 1000] {
            let mut session = Session::with(std::slice::from_ref(&rule), &settings);
            let (outcome, mut found) = outcome_of(&mut session, &trace, together, &[]);
            assert_eq!(outcome, check, "kind {kind}, seed {seed}, {together} together\n{}", show(&rule, &trace));
            if trace.points.len() % together == 0 {
                let first = first.get_or_insert_with(|| found.clone());
                assert_eq!(*first, found, "kind {kind}, seed {seed}: the order");
            }
            found.clear();
        }
    }
}

/// What a session of one rule says in the end: the outcome, the robustness of signals, and what reports got.
fn said(session: &mut Session, found: Vec<Violation>, prefix: bool) -> (Outcome, Option<String>, Vec<ReportRow>) {
    let mut outcome = session.end_as(prefix).remove(0);
    outcome.violations = found.into_iter().chain(outcome.violations).collect();
    (sorted(outcome), session.robustness(0), session.take_reports())
}

/// A session in which kinds of a trace were met in another order, and others as well, and so were values.
fn elsewhere(mut session: Session, trace: &OwnedTrace, rng: &mut Rng) -> Session {
    for _ in 0..rng.below(3) {
        session.kind(rng.pick(&["stranger", "other", "a", "p"]), &["x", "y", "z"][..rng.below(4)]);
        session.text(rng.pick(&["stranger", "3", "w", "10e-1", "0.5"]));
    }
    let mut events: Vec<_> = trace.points.iter().flat_map(|point| &point.events).collect();
    while !events.is_empty() && rng.chance(60) {
        let event = events.swap_remove(rng.below(events.len()));
        session.kind_of(&event.shape());
        event.arguments.iter().for_each(|argument| _ = session.text(&argument.text));
    }
    session
}

/// Automata and slices, which follow bindings in many ways, of which some are rare.
const BINDINGS: [usize; 3] = [7, 8, 12];

/// Saved and loaded between any two points, also twice, into sessions in which values and kinds were met in another order, a
/// session finds what it would have found anyway; whoever cannot be saved says so.
#[test]
fn saving_and_loading_changes_nothing() {
    let kinds: Vec<usize> = (0..KINDS).filter(|kind| !BINDINGS.contains(kind)).collect();
    save_and_load(&kinds, CASES);
}

#[test]
fn saving_and_loading_machines_changes_nothing() {
    save_and_load(&BINDINGS, 4 * CASES);
}

fn save_and_load(kinds: &[usize], cases: u64) {
    let (mut moved, mut violated) = ([0; KINDS], [0; KINDS]);
    for (kind, seed) in kinds.iter().flat_map(|kind| seeds(cases).map(move |seed| (*kind, seed))) {
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = case(kind, &mut rng) else { continue };
        let prefix = seed % 4 == 0;
        let settings = Settings { prefix, compile: rng.chance(50), ..Settings::default() };
        let start = || Session::with(std::slice::from_ref(&rule), &settings);
        let mut session = start();
        let before = feed(&mut session, &trace, 1, &[]).into_iter().map(|finding| finding.violation).collect();
        let stayed = said(&mut session, before, prefix);
        let mut session = start();
        let mut found: Vec<Violation> = Vec::new();
        for point in &trace.points {
            for _ in 0..rng.below(3) {
                let bytes = session.save().unwrap_or_else(|error| panic!("kind {kind}, seed {seed}: {error}"));
                session = elsewhere(start(), &trace, &mut rng);
                let loaded = session.load(&bytes);
                let loaded =
                    loaded.unwrap_or_else(|error| panic!("kind {kind}, seed {seed}: {error}\n{}", show(&rule, &trace)));
                assert_eq!(loaded, Loaded::default());
                moved[kind] += 1;
            }
            found.extend(step(&mut session, point).into_iter().map(|finding| finding.violation));
        }
        let there = said(&mut session, found, prefix);
        violated[kind] += u64::from(!there.0.violations.is_empty());
        assert_eq!(there, stayed, "kind {kind}, seed {seed}\n{}", show(&rule, &trace));
    }
    let enough = kinds.iter().all(|kind| moved[*kind] > 20 && violated[*kind] > 0);
    assert!(enough || referee_testing::cases(CASES) < 100, "{moved:?} {violated:?}");
}

/// Rules of several languages in one session find what each finds by itself, in the order in which it is decided.
#[test]
fn rules_do_not_disturb_each_other() {
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let mut rules: Vec<Arc<Rule>> = Vec::new();
        let mut all = OwnedTrace::default();
        for kind in [2, 1, 0, 10, 7, 8, 2] {
            let Some((rule, trace)) = case(kind, &mut rng) else { continue };
            rules.push(rule);
            // The interpreter takes exponentially long for some formulas on long traces.
            all.points.extend(trace.points.into_iter().take(2));
        }
        for (number, point) in (1..).zip(&mut all.points) {
            point.time = Some(Number::Int(number / 3));
        }
        let mut session = Session::new(&rules);
        let mut found = feed(&mut session, &all, 1 + rng.below(5), &[]);
        found.extend(session.judge());
        assert!(found.is_sorted_by_key(|finding| (finding.violation.decided, finding.rule)), "seed {seed}: the order");
        let mut outcomes = session.end();
        for finding in found {
            outcomes[finding.rule].violations.push(finding.violation);
        }
        for (rule, outcome) in rules.iter().zip(outcomes) {
            assert_eq!(sorted(outcome), sorted(judge_rule(rule, &all, false)), "seed {seed}\n{}", show(rule, &all));
        }
    }
}

/// What a rule finds in a trace that begins after so many points of another one.
fn late(rule: &Arc<Rule>, settings: &Settings, rest: &OwnedTrace, before: u64) -> Outcome {
    let (mut outcome, _) = outcome_of(&mut Session::with(std::slice::from_ref(rule), settings), rest, 1, &[]);
    for violation in &mut outcome.violations {
        violation.point += before;
        violation.decided = violation.decided.map(|point| point + before);
        violation.opened = violation.opened.map(|point| point + before);
    }
    outcome.obstacle.iter_mut().for_each(|obstacle| obstacle.point += before);
    outcome
}

/// Rules that both have go on from a state, in any order; those of the state alone are dropped, and those of the session alone
/// judge what comes as a trace of its own.
#[test]
fn rules_come_and_go_between_saving_and_loading() {
    let (mut moved, mut late_violations) = (0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let mut rules: Vec<Arc<Rule>> = Vec::new();
        let mut all = OwnedTrace::default();
        for kind in [0, 1, 2, 7, 8, 10] {
            let Some((rule, trace)) = case(kind, &mut rng) else { continue };
            rules.insert(rng.below(rules.len() + 1), rule);
            all.points.extend(trace.points.into_iter().take(3));
        }
        for (number, point) in (1..).zip(&mut all.points) {
            point.time = Some(Number::Int(number / 3));
        }
        let is_twice =
            |rule: &Arc<Rule>| rules.iter().filter(|other| format!("{other:?}") == format!("{rule:?}")).count() > 1;
        if rules.len() < 3 || rules.iter().any(is_twice) {
            continue;
        }
        let settings = Settings { compile: rng.chance(50), separate: true, ..Settings::default() };
        let added = rules.pop().expect("there are three");
        let cut = rng.below(all.points.len() + 1);
        let rest = OwnedTrace { points: all.points.split_off(cut) };
        let mut session = Session::with(&rules, &settings);
        let mut found = feed(&mut session, &all, 1, &[]);
        let bytes = session.save().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        // One rule goes, another comes, and all others change their places.
        let dropped = rules.remove(rng.below(rules.len()));
        found.retain(|finding| !Arc::ptr_eq(&session_rule(&session, finding.rule), &dropped));
        let names: Vec<usize> =
            found.iter().map(|finding| place(&rules, &session_rule(&session, finding.rule))).collect();
        let place_of_added = rng.below(rules.len() + 1);
        let order: Vec<usize> = (0..rules.len()).rev().collect();
        let mut others: Vec<Arc<Rule>> = order.iter().map(|rule| rules[*rule].clone()).collect();
        others.insert(place_of_added, added.clone());
        let mut session = Session::with(&others, &settings);
        let loaded = session.load(&bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(loaded, Loaded { dropped: vec![dropped.name().to_string()], begun: vec![place_of_added] });
        let mut violations: Vec<Vec<Violation>> = vec![Vec::new(); others.len()];
        for (finding, rule) in found.into_iter().zip(names) {
            violations[place(&others, &rules[rule])].push(finding.violation);
        }
        for finding in feed(&mut session, &rest, 1 + rng.below(3), &[]) {
            violations[finding.rule].push(finding.violation);
        }
        let outcomes = session.end();
        all.points.extend(rest.points.iter().cloned());
        for ((rule, mut outcome), before) in others.iter().zip(outcomes).zip(violations) {
            outcome.violations.splice(0..0, before);
            let is_added = Arc::ptr_eq(rule, &added);
            late_violations += u64::from(is_added && cut > 0) * outcome.violations.len() as u64;
            let expected = match is_added {
                true => late(rule, &settings, &rest, cut as u64),
                false => late(rule, &settings, &all, 0),
            };
            assert_eq!(sorted(outcome), sorted(expected), "seed {seed}, cut at {cut}\n{}", show(rule, &all));
        }
        moved += 1;
    }
    let enough = moved > 50 && late_violations > 20;
    assert!(enough || referee_testing::cases(CASES) < 100, "{moved} moved, {late_violations} late");
}

fn session_rule(session: &Session, rule: usize) -> Arc<Rule> {
    session.rules()[rule].clone()
}

fn place(rules: &[Arc<Rule>], rule: &Arc<Rule>) -> usize {
    rules.iter().position(|other| Arc::ptr_eq(other, rule)).expect("it is there")
}

/// A clock that moves now and then, never beyond the next point.
fn random_clock(rng: &mut Rng, trace: &OwnedTrace) -> Vec<ClockStep> {
    let mut clock = Vec::new();
    for (at, point) in trace.points.iter().enumerate() {
        let Some(time) = &point.time else { continue };
        let next = trace.points.get(at + 1).and_then(|next| next.time.clone());
        let mut now = time.clone();
        for _ in 0..rng.below(3) {
            now = now.add(&Number::Int(rng.pick(&[0, 1, 2, 5, 30])));
            if next.as_ref().is_none_or(|next| now <= *next) {
                clock.push(ClockStep { after: at + 1, time: now.clone() });
            }
        }
    }
    clock
}

/// What the clock decides is what the definitions say of it, for formulas, quantities and signals; compiled or interpreted.
#[test]
fn the_clock_decides_what_the_oracle_says() {
    let mut earlier = 0;
    for (kind, seed) in [2, 2, 2, 1, 0, 3, 4, 4, 5, 5].into_iter().enumerate().flat_map(|(round, kind)| {
        seeds(CASES).map(move |seed| (kind, seed.wrapping_mul(10).wrapping_add(round as u64)))
    }) {
        let mut rng = Rng::new(seed);
        let Some((rule, mut trace)) = case(kind, &mut rng) else { continue };
        if trace.points.iter().any(|point| point.time.is_none()) {
            trace.points.iter_mut().zip(1..).for_each(|(point, number)| point.time = Some(Number::Int(number)));
        }
        let clock = random_clock(&mut rng, &trace);
        let prefix = seed % 4 == 0;
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        let oracle = sorted(judge_with_clock(&rule, &trace, mode, &clock));
        let plain = sorted(expected(&rule, &trace, mode));
        for compile in [true, false] {
            let settings = Settings { prefix, compile, ..Settings::default() };
            let mut session = Session::with(std::slice::from_ref(&rule), &settings);
            // What the engine knows that the oracle cannot tell, other tests weigh.
            if without_opened(outcome_of(&mut session, &trace, 1, &[]).0) != plain {
                continue;
            }
            let mut session = Session::with(std::slice::from_ref(&rule), &settings);
            let mut outcome = without_opened(outcome_of(&mut session, &trace, 1 + rng.below(3), &clock).0);
            if prefix {
                // What keeps a prefix from being judged is a matter of its continuation.
                (outcome.obstacle, outcome.status) = (oracle.obstacle.clone(), oracle.status);
            }
            assert_eq!(
                outcome,
                oracle,
                "kind {kind}, seed {seed}, compile {compile}, clock {clock:?}\n{}",
                show(&rule, &trace)
            );
            earlier += u64::from(outcome != plain);
        }
    }
    assert!(
        earlier > 20 || referee_testing::cases(CASES) < 100,
        "{earlier} cases in which the clock decides something"
    );
}

/// What is judged at points alone does not notice the clock.
#[test]
fn the_clock_changes_nothing_of_what_is_judged_at_points() {
    for (kind, seed) in [6, 7, 8, 10].into_iter().flat_map(|kind| seeds(CASES).map(move |seed| (kind, seed))) {
        let mut rng = Rng::new(seed);
        let Some((rule, mut trace)) = case(kind, &mut rng) else { continue };
        let mut time = 0;
        for point in &mut trace.points {
            time += rng.pick(&[0, 1, 7]);
            point.time = Some(Number::Int(time));
        }
        let clock = random_clock(&mut rng, &trace);
        let mut session = Session::new(std::slice::from_ref(&rule));
        let outcome = outcome_of(&mut session, &trace, 1, &clock).0;
        assert_eq!(
            outcome,
            sorted(judge_rule(&rule, &trace, false)),
            "kind {kind}, seed {seed}\n{}",
            show(&rule, &trace)
        );
    }
}

/// Timeouts of DATEs happen when the clock has passed them, and once.
#[test]
fn the_clock_brings_timeouts_earlier() {
    let mut earlier = 0;
    for seed in seeds(DATES) {
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = case(9, &mut rng) else { continue };
        let clock = random_clock(&mut rng, &trace);
        let mut session = Session::new(std::slice::from_ref(&rule));
        let (moved, _) = outcome_of(&mut session, &trace, 1, &clock);
        let plain = sorted(judge_rule(&rule, &trace, false));
        if plain.obstacle.is_some() || moved.obstacle.is_some() {
            continue;
        }
        let rows = |outcome: &Outcome| {
            let mut rows: Vec<_> =
                outcome.violations.iter().map(|one| (one.message.clone(), format!("{:?}", one.bindings))).collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(&moved), rows(&plain), "seed {seed}, clock {clock:?}\n{}", show(&rule, &trace));
        earlier += u64::from(moved != plain);
    }
    assert!(earlier > 5 || referee_testing::cases(DATES) < 1000, "{earlier} cases with earlier timeouts");
}

fn answer_in_time() -> Arc<Rule> {
    rule_of(Language::Mfotl, "ALWAYS FORALL x. ask(x) IMPLIES EVENTUALLY [0,10] answer(x)").expect("a formula")
}

#[test]
fn a_deadline_passes_without_an_event() {
    let mut session = Session::new(&[answer_in_time()]);
    let (ask, answer) = (session.kind("ask", &["x"]), session.kind("answer", &["x"]));
    let (one, two) = (session.integer(1), session.text("two"));
    let at = |time: i64| Number::Int(time);
    assert_eq!(session.event_at(&at(1), ask, &[one]), Ok(Vec::new()));
    assert_eq!(session.event_at(&at(4), ask, &[two]), Ok(Vec::new()));
    assert_eq!(session.event_at(&at(9), answer, &[two]), Ok(Vec::new()));
    assert_eq!(session.advance(&at(11)), Ok(Vec::new()), "the answer may still come");
    let found = session.advance(&at(12)).expect("time goes on");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].violation.point, found[0].violation.decided), (1, Some(3)));
    assert_eq!(session.advance(&at(1000)), Ok(Vec::new()));
    let outcome = session.end().remove(0);
    assert_eq!((outcome.status, outcome.violations.len()), (Status::Violated, 0));
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let soloist = rule_of(Language::Soloist, "G (start -> F[1,2] stop)").expect("a rule");
    let mut session = Session::new(&[answer_in_time(), soloist]);
    let ask = session.kind("ask", &["x"]);
    assert_eq!(session.kind("ask", &["x"]), ask);
    let (one, at) = (session.integer(1), |time: i64| Number::Int(time));
    session.event_at(&at(5), ask, &[one]).expect("an event");
    let message = |result: Result<Vec<Finding>, SessionError>| result.expect_err("refused").to_string();
    assert_eq!(
        message(session.event_at(&at(4), ask, &[one])),
        "time goes back from 5 to 4; hand over points in the order of their times"
    );
    assert_eq!(
        message(session.event_at(&at(5), ask, &[one])),
        "two points have the time 5, and the rule `rule` takes one point per time; make one point of both"
    );
    assert_eq!(
        message(session.event(ask, &[one])),
        "the point has no time, and what came before has one; give all points a time or none"
    );
    assert_eq!(
        message(session.event_at(&at(6), ask, &[one, one])),
        "`ask` has 1 arguments and was given 2; resolve another kind for other arguments"
    );
    let stranger = Session::new(&[]).text("somebody");
    assert_eq!(
        message(session.event_at(&at(6), ask, &[stranger])),
        "argument 1 of `ask` is a value of another session; take what this one's `text` returns"
    );
    let mut other = Session::new(&[]);
    let kinds: Vec<SessionKind> = ["a", "b", "c"].iter().map(|name| other.kind(name, &[])).collect();
    let stranger = kinds[2];
    assert_eq!(session.event_at(&at(6), stranger, &[]), Err(SessionError::UnknownKind));
    session.advance(&at(7)).expect("time goes on");
    assert_eq!(
        message(session.advance(&at(6))),
        "time goes back from 7 to 6; hand over points in the order of their times"
    );
    session.event_at(&at(7), ask, &[one]).expect("no point has this time");
    session.end();
    assert_eq!(message(session.advance(&at(9))), "the trace has ended; begin another one");
    session.begin_trace();
    session.event(ask, &[one]).expect("another trace");
    assert_eq!(
        message(session.advance(&at(9))),
        "there is a time (9), and the points before have none; give all points a time or none"
    );
}

#[test]
fn who_wants_the_first_violation_gets_one_of_each_rule() {
    let never = |name: &str| rule_of(Language::Mfotl, &format!("ALWAYS FORALL x. NOT {name}(x)")).expect("a formula");
    let settings = Settings { wanted: Wanted::First, ..Settings::default() };
    let mut session = Session::with(&[never("a"), never("b")], &settings);
    let (a, b) = (session.kind("a", &["1"]), session.kind("b", &["1"]));
    let one = session.integer(1);
    let rules = |found: Vec<Finding>| found.iter().map(|finding| finding.rule).collect::<Vec<_>>();
    assert_eq!(rules(session.event(a, &[one]).expect("an event")), [0]);
    assert_eq!(rules(session.point(None, &[(a, &[one]), (b, &[one])]).expect("a point")), [1]);
    assert_eq!(rules(session.event(b, &[one]).expect("an event")), [0; 0]);
    assert!(session.end().iter().all(|outcome| outcome.status == Status::Violated));
}

#[test]
fn reasons_are_given_where_they_are_wanted() {
    let settings = Settings { witness: true, ..Settings::default() };
    let mut session = Session::with(&[answer_in_time()], &settings);
    let ask = session.kind("ask", &["x"]);
    let one = session.integer(1);
    session.event_at(&Number::Int(1), ask, &[one]).expect("an event");
    let found = session.event_at(&Number::Int(20), ask, &[one]).expect("an event");
    assert_eq!(found.len(), 1);
    let why = session.explain(&found[0]);
    assert!(why.iter().any(|line| line.contains("answer(1)")), "{why:?}");
    assert!(Session::new(&[answer_in_time()]).explain(&found[0]).is_empty());
}

/// What an event shows by name only does not stand in the way of a guard that reads a variable which the event does not bind.
#[test]
fn arguments_that_are_read_by_name_change_nothing() {
    let text = "qea { forall(x) forall(y) accept skip(a) { p(x) -> b } accept skip(b) { q(y) if [x = y] -> failure } }";
    let named = |name: &str| Argument { name: name.into(), declared: None };
    let found = |arguments: Vec<Argument>| {
        let mut session = Session::new(&[rule_of(Language::Qea, text).expect("an automaton")]);
        let p = session.kind("p", &["1"]);
        let more = arguments.len() - 1;
        let q = session.kind_of(&EventShape { name: "q".into(), arguments: arguments.into(), positional: 1 });
        let (one, other) = (session.integer(1), session.integer(7));
        session.event(p, &[one]).expect("an event");
        let all = [&[one][..], &vec![other; more]].concat();
        session.event(q, &all).expect("an event").len()
    };
    assert_eq!(found(vec![named("1")]), 1);
    assert_eq!(found(vec![named("1"), named("extra"), named("more")]), 1);
}

#[test]
fn a_session_may_move_to_another_thread() {
    fn moves<T: Send>() {}
    moves::<Session>();
}
