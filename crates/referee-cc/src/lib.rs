//! A compiler driver that makes C programs tell their events.
//!
//! ```text
//!  referee cc --map m.toml -- gcc -O2 -c a.c -o a.o
//!     gcc -E -C a.c ─▶ syntax: tokens, functions ─▶ instrument: insertions ─▶ gcc -x cpp-output -c ─▶ a.o
//!  referee cc --spec s.qtl --map m.toml -- gcc a.o b.o -o program
//!     gcc a.o b.o configuration.o libreferee_runtime.a ─▶ program ─▶ records: has each entry of the mapping a place?
//! ```
//!
//! The compiler is the user's; everything that it prints about the program is about the original text.

mod driver;
mod instrument;
mod mapping;
mod syntax;

pub use driver::{Driver, DriverError, EmbeddedOption, EmbeddedSpecification};
pub use mapping::Mapping;

/// The header of `REFEREE_EVENT`, for programs that are also compiled without Referee.
pub const EVENT_HEADER: &str = include_str!("referee_event.h");
