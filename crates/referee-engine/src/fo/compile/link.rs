//! Links properties into one program: they share tables, and what is decided for one is not decided again.
//!
//! ```text
//!   drafts of all properties ─▶ one numbering ─▶ order of units ─▶ windows that are joined ─▶ plans of all triggers
//!                                                    └ copies needed? say views by their previous state, where that helps
//! ```
//!
//! Two decisions are left for the whole program:
//!
//! * **Previous state or copies.** If the graph of readers makes copies necessary, the forms of units may say what a view is by what it was
//!   ([`crate::fo::compile::previous_state`]). That is taken if the graph then needs no copy and the new forms can be planned.
//! * **Joined windows.** A window is joined when it is asked for if nobody goes through its rows, or waits for one to change: if its readers
//!   can be planned so ([`crate::fo::compile::join`]).

use std::collections::{BTreeSet, HashMap};

use crate::fo::code::expression::Argument;
use crate::fo::code::program::{CompiledProgram, Target, Unit};
use crate::fo::compile::analysis::Analysis;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Form, Leaf};
use crate::fo::compile::join::joined_window;
use crate::fo::compile::linked::{Linked, LinkedUnit, PlanNeeds};
use crate::fo::compile::previous_state::{self, RestatedViews};
use crate::fo::passes::Passes;
use crate::fo::types::ViewId;

/// Makes a program of linked properties, which compile each by itself.
pub(crate) fn program(linked: Linked, analysis: &mut Analysis) -> Lowered<CompiledProgram> {
    let passes = analysis.passes;
    let (mut linked, order) = settled(linked, analysis)?;
    if passes.joins {
        join_windows(&mut linked, &passes);
    }
    if passes.shared_views {
        let listed = linked.checks.iter().filter_map(|check| check.state);
        let copied = linked.copies.iter().flat_map(|(copy, of)| [*copy, *of]);
        let busy = listed.chain(copied).chain(linked.looked_back_at()).collect();
        linked.views.share_rows(&busy);
    }
    plan(linked, &order, &passes)
}

/// The program in an order, by copies or by previous states.
fn settled(linked: Linked, analysis: &mut Analysis) -> Lowered<(Linked, Vec<Target>)> {
    let passes = analysis.passes;
    let mut plain = linked.clone();
    let order = plain.settle(&passes)?;
    if plain.copies.is_empty() || !passes.previous_state || !passes.drivers {
        return Ok((plain, order));
    }
    for scope in [RestatedViews::Own, RestatedViews::All] {
        let mut restated = linked.clone();
        restate(&mut restated, scope);
        if let Ok(order) = restated.settle(&passes)
            && restated.copies.is_empty()
            && restated.can_be_planned(&order, &passes, &mut analysis.plannable).is_ok()
        {
            restated.note_used_parts();
            return Ok((restated, order));
        }
    }
    Ok((plain, order))
}

/// Lets units say what views are by what they were.
fn restate(linked: &mut Linked, scope: RestatedViews) {
    let made_of = previous_state::made_of(&linked.views.all);
    let old = match scope {
        RestatedViews::Own => BTreeSet::new(),
        RestatedViews::All => {
            let views = linked.views.all.iter().flat_map(|view| view.forms());
            previous_state::asked_before(views.chain(linked.units.iter().flat_map(LinkedUnit::forms)))
        }
    };
    for unit in &mut linked.units {
        let Some(new) = previous_state::restated(&unit.forms(), &linked.views.all, &made_of, &old) else { continue };
        let mut new = new.into_iter();
        unit.form = new.next().unwrap_or(Form::Constant(false));
        unit.demand = new.next().zip(new.next());
    }
}

/// Decides which windows are joined when they are asked for.
fn join_windows(linked: &mut Linked, passes: &Passes) {
    let late = previous_state::asked_before(
        linked.views.all.iter().flat_map(|view| view.forms()).chain(linked.units.iter().flat_map(LinkedUnit::forms)),
    );
    let windows = (0..linked.views.all.len()).filter(|view| !late.contains(view));
    let windows: Vec<ViewId> = windows.filter(|view| joined_window(&linked.views.all, *view).is_some()).collect();
    if windows.is_empty() {
        return;
    }
    let readers = readers(linked);
    let mut planned = PlanNeeds::new(linked.views.all.len());
    for view in windows {
        let Some(joined) = joined_window(&linked.views.all, view) else { continue };
        let of = joined.join.of;
        let was_stamped = std::mem::replace(&mut linked.views.all[of].stamped, true);
        linked.views.all[view].join = Some(Box::new(joined));
        let mut own = readers.get(&view).into_iter().flatten().copied().chain([Target::View(view)]);
        if !own.all(|target| linked.wire(target, &mut planned, passes).is_ok()) {
            linked.views.all[view].join = None;
            linked.views.all[of].stamped = was_stamped;
        }
    }
}

/// The units that read each view.
fn readers(linked: &Linked) -> HashMap<ViewId, Vec<Target>> {
    let mut readers: HashMap<ViewId, Vec<Target>> = HashMap::new();
    let mut read = |target: Target, form: &Form| {
        form.visit(&mut |leaf| {
            for view in leaf.views() {
                let all = readers.entry(view).or_default();
                if all.last() != Some(&target) {
                    all.push(target);
                }
            }
        });
    };
    for (number, view) in linked.views.all.iter().enumerate() {
        view.forms().into_iter().for_each(|form| read(Target::View(number), form));
    }
    for unit in &linked.units {
        unit.forms().into_iter().for_each(|form| read(unit.target, form));
    }
    readers
}

/// Plans all triggers.
fn plan(mut linked: Linked, order: &[Target], passes: &Passes) -> Lowered<CompiledProgram> {
    let mut planned = PlanNeeds::new(linked.views.all.len());
    let mut units = Vec::with_capacity(order.len());
    for target in order {
        let (triggers, demand) = linked.wire(*target, &mut planned, passes)?;
        if let (Target::Demand(number), Some((goal, fails))) = (target, demand) {
            (linked.follows[*number].goal, linked.follows[*number].fails) = (goal, fails);
        }
        units.push(Unit { target: *target, triggers });
    }
    let PlanNeeds { constants, mut indexes } = planned;
    for (view, indexes) in linked.views.all.iter().zip(&mut indexes) {
        indexes.extend(view.join.iter().map(|joined| (joined.join.index(), false)));
    }
    Ok(CompiledProgram {
        views: linked.views.all.iter().enumerate().map(|(number, view)| view.view(number)).collect(),
        indexes,
        uses: event_uses(&linked),
        patterns: linked.views.patterns,
        constants,
        units,
        checks: linked.checks,
        follows: linked.follows,
        copies: linked.copies,
        parts: linked.parts,
    })
}

/// All events that some unit looks at.
fn event_uses(linked: &Linked) -> Vec<(usize, Vec<Argument>)> {
    let mut all = Vec::new();
    linked.visit_forms(|form| {
        form.visit(&mut |leaf| {
            if let Leaf::Event(event) = leaf {
                all.push((event.pattern, event.arguments.clone()));
            }
        });
    });
    all
}
