//! Just enough of C to know where something happens.
//!
//! ```text
//!  text of gcc -E -C ─▶ tokens with the mates of brackets ─▶ functions, variables, types      no types of expressions,
//!                  └──▶ line markers: which file and line     of the outermost level            no tree
//! ```
//!
//! What is inserted later is typed by the compiler itself, so that no part of this needs to know the type of anything.
//! Reading costs one pass over the bytes and one over the tokens outside of bodies.

pub(crate) mod declarator;
pub(crate) mod lines;
pub(crate) mod token;
pub(crate) mod unit;
pub(crate) mod words;
