//! The compiler: it turns formulas into views (tables that it keeps up to date), checks and demands on the future.
//!
//! ```text
//!   lower ─▶ branch ─▶ laws ─▶ views, build ─▶ analysis ─▶ link ─▶ plan, triggers ─▶ CompiledProgram
//! ```

pub mod analysis;
pub mod branch;
pub mod build;
pub mod compiler;
pub mod draft;
pub mod fallback;
pub mod form;
pub mod future_to_past;
pub mod join;
pub mod laws;
pub mod link;
pub mod linked;
pub mod logic;
pub mod lower;
pub mod lowering;
pub mod parts;
pub mod plan;
pub mod previous_state;
pub mod recursion;
pub mod renumber;
pub mod restricted;
pub mod schedule;
pub mod shared_views;
pub mod show;
pub mod sort_coverage;
pub mod triggers;
pub mod views;
