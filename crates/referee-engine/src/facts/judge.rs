//! Finds the rules that an event concerns, and carries out what their firings do.

use std::sync::Arc;

use referee_spec::core::facts::{Effects, EventPattern, Lifetime, Relation, RuleSet};
use referee_spec::core::{Obstacle, Outcome, Problem, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::Want;
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use super::code::{RuleCompiler, RuleEvent, RulePattern, RuleScope, RuleTrouble};
use super::forgetting::forgettable;
use super::plan::{Effect, FactsPlan, plan};
use super::search::{MOST_COMBINATIONS, Search};
use super::table::{Access, FactsTable, NONE};
use crate::judge::{Damaged, Finding, Judge, Reader, RuleState, Size, Unsavable, Writer, mark_saved};
use crate::shared::saved_values::{read_values, write_values};

/// What a shape of events means to the rules.
#[derive(Debug, Default)]
struct RuleEvents {
    /// Whether such an event is a step at all.
    steps: bool,
    /// The rules to be tried, in textual order.
    rules: Box<[usize]>,
    /// Where the fields that terms mention stand.
    fields: Box<[Option<usize>]>,
    /// Which patterns of tests it admits.
    happens: Box<[bool]>,
}

/// A binding under which a rule fires.
#[derive(Debug, Clone, Copy)]
struct RuleFiring {
    rule: usize,
    /// Where its binding begins.
    start: usize,
}

/// What is to be done to the tables when all that is to be done is known.
#[derive(Debug, Default)]
struct Planned {
    /// A relation, and where its values begin.
    inserted: Vec<(usize, usize)>,
    /// A rule and one of its effects, and where the values of its pattern begin.
    removed: Vec<(usize, usize, usize)>,
    atoms: Vec<Atom>,
}

impl Planned {
    fn clear(&mut self) {
        self.inserted.clear();
        self.removed.clear();
        self.atoms.clear();
    }
}

/// Judges one set of rules over facts.
#[derive(Debug)]
pub struct FactsJudge {
    rules: Arc<RuleSet>,
    plans: Vec<FactsPlan>,
    tables: Vec<FactsTable>,
    compiler: RuleCompiler,
    /// For each rule without an event that found nothing: the version of what it reads.
    dormant: Vec<Option<u64>>,
    /// The relations whose facts live for one step.
    fleeting: Vec<usize>,
    shapes: Vec<RuleEvents>,
    /// The arguments of the event at hand in normal form.
    arguments: Vec<Atom>,
    search: Search,
    firings: Vec<RuleFiring>,
    planned: Planned,
    most: u64,
    stuck: Option<Obstacle>,
    violated: bool,
    /// A relation and a column by whose dead values its facts are forgotten, and how these are found; made when the first value is
    /// forgotten, since few are ever told of dead values.
    forgettable: Option<Box<[(usize, usize, Access)]>>,
}

impl FactsJudge {
    /// A judge before the first point.
    pub fn new(rules: Arc<RuleSet>) -> FactsJudge {
        let fleeting = rules.relations.iter().enumerate();
        let fleeting = fleeting.filter(|(_, relation)| relation.lifetime == Lifetime::Step);
        FactsJudge {
            fleeting: fleeting.map(|(number, _)| number).collect(),
            dormant: vec![None; rules.rules.len()],
            rules,
            plans: Vec::new(),
            tables: Vec::new(),
            compiler: RuleCompiler::default(),
            shapes: Vec::new(),
            arguments: Vec::new(),
            search: Search::default(),
            firings: Vec::new(),
            planned: Planned::default(),
            most: MOST_COMBINATIONS,
            stuck: None,
            violated: false,
            forgettable: None,
        }
    }

    /// Compiles the rules and inserts the first facts, unless that is done.
    fn prepare(&mut self, values: &mut Values) {
        if !self.plans.is_empty() {
            return;
        }
        let rules = self.rules.clone();
        let table = |relation: &Relation| FactsTable::new(relation.columns.len(), relation.keys);
        self.compiler.tables = rules.relations.iter().map(table).collect();
        self.plans = rules.rules.iter().map(|rule| plan(&rules, rule, &mut self.compiler, values)).collect();
        self.tables = std::mem::take(&mut self.compiler.tables);
        for (relation, table) in rules.relations.iter().zip(&mut self.tables) {
            for row in &relation.initial {
                let row: Vec<Atom> = row.iter().map(|value| values.intern_value(value)).collect();
                table.insert(&row, 0);
            }
        }
        let width = self.plans.iter().map(|plan| plan.width).max().unwrap_or(0);
        self.search.binding = vec![Atom::boolean(false); width];
    }

    /// What the rules make of a shape of events.
    fn resolve(&self, shape: &EventShape) -> RuleEvents {
        if !self.rules.observes(&shape.name, shape.positional) {
            return RuleEvents::default();
        }
        let tried = self.rules.rules.iter().enumerate().filter(|(_, rule)| {
            rule.event.as_ref().is_none_or(|pattern| pattern.admits(&shape.name, shape.positional))
        });
        let rules: Box<[usize]> = tried.map(|(number, _)| number).collect();
        let field = |name: &Arc<str>| shape.arguments.iter().position(|argument| *argument.name == **name);
        let admits = |pattern: &EventPattern| pattern.admits(&shape.name, shape.positional);
        RuleEvents {
            steps: !rules.is_empty() || !self.fleeting.is_empty(),
            rules,
            fields: self.compiler.fields.iter().map(field).collect(),
            happens: self.compiler.happenings.iter().map(admits).collect(),
        }
    }

    /// The arguments that are read of events of a shape.
    fn want(&self, shape: &RuleEvents) -> Want {
        let events = shape.rules.iter().filter_map(|rule| self.plans[*rule].event.as_ref());
        let tested = self.compiler.happenings.iter().zip(&shape.happens).filter(|(_, admitted)| **admitted);
        let tested = tested.flat_map(|(pattern, _)| 0..pattern.arguments.len());
        Want::fields(
            events.flat_map(|taken| taken.places()).chain(tested).chain(shape.fields.iter().flatten().copied()),
        )
    }

    /// Judges one event.
    #[inline]
    fn event(&mut self, shape: usize, arguments: &[Atom], point: u64, values: &mut Values, found: &mut Vec<Finding>) {
        if self.stuck.is_some() || !self.hears(shape, arguments, values) {
            return;
        }
        let before = found.len();
        if let Err((problem, span)) = self.step(shape, point, values, found) {
            found.truncate(before);
            self.stuck = Some(Obstacle { point, span, problem });
            return;
        }
        if found.len() > before {
            self.violated = true;
            found[before..].sort_by(|one, other| one.violation.report_order(&other.violation));
        }
    }

    /// Judges one point: the shapes of its events and their arguments.
    #[inline]
    pub fn point<'e>(
        &mut self,
        point: u64,
        events: impl Iterator<Item = (usize, &'e [Atom])>,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        for (shape, arguments) in events {
            self.event(shape, arguments, point, values, found);
        }
    }

    fn step(
        &mut self,
        shape: usize,
        point: u64,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) -> Result<(), RuleTrouble> {
        self.fire(shape, values)?;
        self.act(shape, point, values)?;
        self.report(point, values, found);
        Ok(())
    }

    /// Takes the arguments of an event, if it is a step.
    #[inline]
    pub(crate) fn hears(&mut self, shape: usize, arguments: &[Atom], values: &Values) -> bool {
        let steps = self.shapes[shape].steps;
        if steps {
            self.arguments.clear();
            self.arguments.extend(arguments.iter().map(|atom| values.normal(*atom)));
        }
        steps
    }

    /// The facts of each relation.
    pub(crate) fn tables(&self) -> &[FactsTable] {
        &self.tables
    }

    // ── Firings ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Finds all firings of an event.
    pub(crate) fn fire(&mut self, shape: usize, values: &mut Values) -> Result<(), RuleTrouble> {
        self.firings.clear();
        self.search.found.clear();
        let event = &self.shapes[shape];
        let happening = RuleEvent { arguments: &self.arguments, fields: &event.fields, happens: &event.happens };
        for &rule in &event.rules {
            let plan = &self.plans[rule];
            if let Some(taken) = &plan.event
                && !taken.take(&self.arguments, &mut self.search.binding)
            {
                continue;
            }
            let version = plan.reads.as_ref().map(|reads| reads.iter().map(|read| self.tables[*read].version()).sum());
            if version.is_some() && self.dormant[rule] == version {
                continue;
            }
            let first = self.search.found.len();
            self.search.count = 0;
            self.search.run(plan, &self.tables, happening, values, self.most)?;
            self.dormant[rule] = version.filter(|_| self.search.count == 0);
            let (count, width) = (self.search.count, plan.width);
            let start = self.firings.len();
            self.firings.extend((0..count).map(|number| RuleFiring { rule, start: first + number * width }));
            if plan.repeats && count > 1 {
                unify(&mut self.firings, start, &self.search.found, width);
            }
        }
        Ok(())
    }

    /// The rules that fire, each with its binding.
    pub(crate) fn fired(&self) -> impl Iterator<Item = (usize, &[Atom])> {
        let binding =
            |firing: &RuleFiring| &self.search.found[firing.start..firing.start + self.plans[firing.rule].width];
        self.firings.iter().map(move |firing| (firing.rule, binding(firing)))
    }

    /// Adds the violations of all firings that fail.
    pub(crate) fn report(&mut self, point: u64, values: &Values, found: &mut Vec<Finding>) {
        for firing in &self.firings {
            let plan = &self.plans[firing.rule];
            for effect in &plan.effects {
                if let Effect::Fail(message) = effect {
                    let value = |variable: &Option<usize>| {
                        variable.map(|variable| values.value(self.search.found[firing.start + variable]))
                    };
                    let bindings: Vec<Option<Value>> = plan.reported.iter().map(value).collect();
                    let message = message.clone();
                    let violation = Violation { point, decided: Some(point), opened: None, bindings, message };
                    found.push(Finding { rule: 0, violation });
                }
            }
        }
    }

    // ── Effects ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Does what the firings say.
    pub(crate) fn act(&mut self, shape: usize, point: u64, values: &mut Values) -> Result<(), RuleTrouble> {
        match self.rules.effects {
            Effects::InTurn => self.act_in_turn(shape, point, values),
            Effects::Together if self.firings.is_empty() && self.fleeting.is_empty() => Ok(()),
            Effects::Together => self.act_together(shape, point, values),
        }
    }

    /// All removals, then all insertions.
    fn act_together(&mut self, shape: usize, point: u64, values: &mut Values) -> Result<(), RuleTrouble> {
        self.planned.clear();
        for number in 0..self.firings.len() {
            for effect in 0..self.plans[self.firings[number].rule].effects.len() {
                self.foresee(shape, number, effect, values)?;
            }
        }
        let Planned { inserted, removed, atoms } = &self.planned;
        for (rule, effect, start) in removed {
            if let Effect::Remove(pattern, _) = &self.plans[*rule].effects[*effect] {
                remove(&mut self.tables[pattern.relation], pattern, &atoms[*start..][..pattern.columns.len()]);
            }
        }
        for relation in &self.fleeting {
            self.tables[*relation].clear();
        }
        for (relation, start) in inserted {
            let width = self.rules.relations[*relation].columns.len();
            self.tables[*relation].insert(&atoms[*start..][..width], point);
        }
        Ok(())
    }

    /// One action after the other.
    fn act_in_turn(&mut self, shape: usize, point: u64, values: &mut Values) -> Result<(), RuleTrouble> {
        for number in 0..self.firings.len() {
            let rule = self.firings[number].rule;
            for effect in 0..self.plans[rule].effects.len() {
                self.planned.clear();
                self.foresee(shape, number, effect, values)?;
                match &self.plans[rule].effects[effect] {
                    Effect::Insert(relation, ..) => {
                        self.tables[*relation].insert(&self.planned.atoms, point);
                    }
                    Effect::Remove(pattern, _) => {
                        remove(&mut self.tables[pattern.relation], pattern, &self.planned.atoms);
                    }
                    Effect::Fail(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Computes the values of an effect of a firing and notes what is to be done.
    fn foresee(&mut self, shape: usize, number: usize, effect: usize, values: &mut Values) -> Result<(), RuleTrouble> {
        let RuleFiring { rule, start } = self.firings[number];
        let (plan, event) = (&self.plans[rule], &self.shapes[shape]);
        let happening = RuleEvent { arguments: &self.arguments, fields: &event.fields, happens: &event.happens };
        let binding = &self.search.found[start..start + plan.width];
        let mut scope = RuleScope { tables: &self.tables, event: happening, binding, values };
        let first = self.planned.atoms.len();
        match &plan.effects[effect] {
            Effect::Insert(relation, terms, span) => {
                for term in terms {
                    let datum = scope.value(term)?.ok_or((Problem::Unbound, *span))?;
                    self.planned.atoms.push(scope.atom(datum));
                }
                self.planned.inserted.push((*relation, first));
            }
            Effect::Remove(pattern, span) => {
                for (_, term) in &pattern.columns {
                    let datum = scope.value(term)?.ok_or((Problem::Unbound, *span))?;
                    self.planned.atoms.push(scope.atom(datum));
                }
                self.planned.removed.push((rule, effect, first));
            }
            Effect::Fail(_) => {}
        }
        Ok(())
    }

    // ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The facts that must not be left, as violations of the last point.
    fn left(&self, last: u64, values: &Values) -> Vec<Violation> {
        let names = self.rules.binding_names();
        let mut found = Vec::new();
        for (relation, table) in self.rules.relations.iter().zip(&self.tables) {
            let Some(message) = &relation.hot else { continue };
            let columns: Vec<Option<usize>> =
                names.iter().map(|name| relation.columns.iter().position(|column| **column == **name)).collect();
            for slot in table.slots() {
                let row = table.row(slot);
                let bindings = columns.iter().map(|column| column.map(|column| values.value(row[column]))).collect();
                let opened = Some(table.born(slot)).filter(|born| *born > 0);
                found.push(Violation { point: last, decided: None, opened, bindings, message: Some(message.clone()) });
            }
        }
        found
    }

    fn hot_facts(&self) -> u64 {
        let hot = self.rules.relations.iter().zip(&self.tables).filter(|(relation, _)| relation.hot.is_some());
        hot.map(|(_, table)| table.len() as u64).sum()
    }

    // ── Forgetting ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Removes the facts that only an event with a dead value could ask for.
    fn forget_value(&mut self, value: Atom) {
        if self.plans.is_empty() {
            return;
        }
        let found = self.forgettable.get_or_insert_with(|| {
            let columns = forgettable(&self.rules).into_iter();
            columns.map(|(relation, at)| (relation, at, self.tables[relation].late_access(at))).collect()
        });
        for (relation, at, access) in found {
            self.tables[*relation].remove_with(*access, *at, value);
        }
    }

    // ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The verdict if the trace ended now.
    fn state_now(&mut self, values: &mut Values) -> RuleState {
        self.prepare(values);
        match (self.violated, &self.stuck) {
            (true, _) => RuleState { status: Status::Violated, settled: true },
            (false, Some(_)) => RuleState { status: Status::GaveUp, settled: true },
            (false, None) if self.hot_facts() > 0 => RuleState { status: Status::Violated, settled: false },
            (false, None) => RuleState { status: Status::Satisfied, settled: false },
        }
    }

    /// Writes all that later verdicts depend on: the facts that hold, and since when. Which rules need not be tried is found again.
    fn write_state(&self, values: &Values, out: &mut Writer) {
        out.truth(self.violated);
        out.truth(self.stuck.is_some());
        self.stuck.iter().for_each(|obstacle| out.obstacle(obstacle));
        out.length(self.tables.len());
        for table in &self.tables {
            let mut slots: Vec<u32> = table.slots().collect();
            slots.sort_unstable_by_key(|slot| (table.born(*slot), *slot));
            out.length(slots.len());
            for slot in slots {
                out.number(table.born(slot));
                write_values(table.row(slot), values, out);
            }
        }
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.prepare(values);
        self.violated = reader.truth()?;
        self.stuck = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        let tables = reader.length()?;
        if tables != 0 && tables != self.tables.len() {
            return Err(Damaged);
        }
        // Who has not heard of anything yet has no tables, and the first facts are put there when it does.
        for (relation, table) in self.rules.relations.iter().zip(&mut self.tables).take(tables) {
            table.clear();
            for _ in 0..reader.length()? {
                let born = reader.number()?;
                table.insert(&read_values(relation.columns.len(), values, reader)?, born);
            }
        }
        Ok(())
    }
}

/// Leaves one of the firings with equal bindings, from `start` on.
fn unify(firings: &mut Vec<RuleFiring>, start: usize, found: &[Atom], width: usize) {
    let mut rest = firings.split_off(start);
    let binding = |firing: &RuleFiring| &found[firing.start..firing.start + width];
    rest.sort_by(|one, other| binding(one).cmp(binding(other)));
    rest.dedup_by(|one, other| binding(one) == binding(other));
    firings.append(&mut rest);
}

/// Removes all rows with these values in the columns of a pattern.
fn remove(table: &mut FactsTable, pattern: &RulePattern, key: &[Atom]) {
    loop {
        let slot = table.first(pattern.access, key);
        let fits = |slot: u32| pattern.columns.iter().zip(key).all(|((at, _), atom)| table.row(slot)[*at] == *atom);
        if slot == NONE || !fits(slot) {
            return;
        }
        table.remove(slot);
    }
}

impl Judge for FactsJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        self.prepare(values);
        let resolved = self.resolve(shape);
        let interest =
            if resolved.steps { Interest { want: self.want(&resolved), ..Interest::all() } } else { Interest::none() };
        self.shapes.push(resolved);
        interest
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            let events = point.events().map(|(shape, arguments)| (shape.index(), arguments));
            self.point(point.number, events, values, found);
        }
    }

    /// Nothing is decided between two points.
    fn advance(&mut self, _last: u64, _time: &Number, _values: &mut Values, _found: &mut Vec<Finding>) {}

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(values, reader)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        self.forget_value(values.normal(value));
    }

    fn rule_state(&mut self, _rule: usize, values: &mut Values) -> Option<RuleState> {
        Some(self.state_now(values))
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        self.prepare(values);
        let judged = self.stuck.is_none();
        let pending = if prefix && judged { self.hot_facts() } else { 0 };
        let mut violations = if judged && !prefix { self.left(last, values) } else { Vec::new() };
        violations.sort_by(Violation::report_order);
        let status = match (self.violated || !violations.is_empty(), &self.stuck) {
            (true, _) => Status::Violated,
            (false, Some(_)) => Status::GaveUp,
            (false, None) => Status::Satisfied,
        };
        vec![Outcome { status, violations, pending, obstacle: self.stuck.clone() }]
    }

    fn wants_empty_points(&self) -> bool {
        false
    }

    fn reports_last_point(&self) -> bool {
        self.rules.relations.iter().any(|relation| relation.hot.is_some())
    }

    fn sizes(&self) -> Vec<Size> {
        let kept = self.rules.relations.iter().zip(&self.tables);
        kept.map(|(relation, table)| Size { rule: 0, purpose: relation.name.to_string(), rows: table.len() }).collect()
    }
}
