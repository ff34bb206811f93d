//! The tables and units of some properties, with numbers of their own, before their triggers are planned.
//!
//! A *unit* keeps one view up to date, checks one way to violate a property, or follows one demand on the future. It does something only
//! when one of its *triggers* fires: an event of this point, an event of the point before (which no longer happens), a
//! row of another view that changed, the first point.
//!
//! **Candidates are a superset, values are exact.** A trigger binds some registers, and its plan then finds exactly the
//! rows that become true or false among those that agree with them. A trigger too many costs time, never a verdict;
//! what must be shown is that no trigger is missing:
//!
//! * `V' = (V ∧ φ) ∨ ψ` at a row is what V was there if no event atom and no other view has changed its value there since
//!   the point before: so all leaves of φ and ψ trigger, each when it turns on and when it turns off.
//! * If one of some events must happen for ψ to hold (its *drivers*), every row that ψ adds has such an event now: so
//!   those events are all the triggers that adding needs. The same for removing, with `¬φ` for ψ.
//!
//! Whether a unit can be planned depends on its forms and on the columns of the views that they read, and on nothing else: so each view is
//! looked at once, whoever asks for it ([`Linked::can_be_planned`]).

use std::collections::{BTreeSet, HashMap};

use crate::fo::code::plan::Plan;
use crate::fo::code::program::{Check, Follow, Part, Target, Trigger};
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Form, Leaf};
use crate::fo::compile::plan::FormPlanner;
use crate::fo::compile::schedule::{Schedule, schedule};
use crate::fo::compile::triggers::Wiring;
use crate::fo::compile::views::Views;
use crate::fo::passes::Passes;
use crate::fo::types::ViewId;

/// A unit that keeps no view.
#[derive(Debug, Clone)]
pub(crate) struct LinkedUnit {
    /// What it is for.
    pub target: Target,
    /// When there is something to do.
    pub form: Form,
    /// For a demand: what fails, and the goal.
    pub demand: Option<(Form, Form)>,
}

impl LinkedUnit {
    /// All its forms.
    pub(crate) fn forms(&self) -> Vec<&Form> {
        std::iter::once(&self.form).chain(self.demand.iter().flat_map(|(fails, goal)| [fails, goal])).collect()
    }
}

/// The tables and units of some properties.
#[derive(Debug, Clone, Default)]
pub(crate) struct Linked {
    /// The tables.
    pub views: Views,
    /// Which view of the compiler each is; nothing for those that only this program has.
    pub origins: Vec<Option<ViewId>>,
    /// The units that keep no view.
    pub units: Vec<LinkedUnit>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The demands.
    pub follows: Vec<Follow>,
    /// The parts that the interpreter evaluates.
    pub parts: Vec<Part>,
    /// The tables that follow others.
    pub followers: BTreeSet<ViewId>,
    /// The copies: the table, and the view that it follows one point late.
    pub copies: Vec<(ViewId, ViewId)>,
}

/// What plans share: the constants, and the indexes of each table.
#[derive(Debug, Default)]
pub(crate) struct PlanNeeds {
    /// The constants, as plans number them.
    pub constants: Vec<referee_trace::value::Value>,
    /// The indexes that plans need, by view: their columns, and whether one plan alone uses it.
    pub indexes: Vec<Vec<(Vec<usize>, bool)>>,
}

impl PlanNeeds {
    /// Nothing is planned yet.
    pub(crate) fn new(views: usize) -> PlanNeeds {
        PlanNeeds { constants: Vec::new(), indexes: vec![Vec::new(); views] }
    }
}

/// The triggers of a unit; for a demand the plans that tell whether its goal holds, and whether what must hold fails.
pub(crate) type Wired = (Vec<Trigger>, Option<(Plan, Plan)>);

impl Linked {
    /// Calls `visit` for every form.
    pub(crate) fn visit_forms<'l>(&'l self, mut visit: impl FnMut(&'l Form)) {
        self.views.all.iter().flat_map(|view| view.forms()).for_each(&mut visit);
        self.units.iter().flat_map(LinkedUnit::forms).for_each(visit);
    }

    /// Changes every leaf.
    fn change(&mut self, change: &mut impl FnMut(&mut Leaf)) {
        for view in &mut self.views.all {
            view.breaks.change(change);
            view.makes.change(change);
        }
        for unit in &mut self.units {
            unit.form.change(change);
            if let Some((fails, goal)) = &mut unit.demand {
                fails.change(change);
                goal.change(change);
            }
        }
    }

    /// The views that somebody asks for what they were, or for stamps.
    pub(crate) fn looked_back_at(&self) -> BTreeSet<ViewId> {
        let mut all: BTreeSet<ViewId> =
            self.follows.iter().filter_map(|own| own.relay.as_ref()).map(|own| own.0).collect();
        self.visit_forms(|form| {
            form.visit(&mut |leaf| match leaf {
                Leaf::View(row) if !row.old => {}
                leaf => all.extend(leaf.views()),
            });
        });
        all
    }

    /// Notes which parts somebody asks for.
    pub(crate) fn note_used_parts(&mut self) {
        let mut used = BTreeSet::new();
        self.visit_forms(|form| {
            form.visit(&mut |leaf| {
                if let Leaf::Part(part) = leaf {
                    used.insert(part.part);
                }
            });
        });
        for (number, part) in self.parts.iter_mut().enumerate() {
            part.is_used = used.contains(&number);
        }
    }

    /// Lets tables share what they hold, and orders the units; copies take the place of old values where no order does.
    pub(crate) fn settle(&mut self, passes: &Passes) -> Lowered<Vec<Target>> {
        if passes.shared_views {
            let busy = self.looked_back_at();
            self.followers = self.views.share(&busy);
        }
        let others: Vec<(Target, Vec<&Form>)> = self.units.iter().map(|unit| (unit.target, unit.forms())).collect();
        let Schedule { order, copied } = schedule(&self.views.all, &others, passes)?;
        for view in copied {
            let copy = self.views.add_copy(view);
            self.copies.push((copy, view));
        }
        if !self.copies.is_empty() {
            self.read_copies();
        }
        Ok(order)
    }

    /// Reads of old values become reads of copies.
    fn read_copies(&mut self) {
        let copy_of: HashMap<ViewId, ViewId> = self.copies.iter().map(|(copy, view)| (*view, *copy)).collect();
        self.change(&mut |leaf| {
            if let Leaf::View(row) = leaf
                && row.old
                && let Some(copy) = copy_of.get(&row.view)
            {
                (row.view, row.old) = (*copy, false);
            }
        });
    }

    /// Plans the triggers of a unit.
    pub(crate) fn wire(&self, target: Target, planned: &mut PlanNeeds, passes: &Passes) -> Lowered<Wired> {
        let mut wiring = Wiring {
            planner: FormPlanner {
                views: &self.views.all,
                constants: &mut planned.constants,
                indexes: &mut planned.indexes,
                use_indexes: passes.indexes,
                whole: None,
            },
            drivers: passes.drivers,
            triggers: Vec::new(),
            needed: BTreeSet::new(),
        };
        let mut demand = None;
        match target {
            Target::View(view) => wiring.view(view)?,
            Target::Check(_) => wiring.check(&self.unit(target)?.form)?,
            Target::Demand(number) => {
                let unit = self.unit(target)?;
                let Some((fails, goal)) = &unit.demand else { return Err(Reason::Size) };
                demand = Some(wiring.demand(&unit.form, fails, goal, self.follows[number].view)?);
            }
        }
        if passes.shared_views {
            wiring.leave_followers_out();
            wiring.ask_those_with_rows();
        }
        Ok((wiring.triggers, demand))
    }

    /// The unit of a check or a demand.
    fn unit(&self, target: Target) -> Lowered<&LinkedUnit> {
        self.units.iter().find(|unit| unit.target == target).ok_or(Reason::Size)
    }

    /// Whether all units can be planned; `known` has the views of the compiler that were looked at.
    pub(crate) fn can_be_planned(
        &self,
        order: &[Target],
        passes: &Passes,
        known: &mut HashMap<ViewId, Lowered<()>>,
    ) -> Lowered<()> {
        let mut planned = PlanNeeds::new(self.views.all.len());
        let mut wire = |target: &Target| self.wire(*target, &mut planned, passes).map(drop);
        for target in order {
            let origin = match target {
                Target::View(view) if !self.followers.contains(view) => self.origins.get(*view).copied().flatten(),
                _ => None,
            };
            match origin {
                Some(origin) => *known.entry(origin).or_insert_with(|| wire(target)),
                None => wire(target),
            }?;
        }
        Ok(())
    }
}
