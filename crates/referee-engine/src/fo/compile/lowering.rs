//! A property on its way to branches: what is known while its formula is read.

use std::collections::HashMap;

use referee_spec::core::{DefId, Domain, Property, VarId};

use crate::fo::code::expression::Argument;
use crate::fo::compile::parts::InterpretedParts;
use crate::fo::passes::Passes;
use crate::fo::types::Var;

/// What the variables of the property are here.
#[derive(Debug, Clone, Default)]
pub(crate) struct VariableScope {
    pub known: HashMap<VarId, Argument>,
}

/// A property on its way to branches.
pub(crate) struct Lowering<'p> {
    pub property: &'p Property,
    pub passes: &'p Passes,
    /// The next variable.
    pub next: Var,
    pub domains: Vec<Domain>,
    /// Quantified variables of which other parts of the guard must show that the trace has shown their values.
    pub owed: Vec<Var>,
    /// The definition whose body is read.
    pub defining: Option<DefId>,
    /// The parts that the interpreter evaluates, where there may be such.
    pub parts: Option<&'p mut InterpretedParts>,
}
