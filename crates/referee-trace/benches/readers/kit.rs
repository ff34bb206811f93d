//! Measuring CPU time and printing rows.

use std::hint::black_box;
use std::time::Duration;

/// What the command line asked for: rows whose name contains a filter, and how often each is repeated.
pub(crate) struct Kit {
    filter: Option<String>,
    repeat: u32,
}

impl Kit {
    /// `readers [FILTER] [--quick]`; cargo's own `--bench` is ignored.
    pub(crate) fn from_arguments() -> Kit {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        Kit {
            filter: arguments.iter().find(|argument| !argument.starts_with("--")).cloned(),
            repeat: if arguments.iter().any(|argument| argument == "--quick") { 1 } else { 11 },
        }
    }

    /// The table's head.
    pub(crate) fn header(&self) {
        println!("{:<40} {:>12} {:>12} {:>8} {:>8}", "work", "reference", "referee", "ratio", "aim");
    }

    /// Whether the command line asked for this work; its data need not be made otherwise.
    pub(crate) fn selects(&self, work: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| work.contains(filter.as_str()))
    }

    /// Measures both sides and prints their row. Both return a count, which must agree: equal work, not less work.
    pub(crate) fn row(&self, work: &str, aim: f64, reference: impl FnMut() -> u64, referee: impl FnMut() -> u64) {
        if !self.selects(work) {
            return;
        }
        let (reference, referee) = self.measure(work, reference, referee);
        let ratio = reference.as_secs_f64() / referee.as_secs_f64();
        let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
        println!("{work:<40} {:>12} {:>12} {ratio:>7.2}x {aim:>7.1}x", milliseconds(reference), milliseconds(referee));
    }

    /// The least CPU times of both. They take turns, so that a machine that slows down slows both.
    fn measure(
        &self,
        work: &str,
        mut reference: impl FnMut() -> u64,
        mut referee: impl FnMut() -> u64,
    ) -> (Duration, Duration) {
        let expected = reference();
        assert_eq!(expected, referee(), "{work}: both loops must see the same");
        let (mut least_reference, mut least_referee) = (Duration::MAX, Duration::MAX);
        for _ in 0..self.repeat {
            least_reference = least_reference.min(timed(&mut reference, expected));
            least_referee = least_referee.min(timed(&mut referee, expected));
        }
        (least_reference, least_referee)
    }
}

/// The CPU time of one run.
fn timed(work: &mut impl FnMut() -> u64, expected: u64) -> Duration {
    let start = cpu_time();
    assert_eq!(black_box(work()), expected, "the work is deterministic");
    (cpu_time() - start).max(Duration::from_nanos(1))
}

/// The CPU time of this process so far.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer, and the clock exists on every Unix.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(answer, 0, "the process has a CPU clock");
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
