//! First-order temporal logic: one formula language, judged in two ways.
//!
//! ```text
//!   Property ─▶ compile ─▶ code ─▶ run ─▶ store      formulas as tables and handlers: the fast path
//!           └─▶ interpret                            any formula, or the parts that do not compile
//! ```

pub(crate) mod code;
pub(crate) mod compile;
mod entry;
mod explain;
pub(crate) mod interpret;
mod passes;
pub(crate) mod run;
pub(crate) mod store;
pub(crate) mod types;

pub use code::reason::Reason;
pub use entry::CompiledProperty;
pub use explain::{Description, describe};
pub use passes::Passes;
pub use run::Program;
