//! One run of one command: started, watched, bounded, and gone with everything it started.
//!
//! ```text
//!  spawn ── own session, cores, group ─▶ watch: poll(stdout, stderr, exit) ── limit? ─▶ SIGTERM ─ grace ─▶ SIGKILL
//!                                          │ samples: memory, CPU                                        │
//!                                          └─ exit ─▶ settle: kill what is left, reap it, empty the pipes ◀┘
//! ```
//!
//! Nothing escapes. The first process of a run is made a *subreaper*: whatever forks away below it stays below it. When it
//! ends, its orphans become our children, for this process is a subreaper, too; and a child of ours that is not the first
//! process of a running run is an orphan, and is killed. So nobody who uses this room may have children of other kinds.

use std::collections::{BTreeMap, HashSet};
use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::capture::Capture;
use super::group::{Group, Groups, enter};
use super::status::Said;
use super::tree;

/// Set when everything is to end.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first processes of the runs that go on.
static RUNNING: Mutex<Option<HashSet<i32>>> = Mutex::new(None);

/// How long a tool has between being asked to end and being killed.
const GRACE: Duration = Duration::from_millis(500);
/// How long what is left of a run may take to go away.
const SETTLING: Duration = Duration::from_secs(5);
/// The longest time between two looks at a run.
const LOOK: Duration = Duration::from_millis(50);

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Seconds of wall time.
    pub wall: f64,
    /// Seconds of CPU time.
    pub cpu: f64,
    /// Bytes of memory.
    pub memory: u64,
}

/// What is to be run, and how.
pub(crate) struct Order<'a> {
    /// The command.
    pub command: &'a [String],
    /// Where it is run.
    pub directory: &'a Path,
    /// Its whole environment.
    pub environment: &'a BTreeMap<String, String>,
    /// What it may use.
    pub limits: Limits,
    /// The CPUs it may run on.
    pub cores: &'a [usize],
    /// The file for its standard output; that for its errors has `.err` after it.
    pub output: &'a Path,
    /// A name for its group that no other run has.
    pub name: &'a str,
}

/// The file for the errors of a run whose output is in this file.
pub(crate) fn errors_of(output: &Path) -> PathBuf {
    output.with_added_extension("err")
}

/// Why a run was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Killed {
    /// It took too long.
    Wall,
    /// It computed too long.
    Cpu,
    /// It took too much memory.
    Memory,
    /// Everything was to end.
    Interrupt,
}

/// How the first process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What was measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Seconds of wall time.
    pub wall: f64,
    /// Seconds of CPU time of the whole tree.
    pub cpu: f64,
    /// Peak memory of the whole tree in bytes.
    pub memory: Option<u64>,
    /// How the memory is known.
    pub memory_by: &'static str,
    /// The highest resident size seen.
    pub resident: Option<u64>,
    /// How it ended.
    pub exit: Exit,
    /// Why it was ended, if it was.
    pub killed: Option<Killed>,
    /// What it said on standard output.
    pub said: Said,
    /// How many bytes it wrote, on both streams.
    pub written: u64,
    /// Whether processes were left when the first one had ended.
    pub left_behind: usize,
}

/// Makes this process the one that orphans of runs come to.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    // SAFETY: this sets a flag of this process.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Why a run was none.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is no such command, or it may not be started.
    NotStarted(io::Error),
    /// The platform failed.
    Platform(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Platform(error)
    }
}

/// Runs a command to its end.
pub(crate) fn run(order: &Order<'_>, groups: &Groups) -> Result<Measured, Fault> {
    let group = groups.create(order.name, order.limits.memory)?;
    let mut watch = Watch::start(order, &group)?;
    watch.until_exit();
    Ok(watch.settle()?)
}

/// A run that goes on.
struct Watch<'a> {
    order: &'a Order<'a>,
    group: &'a Group,
    process: i32,
    exit: OwnedFd,
    output: Capture<std::process::ChildStdout>,
    errors: Capture<std::process::ChildStderr>,
    buffer: Vec<u8>,
    started: Instant,
    ended: Option<Instant>,
    killed: Option<(Killed, Instant)>,
    samples: Samples,
}

/// What was seen while it ran.
#[derive(Default)]
struct Samples {
    count: u32,
    proportional: u64,
    resident: u64,
    /// The memory of the group, where nobody keeps its peak.
    grouped: u64,
    /// Our own size: the kernel counts it as the child's until the child has become another program.
    own: u64,
    next: Duration,
    /// The CPU time of processes that ended as our children.
    reaped: f64,
}

impl<'a> Watch<'a> {
    fn start(order: &'a Order<'a>, group: &'a Group) -> Result<Watch<'a>, Fault> {
        let mut command = command(order, group)?;
        let own = tree::highest_resident(std::process::id() as i32);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let started = Instant::now();
        let mut child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Fault::NotStarted(error),
            _ if error.raw_os_error() == Some(libc::ENOEXEC) => Fault::NotStarted(error),
            _ => Fault::Platform(error),
        })?;
        let process = child.id() as i32;
        running.get_or_insert_default().insert(process);
        drop(running);
        Ok(Watch {
            order,
            group,
            process,
            exit: open_process(process)?,
            output: Capture::new(child.stdout.take(), order.output)?,
            errors: Capture::new(child.stderr.take(), &errors_of(order.output))?,
            buffer: vec![0; 1 << 16],
            started,
            ended: None,
            killed: None,
            samples: Samples { own, ..Samples::default() },
        })
    }

    /// Watches until the first process has ended, by itself or by us.
    fn until_exit(&mut self) {
        while self.ended.is_none() {
            let elapsed = self.started.elapsed();
            let due = self.samples.next.saturating_sub(elapsed);
            if self.wait(due.min(LOOK)) {
                self.ended = Some(Instant::now());
                return;
            }
            if self.started.elapsed() >= self.samples.next {
                self.sample();
            }
            self.enforce();
        }
    }

    /// Waits for output or the end, takes the output, and says whether the end has come.
    fn wait(&mut self, timeout: Duration) -> bool {
        let wanted = [Some(self.exit.as_raw_fd()), self.output.descriptor(), self.errors.descriptor()];
        let ready = poll(&wanted, timeout);
        if ready[1] {
            self.output.drain(&mut self.buffer);
        }
        if ready[2] {
            self.errors.drain(&mut self.buffer);
        }
        ready[0]
    }

    /// Looks at memory and CPU time; the more a look costs, the rarer it is.
    fn sample(&mut self) {
        let before = Instant::now();
        if matches!(self.group, Group::None) {
            let (proportional, resident) = tree::memory(&tree::below(self.process));
            self.samples.proportional = self.samples.proportional.max(proportional);
            self.samples.resident = self.samples.resident.max(resident);
        } else {
            self.samples.resident = self.samples.resident.max(tree::highest_resident(self.process));
            self.samples.grouped = self.samples.grouped.max(self.group.current().unwrap_or(0));
        }
        self.samples.count += 1;
        let pause = (self.started.elapsed() / 4).clamp(Duration::from_millis(1), LOOK).max(before.elapsed() * 20);
        self.samples.next = self.started.elapsed() + pause;
    }

    /// Ends a run that has passed a limit: politely first, then not.
    fn enforce(&mut self) {
        match self.killed {
            Some((_, since)) if since.elapsed() >= GRACE => self.kill(libc::SIGKILL),
            Some(_) => {}
            None => {
                if let Some(reason) = self.passed_limit() {
                    self.killed = Some((reason, Instant::now()));
                    self.kill(libc::SIGTERM);
                }
            }
        }
    }

    fn passed_limit(&self) -> Option<Killed> {
        let limits = &self.order.limits;
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Some(Killed::Interrupt);
        }
        let wall = self.started.elapsed().as_secs_f64();
        if wall > limits.wall {
            return Some(Killed::Wall);
        }
        if self.samples.proportional > limits.memory {
            return Some(Killed::Memory);
        }
        // As long as less wall time has passed than the limit and there are that many cores, nobody can have passed it.
        if wall * self.order.cores.len().max(1) as f64 <= limits.cpu {
            return None;
        }
        let cpu = self.group.cpu().unwrap_or_else(|| tree::cpu(&tree::below(self.process)));
        (cpu > limits.cpu).then_some(Killed::Cpu)
    }

    /// Sends a signal to every process of the run.
    fn kill(&self, signal: i32) {
        if signal == libc::SIGKILL {
            self.group.kill();
        }
        let members = self.group.processes();
        for process in tree::below(self.process).into_iter().chain(members) {
            send(process, signal);
        }
    }

    /// Ends and reaps what is left, empties the pipes, and adds everything up.
    fn settle(mut self) -> io::Result<Measured> {
        let wall = self.ended.map_or_else(|| self.started.elapsed(), |ended| ended - self.started).as_secs_f64();
        let (exit, usage) = reap(self.process)?;
        if let Some(running) = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            running.remove(&self.process);
        }
        let left_behind = self.end_what_is_left();
        let cpu = self.group.cpu().unwrap_or(usage.cpu + self.samples.reaped);
        let (memory, memory_by) = self.memory(usage.resident);
        // A tool may survive the end of one of its processes; it may also tell of it by its own end only, as a shell does.
        let out_of_memory = exit != Exit::Code(0) && self.group.ran_out_of_memory();
        let killed = self.killed.map(|(reason, _)| reason).or(out_of_memory.then_some(Killed::Memory));
        let resident = Some(self.resident(usage.resident)).filter(|bytes| *bytes > 0);
        let (said, written, fault) = self.output.finish();
        let (_, more, other_fault) = self.errors.finish();
        match fault.or(other_fault) {
            Some(error) => Err(error),
            None => Ok(Measured {
                wall,
                cpu,
                memory,
                memory_by,
                resident,
                exit,
                killed,
                said,
                written: written + more,
                left_behind,
            }),
        }
    }

    /// Kills orphans until there are none and nobody holds the pipes; says how many there were.
    fn end_what_is_left(&mut self) -> usize {
        let since = Instant::now();
        let mut seen = HashSet::new();
        loop {
            self.group.kill();
            let members = self.group.processes();
            let orphans = orphans();
            for process in members.iter().chain(&orphans) {
                seen.insert(*process);
                send(*process, libc::SIGKILL);
            }
            for process in &orphans {
                self.samples.reaped += try_reap(*process);
            }
            self.output.drain(&mut self.buffer);
            self.errors.drain(&mut self.buffer);
            let open = self.output.descriptor().is_some() || self.errors.descriptor().is_some();
            if (members.is_empty() && orphans.is_empty() && !open) || since.elapsed() > SETTLING {
                return seen.len();
            }
            if open || !members.is_empty() {
                self.wait(Duration::from_millis(1));
            }
        }
    }

    fn memory(&self, resident: u64) -> (Option<u64>, &'static str) {
        if let Some((peak, by)) = self.group.peak() {
            return (Some(peak), by);
        }
        if self.samples.grouped > 0 {
            return (Some(self.samples.grouped), "control group v2, memory.current, sampled");
        }
        let (resident, most) = (self.resident(resident), resident);
        match (self.samples.count, self.samples.proportional) {
            (3.., proportional @ 1..) => (Some(proportional), "summed PSS, sampled"),
            _ if resident > 0 => (Some(resident), "resident size: too short for samples of PSS"),
            _ if most > 0 => (Some(most), "resident size, at most: too short for samples, and it may be Referee's own"),
            _ => (None, "not measured: too short"),
        }
    }

    /// The highest resident size, unless it may be our own.
    fn resident(&self, by_kernel: u64) -> u64 {
        let trusted = if by_kernel > self.samples.own { by_kernel } else { 0 };
        self.samples.resident.max(trusted)
    }
}

fn command(order: &Order<'_>, group: &Group) -> io::Result<Command> {
    let (program, arguments) = order.command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(order.directory).env_clear().envs(order.environment);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (entrances, cores) = (group.entrances(), cpu_set(order.cores));
    // SAFETY: between fork and exec only system calls are made, on memory that was prepared before.
    unsafe {
        command.pre_exec(move || prepare(&entrances, &cores));
    }
    Ok(command)
}

fn cpu_set(cores: &[usize]) -> libc::cpu_set_t {
    // SAFETY: an all-zero set is a valid set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for core in cores.iter().filter(|core| **core < libc::CPU_SETSIZE as usize) {
        // SAFETY: the number is below the size of the set.
        unsafe { libc::CPU_SET(*core, &mut set) };
    }
    set
}

/// What the new process does before it becomes the tool.
fn prepare(entrances: &[CString], cores: &libc::cpu_set_t) -> io::Result<()> {
    entrances.iter().try_for_each(|entrance| enter(entrance))?;
    // SAFETY: system calls with valid arguments, none of which touches memory of another thread.
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        libc::setrlimit(libc::RLIMIT_CORE, &libc::rlimit { rlim_cur: 0, rlim_max: 0 });
        if libc::CPU_COUNT(cores) > 0 && libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), cores) != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

fn open_process(process: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and gives a new descriptor, which nobody else owns.
    unsafe {
        let descriptor = libc::syscall(libc::SYS_pidfd_open, process, 0);
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(descriptor as RawFd))
    }
}

/// Which of the descriptors have something to say.
fn poll(descriptors: &[Option<RawFd>; 3], timeout: Duration) -> [bool; 3] {
    let mut list = descriptors.map(|fd| libc::pollfd { fd: fd.unwrap_or(-1), events: libc::POLLIN, revents: 0 });
    // A wait of less than a millisecond is still a wait.
    let milliseconds = timeout.as_micros().div_ceil(1000).min(1000) as i32;
    // SAFETY: the list is as long as the number says.
    unsafe { libc::poll(list.as_mut_ptr(), list.len() as libc::nfds_t, milliseconds) };
    list.map(|one| one.revents != 0)
}

fn send(process: i32, signal: i32) {
    if process > 1 {
        // SAFETY: a process that is gone already is no concern.
        unsafe { libc::kill(process, signal) };
    }
}

/// What an ended process used.
struct Usage {
    cpu: f64,
    resident: u64,
}

impl Usage {
    fn of(usage: &libc::rusage) -> Usage {
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        Usage { cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), resident: usage.ru_maxrss.max(0) as u64 * 1024 }
    }
}

/// Reaps a process that has ended: how, and what it and those it waited for used.
fn reap(process: i32) -> io::Result<(Exit, Usage)> {
    loop {
        if let Some((status, usage)) = wait4(process, 0)? {
            let exit = match libc::WIFSIGNALED(status) {
                true => Exit::Signal(libc::WTERMSIG(status)),
                false => Exit::Code(libc::WEXITSTATUS(status)),
            };
            return Ok((exit, usage));
        }
    }
}

/// Reaps a process if it has ended, and says how much CPU time it used.
fn try_reap(process: i32) -> f64 {
    wait4(process, libc::WNOHANG).ok().flatten().map_or(0.0, |(_, usage)| usage.cpu)
}

fn wait4(process: i32, options: i32) -> io::Result<Option<(i32, Usage)>> {
    let mut status = 0;
    // SAFETY: an all-zero record is a valid one, and the call fills both.
    let (found, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(process, &mut status, options, &mut usage), usage)
    };
    match found {
        0 => Ok(None),
        found if found > 0 => Ok(Some((status, Usage::of(&usage)))),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            error => Err(error),
        },
    }
}

/// Our children that are not the first process of a run that goes on.
fn orphans() -> Vec<i32> {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let ours = tree::children(std::process::id() as i32);
    ours.into_iter().filter(|process| !running.as_ref().is_some_and(|running| running.contains(process))).collect()
}
