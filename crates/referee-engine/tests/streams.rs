//! The judge of streams against the oracle, on random programs and random traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test streams` is the long mode; `REFEREE_SEED` takes
//! other seeds. A disagreement is printed with its seed.

use std::sync::Arc;

use referee_engine::judge_rule;
use referee_oracle::random::Rng;
use referee_oracle::stream::random::{random_program, random_stream_trace};
use referee_oracle::{Mode, judge_rule as expected};
use referee_spec::core::{Language, Outcome, Problem, Rule, Status, Violation};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

/// How many cases a normal test run has.
const CASES: u64 = 2_500;

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
    let cases = cases(CASES);
    let sound = seeds(CASES).filter(|seed| check(*seed)).count() as u64;
    assert!(!is_sample(cases) || sound * 2 > cases, "only {sound} of {cases} programs are sound");
}

/// The time of a step, and its fields.
type Step<'s> = (Option<i64>, &'s [(&'s str, i64)]);

/// The engine and the oracle on a program and some steps.
fn compare(text: &str, steps: &[Step<'_>]) {
    let compiled = compile(Language::Lola, &Source::new("case.lola", text), &Options::default());
    let rule = Arc::<Rule>::new(compiled.properties.into_iter().next().expect("it can be judged"));
    let argument = |(name, value): &(&str, i64)| OwnedArgument {
        name: (*name).into(),
        text: value.to_string().into(),
        declared: None,
    };
    let point = |(time, fields): &Step<'_>| {
        let arguments: Vec<OwnedArgument> = fields.iter().map(argument).collect();
        let event = OwnedEvent { name: "step".into(), positional: arguments.len(), arguments };
        OwnedPoint { time: time.map(Number::Int), events: vec![event] }
    };
    let trace = OwnedTrace { points: steps.iter().map(point).collect() };
    for prefix in [false, true] {
        let mode = if prefix { Mode::Prefix } else { Mode::Complete };
        let (engine, oracle) = (judge_rule(&rule, &trace, prefix), expected(&rule, &trace, mode));
        assert!(!oracle.violations.is_empty(), "the case says nothing");
        assert_eq!(sorted(engine), sorted(oracle));
    }
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
    let values = [(0, 1), (1, 0), (2, 0), (2, 0), (1, 1), (2, 1), (1, 0)];
    let fields = values.map(|(x, y)| [("x", x), ("y", y)]);
    let steps: Vec<Step<'_>> = fields.iter().map(|fields| (None, &fields[..])).collect();
    compare(text, &steps);
}

/// A step without a time has that of the step before, also where nothing else is read of that one.
#[test]
fn steps_that_nobody_reads_have_times() {
    let text = "input x: Int
trigger x > 0 \"{x.aggregate(over: 5, using: max)}\"
trigger at end x.aggregate(over: 2, using: count) = 0
";
    let other: &[(&str, i64)] = &[("z", 0)];
    compare(
        text,
        &[(Some(2), &[("x", 1)]), (Some(6), other), (None, &[("x", 3)]), (Some(10), &[("x", 2)]), (Some(20), other)],
    );
}

/// How long some steps take, with one live instance per step.
fn time_of(text: &str, steps: i64) -> std::time::Duration {
    let compiled = compile(Language::Lola, &Source::new("case.lola", text), &Options::default());
    let rule = Arc::<Rule>::new(compiled.properties.into_iter().next().expect("it can be judged"));
    let point = |value: i64| {
        let argument = OwnedArgument { name: "x".into(), text: value.to_string().into(), declared: None };
        let event = OwnedEvent { name: "step".into(), positional: 1, arguments: vec![argument] };
        OwnedPoint { time: None, events: vec![event] }
    };
    let trace = OwnedTrace { points: (1..=steps).map(point).collect() };
    let start = std::time::Instant::now();
    let outcome = judge_rule(&rule, &trace, false);
    assert_eq!((outcome.status, outcome.violations.len()), (Status::Satisfied, 0), "{text}");
    start.elapsed()
}

/// Instances are reached by key, or by a part of it, and never scanned: a scan of these would look at billions.
#[test]
fn instances_are_not_scanned() {
    let programs = [
        "trigger (p: Int) spawn with x eval when x = p and p < 0 \"hit {p}\"",
        "trigger (p: Int) spawn with x p = x and (p < 0 or p = 0)",
        "output c(p: Int, q: Int) spawn with (x, x + 1) eval when x = p with p + q\ntrigger c(x, x + 1) < 0",
        "output c(p: Int, q: Int) spawn with (x, x + 1) eval when x + 1 = q with p + q\ntrigger c(x, x + 1) < 0",
        "output c(p: Int, q: Int) spawn with (x, x + 1) := p + q close when x = q\ntrigger c(x, x + 1) < 0",
        "trigger (p: Int, q: Int) spawn with (x, x + 1) eval when (x = p or x = q) and p + q < 0",
        "output s(p: Int) spawn with x eval when x = p with p\n\
         trigger (p: Int, q: Int) spawn with (x + 1, x) eval when s(q) < p - 1",
    ];
    for text in programs {
        let text = format!("input x: Int\n{text}\n");
        let time = time_of(&text, 60_000);
        assert!(time < std::time::Duration::from_secs(10), "{time:?}\n{text}");
    }
}
