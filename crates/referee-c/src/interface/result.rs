//! Findings, the end, and what is known of each rule.

use std::ffi::{c_char, c_void};
use std::ptr;

use super::pointers::code;
use crate::border::{self, Handle};
use crate::failure::{Failure, REFEREE_OK};
use crate::finding::ShownFinding;
use crate::judged::{Judged, REFEREE_GAVE_UP, REFEREE_SATISFIED, REFEREE_UNDECIDED, REFEREE_VIOLATED};

/// Runs a call that gives a pointer; null if it fails.
///
/// # Safety
///
/// As for `referee_event`.
unsafe fn pointer<T>(session: *const Handle, ask: impl FnOnce(&mut Judged) -> Result<*const T, Failure>) -> *const T {
    // SAFETY: the caller vouches for the session.
    unsafe { border::call(session, ask) }.unwrap_or_else(|failure| {
        failure.tell();
        ptr::null()
    })
}

/// Runs a call that gives a number; 0 if it fails.
///
/// # Safety
///
/// As for `referee_event`.
unsafe fn number(session: *const Handle, ask: impl FnOnce(&mut Judged) -> Result<u64, Failure>) -> u64 {
    // SAFETY: the caller vouches for the session.
    unsafe { border::call(session, ask) }.unwrap_or_else(|failure| {
        failure.tell();
        0
    })
}

/// From now on `callback` hears of every finding, before the call that decides it returns. With null, findings wait until
/// `referee_next_finding` asks for them, as they do at first.
///
/// The callback runs on the thread of that call. It must return (no `longjmp`, no exception), and this session takes no calls below it.
///
/// # Safety
///
/// As for `referee_event`; `callback` may be called with `context` until it is replaced or the session is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_on_finding(
    session: *mut Handle,
    callback: Option<unsafe extern "C" fn(context: *mut c_void, finding: *const ShownFinding)>,
    context: *mut c_void,
) -> i32 {
    let set = |judged: &mut Judged| {
        judged.call_back(callback.map(|callback| (callback, context)));
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, set) })
}

/// The next finding that waits, in the order in which they were decided, or null. It is valid until the next one is asked for. Findings
/// that nobody asks for are kept until the session is freed.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_next_finding(session: *mut Handle) -> *const ShownFinding {
    // SAFETY: the caller vouches for the session.
    unsafe { pointer(session, |judged| Ok(judged.next_finding())) }
}

/// Ends the trace, which decides the rest. The result is that of `referee_event`.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_end(session: *mut Handle) -> i32 {
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, Judged::end) })
}

/// Begins another trace when one has ended. Kinds, kept values and findings that wait stay; without `REFEREE_ALL`, rules with a violation
/// are judged no more.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_begin(session: *mut Handle) -> i32 {
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, Judged::begin) })
}

/// The status of all rules on all traces so far: violated if any rule is, else undecided if any is, else given up if any is, else satisfied. A
/// negative code is an error.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_status(session: *const Handle) -> i32 {
    let ask = |judged: &mut Judged| {
        let all = (0..judged.names.len()).map(|rule| judged.status(rule)).collect::<Result<Vec<_>, _>>()?;
        let worst = [REFEREE_VIOLATED, REFEREE_UNDECIDED, REFEREE_GAVE_UP].into_iter().find(|one| all.contains(one));
        Ok(worst.unwrap_or(REFEREE_SATISFIED))
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, ask) })
}

/// The status of one rule on all traces so far: `REFEREE_UNDECIDED`, `REFEREE_SATISFIED`, `REFEREE_VIOLATED` or `REFEREE_GAVE_UP`. A negative code is an error.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_rule_status(session: *const Handle, rule: usize) -> i32 {
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, |judged| judged.status(rule)) })
}

/// Why a rule could not be judged, or null. It is valid until the session is freed.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_reason(session: *const Handle, rule: usize) -> *const c_char {
    // SAFETY: the caller vouches for the session.
    unsafe { pointer(session, |judged| judged.reason(rule)) }
}

/// How many rules there are, in the order of the specifications.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_rule_count(session: *const Handle) -> usize {
    // SAFETY: the caller vouches for the session.
    unsafe { number(session, |judged| Ok(judged.names.len() as u64)) as usize }
}

/// The name of a rule, or null if there is none of this number. It is valid until the session is freed.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_rule_name(session: *const Handle, rule: usize) -> *const c_char {
    // SAFETY: the caller vouches for the session.
    unsafe { pointer(session, |judged| Ok(judged.names.get(rule))) }
}

/// How many violations of a rule were told, on all traces so far.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_violation_count(session: *const Handle, rule: usize) -> u64 {
    // SAFETY: the caller vouches for the session.
    unsafe { number(session, |judged| Ok(judged.counts(rule)?.0)) }
}

/// How many possible violations of a rule were neither decided nor excluded when the trace ended, with `REFEREE_PREFIX`.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_pending_count(session: *const Handle, rule: usize) -> u64 {
    // SAFETY: the caller vouches for the session.
    unsafe { number(session, |judged| Ok(judged.counts(rule)?.1)) }
}

/// How many points there were in this trace.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_point_count(session: *const Handle) -> u64 {
    // SAFETY: the caller vouches for the session.
    unsafe { number(session, |judged| Ok(judged.session.position())) }
}

/// How many warnings there are: of doubtful specifications, and of states that were saved with other rules.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_warning_count(session: *const Handle) -> usize {
    // SAFETY: the caller vouches for the session.
    unsafe { number(session, |judged| Ok(judged.warnings.len() as u64)) as usize }
}

/// A warning, or null if there is none of this number. It is valid until the session is freed.
///
/// # Safety
///
/// As for `referee_event`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_warning(session: *const Handle, warning: usize) -> *const c_char {
    // SAFETY: the caller vouches for the session.
    unsafe { pointer(session, |judged| Ok(judged.warnings.get(warning))) }
}
