//! Signals that end the program: the verdict is said first, then they do what they would have done.
//!
//! ```text
//!   signal ─▶ our handler, on a stack of its own ─▶ verdict ─▶ action as it was before ─▶ the signal again
//! ```
//!
//! The program's own handlers stay. Where the program asks for a handler, it gets it; where it asks for the default action, which would end it without
//! a verdict, it gets ours, and is told that it has the default.

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use libc::{c_int, c_void, sigaction as Action, siginfo_t};

use crate::errno::KeptErrno;
use crate::{judging, threads};

/// The signals whose default action ends the process.
const DEADLY: [c_int; 22] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGUSR1,
    libc::SIGSEGV,
    libc::SIGUSR2,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGSTKFLT,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGPOLL,
    libc::SIGPWR,
    libc::SIGSYS,
];

/// For how long a handler waits for a thread that judges.
const PATIENCE: Duration = Duration::from_secs(5);

static IS_WATCHING: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    /// The C library's own, below the name that this file takes.
    fn __sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
}

fn ours() -> Action {
    // SAFETY: zeros are an action.
    let mut action: Action = unsafe { std::mem::zeroed() };
    action.sa_sigaction = on_signal as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the mask is the action's own. Nobody is to interrupt the verdict.
    unsafe { libc::sigfillset(&raw mut action.sa_mask) };
    for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: as above.
        unsafe { libc::sigdelset(&raw mut action.sa_mask, fault) };
    }
    action
}

fn is_ours(action: &Action) -> bool {
    action.sa_sigaction == on_signal as *const () as usize
}

/// Puts our handler where the default action is.
pub(crate) fn watch() {
    let ours = ours();
    for signal in DEADLY {
        // SAFETY: zeros are an action; the kernel writes the old one. What somebody has set, or ignores, stays.
        unsafe {
            let mut old: Action = std::mem::zeroed();
            if __sigaction(signal, ptr::null(), &raw mut old) == 0 && old.sa_sigaction == libc::SIG_DFL {
                __sigaction(signal, &raw const ours, ptr::null_mut());
            }
        }
    }
    threads::set_stack();
    IS_WATCHING.store(true, Ordering::Release);
}

/// A signal that would have ended the process.
unsafe extern "C" fn on_signal(signal: c_int, about: *mut siginfo_t, _context: *mut c_void) {
    let _errno = KeptErrno::new();
    judging::conclude(PATIENCE);
    // SAFETY: zeros are the default action.
    let default: Action = unsafe { std::mem::zeroed() };
    // SAFETY: the default action comes back. A fault happens again when the handler returns; another signal is sent again, and comes
    // when the handler returns, too.
    unsafe {
        __sigaction(signal, &raw const default, ptr::null_mut());
        let is_fault = !about.is_null() && (*about).si_code > 0 && signal != libc::SIGTRAP && signal != libc::SIGSYS;
        let happens_again = is_fault && matches!(signal, libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL);
        if !happens_again {
            libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::syscall(libc::SYS_gettid), signal);
        }
    }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int {
    // SAFETY: as the caller promises.
    unsafe {
        let is_watched = IS_WATCHING.load(Ordering::Acquire) && DEADLY.contains(&signal);
        let mut replaced = new;
        let ours = ours();
        if is_watched && !new.is_null() && (*new).sa_sigaction == libc::SIG_DFL {
            replaced = &raw const ours;
        }
        let result = __sigaction(signal, replaced, old);
        if result == 0 && !old.is_null() && is_ours(&*old) {
            *old = std::mem::zeroed();
        }
        result
    }
}

/// Takes the place of the C library's function: a handler that stays, and calls that go on after it.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn signal(signal: c_int, handler: libc::sighandler_t) -> libc::sighandler_t {
    // SAFETY: both actions are this function's own.
    unsafe {
        let mut new: Action = std::mem::zeroed();
        let mut old: Action = std::mem::zeroed();
        new.sa_sigaction = handler;
        new.sa_flags = libc::SA_RESTART;
        if handler == libc::SIG_ERR {
            *libc::__errno_location() = libc::EINVAL;
            return libc::SIG_ERR;
        }
        match sigaction(signal, &raw const new, &raw mut old) {
            0 => old.sa_sigaction,
            _ => libc::SIG_ERR,
        }
    }
}
