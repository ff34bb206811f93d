//! Limits that hold whatever the check is doing: time, memory, and the patience of whoever presses Ctrl-C.
//!
//! ```text
//!   watcher ─ limit reached ─▶ asks the check to end ─ GRACE ─▶ has it? ─ no ─▶ prints what is known, ends the process
//! ```
//!
//! A check that reads and judges looks between two batches whether it is asked to end, and then knows exactly how far it came. One
//! that waits for a pipe, compiles or multiplies long numbers does not; after a while the watcher prints the verdict in its place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::args::CheckArgs;
use super::cut::Cut;
use super::report::Reporter;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::interrupt;

/// How long a check has to end by itself.
const GRACE: Duration = Duration::from_millis(100);
/// How long printing may take when the process has to end: nobody may be reading.
const PRINTING: Duration = Duration::from_secs(2);
/// How often the watcher looks.
const TICK: Duration = Duration::from_millis(10);

/// From now on limits and interrupts end the check.
pub(super) fn watch(args: &CheckArgs, reporter: &Reporter) -> Result<(), Failure> {
    let interrupted = reporter.clone();
    interrupt::handle(move || end(&interrupted, Cut::Interrupt));
    let deadline = args.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let memory = args.memory;
    if memory.is_some() && memory_in_use().is_none() {
        return Err(Failure::Other(
            "this system does not tell how much memory is in use\n  hint: leave --memory out".into(),
        ));
    }
    if args.timeout.is_some_and(|timeout| timeout.is_zero()) {
        reporter.cut(Cut::Time);
        reporter.end_process(Cut::Time, interrupt::remove_unfinished);
    }
    if deadline.is_some() || memory.is_some() {
        let reporter = reporter.clone();
        let cannot = |error| Failure::Other(format!("the limits cannot be watched: {error}"));
        std::thread::Builder::new()
            .name("limits".to_owned())
            .spawn(move || watch_limits(deadline, memory, &reporter))
            .map_err(cannot)?;
    }
    Ok(())
}

fn watch_limits(deadline: Option<Instant>, memory: Option<usize>, reporter: &Reporter) {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return end(reporter, Cut::Time);
        }
        if let Some(limit) = memory
            && memory_in_use().is_some_and(|used| used > limit)
        {
            return end(reporter, Cut::Memory(limit));
        }
        let nap = if memory.is_some() { TICK } else { Duration::MAX };
        std::thread::sleep(left.unwrap_or(nap).min(nap));
    }
}

/// Ends the check: by itself if it can, else the process as it is.
fn end(reporter: &Reporter, cut: Cut) {
    reporter.cut(cut);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && !matches!(cut, Cut::Memory(_)) {
        std::thread::sleep(TICK);
        if reporter.is_concluded() {
            return;
        }
    }
    let exit = if cut == Cut::Interrupt { ExitStatus::Interrupted } else { ExitStatus::Failed };
    let is_done = Arc::new(AtomicBool::new(false));
    exit_after(PRINTING, exit, is_done.clone());
    reporter.end_process(cut, interrupt::remove_unfinished);
    // The check has ended by itself after all.
    is_done.store(true, Ordering::Relaxed);
}

/// Ends the process after a while, unless it is done by then.
fn exit_after(patience: Duration, exit: ExitStatus, is_done: Arc<AtomicBool>) {
    let _ = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(patience);
        if !is_done.load(Ordering::Relaxed) {
            interrupt::remove_unfinished();
            std::process::exit(exit.code().into());
        }
    });
}

/// How many bytes the process has in memory for itself: files that are mapped, and could be read again, do not count.
#[cfg(target_os = "linux")]
fn memory_in_use() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? << 10)
}

#[cfg(not(target_os = "linux"))]
fn memory_in_use() -> Option<usize> {
    None
}
