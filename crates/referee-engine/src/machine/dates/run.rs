//! Runs a file of DATEs: lets time pass, deals with events, timeouts and messages, and moves the automata of the contexts they reach.

use std::sync::Arc;

use referee_spec::core::machine::dates::{
    DateProperty, DateState, DateStatement, DateTransition, DateTrigger, Dates, MOST_HAPPENINGS,
};
use referee_spec::core::{Problem, Span};
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::clock::Going;
use super::contexts::{ContextId, GLOBAL};
use super::memory::{DatesMemory, DatesTrouble, Message};
use super::plan::DatesPlan;
use super::statements::{Scene, execute};
use super::timeouts::{TimeoutOwner, Timeouts};

/// A violation: the values of the keys, and what it says.
pub(super) type DatesFinding = (Vec<Option<Atom>>, Arc<str>);

/// A file of DATEs that is being judged.
#[derive(Debug)]
pub(super) struct DatesRun {
    /// Contexts, clocks and messages.
    pub memory: DatesMemory,
    /// The violations that nobody has taken yet.
    pub found: Vec<DatesFinding>,
    /// By property and state, the transitions in textual order.
    transitions: Vec<Vec<Vec<usize>>>,
    /// By property and state, what a violation says, where the state is bad.
    messages_of_bad: Vec<Vec<Option<Arc<str>>>>,
    /// By clock and delay.
    timeouts: Vec<Vec<DatesPlan>>,
    /// By channel and number of values.
    channels: Vec<Vec<DatesPlan>>,
    /// Whether GLOBAL is open.
    pub begun: bool,
    /// How many timeouts and messages have come since the last event.
    pub count: u64,
    targets: Vec<ContextId>,
    own: Vec<Atom>,
}

impl DatesRun {
    /// Before the first point.
    pub(super) fn new(dates: &Arc<Dates>, values: &mut Values) -> DatesRun {
        let timeout = |clock: usize, delay: usize, values: &mut Values| {
            DatesPlan::new(dates, |trigger| *trigger == DateTrigger::Timeout(clock, delay), 0, values)
        };
        let delays = |clock: usize| 0..dates.clocks[clock].delays.len();
        let all =
            (0..dates.clocks.len()).map(|clock| delays(clock).map(|delay| timeout(clock, delay, values)).collect());
        let timeouts = all.collect();
        let received = |channel: usize, arity: usize, values: &mut Values| {
            DatesPlan::new(dates, |trigger| *trigger == DateTrigger::Received(channel), arity, values)
        };
        let longest = longest_message(dates);
        let all = (0..dates.channels.len())
            .map(|channel| (0..=longest).map(|arity| received(channel, arity, values)).collect());
        let channels = all.collect();
        DatesRun {
            memory: DatesMemory::new(dates, values),
            channels,
            found: Vec::new(),
            transitions: dates.properties.iter().map(by_state).collect(),
            messages_of_bad: dates.properties.iter().map(messages).collect(),
            timeouts,
            begun: false,
            count: 0,
            targets: Vec::new(),
            own: Vec::new(),
        }
    }

    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            self.memory.open(0, GLOBAL, &[]);
        }
    }

    // ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Lets time go on to that of a point.
    pub(super) fn reach(&mut self, time: Number, values: &mut Values) -> Result<(), DatesTrouble> {
        if !self.begun {
            self.memory.now = time;
            self.begin();
            return Ok(());
        }
        while let Some((due, owner)) = self.memory.timeouts.next_before(&time) {
            self.look_at(due, owner, values)?;
        }
        if time > self.memory.now {
            self.memory.now = time;
        }
        Ok(())
    }

    /// Looks at a clock when its time has come.
    fn look_at(&mut self, due: Number, owner: TimeoutOwner, values: &mut Values) -> Result<(), DatesTrouble> {
        let TimeoutOwner { serial, clock, place, context } = owner;
        let still_open = self.memory.contexts.find(context).is_some_and(|open| open.serial == serial);
        if !still_open || !Timeouts::counts(&mut self.memory.contexts.get_mut(context).clocks[place], &due) {
            return Ok(());
        }
        let watch = &self.memory.contexts.get(context).clocks[place];
        let delay = watch.next;
        if watch.due(&self.memory.dates.clocks[clock].delays).as_ref() != Some(&due) {
            self.memory.watch(context, place);
            return Ok(());
        }
        self.time_out(due, owner, delay, values)?;
        if self.memory.contexts.find(context).is_some_and(|open| open.serial == serial) {
            self.memory.watch(context, place);
        }
        Ok(())
    }

    fn time_out(
        &mut self,
        due: Number,
        owner: TimeoutOwner,
        delay: usize,
        values: &mut Values,
    ) -> Result<(), DatesTrouble> {
        self.memory.now = due;
        self.memory.contexts.get_mut(owner.context).clocks[owner.place].next = delay + 1;
        let plan = std::mem::take(&mut self.timeouts[owner.clock][delay]);
        let place = self.timeout_place(owner.clock, delay);
        let dealt = self.count_one(place).and_then(|()| self.deal_with(&plan, &[], owner.context, values));
        self.timeouts[owner.clock][delay] = plan;
        dealt?;
        self.deliver(values)
    }

    /// Where a timeout is first written.
    fn timeout_place(&self, clock: usize, delay: usize) -> Span {
        let mut ways = self.memory.dates.events.iter().flat_map(|event| &event.ways);
        let found = ways.find(|way| way.trigger == DateTrigger::Timeout(clock, delay));
        found.map_or(Span { start: 0, end: 0 }, |way| way.span)
    }

    fn count_one(&mut self, span: Span) -> Result<(), DatesTrouble> {
        self.count += 1;
        if self.count > MOST_HAPPENINGS { Err((Problem::Restless, span)) } else { Ok(()) }
    }

    /// Time goes on after the last point: all timeouts that are ahead come, as long as their clocks are left alone.
    pub(super) fn end(&mut self, values: &mut Values) -> Result<(), DatesTrouble> {
        let mut ahead: Vec<(Number, TimeoutOwner, usize, u64)> = Vec::new();
        for (context, open) in self.memory.contexts.all() {
            for (place, watch) in open.clocks.iter().enumerate() {
                let clock = self.memory.dates.scopes[open.scope].clocks[place];
                let Going::Since(since) = &watch.going else { continue };
                for (delay, length) in self.memory.dates.clocks[clock].delays.iter().enumerate().skip(watch.next) {
                    let owner = TimeoutOwner { serial: open.serial, clock, place, context };
                    ahead.push((since.add(length), owner, delay, watch.touched));
                }
            }
        }
        ahead.sort();
        for (due, owner, delay, touched) in ahead {
            if self.memory.contexts.get(owner.context).clocks[owner.place].touched == touched {
                self.time_out(due, owner, delay, values)?;
            }
        }
        Ok(())
    }

    /// How many automata wait for a timeout that is ahead.
    pub(super) fn pending(&self) -> u64 {
        let all = self.memory.contexts.all().map(|(id, context)| {
            let automata = self.memory.dates.scopes[context.scope].properties.iter().zip(&context.states);
            automata.filter(|(property, state)| self.waits(id, **property, **state as usize)).count() as u64
        });
        all.sum()
    }

    fn waits(&self, context: ContextId, property: usize, state: usize) -> bool {
        let steps = self.transitions[property][state]
            .iter()
            .map(|step| &self.memory.dates.properties[property].transitions[*step]);
        steps.flat_map(|step| &self.memory.dates.events[step.event].ways).any(|way| match way.trigger {
            DateTrigger::Timeout(clock, delay) => {
                let (owner, place) = self.memory.clock(context, clock);
                let watch = &self.memory.contexts.get(owner).clocks[place];
                matches!(watch.going, Going::Since(_)) && delay >= watch.next
            }
            _ => false,
        })
    }

    // ── Happenings ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Deals with an event of the trace, and with the messages that follow from it.
    pub(super) fn observe(
        &mut self,
        plan: &DatesPlan,
        arguments: &[Atom],
        values: &mut Values,
    ) -> Result<(), DatesTrouble> {
        self.begin();
        self.count = 0;
        self.deal_with(plan, arguments, GLOBAL, values)?;
        self.deliver(values)
    }

    fn deliver(&mut self, values: &mut Values) -> Result<(), DatesTrouble> {
        while let Some(Message { channel, arguments, root, span }) = self.memory.waiting.pop_front() {
            self.count_one(span)?;
            let arity = arguments.len();
            let plan = std::mem::take(&mut self.channels[channel][arity]);
            let dealt = self.deal_with(&plan, &arguments, root, values);
            self.channels[channel][arity] = plan;
            dealt?;
        }
        Ok(())
    }

    fn deal_with(
        &mut self,
        plan: &DatesPlan,
        arguments: &[Atom],
        root: ContextId,
        values: &mut Values,
    ) -> Result<(), DatesTrouble> {
        self.open_contexts(plan, arguments, root);
        let mut targets = std::mem::take(&mut self.targets);
        targets.clear();
        match root {
            GLOBAL => self.reached(plan, arguments, &mut targets),
            _ => self.below(plan, root, &mut targets),
        }
        let mut result = Ok(());
        for &context in &targets {
            result = self.move_context(plan, arguments, context, values);
            if result.is_err() {
                break;
            }
        }
        self.targets = targets;
        result
    }

    fn open_contexts(&mut self, plan: &DatesPlan, arguments: &[Atom], root: ContextId) {
        let mut own = std::mem::take(&mut self.own);
        for (scope, way) in &plan.opens {
            let way = &plan.ways[*way];
            let Some(outer) = self.memory.dates.scopes[*scope].parent else { continue };
            if !way.fits(arguments) {
                continue;
            }
            let (from, to) = self.memory.contexts.layouts[outer].own;
            way.shown(from, to, arguments, &mut own);
            let is_parent = |id: &ContextId| way.agrees(arguments, &self.memory.contexts.get(*id).keys);
            let Some(parent) = self.memory.contexts.with_own(outer, &own).find(is_parent) else { continue };
            let (from, to) = self.memory.contexts.layouts[*scope].own;
            way.shown(from, to, arguments, &mut own);
            let there =
                self.memory.contexts.with_own(*scope, &own).any(|id| self.memory.contexts.get(id).parent == parent);
            if !there && self.is_below(parent, root) {
                self.memory.open(*scope, parent, &own);
            }
        }
        self.own = own;
    }

    /// Whether a context is another one or stands below it.
    fn is_below(&self, context: ContextId, root: ContextId) -> bool {
        let scope = self.memory.contexts.get(root).scope;
        root == GLOBAL || self.memory.owner(context, scope) == root
    }

    /// The contexts that a happening everywhere may move, in the order of their turns.
    fn reached(&mut self, plan: &DatesPlan, arguments: &[Atom], targets: &mut Vec<ContextId>) {
        let mut own = std::mem::take(&mut self.own);
        for (scope, ways) in &plan.moves {
            let (from, to) = self.memory.contexts.layouts[*scope].own;
            for way in ways.iter().map(|way| &plan.ways[*way]).filter(|way| way.fits(arguments)) {
                if way.shown(from, to, arguments, &mut own) {
                    targets.extend(self.memory.contexts.with_own(*scope, &own));
                } else {
                    targets.extend_from_slice(self.memory.contexts.of_scope(*scope));
                }
            }
        }
        self.own = own;
        if targets.len() > 1 {
            targets
                .sort_unstable_by(|one, other| self.memory.contexts.get(*one).turn(self.memory.contexts.get(*other)));
            targets.dedup();
        }
    }

    /// The contexts at and below one that a happening may move, in the order of their turns.
    fn below(&self, plan: &DatesPlan, root: ContextId, targets: &mut Vec<ContextId>) {
        let mut open = vec![root];
        while let Some(context) = open.pop() {
            let scope = self.memory.contexts.get(context).scope;
            if plan.moves.iter().any(|(known, _)| *known == scope) {
                targets.push(context);
            }
            open.extend_from_slice(&self.memory.contexts.get(context).children);
        }
        targets.sort_unstable_by(|one, other| self.memory.contexts.get(*one).turn(self.memory.contexts.get(*other)));
    }

    fn move_context(
        &mut self,
        plan: &DatesPlan,
        arguments: &[Atom],
        context: ContextId,
        values: &mut Values,
    ) -> Result<(), DatesTrouble> {
        let dates = self.memory.dates.clone();
        let scope = self.memory.contexts.get(context).scope;
        for (place, property) in dates.scopes[scope].properties.iter().enumerate() {
            let state = self.memory.contexts.get(context).states[place] as usize;
            for step in 0..self.transitions[*property][state].len() {
                let transition = &dates.properties[*property].transitions[self.transitions[*property][state][step]];
                if self.take(transition, plan, arguments, context, values)? {
                    self.memory.contexts.get_mut(context).states[place] = transition.to as u32;
                    self.report(*property, transition.to, context);
                    break;
                }
            }
        }
        self.memory.contexts.drop_if_at_rest(context);
        Ok(())
    }

    /// Takes a transition if its event fits and its condition holds; whether it did.
    fn take(
        &mut self,
        transition: &DateTransition,
        plan: &DatesPlan,
        arguments: &[Atom],
        context: ContextId,
        values: &mut Values,
    ) -> Result<bool, DatesTrouble> {
        let keys = &self.memory.contexts.get(context).keys;
        let mut ways = plan.ways.iter().filter(|way| way.event == transition.event);
        let Some(way) = ways.find(|way| way.fits(arguments) && way.agrees(arguments, keys)) else { return Ok(false) };
        let scene = Scene { memory: &self.memory, locals: &way.locals, arguments, context };
        if !scene.holds(&transition.guard, values)? {
            return Ok(false);
        }
        for statement in &transition.statements {
            execute(&mut self.memory, statement, &way.locals, arguments, context, values)?;
        }
        Ok(true)
    }

    fn report(&mut self, property: usize, state: usize, context: ContextId) {
        let Some(message) = self.messages_of_bad[property][state].clone() else { return };
        let mut bindings = vec![None; self.memory.dates.keys.len()];
        let open = self.memory.contexts.get(context);
        for (key, value) in self.memory.contexts.layouts[open.scope].keys.iter().zip(&open.keys) {
            bindings[*key] = Some(*value);
        }
        self.found.push((bindings, message));
    }
}

/// How many values a message carries at most.
fn longest_message(dates: &Dates) -> usize {
    let statements =
        dates.properties.iter().flat_map(|property| &property.transitions).flat_map(|step| &step.statements);
    let lengths = statements.map(|statement| match statement {
        DateStatement::Send(_, arguments, _) => arguments.len(),
        _ => 0,
    });
    lengths.max().unwrap_or(0)
}

fn by_state(property: &DateProperty) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); property.states.len()];
    for (number, transition) in property.transitions.iter().enumerate() {
        lists[transition.from].push(number);
    }
    lists
}

fn messages(property: &DateProperty) -> Vec<Option<Arc<str>>> {
    let message = |state: &DateState| state.bad.then(|| format!("{}: {}", property.name, state.name).into());
    property.states.iter().map(message).collect()
}
