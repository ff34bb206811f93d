//! The border: which pointers are sessions, and where panics end.
//!
//! ```text
//!  C ─ pointer ─▶ Handle: is it one, is it alive, is it free? ─▶ Judged ─▶ code
//!                   └ never given back, so that a stale pointer reads what became of its session
//! ```
//!
//! What C holds is a pointer to a [`Handle`]: a few words that say whether the session is there, is in a call, or was freed.
//! Handles outlive their sessions for as long as the process runs (32 bytes each), so that a call with a session that was freed is
//! refused and reads no memory that is somebody else's. A session that is in a call refuses others: those from below a callback always, those of another thread
//! where it is noticed in time.

use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::failure::{Failure, REFEREE_ERROR_BUSY, REFEREE_ERROR_FAULT, REFEREE_ERROR_HANDLE};
use crate::judged::Judged;

/// Nobody is in a call.
const FREE: u32 = 0;
/// Somebody is.
const BUSY: u32 = 1;
/// A panic has left it as nobody knows.
const FAULTY: u32 = 2;
/// The session was freed.
const GONE: u32 = 3;

/// What handles begin with, and hardly anything else does.
const MARK: u64 = 0x5ee5_1013_ba11_e75e;

/// A session, as C holds it. It belongs to one thread at a time; different sessions may be in calls on different threads at once.
pub struct Handle {
    mark: u64,
    state: AtomicU32,
    judged: UnsafeCell<Option<Box<Judged>>>,
    /// The handle that was made before, so that those who look for leaks reach them all.
    before: *mut Handle,
}

/// The handle that was made last.
static LAST: AtomicPtr<Handle> = AtomicPtr::new(ptr::null_mut());

/// How many sessions were made.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The number of a new session, from 1.
pub(crate) fn next_number() -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
}

/// Gives a session to C.
pub(crate) fn hand_over(judged: Judged) -> *mut Handle {
    let handle = Handle {
        mark: MARK,
        state: AtomicU32::new(FREE),
        judged: UnsafeCell::new(Some(Box::new(judged))),
        before: ptr::null_mut(),
    };
    let handle = Box::into_raw(Box::new(handle));
    let link = |before| {
        // SAFETY: nobody else has the handle yet.
        unsafe { (*handle).before = before };
        Some(handle)
    };
    // It always succeeds: `link` never gives up.
    let _ = LAST.fetch_update(Ordering::AcqRel, Ordering::Acquire, link);
    handle
}

/// Runs a call on a session; a panic ends here.
///
/// # Safety
///
/// The pointer must be null or one that [`hand_over`] has given, and no other thread may be in a call with it.
#[inline(always)]
pub(crate) unsafe fn call<R>(
    handle: *const Handle,
    run: impl FnOnce(&mut Judged) -> Result<R, Failure>,
) -> Result<R, Failure> {
    if !handle.is_aligned() || handle.is_null() {
        return Err(no_handle(handle));
    }
    // SAFETY: the caller vouches that a handle is there, and handles are never given back.
    let handle = unsafe { &*handle };
    if handle.mark != MARK || handle.state.load(Ordering::Relaxed) != FREE {
        return Err(not_free(handle));
    }
    handle.state.store(BUSY, Ordering::Relaxed);
    // SAFETY: the state says that nobody else is in a call with this session.
    let Some(judged) = (unsafe { &mut *handle.judged.get() }) else { return Err(not_free(handle)) };
    match caught(|| run(judged)) {
        Ok(done) => {
            handle.state.store(FREE, Ordering::Relaxed);
            done
        }
        Err(fault) => {
            handle.state.store(FAULTY, Ordering::Relaxed);
            Err(fault)
        }
    }
}

/// Takes a session back. What a panic has left is not looked at again, and leaks.
///
/// # Safety
///
/// As for [`call`].
pub(crate) unsafe fn take_back(handle: *mut Handle) -> Result<(), Failure> {
    if !handle.is_aligned() || handle.is_null() {
        return Err(no_handle(handle));
    }
    // SAFETY: the caller vouches that a handle is there, and handles are never given back.
    let handle = unsafe { &*handle };
    let state = handle.state.load(Ordering::Relaxed);
    if handle.mark != MARK || !matches!(state, FREE | FAULTY) {
        return Err(not_free(handle));
    }
    handle.state.store(GONE, Ordering::Relaxed);
    if state == FREE {
        // SAFETY: nobody is in a call with this session, and from now on nobody will be.
        let judged = unsafe { (*handle.judged.get()).take() };
        caught(|| drop(judged))?;
    }
    Ok(())
}

#[cold]
fn no_handle(handle: *const Handle) -> Failure {
    match handle.is_null() {
        true => Failure::null("session"),
        false => Failure::new(REFEREE_ERROR_HANDLE, "the pointer is not that of a session"),
    }
}

#[cold]
fn not_free(handle: &Handle) -> Failure {
    if handle.mark != MARK {
        return no_handle(handle);
    }
    match handle.state.load(Ordering::Relaxed) {
        GONE => Failure::new(REFEREE_ERROR_HANDLE, "the session was freed"),
        FAULTY => Failure::new(REFEREE_ERROR_FAULT, "a fault of Referee has stopped an earlier call of this session"),
        _ => Failure::new(REFEREE_ERROR_BUSY, "the session is in another call; it takes one at a time"),
    }
}

thread_local! {
    /// Whether this thread is in a call.
    static IN_CALL: Cell<bool> = const { Cell::new(false) };
    /// Where the panic was that is under way.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs what must not panic across the border. A panic is a fault of Referee: its message and place are told as a failure.
#[inline(always)]
pub(crate) fn caught<R>(run: impl FnOnce() -> R) -> Result<R, Failure> {
    let done = IN_CALL.with(|in_call| {
        let before = in_call.replace(true);
        let done = catch_unwind(AssertUnwindSafe(run));
        in_call.set(before);
        done
    });
    done.map_err(|payload| fault(&*payload))
}

#[cold]
fn fault(payload: &(dyn std::any::Any + Send)) -> Failure {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    let what = text.unwrap_or("for a reason that it does not tell");
    let place = PLACE.with_borrow_mut(std::mem::take);
    let version = env!("CARGO_PKG_VERSION");
    let message = format!("this is a bug in libreferee {version}, which stopped{place}: {what}; please report it");
    Failure::new(REFEREE_ERROR_FAULT, message)
}

/// From now on a panic below the border prints nothing and leaves its place. Others are those of the program.
pub(crate) fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IN_CALL.get() {
                return before(panic);
            }
            let place = panic.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
            PLACE.with_borrow_mut(|own| *own = place);
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;
    use std::sync::Arc;

    use referee_engine::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer};
    use referee_engine::session::Session;
    use referee_engine::{AssignedJudge, Settings};
    use referee_spec::core::{Outcome, Rule};
    use referee_trace::event::EventShape;
    use referee_trace::number::Number;
    use referee_trace::points::{Interest, Points};
    use referee_trace::values::{Atom, LiveValues, Values};

    use super::*;
    use crate::settings::{GivenSpecification, Setup};
    use crate::{
        REFEREE_OK, referee_end, referee_event0, referee_kind_of, referee_last_error, referee_session_free,
        referee_status,
    };

    /// Has a fault at every point.
    struct Faulty;

    impl Judge for Faulty {
        fn shape(&mut self, _: &EventShape, _: &mut Values) -> Interest {
            Interest::all()
        }

        fn points(&mut self, points: &Points, _: &mut Values, _: &mut Vec<Finding>) {
            panic!("a judge fell over point {}", points.last().map_or(0, |point| point.number));
        }

        fn advance(&mut self, _: u64, _: &Number, _: &mut Values, _: &mut Vec<Finding>) {}

        fn end(&mut self, _: u64, _: bool, _: &mut Values) -> Vec<Outcome> {
            Vec::new()
        }

        fn save(&self, _: &Values, _: &mut Writer) -> Result<(), Unsavable> {
            Err(Unsavable)
        }

        fn load(&mut self, _: &mut Values, _: &mut Reader) -> Result<(), Damaged> {
            Err(Damaged)
        }

        fn forget(&mut self, _: Atom, _: &Values) {}

        fn mark(&mut self, _: &Values, _: &mut LiveValues) -> Result<(), Unsavable> {
            Err(Unsavable)
        }

        fn sizes(&self) -> Vec<Size> {
            Vec::new()
        }
    }

    fn faulty(rules: &[Arc<Rule>], _: &Settings) -> Vec<AssignedJudge> {
        vec![AssignedJudge { judge: Box::new(Faulty), rules: (0..rules.len()).collect() }]
    }

    /// A session of one rule with these judges.
    fn session(make: fn(&[Arc<Rule>], &Settings) -> Vec<AssignedJudge>) -> *mut Handle {
        let text = c"prop p: ! open".as_ptr();
        let specification = GivenSpecification { file: ptr::null(), language: c"qtl".as_ptr(), text };
        // SAFETY: the texts end with NUL.
        let setup = unsafe { Setup::new(&[specification], None) }.expect("a specification");
        let session = Session::with_judges(&setup.rules, &setup.settings, make);
        hand_over(Judged::new(setup, session, next_number()))
    }

    fn last_message() -> String {
        // SAFETY: the error is there until the next one, and its message ends with NUL.
        unsafe { CStr::from_ptr((*referee_last_error()).message) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_ends_at_the_border() {
        keep_panics_quiet();
        let (faulty, sound) = (session(faulty), session(referee_engine::judges));
        // SAFETY: both are sessions, and no other thread has them.
        unsafe {
            let kind = referee_kind_of(faulty, c"open".as_ptr(), ptr::null(), 0);
            assert_ne!(kind, 0, "{}", last_message());
            assert_eq!(referee_event0(faulty, kind), REFEREE_ERROR_FAULT);
            let message = last_message();
            assert!(message.contains("a judge fell over point 1") && message.contains("border.rs:"), "{message}");
            // Nobody knows what it has left: that session is over.
            assert_eq!(referee_event0(faulty, kind), REFEREE_ERROR_FAULT);
            assert_eq!(referee_end(faulty), REFEREE_ERROR_FAULT);
            assert_eq!(referee_status(faulty), REFEREE_ERROR_FAULT);
            // Others go on.
            assert_eq!(referee_end(sound), REFEREE_OK);
            assert_eq!(referee_session_free(faulty), REFEREE_OK);
            assert_eq!(referee_session_free(faulty), REFEREE_ERROR_HANDLE);
            assert_eq!(referee_session_free(sound), REFEREE_OK);
        }
    }

    #[test]
    fn panics_elsewhere_are_the_programs_own() {
        keep_panics_quiet();
        assert!(caught(|| 7).is_ok_and(|seven| seven == 7));
        assert!(!IN_CALL.get());
        let failure = caught(|| panic!("here")).expect_err("a panic");
        assert!(failure.message.contains(": here; please report it"), "{}", failure.message);
        assert!(!IN_CALL.get());
    }
}
