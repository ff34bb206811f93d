//! Saving a session, and going on from what was saved.

use std::ffi::c_char;
use std::path::Path;

use super::pointers::{array, code, name};
use crate::border::{self, Handle};
use crate::failure::{Failure, REFEREE_OK};
use crate::judged::Judged;

/// Writes the state of the session, between two points, into a buffer of the session. It is valid until the state is saved again, or the
/// session is freed. Sessions of other processes and machines go on from it. A session with `REFEREE_WITNESS` cannot be saved.
///
/// # Safety
///
/// As for `referee_event`; `bytes` and `size` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_save(session: *mut Handle, bytes: *mut *const u8, size: *mut usize) -> i32 {
    let save = |judged: &mut Judged| {
        if bytes.is_null() || size.is_null() {
            return Err(Failure::null(if bytes.is_null() { "bytes" } else { "size" }));
        }
        judged.save()?;
        // SAFETY: they are not null, and the caller vouches for the rest.
        unsafe {
            bytes.write(judged.saved.as_ptr());
            size.write(judged.saved.len());
        }
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, save) })
}

/// Writes the state into a file. Under its name there is the old state or the new one, whatever happens meanwhile.
///
/// # Safety
///
/// As for `referee_event`; `file` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_save_file(session: *mut Handle, file: *const c_char) -> i32 {
    let save = |judged: &mut Judged| {
        // SAFETY: the caller vouches for texts.
        judged.save_file(Path::new(unsafe { name(file, "file") }?))?;
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, save) })
}

/// Goes on from a state, before the first point. A rule of the state that the session does not have is dropped, and one that the state
/// does not have begins there: both are warnings.
///
/// # Safety
///
/// As for `referee_event`; `bytes` has `size` members.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_load(session: *mut Handle, bytes: *const u8, size: usize) -> i32 {
    let load = |judged: &mut Judged| {
        // SAFETY: the caller vouches for arrays.
        judged.load(unsafe { array(bytes, size, "bytes") }?)?;
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, load) })
}

/// The same from a file.
///
/// # Safety
///
/// As for `referee_event`; `file` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn referee_load_file(session: *mut Handle, file: *const c_char) -> i32 {
    let load = |judged: &mut Judged| {
        // SAFETY: the caller vouches for texts.
        judged.load_file(Path::new(unsafe { name(file, "file") }?))?;
        Ok(REFEREE_OK)
    };
    // SAFETY: the caller vouches for the session.
    code(unsafe { border::call(session, load) })
}
