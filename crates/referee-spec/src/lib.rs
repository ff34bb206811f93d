//! What is required: the specification languages of the field, and the core that all of them become.
//!
//! ```text
//!  text ─▶ language (syntax, parse, lower) ─▶ core::Rule ─▶ engine, oracle
//!              └▶ diagnostics: errors and lints with spans, codes and hints
//! ```
//!
//! **A language folder knows nothing of the engine, and the engine knows nothing of any language.** What they share is
//! [`core`]: its definitions are the only meaning a property has.

pub mod core;
pub mod diagnostic;
pub mod foltl;
pub mod gcl;
pub mod language;
pub mod larva;
pub mod lint;
pub mod logfire;
pub mod lola;
pub mod mfotl;
pub mod mop;
pub mod parse;
mod plane;
pub mod qea;
pub mod qtl;
pub mod ruler;
pub mod rules;
pub mod soloist;
pub mod stl;
