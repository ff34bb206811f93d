//! First-order temporal logic: one formula language, judged in two ways.
//!
//! ```text
//!   Property ─▶ compile ─▶ code ─▶ run ─▶ store      formulas as tables and handlers: the fast path
//!           └─▶ interpret                            any formula, or the parts that do not compile
//! ```
//!
//! A formula passes these representations on its way to instructions; each is there because the next question could not be asked of the one
//! before:
//!
//! | form | in | adds | why it is not the one before |
//! |---|---|---|---|
//! | syntax | `referee-spec`, one per language | the text: names, spans, sugar | – |
//! | core `Formula` | `referee_spec::core` | one set of operators, resolved variables and definitions | twelve languages have twelve syntaxes; oracle, interpreter and `why` read this one |
//! | `compile::logic::Logic` | `compile` | negation normal form over `S`, `@` and `∃`, definitions expanded, every variable bound once | laws have one operator to speak of instead of ten and their duals, and may rename variables |
//! | `compile::branch::Branch` | `compile` | the ways to violate the property: a past guard, and at most one demand on the future | a `Logic` has no future; a demand is no operator but a table of open rows |
//! | `compile::form::Form` | `compile` | temporal operators have become rows of shared tables, variables registers | `Logic` is a tree that means something by itself: equality of two `Logic`s decides which tables are one; a `Form` means something only beside its tables, and has no operator below its leaves |
//! | `code::plan::Plan` | `code` | an order: which leaf is looked up, scanned or tested first, given what a trigger binds | a `Form` says what holds, a `Plan` how its solutions are found; one form has a plan per trigger |
//! | `Op` | `code` | one handler per shape of event: plans of all its units, merged | a plan is run by walking it; ops are what the peephole rules rewrite |
//! | `Bytecode` | `code` | sixteen bytes an instruction, with the width of the key in its kind | ops are what rules rewrite, bytecode is what the loop reads; one declaration makes both |
//!
//! The interpreter has its own plan of a core formula (`interpret::plan`): it keeps the future, which compiled programs do not have.

pub(crate) mod code;
pub(crate) mod compile;
mod explain;
pub(crate) mod interpret;
mod passes;
pub(crate) mod run;
pub(crate) mod store;
pub(crate) mod types;

pub use code::reason::Reason;
pub use compile::compiler::{CompiledProperty, FormulaCompiler};
pub use explain::{Description, describe};
pub use passes::Passes;
pub use run::Program;
