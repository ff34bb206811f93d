//! From rows to what others take: the numbers of a row become values, and those text.
//!
//! ```text
//!  Row ─▶ Values ─▶ Scribe ─▶ TraceSink: digits are written where they belong in the file
//!         of each    Renderer ─▶ EventSink: a monitor, a trace in memory, which take text
//!         argument
//! ```
//!
//! Cost: one pass over the digits of an event; nothing is allocated once the buffer has its size.

use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::write::{Entry, Foreseen, TraceSink, Word};

use crate::order::Order;
use crate::random::Shuffle;
use crate::request::Values as Naming;
use crate::story::{Content, Kind, MOST_ARGUMENTS, Row};

/// Where the time of a point goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePlace {
    /// It belongs to the point.
    Point,
    /// It is the last argument of every event: timed DejaVu in formats without a place for times.
    LastArgument,
}

impl TimePlace {
    /// The time of a point as one of the point itself and as one of its events.
    #[inline]
    fn split(self, time: Option<u64>) -> (Option<u64>, Option<u64>) {
        match self {
            TimePlace::Point => (time, None),
            TimePlace::LastArgument => (None, time),
        }
    }
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

/// What an argument of a kind holds, worked out once.
enum Column {
    Integer,
    Tenths,
    /// A string of a sort.
    Name(Word<'static>, Shuffle),
    /// Words, by their index; what has none is empty.
    Words(Box<[Entry<'static>]>),
    /// A word for 0, and something else for others.
    Or(Entry<'static>, Box<Column>),
}

impl Column {
    fn new(content: Content, shuffle: Option<Shuffle>) -> Column {
        match content {
            Content::Identity(sort) => match (Word::new(sort), shuffle) {
                (Some(sort), Some(shuffle)) => Column::Name(sort, shuffle),
                _ => Column::Integer,
            },
            Content::IdentityOr(sort, word) => {
                Column::Or(Entry::of(word), Box::new(Column::new(Content::Identity(sort), shuffle)))
            }
            Content::Quantity => Column::Integer,
            Content::Tenths => Column::Tenths,
            Content::Word(words) => Column::Words(words.iter().map(|word| Entry::of(word)).collect()),
        }
    }

    /// The value that a number stands for.
    #[inline]
    fn entry(&self, number: i64) -> Entry<'static> {
        match self {
            Column::Integer => Entry::Integer(number),
            Column::Tenths => Entry::Tenths(number),
            Column::Name(sort, shuffle) => Entry::Tagged(*sort, shuffle.apply(number.cast_unsigned())),
            Column::Words(words) => {
                let word = usize::try_from(number).ok().and_then(|index| words.get(index));
                word.copied().unwrap_or(Entry::Text(""))
            }
            Column::Or(word, _) if number == 0 => *word,
            Column::Or(_, other) => other.entry(number),
        }
    }
}

/// Makes values of the numbers of rows.
struct Values {
    /// Of each kind.
    columns: Vec<Box<[Column]>>,
    /// The time of the current point, where it is the last argument.
    time: Option<u64>,
    made: [Entry<'static>; MOST_ARGUMENTS + 1],
}

impl Values {
    fn new(kinds: &'static [Kind], order: &Order) -> Values {
        let columns = match order.values {
            Naming::Integers => kinds.iter().map(|kind| columns(kind, &[None; MOST_ARGUMENTS])).collect(),
            Naming::Strings => {
                let shuffles = shuffles(kinds, order.seed);
                kinds.iter().zip(&shuffles).map(|(kind, shuffles)| columns(kind, &shuffles.map(Some))).collect()
            }
        };
        Values { columns, time: None, made: [Entry::Integer(0); MOST_ARGUMENTS + 1] }
    }

    /// The values of a row.
    #[inline]
    fn of(&mut self, row: &Row) -> &[Entry<'static>] {
        let columns = &self.columns[row.kind];
        for ((place, column), number) in self.made.iter_mut().zip(columns).zip(row.values) {
            *place = column.entry(number);
        }
        let mut count = columns.len();
        if let Some(time) = self.time {
            self.made[count] = Entry::Integer(time.cast_signed());
            count += 1;
        }
        &self.made[..count]
    }
}

/// What the arguments of a kind hold.
fn columns(kind: &Kind, shuffles: &[Option<Shuffle>; MOST_ARGUMENTS]) -> Box<[Column]> {
    kind.fields.iter().zip(shuffles).map(|((_, content), shuffle)| Column::new(*content, *shuffle)).collect()
}

/// Writes rows as events of texts.
pub(super) struct Renderer<'a, E> {
    sink: &'a mut E,
    values: Values,
    time_place: TimePlace,
    text: Vec<u8>,
    events: u64,
    points: u64,
}

impl<'a, E: EventSink> Renderer<'a, E> {
    /// Writes to a sink to which the kinds were announced.
    pub(super) fn new(kinds: &'static [Kind], order: &Order, time_place: TimePlace, sink: &'a mut E) -> Self {
        Renderer { sink, values: Values::new(kinds, order), time_place, text: Vec::new(), events: 0, points: 0 }
    }
}

impl<E: EventSink> Listener for Renderer<'_, E> {
    fn begin_point(&mut self, time: Option<u64>, _: u64) -> Flow {
        self.points += 1;
        let (of_point, of_events) = self.time_place.split(time);
        self.values.time = of_events;
        let time = of_point.map(|time| Number::from(time.cast_signed()));
        self.sink.begin_point(Point { trace: 1, number: self.points, time: time.as_ref() })
    }

    fn end_point(&mut self) -> Flow {
        self.sink.end_point()
    }

    fn event(&mut self, row: &Row) -> Flow {
        self.text.clear();
        let mut ends = [0; MOST_ARGUMENTS + 1];
        let values = self.values.of(row);
        for (end, value) in ends.iter_mut().zip(values) {
            value.append_to(&mut self.text);
            *end = self.text.len();
        }
        self.events += 1;
        let text = std::str::from_utf8(&self.text).unwrap_or_default();
        let mut arguments = [""; MOST_ARGUMENTS + 1];
        let mut start = 0;
        for (argument, &end) in arguments.iter_mut().zip(&ends[..values.len()]) {
            *argument = &text[start..end];
            start = end;
        }
        let arguments = &arguments[..values.len()];
        self.sink.event(Event { shape: shape_id(row.kind), arguments, number: self.events, offset: 0 })
    }
}

/// Writes rows to a file: the values of a row go to the writer as they are, and only there become text.
pub(super) struct Scribe<'a, 'w> {
    sink: &'a mut TraceSink<'w>,
    values: Values,
    time_place: TimePlace,
}

impl<'a, 'w> Scribe<'a, 'w> {
    /// Writes to a sink to which the kinds were announced.
    pub(super) fn new(
        kinds: &'static [Kind],
        order: &Order,
        time_place: TimePlace,
        sink: &'a mut TraceSink<'w>,
    ) -> Self {
        Scribe { sink, values: Values::new(kinds, order), time_place }
    }
}

impl Listener for Scribe<'_, '_> {
    fn begin_point(&mut self, time: Option<u64>, events: u64) -> Flow {
        let (of_point, of_events) = self.time_place.split(time);
        self.values.time = of_events;
        self.sink.begin_told_point(of_point.map(u64::cast_signed), events)
    }

    fn end_point(&mut self) -> Flow {
        self.sink.end_point()
    }

    fn event(&mut self, row: &Row) -> Flow {
        self.sink.tell(shape_id(row.kind), self.values.of(row))
    }
}

fn shape_id(index: usize) -> ShapeId {
    ShapeId(u32::try_from(index).unwrap_or(u32::MAX))
}

fn shape(kind: &Kind, time_argument: bool) -> EventShape {
    let names = kind.fields.iter().map(|(name, _)| *name).chain(time_argument.then_some("time"));
    let arguments: std::sync::Arc<[Argument]> =
        names.map(|name| Argument { name: name.into(), declared: None }).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Else their strings would be numbers.
    #[test]
    fn sorts_are_words() {
        let fields = crate::families::all().flat_map(|generator| generator.kinds).flat_map(|kind| kind.fields);
        for (_, content) in fields {
            if let Content::Identity(sort) | Content::IdentityOr(sort, _) = content {
                assert!(Word::new(sort).is_some(), "{sort}");
            }
        }
    }

    #[test]
    fn numbers_stand_for_values() {
        let text = |content, shuffle, number| {
            let mut text = Vec::new();
            Column::new(content, shuffle).entry(number).append_to(&mut text);
            String::from_utf8(text).expect("text")
        };
        for (content, number, expected) in [
            (Content::Identity("user"), 7, "7"),
            (Content::IdentityOr("data", "unknown"), 7, "7"),
            (Content::IdentityOr("data", "unknown"), 0, "unknown"),
            (Content::Quantity, -7, "-7"),
            (Content::Tenths, -7, "-0.7"),
            (Content::Word(&["no", "yes"]), 1, "yes"),
            (Content::Word(&["no", "yes"]), 2, ""),
        ] {
            assert_eq!(text(content, None, number), expected);
        }
        let shuffle = Shuffle::new(1, 0);
        let string = format!("data-{:012x}", shuffle.apply(7));
        assert_eq!(text(Content::IdentityOr("data", "unknown"), Some(shuffle), 7), string);
        assert_eq!(text(Content::IdentityOr("data", "unknown"), Some(shuffle), 0), "unknown");
    }
}
