//! How fast traces are generated and written.
//!
//! `cargo bench -p referee-generate --bench generate [-- FILTER]` prints millions of events per second for every generator in
//! every format that it has, written to nowhere, with integers and with strings; and what is slowest. Where the system tells
//! it, the time is that of the processor, so that a machine with other work gives the same figures. A filter is a part of what
//! a row begins with, such as `routes` or `suite-doses csv`. Nothing here fails because a machine is slow.

use std::io::sink;
use std::time::{Duration, Instant};

use referee_generate::machine::{MachineFormat, MachineLog};
use referee_generate::{Generator, Request, Values};
use referee_trace::format::Format;

const EVENTS: u64 = 300_000;

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    println!("{:<26} {:<10} {:>14} {:>14}", "generator", "format", "integers", "strings");
    let mut slowest = (f64::INFINITY, String::new());
    let mut tell = |name: &str, format: &str, [integers, strings]: [f64; 2]| {
        println!("{name:<26} {format:<10} {integers:>10.1} M/s {strings:>10.1} M/s");
        let least = integers.min(strings);
        if least < slowest.0 {
            slowest = (least, format!("{name} {format}"));
        }
    };
    let is_asked = |name: &str, format: &str| format!("{name} {format}").contains(&filter);
    for generator in referee_generate::all().flat_map(|generator| std::iter::once(generator).chain(generator.timed)) {
        for format in Format::ALL.into_iter().filter(|format| is_asked(generator.name, format.name())) {
            // A format without a place for times is refused.
            let speeds = [Values::Integers, Values::Strings].map(|values| speed(generator, format, values));
            if let [Some(integers), Some(strings)] = speeds {
                tell(generator.name, format.name(), [integers, strings]);
            }
        }
    }
    let formats = [(MachineFormat::CsvNamed, "csv-named"), (MachineFormat::Csv, "csv"), (MachineFormat::Xml, "xml")];
    for (format, name) in formats.into_iter().filter(|(_, name)| is_asked("machine-log", name)) {
        tell("machine-log", name, [Values::Integers, Values::Strings].map(|values| machine_speed(format, values)));
    }
    println!("slowest: {} with {:.1} M/s", slowest.1, slowest.0);
}

/// Millions of events per second, in the best of three runs.
fn best(mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let (start, worked) = (Instant::now(), processor_time());
        run();
        let now = processor_time();
        now.zip(worked).map_or_else(|| start.elapsed(), |(now, before)| now.saturating_sub(before))
    };
    let best = (0..3).map(|_| time()).min().unwrap_or(Duration::MAX);
    EVENTS as f64 / best.as_secs_f64() / 1e6
}

/// How long this thread has been running, apart from waiting for a processor.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn speed(generator: &Generator, format: Format, values: Values) -> Option<f64> {
    let request = Request { events: Some(EVENTS), values, ..Request::default() };
    let order = generator.order(&request).expect("a possible order");
    generator.write(&order, format, sink(), None).ok()?;
    Some(best(|| generator.write(&order, format, sink(), None).expect("nowhere has room")))
}

fn machine_speed(format: MachineFormat, values: Values) -> f64 {
    let log = MachineLog { steps: EVENTS, traces: 4, processes: 100, failures_every: 1000, at: None, values, seed: 1 };
    best(|| drop(log.write(format, sink()).expect("nowhere has room")))
}
