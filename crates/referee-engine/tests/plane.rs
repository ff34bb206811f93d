//! Formulas about every point of the plane: the engine against the oracle, on random routes of small and of odd coordinates.
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

const NON_CROSSING: &str = "(forall p:point)(always ((block and onRoute(p)) => \
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
            2 if rng.chance(30) => events.push(rng.pick(&["other(1)", "block(1,2,x,4)", "other(0,0,3,3)"]).to_owned()),
            _ => {
                events.push(format!("block({fresh})"));
                laid.push(fresh);
            }
        }
    }
    events.join(".")
}

fn random_formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 {
        return rng
            .pick(&["block", "free", "onRoute(p)", "(block and onRoute(p))", "(free and onRoute(p))"])
            .to_owned();
    }
    let mut part = || random_formula(rng, depth - 1);
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

#[test]
fn routes_agree_with_the_oracle() {
    let cases = cases(600);
    let non_crossing = compile(NON_CROSSING);
    let mut violated = 0;
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let rule = match rng.below(2) {
            0 => non_crossing.clone(),
            _ => compile(&format!("(forall p:point)({} or {})", random_formula(&mut rng, 3), "onRoute(p)")),
        };
        for _ in 0..3 {
            let text = random_routes(&mut rng);
            let trace = read(&text);
            for (prefix, mode) in [(false, Mode::Complete), (true, Mode::Prefix)] {
                let (engine, oracle) = (judge_rule(&rule, &trace, prefix), expected(&rule, &trace, mode));
                assert_eq!(engine, oracle, "seed {seed}, prefix {prefix}\n{:?}\n{text}", rule.source());
                violated += u64::from(!engine.violations.is_empty());
            }
        }
    }
    assert!(!is_sample(cases) || (violated > cases / 4 && violated < 6 * cases), "{violated}");
}
