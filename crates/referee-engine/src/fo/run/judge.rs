//! How a program judges batches of points: it chooses the way for each, and tells what it has found.

use std::sync::Arc;

use referee_spec::core::{Judgement, Outcome, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::Want;
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use crate::fo::code::codegen::{self, Places};
use crate::fo::code::expression::{Argument, Pattern};
use crate::fo::code::finish::finish;
use crate::fo::code::handler::Handler;
use crate::fo::code::peephole;
use crate::fo::code::program::{Source, Target};
use crate::fo::code::unread::unread_columns;
use crate::fo::code::view::Upkeep;
use crate::fo::interpret::whole_trace::judge_property;
use crate::fo::run::program::Program;
use crate::fo::store::table::RowTable;
use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer, mark_saved};

impl Judge for Program {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        if self.matches.places.is_empty() {
            self.resolve_constants(values);
        }
        self.fallback.get_mut().shape(shape);
        let places: Arc<Places> = self.program.patterns.iter().map(|pattern| places(pattern, shape)).collect();
        if self.matches.shares_next()
            && let Some((class, interest)) = self.class_of_places.get(&places)
        {
            self.matches.add_shape(*class);
            return interest.clone();
        }
        self.active.push(Arc::new(self.units_of(&places)));
        let active = self.active.last().map_or(&[][..], |active| active);
        let mut handler = codegen::handler(&self.program, active, &places);
        if self.passes.peephole {
            peephole::rest(&mut handler, &self.shape);
        }
        finish(&mut handler, &self.shape, self.passes.peephole);
        self.executor.link(&mut handler);
        if let Some(multi_event) = &mut self.multi_event {
            let link = |handler: &mut Handler| self.executor.link(handler);
            multi_event.add_shape(&self.program, &places, &self.shape, self.passes.peephole, link);
        }
        let seen = places.iter().any(Option::is_some);
        // What is decided at a point is reported with the events of that point, whatever they are.
        let want = if seen || self.every_point { Want::ALL } else { Want::NONE };
        let is_shown = self.every_point || !self.has_handlers || handler.tells();
        let interest = Interest {
            alone: if is_shown || !seen { want } else { Want::fields(handler.arguments()) },
            want,
            steps: self.every_point,
            // What a part for the interpreter sees of an event, nobody knows here.
            patterns: if self.passes.filter && !self.is_moved { self.filter(&places) } else { Vec::new() },
        };
        let class = self.handlers.len() as u32;
        self.class_of_places.insert(places.clone(), (class, interest.clone()));
        self.handlers.push(handler);
        self.matches.add_shape(class);
        self.matches.places.push(places);
        interest
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        // Points without any event come before the first shape, if one ever comes.
        if self.constants.words.len() < self.program.constants.len() {
            self.resolve_constants(values);
        }
        self.is_exact = self.by_text || !values.has_numbers();
        if self.has_handlers
            && self.executor.store.point > 0
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
                (Some((shape, arguments)), None) if self.has_handlers && self.executor.store.point > 0 => {
                    self.begin_point(&point);
                    self.judge_event(shape.0 as usize, arguments, values, found);
                }
                (Some(_), Some(_)) if self.multi_event.is_some() && self.executor.store.point > 0 => {
                    self.judge_multi_event(&point, values, found);
                }
                _ => self.judge_point(&point, values, found),
            }
            if !found.is_empty() && self.is_done() {
                return;
            }
        }
    }

    fn advance(&mut self, last: u64, time: &Number, values: &mut Values, found: &mut Vec<Finding>) {
        // Before the first point that was not dropped nothing is owed, and what is done at the first point is still to be done.
        if self.executor.store.point == 0 {
            return;
        }
        self.executor.store.point = last;
        for demand in 0..self.executor.store.demands.len() {
            self.executor.store.demands[demand].pass(time);
            if !self.executor.store.demands[demand].violated.is_empty() {
                self.report_demands(demand, values, found);
            }
        }
    }

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read(values, reader)
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        self.fallback.get_mut().drop_words();
        mark_saved(self, values, live)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        // Before the first point there is nothing to forget, and constants have no words.
        if self.executor.store.point == 0 {
            return;
        }
        let unread = self.unread.get_or_insert_with(|| unread_columns(&self.program));
        let word = Program::word(self.by_text, values, value);
        if unread.is_empty() || self.constants.words.contains(&word) {
            return;
        }
        unread.iter().for_each(|(view, column)| self.executor.store.forget(*view, *column, word));
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        if last == 0 {
            // What holds of no point at all is a matter of the definitions, not of speed.
            let nothing = OwnedTrace::default();
            return self.properties.iter().map(|property| judge_property(property.clone(), &nothing, prefix)).collect();
        }
        self.executor.store.drop_settled_demands();
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
        for (rule, obstacle) in self.fallback.get_mut().obstacles() {
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
        self.is_demand_open(point)
    }

    fn open_among(&self, points: &Points, places: &mut Vec<usize>) {
        self.demands_among(points, places);
    }

    fn open_points(&self) -> usize {
        self.executor.store.demands.iter().map(|demands| demands.points.len()).sum()
    }

    fn sizes(&self) -> Vec<Size> {
        let mut rows: Vec<usize> = self.executor.store.tables.iter().map(RowTable::len).collect();
        for (follow, demands) in self.program.follows.iter().zip(&self.executor.store.demands) {
            rows[follow.view] -= demands.idle();
        }
        let views = self.program.views.iter().zip(rows);
        let views = views.map(|(view, rows)| Size { rule: 0, purpose: view.text.clone(), rows });
        views.chain(self.fallback.borrow().sizes()).collect()
    }
}

impl Program {
    /// The units and triggers that a point with one event of such shapes can set off.
    fn units_of(&self, places: &[Option<Box<[usize]>>]) -> Vec<(usize, Vec<usize>)> {
        let mut changing: Vec<bool> = self.executor.store.windows.iter().map(Option::is_some).collect();
        let mut units = Vec::new();
        for (number, unit) in self.program.units.iter().enumerate() {
            let fires = |trigger: &usize| match &unit.triggers[*trigger].source {
                Source::Event(matching) => places[matching.pattern].is_some(),
                Source::Before(_) | Source::Change { old: true, .. } => true,
                Source::Change { view, .. } => {
                    changing[*view] || matches!(self.program.views[*view].upkeep, Upkeep::Copy(_))
                }
                Source::First => false,
            };
            let triggers: Vec<usize> = (0..unit.triggers.len()).filter(fires).collect();
            let waits = matches!(unit.target, Target::Demand(demand) if self.program.follows[demand].is_pressing());
            let window = matches!(unit.target, Target::View(view) if self.executor.store.windows[view].is_some());
            if !triggers.is_empty() || waits || window {
                units.push((number, triggers));
                if let Target::View(view) = unit.target {
                    changing[view] = true;
                }
            }
        }
        units
    }

    /// What rows of a shape must have, if all that look at it want constants.
    fn filter(&self, places: &[Option<Box<[usize]>>]) -> Vec<Vec<(usize, Arc<str>)>> {
        let mut patterns = Vec::new();
        for (pattern, arguments) in &self.program.uses {
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
