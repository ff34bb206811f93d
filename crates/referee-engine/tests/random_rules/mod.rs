//! Rules of every language and traces for them, at random.

// Each test takes what it needs.
#![allow(dead_code)]

use std::sync::Arc;

use referee_oracle::random::{
    Rng, random_aggregation, random_aggregation_trace, random_automaton, random_dates, random_dates_trace,
    random_events, random_logfire, random_lone_automaton, random_mixed_automaton, random_nested, random_property,
    random_quantity, random_quantity_trace, random_ruler, random_run, random_sliced, random_slices,
    random_symmetric_automaton, random_trace,
};
use referee_oracle::stream::random::{random_program, random_stream_trace};
use referee_spec::core::{Language, Outcome, Rule, Violation};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Options, Source, compile};
use referee_trace::format::Format;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

pub(crate) fn rule_of(language: Language, text: &str) -> Option<Arc<Rule>> {
    let mut compiled = compile(language, &Source::new("rule", text), &Options::default());
    (!has_errors(&compiled.diagnostics)).then(|| Arc::new(compiled.properties.remove(0)))
}

fn trace_of(format: Format, text: &str) -> OwnedTrace {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_text("trace", text, &options).expect("readable").pop().unwrap_or_default()
}

/// A formula over signals; `x` and `on` are its fields.
fn random_signal(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(15) {
        return rng.pick(&["on", "x > 1", "x <= 2", "not on", "x = 3"]).to_owned();
    }
    let (left, right) = (random_signal(rng, depth - 1), random_signal(rng, depth - 1));
    let low = rng.pick(&[0, 0, 1, 2, 3]);
    let interval = match rng.below(4) {
        0 => format!("_[{low},inf)"),
        _ => format!("_[{low},{}]", low + rng.pick(&[0, 1, 2, 4, 7])),
    };
    match rng.below(8) {
        0 => format!("not ({left})"),
        1 => format!("({left}) and ({right})"),
        2 => format!("({left}) => ({right})"),
        3 | 4 => format!("G{interval} ({left})"),
        5 | 6 => format!("F{interval} ({left})"),
        _ => format!("({left}) U{interval} ({right})"),
    }
}

fn random_samples(rng: &mut Rng) -> OwnedTrace {
    let mut time = 3;
    let points = (0..rng.below(10)).map(|_| {
        time += rng.pick(&[0, 1, 1, 2, 5]);
        let argument = |name: &str, text: &str| OwnedArgument { name: name.into(), text: text.into(), declared: None };
        let arguments =
            vec![argument("x", rng.pick(&["0", "1", "2", "3", "1.5"])), argument("on", rng.pick(&["true", "false"]))];
        let events = vec![OwnedEvent { name: "sample".into(), arguments, positional: 2 }];
        OwnedPoint { time: Some(Number::Int(time)), events }
    });
    OwnedTrace { points: points.collect() }
}

/// The kinds of cases.
pub(crate) const KINDS: usize = 14;

/// A rule and a trace; nothing if the rule has errors.
pub(crate) fn case(kind: usize, rng: &mut Rng) -> Option<(Arc<Rule>, OwnedTrace)> {
    let formula = |rng: &mut Rng, language: Language| {
        let depth = 1 + rng.below(5);
        let property = random_property(rng, language, depth);
        let trace = random_trace(rng, &property);
        Some((Arc::new(Rule::Formula(Arc::new(property))), trace))
    };
    match kind {
        0 => formula(rng, Language::Foltl),
        1 => formula(rng, Language::Qtl),
        2 => formula(rng, Language::Mfotl),
        3 => Some((rule_of(Language::Mfotl, &random_aggregation(rng))?, random_aggregation_trace(rng))),
        4 => {
            let depth = 1 + rng.below(4);
            Some((rule_of(Language::Soloist, &random_quantity(rng, depth))?, random_quantity_trace(rng)))
        }
        5 => {
            let depth = 1 + rng.below(3);
            Some((rule_of(Language::Stl, &random_signal(rng, depth))?, random_samples(rng)))
        }
        6 => {
            let (rule, mut trace) = (rule_of(Language::Lola, &random_program(rng))?, random_stream_trace(rng));
            // Either all points have a time, or none has.
            if trace.points.iter().any(|point| point.time.is_none()) {
                trace.points.iter_mut().for_each(|point| point.time = None);
            }
            Some((rule, trace))
        }
        7 => Some((rule_of(Language::Qea, &random_automaton(rng))?, trace_of(Format::Abstract, &random_run(rng)))),
        8 => {
            let text = random_sliced(rng);
            Some((rule_of(Language::Mop, &text)?, trace_of(Format::Abstract, &random_slices(rng, &text))))
        }
        9 => Some((rule_of(Language::Larva, &random_dates(rng))?, trace_of(Format::Monpoly, &random_dates_trace(rng)))),
        10 => {
            let (language, text) = match rng.chance(50) {
                true => (Language::Ruler, random_ruler(rng)),
                false => (Language::Logfire, random_logfire(rng)),
            };
            Some((rule_of(language, &text)?, trace_of(Format::Abstract, &random_events(rng))))
        }
        11 => Some((rule_of(Language::Foltl, &random_plane(rng))?, trace_of(Format::Abstract, &random_routes(rng)))),
        12 => other_machine(rng),
        _ => {
            let depth = 1 + rng.below(3);
            let mut rule = rule_of(Language::Stl, &random_signal(rng, depth))?;
            if let Some(Rule::Signal(signal)) = Arc::get_mut(&mut rule) {
                Arc::make_mut(signal).robustness = true;
            }
            Some((rule, random_samples(rng)))
        }
    }
}

/// Automata whose variables can be exchanged, are bound by every event, or are read by guards of events that do not bind them; and
/// slices of calls and returns.
fn other_machine(rng: &mut Rng) -> Option<(Arc<Rule>, OwnedTrace)> {
    let text = match rng.below(5) {
        0 => random_mixed_automaton(rng),
        1 => random_symmetric_automaton(rng),
        2 => random_lone_automaton(rng),
        3 => {
            // What only remembers what has come before knows it no more if that is lost.
            let guard = rng.pick(&["x = n", "x != n", "y = n", "y != f", "x < y"]);
            let automaton = random_automaton(rng);
            let from = rng.pick(&["a", "b", "c"]);
            let line =
                format!("({from}) {{\n    r(f, f) if [{guard}] do [n := x] -> {}\n", rng.pick(&["a", "b", "failure"]));
            automaton.replace(&format!("({from}) {{\n"), &line)
        }
        _ => {
            let text = random_nested(rng);
            return Some((rule_of(Language::Mop, &text)?, trace_of(Format::Abstract, &random_slices(rng, &text))));
        }
    };
    Some((rule_of(Language::Qea, &text)?, trace_of(Format::Abstract, &random_run(rng))))
}

/// A formula about every point of the plane.
fn random_plane(rng: &mut Rng) -> String {
    let region = rng.pick(&[
        "x1 <= p.x and p.x <= x2 and y1 <= p.y and p.y <= y2",
        "(p.x - x1) * (y2 - y1) = (p.y - y1) * (x2 - x1) and min(x1, x2) <= p.x and p.x <= max(x1, x2)",
        "p.x > x1 and p.y > y1 and p.x + p.y < x2 + y2",
        "p.x < x1",
        "p.x = x1 or p.y = y1",
    ]);
    let formula = plane_formula(rng, 3);
    format!("define here(p, x1, y1, x2, y2) = {region}\n(forall p:point)({formula})")
}

fn plane_formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(10) {
        return rng.pick(&["block", "here(p)", "(block and here(p))", "(free and here(p))"]).to_owned();
    }
    let (one, other) = (plane_formula(rng, depth - 1), plane_formula(rng, depth - 1));
    match rng.below(8) {
        0 => format!("(not {one})"),
        1 => format!("({one} and {other})"),
        2 | 3 => format!("({one} => {other})"),
        4 => format!("(next {one})"),
        5 => format!("(eventually {one})"),
        6 => format!("(always {one})"),
        _ => format!("({one} weakly until {other})"),
    }
}

fn random_routes(rng: &mut Rng) -> String {
    let route = |rng: &mut Rng| (0..4).map(|_| rng.pick(&["0", "1", "2", "1.5", "-1"])).collect::<Vec<_>>().join(",");
    let events: Vec<String> =
        (0..rng.below(8)).map(|_| format!("{}({})", rng.pick(&["block", "block", "free"]), route(rng))).collect();
    events.join(".")
}

pub(crate) fn sorted(mut outcome: Outcome) -> Outcome {
    let rest = |violation: &Violation| (violation.decided.unwrap_or(u64::MAX), violation.message.clone());
    outcome.violations.sort_by(|one, two| one.report_order(two).then_with(|| rest(one).cmp(&rest(two))));
    outcome
}

pub(crate) fn show(rule: &Rule, trace: &OwnedTrace) -> String {
    let mut text = format!("{}\n", rule.source());
    for point in &trace.points {
        let event = |event: &OwnedEvent| {
            let texts: Vec<&str> = event.arguments.iter().map(|argument| &*argument.text).collect();
            format!(" {}({})", event.name, texts.join(","))
        };
        let time = point.time.as_ref().map_or(String::new(), |time| format!("@{time}"));
        text.push_str(&format!("{time}{}\n", point.events.iter().map(event).collect::<String>()));
    }
    text
}
