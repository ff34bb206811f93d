//! Judges quantified automata.
//!
//! ```text
//!  event ─▶ classes it fits ─▶ domains grow ─▶ EventRouting (or Replay) moves instances ─▶ who has failed for good, who is stuck
//!  end   ─▶ fold the quantifiers over stored instances (DistinctValues) and what all other bindings have in common
//!  query ─▶ the verdict if the trace ended here: fold once, then only what has changed since (QuantifierTree)
//! ```
//!
//! Only where all quantifiers are universal can a violation be decided before the end: a seen value falsifies forall, but
//! nothing seen falsifies exists. So instances that fail for good are reported as they come, and everything else waits
//! for the fold. Where all quantifiers are existential, the truth is settled once a seen value is accepted for good.
//! A prefix that mixes them is never settled before the end.

mod forgetting;

use referee_spec::core::machine::{AutomatonExpression, AutomatonStatement, Machine, Mode, Quantified};
use referee_spec::core::{Obstacle, Outcome, Quantifier, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::values::{Atom, LiveValues, Values};

use super::alphabet::{Candidate, candidates, interest};
use super::automaton::{Automaton, AutomatonEvent, AutomatonFact, condition_holds};
use super::config::ConfigId;
use super::distinct_values::DistinctValues;
use super::event_routing::{Effects, EventRouting, Instances};
use super::harmless::Harmless;
use super::quantifier_tree::{QuantifierTree, TreeTruth, TreeWorld};
use super::replay::Replay;
use super::state::{read_partial, write_partial};
use super::symmetry::{self, Halving, Swap, Symmetry};
use crate::fo::store::lookup::{Direct, NONE};
use crate::judge::{Damaged, Finding, Judge, Reader, RuleState, Size, Unsavable, Writer, mark_saved};
use crate::machine::binding::{BoundVariables, MOST_VARIABLES, Partial};
use crate::shared::maps::Set;
use crate::shared::saved_values::{read_list, read_row, write_list};

/// The values that one or several joined variables range over.
#[derive(Debug, Default)]
struct Domain {
    /// By value, its place in the order.
    known: Direct,
    order: Vec<Atom>,
}

impl Domain {
    /// Adds a value; whether it is new.
    #[inline]
    fn add(&mut self, value: Atom) -> bool {
        let new = !self.has(value);
        if new {
            self.known.add(value.word(), self.order.len() as u32);
            self.order.push(value);
        }
        new
    }

    #[inline]
    fn has(&self, value: Atom) -> bool {
        self.known.get(value.word()) != NONE
    }

    /// Takes a value away; the last one gets its place.
    fn remove(&mut self, value: Atom) {
        let place = self.known.take(value.word());
        if place == NONE {
            return;
        }
        self.order.swap_remove(place as usize);
        if let Some(moved) = self.order.get(place as usize) {
            self.known.replace(moved.word(), place);
        }
    }
}

/// How bindings are followed.
#[derive(Debug)]
enum BindingRuns {
    /// As instances that differ from what they extend.
    Instances(Instances),
    /// All of them one by one: guards read variables that their event does not bind, or there are too many variables.
    Replay(Replay),
}

/// What is kept for those who ask for the verdict between two points.
#[derive(Debug)]
enum Folded {
    /// There was no query, or none for long.
    Unasked,
    Kept(Box<QuantifierTree>),
    /// It takes too much memory; everything is folded when somebody asks.
    TooLarge,
}

/// So many changes are followed before somebody asks again; past that all is folded anew.
const MOST_CHANGES: usize = 1 << 16;

/// Judges one quantified automaton.
#[derive(Debug)]
pub struct QuantifiedJudge {
    body: Quantified,
    automaton: Automaton,
    following: BindingRuns,
    shapes: Vec<Vec<Candidate>>,
    /// By shape, the combination of the classes that its events may fit.
    combinations: Vec<Option<usize>>,
    domains: Vec<Domain>,
    /// Whether anybody will ask for the domains.
    keeps_domains: bool,
    only_forall: bool,
    /// By variable, whether no condition on an inner one mentions it.
    alike: Vec<bool>,
    /// Partial instances that have failed for good or are stuck, with everything that extends them.
    bad: Vec<Partial>,
    reported: Set<Vec<Atom>>,
    violated: bool,
    stuck: Option<Obstacle>,
    last: u64,
    effects: Effects,
    /// The tree of the quantifiers as it was at the last query.
    folded: Folded,
    normal: Vec<Atom>,
    fitting: Vec<(u32, Partial)>,
    /// What a dead value's bindings must be to be dropped; nothing if quantifiers are mixed.
    harmless: Option<Harmless>,
    /// How many open bindings of dead values were dropped.
    gone_open: u64,
}

impl QuantifiedJudge {
    /// A judge before the first point. A trace that may go on asks for the number of open bindings, so the values seen are
    /// kept; `complete` says that this will not be asked.
    pub fn new(machine: &Machine, body: &Quantified, complete: bool) -> QuantifiedJudge {
        QuantifiedJudge::with_halving(machine, body, complete, Halving::default())
    }

    /// The same, with a say in whether one instance stands for two bindings.
    pub fn with_halving(machine: &Machine, body: &Quantified, complete: bool, halving: Halving) -> QuantifiedJudge {
        debug_assert!(machine.binding_names().len() <= body.variables.len());
        let open = body.variables.len() > MOST_VARIABLES || has_open_guards(body);
        let mut automaton = Automaton::new(body, open);
        let symmetry = if open { None } else { symmetry_of(body, &automaton, halving) };
        let swap = symmetry.as_ref().map(|symmetry| symmetry.swap);
        automaton.exchange(symmetry.map_or_else(Vec::new, |symmetry| symmetry.states));
        let mut sets: Vec<BoundVariables> = Vec::new();
        for class in &body.classes {
            sets.push(class.variables().iter().fold(0, |set, (variable, _)| set | 1u32 << (variable & 31)));
        }
        let only_forall = body.variables.iter().all(|variable| variable.quantifier == Quantifier::Forall);
        let keeps_domains = open || !complete || !only_forall || !is_accepted_in_part(body, &automaton);
        let only_exists = body.variables.iter().all(|variable| variable.quantifier == Quantifier::Exists);
        let harmless =
            (only_forall || only_exists).then(|| Harmless::new(only_forall, only_forall && !complete, sets.clone()));
        let following = if open {
            BindingRuns::Replay(Replay::new(body.variables.len()))
        } else {
            BindingRuns::Instances(Instances::new(body.variables.len(), sets, swap))
        };
        let mut judge = QuantifiedJudge {
            domains: (0..body.domains()).map(|_| Domain::default()).collect(),
            body: body.clone(),
            automaton,
            following,
            shapes: Vec::new(),
            combinations: Vec::new(),
            keeps_domains,
            only_forall,
            alike: (0..body.variables.len()).map(|variable| !is_mentioned_inside(body, variable)).collect(),
            bad: Vec::new(),
            reported: Set::default(),
            violated: false,
            stuck: None,
            last: 0,
            effects: Effects::default(),
            folded: Folded::Unasked,
            normal: Vec::new(),
            fitting: Vec::new(),
            harmless,
            gone_open: 0,
        };
        if judge.is_bad(judge.automaton.fact(0)) {
            judge.bad.push(Partial::EMPTY);
        }
        judge
    }

    /// Whether a configuration settles its bindings now.
    fn is_bad(&self, fact: AutomatonFact) -> bool {
        fact.stuck.is_some() || (self.only_forall && fact.never)
    }

    /// Whether the only binding, of no variables, is false before anything happens: the first point decides that.
    fn fails_from_the_start(&self) -> bool {
        self.body.variables.is_empty() && self.bad.first() == Some(&Partial::EMPTY) && self.reported.is_empty()
    }

    #[inline]
    fn event(&mut self, point: u64, shape: usize, arguments: &[Atom], values: &mut Values, found: &mut Vec<Finding>) {
        self.normal.clear();
        self.normal.extend(arguments.iter().map(|atom| values.normal(*atom)));
        let arrived = if self.keeps_domains { self.enter_domains(shape) } else { Vec::new() };
        if self.event_of_few(point, shape, &arrived, values, found) {
            return;
        }
        self.fitting.clear();
        for candidate in &self.shapes[shape] {
            if candidate.fits(&self.normal) {
                let bind =
                    |part: Partial, (variable, place): &(usize, usize)| part.with(*variable, self.normal[*place]);
                let small = candidate.places.iter().all(|(variable, _)| *variable < MOST_VARIABLES);
                let part = if small { candidate.places.iter().fold(Partial::EMPTY, bind) } else { Partial::EMPTY };
                self.fitting.push((candidate.class, part));
            }
        }
        if self.fitting.is_empty() {
            return;
        }
        let event = AutomatonEvent { arguments: &self.normal, point };
        match &mut self.following {
            BindingRuns::Instances(instances) => {
                let effects = &mut self.effects;
                EventRouting { instances, automaton: &mut self.automaton, values, event, effects }.run(&self.fitting);
                self.settle(point, &arrived, values, found);
            }
            BindingRuns::Replay(_) => self.replay(point, shape, &arrived, values, found),
        }
        self.collect();
    }

    /// The common cases: one class fits and binds all variables, or those that fit make no new instance; whether it was that.
    #[inline]
    fn event_of_few(
        &mut self,
        point: u64,
        shape: usize,
        arrived: &[(usize, Atom)],
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) -> bool {
        let BindingRuns::Instances(instances) = &mut self.following else { return false };
        let (candidates, combination) = (&self.shapes[shape], self.combinations[shape]);
        let event = AutomatonEvent { arguments: &self.normal, point };
        let exact = match &candidates[..] {
            [one] if one.places.len() == self.body.variables.len() && !instances.has_parts() => Some(one),
            _ => None,
        };
        let effects = &mut self.effects;
        let mut routing = EventRouting { instances, automaton: &mut self.automaton, values, event, effects };
        match (exact, combination) {
            (Some(only), _) if !only.fits(&self.normal) => return true,
            (Some(only), _) => {
                let (key, len) = only.key(&self.normal);
                routing.exact(only.class, &key[..len]);
            }
            (None, Some(combination)) if routing.loose(candidates, combination) => {}
            _ => return false,
        }
        self.settle(point, arrived, values, found);
        self.collect();
        true
    }

    /// Drops the configurations that nobody has, when there are many.
    #[inline]
    fn collect(&mut self) {
        if self.effects.changed.len() > MOST_CHANGES {
            self.forget_fold();
        }
        if self.automaton.wants_collection() {
            match &self.following {
                BindingRuns::Instances(instances) => self.automaton.collect(instances.configs()),
                BindingRuns::Replay(replay) => self.automaton.collect(replay.configs()),
            }
        }
    }

    /// Adds the event's values to the domains; those that are new, with their domain.
    fn enter_domains(&mut self, shape: usize) -> Vec<(usize, Atom)> {
        let mut arrived = Vec::new();
        for candidate in self.shapes[shape].iter().filter(|candidate| candidate.fits(&self.normal)) {
            for (variable, place) in &candidate.places {
                let (domain, value) = (self.body.variables[*variable].domain, self.normal[*place]);
                if self.domains[domain].add(value) {
                    arrived.push((domain, value));
                }
            }
        }
        arrived
    }

    // ── What is decided before the end ──────────────────────────────────────────────────────────────────────────────

    /// Reports what an event has settled: instances that it moved, and values that have arrived where everything is bad.
    #[inline]
    fn settle(&mut self, point: u64, arrived: &[(usize, Atom)], values: &mut Values, found: &mut Vec<Finding>) {
        if !self.effects.moved.is_empty() || !(arrived.is_empty() || self.bad.is_empty()) {
            self.settle_some(point, arrived, values, found);
        }
    }

    fn settle_some(&mut self, point: u64, arrived: &[(usize, Atom)], values: &mut Values, found: &mut Vec<Finding>) {
        let moved = std::mem::take(&mut self.effects.moved);
        let old_bad = self.bad.len();
        let full = ((1u64 << self.body.variables.len()) - 1) as BoundVariables;
        for (binding, old, fact) in moved.iter().copied() {
            if !self.is_bad(fact) || (self.is_bad(old) && old.stuck == fact.stuck) {
                continue;
            }
            if binding.set == full {
                self.report(point, &binding.values[..self.body.variables.len()], fact, values, found);
            } else {
                self.bad.push(binding);
                self.report_extensions(point, binding, None, values, found);
            }
        }
        for (domain, value) in arrived {
            for place in 0..old_bad {
                self.report_extensions(point, self.bad[place], Some((*domain, *value)), values, found);
            }
        }
        self.effects.moved = moved;
        self.effects.moved.clear();
    }

    /// Reports the full bindings that have the configuration of a partial instance; if a value has arrived, those with it.
    fn report_extensions(
        &mut self,
        point: u64,
        partial: Partial,
        arrived: Option<(usize, Atom)>,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        let BindingRuns::Instances(instances) = &self.following else { return };
        let mut rows = Vec::new();
        extensions(&self.body, &self.domains, &partial, &mut |binding| {
            let has = |(domain, value): (usize, Atom)| {
                let variables = self.body.variables.iter().enumerate();
                variables
                    .into_iter()
                    .any(|(number, variable)| variable.domain == domain && binding.values[number] == value)
            };
            if arrived.is_none_or(has) {
                let (_, config) = instances.largest(binding);
                rows.push((*binding, self.automaton.fact(config)));
            }
        });
        for (binding, fact) in rows {
            if self.is_bad(fact) {
                self.report(point, &binding.values[..self.body.variables.len()], fact, values, found);
            }
        }
    }

    /// Reports a full binding that has failed for good or is stuck, unless a condition drops it.
    fn report(
        &mut self,
        point: u64,
        binding: &[Atom],
        fact: AutomatonFact,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        if !self.counts(binding, values) {
            return;
        }
        if let Some(number) = fact.stuck {
            let obstacle = self.automaton.obstacle(number).clone();
            let key = |obstacle: &Obstacle| (obstacle.point, obstacle.span.start);
            if self.stuck.as_ref().is_none_or(|known| key(&obstacle) < key(known)) {
                self.stuck = Some(obstacle);
            }
        } else if self.reported.insert(binding.to_vec()) {
            found.push(Finding { rule: 0, violation: self.violation(point, Some(point), binding, values) });
        }
    }

    /// Whether all conditions keep a full binding.
    fn counts(&self, binding: &[Atom], values: &mut Values) -> bool {
        self.body.conditions.iter().all(|condition| condition_holds(&condition.guard, binding, values))
    }

    fn violation(&self, point: u64, decided: Option<u64>, binding: &[Atom], values: &Values) -> Violation {
        let leading = self.body.leading().count();
        let bindings = binding[..leading].iter().map(|atom| Some(values.value(*atom))).collect();
        Violation { point, decided, opened: None, bindings, message: None }
    }

    // ── All bindings one by one ─────────────────────────────────────────────────────────────────────────────────────

    fn replay(
        &mut self,
        point: u64,
        shape: usize,
        arrived: &[(usize, Atom)],
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        let BindingRuns::Replay(replay) = &mut self.following else { return };
        replay.record(point, shape, &self.shapes, &self.normal);
        let mut new: Vec<Vec<Atom>> = Vec::new();
        if !arrived.is_empty() || self.body.variables.is_empty() {
            let mut row = Vec::new();
            rows(&self.body, &self.domains, &mut row, &mut |binding| {
                if !replay.knows(binding) {
                    new.push(binding.to_vec());
                }
            });
        }
        let mut moved = replay.step(&self.shapes, &mut self.automaton, values);
        for binding in new {
            moved.push(replay.catch_up(binding, &self.shapes, &mut self.automaton, values));
        }
        for (binding, config) in moved {
            let fact = self.automaton.fact(config);
            if self.is_bad(fact) {
                self.report(point, &binding, fact, values, found);
            }
        }
    }

    // ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The configuration of a full binding.
    fn config(&self, binding: &[Atom]) -> ConfigId {
        match &self.following {
            BindingRuns::Replay(replay) => replay.config(binding),
            BindingRuns::Instances(instances) => {
                let part = |part: Partial, (variable, value): (usize, &Atom)| part.with(variable, *value);
                instances.largest(&binding.iter().enumerate().fold(Partial::EMPTY, part)).1
            }
        }
    }

    /// What the instances tell apart, if they are all that bindings differ by.
    fn distinct_values(&self) -> Option<DistinctValues> {
        match &self.following {
            BindingRuns::Instances(instances) => Some(DistinctValues::new(instances, self.body.variables.len())),
            BindingRuns::Replay(_) => None,
        }
    }

    /// The truth of everything below a binding of the first variables; unknown only if the trace may go on.
    fn fold(
        &self,
        distinct: Option<&DistinctValues>,
        binding: &mut Vec<Atom>,
        ended: bool,
        values: &mut Values,
    ) -> Option<bool> {
        let level = binding.len();
        let Some(variable) = self.body.variables.get(level) else {
            let fact = self.automaton.fact(self.config(binding));
            return match (ended, fact.surely, fact.never) {
                (true, ..) => Some(fact.accepted),
                (false, true, _) => Some(true),
                (false, _, true) => Some(false),
                _ => None,
            };
        };
        let decisive = Some(variable.quantifier == Quantifier::Exists);
        let domain = &self.domains[variable.domain].order;
        let mut decides = |value: Atom, binding: &mut Vec<Atom>| {
            binding.push(value);
            let truth = self.keeps(binding, values).then(|| self.fold(distinct, binding, ended, values));
            binding.pop();
            // Nothing if a condition drops the value.
            truth.map(|truth| truth == decisive)
        };
        let decided = match distinct.filter(|_| self.alike[level]) {
            None => domain.iter().any(|value| decides(*value, binding) == Some(true)),
            Some(distinct) => {
                let special = distinct.below(binding);
                special.iter().any(|value| decides(*value, binding) == Some(true)) || {
                    let mut others = domain.iter().filter(|value| !special.contains(*value));
                    // The first that is kept stands for all others that are.
                    others.find_map(|value| decides(*value, binding)) == Some(true)
                }
            }
        };
        if decided { decisive } else { ended.then_some(decisive != Some(true)) }
    }

    /// Whether the conditions of the last variable keep a binding of the first variables.
    fn keeps(&self, binding: &[Atom], values: &mut Values) -> bool {
        let mut own = self.body.conditions.iter().filter(|condition| condition.level + 1 == binding.len());
        own.all(|condition| condition_holds(&condition.guard, binding, values))
    }

    /// The bindings of the leading foralls, as far as the conditions keep them.
    fn leading_rows(&self, values: &mut Values) -> Vec<Vec<Atom>> {
        let mut rows = vec![Vec::new()];
        for variable in self.body.leading() {
            let domain = &self.domains[variable.domain].order;
            let extended = |row: Vec<Atom>| domain.iter().map(move |value| [&row[..], &[*value]].concat());
            rows = rows.into_iter().flat_map(extended).collect();
            rows.retain(|row| self.keeps(row, values));
        }
        rows
    }

    /// The full bindings that are rejected, of a machine with universal quantifiers only.
    fn rejected(&self, values: &mut Values) -> Vec<Vec<Atom>> {
        let BindingRuns::Instances(instances) = &self.following else {
            let mut rows = self.leading_rows(values);
            rows.retain(|row| !self.automaton.fact(self.config(row)).accepted);
            return rows;
        };
        let count = self.body.variables.len();
        let full = ((1u64 << count) - 1) as BoundVariables;
        let mut rows: Vec<Vec<Atom>> = Vec::new();
        let mut outer = vec![(Partial::EMPTY, instances.base)];
        for set in 1..=full {
            let stored = instances.bound(set).filter(|(_, config)| !self.automaton.fact(*config).accepted);
            if set == full {
                rows.extend(stored.map(|(binding, _)| binding.values[..count].to_vec()));
            } else {
                outer.extend(stored);
            }
        }
        for (partial, config) in outer {
            if !self.automaton.fact(config).accepted {
                extensions(&self.body, &self.domains, &partial, &mut |binding| {
                    if instances.largest(binding).0 == partial.set {
                        rows.push(binding.values[..count].to_vec());
                    }
                });
            }
        }
        rows.retain(|row| self.counts(row, values));
        rows
    }

    // ── Between two points ──────────────────────────────────────────────────────────────────────────────────────────

    fn forget_fold(&mut self) {
        self.folded = Folded::Unasked;
        self.effects.watched = false;
        self.effects.changed = Vec::new();
    }

    /// The verdict if the trace ended now. From the second time on it costs what has changed since the last time.
    fn state_now(&mut self, values: &mut Values) -> RuleState {
        if self.violated {
            return RuleState { status: Status::Violated, settled: true };
        }
        if self.stuck.is_some() {
            return RuleState { status: Status::GaveUp, settled: true };
        }
        let TreeTruth { holds, settled } = self.current(values);
        RuleState { status: if holds { Status::Satisfied } else { Status::Violated }, settled }
    }

    fn current(&mut self, values: &mut Values) -> TreeTruth {
        if let (BindingRuns::Instances(instances), false) = (&self.following, matches!(self.folded, Folded::TooLarge)) {
            let seen = self.body.variables.iter().map(|variable| &self.domains[variable.domain].order[..]).collect();
            let (body, alike, automaton) = (&self.body, &self.alike[..], &self.automaton);
            let mut world = TreeWorld { body, seen, alike, instances, automaton, values };
            let changed = std::mem::take(&mut self.effects.changed);
            let known = match std::mem::replace(&mut self.folded, Folded::Unasked) {
                Folded::Kept(mut fold) => fold.update(&mut world, &changed).then_some(fold),
                Folded::Unasked | Folded::TooLarge => None,
            };
            let kept = known.or_else(|| QuantifierTree::new(&mut world).map(Box::new));
            self.effects.watched = kept.is_some();
            if let Some(fold) = kept {
                let truth = fold.truth(&self.body);
                self.folded = Folded::Kept(fold);
                return truth;
            }
            self.folded = Folded::TooLarge;
        }
        let distinct = self.distinct_values();
        let holds = self.fold(distinct.as_ref(), &mut Vec::new(), true, values) == Some(true);
        TreeTruth { holds, settled: self.fold(distinct.as_ref(), &mut Vec::new(), false, values).is_some() }
    }

    fn conclude(&mut self, values: &mut Values) -> (Vec<Violation>, u64) {
        let rows = if self.only_forall {
            self.rejected(values)
        } else {
            let mut rows = self.leading_rows(values);
            let distinct = self.distinct_values();
            rows.retain(|row| self.fold(distinct.as_ref(), &mut row.clone(), true, values) == Some(false));
            rows
        };
        let fresh = rows.into_iter().filter(|row| !self.reported.contains(row));
        let mut violations: Vec<Violation> = fresh.map(|row| self.violation(self.last, None, &row, values)).collect();
        violations.sort_by(Violation::report_order);
        (violations, 0)
    }

    fn pending(&self, values: &mut Values) -> u64 {
        let rows = self.leading_rows(values);
        let distinct = self.distinct_values();
        let mut open = |row: &Vec<Atom>| self.fold(distinct.as_ref(), &mut row.clone(), false, values).is_none();
        self.gone_open + rows.iter().filter(|row| open(row)).count() as u64
    }
}

/// The variables that can be exchanged, where the automaton looks at no values.
fn symmetry_of(body: &Quantified, automaton: &Automaton, halving: Halving) -> Option<Symmetry> {
    if automaton.is_plain() { symmetry::find(body, halving) } else { None }
}

/// The names of two variables of which one order is followed only: instances are stored for one of the two.
pub fn halved(body: &Quantified) -> Option<(&str, &str)> {
    if body.variables.len() > MOST_VARIABLES || has_open_guards(body) {
        return None;
    }
    let Swap { one, other } = symmetry_of(body, &Automaton::new(body, false), Halving::default())?.swap;
    Some((&body.variables[one].name, &body.variables[other].name))
}

/// Calls `each` for all full bindings of seen values that extend a partial one.
fn extensions(body: &Quantified, domains: &[Domain], partial: &Partial, each: &mut impl FnMut(&Partial)) {
    let free = (0..body.variables.len()).find(|variable| partial.set >> variable & 1 == 0);
    let Some(variable) = free else { return each(partial) };
    for &value in &domains[body.variables[variable].domain].order {
        extensions(body, domains, &partial.with(variable, value), each);
    }
}

/// Calls `each` for all bindings of seen values.
fn rows(body: &Quantified, domains: &[Domain], row: &mut Vec<Atom>, each: &mut impl FnMut(&[Atom])) {
    let Some(variable) = body.variables.get(row.len()) else { return each(row) };
    for &value in &domains[variable.domain].order {
        row.push(value);
        rows(body, domains, row, each);
        row.pop();
    }
}

/// Whether bindings of some of the variables only are accepted whatever comes, so that nobody asks which values extend them.
fn is_accepted_in_part(body: &Quantified, automaton: &Automaton) -> bool {
    let partial = |class: usize| body.classes[class].variables().len() != body.variables.len();
    if !(0..body.classes.len()).any(partial) {
        return automaton.fact(0).accepted;
    }
    let mut reached = vec![0];
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        let transitions = body.states[state].transitions.iter().filter(|transition| partial(transition.class));
        let targets = transitions.flat_map(|transition| &transition.branches).map(|branch| branch.target);
        let failure = (body.states[state].mode == Mode::Next).then_some(body.states.len() - 2);
        let new: Vec<usize> = targets.chain(failure).filter(|target| !reached.contains(target)).collect();
        reached.extend(new);
        next += 1;
    }
    automaton.is_plain() && !body.negated && reached.iter().all(|state| body.states[*state].accepting)
}

/// Whether a condition on an inner variable mentions a variable.
fn is_mentioned_inside(body: &Quantified, variable: usize) -> bool {
    let inner = body.conditions.iter().filter(|condition| condition.level > variable);
    inner.flat_map(|condition| condition.guard.expressions()).any(|expression| {
        let mut found = false;
        expression
            .visit(&mut |part| found |= matches!(part, AutomatonExpression::Variable(other) if *other == variable));
        found
    })
}

/// Whether a guard or a statement reads a quantified variable that its event does not bind.
fn has_open_guards(body: &Quantified) -> bool {
    let transitions = body.states.iter().flat_map(|state| &state.transitions);
    transitions.into_iter().any(|transition| {
        let bound = body.classes[transition.class].variables();
        let mut open = false;
        let mut look = |expression: &AutomatonExpression| {
            expression.visit(&mut |part| {
                if let AutomatonExpression::Variable(variable) = part {
                    open |= bound.iter().all(|(known, _)| known != variable);
                }
            });
        };
        for branch in &transition.branches {
            branch.guard.expressions().into_iter().for_each(&mut look);
            for statement in &branch.statements {
                match statement {
                    AutomatonStatement::Assign(_, value, _)
                    | AutomatonStatement::Add(_, value, _)
                    | AutomatonStatement::Remove(_, value, _) => {
                        look(value);
                    }
                    AutomatonStatement::Clear(_) => {}
                }
            }
        }
        open
    })
}

impl QuantifiedJudge {
    /// Judges one point: the shapes of its events and their arguments.
    #[inline]
    pub fn point<'e>(
        &mut self,
        point: u64,
        events: impl Iterator<Item = (usize, &'e [Atom])>,
        values: &mut Values,
        found: &mut Vec<Finding>,
    ) {
        if self.stuck.is_some() {
            return;
        }
        self.last = point;
        let before = found.len();
        if self.fails_from_the_start() {
            self.report_extensions(point, Partial::EMPTY, None, values, found);
        }
        for (shape, arguments) in events {
            self.event(point, shape, arguments, values, found);
        }
        if self.stuck.is_some() {
            found.truncate(before);
        } else if found.len() > before {
            self.violated = true;
            found[before..].sort_by(|one, other| one.violation.report_order(&other.violation));
        }
    }

    // ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Writes all that later verdicts depend on.
    fn write_state(&self, values: &Values, out: &mut Writer) {
        out.number(self.last);
        out.number(self.gone_open);
        out.truth(self.violated);
        out.truth(self.stuck.is_some());
        self.stuck.iter().for_each(|obstacle| out.obstacle(obstacle));
        out.length(self.domains.len());
        self.domains.iter().for_each(|domain| write_list(&domain.order, values, out));
        out.length(self.bad.len());
        self.bad.iter().for_each(|partial| write_partial(partial, values, out));
        out.length(self.reported.len());
        self.reported.iter().for_each(|row| write_list(row, values, out));
        match &self.following {
            BindingRuns::Instances(instances) => {
                self.automaton.write(instances.base, values, out);
                let all = instances.all_stored();
                out.length(all.len());
                for (binding, config) in all {
                    write_partial(&binding, values, out);
                    self.automaton.write(config, values, out);
                }
            }
            BindingRuns::Replay(replay) => {
                replay.save(&self.shapes, values, out, |config, out| self.automaton.write(config, values, out));
            }
        }
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        let count = self.body.variables.len();
        let full = ((1u64 << count.min(MOST_VARIABLES)) - 1) as BoundVariables;
        self.last = reader.number()?;
        self.gone_open = Some(reader.number()?).filter(|open| *open <= u64::MAX / 4).ok_or(Damaged)?;
        self.violated = reader.truth()?;
        self.stuck = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        let domains = reader.list(|reader| read_list(values, reader))?;
        if domains.len() != self.domains.len() {
            return Err(Damaged);
        }
        for (domain, read) in self.domains.iter_mut().zip(domains) {
            for value in read {
                domain.add(value);
            }
        }
        self.bad = reader.list(|reader| read_partial(full, values, reader))?;
        self.reported = reader.list(|reader| read_row(count, values, reader))?.into_iter().collect();
        match &mut self.following {
            BindingRuns::Instances(instances) => {
                instances.base = self.automaton.read(values, reader)?;
                for _ in 0..reader.length()? {
                    let binding = read_partial(full, values, reader)?;
                    let config = self.automaton.read(values, reader)?;
                    // Which of two is upright may depend on the numbers of values, which another program gives.
                    let (binding, config) = instances.upright(binding, config, &mut self.automaton);
                    if binding.set == 0 || instances.has(&binding) {
                        return Err(Damaged);
                    }
                    instances.insert(&binding, config);
                }
            }
            BindingRuns::Replay(replay) => replay.load(count, &self.shapes, &mut self.automaton, values, reader)?,
        }
        Ok(())
    }
}

impl Judge for QuantifiedJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        let found = candidates(&self.body.classes, shape, values);
        let mut interest = interest(&found, !self.body.registers.is_empty());
        interest.steps |= self.fails_from_the_start();
        let combination = match &mut self.following {
            BindingRuns::Instances(instances) => instances.combine(&found, &mut self.automaton),
            BindingRuns::Replay(_) => None,
        };
        self.combinations.push(combination);
        self.shapes.push(found);
        interest
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        if let Some(events) = points.single_events() {
            for (point, shape, arguments) in (0..events.len()).map_while(|at| events.get(at)) {
                self.point(point, std::iter::once((shape.index(), arguments)), values, found);
            }
            return;
        }
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
        self.last = last;
        let (violations, pending) = match (&self.stuck, prefix) {
            (Some(_), _) => (Vec::new(), 0),
            (None, true) => (Vec::new(), self.pending(values)),
            (None, false) => self.conclude(values),
        };
        let status = match (!self.violated && violations.is_empty(), &self.stuck) {
            (false, _) => Status::Violated,
            (true, Some(_)) => Status::GaveUp,
            (true, None) => Status::Satisfied,
        };
        vec![Outcome { status, violations, pending, obstacle: self.stuck.clone() }]
    }

    fn wants_empty_points(&self) -> bool {
        self.fails_from_the_start()
    }

    fn sizes(&self) -> Vec<Size> {
        let mut sizes = Vec::new();
        let mut add = |purpose: &str, rows: usize| sizes.push(Size { rule: 0, purpose: purpose.to_owned(), rows });
        match &self.following {
            BindingRuns::Instances(instances) => add("instances", instances.stores().map(|store| store.len()).sum()),
            BindingRuns::Replay(replay) => add("bindings", replay.len()),
        }
        add("configurations", self.automaton.config_count());
        add("values seen", self.domains.iter().map(|domain| domain.order.len()).sum());
        sizes
    }
}
