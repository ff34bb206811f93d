//! How far a trace has been judged that goes on from run to run: what `check` adds to the state of a session.

use referee_engine::judge::{Damaged, Reader, Writer};
use referee_trace::abstraction::Position;
use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::points::Amount;

use super::inputs::InputMark;

/// The layout of what follows; another layout needs another number.
const VERSION: u8 = 1;

/// Of so many files the marks are kept.
const MOST_INPUTS: usize = 1000;

/// How much was read up to some place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InputExtent {
    /// Where the reader stands.
    pub position: Position,
    /// How many events of each shape there were.
    pub counts: Vec<u64>,
}

impl InputExtent {
    /// The same and what came after it.
    pub(super) fn and(&self, amount: &Amount, position: Position) -> InputExtent {
        InputExtent { position, counts: self.sums(&amount.counts) }
    }

    /// How many events there were of each shape, with those that came after.
    pub(super) fn sums(&self, counts: &[u64]) -> Vec<u64> {
        let count = |list: &[u64], at: usize| list.get(at).copied().unwrap_or(0);
        (0..self.counts.len().max(counts.len())).map(|at| count(&self.counts, at) + count(counts, at)).collect()
    }

    fn write(&self, out: &mut Writer) {
        let Position { events, point, time, label, epoch, newest_second } = &self.position;
        out.number(*events);
        out.number(*point);
        write_number(time.as_ref(), out);
        write_number(label.as_ref(), out);
        out.length(epoch.map_or(0, |unit| 1 + Unit::ALL.iter().position(|other| *other == unit).unwrap_or(0)));
        write_number(newest_second.map(Number::Int).as_ref(), out);
        out.length(self.counts.len());
        self.counts.iter().for_each(|count| out.number(*count));
    }

    fn read(reader: &mut Reader) -> Result<InputExtent, Damaged> {
        let (events, point) = (reader.count()?, reader.count()?);
        let (time, label) = (read_number(reader)?, read_number(reader)?);
        let epoch = match reader.small()? as usize {
            0 => None,
            place => Some(*Unit::ALL.get(place - 1).ok_or(Damaged)?),
        };
        let newest_second = match read_number(reader)? {
            None => None,
            Some(number) => Some(number.as_i64().ok_or(Damaged)?),
        };
        let position = Position { events, point, time, label, epoch, newest_second };
        Ok(InputExtent { position, counts: reader.list(Reader::count)? })
    }
}

fn write_number(number: Option<&Number>, out: &mut Writer) {
    out.truth(number.is_some());
    number.into_iter().for_each(|number| out.exact(number));
}

fn read_number(reader: &mut Reader) -> Result<Option<Number>, Damaged> {
    if reader.truth()? { reader.exact().map(Some) } else { Ok(None) }
}

/// How far the input has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InputProgress {
    /// The files that were read, the newest last.
    pub inputs: Vec<InputMark>,
    /// What came before the newest file.
    pub before: InputExtent,
    /// What came up to its end; none while it is being read: then the session's last point tells how far it came.
    pub after: Option<InputExtent>,
    /// Whether something that is no file was read after the newest file.
    pub is_covered: bool,
    /// How events were read, as a number that tells such ways apart.
    pub reading: u64,
}

impl InputProgress {
    /// How much was read when the last run ended.
    pub(crate) fn extent(&self) -> &InputExtent {
        self.after.as_ref().unwrap_or(&self.before)
    }

    /// Whether a run ended in the midst of the newest file.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.after.is_none() && !self.inputs.is_empty() && !self.is_covered
    }

    /// A file or something else is being read.
    pub(super) fn begin(&mut self, mark: Option<&InputMark>, before: InputExtent) {
        self.is_covered = mark.is_none();
        if let Some(mark) = mark {
            self.inputs.retain(|other| other != mark);
            self.inputs.push(mark.clone());
            let surplus = self.inputs.len().saturating_sub(MOST_INPUTS);
            self.inputs.drain(..surplus);
        }
        (self.before, self.after) = (before, None);
    }

    /// Writes it, and what reports need of points that are gone.
    pub(super) fn write(&self, contexts: &[u8]) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(VERSION);
        out.length(self.inputs.len());
        self.inputs.iter().for_each(|input| input.write(&mut out));
        self.before.write(&mut out);
        out.truth(self.after.is_some());
        self.after.iter().for_each(|after| after.write(&mut out));
        out.truth(self.is_covered);
        out.number(self.reading);
        out.bytes(contexts);
        out.as_bytes().to_vec()
    }

    /// Reads it; what reports need comes along.
    pub(crate) fn read(note: &[u8]) -> Result<(InputProgress, &[u8]), Damaged> {
        let mut reader = Reader::new(note);
        if reader.byte()? != VERSION {
            return Err(Damaged);
        }
        let inputs = reader.list(InputMark::read)?;
        let before = InputExtent::read(&mut reader)?;
        let after = if reader.truth()? { Some(InputExtent::read(&mut reader)?) } else { None };
        let progress = InputProgress { inputs, before, after, is_covered: reader.truth()?, reading: reader.number()? };
        let contexts = reader.bytes()?;
        if reader.is_done() { Ok((progress, contexts)) } else { Err(Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> InputProgress {
        let position = Position {
            events: 12,
            point: 11,
            time: Number::parse("7.5"),
            label: Some(Number::Int(3)),
            epoch: Some(Unit::Millisecond),
            newest_second: Some(-4),
        };
        let after = InputExtent { position, counts: vec![5, 0, 7] };
        InputProgress { after: Some(after), is_covered: true, reading: 1 << 40, ..InputProgress::default() }
    }

    #[test]
    fn what_was_written_is_read() {
        let note = progress().write(b"contexts");
        assert_eq!(InputProgress::read(&note), Ok((progress(), &b"contexts"[..])));
    }

    #[test]
    fn damage_is_refused_or_another_progress() {
        let note = progress().write(b"contexts");
        for length in 0..note.len() {
            assert_eq!(InputProgress::read(&note[..length]), Err(Damaged), "cut at {length}");
        }
        for place in 0..note.len() * 8 {
            let mut other = note.clone();
            other[place / 8] ^= 1 << (place % 8);
            if let Ok((read, contexts)) = InputProgress::read(&other) {
                assert_ne!((read, contexts), (progress(), &b"contexts"[..]), "bit {place}");
            }
        }
    }
}
