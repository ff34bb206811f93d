//! What sets a unit off: its triggers, each with a plan.
//!
//! ```text
//!   form ─▶ drivers, if some event must happen ─▶ one trigger per driver
//!        └▶ leaves, otherwise                   ─▶ one per event, row of a view and first point that may change its value
//! ```
//!
//! Which triggers suffice, and why, is told in [`crate::fo::compile::link`].

use std::collections::BTreeSet;

use crate::fo::code::expression::Expr;
use crate::fo::code::plan::{Action, Plan, PlanOperand, SetPlan};
use crate::fo::code::program::{Source, Task, Trigger};
use crate::fo::code::reason::Reason;
use crate::fo::code::view::Upkeep;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Definition, EventUse, Form, Leaf, ViewUse, followed};
use crate::fo::compile::plan::{FormPlanner, bind, registers};
use crate::fo::types::{Var, ViewId};

/// Finds the triggers of one unit and plans them.
pub(crate) struct Wiring<'v> {
    /// What plans them.
    pub planner: FormPlanner<'v>,
    /// Whether one event of a conjunction stands for all its triggers.
    pub drivers: bool,
    /// The triggers that were found.
    pub triggers: Vec<Trigger>,
    /// The variables of which every plan must find values, beside those that its formula speaks of.
    pub needed: BTreeSet<Var>,
}

impl Wiring<'_> {
    /// The triggers of a check.
    pub(crate) fn check(&mut self, form: &Form) -> Lowered<()> {
        let events: Vec<EventUse> = form.drivers().ok_or(Reason::Size)?.into_iter().cloned().collect();
        events.iter().try_for_each(|event| self.driven(event, form, Task::Report))
    }

    /// The triggers of a view.
    pub(crate) fn view(&mut self, view: ViewId) -> Lowered<()> {
        let Definition { upkeep, columns, has_set, breaks, makes, join, rows_of, .. } =
            self.planner.views[view].clone();
        if rows_of.is_some() {
            return Ok(());
        }
        if let Some(joined) = join {
            let events: Vec<EventUse> =
                joined.witness.drivers().ok_or(Reason::Interval)?.into_iter().cloned().collect();
            let task = Task::AddWitness(joined.join.registers.clone());
            return events.iter().try_for_each(|event| self.driven(event, &joined.witness, task.clone()));
        }
        match upkeep {
            Upkeep::Copy(_) | Upkeep::Open => return Ok(()),
            Upkeep::Window(_) | Upkeep::LastStamp if makes.drivers().is_none() => return Err(Reason::Interval),
            Upkeep::Window(_) if breaks.drivers().is_none() => return Err(Reason::Interval),
            _ => {}
        }
        let window = matches!(upkeep, Upkeep::Window(_));
        let arguments: Vec<Var> = (0..columns as Var).collect();
        let own = Form::Leaf(true, Leaf::View(ViewUse { view, old: false, arguments }));
        if has_set {
            return if breaks == Form::Constant(false) {
                self.sets(&makes, columns)
            } else {
                Err(Reason::Unrestricted)
            };
        }
        // What goes must be found even if it does not count at the moment.
        self.planner.whole = Some(view);
        self.breaks(&own, &breaks, &makes, window, columns)?;
        self.planner.whole = None;
        for part in makes.disjuncts() {
            self.triggers_of(part, window || upkeep == Upkeep::LastStamp, &Task::Insert(None), columns)?;
        }
        Ok(())
    }

    /// Rows go where the left side fails and the right side does not hold.
    fn breaks(&mut self, own: &Form, breaks: &Form, makes: &Form, window: bool, columns: usize) -> Lowered<()> {
        let quiet = breaks.drivers().is_some() && (self.drivers || window);
        if quiet {
            for part in breaks.disjuncts() {
                let events: Vec<EventUse> = part.drivers().into_iter().flatten().cloned().collect();
                for event in &events {
                    let mut all = vec![part.clone()];
                    // A row that the event names by itself is looked up when it is taken out.
                    let named: BTreeSet<Var> = event.variables().into_iter().collect();
                    if !(0..columns as Var).all(|column| named.contains(&column)) {
                        all.push(own.clone());
                    }
                    if !window {
                        all.push(makes.negate());
                    }
                    self.driven(event, &Form::And(all), Task::Remove)?;
                }
            }
            return Ok(());
        }
        let form = Form::And(vec![own.clone(), breaks.clone(), makes.negate()]);
        let outer: BTreeSet<Var> = (0..columns as Var).collect();
        self.leaves(&Form::And(vec![breaks.clone(), makes.clone()]), &form, &outer, &Task::Remove)
    }

    /// The triggers of one disjunct: its drivers, or everything that it looks at.
    fn triggers_of(&mut self, part: &Form, driven: bool, task: &Task, columns: usize) -> Lowered<()> {
        match part.drivers() {
            Some(events) if self.drivers || driven => {
                let events: Vec<EventUse> = events.into_iter().cloned().collect();
                events.iter().try_for_each(|event| self.driven(event, part, task.clone()))
            }
            _ => {
                let outer: BTreeSet<Var> = (0..columns as Var).collect();
                self.leaves(part, part, &outer, task)?;
                // A row that is there at the first point has come at it.
                if followed(part).is_some() { Ok(()) } else { self.first(part, task) }
            }
        }
    }

    fn first(&mut self, part: &Form, task: &Task) -> Lowered<()> {
        let plan = self.plan(part, &mut BTreeSet::new(), None)?;
        self.push(Source::First, plan, task);
        Ok(())
    }

    /// The plan of a formula that finds values of all variables that are needed.
    fn plan(&mut self, form: &Form, bound: &mut BTreeSet<Var>, known: Option<&EventUse>) -> Lowered<Plan> {
        let plan = self.planner.plan(form, bound, known)?;
        if self.needed.is_subset(bound) { Ok(plan) } else { Err(Reason::Unrestricted) }
    }

    fn driven(&mut self, event: &EventUse, form: &Form, task: Task) -> Lowered<()> {
        let mut bound = BTreeSet::new();
        let matching = self.planner.trigger_match(event, &mut bound, None);
        let known = (matching.condition == event.condition).then_some(event);
        let plan = self.plan(form, &mut bound, known)?;
        self.triggers.push(Trigger { source: Source::Event(matching), plan, task });
        Ok(())
    }

    /// Triggers for every leaf of `looked`, each binding what it can of `outer`.
    fn leaves(&mut self, looked: &Form, form: &Form, outer: &BTreeSet<Var>, task: &Task) -> Lowered<()> {
        let mut sources: Vec<Leaf> = Vec::new();
        looked.visit(&mut |leaf| {
            if !sources.contains(leaf) {
                sources.push(leaf.clone());
            }
        });
        for leaf in sources {
            match leaf {
                Leaf::Event(event) => {
                    for before in [false, true] {
                        let mut bound = BTreeSet::new();
                        let mut matching = self.planner.trigger_match(&event, &mut bound, Some(outer));
                        matching.condition = None;
                        let plan = self.plan(form, &mut bound, None)?;
                        let source = if before { Source::Before(matching) } else { Source::Event(matching) };
                        self.push(source, plan, task);
                    }
                }
                Leaf::View(row) => self.changed(&row, form, outer, task)?,
                Leaf::Stamps(stamps) => {
                    self.changed(&stamps.last, form, outer, task)?;
                    self.changed(
                        &ViewUse { old: stamps.delayed || stamps.last.old, ..stamps.first },
                        form,
                        outer,
                        task,
                    )?;
                }
                Leaf::Compare(compare) => {
                    if mentions_time(&compare.left) || mentions_time(&compare.right) {
                        return Err(Reason::Computation);
                    }
                }
                // Nobody tells when what the interpreter says changes.
                Leaf::Part(_) => return Err(Reason::Unguarded),
            }
        }
        Ok(())
    }

    fn changed(&mut self, row: &ViewUse, form: &Form, outer: &BTreeSet<Var>, task: &Task) -> Lowered<()> {
        if self.planner.views[row.view].join.is_some() {
            return Err(Reason::Unrestricted);
        }
        let keys = self.planner.views[row.view].keys();
        let mut bound = BTreeSet::new();
        let actions: Vec<Action> = row.arguments[..keys]
            .iter()
            .map(|variable| match (outer.contains(variable), bound.insert(*variable)) {
                (false, _) => {
                    bound.remove(variable);
                    Action::Skip
                }
                (true, true) => Action::Bind(*variable as u8),
                (true, false) => Action::Equal(PlanOperand::Register(*variable as u8)),
            })
            .collect();
        let plan = self.plan(form, &mut bound, None)?;
        self.push(Source::Change { view: row.view, old: row.old, actions }, plan, task);
        Ok(())
    }

    /// Leaves triggers out that do about a row of a table what others do about the row that it follows.
    pub(crate) fn leave_followers_out(&mut self) {
        let all = self.triggers.clone();
        self.triggers.retain(|trigger| {
            let Source::Change { view, old: false, actions } = &trigger.source else { return true };
            let Definition { makes, breaks, upkeep, .. } = &self.planner.views[*view];
            let Some(row) = followed(makes) else { return true };
            if row.old || *breaks != Form::Constant(false) || *upkeep != Upkeep::Since {
                return true;
            }
            let keys = self.planner.views[row.view].keys();
            let column = |own: &Var| actions.get(*own as usize).copied();
            let Some(same): Option<Vec<Action>> = row.arguments[..keys].iter().map(column).collect() else {
                return true;
            };
            // All columns are among them, so nothing is known of the one that is not known of the other.
            let is_whole = keys == actions.len() && (0..keys as Var).all(|own| row.arguments[..keys].contains(&own));
            let is_same = |other: &Trigger| match &other.source {
                Source::Change { view, old: false, actions } => *view == row.view && *actions == same,
                _ => false,
            };
            let does = |other: &Trigger| is_same(other) && (&other.plan, &other.task) == (&trigger.plan, &trigger.task);
            !is_whole || !all.iter().any(does)
        });
    }

    /// Lets triggers wait for the tables that have the rows of those that they would wait for.
    pub(crate) fn ask_those_with_rows(&mut self) {
        for trigger in &mut self.triggers {
            if let Source::Change { view, .. } = &mut trigger.source {
                *view = self.planner.home(*view);
            }
        }
    }

    fn push(&mut self, source: Source, plan: Plan, task: &Task) {
        self.triggers.push(Trigger { source, plan, task: task.clone() });
    }

    /// Rows with sets: the parts without the last column give the keys, the others the set.
    fn sets(&mut self, makes: &Form, columns: usize) -> Lowered<()> {
        let open = (columns - 1) as Var;
        let outer: BTreeSet<Var> = (0..open).collect();
        // A row is told by its keys: each must come from what sets the unit off, or from the parts without the set.
        self.needed = outer.clone();
        for part in makes.disjuncts() {
            if let Some(row) = followed(part)
                && self.follows(row, open)
            {
                continue;
            }
            // Whatever the quantified variables are, the row's set grows by what belongs to it then.
            let parts = part.conjuncts_below();
            let (with, without): (Vec<Form>, Vec<Form>) =
                parts.into_iter().partition(|part| part.free().contains(&open));
            let keys = Form::And(without);
            let known: BTreeSet<Var> = outer.iter().copied().chain(keys.free()).collect();
            let set = self.planner.set(&Form::And(with), open, &known)?;
            let task = Task::Insert(Some(set));
            match keys.drivers() {
                Some(events) if self.drivers => {
                    let events: Vec<EventUse> = events.into_iter().cloned().collect();
                    events.iter().try_for_each(|event| self.driven(event, &keys, task.clone()))?;
                }
                _ => {
                    self.leaves(part, &keys, &outer, &task)?;
                    self.first(&keys, &task)?;
                }
            }
        }
        Ok(())
    }

    /// A table whose sets grow by those of another one; tells whether that can be.
    fn follows(&mut self, row: &ViewUse, open: Var) -> bool {
        let keys = self.planner.views[row.view].keys();
        let arguments = &row.arguments[..keys];
        let fits = row.arguments.get(keys) == Some(&open) && (0..open).all(|column| arguments.contains(&column));
        if fits {
            let mut bound = BTreeSet::new();
            let actions = arguments.iter().map(|variable| bind(*variable, &mut bound)).collect();
            let set = SetPlan::OfRow(row.view, registers(arguments));
            let source = Source::Change { view: row.view, old: false, actions };
            self.push(source, Plan::default(), &Task::Insert(Some(set)));
        }
        fits
    }

    /// The triggers of a demand, and the plans that tell whether its goal holds, and whether what must hold fails.
    pub(crate) fn demand(&mut self, opens: &Form, fails: &Form, goal: &Form, view: ViewId) -> Lowered<(Plan, Plan)> {
        let columns = self.planner.views[view].columns;
        let arguments: Vec<Var> = (0..columns as Var).collect();
        let own = Form::Leaf(true, Leaf::View(ViewUse { view, old: false, arguments }));
        for (form, task) in [(goal, Task::Meet), (fails, Task::Fail)] {
            for part in form.disjuncts() {
                let whole = Form::And(vec![own.clone(), part.clone()]);
                match part.drivers() {
                    Some(events) => {
                        let events: Vec<EventUse> = events.into_iter().cloned().collect();
                        events.iter().try_for_each(|event| self.driven(event, &whole, task.clone()))?;
                    }
                    None => {
                        let outer: BTreeSet<Var> = (0..columns as Var).collect();
                        self.leaves(part, &whole, &outer, &task)?;
                    }
                }
            }
        }
        match opens.drivers() {
            Some(events) => {
                let events: Vec<EventUse> = events.into_iter().cloned().collect();
                events.iter().try_for_each(|event| self.driven(event, opens, Task::Open))?;
            }
            None => self.first(opens, &Task::Open)?,
        }
        let all: BTreeSet<Var> = (0..columns as Var).collect();
        let goal = self.planner.plan(goal, &mut all.clone(), None)?;
        let fails = self.planner.plan(fails, &mut all.clone(), None)?;
        Ok((goal, fails))
    }
}

fn mentions_time(side: &Expr) -> bool {
    match side {
        Expr::Time => true,
        Expr::Binary(_, left, right) => mentions_time(left) || mentions_time(right),
        Expr::Negate(body) => mentions_time(body),
        _ => false,
    }
}
