//! libreferee: a session of Referee for programs in C, and whatever calls C.
//!
//! ```text
//!  referee.h ─▶ interface  one function per entry: pointers in, a code out
//!                  │
//!                  ▼
//!               border     is the pointer a session? panics end here
//!                  │
//!                  ▼
//!               Judged     a session of the engine; findings wait here, or go to a callback
//!                  │          ├ value, settings   what C hands over
//!                  ▼          └ finding, failure  what C gets to see
//!               referee_engine::session
//! ```
//!
//! The header `include/referee.h` is made of the comments and types of this crate; a test compares them. What a function says in
//! the header is what it does: its threads, what its pointers must be, and how long what it gives is valid.
//!
//! Cost: a call checks its handle, turns each argument into a word, and is the session's own call.

mod border;
mod failure;
mod finding;
mod interface;
mod judged;
mod settings;
mod times;
mod value;

pub use border::Handle;
pub use failure::{
    LastError, REFEREE_ERROR_ARGUMENTS, REFEREE_ERROR_BUSY, REFEREE_ERROR_ENDED, REFEREE_ERROR_FAULT,
    REFEREE_ERROR_FILE, REFEREE_ERROR_HANDLE, REFEREE_ERROR_KIND, REFEREE_ERROR_NULL, REFEREE_ERROR_OPTION,
    REFEREE_ERROR_SPECIFICATION, REFEREE_ERROR_STATE, REFEREE_ERROR_TIME, REFEREE_ERROR_VALUE, REFEREE_FOUND,
    REFEREE_OK,
};
pub use finding::{ShownBinding, ShownFinding};
pub use interface::event::*;
pub use interface::result::*;
pub use interface::session::*;
pub use interface::state::*;
pub use judged::{KindNumber, REFEREE_GAVE_UP, REFEREE_SATISFIED, REFEREE_UNDECIDED, REFEREE_VIOLATED};
pub use settings::{
    GivenOptions, GivenSpecification, REFEREE_ALL, REFEREE_FIRST, REFEREE_FULL_WINDOW, REFEREE_LENIENT, REFEREE_PREFIX,
    REFEREE_SEEN, REFEREE_SEPARATE, REFEREE_TIMED, REFEREE_VACUOUS, REFEREE_WITNESS,
};
pub use value::{
    Content, GivenValue, REFEREE_BOOLEAN, REFEREE_DOUBLE, REFEREE_INTEGER, REFEREE_KEPT, REFEREE_POINTER, REFEREE_TEXT,
    REFEREE_TO_NUL, REFEREE_UNSIGNED,
};
