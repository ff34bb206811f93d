//! DATEs by their definition: a list of contexts that is searched from end to end for everything.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use referee_spec::core::machine::dates::{
    ClockAct, DateExpression, DateGuard, DateStatement, DateTrigger, Dates, MOST_HAPPENINGS, Way,
};
use referee_spec::core::{Obstacle, Outcome, Problem, Span, Status, Violation};
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::value::Value;

use super::values::{Computed, Content, compare, compute};
use crate::arithmetic::Trouble;
use crate::question::Mode;

pub(super) fn judge(dates: &Dates, trace: &OwnedTrace, mode: Mode) -> Outcome {
    let mut world = DatesWorld::new(dates);
    let last = trace.points.len() as u64;
    let mut obstacle = None;
    for (number, point) in (1u64..).zip(&trace.points) {
        let time = point.time.clone().unwrap_or_else(|| Number::from(number as i64));
        let before = world.violations.len();
        (world.point, world.decided) = (number, Some(number));
        let judged = world.reach(&time).and_then(|()| {
            point.events.iter().try_for_each(|event| {
                let arguments = event.arguments[..event.positional].iter().map(|argument| argument.value()).collect();
                world.deal_with(DateTrigger::Observed(event.name.clone()), arguments, 0)
            })
        });
        if let Err((problem, span)) = judged {
            world.violations.truncate(before);
            obstacle = Some(Obstacle { point: number, span, problem });
            break;
        }
    }
    let pending = if mode == Mode::Prefix && obstacle.is_none() { world.pending() } else { 0 };
    if mode == Mode::Complete && obstacle.is_none() {
        let before = world.violations.len();
        world.decided = None;
        if let Err((problem, span)) = world.end() {
            world.violations.truncate(before);
            obstacle = Some(Obstacle { point: last, span, problem });
        }
    }
    let mut violations = world.violations;
    violations.sort_by(Violation::report_order);
    let status = match (violations.is_empty(), &obstacle) {
        (false, _) => Status::Violated,
        (true, Some(_)) => Status::GaveUp,
        (true, None) => Status::Satisfied,
    };
    Outcome { status, violations, pending, obstacle }
}

/// How a clock goes.
#[derive(Debug, Clone, PartialEq)]
enum Going {
    /// It runs since then.
    Since(Number),
    /// It stands at this.
    At(Number),
    Off,
}

struct Watch {
    going: Going,
    /// The first delay that is ahead.
    next: usize,
    /// How often somebody has touched it.
    touched: u64,
}

struct DatesContext {
    scope: usize,
    parent: Option<usize>,
    /// The values of its keys and of all it stands in.
    keys: BTreeMap<usize, Value>,
    variables: BTreeMap<usize, Content>,
    clocks: BTreeMap<usize, Watch>,
    states: BTreeMap<usize, usize>,
}

/// Something that happens to a context and those below it.
struct Happening {
    trigger: DateTrigger,
    arguments: Vec<Value>,
    root: usize,
    /// Where it was sent.
    span: Span,
}

struct DatesWorld<'d> {
    dates: &'d Dates,
    contexts: Vec<DatesContext>,
    now: Number,
    messages: VecDeque<Happening>,
    /// How many timeouts and messages there were since the last event.
    count: u64,
    point: u64,
    decided: Option<u64>,
    violations: Vec<Violation>,
}

const NOWHERE: Span = Span { start: 0, end: 0 };

impl<'d> DatesWorld<'d> {
    fn new(dates: &'d Dates) -> DatesWorld<'d> {
        DatesWorld {
            dates,
            contexts: Vec::new(),
            now: Number::from(0),
            messages: VecDeque::new(),
            count: 0,
            point: 0,
            decided: None,
            violations: Vec::new(),
        }
    }

    fn open(&mut self, scope: usize, parent: Option<usize>, own: &BTreeMap<usize, Value>) {
        let mut keys = parent.map_or(BTreeMap::new(), |parent| self.contexts[parent].keys.clone());
        keys.extend(self.dates.scopes[scope].keys.iter().map(|key| (*key, own[key].clone())));
        let scope_of = &self.dates.scopes[scope];
        let initial = |variable: &usize| {
            let content = self.dates.variables[*variable].initial.clone().map_or(Content::Unbound, Content::Value);
            (*variable, content)
        };
        let watch = |clock: &usize| (*clock, Watch { going: Going::Since(self.now.clone()), next: 0, touched: 0 });
        let start = |property: &usize| (*property, self.dates.properties[*property].start);
        self.contexts.push(DatesContext {
            scope,
            parent,
            keys,
            variables: scope_of.variables.iter().map(initial).collect(),
            clocks: scope_of.clocks.iter().map(watch).collect(),
            states: scope_of.properties.iter().map(start).collect(),
        });
    }

    // ── Time ────────────────────────────────────────────────────────────────────────────────────────────────────────

    /// All timeouts that are ahead: when, whose, which clock, which delay.
    fn ahead(&self) -> Vec<(Number, usize, usize, usize)> {
        let mut ahead = Vec::new();
        for (number, context) in self.contexts.iter().enumerate() {
            for (clock, watch) in &context.clocks {
                if let Going::Since(since) = &watch.going {
                    for (delay, length) in self.dates.clocks[*clock].delays.iter().enumerate().skip(watch.next) {
                        ahead.push((since.add(length), number, *clock, delay));
                    }
                }
            }
        }
        ahead.sort();
        ahead
    }

    /// Lets time go on to that of a point.
    fn reach(&mut self, time: &Number) -> Result<(), Trouble> {
        if self.contexts.is_empty() {
            self.now = time.clone();
            self.open(0, None, &BTreeMap::new());
        }
        while let Some((due, context, clock, delay)) = self.ahead().into_iter().next().filter(|(due, ..)| due < time) {
            self.time_out(due, context, clock, delay)?;
        }
        self.now = self.now.clone().max(time.clone());
        Ok(())
    }

    fn time_out(&mut self, due: Number, context: usize, clock: usize, delay: usize) -> Result<(), Trouble> {
        self.now = due;
        if let Some(watch) = self.contexts[context].clocks.get_mut(&clock) {
            watch.next = delay + 1;
        }
        self.deal_with(DateTrigger::Timeout(clock, delay), Vec::new(), context)
    }

    /// Time goes on after the last point.
    fn end(&mut self) -> Result<(), Trouble> {
        let touched = |world: &DatesWorld, context: usize, clock: usize| world.contexts[context].clocks[&clock].touched;
        let ahead: Vec<_> =
            self.ahead().into_iter().map(|timeout| (touched(self, timeout.1, timeout.2), timeout)).collect();
        for (before, (due, context, clock, delay)) in ahead {
            if touched(self, context, clock) == before {
                self.time_out(due, context, clock, delay)?;
            }
        }
        Ok(())
    }

    /// How many automata wait for a timeout that is ahead.
    fn pending(&self) -> u64 {
        let ahead = self.ahead();
        let mut pending = 0;
        for (number, context) in self.contexts.iter().enumerate() {
            for (property, state) in &context.states {
                let from_here = self.dates.properties[*property].transitions.iter().filter(|step| step.from == *state);
                let mut ways = from_here.flat_map(|step| &self.dates.events[step.event].ways);
                let waits = ways.any(|way| {
                    ahead.iter().any(|(_, owner, clock, delay)| {
                        way.trigger == DateTrigger::Timeout(*clock, *delay) && self.is_below(number, *owner)
                    })
                });
                pending += u64::from(waits);
            }
        }
        pending
    }

    // ── Happenings ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Deals with a happening and all messages that follow from it.
    fn deal_with(&mut self, trigger: DateTrigger, arguments: Vec<Value>, root: usize) -> Result<(), Trouble> {
        self.count = if matches!(trigger, DateTrigger::Timeout(..)) { self.count } else { 0 };
        let span = self.place(&trigger);
        self.messages.push_back(Happening { trigger, arguments, root, span });
        while let Some(happening) = self.messages.pop_front() {
            if !matches!(happening.trigger, DateTrigger::Observed(_)) {
                self.count += 1;
                if self.count > MOST_HAPPENINGS {
                    return Err((Problem::Restless, happening.span));
                }
            }
            self.open_contexts(&happening);
            self.visit(happening.root, &happening)?;
        }
        Ok(())
    }

    fn place(&self, trigger: &DateTrigger) -> Span {
        let mut ways = self.dates.events.iter().flat_map(|event| &event.ways);
        ways.find(|way| way.trigger == *trigger).map_or(NOWHERE, |way| way.span)
    }

    /// Whether a context is another one or stands below it.
    fn is_below(&self, context: usize, root: usize) -> bool {
        context == root || self.contexts[context].parent.is_some_and(|parent| self.is_below(parent, root))
    }

    fn open_contexts(&mut self, happening: &Happening) {
        let (dates, root) = (self.dates, self.contexts[happening.root].scope);
        for scope in 0..dates.scopes.len() {
            let Some(outer) = dates.scopes[scope].parent.filter(|_| dates.is_inside(scope, root) && scope != root)
            else {
                continue;
            };
            let lines = dates.events.iter().filter(|event| dates.is_inside(event.scope, scope));
            for way in lines.flat_map(|event| &event.ways) {
                let Some(keys) = shown(way, happening) else { continue };
                if dates.keys_of(scope).iter().all(|key| keys.contains_key(key)) {
                    self.open_below(scope, outer, &keys, happening.root);
                }
            }
        }
    }

    fn open_below(&mut self, scope: usize, outer: usize, keys: &BTreeMap<usize, Value>, root: usize) {
        for parent in 0..self.contexts.len() {
            let right = self.contexts[parent].scope == outer
                && self.is_below(parent, root)
                && agrees(&self.contexts[parent].keys, keys);
            let own = |context: &DatesContext| {
                self.dates.scopes[scope].keys.iter().all(|key| context.keys.get(key) == keys.get(key))
            };
            let there = self
                .contexts
                .iter()
                .any(|context| context.scope == scope && context.parent == Some(parent) && own(context));
            if right && !there {
                self.open(scope, Some(parent), keys);
            }
        }
    }

    /// Lets the automata of a context move, and those of all below it.
    fn visit(&mut self, context: usize, happening: &Happening) -> Result<(), Trouble> {
        let (dates, scope) = (self.dates, self.contexts[context].scope);
        for property in &dates.scopes[scope].properties {
            self.step(context, *property, happening)?;
        }
        for inner in (0..dates.scopes.len()).filter(|inner| dates.scopes[*inner].parent == Some(scope)) {
            for below in 0..self.contexts.len() {
                if self.contexts[below].scope == inner && self.contexts[below].parent == Some(context) {
                    self.visit(below, happening)?;
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, context: usize, property: usize, happening: &Happening) -> Result<(), Trouble> {
        let automaton = &self.dates.properties[property];
        let state = self.contexts[context].states[&property];
        for transition in automaton.transitions.iter().filter(|transition| transition.from == state) {
            let event = &self.dates.events[transition.event];
            let fits =
                |way: &&Way| shown(way, happening).is_some_and(|keys| agrees(&self.contexts[context].keys, &keys));
            let Some(way) = event.ways.iter().find(fits) else { continue };
            let locals = locals(way, event.locals.len(), happening);
            if !self.holds(&transition.guard, context, &locals)? {
                continue;
            }
            for statement in &transition.statements {
                self.execute(statement, context, &locals)?;
            }
            self.contexts[context].states.insert(property, transition.to);
            if automaton.states[transition.to].bad {
                self.violate(context, format!("{}: {}", automaton.name, automaton.states[transition.to].name).into());
            }
            return Ok(());
        }
        Ok(())
    }

    fn violate(&mut self, context: usize, message: Arc<str>) {
        let keys = &self.contexts[context].keys;
        let bindings = (0..self.dates.keys.len()).map(|key| keys.get(&key).cloned()).collect();
        let (point, decided) = (self.point, self.decided);
        self.violations.push(Violation { point, decided, opened: None, bindings, message: Some(message) });
    }

    // ── Conditions and actions ──────────────────────────────────────────────────────────────────────────────────────

    /// The context, among one and those that it stands in, of a scope.
    fn owner(&self, mut context: usize, scope: usize) -> usize {
        while self.contexts[context].scope != scope
            && let Some(parent) = self.contexts[context].parent
        {
            context = parent;
        }
        context
    }

    fn content(&self, variable: usize, context: usize) -> &Content {
        let owner = self.owner(context, self.dates.variables[variable].scope);
        &self.contexts[owner].variables[&variable]
    }

    fn holds(&self, guard: &DateGuard, context: usize, locals: &[Option<Value>]) -> Result<bool, Trouble> {
        match guard {
            DateGuard::Constant(truth) => Ok(*truth),
            DateGuard::Not(body) => Ok(!self.holds(body, context, locals)?),
            DateGuard::And(all) => {
                all.iter().try_fold(true, |truth, guard| Ok(truth && self.holds(guard, context, locals)?))
            }
            DateGuard::Or(all) => {
                all.iter().try_fold(false, |truth, guard| Ok(truth || self.holds(guard, context, locals)?))
            }
            DateGuard::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, context, locals)?, self.value(right, context, locals)?);
                Ok(matches!((left, right), (Computed::Value(a), Computed::Value(b)) if compare(*comparison, &a, &b)))
            }
            DateGuard::In(element, set) => match (self.value(element, context, locals)?, self.content(*set, context)) {
                (Computed::Value(value), Content::Set(set)) => Ok(set.contains(&value)),
                _ => Ok(false),
            },
            DateGuard::Empty(set) => Ok(match self.content(*set, context) {
                Content::Set(set) => set.is_empty(),
                _ => true,
            }),
        }
    }

    fn value(
        &self,
        expression: &DateExpression,
        context: usize,
        locals: &[Option<Value>],
    ) -> Result<Computed, Trouble> {
        let known = |value: Option<Value>| value.map_or(Computed::Unbound, Computed::Value);
        Ok(match expression {
            DateExpression::Constant(value) => Computed::Value(value.clone()),
            DateExpression::Key(key) => known(self.contexts[context].keys.get(key).cloned()),
            DateExpression::Local(local) => known(locals[*local].clone()),
            DateExpression::Variable(variable) => match self.content(*variable, context) {
                Content::Value(value) => Computed::Value(value.clone()),
                _ => Computed::Unbound,
            },
            DateExpression::Clock(clock) => {
                let owner = self.owner(context, self.dates.clocks[*clock].scope);
                match &self.contexts[owner].clocks[clock].going {
                    Going::Since(since) => Computed::Value(Value::Number(self.now.sub(since))),
                    Going::At(value) => Computed::Value(Value::Number(value.clone())),
                    Going::Off => Computed::Unbound,
                }
            }
            DateExpression::Binary(operator, left, right, span) => {
                let (left, right) = (self.value(left, context, locals)?, self.value(right, context, locals)?);
                compute(*operator, left, right, *span)?
            }
        })
    }

    fn needed(
        &self,
        expression: &DateExpression,
        span: Span,
        context: usize,
        locals: &[Option<Value>],
    ) -> Result<Value, Trouble> {
        match self.value(expression, context, locals)? {
            Computed::Value(value) => Ok(value),
            Computed::Unbound => Err((Problem::Unbound, span)),
            Computed::None => Err((Problem::NotANumber, span)),
        }
    }

    fn execute(&mut self, statement: &DateStatement, context: usize, locals: &[Option<Value>]) -> Result<(), Trouble> {
        match statement {
            DateStatement::Assign(variable, expression, span) => {
                let value = self.needed(expression, *span, context, locals)?;
                self.store(*variable, context, Content::Value(value));
            }
            DateStatement::Add(set, element, span) | DateStatement::Remove(set, element, span) => {
                let element = self.needed(element, *span, context, locals)?;
                let mut members = match self.content(*set, context) {
                    Content::Set(members) => members.clone(),
                    _ => Default::default(),
                };
                match statement {
                    DateStatement::Add(..) => members.insert(element),
                    _ => members.remove(&element),
                };
                self.store(*set, context, Content::Set(members));
            }
            DateStatement::Clear(set) => self.store(*set, context, Content::Unbound),
            DateStatement::Clock(clock, act) => self.touch(*clock, *act, context),
            DateStatement::Send(channel, arguments, span) => {
                let values: Result<Vec<Value>, Trouble> =
                    arguments.iter().map(|argument| self.needed(argument, *span, context, locals)).collect();
                let root = self.owner(context, self.dates.channels[*channel].1);
                let trigger = DateTrigger::Received(*channel);
                self.messages.push_back(Happening { trigger, arguments: values?, root, span: *span });
            }
        }
        Ok(())
    }

    fn store(&mut self, variable: usize, context: usize, content: Content) {
        let owner = self.owner(context, self.dates.variables[variable].scope);
        self.contexts[owner].variables.insert(variable, content);
    }

    fn touch(&mut self, clock: usize, act: ClockAct, context: usize) {
        let owner = self.owner(context, self.dates.clocks[clock].scope);
        let now = self.now.clone();
        let Some(watch) = self.contexts[owner].clocks.get_mut(&clock) else { return };
        watch.touched += u64::from(act != ClockAct::Resume);
        match (act, watch.going.clone()) {
            (ClockAct::Reset, _) => (watch.going, watch.next) = (Going::Since(now), 0),
            (ClockAct::Pause, Going::Since(since)) => watch.going = Going::At(now.sub(&since)),
            (ClockAct::Resume, Going::At(value)) => watch.going = Going::Since(now.sub(&value)),
            (ClockAct::Off, _) => watch.going = Going::Off,
            _ => {}
        }
    }
}

/// The values that a happening gives the keys of a way, if it fits that in some context.
fn shown(way: &Way, happening: &Happening) -> Option<BTreeMap<usize, Value>> {
    let given = happening.arguments.len();
    let enough = if way.open { given >= way.arguments.len() } else { given == way.arguments.len() };
    if way.trigger != happening.trigger || !enough {
        return None;
    }
    let (mut keys, mut locals) = (BTreeMap::new(), BTreeMap::new());
    for (wanted, value) in way.arguments.iter().zip(&happening.arguments) {
        let same_key = wanted.key.is_none_or(|key| keys.entry(key).or_insert_with(|| value.clone()) == value);
        let same_local = wanted.local.is_none_or(|local| locals.entry(local).or_insert_with(|| value.clone()) == value);
        if !same_key || !same_local || wanted.constant.as_ref().is_some_and(|constant| constant != value) {
            return None;
        }
    }
    Some(keys)
}

fn locals(way: &Way, count: usize, happening: &Happening) -> Vec<Option<Value>> {
    let mut locals = vec![None; count];
    for (wanted, value) in way.arguments.iter().zip(&happening.arguments) {
        if let Some(local) = wanted.local {
            locals[local] = Some(value.clone());
        }
    }
    locals
}

/// Whether no key has two values.
fn agrees(one: &BTreeMap<usize, Value>, other: &BTreeMap<usize, Value>) -> bool {
    one.iter().all(|(key, value)| other.get(key).is_none_or(|known| known == value))
}
