//! Lengths of time mean the same on every clock: a rule with durations in seconds says the same of a trace of seconds, of the same
//! trace in milliseconds, and of one in minutes, where all bounds and times are fractions. Engine and oracle alike.
//!
//! Rules are written from templates, in every language that measures time. `REFEREE_CASES` and `REFEREE_SEED` as elsewhere.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::Mode;
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Outcome, Rule, Violation};
use referee_spec::language::{Compiled, Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

const CASES: u64 = 1_200;

/// So many units of a clock are a second.
const CLOCKS: [(Unit, i64, i64); 3] = [(Unit::Second, 1, 1), (Unit::Millisecond, 1000, 1), (Unit::Minute, 1, 60)];

const LANGUAGES: [Language; 6] =
    [Language::Mfotl, Language::Qtl, Language::Soloist, Language::Larva, Language::Lola, Language::Stl];

/// A length of time from a second to a minute, in some unit.
fn length(rng: &mut Rng) -> String {
    rng.pick(&["1s", "2s", "3s", "5s", "2000ms", "3000000us", "1000000000ns", "4s", "1m"]).to_owned()
}

fn interval(rng: &mut Rng) -> String {
    let (open, close) = (rng.pick(&["[", "("]), rng.pick(&["]", ")"]));
    match rng.below(4) {
        0 => format!("{open}{},*)", length(rng)),
        1 => format!("{open}1s,{}{close}", rng.pick(&["2s", "3500ms", "7s"])),
        _ => format!("{open}0s,{}{close}", length(rng)),
    }
}

fn event(rng: &mut Rng) -> &'static str {
    rng.pick(&["p(x)", "q(x)", "r(x)"])
}

fn mfotl(rng: &mut Rng) -> String {
    let (guard, one, other) = (event(rng), event(rng), event(rng));
    let (within, again) = (interval(rng), interval(rng));
    match rng.below(6) {
        0 => format!("{guard} IMPLIES ONCE{within} {one}"),
        1 => format!("{guard} IMPLIES EVENTUALLY{within} ({one} OR {other})"),
        2 => format!("{guard} IMPLIES (NOT {one} SINCE{within} {other})"),
        3 => format!("{guard} IMPLIES NOT ({one} UNTIL{within} PREV{again} {other})"),
        4 => format!("(n <- CNT x (ONCE{within} {one})) IMPLIES n <= 1"),
        _ => format!("{guard} IMPLIES PAST_ALWAYS{within} NOT ({one} AND EVENTUALLY{again} {other})"),
    }
}

fn qtl(rng: &mut Rng) -> String {
    let (one, other) = (event(rng), event(rng));
    let bound = format!("[{}{}]", rng.pick(&["<=", ">"]), length(rng));
    let strict = length(rng);
    match rng.below(3) {
        0 => format!("prop a: Forall x . {one} -> P{bound} {other}"),
        1 => format!("prop a: Forall x . {one} -> (!q(x) S{bound} {other})"),
        _ => format!("prop a: Forall x . {one} -> !(!r(x) Z[<={strict}] {other})"),
    }
}

fn soloist(rng: &mut Rng) -> String {
    let atom = |rng: &mut Rng| rng.pick(&["p", "q", "r"]);
    let (one, other, window) = (atom(rng), atom(rng), length(rng));
    match rng.below(6) {
        0 => format!("G ({one} -> F_(0s,{window}] {other})"),
        1 => format!("G ({one} -> P_[1s,1m] {other})"),
        2 => format!("G C[{window}] <= 1 ({one})"),
        3 => format!("G AVG[6s, {}] < 2 ({one})", rng.pick(&["2s", "1500ms", "4s"])),
        4 => format!("G MAX[8s, 3s] <= 1 ({one})"),
        _ => format!("G (D[{window}] <= {} ({one}, {other}) | p)", rng.pick(&["2s", "1500ms"])),
    }
}

fn larva(rng: &mut Rng) -> String {
    let (delay, event) = (length(rng), rng.pick(&["p(x)", "q(x)", "r(x)"]));
    format!(
        "GLOBAL {{ FOREACH (T x) {{ VARIABLES {{ Clock c; }}
           EVENTS {{ go() = {{ {event} }} late() = {{ c@{delay} }} }}
           PROPERTY a {{ STATES {{ BAD {{ bad }} STARTING {{ start }} }}
             TRANSITIONS {{ start -> start [go \\\\ c.reset();] start -> bad [late] bad -> start [go] }} }} }} }}"
    )
}

fn lola(rng: &mut Rng) -> String {
    let (over, using) = (length(rng), rng.pick(&["sum", "count", "max", "p50"]));
    format!("input x: Int64\noutput s := x.aggregate(over: {over}, using: {using}).defaults(to: 0)\ntrigger s > 3")
}

fn stl(rng: &mut Rng) -> String {
    let (high, inner) = (length(rng), length(rng));
    match rng.below(3) {
        0 => format!("G_[0s,{high}] x <= 2"),
        1 => format!("G (x > 2 => F_[0s,{inner}] x <= 2)"),
        _ => format!("x <= 2 U_[1s,1m] (F_[0s,{high}] x = 1)"),
    }
}

fn written(rng: &mut Rng, language: Language) -> String {
    match language {
        Language::Mfotl => mfotl(rng),
        Language::Qtl => qtl(rng),
        Language::Soloist => soloist(rng),
        Language::Larva => larva(rng),
        Language::Lola => lola(rng),
        _ => stl(rng),
    }
}

/// Points in seconds, with fractions now and then; times increase strictly where SOLOIST is to judge them.
fn trace(rng: &mut Rng, strictly: bool) -> OwnedTrace {
    let mut time = Number::Int(1);
    let points = (0..rng.below(9)).map(|_| {
        let passed = rng.pick(&["0", "1", "1", "2", "0.5", "3", "60"]);
        time = time.add(&Number::parse(if strictly && passed == "0" { "1" } else { passed }).expect("a number"));
        let mut event = OwnedEvent::positional(rng.pick(&["p", "q", "r"]), &[rng.pick(&["1", "2", "3"])]);
        event.arguments[0].name = "x".into();
        OwnedPoint { time: Some(time.clone()), events: vec![event] }
    });
    OwnedTrace { points: points.collect() }
}

fn on_clock(trace: &OwnedTrace, above: i64, below: i64) -> OwnedTrace {
    let scaled = |time: &Number| time.mul(&Number::Int(above)).div(&Number::Int(below)).expect("not by zero");
    let point = |point: &OwnedPoint| OwnedPoint { time: point.time.as_ref().map(scaled), ..point.clone() };
    OwnedTrace { points: trace.points.iter().map(point).collect() }
}

/// What an outcome says, whatever the clock: messages may show times.
fn said(outcome: &Outcome) -> String {
    let violation = |found: &Violation| format!("{} {:?} {:?}", found.point, found.decided, found.bindings);
    let violations: Vec<String> = outcome.violations.iter().map(violation).collect();
    format!("{} {} {violations:?}", outcome.status, outcome.pending)
}

fn rule(language: Language, text: &str, unit: Unit) -> Arc<Rule> {
    let Compiled { properties, diagnostics } =
        compile(language, &Source::new("rule", text), &Options { unit, ..Options::default() });
    let mut rules = properties.into_iter();
    Arc::new(rules.next().unwrap_or_else(|| panic!("{text}\n{diagnostics:?}")))
}

#[test]
fn durations_mean_the_same_on_every_clock() {
    let mut violated = 0;
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let language = rng.pick(&LANGUAGES);
        let text = written(&mut rng, language);
        let trace = trace(&mut rng, language == Language::Soloist);
        let prefix = rng.chance(30);
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        let mut first = None;
        for (unit, above, below) in CLOCKS {
            let (rule, trace) = (rule(language, &text, unit), on_clock(&trace, above, below));
            let engine = said(&judge_rule(&rule, &trace, prefix));
            let oracle = said(&referee_oracle::judge_rule(&rule, &trace, mode));
            let context = format!("seed {seed}, {unit:?}, prefix {prefix}\n{text}\n{trace:?}");
            assert_eq!(engine, oracle, "engine and oracle, {context}");
            assert_eq!(first.get_or_insert_with(|| engine.clone()), &engine, "another clock, {context}");
        }
        violated += u64::from(first.is_some_and(|first| first.starts_with("Violated")));
    }
    let cases = cases(CASES);
    assert!(!is_sample(cases) || (violated * 8 > cases && violated * 8 < 7 * cases), "{violated} of {cases} violated");
}
