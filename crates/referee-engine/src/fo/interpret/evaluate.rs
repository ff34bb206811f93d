//! Evaluating a plan at a point.
//!
//! ```text
//!   begin(point) ─▶ tree(plan) … join ─▶ settle()
//!                     │ events of the point ─▶ tables
//!                     │ pasts: output from state ─▶ tables        (once per point)
//!                     └ futures: what holds now, and Later        (once per point and origin)
//! ```
//!
//! A past operator gives its value from what it remembers and, where its interval contains 0, from the current point; only
//! `settle` stores the current point. So a recursive definition can read its own earlier values while it is evaluated.

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::{Comparison, DefId, Domain, Interval, Span, Term};
use referee_trace::number::Number;
use referee_trace::value::Value;

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::obligation::{FutureId, Later};
use crate::fo::interpret::operand::{Operand, OperandSlot, Test};
use crate::fo::interpret::past::{PastWindow, Runs};
use crate::fo::interpret::plan::{
    FormulaPlan, FutureKind, InterpretedFormula, PastId, PastKind, PlanAggregation, PlanAtom, PlanObservation, PlanTerm,
};
use crate::fo::interpret::regex_automaton::RegexAutomaton;
use crate::fo::interpret::table::{Condition, ConditionTable, Gathering, Open, Scope};
use crate::fo::interpret::tree::Tree;
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::universe::ValueId;

/// An event of the current point.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its arguments.
    pub fields: Arc<[Arc<str>]>,
    /// How many of them are positional.
    pub positional: usize,
    /// Its arguments.
    pub values: Vec<ValueId>,
}

impl Occurrence {
    fn field(&self, name: &str) -> Option<ValueId> {
        let at = self.fields.iter().position(|field| **field == *name)?;
        self.values.get(at).copied()
    }
}

/// What a past operator remembers.
#[derive(Debug, Clone)]
pub(crate) enum Memory {
    /// The previous point's time and table.
    Prev(Option<(Number, ConditionTable)>),
    /// The window of a since.
    Since(PastWindow),
    /// The runs in each state of the automaton.
    Match(Vec<Runs>),
}

/// The evaluation of one compiled property.
#[derive(Debug)]
pub(crate) struct FormulaEvaluator {
    /// The plan.
    pub compiled: Arc<InterpretedFormula>,
    /// Values and joining.
    pub algebra: Algebra,
    /// The number of the current point.
    pub point: u64,
    /// Whether there is no point at all: temporal operators have nothing to look at.
    pub void: bool,
    /// What each past operator remembers.
    pub memories: Vec<Memory>,
    now: Number,
    /// Before which time no point will come, while somebody asks what that settles.
    horizon: Option<Number>,
    events: Vec<Occurrence>,
    outputs: Vec<Option<ConditionTable>>,
    advanced: Vec<bool>,
    stored: Vec<bool>,
    later: HashMap<(FutureId, Number), ConditionTable>,
    definitions: HashMap<DefId, ConditionTable>,
    /// The values of variables, while somebody asks for these alone.
    given: Vec<(FormulaVar, ValueId)>,
}

impl FormulaEvaluator {
    /// Nothing has happened yet.
    pub(crate) fn new(compiled: Arc<InterpretedFormula>, algebra: Algebra) -> FormulaEvaluator {
        let memories: Vec<Memory> = compiled
            .pasts
            .iter()
            .map(|past| match &past.kind {
                PastKind::Prev(_) => Memory::Prev(None),
                PastKind::Since { .. } => Memory::Since(PastWindow::default()),
                PastKind::Match(automaton) => Memory::Match(vec![Runs::default(); automaton.states()]),
            })
            .collect();
        let count = memories.len();
        FormulaEvaluator {
            compiled,
            algebra,
            point: 0,
            void: false,
            now: Number::ZERO,
            horizon: None,
            events: Vec::new(),
            memories,
            outputs: vec![None; count],
            advanced: vec![false; count],
            stored: vec![false; count],
            later: HashMap::new(),
            definitions: HashMap::new(),
            given: Vec::new(),
        }
    }

    /// Enters the next point.
    pub(crate) fn begin(&mut self, time: Number) {
        self.point += 1;
        self.now = time;
        self.events.clear();
        self.outputs.fill(None);
        self.advanced.fill(false);
        self.stored.fill(false);
        self.later.clear();
        self.definitions.clear();
        if self.compiled.mentions_number {
            let number = self.point_number();
            self.algebra.universe.name(&number, self.point);
        }
        if self.compiled.mentions_time {
            let time = Value::Number(self.now.clone());
            self.algebra.universe.name(&time, self.point);
        }
    }

    /// The events of the current point.
    pub(crate) fn happen(&mut self, events: Vec<Occurrence>) {
        self.events = events;
    }

    fn point_number(&self) -> Value {
        Value::Number(Number::Int(i64::try_from(self.point).unwrap_or(i64::MAX) - 1))
    }

    /// Stores what later points need to know of this one.
    pub(crate) fn settle(&mut self) {
        for index in 0..self.memories.len() {
            let id = PastId(u32::try_from(index).unwrap_or(u32::MAX));
            self.advance(id);
            self.store(id);
        }
    }

    /// The table of a plan at the current point.
    pub(crate) fn table(&mut self, plan: &FormulaPlan) -> ConditionTable {
        let tree = self.tree(plan);
        self.algebra.join(tree)
    }

    /// What a plan says where some variables have these values, at a point that is settled: over the others.
    pub(crate) fn table_given(&mut self, plan: &FormulaPlan, given: &[(FormulaVar, ValueId)]) -> ConditionTable {
        self.given.extend_from_slice(given);
        let table = match plan {
            // A look-up in its table, which is not gone through.
            FormulaPlan::Past(id, false) => self.output(*id),
            // A test, which is decided once its variables have values.
            FormulaPlan::Compare(..) => self.table(plan),
            plan => {
                let equal =
                    |(var, value): &(FormulaVar, ValueId)| Tree::table(ConditionTable::equals(*var, *value, true));
                let mut members: Vec<Tree> = given.iter().map(equal).collect();
                members.push(self.tree(plan));
                self.algebra.join(Tree::all(members))
            }
        };
        self.given.clear();
        given.iter().fold(table, |table, (var, value)| self.algebra.at(&table, *var, *value))
    }

    /// The tree of a plan at the current point.
    pub(crate) fn tree(&mut self, plan: &FormulaPlan) -> Tree {
        match plan {
            FormulaPlan::Constant(truth) => Tree::constant(*truth),
            FormulaPlan::Event(atom, negated) => self.event(atom, *negated),
            FormulaPlan::Compare(comparison, left, right, negated, span) => {
                self.compare(*comparison, left, right, *negated, *span, None)
            }
            FormulaPlan::Observe(observation, negated) => self.observe(observation, *negated),
            FormulaPlan::Join(all, members) => {
                Tree::Join(*all, members.iter().map(|member| self.tree(member)).collect())
            }
            FormulaPlan::Quantified(quantifier, var, domain, body) => {
                let body = self.tree(body);
                Tree::Quantified(*quantifier, *var, scope(*domain), Vec::new(), Box::new(body))
            }
            FormulaPlan::Past(_, negated) | FormulaPlan::Future(_, negated) if self.void => Tree::constant(*negated),
            FormulaPlan::Past(id, negated) => Tree::Leaf(self.output(*id), *negated),
            FormulaPlan::Future(id, negated) => Tree::Leaf(self.now_on(*id), *negated),
            FormulaPlan::Table(id, vars, negated) => Tree::Leaf(self.definition(*id, vars), *negated),
            FormulaPlan::Aggregate(aggregation, negated) => Tree::Leaf(self.aggregation(aggregation), *negated),
        }
    }

    fn aggregation(&mut self, aggregation: &PlanAggregation) -> ConditionTable {
        let body = self.table(&aggregation.body);
        // Result and argument are variables, or constants that a call has given for them.
        let slot = |operand: Option<Operand>| match operand {
            Some(Operand::Slot(slot)) => Some(slot),
            _ => None,
        };
        let (result, over) = (self.operand(&aggregation.result, None), self.operand(&aggregation.over, None));
        let (Some(result), Some(over)) = (slot(result), slot(over)) else { return ConditionTable::constant(false) };
        let spec = aggregation.spec.clone();
        let mut gathering = Gathering { spec, result, over, body, negated: false, point: self.point };
        // The groups that nobody asks for are not put together.
        for (var, value) in self.given.clone() {
            let body = self.algebra.at(&gathering.body, var, value);
            gathering = gathering.with(var, OperandSlot::Value(value), body);
        }
        self.algebra.gather(gathering)
    }

    fn event(&mut self, atom: &PlanAtom, negated: bool) -> Tree {
        let events = std::mem::take(&mut self.events);
        let mut matches = Vec::new();
        for event in events.iter().filter(|event| event.name == atom.name) {
            match &atom.arguments {
                None => matches.push(Tree::constant(true)),
                Some(terms) if terms.len() == event.positional => matches.push(self.arguments(terms, event, atom.span)),
                Some(_) => {}
            }
        }
        self.events = events;
        self.perhaps_negated(Tree::any(matches), negated)
    }

    fn arguments(&mut self, terms: &[PlanTerm], event: &Occurrence, span: Span) -> Tree {
        let mut members = Vec::with_capacity(terms.len());
        for (term, value) in terms.iter().zip(&event.values) {
            if !matches!(term, PlanTerm::Leaf(Term::Any)) {
                members.push(self.equals(term, *value, span, Some(event)));
            }
        }
        Tree::all(members)
    }

    fn equals(&mut self, term: &PlanTerm, value: ValueId, span: Span, event: Option<&Occurrence>) -> Tree {
        if let PlanTerm::Var(var) = term {
            return Tree::table(ConditionTable::equals(*var, value, true));
        }
        let right = Operand::Slot(OperandSlot::Value(value));
        match self.operand(term, event) {
            Some(left) => self.test(Comparison::Equal, left, right, false, span),
            None => Tree::constant(false),
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &PlanTerm,
        right: &PlanTerm,
        negated: bool,
        span: Span,
        event: Option<&Occurrence>,
    ) -> Tree {
        match (self.operand(left, event), self.operand(right, event)) {
            (Some(left), Some(right)) => self.test(comparison, left, right, negated, span),
            _ => Tree::constant(negated),
        }
    }

    fn test(&mut self, comparison: Comparison, left: Operand, right: Operand, negated: bool, span: Span) -> Tree {
        let point = self.point;
        Tree::table(self.algebra.test(Test { comparison, left, right, negated, point, span }))
    }

    fn observe(&mut self, observation: &PlanObservation, negated: bool) -> Tree {
        let events = std::mem::take(&mut self.events);
        let mut matches = Vec::new();
        for event in &events {
            if observation.present.iter().all(|field| event.field(field).is_some()) {
                matches.push(self.observed(observation, event));
            }
        }
        self.events = events;
        self.perhaps_negated(Tree::any(matches), negated)
    }

    fn observed(&mut self, observation: &PlanObservation, event: &Occurrence) -> Tree {
        let mut members = Vec::new();
        for (field, term) in &observation.required {
            match event.field(field) {
                Some(value) => members.push(self.equals(term, value, observation.span, Some(event))),
                None => return Tree::constant(false),
            }
        }
        if let Some((comparison, left, right)) = &observation.constraint {
            members.push(self.compare(*comparison, left, right, false, observation.span, Some(event)));
        }
        Tree::all(members)
    }

    fn perhaps_negated(&mut self, tree: Tree, negated: bool) -> Tree {
        if negated { Tree::Leaf(self.algebra.join(tree), true) } else { tree }
    }

    /// The operand of a term; nothing where it reads a field that the event lacks.
    fn operand(&mut self, term: &PlanTerm, event: Option<&Occurrence>) -> Option<Operand> {
        let value = |id: ValueId| Operand::Slot(OperandSlot::Value(id));
        Some(match term {
            PlanTerm::Var(var) => Operand::Slot(OperandSlot::Var(*var)),
            PlanTerm::Leaf(Term::Constant(constant)) => value(self.algebra.universe.intern(constant)),
            PlanTerm::Leaf(Term::Field(field)) => value(event?.field(field)?),
            PlanTerm::Leaf(Term::PointNumber) => {
                let number = self.point_number();
                value(self.algebra.universe.intern(&number))
            }
            PlanTerm::Leaf(Term::PointTime) => {
                let time = Value::Number(self.now.clone());
                value(self.algebra.universe.intern(&time))
            }
            PlanTerm::Leaf(_) => return None,
            PlanTerm::Binary(op, left, right) => {
                let (left, right) = (self.operand(left, event)?, self.operand(right, event)?);
                Operand::Binary(*op, Arc::new(left), Arc::new(right))
            }
            PlanTerm::Negate(body) => Operand::Negate(Arc::new(self.operand(body, event)?)),
            PlanTerm::Apply(function, body) => Operand::Apply(*function, Arc::new(self.operand(body, event)?)),
        })
    }

    // ── The past ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The value of a past operator at the current point.
    fn output(&mut self, id: PastId) -> ConditionTable {
        let index = id.0 as usize;
        self.advance(id);
        if let Some(table) = &self.outputs[index] {
            return table.clone();
        }
        let table = match &self.memories[index] {
            Memory::Since(window) if !self.given.is_empty() => {
                let live: Vec<ConditionTable> = window.live.iter().map(|(_, table)| table.clone()).collect();
                return self.any_given(&live);
            }
            Memory::Since(window) => window.value(&mut self.algebra),
            Memory::Match(states) => {
                let past = &self.compiled.pasts[index];
                let accept = if let PastKind::Match(automaton) = &past.kind { automaton.accept() } else { 0 };
                states[accept].value(&mut self.algebra, &past.interval, &self.now)
            }
            Memory::Prev(_) => ConditionTable::constant(false),
        };
        self.outputs[index] = Some(table.clone());
        table
    }

    /// That one of some tables holds, of the values that somebody asks for.
    fn any_given(&mut self, tables: &[ConditionTable]) -> ConditionTable {
        let given = self.given.clone();
        let mut ways = Vec::with_capacity(tables.len());
        for table in tables {
            let at =
                |table: ConditionTable, (var, value): &(FormulaVar, ValueId)| self.algebra.at(&table, *var, *value);
            ways.push(Tree::table(given.iter().fold(table.clone(), at)));
        }
        self.algebra.join(Tree::any(ways))
    }

    /// Moves a past operator on to the current point. Its value is worked out when somebody asks for it, unless it would
    /// change once the point is stored.
    fn advance(&mut self, id: PastId) {
        let index = id.0 as usize;
        if std::mem::replace(&mut self.advanced[index], true) {
            return;
        }
        let compiled = self.compiled.clone();
        let past = &compiled.pasts[index];
        // The operator's memory is out while its arguments are evaluated: those are other operators, or read it never.
        let mut memory = std::mem::replace(&mut self.memories[index], Memory::Prev(None));
        let value = match (&past.kind, &mut memory) {
            (PastKind::Prev(_), Memory::Prev(previous)) => Some(self.previous(previous, &past.interval)),
            (PastKind::Since { left, right, strict }, Memory::Since(window)) => {
                let reads_now = !strict && past.interval.contains(&Number::ZERO);
                let left = self.table(left);
                self.progress_window(window);
                let now = self.now.clone();
                window.restrict(&mut self.algebra, &left);
                window.advance(&mut self.algebra, &past.interval, &now);
                if reads_now {
                    let right = self.table(right);
                    window.push(&mut self.algebra, &past.interval, &now, right);
                    self.stored[index] = true;
                }
                (*strict).then(|| window.value(&mut self.algebra))
            }
            (PastKind::Match(automaton), Memory::Match(states)) => {
                self.stored[index] = true;
                self.match_past(automaton, states, &past.interval);
                None
            }
            _ => Some(ConditionTable::constant(false)),
        };
        self.memories[index] = memory;
        self.outputs[index] = value;
    }

    fn previous(&mut self, previous: &mut Option<(Number, ConditionTable)>, interval: &Interval) -> ConditionTable {
        match previous {
            Some((then, table)) if interval.contains(&self.now.sub(then)) => {
                *table = self.progress(table);
                table.clone()
            }
            _ => ConditionTable::constant(false),
        }
    }

    /// Stores the current point in an operator's memory, unless its value needed that already.
    fn store(&mut self, id: PastId) {
        let index = id.0 as usize;
        if std::mem::replace(&mut self.stored[index], true) {
            return;
        }
        let compiled = self.compiled.clone();
        let past = &compiled.pasts[index];
        match &past.kind {
            PastKind::Prev(body) => {
                let table = self.table(body);
                self.memories[index] = Memory::Prev(Some((self.now.clone(), table)));
            }
            PastKind::Since { right, .. } => {
                let table = self.table(right);
                if let Memory::Since(window) = &mut self.memories[index] {
                    window.push(&mut self.algebra, &past.interval, &self.now, table);
                }
            }
            PastKind::Match(_) => {}
        }
    }

    fn progress_window(&mut self, window: &mut PastWindow) {
        if window.is_pending() {
            window.map(|table| self.progress(table));
        }
    }

    /// Moves every run of a regular expression one step to the current point, and starts one there.
    fn match_past(&mut self, automaton: &RegexAutomaton<FormulaPlan>, states: &mut Vec<Runs>, interval: &Interval) {
        let formulas: Vec<ConditionTable> = automaton.formulas.iter().map(|formula| self.table(formula)).collect();
        for runs in states.iter_mut().filter(|runs| runs.is_pending()) {
            runs.map(|table| self.progress(table));
        }
        let mut arrived = vec![Runs::default(); automaton.states()];
        for (state, runs) in states.iter().enumerate() {
            for &(formula, to) in &automaton.steps[state] {
                let mut moved = runs.clone();
                if let Some(formula) = formula {
                    moved.restrict(&mut self.algebra, &formulas[formula]);
                }
                arrived[to].absorb(&mut self.algebra, moved);
            }
        }
        arrived[automaton.start()].begin(&self.now);
        *states = vec![Runs::default(); automaton.states()];
        for (state, runs) in arrived.iter().enumerate() {
            for (to, tests) in &automaton.closure[state] {
                let mut moved = runs.clone();
                for test in tests {
                    moved.restrict(&mut self.algebra, &formulas[*test]);
                }
                states[*to].absorb(&mut self.algebra, moved);
            }
        }
        for runs in states.iter_mut() {
            runs.expire(&mut self.algebra, interval, &self.now);
        }
    }

    // ── The future ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// The value of a future operator at the current point.
    fn now_on(&mut self, id: FutureId) -> ConditionTable {
        let compiled = self.compiled.clone();
        let future = &compiled.futures[id.0 as usize];
        // Without an interval the origin does not matter; leaving it out makes equal obligations equal.
        let origin = if future.interval.is_all() { Number::ZERO } else { self.now.clone() };
        match future.kind {
            FutureKind::Next(_) => self.later(id, &origin),
            _ => self.seen_from(id, &origin),
        }
    }

    fn later(&self, id: FutureId, origin: &Number) -> ConditionTable {
        let slots = self.compiled.futures[id.0 as usize].slots.clone();
        let (origin, opened) = (origin.clone(), self.point);
        ConditionTable::Leaf(Condition::open(Open::Later(Later { future: id, origin, slots, negated: false, opened })))
    }

    /// What a future operator, looked at from time `origin`, is worth at the current point.
    fn seen_from(&mut self, id: FutureId, origin: &Number) -> ConditionTable {
        let key = (id, origin.clone());
        if let Some(table) = self.later.get(&key) {
            return table.clone();
        }
        let compiled = self.compiled.clone();
        let future = &compiled.futures[id.0 as usize];
        let age = if future.interval.is_all() { Number::ZERO } else { self.now.sub(origin) };
        let within = future.interval.contains(&age);
        let tree = if future.interval.is_before(&age) {
            Tree::constant(false)
        } else {
            match &future.kind {
                FutureKind::Next(body) if within => self.tree(body),
                FutureKind::Next(_) => Tree::constant(false),
                FutureKind::Until { left, right } => {
                    let more = Tree::all(vec![self.tree(left), Tree::table(self.later(id, origin))]);
                    if within { Tree::any(vec![self.tree(right), more]) } else { more }
                }
                FutureKind::Match { automaton, state, first } => {
                    self.match_future(automaton, *state, *first, origin, within)
                }
            }
        };
        let table = self.algebra.join(tree);
        self.later.insert(key, table.clone());
        table
    }

    fn match_future(
        &mut self,
        automaton: &RegexAutomaton<FormulaPlan>,
        state: usize,
        first: FutureId,
        origin: &Number,
        within: bool,
    ) -> Tree {
        let mut ways = Vec::new();
        for (reached, tests) in &automaton.closure[state] {
            let mut guard: Vec<Tree> = tests.iter().map(|test| self.tree(&automaton.formulas[*test])).collect();
            if within && *reached == automaton.accept() {
                ways.push(Tree::all(guard.clone()));
            }
            for &(formula, to) in &automaton.steps[*reached] {
                let kept = guard.len();
                guard.extend(formula.map(|formula| self.tree(&automaton.formulas[formula])));
                let to = FutureId(first.0 + u32::try_from(to).unwrap_or(0));
                guard.push(Tree::table(self.later(to, origin)));
                ways.push(Tree::all(guard.clone()));
                guard.truncate(kept);
            }
        }
        Tree::any(ways)
    }

    /// A table of earlier points, with what the current point settles.
    pub(crate) fn progress(&mut self, table: &ConditionTable) -> ConditionTable {
        if !table.is_pending() {
            return table.clone();
        }
        match table {
            ConditionTable::Leaf(condition) => {
                let tree = self.progress_condition(condition);
                self.algebra.join(tree)
            }
            ConditionTable::Node(node) => {
                let rows: Vec<(ValueId, ConditionTable)> =
                    node.rows.iter().map(|(value, row)| (*value, self.progress(row))).collect();
                let rest = self.progress(&node.rest);
                self.algebra.level(node.var, rows, rest)
            }
        }
    }

    /// A table of earlier points, with what is settled if no point comes before a time.
    pub(crate) fn expire(&mut self, table: &ConditionTable, time: &Number) -> ConditionTable {
        self.horizon = Some(time.clone());
        let settled = self.progress(table);
        self.horizon = None;
        settled
    }

    fn progress_condition(&mut self, condition: &Condition) -> Tree {
        let node = match condition {
            Condition::Open(node) if node.pending => node,
            _ => return Tree::table(ConditionTable::Leaf(condition.clone())),
        };
        match &node.open {
            Open::All(members) => Tree::all(members.iter().map(|member| self.progress_condition(member)).collect()),
            Open::Any(members) => Tree::any(members.iter().map(|member| self.progress_condition(member)).collect()),
            Open::Later(later) => Tree::Leaf(self.arrived(later), later.negated),
            Open::Residual(residual) => {
                let body = Tree::table(self.progress(&residual.body));
                Tree::Quantified(
                    residual.quantifier,
                    residual.var,
                    residual.scope,
                    residual.apart.clone(),
                    Box::new(body),
                )
            }
            Open::Gathering(gathering) => {
                let body = self.progress(&gathering.body);
                Tree::table(self.algebra.gather(Gathering { body, ..gathering.clone() }))
            }
            Open::Test(_) | Open::Stuck(_) => Tree::table(ConditionTable::Leaf(condition.clone())),
        }
    }

    /// What was open until the next point, now that this is that point; false if there is none.
    fn arrived(&mut self, later: &Later) -> ConditionTable {
        if self.algebra.ended {
            return ConditionTable::constant(false);
        }
        if let Some(horizon) = &self.horizon {
            let interval = &self.compiled.futures[later.future.0 as usize].interval;
            return match interval.is_before(&horizon.sub(&later.origin)) {
                true => ConditionTable::constant(false),
                false => ConditionTable::Leaf(Condition::open(Open::Later(Later { negated: false, ..later.clone() }))),
            };
        }
        let mut table = self.seen_from(later.future, &later.origin);
        let own = self.compiled.futures[later.future.0 as usize].slots.clone();
        for (own, slot) in own.iter().zip(later.slots.iter()) {
            match (own, slot) {
                (OperandSlot::Var(var), OperandSlot::Value(value)) => table = self.algebra.at(&table, *var, *value),
                (OperandSlot::Var(var), OperandSlot::Var(other)) if var != other => {
                    table = self.algebra.rename(&table, *var, *other)
                }
                _ => {}
            }
        }
        // The table holds for the operator itself; the negation, if it is meant, comes on top of it.
        if table.is_pending() { table.map_conditions(&mut |condition| condition.inherit(later)) } else { table }
    }

    // ── Recursive definitions ───────────────────────────────────────────────────────────────────────────────────────

    /// The table of a recursive definition at the current point, over the variables of a call.
    fn definition(&mut self, id: DefId, vars: &[FormulaVar]) -> ConditionTable {
        let compiled = self.compiled.clone();
        let Some(definition) = compiled.definitions.get(&id) else { return ConditionTable::constant(false) };
        let table = match self.definitions.get(&id) {
            Some(table) => table.clone(),
            None => {
                let table = self.table(&definition.body);
                self.definitions.insert(id, table.clone());
                table
            }
        };
        definition
            .parameters
            .iter()
            .zip(vars)
            .rev()
            .fold(table, |table, (parameter, var)| self.algebra.rename(&table, *parameter, *var))
    }

    /// Names, sizes and contents of what is remembered: one row per past operator.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.memories
            .iter()
            .map(|memory| match memory {
                Memory::Prev(previous) => previous.iter().map(|(_, table)| table.row_count()).sum(),
                Memory::Since(window) => window.tables().map(ConditionTable::row_count).sum(),
                Memory::Match(states) => states.iter().flat_map(Runs::tables).map(ConditionTable::row_count).sum(),
            })
            .collect()
    }
}

/// The scope of a quantifier at the point where it stands.
fn scope(domain: Domain) -> Scope {
    match domain {
        Domain::Infinite => Scope::Infinite { after: 0 },
        Domain::Trace(sort) => Scope::Trace { sort: sort.0, after: 0 },
        Domain::SoFar(sort) => Scope::SoFar { sort: sort.0 },
    }
}
