//! Any program, by its system calls.
//!
//! ```text
//!   process ─ a call of the list ─▶ stop, arguments ─▶ call ─▶ stop, result ─▶ event ─▶ Monitor
//! ```
//!
//! A filter in the kernel lets all other calls go on as if nobody watched. Threads are counted to their process. A call that fails is an event of its
//! own, so that the others say what has happened.

use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::io;
use std::time::Instant;

use referee_monitor::monitor::{EventValue, Monitor};
use referee_spec::core::Status;

use super::args::RunArgs;
use super::descriptors::Descriptors;
use super::process::{ProgramEnd, not_started, restore_interrupts};
use super::tracee::{self, message, pair, registers, request, text};
use crate::failure::Failure;

/// The events, each with its arguments; the first is the process.
const KINDS: [(&str, &[&str]); 15] = [
    ("open", &["process", "descriptor", "path"]),
    ("close", &["process", "descriptor"]),
    ("read", &["process", "descriptor", "bytes"]),
    ("write", &["process", "descriptor", "bytes"]),
    ("socket", &["process", "descriptor"]),
    ("accept", &["process", "listener", "descriptor"]),
    ("connect", &["process", "descriptor"]),
    ("dup", &["process", "from", "descriptor"]),
    ("pipe", &["process", "reader", "writer"]),
    ("sockets", &["process", "one", "other"]),
    ("fork", &["process", "child"]),
    ("exec", &["process", "path"]),
    ("exit", &["process", "code"]),
    ("killed", &["process", "signal"]),
    ("fail", &["process", "call", "error"]),
];

const OPTIONS: libc::c_int = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_EXITKILL;

/// A call that a thread is in.
struct Call {
    number: i64,
    arguments: [u64; 3],
    /// The path that it names, read before an `exec` replaces the memory.
    path: Option<String>,
}

/// What is known of the traced threads.
struct Watch {
    monitor: Monitor,
    begun: Instant,
    is_timed: bool,
    calls: HashMap<i32, Call>,
    /// The process of each thread.
    processes: HashMap<i32, i32>,
    descriptors: Descriptors,
    /// The threads whose first stop has come, which says no more than that they are there.
    seen: HashSet<i32>,
    /// Those of them that wait until their parent has told of them, so that nothing of theirs comes before it.
    held: HashSet<i32>,
    /// Whether the program has taken the place of this process's copy.
    has_begun: bool,
}

/// Runs the program; tells the verdict and how it ended.
pub(super) fn judge(args: &RunArgs, mut monitor: Monitor) -> Result<(Status, ProgramEnd), Failure> {
    for (kind, (name, arguments)) in (0..).zip(KINDS) {
        monitor.set_kind(kind, name, arguments);
    }
    let main = start(args)?;
    let is_timed = monitor.is_timed();
    let mut watch = Watch {
        monitor,
        begun: Instant::now(),
        is_timed,
        calls: HashMap::new(),
        processes: HashMap::from([(main, main)]),
        descriptors: Descriptors::default(),
        seen: HashSet::new(),
        held: HashSet::new(),
        has_begun: false,
    };
    let end = watch.follow(main, &args.program[0])?;
    Ok((watch.monitor.conclude(), end))
}

/// Starts the program as a process that is traced.
fn start(args: &RunArgs) -> Result<i32, Failure> {
    let text = |argument: &String| {
        CString::new(argument.as_str()).map_err(|_| Failure::Other("an argument of the program has a NUL".into()))
    };
    let arguments: Vec<CString> = args.program.iter().map(text).collect::<Result<_, _>>()?;
    let mut pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let filter = tracee::filter();
    // SAFETY: the child calls nothing that takes memory or a lock before it is another program or ends.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error().into()),
            0 => {
                restore_interrupts();
                if tracee::offer(&filter).is_ok() {
                    libc::execvp(pointers[0], pointers.as_ptr());
                }
                let error = *libc::__errno_location();
                // Exit codes of processes have a byte; this one is told from others by the stop that never came.
                libc::_exit(error & 0xff);
            }
            child => Ok(child),
        }
    }
}

impl Watch {
    fn follow(&mut self, main: i32, program: &str) -> Result<ProgramEnd, Failure> {
        let mut main_end = None;
        loop {
            let mut status = 0;
            // SAFETY: asks the kernel, which writes the status.
            let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
            if thread < 0 {
                if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
                    continue;
                }
                break;
            }
            if let Some(end) = ProgramEnd::of(status) {
                if thread == main {
                    main_end = Some(end);
                    if let (false, ProgramEnd::Exited(code)) = (self.has_begun, end) {
                        return Err(not_started(program, &io::Error::from_raw_os_error(code)));
                    }
                }
                self.ended(thread, end);
            } else if libc::WIFSTOPPED(status) {
                self.stopped(thread, status, main);
            }
            if self.monitor.is_violated() && self.monitor.configuration().options.halt {
                // SAFETY: ends the traced process; the others end with this one, as they were told to.
                unsafe { libc::kill(main, libc::SIGKILL) };
                return Ok(main_end.unwrap_or(ProgramEnd::Killed(libc::SIGKILL)));
            }
        }
        Ok(main_end.unwrap_or(ProgramEnd::Exited(0)))
    }

    /// A thread is over.
    fn ended(&mut self, thread: i32, end: ProgramEnd) {
        self.calls.remove(&thread);
        self.seen.remove(&thread);
        if self.processes.remove(&thread) == Some(thread) {
            match end {
                ProgramEnd::Exited(code) => self.event("exit", thread, &[EventValue::Integer(code.into())]),
                ProgramEnd::Killed(signal) => self.event("killed", thread, &[EventValue::Integer(signal.into())]),
            }
            self.descriptors.forget(thread);
        }
    }

    /// A thread has stopped: looks why, and lets it go on.
    fn stopped(&mut self, thread: i32, status: i32, main: i32) {
        let signal = libc::WSTOPSIG(status);
        let mut delivered = 0;
        match (signal, status >> 16) {
            (libc::SIGTRAP, libc::PTRACE_EVENT_SECCOMP) => self.enter(thread),
            (libc::SIGTRAP, libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE) => {
                if let Some(new) = message(thread) {
                    self.begin(thread, new);
                }
            }
            (libc::SIGTRAP, libc::PTRACE_EVENT_EXEC) => self.has_begun = true,
            (libc::SIGTRAP, event) if event != 0 => {}
            (signal, _) if signal == libc::SIGTRAP | 0x80 => self.leave(thread),
            (libc::SIGSTOP, _) if self.seen.insert(thread) => {
                if thread == main {
                    request(libc::PTRACE_SETOPTIONS, thread, OPTIONS as usize);
                } else if !self.processes.contains_key(&thread) {
                    self.held.insert(thread);
                    return;
                }
            }
            (signal, _) => delivered = signal,
        }
        self.go_on(thread, delivered);
    }

    /// Lets a thread go on: to the end of the call that it is in, or to the next one of the list.
    fn go_on(&self, thread: i32, signal: i32) {
        let how = if self.calls.contains_key(&thread) { libc::PTRACE_SYSCALL } else { libc::PTRACE_CONT };
        request(how, thread, signal as usize);
    }

    /// A thread has made another one, or a process.
    fn begin(&mut self, thread: i32, new: i32) {
        let process = self.process_of(thread);
        let own = group_of(new).unwrap_or(new);
        self.processes.insert(new, own);
        if own == new {
            self.descriptors.copy(process, new);
            self.event("fork", process, &[EventValue::Integer(new.into())]);
        }
        if self.held.remove(&new) {
            self.go_on(new, 0);
        }
    }

    fn process_of(&mut self, thread: i32) -> i32 {
        *self.processes.entry(thread).or_insert_with(|| group_of(thread).unwrap_or(thread))
    }

    /// A thread enters a call.
    fn enter(&mut self, thread: i32) {
        let Some(registers) = registers(thread) else { return };
        let arguments = [registers.rdi, registers.rsi, registers.rdx];
        let number = registers.orig_rax.cast_signed();
        let path = match number {
            libc::SYS_open | libc::SYS_creat | libc::SYS_execve => Some(text(thread, arguments[0])),
            libc::SYS_openat | libc::SYS_execveat => Some(text(thread, arguments[1])),
            _ => None,
        };
        self.calls.insert(thread, Call { number, arguments, path });
    }

    /// A thread leaves a call.
    fn leave(&mut self, thread: i32) {
        let (Some(call), Some(registers)) = (self.calls.remove(&thread), registers(thread)) else { return };
        let process = self.process_of(thread);
        let result = registers.rax.cast_signed();
        if (-4095..0).contains(&result) {
            return self.failed(process, &call, -result);
        }
        self.done(thread, process, &call, result);
    }

    fn failed(&mut self, process: i32, call: &Call, error: i64) {
        // A handler ran, and the call begins again.
        if error >= 512 {
            return;
        }
        let name = name_of(call.number);
        self.event("fail", process, &[EventValue::Text(name), EventValue::Integer(error)]);
        // Descriptors are closed even if closing them fails.
        if call.number == libc::SYS_close && error != i64::from(libc::EBADF) {
            self.closed(process, call.arguments[0] as i64);
        }
    }

    fn done(&mut self, thread: i32, process: i32, call: &Call, result: i64) {
        let first = i64::from(call.arguments[0] as i32);
        let integer = EventValue::Integer;
        match call.number {
            libc::SYS_open | libc::SYS_openat | libc::SYS_creat => {
                self.opened(process, result);
                let path = call.path.clone().unwrap_or_default();
                self.event("open", process, &[integer(result), EventValue::Text(&path)]);
            }
            libc::SYS_close => self.closed(process, first),
            libc::SYS_close_range => self.look_for_closed(process),
            libc::SYS_read | libc::SYS_readv | libc::SYS_pread64 | libc::SYS_recvfrom | libc::SYS_recvmsg => {
                self.event("read", process, &[integer(first), integer(result)]);
            }
            libc::SYS_write | libc::SYS_writev | libc::SYS_pwrite64 | libc::SYS_sendto | libc::SYS_sendmsg => {
                self.event("write", process, &[integer(first), integer(result)]);
            }
            libc::SYS_socket => {
                self.opened(process, result);
                self.event("socket", process, &[integer(result)]);
            }
            libc::SYS_accept | libc::SYS_accept4 => {
                self.opened(process, result);
                self.event("accept", process, &[integer(first), integer(result)]);
            }
            libc::SYS_connect => self.event("connect", process, &[integer(first)]),
            libc::SYS_dup | libc::SYS_dup2 | libc::SYS_dup3 if first != result => {
                self.opened(process, result);
                self.event("dup", process, &[integer(first), integer(result)]);
            }
            libc::SYS_fcntl if is_copy(call.arguments[1]) => {
                self.opened(process, result);
                self.event("dup", process, &[integer(first), integer(result)]);
            }
            libc::SYS_pipe | libc::SYS_pipe2 => self.two(thread, process, "pipe", call.arguments[0]),
            // The fourth argument is where the descriptors are.
            libc::SYS_socketpair => {
                let place = registers(thread).map_or(0, |registers| registers.r10);
                self.two(thread, process, "sockets", place);
            }
            libc::SYS_execve | libc::SYS_execveat => {
                let path = call.path.clone().unwrap_or_default();
                self.event("exec", process, &[EventValue::Text(&path)]);
                self.look_for_closed(process);
            }
            _ => {}
        }
    }

    fn two(&mut self, thread: i32, process: i32, name: &str, place: u64) {
        if let Some((one, other)) = pair(thread, place) {
            self.opened(process, one);
            self.opened(process, other);
            self.event(name, process, &[EventValue::Integer(one), EventValue::Integer(other)]);
        }
    }

    /// A descriptor is new. Under its number was another one, which the kernel has closed.
    fn opened(&mut self, process: i32, descriptor: i64) {
        if self.descriptors.add(process, descriptor) {
            self.event("close", process, &[EventValue::Integer(descriptor)]);
        }
    }

    fn closed(&mut self, process: i32, descriptor: i64) {
        self.descriptors.remove(process, descriptor);
        self.event("close", process, &[EventValue::Integer(descriptor)]);
    }

    fn look_for_closed(&mut self, process: i32) {
        for descriptor in self.descriptors.gone(process) {
            self.event("close", process, &[EventValue::Integer(descriptor)]);
        }
    }

    /// Judges an event of a process.
    fn event(&mut self, name: &str, process: i32, rest: &[EventValue<'_>]) {
        if !self.has_begun {
            return;
        }
        let Some(kind) = KINDS.iter().position(|(known, _)| *known == name) else { return };
        let time = self.is_timed.then(|| u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
        let values: Vec<EventValue<'_>> =
            std::iter::once(EventValue::Integer(process.into())).chain(rest.iter().copied()).collect();
        self.monitor.happen(kind as u32, time, &values);
    }
}

/// Whether `fcntl` copies a descriptor.
fn is_copy(command: u64) -> bool {
    matches!(command as i32, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC)
}

/// The process of a thread.
fn group_of(thread: i32) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:"))?.trim().parse().ok()
}

/// How a call is called in the event of its failure: as the event of its success.
fn name_of(call: i64) -> &'static str {
    match call {
        libc::SYS_open | libc::SYS_openat | libc::SYS_creat => "open",
        libc::SYS_close | libc::SYS_close_range => "close",
        libc::SYS_read | libc::SYS_readv | libc::SYS_pread64 | libc::SYS_recvfrom | libc::SYS_recvmsg => "read",
        libc::SYS_write | libc::SYS_writev | libc::SYS_pwrite64 | libc::SYS_sendto | libc::SYS_sendmsg => "write",
        libc::SYS_socket => "socket",
        libc::SYS_socketpair => "sockets",
        libc::SYS_accept | libc::SYS_accept4 => "accept",
        libc::SYS_connect => "connect",
        libc::SYS_pipe | libc::SYS_pipe2 => "pipe",
        libc::SYS_execve | libc::SYS_execveat => "exec",
        _ => "dup",
    }
}
