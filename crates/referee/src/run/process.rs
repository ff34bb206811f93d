//! The program as a process: how it begins, how it ends, and signals that are meant for it.

use std::ffi::CString;
use std::io;

use crate::failure::Failure;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramEnd {
    Exited(i32),
    Killed(i32),
}

impl ProgramEnd {
    /// What `waitpid` says, if the process is over.
    pub(super) fn of(status: i32) -> Option<ProgramEnd> {
        if libc::WIFEXITED(status) {
            Some(ProgramEnd::Exited(libc::WEXITSTATUS(status)))
        } else if libc::WIFSIGNALED(status) {
            Some(ProgramEnd::Killed(libc::WTERMSIG(status)))
        } else {
            None
        }
    }
}

/// The signals by which a terminal ends what runs in it go to the program; this process ends after it.
pub(super) fn ignore_interrupts() {
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: to ignore a signal runs no code of ours; the program gets the default back before it begins.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// In the new process: signals are as the program expects them.
pub(super) fn restore_interrupts() {
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: as above.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Why a program does not begin.
pub(super) fn not_started(program: &str, error: &io::Error) -> Failure {
    let hint = match error.kind() {
        io::ErrorKind::NotFound if CString::new(program).is_ok() => {
            "\n  hint: say the path of the program, such as ./program"
        }
        _ => "",
    };
    Failure::Other(format!("{program}: the program cannot be started: {error}{hint}"))
}
