//! What in a C program is an event.
//!
//! ```toml
//! text-limit = 256                     # how many bytes of a text are copied
//!
//! [[event]]
//! call = "open(path, flags)"           # or return, enter, leave, write, manual; parameters are named by their position
//! when = "flags != 0"                  # optional; an expression of C
//! to   = "open"                        # absent: the name of the function, variable or field
//! args = ["path", "how = flags:int"]   # expressions of C, named, typed; absent: what the pattern names
//! ```
//!
//! Expressions are checked here only as far as text goes: they must not change the program. What they mean the compiler says.

mod expression;
mod parse;
mod pattern;
mod rules;
mod wrong;

pub(crate) use expression::Expression;
pub use rules::Mapping;
pub(crate) use rules::{ArgumentType, Happening, MappingEntry};
