//! The compiler as a whole: which properties compile, and why not; and the program of those that do.
//!
//! ```text
//!   property ─ lower ─▶ branches ─ laws, views ─▶ drafts ─ analysis ─▶ compiles ──┐
//!       │                                            └ Reason                     ├─ link ─▶ program
//!       └── lower, with parts for the interpreter ─▶ drafts ─ analysis ─▶ compiles┘
//!                                                    └ the Reason why there had to be parts
//! ```
//!
//! **A property is lowered once or twice, decided once, and linked.** Many properties share what is known of their views.

use std::sync::Arc;

use referee_spec::core::Property;

use crate::fo::code::program::CompiledProgram;
use crate::fo::code::reason::Reason;
use crate::fo::compile::analysis::Analysis;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::draft::Draft;
use crate::fo::compile::link;
use crate::fo::compile::lower::lower;
use crate::fo::compile::parts::InterpretedParts;
use crate::fo::compile::renumber::Renumbering;
use crate::fo::passes::Passes;

/// A property that compiles, before it is linked.
#[derive(Debug)]
pub struct CompiledProperty {
    /// The property.
    pub property: Arc<Property>,
    /// Whether it has an interpreted part that must hear of every point.
    pub is_moved: bool,
    drafts: Vec<Draft>,
    /// Where its parts are among those of all properties.
    parts: std::ops::Range<usize>,
}

/// Compiles properties, all with the same passes.
#[derive(Debug)]
pub struct FormulaCompiler {
    parts: InterpretedParts,
    /// How many properties were looked at.
    count: usize,
}

impl FormulaCompiler {
    /// A compiler that uses these passes.
    pub fn new(passes: &Passes) -> FormulaCompiler {
        FormulaCompiler {
            parts: InterpretedParts { all: Vec::new(), rule: 0, analysis: Analysis::new(passes) },
            count: 0,
        }
    }

    /// Compiles a property, or tells why the interpreter takes it. Subformulas that do not compile become parts for the interpreter;
    /// where that cannot be, the reason is why there had to be any.
    pub fn property(&mut self, property: &Arc<Property>) -> Result<CompiledProperty, Reason> {
        let first = self.parts.all.len();
        self.count += 1;
        self.parts.rule = self.count;
        match self.decide(property, false) {
            Err(reason) if self.parts.analysis.passes.fallback => self.decide(property, true).map_err(|_| {
                self.parts.all.truncate(first);
                reason
            }),
            decided => decided,
        }
    }

    fn decide(&mut self, property: &Arc<Property>, with_parts: bool) -> Lowered<CompiledProperty> {
        let (passes, first) = (self.parts.analysis.passes, self.parts.all.len());
        let violations = lower(property, &passes, with_parts.then_some(&mut self.parts))?;
        let InterpretedParts { all, analysis, .. } = &mut self.parts;
        let drafts = analysis.drafts(property, violations)?;
        let linked = analysis.compiles(&drafts, first, &all[first..])?;
        let is_moved = linked.parts.iter().any(|part| part.is_used && part.is_moving);
        Ok(CompiledProperty { property: property.clone(), is_moved, drafts, parts: first..all.len() })
    }

    /// One program for all these properties; the reason if their units cannot be brought into one order.
    pub fn link(&mut self, properties: &[&CompiledProperty]) -> Result<CompiledProgram, Reason> {
        let InterpretedParts { all, analysis, .. } = &mut self.parts;
        let mut numbering = Renumbering::new(&analysis.views);
        for (rule, property) in properties.iter().enumerate() {
            numbering.add(rule, &property.drafts, property.parts.start, &all[property.parts.clone()]);
        }
        link::program(numbering.finish(), analysis)
    }
}

/// The program of one property, or the reason why the interpreter takes it.
pub(crate) fn compile(property: &Arc<Property>, passes: &Passes) -> Result<CompiledProgram, Reason> {
    let mut compiler = FormulaCompiler::new(passes);
    let compiled = compiler.property(property)?;
    compiler.link(&[&compiled])
}
