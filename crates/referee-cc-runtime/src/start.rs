//! The start: before `main`, and before the program's own constructors of usual priorities.

use std::ffi::CString;
use std::io::Write;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicU8, Ordering};

use referee_monitor::configuration::Configuration;
use referee_monitor::monitor::{Monitor, Outlets};
use referee_monitor::ring::{HALTING, Ring, TIMED};

use crate::outlet::Outlet;
use crate::{configured, ending, judging, memory, processes, signals, threads};

/// How many words the process's own ring has: a quarter of a megabyte, so that it stays in the cache.
const CAPACITY: u64 = 1 << 15;

static STATE: AtomicU8 = AtomicU8::new(0);

#[used]
#[unsafe(link_section = ".init_array.00100")]
static AT_START: extern "C" fn() = at_start;

extern "C" fn at_start() {
    begin();
}

/// Starts, unless that was done. Tells whether events go anywhere.
pub(crate) fn begin() -> bool {
    if STATE.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Acquire).is_ok() && !start() {
        judging::turn_off();
    }
    judging::is_ready()
}

fn start() -> bool {
    if configured::says_yes(c"REFEREE_OFF") {
        return false;
    }
    // Its message would be the program's.
    std::panic::set_hook(Box::new(|_| {}));
    match begin_judging() {
        Ok(()) => true,
        Err(problem) => {
            let mut out = Outlet::standard_error();
            // There is nobody else to tell.
            let _ = write!(out, "error: {}\nSTATUS: GaveUp\n", problem.trim_end()).and_then(|()| out.flush());
            false
        }
    }
}

fn begin_judging() -> Result<(), String> {
    let configuration = configured::embedded()?;
    configured::keep_events(&configuration);
    match configured::variable(c"REFEREE_RING").and_then(|path| shared(&path)) {
        Some(ring) => {
            ring.offer_configuration(configured::text());
            judging::begin_shared(ring);
            Ok(())
        }
        None => judge_here(configured::with_environment(configuration)),
    }
}

/// The ring of a parent that judges.
fn shared(path: &str) -> Option<Ring> {
    let path = CString::new(path).ok()?;
    // SAFETY: maps a file that the parent made for this; it is checked before it is used, and stays mapped.
    unsafe {
        let file: c_int = libc::open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let mut about: libc::stat = std::mem::zeroed();
        libc::fstat(file, &raw mut about);
        let size = usize::try_from(about.st_size).unwrap_or(0);
        let pages =
            libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED, file, 0);
        libc::close(file);
        if pages == libc::MAP_FAILED {
            return None;
        }
        Ring::open(pages.cast(), size)
    }
}

fn judge_here(configuration: Configuration) -> Result<(), String> {
    let results = match &configuration.options.report {
        Some(path) => Outlet::report(path)?,
        None => Outlet::standard_error(),
    };
    let trace = match &configuration.options.trace {
        Some(path) => Some((path.clone(), Box::new(Outlet::trace(path)?) as Box<dyn Write>)),
        None => None,
    };
    let monitor = Monitor::new(configuration, Outlets { results: Box::new(results), trace })?;
    let size = Ring::bytes(CAPACITY, 0);
    let pages = memory::map(size);
    if pages.is_null() {
        return Err("there is no memory for events".into());
    }
    // SAFETY: the pages are zeros, large enough, and stay.
    let ring = unsafe { Ring::create(pages, CAPACITY, 0, judging::clock(libc::CLOCK_MONOTONIC)) };
    let timed = if monitor.is_timed() { TIMED } else { 0 };
    let halting = if monitor.configuration().options.halt { HALTING } else { 0 };
    ring.set_flags(timed | halting);
    judging::begin_own(ring, monitor);
    threads::prepare();
    signals::watch();
    ending::watch();
    processes::watch();
    Ok(())
}
