//! A compiled program as data, and its translation into the instructions that judge events.
//!
//! ```text
//!   program (views, units, plans) ─▶ codegen ─▶ handler (instructions) ─▶ peephole ─▶ finish (bytecode, prefetches)
//!        └─▶ needs, store_shape: what the run has to keep
//! ```
//!
//! **All of it goes from data to data**: nothing here runs, and nothing knows the tables themselves, only their shape.

pub mod codegen;
pub mod expression;
pub mod finish;
pub mod handler;
pub mod instruction;
pub mod key;
pub mod needs;
pub mod peephole;
pub mod plan;
pub mod prefetch;
pub mod program;
pub mod reason;
pub mod set_use;
pub mod store_shape;
pub mod view;
