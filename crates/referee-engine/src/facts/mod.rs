//! Judges rules over facts.
//!
//! ```text
//!  event ─▶ rules of its shape ─▶ search: bindings under which all conditions hold ─┐     on the facts before the event
//!  no event, facts changed ─▶ rules without an event ─▶ search ─────────────────────┤
//!                                                                                   ▼
//!                              facts: tables with an index per join ◀── effects ◀── firings ─▶ violations
//! ```
//!
//! Facts lie in tables that are indexed by exactly the columns that some condition, action or look-up asks by. A rule with an
//! event is tried when such an event comes; its other conditions are looked up from the event's values. A rule without an
//! event is tried at every step, but once it has found nothing, not again before one of its relations has changed.
//!
//! Cost per event: for each rule of its shape, the rows that agree with what is bound when they are looked up. Memory: the
//! facts that hold. Nothing is allocated per event, unless there are more facts, firings or new values than ever before.

mod code;
mod forgetting;
mod judge;
mod plan;
mod search;
mod table;
mod why;

pub use judge::FactsJudge;
pub use why::Witness;
