//! Points with several events, by handlers.
//!
//! ```text
//!   point   a(1)  b(2)  a(3)
//!   unit 0  time passes │ phase 0: a(1), a(3) │ phase 1: b(2) │ what is settled goes
//!   unit 1  …
//! ```
//!
//! Units run one after the other, as they do by plans: what one reads of another is what it would be there. Within a
//! unit, everything of one kind is done for all events before the next kind: rows go before rows come, goals are
//! reached before demands open. Each kind is a *phase*, whose code, one handler per shape of events, looks at one event
//! at a time; where the others matter (*no such event*, *some such event*), it asks for them ([`asked`](crate::fo::run::point_index)).
//!
//! That is what the plans do if the solutions of one event stay the same while those of another are dealt with. They do:
//! a view that reads itself stays with its plans, rows of demands stay in their table until the point is judged, and a
//! row that goes twice, or comes twice, goes or comes once. A unit stays with its plans, for all events of the point, if
//! one of their shapes asks for more than that.

use std::cell::RefCell;

use referee_trace::points::PointView;
use referee_trace::values::Values;

use crate::fo::code::codegen::{self, Places};
use crate::fo::code::handler::{Asked, Handler, Op, Pause, REGISTER};
use crate::fo::code::program::{CompiledProgram, Source, Target};
use crate::fo::run::Program;
use crate::fo::run::point_index::Index;
use crate::fo::store::Store;
use crate::fo::types::ViewId;
use crate::judge::Finding;

/// A view has two phases, a demand three.
const PHASES: usize = 3;

/// How many units a program may have whose points are judged so: as many as a word has bits.
const MOST_UNITS: usize = 64;

/// What is done at points with several events.
#[derive(Debug, Default)]
pub struct Several {
    units: Vec<Unit>,
    shapes: Vec<Parts>,
    /// The events of the point, for handlers that ask.
    index: RefCell<Index>,
}

/// What a unit does at a point, whatever its events are.
#[derive(Debug)]
struct Unit {
    /// It is run by its plans: always, or if one of these views has changed.
    by_plans: Option<Option<Vec<ViewId>>>,
    /// The window in which time passes.
    window: Option<ViewId>,
    /// The demand that is followed, and whether its deadlines pass.
    demand: Option<(usize, bool)>,
}

/// What events of one shape do.
#[derive(Debug, Default)]
struct Parts {
    /// The units, as bits, that have something to do in each phase.
    acts: [u64; PHASES],
    /// Those that stay with their plans.
    by_plans: u64,
    /// The code of each unit, by phase.
    code: Vec<Vec<Handler>>,
}

impl Several {
    /// What units do at every point; nothing if there are too many.
    pub fn new(print: &CompiledProgram) -> Option<Several> {
        if print.units.len() > MOST_UNITS {
            return None;
        }
        let unit = |unit: &crate::fo::code::program::Unit| {
            let changes = |own: &crate::fo::code::program::Trigger| match own.source {
                Source::Change { view, .. } => Some(view),
                _ => None,
            };
            let window = match unit.target {
                Target::View(view) if print.views[view].is_window() => Some(view),
                _ => None,
            };
            let demand = match unit.target {
                Target::Demand(demand) => Some((demand, !print.follows[demand].interval.is_all())),
                _ => None,
            };
            let views: Option<Vec<ViewId>> = unit.triggers.iter().map(changes).collect();
            let is_quiet = window.is_none() && demand.is_none();
            let by_plans = match views {
                _ if unit.triggers.iter().all(|own| changes(own).is_none()) => None,
                Some(views) if is_quiet => Some(Some(views)),
                _ => Some(None),
            };
            Unit { by_plans, window, demand }
        };
        Some(Several { units: print.units.iter().map(unit).collect(), ..Several::default() })
    }

    /// A shape comes for the first time.
    pub fn add_shape(&mut self, print: &CompiledProgram, places: &Places, store: &mut Store, shortens: bool) {
        let mut parts = Parts::default();
        for unit in 0..print.units.len() {
            let mut phases = codegen::phases(print, unit, places);
            phases.iter_mut().flatten().for_each(|handler| handler.prepare(store, shortens));
            let asked = phases.iter().flatten().flat_map(|handler| &handler.asked);
            asked.for_each(|asked| self.index.get_mut().prepare(asked));
            for (acts, handler) in parts.acts.iter_mut().zip(phases.iter().flatten()) {
                *acts |= u64::from(!handler.ops.is_empty()) << unit;
            }
            parts.by_plans |= u64::from(phases.is_none()) << unit;
            parts.code.push(phases.unwrap_or_default());
        }
        self.shapes.push(parts);
    }
}

#[inline]
fn is_bit(bits: u64, number: usize) -> bool {
    bits >> number & 1 == 1
}

impl Program {
    /// Judges a point that has several events and is not the first.
    pub(crate) fn judge_several(&mut self, point: &PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let Some(several) = self.several.take() else { return };
        self.begin_point(point);
        self.move_parts(point, values);
        self.store.changes.clear();
        let (mut acts, mut by_plans) = ([0; PHASES], 0);
        let events = point.ends().map(|(shape, end)| {
            let parts = &several.shapes[shape.index()];
            acts.iter_mut().zip(parts.acts).for_each(|(all, own)| *all |= own);
            by_plans |= parts.by_plans;
            (shape.0, end)
        });
        let words = point.atoms().iter().map(|atom| Program::word(self.by_text, values, *atom));
        self.happenings.take(events, words);
        several.index.borrow_mut().clear();
        for (number, unit) in several.units.iter().enumerate() {
            let is_whole = match &unit.by_plans {
                Some(None) => true,
                Some(Some(views)) => match views.iter().any(|view| self.store.changes.has(*view)) {
                    true => true,
                    false => continue,
                },
                None => is_bit(by_plans, number),
            };
            match is_whole {
                true => {
                    let triggers = std::mem::take(&mut self.whole[number]);
                    self.run_unit(number, &triggers, false, values, found);
                    self.whole[number] = triggers;
                }
                false => self.run_phases(&several, number, &acts, values, found),
            }
        }
        self.several = Some(several);
        self.conclude(values, found);
    }

    /// Runs a unit for all events of the point, phase by phase.
    fn run_phases(
        &mut self,
        several: &Several,
        number: usize,
        acts: &[u64; PHASES],
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let unit = &several.units[number];
        if let Some(view) = unit.window {
            self.store.advance_window(view);
        }
        if let Some((demand, true)) = unit.demand {
            self.store.pass_deadlines(demand);
        }
        for phase in (0..PHASES).filter(|phase| is_bit(acts[*phase], number)) {
            for event in 0..self.happenings.len() {
                let parts = &several.shapes[self.happenings.shape(event) as usize];
                if is_bit(parts.acts[phase], number) {
                    self.run_phase(several, &parts.code[number][phase], event, values);
                }
            }
        }
        match unit.demand {
            Some((demand, _)) if self.store.demands[demand].broken.is_empty() => self.store.sweep_demands(demand),
            Some((demand, _)) => self.report_demands(demand, values, found),
            None => {}
        }
    }

    fn run_phase(&mut self, several: &Several, handler: &Handler, event: usize, values: &Values) {
        let words = self.happenings.words(event);
        self.store.frame[..REGISTER].iter_mut().zip(words).for_each(|(slot, word)| *slot = *word);
        let mut pause = self.store.run(handler, 0);
        loop {
            let at = match pause {
                Pause::Reports { at } => {
                    self.note_waiting(&handler.reports, values);
                    at as usize
                }
                Pause::Asks { op } => self.answer(several, handler, op as usize, values),
                // Demands are told of when all events have been seen, and no unit is left to its plans halfway.
                Pause::Done | Pause::Broken { .. } | Pause::Unit { .. } => return,
            };
            pause = self.store.run(handler, at);
        }
    }

    /// Tells where a handler goes on that asks something.
    fn answer(&self, several: &Several, handler: &Handler, op: usize, values: &Values) -> usize {
        let (holds, to) = match &handler.ops[op] {
            Op::Ask { asked, there, to } => (self.has_event(several, &handler.asked[*asked as usize]) == *there, *to),
            Op::Order { how, left, right, there, to, .. } => {
                let frame = &self.store.frame;
                let compares = self.world(values).words_compare(*how, frame[*left as usize], frame[*right as usize]);
                (compares == *there, *to)
            }
            _ => (true, 0),
        };
        if holds { op + 1 } else { to as usize }
    }

    /// Whether some event of the point looks so.
    fn has_event(&self, several: &Several, Asked { pattern, equals }: &Asked) -> bool {
        let fits = |event: usize| {
            let shape = self.happenings.shape(event) as usize;
            let Some(places) = &self.matches.places[shape][*pattern] else { return false };
            let words = self.happenings.words(event);
            equals.iter().all(|(at, slot)| words[places[*at]] == self.store.frame[*slot as usize])
        };
        let has = match equals.first() {
            Some((argument, slot)) => {
                let (key, word) = ((*pattern, *argument), self.store.frame[*slot as usize]);
                several.index.borrow_mut().any(key, word, (&self.happenings, &self.matches), fits)
            }
            None => (0..self.happenings.len()).any(fits),
        };
        has && !crate::faults::is(crate::faults::Fault::Handlers)
    }
}
