//! The code of points with more than one event: per unit, shape of events and phase.
//!
//! The module [`multi_event`](super::multi_event) tells how it is run.

use std::cell::RefCell;

use crate::fo::code::codegen::{self, Places};
use crate::fo::code::finish::finish;
use crate::fo::code::handler::Handler;
use crate::fo::code::program::{CompiledProgram, Source, Target, Trigger, Unit};
use crate::fo::run::point_index::PointIndex;
use crate::fo::types::ViewId;
use crate::fo::types::store_shape::StoreShape;

/// A view has two phases, a demand three.
pub(super) const PHASES: usize = 3;

/// How many units a program may have whose points are judged so: as many as a word has bits.
const MOST_UNITS: usize = 64;

/// What is done at points with more than one event.
#[derive(Debug, Default)]
pub(super) struct MultiEventHandlers {
    pub(super) units: Vec<MultiEventUnit>,
    /// What events do, by the class of their shape.
    pub(super) classes: Vec<ShapePhases>,
    /// The events of the point, for handlers that ask.
    pub(super) index: RefCell<PointIndex>,
}

/// What a unit does at a point, whatever its events are.
#[derive(Debug)]
pub(super) struct MultiEventUnit {
    /// It is run by its plans: always, or if one of these views has changed.
    pub(super) by_plans: Option<Option<Vec<ViewId>>>,
    /// The window in which time passes.
    pub(super) window: Option<ViewId>,
    /// The demand that is followed, and whether its deadlines pass.
    pub(super) demand: Option<(usize, bool)>,
}

/// What events of one shape do.
#[derive(Debug, Default)]
pub(super) struct ShapePhases {
    /// The units, as bits, that have something to do in each phase.
    pub(super) acts: [u64; PHASES],
    /// Those that stay with their plans.
    pub(super) by_plans: u64,
    /// The code of each unit, by phase.
    pub(super) code: Vec<Vec<Handler>>,
}

impl MultiEventHandlers {
    /// What units do at every point; nothing if there are too many.
    pub(super) fn new(program: &CompiledProgram) -> Option<MultiEventHandlers> {
        if program.units.len() > MOST_UNITS {
            return None;
        }
        let unit = |unit: &Unit| {
            let changes = |own: &Trigger| match own.source {
                Source::Change { view, .. } => Some(view),
                _ => None,
            };
            let window = match unit.target {
                Target::View(view) if program.views[view].is_window() => Some(view),
                _ => None,
            };
            let demand = match unit.target {
                Target::Demand(demand) => Some((demand, !program.follows[demand].interval.is_all())),
                _ => None,
            };
            let views: Option<Vec<ViewId>> = unit.triggers.iter().map(changes).collect();
            let is_idle = window.is_none() && demand.is_none();
            let by_plans = match views {
                _ if unit.triggers.iter().all(|own| changes(own).is_none()) => None,
                Some(views) if is_idle => Some(Some(views)),
                _ => Some(None),
            };
            MultiEventUnit { by_plans, window, demand }
        };
        Some(MultiEventHandlers { units: program.units.iter().map(unit).collect(), ..MultiEventHandlers::default() })
    }

    /// A shape comes for the first time, and fits the patterns in a new way; `link` gets its handlers.
    pub(super) fn add_shape(
        &mut self,
        program: &CompiledProgram,
        places: &Places,
        store: &StoreShape,
        shortens: bool,
        link: impl FnMut(&mut Handler),
    ) {
        let mut shape = ShapePhases::default();
        for unit in 0..program.units.len() {
            let mut phases = codegen::phases(program, unit, places);
            phases.iter_mut().flatten().for_each(|handler| finish(handler, store, shortens));
            let queries = phases.iter().flatten().flat_map(|handler| &handler.event_queries);
            queries.for_each(|query| self.index.get_mut().prepare(query));
            for (acts, handler) in shape.acts.iter_mut().zip(phases.iter().flatten()) {
                *acts |= u64::from(!handler.ops.is_empty()) << unit;
            }
            shape.by_plans |= u64::from(phases.is_none()) << unit;
            shape.code.push(phases.unwrap_or_default());
        }
        shape.code.iter_mut().flatten().for_each(link);
        self.classes.push(shape);
    }
}
