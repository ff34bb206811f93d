//! Plans: how the solutions of a formula are found, given what is known already.
//!
//! ```text
//!   acq(t1,l2) ∧ @held(t1,l1) ∧ @P edge(l2,l1)         known: t1, l2 (the event)
//!      ─▶ go through the rows of held with t1, which bind l1; look up the row (l2,l1) of edge
//! ```
//!
//! A plan is a list of steps. A step tests what is bound, or binds more registers and goes on for every way to do so.
//! The compiler writes plans ([`crate::fo::compile::plan`]). They are run as they are, or translated into instructions.

use crate::fo::code::expression::Compare;
use crate::fo::types::ViewId;

/// A register or a constant by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanOperand {
    /// What a register holds.
    Register(u8),
    /// A constant of the program.
    Constant(u16),
}

/// What becomes of one argument of an event, or of one column of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It does not matter.
    Skip,
    /// It must be equal.
    Equal(PlanOperand),
    /// It is stored.
    Bind(u8),
}

/// How an event is matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventMatch {
    /// The pattern.
    pub pattern: usize,
    /// One per argument of the pattern.
    pub actions: Vec<Action>,
    /// What must hold besides, once all is bound.
    pub condition: Option<Compare>,
}

/// Rows of a table that have some values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMatch {
    /// The table.
    pub view: ViewId,
    /// The index by which they are found, and the values to look for; nothing for all rows.
    pub index: Option<(usize, Vec<PlanOperand>)>,
    /// One per key column.
    pub actions: Vec<Action>,
    /// The value that must belong to the row's set.
    pub member: Option<PlanOperand>,
    /// Whether rows that do not count now, in a window, are meant as well.
    pub all: bool,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanStep {
    /// For every event of the point that matches.
    Events(EventMatch),
    /// If no event of the point matches.
    NoEvent(EventMatch),
    /// If the row with this key is there, or not, and the value belongs to its set.
    Probe {
        /// Whether it must be there.
        there: bool,
        /// The table.
        view: ViewId,
        /// The key.
        key: Vec<PlanOperand>,
        /// The value that must belong to the row's set.
        member: Option<PlanOperand>,
        /// Whether rows that do not count now, in a window, are meant as well.
        all: bool,
    },
    /// For every row that matches.
    Rows(RowMatch),
    /// If two terms compare, or do not.
    Compare(bool, Compare),
    /// Stores a value.
    Assign(u8, PlanOperand),
    /// If stamps compare, or do not.
    Stamps {
        /// Whether they must.
        there: bool,
        /// The key of the row with the last stamp.
        last: (ViewId, Vec<PlanOperand>),
        /// The key of the row with the first stamp.
        first: (ViewId, Vec<PlanOperand>),
        /// Whether the first counts from the point after its stamp.
        delayed: bool,
    },
    /// For every row whose first stamp is not after the last stamp of another, in the order of stamps.
    Older {
        /// The key of the row with the last stamp.
        last: (ViewId, Vec<PlanOperand>),
        /// The rows with first stamps.
        rows: RowMatch,
        /// Whether the first counts from the point after its stamp.
        delayed: bool,
        /// Tables with such a key, by columns of the row: once it is there, the row is never asked for again.
        unless: Option<(ViewId, Vec<usize>)>,
    },
    /// For every solution of every plan.
    Choice(Vec<Plan>),
    /// If the plan has a solution, or none.
    Some(bool, Plan),
    /// If the interpreter says so of these values, or not so.
    Fallback {
        /// Whether it must be so.
        there: bool,
        /// The part.
        part: usize,
        /// The values of its free variables.
        key: Vec<PlanOperand>,
    },
    /// For the value, if there is one, that the interpreter has for the last variable of a part.
    Yield {
        /// The part.
        part: usize,
        /// The values of its other variables.
        key: Vec<PlanOperand>,
        /// Where the value is stored.
        register: u8,
    },
    /// If the set is not empty, or is.
    NonEmpty(bool, SetPlan),
}

/// How a formula is evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<PlanStep>,
}

/// How the values of one variable that make a formula true are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetPlan {
    /// All or none, as the plan has a solution or not.
    If(Plan),
    /// One value.
    Value(PlanOperand),
    /// The values of a column in rows that match; the variable is bound to a register meanwhile.
    Column(RowMatch, u8),
    /// The set of a row.
    OfRow(ViewId, Vec<PlanOperand>),
    /// The values of the variable in events that match.
    Events(EventMatch, u8),
    /// All other values.
    Not(Box<SetPlan>),
    /// What belongs to all.
    And(Vec<SetPlan>),
    /// What belongs to one.
    Or(Vec<SetPlan>),
}

impl Plan {
    /// Calls `visit` for every table whose rows are gone through.
    pub fn visit_rows(&self, visit: &mut dyn FnMut(ViewId)) {
        for step in &self.steps {
            match step {
                PlanStep::Rows(rows) | PlanStep::Older { rows, .. } => visit(rows.view),
                PlanStep::Choice(plans) => plans.iter().for_each(|plan| plan.visit_rows(visit)),
                PlanStep::Some(_, plan) => plan.visit_rows(visit),
                PlanStep::NonEmpty(_, set) => set.visit_rows(visit),
                PlanStep::Events(_) | PlanStep::NoEvent(_) | PlanStep::Probe { .. } | PlanStep::Stamps { .. } => {}
                PlanStep::Compare(..) | PlanStep::Assign(..) | PlanStep::Fallback { .. } | PlanStep::Yield { .. } => {}
            }
        }
    }
}

impl SetPlan {
    /// The same for the values of one variable.
    pub fn visit_rows(&self, visit: &mut dyn FnMut(ViewId)) {
        match self {
            SetPlan::If(plan) => plan.visit_rows(visit),
            SetPlan::Column(rows, _) => visit(rows.view),
            SetPlan::OfRow(view, _) => visit(*view),
            SetPlan::Not(body) => body.visit_rows(visit),
            SetPlan::And(parts) | SetPlan::Or(parts) => parts.iter().for_each(|part| part.visit_rows(visit)),
            SetPlan::Value(_) | SetPlan::Events(..) => {}
        }
    }
}
