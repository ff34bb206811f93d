//! From properties to programs: the compiler and the run time meet here.

use std::sync::Arc;

use referee_spec::core::Property;

use crate::fo::code::program::CompiledProgram;
use crate::fo::code::reason::Reason;
use crate::fo::compile::compiled::compile;
use crate::fo::passes::Passes;
use crate::fo::run::Program;
use crate::judge::Wanted;

/// A property that compiles, and what it was compiled to.
#[derive(Debug)]
pub struct CompiledProperty {
    /// The property.
    pub property: Arc<Property>,
    program: CompiledProgram,
}

impl CompiledProperty {
    /// Compiles a property, or tells why it does not compile.
    pub fn new(property: &Arc<Property>, passes: &Passes) -> Result<CompiledProperty, Reason> {
        let program = compile(std::slice::from_ref(property), passes)?;
        Ok(CompiledProperty { property: property.clone(), program })
    }

    /// Whether it has a part that must hear of every point.
    pub fn is_moved(&self) -> bool {
        self.program.parts.iter().any(|part| part.is_used && part.is_moving)
    }
}

impl Program {
    /// Compiles properties that compare values alike into one program.
    pub fn new(properties: &[Arc<Property>], passes: Passes, wanted: Wanted) -> Result<Program, Reason> {
        let program = compile(properties, &passes)?;
        Ok(Program::of(properties, program, passes, wanted))
    }

    /// The program of one property.
    pub fn of_one(compiled: CompiledProperty, passes: Passes, wanted: Wanted) -> Program {
        Program::of(&[compiled.property], compiled.program, passes, wanted)
    }
}
