//! From concrete to abstract events: what a specification's names mean in this log.
//!
//! ```toml
//! time        = { field = "Timestamp", unit = "s" }  # a list of fields: the first that is there; fields = ["date", "time"]: both
//!                                    # format = "rfc3339", "epoch", "apache", "syslog" (with year = 2026) or "%d.%m.%Y %H:%M";
//!                                    # zone = "Europe/Berlin" or "+01:00" for times that name none
//! split       = "log"                # such an event starts a new trace and is dropped; { field = "case" }: a change of its value does
//! reorder     = "5s"                 # sort within this window, or "all"; `--reorder` on the command line wins
//! drop-others = true                 # events that no entry matches are dropped; without it they stay as they are
//!
//! [input]                            # how records of a foreign log are read; see `input`
//! patterns    = ["combined"]
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
mod input;
mod load;
mod parse;
mod ready;
mod rules;
mod template;
mod time;
mod window;
mod wrong;

pub use crate::nearest::nearest;
pub(crate) use condition::{Bound, Condition};
pub use rules::Mapping;
pub(crate) use rules::{MappingEntry, SplitRule};
pub(crate) use template::{Part, Template};
pub use time::Unit;
pub(crate) use time::{TimeMemory, TimePlace, TimeRule};
pub use window::ReorderWindow;

#[cfg(test)]
mod tests;
