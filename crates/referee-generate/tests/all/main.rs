//! The generators against their specifications, in one program, so that the engine is linked once.

mod atm;
mod automata;
mod collect;
mod generate;
mod long;
mod machine;
mod saved;
mod writings;
