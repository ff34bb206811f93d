//! The generators, one module for those that come from one source.

mod atm;
mod automata;
mod crv16;
mod dejavu;
mod junitrv;
mod lives;
mod monpoly;
mod obligations;
mod rithm;
mod suite;

use crate::generator::Generator;
use crate::machine;

/// All generators, family by family.
pub fn all() -> impl Iterator<Item = &'static Generator> {
    let families = [dejavu::ALL, rithm::ALL, monpoly::ALL, junitrv::ALL, crv16::ALL, atm::ALL, automata::ALL];
    let described = lives::ALL.iter().copied();
    families.into_iter().chain(described).chain([machine::ALL, suite::ALL]).flatten()
}

/// The generator with this name.
pub fn find(name: &str) -> Option<&'static Generator> {
    all().find(|generator| generator.name == name)
}
