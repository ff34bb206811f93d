//! What arrives at a sink, as text: `1:a(7,x)|b` is point 1 with two events, `@3` its time.

use std::sync::Arc;

use proptest::prelude::*;
use referee_testing::properties;

use super::batcher::SIZE;
use super::draft::WAITING;
use super::{Amount, Batcher, Done, Interest, Last, PointSink, PointView, Points, read_on_own_thread};
use crate::abstraction::{Meaning, Ties};
use crate::error::{Flow, Stop};
use crate::event::{Argument, Event, EventShape, EventSink, NoRows, Point};
use crate::format::Format;
use crate::mapping::Mapping;
use crate::number::Number;
use crate::raw::{ShapeId, Want};
use crate::reader::{ReadOptions, read_stream};
use crate::value::{Type, Value};
use crate::values::Values;

/// Writes down what it receives.
struct Scribe {
    table: Values,
    interest: Box<dyn Fn(&EventShape) -> Interest>,
    empty: bool,
    shows_last: bool,
    names: Vec<Box<str>>,
    batches: Vec<Vec<String>>,
    /// For each batch and each of its points, the events that came later in the batch.
    later: Vec<Vec<usize>>,
    values: Vec<Value>,
    enough_after: usize,
    last: LastPoint,
}

impl Scribe {
    fn new(interest: impl Fn(&EventShape) -> Interest + 'static) -> Scribe {
        Scribe {
            table: Values::new(),
            interest: Box::new(interest),
            empty: true,
            shows_last: false,
            names: Vec::new(),
            batches: Vec::new(),
            later: Vec::new(),
            values: Vec::new(),
            enough_after: usize::MAX,
            last: (0, None, String::new()),
        }
    }

    fn point(&mut self, point: PointView<'_>, values: &Values) -> String {
        let mut events = Vec::new();
        for (index, (shape, atoms)) in point.events().enumerate() {
            assert_eq!(point.event(index), (shape, atoms));
            self.values.extend(atoms.iter().map(|&atom| values.value(atom)));
            let texts: Vec<_> = atoms.iter().map(|&atom| values.text(atom)).collect();
            let number = point.event_number(index);
            events.push(format!("{number}.{}({})", self.names[shape.index()], texts.join(",")));
        }
        assert_eq!((point.len(), point.is_empty()), (events.len(), events.is_empty()));
        let time = point.time.map_or(String::new(), |time| format!("@{time}"));
        format!("{}{time}:{}", point.number, events.join("|"))
    }
}

impl PointSink for Scribe {
    fn values(&mut self) -> &mut Values {
        &mut self.table
    }

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Interest {
        assert_eq!(id.index(), self.names.len());
        self.names.push((*shape.name).into());
        (self.interest)(shape)
    }

    fn wants_empty_points(&self) -> bool {
        self.empty
    }

    fn shows_last_point(&self) -> bool {
        self.shows_last
    }

    fn last_point(&mut self, last: &Last) {
        let show = |(number, shape, texts): (u64, ShapeId, Vec<&str>)| {
            format!("{number}.{}({})", self.names[shape.index()], texts.join(","))
        };
        let dropped: Vec<String> = last.dropped().map(show).collect();
        self.last = (last.number(), last.time().cloned(), dropped.join("|"));
    }

    fn begin_trace(&mut self, trace: u64, last: u64) -> Flow {
        self.batches.push(vec![format!("trace {trace} after {last}")]);
        self.later.push(Vec::new());
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        let table = std::mem::take(&mut self.table);
        let values = &table;
        let texts: Vec<String> = points.iter().map(|point| self.point(point, values)).collect();
        for (index, point) in points.iter().enumerate() {
            assert_eq!(points.find(point.number).map(|found| found.number), Some(points.point(index).number));
        }
        assert_eq!(points.find(0).map(|found| found.number), None);
        assert_eq!(points.last().map(|last| self.point(last, values)), texts.last().cloned());
        self.later.push(points.iter().map(|point| points.shapes_after(point.number).count()).collect());
        self.batches.push(texts);
        self.table = table;
        if self.batches.len() >= self.enough_after { Err(Stop::Enough) } else { Ok(()) }
    }
}

/// Reads a text of any format.
fn read(text: &str, mapping: &str, scribe: Scribe) -> Batcher<Scribe> {
    let mapping = Mapping::parse(mapping, "mapping").expect("a mapping");
    let options = ReadOptions { meaning: Meaning { mapping, ..Meaning::default() }, ..ReadOptions::default() };
    let mut batcher = Batcher::new(scribe);
    read_stream("text", std::io::Cursor::new(text.to_owned()), &options, &mut batcher).expect("a readable text");
    batcher.finish().expect("the scribe wants all");
    batcher
}

/// All that arrives of a text, in one line per point.
fn arrives(text: &str, interest: impl Fn(&EventShape) -> Interest + 'static) -> Vec<String> {
    read(text, "", Scribe::new(interest)).sink().batches.concat()
}

fn only(names: &'static [&'static str]) -> impl Fn(&EventShape) -> Interest {
    |shape| if names.contains(&&*shape.name) { Interest::all() } else { Interest::none() }
}

#[test]
fn events_come_in_order_with_all_their_arguments() {
    let found = arrives("a(7,x,true).b.a(x,-3.50,y).c(007,123456789012345678901,-5)", |_| Interest::all());
    let expected = ["1:1.a(7,x,true)", "2:2.b()", "3:3.a(x,-3.50,y)", "4:4.c(007,123456789012345678901,-5)"];
    assert_eq!(found, expected);
}

#[test]
fn times_are_those_of_the_points() {
    let found = arrives("@3 a (1)(x); @4; @4.5 b ();", |_| Interest::all());
    assert_eq!(found, ["1@3:1.a(1)|2.a(x)", "2@4:", "3@4.5:3.b()"]);
}

#[test]
fn a_time_may_come_after_points_without() {
    let mut batcher = Batcher::new(Scribe::new(|_| Interest::all()));
    for (number, time) in (1..).zip([None, Some(Number::Int(5)), None]) {
        batcher.begin_point(Point { trace: 1, number, time: time.as_ref() }).expect("the scribe goes on");
        batcher.end_point().expect("the scribe goes on");
    }
    batcher.finish().expect("the scribe goes on");
    assert_eq!(batcher.sink().batches, [["1:", "2@5:", "3:"]]);
}

#[test]
fn points_that_are_left_out_keep_their_numbers() {
    assert_eq!(arrives("a(1).b(2).b(3).a(4)", only(&["a"])), ["1:1.a(1)", "4:4.a(4)"]);
    assert_eq!(arrives("@3 b (1); @4; @5 b (2) a (3);", only(&["a"])), ["2@4:", "3@5:3.a(3)"]);
    let mut scribe = Scribe::new(only(&["a"]));
    scribe.empty = false;
    assert_eq!(read("@3 b (1); @4; @5 b (2) a (3);", "", scribe).sink().batches.concat(), ["3@5:3.a(3)"]);
}

#[test]
fn a_step_keeps_a_point_whose_events_are_not_read() {
    let step = |shape: &EventShape| match &*shape.name {
        "a" => Interest::all(),
        _ => Interest { steps: true, ..Interest::none() },
    };
    assert_eq!(arrives("a(1).b(x)", step), ["1:1.a(1)", "2:2.b(false)"]);
    let pattern = |_: &EventShape| Interest { patterns: vec![vec![(0, Arc::from("x"))]], ..Interest::all() };
    assert_eq!(arrives("a(1).b(x)", pattern), ["1:", "2:2.b(x)"]);
}

#[test]
fn events_fit_one_of_the_patterns() {
    let pattern = |_: &EventShape| Interest {
        steps: false,
        patterns: vec![
            vec![(0, Arc::from("x")), (1, Arc::from("7"))],
            vec![(1, Arc::from("8"))],
            vec![(9, Arc::from("z"))],
        ],
        ..Interest::all()
    };
    let found = arrives("a(x,7).a(x,6).a(y,7).a(y,8).a(x)", pattern);
    assert_eq!(found, ["1:1.a(x,7)", "4:4.a(y,8)"]);
}

#[test]
fn arguments_that_nobody_wants_are_false() {
    let second = |_: &EventShape| Interest { want: Want::fields([1]), ..Interest::all() };
    assert_eq!(arrives("a(1,2,3).a(x,y,z)", second), ["1:1.a(false,2,false)", "2:2.a(false,y,false)"]);
}

#[test]
fn interests_add_up() {
    let pattern = |text: &str| Interest { patterns: vec![vec![(0, Arc::from(text))]], ..Interest::all() };
    assert_eq!(Interest::none().or(pattern("x")), pattern("x"));
    assert_eq!(pattern("x").or(Interest::none()), pattern("x"));
    assert_eq!(pattern("x").or(Interest::all()), Interest::all());
    assert_eq!(pattern("x").or(pattern("y")).patterns.len(), 2);
    assert_eq!(Interest::none().or(Interest::none()), Interest::none());
}

/// Takes events one by one only.
struct OneByOne<'b>(&'b mut Batcher<Scribe>);

impl EventSink for OneByOne<'_> {
    type Rows = NoRows;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        self.0.shape(id, shape)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        self.0.begin_point(point)
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.0.event(event)
    }

    fn end_point(&mut self) -> Flow {
        self.0.end_point()
    }

    fn single_event(&mut self, point: Point<'_>, event: Event<'_>) -> Flow {
        self.0.single_event(point, event)
    }
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn rows_of_integers_in_bulk_are_what_they_are_one_by_one(
        rows in prop::collection::vec(
            ("(a|b|longer_name|dropped|picky|part)", prop::collection::vec(plain_cell(), 0..8), 1usize..60),
            0..40,
        ),
        wrong in 0usize..2000,
    ) {
        let lines = rows.iter().flat_map(|(name, cells, times)| {
            let line = [&[name.clone()][..], cells].concat().join(",") + "\n";
            std::iter::repeat_n(line, *times)
        });
        let text: String = lines.enumerate().map(|(index, line)| if index == wrong { ",7\n".into() } else { line }).collect();
        let interest = interests(text.len());
        let options = ReadOptions { format: Some(Format::CsvPlain), ..ReadOptions::default() };
        prop_assert_eq!(difference(&text, &options, interest), None);
    }

    #[test]
    fn named_rows_in_bulk_are_what_they_are_one_by_one(
        rows in prop::collection::vec(named_row(), 0..40),
        rises in prop::collection::vec(0i64..3, 2400),
        back in (0usize..4000, prop_oneof![3 => Just(Ties::Apart), 1 => Just(Ties::Merged), 1 => Just(Ties::Refused)]),
        wrong in 0usize..4000,
        (labels, strange) in (0usize..3, 0usize..4000),
    ) {
        let lines = rows.iter().flat_map(|(line, times)| std::iter::repeat_n(line, *times));
        let (mut text, mut time) = (String::new(), 0);
        for (index, (line, rise)) in lines.zip(&rises).enumerate() {
            time += if index == back.0 { -2 } else { *rise };
            // Labels are as often equal as times are, or never, or for ever.
            let label: i64 = [100 + time, index as i64, 5][labels] + i64::from(index == strange);
            let line = line.replace('T', &time.to_string()).replace('L', &label.to_string());
            text += &if index == wrong { "a, 7\n".into() } else { line };
        }
        let interest = interests(text.len());
        let meaning = Meaning { ties: back.1, ..Meaning::default() };
        let options = ReadOptions { format: Some(Format::CsvNamed), meaning, ..ReadOptions::default() };
        prop_assert_eq!(difference(&text, &options, interest), None);
    }
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn rows_under_a_header_in_bulk_are_what_they_are_one_by_one(
        rows in prop::collection::vec(row_under_header(), 0..60),
        rises in prop::collection::vec(0i64..3, 2400),
        back in 0usize..4000,
        wrong in 0usize..4000,
        splits in any::<bool>(),
    ) {
        let lines = rows.iter().flat_map(|(line, times)| std::iter::repeat_n(line, *times));
        let (mut text, mut time) = (String::from("event,x,y,z,ts\n"), 0);
        for (index, (line, rise)) in lines.zip(&rises).enumerate() {
            time += if index == back { -2 } else { *rise };
            text += &if index == wrong { "a,1,2,3,4,5\n".into() } else { line.replace('T', &time.to_string()) };
        }
        let interest = interests(text.len());
        let mapping = Mapping::parse(if splits { "split = \"log\"" } else { "" }, "map.toml").expect("a mapping");
        let meaning = Meaning { mapping, ..Meaning::default() };
        let options = ReadOptions { format: Some(Format::Csv), meaning, ..ReadOptions::default() };
        prop_assert_eq!(difference(&text, &options, interest), None);
    }
}

/// What stands in quotes is one value, also where nobody reads it.
#[test]
fn a_value_that_nobody_reads_may_have_line_ends() {
    let text = format!("{}b, x = \"1\nc, y = 2\"\nc, y = 3\n", "b, x = 1\n".repeat(20));
    let options = ReadOptions { format: Some(Format::CsvNamed), ..ReadOptions::default() };
    let mut batcher = Batcher::new(Scribe::new(only(&["c"])));
    read_stream("text", std::io::Cursor::new(text), &options, &mut batcher).expect("readable");
    batcher.finish().expect("the scribe goes on");
    assert_eq!(batcher.amount().counts, [21, 1]);
    assert_eq!(batcher.sink().batches.concat(), ["22:22.c(3)"]);
}

/// A cell: an integer, a short text, or something else.
fn plain_cell() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[0-9]{1,2}",
        1 => "[1-9][0-9]{0,9}",
        2 => "db[1-3]",
        1 => "(-1|x| 7|\"q,\"||unknown|true|eight888|db 1|_|é)",
    ]
}

/// What is read of the rows: some or none of the values, of all events or of those with some values.
fn interests(variant: usize) -> impl Fn(&EventShape) -> Interest + Copy {
    move |shape: &EventShape| match &*shape.name {
        "dropped" => Interest::none(),
        "b" => Interest { steps: false, alone: Want::fields([1]), ..Interest::all() },
        "picky" => {
            let patterns = [&[(0, "db1")][..], &[(0, "7"), (1, "db2")], &[(0, "eight888")]];
            let patterns =
                patterns.map(|pattern| pattern.iter().map(|(place, text)| (*place, (*text).into())).collect());
            Interest { steps: variant.is_multiple_of(3), patterns: patterns.into(), ..Interest::all() }
        }
        "part" => {
            let (want, patterns) = (Want::fields([1]), vec![vec![(0, "db2".into())], vec![(2, "1".into())]]);
            Interest { want, alone: want, steps: variant.is_multiple_of(2), patterns }
        }
        _ => Interest::all(),
    }
}

/// A row with some cells, and how often it comes.
fn row_under_header() -> impl Strategy<Value = (String, usize)> {
    let value = || {
        prop_oneof![4 => Just(String::new()), 6 => "[0-9]{1,2}", 1 => "[1-9][0-9]{0,9}", 2 => "db[1-3]",
        1 => "(-1|x| 7|true|\"q,\"|a text|eight888)"]
    };
    let time = prop_oneof![4 => Just(",T"), 1 => Just(","), 1 => Just("")];
    let end = prop_oneof![5 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just(" \n")];
    let name = prop_oneof![3 => Just("a"), 2 => Just("b"), 2 => Just("longer_name"), 2 => Just("dropped"), 1 => Just("log"),
            2 => Just("picky"), 1 => Just("part")];
    (name, value(), value(), value(), time, end, 1usize..40)
        .prop_map(|(name, x, y, z, time, end, times)| (format!("{name},{x},{y},{z}{time}{end}"), times))
}

/// A row of named cells with a time, or without, and how often it comes.
fn named_row() -> impl Strategy<Value = (String, usize)> {
    let value = prop_oneof![6 => "[0-9]{1,2}", 1 => "[1-9][0-9]{0,9}", 1 => "(-1|x| 7|7 |\"q,\"|)", 1 => "(1=2|\0)",
        4 => "db[1-3]", 1 => "(db1 | db1|db\"|\"q\nb, x = 1\"|true|eight888|é|_)"];
    let field =
        prop_oneof![4 => Just(", x = "), 1 => Just(",x="), 1 => Just(", a_longer_name="), 1 => Just(" , x =  ")];
    let time = prop_oneof![
        3 => Just(", ts = T"),
        3 => Just(", tp = L, ts = T"),
        1 => Just(", tp = L"),
        1 => Just(",ts=T,tp=L"),
        1 => Just(",ts=T"),
        1 => Just(""),
    ];
    let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just(" \n")];
    let cells = prop::collection::vec((field, value), 0..4);
    ("(a|b|longer_name|dropped|picky|part)", cells, time, end, 1usize..60).prop_map(
        |(name, cells, time, end, times)| {
            let cells: String = cells.iter().map(|(field, value)| format!("{field}{value}")).collect();
            (format!("{name}{cells}{time}{end}"), times)
        },
    )
}

/// How reading ended, how much was read, all points, and what was not read of the last.
type Told = (String, Amount, Vec<String>, LastPoint);

/// A last point: its number, time and dropped events.
type LastPoint = (u64, Option<Number>, String);

/// The first difference between what is read of a text in bulk and one by one.
fn difference(
    text: &str,
    options: &ReadOptions,
    interest: impl Fn(&EventShape) -> Interest + Copy + 'static,
) -> Option<String> {
    let told = |batcher: &mut Batcher<Scribe>, end: String| -> Told {
        batcher.finish().expect("the scribe goes on");
        // Of some events not all is read, and what is not read means nothing.
        let read = |event: &str| match [".b(", ".part("].iter().find_map(|name| event.split_once(name)) {
            Some((number, _)) => number.to_owned(),
            None => event.to_owned(),
        };
        let point = |point: &String| point.split('|').map(read).collect::<Vec<_>>().join("|");
        let points = batcher.sink().batches.concat().iter().map(point).collect();
        (end, batcher.amount(), points, batcher.sink().last.clone())
    };
    let scribe = || Scribe { shows_last: text.len().is_multiple_of(2), ..Scribe::new(interest) };
    let (mut bulk, mut each) = (Batcher::new(scribe()), Batcher::new(scribe()));
    let read_bulk = read_stream("text", std::io::Cursor::new(text.to_owned()), options, &mut bulk);
    let read_each = read_stream("text", std::io::Cursor::new(text.to_owned()), options, &mut OneByOne(&mut each));
    let (bulk, each) = (told(&mut bulk, format!("{read_bulk:?}")), told(&mut each, format!("{read_each:?}")));
    // Where events with a time come one by one, all of them is read.
    let is_other = bulk.0.starts_with("Ok") && !each.3.2.is_empty() && bulk.3 != each.3;
    if (&bulk.0, &bulk.1) != (&each.0, &each.1) || is_other {
        return Some(format!("{:?} and {:?}", (bulk.0, bulk.1, bulk.3), (each.0, each.1, each.3)));
    }
    let pairs = bulk.2.iter().zip(&each.2);
    let apart = pairs.into_iter().find(|(one, other)| one != other).map(|pair| format!("{pair:?}"));
    apart.or_else(|| (bulk.2.len() != each.2.len()).then(|| format!("{} and {} points", bulk.2.len(), each.2.len())))
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn single_events_of_any_texts_say_what_the_trace_says(
        rows in prop::collection::vec(
            ("[abc]", prop::collection::vec("(-?[0-9]{1,20}|[0-9][.][0-9]|[xy]{1,2}|[xy]{15,30}|true)", 0..4)),
            0..80,
        ),
        shows_last: bool,
    ) {
        let lines = rows.iter().map(|(name, cells)| [&[name.clone()][..], cells].concat().join(",") + "\n");
        let is_read = |name: &str, place: usize| name != "b" || place == 0 || place == 2;
        let mut expected = Vec::new();
        for (number, (name, cells)) in (1..).zip(&rows).filter(|(_, (name, _))| name != "c") {
            let read = cells.iter().enumerate().map(|(place, text)| if is_read(name, place) { text } else { "false" });
            expected.push(format!("{number}:{number}.{name}({})", read.collect::<Vec<_>>().join(",")));
        }
        let interest = |shape: &EventShape| match &*shape.name {
            "b" => Interest { alone: Want::fields([0, 2]), ..Interest::all() },
            "c" => Interest::none(),
            _ => Interest::all(),
        };
        let mut batcher = Batcher::new(Scribe { shows_last, ..Scribe::new(interest) });
        let options = ReadOptions { format: Some(Format::CsvPlain), ..ReadOptions::default() };
        read_stream("text", std::io::Cursor::new(lines.collect::<String>()), &options, &mut OneByOne(&mut batcher))
            .expect("a readable text");
        batcher.finish().expect("the scribe wants all");
        prop_assert_eq!(batcher.amount().points, rows.len() as u64);
        let scribe = batcher.sink();
        prop_assert_eq!(scribe.batches.concat(), expected);
        let last = rows.last().filter(|(name, cells)| shows_last && (name == "c" || name == "b" && cells.len() > 1));
        let last = last.map(|(name, cells)| format!("{}.{name}({})", rows.len(), cells.join(",")));
        prop_assert_eq!(&scribe.last, &(rows.len() as u64, None, last.unwrap_or_default()));
    }
}

#[test]
fn full_batches_are_handed_over() {
    let text: String = (1..=3 * SIZE + 1).map(|event| format!("a,string{event},{event}\n")).collect();
    let mut batcher = read(&text, "", Scribe::new(|_| Interest::all()));
    let batches = &batcher.sink().batches;
    assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [SIZE, SIZE, SIZE, 1]);
    let expected: Vec<String> =
        (1..=3 * SIZE + 1).map(|event| format!("{event}:{event}.a(string{event},{event})")).collect();
    assert_eq!(batches.concat(), expected);
    let all = 3 * SIZE as u64 + 1;
    assert_eq!(batcher.amount(), Amount { counts: vec![all], points: all, last_point: all });
}

#[test]
fn a_point_is_never_split() {
    let events: String = (0..3 * SIZE).map(|event| format!("({event},x{event})")).collect();
    let text = format!("@1 a (1,y); @2 a {events}; @3 a (2,z);");
    let mut batcher = read(&text, "", Scribe::new(|_| Interest::all()));
    let batches = &batcher.sink().batches;
    assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert!(batches[0][1].ends_with(&format!(".a({},x{})", 3 * SIZE - 1, 3 * SIZE - 1)));
}

#[test]
fn many_waiting_bytes_end_a_batch_early() {
    let text = format!("a,{}\n", "x".repeat(WAITING)).repeat(3);
    assert_eq!(read(&text, "", Scribe::new(|_| Interest::all())).sink().batches.len(), 3);
}

#[test]
fn many_dropped_events_end_a_batch_early() {
    let text = format!("a,1\n{}", "b,1\n".repeat(10_000));
    let options = ReadOptions::default();
    let mut scribe = Scribe::new(only(&["a"]));
    scribe.enough_after = 1;
    let mut batcher = Batcher::new(scribe);
    let summary = read_stream("text", std::io::Cursor::new(text), &options, &mut batcher).expect("readable");
    assert!(!summary.complete, "the batch comes before the text is over");
    assert_eq!(batcher.sink().batches, [["1:1.a(1)"]]);
    let later = batcher.sink().later.concat();
    assert_eq!(batcher.amount().counts, [1, later[0] as u64], "all that came after the point is known");
}

#[test]
fn what_came_later_in_a_batch_is_known() {
    let mut batcher = read("b(1).a(1).b(2).a(2).a(3).b(4).b(5)", "", Scribe::new(only(&["a"])));
    assert_eq!(batcher.sink().later, [[5, 3, 2]]);
    assert_eq!(batcher.amount().counts, [4, 3]);
}

#[test]
fn traces_have_their_own_batches() {
    let mut batcher = read("m.a(1).a(2).m.a(3).m.m.a(4)", "split = \"m\"\n", Scribe::new(|_| Interest::all()));
    let batches = batcher.sink().batches.concat();
    let expected = ["1:2.a(1)", "2:3.a(2)", "trace 2 after 2", "1:5.a(3)", "trace 4 after 1", "1:8.a(4)"];
    assert_eq!(batches, expected);
    assert_eq!((batcher.amount().points, batcher.last_point()), (4, 1));
}

fn shape(name: &str, types: &[Option<Type>]) -> EventShape {
    let argument = |&declared: &Option<Type>| Argument { name: "x".into(), declared };
    EventShape { name: name.into(), arguments: types.iter().map(argument).collect(), positional: types.len() }
}

#[test]
fn a_declared_string_is_one_whatever_it_looks_like() {
    let mut batcher = Batcher::new(Scribe::new(|_| Interest::all()));
    batcher.shape(ShapeId(0), &shape("a", &[Some(Type::String), None, Some(Type::Decimal)]));
    batcher.begin_point(Point { trace: 1, number: 1, time: None }).expect("the scribe goes on");
    let event = Event { shape: ShapeId(0), arguments: &["7", "7", "7.0"], number: 1, offset: 0 };
    batcher.event(event).expect("the scribe goes on");
    batcher.end_point().expect("the scribe goes on");
    batcher.finish().expect("the scribe goes on");
    let scribe = batcher.sink();
    // The last point is written down twice.
    assert_eq!(scribe.values[..3], [Value::string("7"), Value::from(7), Value::from(7)]);
    assert_eq!(scribe.batches.concat(), ["1:1.a(7,7,7.0)"]);
}

#[test]
fn a_pause_hands_over_what_is_complete() {
    let mut batcher = Batcher::new(Scribe::new(|_| Interest::all()));
    batcher.shape(ShapeId(0), &shape("a", &[None]));
    let event = |number, text| Event { shape: ShapeId(0), arguments: text, number, offset: 0 };
    let time = Number::Int(5);
    batcher.begin_point(Point { trace: 1, number: 1, time: Some(&time) }).expect("the scribe goes on");
    batcher.event(event(1, &["x"])).expect("the scribe goes on");
    batcher.pause().expect("the scribe goes on");
    assert_eq!(batcher.sink().batches.len(), 0, "the point is open");
    batcher.event(event(2, &["8"])).expect("the scribe goes on");
    batcher.end_point().expect("the scribe goes on");
    batcher.pause().expect("the scribe goes on");
    batcher.pause().expect("nothing is handed over twice");
    assert_eq!(batcher.sink().batches, [["1@5:1.a(x)|2.a(8)"]]);
}

#[test]
fn the_last_point_is_known_though_nobody_reads_it() {
    let dropped = |text: &str| {
        let mut scribe = Scribe::new(only(&["a"]));
        scribe.shows_last = true;
        let mut batcher = read(text, "", scribe);
        batcher.sink().last.clone()
    };
    assert_eq!(dropped("a(1).b(2,x).b(3)"), (3, None, "3.b(3)".into()));
    assert_eq!(dropped("b(2).b(3,x,yz)"), (2, None, "2.b(3,x,yz)".into()));
    assert_eq!(dropped("b(2).a(1)"), (2, None, String::new()));
    let time = Some(Number::Int(5));
    assert_eq!(dropped("@3 b (1); @5 b (2) a (3) c (x,y);"), (2, time, "2.b(2)|4.c(x,y)".into()));
    assert_eq!(dropped("@3 b (1); @5;"), (2, None, String::new()));
    assert_eq!(dropped(""), (0, None, String::new()));
}

#[test]
fn the_last_point_is_known_though_not_all_of_it_is_read() {
    let part = |text: &str| {
        let mut scribe = Scribe::new(|_| Interest { alone: Want::fields([0]), ..Interest::all() });
        scribe.shows_last = true;
        let mut batcher = read(text, "", scribe);
        batcher.sink().last.clone()
    };
    assert_eq!(part("a,1,x\na,2,y\na,3,z\n"), (3, None, "3.a(3,z)".into()));
    // Rows in bulk, and one behind them.
    let many = "a,1,x\n".repeat(2 * SIZE);
    assert_eq!(part(&format!("{many}a,12,yz\n")), (2 * SIZE as u64 + 1, None, format!("{}.a(12,yz)", 2 * SIZE + 1)));
    assert_eq!(part(&many), (2 * SIZE as u64, None, format!("{}.a(1,x)", 2 * SIZE)));
    // All of it is read.
    assert_eq!(part(&format!("{many}b,7\n")), (2 * SIZE as u64 + 1, None, String::new()));
}

#[test]
fn the_sink_may_have_enough() {
    let mut scribe = Scribe::new(|_| Interest::all());
    scribe.enough_after = 2;
    let mut batcher = Batcher::new(scribe);
    let text = "a,1\n".repeat(10 * SIZE);
    let read = read_stream("text", std::io::Cursor::new(text), &ReadOptions::default(), &mut batcher);
    assert!(!read.expect("a readable text").complete);
    assert_eq!(batcher.sink().batches.len(), 2);
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn batches_say_what_the_trace_says(points in prop::collection::vec(prop::collection::vec(("[abc]", prop::collection::vec("(-?[0-9]{1,20}|[0-9][.][0-9]|[xy]{1,2}|true)", 0..3)), 0..4), 0..40)) {
        let mut text = String::new();
        let mut expected = Vec::new();
        let mut number = 0;
        for (index, events) in (1..).zip(&points) {
            text.push_str(&format!("@{index}"));
            let mut shown = Vec::new();
            for (name, values) in events {
                number += 1;
                text.push_str(&format!(" {name} ({})", values.join(",")));
                if name != "c" {
                    shown.push(format!("{number}.{name}({})", values.join(",")));
                }
            }
            text.push_str(";\n");
            if events.is_empty() || !shown.is_empty() {
                expected.push(format!("{index}@{index}:{}", shown.join("|")));
            }
        }
        prop_assert_eq!(arrives(&text, only(&["a", "b"])), expected);
    }
}

/// What arrives if reading has a thread of its own.
fn apart(text: &str, mapping: &str, mut scribe: Scribe) -> (Scribe, Done<bool>) {
    let mapping = Mapping::parse(mapping, "mapping").expect("a mapping");
    let options = ReadOptions { meaning: Meaning { mapping, ..Meaning::default() }, ..ReadOptions::default() };
    let done = read_on_own_thread(&mut scribe, |filler| {
        let text = std::io::Cursor::new(text.to_owned());
        read_stream("text", text, &options, filler).expect("a readable text").complete
    });
    (scribe, done)
}

#[test]
fn two_threads_show_the_same() {
    let rows: String =
        (1..=20_000).map(|event| format!("a,s{},{event}\nb,{event}.5\nc,x{event}\n", event % 77)).collect();
    let marks: String = (1..=300).map(|event| format!("a,{event}\nm\nb,{event}\n")).collect();
    for (text, mapping) in
        [(&rows[..], ""), ("@3 a (1)(x); @4; @4.5 b (); @5 c (7);", ""), (&marks, "split = \"m\"\n"), ("", "")]
    {
        for shows_last in [false, true] {
            let scribe = || Scribe { shows_last, ..Scribe::new(only(&["a", "b"])) };
            let mut here = read(text, mapping, scribe());
            let (there, done) = apart(text, mapping, scribe());
            assert_eq!(done.amount, here.amount());
            assert!(done.read && done.flow.is_ok());
            let here = here.sink();
            assert_eq!(there.batches.concat(), here.batches.concat());
            assert_eq!(there.last, here.last);
        }
    }
}

#[test]
fn a_reader_apart_hears_that_it_is_enough() {
    let text: String = (1..=50_000).map(|event| format!("a,{event}\nkind{event},1\n")).collect();
    let scribe = Scribe { enough_after: 1, ..Scribe::new(|_| Interest::all()) };
    let (scribe, done) = apart(&text, "", scribe);
    assert!(!done.read && done.flow.is_err());
    let shown = scribe.batches.concat().len() as u64;
    assert_eq!((done.amount.points, done.amount.counts.iter().sum::<u64>()), (shown, shown));
}
