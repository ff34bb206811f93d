//! What went wrong, as a code and a message, and the last of it on each thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::ptr;

/// The call has done what it says.
pub const REFEREE_OK: i32 = 0;
/// The same, and something was found: the callback has heard of it, or `referee_next_finding` hands it out.
pub const REFEREE_FOUND: i32 = 1;
/// A pointer is null where none may be.
pub const REFEREE_ERROR_NULL: i32 = -1;
/// The pointer is that of no session: it was freed, or never was one.
pub const REFEREE_ERROR_HANDLE: i32 = -2;
/// The session is in another call: on another thread, or below a callback.
pub const REFEREE_ERROR_BUSY: i32 = -3;
/// A fault of Referee has stopped a call. That session takes no more calls but `referee_session_free`.
pub const REFEREE_ERROR_FAULT: i32 = -4;
/// An option that this version does not know.
pub const REFEREE_ERROR_OPTION: i32 = -5;
/// A specification that cannot be read or compiled; the error says where.
pub const REFEREE_ERROR_SPECIFICATION: i32 = -6;
/// A file that cannot be read or written.
pub const REFEREE_ERROR_FILE: i32 = -7;
/// A kind of events, or the number of a rule, that the session does not have.
pub const REFEREE_ERROR_KIND: i32 = -8;
/// An event with too few or too many arguments.
pub const REFEREE_ERROR_ARGUMENTS: i32 = -9;
/// A value that no trace can have: not a number, no UTF-8, or kept for another session.
pub const REFEREE_ERROR_VALUE: i32 = -10;
/// A time that goes back, is missing, or is one too many.
pub const REFEREE_ERROR_TIME: i32 = -11;
/// The trace has ended, or has not.
pub const REFEREE_ERROR_ENDED: i32 = -12;
/// A state that cannot be saved or loaded.
pub const REFEREE_ERROR_STATE: i32 = -13;

/// Why a call did nothing.
#[repr(C)]
pub struct LastError {
    /// One of `REFEREE_ERROR_…`; `REFEREE_OK` as long as no call on this thread has failed.
    pub code: i32,
    /// What went wrong and what to do, in one line.
    pub message: *const c_char,
    /// The same as a text of several lines that shows the place; of most errors it is the message.
    pub details: *const c_char,
    /// The file, or null.
    pub file: *const c_char,
    /// The line in it, from 1, or 0.
    pub line: u64,
    /// The column in characters, from 1, or 0.
    pub column: u64,
}

/// Why a call does nothing, on its way to the caller.
#[derive(Debug, Clone, Default)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) details: Option<String>,
    /// File, line and column.
    pub(crate) place: Option<(String, u64, u64)>,
}

impl Failure {
    /// A failure that has no place.
    #[cold]
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), ..Failure::default() }
    }

    /// A null pointer where `what` is needed.
    #[cold]
    pub(crate) fn null(what: &str) -> Failure {
        Failure::new(REFEREE_ERROR_NULL, format!("`{what}` is a null pointer"))
    }

    /// Keeps the failure for `referee_last_error` and gives its code.
    #[cold]
    pub(crate) fn tell(self) -> i32 {
        let code = self.code;
        LAST.with_borrow_mut(|last| *last = Told::new(self));
        code
    }
}

/// A text for C. Texts of this library have no NUL: what a caller may have put into one is shown as a question mark.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text).or_else(|_| CString::new(text.replace('\0', "?"))).unwrap_or_default()
}

/// The pointer of a text, or null.
pub(crate) fn pointer(text: Option<&CString>) -> *const c_char {
    text.map_or(ptr::null(), |text| text.as_ptr())
}

/// A failure in the form in which C reads it; the view points into the texts beside it.
struct Told {
    view: LastError,
    _texts: Vec<CString>,
}

impl Told {
    fn new(failure: Failure) -> Told {
        let (file, line, column) =
            failure.place.map_or((None, 0, 0), |(file, line, column)| (Some(file), line, column));
        let details = failure.details.as_deref().unwrap_or(&failure.message);
        // The texts lie on the heap and stay there when the list moves.
        let texts: Vec<CString> =
            [Some(&*failure.message), Some(details), file.as_deref()].into_iter().flatten().map(c_text).collect();
        let view = LastError {
            code: failure.code,
            message: pointer(texts.first()),
            details: pointer(texts.get(1)),
            file: pointer(texts.get(2)),
            line,
            column,
        };
        Told { view, _texts: texts }
    }
}

thread_local! {
    static LAST: RefCell<Told> = RefCell::new(Told::new(Failure::default()));
}

/// The last failure of a call on this thread. It is valid until the next one.
pub(crate) fn last() -> *const LastError {
    LAST.try_with(|last| &raw const last.borrow().view).unwrap_or(ptr::null())
}
