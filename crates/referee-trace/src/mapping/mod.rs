//! From concrete to abstract events: what a specification's names mean in this log.
//!
//! ```toml
//! time        = { field = "Timestamp", unit = "s" }  # or format = "rfc3339"; a list of fields: the first that is there
//! split       = "log"                # such an event starts a new trace and is dropped
//! drop-others = true                 # events that no entry matches are dropped; without it they stay as they are
//!
//! [[event]]
//! from = "invcheckaccess"            # the concrete name, or "*" for any
//! when = 'EventType = "start"'       # optional; see `condition`
//! to   = "{name}_{EventType}"        # absent: the name stays; {{ and }} are braces
//! args = ["customer", "total = amount:int"]   # fields in order, renamed, typed; absent: all; []: none
//! ```
//!
//! Every entry whose `from` and `when` match makes one event, in the order of the file; those of one concrete event
//! belong to one point. An event that is dropped is no point. The mapping says nothing of files: the same one serves
//! logs and running programs (see [`crate::abstraction`]).

mod condition;
mod load;
mod nearest;
mod parse;
mod rules;
mod template;
mod time;

pub(crate) use condition::{Bound, Condition};
pub use nearest::nearest;
pub use rules::Mapping;
pub(crate) use rules::MappingEntry;
pub(crate) use template::{Part, Template};
pub(crate) use time::TimeRule;
pub use time::Unit;

#[cfg(test)]
mod tests;
