//! The interpreter of formulas: any property, point by point.
//!
//! ```text
//!   Interpreter::new(property) ─▶ kind(name, fields) ─▶ step(time, events)* ─▶ end()
//!                                                     └▶ violations, each when it is decided
//! ```
//!
//! A *root* is what the property says at one point, as a table over the variables that violations report. A property that
//! is judged once has one root, the others one per point. A root stays as long as something in it is open; each point
//! settles what it can, and every assignment that becomes false is a violation.

use std::collections::HashSet;
use std::sync::Arc;

use referee_spec::core::{
    Domain, Equality, Judgement, Obstacle, Outcome, Property, Status, Term, UnseenOrder, Violation,
};
use referee_trace::number::Number;
use referee_trace::value::{Type, Value};

use crate::fo::interpret::algebra::Algebra;
use crate::fo::interpret::evaluate::{FormulaEvaluator, Occurrence};
use crate::fo::interpret::event_kind::EventKind;
use crate::fo::interpret::forgettable::Forgettable;
use crate::fo::interpret::plan::InterpretedFormula;
use crate::fo::interpret::table::{ConditionTable, earlier};
use crate::fo::interpret::variables::FormulaVar;
use crate::fo::interpret::violations::{Finding, Inspector};
use crate::shared::universe::{Universe, ValueId};

/// An event kind that a monitor knows: a name and field names, resolved once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct KindId(u32);

/// What a monitor of a property knows before the first point.
pub(crate) fn algebra(property: &Property) -> Algebra {
    let mut universe = Universe::new(property.equality == Equality::ByText);
    for constant in constants(property) {
        universe.name(&constant, 0);
    }
    let domains = vec![Vec::new(); property.sorts.len()];
    Algebra { universe, domains, unseen_order: property.unseen_order, ended: false }
}

/// What the property says at one point, as far as it is open.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub(super) point: u64,
    pub(super) table: ConditionTable,
}

/// Judges one property, point by point.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub(super) property: Arc<Property>,
    pub(super) evaluator: FormulaEvaluator,
    pub(super) kinds: Vec<EventKind>,
    pub(super) members: Vec<HashSet<ValueId>>,
    pub(super) roots: Vec<Root>,
    pub(super) violations: u64,
    pub(super) obstacle: Option<Obstacle>,
    /// What need not be remembered of dead values, once somebody asks for it.
    pub(super) forgettable: Option<Forgettable>,
}

impl Interpreter {
    /// A monitor before the first point.
    pub(crate) fn new(property: Arc<Property>) -> Interpreter {
        let compiled = Arc::new(InterpretedFormula::new(&property));
        let algebra = algebra(&property);
        let members = vec![HashSet::new(); property.sorts.len()];
        Interpreter {
            evaluator: FormulaEvaluator::new(compiled, algebra),
            property,
            kinds: Vec::new(),
            members,
            roots: Vec::new(),
            violations: 0,
            obstacle: None,
            forgettable: None,
        }
    }

    /// The property.
    pub(crate) fn property(&self) -> &Arc<Property> {
        &self.property
    }

    /// Resolves an event kind; `fields` are the names of its arguments, of which the first `positional` are positional.
    pub(crate) fn kind(&mut self, name: &str, fields: &[&str], positional: usize) -> KindId {
        let id = KindId(u32::try_from(self.kinds.len()).unwrap_or(u32::MAX));
        self.kinds.push(EventKind::of(&self.property, name, fields, positional));
        id
    }

    /// Whether events of a kind can make a difference.
    pub(crate) fn sees(&self, kind: KindId) -> bool {
        self.kinds[kind.0 as usize].is_seen()
    }

    /// The number of a value, for `step`.
    pub(crate) fn value(&mut self, value: &Value) -> ValueId {
        self.evaluator.algebra.universe.intern(value)
    }

    /// The number of a text, typed by itself unless a type is declared; by its text where the property compares so.
    pub(crate) fn text(&mut self, text: &str, declared: Option<Type>) -> ValueId {
        let value = match self.property.equality {
            Equality::ByText => Value::string(text),
            Equality::ByValue => Value::of_type(text, declared).unwrap_or_else(|| Value::string(text)),
        };
        self.value(&value)
    }

    /// Judges the next point and returns what it decides.
    pub(crate) fn step(&mut self, time: Option<&Number>, events: &[(KindId, &[ValueId])]) -> Vec<Violation> {
        let point = self.evaluator.point + 1;
        self.evaluator.begin(time.cloned().unwrap_or(Number::ZERO));
        let occurrences = events.iter().filter_map(|(kind, values)| self.enter(*kind, values, point)).collect();
        self.evaluator.happen(occurrences);
        self.judge()
    }

    /// Registers the values of an event, and keeps it if the property can see it.
    fn enter(&mut self, kind: KindId, values: &[ValueId], point: u64) -> Option<Occurrence> {
        self.kinds[kind.0 as usize].enter(values, point, &mut self.evaluator.algebra, &mut self.members)
    }

    fn judge(&mut self) -> Vec<Violation> {
        let point = self.evaluator.point;
        let decided = Some(point);
        let mut found = Vec::new();
        for root in &mut self.roots {
            root.table = self.evaluator.progress(&root.table);
        }
        if self.property.judgement != Judgement::Once || point == 1 {
            let compiled = self.evaluator.compiled.clone();
            let table = self.evaluator.table(&compiled.body);
            self.roots.push(Root { point, table });
        }
        self.inspect(decided, &mut found);
        self.evaluator.settle();
        self.violations += found.len() as u64;
        found.sort_by(Violation::report_order);
        found
    }

    /// Time passes: no point will come before this time. Returns what that decides.
    pub(crate) fn advance(&mut self, time: &Number) -> Vec<Violation> {
        let decided = Some(self.evaluator.point);
        let mut found = Vec::new();
        for root in &mut self.roots {
            root.table = self.evaluator.expire(&root.table, time);
        }
        self.inspect(decided, &mut found);
        self.violations += found.len() as u64;
        found.sort_by(Violation::report_order);
        found
    }

    /// Takes the violations out of the roots, and drops roots that have nothing open.
    fn inspect(&mut self, decided: Option<u64>, found: &mut Vec<Violation>) {
        let bindings: Vec<(FormulaVar, Domain)> = self.evaluator.compiled.bindings.clone();
        let judgement = self.property.judgement;
        let last = self.evaluator.point;
        let mut kept = Vec::with_capacity(self.roots.len());
        for mut root in std::mem::take(&mut self.roots) {
            let mut inspector = Inspector::new(&mut self.evaluator.algebra, &bindings);
            let findings = match judgement {
                Judgement::EveryPoint => inspector.first(&root.table).into_iter().collect(),
                Judgement::Once | Judgement::EveryBinding => inspector.take(&mut root.table),
            };
            if judgement == Judgement::EveryPoint && !findings.is_empty() {
                root.table = ConditionTable::constant(true);
            }
            let point = if judgement == Judgement::Once { decided.unwrap_or(last) } else { root.point };
            found.extend(findings.into_iter().map(|finding| self.violation(point, decided, finding)));
            if self.keeps(&root) {
                kept.push(root);
            }
        }
        self.roots = kept;
    }

    /// Whether a root can still change; one that is stuck is noted and dropped.
    fn keeps(&mut self, root: &Root) -> bool {
        let once = self.property.judgement == Judgement::Once;
        // A property judged once may be false of values that have yet to come.
        let open = root.table.is_pending() || (once && root.table.as_constant() != Some(true));
        if open && !self.evaluator.algebra.ended {
            return true;
        }
        // A value yet to be named could settle a test, unless tests are false of such values.
        let testing = !root.table.tests().is_empty() && self.property.unseen_order == UnseenOrder::Undecided;
        if testing && !self.evaluator.algebra.ended {
            return true;
        }
        let bindings = self.evaluator.compiled.bindings.clone();
        let obstacle = Inspector::new(&mut self.evaluator.algebra, &bindings).obstacle(&root.table);
        self.obstacle = earlier(self.obstacle.take(), obstacle);
        false
    }

    fn violation(&self, point: u64, decided: Option<u64>, finding: Finding) -> Violation {
        let value = |id: ValueId| self.evaluator.algebra.universe.value(id).clone();
        Violation {
            point,
            decided,
            opened: None,
            bindings: finding.into_iter().map(|binding| binding.map(value)).collect(),
            message: None,
        }
    }

    /// Ends a complete trace: decides everything that is open.
    pub(crate) fn end(&mut self) -> Outcome {
        let empty = self.evaluator.point == 0;
        if empty && self.property.judgement == Judgement::Once {
            self.evaluator.begin(Number::ZERO);
            self.evaluator.void = true;
            let compiled = self.evaluator.compiled.clone();
            let table = self.evaluator.table(&compiled.body);
            self.roots.push(Root { point: 1, table });
        }
        let open: Vec<Root> = self.roots.clone();
        self.evaluator.algebra.ended = true;
        for root in &mut self.roots {
            root.table = self.evaluator.progress(&root.table);
        }
        let mut found = Vec::new();
        self.inspect(None, &mut found);
        for violation in &mut found {
            violation.opened = self.opened(&open, violation);
        }
        if empty {
            found.iter_mut().for_each(|violation| violation.point = 0);
        }
        self.violations += found.len() as u64;
        found.sort_by(Violation::report_order);
        Outcome { status: self.status(), violations: found, pending: 0, obstacle: self.obstacle.clone() }
    }

    /// The point that opened the obligation which the end of the trace broke, given what was open before the end.
    fn opened(&mut self, open: &[Root], violation: &Violation) -> Option<u64> {
        if self.property.judgement != Judgement::Once {
            return Some(violation.point);
        }
        let mut table = open.first()?.table.clone();
        let vars: Vec<FormulaVar> = self.evaluator.compiled.bindings.iter().map(|(var, _)| *var).collect();
        for (var, value) in vars.into_iter().zip(&violation.bindings) {
            let id = value.as_ref().and_then(|value| self.evaluator.algebra.universe.find(value));
            table = match id {
                Some(id) => self.evaluator.algebra.at(&table, var, id),
                None => self.evaluator.algebra.strip(&table, var),
            };
        }
        table.opened()
    }

    /// Ends a trace that may go on: what is open stays open, and is counted.
    pub(crate) fn pause(&mut self) -> Outcome {
        let bindings = self.evaluator.compiled.bindings.clone();
        let mut pending = 0;
        if self.evaluator.point == 0 && self.property.judgement == Judgement::Once {
            pending = Inspector::new(&mut self.evaluator.algebra, &bindings).rows();
        }
        for root in &self.roots {
            let mut inspector = Inspector::new(&mut self.evaluator.algebra, &bindings);
            self.obstacle = earlier(self.obstacle.take(), inspector.obstacle(&root.table));
            pending += match self.property.judgement {
                Judgement::EveryPoint => 1,
                Judgement::Once | Judgement::EveryBinding => inspector.pending(&root.table),
            };
        }
        Outcome { status: self.status(), violations: Vec::new(), pending, obstacle: self.obstacle.clone() }
    }

    /// Whether the verdict on a point is open.
    pub(crate) fn is_open(&self, point: u64) -> bool {
        self.roots.binary_search_by_key(&point, |root| root.point).is_ok()
    }

    /// On how many points the verdict is open.
    pub(crate) fn open_points(&self) -> usize {
        self.roots.len()
    }

    fn status(&self) -> Status {
        match (self.violations, &self.obstacle) {
            (0, None) => Status::Satisfied,
            (0, Some(_)) => Status::GaveUp,
            _ => Status::Violated,
        }
    }

    /// How many rows each past operator keeps, with the operator's text and variables.
    pub(crate) fn table_sizes(&self) -> Vec<(String, usize)> {
        let sizes = self.evaluator.sizes();
        self.evaluator
            .compiled
            .pasts
            .iter()
            .zip(sizes)
            .map(|(past, size)| (self.property.text(past.span).to_owned(), size))
            .collect()
    }
}

/// The constants of a property, in textual order.
pub(crate) fn constants(property: &Property) -> Vec<Value> {
    let mut found = Vec::new();
    let bodies = property.definitions.iter().map(|definition| &definition.body).chain([&property.body]);
    for body in bodies {
        body.visit(&mut |formula| {
            for term in formula.kind.terms() {
                collect_constants(term, formula.span.start, &mut found);
            }
        });
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, value)| value).collect()
}

fn collect_constants(term: &Term, start: usize, found: &mut Vec<(usize, Value)>) {
    match term {
        Term::Constant(value) => found.push((start, value.clone())),
        Term::Binary(_, left, right) => {
            collect_constants(left, start, found);
            collect_constants(right, start, found);
        }
        Term::Negate(body) | Term::Apply(_, body) => collect_constants(body, start, found),
        Term::Variable(_) | Term::Field(_) | Term::Any | Term::PointNumber | Term::PointTime => {}
    }
}
