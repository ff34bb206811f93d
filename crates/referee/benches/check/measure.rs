//! Runs the real binary and tells what it took: CPU time, peak memory, verdict.
//!
//! The system counts the peak of a child from before it became another program, and so with the memory of its parent. So a
//! run is started by a small process of its own: this bench, called with `--measure`.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a run took, and what it said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    /// User and system time.
    pub cpu: Duration,
    /// Peak resident memory in KiB.
    pub peak: u64,
    /// The word after `STATUS: `.
    pub status: String,
    /// How many violations were listed, and the point of the first.
    pub violations: u64,
    pub point: Option<u64>,
}

impl Run {
    /// Whether there is a verdict.
    pub(crate) fn is_finished(&self) -> bool {
        self.status == "Satisfied" || self.status == "Violated"
    }
}

/// Runs `referee` with these arguments, and with a file as standard input if there is one.
pub(crate) fn run(arguments: &[String], input: Option<&Path>) -> Run {
    let mut command = Command::new(std::env::current_exe().expect("this program has a file"));
    command.arg("--measure").arg(input.unwrap_or(Path::new(""))).args(arguments);
    let output = command.stderr(Stdio::inherit()).output().expect("this program runs");
    parse(&String::from_utf8_lossy(&output.stdout)).unwrap_or_else(|| panic!("no figures of {arguments:?}"))
}

fn parse(line: &str) -> Option<Run> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [cpu, peak, status, violations, point] = words[..] else { return None };
    Some(Run {
        cpu: Duration::from_micros(cpu.parse().ok()?),
        peak: peak.parse().ok()?,
        status: status.to_owned(),
        violations: violations.parse().ok()?,
        point: point.parse().ok(),
    })
}

/// The small process: runs the binary, and prints one line.
pub(crate) fn helper(arguments: &[String]) {
    let [input, arguments @ ..] = arguments else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    if !input.is_empty() {
        command.stdin(File::open(input).expect("the trace is there"));
    }
    #[expect(clippy::zombie_processes, reason = "the child is waited for by `resources`")]
    let mut child = command.spawn().expect("the binary runs");
    let (mut status, mut violations, mut point) = ("none".to_owned(), 0, None);
    let lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in lines.map_while(Result::ok) {
        if let Some(word) = line.strip_prefix("STATUS: ") {
            status = word.to_owned();
        }
        if line.starts_with("VIOLATION ") {
            violations += 1;
            point = point.or_else(|| point_of(&line));
        }
    }
    let (cpu, peak) = resources(child.id());
    let point = point.map_or_else(|| "-".to_owned(), |point| point.to_string());
    let _ = writeln!(std::io::stdout(), "{} {peak} {status} {violations} {point}", cpu.as_micros());
}

/// `VIOLATION access: point 11006, …`
fn point_of(line: &str) -> Option<u64> {
    let rest = line.split_once(": point ")?.1;
    rest.split(',').next()?.trim().parse().ok()
}

/// Waits for a child: its CPU time and its peak memory in KiB.
pub(crate) fn resources(child: u32) -> (Duration, u64) {
    // SAFETY: all fields of the structure are integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let mut status = 0;
    // SAFETY: both places are valid, and the child is ours and has not been waited for.
    let waited = unsafe { libc::wait4(child.cast_signed(), &mut status, 0, &mut usage) };
    assert_eq!(waited, child.cast_signed(), "the child ended");
    let time = |time: libc::timeval| {
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_usec).unwrap_or(0) * 1000)
    };
    (time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss.unsigned_abs())
}

/// The CPU time of one run of a function in this process, the least of several.
pub(crate) fn least(repeat: u32, mut work: impl FnMut() -> u64) -> Duration {
    (0..repeat).map(|_| cpu_of(&mut work)).min().unwrap_or_default()
}

/// The CPU time of a function in this process.
pub(crate) fn cpu_of(work: impl FnOnce() -> u64) -> Duration {
    let start = cpu_time();
    std::hint::black_box(work());
    cpu_time() - start
}

fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer, and the clock exists on every Unix.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(answer, 0, "the process has a CPU clock");
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
