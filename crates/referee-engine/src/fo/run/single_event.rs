//! The way of points with one event, as most are: the handler of the event's shape.
//!
//! ```text
//!   batch ─▶ prefetch for later events ─▶ per event: load its arguments, run the handler ─▶ nothing found, mostly
//!                                                                    └ it pauses: run a unit by its plans, note reports
//! ```
//!
//! The loop keeps only what every event needs. For what few events need, such as a report, the program finds the event again by its place
//! in the batch.

use std::ops::Range;

use referee_trace::number::Number;
use referee_trace::points::SingleEvents;
use referee_trace::raw::ShapeId;
use referee_trace::values::{Atom, Values};

use crate::fo::code::key::REGISTER;
use crate::fo::run::handler_loop::Pause;
use crate::fo::run::prefetch::TOGETHER;
use crate::fo::run::program::Program;
use crate::fo::store::RowStore;
use crate::judge::Finding;

impl Program {
    /// Judges some points of a batch, not the first, that have one event each, with their times if they are timed; tells whether nothing
    /// behind them matters.
    fn judge_events<const TIMED: bool>(
        &mut self,
        events: SingleEvents<'_>,
        times: &[Option<Number>],
        places: Range<usize>,
        values: &Values,
        found: &mut Vec<Finding>,
    ) -> bool {
        self.executor.store.time = Number::ZERO;
        let mut at = places.start;
        while at < places.end
            && let Some((point, shape, arguments)) = events.get(at)
        {
            self.executor.store.point = point;
            if TIMED {
                self.set_time(times[at].as_ref());
            }
            if self.has_duties() {
                self.do_duties_at(&events, at, values);
            }
            let pause = self.run_handler(shape.0 as usize, arguments, values);
            if self.is_pending(pause) && self.finish_event_at(pause, &events, at, values, found) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Judges all points of a batch that has one event at each, prefetching rows where that is worth it.
    pub(super) fn judge_batch<const TIMED: bool>(
        &mut self,
        events: SingleEvents<'_>,
        times: &[Option<Number>],
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        // The first few events come too soon for that.
        let far = self.prefetch_rows.filter(|_| events.len() > TOGETHER).filter(|rows| {
            self.handlers.iter().any(|handler| self.executor.is_prefetch_worth_it(&handler.prefetches, *rows))
        });
        let together = if far.is_some() { TOGETHER } else { events.len() };
        for from in (0..events.len()).step_by(together.max(1)) {
            let to = from + together;
            if let Some(rows) = far {
                for (_, shape, arguments) in (to..to + together).map_while(|at| events.get(at)) {
                    self.executor.prefetch(
                        &self.handlers[self.matches.class(shape.index())].prefetches,
                        arguments,
                        rows,
                    );
                }
            }
            if self.judge_events::<TIMED>(events, times, from..to, values, found) {
                return;
            }
        }
    }

    /// Judges a point that has one event and is not the first; tells whether nothing behind it matters.
    pub(super) fn judge_event(
        &mut self,
        shape: usize,
        arguments: &[Atom],
        values: &Values,
        found: &mut Vec<Finding>,
    ) -> bool {
        if self.has_duties() {
            self.do_duties(shape, arguments, values);
        }
        let pause = self.run_handler(shape, arguments, values);
        self.is_pending(pause) && self.finish_event(pause, shape, arguments, values, found)
    }

    /// Runs the handler of an event.
    #[inline(always)]
    fn run_handler(&mut self, shape: usize, arguments: &[Atom], values: &Values) -> Pause {
        self.load(arguments, values);
        let handler = &self.handlers[self.matches.class(shape)];
        self.executor.run_here(handler, 0)
    }

    /// Whether something is left to do at a point whose handler has paused.
    #[inline(always)]
    fn is_pending(&self, pause: Pause) -> bool {
        pause != Pause::Done || (self.has_states && self.is_state_seen())
    }

    #[inline(never)]
    fn do_duties_at(&mut self, events: &SingleEvents<'_>, at: usize, values: &Values) {
        if let Some((_, shape, arguments)) = events.get(at) {
            self.do_duties(shape.0 as usize, arguments, values);
        }
    }

    #[inline(never)]
    fn finish_event_at(
        &mut self,
        pause: Pause,
        events: &SingleEvents<'_>,
        at: usize,
        values: &Values,
        found: &mut Vec<Finding>,
    ) -> bool {
        events
            .get(at)
            .is_some_and(|(_, shape, arguments)| self.finish_event(pause, shape.0 as usize, arguments, values, found))
    }

    /// Whether something has to be done before an event is judged.
    #[inline(always)]
    fn has_duties(&self) -> bool {
        self.executor.store.changes.is_any() || self.is_moved
    }

    /// Forgets what changed at the point before, and lets the parts that the interpreter evaluates hear of this one.
    fn do_duties(&mut self, shape: usize, arguments: &[Atom], values: &Values) {
        self.executor.store.changes.clear();
        if self.is_moved {
            let RowStore { point, time, .. } = &self.executor.store;
            self.fallback.get_mut().step(*point, time, &[(ShapeId(shape as u32), arguments)], values);
        }
    }

    /// Does what a handler cannot do, until it is done, and tells what was found; tells whether nothing behind it matters.
    fn finish_event(
        &mut self,
        mut pause: Pause,
        shape: usize,
        arguments: &[Atom],
        values: &Values,
        found: &mut Vec<Finding>,
    ) -> bool {
        while pause != Pause::Done {
            let at = self.interrupt(pause, shape, arguments, values, found);
            pause = self.executor.run(&self.handlers[self.matches.class(shape)], at as usize);
        }
        self.conclude(values, found);
        !found.is_empty() && self.is_done()
    }

    /// Puts the arguments of an event where its handler expects them.
    #[inline(always)]
    fn load(&mut self, arguments: &[Atom], values: &Values) {
        let frame = &mut self.executor.frame;
        match *arguments {
            // Most events have one or two, and most traces no numbers but short integers.
            [one] if self.is_exact => frame[0] = one.word(),
            [one, two] if self.is_exact => (frame[0], frame[1]) = (one.word(), two.word()),
            _ => self.load_any(arguments, values),
        }
    }

    #[inline(never)]
    fn load_any(&mut self, arguments: &[Atom], values: &Values) {
        for (slot, atom) in self.executor.frame[..REGISTER].iter_mut().zip(arguments) {
            *slot = Program::word(self.by_text, values, *atom);
        }
    }

    /// Does what a handler cannot do; tells where it goes on.
    fn interrupt(
        &mut self,
        pause: Pause,
        shape: usize,
        arguments: &[Atom],
        values: &Values,
        found: &mut Vec<Finding>,
    ) -> u32 {
        match pause {
            // Who has one event only asks for no other.
            Pause::Done | Pause::Question { .. } => self.handlers[self.matches.class(shape)].ops.len() as u32,
            Pause::Reports { at } => {
                let handlers = std::mem::take(&mut self.handlers);
                self.note_waiting(&handlers[self.matches.class(shape)].reports, values);
                self.handlers = handlers;
                at
            }
            Pause::Violated { demand, at } => {
                self.report_demands(demand as usize, values, found);
                at
            }
            Pause::Unit { unit, at } => {
                self.events.clear();
                let words = arguments.iter().map(|atom| Program::word(self.by_text, values, *atom));
                self.events.push(shape as u32, words);
                let active = self.active[self.matches.class(shape)].clone();
                let (unit, triggers) = &active[unit as usize];
                self.run_unit(*unit, triggers, false, values, found);
                at
            }
        }
    }
}
