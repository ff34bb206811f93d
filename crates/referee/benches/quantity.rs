//! How fast numbers over windows are judged, from a file to the verdict, in CPU time.
//!
//! `cargo bench -p referee --bench quantity [-- --quick]` prints one row per work: the time, events per second, and how it
//! compares with its reference. Nothing here fails because a machine is slow.
//!
//! | work | reference | aim |
//! |---|---|---|
//! | QP1 to QP4 on an XML log of 1M events | a loop over the same file with quick-xml | at most 0.5 of it |
//! | a count over 10 s and over 100,000 s | each other | at most 1.5 between them |
//! | 1M withdrawals of 10,000 users in 28 days, none violated | – | at least 5 M events/s, 200 bytes per event in the window |
//! | the same with 1 % of the users over the limit, violations listed | – | at least 1 M events/s |

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use referee_engine::judge::{Finding, Judge};
use referee_engine::quantity::QuantityJudge;
use referee_engine::tally::TallyJudge;
use referee_generate::{Request, Verdict};
use referee_spec::language::{Compiled, Options, Source};
use referee_spec::mfotl::compile as compile_mfotl;
use referee_spec::soloist::compile as compile_soloist;
use referee_trace::abstraction::{Meaning, TimeField};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::format::Format;
use referee_trace::mapping::Mapping;
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::ShapeId;
use referee_trace::reader::{ReadOptions, read};
use referee_trace::values::Values;

const EVENTS: u64 = 1_000_000;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let events = if quick { EVENTS / 10 } else { EVENTS };
    let folder = tempfile::tempdir().expect("there is room for files");
    println!("{:<44} {:>10} {:>12}  compared", "work", "time", "events/s");
    atm(folder.path(), events);
    withdrawals(folder.path(), events);
}

/// Some judges in one pass.
struct Bench {
    values: Values,
    judges: Vec<Box<dyn Judge>>,
    found: Vec<Finding>,
    violations: u64,
}

impl PointSink for Bench {
    fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    fn shape(&mut self, _id: ShapeId, shape: &EventShape) -> Interest {
        let (none, values) = (Interest::none(), &mut self.values);
        self.judges.iter_mut().fold(none, |all, judge| all.or(judge.shape(shape, values)))
    }

    fn begin_trace(&mut self, _trace: u64, _last: u64) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        for judge in &mut self.judges {
            judge.points(points, &mut self.values, &mut self.found);
        }
        self.violations += self.found.len() as u64;
        self.found.clear();
        Ok(())
    }
}

/// Judges a file and says how many violations there are.
fn judge(path: &Path, options: &ReadOptions, judges: Vec<Box<dyn Judge>>) -> u64 {
    let mut batcher = Batcher::new(Bench { values: Values::new(), judges, found: Vec::new(), violations: 0 });
    read(&[path], options, &mut batcher).expect("the file is well formed");
    batcher.finish().expect("nothing stops it");
    let last = batcher.last_point();
    let Bench { values, judges, violations, .. } = batcher.sink();
    let outcomes = judges.iter_mut().flat_map(|judge| judge.end(last, false, values)).collect::<Vec<_>>();
    *violations + outcomes.iter().map(|outcome| outcome.violations.len() as u64).sum::<u64>()
}

/// How many bytes the judges take at the end of a file, and how many events their windows hold then.
fn footprint(path: &Path, options: &ReadOptions, judges: Vec<Box<dyn Judge>>) -> (usize, usize) {
    let mut batcher = Batcher::new(Bench { values: Values::new(), judges, found: Vec::new(), violations: 0 });
    read(&[path], options, &mut batcher).expect("the file is well formed");
    batcher.finish().expect("nothing stops it");
    let bench = batcher.sink();
    let sizes = bench.judges.iter().flat_map(|judge| judge.sizes());
    let rows = sizes.filter(|size| size.purpose == "window").map(|size| size.rows).sum();
    let before = allocated();
    bench.judges.clear();
    (before - allocated(), rows)
}

/// How many bytes are allocated.
fn allocated() -> usize {
    // SAFETY: the call has no preconditions.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

fn write(generator: &str, path: &Path, request: &Request) {
    let generator = referee_generate::find(generator).expect("it exists");
    let order = generator.order(request).expect("a possible wish");
    let file = std::io::BufWriter::new(std::fs::File::create(path).expect("there is room for a file"));
    generator.write(&order, generator.format, file, None).expect("there is room for a file");
}

fn atm(folder: &Path, events: u64) {
    let path = folder.join("atm.xml");
    write("atm-withdraw", &path, &Request { events: Some(events), ..Request::default() });
    let meaning = Meaning { mapping: Mapping::load("soloist").expect("built in"), ..Meaning::default() };
    let options = ReadOptions { format: Some(Format::Xml), meaning, ..ReadOptions::default() };
    let (reference, _) = measured(|| xml_loop(&path));
    row("xml loop", reference, events, "");
    let package = referee_generate::find("atm-withdraw").expect("it exists").specification;
    let (four, violations) = measured(|| judge(&path, &options, rules(package)));
    assert_eq!(violations, 0);
    let ratio = format!("{:.2} of the xml loop", four.as_secs_f64() / reference.as_secs_f64());
    row("QP1 to QP4, XML", four, events, &ratio);
    let count = |window: u64| format!("G (recvlogoff -> C[{window}] <= 1000000000 (repwithdraw | repdeposit))");
    let (short, _) = measured(|| judge(&path, &options, rules(&count(10))));
    row("count over 10 s", short, events, "");
    let (long, _) = measured(|| judge(&path, &options, rules(&count(100_000))));
    row(
        "count over 100,000 s",
        long,
        events,
        &format!("{:.2} of the short one", long.as_secs_f64() / short.as_secs_f64()),
    );
}

fn rules(text: &str) -> Vec<Box<dyn Judge>> {
    let Compiled { properties: rules, diagnostics } =
        compile_soloist(&Source::new("atm.soloist", text), &Options::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    rules.iter().map(|rule| Box::new(QuantityJudge::new(rule)) as Box<dyn Judge>).collect()
}

fn withdrawals(folder: &Path, events: u64) {
    let generator = referee_generate::find("monpoly-withdraw").expect("it exists");
    let source = Source::new("withdraw.mfotl", generator.specification);
    let property = compile_mfotl(&source, &Options::default()).properties.swap_remove(0);
    let tally = || vec![Box::new(TallyJudge::new(&property).expect("the shape")) as Box<dyn Judge>];
    let meaning = Meaning { time: TimeField::Named, ..Meaning::default() };
    let options = ReadOptions { format: Some(Format::CsvNamed), meaning, ..ReadOptions::default() };
    // A quarter as many users as there are rows in the window.
    let live = Some(40_000.min(events / 8));
    let path = folder.join("withdraw.csv");
    write("monpoly-withdraw", &path, &Request { events: Some(events), live, ..Request::default() });
    let (satisfied, violations) = measured(|| judge(&path, &options, tally()));
    assert_eq!(violations, 0);
    row("withdrawals, 28 days, satisfied", satisfied, events, "");
    let (bytes, rows) = footprint(&path, &options, tally());
    println!("{:<44} {:>7.1} bytes for each of {rows} events", "withdrawals, window", bytes as f64 / rows as f64);
    let share = referee_generate::Share::of_percent("0.01").expect("a share");
    let request = Request {
        events: Some(events),
        live,
        verdict: Verdict::Violated,
        violations: Some(share),
        ..Request::default()
    };
    write("monpoly-withdraw", &path, &request);
    let (violated, violations) = measured(|| judge(&path, &options, tally()));
    row("withdrawals, all violations", violated, events, &format!("{violations} violations"));
}

fn row(work: &str, time: Duration, events: u64, compared: &str) {
    let speed = events as f64 / time.as_secs_f64() / 1e6;
    println!("{work:<44} {:>7.1} ms {speed:>10.2} M  {compared}", time.as_secs_f64() * 1e3);
}

/// The least CPU time of five runs, and what they return.
fn measured(mut work: impl FnMut() -> u64) -> (Duration, u64) {
    let (mut least, mut answer) = (Duration::MAX, 0);
    for _ in 0..5 {
        let start = cpu_time();
        answer = black_box(work());
        least = least.min(cpu_time() - start);
    }
    (least, answer)
}

/// The CPU time of this process so far.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer, and the clock exists on every Unix.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(answer, 0, "the process has a CPU clock");
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Events and bytes of values with quick-xml: tag names are compared and texts measured, nothing is stored.
fn xml_loop(path: &Path) -> u64 {
    use quick_xml::events::Event;
    let log = std::fs::read_to_string(path).expect("the file is there");
    let mut reader = quick_xml::Reader::from_str(&log);
    let (mut count, mut in_value) = (0, false);
    loop {
        match reader.read_event().expect("the log is well formed") {
            Event::Start(tag) => in_value = tag.name().as_ref() == "value",
            Event::End(tag) => {
                in_value = false;
                count += u64::from(tag.name().as_ref() == "event");
            }
            Event::Text(text) if in_value => count += text.xml10_content().len() as u64,
            Event::Eof => return count,
            _ => {}
        }
    }
}
