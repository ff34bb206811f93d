//! A program that judges: a compiled program, its store, and what it has found.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use referee_spec::core::{Equality, Judgement, Property};
use referee_trace::number::Number;
use referee_trace::points::{Interest, PointView};
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::fo::code::codegen::Places;
use crate::fo::code::handler::Handler;
use crate::fo::code::key::{CONSTANT, SLOTS};
use crate::fo::code::needs::{Needs, asks_before, needs, shares_violations};
use crate::fo::code::program::CompiledProgram;
use crate::fo::code::store_shape::store_shape;
use crate::fo::passes::Passes;
use crate::fo::run::executor::Executor;
use crate::fo::run::fallback::FallbackParts;
use crate::fo::run::multi_event_handlers::MultiEventHandlers;
use crate::fo::run::plan_context::PlanContext;
use crate::fo::run::point_events::{Constants, Matches, PointEvents, Registers};
use crate::fo::run::prefetch::LARGE_TABLE;
use crate::fo::store::RowStore;
use crate::fo::store::changes::Changes;
use crate::fo::store::row::Row;
use crate::fo::types::store_shape::StoreShape;
use crate::fo::types::{REGISTERS, ViewId};
use crate::judge::Wanted;

/// A rule of the program, as far as reports need it.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) judgement: Judgement,
    pub(super) violations: u64,
    /// The point that decided the first violation.
    pub(super) decided: Option<u64>,
    /// The bindings that were reported, for properties judged once; pairs of point and bindings where a violation could be
    /// found twice.
    pub(super) reported: HashSet<(u64, Vec<u64>)>,
    /// Whether a violation could be found at different points: by two branches, or for two rows.
    pub(super) ambiguous: bool,
    /// The rows that violate the property at this point: one word per binding.
    pub(super) now: Vec<Vec<Option<u64>>>,
    /// What only the end decides: the bindings, and the point at which they were found.
    pub(super) by_end: HashMap<Vec<u64>, u64>,
}

/// A violation's bindings, as values and as words.
pub(super) type Told = (Vec<Option<Value>>, Vec<Option<u64>>);

/// A unit that is run by its plans, with those of its triggers that this point can set off.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitFiring<'t> {
    pub(super) unit: usize,
    pub(super) triggers: &'t [usize],
    pub(super) first: bool,
}

/// Units by their numbers, each with the numbers of its triggers.
pub(super) type TriggeredUnits = Vec<(usize, Vec<usize>)>;

/// Judges formulas by tables and handlers.
pub struct Program {
    pub(super) program: CompiledProgram,
    pub(super) passes: Passes,
    pub(super) wanted: Wanted,
    pub(super) by_text: bool,
    pub(super) rules: Vec<Rule>,
    pub(super) properties: Vec<Arc<Property>>,
    /// The tables, and what handlers work on.
    pub(super) executor: Executor,
    /// What the tables are.
    pub(super) shape: StoreShape,
    /// The keys of rows that changed at the point before, by view.
    pub(super) old_changes: Changes,
    pub(super) matches: Matches,
    pub(super) constants: Constants,
    /// What a point with one event can trigger, by the class of its shape: units and their triggers.
    pub(super) active: Vec<Arc<TriggeredUnits>>,
    /// What is done at such a point instead of running those units.
    pub(super) handlers: Vec<Handler>,
    /// The class of shapes that fit the patterns in each way, and what is read of them.
    pub(super) class_of_places: HashMap<Arc<Places>, (u32, Interest)>,
    /// From how many rows on tables are prefetched; nothing if none is.
    pub(super) prefetch_rows: Option<usize>,
    /// Whether handlers are used: nobody asks what was at the point before.
    pub(super) has_handlers: bool,
    /// What is done at points with more than one event, if handlers do it.
    pub(super) multi_event: Option<MultiEventHandlers>,
    /// All triggers of each unit.
    pub(super) whole: Vec<Vec<usize>>,
    /// The checks that look at a view at every point.
    pub(super) states: Vec<usize>,
    /// Those views.
    pub(super) state_views: Vec<ViewId>,
    /// Whether there are any.
    pub(super) has_states: bool,
    /// Whether there is something to report at this point.
    pub(super) has_rows: bool,
    pub(super) registers: Registers,
    /// Whether every point must be judged, whatever its events.
    pub(super) every_point: bool,
    /// The events of the point, where plans look at them.
    pub(super) events: PointEvents,
    /// Those of the point before.
    pub(super) events_before: PointEvents,
    pub(super) buffer: Vec<u64>,
    pub(super) spare: Vec<u64>,
    pub(super) row: Vec<Option<u64>>,
    pub(super) skips: RefCell<Vec<(ViewId, usize, Row)>>,
    /// The parts of formulas that the interpreter evaluates.
    pub(super) fallback: RefCell<FallbackParts>,
    /// Whether such parts have to hear of every point.
    pub(super) is_moved: bool,
    /// The columns in which no value is asked for that never comes again, once somebody wants to know.
    pub(super) unread: Option<Vec<(ViewId, usize)>>,
    /// Whether the words of values are those of their atoms, in the batch that is judged.
    pub(super) is_exact: bool,
}

impl Program {
    /// The program of some properties, before the first point.
    pub fn new(properties: &[Arc<Property>], program: CompiledProgram, passes: Passes, wanted: Wanted) -> Program {
        let Needs { tracked, every_point } = needs(&program);
        let shape = store_shape(&program, properties, &tracked);
        let by_text = properties.first().is_some_and(|property| property.equality == Equality::ByText);
        let has_handlers = passes.handlers && !asks_before(&program);
        let fallback = FallbackParts::new(properties, &program.parts);
        let large = if passes.prefetch_small_tables { 2 } else { LARGE_TABLE };
        Program {
            rules: rules(properties, &program),
            properties: properties.to_vec(),
            old_changes: Changes::new(tracked),
            executor: Executor::new(&shape, program.checks.len()),
            shape,
            has_handlers,
            multi_event: (has_handlers && passes.multi_event).then(|| MultiEventHandlers::new(&program)).flatten(),
            prefetch_rows: passes.prefetch.then_some(large),
            matches: Matches::default(),
            constants: Constants::default(),
            active: Vec::new(),
            handlers: Vec::new(),
            class_of_places: HashMap::new(),
            whole: program.units.iter().map(|unit| (0..unit.triggers.len()).collect()).collect(),
            states: (0..program.checks.len()).filter(|check| program.checks[*check].state.is_some()).collect(),
            state_views: program.checks.iter().filter_map(|check| check.state).collect(),
            has_states: program.checks.iter().any(|check| check.state.is_some()),
            has_rows: false,
            registers: [0; REGISTERS],
            every_point,
            events: PointEvents::default(),
            events_before: PointEvents::default(),
            buffer: Vec::new(),
            spare: Vec::new(),
            row: Vec::new(),
            skips: RefCell::default(),
            is_exact: false,
            unread: None,
            is_moved: fallback.is_moving(),
            fallback: RefCell::new(fallback),
            program,
            passes,
            wanted,
            by_text,
        }
    }

    /// The properties, in the order of their rules.
    pub fn properties(&self) -> &[Arc<Property>] {
        &self.properties
    }

    /// The words of the constants.
    pub(super) fn resolve_constants(&mut self, values: &mut Values) {
        self.constants.values = self.program.constants.clone();
        self.constants.words = self
            .constants
            .values
            .iter()
            .map(|value| match (self.by_text, value) {
                (true, value) => {
                    let atom = values.intern(&value.to_string());
                    values.pinned(atom).word()
                }
                (false, value) => values.constant(value).word(),
            })
            .collect();
        let slots = &mut self.executor.frame[CONSTANT..SLOTS];
        slots.iter_mut().zip(&self.constants.words).for_each(|(slot, word)| *slot = *word);
    }

    /// Lets the parts that the interpreter evaluates hear of a point.
    pub(super) fn move_parts(&mut self, point: &PointView<'_>, values: &Values) {
        if self.is_moved {
            let RowStore { point: number, time, .. } = &self.executor.store;
            let events: Vec<_> = point.events().collect();
            self.fallback.get_mut().step(*number, time, &events, values);
        }
    }

    pub(super) fn begin_point(&mut self, point: &PointView<'_>) {
        self.executor.store.point = point.number;
        self.set_time(point.time);
    }

    #[inline(always)]
    pub(super) fn set_time(&mut self, time: Option<&Number>) {
        match (time, &mut self.executor.store.time) {
            // Most times are integers: nothing has to be freed or copied with policy.
            (Some(Number::Int(time)), Number::Int(own)) => *own = *time,
            (time, own) => *own = time.cloned().unwrap_or(Number::ZERO),
        }
    }

    /// The word of an atom, as properties compare it.
    #[inline(always)]
    pub(super) fn word(by_text: bool, values: &Values, atom: Atom) -> u64 {
        if by_text { atom.word() } else { values.normal(atom).word() }
    }

    /// What changed becomes what changed before, and copies follow.
    pub(super) fn turn_changes(&mut self) {
        if self.every_point {
            std::mem::swap(&mut self.executor.store.changes, &mut self.old_changes);
        }
        self.executor.store.changes.clear();
        let copies = if self.every_point { self.program.copies.len() } else { 0 };
        for at in 0..copies {
            let (copy, of) = self.program.copies[at];
            self.follow_copy(copy, of);
        }
    }

    pub(super) fn follow_copy(&mut self, copy: ViewId, of: ViewId) {
        let keys = self.program.views[of].keys();
        let changed = self.old_changes.of(of);
        let rows = changed.len().checked_div(keys).unwrap_or(usize::from(!changed.is_empty()));
        for row in 0..rows {
            let key = if keys == 0 { &[][..] } else { &changed[row * keys..(row + 1) * keys] };
            let source =
                self.executor.store.tables[of].find(key).filter(|&row| self.executor.store.tables[of].is_true(row));
            match source {
                Some(source) => {
                    let set = self.executor.store.tables[of].set(source).cloned();
                    let (row, _) = self.executor.store.tables[copy].insert(key);
                    if let Some(set) = set {
                        self.executor.store.tables[copy].replace_set(row, set);
                    }
                }
                None => {
                    if let Some(row) = self.executor.store.tables[copy].find(key) {
                        self.executor.store.tables[copy].remove(row);
                    }
                }
            }
            self.executor.store.changes.note_any(copy, key);
        }
    }

    pub(super) fn context<'a>(&'a self, values: &'a Values) -> PlanContext<'a> {
        PlanContext {
            tables: &self.executor.store.tables,
            joins: &self.executor.store.joins,
            events: &self.events,
            matches: &self.matches,
            constants: &self.constants,
            values,
            time: &self.executor.store.time,
            by_text: self.by_text,
            skips: &self.skips,
            fallback: &self.fallback,
        }
    }

    /// Whether every rule has the violation that was wanted of it.
    pub(super) fn is_done(&self) -> bool {
        self.wanted == Wanted::First && self.rules.iter().all(|rule| rule.violations > 0)
    }
}

fn rules(properties: &[Arc<Property>], program: &CompiledProgram) -> Vec<Rule> {
    let rule = |(number, property): (usize, &Arc<Property>)| {
        let branches = program.checks.iter().filter(|check| check.rule == number).count();
        let demands = program.follows.iter().filter(|follow| follow.rule == number).count();
        Rule {
            judgement: property.judgement,
            violations: 0,
            decided: None,
            reported: HashSet::new(),
            ambiguous: demands > 0 && (branches + demands > 1 || shares_violations(program, number)),
            now: Vec::new(),
            by_end: HashMap::new(),
        }
    };
    properties.iter().enumerate().map(rule).collect()
}
