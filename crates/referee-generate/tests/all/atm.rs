//! The logs of the teller machine have the verdicts of the package's table.

use referee_engine::quantity::judge_quantity;
use referee_generate::{Request, Verdict};
use referee_oracle::{Mode, judge_quantity as expected};
use referee_spec::core::{Outcome, Status};
use referee_spec::language::{Compiled, Options, Source};
use referee_spec::soloist::compile as compile_soloist;
use referee_trace::abstraction::Meaning;
use referee_trace::format::Format;
use referee_trace::mapping::Mapping;
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

/// A log as it is read from its XML.
fn log(generator: &str, verdict: Verdict, events: u64, seed: u64) -> OwnedTrace {
    let generator = referee_generate::find(generator).expect("it exists");
    let request = Request { events: Some(events), seed, verdict, ..Request::default() };
    let order = generator.order(&request).expect("a possible wish");
    let mut bytes = Vec::new();
    generator.write(&order, Format::Xml, &mut bytes, None).expect("written");
    let meaning = Meaning { mapping: Mapping::load("soloist").expect("built in"), ..Meaning::default() };
    let options = ReadOptions { format: Some(Format::Xml), meaning, ..ReadOptions::default() };
    let text = String::from_utf8(bytes).expect("text");
    read_text("log.xml", &text, &options).expect("readable").swap_remove(0)
}

/// The outcomes of QP1 to QP4, on which engine and oracle agree.
fn outcomes(trace: &OwnedTrace) -> Vec<Outcome> {
    let generator = referee_generate::find("atm-withdraw").expect("it exists");
    let source = Source::new("atm.soloist", generator.specification);
    let Compiled { properties: rules, diagnostics } = compile_soloist(&source, &Options::default());
    assert_eq!(
        rules.iter().map(|rule| &*rule.name).collect::<Vec<_>>(),
        ["QP1", "QP2", "QP3", "QP4"],
        "{diagnostics:?}"
    );
    let judged = rules.iter().map(|rule| {
        let outcome = judge_quantity(rule, trace, false);
        if trace.points.len() < 40 {
            let mut told = outcome.clone();
            // The definition does not say where a verdict was left open.
            told.violations.iter_mut().for_each(|violation| violation.opened = None);
            assert_eq!(told, expected(rule, trace, Mode::Complete));
        }
        outcome
    });
    judged.collect()
}

fn verdicts(trace: &OwnedTrace) -> Vec<bool> {
    outcomes(trace).iter().map(|outcome| outcome.status == Status::Satisfied).collect()
}

#[test]
fn the_five_logs_have_the_verdicts_of_table_1() {
    for events in [39, 150, 5_000] {
        for (name, verdict, seed, expected) in [
            ("atm-withdraw", Verdict::Satisfied, 1, [true, true, true, true]),
            ("atm-response", Verdict::Violated, 2, [true, false, true, false]),
            ("atm-response", Verdict::Violated, 3, [true, false, true, false]),
            ("atm-withdraw", Verdict::Violated, 4, [false, true, true, true]),
            ("atm-withdraw", Verdict::Violated, 5, [false, true, true, true]),
        ] {
            let trace = log(name, verdict, events, seed);
            assert_eq!(trace.points.len() as u64, events);
            assert_eq!(verdicts(&trace), expected, "{name}, {events} events, seed {seed}");
        }
    }
}

#[test]
fn every_size_and_seed_has_its_verdict() {
    for events in 9..120 {
        for name in ["atm-withdraw", "atm-response"] {
            assert_eq!(verdicts(&log(name, Verdict::Satisfied, events, events)), [true; 4], "{name}, {events}");
        }
    }
    for events in 40..120 {
        let withdraw = log("atm-withdraw", Verdict::Violated, events, events);
        let found = outcomes(&withdraw);
        assert_eq!(found[0].violations.len(), 1, "{events}");
        assert_eq!(found[0].violations[0].decided, Some((events * 999).div_ceil(1000)), "{events}");
        let response = log("atm-response", Verdict::Violated, events, events);
        assert_eq!(verdicts(&response), [true, false, true, false], "{events}");
    }
}
