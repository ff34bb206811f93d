//! The state of a session as bytes, from which another one of the same rules goes on.
//!
//! ```text
//!  RFST │ version │ rules: fingerprint, name │ point, events, clock │ shapes │ per judge: length, state │ checksum
//! ```
//!
//! Values are written by their content and rules are told apart by all that their compiled forms show, text and options
//! included, so that another process can go on, in which values are met in another order and kinds have other numbers. Judges
//! hear of the shapes that came before they get their state. **Nothing that
//! is damaged is ever loaded**, and a state of other rules is refused. Cost: one pass over what the judges keep.

use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::value::Type;

use crate::dispatch::Settings;
use crate::judge::{Damaged, Reader, RuleState, Writer};
use crate::session::error::{STATE_VERSION, StateError};
use crate::session::judging::Session;
use crate::shared::bytes::{fingerprint, seal, unseal};

/// What the bytes of a state begin with.
const MAGIC: &[u8] = b"RFST";

impl Session {
    /// The state between two points. Points that wait must have been judged: they are no part of it.
    ///
    /// # Errors
    ///
    /// If a judge cannot be saved, the session gives reasons, or the trace has ended.
    pub fn save(&self) -> Result<Vec<u8>, StateError> {
        let mut out = Writer(MAGIC.to_vec());
        out.0.push(STATE_VERSION);
        out.length(self.rules.len());
        for rule in &self.rules {
            out.0.extend(self.fingerprint_of(rule).to_le_bytes());
            out.text(rule.name());
        }
        self.write(&mut out)?;
        Ok(seal(out.0))
    }

    /// Goes on from a state that was saved by a session of the same rules and settings, perhaps in another process. Kinds and
    /// values keep the numbers that they have here.
    ///
    /// # Errors
    ///
    /// If the bytes are no state, have another layout, are damaged or belong to other rules, or if the session has begun.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        if self.point > 0 || !self.batch.is_empty() || self.has_ended {
            return Err(StateError::Begun);
        }
        let content = bytes.strip_prefix(MAGIC).ok_or(StateError::NotAState)?;
        match content.first() {
            Some(&STATE_VERSION) => {}
            Some(version) => return Err(StateError::OtherVersion(*version)),
            None => return Err(StateError::Damaged),
        }
        let mut reader = Reader::new(&unseal(bytes)?[MAGIC.len() + 1..]);
        self.check_rules(&mut reader)?;
        let before = (self.trace, self.events, self.active.clone());
        let loaded = self.read(&mut reader).and_then(|()| if reader.is_done() { Ok(()) } else { Err(Damaged) });
        if loaded.is_err() {
            // Judges may have read a part of it.
            (self.trace, self.events, self.active) = before;
            self.restart();
        }
        Ok(loaded?)
    }

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
        let status = self.complete_copy()?.end()[rule].status;
        Ok(RuleState { status, settled: false })
    }

    /// A session of the same rules for a trace that will be complete, in the same state.
    fn complete_copy(&self) -> Result<Session, StateError> {
        let mut out = Writer::default();
        self.write(&mut out)?;
        let settings = Settings { prefix: false, ..self.settings };
        let mut copy = Session::with_judges(&self.rules, &settings, self.make);
        copy.read(&mut Reader::new(&out.0))?;
        Ok(copy)
    }

    fn fingerprint_of(&self, rule: &Arc<Rule>) -> u64 {
        let Settings { wanted, prefix, passes, compile, .. } = &self.settings;
        fingerprint(&[rule, wanted, prefix, passes, compile])
    }

    /// Whether a state is one of the session's rules.
    fn check_rules(&self, reader: &mut Reader) -> Result<(), StateError> {
        let count = reader.length()?;
        let mut saved = Vec::new();
        for _ in 0..count {
            let mut own = [0; 8];
            for byte in &mut own {
                *byte = reader.byte()?;
            }
            saved.push((u64::from_le_bytes(own), reader.text()?));
        }
        let known = |(own, _): &&(u64, &str)| self.rules.iter().any(|rule| self.fingerprint_of(rule) == *own);
        if let Some((_, name)) = saved.iter().find(|rule| !known(rule)) {
            return Err(StateError::OtherRules(format!("it has a rule `{name}` that is not judged here")));
        }
        let is_saved = |rule: &&Arc<Rule>| saved.iter().any(|(own, _)| *own == self.fingerprint_of(rule));
        if let Some(rule) = self.rules.iter().find(|rule| !is_saved(rule)) {
            return Err(StateError::OtherRules(format!("it has no rule `{}`", rule.name())));
        }
        let mut pairs = saved.iter().zip(&self.rules);
        match saved.len() == self.rules.len() && pairs.all(|((own, _), rule)| *own == self.fingerprint_of(rule)) {
            true => Ok(()),
            false => Err(StateError::OtherRules("it has the rules in another order".to_owned())),
        }
    }

    fn write(&self, out: &mut Writer) -> Result<(), StateError> {
        match (self.settings.witness, self.has_ended) {
            (true, _) => return Err(StateError::Witness),
            (_, true) => return Err(StateError::Ended),
            _ => {}
        }
        for number in [self.trace, self.point, self.events] {
            out.number(number);
        }
        write_time(self.clock.as_ref(), out);
        write_time(self.newest_time.as_ref(), out);
        out.0.push(self.is_timed.map_or(2, u8::from));
        self.active.iter().for_each(|active| out.truth(*active));
        self.violations.iter().for_each(|violations| out.number(*violations));
        out.length(self.shapes.count());
        self.shapes.iter().for_each(|shape| write_shape(&shape, out));
        for own in &self.judges {
            let mut state = Writer::default();
            own.judge.save(&self.values, &mut state).map_err(|_| self.unsavable(&own.rules))?;
            out.length(state.0.len());
            out.0.extend(state.0);
        }
        Ok(())
    }

    fn unsavable(&self, rules: &[usize]) -> StateError {
        let name = rules.first().map_or(String::new(), |&rule| self.rules[rule].name().to_string());
        StateError::Unsavable(name)
    }

    fn read(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        (self.trace, self.point, self.events) = (reader.number()?, reader.number()?, reader.number()?);
        self.batch.clear(self.trace);
        self.clock = read_time(reader)?;
        self.newest_time = read_time(reader)?;
        self.is_timed = match reader.byte()? {
            0 => Some(false),
            1 => Some(true),
            2 => None,
            _ => return Err(Damaged),
        };
        for active in &mut self.active {
            *active = reader.truth()?;
        }
        for violations in &mut self.violations {
            *violations = reader.number()?;
        }
        let shapes = reader.list(read_shape)?;
        // No log has as many; damaged bytes must not take all time.
        if shapes.len() > usize::from(u16::MAX) {
            return Err(Damaged);
        }
        for shape in &shapes {
            self.kind_of(shape);
        }
        for own in &mut self.judges {
            let state = reader.bytes()?;
            let mut reader = Reader::new(state);
            own.judge.load(&mut self.values, &mut reader)?;
            if !reader.is_done() {
                return Err(Damaged);
            }
        }
        Ok(())
    }
}

/// The types that arguments are declared with, by their numbers.
const TYPES: [Option<Type>; 5] =
    [None, Some(Type::Integer), Some(Type::Decimal), Some(Type::String), Some(Type::Boolean)];

fn write_shape(shape: &EventShape, out: &mut Writer) {
    out.text(&shape.name);
    out.length(shape.positional);
    out.length(shape.arguments.len());
    for argument in shape.arguments.iter() {
        out.text(&argument.name);
        out.length(TYPES.iter().position(|declared| *declared == argument.declared).unwrap_or(0));
    }
}

fn read_shape(reader: &mut Reader) -> Result<EventShape, Damaged> {
    let (name, positional) = (reader.text()?.into(), reader.small()? as usize);
    let arguments: Arc<[Argument]> = reader.list(read_argument)?.into();
    if positional <= arguments.len() { Ok(EventShape { name, arguments, positional }) } else { Err(Damaged) }
}

fn read_argument(reader: &mut Reader) -> Result<Argument, Damaged> {
    let name = reader.text()?.into();
    let declared = *TYPES.get(reader.small()? as usize).ok_or(Damaged)?;
    Ok(Argument { name, declared })
}

fn write_time(time: Option<&Number>, out: &mut Writer) {
    out.truth(time.is_some());
    time.into_iter().for_each(|time| out.exact(time));
}

fn read_time(reader: &mut Reader) -> Result<Option<Number>, Damaged> {
    if reader.truth()? { reader.exact().map(Some) } else { Ok(None) }
}
