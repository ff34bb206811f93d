//! The ring, the monitor, and the lock that lets one thread at a time judge.
//!
//! Whoever judges has blocked all signals but those of its own faults, so that no handler runs on top of it and no handler jumps out of it.
//! A handler can therefore find the lock held by its own thread only if judging itself has failed.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use referee_monitor::monitor::Monitor;
use referee_monitor::ring::{READY, Ring};

use crate::errno::KeptErrno;

/// 1 when nobody judges any more: instrumented code may leave calls out.
#[unsafe(no_mangle)]
pub(crate) static referee_off: AtomicU8 = AtomicU8::new(0);

/// After how many words the records that wait are judged, at the latest.
const BATCH: u64 = 1 << 12;
/// After how many words the clock is looked at.
const STEP: u64 = 64;
/// For how long records wait, if the program makes events.
const PATIENCE: u64 = 10_000_000;
/// For how long the end waits for records that other threads are writing.
const LAST_RECORDS: Duration = Duration::from_millis(100);

struct Shared<T>(UnsafeCell<T>);

// SAFETY: what is inside is written before other threads know of it, or touched by the holder of the lock.
unsafe impl<T> Sync for Shared<T> {}

static RING: Shared<MaybeUninit<Ring>> = Shared(UnsafeCell::new(MaybeUninit::uninit()));
static MONITOR: Shared<Option<Monitor>> = Shared(UnsafeCell::new(None));
/// The thread that judges, or 0.
static OWNER: AtomicI32 = AtomicI32::new(0);
/// The process that judges here: 0 before the start, and where a parent judges.
static PROCESS: AtomicI32 = AtomicI32::new(0);
/// Whether the ring is this process's own.
static IS_OWN: AtomicBool = AtomicBool::new(false);
static IS_READY: AtomicBool = AtomicBool::new(false);
/// Whether somebody says the verdict or has said it.
static IS_CONCLUDED: AtomicBool = AtomicBool::new(false);
static FAILS: AtomicBool = AtomicBool::new(false);
static HALTS: AtomicBool = AtomicBool::new(false);
static EXPLAINS: AtomicBool = AtomicBool::new(false);
static HAS_THREADS: AtomicBool = AtomicBool::new(false);
static LAST_DRAIN: AtomicU64 = AtomicU64::new(0);

/// The ring. Only for those who know that the run time has started.
#[inline(always)]
pub(crate) fn ring() -> &'static Ring {
    // SAFETY: `is_ready` was seen, directly or in a site that was resolved behind it.
    unsafe { (*RING.0.get()).assume_init_ref() }
}

/// Whether the ring is there.
#[inline]
pub(crate) fn is_ready() -> bool {
    IS_READY.load(Ordering::Acquire)
}

/// Whether the ring is this process's own.
#[inline(always)]
pub(crate) fn is_own() -> bool {
    IS_OWN.load(Ordering::Relaxed)
}

/// Whether the process judges its own events, and is not a child that shares its memory.
pub(crate) fn judges_here() -> bool {
    // SAFETY: asks the kernel; a child of `vfork` has another number and the same memory.
    PROCESS.load(Ordering::Relaxed) == unsafe { libc::getpid() }
}

/// Nobody judges.
pub(crate) fn turn_off() {
    referee_off.store(1, Ordering::Relaxed);
}

/// Begins to write to a ring that a parent reads.
pub(crate) fn begin_shared(ring: Ring) {
    // SAFETY: nobody reads it before `is_ready`.
    unsafe { (*RING.0.get()).write(ring) };
    let start = Instant::now();
    while ring.flags() & READY == 0 {
        if ring.is_off() || !has_reader(start.elapsed()) {
            return turn_off();
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    IS_READY.store(true, Ordering::Release);
}

/// Begins to judge in this process.
pub(crate) fn begin_own(ring: Ring, monitor: Monitor) {
    let options = &monitor.configuration().options;
    FAILS.store(options.fail, Ordering::Relaxed);
    HALTS.store(options.halt, Ordering::Relaxed);
    EXPLAINS.store(options.explain, Ordering::Relaxed);
    // SAFETY: nobody reads them before `is_ready`.
    unsafe {
        *MONITOR.0.get() = Some(monitor);
        (*RING.0.get()).write(ring);
    }
    ring.set_limit(STEP);
    LAST_DRAIN.store(now(), Ordering::Relaxed);
    IS_OWN.store(true, Ordering::Relaxed);
    adopt();
    IS_READY.store(true, Ordering::Release);
}

/// This process judges its own events from now on.
pub(crate) fn adopt() {
    // SAFETY: asks the kernel.
    PROCESS.store(unsafe { libc::getpid() }, Ordering::Relaxed);
}

/// Nanoseconds of a clock that is quick to read and shows some milliseconds.
fn now() -> u64 {
    clock(libc::CLOCK_MONOTONIC_COARSE)
}

/// Nanoseconds of a clock.
pub(crate) fn clock(which: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time that it is given.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn this_thread() -> i32 {
    // SAFETY: asks the kernel.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// The lock, held.
pub(crate) struct Held {
    mask: u64,
    _errno: KeptErrno,
}

/// Blocks all signals but those of faults; tells what was blocked before.
fn block_signals() -> u64 {
    let faults = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT];
    let all = faults.iter().fold(u64::MAX, |all, signal| all & !(1 << (signal - 1)));
    set_mask(all)
}

/// The kernel's own call: that of the C library leaves out the signal by which threads are cancelled.
fn set_mask(mask: u64) -> u64 {
    let mut before = 0u64;
    // SAFETY: both masks have the eight bytes that the kernel reads and writes.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask, &raw mut before, 8usize);
    }
    before
}

impl Drop for Held {
    fn drop(&mut self) {
        OWNER.store(0, Ordering::Release);
        set_mask(self.mask);
    }
}

/// Takes the lock unless somebody has it.
fn try_lock() -> Option<Held> {
    if OWNER.load(Ordering::Relaxed) != 0 {
        return None;
    }
    let errno = KeptErrno::new();
    let mask = block_signals();
    match OWNER.compare_exchange(0, this_thread(), Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => Some(Held { mask, _errno: errno }),
        Err(_) => {
            set_mask(mask);
            None
        }
    }
}

/// Waits for the lock; nothing if its own thread has it, or if it takes too long.
pub(crate) fn lock(patience: Duration) -> Option<Held> {
    let start = Instant::now();
    loop {
        if let Some(held) = try_lock() {
            return Some(held);
        }
        if OWNER.load(Ordering::Relaxed) == this_thread() || start.elapsed() > patience {
            return None;
        }
        // SAFETY: lets others run.
        unsafe { libc::sched_yield() };
    }
}

/// The child of a fork has the lock of the thread that forked, under another number.
pub(crate) fn inherit(held: &Held) {
    let _ = held;
    OWNER.store(this_thread(), Ordering::Relaxed);
}

/// The monitor, if there is one still.
pub(crate) fn monitor(held: &mut Held) -> Option<&mut Monitor> {
    let _ = held;
    // SAFETY: the lock is held for as long as the monitor is borrowed.
    unsafe { (*MONITOR.0.get()).as_mut() }
}

/// Judges what has come.
pub(crate) fn drain(held: &mut Held) {
    let Some(monitor) = monitor(held) else { return };
    let drained = catch_unwind(AssertUnwindSafe(|| monitor.drain(ring())));
    if drained.is_err() {
        monitor.hinder("judging failed; this is a mistake of Referee");
        turn_off();
    }
    if monitor.is_decided() {
        turn_off();
    }
    ring().set_limit(ring().tail() + STEP);
    LAST_DRAIN.store(now(), Ordering::Relaxed);
}

/// The place up to which a record is going to reach is beyond the limit: waits until it is free.
#[cold]
pub(crate) fn make_room(end: u64) {
    let ring = ring();
    let start = Instant::now();
    while end > ring.tail() + ring.capacity() {
        if is_own() {
            if let Some(mut held) = try_lock() {
                drain(&mut held);
            }
            // A handler that interrupts an event cannot wait for the rest of it.
            if start.elapsed() > Duration::from_secs(10) {
                ring.lose();
                turn_off();
                return;
            }
        } else if ring.is_off() || !has_reader(start.elapsed()) {
            turn_off();
            return;
        }
        // SAFETY: lets others run.
        unsafe { libc::sched_yield() };
    }
}

/// Whether the parent that judges is there still. It is asked for only if it keeps somebody waiting.
fn has_reader(waited: Duration) -> bool {
    // SAFETY: signal 0 only asks whether there is such a process.
    waited < Duration::from_secs(1) || unsafe { libc::kill(ring().reader().cast_signed(), 0) } == 0
}

/// A record was written beyond the limit: judges, if it is time to.
#[cold]
pub(crate) fn after_limit() {
    let ring = ring();
    if !is_own() {
        return;
    }
    let (head, tail) = (ring.head(), ring.tail());
    if head - tail < BATCH && now() - LAST_DRAIN.load(Ordering::Relaxed) < PATIENCE {
        return ring.set_limit((head + STEP).min(tail + BATCH));
    }
    if let Some(mut held) = try_lock() {
        drain(&mut held);
    }
}

/// An event must be judged before its call returns: up to `end`.
#[cold]
pub(crate) fn judge_now(end: u64) {
    let start = Instant::now();
    while ring().tail() < end && referee_off.load(Ordering::Relaxed) == 0 {
        if is_own() {
            let Some(mut held) = lock(Duration::from_secs(10)) else { return };
            drain(&mut held);
            let is_violated = monitor(&mut held).is_some_and(|monitor| monitor.is_violated());
            drop(held);
            if is_violated {
                halt();
            }
        } else if ring().is_off() || !has_reader(start.elapsed()) {
            return turn_off();
        }
        // SAFETY: lets others run.
        unsafe { libc::sched_yield() };
    }
}

/// Ends the program, as it was asked to be ended at a violation.
fn halt() -> ! {
    conclude(Duration::from_secs(10));
    exit_now(1)
}

/// Ends the process without anything else.
pub(crate) fn exit_now(status: i32) -> ! {
    // SAFETY: the kernel ends the process.
    unsafe {
        libc::syscall(libc::SYS_exit_group, status);
    }
    loop {
        std::hint::spin_loop();
    }
}

/// Whether single events are to be judged at once.
pub(crate) fn halts() -> bool {
    HALTS.load(Ordering::Relaxed)
}

/// Several threads make events.
#[inline]
pub(crate) fn note_threads() {
    if !HAS_THREADS.load(Ordering::Relaxed) {
        HAS_THREADS.store(true, Ordering::Relaxed);
    }
}

/// Says the verdict, unless it was said; waits for the one who is saying it. Tells whether the program should exit with 1.
pub(crate) fn conclude(patience: Duration) -> bool {
    if !is_own() || !judges_here() {
        return false;
    }
    if IS_CONCLUDED.swap(true, Ordering::AcqRel) {
        drop(lock(patience));
        return false;
    }
    let Some(mut held) = lock(patience) else {
        say_gave_up();
        return false;
    };
    turn_off();
    drain_last(&mut held);
    let fails = finish(&mut held);
    // What still comes is thrown away. To take the tables apart would only take time.
    // SAFETY: the lock is held.
    std::mem::forget(unsafe { (*MONITOR.0.get()).take() });
    fails
}

/// Judges what was reserved before the end. Records that are not finished by then did not happen.
fn drain_last(held: &mut Held) {
    let (ring, start) = (ring(), Instant::now());
    let last = ring.head();
    loop {
        drain(held);
        let tail = ring.tail();
        if tail >= last {
            return;
        }
        if start.elapsed() < LAST_RECORDS {
            // SAFETY: lets others run.
            unsafe { libc::sched_yield() };
            continue;
        }
        // Who has not even said how long its record is, is the thread that is ending the process or one that stands still.
        let Some(end) = ring.unfinished(tail) else { break };
        ring.clear(tail, end);
        ring.set_tail(end);
    }
    let has_more = (ring.tail()..last.min(ring.tail() + ring.capacity())).any(|at| ring.get(at) != 0);
    if has_more {
        ring.lose();
    }
}

fn finish(held: &mut Held) -> bool {
    let Some(monitor) = monitor(held) else { return false };
    if ring().has_lost() {
        monitor.hinder("events were lost: they came in a signal handler that interrupted an event, or in a thread that was stopped");
    }
    if EXPLAINS.load(Ordering::Relaxed) {
        let threads = match HAS_THREADS.load(Ordering::Relaxed) {
            true => "several threads made events; each took its place in one order with an atomic addition",
            false => "one thread made events; no atomic instructions were needed",
        };
        let waits = match halts() {
            true => "each was judged before its call returned".to_owned(),
            false => format!("they were judged after {BATCH} words or {} ms", PATIENCE / 1_000_000),
        };
        monitor.note(&format!("{threads}; {waits}"));
    }
    match catch_unwind(AssertUnwindSafe(|| monitor.conclude())) {
        Ok(_) => monitor.is_violated() && FAILS.load(Ordering::Relaxed),
        Err(_) => {
            say_gave_up();
            false
        }
    }
}

/// The verdict where judging itself has failed.
fn say_gave_up() {
    const TEXT: &[u8] = b"note: the program ended while it was judged\nSTATUS: GaveUp\n";
    // SAFETY: the text is there.
    unsafe {
        libc::syscall(libc::SYS_write, 2, TEXT.as_ptr(), TEXT.len());
    }
}

/// In the child of a fork: its own verdict is due, whatever the parent has said.
pub(crate) fn begin_child(held: &mut Held, parent: i32) {
    ring().drop_rest();
    ring().set_limit(ring().tail() + STEP);
    adopt();
    if let Some(monitor) = monitor(held) {
        monitor.become_child(parent);
    }
}
