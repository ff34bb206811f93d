//! A compiled program, as data: the tables that it keeps, and the units that keep them, check and report.
//!
//! ```text
//!   views      T0, T1, …        what each table holds, and how rows come and go
//!   units      in order         each keeps a table, checks a way to violate a property, or follows a demand
//!     triggers                  what sets the unit off: an event, a row that changed, the first point
//!       plan, task              how solutions are found, and what is done with each
//! ```
//!
//! The compiler makes it once; nothing changes it while events are judged.

use std::collections::BTreeSet;

use referee_spec::core::{Formula, Interval, VarId};
use referee_trace::value::Value;

use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::plan::{Action, EventMatch, Plan, SetPlan};
use crate::fo::code::reason::Reason;
use crate::fo::code::view::View;
use crate::fo::types::{Var, ViewId};

/// When a unit acts.
#[derive(Debug, Clone)]
pub enum Source {
    /// On an event of this point.
    Event(EventMatch),
    /// On an event of the point before.
    Before(EventMatch),
    /// On a row that has changed, at this point or at the one before.
    Change {
        /// The view.
        view: ViewId,
        /// Whether at the point before.
        old: bool,
        /// What becomes of its key.
        actions: Vec<Action>,
    },
    /// At the first point.
    First,
}

/// What a unit does with the solutions of a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Adds a row, with a set if the view has one.
    Insert(Option<SetPlan>),
    /// Adds a witness with these registers to a window that is joined when it is asked for.
    AddWitness(Vec<Var>),
    /// Takes a row out.
    Remove,
    /// Reports a violation.
    Report,
    /// Opens a demand.
    Open,
    /// The goal of a demand is reached.
    Meet,
    /// What must hold until then does not.
    Fail,
}

/// What makes a unit act, and how it finds what to do.
#[derive(Debug, Clone)]
pub struct Trigger {
    /// When.
    pub source: Source,
    /// How.
    pub plan: Plan,
    /// What.
    pub task: Task,
}

impl Trigger {
    /// Whether an event of the point sets it off.
    pub fn is_on_event(&self) -> bool {
        matches!(self.source, Source::Event(_))
    }
}

/// What a unit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Keeps a view.
    View(ViewId),
    /// Checks a branch, by the check's number.
    Check(usize),
    /// Follows a demand, by its number.
    Demand(usize),
}

/// One handler.
#[derive(Debug, Clone)]
pub struct Unit {
    /// What it is for.
    pub target: Target,
    /// What makes it act.
    pub triggers: Vec<Trigger>,
}

/// How a branch is checked.
#[derive(Debug, Clone)]
pub struct Check {
    /// Which property.
    pub rule: usize,
    /// The register or column of each binding; nothing for any value.
    pub bindings: Vec<Option<u8>>,
    /// The view whose rows are violations, where no event guards the branch.
    pub state: Option<ViewId>,
    /// Whether only the end decides.
    pub by_end: bool,
}

/// How a demand is followed.
#[derive(Debug, Clone)]
pub struct Follow {
    /// Which property.
    pub rule: usize,
    /// The column of each binding.
    pub bindings: Vec<Option<u8>>,
    /// The table of open demands.
    pub view: ViewId,
    /// Durations from the opening to the goal.
    pub interval: Interval,
    /// Whether reaching the goal is the violation.
    pub forbidden: bool,
    /// Whether it speaks of the next point and those after it.
    pub from_next: bool,
    /// Whether events tell when its goal is reached, and when what must hold fails.
    pub driven: bool,
    /// Whether the goal holds of a row.
    pub goal: Plan,
    /// Whether what must hold fails of a row.
    pub fails: Plan,
    /// The table with the last points of what must come before the goal, and the registers of its key.
    pub relay: Option<(ViewId, Vec<Var>)>,
}

impl Follow {
    /// Whether the rows that were opened at a point have to be looked at, at the next one: what settles them may have
    /// been true before.
    pub fn is_awaited(&self) -> bool {
        self.from_next && !self.driven
    }

    /// Whether the mere passing of a point may settle it.
    pub fn is_pressing(&self) -> bool {
        self.is_awaited() || self.interval.high.is_some()
    }
}

/// What the compiler makes of properties.
#[derive(Debug, Default)]
pub struct CompiledProgram {
    /// The tables.
    pub views: Vec<View>,
    /// The indexes of each table.
    pub indexes: Vec<Vec<(Vec<usize>, bool)>>,
    /// The event patterns.
    pub patterns: Vec<Pattern>,
    /// All uses of events, for the filter in the reader.
    pub uses: Vec<(usize, Vec<Argument>)>,
    /// The constants.
    pub constants: Vec<Value>,
    /// The handlers, in the order in which they run.
    pub units: Vec<Unit>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The demands.
    pub follows: Vec<Follow>,
    /// The copies: the table, and the view that it follows one point late.
    pub copies: Vec<(ViewId, ViewId)>,
    /// The parts that the interpreter evaluates.
    pub parts: Vec<Part>,
}

impl CompiledProgram {
    /// The views whose rows somebody goes through or keeps by number.
    pub fn listed_views(&self) -> BTreeSet<ViewId> {
        let mut listed = BTreeSet::new();
        listed.extend(self.checks.iter().filter_map(|check| check.state));
        listed.extend(self.copies.iter().flat_map(|(copy, of)| [*copy, *of]));
        for follow in &self.follows {
            listed.insert(follow.view);
            listed.extend(follow.relay.as_ref().map(|(view, _)| *view));
            follow.goal.visit_rows(&mut |view| _ = listed.insert(view));
            follow.fails.visit_rows(&mut |view| _ = listed.insert(view));
        }
        for trigger in self.units.iter().flat_map(|unit| &unit.triggers) {
            trigger.plan.visit_rows(&mut |view| _ = listed.insert(view));
            if let Task::Insert(Some(set)) = &trigger.task {
                set.visit_rows(&mut |view| _ = listed.insert(view));
            }
        }
        listed
    }
}

/// A subformula that the interpreter evaluates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The property that it is of.
    pub rule: usize,
    /// The subformula.
    pub formula: Formula,
    /// Its free variables, in the order of what it is asked for.
    pub variables: Vec<VarId>,
    /// Why it is not compiled.
    pub reason: Reason,
    /// Whether its value depends on the point.
    pub is_moving: bool,
    /// Whether somebody asks for it, and not only for what it was.
    pub is_used: bool,
}
