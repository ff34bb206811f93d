//! The sections of the table.

use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_generate::{Generator, Request, Share, Values, Verdict};
use referee_trace::format::Format;

use crate::hand::first_violation;
use crate::kit::{Kit, Work, specification_of, trace_of};
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
    referee_generate::find(name).unwrap_or_else(|| panic!("there is no generator {name}"))
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
    let (run, reference) = kit.beside_loop(Work { specification: &specification_of(dejavu(name)), trace, more: &[] });
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
        let original = specification_of(dejavu(name));
        let files = files(&specifications(name));
        let label = |file: &Path| file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let trace_for = |file: &Path| if label(file).contains("permuted") { &permuted } else { &trace };
        let mut works = vec![Work { specification: &original, trace: &trace, more: &[] }];
        works.extend(files.iter().map(|file| Work { specification: file, trace: trace_for(file), more: &[] }));
        let mut runs = kit.in_turn(&works);
        let original = runs.remove(0);
        let (events, broken) = (trace.events, trace.broken);
        Line { work: name, run: &original, events, reference: None, aim: "", hand: None, broken }.print();
        for (file, run) in files.iter().zip(&runs) {
            // FO-LTL may have to wait for the end.
            let broken = broken.filter(|_| file.extension().is_none_or(|extension| extension != "foltl"));
            let reference = original.is_finished().then_some(("original", original.cpu));
            let work = format!("{name}: {}", label(file));
            Line { work: &work, run, events, reference, aim: "<= 1.5x", hand: None, broken }.print();
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
    for generator in referee_generate::all().filter(|generator| generator.name.starts_with("suite-")) {
        let trace = trace_of(generator, &kit.request(values));
        let work = Work { specification: &specification_of(generator), trace: &trace, more: &[] };
        let (run, reference) = kit.beside_loop(work);
        let (events, reference, broken) = (trace.events, Some(reference), trace.broken);
        let line = Line { work: generator.name, run: &run, events, reference, aim, hand: None, broken };
        ratios.push(line.print().unwrap_or(f64::INFINITY));
    }
    ratios.sort_by(f64::total_cmp);
    let most = if values == Values::Integers { 3 } else { 6 };
    println!("median {:.2}x, aim <= {most}x", (ratios[9] + ratios[10]) / 2.0);
}

/// The CPU time of a tenth of the events and of all, both without the start.
fn growth(kit: &Kit) {
    for generator in referee_generate::all().filter(|generator| generator.name.starts_with("dejavu-")) {
        let specification = specification_of(generator);
        let few = trace_of(generator, &Request { events: Some(10), ..Request::default() });
        let of_size = |events| trace_of(generator, &Request { events: Some(events), ..kit.request(Values::Integers) });
        let (tenth, trace) = (of_size(kit.events / 10), of_size(kit.events));
        let work = |trace| Work { specification: &specification, trace, more: &[] };
        let runs = kit.in_turn(&[work(&few), work(&tenth), work(&trace)]);
        let without_start = |run: &Run| Run { cpu: run.cpu.saturating_sub(runs[0].cpu), ..run.clone() };
        let (small, large) = (without_start(&runs[1]), without_start(&runs[2]));
        let reference = small.is_finished().then_some(("a tenth", small.cpu));
        let (events, broken) = (trace.events, trace.broken);
        Line { work: generator.name, run: &large, events, reference, aim: "<= 12x", hand: None, broken }.print();
    }
}

fn timed_access(kit: &Kit) {
    let generator = dejavu("access");
    let request = Request { timed: true, verdict: Verdict::Satisfied, ..kit.request(Values::Integers) };
    let trace = traces::generated(generator, &request, Format::CsvPlain);
    let specifications = [generator, generator.timed.expect("a timed variant")].map(specification_of);
    let works = specifications.each_ref().map(|specification| Work { specification, trace: &trace, more: &[] });
    let runs = kit.in_turn(&works);
    let [untimed, timed] = [0, 1].map(|at| kit.with_peak(works[at], runs[at].clone()));
    let (events, broken, hand) = (trace.events, None, None);
    Line { work: "access, untimed", run: &untimed, events, reference: None, aim: "", hand, broken }.print();
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
            let specification = specification_of(generator);
            let (mut run, reference) =
                kit.beside_loop(Work { specification: &specification, trace: &trace, more: &["--all"] });
            if run.violations < trace.events / 100 {
                // What was found before the time was over is listed as well.
                run.status = "TimeOut".to_owned();
            }
            let work = format!("{name}, {per_point} a point");
            let (events, reference) = (trace.events, Some(reference));
            Line { work: &work, run: &run, events, reference, aim: ">= 5 M/s", hand: None, broken: None }.print();
        }
    }
}

/// 4.3.1 to 4.3.5.
fn connections(kit: &Kit) {
    for generator in referee_generate::all().filter(|generator| generator.name.starts_with("rithm-")) {
        for (format, aim) in [(generator.format, "<= 2x"), (Format::Xml, "<= 0.5x")] {
            let trace = traces::generated(generator, &kit.request(Values::Integers), format);
            let specification = specification_of(generator);
            let (run, reference) = kit.beside_loop(Work { specification: &specification, trace: &trace, more: &[] });
            let work = format!("{}, {}", generator.name, format.name());
            let (events, reference) = (trace.events, Some(reference));
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
    let options: Vec<[&str; 2]> = names.map(|name| ["--property", name]).collect();
    let work = |more| Work { specification: &specification, trace: &trace, more };
    let works: Vec<Work<'_>> = options.iter().map(|more| work(more)).chain([work(&[])]).collect();
    let mut runs = kit.in_turn(&works);
    let Some(all) = runs.pop() else { return };
    if let Some(([_, name], single)) = options.iter().zip(&runs).find(|(_, single)| !single.is_finished()) {
        println!("{name} is not finished ({})", single.status);
        return;
    }
    let sum: Duration = runs.iter().map(|single| single.cpu).sum();
    let run = kit.with_peak(work(&[]), all);
    let (events, reference) = (trace.events, Some(("single", sum)));
    Line { work: "fifty properties", run: &run, events, reference, aim: "<= 0.2x", hand: None, broken: None }.print();
}

/// Measures the sections that were asked for.
pub(crate) fn run(kit: &Kit) {
    for (title, section) in ALL.iter().filter(|(title, _)| kit.selects(title)) {
        head(title);
        section(kit);
    }
}
