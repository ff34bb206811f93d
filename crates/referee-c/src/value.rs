//! Values as C hands them over, and what they are to a session.
//!
//! A value carries its type, so that no function can take one for another. Integers are values of the engine without a look-up;
//! texts are looked up in the session's table unless the caller has kept them.

use std::ffi::{CStr, c_char, c_void};

use referee_engine::session::Session;
use referee_trace::number::{Number, TOO_LARGE, is_too_large};
use referee_trace::value::Value;
use referee_trace::values::Atom;

use crate::failure::{Failure, REFEREE_ERROR_VALUE};

/// A signed integer.
pub const REFEREE_INTEGER: u32 = 1;
/// An unsigned integer.
pub const REFEREE_UNSIGNED: u32 = 2;
/// A number with a fraction. It stands for the shortest decimal that is read back as the same double.
pub const REFEREE_DOUBLE: u32 = 3;
/// The identity of an object: compared for equality only, shown as a number.
pub const REFEREE_POINTER: u32 = 4;
/// A text in UTF-8, read as a trace is: `7` is a number and `true` a truth value.
pub const REFEREE_TEXT: u32 = 5;
/// A truth value.
pub const REFEREE_BOOLEAN: u32 = 6;
/// A value that `referee_keep` has given.
pub const REFEREE_KEPT: u32 = 7;

/// The length of a text that ends with its first NUL.
pub const REFEREE_TO_NUL: u32 = u32::MAX;

/// What a value has, by its type.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Content {
    /// A signed integer, or a truth value: anything but 0 is true.
    pub integer: i64,
    /// An unsigned integer, or what `referee_keep` has written.
    pub word: u64,
    /// A number with a fraction.
    pub number: f64,
    /// An object.
    pub pointer: *const c_void,
    /// A text.
    pub text: *const c_char,
}

/// An argument of an event, or a time. Make one with `referee_integer`, `referee_text` and their like.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GivenValue {
    /// One of `REFEREE_INTEGER`, `REFEREE_TEXT`, …
    pub kind: u32,
    /// Of a text its length in bytes, or `REFEREE_TO_NUL`; of a kept value the number of its session.
    pub length: u32,
    /// What it has.
    pub content: Content,
}

impl GivenValue {
    /// A kept value of the session with this number.
    pub(crate) fn kept(atom: Atom, session: u32) -> GivenValue {
        GivenValue { kind: REFEREE_KEPT, length: session, content: Content { word: atom.word() } }
    }

    /// The value in a session, for the next call that judges something; `number` is that session's.
    ///
    /// # Safety
    ///
    /// A text must be as long as it says, or end with NUL.
    #[inline(always)]
    pub(crate) unsafe fn atom(&self, session: &mut Session, number: u32) -> Result<Atom, Failure> {
        if self.kind == REFEREE_INTEGER {
            // SAFETY: all members are eight bytes of which every pattern is an integer.
            return Ok(session.integer(unsafe { self.content.integer }));
        }
        // SAFETY: the caller vouches for texts.
        unsafe { self.other_atom(session, number) }
    }

    /// The same for what is no signed integer.
    ///
    /// # Safety
    ///
    /// As for [`GivenValue::atom`].
    unsafe fn other_atom(&self, session: &mut Session, number: u32) -> Result<Atom, Failure> {
        // SAFETY: all members are eight bytes of which every pattern is a word and a double.
        let (word, double) = unsafe { (self.content.word, self.content.number) };
        Ok(match self.kind {
            REFEREE_UNSIGNED | REFEREE_POINTER => session.identity(word),
            REFEREE_BOOLEAN => Atom::boolean(word != 0),
            REFEREE_DOUBLE => match number_of(double)? {
                Number::Int(integer) => session.integer(integer),
                number => session.passing_value(&Value::Number(number)),
            },
            // SAFETY: the caller vouches for it.
            REFEREE_TEXT => session.passing_text(unsafe { self.as_text() }?),
            REFEREE_KEPT if self.length == number => Atom::from_word(word),
            REFEREE_KEPT => return Err(refused("the value was kept for another session; keep it for this one")),
            kind => return Err(refused(&format!("there is no type of values with the number {kind}"))),
        })
    }

    /// The value as a time.
    ///
    /// # Safety
    ///
    /// As for [`GivenValue::atom`].
    pub(crate) unsafe fn time(&self) -> Result<Number, Failure> {
        // SAFETY: all members are eight bytes of which every pattern is of all three types.
        let (integer, word, double) = unsafe { (self.content.integer, self.content.word, self.content.number) };
        match self.kind {
            REFEREE_INTEGER => Ok(Number::Int(integer)),
            REFEREE_UNSIGNED => number_in(&word.to_string()),
            REFEREE_DOUBLE => number_of(double),
            // SAFETY: the caller vouches for it.
            REFEREE_TEXT => number_in(unsafe { self.as_text() }?),
            _ => Err(refused("a time is an integer, a double, or a text that writes a number")),
        }
    }

    /// The text.
    ///
    /// # Safety
    ///
    /// As for [`GivenValue::atom`].
    unsafe fn as_text<'t>(&self) -> Result<&'t str, Failure> {
        // SAFETY: every pattern of eight bytes is a pointer; the caller vouches for what it points to.
        unsafe { text(self.content.text, self.length) }
    }
}

/// A text that C hands over.
///
/// # Safety
///
/// It must be `length` bytes long, or with `REFEREE_TO_NUL` end with NUL, and stay as it is while the result is used.
pub(crate) unsafe fn text<'t>(start: *const c_char, length: u32) -> Result<&'t str, Failure> {
    if start.is_null() {
        return Err(Failure::null("text"));
    }
    let bytes = match length {
        // SAFETY: the caller says that a NUL ends it.
        REFEREE_TO_NUL => unsafe { CStr::from_ptr(start) }.to_bytes(),
        // SAFETY: the caller says that it is that long.
        length => unsafe { std::slice::from_raw_parts(start.cast(), length as usize) },
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(refused("a text contains a NUL, which no trace can have")),
        Ok(text) if is_too_large(text) => Err(refused(TOO_LARGE)),
        Ok(text) => Ok(text),
        Err(error) => {
            let place = error.valid_up_to() + 1;
            Err(refused(&format!("a text is no UTF-8 from its byte {place} on; hand over texts in UTF-8")))
        }
    }
}

#[cold]
fn refused(message: &str) -> Failure {
    Failure::new(REFEREE_ERROR_VALUE, message)
}

/// From here on not every integer is a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The shortest decimal that is read as this double.
fn number_of(double: f64) -> Result<Number, Failure> {
    if double.abs() <= EXACT && double.fract() == 0.0 {
        return Ok(Number::Int(double as i64));
    }
    match double.is_finite() {
        true => number_in(&format!("{double:e}")),
        false => Err(refused(&format!("{double} is no number that a trace can have"))),
    }
}

fn number_in(text: &str) -> Result<Number, Failure> {
    Number::parse(text).ok_or_else(|| refused(&format!("`{text}` is no number")))
}
