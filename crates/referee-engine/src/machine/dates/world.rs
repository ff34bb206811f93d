//! Contexts, clocks and messages, and how happenings are dealt with.

use std::collections::VecDeque;
use std::sync::Arc;

use referee_spec::core::machine::dates::{
    ClockAct, Dates, MOST_HAPPENINGS, Property, State, Statement, Transition, Trigger,
};
use referee_spec::core::{Problem, Span};
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::clocks::{Clocks, Going, Owner};
use super::compute::Scene;
use super::contexts::{ContextId, Contexts, GLOBAL};
use super::plan::Plan;

/// Something that cannot be computed, and where.
pub type Trouble = (Problem, Span);

/// A violation: the values of the keys, and what it says.
pub type Found = (Vec<Option<Atom>>, Arc<str>);

/// A message that waits to be dealt with.
#[derive(Debug)]
pub struct Message {
    /// The channel.
    pub channel: usize,
    /// What it carries.
    pub arguments: Vec<Atom>,
    /// The context of the channel.
    pub root: ContextId,
    /// Where it was sent.
    pub span: Span,
}

/// All that a file of DATEs has come to.
#[derive(Debug)]
pub struct World {
    /// What is judged.
    pub dates: Arc<Dates>,
    /// The open contexts.
    pub contexts: Contexts,
    /// The timeouts that are ahead.
    pub clocks: Clocks,
    /// The violations that nobody has taken yet.
    pub found: Vec<Found>,
    /// The place of each variable among those of its scope.
    pub variable_places: Vec<usize>,
    /// The place of each clock among those of its scope.
    clock_places: Vec<usize>,
    /// By property and state, the transitions in textual order.
    transitions: Vec<Vec<Vec<usize>>>,
    /// By property and state, what a violation says, where the state is bad.
    messages_of_bad: Vec<Vec<Option<Arc<str>>>>,
    /// By clock and delay.
    timeouts: Vec<Vec<Plan>>,
    /// By channel and number of values.
    channels: Vec<Vec<Plan>>,
    waiting: VecDeque<Message>,
    /// The time.
    pub now: Number,
    /// Whether GLOBAL is open.
    pub begun: bool,
    /// How many timeouts and messages have come since the last event.
    pub count: u64,
    targets: Vec<ContextId>,
    own: Vec<Atom>,
}

impl World {
    /// Before the first point.
    pub fn new(dates: &Arc<Dates>, values: &mut Values) -> World {
        let timeout = |clock: usize, delay: usize, values: &mut Values| {
            Plan::new(dates, |trigger| *trigger == Trigger::Timeout(clock, delay), 0, values)
        };
        let delays = |clock: usize| 0..dates.clocks[clock].delays.len();
        let all =
            (0..dates.clocks.len()).map(|clock| delays(clock).map(|delay| timeout(clock, delay, values)).collect());
        let timeouts = all.collect();
        let received = |channel: usize, arity: usize, values: &mut Values| {
            Plan::new(dates, |trigger| *trigger == Trigger::Received(channel), arity, values)
        };
        let longest = longest_message(dates);
        let all = (0..dates.channels.len())
            .map(|channel| (0..=longest).map(|arity| received(channel, arity, values)).collect());
        let channels = all.collect();
        World {
            channels,
            contexts: Contexts::new(dates, values),
            dates: dates.clone(),
            clocks: Clocks::default(),
            found: Vec::new(),
            variable_places: places(dates.variables.len(), dates.scopes.iter().map(|scope| &scope.variables[..])),
            clock_places: places(dates.clocks.len(), dates.scopes.iter().map(|scope| &scope.clocks[..])),
            transitions: dates.properties.iter().map(by_state).collect(),
            messages_of_bad: dates.properties.iter().map(messages).collect(),
            timeouts,
            waiting: VecDeque::new(),
            now: Number::from(0),
            begun: false,
            count: 0,
            targets: Vec::new(),
            own: Vec::new(),
        }
    }

    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            self.open(0, GLOBAL, &[]);
        }
    }

    fn open(&mut self, scope: usize, parent: ContextId, own: &[Atom]) {
        let context = self.contexts.open(scope, parent, own, &self.now);
        for place in 0..self.dates.scopes[scope].clocks.len() {
            self.watch(context, place);
        }
    }

    /// Sees to it that a clock of a context will be looked at in time.
    pub fn watch(&mut self, context: ContextId, place: usize) {
        let open = self.contexts.get_mut(context);
        let clock = self.dates.scopes[open.scope].clocks[place];
        let owner = Owner { serial: open.serial, clock, place, context };
        self.clocks.watch(&mut open.clocks[place], &self.dates.clocks[clock].delays, owner);
    }

    // ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Lets time go on to that of a point.
    pub fn reach(&mut self, time: Number, values: &mut Values) -> Result<(), Trouble> {
        if !self.begun {
            self.now = time;
            self.begin();
            return Ok(());
        }
        while let Some((due, owner)) = self.clocks.next_before(&time) {
            self.look_at(due, owner, values)?;
        }
        if time > self.now {
            self.now = time;
        }
        Ok(())
    }

    /// Looks at a clock when its time has come.
    fn look_at(&mut self, due: Number, owner: Owner, values: &mut Values) -> Result<(), Trouble> {
        let Owner { serial, clock, place, context } = owner;
        let still_open = self.contexts.find(context).is_some_and(|open| open.serial == serial);
        if !still_open || !Clocks::counts(&mut self.contexts.get_mut(context).clocks[place], &due) {
            return Ok(());
        }
        let watch = &self.contexts.get(context).clocks[place];
        let delay = watch.next;
        if watch.due(&self.dates.clocks[clock].delays).as_ref() != Some(&due) {
            self.watch(context, place);
            return Ok(());
        }
        self.time_out(due, owner, delay, values)?;
        if self.contexts.find(context).is_some_and(|open| open.serial == serial) {
            self.watch(context, place);
        }
        Ok(())
    }

    fn time_out(&mut self, due: Number, owner: Owner, delay: usize, values: &mut Values) -> Result<(), Trouble> {
        self.now = due;
        self.contexts.get_mut(owner.context).clocks[owner.place].next = delay + 1;
        let plan = std::mem::take(&mut self.timeouts[owner.clock][delay]);
        let place = self.timeout_place(owner.clock, delay);
        let dealt = self.count_one(place).and_then(|()| self.deal_with(&plan, &[], owner.context, values));
        self.timeouts[owner.clock][delay] = plan;
        dealt?;
        self.deliver(values)
    }

    /// Where a timeout is first written.
    fn timeout_place(&self, clock: usize, delay: usize) -> Span {
        let mut ways = self.dates.events.iter().flat_map(|event| &event.ways);
        let found = ways.find(|way| way.trigger == Trigger::Timeout(clock, delay));
        found.map_or(Span { start: 0, end: 0 }, |way| way.span)
    }

    fn count_one(&mut self, span: Span) -> Result<(), Trouble> {
        self.count += 1;
        if self.count > MOST_HAPPENINGS { Err((Problem::Restless, span)) } else { Ok(()) }
    }

    /// Time goes on after the last point: all timeouts that are ahead come, as long as their clocks are left alone.
    pub fn end(&mut self, values: &mut Values) -> Result<(), Trouble> {
        let mut ahead: Vec<(Number, Owner, usize, u64)> = Vec::new();
        for (context, open) in self.contexts.all() {
            for (place, watch) in open.clocks.iter().enumerate() {
                let clock = self.dates.scopes[open.scope].clocks[place];
                let Going::Since(since) = &watch.going else { continue };
                for (delay, length) in self.dates.clocks[clock].delays.iter().enumerate().skip(watch.next) {
                    let owner = Owner { serial: open.serial, clock, place, context };
                    ahead.push((since.add(length), owner, delay, watch.touched));
                }
            }
        }
        ahead.sort();
        for (due, owner, delay, touched) in ahead {
            if self.contexts.get(owner.context).clocks[owner.place].touched == touched {
                self.time_out(due, owner, delay, values)?;
            }
        }
        Ok(())
    }

    /// How many automata wait for a timeout that is ahead.
    pub fn pending(&self) -> u64 {
        let all = self.contexts.all().map(|(id, context)| {
            let automata = self.dates.scopes[context.scope].properties.iter().zip(&context.states);
            automata.filter(|(property, state)| self.waits(id, **property, **state as usize)).count() as u64
        });
        all.sum()
    }

    fn waits(&self, context: ContextId, property: usize, state: usize) -> bool {
        let steps =
            self.transitions[property][state].iter().map(|step| &self.dates.properties[property].transitions[*step]);
        steps.flat_map(|step| &self.dates.events[step.event].ways).any(|way| match way.trigger {
            Trigger::Timeout(clock, delay) => {
                let (owner, place) = self.clock(context, clock);
                let watch = &self.contexts.get(owner).clocks[place];
                matches!(watch.going, Going::Since(_)) && delay >= watch.next
            }
            _ => false,
        })
    }

    /// The context of a clock that is visible from another, and its place there.
    pub fn clock(&self, context: ContextId, clock: usize) -> (ContextId, usize) {
        (self.owner(context, self.dates.clocks[clock].scope), self.clock_places[clock])
    }

    /// The context of a scope, among one and those that it stands in.
    pub fn owner(&self, mut context: ContextId, scope: usize) -> ContextId {
        while self.contexts.get(context).scope != scope && context != GLOBAL {
            context = self.contexts.get(context).parent;
        }
        context
    }

    // ── Happenings ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Deals with an event of the trace, and with the messages that follow from it.
    pub fn observe(&mut self, plan: &Plan, arguments: &[Atom], values: &mut Values) -> Result<(), Trouble> {
        self.begin();
        self.count = 0;
        self.deal_with(plan, arguments, GLOBAL, values)?;
        self.deliver(values)
    }

    fn deliver(&mut self, values: &mut Values) -> Result<(), Trouble> {
        while let Some(Message { channel, arguments, root, span }) = self.waiting.pop_front() {
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
        plan: &Plan,
        arguments: &[Atom],
        root: ContextId,
        values: &mut Values,
    ) -> Result<(), Trouble> {
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

    fn open_contexts(&mut self, plan: &Plan, arguments: &[Atom], root: ContextId) {
        let mut own = std::mem::take(&mut self.own);
        for (scope, way) in &plan.opens {
            let way = &plan.ways[*way];
            let Some(outer) = self.dates.scopes[*scope].parent else { continue };
            if !way.fits(arguments) {
                continue;
            }
            let (from, to) = self.contexts.layouts[outer].own;
            way.shown(from, to, arguments, &mut own);
            let is_parent = |id: &ContextId| way.agrees(arguments, &self.contexts.get(*id).keys);
            let Some(parent) = self.contexts.with_own(outer, &own).find(is_parent) else { continue };
            let (from, to) = self.contexts.layouts[*scope].own;
            way.shown(from, to, arguments, &mut own);
            let there = self.contexts.with_own(*scope, &own).any(|id| self.contexts.get(id).parent == parent);
            if !there && self.is_below(parent, root) {
                self.open(*scope, parent, &own);
            }
        }
        self.own = own;
    }

    /// Whether a context is another one or stands below it.
    fn is_below(&self, context: ContextId, root: ContextId) -> bool {
        let scope = self.contexts.get(root).scope;
        root == GLOBAL || self.owner(context, scope) == root
    }

    /// The contexts that a happening everywhere may move, in the order of their turns.
    fn reached(&mut self, plan: &Plan, arguments: &[Atom], targets: &mut Vec<ContextId>) {
        let mut own = std::mem::take(&mut self.own);
        for (scope, ways) in &plan.moves {
            let (from, to) = self.contexts.layouts[*scope].own;
            for way in ways.iter().map(|way| &plan.ways[*way]).filter(|way| way.fits(arguments)) {
                if way.shown(from, to, arguments, &mut own) {
                    targets.extend(self.contexts.with_own(*scope, &own));
                } else {
                    targets.extend_from_slice(self.contexts.of_scope(*scope));
                }
            }
        }
        self.own = own;
        if targets.len() > 1 {
            targets.sort_unstable_by(|one, other| self.contexts.get(*one).turn(self.contexts.get(*other)));
            targets.dedup();
        }
    }

    /// The contexts at and below one that a happening may move, in the order of their turns.
    fn below(&self, plan: &Plan, root: ContextId, targets: &mut Vec<ContextId>) {
        let mut open = vec![root];
        while let Some(context) = open.pop() {
            let scope = self.contexts.get(context).scope;
            if plan.moves.iter().any(|(known, _)| *known == scope) {
                targets.push(context);
            }
            open.extend_from_slice(&self.contexts.get(context).children);
        }
        targets.sort_unstable_by(|one, other| self.contexts.get(*one).turn(self.contexts.get(*other)));
    }

    fn move_context(
        &mut self,
        plan: &Plan,
        arguments: &[Atom],
        context: ContextId,
        values: &mut Values,
    ) -> Result<(), Trouble> {
        let dates = self.dates.clone();
        let scope = self.contexts.get(context).scope;
        for (place, property) in dates.scopes[scope].properties.iter().enumerate() {
            let state = self.contexts.get(context).states[place] as usize;
            for step in 0..self.transitions[*property][state].len() {
                let transition = &dates.properties[*property].transitions[self.transitions[*property][state][step]];
                if self.take(transition, plan, arguments, context, values)? {
                    self.contexts.get_mut(context).states[place] = transition.to as u32;
                    self.report(*property, transition.to, context);
                    break;
                }
            }
        }
        self.contexts.drop_if_at_rest(context);
        Ok(())
    }

    /// Takes a transition if its event fits and its condition holds; whether it did.
    fn take(
        &mut self,
        transition: &Transition,
        plan: &Plan,
        arguments: &[Atom],
        context: ContextId,
        values: &mut Values,
    ) -> Result<bool, Trouble> {
        let keys = &self.contexts.get(context).keys;
        let mut ways = plan.ways.iter().filter(|way| way.event == transition.event);
        let Some(way) = ways.find(|way| way.fits(arguments) && way.agrees(arguments, keys)) else { return Ok(false) };
        let scene = Scene { world: self, locals: &way.locals, arguments, context };
        if !scene.holds(&transition.guard, values)? {
            return Ok(false);
        }
        for statement in &transition.statements {
            self.execute(statement, &way.locals, arguments, context, values)?;
        }
        Ok(true)
    }

    fn report(&mut self, property: usize, state: usize, context: ContextId) {
        let Some(message) = self.messages_of_bad[property][state].clone() else { return };
        let mut bindings = vec![None; self.dates.keys.len()];
        let open = self.contexts.get(context);
        for (key, value) in self.contexts.layouts[open.scope].keys.iter().zip(&open.keys) {
            bindings[*key] = Some(*value);
        }
        self.found.push((bindings, message));
    }

    /// Lets a message wait until the happening at hand has been dealt with.
    pub fn send(&mut self, message: Message) {
        self.waiting.push_back(message);
    }

    /// Does something with a clock that is visible from a context.
    pub fn touch(&mut self, context: ContextId, clock: usize, act: ClockAct) {
        let (owner, place) = self.clock(context, clock);
        self.contexts.get_mut(owner).clocks[place].touch(act, &self.now);
        self.watch(owner, place);
    }

    /// The time.
    pub fn now(&self) -> &Number {
        &self.now
    }
}

/// How many values a message carries at most.
fn longest_message(dates: &Dates) -> usize {
    let statements =
        dates.properties.iter().flat_map(|property| &property.transitions).flat_map(|step| &step.statements);
    let lengths = statements.map(|statement| match statement {
        Statement::Send(_, arguments, _) => arguments.len(),
        _ => 0,
    });
    lengths.max().unwrap_or(0)
}

/// The place of each of so many things in the list that has it.
fn places<'d>(count: usize, lists: impl Iterator<Item = &'d [usize]>) -> Vec<usize> {
    let mut places = vec![0; count];
    for (place, thing) in lists.flat_map(|list| list.iter().enumerate()) {
        places[*thing] = place;
    }
    places
}

fn by_state(property: &Property) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); property.states.len()];
    for (number, transition) in property.transitions.iter().enumerate() {
        lists[transition.from].push(number);
    }
    lists
}

fn messages(property: &Property) -> Vec<Option<Arc<str>>> {
    let message = |state: &State| state.bad.then(|| format!("{}: {}", property.name, state.name).into());
    property.states.iter().map(message).collect()
}
