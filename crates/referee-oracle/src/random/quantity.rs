//! Random quantitative rules, as texts, and traces for them.
//!
//! Few atoms, short windows and small steps of time, so that things meet and windows and intervals are hit exactly at their
//! ends.

use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

use super::rng::Rng;

const ATOMS: [&str; 3] = ["a", "b", "c"];

/// A random SOLOIST formula of this depth at most.
pub fn random_quantity(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.chance(8) {
        return if rng.chance(75) { rng.pick(&ATOMS).to_owned() } else { modality(rng) };
    }
    let below = |rng: &mut Rng| random_quantity(rng, depth - 1);
    match rng.weighted(&[12, 12, 8, 8, 3, 16, 16, 25]) {
        0 => format!("({} & {})", below(rng), below(rng)),
        1 => format!("({} | {})", below(rng), below(rng)),
        2 => format!("({} -> {})", below(rng), below(rng)),
        3 => format!("!{}", below(rng)),
        4 => format!("({} <-> {})", below(rng), below(rng)),
        5 => format!("({} U{} {})", below(rng), interval(rng), below(rng)),
        6 => format!("({} S{} {})", below(rng), interval(rng), below(rng)),
        _ => {
            let operator = rng.pick(&["F", "G", "G", "P", "H", "X", "Y"]);
            format!("{operator}{} {}", interval(rng), below(rng))
        }
    }
}

/// `_[1,3)`, or often none.
fn interval(rng: &mut Rng) -> String {
    if rng.chance(45) {
        return String::new();
    }
    let (low, length) = (rng.below(4), 2 + rng.below(5));
    let (open, close) = (rng.pick(&["[", "("]), rng.pick(&["]", ")"]));
    if rng.chance(20) { format!("_{open}{low},inf)") } else { format!("_{open}{low},{}{close}", low + length) }
}

fn modality(rng: &mut Rng) -> String {
    let (window, bound) = (rng.below(8), rng.below(4));
    let comparison = rng.pick(&["<", "<=", ">=", ">", "="]);
    let argument = |rng: &mut Rng| match rng.below(5) {
        0 => format!("!{}", rng.pick(&ATOMS)),
        1 => format!("{} & {}", rng.pick(&ATOMS), rng.pick(&ATOMS)),
        2 => format!("{} | {}", rng.pick(&ATOMS), rng.pick(&ATOMS)),
        _ => rng.pick(&ATOMS).to_owned(),
    };
    let stretch = 1 + rng.below(3);
    match rng.below(4) {
        0 => format!("C[{window}] {comparison} {bound} ({})", argument(rng)),
        1 => format!("AVG[{}, {stretch}] {comparison} {bound} ({})", window + stretch, argument(rng)),
        2 => format!("MAX[{window}, {stretch}] {comparison} {bound} ({})", argument(rng)),
        _ => format!("D[{window}] {comparison} {bound} ({}, {})", argument(rng), argument(rng)),
    }
}

/// A trace of up to fourteen points with strictly increasing times, or without times.
pub fn random_quantity_trace(rng: &mut Rng) -> OwnedTrace {
    let (timed, halves) = (rng.chance(90), rng.chance(10));
    let mut time = rng.below(4) as i64;
    let mut points = Vec::new();
    for _ in 0..rng.below(15) {
        time += rng.pick(&[1, 1, 1, 2, 2, 3, 5]);
        let events = ATOMS.iter().filter(|_| rng.chance(35)).map(|name| OwnedEvent::positional(name, &[])).collect();
        let exact = Number::Int(time);
        let time = if halves { exact.div(&Number::Int(2)) } else { Some(exact) };
        points.push(OwnedPoint { time: time.filter(|_| timed), events });
    }
    OwnedTrace { points }
}
