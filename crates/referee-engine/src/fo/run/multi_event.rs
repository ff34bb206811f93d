//! Points with more than one event, by handlers.
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
//! at a time; where the others matter (*no such event*, *some such event*), it asks for them ([`point_index`](super::point_index)).
//!
//! That is what the plans do if the solutions of one event stay the same while those of another are dealt with. They do:
//! a view that reads itself stays with its plans, rows of demands stay in their table until the point is judged, and a
//! row that goes twice, or comes twice, goes or comes once. A unit stays with its plans, for all events of the point, if
//! one of their shapes asks for more than that.

use referee_trace::points::PointView;
use referee_trace::values::Values;

use crate::fo::code::handler::{EventQuery, Handler};
use crate::fo::code::instruction::Op;
use crate::fo::code::key::REGISTER;
use crate::fo::run::handler_loop::Pause;
use crate::fo::run::multi_event_handlers::{MultiEventHandlers, PHASES};
use crate::fo::run::program::Program;
use crate::judge::Finding;

#[inline]
fn is_bit(bits: u64, number: usize) -> bool {
    bits >> number & 1 == 1
}

impl Program {
    /// Judges a point that has more than one event and is not the first.
    pub(super) fn judge_multi_event(&mut self, point: &PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let Some(handlers) = self.multi_event.take() else { return };
        self.begin_point(point);
        self.move_parts(point, values);
        self.executor.store.changes.clear();
        let (mut acts, mut by_plans) = ([0; PHASES], 0);
        let events = point.ends().map(|(shape, end)| {
            let parts = &handlers.classes[self.matches.class(shape.index())];
            acts.iter_mut().zip(parts.acts).for_each(|(all, own)| *all |= own);
            by_plans |= parts.by_plans;
            (shape.0, end)
        });
        let words = point.atoms().iter().map(|atom| Program::word(self.by_text, values, *atom));
        self.events.take(events, words);
        handlers.index.borrow_mut().clear();
        for (number, unit) in handlers.units.iter().enumerate() {
            let is_whole = match &unit.by_plans {
                Some(None) => true,
                Some(Some(views)) => match views.iter().any(|view| self.executor.store.changes.has(*view)) {
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
                false => self.run_phases(&handlers, number, &acts, values, found),
            }
        }
        self.multi_event = Some(handlers);
        self.conclude(values, found);
    }

    /// Runs a unit for all events of the point, phase by phase.
    fn run_phases(
        &mut self,
        handlers: &MultiEventHandlers,
        number: usize,
        acts: &[u64; PHASES],
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        let unit = &handlers.units[number];
        if let Some(view) = unit.window {
            self.executor.store.advance_window(view);
        }
        if let Some((demand, true)) = unit.demand {
            self.executor.store.pass_deadlines(demand);
        }
        for phase in (0..PHASES).filter(|phase| is_bit(acts[*phase], number)) {
            for event in 0..self.events.len() {
                let parts = &handlers.classes[self.matches.class(self.events.shape(event) as usize)];
                if is_bit(parts.acts[phase], number) {
                    self.run_phase(handlers, &parts.code[number][phase], event, values);
                }
            }
        }
        match unit.demand {
            Some((demand, _)) if self.executor.store.demands[demand].violated.is_empty() => {
                self.executor.store.sweep_demands(demand)
            }
            Some((demand, _)) => self.report_demands(demand, values, found),
            None => {}
        }
    }

    fn run_phase(&mut self, handlers: &MultiEventHandlers, handler: &Handler, event: usize, values: &Values) {
        let words = self.events.words(event);
        self.executor.frame[..REGISTER].iter_mut().zip(words).for_each(|(slot, word)| *slot = *word);
        let mut pause = self.executor.run(handler, 0);
        loop {
            let at = match pause {
                Pause::Reports { at } => {
                    self.note_waiting(&handler.reports, values);
                    at as usize
                }
                Pause::Question { op } => self.answer(handlers, handler, op as usize, values),
                // Demands are told of when all events have been seen, and no unit is left to its plans halfway.
                Pause::Done | Pause::Violated { .. } | Pause::Unit { .. } => return,
            };
            pause = self.executor.run(handler, at);
        }
    }

    /// Tells where a handler goes on that asks something.
    fn answer(&self, handlers: &MultiEventHandlers, handler: &Handler, op: usize, values: &Values) -> usize {
        let (holds, to) = match &handler.ops[op] {
            Op::HasEvent { query, there, to } => {
                (self.has_event(handlers, &handler.event_queries[*query as usize]) == *there, *to)
            }
            Op::Order { how, left, right, there, to, .. } => {
                let frame = &self.executor.frame;
                let compares = self.context(values).words_compare(*how, frame[*left as usize], frame[*right as usize]);
                (compares == *there, *to)
            }
            _ => (true, 0),
        };
        if holds { op + 1 } else { to as usize }
    }

    /// Whether some event of the point looks so.
    fn has_event(&self, handlers: &MultiEventHandlers, EventQuery { pattern, equals }: &EventQuery) -> bool {
        let fits = |event: usize| {
            let Some(places) = self.matches.places_of(self.events.shape(event), *pattern) else { return false };
            let words = self.events.words(event);
            equals.iter().all(|(at, slot)| words[places[*at]] == self.executor.frame[*slot as usize])
        };
        let has = match equals.first() {
            Some((argument, slot)) => {
                let (key, word) = ((*pattern, *argument), self.executor.frame[*slot as usize]);
                handlers.index.borrow_mut().any(key, word, (&self.events, &self.matches), fits)
            }
            None => (0..self.events.len()).any(fits),
        };
        has && !crate::faults::is(crate::faults::Fault::Handlers)
    }
}
