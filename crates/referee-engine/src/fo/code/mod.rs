//! A compiled program as data, and its translation into the instructions that judge events.
//!
//! ```text
//!   program (views, units, plans) ─▶ codegen ─▶ handler (instructions) ─▶ peephole ─▶ finish (bytecode, prefetches)
//!        └─▶ needs, store_shape: what the run has to keep
//! ```
//!
//! **All of it goes from data to data**: nothing here runs, and nothing knows the tables themselves, only their shape.

pub(crate) mod codegen;
pub(crate) mod expression;
pub(crate) mod finish;
pub(crate) mod handler;
pub(crate) mod instruction;
pub(crate) mod key;
pub(crate) mod needs;
pub(crate) mod peephole;
pub(crate) mod plan;
pub(crate) mod prefetch;
pub(crate) mod program;
pub(crate) mod reason;
pub(crate) mod set_use;
pub(crate) mod store_shape;
pub(crate) mod unread;
pub(crate) mod view;
