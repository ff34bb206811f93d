//! Pointers that C hands over.

use std::ffi::{CStr, c_char};

use crate::failure::{Failure, REFEREE_ERROR_VALUE};

/// The code of a call that gives nothing else.
#[inline(always)]
pub(super) fn code(done: Result<i32, Failure>) -> i32 {
    done.unwrap_or_else(Failure::tell)
}

/// An array; without members it may be null.
///
/// # Safety
///
/// It must have `count` members, and nobody may change them meanwhile.
#[inline(always)]
pub(super) unsafe fn array<'a, T>(start: *const T, count: usize, what: &str) -> Result<&'a [T], Failure> {
    match (start.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::null(what)),
        // SAFETY: it is not null, and the caller vouches for the rest.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(start, count) }),
    }
}

/// A text that must be there.
///
/// # Safety
///
/// It must end with NUL, and nobody may change it meanwhile.
pub(super) unsafe fn name<'a>(text: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::null(what));
    }
    // SAFETY: it is not null, and the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::new(REFEREE_ERROR_VALUE, format!("`{what}` is no text in UTF-8")))
}
