//! Ends without a signal: `exit` and return from `main`, `quick_exit`, `_exit`.
//!
//! The destructor of the lowest priority runs when all others and all functions of `atexit` have run: they may still make events.

use std::time::Duration;

use crate::judging;

/// For how long the end waits for a thread that judges.
const PATIENCE: Duration = Duration::from_secs(10);

unsafe extern "C" {
    fn at_quick_exit(function: extern "C" fn()) -> libc::c_int;
}

/// Destructors run from the last of this array to the first, which is the one with the lowest number.
#[used]
#[unsafe(link_section = ".fini_array.00000")]
static AT_EXIT: extern "C" fn() = at_exit;

/// Functions of `at_quick_exit` run in the opposite order: the first is the last.
pub(crate) fn watch() {
    // SAFETY: the function stays for as long as the program.
    unsafe { at_quick_exit(at_quick_end) };
}

extern "C" fn at_exit() {
    if judging::conclude(PATIENCE) {
        // SAFETY: what the program has printed goes out before it ends with another status.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        judging::exit_now(1);
    }
}

extern "C" fn at_quick_end() {
    if judging::conclude(PATIENCE) {
        judging::exit_now(1);
    }
}

/// Takes the place of the C library's function.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _exit(status: libc::c_int) -> ! {
    let fails = judging::conclude(PATIENCE);
    judging::exit_now(if fails { 1 } else { status })
}

/// Takes the place of the C library's function.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn _Exit(status: libc::c_int) -> ! {
    _exit(status)
}
