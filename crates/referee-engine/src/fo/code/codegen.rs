//! From units and plans to the handler of one shape of events.
//!
//! ```text
//!   a test            fails ─▶ the next row of the innermost scan, or the end of the trigger
//!   a scan            scan ─▶ body … next ─▶ body …         no more rows ─▶ as a test that fails
//!   some solution     the plan; its first solution jumps behind it
//!   no solution       the plan; its first solution is a test that fails
//! ```
//!
//! The point has one event, of a known shape. So a pattern matches that event or none: *no such event* is decided now, or
//! is a comparison of slots; a variable that the event binds is the slot of its argument, and never copied. Code is made
//! for one unit at a time; `None` anywhere means that the unit stays with its plans.
//!
//! For points with more than one event ([`crate::fo::run::multi_event`]), code is made for one unit, shape and phase: it looks at one event of the
//! point, and asks the program where it matters what the others are.

use std::collections::BTreeSet;

use referee_spec::core::Comparison;
use referee_trace::number::Number;

use crate::fo::code::expression::{Compare, Expr};
use crate::fo::code::handler::{ChangeScan, EventQuery, Handler, Older, RelayUse, Scan, ScanBound, StampPair};
use crate::fo::code::instruction::{ASK_PROGRAM, Op};
use crate::fo::code::key::{CONSTANT, CURSORS, HOLE, REGISTER, Slot, SlotKey};
use crate::fo::code::plan::{Action, EventMatch, PlanOperand, PlanStep, RowMatch, SetPlan};
use crate::fo::code::program::{CompiledProgram, Source, Target, Task, Trigger};
use crate::fo::code::set_use::{Belongs, Column, ROWS, SetUse};
use crate::fo::types::{REGISTERS, ViewId};

/// How many instructions the code of a unit may have.
const LONGEST: usize = 200;

/// Where the arguments of each pattern are in events of the shape; nothing if such events do not match.
pub(crate) type Places = [Option<Box<[usize]>>];

/// The handler of a shape, from the units and triggers that it sets off.
pub(crate) fn handler(program: &CompiledProgram, active: &[(usize, Vec<usize>)], places: &Places) -> Handler {
    let mut handler = Handler::default();
    for (at, (unit, triggers)) in active.iter().enumerate() {
        let triggers: Vec<&Trigger> = triggers.iter().map(|trigger| &program.units[*unit].triggers[*trigger]).collect();
        let mut writer = UnitWriter { handler: handler.clone(), unit: at as u32, ..UnitWriter::new(program, places) };
        match writer.unit(program.units[*unit].target, &triggers) {
            Some(()) if writer.handler.ops.len() < handler.ops.len() + LONGEST => handler = writer.handler,
            _ => handler.ops.push(Op::RunUnit { unit: at as u32 }),
        }
    }
    handler
}

/// What a unit does for an event of a shape at a point that may have others, one handler per phase; nothing if the unit stays
/// with its plans.
pub(crate) fn phases(program: &CompiledProgram, unit: usize, places: &Places) -> Option<Vec<Handler>> {
    let own = &program.units[unit];
    let writer = || UnitWriter { is_multi_event: true, ..UnitWriter::new(program, places) };
    let events: Vec<&Trigger> = own.triggers.iter().filter(|own| matches!(own.source, Source::Event(_))).collect();
    let phases: &[fn(&Task) -> bool] = match own.target {
        Target::View(view) if program.views[view].has_set || program.views[view].reads_itself => return None,
        Target::View(_) => {
            &[|task| matches!(task, Task::Remove), |task| matches!(task, Task::Insert(None) | Task::AddWitness(_))]
        }
        Target::Check(_) => &[|task| matches!(task, Task::Report)],
        Target::Demand(demand) if program.follows[demand].is_awaited() => return None,
        Target::Demand(_) => {
            &[|task| matches!(task, Task::Meet), |task| matches!(task, Task::Fail), |task| matches!(task, Task::Open)]
        }
    };
    let code = |phase: &fn(&Task) -> bool| {
        let mut writer = writer();
        for trigger in events.iter().filter(|trigger| phase(&trigger.task)) {
            writer.phase(own.target, trigger)?;
        }
        (writer.handler.ops.len() < LONGEST).then_some(writer.handler)
    };
    phases.iter().map(code).collect()
}

/// Instructions that go on elsewhere if they fail, once that is known.
type Fails = Vec<usize>;

/// What is done with each solution.
type Then<'t> = &'t mut dyn FnMut(&mut UnitWriter<'_>, &mut Fails) -> Option<()>;

struct UnitWriter<'p> {
    program: &'p CompiledProgram,
    places: &'p Places,
    handler: Handler,
    /// The slot of each register that is bound.
    slots: [Option<Slot>; REGISTERS],
    /// Instructions that leave a decision to the unit's plans.
    undecided: Fails,
    unit: u32,
    /// Whether the point may have other events than the one that is looked at.
    is_multi_event: bool,
    /// Whether it only matters that there is a solution, and not what it binds.
    only_some: bool,
}

impl<'p> UnitWriter<'p> {
    fn new(program: &'p CompiledProgram, places: &'p Places) -> UnitWriter<'p> {
        UnitWriter {
            program,
            places,
            handler: Handler::default(),
            slots: [None; REGISTERS],
            undecided: Vec::new(),
            unit: 0,
            is_multi_event: false,
            only_some: false,
        }
    }
}

impl UnitWriter<'_> {
    /// What a trigger does for one event of a point that has more.
    fn phase(&mut self, target: Target, trigger: &Trigger) -> Option<()> {
        match (target, &trigger.task) {
            (Target::View(view), task) => self.row(view, trigger, matches!(task, Task::Remove)),
            (Target::Check(check), _) => self.reports(check, trigger),
            (Target::Demand(demand), Task::Meet) => self.settles(demand, trigger, true),
            (Target::Demand(demand), Task::Fail) => self.settles(demand, trigger, false),
            (Target::Demand(demand), _) => self.trigger(trigger, &mut |writer, fails| writer.opens(demand, fails)),
        }
    }

    fn push(&mut self, op: Op) -> usize {
        self.handler.ops.push(op);
        self.handler.ops.len() - 1
    }

    /// Appends a test; if it fails, so does what it is a part of.
    fn test(&mut self, op: Op, fails: &mut Fails) {
        let at = self.push(op);
        fails.push(at);
    }

    /// What failed goes on behind the last instruction.
    fn land(&mut self, fails: Fails) {
        let here = self.handler.ops.len() as u32;
        for at in fails {
            if let Some(to) = self.handler.ops[at].failure_mut() {
                *to = here;
            }
        }
    }

    fn unit(&mut self, target: Target, triggers: &[&Trigger]) -> Option<()> {
        let mut end = Fails::new();
        match target {
            _ if triggers.iter().any(|trigger| matches!(trigger.source, Source::Change { .. })) => {
                if self.runs_always(target) {
                    return None;
                }
                let handler = self.handler.clone();
                if self.changed_view(target, triggers, &mut end).is_none() {
                    self.handler = handler;
                    self.undecided.clear();
                    end.clear();
                    self.changes(triggers, &mut end)?;
                }
            }
            Target::View(view) if self.program.views[view].has_set => self.sets(view, triggers)?,
            Target::View(view) => self.view(view, triggers)?,
            Target::Check(check) => self.check(check, triggers)?,
            Target::Demand(demand) => self.demand(demand, triggers)?,
        }
        if !self.undecided.is_empty() {
            self.test(Op::Jump { to: 0 }, &mut end);
            let here = self.handler.ops.len() as u32;
            for at in std::mem::take(&mut self.undecided) {
                if let Op::Order { otherwise, .. } = &mut self.handler.ops[at] {
                    *otherwise = here;
                }
            }
            self.push(Op::RunUnit { unit: self.unit });
        }
        self.land(end);
        Some(())
    }

    /// Whether a unit has something to do at every point, whatever changes there: the next point is awaited, or time passes.
    fn runs_always(&self, target: Target) -> bool {
        match target {
            Target::Demand(demand) => self.program.follows[demand].is_pressing(),
            Target::View(view) => self.program.views[view].is_window(),
            Target::Check(_) => false,
        }
    }

    /// A view that looks at what has changed, of which nothing is left to the plans.
    fn changed_view(&mut self, target: Target, triggers: &[&Trigger], end: &mut Fails) -> Option<()> {
        let Target::View(view) = target else { return None };
        let is_own = |trigger: &&Trigger| matches!(&trigger.source, Source::Change { view: of, .. } if *of == view);
        if triggers.iter().any(is_own) {
            return None;
        }
        if triggers.len() > 1 {
            // Mostly nothing has changed: one look tells it.
            self.if_changed(triggers, end);
        }
        match self.program.views[view].has_set {
            true => self.sets(view, triggers)?,
            false => self.view(view, triggers)?,
        }
        self.undecided.is_empty().then_some(())
    }

    /// The unit is run if something has changed that it looks at.
    fn changes(&mut self, triggers: &[&Trigger], end: &mut Fails) -> Option<()> {
        self.if_changed(triggers, end)?;
        self.push(Op::RunUnit { unit: self.unit });
        Some(())
    }

    /// Goes on if something has changed that a unit looks at, and if that is all that it looks at.
    fn if_changed(&mut self, triggers: &[&Trigger], end: &mut Fails) -> Option<()> {
        let views: Option<BTreeSet<ViewId>> = triggers
            .iter()
            .map(|trigger| match &trigger.source {
                Source::Change { view, old: false, .. } => Some(*view),
                _ => None,
            })
            .collect();
        self.handler.watched.push(views?.into_iter().collect());
        self.test(Op::Changed { tables: self.handler.watched.len() as u32 - 1, to: 0 }, end);
        Some(())
    }

    fn view(&mut self, view: ViewId, triggers: &[&Trigger]) -> Option<()> {
        let is_window = self.program.views[view].is_window();
        // Rows that come and go one by one must not be asked for in between.
        let is_single = matches!(triggers, [only] if only.is_on_event() && has_one_solution(&only.plan.steps));
        if self.program.views[view].reads_itself && !is_single {
            return None;
        }
        if is_window {
            self.push(Op::Advance { table: view as u32 });
        }
        for removes in [true, false] {
            for trigger in triggers.iter().filter(|trigger| matches!(trigger.task, Task::Remove) == removes) {
                self.row(view, trigger, removes)?;
            }
        }
        Some(())
    }

    /// A row goes or comes.
    fn row(&mut self, view: ViewId, trigger: &Trigger, removes: bool) -> Option<()> {
        if scans(&trigger.plan.steps, view) {
            return self.remove_scanned(view, trigger);
        }
        let is_window = self.program.views[view].is_window();
        let keys = self.program.views[view].keys();
        self.trigger(trigger, &mut |writer, _| {
            let view = view as u32;
            let op = match &trigger.task {
                Task::AddWitness(registers) => {
                    let slots: Option<Vec<Slot>> = registers.iter().map(|own| writer.slots[*own as usize]).collect();
                    Op::AddWitness { table: view, key: SlotKey::new(&slots?)? }
                }
                _ if removes => Op::Remove { table: view, key: writer.first_registers(keys)? },
                _ => Op::Insert { table: view, key: writer.first_registers(keys)? },
            };
            writer.push(op);
            if is_window && !removes {
                writer.push(Op::Advance { table: view });
            }
            Some(())
        })
    }

    /// Rows go that are found by going through their own view: when all have been found.
    fn remove_scanned(&mut self, view: ViewId, trigger: &Trigger) -> Option<()> {
        let (keys, undecided) = (self.program.views[view].keys(), self.undecided.len());
        if !matches!(trigger.task, Task::Remove) {
            return None;
        }
        self.trigger(trigger, &mut |writer, _| {
            let key = writer.first_registers(keys)?;
            writer.push(Op::RemoveLater { key });
            Some(())
        })?;
        self.push(Op::RemovePending { table: view as u32 });
        // What is left to the plans halfway must not find rows that were noted before.
        (self.undecided.len() == undecided).then_some(())
    }

    /// The sets of rows grow; none of them is asked for what belongs to another one.
    fn sets(&mut self, view: ViewId, triggers: &[&Trigger]) -> Option<()> {
        let keys = self.program.views[view].keys();
        if self.program.views[view].reads_itself {
            return None;
        }
        for trigger in triggers {
            let Task::Insert(Some(set)) = &trigger.task else { return None };
            self.trigger(trigger, &mut |writer, _| {
                let key = writer.first_registers(keys)?;
                let set = writer.set(set)?;
                writer.push(Op::Grow { table: view as u32, key, set });
                Some(())
            })?;
        }
        Some(())
    }

    fn check(&mut self, check: usize, triggers: &[&Trigger]) -> Option<()> {
        triggers.iter().try_for_each(|trigger| self.reports(check, trigger))
    }

    fn reports(&mut self, check: usize, trigger: &Trigger) -> Option<()> {
        self.trigger(trigger, &mut |writer, _| {
            let bindings = &writer.program.checks[check].bindings;
            let slots: Option<Vec<Option<Slot>>> = bindings
                .iter()
                .map(|register| match register {
                    Some(register) => writer.slots[*register as usize].map(Some),
                    None => Some(None),
                })
                .collect();
            writer.handler.reports.push((check, slots?));
            writer.push(Op::Report { report: writer.handler.reports.len() as u32 - 1 });
            Some(())
        })
    }

    /// Follows a demand. If the plans must decide halfway, they do all of it again: what was settled stays so, and what was
    /// opened is not opened twice; but what speaks of the next point only must not be settled at this one.
    fn demand(&mut self, demand: usize, triggers: &[&Trigger]) -> Option<()> {
        let follow = &self.program.follows[demand];
        if follow.is_awaited() {
            return None;
        }
        if !follow.interval.is_all() {
            self.push(Op::PassDeadlines { demand: demand as u32 });
        }
        let of = |wanted: fn(&Task) -> bool| triggers.iter().filter(move |trigger| wanted(&trigger.task));
        for trigger in of(|task| matches!(task, Task::Meet)) {
            self.settles(demand, trigger, true)?;
        }
        for trigger in of(|task| matches!(task, Task::Fail)) {
            self.settles(demand, trigger, false)?;
        }
        for trigger in of(|task| matches!(task, Task::Open)) {
            self.trigger(trigger, &mut |writer, fails| writer.opens(demand, fails))?;
        }
        self.push(Op::Settle { demand: demand as u32 });
        (self.undecided.is_empty() || !follow.from_next).then_some(())
    }

    /// Rows of a demand whose goal is reached, or of which what must hold fails.
    fn settles(&mut self, demand: usize, trigger: &Trigger, is_met: bool) -> Option<()> {
        let follow = &self.program.follows[demand];
        let columns = self.program.views[follow.view].columns;
        let steps = without_own(&trigger.plan.steps, follow.view, columns);
        self.on_event(trigger, &steps, &mut |writer, _| {
            let (key, number) = (writer.first_registers(columns)?, demand as u32);
            let op = match &follow.relay {
                Some((table, registers)) if is_met => {
                    let slots: Option<Vec<Slot>> = registers.iter().map(|at| writer.slots[*at as usize]).collect();
                    let before = (*table, SlotKey::new(&slots?)?);
                    writer.handler.relays.push(RelayUse { demand, key, before });
                    Op::Relay { relay: writer.handler.relays.len() as u32 - 1 }
                }
                _ if is_met => Op::Meet { demand: number, key },
                _ => Op::Fail { demand: number, key },
            };
            writer.push(op);
            Some(())
        })
    }

    /// Opens a demand, unless it is settled at once.
    fn opens(&mut self, demand: usize, fails: &mut Fails) -> Option<()> {
        let follow = &self.program.follows[demand];
        let key = self.first_registers(self.program.views[follow.view].columns)?;
        let may_be_met = !follow.from_next && follow.interval.contains(&Number::ZERO);
        if may_be_met && self.may_hold(&follow.goal.steps) {
            if follow.relay.is_some() {
                return None;
            }
            self.settled_at_once(&follow.goal.steps, follow.forbidden.then_some((demand, key)), fails)?;
        }
        if !follow.from_next && self.may_hold(&follow.fails.steps) {
            self.settled_at_once(&follow.fails.steps, (!follow.forbidden).then_some((demand, key)), fails)?;
        }
        self.push(Op::Open { demand: demand as u32, key });
        Some(())
    }

    /// If there is a solution, a demand is settled as it opens, by being violated or not.
    fn settled_at_once(
        &mut self,
        steps: &[PlanStep],
        broken: Option<(usize, SlotKey)>,
        done: &mut Fails,
    ) -> Option<()> {
        let (slots, mut missed) = (self.slots, Fails::new());
        let only_some = std::mem::replace(&mut self.only_some, true);
        self.each(steps, &mut missed, &mut |writer, _| {
            if let Some((demand, key)) = broken {
                writer.push(Op::FailAtOnce { demand: demand as u32, key });
            }
            writer.test(Op::Jump { to: 0 }, done);
            Some(())
        })?;
        (self.slots, self.only_some) = (slots, only_some);
        self.land(missed);
        Some(())
    }

    /// Whether steps may have a solution, as far as the shape of the event tells.
    fn may_hold(&self, steps: &[PlanStep]) -> bool {
        steps.iter().all(|step| match step {
            PlanStep::Events(matching) => self.is_multi_event || self.places[matching.pattern].is_some(),
            PlanStep::Choice(plans) => plans.iter().any(|plan| self.may_hold(&plan.steps)),
            PlanStep::Some(true, plan) => self.may_hold(&plan.steps),
            _ => true,
        })
    }

    fn trigger(&mut self, trigger: &Trigger, then: Then<'_>) -> Option<()> {
        self.on_event(trigger, &trigger.plan.steps, then)
    }

    /// Code for every solution of some steps, when the event of a trigger comes, or for every row that has changed.
    fn on_event(&mut self, trigger: &Trigger, steps: &[PlanStep], then: Then<'_>) -> Option<()> {
        self.slots = [None; REGISTERS];
        let mut fails = Fails::new();
        let matching = match &trigger.source {
            Source::Event(matching) => matching,
            Source::Change { view, old: false, actions } => {
                self.each_change(*view, actions, steps, &mut fails, then)?;
                self.land(fails);
                return Some(());
            }
            Source::Change { old: true, .. } | Source::Before(_) | Source::First => return None,
        };
        for table in gone_through(steps) {
            self.test(Op::Filled { table: table as u32, to: 0 }, &mut fails);
        }
        if self.matches(matching, &mut fails)? {
            self.each(steps, &mut fails, then)?;
        }
        self.land(fails);
        Some(())
    }

    /// Code for every solution of some steps, for every row of a view that has changed.
    fn each_change(
        &mut self,
        view: ViewId,
        actions: &[Action],
        steps: &[PlanStep],
        fails: &mut Fails,
        then: Then<'_>,
    ) -> Option<()> {
        let scan = self.handler.changes.len();
        if scan == CURSORS {
            return None;
        }
        let (mut binds, mut equals) = (Vec::new(), Vec::new());
        for (column, action) in actions.iter().enumerate() {
            match action {
                Action::Bind(register) => {
                    let slot = (REGISTER + *register as usize) as Slot;
                    self.slots[*register as usize] = Some(slot);
                    binds.push((column, slot));
                }
                Action::Equal(operand) => equals.push((column, self.slot(*operand)?)),
                Action::Skip => {}
            }
        }
        let width = self.program.views[view].keys().max(1);
        self.handler.changes.push(ChangeScan { view, width, binds, equals });
        let scan = scan as u32;
        self.test(Op::FirstChange { scan, table: view as u32, to: 0 }, fails);
        let body = self.handler.ops.len() as u32;
        let mut next = Fails::new();
        self.each(steps, &mut next, then)?;
        self.land(next);
        self.test(Op::NextChange { scan, body, to: 0 }, fails);
        Some(())
    }

    /// Matches the event; tells whether it can match at all.
    fn matches(&mut self, matching: &EventMatch, fails: &mut Fails) -> Option<bool> {
        let Some(places) = &self.places[matching.pattern] else { return Some(false) };
        for (place, action) in places.iter().zip(&matching.actions) {
            let slot = argument(*place)?;
            match action {
                Action::Skip => {}
                Action::Bind(register) => self.slots[*register as usize] = Some(slot),
                Action::Equal(operand) => {
                    let other = self.slot(*operand)?;
                    if other != slot {
                        self.test(Op::Equal { one: slot, other, same: true, to: 0 }, fails);
                    }
                }
            }
        }
        if let Some(condition) = &matching.condition {
            self.compare(condition, true, Some(places), fails)?;
        }
        Some(true)
    }

    /// Code for every solution of some steps.
    fn each(&mut self, steps: &[PlanStep], fails: &mut Fails, then: Then<'_>) -> Option<()> {
        let Some((step, rest)) = steps.split_first() else { return then(self, fails) };
        match step {
            // Some event may be asked for, but not gone through.
            PlanStep::Events(matching) if self.is_multi_event => match self.only_some && rest.is_empty() {
                true => self.asks(matching, true, fails)?,
                false => return None,
            },
            PlanStep::NoEvent(matching) if self.is_multi_event => self.asks(matching, false, fails)?,
            PlanStep::Events(matching) => {
                if !self.matches(matching, fails)? {
                    self.test(Op::Jump { to: 0 }, fails);
                    return Some(());
                }
            }
            PlanStep::NoEvent(matching) => {
                let slots = self.slots;
                let mut other = Fails::new();
                if self.matches(matching, &mut other)? {
                    self.test(Op::Jump { to: 0 }, fails);
                    self.land(other);
                }
                self.slots = slots;
            }
            PlanStep::Probe { there, view, key, member, all } => {
                self.probe(*there, *view, key, *member, *all, fails)?
            }
            PlanStep::Rows(rows) => return self.scan(rows, None, rest, fails, then),
            PlanStep::Older { last, rows, delayed, unless } => {
                let last = (last.0, self.key(&last.1)?);
                // Without an index, rows do not come in the order of their stamps.
                let (index, _) = rows.index.as_ref()?;
                self.program.indexes[rows.view].get(*index)?;
                let older = Older { last, delayed: *delayed, unless: unless.clone() };
                let rest = if is_known(unless.as_ref(), rows, rest) { &rest[1..] } else { rest };
                return self.scan(rows, Some(older), rest, fails, then);
            }
            PlanStep::Compare(there, compare) => self.compare(compare, *there, None, fails)?,
            PlanStep::Assign(register, operand) => self.slots[*register as usize] = Some(self.slot(*operand)?),
            PlanStep::Stamps { there, last, first, delayed } => {
                let (last, first) = ((last.0, self.key(&last.1)?), (first.0, self.key(&first.1)?));
                self.handler.stamps.push(StampPair { last, first, delayed: *delayed });
                let pair = self.handler.stamps.len() as u32 - 1;
                self.test(Op::Stamps { pair, there: *there, to: 0 }, fails);
            }
            PlanStep::Choice(plans) => return self.choice(plans, rest, fails, then),
            PlanStep::Some(there, plan) => self.some(*there, &plan.steps, fails)?,
            PlanStep::NonEmpty(there, set) => {
                let set = self.set(set)?;
                self.test(Op::Inhabited { set, there: *there, to: 0 }, fails);
            }
            PlanStep::Fallback { .. } | PlanStep::Yield { .. } => return None,
        }
        self.each(rest, fails, then)
    }

    /// Asks for an event of the point.
    fn asks(&mut self, matching: &EventMatch, there: bool, fails: &mut Fails) -> Option<()> {
        if matching.condition.is_some() {
            return None;
        }
        let mut equals = Vec::new();
        for (at, action) in matching.actions.iter().enumerate() {
            match action {
                Action::Skip => {}
                Action::Equal(operand) => equals.push((at, self.slot(*operand)?)),
                Action::Bind(register) => {
                    let again = |action: &Action| *action == Action::Equal(PlanOperand::Register(*register));
                    if matching.actions.iter().any(again) {
                        // Equal to another argument of the same event.
                        return None;
                    }
                }
            }
        }
        self.handler.event_queries.push(EventQuery { pattern: matching.pattern, equals });
        let query = self.handler.event_queries.len() as u32 - 1;
        self.test(Op::HasEvent { query, there, to: 0 }, fails);
        Some(())
    }

    fn probe(
        &mut self,
        there: bool,
        view: ViewId,
        key: &[PlanOperand],
        member: Option<PlanOperand>,
        all: bool,
        fails: &mut Fails,
    ) -> Option<()> {
        let (table, key) = (view as u32, self.key(key)?);
        let op = match member {
            None if self.program.views[view].join.is_some() => Op::ProbeJoined { table, key, there, to: 0 },
            None => Op::Probe { table, key, there, all, to: 0 },
            Some(member) if !all => Op::Member { table, key, value: self.slot(member)?, there, to: 0 },
            Some(_) => return None,
        };
        self.test(op, fails);
        Some(())
    }

    fn scan(
        &mut self,
        rows: &RowMatch,
        older: Option<Older>,
        rest: &[PlanStep],
        fails: &mut Fails,
        then: Then<'_>,
    ) -> Option<()> {
        let cursor = self.handler.scans.len();
        if cursor == CURSORS {
            return None;
        }
        let mut scan = Scan {
            table: rows.view,
            index: None,
            key: None,
            equals: Vec::new(),
            binds: Vec::new(),
            member: None,
            all: rows.all,
            older,
            report_bound: None,
            bound: None,
            takes_all: false,
            cursor,
        };
        let mut found: &[usize] = &[];
        if let Some((index, values)) = &rows.index {
            let key = self.key(values)?;
            match values.len() == rows.actions.len() && scan.older.is_none() {
                true => scan.key = Some(key),
                false => {
                    scan.index = Some((*index, key));
                    found = &self.program.indexes[rows.view][*index].0;
                }
            }
        }
        for (column, action) in rows.actions.iter().enumerate() {
            match action {
                Action::Equal(_) if scan.key.is_some() || found.contains(&column) => {}
                Action::Equal(operand) => {
                    let bound_here = |(at, slot): &(usize, Slot)| (Some(*slot) == self.slot(*operand)).then_some(*at);
                    if scan.binds.iter().find_map(bound_here).is_some() {
                        // Equal to another column of the same row: bound only as the row is matched.
                        return None;
                    }
                    scan.equals.push((column, self.slot(*operand)?));
                }
                Action::Bind(register) => {
                    let slot = (REGISTER + *register as usize) as Slot;
                    self.slots[*register as usize] = Some(slot);
                    scan.binds.push((column, slot));
                }
                Action::Skip => {}
            }
        }
        scan.member = match rows.member {
            Some(member) => Some(self.slot(member)?),
            None => None,
        };
        if let (Some(_), None, Some(PlanStep::Compare(there, compare))) = (scan.index, &scan.older, rest.first()) {
            scan.bound = self.bound(&scan, compare, *there);
        }
        let is_window = self.program.views[rows.view].is_window();
        let counts = rows.all || !is_window;
        scan.takes_all = counts && scan.older.is_none() && scan.equals.is_empty() && scan.member.is_none();
        self.handler.scans.push(scan);
        let scan = self.handler.scans.len() as u32 - 1;
        self.test(Op::Scan { scan, to: 0 }, fails);
        let body = self.handler.ops.len() as u32;
        let mut next = Fails::new();
        self.each(rest, &mut next, then)?;
        self.land(next);
        self.test(Op::Next { scan, body, to: 0 }, fails);
        Some(())
    }

    /// How a column that a scan binds compares with something that is known before.
    fn bound(&self, scan: &Scan, compare: &Compare, there: bool) -> Option<ScanBound> {
        let mirrored = mirrored(compare.how)?;
        let (left, right) = (self.side(&compare.left, None)?, self.side(&compare.right, None)?);
        let column = |slot: Slot| scan.binds.iter().find(|(_, bound)| *bound == slot).map(|(column, _)| *column);
        let (column, how, slot) = match (column(left), column(right)) {
            (Some(column), None) => (column, compare.how, right),
            (None, Some(column)) => (column, mirrored, left),
            _ => return None,
        };
        Some(ScanBound { column, how, slot, there })
    }

    fn choice(
        &mut self,
        plans: &[crate::fo::code::plan::Plan],
        rest: &[PlanStep],
        fails: &mut Fails,
        then: Then<'_>,
    ) -> Option<()> {
        let Some((last, others)) = plans.split_last() else {
            self.test(Op::Jump { to: 0 }, fails);
            return Some(());
        };
        let (slots, only_some) = (self.slots, self.only_some);
        self.only_some &= rest.is_empty();
        for plan in others {
            let mut next = Fails::new();
            self.each(&plan.steps, &mut next, &mut |writer, fails| writer.each(rest, fails, then))?;
            self.land(next);
            self.slots = slots;
        }
        self.each(&last.steps, fails, &mut |writer, fails| writer.each(rest, fails, then))?;
        self.only_some = only_some;
        Some(())
    }

    /// Goes on if there is a solution, or none.
    fn some(&mut self, there: bool, steps: &[PlanStep], fails: &mut Fails) -> Option<()> {
        let slots = self.slots;
        let (mut found, mut missed) = (Fails::new(), Fails::new());
        let only_some = std::mem::replace(&mut self.only_some, true);
        self.each(steps, &mut missed, &mut |writer, _| {
            writer.test(Op::Jump { to: 0 }, &mut found);
            Some(())
        })?;
        (self.slots, self.only_some) = (slots, only_some);
        match there {
            true => {
                fails.append(&mut missed);
                // A jump to the next instruction is none.
                if found.last() == Some(&(self.handler.ops.len() - 1)) {
                    found.pop();
                    self.handler.ops.pop();
                }
                self.land(found);
            }
            false => {
                fails.append(&mut found);
                self.land(missed);
            }
        }
        Some(())
    }

    fn compare(&mut self, compare: &Compare, there: bool, places: Option<&[usize]>, fails: &mut Fails) -> Option<()> {
        let (one, other) = (self.side(&compare.left, places)?, self.side(&compare.right, places)?);
        match compare.how {
            Comparison::Equal => self.test(Op::Equal { one, other, same: there, to: 0 }, fails),
            Comparison::NotEqual => self.test(Op::Equal { one, other, same: !there, to: 0 }, fails),
            Comparison::Substring | Comparison::Matches => return None,
            how => {
                let otherwise = if self.is_multi_event { ASK_PROGRAM } else { 0 };
                let at = self.push(Op::Order { how, left: one, right: other, there, to: 0, otherwise });
                fails.push(at);
                if !self.is_multi_event {
                    self.undecided.push(at);
                }
            }
        }
        Some(())
    }

    fn side(&self, side: &Expr, places: Option<&[usize]>) -> Option<Slot> {
        match side {
            Expr::Var(variable) => self.slots[*variable as usize],
            Expr::Field(place) => argument(*places?.get(*place)?),
            Expr::Constant(value) => {
                let at = self.program.constants.iter().position(|known| known == value)?;
                self.slot(PlanOperand::Constant(at as u16))
            }
            Expr::Time | Expr::Binary(..) | Expr::Negate(_) => None,
        }
    }

    fn slot(&self, operand: PlanOperand) -> Option<Slot> {
        match operand {
            PlanOperand::Register(register) => self.slots[register as usize],
            PlanOperand::Constant(constant) => {
                let slot = CONSTANT + constant as usize;
                (slot < HOLE as usize).then_some(slot as Slot)
            }
        }
    }

    fn key(&self, operands: &[PlanOperand]) -> Option<SlotKey> {
        let slots: Option<Vec<Slot>> = operands.iter().map(|operand| self.slot(*operand)).collect();
        SlotKey::new(&slots?)
    }

    fn first_registers(&self, count: usize) -> Option<SlotKey> {
        let slots: Option<Vec<Slot>> = self.slots[..count].iter().copied().collect();
        SlotKey::new(&slots?)
    }

    /// The number of a set among those of the handler.
    fn set(&mut self, set: &SetPlan) -> Option<u32> {
        let mut rows = Vec::new();
        let body = self.belongs(set, &mut rows)?;
        if rows.len() > ROWS {
            return None;
        }
        self.handler.sets.push(SetUse::new(rows, body));
        Some(self.handler.sets.len() as u32 - 1)
    }

    /// What belongs to a set, as far as rows tell.
    fn belongs(&self, set: &SetPlan, of: &mut Vec<(ViewId, SlotKey)>) -> Option<Belongs> {
        let mut all = |parts: &[SetPlan]| parts.iter().map(|part| self.belongs(part, of)).collect::<Option<Vec<_>>>();
        Some(match set {
            SetPlan::Value(operand) => Belongs::Value(self.slot(*operand)?),
            SetPlan::Column(rows, register) => Belongs::Column(self.column(rows, *register)?),
            SetPlan::OfRow(view, key) => {
                of.push((*view, self.key(key)?));
                Belongs::OfRow(of.len() - 1)
            }
            SetPlan::Not(body) => Belongs::Not(Box::new(self.belongs(body, of)?)),
            SetPlan::And(parts) => Belongs::And(all(parts)?),
            SetPlan::Or(parts) => Belongs::Or(all(parts)?),
            SetPlan::If(_) | SetPlan::Events(..) => return None,
        })
    }

    /// The values of a column that a register stands for.
    fn column(&self, rows: &RowMatch, register: u8) -> Option<Column> {
        let is_own = |action: &Action| matches!(action, Action::Bind(bound) if *bound == register);
        let slot = |action: &Action| match action {
            Action::Equal(operand) => self.slot(*operand),
            action => is_own(action).then_some(HOLE),
        };
        let slots: Option<Vec<Slot>> = rows.actions.iter().map(slot).collect();
        let index = match &rows.index {
            Some((index, values)) => Some((*index, self.key(values)?)),
            None => None,
        };
        let column = rows.actions.iter().position(is_own)?;
        let is_plain = rows.member.is_none();
        is_plain.then_some(Column { table: rows.view, key: SlotKey::new(&slots?)?, column, index, all: rows.all })
    }
}

/// The slot of an argument, if it is among the first.
fn argument(place: usize) -> Option<Slot> {
    (place < REGISTER).then_some(place as Slot)
}

/// Whether the first step asks what a scan has made sure of: that no row is there for which it would skip its own.
fn is_known(unless: Option<&(ViewId, Vec<usize>)>, rows: &RowMatch, steps: &[PlanStep]) -> bool {
    let Some((unless, columns)) = unless else { return false };
    let Some(PlanStep::Probe { there: false, view, key, member: None, .. }) = steps.first() else { return false };
    let column = |column: &usize| match rows.actions[*column] {
        Action::Bind(register) => Some(PlanOperand::Register(register)),
        Action::Equal(operand) => Some(operand),
        Action::Skip => None,
    };
    view == unless && columns.iter().map(column).eq(key.iter().copied().map(Some))
}

/// The same comparison with its sides exchanged, if it is an order.
fn mirrored(how: Comparison) -> Option<Comparison> {
    Some(match how {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        _ => return None,
    })
}

/// Whether steps have one solution at most, at a point with one event.
fn has_one_solution(steps: &[PlanStep]) -> bool {
    !steps.iter().any(|step| matches!(step, PlanStep::Rows(_) | PlanStep::Older { .. } | PlanStep::Choice(_)))
}

/// The steps without the one that looks up the row of a demand itself: whoever settles it does so again. Where going on
/// is dear, it is worth its while.
fn without_own(steps: &[PlanStep], view: ViewId, columns: usize) -> Vec<PlanStep> {
    let is_own = |step: &PlanStep| {
        let PlanStep::Probe { there: true, view: of, key, member: None, .. } = step else { return false };
        *of == view && key.iter().copied().eq((0..columns).map(|at| PlanOperand::Register(at as u8)))
    };
    match has_one_solution(steps) {
        true => steps.iter().filter(|step| !is_own(step)).cloned().collect(),
        false => steps.to_vec(),
    }
}

/// The tables of which steps go through all rows after they have looked something up. What finds no row there need not
/// be looked up: as long as nothing is wrong, such a table is often empty.
fn gone_through(steps: &[PlanStep]) -> impl Iterator<Item = ViewId> {
    let later = steps.iter().skip_while(|step| !matches!(step, PlanStep::Probe { .. } | PlanStep::Stamps { .. }));
    later.filter_map(|step| match step {
        PlanStep::Rows(rows) if rows.index.is_none() => Some(rows.view),
        _ => None,
    })
}

/// Whether steps go through the rows of a table.
fn scans(steps: &[PlanStep], table: ViewId) -> bool {
    steps.iter().any(|step| match step {
        PlanStep::Rows(rows) | PlanStep::Older { rows, .. } => rows.view == table,
        PlanStep::Choice(plans) => plans.iter().any(|plan| scans(&plan.steps, table)),
        PlanStep::Some(_, plan) => scans(&plan.steps, table),
        _ => false,
    })
}
