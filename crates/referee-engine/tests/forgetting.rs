//! Forgetting what never comes again: nothing that is found changes, and what is kept does not grow with the dead.
//!
//! ```text
//!   rule, trace ─┬▶ a session that forgets nothing ──────────────────▶ findings, outcome ─┐
//!                └▶ a session that is told of some values that died ─▶ findings, outcome ─┴ the same, in the same order
//! ```
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

mod feeding;
mod random_rules;

use std::collections::HashSet;
use std::sync::Arc;

use feeding::step;
use random_rules::{KINDS, case, rule_of, show};
use referee_engine::Settings;
use referee_engine::judge::RuleState;
use referee_engine::session::{Loaded, Session};
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Outcome, Rule, Violation};
use referee_testing::seeds;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::value::Value;

/// How many cases each kind gets in a normal test run; machines get more.
const CASES: u64 = 200;

fn cases_of(kind: usize) -> u64 {
    if matches!(kind, 7 | 8 | 9 | 10 | 12 | KINDS..) { 5 * CASES } else { CASES }
}

// ── Traces whose values die ─────────────────────────────────────────────────────────────────────────────────────────────

/// The text of another value of the same type, as far as there is one.
fn other_text(text: &str) -> String {
    match (text, text.parse::<i64>()) {
        ("true" | "false", _) => text.to_owned(),
        (_, Ok(integer)) => integer.wrapping_add(10).to_string(),
        _ if text.parse::<f64>().is_ok() => text.to_owned(),
        _ => format!("{text}2"),
    }
}

/// The trace after a copy of itself in which some values are others: these die half-way.
fn doubled(trace: OwnedTrace, rng: &mut Rng) -> OwnedTrace {
    let texts: HashSet<String> = arguments(&trace.points).map(|(text, _)| text.to_owned()).collect();
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort();
    texts.retain(|_| rng.chance(60));
    let mut points = trace.points.clone();
    for argument in points.iter_mut().flat_map(|point| &mut point.events).flat_map(|event| &mut event.arguments) {
        if texts.iter().any(|text| **text == *argument.text) {
            argument.text = other_text(&argument.text).into();
        }
    }
    let time = |point: Option<&OwnedPoint>| point.and_then(|point| point.time.clone());
    let pause = Number::Int(rng.pick(&[1, 1, 5, 30]));
    let later = match (time(trace.points.first()), time(trace.points.last())) {
        (Some(first), Some(last)) => last.sub(&first).add(&pause),
        _ => pause,
    };
    for mut point in trace.points {
        point.time = point.time.map(|time| time.add(&later));
        points.push(point);
    }
    OwnedTrace { points }
}

/// The arguments of some points, with the values that they are.
fn arguments(points: &[OwnedPoint]) -> impl Iterator<Item = (&str, Value)> {
    let all = points.iter().flat_map(|point| &point.events).flat_map(|event| &event.arguments);
    all.map(|argument| (&*argument.text, Value::of_type(&argument.text, argument.declared).expect("of its type")))
}

/// The values that some points show and no later one does, each in one of its writings.
fn dead(trace: &OwnedTrace, passed: usize) -> Vec<(&str, Value)> {
    let later: Vec<Value> = arguments(&trace.points[passed..]).map(|(_, value)| value).collect();
    let mut dead: Vec<(&str, Value)> = Vec::new();
    for (text, value) in arguments(&trace.points[..passed]) {
        if !later.contains(&value) && dead.iter().all(|(_, known)| *known != value) {
            dead.push((text, value));
        }
    }
    dead
}

// ── Rules whose rows can be forgotten often, and should not be now and then ─────────────────────────────────────────────

/// How many kinds of such rules there are, numbered behind the others.
const KEYED: usize = 3;

fn any_case(kind: usize, rng: &mut Rng) -> Option<(Arc<Rule>, OwnedTrace)> {
    match kind.checked_sub(KINDS) {
        None => case(kind, rng),
        Some(0) => Some((rule_of(Language::Larva, &random_requests(rng))?, random_calls(rng, &REQUESTS))),
        Some(1) => Some((rule_of(Language::Mfotl, &random_count(rng))?, random_calls(rng, &COUNTED))),
        Some(_) => Some((rule_of(Language::Mop, &random_chain(rng))?, random_calls(rng, &CHAIN))),
    }
}

/// Events and how many arguments they have.
type Calls = [(&'static str, usize); 4];
const REQUESTS: Calls = [("open", 1), ("done", 1), ("open", 1), ("tick", 0)];
const COUNTED: Calls = [("seen", 2), ("seen", 2), ("ask", 1), ("tick", 0)];
const CHAIN: Calls = [("make", 2), ("link", 2), ("use", 1), ("change", 1)];

fn random_calls(rng: &mut Rng, calls: &Calls) -> OwnedTrace {
    let mut time = 0;
    let points = (0..2 + rng.below(9)).map(|_| {
        time += rng.pick(&[1, 1, 2, 5]);
        let (name, arity) = rng.pick(calls);
        let argument = |at: usize, text: &str| OwnedArgument {
            name: (at + 1).to_string().into(),
            text: text.into(),
            declared: None,
        };
        let arguments = (0..arity).map(|at| argument(at, rng.pick(&["1", "2", "3", "w"]))).collect();
        let events = vec![OwnedEvent { name: name.into(), arguments, positional: arity }];
        OwnedPoint { time: Some(Number::Int(time)), events }
    });
    OwnedTrace { points: points.collect() }
}

/// One automaton per request, with a clock of its own and one of all.
fn random_requests(rng: &mut Rng) -> String {
    let mut transitions = String::new();
    for _ in 0..3 + rng.below(4) {
        let from = rng.pick(&["start", "opened", "served"]);
        let to = rng.pick(&["start", "opened", "served", "bad"]);
        let event = rng.pick(&["open", "open", "done", "done", "late", "late", "all"]);
        let act = rng.pick(&["", "", " \\\\ c.reset();", " \\\\ c.off();", " \\\\ c.pause();", " \\\\ g.reset();"]);
        transitions.push_str(&format!("{from} -> {to} [{event}{act}] "));
    }
    let outer = if rng.chance(30) { "all() = { g@6 }" } else { "all() = { other(r) }" };
    format!(
        "GLOBAL {{ VARIABLES {{ Clock g; }} FOREACH (Request r) {{ VARIABLES {{ Clock c; }} \
         EVENTS {{ open() = {{ open(r) }} done() = {{ done(r) }} late() = {{ c@4 }} {outer} }} PROPERTY p {{ \
         STATES {{ BAD {{ bad }} NORMAL {{ opened served }} STARTING {{ start }} }} TRANSITIONS {{ {transitions} }} }} }} }}"
    )
}

/// A bound on what was ever seen, perhaps of those who ask.
fn random_count(rng: &mut Rng) -> String {
    let function = rng.pick(&["CNT", "CNT", "SUM", "MAX", "MIN"]);
    let stamped = rng.pick(&["", "", " AND tp(i)"]);
    let guard = rng.pick(&["", "", "ask(u) AND "]);
    let low = rng.pick(&[0, 0, 2, 6]);
    let high = rng.pick(&["*", "*", "*", "9"]);
    let bound = rng.pick(&[0, 1, 1, 2, 3]);
    format!("FORALL c, u. {guard}(c <- {function} x; u. ONCE[{low},{high}] seen(u, x){stamped}) IMPLIES c <= {bound}")
}

/// Three objects that hang together by two events.
fn random_chain(rng: &mut Rng) -> String {
    let mut word = || {
        let letter = rng.pick(&["make", "link", "use", "change"]);
        format!("{letter}{}", rng.pick(&["", "", "*"]))
    };
    let words: Vec<String> = (0..3).map(|_| word()).collect();
    let creation = rng.pick(&["", "creation "]);
    format!(
        "P(A x, B y, C z) {{ {creation}event make(A x, B y) event link(B y, C z) event use(C z) event change(A x) \
         ere: {} {} @match {} }}",
        words.join(" "),
        rng.pick(&["", "use", "change use"]),
        rng.pick(&["", "@fail"]),
    )
}

// ── Nothing changes ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// What a session of one rule has found, in order, what it says in the end, and what it said in between.
type Told = (Vec<Violation>, Outcome, Vec<RuleState>);

fn told(session: &mut Session, trace: &OwnedTrace, asks: bool, mut between: impl FnMut(&mut Session, usize)) -> Told {
    let (mut found, mut states) = (Vec::new(), Vec::new());
    for (passed, point) in (1..).zip(&trace.points) {
        found.extend(step(session, point).into_iter().map(|finding| finding.violation));
        between(session, passed);
        if asks {
            states.push(session.verdict(0).expect("machines tell"));
        }
    }
    (found, session.end().remove(0), states)
}

/// Whether a rule is a machine or a set of facts, which tell their verdict between two points.
fn tells(rule: &Rule) -> bool {
    matches!(rule, Rule::Machine(_) | Rule::Facts(_))
}

/// The kinds of machines, facts and tallies, which forget.
const FORGETFUL: [usize; 6 + KEYED] = [3, 7, 8, 9, 10, 12, KINDS, KINDS + 1, KINDS + 2];

/// A value that a trace never shows again may be forgotten at any time, also before the state is saved and loaded.
#[test]
fn machines_and_facts_forget_and_nothing_changes() {
    let (forgotten, smaller) = forget_in(&FORGETFUL);
    let enough = forgotten.iter().all(|count| *count > 0) && smaller.iter().all(|count| *count > 0);
    assert!(enough || referee_testing::cases(CASES) < 100, "{forgotten:?} {smaller:?}");
}

/// Formulas forget where they are interpreted. Signals, streams and the plane keep nothing by value that they could prove to be of no
/// use, and quantities see no values.
#[test]
fn others_are_told_of_the_dead_and_nothing_changes() {
    let kinds: Vec<usize> = (0..KINDS).filter(|kind| !FORGETFUL.contains(kind)).collect();
    let (forgotten, _) = forget_in(&kinds);
    assert!(forgotten.iter().sum::<u64>() > 100 || referee_testing::cases(CASES) < 100, "{forgotten:?}");
}

/// Compares sessions that forget with others; by kind, how many values were forgotten, and how often that left fewer rows.
fn forget_in(kinds: &[usize]) -> (Vec<u64>, Vec<u64>) {
    let (mut forgotten, mut smaller) = (vec![0; kinds.len()], vec![0; kinds.len()]);
    for (place, seed) in (0..kinds.len()).flat_map(|place| seeds(cases_of(kinds[place])).map(move |seed| (place, seed)))
    {
        let kind = kinds[place];
        let mut rng = Rng::new(seed);
        let Some((rule, trace)) = any_case(kind, &mut rng) else { continue };
        // The interpreter takes exponentially long for some formulas on long traces.
        let trace = if kind > 2 && rng.chance(70) { doubled(trace, &mut rng) } else { trace };
        let settings = Settings { prefix: seed % 4 == 0, compile: rng.chance(50), ..Settings::default() };
        let start = || Session::with(std::slice::from_ref(&rule), &settings);
        let asks = tells(&rule) && rng.chance(30);
        let mut keeping = start();
        let mut kept = Vec::new();
        let mut expected = told(&mut keeping, &trace, asks, |session, _| kept.push(rows(session)));
        let (mut session, mut loaded) = (start(), false);
        let actual = told(&mut session, &trace, asks, |session, passed| {
            for (text, value) in dead(&trace, passed) {
                if rng.chance(50) {
                    // In any writing.
                    let value = if rng.chance(50) { session.text(text) } else { session.value(&value) };
                    session.forget(value);
                    forgotten[place] += 1;
                }
            }
            // What is loaded may have fewer rows of its own accord.
            smaller[place] += u64::from(!loaded && rows(session) < kept[passed - 1]);
            if rng.chance(20)
                && let Ok(bytes) = session.save()
            {
                *session = start();
                assert_eq!(session.load(&bytes), Ok(Loaded::default()), "what was written can be read");
                loaded = true;
            }
        });
        if let Rule::Formula(_) = &*rule {
            // What counts as pending is a matter of what is still kept.
            expected.1.pending = actual.1.pending;
        }
        assert_eq!(actual, expected, "kind {kind}, seed {seed}\n{}", show(&rule, &trace));
    }
    (forgotten, smaller)
}

fn rows(session: &Session) -> usize {
    session.sizes().iter().map(|size| size.rows).sum()
}

// ── Nothing grows ───────────────────────────────────────────────────────────────────────────────────────────────────────

const OBJECTS: u64 = 100_000;
/// More rows than any rule below needs for what lives at once.
const FEW: usize = 100;

fn rule(language: Language, text: &str) -> Arc<Rule> {
    rule_of(language, text).expect("a rule")
}

/// Lets objects come, do something and die, and tells the most rows that were kept at any time.
fn most_rows(session: &mut Session, mut live: impl FnMut(&mut Session, u64)) -> usize {
    let mut most = 0;
    for object in 0..OBJECTS {
        live(session, object);
        let value = session.identity(object);
        session.forget(value);
        if object % 97 == 0 || object == OBJECTS - 1 {
            most = most.max(rows(session));
        }
    }
    most
}

const HAS_NEXT: [(Language, &str); 4] = [
    (
        Language::Qea,
        "qea { forall(i) accept skip(unsafe) { has(i) -> safe  next(i) -> failure } accept skip(safe) { next(i) -> unsafe } }",
    ),
    (
        Language::Mop,
        "HasNext(Iterator i) { event has(Iterator i) event next(Iterator i) \
         fsm: initial [ has -> safe, next -> error ] safe [ has -> safe, next -> initial ] error [ next -> error ] @error }",
    ),
    (
        Language::Mop,
        "HasNext(Iterator i) { event has(Iterator i) event next(Iterator i) ptltl: next => (*) has @violation }",
    ),
    (
        Language::Larva,
        "GLOBAL { FOREACH (Iterator i) { EVENTS { has() = { has(i) } go() = { next(i) } } PROPERTY p { \
         STATES { BAD { unchecked } NORMAL { safe } STARTING { unsafe } } \
         TRANSITIONS { unsafe -> safe [has] unsafe -> unchecked [go] safe -> unsafe [go] } } } }",
    ),
];

/// Iterators that were asked for a next element and never for that itself leave nothing behind, nor do those that violate the rule.
#[test]
fn iterators_that_die_leave_nothing() {
    for ((language, text), prefix) in HAS_NEXT.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        let settings = Settings { prefix, ..Settings::default() };
        let mut session = Session::with(&[rule(language, text)], &settings);
        let (has, next) = (session.kind("has", &["1"]), session.kind("next", &["1"]));
        let mut found = 0;
        let most = most_rows(&mut session, |session, object| {
            let value = session.identity(object);
            let kinds = if object % 1000 == 7 { [next, has] } else { [has, has] };
            for kind in kinds {
                found += session.event(kind, &[value]).expect("an event").len();
            }
        });
        assert!(most < FEW, "{language:?}, prefix {prefix}: {most} rows: {:?}", session.sizes());
        assert!(found >= 100, "{language:?}: {found} violations");
    }
}

/// A collection lives on while its iterators die.
#[test]
fn iterators_of_a_collection_that_lives_leave_nothing() {
    let rules = [
        (
            Language::Mop,
            "Unsafe(Collection c, Iterator i) { creation event make(Collection c, Iterator i) event change(Collection c) \
             event next(Iterator i) ere: make next* change change* next @match }",
        ),
        (
            Language::Qea,
            "qea { forall(c) forall(i) accept skip(start) { make(c, i) -> made } \
             accept skip(made) { change(c) -> stale } accept skip(stale) { next(i) -> failure } }",
        ),
    ];
    for (language, text) in rules {
        let mut session = Session::new(&[rule(language, text)]);
        let make = session.kind("make", &["1", "2"]);
        let (change, next) = (session.kind("change", &["1"]), session.kind("next", &["1"]));
        let collection = session.text("collection");
        let mut found = 0;
        let most = most_rows(&mut session, |session, object| {
            let value = session.identity(object);
            let mut event = |kind, values: &[_]| found += session.event(kind, values).expect("an event").len();
            event(make, &[collection, value]);
            event(next, &[value]);
            if object % 3 == 0 {
                event(change, &[collection]);
            }
            if object % 999 == 0 {
                event(next, &[value]);
            }
        });
        assert!(most < FEW, "{language:?}: {most} rows: {:?}", session.sizes());
        assert!(found >= 100, "{language:?}: {found} violations");
    }
}

/// An open request with a clock lives as long as the clock may ring, one without it goes.
#[test]
fn dates_wait_for_their_clocks_only() {
    let text = "GLOBAL { FOREACH (Request r) { VARIABLES { Clock c; } \
                EVENTS { open() = { open(r) } done() = { done(r) } late() = { c@10 } } PROPERTY p { \
                STATES { BAD { forgotten } NORMAL { opened served } STARTING { start } } \
                TRANSITIONS { start -> opened [open \\\\ c.reset();] opened -> served [done \\\\ c.off();] \
                opened -> forgotten [late] } } } }";
    let mut session = Session::new(&[rule(Language::Larva, text)]);
    let (open, done) = (session.kind("open", &["1"]), session.kind("done", &["1"]));
    let (mut found, mut time) = (0, 0);
    let most = most_rows(&mut session, |session, object| {
        let value = session.identity(object);
        time += 3;
        let at = Number::Int(time);
        found += session.event_at(&at, open, &[value]).expect("an event").len();
        if object % 1000 != 7 {
            found += session.event_at(&at, done, &[value]).expect("an event").len();
        }
    });
    assert!(most < 2 * FEW + (OBJECTS / 1000) as usize, "{most} rows: {:?}", session.sizes());
    assert_eq!(found, 100, "every request without an answer is found, though its value is dead");
}

/// Facts that only an event could ask for go with their value.
#[test]
fn facts_about_the_dead_go() {
    let text = "rule n: next(i) & not Safe(i) -> fail \"unsafe\"\nrule s: has(i) -> insert Safe(i)\n";
    let Some(rule) = rule_of(Language::Logfire, text) else { panic!("no rule: {text}") };
    let mut session = Session::new(&[rule]);
    let (has, next) = (session.kind("has", &["1"]), session.kind("next", &["1"]));
    let mut found = 0;
    let most = most_rows(&mut session, |session, object| {
        let value = session.identity(object);
        let kind = if object % 1000 == 7 { next } else { has };
        found += session.event(kind, &[value]).expect("an event").len();
    });
    assert!(most < FEW, "{most} rows: {:?}", session.sizes());
    assert_eq!(found, 100);
}

/// Distinct values of an endless window are counted, not kept.
#[test]
fn what_was_counted_goes() {
    let text = "FORALL c, u. (c <- CNT x; u. ONCE[0,*] seen(u, x)) IMPLIES c <= 200000";
    let mut session = Session::new(&[rule(Language::Mfotl, text)]);
    let (seen, user) = (session.kind("seen", &["1", "2"]), session.text("ann"));
    let most = most_rows(&mut session, |session, object| {
        let value = session.identity(object);
        session.event_at(&Number::Int(object as i64), seen, &[user, value]).expect("an event");
    });
    assert!(most < FEW, "{most} rows: {:?}", session.sizes());
}
