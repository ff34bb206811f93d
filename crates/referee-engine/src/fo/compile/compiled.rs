//! The compiler: from properties to units with triggers.
//!
//! ```text
//!   property ─ lower ─▶ branches ─ laws ─▶ views and units ─ schedule ─▶ order ─ plan ─▶ triggers
//! ```
//!
//! A *unit* keeps one view up to date, checks one branch, or follows one demand on the future. It does something only
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
//! A unit that reads what a view *was* runs before that view's unit. Where that is impossible, because it also reads
//! what the view, or one above it, is, a copy of the view that is one point late takes its place.

use crate::fo::compile::views::Definition;
use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::{Interval, Judgement, Property};
use referee_trace::number::Number;

use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::plan::Plan;
use crate::fo::code::program::Part;
use crate::fo::code::program::{Check, CompiledProgram, Follow, Target, Unit};
use crate::fo::code::reason::Reason;
use crate::fo::code::view::Upkeep;
use crate::fo::compile::fallback::Parts;
use crate::fo::compile::join::joined_window;
use crate::fo::compile::laws::{gather, latch, prenex, rewrite};
use crate::fo::compile::logic::{Event, Logic};
use crate::fo::compile::lower::{Branch, Demand, Lowered, Relay, lower};
use crate::fo::compile::plan::Planner;
use crate::fo::compile::previous_state::{self, Unfold};
use crate::fo::compile::triggers::Wiring;
use crate::fo::compile::views::{Form, Leaf, Numbering, StampUse, ViewUse, Views, restricted};
use crate::fo::passes::Passes;
use crate::fo::types::{REGISTERS, Var, ViewId};

/// A unit before its triggers are planned.
pub struct Draft {
    target: Target,
    /// When there is something to do.
    pub form: Form,
    /// For a demand: what fails, and the goal.
    pub demand: Option<(Form, Form)>,
}

impl Draft {
    fn forms(&self) -> Vec<&Form> {
        std::iter::once(&self.form).chain(self.demand.iter().flat_map(|(fails, goal)| [fails, goal])).collect()
    }
}

/// Compiles properties into one blueprint. What is not covered becomes parts for the general path; where that cannot be, the
/// reason is why there had to be any.
pub fn compile(properties: &[Arc<Property>], passes: &Passes) -> Lowered<CompiledProgram> {
    let compile = |which: Option<Unfold>| match compile_with(properties, passes, which) {
        // Only plans tell whether a window that is to be joined when it is asked for is asked for nothing else.
        Err(_) if passes.joins => compile_with(properties, &Passes { joins: false, ..*passes }, which),
        print => print,
    };
    let plain = compile(None)?;
    if plain.copies.is_empty() || !passes.unfold || !passes.drivers {
        return Ok(plain);
    }
    let unfolded = [Unfold::Own, Unfold::All].into_iter().map(|which| compile(Some(which)));
    let is_better = |print: &CompiledProgram| print.copies.is_empty();
    Ok(unfolded.filter_map(Lowered::ok).find(is_better).unwrap_or(plain))
}

fn compile_with(properties: &[Arc<Property>], passes: &Passes, unfold: Option<Unfold>) -> Lowered<CompiledProgram> {
    let mut builder = Builder::new(passes);
    let mut parts = Parts::default();
    for (rule, property) in properties.iter().enumerate() {
        match builder.alone(property) {
            Ok(()) => builder.property(rule, property, None)?,
            Err(reason) if !passes.mixed => return Err(reason),
            Err(reason) => {
                parts.begin(rule);
                builder.property(rule, property, Some(&mut parts)).map_err(|_| reason)?;
            }
        }
    }
    if let Some(which) = unfold {
        builder.unfold(which);
    }
    builder.use_parts(parts.all);
    builder.finish().map_err(|reason| match properties {
        [only] => Builder::new(passes).alone(only).err().unwrap_or(reason),
        _ => reason,
    })
}

/// Whether a formula can be compiled where an event binds all its variables.
pub fn try_out(logic: &Logic, passes: &Passes) -> Lowered<()> {
    let free: Vec<Var> = logic.free().into_iter().collect();
    let pattern = Pattern::Positional("".into(), free.len());
    let arguments = free.into_iter().map(Argument::Var).collect();
    let event = Logic::Event(Event { pattern, arguments, condition: None });
    let mut builder = Builder::new(passes);
    for guard in rewrite(Logic::and([event, logic.clone()]), passes).disjuncts() {
        let branch = Branch { guard: guard.clone(), demand: None, by_end: false };
        builder.branch(0, branch, &[], false)?;
    }
    builder.finish().map(|_| ())
}

struct Builder<'p> {
    passes: &'p Passes,
    views: Views,
    drafts: Vec<Draft>,
    print: CompiledProgram,
}

impl<'p> Builder<'p> {
    fn new(passes: &'p Passes) -> Builder<'p> {
        Builder { passes, views: Views::default(), drafts: Vec::new(), print: CompiledProgram::default() }
    }

    /// Whether a property can be compiled without parts for the general path.
    fn alone(&self, property: &Property) -> Lowered<()> {
        let mut builder = Builder::new(self.passes);
        builder.property(0, property, None)?;
        builder.finish().map(|_| ())
    }

    fn property(&mut self, rule: usize, property: &Property, parts: Option<&mut Parts>) -> Lowered<()> {
        let violations = lower(property, self.passes, parts)?;
        for branch in violations.branches {
            let branch = Branch {
                guard: rewrite(branch.guard, self.passes),
                demand: branch.demand.map(|demand| Demand {
                    hold: rewrite(demand.hold, self.passes),
                    goal: rewrite(demand.goal, self.passes),
                    relay: demand.relay.map(|relay| Relay { first: rewrite(relay.first, self.passes), ..relay }),
                    ..demand
                }),
                ..branch
            };
            let guards: Vec<Logic> = branch.guard.disjuncts().into_iter().cloned().collect();
            for guard in guards {
                let is_state = branch.demand.is_none() && !is_driven(&guard);
                let guard = if is_state { prenex(gather(guard, self.passes), self.passes) } else { guard };
                let every = property.judgement != Judgement::EveryPoint;
                self.branch(rule, Branch { guard, ..branch.clone() }, &violations.bindings, every)?;
            }
        }
        Ok(())
    }

    fn branch(&mut self, rule: usize, branch: Branch, bindings: &[Var], all_bound: bool) -> Lowered<()> {
        let free = branch.guard.free();
        let bounded = restricted(&branch.guard);
        if !free.is_subset(&bounded) || (all_bound && !bindings.iter().all(|variable| free.contains(variable))) {
            return Err(Reason::Unrestricted);
        }
        let mut columns: Vec<Var> = bindings.iter().copied().filter(|variable| free.contains(variable)).collect();
        let others: Vec<Var> = free.iter().copied().filter(|variable| !columns.contains(variable)).collect();
        columns.extend(others);
        let place = |variable: &Var| columns.iter().position(|column| column == variable).map(|at| at as u8);
        let places: Vec<Option<u8>> = bindings.iter().map(place).collect();
        let mut numbering = Numbering::starting_with(&columns);
        let guard = branch.guard.rename(&mut |variable| numbering.number(variable));
        match branch.demand {
            None => self.check(rule, guard, places, branch.by_end, numbering.len()),
            Some(demand) => {
                let own = demand.relay.iter().flat_map(|relay| relay.own.iter().copied());
                let known: BTreeSet<Var> = free.iter().copied().chain(own).collect();
                let first = demand.relay.as_ref().map_or(&Logic::TRUE, |relay| &relay.first);
                if [&demand.hold, &demand.goal, first].iter().any(|logic| !logic.free().is_subset(&known)) {
                    return Err(Reason::Unrestricted);
                }
                let mut rename = |logic: Logic| logic.rename(&mut |variable| numbering.number(variable));
                let (hold, goal) = (rename(demand.hold), rename(demand.goal));
                let relay = demand.relay.map(|relay| Relay { first: rename(relay.first), ..relay });
                if numbering.len() > REGISTERS {
                    return Err(Reason::Size);
                }
                self.demand(rule, guard, Demand { hold, goal, relay, ..demand }, places, columns.len())
            }
        }
    }

    fn check(
        &mut self,
        rule: usize,
        guard: Logic,
        bindings: Vec<Option<u8>>,
        by_end: bool,
        registers: usize,
    ) -> Lowered<()> {
        if registers > REGISTERS {
            return Err(Reason::Size);
        }
        let form = self.views.form(&guard)?;
        if self.passes.drivers && form.drivers().is_some() {
            let number = self.print.checks.len();
            self.print.checks.push(Check { rule, bindings, state: None, by_end });
            self.drafts.push(Draft { target: Target::Check(number), form, demand: None });
            return Ok(());
        }
        let kept = latch(&guard, self.passes);
        let now = Logic::Since(Interval::all(), Box::new(kept), Box::new(guard));
        let row = self.views.define(&now, false, false)?;
        if self.views.all[row.view].has_set {
            return Err(Reason::Unrestricted);
        }
        let column = |register: u8| row.arguments.iter().position(|argument| *argument == Var::from(register));
        let bindings = bindings.into_iter().map(|register| register.and_then(column).map(|at| at as u8)).collect();
        self.print.checks.push(Check { rule, bindings, state: Some(row.view), by_end });
        Ok(())
    }

    fn demand(
        &mut self,
        rule: usize,
        guard: Logic,
        demand: Demand,
        bindings: Vec<Option<u8>>,
        columns: usize,
    ) -> Lowered<()> {
        let form = self.views.form(&guard)?;
        let mut goal = self.views.form(&demand.goal)?;
        let fails = self.views.form(&demand.hold.negate())?;
        let relay = match demand.relay {
            Some(relay) => {
                let table = self.relay(relay.first, &demand.goal, columns, &mut goal)?;
                (!self.passes.broken).then_some(table)
            }
            None => None,
        };
        if form.drivers().is_none() && !self.is_first(&form) {
            return Err(Reason::Future);
        }
        let from_zero = demand.interval.low == Number::ZERO && demand.interval.low_included;
        if goal.drivers().is_none() && !from_zero {
            return Err(Reason::Interval);
        }
        let text = format!("open demands of property {}", rule + 1);
        let nothing = Form::Constant(false);
        self.views.all.push(Definition {
            upkeep: Upkeep::Open,
            columns,
            has_set: false,
            breaks: nothing.clone(),
            makes: nothing,
            stamped: false,
            text,
            join: None,
            rows_of: None,
        });
        let view = self.views.all.len() - 1;
        let number = self.print.follows.len();
        self.print.follows.push(Follow {
            rule,
            bindings,
            view,
            interval: demand.interval,
            forbidden: demand.forbidden,
            from_next: demand.from_next,
            driven: goal.drivers().is_some() && fails.drivers().is_some(),
            goal: Plan::default(),
            fails: Plan::default(),
            relay,
        });
        self.drafts.push(Draft { target: Target::Demand(number), form, demand: Some((fails, goal)) });
        Ok(())
    }

    /// The table of what must come before a goal, whose rows the goal needs besides.
    fn relay(&mut self, first: Logic, goal: &Logic, columns: usize, form: &mut Form) -> Lowered<(ViewId, Vec<Var>)> {
        // What neither the row nor the goal speaks of may be anything.
        let (free, shared) = (first.free(), goal.free());
        let own = free.iter().copied().filter(|own| *own >= columns as Var && !shared.contains(own)).collect();
        let some = rewrite(Logic::exists(own, first), self.passes);
        let once = Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(some));
        let row = self.views.define(&once, false, true)?;
        let parts = vec![std::mem::replace(form, Form::Constant(true)), Form::Leaf(true, Leaf::View(row.clone()))];
        *form = Form::And(parts);
        Ok((row.view, row.arguments))
    }

    /// Whether a formula can hold at the first point only.
    fn is_first(&self, form: &Form) -> bool {
        let started = |row: &ViewUse| {
            let view = &self.views.all[row.view];
            row.old && view.makes == Form::Constant(true) && view.breaks == Form::Constant(false)
        };
        match form {
            Form::Leaf(false, Leaf::View(row)) => started(row),
            Form::And(parts) => parts.iter().any(|part| self.is_first(part)),
            _ => false,
        }
    }

    /// The views that somebody asks for what they were, or for stamps.
    fn looked_back_at(&self) -> BTreeSet<ViewId> {
        let mut all: BTreeSet<ViewId> =
            self.print.follows.iter().filter_map(|own| own.relay.as_ref()).map(|own| own.0).collect();
        let mut visit = |form: &Form| {
            form.visit(&mut |leaf| match leaf {
                Leaf::View(row) if !row.old => {}
                leaf => all.extend(leaf.views()),
            });
        };
        self.views.all.iter().for_each(|view| [&view.breaks, &view.makes].into_iter().for_each(&mut visit));
        for draft in &self.drafts {
            visit(&draft.form);
            draft.demand.iter().for_each(|(fails, goal)| [fails, goal].into_iter().for_each(&mut visit));
        }
        all
    }

    /// Takes the parts for the general path, and notes which of them somebody asks for.
    fn use_parts(&mut self, mut parts: Vec<Part>) {
        let mut visit = |form: &Form| {
            form.visit(&mut |leaf| {
                if let Leaf::Foreign(foreign) = leaf {
                    parts[foreign.part].is_used = true;
                }
            });
        };
        for form in self.views.all.iter().flat_map(|view| [&view.breaks, &view.makes]) {
            visit(form);
        }
        for draft in &self.drafts {
            visit(&draft.form);
            draft.demand.iter().flat_map(|(fails, goal)| [fails, goal]).for_each(&mut visit);
        }
        self.print.parts = parts;
    }

    /// Lets units say what views are by what they were.
    fn unfold(&mut self, which: Unfold) {
        let made_of = previous_state::made_of(&self.views.all);
        let old = match which {
            Unfold::Own => BTreeSet::new(),
            Unfold::All => {
                let views = self.views.all.iter().flat_map(|view| [&view.breaks, &view.makes]);
                previous_state::asked_before(views.chain(self.drafts.iter().flat_map(Draft::forms)))
            }
        };
        for draft in &mut self.drafts {
            let new = previous_state::unfold(&draft.forms(), &self.views.all, &made_of, &old, self.passes.broken);
            let Some(new) = new else { continue };
            let mut new = new.into_iter();
            draft.form = new.next().unwrap_or(Form::Constant(false));
            draft.demand = new.next().zip(new.next());
        }
    }

    fn finish(mut self) -> Lowered<CompiledProgram> {
        if self.passes.derive {
            let busy = self.looked_back_at();
            self.views.derive(&busy);
        }
        let order = self.schedule()?;
        if self.passes.joins {
            self.join();
        }
        if self.passes.derive {
            let listed = self.print.checks.iter().filter_map(|check| check.state);
            let copied = self.print.copies.iter().flat_map(|(copy, of)| [*copy, *of]);
            let busy = listed.chain(copied).chain(self.looked_back_at()).collect();
            self.views.share_rows(&busy, self.passes.broken);
        }
        let mut print = std::mem::take(&mut self.print);
        print.patterns = std::mem::take(&mut self.views.patterns);
        let views = std::mem::take(&mut self.views.all);
        print.uses = event_uses(&views, &self.drafts);
        let mut constants = Vec::new();
        let mut indexes = vec![Vec::new(); views.len()];
        for target in order {
            let mut wiring = Wiring {
                planner: Planner {
                    views: &views,
                    constants: &mut constants,
                    indexes: &mut indexes,
                    use_indexes: self.passes.indexes,
                    whole: None,
                },
                drivers: self.passes.drivers,
                triggers: Vec::new(),
                needed: BTreeSet::new(),
            };
            match target {
                Target::View(view) => wiring.view(view)?,
                target => {
                    let draft = self.drafts.iter().find(|draft| draft.target == target).ok_or(Reason::Size)?;
                    match target {
                        Target::Demand(number) => {
                            let follow = &print.follows[number];
                            let (goal, fails) = wiring.demand(draft, follow)?;
                            (print.follows[number].goal, print.follows[number].fails) = (goal, fails);
                        }
                        _ => wiring.check(&draft.form)?,
                    }
                }
            }
            if self.passes.derive {
                wiring.leave_followers_out();
                wiring.ask_those_with_rows();
            }
            let triggers = wiring.triggers;
            print.units.push(Unit { target, triggers });
        }
        for (view, indexes) in views.iter().zip(&mut indexes) {
            indexes.extend(view.join.iter().map(|joined| (joined.join.index(), false)));
        }
        (print.constants, print.indexes) = (constants, indexes);
        print.views = views.iter().enumerate().map(|(number, view)| view.view(number)).collect();
        Ok(print)
    }

    /// Windows that are joined when they are asked for, as far as what they read tells.
    fn join(&mut self) {
        for view in 0..self.views.all.len() {
            let Some(mut joined) = joined_window(&self.views.all, view) else { continue };
            joined.join.broken = self.passes.broken;
            let mut is_late = false;
            let drafts = self.drafts.iter().flat_map(|draft| self.forms(draft.target));
            let views = self.views.all.iter().flat_map(|view| [&view.breaks, &view.makes]);
            for form in drafts.chain(views) {
                form.visit(&mut |leaf| is_late |= matches!(leaf, Leaf::View(row) if row.view == view && row.old));
            }
            if !is_late {
                self.views.all[joined.join.of].stamped = true;
                self.views.all[view].join = Some(Box::new(joined));
            }
        }
    }

    /// The order of the units; reads of old values are made possible by it, or by copies.
    fn schedule(&mut self) -> Lowered<Vec<Target>> {
        let mut nodes: Vec<Target> = (0..self.views.all.len())
            .filter(|view| self.views.all[*view].upkeep != Upkeep::Open)
            .map(Target::View)
            .collect();
        nodes.extend(self.drafts.iter().map(|draft| draft.target));
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut old: Vec<(ViewId, usize, bool)> = Vec::new();
        for (reader, node) in nodes.iter().enumerate() {
            for form in self.forms(*node) {
                form.visit(&mut |leaf| match leaf {
                    Leaf::View(row) if row.old => old.push((row.view, reader, false)),
                    Leaf::View(row) => edges.push((row.view, reader)),
                    Leaf::Stamps(StampUse { last, first, delayed }) => {
                        match last.old {
                            true => old.push((last.view, reader, true)),
                            false => edges.push((last.view, reader)),
                        }
                        if !delayed && !last.old {
                            edges.push((first.view, reader));
                        }
                    }
                    Leaf::Event(_) | Leaf::Compare(_) | Leaf::Foreign(_) => {}
                });
            }
        }
        // Views are numbered as nodes here, open demands being left out: translate.
        let node_of = |view: ViewId| nodes.iter().position(|node| *node == Target::View(view));
        let mut graph: Vec<(usize, usize)> = Vec::new();
        for (view, reader) in edges {
            graph.push((node_of(view).ok_or(Reason::Size)?, reader));
        }
        let mut late: Vec<ViewId> = old.iter().map(|(view, ..)| *view).collect();
        late.sort_unstable();
        late.dedup();
        // Stamps cannot be copied, so their readers come first.
        late.sort_by_key(|view| !old.iter().any(|(of, _, stamps)| of == view && *stamps));
        let mut copied: Vec<(ViewId, ViewId)> = Vec::new();
        for view in late {
            let readers: Vec<&(ViewId, usize, bool)> = old.iter().filter(|(of, ..)| *of == view).collect();
            let stamps = readers.iter().any(|(_, _, stamps)| *stamps);
            let node = node_of(view).ok_or(Reason::Size)?;
            let mut longer = graph.clone();
            // A view that reads what it was itself does so before it changes.
            longer.extend(readers.iter().map(|(_, reader, _)| (*reader, node)).filter(|(reader, _)| *reader != node));
            let possible = (self.passes.old_values || stamps) && topological(nodes.len(), &longer).is_some();
            match (possible, stamps) {
                (true, _) => graph = longer,
                (false, true) => return Err(Reason::Size),
                (false, false) => copied.push((view, self.views.add_copy(view))),
            }
        }
        for (view, copy) in &copied {
            self.redirect(*view, *copy);
        }
        self.print.copies = copied.iter().map(|(view, copy)| (*copy, *view)).collect();
        let order = topological(nodes.len(), &graph).ok_or(Reason::Size)?;
        Ok(order.into_iter().map(|node| nodes[node]).collect())
    }

    fn forms(&self, node: Target) -> Vec<&Form> {
        match node {
            Target::View(view) => vec![&self.views.all[view].breaks, &self.views.all[view].makes],
            target => {
                let draft = self.drafts.iter().find(|draft| draft.target == target);
                draft.map_or_else(Vec::new, Draft::forms)
            }
        }
    }

    /// Reads of a view's old values become reads of its copy.
    fn redirect(&mut self, view: ViewId, copy: ViewId) {
        let mut change = |leaf: &mut Leaf| {
            if let Leaf::View(row) = leaf
                && row.view == view
                && row.old
            {
                (row.view, row.old) = (copy, false);
            }
        };
        for view in &mut self.views.all {
            view.breaks.change(&mut change);
            view.makes.change(&mut change);
        }
        for draft in &mut self.drafts {
            draft.form.change(&mut change);
            if let Some((fails, goal)) = &mut draft.demand {
                fails.change(&mut change);
                goal.change(&mut change);
            }
        }
    }
}

/// Whether an event must happen for a formula to hold.
fn is_driven(logic: &Logic) -> bool {
    match logic {
        Logic::Event(_) => true,
        Logic::And(parts) => parts.iter().any(is_driven),
        Logic::Or(parts) => parts.iter().all(is_driven),
        Logic::Exists(_, body) => is_driven(body),
        _ => false,
    }
}

/// An order of nodes in which every edge leads forwards, if there is one; among equals the smaller number first.
fn topological(nodes: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut waiting = vec![0; nodes];
    edges.iter().for_each(|(_, to)| waiting[*to] += 1);
    let mut ready: BTreeSet<usize> = (0..nodes).filter(|node| waiting[*node] == 0).collect();
    let mut order = Vec::with_capacity(nodes);
    while let Some(node) = ready.pop_first() {
        order.push(node);
        for (_, to) in edges.iter().filter(|(from, _)| *from == node) {
            waiting[*to] -= 1;
            if waiting[*to] == 0 {
                ready.insert(*to);
            }
        }
    }
    (order.len() == nodes).then_some(order)
}

/// All events that some unit looks at.
fn event_uses(views: &[Definition], drafts: &[Draft]) -> Vec<(usize, Vec<Argument>)> {
    let mut all = Vec::new();
    let mut visit = |form: &Form| {
        form.visit(&mut |leaf| {
            if let Leaf::Event(event) = leaf {
                all.push((event.pattern, event.arguments.clone()));
            }
        });
    };
    for view in views {
        visit(&view.breaks);
        visit(&view.makes);
    }
    for draft in drafts {
        visit(&draft.form);
        draft.demand.iter().for_each(|(fails, goal)| [fails, goal].into_iter().for_each(&mut visit));
    }
    all
}
