//! An instrumented program and all processes that it starts: their events lie in a ring that this process reads.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use referee_monitor::configuration::Configuration;
use referee_monitor::monitor::{Monitor, Outlets};
use referee_monitor::ring::{HALTING, READY, Ring, TIMED};
use referee_spec::core::Status;

use super::args::{RunArgs, add_options};
use super::process::{ProgramEnd, not_started, restore_interrupts};
use crate::failure::Failure;

/// How many words the ring has: 8 MB, of which only what is used takes memory.
const CAPACITY: u64 = 1 << 20;
/// How much room there is for what the program was built with.
const CONFIGURATION: usize = 4 << 20;
/// How long this process sleeps when there is nothing to judge.
const NAP: Duration = Duration::from_micros(500);
/// After how long a record that a process began and did not finish is given up, where a process was killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// The memory that is shared.
struct SharedMemory {
    file: OwnedFd,
    ring: Ring,
}

/// Runs the program; tells the verdict and how it ended.
pub(super) fn judge(
    args: &RunArgs,
    own: Option<Configuration>,
    outlets: Outlets,
) -> Result<(Status, ProgramEnd), Failure> {
    let memory = share()?;
    let ring = memory.ring;
    ring.set_reader(std::process::id());
    adopt_orphans();
    let mut waiting = Some(outlets);
    let mut monitor = None;
    if let Some(own) = own {
        monitor = Some(begin(own, waiting.take(), &ring)?);
    }
    let main = start(args, &memory)?;
    let mut family = Family { main, end: None, is_over: false, killed: None };
    let mut stuck_since: Option<(u64, Instant)> = None;
    loop {
        family.look();
        if let (None, Some(text)) = (&monitor, ring.configuration()) {
            let mut configuration = embedded(&text, args)?;
            add_options(&mut configuration.options, args);
            monitor = Some(begin(configuration, waiting.take(), &ring)?);
        }
        let before = ring.tail();
        if let Some(monitor) = &mut monitor {
            monitor.drain(&ring);
            ring.set_limit(ring.tail() + CAPACITY);
            if monitor.is_violated() && monitor.configuration().options.halt {
                family.halt();
            }
        }
        if family.is_over {
            break;
        }
        match stuck_since {
            _ if ring.tail() != before || ring.head() == ring.tail() => stuck_since = None,
            Some((at, since)) if at == before => {
                let is_dead = family.killed.is_some_and(|when| when.elapsed() > PATIENCE);
                if is_dead && since.elapsed() > PATIENCE && !pass_over(&ring) {
                    ring.lose();
                    ring.turn_off();
                }
            }
            _ => stuck_since = Some((before, Instant::now())),
        }
        if ring.tail() == before {
            std::thread::sleep(NAP);
        }
    }
    let end = family.end.unwrap_or(ProgramEnd::Exited(0));
    let Some(mut monitor) = monitor else {
        return Err(Failure::Other(format!(
            "{}: the program has no events: it was not built with `referee cc`, or did not get as far as its start\n  \
             hint: build it with `referee cc`, or judge its system calls with --syscalls",
            args.program[0]
        )));
    };
    drain_last(&mut monitor, &ring);
    if ring.has_lost() {
        monitor.hinder("events were lost: a process was killed while it wrote one, or had too many places with events");
    }
    Ok((monitor.conclude(), end))
}

fn embedded(text: &[u8], args: &RunArgs) -> Result<Configuration, Failure> {
    let text = String::from_utf8_lossy(text);
    Configuration::parse(&text).map_err(|problem| Failure::Other(format!("{}: {problem}", args.program[0])))
}

/// Compiles what is judged and lets the program go on.
fn begin(configuration: Configuration, outlets: Option<Outlets>, ring: &Ring) -> Result<Monitor, Failure> {
    let nowhere = Outlets { results: Box::new(io::sink()), trace: None };
    let mut monitor = Monitor::new(configuration, outlets.unwrap_or(nowhere)).map_err(|problem| {
        ring.turn_off();
        Failure::Other(problem)
    })?;
    let timed = if monitor.is_timed() { TIMED } else { 0 };
    let halting = if monitor.configuration().options.halt { HALTING } else { 0 };
    monitor.hold_at_violation();
    ring.set_limit(CAPACITY);
    ring.set_flags(READY | timed | halting);
    Ok(monitor)
}

fn share() -> Result<SharedMemory, Failure> {
    let size = Ring::bytes(CAPACITY, CONFIGURATION);
    // SAFETY: makes a file in memory and maps it; the mapping stays for as long as this process.
    unsafe {
        let file = libc::memfd_create(c"referee".as_ptr(), libc::MFD_CLOEXEC);
        if file < 0 {
            return Err(io::Error::last_os_error().into());
        }
        let file = OwnedFd::from_raw_fd(file);
        if libc::ftruncate(file.as_raw_fd(), size as libc::off_t) != 0 {
            return Err(io::Error::last_os_error().into());
        }
        let all = libc::PROT_READ | libc::PROT_WRITE;
        let pages = libc::mmap(std::ptr::null_mut(), size, all, libc::MAP_SHARED, file.as_raw_fd(), 0);
        if pages == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().into());
        }
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time);
        let origin = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
        Ok(SharedMemory { file, ring: Ring::create(pages.cast(), CAPACITY, CONFIGURATION, origin) })
    }
}

/// Processes whose parents end become children of this one, so that it sees them end.
fn adopt_orphans() {
    // SAFETY: a property of this process alone.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
}

fn start(args: &RunArgs, memory: &SharedMemory) -> Result<i32, Failure> {
    let mut command = Command::new(&args.program[0]);
    command.args(&args.program[1..]);
    // By its path, so that a program that closes all descriptors and starts another one does not lose it.
    command.env("REFEREE_RING", format!("/proc/{}/fd/{}", std::process::id(), memory.file.as_raw_fd()));
    // SAFETY: what is called sets what becomes of signals, and nothing else.
    unsafe {
        command.pre_exec(|| {
            restore_interrupts();
            Ok(())
        });
    }
    match command.spawn() {
        Ok(child) => Ok(child.id().cast_signed()),
        Err(error) => Err(not_started(&args.program[0], &error)),
    }
}

/// The program and what it has started.
struct Family {
    main: i32,
    end: Option<ProgramEnd>,
    /// Whether nobody is left.
    is_over: bool,
    /// When a signal has ended one of them, last.
    killed: Option<Instant>,
}

impl Family {
    /// Looks who has ended.
    fn look(&mut self) {
        loop {
            let mut status = 0;
            // SAFETY: asks the kernel, which writes the status.
            let who = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
            if who < 0 {
                self.is_over = true;
                return;
            }
            if who == 0 {
                return;
            }
            let end = ProgramEnd::of(status);
            if matches!(end, Some(ProgramEnd::Killed(_))) {
                self.killed = Some(Instant::now());
            }
            if who == self.main {
                self.end = end;
            }
        }
    }

    /// Ends the program; what it has started goes on, and is not waited for.
    fn halt(&mut self) {
        if self.end.is_none() {
            let mut status = 0;
            // SAFETY: the process is a child of this one that nobody has waited for.
            unsafe {
                libc::kill(self.main, libc::SIGKILL);
                libc::waitpid(self.main, &raw mut status, 0);
            }
            self.end = ProgramEnd::of(status);
        }
        self.is_over = true;
    }
}

/// Passes over a record that nobody will finish; tells whether it is known how long it is.
fn pass_over(ring: &Ring) -> bool {
    let tail = ring.tail();
    let Some(end) = ring.unfinished(tail) else { return false };
    ring.clear(tail, end);
    ring.set_tail(end);
    true
}

/// Judges what was there when the last process ended. Records that are not finished did not happen.
fn drain_last(monitor: &mut Monitor, ring: &Ring) {
    ring.turn_off();
    loop {
        monitor.drain(ring);
        if ring.tail() >= ring.head() || !pass_over(ring) {
            break;
        }
    }
    let end = ring.head().min(ring.tail() + CAPACITY);
    if (ring.tail()..end).any(|at| ring.get(at) != 0) {
        ring.lose();
    }
}
