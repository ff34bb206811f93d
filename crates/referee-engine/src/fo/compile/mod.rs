//! The compiler: it turns formulas into views (tables that it keeps up to date), checks and demands on the future.
//!
//! ```text
//!   lower ─▶ branch ─▶ laws ─▶ views, build ─▶ analysis ─▶ link ─▶ plan, triggers ─▶ CompiledProgram
//! ```

pub(crate) mod analysis;
pub(crate) mod branch;
pub(crate) mod build;
pub(crate) mod compiler;
pub(crate) mod draft;
pub(crate) mod fallback;
pub(crate) mod form;
pub(crate) mod future_to_past;
pub(crate) mod join;
pub(crate) mod laws;
pub(crate) mod link;
pub(crate) mod linked;
pub(crate) mod logic;
pub(crate) mod lower;
pub(crate) mod lowering;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod previous_state;
pub(crate) mod recursion;
pub(crate) mod renumber;
pub(crate) mod restricted;
pub(crate) mod schedule;
pub(crate) mod shared_views;
pub(crate) mod show;
pub(crate) mod sort_coverage;
pub(crate) mod triggers;
pub(crate) mod views;
