//! Aggregates judged by deltas, against the general engine, on random policies and traces.
//!
//! `REFEREE_CASES=1000000 cargo test --release -p referee-engine --test tally` is the long mode; `REFEREE_SEED` takes
//! other seeds.

use std::sync::Arc;

use referee_engine::judge::{Finding, Judge};
use referee_engine::judge_property;
use referee_engine::tally::TallyJudge;
use referee_oracle::random::{Rng, random_aggregate};
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{AggregateNotation, Property, Violation};
use referee_spec::language::{Options, Source};
use referee_spec::mfotl::compile as compile_mfotl;
use referee_testing::{cases, is_sample, seeds};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::format::Format;
use referee_trace::owned::read_text;
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::reader::{ReadOptions, read_stream};
use referee_trace::values::Values;

/// How many cases a normal test run has.
const CASES: u64 = 6_000;

/// A judge and what it has found.
struct Run {
    judge: TallyJudge,
    values: Values,
    found: Vec<Finding>,
}

impl PointSink for Run {
    fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    fn shape(&mut self, _id: ShapeId, shape: &EventShape) -> Interest {
        self.judge.shape(shape, &mut self.values)
    }

    fn begin_trace(&mut self, _trace: u64, _last: u64) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        self.judge.points(points, &mut self.values, &mut self.found);
        Ok(())
    }
}

fn options() -> ReadOptions {
    ReadOptions { format: Some(Format::Monpoly), ..ReadOptions::default() }
}

/// The violations by deltas, and how many rows are left at the end.
fn by_deltas(judge: TallyJudge, trace: &str) -> (Vec<Violation>, usize) {
    let mut batcher = Batcher::new(Run { judge, values: Values::new(), found: Vec::new() });
    let text = std::io::Cursor::new(trace.to_owned().into_bytes());
    read_stream("trace", text, &options(), &mut batcher).expect("readable");
    batcher.finish().expect("nothing stops it");
    let last = batcher.last_point();
    let Run { judge, values, found } = batcher.sink();
    let outcome = judge.end(last, false, values);
    assert_eq!(outcome.len(), 1);
    let rows = judge.sizes().iter().map(|size| size.rows).sum();
    (found.drain(..).map(|finding| finding.violation).collect(), rows)
}

fn property(text: &str) -> Property {
    let compiled = compile_mfotl(&Source::new("random.mfotl", text), &Options::default());
    compiled.properties.into_iter().next().unwrap_or_else(|| panic!("{text}: {:?}", compiled.diagnostics))
}

fn random_policy(rng: &mut Rng) -> String {
    let grouped = rng.chance(70);
    let number = |rng: &mut Rng| rng.pick(&["0", "1", "2", "3", "4", "2.5", "-1"]);
    let comparison = |rng: &mut Rng| rng.pick(&["<", "<=", ">", ">=", "=", "!="]);
    let aggregate = |rng: &mut Rng, result: &str| {
        let function = random_aggregate(rng, AggregateNotation::Mfotl, |_| true);
        let filter = if rng.chance(25) { format!(" AND x {} {}", comparison(rng), number(rng)) } else { String::new() };
        let stamp = if rng.chance(50) { " AND tp(i)" } else { "" };
        let event = match (grouped, rng.below(4)) {
            (true, 0) => "w(u, x, _)",
            (true, 1) => "w(u, x, u)",
            (true, _) => "r(u, x)",
            (false, 0) => "r(_, x)",
            (false, 1) => "r(y, x)",
            (false, 2) => "r(1, x)",
            (false, _) => "p(x)",
        };
        let interval = match rng.below(4) {
            0 => String::new(),
            1 => format!("[{},*)", rng.below(3)),
            _ => {
                let low = rng.below(3);
                format!("{}{low},{}]", rng.pick(&["[", "["]), low + rng.below(4))
            }
        };
        let group = if grouped { "; u" } else { "" };
        format!("({result} <- {function} x{group} ONCE{interval} ({event}{filter}{stamp}))")
    };
    let limit = format!("m {} {}", comparison(rng), number(rng));
    match rng.below(6) {
        0 if grouped => format!("p(u) AND {} IMPLIES {limit}", aggregate(rng, "m")),
        1 if grouped => format!("r(u, l) AND {} IMPLIES m {} l", aggregate(rng, "m"), comparison(rng)),
        2 => format!("{} AND {} IMPLIES m {} n", aggregate(rng, "m"), aggregate(rng, "n"), comparison(rng)),
        3 => format!("NOT (EXISTS m. {} AND {limit})", aggregate(rng, "m")),
        4 => format!("{} IMPLIES ({limit} OR m + 1 {} {})", aggregate(rng, "m"), comparison(rng), number(rng)),
        _ => format!("FORALL m. {} IMPLIES {limit}", aggregate(rng, "m")),
    }
}

fn random_trace(rng: &mut Rng, longest: usize) -> String {
    let values: Vec<&str> =
        (0..3).map(|_| rng.pick(&["1", "2", "3", "-2", "1.5", "2.0", "9223372036854775807", "a"])).collect();
    let mut text = String::new();
    let mut time = 0;
    for _ in 0..rng.below(longest) {
        time += rng.pick(&[0, 1, 1, 2, 5]);
        text += &format!("@{time}");
        for _ in 0..rng.weighted(&[10, 55, 20, 15]) {
            let (name, arity) = rng.pick(&[("p", 1), ("r", 2), ("r", 2), ("w", 3), ("r", 2), ("z", 1)]);
            let arguments: Vec<&str> = (0..arity).map(|_| rng.pick(&values)).collect();
            text += &format!(" {name}({})", arguments.join(","));
        }
        text += ";\n";
    }
    text
}

#[test]
fn deltas_agree_with_the_general_engine_and_the_oracle() {
    let cases = cases(CASES);
    let mut violated = 0;
    for seed in seeds(CASES) {
        let mut rng = Rng::new(seed);
        let text = random_policy(&mut rng);
        let property = property(&text);
        let Some(fast) = TallyJudge::new(&property) else { panic!("seed {seed}: {text} has not the shape") };
        let short = seed % 8 == 0;
        let log = random_trace(&mut rng, if short { 5 } else { 16 });
        let trace = &read_text("trace", &log, &options()).expect("readable")[0];
        // Traces have few groups here: every other judge takes two for many.
        let fast = if seed % 2 == 0 { fast } else { fast.with_many_groups(2) };
        let (found, _) = by_deltas(fast, &log);
        let general = judge_property(Arc::new(property.clone()), trace, false);
        assert!(general.obstacle.is_none(), "seed {seed}\n{text}\n{log}{:?}", general.obstacle);
        assert_eq!(found, general.violations, "seed {seed}\n{text}\n{log}");
        if short {
            let oracle = expected(&property, trace, Mode::Complete);
            assert_eq!(found, oracle.violations, "seed {seed}, oracle\n{text}\n{log}");
        }
        violated += u64::from(!found.is_empty());
    }
    assert!(!is_sample(cases) || violated * 5 > cases, "{violated} of {cases} are violated");
}

#[test]
fn what_has_another_shape_is_left_to_the_general_engine() {
    for text in [
        "r(u, x) IMPLIES x > 0",
        "(m <- SUM x; u r(u, x)) IMPLIES m > 0",
        "(m <- SUM x; u EVENTUALLY[0,3] r(u, x)) IMPLIES m > 0",
        "(m <- SUM x; u ONCE[0,3] (r(u, x) AND NOT p(x))) IMPLIES m > 0",
        "(m <- SUM x; u ONCE[0,3] r(u, x)) IMPLIES m / 2 > 0",
        "(m <- SUM x; u ONCE[0,3] r(u, x)) IMPLIES ONCE p(u)",
        "p(v) AND (m <- SUM x; u ONCE[0,3] r(u, x)) IMPLIES m > 0",
        "EXISTS m. (m <- SUM x; u ONCE[0,3] r(u, x)) AND m > 0",
    ] {
        assert!(TallyJudge::new(&property(text)).is_none(), "{text}");
    }
}

#[test]
fn groups_that_fall_empty_are_freed() {
    let fast =
        TallyJudge::new(&property("(m <- SUM x; u ONCE[0,10] (r(u, x) AND tp(i))) IMPLIES m < 5")).expect("the shape");
    let mut log = String::new();
    for time in 0..5000 {
        log += &format!("@{time} r({time},3);\n");
    }
    let (found, rows) = by_deltas(fast, &log);
    assert_eq!((found.len(), rows), (0, 22));
}
