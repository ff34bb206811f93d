//! Threads of the program that make events: each gets a stack for handlers, on which its verdict can be said when its own stack is full.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::errno::KeptErrno;
use crate::{judging, memory};

/// Pages that are never touched cost nothing.
const SIZE: usize = 256 << 10;

thread_local! {
    /// No destructor: that would ask the program's `malloc` for its place in a list.
    static IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// The key whose destructor takes the stack back, and 1; 0 where there is none.
static KEY: AtomicU32 = AtomicU32::new(0);

/// Makes the key.
pub(crate) fn prepare() {
    let mut key = 0;
    // SAFETY: the destructor gets what was set for the thread: its stack.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(take_back)) } == 0 {
        KEY.store(key + 1, Ordering::Relaxed);
    }
}

/// A thread makes its first event, or another one.
#[inline]
pub(crate) fn note() {
    IS_KNOWN.with(|known| {
        if !known.replace(true) {
            give_stack();
        }
    });
}

/// Gives the thread a stack for handlers, unless it has one.
#[cold]
fn give_stack() {
    let _errno = KeptErrno::new();
    judging::note_threads();
    if judging::is_own() {
        set_stack();
    }
}

/// The same for the first thread.
pub(crate) fn set_stack() {
    let mut known = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: 0, ss_size: 0 };
    // SAFETY: asks the kernel.
    let asked = unsafe { libc::sigaltstack(ptr::null(), &raw mut known) };
    if asked != 0 || known.ss_flags & libc::SS_DISABLE == 0 {
        return;
    }
    let stack = memory::map(SIZE);
    if stack.is_null() {
        return;
    }
    let given = libc::stack_t { ss_sp: stack.cast(), ss_flags: 0, ss_size: SIZE };
    // SAFETY: the pages are the thread's own from now on.
    unsafe {
        libc::sigaltstack(&raw const given, ptr::null_mut());
        let key = KEY.load(Ordering::Relaxed);
        if key != 0 {
            libc::pthread_setspecific(key - 1, stack.cast());
        }
    }
}

/// A thread ends.
unsafe extern "C" fn take_back(stack: *mut libc::c_void) {
    let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
    let mut known = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: 0, ss_size: 0 };
    // SAFETY: the stack is taken from the thread before its pages go; who has put another one in its place keeps that.
    unsafe {
        libc::sigaltstack(ptr::null(), &raw mut known);
        if known.ss_sp == stack {
            libc::sigaltstack(&raw const none, ptr::null_mut());
        }
        memory::unmap(stack.cast(), SIZE);
    }
}
