//! Forks: parent and child each go on with what happened before, and each says a verdict.
//!
//! Before the fork, what has come is judged, so that nothing is told twice; the lock is held across it, so that the child's copy of everything
//! is whole.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use crate::judging::{self, Held};

/// For how long a fork waits for a thread that judges.
const PATIENCE: Duration = Duration::from_secs(10);

struct Across(UnsafeCell<Option<Held>>);

// SAFETY: only the thread that forks touches it, and it holds the lock.
unsafe impl Sync for Across {}

static ACROSS: Across = Across(UnsafeCell::new(None));
static PARENT: AtomicI32 = AtomicI32::new(0);

/// Asks to be called around forks.
pub(crate) fn watch() {
    // SAFETY: the functions stay for as long as the program.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}

unsafe extern "C" fn before() {
    if !judging::judges_here() {
        return;
    }
    if let Some(mut held) = judging::lock(PATIENCE) {
        judging::drain(&mut held);
        // SAFETY: asks the kernel.
        PARENT.store(unsafe { libc::getpid() }, Ordering::Relaxed);
        // SAFETY: the lock is held.
        unsafe { *ACROSS.0.get() = Some(held) };
    }
}

unsafe extern "C" fn in_parent() {
    // SAFETY: the thread that forked holds the lock, if anybody put it there.
    drop(unsafe { (*ACROSS.0.get()).take() });
}

unsafe extern "C" fn in_child() {
    // SAFETY: as above; the child has that thread alone.
    if let Some(mut held) = unsafe { (*ACROSS.0.get()).take() } {
        judging::inherit(&held);
        judging::begin_child(&mut held, PARENT.load(Ordering::Relaxed));
    }
}
