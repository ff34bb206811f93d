//! Programs that run: how the units of a compiled program judge the points of a trace.
//!
//! ```text
//!   batch of points ─▶ Program ── one event, not the first point ─▶ single_event: the handler of its shape
//!                         │       more than one event            ─▶ multi_event: handlers by unit and phase
//!                         │       first point, no event, or handlers do not apply ─▶ by_plan: the plans of all units
//!                         └ within a handler, a unit that its code does not cover ─▶ by_plan: the plans of that unit
//! ```
//!
//! # The ways to run units
//!
//! | way | when it is taken | switch to leave it out |
//! |---|---|---|
//! | [`single_event`] handler | a point with one event, behind the first point, in a program that asks nothing of the point before | `handlers` |
//! | [`multi_event`] handlers | a point with more than one event, in such a program of at most 64 units | `multi-event` |
//! | [`by_plan`], one unit | within either, for a unit whose code does not cover what its plans ask | none: it is what covers all |
//! | [`by_plan`], all units | the first point, points without events, programs that ask for the point before | none: it is what covers all |
//!
//! A handler is straight code for all units that a shape of events sets off, and decides beforehand what a plan asks again at
//! every event. Plans are the definition: **each way does what the plans would do**, and the differential tests leave out
//! each switch in turn. `cargo bench -p referee --bench passes` does the same and shows what a way brings. Two more switches belong to
//! handlers: `peephole` (the rules of [`peephole`](crate::fo::code::peephole)) and `prefetch` ([`prefetch`]).
//!
//! Cost per event: the units of its shape, each a match of the event and a few probes. No allocation once tables have
//! grown. Values are words, interned by the reader; integers are never hashed to be interned.

mod by_plan;
mod codec;
mod demand_by_plan;
pub(crate) mod executor;
mod fallback;
mod gathered;
mod handler_loop;
mod judge;
mod multi_event;
mod multi_event_handlers;
mod plan_context;
mod point_events;
mod point_index;
mod prefetch;
pub(crate) mod program;
mod reports;
mod scan;
mod set_ops;
mod single_event;
mod values;

pub use program::Program;
