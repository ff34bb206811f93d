//! A compiled program as data, and its translation into the instructions that judge events.

pub mod bytecode;
pub mod codegen;
pub mod expression;
pub mod handler;
pub mod instruction;
pub mod peephole;
pub mod plan;
pub mod prefetch;
pub mod program;
pub mod reason;
pub mod view;
