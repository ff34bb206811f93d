//! From rows to the events of a sink: numbers become text.
//!
//! Cost: one pass over the digits of an event; nothing is allocated once the buffer has its size.

use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::write::Foreseen;

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

/// Hears a story.
pub(super) trait Listener {
    /// A point begins; its time, and how many events it has.
    fn begin_point(&mut self, time: Option<u64>, events: u64) -> Flow;

    /// An event of it.
    fn event(&mut self, row: &Row) -> Flow;

    /// The point ends.
    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// Announces the kinds of events to a sink.
pub(super) fn announce(kinds: &[Kind], timed: bool, time_place: TimePlace, sink: &mut impl EventSink) {
    let time_argument = timed && time_place == TimePlace::LastArgument;
    for (index, kind) in kinds.iter().enumerate() {
        sink.shape(shape_id(index), &shape(kind, time_argument));
    }
}

/// Notes the kinds of events in the order of their first appearance, until there is nothing more to note.
pub(super) struct Survey {
    pub found: Vec<Foreseen>,
    /// How many kinds there are, if each can be found in one form only.
    most: Option<usize>,
    time_place: TimePlace,
    grouped: bool,
    timed: bool,
}

impl Survey {
    pub(super) fn new(kinds: &[Kind], order: &Order, time_place: TimePlace) -> Survey {
        // Only the last point can be another than the others.
        let alike = order.per_point == 1 || order.events % order.per_point != 1;
        let most = alike.then_some(kinds.len());
        Survey { found: Vec::new(), most, time_place, grouped: false, timed: false }
    }
}

impl Listener for Survey {
    fn begin_point(&mut self, time: Option<u64>, events: u64) -> Flow {
        self.grouped = events > 1;
        self.timed = time.is_some() && self.time_place == TimePlace::Point;
        Ok(())
    }

    fn event(&mut self, row: &Row) -> Flow {
        let one = Foreseen { shape: shape_id(row.kind), grouped: self.grouped, timed: self.timed };
        if !self.found.contains(&one) {
            self.found.push(one);
        }
        if self.most == Some(self.found.len()) { Err(Stop::Enough) } else { Ok(()) }
    }
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
    /// Writes to a sink to which the kinds were announced.
    pub(super) fn new(kinds: &'static [Kind], order: &Order, time_place: TimePlace, sink: &'a mut E) -> Self {
        let shuffles = (order.values == Values::Strings).then(|| shuffles(kinds, order.seed));
        Renderer { sink, kinds, shuffles, time_place, time: None, text: Vec::new(), events: 0, points: 0 }
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

impl<E: EventSink> Listener for Renderer<'_, E> {
    fn begin_point(&mut self, time: Option<u64>, _: u64) -> Flow {
        self.points += 1;
        self.time = time;
        let number = time.map(|time| Number::from(time.cast_signed()));
        let time = number.as_ref().filter(|_| self.time_place == TimePlace::Point);
        self.sink.begin_point(Point { trace: 1, number: self.points, time })
    }

    fn end_point(&mut self) -> Flow {
        self.sink.end_point()
    }

    fn event(&mut self, row: &Row) -> Flow {
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
    digits[..4].copy_from_slice(&hexadecimal(shuffled >> 32)[4..]);
    digits[4..].copy_from_slice(&hexadecimal(shuffled));
    text.extend_from_slice(&digits);
}

/// The eight digits of the lower half of a number, all at once: a digit to each byte, then what makes it a character.
#[inline]
fn hexadecimal(number: u64) -> [u8; 8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let halves = (number & 0xffff_0000) << 16 | (number & 0xffff);
    let bytes = (halves << 8 | halves) & 0x00ff_00ff_00ff_00ff;
    let digits = (bytes << 4 | bytes) & (0x0f * EACH);
    let letters = (digits + 6 * EACH) >> 4 & EACH;
    (digits + u64::from(b'0') * EACH + letters * u64::from(b'a' - b'0' - 10)).to_be_bytes()
}

pub(super) fn write_number(text: &mut Vec<u8>, value: i64) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn write_tenths(text: &mut Vec<u8>, value: i64) {
    if value < 0 {
        text.push(b'-');
    }
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(value.unsigned_abs()).as_bytes();
    // One number is written and the point put into it: less work than two numbers.
    let (whole, tenth) = digits.split_at(digits.len() - 1);
    text.extend_from_slice(if whole.is_empty() { b"0" } else { whole });
    text.extend_from_slice(&[b'.', tenth[0]]);
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

    #[test]
    fn hexadecimal_digits_are_as_usual() {
        for number in [0, 1, 0x9abc_def0, 0x1234_5678, 0xffff_ffff, 0x0fed_cba9, 0xabcd_1234_0000_ffff] {
            let usual = format!("{:08x}", number & 0xffff_ffff);
            assert_eq!(hexadecimal(number), usual.as_bytes());
        }
    }
}
