//! Random policies with aggregations, as MFOTL texts, and traces for them.
//!
//! Events: `p(x)`, `q(x)`, `r(u, x)`. Values meet often, and are negative, equal, wide or fractions now and then.

use referee_spec::core::{AggregateDescriptor, AggregateMaker, AggregateNotation, Rank};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

use super::rng::Rng;

const RANKS: [&str; 6] = ["0", "0.25", "0.5", "0.95", "0.999", "1"];
const NUMBERS: [&str; 6] = ["1", "2", "3", "-2", "1.5", "9223372036854775807"];

/// An aggregate that a language has and `fits` accepts, as it is written there; with a rank where it takes one.
pub fn random_aggregate(
    rng: &mut Rng,
    notation: AggregateNotation,
    fits: impl Fn(&AggregateDescriptor) -> bool,
) -> String {
    let rows: Vec<&AggregateDescriptor> = notation.all().filter(|row| fits(row)).collect();
    notation.written(match rng.pick(&rows).make {
        AggregateMaker::Plain(function) => function,
        AggregateMaker::Ranked(make) => {
            let rank = Number::parse(rng.pick(&RANKS));
            make(rank.as_ref().and_then(Rank::of).unwrap_or(Rank::MIDDLE))
        }
    })
}

/// A random policy with at least one aggregation.
pub fn random_aggregation(rng: &mut Rng) -> String {
    let grouped = rng.chance(65);
    let aggregation = if rng.chance(15) { nested(rng, grouped) } else { aggregation(rng, "m", grouped) };
    let comparison = format!("m {} {}", rng.pick(&["<", "<=", ">", ">=", "=", "!="]), rng.pick(&NUMBERS));
    match rng.below(10) {
        0..3 => format!("({aggregation}) IMPLIES {comparison}"),
        3..5 if grouped => format!("p(u) AND ({aggregation}) IMPLIES {comparison}"),
        5 => format!("NOT (EXISTS m. ({aggregation}) AND {comparison})"),
        6 => format!("q(m) IMPLIES {}({aggregation})", rng.pick(&["", "NOT "])),
        7 => {
            let around = rng.pick(&["ONCE[0,2] ", "PREV ", "PAST_ALWAYS[0,3] ", "EVENTUALLY[0,2] ", "ALWAYS[0,2] "]);
            format!("{around}(FORALL m. ({aggregation}) IMPLIES {comparison})")
        }
        8 => format!("(EXISTS x. q(x)) IMPLIES EXISTS m. ({aggregation}) AND {comparison}"),
        _ => format!("FORALL m. ({aggregation}) IMPLIES {comparison} OR ONCE[0,1] q(m)"),
    }
}

/// `m <- SUM x; u …`
fn aggregation(rng: &mut Rng, result: &str, grouped: bool) -> String {
    let function = random_aggregate(rng, AggregateNotation::Mfotl, |_| true);
    if !grouped {
        return format!("{result} <- {function} x {}", body(rng, "x"));
    }
    let over = if rng.chance(8) { "u" } else { "x" };
    format!("{result} <- {function} {over}; u {}", body(rng, "r"))
}

/// An aggregation of aggregations.
fn nested(rng: &mut Rng, grouped: bool) -> String {
    let outer = random_aggregate(rng, AggregateNotation::Mfotl, |_| true);
    if grouped {
        let inner = aggregation(rng, "n", true);
        return format!("m <- {outer} n; u ({inner}) AND (p(u) OR ONCE[0,2] q(u))");
    }
    let inner = aggregation(rng, "n", true);
    let window = rng.pick(&["", "ONCE[0,2] ", "PREV "]);
    format!("m <- {outer} n {window}({inner})")
}

/// What is aggregated: over `x`, or over `u` and `x`.
fn body(rng: &mut Rng, over: &str) -> String {
    let event = |rng: &mut Rng| match over {
        "r" => "r(u, x)".to_owned(),
        _ => rng.pick(&["p(x)", "q(x)", "r(y, x)", "r(x, y)", "r(_, x)"]).to_owned(),
    };
    let atom = |rng: &mut Rng| match rng.below(8) {
        0 => format!("{} AND x {} {}", event(rng), rng.pick(&["<", ">=", "!="]), rng.pick(&NUMBERS)),
        1 => format!("{} AND NOT q(x)", event(rng)),
        2 => format!("{} AND (NOT (ONCE[0,2] p(x)))", event(rng)),
        3 => format!("{} AND (EXISTS z. p(z))", event(rng)),
        _ => event(rng),
    };
    let stamped = |rng: &mut Rng| if rng.chance(50) { format!("{} AND tp(i)", atom(rng)) } else { atom(rng) };
    match rng.below(10) {
        0..4 => format!("ONCE{} ({})", interval(rng), stamped(rng)),
        4..6 => format!("({})", atom(rng)),
        6 => format!("(EVENTUALLY{} ({}))", interval(rng), stamped(rng)),
        7 => format!("({} OR ({}))", event(rng), atom(rng)),
        8 => format!("((NOT q(x)) SINCE{} ({}))", interval(rng), atom(rng)),
        _ => format!("(PREV ({}))", atom(rng)),
    }
}

fn interval(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => String::new(),
        _ => {
            let low = rng.below(3);
            format!("[{low},{}]", low + rng.below(3))
        }
    }
}

/// A trace of up to eleven points, with ties of time, duplicate events and values of all kinds.
pub fn random_aggregation_trace(rng: &mut Rng) -> OwnedTrace {
    let mut values: Vec<&str> = (0..2).map(|_| rng.pick(&NUMBERS)).collect();
    if rng.chance(15) {
        values.push("a");
    }
    let mut time = 0;
    let mut points = Vec::new();
    for _ in 0..rng.below(12) {
        time += rng.pick(&[0, 1, 1, 2]);
        let events = (0..rng.weighted(&[10, 40, 30, 20])).map(|_| {
            let (name, arity) = rng.pick(&[("p", 1), ("q", 1), ("r", 2), ("r", 2), ("r", 2)]);
            let texts: Vec<&str> = (0..arity).map(|_| rng.pick(&values)).collect();
            OwnedEvent::positional(name, &texts)
        });
        let events = events.collect();
        points.push(OwnedPoint { time: Some(Number::Int(time)), events });
    }
    OwnedTrace { points }
}
