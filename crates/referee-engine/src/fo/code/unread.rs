//! Columns in which no later point asks for a value that never comes again: rows that have it there may go.
//!
//! ```text
//!   access(u,f) ─▶ probe login(u)          u is an argument of the event: no later event shows a dead one
//!   tick()      ─▶ each row of login(u)    finds a dead one: nothing may go
//! ```
//!
//! Let v be a value that no later event has. A register is *shown* in a plan if every solution matches it with an argument of an
//! event of the same point; then it is not v in any solution. (Events of the point before may have been the last with v, so they show
//! nothing.) Constants are not v either, for a value that is a constant of the program is not forgotten.
//!
//! A column c of a view V is *unread* if each place that looks at V's rows, or is told that they change, and so could find one with v
//! at c, compares c with
//!
//! - a register that is shown: with such a row there is no solution, whether the row is there or not;
//! - or a register that is column d of the row that the unit itself then puts into a view W or takes out of it, d being
//!   unread: the solution is about a row of W with v at d, and whether that is there nobody finds out. So the rows of a view
//!   may decide about themselves, and about those of others.
//!
//! This is the greatest set of columns with this property. Nobody can tell whether a row with v in an unread column is there: verdicts,
//! points and bindings stay the same. Never unread are
//!
//! - the columns of demands, whose rows the end or a deadline reports;
//! - those of views whose rows are violations at every point;
//! - those that a plan passes over without a look (*some row*), also where it goes by what changes;
//! - those of windows that are joined when they are asked for, of what they are joined with, and of what a relay asks for.
//!
//! A register means one thing only if nothing binds it twice on the way to a solution; others count as neither shown nor as a column.

use crate::fo::code::plan::{Action, EventMatch, Plan, PlanOperand, PlanStep, RowMatch, SetPlan};
use crate::fo::code::program::{CompiledProgram, Follow, Source, Target, Task, Trigger};
use crate::fo::types::{REGISTERS, ViewId};

/// A column of a view.
type ViewColumn = (ViewId, usize);

/// The columns that are unread.
pub(crate) fn unread_columns(program: &CompiledProgram) -> Vec<ViewColumn> {
    let mut reads =
        Reads { read: program.views.iter().map(|view| vec![false; view.keys()]).collect(), into: Vec::new() };
    reads.whole_views(program);
    program.follows.iter().for_each(|follow| reads.follow(program, follow));
    for unit in &program.units {
        unit.triggers.iter().for_each(|trigger| reads.trigger(program, unit.target, trigger));
    }
    reads.unread()
}

/// What plans read.
struct Reads {
    /// By view and column, whether somebody finds a value there that never comes again.
    read: Vec<Vec<bool>>,
    /// Columns that are read only if the other one is.
    into: Vec<(ViewColumn, ViewColumn)>,
}

impl Reads {
    fn whole_views(&mut self, program: &CompiledProgram) {
        program.checks.iter().filter_map(|check| check.state).for_each(|view| self.read_all(view));
        for follow in &program.follows {
            self.read_all(follow.view);
            follow.relay.iter().for_each(|(view, _)| self.read_all(*view));
        }
        for (number, view) in program.views.iter().enumerate() {
            if let Some(join) = &view.join {
                self.read_all(number);
                self.read_all(join.of);
            }
        }
        for (copy, of) in &program.copies {
            self.into.extend((0..program.views[*of].keys()).map(|column| ((*of, column), (*copy, column))));
        }
    }

    fn read_all(&mut self, view: ViewId) {
        self.read[view].fill(true);
    }

    /// Rows that were opened at the point before may have any values.
    fn follow(&mut self, program: &CompiledProgram, follow: &Follow) {
        for plan in [&follow.goal, &follow.fails] {
            let mut bound = Bound::default();
            (0..program.views[follow.view].columns).for_each(|column| bound.add(column as u8));
            bound.plan(plan);
            self.plan(plan, &Context { shown: 0, twice: bound.twice(), key: None });
        }
    }

    fn trigger(&mut self, program: &CompiledProgram, target: Target, trigger: &Trigger) {
        let mut bound = Bound::default();
        let mut shown = 0;
        match &trigger.source {
            Source::Event(matching) => {
                bound.actions(&matching.actions);
                shown = matched(matching);
            }
            Source::Before(matching) => bound.actions(&matching.actions),
            Source::Change { actions, .. } => bound.actions(actions),
            Source::First => {}
        }
        bound.plan(&trigger.plan);
        if let Task::Insert(Some(set)) = &trigger.task {
            bound.set(set);
        }
        let key = match (target, &trigger.task) {
            (Target::View(view), Task::Insert(_) | Task::Remove) => Some((view, program.views[view].keys())),
            _ => None,
        };
        let context = Context { shown, twice: bound.twice(), key }.within(&trigger.plan);
        if let Source::Change { view, actions, .. } = &trigger.source {
            self.actions(*view, actions, &context);
        }
        self.plan(&trigger.plan, &context);
        if let Task::Insert(Some(set)) = &trigger.task {
            self.set(set, &context);
        }
    }

    fn plan(&mut self, plan: &Plan, around: &Context) {
        let context = around.within(plan);
        for step in &plan.steps {
            match step {
                PlanStep::Probe { view, key, .. } => self.key(*view, key, &context),
                PlanStep::Rows(rows) => self.actions(rows.view, &rows.actions, &context),
                PlanStep::Stamps { last, first, .. } => {
                    self.key(last.0, &last.1, &context);
                    self.key(first.0, &first.1, &context);
                }
                PlanStep::Older { last, rows, unless, .. } => {
                    self.key(last.0, &last.1, &context);
                    self.actions(rows.view, &rows.actions, &context);
                    unless.iter().for_each(|(view, columns)| self.unless(*view, columns, rows, &context));
                }
                PlanStep::Choice(plans) => plans.iter().for_each(|plan| self.plan(plan, &context)),
                PlanStep::Some(_, plan) => self.plan(plan, &context),
                PlanStep::NonEmpty(_, set) => self.set(set, &context),
                PlanStep::Events(_) | PlanStep::NoEvent(_) | PlanStep::Compare(..) | PlanStep::Assign(..) => {}
                // The interpreter remembers what it needs by itself.
                PlanStep::Fallback { .. } | PlanStep::Yield { .. } => {}
            }
        }
    }

    fn set(&mut self, set: &SetPlan, context: &Context) {
        match set {
            SetPlan::If(plan) => self.plan(plan, context),
            SetPlan::Column(rows, _) => self.actions(rows.view, &rows.actions, context),
            SetPlan::OfRow(view, key) => self.key(*view, key, context),
            SetPlan::Not(body) => self.set(body, context),
            SetPlan::And(parts) | SetPlan::Or(parts) => parts.iter().for_each(|part| self.set(part, context)),
            SetPlan::Value(_) | SetPlan::Events(..) => {}
        }
    }

    /// A row is looked up by its key.
    fn key(&mut self, view: ViewId, key: &[PlanOperand], context: &Context) {
        for (column, operand) in key.iter().enumerate() {
            self.operand((view, column), *operand, context);
        }
    }

    /// Rows are matched, or changes of rows.
    fn actions(&mut self, view: ViewId, actions: &[Action], context: &Context) {
        for (column, action) in actions.iter().enumerate() {
            self.action((view, column), *action, context);
        }
    }

    /// Rows are looked up by columns of other rows.
    fn unless(&mut self, view: ViewId, columns: &[usize], rows: &RowMatch, context: &Context) {
        for (column, of) in columns.iter().enumerate() {
            self.action((view, column), rows.actions[*of], context);
        }
    }

    fn action(&mut self, place: ViewColumn, action: Action, context: &Context) {
        match action {
            Action::Skip => self.note_read(place),
            Action::Equal(operand) => self.operand(place, operand, context),
            Action::Bind(register) => self.operand(place, PlanOperand::Register(register), context),
        }
    }

    fn operand(&mut self, place: ViewColumn, operand: PlanOperand, context: &Context) {
        let PlanOperand::Register(register) = operand else { return };
        match context.column_of(register) {
            _ if context.is_shown(register) => {}
            Some(other) => self.into.push((place, other)),
            None => self.note_read(place),
        }
    }

    /// Columns behind those of the key are sets, of which nothing goes.
    fn note_read(&mut self, (view, column): ViewColumn) {
        self.read[view].get_mut(column).into_iter().for_each(|read| *read = true);
    }

    fn unread(mut self) -> Vec<ViewColumn> {
        let is_read = |read: &[Vec<bool>], (view, column): ViewColumn| read[view].get(column).is_none_or(|read| *read);
        while let Some(at) = self.into.iter().position(|(_, other)| is_read(&self.read, *other)) {
            let (place, _) = self.into.swap_remove(at);
            self.note_read(place);
        }
        let columns = |(view, read): (ViewId, &Vec<bool>)| {
            let unread = read.iter().enumerate().filter(|(_, read)| !**read);
            unread.map(|(column, _)| (view, column)).collect::<Vec<_>>()
        };
        self.read.iter().enumerate().flat_map(columns).collect()
    }
}

/// Registers, one bit each.
type RegisterBits = u32;

fn bit(register: u8) -> RegisterBits {
    1_u32.checked_shl(u32::from(register)).unwrap_or(0)
}

/// What is known of registers in a plan.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// Those that are shown.
    shown: RegisterBits,
    /// Those that may be bound twice.
    twice: RegisterBits,
    /// The view whose row the solutions put in or take out, and how many columns its key has.
    key: Option<(ViewId, usize)>,
}

impl Context {
    /// The same for a plan inside: what it shows holds for its own solutions.
    fn within(&self, plan: &Plan) -> Context {
        Context { shown: self.shown | shown(plan, self.shown), ..*self }
    }

    fn is_shown(&self, register: u8) -> bool {
        self.shown & !self.twice & bit(register) != 0
    }

    /// The column of the unit's row that a register is.
    fn column_of(&self, register: u8) -> Option<ViewColumn> {
        let (view, keys) = self.key?;
        let is_one = usize::from(register) < keys && self.twice & bit(register) == 0;
        is_one.then_some((view, usize::from(register)))
    }
}

/// The registers that every match of an event shows.
fn matched(matching: &EventMatch) -> RegisterBits {
    let bits = matching.actions.iter().map(|action| match action {
        Action::Bind(register) | Action::Equal(PlanOperand::Register(register)) => bit(*register),
        Action::Skip | Action::Equal(PlanOperand::Constant(_)) => 0,
    });
    bits.fold(0, |all, own| all | own)
}

/// The registers that every solution of a plan shows, given some that are shown anyway.
fn shown(plan: &Plan, given: RegisterBits) -> RegisterBits {
    let mut all = given;
    for step in &plan.steps {
        all |= match step {
            PlanStep::Events(matching) => matched(matching),
            PlanStep::Choice(plans) => {
                plans.iter().map(|plan| shown(plan, given)).reduce(|all, own| all & own).unwrap_or(0)
            }
            PlanStep::Some(true, plan) => {
                // What the inner plan binds is its own.
                let mut bound = Bound::default();
                bound.plan(plan);
                shown(plan, given) & !bound.once()
            }
            _ => 0,
        };
    }
    for step in &plan.steps {
        if let PlanStep::Assign(register, operand) = step {
            match operand {
                PlanOperand::Register(from) if all & (bit(*from) | bit(*register)) != 0 => {
                    all |= bit(*from) | bit(*register);
                }
                PlanOperand::Constant(_) => all |= bit(*register),
                PlanOperand::Register(_) => {}
            }
        }
    }
    all
}

/// How often registers are bound on the way to one solution, at most.
#[derive(Debug, Clone, Copy, Default)]
struct Bound([u8; REGISTERS]);

impl Bound {
    fn add(&mut self, register: u8) {
        let count = self.0.get_mut(usize::from(register));
        count.into_iter().for_each(|count| *count = count.saturating_add(1));
    }

    fn actions(&mut self, actions: &[Action]) {
        for action in actions {
            if let Action::Bind(register) = action {
                self.add(*register);
            }
        }
    }

    fn plan(&mut self, plan: &Plan) {
        for step in &plan.steps {
            match step {
                PlanStep::Events(matching) => self.actions(&matching.actions),
                PlanStep::Rows(rows) | PlanStep::Older { rows, .. } => self.actions(&rows.actions),
                PlanStep::Assign(register, _) | PlanStep::Yield { register, .. } => self.add(*register),
                PlanStep::Choice(plans) => self.one_of(plans),
                PlanStep::Some(_, plan) => self.plan(plan),
                PlanStep::NonEmpty(_, set) => self.set(set),
                // What an event that is not there would bind, nobody sees.
                PlanStep::NoEvent(_) | PlanStep::Probe { .. } | PlanStep::Compare(..) => {}
                PlanStep::Stamps { .. } | PlanStep::Fallback { .. } => {}
            }
        }
    }

    /// One of some plans is on the way.
    fn one_of(&mut self, plans: &[Plan]) {
        let before = *self;
        for plan in plans {
            let mut own = before;
            own.plan(plan);
            self.0.iter_mut().zip(own.0).for_each(|(all, own)| *all = own.max(*all));
        }
    }

    fn set(&mut self, set: &SetPlan) {
        match set {
            SetPlan::If(plan) => self.plan(plan),
            SetPlan::Column(rows, _) => self.actions(&rows.actions),
            SetPlan::Events(matching, _) => self.actions(&matching.actions),
            SetPlan::Not(body) => self.set(body),
            SetPlan::And(parts) | SetPlan::Or(parts) => parts.iter().for_each(|part| self.set(part)),
            SetPlan::Value(_) | SetPlan::OfRow(..) => {}
        }
    }

    /// Those that are bound at all.
    fn once(self) -> RegisterBits {
        self.with(1)
    }

    /// Those that are bound more than once.
    fn twice(self) -> RegisterBits {
        self.with(2)
    }

    fn with(self, least: u8) -> RegisterBits {
        (0..).zip(self.0).filter(|(_, count)| *count >= least).fold(0, |all, (register, _)| all | bit(register))
    }
}

#[cfg(test)]
mod tests {
    use referee_spec::core::Interval;

    use super::*;
    use crate::fo::code::program::{Check, Unit};
    use crate::fo::code::view::{Upkeep, View};

    fn view(columns: usize) -> View {
        View {
            upkeep: Upkeep::Since,
            columns,
            has_set: false,
            reads_itself: false,
            stamped: false,
            text: String::new(),
            join: None,
            rows_of: None,
        }
    }

    /// A program of some views, whose units have one trigger each.
    fn program(columns: &[usize], units: Vec<(Target, Trigger)>) -> CompiledProgram {
        let unit = |(target, trigger)| Unit { target, triggers: vec![trigger] };
        let views = columns.iter().map(|columns| view(*columns)).collect();
        CompiledProgram { views, units: units.into_iter().map(unit).collect(), ..CompiledProgram::default() }
    }

    fn matching(actions: &[Action]) -> EventMatch {
        EventMatch { pattern: 0, actions: actions.to_vec(), condition: None }
    }

    fn rows(view: ViewId, actions: &[Action]) -> RowMatch {
        RowMatch { view, index: None, actions: actions.to_vec(), member: None, all: false }
    }

    fn probe(view: ViewId, there: bool, key: &[u8]) -> PlanStep {
        let key = key.iter().map(|register| PlanOperand::Register(*register)).collect();
        PlanStep::Probe { there, view, key, member: None, all: false }
    }

    fn trigger(source: Source, steps: Vec<PlanStep>, task: Task) -> Trigger {
        Trigger { source, plan: Plan { steps }, task }
    }

    /// What is unread if one check looks at rows of two columns like this, with an event that binds register 0.
    fn unread_by(steps: Vec<PlanStep>) -> Vec<usize> {
        let source = Source::Event(matching(&[Action::Bind(0)]));
        let program = program(&[2], vec![(Target::Check(0), trigger(source, steps, Task::Report))]);
        unread_columns(&program).into_iter().map(|(_, column)| column).collect()
    }

    const SHOWN: Action = Action::Equal(PlanOperand::Register(0));

    #[test]
    fn columns_that_are_compared_with_an_event_are_unread() {
        assert_eq!(unread_by(vec![]), [0, 1]);
        assert_eq!(unread_by(vec![PlanStep::Rows(rows(0, &[SHOWN, Action::Bind(1)]))]), [0]);
        assert_eq!(unread_by(vec![PlanStep::Rows(rows(0, &[Action::Skip, SHOWN]))]), [1]);
        assert_eq!(unread_by(vec![PlanStep::Rows(rows(0, &[Action::Skip, Action::Skip]))]), [0_usize; 0]);
        assert_eq!(unread_by(vec![probe(0, false, &[0, 0])]), [0, 1]);
    }

    /// What a row binds and an event shows later is shown; not so if no event has it, or if some event may have it.
    #[test]
    fn what_events_show_later_is_shown() {
        let scan = || PlanStep::Rows(rows(0, &[SHOWN, Action::Bind(1)]));
        let has_it = matching(&[Action::Equal(PlanOperand::Register(1))]);
        let other = matching(&[Action::Bind(2)]);
        let plan = |own: &EventMatch| Plan { steps: vec![PlanStep::Events(own.clone())] };
        assert_eq!(unread_by(vec![scan(), PlanStep::Events(has_it.clone())]), [0, 1]);
        assert_eq!(unread_by(vec![scan(), PlanStep::NoEvent(has_it.clone())]), [0]);
        assert_eq!(unread_by(vec![scan(), PlanStep::Some(true, plan(&has_it))]), [0, 1]);
        assert_eq!(unread_by(vec![scan(), PlanStep::Some(false, plan(&has_it))]), [0]);
        assert_eq!(unread_by(vec![scan(), PlanStep::Choice(vec![plan(&has_it), plan(&has_it)])]), [0, 1]);
        assert_eq!(unread_by(vec![scan(), PlanStep::Choice(vec![plan(&has_it), plan(&other)])]), [0]);
        assert_eq!(
            unread_by(vec![scan(), PlanStep::Assign(2, PlanOperand::Register(1)), PlanStep::Events(has_it)]),
            [0, 1]
        );
    }

    /// A register that is bound twice is one thing first and another then.
    #[test]
    fn a_register_that_is_bound_twice_shows_nothing() {
        let scan = || PlanStep::Rows(rows(0, &[SHOWN, Action::Bind(1)]));
        assert_eq!(unread_by(vec![scan(), PlanStep::Events(matching(&[Action::Bind(1)]))]), [0]);
        let inner = Plan { steps: vec![PlanStep::Events(matching(&[Action::Bind(1)]))] };
        assert_eq!(unread_by(vec![scan(), PlanStep::Some(true, inner)]), [0]);
    }

    /// Events of the point before may be the last with a value.
    #[test]
    fn events_of_the_point_before_show_nothing() {
        let before = Source::Before(matching(&[Action::Bind(0), Action::Bind(1)]));
        let units = vec![(Target::Check(0), trigger(before, vec![probe(0, true, &[0, 1])], Task::Report))];
        assert!(unread_columns(&program(&[2], units)).is_empty());
    }

    /// A view whose rows only decide about rows that are unread is unread.
    #[test]
    fn rows_may_decide_about_rows() {
        let change = |view| Source::Change { view, old: false, actions: vec![Action::Bind(0), Action::Bind(1)] };
        let insert = |view| (Target::View(1), trigger(change(view), vec![], Task::Insert(None)));
        let itself = |view| {
            (
                Target::View(view),
                trigger(
                    Source::First,
                    vec![PlanStep::Rows(rows(view, &[Action::Bind(0), Action::Bind(1)]))],
                    Task::Remove,
                ),
            )
        };
        assert_eq!(unread_columns(&program(&[2, 2], vec![insert(0), itself(0)])).len(), 4);
        let read = (
            Target::Check(0),
            trigger(Source::First, vec![PlanStep::Rows(rows(1, &[Action::Bind(0), Action::Skip]))], Task::Report),
        );
        assert!(unread_columns(&program(&[2, 2], vec![insert(0), itself(0), read])).is_empty());
        // What another column has, nobody finds there.
        let crossed = Source::Change { view: 0, old: false, actions: vec![Action::Bind(1), Action::Bind(0)] };
        let by_first = trigger(
            Source::Event(matching(&[Action::Bind(0)])),
            vec![PlanStep::Rows(rows(1, &[SHOWN, Action::Bind(1)]))],
            Task::Report,
        );
        let units = vec![(Target::View(1), trigger(crossed, vec![], Task::Insert(None))), (Target::Check(0), by_first)];
        assert_eq!(unread_columns(&program(&[2, 2], units)), [(0, 1), (1, 0)]);
    }

    #[test]
    fn what_is_reported_is_read() {
        let check = Check { rule: 0, bindings: vec![Some(0)], state: Some(0), by_end: false };
        assert!(unread_columns(&CompiledProgram { checks: vec![check], ..program(&[2], vec![]) }).is_empty());
        let follow = Follow {
            rule: 0,
            bindings: vec![Some(0)],
            view: 0,
            interval: Interval::all(),
            forbidden: false,
            from_next: false,
            driven: true,
            goal: Plan { steps: vec![probe(1, true, &[0])] },
            fails: Plan::default(),
            relay: None,
        };
        // Rows of demands stay, and so does what they ask for.
        let demands = CompiledProgram { follows: vec![follow], ..program(&[1, 1, 1], vec![]) };
        assert_eq!(unread_columns(&demands), [(2, 0)]);
    }

    /// Where a copy is read, so is what it follows.
    #[test]
    fn copies_are_followed() {
        let read =
            (Target::Check(0), trigger(Source::First, vec![PlanStep::Rows(rows(1, &[Action::Bind(0)]))], Task::Report));
        assert!(unread_columns(&CompiledProgram { copies: vec![(1, 0)], ..program(&[1, 1], vec![read]) }).is_empty());
        assert_eq!(unread_columns(&CompiledProgram { copies: vec![(1, 0)], ..program(&[1, 1], vec![]) }).len(), 2);
    }
}
