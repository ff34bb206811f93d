//! A saved state, and what it says of itself without the rules that it was saved for.
//!
//! ```text
//!  RFST │ layout │ part of judge 1 │ part of judge 2 │ … │ contents │ length of each part │ length of both │ checksum
//! ```
//!
//! The parts come first and what lists them comes last, so that a state is written in one pass, whatever its size, and each part
//! lies in one piece. The contents say all that is not a judge's own: position and time, the rules, the shapes of events, what each
//! part is for and how many rows it has, and a note of whoever saved.

use std::sync::Arc;

use referee_trace::event::{Argument, EventShape};
use referee_trace::number::Number;
use referee_trace::value::Type;

use crate::judge::{Damaged, Reader, Size, Writer};
use crate::session::error::{STATE_VERSION, StateError};
use crate::shared::checksum::Checksum;

/// What the bytes of a state begin with.
pub(super) const MAGIC: &[u8] = b"RFST";

/// How many shapes of events a state can have.
pub(super) const MOST_SHAPES: usize = 1 << 20;

/// A rule of a saved state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedRule {
    /// Tells the rule apart by its text and options.
    pub fingerprint: u64,
    /// Its name.
    pub name: String,
    /// The name of its language.
    pub language: String,
    /// Whether somebody wants to know more of it.
    pub active: bool,
    /// How many of its violations were told.
    pub violations: u64,
}

/// What one judge keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedPart<'a> {
    /// The last point before its rules were added: 0 if they were there from the first point on.
    pub before: u64,
    /// Its rules, by their places in the state.
    pub rules: Vec<usize>,
    /// How many rows it has, and for what. Rules are numbered as in the state.
    pub sizes: Vec<Size>,
    /// Its own bytes.
    pub bytes: &'a [u8],
}

/// A saved state, whole and of a layout that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedState<'a> {
    /// Where it stands.
    pub position: SavedPosition,
    /// The rules.
    pub rules: Vec<SavedRule>,
    /// The shapes of the events that came.
    pub shapes: Vec<EventShape>,
    /// What the judges keep.
    pub parts: Vec<SavedPart<'a>>,
    /// What whoever saved it has added.
    pub note: &'a [u8],
}

/// How far a session has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedPosition {
    /// Which trace of the input, from 1.
    pub trace: u64,
    /// The number of the newest point.
    pub point: u64,
    /// How many events were handed over one by one.
    pub events: u64,
    /// The time, where the trace carries one.
    pub clock: Option<Number>,
    /// The time of the newest point, where a rule takes one point per time.
    pub(super) newest_time: Option<Number>,
    /// Whether points have times, once that is known.
    pub is_timed: Option<bool>,
}

impl<'a> SavedState<'a> {
    /// Takes the bytes of a state apart.
    ///
    /// # Errors
    ///
    /// If they are no state, have another layout, or are damaged.
    pub fn read(bytes: &'a [u8]) -> Result<SavedState<'a>, StateError> {
        let content = bytes.strip_prefix(MAGIC).ok_or(StateError::NotAState)?;
        match content.first() {
            Some(&STATE_VERSION) => {}
            Some(version) => return Err(StateError::OtherVersion(*version)),
            None => return Err(StateError::Damaged),
        }
        let (sealed, sum) = bytes.split_last_chunk::<8>().ok_or(StateError::Damaged)?;
        if Checksum::of(sealed).to_le_bytes() != *sum {
            return Err(StateError::Damaged);
        }
        Ok(SavedState::read_sealed(&sealed[MAGIC.len() + 1..])?)
    }

    fn read_sealed(bytes: &'a [u8]) -> Result<SavedState<'a>, Damaged> {
        let (bytes, length) = bytes.split_last_chunk::<8>().ok_or(Damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Damaged)?;
        let start = bytes.len().checked_sub(length).ok_or(Damaged)?;
        let (parts, contents) = bytes.split_at(start);
        let mut reader = Reader::new(contents);
        let position = SavedPosition::read(&mut reader)?;
        let rules = reader.list(SavedRule::read)?;
        let shapes = reader.list(read_shape)?;
        if shapes.len() > MOST_SHAPES {
            return Err(Damaged);
        }
        let mut state = SavedState { position, rules, shapes, parts: Vec::new(), note: &[] };
        state.parts = reader.list(|reader| state.read_part(reader))?;
        state.note = reader.bytes()?;
        state.cut(parts, &mut reader)?;
        Ok(state)
    }

    fn read_part(&self, reader: &mut Reader) -> Result<SavedPart<'a>, Damaged> {
        let known = |rule: usize| if rule < self.rules.len() { Ok(rule) } else { Err(Damaged) };
        let before = reader.number()?;
        let rules = reader.list(|reader| known(reader.small()? as usize))?;
        let sizes = reader.list(|reader| {
            let rule = known(reader.small()? as usize)?;
            let purpose = reader.text()?.to_owned();
            let rows = usize::try_from(reader.number()?).map_err(|_| Damaged)?;
            Ok(Size { rule, purpose, rows })
        })?;
        match before <= self.position.point {
            true => Ok(SavedPart { before, rules, sizes, bytes: &[] }),
            false => Err(Damaged),
        }
    }

    /// Gives each part its bytes.
    fn cut(&mut self, mut bytes: &'a [u8], reader: &mut Reader) -> Result<(), Damaged> {
        for part in &mut self.parts {
            let length = usize::try_from(read_word(reader)?).map_err(|_| Damaged)?;
            (part.bytes, bytes) = bytes.split_at_checked(length).ok_or(Damaged)?;
        }
        if bytes.is_empty() && reader.is_done() { Ok(()) } else { Err(Damaged) }
    }
}

/// Eight bytes, the lowest first.
fn read_word(reader: &mut Reader) -> Result<u64, Damaged> {
    let mut word = [0; 8];
    for byte in &mut word {
        *byte = reader.byte()?;
    }
    Ok(u64::from_le_bytes(word))
}

impl SavedPosition {
    pub(super) fn write(&self, out: &mut Writer) {
        [self.trace, self.point, self.events].into_iter().for_each(|number| out.number(number));
        write_time(self.clock.as_ref(), out);
        write_time(self.newest_time.as_ref(), out);
        out.perhaps(self.is_timed);
    }

    fn read(reader: &mut Reader) -> Result<SavedPosition, Damaged> {
        let (trace, point, events) = (reader.count()?, reader.count()?, reader.count()?);
        let (clock, newest_time) = (read_time(reader)?, read_time(reader)?);
        Ok(SavedPosition { trace, point, events, clock, newest_time, is_timed: reader.perhaps()? })
    }
}

impl SavedRule {
    pub(super) fn write(&self, out: &mut Writer) {
        out.append(&self.fingerprint.to_le_bytes());
        out.text(&self.name);
        out.text(&self.language);
        out.truth(self.active);
        out.number(self.violations);
    }

    fn read(reader: &mut Reader) -> Result<SavedRule, Damaged> {
        let fingerprint = read_word(reader)?;
        let (name, language) = (reader.text()?.to_owned(), reader.text()?.to_owned());
        Ok(SavedRule { fingerprint, name, language, active: reader.truth()?, violations: reader.number()? })
    }
}

/// The types that arguments are declared with, by their numbers.
const TYPES: [Option<Type>; 5] =
    [None, Some(Type::Integer), Some(Type::Decimal), Some(Type::String), Some(Type::Boolean)];

pub(super) fn write_shape(shape: &EventShape, out: &mut Writer) {
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
