//! Keeps the builds of single crates and of the whole workspace the same.
//!
//! Cargo builds a dependency with the features that the chosen crates ask for. The command line and the random tests ask for
//! more features of `libc`, `syn` and others than the engine does, so `cargo test -p referee-engine` would build half of the
//! dependencies, and every crate above them, a second time. Each crate has this one as a development dependency: its tests
//! then ask for all features that any crate asks for. The installed program does not contain it.
