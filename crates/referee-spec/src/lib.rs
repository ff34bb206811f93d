//! What is required: the specification languages of the field, and the six kinds of rule that specifications become.
//!
//! ```text
//!  language, explanations      the table of languages, and what every code means: they use all that is below
//!  foltl qtl mfotl soloist     one folder per language: text ─▶ syntax ─▶ core::Rule, and the canonical layout
//!  qea mop larva lola stl
//!  gcl ruler logfire ─▶ rules  (these three share conditions and patterns)
//!  trace_needs                 what a rule needs of a trace: times, inputs
//!  lint                        what a rule says that its author probably did not mean; names a trace does not have
//!  parse                       the kit of all parsers; parse::c_like for languages with expressions like those of C
//!  compiled options vocabulary what goes into a compiler and what comes out
//!  diagnostic source           errors and lints with spans, codes and hints
//!  core                        formula, quantity, machine, facts, stream, signal
//! ```
//!
//! Each line uses lines below it only. **A language folder knows nothing of the engine, and the engine knows nothing of any
//! language.** What they share is [`core`]: its definitions are the only meaning a rule has.

pub mod compiled;
pub mod core;
pub mod diagnostic;
pub mod explanations;
pub mod foltl;
pub mod gcl;
pub mod language;
pub mod larva;
pub mod lint;
pub mod logfire;
pub mod lola;
pub mod mfotl;
pub mod mop;
pub mod options;
pub mod parse;
pub mod qea;
pub mod qtl;
pub mod ruler;
mod rules;
pub mod soloist;
pub mod source;
pub mod stl;
pub mod trace_needs;
pub mod vocabulary;
