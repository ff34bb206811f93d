//! The judge of signals against the oracle, on random formulas and random traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test signals` is the long mode; `REFEREE_SEED` takes
//! other seeds. A disagreement is printed with its seed.

use std::sync::Arc;

use referee_engine::judge_robustness;
use referee_engine::judge_rule;
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge_rule as expected, signal};
use referee_spec::core::{Language, Outcome, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_testing::seeds;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

/// How many cases a normal test run has.
const CASES: u64 = 20_000;

fn interval(rng: &mut Rng) -> String {
    let low = rng.pick(&[0, 0, 0, 1, 2, 3]);
    match rng.below(4) {
        0 => String::new(),
        1 => format!("_[{low},inf)"),
        _ => format!("_[{low},{}]", low + rng.pick(&[0, 1, 2, 4, 7])),
    }
}

fn formula(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(15) {
        let comparison = rng.pick(&["<", "<=", ">", ">=", "=", "!="]);
        return match rng.below(8) {
            0 => "on".to_owned(),
            1 => rng.chance(50).to_string(),
            2 => format!("x - y {comparison} {}", rng.below(3)),
            3 => format!("s {comparison} \"u\""),
            4 if rng.chance(20) => format!("6 / (x - {}) {comparison} y", rng.below(5)),
            _ => format!("{} {comparison} {}", rng.pick(&["x", "y", "2 * x"]), rng.below(5)),
        };
    }
    let left = formula(rng, depth - 1);
    let right = formula(rng, depth - 1);
    match rng.below(10) {
        0 => format!("not ({left})"),
        1 => format!("({left}) and ({right})"),
        2 => format!("({left}) or ({right})"),
        3 => format!("({left}) => ({right})"),
        4 => format!("({left}) <=> ({right})"),
        5 | 6 => format!("G{} ({left})", interval(rng)),
        7 | 8 => format!("F{} ({left})", interval(rng)),
        _ => format!("({left}) U{} ({right})", interval(rng)),
    }
}

fn trace(rng: &mut Rng) -> OwnedTrace {
    let mut time = 3;
    let points = (0..rng.below(12)).map(|_| {
        time += rng.pick(&[0, 1, 1, 2, 5]);
        let mut arguments = Vec::new();
        for (name, texts) in [
            ("x", &["0", "1", "2", "3", "4", "1.5"][..]),
            ("y", &["1", "3"]),
            ("on", &["true", "false"]),
            ("s", &["t", "u"]),
        ] {
            if rng.chance(60) {
                arguments.push(OwnedArgument { name: name.into(), text: rng.pick(texts).into(), declared: None });
            }
        }
        let positional = arguments.len();
        let events = vec![OwnedEvent { name: "sample".into(), arguments, positional }];
        OwnedPoint { time: Some(Number::Int(time)), events }
    });
    OwnedTrace { points: points.collect() }
}

fn show(trace: &OwnedTrace) -> String {
    let mut text = String::new();
    for point in &trace.points {
        for event in &point.events {
            let arguments: Vec<String> =
                event.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.text)).collect();
            text.push_str(&format!("@{} {}\n", point.time.clone().unwrap_or(Number::ZERO), arguments.join(", ")));
        }
    }
    text
}

fn without_witness(mut outcome: Outcome) -> Outcome {
    outcome.violations.iter_mut().for_each(|violation| violation.opened = None);
    outcome
}

fn check(seed: u64) {
    let mut rng = Rng::new(seed);
    let depth = 1 + rng.below(4);
    let text = formula(&mut rng, depth);
    let options = Options { robustness: true, ..Options::default() };
    let compiled = compile(Language::Stl, &Source::new("random.stl", text.as_str()), &options);
    let Some(rule) = compiled.properties.into_iter().next().map(Arc::<Rule>::new) else {
        panic!("seed {seed}: {text}: {:?}", compiled.diagnostics)
    };
    let trace = trace(&mut rng);
    let prefix = rng.chance(25);
    let mode = if prefix { Mode::Prefix } else { Mode::Complete };
    let (oracle, engine) = (expected(&rule, &trace, mode), without_witness(judge_rule(&rule, &trace, prefix)));
    assert!(
        engine == oracle,
        "seed {seed}, prefix {prefix}\n{text}\n{}engine {engine:#?}\noracle {oracle:#?}",
        show(&trace)
    );
    // A division by zero, wherever it comes, leaves no robustness.
    let measured = !prefix && !text.contains('/');
    if let (Rule::Signal(formula), true) = (&*rule, measured) {
        let robustness = signal::robustness(formula, &trace).to_string();
        let found = judge_robustness(&rule, &trace).unwrap_or_default();
        assert!(found == robustness, "seed {seed}\n{text}\n{}engine {found}, oracle {robustness}", show(&trace));
    }
}

#[test]
fn signals_agree_with_the_oracle() {
    seeds(CASES).for_each(check);
}
