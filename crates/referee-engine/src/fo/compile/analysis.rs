//! Decides what compiles, without compiling it.
//!
//! ```text
//!   subformula ─▶ views (each known once) ─▶ drafts ─▶ who reads what: an order? ─▶ every unit planned? each view once
//!                                                           └ no: Reason                └ no: Reason
//! ```
//!
//! The analysis asks the same two questions as the linker: [`crate::fo::compile::schedule`] orders the units, and
//! [`crate::fo::compile::triggers`] and [`crate::fo::compile::plan`] say under which conditions a unit has triggers and plans. It keeps its answer for
//! each view, so it decides a formula with n subformulas by n small questions.

use std::collections::HashMap;

use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::program::{Part, Target};
use crate::fo::compile::branch::{Branch, Lowered, Violations};
use crate::fo::compile::build::DraftBuilder;
use crate::fo::compile::draft::Draft;
use crate::fo::compile::laws::rewrite;
use crate::fo::compile::linked::Linked;
use crate::fo::compile::logic::{Event, Logic};
use crate::fo::compile::renumber::Renumbering;
use crate::fo::compile::views::Views;
use crate::fo::passes::Passes;
use crate::fo::types::{Var, ViewId};

/// What the compiler knows of views.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// Which laws are used.
    pub passes: Passes,
    /// All views that were looked at.
    pub views: Views,
    /// Whether their units can be planned, as far as somebody has asked.
    pub plannable: HashMap<ViewId, Lowered<()>>,
}

impl Analysis {
    /// Nothing is known yet.
    pub(crate) fn new(passes: &Passes) -> Analysis {
        Analysis { passes: *passes, views: Views::default(), plannable: HashMap::new() }
    }

    /// The drafts of a property.
    pub(crate) fn drafts(
        &mut self,
        property: &referee_spec::core::Property,
        violations: Violations,
    ) -> Lowered<Vec<Draft>> {
        DraftBuilder { passes: &self.passes, views: &mut self.views }.property(property, violations)
    }

    /// Whether a formula can be compiled where an event binds all its variables.
    pub(crate) fn compiles_under_an_event(&mut self, logic: &Logic) -> Lowered<()> {
        let free: Vec<Var> = logic.free().into_iter().collect();
        let pattern = Pattern::Positional("".into(), free.len());
        let arguments = free.into_iter().map(Argument::Var).collect();
        let event = Logic::Event(Event { pattern, arguments, condition: None });
        let guard = rewrite(Logic::and([event, logic.clone()]), &self.passes);
        let mut builder = DraftBuilder { passes: &self.passes, views: &mut self.views };
        let draft = |guard: &&Logic| builder.branch(Branch::past((*guard).clone()), &[], false);
        let drafts = guard.disjuncts().iter().map(draft).collect::<Lowered<Vec<Draft>>>()?;
        self.compiles(&drafts, 0, &[]).map(drop)
    }

    /// Whether drafts can be compiled, and the program that they are then.
    pub(crate) fn compiles(&mut self, drafts: &[Draft], first_part: usize, parts: &[Part]) -> Lowered<Linked> {
        let mut numbering = Renumbering::new(&self.views);
        numbering.add(0, drafts, first_part, parts);
        let linked = numbering.finish();
        let mut settled = linked.clone();
        let order: Vec<Target> = settled.settle(&self.passes)?;
        settled.can_be_planned(&order, &self.passes, &mut self.plannable)?;
        Ok(linked)
    }
}
