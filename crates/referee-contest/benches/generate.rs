//! How fast traces are generated and written.
//!
//! `cargo bench -p referee-contest --bench generate [-- FILTER]` prints events per second of wall time for every
//! generator, to its own format and to XML, written to nowhere. Nothing here fails because a machine is slow.

use std::io::sink;
use std::time::{Duration, Instant};

use referee_contest::generate::{self, Generator, Request, Values};
use referee_trace::format::Format;

const EVENTS: u64 = 1_000_000;

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    println!("{:<26} {:<10} {:>14} {:>14}", "generator", "format", "integers", "strings");
    let variants = generate::all().flat_map(|generator| std::iter::once(generator).chain(generator.timed));
    for generator in variants.filter(|generator| generator.name.contains(&filter)) {
        for format in [generator.format, Format::Xml] {
            let speed = |values| format!("{:.1} M/s", speed(generator, format, values));
            let (integers, strings) = (speed(Values::Integers), speed(Values::Strings));
            println!("{:<26} {:<10} {integers:>14} {strings:>14}", generator.name, format.name());
        }
    }
}

/// Millions of events per second, in the best of three runs.
fn speed(generator: &Generator, format: Format, values: Values) -> f64 {
    let request = Request { events: Some(EVENTS), values, ..Request::default() };
    let order = generator.order(&request).expect("a possible order");
    let run = |_| {
        let start = Instant::now();
        generator.write(&order, format, sink(), None).expect("nowhere has room");
        start.elapsed()
    };
    let best = (0..3).map(run).min().unwrap_or(Duration::MAX);
    EVENTS as f64 / best.as_secs_f64() / 1e6
}
