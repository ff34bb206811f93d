//! From rows to the events of a sink: numbers become text.
//!
//! Cost: one pass over the digits of an event; nothing is allocated once the buffer has its size.

use referee_trace::error::Flow;
use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;

use super::random::Shuffle;
use super::request::{Order, Values};
use super::story::{Content, Kind, MOST_ARGUMENTS, Row};

/// Where the time of a point goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePlace {
    /// It belongs to the point.
    Point,
    /// It is the last argument of every event: timed DejaVu in formats without a place for times.
    LastArgument,
}

/// Writes rows as events.
pub(super) struct Renderer<'a, E> {
    sink: &'a mut E,
    kinds: &'static [Kind],
    /// For strings, one shuffle per kind and argument; arguments of one sort share theirs.
    shuffles: Option<Vec<[Shuffle; MOST_ARGUMENTS]>>,
    time_place: TimePlace,
    time: Option<u64>,
    text: Vec<u8>,
    events: u64,
    points: u64,
}

impl<'a, E: EventSink> Renderer<'a, E> {
    /// Announces the kinds to a sink.
    pub(super) fn new(
        kinds: &'static [Kind],
        order: &Order,
        time_place: TimePlace,
        timed: bool,
        sink: &'a mut E,
    ) -> Self {
        let time_argument = timed && time_place == TimePlace::LastArgument;
        for (index, kind) in kinds.iter().enumerate() {
            sink.shape(shape_id(index), &shape(kind, time_argument));
        }
        let shuffles = (order.values == Values::Strings).then(|| shuffles(kinds, order.seed));
        Renderer { sink, kinds, shuffles, time_place, time: None, text: Vec::new(), events: 0, points: 0 }
    }

    /// Begins a point.
    pub(super) fn begin_point(&mut self, time: Option<u64>) -> Flow {
        self.points += 1;
        self.time = time;
        let number = time.map(|time| Number::from(time.cast_signed()));
        let time = number.as_ref().filter(|_| self.time_place == TimePlace::Point);
        self.sink.begin_point(Point { trace: 1, number: self.points, time })
    }

    /// Ends the point.
    pub(super) fn end_point(&mut self) -> Flow {
        self.sink.end_point()
    }

    /// Writes an event.
    pub(super) fn event(&mut self, row: &Row) -> Flow {
        self.text.clear();
        let mut ends = [0; MOST_ARGUMENTS + 1];
        let mut count = 0;
        for (position, &(_, content)) in self.kinds[row.kind].fields.iter().enumerate() {
            self.write(row, position, content);
            ends[count] = self.text.len();
            count += 1;
        }
        if let (Some(time), TimePlace::LastArgument) = (self.time, self.time_place) {
            write_number(&mut self.text, time.cast_signed());
            ends[count] = self.text.len();
            count += 1;
        }
        self.events += 1;
        let text = std::str::from_utf8(&self.text).unwrap_or_default();
        let mut arguments = [""; MOST_ARGUMENTS + 1];
        let mut start = 0;
        for (argument, &end) in arguments.iter_mut().zip(&ends[..count]) {
            *argument = &text[start..end];
            start = end;
        }
        let shape = shape_id(row.kind);
        self.sink.event(Event { shape, arguments: &arguments[..count], number: self.events, offset: 0 })
    }

    fn write(&mut self, row: &Row, position: usize, content: Content) {
        let value = row.values[position];
        match content {
            Content::IdentityOr(_, word) if value == 0 => self.text.extend_from_slice(word.as_bytes()),
            Content::Identity(sort) | Content::IdentityOr(sort, _) => match &self.shuffles {
                Some(shuffles) => {
                    write_string(&mut self.text, sort, shuffles[row.kind][position], value.cast_unsigned())
                }
                None => write_number(&mut self.text, value),
            },
            Content::Quantity => write_number(&mut self.text, value),
            Content::Tenths => write_tenths(&mut self.text, value),
            Content::Word(words) => {
                let word = usize::try_from(value).ok().and_then(|index| words.get(index)).copied();
                self.text.extend_from_slice(word.unwrap_or_default().as_bytes());
            }
        }
    }
}

fn shape_id(index: usize) -> ShapeId {
    ShapeId(u32::try_from(index).unwrap_or(u32::MAX))
}

fn shape(kind: &Kind, time_argument: bool) -> EventShape {
    let names = kind.fields.iter().map(|(name, _)| *name).chain(time_argument.then_some("time"));
    let arguments: Box<[Argument]> = names.map(|name| Argument { name: name.into(), declared: None }).collect();
    EventShape { name: kind.name.into(), positional: arguments.len(), arguments }
}

/// The shuffles of all arguments: what is of one sort is shuffled alike.
fn shuffles(kinds: &'static [Kind], seed: u64) -> Vec<[Shuffle; MOST_ARGUMENTS]> {
    let mut sorts: Vec<&str> = Vec::new();
    let mut shuffle = |content: Content| {
        let (Content::Identity(sort) | Content::IdentityOr(sort, _)) = content else { return Shuffle::new(seed, 0) };
        let purpose = sorts.iter().position(|known| *known == sort).unwrap_or_else(|| {
            sorts.push(sort);
            sorts.len() - 1
        });
        Shuffle::new(seed, purpose as u64)
    };
    let of_kind = |kind: &Kind| {
        let mut all = [Shuffle::new(seed, 0); MOST_ARGUMENTS];
        all.iter_mut().zip(kind.fields).for_each(|(place, (_, content))| *place = shuffle(*content));
        all
    };
    kinds.iter().map(of_kind).collect()
}

pub(super) fn write_string(text: &mut Vec<u8>, sort: &str, shuffle: Shuffle, value: u64) {
    text.extend_from_slice(sort.as_bytes());
    text.push(b'-');
    let shuffled = shuffle.apply(value);
    let mut digits = [0; Shuffle::DIGITS];
    for (place, digit) in digits.iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(shuffled >> (4 * (Shuffle::DIGITS - 1 - place)) & 15) as usize];
    }
    text.extend_from_slice(&digits);
}

pub(super) fn write_number(text: &mut Vec<u8>, value: i64) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn write_tenths(text: &mut Vec<u8>, value: i64) {
    if value < 0 {
        text.push(b'-');
    }
    write_number(text, (value.unsigned_abs() / 10).cast_signed());
    text.extend_from_slice(&[b'.', b'0' + (value.unsigned_abs() % 10) as u8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        write(&mut text);
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn numbers_are_written_as_usual() {
        for number in [0, 7, 10, -1, 1_234_567_890, i64::MAX, i64::MIN] {
            assert_eq!(written(|text| write_number(text, number)), number.to_string());
        }
        for (tenths, expected) in [(0, "0.0"), (5, "0.5"), (-5, "-0.5"), (123, "12.3"), (-1000, "-100.0")] {
            assert_eq!(written(|text| write_tenths(text, tenths)), expected);
        }
    }

    #[test]
    fn strings_have_a_sort_and_twelve_digits() {
        let text = written(|text| write_string(text, "user", Shuffle::new(1, 0), 1));
        assert_eq!(text.len(), "user-".len() + Shuffle::DIGITS);
        assert!(text.starts_with("user-"));
    }
}
