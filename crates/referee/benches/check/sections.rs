//! The sections of the table.

use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_contest::generate::{self, Generator, Request, Share, Values, Verdict};
use referee_trace::format::Format;

use crate::hand::first_violation;
use crate::kit::{Kit, specification_of, trace_of};
use crate::measure::{Run, least};
use crate::table::{Line, head};
use crate::traces::{self, Trace};

const SIX: [&str; 6] = ["access", "file", "fifo", "locking", "deadlock", "datarace"];

/// A section: its title and how it is measured.
type Section = (&'static str, fn(&Kit));

/// All sections.
const ALL: &[Section] = &[
    ("the six: published traces", published),
    ("the six: integers", |kit| generated_six(kit, Values::Integers, "<= 2x")),
    ("the six: strings", |kit| generated_six(kit, Values::Strings, "<= 5x")),
    ("writings of the six", writings),
    ("twenty further properties: integers", |kit| further(kit, Values::Integers, "<= 10x")),
    ("twenty further properties: strings", |kit| further(kit, Values::Strings, "<= 20x")),
    ("growth from a tenth of the events", growth),
    ("timed access", timed_access),
    ("policies with windows", policies),
    ("connections and files, CSV and XML", connections),
    ("fifty properties at once", fifty),
];

fn find(name: &str) -> &'static Generator {
    generate::find(name).unwrap_or_else(|| panic!("there is no generator {name}"))
}

fn dejavu(name: &str) -> &'static Generator {
    find(&format!("dejavu-{name}"))
}

/// A folder or file of specifications at the root of the repository.
fn specifications(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/specifications").join(name)
}

/// One of the six on a trace, beside the csv loop and the monitor written by hand.
fn one_of_six(kit: &Kit, name: &str, trace: &Trace, aim: &str) {
    let run = kit.check(&specification_of(dejavu(name)), trace, &[]);
    let reference = kit.reference(trace);
    let mut found = None;
    let hand = least(3, || {
        let bytes = trace.bytes();
        found = first_violation(name, &bytes);
        bytes.len() as u64
    });
    if run.is_finished() {
        assert_eq!(found, run.point, "{name}: the monitor written by hand says otherwise");
    }
    let (events, broken) = (trace.events, trace.broken);
    Line { work: name, run: &run, events, reference: Some(reference), aim, hand: Some(hand), broken }.print();
}

fn published(kit: &Kit) {
    for name in SIX {
        if let Some(trace) = traces::published(&format!("{name}.1m")) {
            one_of_six(kit, name, &trace, "<= 2x");
        }
    }
}

fn generated_six(kit: &Kit, values: Values, aim: &str) {
    for name in SIX {
        one_of_six(kit, name, &trace_of(dejavu(name), &kit.request(values)), aim);
    }
}

/// Every writing of the six against the original, on the same events.
fn writings(kit: &Kit) {
    for name in SIX {
        let trace = trace_of(dejavu(name), &kit.request(Values::Integers));
        let permuted = traces::permuted(&trace);
        let original = kit.check_quickly(&specification_of(dejavu(name)), &trace, &[]);
        let (events, broken) = (trace.events, trace.broken);
        Line { work: name, run: &original, events, reference: None, aim: "", hand: None, broken }.print();
        for file in files(&specifications(name)) {
            let label =
                format!("{name}: {}", file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into()));
            let trace = if label.contains("permuted") { &permuted } else { &trace };
            // FO-LTL may have to wait for the end.
            let broken = broken.filter(|_| !label.ends_with(".foltl"));
            let run = kit.check_quickly(&file, trace, &[]);
            let reference = original.is_finished().then_some(("original", original.cpu));
            Line { work: &label, run: &run, events, reference, aim: "<= 1.5x", hand: None, broken }.print();
        }
    }
}

/// The files of a folder, in order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder of specifications");
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    files
}

fn further(kit: &Kit, values: Values, aim: &str) {
    let mut ratios = Vec::new();
    for generator in generate::all().filter(|generator| generator.name.starts_with("suite-")) {
        let trace = trace_of(generator, &kit.request(values));
        let run = kit.check(&specification_of(generator), &trace, &[]);
        let reference = Some(kit.reference(&trace));
        let (events, broken) = (trace.events, trace.broken);
        let line = Line { work: generator.name, run: &run, events, reference, aim, hand: None, broken };
        ratios.push(line.print().unwrap_or(f64::INFINITY));
    }
    ratios.sort_by(f64::total_cmp);
    let most = if values == Values::Integers { 3 } else { 6 };
    println!("median {:.2}x, aim <= {most}x", (ratios[9] + ratios[10]) / 2.0);
}

/// The CPU time of a tenth of the events and of all, both without the start.
fn growth(kit: &Kit) {
    let start = |generator: &'static Generator, specification: &Path| {
        let request = Request { events: Some(10), ..Request::default() };
        kit.check_quickly(specification, &trace_of(generator, &request), &[]).cpu
    };
    for generator in generate::all().filter(|generator| generator.name.starts_with("dejavu-")) {
        let specification = specification_of(generator);
        let start = start(generator, &specification);
        let measured = |events| {
            let request = Request { events: Some(events), ..kit.request(Values::Integers) };
            let trace = trace_of(generator, &request);
            let run = kit.check_quickly(&specification, &trace, &[]);
            (Run { cpu: run.cpu.saturating_sub(start), ..run }, trace)
        };
        let ((small, _), (large, trace)) = (measured(kit.events / 10), measured(kit.events));
        let reference = small.is_finished().then_some(("a tenth", small.cpu));
        let (events, broken) = (trace.events, trace.broken);
        Line { work: generator.name, run: &large, events, reference, aim: "<= 12x", hand: None, broken }.print();
    }
}

fn timed_access(kit: &Kit) {
    let generator = dejavu("access");
    let request = Request { timed: true, verdict: Verdict::Satisfied, ..kit.request(Values::Integers) };
    let trace = traces::generated(generator, &request, Format::CsvPlain);
    let untimed = kit.check(&specification_of(generator), &trace, &[]);
    let timed = kit.check(&specification_of(generator.timed.expect("a timed variant")), &trace, &[]);
    let (events, broken, hand) = (trace.events, None, None);
    let reference = Some(kit.reference(&trace));
    Line { work: "access, untimed", run: &untimed, events, reference, aim: "", hand, broken }.print();
    let reference = untimed.is_finished().then_some(("untimed", untimed.cpu));
    Line { work: "access, S[<=50]", run: &timed, events, reference, aim: "<= 1.3x", hand, broken }.print();
}

/// 4.3.6 to 4.3.8 and 4.3.10, every hundredth event violating, all violations listed.
fn policies(kit: &Kit) {
    for name in ["report", "auth", "approve", "insert"] {
        for per_point in [1, 10] {
            let generator = find(&format!("monpoly-{name}"));
            let request = Request {
                per_point: Some(per_point),
                live: Some(10_000),
                violations: Some(Share::thousandths(10)),
                ..kit.request(Values::Integers)
            };
            let trace = traces::generated(generator, &request, generator.format);
            let mut run = kit.check(&specification_of(generator), &trace, &["--all"]);
            if run.violations < trace.events / 100 {
                // What was found before the time was over is listed as well.
                run.status = "TimeOut".to_owned();
            }
            let work = format!("{name}, {per_point} a point");
            let (events, reference) = (trace.events, Some(kit.reference(&trace)));
            Line { work: &work, run: &run, events, reference, aim: ">= 5 M/s", hand: None, broken: None }.print();
        }
    }
}

/// 4.3.1 to 4.3.5.
fn connections(kit: &Kit) {
    for generator in generate::all().filter(|generator| generator.name.starts_with("rithm-")) {
        for (format, aim) in [(generator.format, "<= 2x"), (Format::Xml, "<= 0.5x")] {
            let trace = traces::generated(generator, &kit.request(Values::Integers), format);
            let run = kit.check(&specification_of(generator), &trace, &[]);
            let work = format!("{}, {}", generator.name, format.name());
            let (events, reference) = (trace.events, Some(kit.reference(&trace)));
            Line { work: &work, run: &run, events, reference, aim, hand: None, broken: None }.print();
        }
    }
}

/// All properties of one file at once against the sum of single runs.
fn fifty(kit: &Kit) {
    let specification = specifications("fifty.qtl");
    let request = Request { verdict: Verdict::Satisfied, ..kit.request(Values::Integers) };
    let trace = traces::generated(dejavu("access"), &request, Format::CsvPlain);
    let text = std::fs::read_to_string(&specification).expect("a readable file");
    let names = text.lines().filter_map(|line| line.strip_prefix("prop ")?.split(':').next());
    let mut sum = Duration::ZERO;
    for name in names {
        let single = kit.check_quickly(&specification, &trace, &["--property", name]);
        if !single.is_finished() {
            println!("{name} is not finished ({})", single.status);
            return;
        }
        sum += single.cpu;
    }
    let run = kit.check(&specification, &trace, &[]);
    let (events, reference) = (trace.events, Some(("single", sum)));
    Line { work: "fifty properties", run: &run, events, reference, aim: "<= 0.2x", hand: None, broken: None }.print();
}

/// Measures the sections that were asked for.
pub fn run(kit: &Kit) {
    for (title, section) in ALL.iter().filter(|(title, _)| kit.selects(title)) {
        head(title);
        section(kit);
    }
}
