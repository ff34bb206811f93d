//! The logs of machines: the four specifications find all failures where they were put and no others, in both formats; and
//! MFOTL and FO-LTL say the same of them, also of steps that carry many fields at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_engine::judge_rule;
use referee_generate::Values;
use referee_generate::machine::{Failure, MachineFormat, MachineLog};
use referee_oracle::random::Rng;
use referee_spec::core::{Language, Rule, Status};
use referee_spec::language::{Options, Source, compile};
use referee_testing::{cases, is_sample, seeds};
use referee_trace::abstraction::Meaning;
use referee_trace::mapping::Mapping;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// The specifications of streams, and which failures each finds.
const STREAMS: [(&str, &str, &[&str]); 4] = [
    ("alarm", include_str!("../../specifications/stepr-alarm.lola"), &["alarm"]),
    ("duration", include_str!("../../specifications/stepr-duration.lola"), &["duration"]),
    ("errors", include_str!("../../specifications/stepr-errors.lola"), &["errors"]),
    (
        "order",
        include_str!("../../specifications/stepr-order.lola"),
        &["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9"],
    ),
];

/// The same in MFOTL, over events that the mapping below makes of steps.
const POLICIES: [(&str, &str); 12] = [
    ("alarm", "FORALL x, y. alarm() AND ts(x) AND (PREV ONCE (start2() AND ts(y))) IMPLIES x - y >= 60000"),
    (
        "duration",
        "FORALL x, y. stop() AND ts(x) AND (PREV ((NOT start1() AND NOT stop()) SINCE (start1() AND ts(y)))) \
         IMPLIES x - y <= 30000",
    ),
    ("errors", "FORALL e, c. counts(e, c) AND e > 0 AND c > 0 IMPLIES e * 50000 <= c"),
    (
        "P1",
        "group_start() IMPLIES (NOT PREV TRUE) OR PREV ((NOT group_start() SINCE group_end()) OR PAST_ALWAYS NOT group_start())",
    ),
    ("P2", "group_end() IMPLIES PREV (NOT group_end() SINCE group_start())"),
    ("P3", "phase_start() IMPLIES (NOT group_end() SINCE group_start())"),
    (
        "P4",
        "FORALL x. phase_start() IMPLIES ((NOT (init(x) OR run(x)) SINCE finish(x)) OR PAST_ALWAYS NOT (init(x) OR run(x)))",
    ),
    ("P5", "FORALL x. run(x) IMPLIES PREV (NOT run(x) SINCE init(x))"),
    ("P6", "FORALL x. finish(x) IMPLIES PREV (NOT finish(x) SINCE run(x))"),
    (
        "P7",
        "FORALL x. init(x) IMPLIES (NOT PREV TRUE) OR \
         PREV ((NOT (init(x) OR run(x)) SINCE finish(x)) OR PAST_ALWAYS NOT (init(x) OR run(x)))",
    ),
    (
        "P8",
        "FORALL x. ((NOT group_start() SINCE group_end()) OR PAST_ALWAYS NOT group_start()) IMPLIES \
         NOT finish(x) AND NOT init(x) AND NOT run(x)",
    ),
    (
        "P9",
        "FORALL x, y. group_end() AND ts(y) AND (NOT group_start() SINCE (group_start() AND ts(x))) IMPLIES y - x < 480000",
    ),
];

/// The same in FO-LTL, over the steps themselves.
const FORMULAS: [(&str, &str); 4] = [
    ("alarm", include_str!("../../../../benchmarks/stepr-alarm/property.foltl")),
    ("duration", include_str!("../../../../benchmarks/stepr-duration/property.foltl")),
    ("errors", include_str!("../../../../benchmarks/stepr-errors/property.foltl")),
    ("order", include_str!("../../../../benchmarks/stepr-order/property.foltl")),
];

const EVENTS: &str = r#"
time = { field = "time", unit = "ms", optional = true }
split = "log"
[[event]]
from = "step"
to = "step"
args = []
[[event]]
from = "step"
when = 'has alarm and alarm = true'
to = "alarm"
args = []
[[event]]
from = "step"
when = 'has start1 and start1 = true'
to = "start1"
args = []
[[event]]
from = "step"
when = 'has start2 and start2 = true'
to = "start2"
args = []
[[event]]
from = "step"
when = 'has stop and stop = true'
to = "stop"
args = []
[[event]]
from = "step"
when = 'has group_start and group_start = true'
to = "group_start"
args = []
[[event]]
from = "step"
when = 'has group_end and group_end = true'
to = "group_end"
args = []
[[event]]
from = "step"
when = 'has phase_start and phase_start = true'
to = "phase_start"
args = []
[[event]]
from = "step"
when = 'has error_count and error_count >= 0'
to = "counts"
args = ["error_count", "cycle_count"]
[[event]]
from = "step"
when = 'has init and init > 0'
to = "init"
args = ["init"]
[[event]]
from = "step"
when = 'has run and run > 0'
to = "run"
args = ["run"]
[[event]]
from = "step"
when = 'has finish and finish > 0'
to = "finish"
args = ["finish"]
"#;

/// What most logs are like.
const PLAIN: MachineLog = MachineLog {
    steps: 20_000,
    traces: 1,
    processes: 100,
    failures_every: 0,
    at: None,
    values: Values::Integers,
    seed: 1,
};

fn log(wish: &MachineLog, format: MachineFormat) -> (String, Vec<Failure>) {
    let mut text = Vec::new();
    let failures = wish.write(format, &mut text).expect("memory can be written to");
    (String::from_utf8(text).expect("text"), failures)
}

fn traces(text: &str, mapping: &str, language: Language) -> Vec<OwnedTrace> {
    let mapping = match mapping {
        "stepr" => Mapping::load("stepr"),
        text => Mapping::parse(text, "events.toml"),
    };
    let meaning =
        Meaning { mapping: mapping.expect("a mapping"), time: language.time_field(false), ..Meaning::default() };
    read_text("log", text, &ReadOptions { meaning, ..ReadOptions::default() }).expect("a readable log")
}

fn rule(language: Language, name: &str, text: &str) -> Arc<Rule> {
    let compiled = compile(language, &Source::new(name, text), &Options::default());
    let rule = compiled.properties.into_iter().next();
    Arc::new(rule.unwrap_or_else(|| panic!("{name}: {:?}", compiled.diagnostics)))
}

/// The positions at which a rule is violated; for `order` with the property that the message names.
fn found(rule: &Arc<Rule>, traces: &[OwnedTrace], property: &str) -> BTreeSet<(String, u64, u64)> {
    let mut all = BTreeSet::new();
    for (number, trace) in (1..).zip(traces) {
        let outcome = judge_rule(rule, trace, false);
        assert_ne!(outcome.status, Status::GaveUp, "{property}: {:?}", outcome.obstacle);
        for violation in outcome.violations {
            let named = violation.message.as_deref().and_then(|text| text.split_once(':')).map(|(name, _)| name);
            let name = named.filter(|_| property == "order").unwrap_or(property);
            all.insert((name.to_owned(), number, violation.point));
        }
    }
    all
}

fn expected(failures: &[Failure], properties: &[&str]) -> BTreeSet<(String, u64, u64)> {
    let mine = failures.iter().filter(|failure| properties.contains(&failure.property));
    mine.map(|failure| (failure.property.to_owned(), failure.trace, failure.point)).collect()
}

#[test]
fn streams_find_the_failures_where_they_were_put() {
    for seed in 0..6 {
        let wish = MachineLog {
            steps: 20_000,
            traces: 1 + seed % 3,
            processes: 50 << seed,
            failures_every: 12,
            seed,
            ..PLAIN
        };
        for format in [MachineFormat::CsvNamed, MachineFormat::Csv, MachineFormat::Xml] {
            let (text, failures) = log(&wish, format);
            let traces = traces(&text, "stepr", Language::Lola);
            assert_eq!(traces.len() as u64, wish.traces);
            for (name, specification, properties) in STREAMS {
                let rule = rule(Language::Lola, name, specification);
                let wanted = expected(&failures, properties);
                assert!(!wanted.is_empty(), "seed {seed} has no failure of {name}");
                let all = found(&rule, &traces, name);
                let missing: Vec<_> = wanted.difference(&all).collect();
                let more: Vec<_> = all.difference(&wanted).collect();
                assert!(
                    missing.is_empty() && more.is_empty(),
                    "seed {seed}, {name}: missing {missing:?}, more {more:?}"
                );
            }
        }
    }
}

#[test]
fn a_log_without_failures_satisfies_all() {
    let wish = MachineLog { steps: 20_000, traces: 3, processes: 500, seed: 5, ..PLAIN };
    let (text, failures) = log(&wish, MachineFormat::CsvNamed);
    assert_eq!(failures, []);
    let traces = traces(&text, "stepr", Language::Lola);
    for (name, specification, _) in STREAMS {
        assert_eq!(found(&rule(Language::Lola, name, specification), &traces, name), BTreeSet::new(), "{name}");
    }
}

#[test]
fn policies_say_the_same_as_streams() {
    let wish = MachineLog { steps: 900, traces: 2, processes: 12, failures_every: 3, seed: 3, ..PLAIN };
    let (text, failures) = log(&wish, MachineFormat::CsvNamed);
    let traces = traces(&text, EVENTS, Language::Mfotl);
    for (property, policy) in POLICIES {
        let rule = rule(Language::Mfotl, property, policy);
        assert_eq!(found(&rule, &traces, property), expected(&failures, &[property]), "{property}");
    }
}

#[test]
fn one_step_breaks_each_specification_where_it_is_asked() {
    // Near the beginning and the end, between groups and in them.
    let places = [2, 3, 4, 5, 6, 7, 3_900, 3_994, 3_995, 3_996, 3_997, 3_998, 3_999, 4_000, 4_001, 5_990, 5_999, 6_000];
    for at in places.into_iter().chain((8..6_000).step_by(601)) {
        let wish = MachineLog { steps: 6_000, at: Some(at), seed: at, ..PLAIN };
        let (text, failures) = log(&wish, MachineFormat::CsvNamed);
        assert_eq!(text.lines().count(), 6_001, "{at}");
        assert!(failures.iter().all(|failure| failure.point == at), "{at}: {failures:?}");
        let traces = traces(&text, "stepr", Language::Lola);
        for (name, specification, properties) in STREAMS {
            let wanted = expected(&failures, properties);
            assert!(!wanted.is_empty(), "{at}: {name}");
            assert_eq!(found(&rule(Language::Lola, name, specification), &traces, name), wanted, "{at}: {name}");
        }
    }
}

#[test]
fn processes_may_be_strings() {
    let wish = MachineLog { steps: 2_000, values: Values::Strings, ..PLAIN };
    let (text, _) = log(&wish, MachineFormat::CsvNamed);
    let (numbers, _) = log(&MachineLog { values: Values::Integers, ..wish }, MachineFormat::CsvNamed);
    let mut names = std::collections::BTreeMap::new();
    for (named, numbered) in text.lines().zip(numbers.lines()) {
        let of = |line: &str| {
            let field =
                line.split(", ").find(|part| ["init", "run", "finish"].iter().any(|name| part.starts_with(name)));
            field.and_then(|field| field.split_once(" = ")).map(|(_, value)| value.to_owned())
        };
        if let (Some(name), Some(number)) = (of(named), of(numbered)) {
            assert!(name.starts_with("process-") && name.len() == 20, "{named}");
            assert_eq!(names.entry(number).or_insert_with(|| name.clone()), &name);
        } else {
            assert_eq!(named, numbered);
        }
    }
    let different: BTreeSet<&String> = names.values().collect();
    assert!(names.len() > 50 && different.len() == names.len(), "{names:?}");
}

/// What the streams find, by property, which is what the policies find, and what the formulas find first.
fn agreed(text: &str) -> BTreeSet<(String, u64, u64)> {
    let steps = traces(text, "stepr", Language::Lola);
    let streams: BTreeSet<_> = STREAMS
        .iter()
        .flat_map(|(name, specification, _)| found(&rule(Language::Lola, name, specification), &steps, name))
        .collect();
    let events = traces(text, EVENTS, Language::Mfotl);
    for (property, policy) in POLICIES {
        let policies = found(&rule(Language::Mfotl, property, policy), &events, property);
        let mine: BTreeSet<_> = streams.iter().filter(|(name, ..)| name == property).cloned().collect();
        assert_eq!(mine, policies, "{property}, streams and policy\n{text}");
    }
    let steps = traces(text, "stepr", Language::Foltl);
    for (specification, formulas) in FORMULAS {
        for rule in compile(Language::Foltl, &Source::new(specification, formulas), &Options::default()).properties {
            let rule = Arc::new(rule);
            let name = if specification == "order" { rule.name().to_string() } else { specification.to_owned() };
            let formula = found(&rule, &steps, &name);
            let mine: BTreeSet<_> = streams.iter().filter(|(property, ..)| *property == name).cloned().collect();
            assert_eq!(mine.first(), formula.first(), "{name}, streams and formula\n{text}");
            assert!(formula.is_subset(&mine), "{name}: {formula:?} and {mine:?}\n{text}");
        }
    }
    streams
}

#[test]
fn a_step_may_init_one_process_and_run_another() {
    let text = "log, id = 1\n\
                step, group_start = true, time = 1\n\
                step, phase_start = true, time = 2\n\
                step, init = 2, time = 3\n\
                step, run = 2, init = 1, time = 4\n\
                step, finish = 2, time = 5\n\
                step, phase_start = true, time = 6\n\
                step, init = 1, time = 7\n";
    let expected = BTreeSet::from([("P4".to_owned(), 1, 6), ("P7".to_owned(), 1, 7)]);
    assert_eq!(agreed(text), expected);
}

/// A log of steps that carry any fields.
fn crowded(rng: &mut Rng, steps: usize) -> String {
    let mut text = "log, id = 1\n".to_owned();
    let mut time = 0;
    for _ in 0..steps {
        time += rng.pick(&[0, 1, 1, 10_000, 29_999, 30_000, 30_001, 59_999, 60_000, 200_000]);
        text.push_str("step");
        for process in ["init", "run", "finish"] {
            if rng.chance(45) {
                text.push_str(&format!(", {process} = {}", rng.below(4)));
            }
        }
        for flag in ["alarm", "start1", "start2", "stop", "group_start", "group_end", "phase_start"] {
            if rng.chance(30) {
                text.push_str(&format!(", {flag} = {}", rng.chance(80)));
            }
        }
        if rng.chance(20) {
            text.push_str(&format!(", error_count = {}, cycle_count = {}", rng.below(3), 49_999 * rng.below(4) + 1));
        }
        text.push_str(&format!(", time = {time}\n"));
    }
    text
}

#[test]
fn steps_may_carry_everything_at_once() {
    let mut seen = BTreeSet::new();
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let steps = 1 + rng.below(12);
        seen.extend(agreed(&crowded(&mut rng, steps)).into_iter().map(|(property, ..)| property));
    }
    assert!(seen.len() == POLICIES.len() || !is_sample(cases(400)), "{seen:?}");
}
