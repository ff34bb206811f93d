//! Write then read is the identity, for every format, or the writer refuses.
//!
//! A random trace goes through a format's writer and decoder; points are put together again from what the decoder
//! hands over, and must be those that were written.

use proptest::prelude::*;
use referee_testing::properties;

use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::format::detect::detect;
use referee_trace::format::{Block, Decoder, DecoderUser, Format, InputRule, PointNotation};
use referee_trace::number::Number;
use referee_trace::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};
use referee_trace::write::{Term, TraceSink};

/// An event: its name and its fields with their values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Made {
    name: String,
    fields: Vec<(String, String)>,
}

/// A point: its time and its events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct MadePoint {
    time: Option<i64>,
    events: Vec<Made>,
}

impl Made {
    fn shape(&self) -> EventShape {
        let argument = |(name, _): &(String, String)| Argument { name: name.as_str().into(), declared: None };
        let arguments: std::sync::Arc<[Argument]> = self.fields.iter().map(argument).collect();
        EventShape { name: self.name.as_str().into(), positional: arguments.len(), arguments }
    }

    /// The value of a field that tells about the point, taken out.
    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.fields.iter().position(|(field, _)| field == name)?;
        Some(self.fields.remove(place).1)
    }
}

/// The text of a trace; nothing if the format refuses it.
fn write(format: Format, trace: &[MadePoint]) -> Option<String> {
    write_in(format, false, trace)
}

/// The same, perhaps without what the format cannot carry.
fn write_in(format: Format, lossy: bool, trace: &[MadePoint]) -> Option<String> {
    let mut text = Vec::new();
    let mut sink = TraceSink::new(format, lossy, &mut text, None);
    feed(&mut sink, trace).ok()?;
    sink.finish().ok()?;
    Some(String::from_utf8(text).expect("traces are UTF-8"))
}

fn feed(sink: &mut TraceSink<'_>, trace: &[MadePoint]) -> Flow {
    let mut shapes: Vec<EventShape> = Vec::new();
    for (point, number) in trace.iter().zip(1..) {
        let time = point.time.map(Number::from);
        sink.begin_point(Point { trace: 1, number, time: time.as_ref() })?;
        for event in &point.events {
            let shape = event.shape();
            let id = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                sink.shape(ShapeId(u32::try_from(shapes.len()).expect("few shapes")), &shape);
                shapes.push(shape);
                shapes.len() - 1
            });
            let arguments: Vec<&str> = event.fields.iter().map(|(_, value)| value.as_str()).collect();
            let id = ShapeId(u32::try_from(id).expect("few shapes"));
            sink.event(Event { shape: id, arguments: &arguments, number: 1, offset: 0 })?;
        }
        sink.end_point()?;
    }
    Ok(())
}

/// Puts points together from raw events.
#[derive(Default)]
struct Collector {
    shapes: Vec<Shape>,
    points: Vec<MadePoint>,
    label: Option<String>,
    explicit: bool,
}

impl RawSink for Collector {
    type Rows = NoRawRows;

    fn shape(&mut self, _: ShapeId, shape: &Shape) -> Want {
        self.shapes.push(shape.clone());
        Want::ALL
    }

    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        let fields = shape.fields.iter().zip(event.values).map(|(field, value)| (field.to_string(), value.to_string()));
        let mut made = Made { name: shape.name.to_string(), fields: fields.collect() };
        let time = made.take("ts").map(|time| time.parse().expect("an integer"));
        let label = made.take("tp");
        let same = self.explicit || (label.is_some() && label == self.label);
        self.label = label;
        match self.points.last_mut().filter(|_| same) {
            Some(point) => point.events.push(made),
            None => self.points.push(MadePoint { time, events: vec![made] }),
        }
        Ok(())
    }

    fn point(&mut self, time: &str, _: usize) -> Flow {
        self.explicit = true;
        self.points.push(MadePoint { time: Some(time.parse().expect("an integer")), events: Vec::new() });
        Ok(())
    }
}

fn read(format: Format, text: &str) -> Vec<MadePoint> {
    format.with_decoder(&InputRule::default(), Whole(text))
}

/// A text that is decoded in one piece.
struct Whole<'t>(&'t str);

impl DecoderUser for Whole<'_> {
    type Output = Vec<MadePoint>;

    fn with<D: Decoder>(self, mut decoder: D) -> Vec<MadePoint> {
        let text = self.0;
        let mut collector = Collector::default();
        match decoder.decode(Block { text, last: true }, &mut Shapes::new(), &mut collector) {
            Ok(used) => assert_eq!(used, text.len(), "everything is used up"),
            Err(Stop::Fault(fault)) => panic!("what was written is read: {fault:?} in\n{text}"),
            Err(Stop::Enough) => unreachable!("the collector never has enough"),
        }
        collector.points
    }
}

/// What a format can carry of every trace, apart from odd texts.
struct Ability {
    names: bool,
    times: bool,
    groups: bool,
    empty: bool,
}

fn ability(format: Format) -> Ability {
    match format.description().points {
        PointNotation::Explicit => Ability { names: false, times: true, groups: true, empty: true },
        // Times at the starts of lines are all or none: traces without any have no groups.
        PointNotation::LineStarts | PointNotation::Absent => {
            Ability { names: false, times: false, groups: false, empty: false }
        }
        PointNotation::Fields => Ability { names: true, times: true, groups: true, empty: false },
    }
}

/// The trace with all removed that the format cannot carry.
fn fit(ability: &Ability, trace: &[MadePoint]) -> Vec<MadePoint> {
    let mut trace = trace.to_vec();
    for point in &mut trace {
        point.time = if ability.times { point.time } else { None };
        point.events.truncate(if ability.groups { usize::MAX } else { 1 });
        for event in point.events.iter_mut().filter(|_| !ability.names) {
            event.fields.iter_mut().zip(1..).for_each(|((field, _), number)| *field = number.to_string());
        }
    }
    trace.retain(|point| ability.empty || !point.events.is_empty());
    trace
}

/// Texts that some format has trouble with.
const ODD: &str = "[a1,=\"\n\r\t .()@;#\\\\é<&>\u{1}\u{85}\u{2028}{}:\\[-]{0,3}";

/// Texts that every format can hold, though some only in quotes.
const TAME: &str = "[a-z0-9.,=\"'()<&>@;#é-][a-z ,:]{0,3}[a-z0-9]";

/// Fields with values.
type Fields = Vec<(String, String)>;

/// Some of the fields `f1`, `f2`, …, always in this order.
fn ordered_fields(value: &'static str) -> impl Strategy<Value = Fields> {
    prop::collection::vec(value, 0..=3).prop_flat_map(|values| {
        let some = prop::sample::subsequence(vec!["f1", "f2", "f3", "f4"], values.len());
        some.prop_map(move |fields| fields.into_iter().map(str::to_owned).zip(values.iter().cloned()).collect())
    })
}

/// Traces with such names and fields.
fn traces(name: &'static str, fields: impl Strategy<Value = Fields>) -> impl Strategy<Value = Vec<MadePoint>> {
    let events = prop::collection::vec((name, fields), 0..4);
    let points = prop::collection::vec((0..3i64, events), 0..5);
    (any::<bool>(), points).prop_map(|(timed, points)| {
        let mut now = 0;
        let made = |(name, fields)| Made { name, fields };
        let point = |(step, events): (i64, Vec<_>)| {
            now += step;
            MadePoint { time: timed.then_some(now), events: events.into_iter().map(made).collect() }
        };
        points.into_iter().map(point).collect()
    })
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn tame_texts_are_never_refused(trace in traces("[a-e]{1,3}", ordered_fields(TAME))) {
        for format in Format::ALL {
            let mut trace = fit(&ability(format), &trace);
            if ability(format).empty {
                // Points of their own need a time.
                trace.iter_mut().zip(1..).for_each(|(point, number)| point.time = point.time.or(Some(number)));
            }
            // Nothing of it is lost, but a text may look like another format, and only a lossy writer does not mind.
            let text = write_in(format, true, &trace).unwrap_or_else(|| panic!("{format:?} takes {trace:?}"));
            prop_assert_eq!(&read(format, &text), &trace, "{:?}:\n{}", format, text);
        }
    }

    #[test]
    fn odd_texts_are_refused_or_survive(trace in traces(ODD, prop::collection::vec((ODD, ODD), 0..3))) {
        for format in Format::ALL {
            let trace = fit(&ability(format), &trace);
            if let Some(text) = write(format, &trace) {
                prop_assert_eq!(&read(format, &text), &trace, "{:?}:\n{}", format, text);
                // Who reads it need not name the format.
                let found = detect(&text, None).map(|found| read(found, &text));
                prop_assert_eq!(&found, &Ok(trace), "{:?}:\n{}", format, text);
            }
        }
    }

    /// `referee cat` prints the position of every event, and its time if it has one.
    #[test]
    fn what_cat_prints_is_read_again(trace in traces("[a-e]{1,3}", ordered_fields(TAME))) {
        let mut trace = fit(&Ability { names: false, times: true, groups: true, empty: false }, &trace);
        trace.retain(|point| !point.events.is_empty());
        let mut text = String::new();
        for (point, number) in trace.iter().zip(1..) {
            for event in &point.events {
                let values: Vec<&str> = event.fields.iter().map(|(_, value)| value.as_str()).collect();
                let time = point.time.map_or_else(String::new, |time| format!(" @{time}"));
                text.push_str(&format!("{number}{time} {}\n", Term { name: &event.name, values: &values }));
            }
        }
        prop_assert_eq!(&read(Format::Abstract, &text), &trace, "{}", text);
    }

    #[test]
    fn what_is_written_is_detected(trace in traces("[a-e]{1,3}", ordered_fields("[a-z0-9]{1,3}"))) {
        let timed = trace.iter().any(|point| point.time.is_some() && !point.events.is_empty());
        for format in Format::ALL {
            let trace = fit(&ability(format), &trace);
            let Some(text) = write(format, &trace) else { continue };
            let telling = trace.iter().flat_map(|point| &point.events).any(|event| !event.fields.is_empty())
                || (timed && ability(format).times);
            if telling {
                prop_assert_eq!(detect(&text, None), Ok(format), "{}", text);
            }
        }
    }
}
