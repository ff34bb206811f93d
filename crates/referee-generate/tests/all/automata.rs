//! The traces of automata by their meaning: the oracle, which tries all bindings and all runs, says what was asked for.

use crate::collect::trace;
use referee_generate::{Generator, Request, Share, Verdict};
use referee_oracle::{Mode, judge_rule};
use referee_spec::core::{Language, Status};
use referee_spec::language::{Options, Source, compile};

fn automata() -> impl Iterator<Item = &'static Generator> {
    referee_generate::all().filter(|generator| matches!(generator.language, Language::Qea | Language::Mop))
}

/// What the oracle says of a trace.
fn status(generator: &Generator, request: &Request) -> Status {
    let source = Source::new("t", generator.specification);
    let compiled = compile(generator.language, &source, &Options::default());
    assert!(!compiled.properties.is_empty(), "{}: {:?}", generator.name, compiled.diagnostics);
    let order = generator.order(request).unwrap_or_else(|refusal| panic!("{}: {refusal}", generator.name));
    let trace = trace(generator, &order);
    let mut statuses = compiled.properties.iter().map(|rule| judge_rule(rule, &trace, Mode::Complete).status);
    statuses.find(|status| *status != Status::Satisfied).unwrap_or(Status::Satisfied)
}

#[test]
fn the_oracle_finds_the_verdict_that_was_asked_for() {
    assert_eq!(automata().count(), 19);
    for generator in automata() {
        for (events, seed) in [(13_u64, 1), (22, 2), (31, 3), (40, 4)] {
            let events = Some(events.next_multiple_of(generator.sizes.multiple_of));
            let request = Request { events, seed, ..Request::default() };
            assert_eq!(status(generator, &request), Status::Satisfied, "{} {request:?}", generator.name);
            for at in ["0.4", "0.999"] {
                let (at, verdict) = (at.parse::<Share>().ok(), Verdict::Violated);
                let request = Request { at, verdict, ..request.clone() };
                assert_eq!(status(generator, &request), Status::Violated, "{} {request:?}", generator.name);
            }
        }
    }
}

/// The sizes that the competition published, and of what there is how much.
#[test]
fn the_published_sizes_are_the_default() {
    let counts = |name: &str, kind: &str| {
        let generator = referee_generate::find(name).expect("it exists");
        let trace = trace(generator, &generator.order(&Request::default()).expect("the default"));
        let events = trace.points.iter().flat_map(|point| &point.events);
        (trace.points.len(), events.filter(|event| &*event.name == kind).count())
    };
    assert_eq!(counts("qea-leader", "ping").0, 9_756);
    assert_eq!(counts("qea-nested", "command"), (1_200, 600));
    assert_eq!(counts("qea-pieces", "toggle"), (110_003, 10_000));
    assert_eq!(counts("qea-pieces", "process"), (110_003, 3));
}
