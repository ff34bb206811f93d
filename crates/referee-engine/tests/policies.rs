//! Policies over time windows, at points with several events, against the oracle.
//!
//! Guards, windows, rows that come and go, demands with deadlines, and windows over both an event and a row, written from
//! templates with random atoms; traces with up to four events per point, often of one kind, and times that pass or do not.
//! The properties of the benchmark suite are judged on such traces, too. `REFEREE_CASES` and `REFEREE_SEED` as elsewhere.

use std::sync::Arc;

use referee_engine::fo::{Passes, describe};
use referee_engine::judge_compiled;
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Judgement, Language, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

const CASES: u64 = 1_000;

const EVENTS: [(&str, usize); 5] = [("p", 1), ("q", 1), ("r", 2), ("s", 2), ("t", 2)];

macro_rules! writings {
    ($($property:literal),*) => {
        [$(
            include_str!(concat!("../../../benches/specifications/", $property, "/prenex.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/macro.qtl")),
        )*]
    };
}

/// Each with its events.
const PROPERTIES: [&str; 12] = writings!("access", "file", "fifo", "locking", "deadlock", "datarace");

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn passes(seed: u64) -> Passes {
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    match (seed % (2 * Passes::NAMES.len() as u64)) as usize {
        0 => passes = Passes::NONE,
        at if at < Passes::NAMES.len() => assert!(passes.set(Passes::NAMES[at], false)),
        _ => {}
    }
    passes
}

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    let compiled = compile(language, &Source::new("policy", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

/// Up to four events per point, and points at one time.
fn trace(rng: &mut Rng, events: &[(&str, usize)], most: usize) -> OwnedTrace {
    let mut time = 0;
    let mut points = Vec::new();
    for _ in 0..rng.below(most) {
        time += rng.pick(&[0, 0, 1, 1, 2, 4]);
        let count = rng.weighted(&[5, 30, 30, 20, 15]);
        let favourite = rng.pick(events);
        let events = (0..count).map(|_| {
            let (name, arity) = if rng.chance(30) { favourite } else { rng.pick(events) };
            let values: Vec<&str> = (0..arity).map(|_| rng.pick(&["1", "2", "2", "3", "x", "2.5"])).collect();
            OwnedEvent::positional(name, &values)
        });
        points.push(OwnedPoint { events: events.collect(), time: Some(Number::Int(time)) });
    }
    OwnedTrace { points }
}

/// An event over some variables, of which it has the first at least.
fn event(rng: &mut Rng, variables: &[&str]) -> String {
    let (name, arity) = rng.pick(&EVENTS[if variables.len() > 1 { 2 } else { 0 }..]);
    let others: Vec<&str> = (1..arity).map(|at| *variables.get(at).unwrap_or(&variables[0])).collect();
    let mut arguments = [&variables[..1], &others].concat();
    if rng.chance(20) {
        arguments.reverse();
    }
    format!("{name}({})", arguments.join(", "))
}

fn interval(rng: &mut Rng) -> String {
    let (low, high) = (rng.pick(&["[0", "[0", "[0", "[1", "(0"]), rng.pick(&["0]", "2]", "3)", "5]", "9]", "*)"]));
    format!("{low}, {high}")
}

/// A row that comes and goes.
fn row(rng: &mut Rng, variables: &[&str]) -> String {
    let (goes, comes) = (event(rng, variables), event(rng, variables));
    match rng.below(4) {
        0 => format!("(ONCE {comes})"),
        1 => {
            let other = event(rng, variables);
            format!("((NOT {goes} AND NOT {other}) SINCE {comes})")
        }
        _ => format!("(NOT {goes} SINCE {comes})"),
    }
}

/// What a policy asks of x and y.
fn duty(rng: &mut Rng, depth: usize) -> String {
    let within = interval(rng);
    match rng.below(if depth > 0 { 11 } else { 9 }) {
        0 => format!("(ONCE{within} {})", event(rng, &["x", "y"])),
        1 => format!("(NOT {} SINCE{within} {})", event(rng, &["x", "y"]), event(rng, &["x", "y"])),
        2 => format!("(EVENTUALLY{within} {})", event(rng, &["x", "y"])),
        3 => format!("(NOT {} UNTIL{within} {})", event(rng, &["y"]), event(rng, &["x", "y"])),
        4 => row(rng, &["x", "y"]),
        5 => format!("(ONCE{within} EXISTS m. {} AND {})", event(rng, &["m", "y"]), row(rng, &["m", "x"])),
        6 => format!("(ONCE{within} EXISTS m. {} AND {})", event(rng, &["x", "m"]), row(rng, &["m", "y"])),
        7 => {
            let (one, other) = (event(rng, &["m", "y"]), event(rng, &["m"]));
            format!("(ONCE{within} EXISTS m. {one} AND {other} AND {} AND NOT m = y)", row(rng, &["m", "x"]))
        }
        8 => format!("(PREVIOUS{within} {})", row(rng, &["x", "y"])),
        9 => format!("(NOT {})", duty(rng, depth - 1)),
        _ => format!("({} {} {})", duty(rng, depth - 1), rng.pick(&["AND", "OR"]), duty(rng, depth - 1)),
    }
}

fn policy(rng: &mut Rng) -> String {
    let guard = match rng.below(5) {
        0 => format!("{} AND {}", event(rng, &["x"]), event(rng, &["y"])),
        1 => format!("{} AND x < y", event(rng, &["x", "y"])),
        2 => format!("{} AND NOT {}", event(rng, &["x", "y"]), event(rng, &["x"])),
        _ => event(rng, &["x", "y"]),
    };
    format!("ALWAYS FORALL x, y. {guard} IMPLIES {}", duty(rng, 1))
}

#[derive(Default)]
struct Counts {
    compiled: u64,
    violated: u64,
    joined: u64,
}

impl Counts {
    /// Judges a property on a trace, by the program and by the oracle.
    fn judge(&mut self, seed: u64, text: &str, property: Arc<Property>, trace: &OwnedTrace) {
        let (passes, prefix) = (passes(seed), seed.is_multiple_of(3) && property.judgement != Judgement::Once);
        let Ok(mut compiled) = judge_compiled(property.clone(), trace, prefix, passes) else { return };
        compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
        let oracle = expected(&property, trace, if prefix { Mode::Prefix } else { Mode::Complete });
        assert_eq!(compiled, oracle, "seed {seed}, {passes:?}\n{text}\n{trace:?}");
        self.compiled += 1;
        self.violated += u64::from(!oracle.violations.is_empty());
        let lines = describe(&property, &passes).map(|told| told.lines).unwrap_or_default();
        self.joined += u64::from(lines.iter().any(|line| line.contains("joined")));
    }
}

#[test]
fn policies_agree_with_the_oracle() {
    let (cases, first) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let mut counts = Counts::default();
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let text = policy(&mut rng);
        let Some(property) = formula(Language::Mfotl, &text) else { continue };
        counts.judge(seed, &text, property, &trace(&mut rng, &EVENTS, 16));
    }
    let Counts { compiled, violated, joined } = counts;
    println!("{compiled} of {cases} were compiled, {joined} with a join, {violated} violated");
    assert!(compiled * 3 > cases && violated * 5 > compiled, "{compiled} of {cases} compiled, {violated} violated");
    assert!(joined * 20 > compiled, "{joined} of {compiled} have a join");
}

#[test]
fn several_events_at_a_point_agree_with_the_oracle() {
    let (cases, first) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let mut counts = Counts::default();
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let text = rng.pick(&PROPERTIES);
        let Some(property) = formula(Language::Qtl, text) else { continue };
        let events: Vec<(String, usize)> = events(text);
        let events: Vec<(&str, usize)> = events.iter().map(|(name, arity)| (&**name, *arity)).collect();
        let mut trace = trace(&mut rng, &events, 10);
        trace.points.iter_mut().for_each(|point| point.time = None);
        counts.judge(seed, text, property, &trace);
    }
    let Counts { compiled, violated, .. } = counts;
    println!("{compiled} of {cases} were compiled, {violated} violated");
    assert!(compiled * 2 > cases && violated * 8 > compiled, "{compiled} of {cases} compiled, {violated} violated");
}

/// The events of a text, with how many arguments they have.
fn events(text: &str) -> Vec<(String, usize)> {
    let mut events: Vec<(String, usize)> = Vec::new();
    for (at, _) in text.match_indices('(') {
        let name: String = text[..at].chars().rev().take_while(char::is_ascii_lowercase).collect();
        let name: String = name.chars().rev().collect();
        let Some(end) = text[at..].find(')') else { continue };
        let event = (name, text[at..at + end].matches(',').count() + 1);
        if !event.0.is_empty() && !text[at + 1..at + end].contains('(') && !events.contains(&event) {
            events.push(event);
        }
    }
    events
}

/// Joins that forget when rows came, and handlers that forget the other events of a point.
#[test]
fn broken_laws_are_caught() {
    let laws: [&[&str]; 2] = [&["joins"], &["handlers", "multi-event"]];
    for law in laws {
        let mut passes = Passes { drivers: true, broken: true, ..Passes::NONE };
        assert!(law.iter().all(|name| passes.set(name, true)));
        let is_caught = |seed: u64| {
            let mut rng = Rng::new(seed);
            let Some(property) = formula(Language::Mfotl, &policy(&mut rng)) else { return false };
            let trace = trace(&mut rng, &EVENTS, 16);
            let Ok(mut compiled) = judge_compiled(property.clone(), &trace, false, passes) else { return false };
            compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
            compiled != expected(&property, &trace, Mode::Complete)
        };
        assert!((1..3_000).any(is_caught), "a broken law of {law:?} is not noticed");
    }
}
