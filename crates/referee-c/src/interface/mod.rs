//! The functions of the header, by what they are about. Each takes pointers apart and leaves the rest to [`Judged`](crate::judged::Judged).
//!
//! All that is `unsafe` here is that C vouches for its pointers: a session is null or what `referee_session_new` gave, a text ends with NUL, and an
//! array is as long as its count says.

pub(crate) mod event;
mod pointers;
pub(crate) mod result;
pub(crate) mod session;
pub(crate) mod state;
