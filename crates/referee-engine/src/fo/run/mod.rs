//! The fast path: a property compiled to tables and handlers, as one would write it by hand.
//!
//! ```text
//!   Property ─▶ lower (ways to violate it) ─▶ laws (rewritings) ─▶ views (tables) ─▶ blueprint (units, triggers, plans)
//!                                                                                        │
//!   batch of points ─▶ Program ─▶ the handler of the event's shape, made of units ◀─────┤ ─▶ violations
//!                            └──▶ several events: unit by unit, for each event; the first point: the units themselves ◀┘
//! ```
//!
//! `[login(u), logout(u))` becomes a table keyed by u with one insert and one delete; `access(u,f) -> …` a look-up or two
//! when that event comes. **Candidates are a superset, values are exact** (see [`blueprint`]). What the compiler does not
//! cover takes the general path; [`Reason`] says why. Where an event guards it, that is a part of a formula, which the rest asks
//! for its value ([`mixed`], [`foreign`]).
//!
//! Cost per event: the units of its shape, each a match of the event and a few probes. No allocation once tables have
//! grown. Values are words, interned by the reader; integers are never hashed to be interned.

mod fallback;
mod multi_event;
mod obligations;
mod point_index;
mod reports;
pub mod set_ops;
mod single_event;
mod units;
pub mod world;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use referee_spec::core::{Equality, Judgement, Outcome, Property, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::raw::Want;
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::program::{CompiledProgram, Source, Target};
use crate::fo::code::reason::Reason;
use crate::fo::code::view::Upkeep;
use crate::fo::passes::Passes;
use crate::fo::types::{REGISTERS, ViewId};
use crate::judge::{Finding, Judge, Size, Wanted};

use crate::fo::code::handler::{CONSTANT, Handler, SLOTS};
use crate::fo::run::fallback::Foreign;
use crate::fo::run::multi_event::Several;
use crate::fo::store::Store;
use crate::fo::store::changes::Changes;
use crate::fo::store::demand::{Demands, Terms};
use crate::fo::store::table::{Row, Table};
use world::{Constants, Happenings, Matches, Registers, World};

/// A property that the fast path takes.
#[derive(Debug)]
pub struct Compiled {
    /// The property.
    pub property: Arc<Property>,
    print: CompiledProgram,
}

impl Compiled {
    /// Compiles a property, or tells why the fast path does not take it.
    pub fn new(property: &Arc<Property>, passes: &Passes) -> Result<Compiled, Reason> {
        let print = crate::fo::compile::compiled::compile(std::slice::from_ref(property), passes)?;
        Ok(Compiled { property: property.clone(), print })
    }

    /// Whether it has a part that must hear of every point.
    pub fn is_moved(&self) -> bool {
        self.print.parts.iter().any(|part| part.is_used && part.is_moving)
    }
}

/// A rule of the program, as far as reports need it.
#[derive(Debug)]
struct Rule {
    judgement: Judgement,
    violations: u64,
    /// The point that decided the first violation.
    decided: Option<u64>,
    /// The bindings that were reported, for properties judged once; pairs of point and bindings where a violation could be
    /// found twice.
    reported: HashSet<(u64, Vec<u64>)>,
    /// Whether a violation could be found at different points: by two branches, or for two rows.
    ambiguous: bool,
    /// The rows that violate the property at this point: one word per binding.
    now: Vec<Vec<Option<u64>>>,
    /// What only the end decides: the bindings, and the point at which they were found.
    by_end: HashMap<Vec<u64>, u64>,
}

/// A violation's bindings, as values and as words.
type Told = (Vec<Option<Value>>, Vec<Option<u64>>);

/// A unit that runs, with those of its triggers that this point can set off.
#[derive(Debug, Clone, Copy)]
pub(in crate::fo) struct Firing<'t> {
    unit: usize,
    triggers: &'t [usize],
    first: bool,
}

/// Judges formulas by tables and handlers.
pub struct Program {
    print: CompiledProgram,
    passes: Passes,
    wanted: Wanted,
    by_text: bool,
    rules: Vec<Rule>,
    properties: Vec<Arc<Property>>,
    store: Store,
    /// The keys of rows that changed at the point before, by view.
    old_changes: Changes,
    matches: Matches,
    constants: Constants,
    /// What a point with one event of each shape can trigger: units and their triggers.
    active: Vec<Vec<(usize, Vec<usize>)>>,
    /// What is done at such a point instead of running those units.
    handlers: Vec<Handler>,
    /// Whether handlers are used: nobody asks what was at the point before.
    has_handlers: bool,
    /// What is done at points with several events, if handlers do it.
    several: Option<Several>,
    /// All triggers of each unit.
    whole: Vec<Vec<usize>>,
    /// The checks that look at a view at every point.
    states: Vec<usize>,
    /// Those views.
    state_views: Vec<ViewId>,
    /// Whether there are any.
    has_states: bool,
    /// Whether there is something to report at this point.
    has_rows: bool,
    registers: Registers,
    /// Whether every point must be judged, whatever its events.
    every_point: bool,
    happenings: Happenings,
    before: Happenings,
    buffer: Vec<u64>,
    spare: Vec<u64>,
    row: Vec<Option<u64>>,
    skips: RefCell<Vec<(ViewId, usize, Row)>>,
    /// The parts of formulas that the general path evaluates.
    foreign: RefCell<Foreign>,
    /// Whether such parts have to hear of every point.
    is_moved: bool,
    /// Whether the words of values are those of their atoms, in the batch that is judged.
    is_exact: bool,
}

impl Program {
    /// Compiles properties that compare values alike into one program.
    pub fn new(properties: &[Arc<Property>], passes: Passes, wanted: Wanted) -> Result<Program, Reason> {
        let print = crate::fo::compile::compiled::compile(properties, &passes)?;
        Ok(Program::of(properties, print, passes, wanted))
    }

    /// The program of one property.
    pub fn of_one(compiled: Compiled, passes: Passes, wanted: Wanted) -> Program {
        Program::of(&[compiled.property], compiled.print, passes, wanted)
    }

    fn of(properties: &[Arc<Property>], print: CompiledProgram, passes: Passes, wanted: Wanted) -> Program {
        let (tracked, every_point) = needs(&print);
        let by_text = properties.first().is_some_and(|property| property.equality == Equality::ByText);
        let has_handlers = passes.handlers && !asks_before(&print);
        let foreign = Foreign::new(properties, &print.parts);
        Program {
            rules: rules(properties, &print),
            properties: properties.to_vec(),
            old_changes: Changes::new(tracked.clone()),
            store: Store::new(&print, tracked, demands(properties, &print)),
            has_handlers,
            several: if has_handlers { Several::new(&print) } else { None },
            matches: Matches::default(),
            constants: Constants::default(),
            active: Vec::new(),
            handlers: Vec::new(),
            whole: print.units.iter().map(|unit| (0..unit.triggers.len()).collect()).collect(),
            states: (0..print.checks.len()).filter(|check| print.checks[*check].state.is_some()).collect(),
            state_views: print.checks.iter().filter_map(|check| check.state).collect(),
            has_states: print.checks.iter().any(|check| check.state.is_some()),
            has_rows: false,
            registers: [0; REGISTERS],
            every_point,
            happenings: Happenings::default(),
            before: Happenings::default(),
            buffer: Vec::new(),
            spare: Vec::new(),
            row: Vec::new(),
            skips: RefCell::default(),
            is_exact: false,
            is_moved: foreign.is_moving(),
            foreign: RefCell::new(foreign),
            print,
            passes,
            wanted,
            by_text,
        }
    }

    /// The words of the constants.
    fn resolve_constants(&mut self, values: &mut Values) {
        self.constants.values = self.print.constants.clone();
        self.constants.words = self
            .constants
            .values
            .iter()
            .map(|value| match (self.by_text, value) {
                (true, value) => values.intern(&value.to_string()).word(),
                (false, value) => values.intern_value(value).word(),
            })
            .collect();
        let slots = &mut self.store.frame[CONSTANT..SLOTS];
        slots.iter_mut().zip(&self.constants.words).for_each(|(slot, word)| *slot = *word);
    }

    /// The units and triggers that a point with one event of this shape can set off.
    fn units_of(&self, places: &[Option<Box<[usize]>>]) -> Vec<(usize, Vec<usize>)> {
        let mut changing: Vec<bool> = self.store.windows.iter().map(Option::is_some).collect();
        let mut units = Vec::new();
        for (number, unit) in self.print.units.iter().enumerate() {
            let fires = |trigger: &usize| match &unit.triggers[*trigger].source {
                Source::Event(matching) => places[matching.pattern].is_some(),
                Source::Before(_) | Source::Change { old: true, .. } => true,
                Source::Change { view, .. } => {
                    changing[*view] || matches!(self.print.views[*view].upkeep, Upkeep::Copy(_))
                }
                Source::First => false,
            };
            let triggers: Vec<usize> = (0..unit.triggers.len()).filter(fires).collect();
            let waits = matches!(unit.target, Target::Demand(demand) if self.print.follows[demand].is_pressing());
            let window = matches!(unit.target, Target::View(view) if self.store.windows[view].is_some());
            if !triggers.is_empty() || waits || window {
                units.push((number, triggers));
                if let Target::View(view) = unit.target {
                    changing[view] = true;
                }
            }
        }
        units
    }

    fn judge_point(&mut self, point: &PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let first = self.store.point == 0;
        if first && point.number > 1 {
            // The reader has dropped the first point: nothing that matters happened there, but it was the first.
            self.store.point = 1;
            self.run_all(true, values, found);
            return self.judge_point(point, values, found);
        }
        self.begin_point(point);
        self.move_parts(point, values);
        std::mem::swap(&mut self.happenings, &mut self.before);
        self.happenings.clear();
        for (shape, arguments) in point.events() {
            let words = arguments.iter().map(|atom| Program::word(self.by_text, values, *atom));
            self.happenings.push(shape.0, words);
        }
        self.turn_changes();
        match (first, self.happenings.len()) {
            (false, 1) => {
                let shape = self.happenings.shape(0) as usize;
                let active = std::mem::take(&mut self.active[shape]);
                for (unit, triggers) in &active {
                    self.run_unit(*unit, triggers, false, values, found);
                }
                self.active[shape] = active;
            }
            _ => self.run_all(first, values, found),
        }
        self.conclude(values, found);
    }

    /// Lets the parts that the general path evaluates hear of a point.
    fn move_parts(&mut self, point: &PointView<'_>, values: &Values) {
        if self.is_moved {
            let Store { point: number, time, .. } = &self.store;
            let events: Vec<_> = point.events().collect();
            self.foreign.get_mut().step(*number, time, &events, values);
        }
    }

    fn begin_point(&mut self, point: &PointView<'_>) {
        self.store.point = point.number;
        self.set_time(point.time);
    }

    #[inline(always)]
    fn set_time(&mut self, time: Option<&Number>) {
        match (time, &mut self.store.time) {
            // Most times are integers: nothing has to be freed or copied with care.
            (Some(Number::Int(time)), Number::Int(own)) => *own = *time,
            (time, own) => *own = time.cloned().unwrap_or(Number::ZERO),
        }
    }

    /// The word of an atom, as properties compare it.
    #[inline(always)]
    fn word(by_text: bool, values: &Values, atom: Atom) -> u64 {
        if by_text { atom.word() } else { values.normal(atom).word() }
    }

    /// Whether some view has rows that is looked at at every point.
    #[inline(always)]
    fn is_state_seen(&self) -> bool {
        self.state_views.iter().any(|view| self.store.tables[*view].len() > 0)
    }

    /// Tells what was found at a point.
    fn conclude(&mut self, values: &Values, found: &mut Vec<Finding>) {
        if self.is_state_seen() {
            self.state_checks(values);
        }
        if self.has_rows {
            self.has_rows = false;
            self.report(values, found);
        }
    }

    fn run_all(&mut self, first: bool, values: &Values, found: &mut Vec<Finding>) {
        let whole = std::mem::take(&mut self.whole);
        for (unit, triggers) in whole.iter().enumerate() {
            self.run_unit(unit, triggers, first, values, found);
        }
        self.whole = whole;
    }

    /// What changed becomes what changed before, and copies follow.
    fn turn_changes(&mut self) {
        if self.every_point {
            std::mem::swap(&mut self.store.changes, &mut self.old_changes);
        }
        self.store.changes.clear();
        let copies = if self.every_point { self.print.copies.len() } else { 0 };
        for at in 0..copies {
            let (copy, of) = self.print.copies[at];
            self.follow_copy(copy, of);
        }
    }

    fn follow_copy(&mut self, copy: ViewId, of: ViewId) {
        let keys = self.print.views[of].keys();
        let changed = self.old_changes.of(of);
        let rows = changed.len().checked_div(keys).unwrap_or(usize::from(!changed.is_empty()));
        for row in 0..rows {
            let key = if keys == 0 { &[][..] } else { &changed[row * keys..(row + 1) * keys] };
            let source = self.store.tables[of].find(key).filter(|&row| self.store.tables[of].is_true(row));
            match source {
                Some(source) => {
                    let set = self.store.tables[of].set(source).cloned();
                    let (row, _) = self.store.tables[copy].insert(key);
                    if let Some(set) = set {
                        self.store.tables[copy].replace_set(row, set);
                    }
                }
                None => {
                    if let Some(row) = self.store.tables[copy].find(key) {
                        self.store.tables[copy].remove(row);
                    }
                }
            }
            self.store.changes.note_any(copy, key);
        }
    }

    fn world<'a>(&'a self, values: &'a Values) -> World<'a> {
        World {
            tables: &self.store.tables,
            joins: &self.store.joins,
            events: &self.happenings,
            matches: &self.matches,
            constants: &self.constants,
            values,
            time: &self.store.time,
            by_text: self.by_text,
            skips: &self.skips,
            foreign: &self.foreign,
        }
    }
}

impl Judge for Program {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        if self.matches.places.is_empty() {
            self.resolve_constants(values);
        }
        self.foreign.get_mut().shape(shape);
        let places: Vec<Option<Box<[usize]>>> =
            self.print.patterns.iter().map(|pattern| places(pattern, shape)).collect();
        self.active.push(self.units_of(&places));
        let active = self.active.last().map_or(&[][..], |active| active);
        let mut handler = crate::fo::code::codegen::handler(&self.print, active, &places);
        if self.passes.shortcuts {
            crate::fo::code::peephole::rest(&mut handler, &self.store, self.passes.broken);
        }
        handler.prepare(&mut self.store, self.passes.shortcuts);
        if let Some(several) = &mut self.several {
            several.add_shape(&self.print, &places, &mut self.store, self.passes.shortcuts);
        }
        let seen = places.iter().any(Option::is_some);
        // What is decided at a point is reported with the events of that point, whatever they are.
        let want = if seen || self.every_point { Want::ALL } else { Want::NONE };
        let is_shown = self.every_point || !self.has_handlers || handler.tells();
        let interest = Interest {
            alone: if is_shown || !seen { want } else { Want::fields(handler.arguments()) },
            want,
            steps: self.every_point,
            // What a part for the general path sees of an event, nobody knows here.
            patterns: if self.passes.filter && !self.is_moved { self.filter(&places) } else { Vec::new() },
        };
        self.handlers.push(handler);
        self.matches.places.push(places);
        interest
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        // Points without any event come before the first shape, if one ever comes.
        if self.constants.words.len() < self.print.constants.len() {
            self.resolve_constants(values);
        }
        self.is_exact = self.by_text || !values.has_numbers();
        if self.has_handlers
            && self.store.point > 0
            && let Some(events) = points.single_events()
        {
            // Either all points have a place for their time, or none has.
            return match points.times() {
                [] => self.judge_batch::<false>(events, &[], values, found),
                times => self.judge_batch::<true>(events, times, values, found),
            };
        }
        for point in points.iter() {
            let mut events = point.events();
            match (events.next(), events.next()) {
                (Some((shape, arguments)), None) if self.has_handlers && self.store.point > 0 => {
                    self.begin_point(&point);
                    self.judge_event(shape.0 as usize, arguments, values, found);
                }
                (Some(_), Some(_)) if self.several.is_some() && self.store.point > 0 => {
                    self.judge_several(&point, values, found);
                }
                _ => self.judge_point(&point, values, found),
            }
            if !found.is_empty() && self.is_done() {
                return;
            }
        }
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        if last == 0 {
            // What holds of no point at all is a matter of the definitions, not of speed.
            let nothing = OwnedTrace::default();
            return self
                .properties
                .iter()
                .map(|property| crate::judge_property(property.clone(), &nothing, prefix))
                .collect();
        }
        self.store.drop_settled_demands();
        let mut found = if prefix { Vec::new() } else { self.decide_at_end(last, values) };
        found.sort_by(|one, other| one.violation.report_order(&other.violation));
        let mut outcomes: Vec<Outcome> = (0..self.rules.len())
            .map(|rule| Outcome {
                status: if self.rules[rule].violations > 0 { Status::Violated } else { Status::Satisfied },
                violations: Vec::new(),
                pending: if prefix { self.pending(rule) } else { 0 },
                obstacle: None,
            })
            .collect();
        for (rule, obstacle) in self.foreign.get_mut().obstacles() {
            if outcomes[rule].status == Status::Satisfied {
                outcomes[rule].status = Status::GaveUp;
            }
            outcomes[rule].obstacle = Some(obstacle);
        }
        for Finding { rule, violation } in found {
            outcomes[rule].violations.push(violation);
        }
        // Rows may differ in values that are no bindings.
        let same = |one: &Violation, other: &Violation| one.point == other.point && one.bindings == other.bindings;
        outcomes.iter_mut().for_each(|outcome| outcome.violations.dedup_by(|one, other| same(one, other)));
        outcomes
    }

    fn wants_empty_points(&self) -> bool {
        self.every_point
    }

    fn reports_last_point(&self) -> bool {
        self.rules.iter().any(|rule| rule.judgement == Judgement::Once)
    }

    fn is_open(&self, point: u64) -> bool {
        self.store.demands.iter().any(|demands| demands.points.has(point))
    }

    fn open_among(&self, points: &Points, places: &mut Vec<usize>) {
        self.demands_among(points, places);
    }

    fn open_points(&self) -> usize {
        self.store.demands.iter().map(|demands| demands.points.len()).sum()
    }

    fn sizes(&self) -> Vec<Size> {
        let mut rows: Vec<usize> = self.store.tables.iter().map(Table::len).collect();
        for (follow, demands) in self.print.follows.iter().zip(&self.store.demands) {
            rows[follow.view] -= demands.idle();
        }
        let views = self.print.views.iter().zip(rows);
        let views = views.map(|(view, rows)| Size { rule: 0, purpose: view.text.clone(), rows });
        views.chain(self.foreign.borrow().sizes()).collect()
    }
}

impl Program {
    /// What rows of a shape must have, if all that look at it want constants.
    fn filter(&self, places: &[Option<Box<[usize]>>]) -> Vec<Vec<(usize, Arc<str>)>> {
        let mut patterns = Vec::new();
        for (pattern, arguments) in &self.print.uses {
            let Some(places) = &places[*pattern] else { continue };
            let wanted: Vec<(usize, Arc<str>)> = places
                .iter()
                .zip(arguments)
                .filter_map(|(place, argument)| match argument {
                    Argument::Constant(Value::String(text)) => Some((*place, text.clone())),
                    _ => None,
                })
                .collect();
            if wanted.is_empty() {
                return Vec::new();
            }
            if !patterns.contains(&wanted) {
                patterns.push(wanted);
            }
        }
        patterns
    }

    /// How many violations of a rule are neither certain nor excluded.
    fn pending(&self, rule: usize) -> u64 {
        let of_rule = |(follow, _): &(&crate::fo::code::program::Follow, &Demands)| follow.rule == rule;
        let demands = self.print.follows.iter().zip(&self.store.demands).filter(of_rule);
        let Rule { judgement, ambiguous, reported, .. } = &self.rules[rule];
        if !ambiguous {
            return demands.map(|(_, demands)| demands.open).sum();
        }
        // Several demands may be about one violation, which may be certain already.
        let violation = |point: u64, words: Vec<u64>| match judgement {
            Judgement::Once => (0, words),
            _ => (point, words),
        };
        let certain: HashSet<_> = reported.iter().map(|(point, words)| violation(*point, words.clone())).collect();
        let mut open = HashSet::new();
        for (follow, demands) in demands {
            let table = &self.store.tables[follow.view];
            for (row, opened) in table.rows().flat_map(|row| demands.openings(row).map(move |own| (row, own))) {
                let key = table.key(row);
                let words = follow.bindings.iter().filter_map(|column| column.map(|at| key[at as usize])).collect();
                open.insert(violation(opened, words));
            }
        }
        open.difference(&certain).count() as u64
    }

    /// Whether every rule has the violation that was wanted of it.
    fn is_done(&self) -> bool {
        self.wanted == Wanted::First && self.rules.iter().all(|rule| rule.violations > 0)
    }

    /// The properties, in the order of their rules.
    pub fn properties(&self) -> &[Arc<Property>] {
        &self.properties
    }
}

/// Where the arguments of a pattern are in events of a shape.
fn places(pattern: &Pattern, shape: &EventShape) -> Option<Box<[usize]>> {
    match pattern {
        Pattern::Positional(name, count) => {
            (*shape.name == **name && shape.positional == *count).then(|| (0..*count).collect())
        }
        Pattern::Bare(name) => (*shape.name == **name).then(|| Box::new([]) as Box<[usize]>),
        Pattern::Fields(fields) => {
            fields.iter().map(|field| shape.arguments.iter().position(|argument| *argument.name == **field)).collect()
        }
    }
}

/// Whether somebody asks what happened or what changed at the point before.
fn asks_before(print: &CompiledProgram) -> bool {
    let asks = |source: &Source| matches!(source, Source::Before(_) | Source::Change { old: true, .. });
    !print.copies.is_empty() || print.units.iter().flat_map(|unit| &unit.triggers).any(|own| asks(&own.source))
}

/// Whether a window may be looked at before its time has passed, so as it was at the point before.
pub fn may_look_back(print: &CompiledProgram) -> bool {
    let is_window = |target: Target| match target {
        Target::View(view) => print.views[view].is_window(),
        Target::Check(_) | Target::Demand(_) => false,
    };
    let last = print.units.iter().rposition(|unit| is_window(unit.target));
    let looks =
        |unit: &crate::fo::code::program::Unit| unit.triggers.iter().any(|trigger| !trigger.plan.steps.is_empty());
    last.is_some_and(|last| print.units[..last].iter().any(looks))
}

/// Which views must tell what changes, and whether every point must be judged.
pub fn needs(print: &CompiledProgram) -> (Vec<bool>, bool) {
    let mut tracked = vec![false; print.views.len()];
    let mut every = !print.copies.is_empty() || print.checks.iter().any(|check| check.state.is_some());
    // Deadlines pass, and the next point comes, at whatever point it is.
    every |= print.follows.iter().any(crate::fo::code::program::Follow::is_pressing);
    // So does what the general path evaluates.
    every |= print.parts.iter().any(|part| part.is_used && part.is_moving);
    // What was in a window at the point before depends on the time of that point, whatever happened at it.
    every |= may_look_back(print);
    print.copies.iter().for_each(|(_, of)| tracked[*of] = true);
    for (target, trigger) in print.units.iter().flat_map(|unit| unit.triggers.iter().map(|own| (unit.target, own))) {
        match &trigger.source {
            // What the first point decides is decided there, whatever happens at it.
            Source::First if !matches!(target, Target::View(_)) => every = true,
            Source::Change { view, old, .. } => {
                tracked[*view] = true;
                every |= *old || print.views[*view].is_window();
            }
            Source::Before(_) => every = true,
            Source::Event(_) | Source::First => {}
        }
    }
    (tracked, every)
}

/// Whether several rows of a rule's demands may be about one violation: they differ in values that are no bindings.
fn shares_violations(print: &CompiledProgram, rule: usize) -> bool {
    let shares = |follow: &crate::fo::code::program::Follow| {
        follow.bindings.iter().flatten().count() < print.views[follow.view].columns
    };
    print.follows.iter().any(|follow| follow.rule == rule && shares(follow))
}

fn demands(properties: &[Arc<Property>], print: &CompiledProgram) -> Vec<Demands> {
    let demands = |follow: &crate::fo::code::program::Follow| {
        let once = properties[follow.rule].judgement == Judgement::Once;
        Demands::new(Terms {
            interval: follow.interval.clone(),
            forbidden: follow.forbidden,
            single: once && follow.relay.is_none() && follow.interval.is_all(),
            shown: !once,
        })
    };
    print.follows.iter().map(demands).collect()
}

fn rules(properties: &[Arc<Property>], print: &CompiledProgram) -> Vec<Rule> {
    let rule = |(number, property): (usize, &Arc<Property>)| {
        let branches = print.checks.iter().filter(|check| check.rule == number).count();
        let demands = print.follows.iter().filter(|follow| follow.rule == number).count();
        Rule {
            judgement: property.judgement,
            violations: 0,
            decided: None,
            reported: HashSet::new(),
            ambiguous: demands > 0 && (branches + demands > 1 || shares_violations(print, number)),
            now: Vec::new(),
            by_end: HashMap::new(),
        }
    };
    properties.iter().enumerate().map(rule).collect()
}
