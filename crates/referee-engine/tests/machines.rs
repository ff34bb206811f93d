//! Machines: the engine against the oracle, on random automata and random traces.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

mod feeding;

use std::sync::Arc;
use std::time::{Duration, Instant};

use feeding::follow;
use referee_engine::faults::{self, Fault};
use referee_engine::machine::{Halving, QuantifiedJudge, halved};
use referee_engine::session::{Loaded, Session, StateError};
use referee_engine::{AssignedJudge, Settings, judge_rule};
use referee_oracle::Mode;
use referee_oracle::judge_rule as expected;
use referee_oracle::random::{
    Rng, random_automaton, random_commands, random_dates, random_dates_trace, random_events, random_logfire,
    random_lone_automaton, random_mixed_automaton, random_nested, random_ruler, random_run, random_sliced,
    random_slices, random_symmetric_automaton,
};
use referee_spec::core::machine::Body;
use referee_spec::core::{Language, Outcome, Quantifier, Rule, Status, Violation};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Compiled, Options, Source, compile as compile_source};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// How many cases each language gets in a normal test run.
const CASES: u64 = 4_000;

fn compile(language: Language, text: &str) -> Option<Arc<Rule>> {
    let Compiled { mut properties, diagnostics } =
        compile_source(language, &Source::new("t", text), &Options::default());
    (!has_errors(&diagnostics)).then(|| Arc::new(properties.remove(0)))
}

fn read(text: &str) -> OwnedTrace {
    let format = if text.starts_with('@') { Format::Monpoly } else { Format::Abstract };
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_text("t", text, &options).expect("readable").remove(0)
}

/// Puts violations into an order in which no two that differ are equal.
fn sort(violations: &mut [Violation]) {
    let key = |violation: &Violation| (violation.message.clone(), violation.decided);
    violations.sort_by(|one, other| one.report_order(other).then_with(|| key(one).cmp(&key(other))));
}

fn disagreement(language: Language, specification: &str, trace: &str, prefix: bool) -> Option<(Outcome, Outcome)> {
    let machine = compile(language, specification)?;
    let trace = read(trace);
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (mut engine, mut oracle) = (judge_rule(&machine, &trace, prefix), expected(&machine, &trace, mode));
    sort(&mut engine.violations);
    sort(&mut oracle.violations);
    let same = engine.violations == oracle.violations
        && engine.status == oracle.status
        && engine.obstacle.as_ref().map(|o| o.point) == oracle.obstacle.as_ref().map(|o| o.point)
        && (engine.pending == oracle.pending || oracle.obstacle.is_some());
    (!same).then_some((engine, oracle))
}

/// Takes lines out of the specification and events out of the trace as long as the disagreement stays.
fn shrink(specification: String, trace: String, fails: impl Fn(&str, &str) -> bool) -> (String, String) {
    let (mut specification, mut trace) = (specification, trace);
    loop {
        let events: Vec<&str> = trace.split('.').filter(|event| !event.is_empty()).collect();
        let fewer = |skip: usize| {
            let kept: Vec<&str> = events.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, e)| *e).collect();
            kept.join(".")
        };
        if let Some(shorter) = (0..events.len()).map(fewer).find(|shorter| fails(&specification, shorter)) {
            trace = shorter;
            continue;
        }
        let lines: Vec<&str> = specification.lines().collect();
        let without = |skip: usize| {
            let kept: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, l)| *l).collect();
            kept.join("\n")
        };
        match (0..lines.len()).map(without).find(|smaller| fails(smaller, &trace)) {
            Some(smaller) => specification = smaller,
            None => return (specification, trace),
        }
    }
}

fn check(language: Language, specification: impl Fn(&mut Rng) -> String, trace: impl Fn(&mut Rng, &str) -> String) {
    let cases = cases(CASES);
    let (mut judged, mut violated, mut gave_up) = (0u64, 0u64, 0u64);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (specification, prefix) = (specification(&mut rng), seed % 4 == 0);
        let Some(machine) = compile(language, &specification) else { continue };
        for _ in 0..3 {
            let trace = trace(&mut rng, &specification);
            judged += 1;
            let outcome = judge_rule(&machine, &read(&trace), prefix);
            violated += u64::from(!outcome.violations.is_empty());
            gave_up += u64::from(outcome.obstacle.is_some());
            if disagreement(language, &specification, &trace, prefix).is_some() {
                let fails = |s: &str, t: &str| disagreement(language, s, t, prefix).is_some();
                let (specification, trace) = shrink(specification, trace, fails);
                let (engine, oracle) = disagreement(language, &specification, &trace, prefix).expect("kept");
                panic!("seed {seed}, prefix {prefix}\n{specification}\n{trace}\nengine {engine:?}\noracle {oracle:?}");
            }
        }
    }
    // The cases must be worth judging: most can be compiled, and verdicts differ.
    assert!(
        !is_sample(cases) || (judged > cases && violated > judged / 20 && violated < judged),
        "{judged} {violated} {gave_up}"
    );
}

#[test]
fn qea_agrees_with_the_oracle() {
    check(Language::Qea, random_automaton, |rng, _| random_run(rng));
}

/// A transition of a random automaton with another name for every free variable that its pattern repeats, and a guard that asks for equality;
/// nothing if the guard has an alternative, which would be taken where it is false.
fn with_other_names(line: &str) -> Option<String> {
    let Some((event, rest)) = line.split_once('(').filter(|_| line.contains("->")) else {
        return Some(line.to_owned());
    };
    let (arguments, rest) = rest.split_once(')')?;
    let (mut names, mut equal): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for name in arguments.split(", ") {
        let repeated = ["f", "g", "n"].contains(&name) && names.iter().any(|known| known == name);
        if repeated {
            equal.push(format!("{name} = d{}", equal.len()));
        }
        names.push(if repeated { format!("d{}", equal.len() - 1) } else { name.to_owned() });
    }
    if equal.is_empty() {
        return Some(line.to_owned());
    }
    if rest.contains(" else ") {
        return None;
    }
    let (guard, rest) = match rest.strip_prefix(" if [").and_then(|rest| rest.split_once(']')) {
        Some((guard, rest)) => (format!("{} and ({guard})", equal.join(" and ")), rest),
        None => (equal.join(" and "), rest),
    };
    Some(format!("{event}({}) if [{guard}]{rest}", names.join(", ")))
}

/// Free variables are wildcards where it is asked to which binding an event belongs, and equal where a transition is taken.
#[test]
fn a_free_variable_twice_is_a_guard_that_asks_for_equality() {
    let (mut judged, cases) = (0u64, cases(CASES));
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let text = random_automaton(&mut rng);
        let other: Option<Vec<String>> = text.lines().map(with_other_names).collect();
        let Some(other) = other.map(|lines| lines.join("\n")).filter(|other| *other != text.trim_end()) else {
            continue;
        };
        let (Some(machine), Some(spelled_out)) = (compile(Language::Qea, &text), compile(Language::Qea, &other)) else {
            continue;
        };
        for _ in 0..3 {
            let trace = random_run(&mut rng);
            let outcome = |rule: &Arc<Rule>| {
                let mut outcome = judge_rule(rule, &read(&trace), false);
                sort(&mut outcome.violations);
                (outcome.status, outcome.violations, outcome.obstacle.map(|obstacle| obstacle.point))
            };
            assert_eq!(outcome(&machine), outcome(&spelled_out), "seed {seed}\n{text}\n{other}\n{trace}");
            judged += 1;
        }
    }
    assert!(!is_sample(cases) || judged > cases / 40, "{judged}");
}

/// Where every event belongs to one binding, registers are changed in place.
#[test]
fn lone_instances_agree_with_the_oracle() {
    check(Language::Qea, random_lone_automaton, |rng, _| random_run(rng));
}

/// Where two variables can be exchanged, one instance stands for two bindings.
#[test]
fn symmetric_automata_agree_with_the_oracle() {
    check(Language::Qea, random_symmetric_automaton, |rng, _| random_run(rng));
}

/// `q(2)` belongs to all bindings by `q(f)`, and fails those that it does not bind; so that those with `x = 2` need an instance of their own with
/// `y = 1` shows only at `q(1)`, which leaves them where they are.
#[test]
fn an_event_that_belongs_to_everybody_does_not_hide_what_it_binds() {
    let text = "qea { forall(x, y) accept next(a) { q(x) -> a; q(y) -> a } accept skip(c) { q(f) -> c } }";
    assert!(disagreement(Language::Qea, text, "q(2).q(1)", false).is_none());
}

/// `p(w)` fails bindings with `x = w`, but by `p(y)` not those with `y = w` too, which it leaves where they are.
#[test]
fn what_is_left_alone_is_told_from_what_moves() {
    let text = "qea { forall(x) exists(y) exists(z) accept skip(a) { t() -> failure; p(z) -> c; p(z) -> b }
        accept next(b) { } accept skip(c) { p(y) -> c; p(x) -> failure } }";
    assert!(disagreement(Language::Qea, text, "p(2).t().p(w)", false).is_none());
}

/// Judges random symmetric automata with one instance for two bindings: how many there were, and how many were judged wrongly.
fn judge_halved(halving: Halving, where_the_law_says: bool) -> (u64, u64) {
    let (mut judged, mut wrong) = (0, 0);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let specification = random_symmetric_automaton(&mut rng);
        let Some(rule) = compile(Language::Qea, &specification) else { continue };
        let Rule::Machine(machine) = &*rule else { continue };
        let Body::Quantified(body) = &machine.body else { continue };
        if where_the_law_says && halved(body).is_none() {
            continue;
        }
        let trace = read(&random_run(&mut rng));
        let outcome = follow(&mut halving_session(&rule, halving), &trace, |_, _| {});
        let mut oracle = expected(&rule, &trace, Mode::Complete);
        sort(&mut oracle.violations);
        judged += 1;
        wrong += u64::from(outcome.violations != oracle.violations || outcome.status != oracle.status);
    }
    (judged, wrong)
}

#[test]
fn one_instance_for_two_bindings_is_right_where_the_law_allows_it() {
    let cases = cases(CASES);
    for halving in [Halving::Sound, Halving::Never] {
        let (judged, wrong) = judge_halved(halving, true);
        assert!((judged > cases / 3 || !is_sample(cases)) && wrong == 0, "{halving:?}: {wrong} of {judged} are wrong");
    }
}

/// States that differ in what they accept, or in what they do with other events, are no images of each other: without that
/// condition, verdicts are wrong, and these tests would see it.
#[test]
fn one_instance_for_two_bindings_is_wrong_elsewhere() {
    let (judged, wrong) = faults::with(Fault::Halving, || judge_halved(Halving::Sound, false));
    assert!(wrong > judged / 1000 || !is_sample(judged), "{wrong} of {judged}");
}

#[test]
fn one_instance_for_two_bindings_is_half_the_instances() {
    let text = "qea { forall(r1, r2) accept skip(start) { conflict(r1, r2) -> free; conflict(r2, r1) -> free } \
                accept skip(free) { grant(r1) -> granted1; grant(r2) -> granted2 } \
                accept next(granted1) { cancel(r1) -> free } accept next(granted2) { cancel(r2) -> free } }";
    let rule = compile(Language::Qea, text).expect("it compiles");
    let Rule::Machine(machine) = &*rule else { panic!("{text} is a machine") };
    let Body::Quantified(body) = &machine.body else { panic!("{text} is quantified") };
    assert_eq!(halved(body), Some(("r1", "r2")));
    let told = "of two bindings that differ by exchanging `r1` and `r2`, one instance: both behave alike";
    assert_eq!(referee_engine::explain::of(&rule).growth[1], told);
    let trace = read("conflict(1,2).conflict(3,2).conflict(1,4).grant(1).cancel(1).grant(2).grant(3)");
    let judge = |halving: Halving| {
        let mut session = halving_session(&rule, halving);
        let outcome = follow(&mut session, &trace, |_, _| {});
        (outcome, session.sizes()[0].rows)
    };
    let ((halved, few), (whole, all)) = (judge(Halving::Sound), judge(Halving::Never));
    assert_eq!(halved, whole);
    assert_eq!((whole.violations.len(), few, all), (2, 3, 6));
}

#[test]
fn mop_agrees_with_the_oracle() {
    check(Language::Mop, random_sliced, random_slices);
}

/// The same of formulas about calls and returns, on longer traces: what is open must be closed again.
#[test]
fn calls_and_returns_agree_with_the_oracle() {
    check(Language::Mop, random_nested, |rng, text| {
        let parts = [random_slices(rng, text), random_slices(rng, text)];
        parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(".")
    });
}

#[test]
fn too_many_open_calls_are_given_up_with_their_place() {
    let text = "P() { event f() call event g() return ptcaret: f or @c f @violation }";
    let rule = compile(Language::Mop, text).expect("it compiles");
    let mut session = session_of(&rule, false);
    let call = session.kind("f", &[]);
    for _ in 0..100_001 {
        assert_eq!(session.event(call, &[]), Ok(Vec::new()));
    }
    assert_eq!(session.verdict(0).map(|state| state.status), Ok(Status::Satisfied));
    session.event(call, &[]).expect("an event");
    let obstacle = session.end().remove(0).obstacle.expect("one call more than can be followed");
    assert_eq!((obstacle.point, &text[obstacle.span.start..obstacle.span.end]), (100_002, "f or @c f"));
}

/// A session of one rule.
fn session_of(rule: &Arc<Rule>, prefix: bool) -> Session {
    Session::with(std::slice::from_ref(rule), &Settings { prefix, ..Settings::default() })
}

/// The judges of quantified automata that halve so.
fn judges_that_halve(rules: &[Arc<Rule>], halving: Halving) -> Vec<AssignedJudge> {
    let judge = |(number, rule): (usize, &Arc<Rule>)| {
        let Rule::Machine(machine) = &**rule else { return None };
        let Body::Quantified(body) = &machine.body else { return None };
        let judge = Box::new(QuantifiedJudge::with_halving(machine, body, true, halving));
        Some(AssignedJudge { judge, rules: vec![number] })
    };
    rules.iter().enumerate().filter_map(judge).collect()
}

/// A session of one quantified automaton that halves so.
fn halving_session(rule: &Arc<Rule>, halving: Halving) -> Session {
    let rules = std::slice::from_ref(rule);
    match halving {
        Halving::Sound => {
            Session::with_judges(rules, &Settings::default(), |rules, _| judges_that_halve(rules, Halving::Sound))
        }
        Halving::Never => {
            Session::with_judges(rules, &Settings::default(), |rules, _| judges_that_halve(rules, Halving::Never))
        }
    }
}

/// Puts a session's state into a new session, by way of bytes. Values have been met in another order there.
fn move_house(rule: &Arc<Rule>, prefix: bool, session: &mut Session) {
    let bytes = session.save().expect("machines can be saved");
    *session = session_of(rule, prefix);
    ["z", "b", "17.5", "a", "3"].iter().for_each(|text| {
        session.text(text);
    });
    let loaded = session.load(&bytes).expect("what was written can be read");
    assert_eq!(loaded, Loaded::default());
}

fn snapshots_change_nothing(
    language: Language,
    specification: impl Fn(&mut Rng) -> String,
    trace: impl Fn(&mut Rng, &str) -> String,
) {
    let cases = cases(CASES);
    let (mut moved, mut violated) = (0u64, 0u64);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let (specification, prefix) = (specification(&mut rng), seed % 4 == 0);
        let Some(rule) = compile(language, &specification) else { continue };
        let text = trace(&mut rng, &specification);
        let read = read(&text);
        let mut expected = judge_rule(&rule, &read, prefix);
        sort(&mut expected.violations);
        let stayed = follow(&mut session_of(&rule, prefix), &read, |_, _| {});
        assert_eq!(stayed, expected, "seed {seed}, step by step\n{specification}\n{text}");
        let outcome = follow(&mut session_of(&rule, prefix), &read, |session, _| {
            if rng.chance(40) {
                move_house(&rule, prefix, session);
                moved += 1;
            }
        });
        violated += u64::from(!outcome.violations.is_empty());
        assert_eq!(outcome, expected, "seed {seed}\n{specification}\n{text}");
    }
    assert!(!is_sample(cases) || (moved > cases && violated > cases / 20), "{moved} {violated}");
}

/// Between any two points the verdict is that of the trace up to there, however long nobody asked, and settled when it is decided.
fn verdict_is_known_between_points(
    language: Language,
    specification: impl Fn(&mut Rng) -> String,
    trace: impl Fn(&mut Rng, &str) -> String,
) {
    let cases = cases(CASES);
    let (mut asked, mut changes, mut settled) = (0u64, 0u64, 0u64);
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let specification = specification(&mut rng);
        let Some(rule) = compile(language, &specification) else { continue };
        let text = trace(&mut rng, &specification);
        let read = read(&text);
        let (mut last, often) = (None, rng.chance(50));
        follow(&mut session_of(&rule, seed % 4 == 0), &read, |session, passed| {
            let so_far = OwnedTrace { points: read.points[..passed].to_vec() };
            if !often && rng.chance(60) {
                return;
            }
            let state = session.verdict(0).expect("machines can be saved");
            let complete = expected(&rule, &so_far, Mode::Complete);
            let place = format!("seed {seed}, after {passed} points\n{specification}\n{text}\n{complete:?}");
            assert_eq!(state.status, complete.status, "{place}");
            if passed > 0 && complete.obstacle.is_none() {
                assert_eq!(state.settled, is_decided(&rule, &expected(&rule, &so_far, Mode::Prefix)), "{place}");
            }
            asked += 1;
            settled += u64::from(state.settled);
            changes += u64::from(last.replace(state.status).is_some_and(|last| last != state.status));
        });
    }
    assert!(
        !is_sample(cases) || (asked > cases && changes > cases / 25 && settled > cases / 20),
        "{asked} {changes} {settled}"
    );
}

/// Whether nothing can change the verdict on a trace that may go on: a violation is decided, or nothing that ranges over all later
/// values is open.
fn is_decided(rule: &Rule, prefix: &Outcome) -> bool {
    let exists_only = match rule {
        Rule::Machine(machine) => match &machine.body {
            Body::Quantified(body) => body.variables.iter().all(|variable| variable.quantifier == Quantifier::Exists),
            _ => false,
        },
        _ => false,
    };
    !prefix.violations.is_empty() || (exists_only && prefix.pending == 0)
}

#[test]
fn the_verdict_of_qea_is_known_between_points() {
    verdict_is_known_between_points(Language::Qea, random_mixed_automaton, |rng, _| random_run(rng));
}

#[test]
fn the_verdict_of_lone_instances_is_known_between_points() {
    verdict_is_known_between_points(Language::Qea, random_lone_automaton, |rng, _| random_run(rng));
}

#[test]
fn the_verdict_of_symmetric_automata_is_known_between_points() {
    verdict_is_known_between_points(Language::Qea, random_symmetric_automaton, |rng, _| random_run(rng));
}

#[test]
fn the_verdict_of_mop_is_known_between_points() {
    verdict_is_known_between_points(Language::Mop, random_sliced, random_slices);
}

#[test]
fn the_verdict_of_dates_is_known_between_points() {
    verdict_is_known_between_points(Language::Larva, random_dates, |rng, _| random_dates_trace(rng));
}

#[test]
fn the_verdict_of_rules_is_known_between_points() {
    verdict_is_known_between_points(Language::Gcl, random_commands, |rng, _| random_events(rng));
    verdict_is_known_between_points(Language::Ruler, random_ruler, |rng, _| random_events(rng));
    verdict_is_known_between_points(Language::Logfire, random_logfire, |rng, _| random_events(rng));
}

/// What one event changes is all that is looked at: asking after each of many events costs about what asking once does.
#[test]
fn asking_between_points_costs_what_has_changed() {
    let text = "qea { forall(x) exists(y) where(x != y) skip(idle) { link(x, y) -> linked } \
                accept skip(linked) { cut(x, y) -> idle } }";
    let rule = compile(Language::Qea, text).expect("it compiles");
    let mut session = session_of(&rule, false);
    let (link, cut) = (session.kind("link", &["x", "y"]), session.kind("cut", &["x", "y"]));
    let holds = |session: &mut Session| session.verdict(0).map(|state| state.status) == Ok(Status::Satisfied);
    let step = |session: &mut Session, kind, x: i64, y: i64| {
        let pair = [session.integer(x), session.integer(y)];
        session.event(kind, &pair).expect("an event")
    };
    let begun = Instant::now();
    for x in 0..20_000 {
        assert!(step(&mut session, link, x, x + 1).is_empty());
        assert!(holds(&mut session), "all that have been on the left are linked");
    }
    for x in (0..20_000).step_by(2) {
        step(&mut session, cut, x, x + 1);
        assert!(!holds(&mut session), "{x} is not linked to anything");
        step(&mut session, link, x, 0);
        // Nothing is linked to itself.
        assert_eq!(holds(&mut session), x != 0, "{x}");
        step(&mut session, link, x, x + 1);
        assert!(holds(&mut session));
    }
    // A fold over everything each time would take minutes.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn snapshots_of_qea_change_nothing() {
    snapshots_change_nothing(Language::Qea, random_automaton, |rng, _| random_run(rng));
}

#[test]
fn snapshots_of_symmetric_automata_change_nothing() {
    snapshots_change_nothing(Language::Qea, random_symmetric_automaton, |rng, _| random_run(rng));
}

#[test]
fn snapshots_of_lone_instances_change_nothing() {
    snapshots_change_nothing(Language::Qea, random_lone_automaton, |rng, _| random_run(rng));
}

#[test]
fn snapshots_of_mop_change_nothing() {
    snapshots_change_nothing(Language::Mop, random_sliced, random_slices);
}

#[test]
fn snapshots_of_calls_and_returns_change_nothing() {
    snapshots_change_nothing(Language::Mop, random_nested, random_slices);
}

#[test]
fn snapshots_of_dates_change_nothing() {
    snapshots_change_nothing(Language::Larva, random_dates, |rng, _| random_dates_trace(rng));
}

#[test]
fn snapshots_of_rules_change_nothing() {
    snapshots_change_nothing(Language::Gcl, random_commands, |rng, _| random_events(rng));
    snapshots_change_nothing(Language::Ruler, random_ruler, |rng, _| random_events(rng));
    snapshots_change_nothing(Language::Logfire, random_logfire, |rng, _| random_events(rng));
}

#[test]
fn snapshots_of_others_and_damaged_ones_are_refused() {
    let one = compile(
        Language::Qea,
        "qea { forall(r) accept next(free) { grant(t1, r) -> taken } accept next(taken) { free(t2, r) if [t1 = t2] -> free } }",
    );
    let other = compile(
        Language::Qea,
        "qea { forall(r) accept next(free) { grant(t1, r) -> taken } accept next(taken) { free(t2, r) -> free } }",
    );
    let (one, other) = (one.expect("it compiles"), other.expect("it compiles"));
    let mut session = session_of(&one, false);
    let grant = session.kind("grant", &["t", "r"]);
    let (a, seven) = (session.text("a"), session.integer(7));
    session.event(grant, &[a, seven]).expect("an event");
    let bytes = session.save().expect("machines can be saved");
    assert!(matches!(session_of(&other, false).load(&bytes), Err(StateError::OtherRules(_))));
    session.begin_trace();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x20;
        assert!(session.load(&damaged).is_err(), "byte {place}");
        assert!(session.load(&bytes[..place]).is_err(), "cut at {place}");
    }
    assert_eq!(session.load(&bytes), Ok(Loaded::default()));
    let b = session.text("b");
    assert_eq!(session.event(grant, &[b, seven]).map(|found| found.len()), Ok(1));
}
