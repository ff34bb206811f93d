//! The state of a session as bytes, from which another one goes on.
//!
//! ```text
//!  Session ─ save_to ─▶ bytes ─▶ SavedState ─ load ─▶ Session ─▶ Loaded: which rules were dropped, which begin now
//! ```
//!
//! Values are written by their content and rules are found by their text and options, so that another process can go on, in which
//! values are met in another order, kinds have other numbers and there are other rules. Judges hear of the shapes that came
//! before they get their state. **Nothing that is damaged is ever loaded.** Cost: one pass over what the judges keep.
//!
//! # Other rules
//!
//! A state of ten rules serves a session of nine or eleven of them, in any order. A rule that the session does not have is *dropped*.
//! One that the state does not have *begins* where the state ends: it is judged as if the trace began with the next point, and its
//! violations have the numbers of the whole trace. So does a rule whose judge served other rules, too, unless the
//! session has a judge for just the same ones: with [`Settings::separate`](crate::Settings::separate) every rule has a judge of its own, and nothing is lost.

use std::collections::HashSet;
use std::io::Write;

use referee_spec::core::Status;
use referee_trace::event::EventShape;
use referee_trace::points::Interest;

use crate::dispatch::AssignedJudge;
use crate::judge::{Damaged, Judge, Reader, RuleState, Writer};
use crate::session::error::{STATE_VERSION, StateError};
use crate::session::identity;
use crate::session::judging::Session;
use crate::session::late_judge::LateJudge;
use crate::session::saved::{MAGIC, MOST_SHAPES, SavedPart, SavedPosition, SavedRule, SavedState, write_shape};

/// What became of the rules of a state and of a session that goes on from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Loaded {
    /// The names of the state's rules that the session does not have: what was known of them is lost.
    pub dropped: Vec<String>,
    /// The session's rules of which the state knows nothing, by their numbers: they begin after its last point.
    pub begun: Vec<usize>,
}

/// Saving.
impl Session {
    /// The state between two points. Points that wait must have been judged: they are no part of it.
    ///
    /// # Errors
    ///
    /// If a judge cannot be saved, the session gives reasons, or the trace has ended.
    pub fn save(&self) -> Result<Vec<u8>, StateError> {
        let mut bytes = Vec::new();
        self.save_to(&mut bytes, &[])?;
        Ok(bytes)
    }

    /// Writes the state, piece by piece, with a note that [`SavedState::note`] gives back.
    ///
    /// # Errors
    ///
    /// As for [`Session::save`], or if the bytes cannot be written.
    pub fn save_to(&self, out: &mut dyn Write, note: &[u8]) -> Result<(), StateError> {
        match (self.settings.witness, self.has_ended, self.shapes.count() > MOST_SHAPES) {
            (true, ..) => return Err(StateError::Witness),
            (_, true, _) => return Err(StateError::Ended),
            (.., true) => return Err(StateError::TooManyKinds),
            _ => {}
        }
        let mut out = Writer::new(out);
        out.append(MAGIC);
        out.byte(STATE_VERSION);
        let mut lengths = Vec::with_capacity(self.judges.len());
        for own in &self.judges {
            let start = out.position();
            own.judge.save(&self.values, &mut out).map_err(|_| self.unsavable(&own.rules))?;
            lengths.push(out.position() - start);
        }
        let start = out.position();
        self.write_contents(note, &mut out);
        lengths.iter().for_each(|length| out.append(&length.to_le_bytes()));
        let length = out.position() - start;
        out.append(&length.to_le_bytes());
        out.seal().map_err(|error| StateError::Unwritable(error.to_string()))
    }

    fn write_contents(&self, note: &[u8], out: &mut Writer) {
        let position = SavedPosition {
            trace: self.trace,
            point: self.point,
            events: self.events,
            clock: self.clock.clone(),
            newest_time: self.newest_time.clone(),
            is_timed: self.is_timed,
        };
        position.write(out);
        out.length(self.rules.len());
        (0..self.rules.len()).for_each(|rule| self.saved_rule(rule).write(out));
        out.length(self.shapes.count());
        self.shapes.iter().for_each(|shape| write_shape(&shape, out));
        out.length(self.judges.len());
        for (own, before) in self.judges.iter().zip(&self.begun_after) {
            out.number(*before);
            out.length(own.rules.len());
            own.rules.iter().for_each(|rule| out.length(*rule));
            let sizes = own.judge.sizes();
            out.length(sizes.len());
            for size in sizes {
                out.length(own.rules[size.rule]);
                out.text(&size.purpose);
                out.length(size.rows);
            }
        }
        out.bytes(note);
    }

    fn saved_rule(&self, number: usize) -> SavedRule {
        let rule = &self.rules[number];
        SavedRule {
            fingerprint: identity::of(rule, &self.settings),
            name: rule.name().to_string(),
            language: rule.language().name().to_owned(),
            active: self.active[number],
            violations: self.violations[number],
        }
    }

    fn unsavable(&self, rules: &[usize]) -> StateError {
        let name = rules.first().map_or(String::new(), |&rule| self.rules[rule].name().to_string());
        StateError::Unsavable(name)
    }
}

/// Loading.
impl Session {
    /// Goes on from a state, perhaps of another process; see the [module](crate::session). Kinds and values keep the numbers that
    /// they have here.
    ///
    /// # Errors
    ///
    /// If the bytes are no state, have another layout, are damaged or have none of the session's rules, or if the session has begun.
    pub fn load(&mut self, bytes: &[u8]) -> Result<Loaded, StateError> {
        if self.point > 0 || !self.batch.is_empty() || self.has_ended {
            return Err(StateError::Begun);
        }
        self.load_state(&SavedState::read(bytes)?)
    }

    /// The same of a state that was taken apart already.
    ///
    /// # Errors
    ///
    /// If a part of the state is damaged or it has none of the session's rules, or if the session has begun.
    pub fn load_state(&mut self, state: &SavedState<'_>) -> Result<Loaded, StateError> {
        if self.point > 0 || !self.batch.is_empty() || self.has_ended {
            return Err(StateError::Begun);
        }
        let places = self.places(state);
        if !state.rules.is_empty() && places.iter().all(Option::is_none) {
            return Err(StateError::OtherRules(format!("it has `{}`", state.rules[0].name)));
        }
        let before = (self.trace, self.events, self.active.clone());
        let loaded = self.read(state, &places);
        if loaded.is_err() {
            // Judges may have read a part of it.
            (self.trace, self.events, self.active) = before;
            self.restart();
        }
        Ok(loaded?)
    }

    /// Where the rules of a state are among the session's. Equal rules are taken in their order.
    fn places(&self, state: &SavedState<'_>) -> Vec<Option<usize>> {
        let own: Vec<u64> = self.rules.iter().map(|rule| identity::of(rule, &self.settings)).collect();
        let mut is_taken = vec![false; own.len()];
        let place = |saved: &SavedRule| {
            let place = (0..own.len()).find(|&rule| own[rule] == saved.fingerprint && !is_taken[rule])?;
            is_taken[place] = true;
            Some(place)
        };
        state.rules.iter().map(place).collect()
    }

    fn read(&mut self, state: &SavedState<'_>, places: &[Option<usize>]) -> Result<Loaded, Damaged> {
        let SavedPosition { trace, point, events, clock, newest_time, is_timed } = state.position.clone();
        (self.trace, self.point, self.events) = (trace, point, events);
        (self.clock, self.newest_time, self.is_timed) = (clock, newest_time, is_timed);
        self.batch.clear(self.trace);
        self.hear_of_shapes(state);
        let mut has_begun = vec![true; self.rules.len()];
        for part in &state.parts {
            let rules: Option<Vec<usize>> = part.rules.iter().map(|rule| places[*rule]).collect();
            let Some(rules) = rules.filter(|rules| !rules.is_empty()) else { continue };
            let Some(judge) = self.judges.iter().position(|own| own.rules == rules) else { continue };
            self.read_part(judge, part)?;
            rules.iter().for_each(|rule| has_begun[*rule] = false);
        }
        let is_judged = |rule: usize| state.parts.iter().any(|part| part.rules.contains(&rule));
        for (number, (saved, place)) in state.rules.iter().zip(places).enumerate() {
            let Some(place) = *place else { continue };
            // Of a rule of which nobody wants to know more nothing need be kept.
            has_begun[place] &= saved.active || is_judged(number);
            if !has_begun[place] {
                (self.active[place], self.violations[place]) = (saved.active, saved.violations);
            }
        }
        self.begin_late(&has_begun);
        let dropped = state.rules.iter().zip(places).filter(|(_, place)| place.is_none());
        Ok(Loaded {
            dropped: dropped.map(|(rule, _)| rule.name.clone()).collect(),
            begun: (0..self.rules.len()).filter(|rule| has_begun[*rule]).collect(),
        })
    }

    /// Tells the judges which events there were.
    fn hear_of_shapes(&mut self, state: &SavedState<'_>) {
        self.heard.clear();
        let known: HashSet<EventShape> = self.shapes.iter().collect();
        for shape in state.shapes.iter().filter(|shape| !known.contains(*shape)) {
            let interest = self.shape(shape);
            self.heard.push(interest);
        }
    }

    fn read_part(&mut self, judge: usize, part: &SavedPart<'_>) -> Result<(), Damaged> {
        if part.before > 0 {
            self.make_late(judge, part.before);
        }
        let mut reader = Reader::new(part.bytes);
        self.judges[judge].judge.load(&mut self.values, &mut reader)?;
        if reader.is_done() { Ok(()) } else { Err(Damaged) }
    }

    /// Lets the rules begin here of which the state knows nothing.
    fn begin_late(&mut self, has_begun: &[bool]) {
        for judge in 0..self.judges.len() {
            if self.point > 0 && self.judges[judge].rules.iter().all(|rule| has_begun[*rule]) {
                self.make_late(judge, self.point);
            }
        }
    }

    fn make_late(&mut self, judge: usize, before: u64) {
        let AssignedJudge { judge: own, rules } = self.judges.remove(judge);
        let own: Box<dyn Judge> = Box::new(LateJudge::new(own, before));
        self.judges.insert(judge, AssignedJudge { judge: own, rules });
        self.begun_after[judge] = before;
    }

    /// What is read of events of a shape that a state was loaded with, by its number in a session that knew of no shapes before.
    pub fn loaded_interest(&self, shape: usize) -> Option<&Interest> {
        self.heard.get(shape)
    }
}

/// Verdicts on the way.
impl Session {
    /// The verdict on a rule if the trace ended here, as a complete one, and whether nothing that comes can change it.
    ///
    /// Of a quantified automaton it is known at the cost of what has changed since this was asked last, unless its guards read
    /// variables that their events do not bind; so it is of sliced logics, DATEs and facts, unless an event or a timeout follows the
    /// last event. Else a copy is ended, which costs what saving costs.
    ///
    /// It is settled by the structure of the rule: a `forall` can be false before the end and an `exists` true, because a
    /// later value changes nothing of that. So a prefix with both is settled by the end only.
    ///
    /// # Errors
    ///
    /// If a copy is needed and the judge of the rule cannot be saved.
    pub fn verdict(&mut self, rule: usize) -> Result<RuleState, StateError> {
        if self.violations[rule] > 0 {
            return Ok(RuleState { status: Status::Violated, settled: true });
        }
        for own in &mut self.judges {
            if let Some(number) = own.rules.iter().position(|&other| other == rule)
                && let Some(state) = own.judge.rule_state(number, &mut self.values)
            {
                return Ok(state);
            }
        }
        let status = self.copy()?.end_as(false)[rule].status;
        Ok(RuleState { status, settled: false })
    }

    /// A session of the same rules in the same state.
    fn copy(&self) -> Result<Session, StateError> {
        let bytes = self.save()?;
        let mut copy = Session::with_judges(&self.rules, &self.settings, self.make);
        // Rules that were settled in earlier traces have no judge in this one.
        let is_judged = |rule: &usize| self.judges.iter().any(|own| own.rules.contains(rule));
        if !(0..self.rules.len()).all(|rule| is_judged(&rule)) {
            copy.active = (0..self.rules.len()).map(|rule| is_judged(&rule)).collect();
            copy.restart();
        }
        match copy.load(&bytes)? {
            Loaded { dropped, begun } if dropped.is_empty() && begun.is_empty() => Ok(copy),
            _ => Err(StateError::OtherRules("a copy has other judges".to_owned())),
        }
    }
}
