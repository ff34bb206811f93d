//! The compiler: it turns formulas into views (tables that it keeps up to date), checks and demands on the future.

pub mod compiled;
pub mod fallback;
pub mod future_to_past;
pub mod join;
pub mod laws;
pub mod logic;
pub mod lower;
pub mod plan;
pub mod previous_state;
pub mod recursion;
pub mod shared_views;
pub mod show;
pub mod sort_coverage;
pub mod triggers;
pub mod views;
