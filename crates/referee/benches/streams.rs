//! The table of streams and signals: CPU time from file to verdict, measured on the program itself.
//!
//! `cargo bench -p referee --bench streams`; `REFEREE_STEPS` sets the length of the logs (a million by default).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use referee_generate::Values;
use referee_generate::machine::{MachineFormat, MachineLog};

/// How often each row is measured; the least time counts.
const ROUNDS: usize = 3;

/// CPU seconds of all children that have ended.
fn usage() -> f64 {
    // SAFETY: the structure is plain old data, and the call writes it whole.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The most memory that `referee check` takes where the trace comes through a pipe, in bytes.
#[expect(clippy::zombie_processes, reason = "`wait4` waits for it, and tells how much memory it took")]
fn memory(specification: &Path, trace: &Path, format: &str, arguments: &[&str]) -> i64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["check", "--threads", "1"])
        .arg(specification)
        .args(["-", "--format", format])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut pipe = child.stdin.take().expect("it has a standard input");
    let mut file = File::open(trace).expect("the trace was written before");
    // A rule that is decided early closes the pipe.
    let _ = std::io::copy(&mut file, &mut pipe);
    drop(pipe);
    // SAFETY: the structures are plain old data, the call writes them whole, and nobody else waits for the child.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(child.id() as libc::pid_t, &mut 0, 0, &raw mut usage);
        usage
    };
    usage.ru_maxrss * 1024
}

/// The least CPU time of `referee check`.
fn check(specification: &Path, trace: &Path, arguments: &[&str]) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let before = usage();
        let status = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(["check", "--threads", "1"])
            .args([specification, trace])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok_and(|status| status.code().is_some_and(|code| code < 2)), "{}", specification.display());
        least = least.min(usage() - before);
    }
    least
}

/// The CPU time of reading an XML file event by event and doing nothing: the loop that others are compared with.
fn xml_loop(path: &Path) -> f64 {
    let clock = || {
        // SAFETY: the structure is plain old data, and the call writes it whole.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
            usage
        };
        usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6
    };
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let before = clock();
        let mut reader = quick_xml::Reader::from_file(path).expect("the log was written before");
        let (mut buffer, mut events) = (Vec::new(), 0u64);
        loop {
            match reader.read_event_into(&mut buffer) {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(quick_xml::events::Event::Start(tag)) => events += u64::from(tag.name().as_ref() == "event"),
                Ok(_) => {}
                Err(error) => panic!("{error}"),
            }
            buffer.clear();
        }
        assert!(events > 0);
        least = least.min(clock() - before);
    }
    least
}

fn log(folder: &Path, name: &str, format: MachineFormat, steps: u64, processes: u64) -> PathBuf {
    let path = folder.join(name);
    let wish =
        MachineLog { steps, traces: 4, processes, failures_every: 2000, at: None, values: Values::Integers, seed: 7 };
    let file = File::create(&path).expect("a temporary file");
    wish.write(format, file).expect("a temporary file");
    path
}

/// A signal that visits all values; `per_unit` samples share a time.
fn signal(folder: &Path, steps: u64, per_unit: u64) -> PathBuf {
    let path = folder.join("signal.csv");
    let mut out = BufWriter::new(File::create(&path).expect("a temporary file"));
    writeln!(out, "event,x,time").expect("a temporary file");
    let mut state = 12_345_u64;
    for step in 0..steps {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writeln!(out, "sample,{},{}", (state >> 33) % 10, step / per_unit).expect("a temporary file");
    }
    out.flush().expect("a temporary file");
    path
}

fn main() {
    let steps: u64 = std::env::var("REFEREE_STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let specifications = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee-generate/specifications");
    let csv = log(folder.path(), "log.csv", MachineFormat::Csv, steps, 1000);
    let named = log(folder.path(), "named.csv", MachineFormat::CsvNamed, steps, 1000);
    let xml = log(folder.path(), "log.xml", MachineFormat::Xml, steps, 1000);
    let millions = |seconds: f64| steps as f64 / seconds / 1e6;
    let xml_seconds = xml_loop(&xml);
    println!("{steps} steps, 1,000 processes; CPU time of `referee check`, the least of {ROUNDS}");
    println!("{:<44} {:>12} {:>14}", "", "M events/s", "x xml loop");
    let map = ["--map", "stepr"];
    let mut most = 0;
    for name in ["alarm", "duration", "errors", "order"] {
        let specification = specifications.join(format!("stepr-{name}.lola"));
        println!("{:<44} {:>12.2}", format!("{name}, CSV"), millions(check(&specification, &csv, &map)));
        println!("{:<44} {:>12.2}", format!("{name}, CSV with names"), millions(check(&specification, &named, &map)));
        let seconds = check(&specification, &xml, &map);
        println!("{:<44} {:>12.2} {:>14.2}", format!("{name}, XML"), millions(seconds), seconds / xml_seconds);
        most = most.max(memory(&specification, &csv, "csv", &map));
    }
    let order = specifications.join("stepr-order.lola");
    let few = check(&order, &log(folder.path(), "few.csv", MachineFormat::Csv, steps, 10), &map);
    let many = check(&order, &log(folder.path(), "many.csv", MachineFormat::Csv, steps, 100_000), &map);
    println!("{:<44} {:>12.2}", "order, CSV, 10 processes", millions(few));
    println!("{:<44} {:>12.2} {:>8.2} x of 10", "order, CSV, 100,000 processes", millions(many), many / few);
    // The outer interval spans the whole trace, so that every sample is needed.
    let mut times = Vec::new();
    let trace = signal(folder.path(), steps, (steps / 1000).max(1));
    for scale in [1, 10] {
        let specification = folder.path().join(format!("signal{scale}.stl"));
        let formula = format!("G_[0,{}] (x < 5 => F_[0,{}] x > 7)\n", 1000 * scale, 100 * scale);
        std::fs::write(&specification, formula).expect("a temporary file");
        let seconds = check(&specification, &trace, &["--robustness"]);
        times.push(seconds);
        println!("{:<44} {:>12.2}", format!("signal, robustness, bounds x {scale}"), millions(seconds));
        most = most.max(memory(&specification, &trace, "csv", &["--robustness"]));
    }
    println!("{:<44} {:>12.2}", "bounds x 10 to bounds x 1", times[1] / times[0]);
    println!("{:<44} {:>9.1} MB", "most memory, from a pipe", most as f64 / 1e6);
}
