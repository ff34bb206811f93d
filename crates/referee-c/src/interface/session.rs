//! Making and freeing sessions, and what errors say.

use std::ffi::c_char;
use std::ptr;

use referee_engine::session::Session;

use super::pointers::{array, code, name};
use crate::border::{self, Handle};
use crate::failure::{self, Failure, LastError, REFEREE_OK};
use crate::judged::{Judged, KindNumber};
use crate::settings::{GivenOptions, GivenSpecification, Setup};

/// The version of the library, such as `0.1.0`. Any thread may ask at any time.
#[unsafe(no_mangle)]
pub extern "C" fn referee_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The last error of a call on this thread; never null. It is valid until the next call on this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn referee_last_error() -> *const LastError {
    failure::last()
}

/// A session that judges all rules of some specifications, before its first point; null if that fails, and `referee_last_error` says why.
/// `options` may be null.
///
/// Any thread may call it at any time. A session belongs to one thread at a time, and may be handed on to another;
/// different sessions may be in calls on different threads at once.
///
/// # Safety
///
/// `specifications` has `count` members, and all texts end with NUL. None of them is needed when the call is over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_session_new(
    specifications: *const GivenSpecification,
    count: usize,
    options: *const GivenOptions,
) -> *mut Handle {
    border::keep_panics_quiet();
    let made = border::caught(|| {
        // SAFETY: the caller vouches for arrays and texts.
        let setup = unsafe { Setup::new(array(specifications, count, "specifications")?, options.as_ref()) }?;
        let session = Session::with(&setup.rules, &setup.settings);
        Ok(border::hand_over(Judged::new(setup, session, border::next_number())))
    });
    made.flatten().unwrap_or_else(|failure: Failure| {
        failure.tell();
        ptr::null_mut()
    })
}

/// Frees a session; null is no error. A later call with it is refused.
///
/// # Safety
///
/// `session` is null or what `referee_session_new` has given, and no other thread is in a call with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_session_free(session: *mut Handle) -> i32 {
    if session.is_null() {
        return REFEREE_OK;
    }
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::take_back(session) }.map(|()| REFEREE_OK))
}

/// A kind of events: a name, and the names of its arguments in their order. The same kind has the same number whenever it is asked for; 0 says that
/// the call has failed. Ask once and keep the number.
///
/// # Safety
///
/// `session` is null or what `referee_session_new` has given, and no other thread is in a call with it. `arguments` has
/// `count` members, and all texts end with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_kind_of(
    session: *mut Handle,
    event: *const c_char,
    arguments: *const *const c_char,
    count: usize,
) -> KindNumber {
    let resolve = |judged: &mut Judged| {
        // SAFETY: the caller vouches for texts and arrays.
        let (event, arguments) = unsafe { (name(event, "event")?, array(arguments, count, "arguments")?) };
        // SAFETY: as above.
        let arguments = arguments.iter().map(|argument| unsafe { name(*argument, "arguments") });
        let place = judged.kind(event, &arguments.collect::<Result<Vec<_>, _>>()?);
        Ok(u64::from(judged.number) << 32 | (place as u64 + 1))
    };
    // SAFETY: the caller vouches for the session.
    unsafe { border::call(session, resolve) }.unwrap_or_else(|failure| {
        failure.tell();
        0
    })
}
