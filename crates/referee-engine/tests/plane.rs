//! Formulas about every point of the plane: the engine against the oracle, over random definitions, on events whose arguments are small
//! and odd coordinates.
//!
//! `REFEREE_CASES` and `REFEREE_SEED` as in `differential.rs`.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::Mode;
use referee_oracle::judge_rule as expected;
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Rule};
use referee_spec::diagnostic::has_errors;
use referee_spec::language::{Compiled, Options, Source, compile as compile_source};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::format::Format;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

const NON_CROSSING: &str = "\
    define onRoute(p, x1, y1, x2, y2) = (p.x - x1) * (y2 - y1) = (p.y - y1) * (x2 - x1) and \
        min(x1, x2) <= p.x and p.x <= max(x1, x2) and min(y1, y2) <= p.y and p.y <= max(y1, y2)\n\
    (forall p:point)(always ((block and onRoute(p)) => \
        weak-next (not (block and onRoute(p)) weakly until (free and onRoute(p)))))";

fn compile(text: &str) -> Arc<Rule> {
    let Compiled { mut properties, diagnostics } =
        compile_source(Language::Foltl, &Source::new("t", text), &Options::default());
    assert!(!has_errors(&diagnostics), "{text}: {diagnostics:?}");
    let rule = properties.remove(0);
    assert!(matches!(rule, Rule::Machine(_)), "{text}");
    Arc::new(rule)
}

fn read(text: &str) -> OwnedTrace {
    let options = ReadOptions { format: Some(Format::Abstract), ..ReadOptions::default() };
    read_text("t", text, &options).expect("readable").remove(0)
}

/// Four coordinates on a small grid, so that routes touch, overlap and cross.
fn route(rng: &mut Rng) -> String {
    let coordinate = |rng: &mut Rng| rng.pick(&["0", "1", "2", "3", "1.5", "-1"]);
    let all: Vec<&str> = (0..4).map(|_| coordinate(rng)).collect();
    all.join(",")
}

fn random_routes(rng: &mut Rng) -> String {
    let mut laid: Vec<String> = Vec::new();
    let mut events: Vec<String> = Vec::new();
    for _ in 0..rng.below(8) {
        let fresh = route(rng);
        match rng.below(5) {
            0 if !laid.is_empty() => events.push(format!("free({})", laid[rng.below(laid.len())])),
            1 => events.push(format!("free({fresh})")),
            2 if rng.chance(30) => {
                let others = ["other(1)", "block(1,2,x,4)", "other(0,0,3,3)", "block(1,2)", "free(0,1)"];
                events.push(rng.pick(&others).to_owned());
            }
            _ => {
                events.push(format!("block({fresh})"));
                laid.push(fresh);
            }
        }
    }
    events.join(".")
}

/// Conditions that make segments, rectangles, half planes, triangles, crosses, holes, nothing and everything of four numbers.
const SHAPES: &[&str] = &[
    "(p.x - x1) * (y2 - y1) = (p.y - y1) * (x2 - x1) and min(x1, x2) <= p.x and p.x <= max(x1, x2) \
     and min(y1, y2) <= p.y and p.y <= max(y1, y2)",
    "(p.x - x1) * (y2 - y1) = (p.y - y1) * (x2 - x1)",
    "x1 <= p.x and p.x <= x2 and y1 <= p.y and p.y <= y2",
    "min(x1, x2) < p.x and p.x < max(x1, x2) and min(y1, y2) < p.y and p.y < max(y1, y2)",
    "min(x1, x2) <= p.x and p.x < max(x1, x2) and p.y = y1",
    "p.x < x1",
    "p.y >= y1",
    "p.x + p.y <= x1 + y1",
    "(p.x - x1) * (y2 - y1) <= (p.y - y1) * (x2 - x1)",
    "p.x > x1 and p.y > y1 and p.x + p.y < x2 + y2",
    "p.x >= x1 and p.y >= y1 and 2 * p.x + p.y <= x2 + y2",
    "p.x = x1 or p.y = y1",
    "p.x = x1 and p.y != y1",
    "(p.x = x1 and p.y = y1) or (p.x = x2 and p.y = y2)",
    "not (x1 <= p.x and p.x <= x2 and y1 <= p.y and p.y <= y2)",
    "(x1 < p.x and p.x < x2) <=> (y1 < p.y and p.y < y2)",
    "p.x - p.y = x1 / 2 => p.y < -y1",
    "max(x1, x2, y1) > p.x and (p.y > y1 or p.y < y2 - 1)",
    "p.x < p.y + x1 and p.y < p.x + y1",
    "x1 < x2",
    "p.y = 0 * x1",
    "true",
];

fn random_condition(rng: &mut Rng) -> String {
    let one = rng.pick(SHAPES);
    match rng.below(4) {
        0 => format!("({one}) {} ({})", rng.pick(&["and", "or", "and not", "or not"]), rng.pick(SHAPES)),
        _ => one.to_owned(),
    }
}

/// Up to three definitions, of events with four arguments or with two.
fn random_definitions(rng: &mut Rng) -> (String, Vec<&'static str>) {
    let mut text = format!("define here(p, x1, y1, x2, y2) = {}\n", random_condition(rng));
    let mut names = vec!["here(p)"];
    if rng.chance(40) {
        text.push_str(&format!("define there(q, x1, y1, x2, y2) = {}\n", random_condition(rng).replace("p.", "q.")));
        names.push("there(p)");
    }
    if rng.chance(20) {
        text.push_str("define corner(p, x, y) = p.x <= x and p.y < y\n");
        names.push("corner(p)");
    }
    (text, names)
}

fn random_formula(rng: &mut Rng, names: &[&str], depth: usize) -> String {
    if depth == 0 {
        let name = rng.pick(names);
        return match rng.below(5) {
            0 => "block".to_owned(),
            1 => "free".to_owned(),
            2 => name.to_owned(),
            3 => format!("(block and {name})"),
            _ => format!("(free and {name})"),
        };
    }
    let mut part = || random_formula(rng, names, depth - 1);
    let (one, other) = (part(), part());
    match rng.below(9) {
        0 => format!("(not {one})"),
        1 => format!("({one} and {other})"),
        2 => format!("({one} or {other})"),
        3 => format!("({one} => {other})"),
        4 => format!("(next {one})"),
        5 => format!("(weak-next {one})"),
        6 => format!("(eventually {one})"),
        7 => format!("(always {one})"),
        _ => format!("({one} weakly until {other})"),
    }
}

/// A random property over random definitions, each of which it uses.
fn random_property(rng: &mut Rng) -> Arc<Rule> {
    let (definitions, names) = random_definitions(rng);
    let formula = random_formula(rng, &names, 3);
    let others: Vec<String> = names.iter().map(|name| format!("(always (block => eventually {name}))")).collect();
    compile(&format!(
        "{definitions}(forall p:place)({formula} and (({}) or {}))",
        others.join(" and "),
        names.join(" or ")
    ))
}

/// The rule with regions of the same shape as the property above, whose cells are kept until something frees them.
fn keeping_apart(rng: &mut Rng) -> Arc<Rule> {
    compile(&format!(
        "define here(p, x1, y1, x2, y2) = {}\n(forall p:place)(always ((block and here(p)) => \
         weak-next (not (block and here(p)) weakly until (free and here(p)))))",
        random_condition(rng)
    ))
}

/// Judges random traces by the engine and by the oracle; returns how often the rule was violated.
fn compare(seed: u64, rng: &mut Rng, rule: &Arc<Rule>) -> u64 {
    let mut violated = 0;
    for _ in 0..3 {
        let text = random_routes(rng);
        let trace = read(&text);
        for (prefix, mode) in [(false, Mode::Complete), (true, Mode::Prefix)] {
            let (engine, oracle) = (judge_rule(rule, &trace, prefix), expected(rule, &trace, mode));
            assert_eq!(engine, oracle, "seed {seed}, prefix {prefix}\n{}\n{text}", rule.source());
            violated += u64::from(!engine.violations.is_empty());
        }
    }
    violated
}

#[test]
fn routes_agree_with_the_oracle() {
    let cases = cases(300);
    let non_crossing = compile(NON_CROSSING);
    let violated: u64 = seeds(300).map(|seed| compare(seed, &mut Rng::new(seed), &non_crossing)).sum();
    assert!(!is_sample(cases) || (violated > cases / 4 && violated < 6 * cases), "{violated}");
}

#[test]
fn regions_of_all_kinds_agree_with_the_oracle() {
    let cases = cases(1_200);
    let mut violated = 0;
    for seed in seeds(1_200) {
        let mut rng = Rng::new(seed);
        let rule = if rng.chance(50) { random_property(&mut rng) } else { keeping_apart(&mut rng) };
        violated += compare(seed, &mut rng, &rule);
    }
    assert!(!is_sample(cases) || (violated > cases / 4 && violated < 6 * cases), "{violated}");
}

/// The places where violations of a trace begin, as the engine tells them.
fn begins(definition: &str, formula: &str, trace: &str) -> Vec<String> {
    let rule = compile(&format!("define in(p, x1, y1, x2, y2) = {definition}\n(forall p:place)({formula})"));
    let outcome = judge_rule(&rule, &read(trace), false);
    let shown = |binding: &Option<referee_trace::value::Value>| {
        binding.as_ref().map_or_else(|| "nothing".to_owned(), |value| format!("{value:?}"))
    };
    outcome.violations.iter().flat_map(|violation| violation.bindings.iter().map(shown)).collect()
}

#[test]
fn regions_that_cover_the_plane_leave_no_rest() {
    assert_eq!(begins("p.x < x1 or p.x >= x1", "always in(p)", "a(0,0,0,0).a(1,1,1,1)"), Vec::<String>::new());
    assert_eq!(begins("true", "always in(p)", "a(0,0,0,0)"), Vec::<String>::new());
    assert_eq!(
        begins("p.x < x1 or p.x > x1", "always in(p)", "a(3,0,0,0)"),
        ["nothing"],
        "an upright line has no least point"
    );
    assert_eq!(begins("p.x != x1 or p.y != y1", "always in(p)", "a(3,4,0,0)"), ["String(\"(3, 4)\")"]);
}
