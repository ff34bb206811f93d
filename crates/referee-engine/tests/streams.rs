//! The judge of streams against the oracle, on random programs and random traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test streams` is the long mode; `REFEREE_SEED` starts
//! elsewhere. A disagreement is printed with its seed.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::random::Rng;
use referee_oracle::stream::random::{random_program, random_stream_trace};
use referee_oracle::{Mode, judge_rule as expected};
use referee_spec::core::{Language, Outcome, Problem, Rule, Violation};
use referee_spec::language::{Options, Source, compile};
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

/// How many cases a normal test run has.
const CASES: u64 = 2_500;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Whether the engine says what the oracle says. Which of the inputs that nobody needs have the wrong type is not compared.
/// What keeps a prefix from being judged is a matter of its continuation, so it is compared on complete traces only.
fn agree(engine: &Outcome, oracle: &Outcome, prefix: bool) -> bool {
    let wrong = |outcome: &Outcome| outcome.obstacle.as_ref().is_some_and(|found| found.problem == Problem::WrongType);
    engine.violations == oracle.violations
        && engine.pending == oracle.pending
        && (prefix
            || wrong(engine)
            || wrong(oracle)
            || (engine.status == oracle.status && engine.obstacle == oracle.obstacle))
}

fn sorted(mut outcome: Outcome) -> Outcome {
    let rest = |violation: &Violation| (violation.decided.unwrap_or(u64::MAX), violation.message.clone());
    outcome.violations.sort_by(|one, two| one.report_order(two).then_with(|| rest(one).cmp(&rest(two))));
    outcome
}

fn show(trace: &OwnedTrace) -> String {
    let mut text = String::new();
    for point in &trace.points {
        for event in &point.events {
            let arguments: Vec<String> =
                event.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.text)).collect();
            text.push_str(&format!("@{:?} {}({}) ", point.time, event.name, arguments.join(", ")));
        }
        text.push('\n');
    }
    text
}

/// An outcome in a few lines: `point/decided message bindings`.
fn brief(outcome: &Outcome) -> String {
    let Outcome { status, pending, obstacle, violations } = outcome;
    let line = |violation: &Violation| {
        let Violation { point, decided, bindings, message, .. } = violation;
        format!("\n  {point}/{decided:?} {message:?} {bindings:?}")
    };
    let lines: String = violations.iter().map(line).collect();
    format!("{status} {pending} {obstacle:?}{lines}")
}

/// The first disagreement on a program, on some traces.
fn check(seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let text = random_program(&mut rng);
    let compiled = compile(Language::Lola, &Source::new("random.lola", text.as_str()), &Options::default());
    let circles = ["E0914", "E0915"];
    let Some(rule) = compiled.properties.into_iter().next().map(Arc::<Rule>::new) else {
        let mut errors = compiled.diagnostics.iter().filter(|found| found.is_error());
        let found = errors.find(|found| !circles.contains(&found.code));
        assert!(found.is_none(), "seed {seed}\n{text}\n{found:?}");
        return false;
    };
    for _ in 0..4 {
        let trace = random_stream_trace(&mut rng);
        let prefix = rng.chance(25);
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        let oracle = sorted(expected(&rule, &trace, mode));
        let engine = sorted(judge_rule(&rule, &trace, prefix));
        assert!(
            agree(&engine, &oracle, prefix),
            "seed {seed}, prefix {prefix}\n{text}\n{}\nengine {}\noracle {}",
            show(&trace),
            brief(&engine),
            brief(&oracle)
        );
    }
    true
}

#[test]
fn streams_agree_with_the_oracle() {
    let (cases, first) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let sound = (first..first + cases).filter(|seed| check(*seed)).count() as u64;
    assert!(sound * 2 > cases, "only {sound} of {cases} programs are sound");
}

/// What the step before says of a stream without parameters is said by its instance, which may have ended since.
#[test]
fn an_instance_that_has_ended_has_no_past() {
    let text = "input x: Int, y: Int
output late := y[2, 0]
output once: Int spawn when x.get(or: 0) > 0 eval with 1 close when late.hold(or: 0) = 0
trigger once[-1, 0] = 1
trigger x.get(or: 0) > 1 \"{once[-1, 0]}\"
";
    let compiled = compile(Language::Lola, &Source::new("once.lola", text), &Options::default());
    let rule = Arc::<Rule>::new(compiled.properties.into_iter().next().expect("it can be judged"));
    let values: [(i64, i64); 7] = [(0, 1), (1, 0), (2, 0), (2, 0), (1, 1), (2, 1), (1, 0)];
    let point = |(x, y): &(i64, i64)| {
        let argument = |name: &str, value: &i64| OwnedArgument {
            name: name.into(),
            text: value.to_string().into(),
            declared: None,
        };
        let event =
            OwnedEvent { name: "step".into(), arguments: vec![argument("x", x), argument("y", y)], positional: 2 };
        OwnedPoint { time: None, events: vec![event] }
    };
    let trace = OwnedTrace { points: values.iter().map(point).collect() };
    for prefix in [false, true] {
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        assert_eq!(sorted(judge_rule(&rule, &trace, prefix)), sorted(expected(&rule, &trace, mode)));
    }
}
