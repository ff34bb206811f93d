//! Programs without files: raw events go in by hand, what the sink hears comes out as one line per call.

use super::*;
use crate::error::{Fault, Flow, Stop};
use crate::event::{Event, EventShape, EventSink, NoRows, Point};
use crate::mapping::Mapping;
use crate::raw::Shapes;
use crate::raw::{RawEvent, RawSink, Shape, ShapeId, Want};
use crate::signature::Signature;
use crate::value::Type;

/// Writes down what it hears: `[1.2@5` begins point 2 of trace 1 at time 5, `]` ends it.
#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    shapes: Vec<EventShape>,
    want: Option<Want>,
}

impl EventSink for Listener {
    type Rows = NoRows;

    fn shape(&mut self, id: ShapeId, shape: &EventShape) -> Want {
        assert_eq!(id.index(), self.shapes.len());
        self.shapes.push(shape.clone());
        self.want.unwrap_or(Want::ALL)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        let time = point.time.map(|time| format!("@{time}")).unwrap_or_default();
        self.heard.push(format!("[{}.{}{time}", point.trace, point.number));
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        let (positional, named) = event.arguments.split_at(shape.positional);
        let named: Vec<String> =
            shape.arguments[shape.positional..].iter().zip(named).map(|(a, v)| format!(" {}={v}", a.name)).collect();
        self.heard.push(format!("{}:{}({}){}", event.number, shape.name, positional.join(","), named.concat()));
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        self.heard.push("]".to_owned());
        Ok(())
    }
}

/// What one raw event or explicit point looks like in a test: `a x=1 y=2`, or `@5`.
fn feed(abstraction: &mut Abstraction<'_, Listener>, shapes: &mut Shapes, line: &str, offset: usize) -> Flow {
    if let Some(time) = line.strip_prefix('@') {
        return abstraction.point(time, offset);
    }
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let (fields, values): (Vec<&str>, Vec<&str>) = words.filter_map(|word| word.split_once('=')).unzip();
    let shape = shapes.find(name, &fields, abstraction);
    abstraction.event(RawEvent { shape, values: &values, offset })
}

fn hear_with(meaning: &Meaning, lines: &[&str]) -> Result<String, Fault> {
    let mut listener = Listener::default();
    let mut abstraction = Abstraction::new(meaning, &mut listener);
    let mut shapes = Shapes::new();
    let mut flow = Ok(());
    for (offset, line) in lines.iter().enumerate() {
        flow = flow.and_then(|()| feed(&mut abstraction, &mut shapes, line, offset));
    }
    match flow.and_then(|()| abstraction.finish()) {
        Ok(()) => Ok(listener.heard.join(" ")),
        Err(Stop::Fault(fault)) => Err(*fault),
        Err(Stop::Enough) => panic!("the listener never has enough"),
    }
}

fn meaning(mapping: &str) -> Meaning {
    let mapping = Mapping::parse(mapping, "map.toml").unwrap_or_else(|error| panic!("{error}"));
    Meaning { mapping, ..Meaning::default() }
}

/// What is heard of raw events under a mapping.
fn hear(mapping: &str, lines: &[&str]) -> String {
    hear_with(&meaning(mapping), lines).unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn fault(mapping: &str, lines: &[&str]) -> (usize, String, String) {
    match hear_with(&meaning(mapping), lines) {
        Ok(heard) => panic!("{heard} should be a fault"),
        Err(fault) => (fault.offset, fault.message, fault.hint.unwrap_or_default()),
    }
}

fn timed(time: TimeField, lines: &[&str]) -> String {
    let meaning = Meaning { time, ..Meaning::default() };
    hear_with(&meaning, lines).unwrap_or_else(|fault| panic!("{fault:?}"))
}

#[test]
fn without_a_mapping_every_event_is_a_point() {
    assert_eq!(hear("", &["a x=1 y=2", "b"]), "[1.1 1:a(1,2) ] [1.2 2:b() ]");
}

#[test]
fn label_and_time_are_no_positional_arguments() {
    assert_eq!(hear("", &["a tp=4 ts=7 x=1"]), "[1.1@7 1:a(1) tp=4 ts=7 ]");
    assert_eq!(hear("", &["a time=7 x=1"]), "[1.1 1:a(7,1) ]");
    assert_eq!(timed(TimeField::Named, &["a x=1 Time=7"]), "[1.1@7 1:a(1) Time=7 ]");
    assert_eq!(timed(TimeField::Named, &["a TIMESTAMP=9 ts=7"]), "[1.1@7 1:a(9) ts=7 ]");
    assert_eq!(
        timed(TimeField::LastPositional, &["a 1=x 2=7", "b ts=8 y=1"]),
        "[1.1@7 1:a(x) 2=7 ] [1.2@8 2:b(1) ts=8 ]"
    );
}

#[test]
fn adjacent_rows_with_equal_labels_are_one_point() {
    let lines = ["a tp=1", "b tp=1", "a tp=5", "c", "a tp=6"];
    let expected = "[1.1 1:a() tp=1 2:b() tp=1 ] [1.2 3:a() tp=5 ] [1.3 4:c() ] [1.4 5:a() tp=6 ]";
    assert_eq!(hear("", &lines), expected);
    let (offset, message, _) = fault("", &["a tp=5", "a tp=6", "a tp=5"]);
    assert_eq!((offset, message.as_str()), (2, "tp 5 comes after tp 6"));
    assert_eq!(fault("", &["a tp=x"]).1, "expected a number in field `tp`, found `x`");
    assert_eq!(fault("", &["a tp=1 ts=1", "a tp=1 ts=2"]).1, "events with the same `tp` have the timestamps 1 and 2");
}

#[test]
fn how_a_time_is_written_changes_nothing() {
    // Small integers are read apart from all other numbers, so both ways are compared.
    let lines =
        ["a x=1 ts=3", "a x=2 ts=3", "b", "a ts=5 x=1", "c tp=1 ts=5", "c tp=1 ts=5", "a x=4 ts=7", "b", "a x=9 ts=6"];
    let rewritten: Vec<String> = lines.iter().map(|line| decimal_times(line)).collect();
    for ties in [Ties::Apart, Ties::Merged, Ties::Refused] {
        for mapping in [
            "",
            "split = 'b'",
            "[[event]]\nfrom = 'a'\nto = 'a_{x}'",
            "[[event]]\nfrom = 'a'\nwhen = 'x > 1'\nto = 'd'",
        ] {
            for count in 0..=lines.len() {
                let meaning = Meaning { ties, ..meaning(mapping) };
                let small = hear_with(&meaning, &lines[..count]);
                let texts: Vec<&str> = rewritten[..count].iter().map(String::as_str).collect();
                let plain = |heard: String| heard.replace(".0", "");
                let wide = hear_with(&meaning, &texts).map(plain);
                let faults = |fault: Fault| (fault.offset, fault.message.replace(".0", ""));
                assert_eq!(small.map_err(faults), wide.map_err(faults), "{mapping} {ties:?} {count}");
            }
        }
    }
}

/// `ts=3` as `ts=3.0`.
fn decimal_times(line: &str) -> String {
    let word = |word: &str| if word.starts_with("ts=") { format!("{word}.0") } else { word.to_owned() };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn times_do_not_decrease() {
    assert_eq!(
        hear("", &["a ts=7", "a ts=7.0", "a ts=8.5"]),
        "[1.1@7 1:a() ts=7 ] [1.2@7 2:a() ts=7.0 ] [1.3@8.5 3:a() ts=8.5 ]"
    );
    let (offset, message, hint) = fault("", &["a ts=7", "a ts=6"]);
    assert_eq!((offset, message.as_str()), (1, "timestamp 6 comes after 7"));
    assert!(hint.contains("must not decrease"));
    assert_eq!(fault("", &["a ts=noon"]).1, "expected a number as timestamp in field `ts`, found `noon`");
    assert_eq!(fault("", &["@7", "@6"]).1, "timestamp 6 comes after 7");
}

#[test]
fn explicit_points_may_hold_several_events_or_none() {
    let lines = ["@5", "a x=1", "b", "@5", "@6", "a x=2"];
    assert_eq!(hear("", &lines), "[1.1@5 1:a(1) 2:b() ] [1.2@5 ] [1.3@6 3:a(2) ]");
    assert_eq!(hear("", &["@5"]), "[1.1@5 ]");
    assert_eq!(fault("", &["@x"]).1, "expected a number as timestamp, found `x`");
}

#[test]
fn an_explicit_point_ends_with_its_file() {
    let (meaning, mut listener) = (Meaning::default(), Listener::default());
    let mut abstraction = Abstraction::new(&meaning, &mut listener);
    let mut shapes = Shapes::new();
    for line in ["@5", "a"] {
        assert!(feed(&mut abstraction, &mut shapes, line, 0).is_ok());
    }
    assert!(abstraction.end_file().is_ok());
    assert!(feed(&mut abstraction, &mut shapes, "a", 0).is_ok());
    assert_eq!(abstraction.totals(), Totals { events: 2, points: 2, traces: 1 });
    assert_eq!(listener.heard.join(" "), "[1.1@5 1:a() ] [1.2 2:a() ]");
}

#[test]
fn a_marker_splits_the_input_into_traces() {
    let split = "split = 'log'";
    assert_eq!(hear(split, &["log id=1", "a ts=9", "log id=2", "a ts=3"]), "[1.1@9 2:a() ts=9 ] [2.1@3 4:a() ts=3 ]");
    assert_eq!(hear(split, &["a", "log", "log", "a"]), "[1.1 1:a() ] [3.1 4:a() ]");
    assert_eq!(hear(split, &["a tp=1", "log", "a tp=1"]), "[1.1 1:a() tp=1 ] [2.1 3:a() tp=1 ]");
    assert_eq!(hear(split, &["@5", "log", "@6", "a", "log", "b"]), "[1.1@6 2:a() ] [2.1@6 4:b() ]");
}

#[test]
fn events_are_renamed_and_their_arguments_chosen() {
    let map = |args: &str| format!("[[event]]\nfrom = 'a'\nto = 'b'\nargs = {args}");
    assert_eq!(hear(&map("['y', 'x']"), &["a x=1 y=2 z=3"]), "[1.1 1:b(2,1) ]");
    assert_eq!(hear(&map("['x', 'x']"), &["a x=1"]), "[1.1 1:b(1,1) ]");
    assert_eq!(hear(&map("[]"), &["a x=1 y=2", "c x=1"]), "[1.1 1:b() ] [1.2 2:c(1) ]");
    assert_eq!(hear("[[event]]\nfrom = 'a'\nto = 'b'", &["a x=1 ts=2"]), "[1.1@2 1:b(1) ts=2 ]");
    assert_eq!(hear("[[event]]\nfrom = '*'\nto = 'any_{name}'", &["a x=1"]), "[1.1 1:any_a(1) ]");
}

#[test]
fn arguments_are_named_and_typed() {
    let meaning = meaning("[[event]]\nfrom = 'a'\nargs = ['n = x:int', 'y']");
    let mut listener = Listener::default();
    let mut abstraction = Abstraction::new(&meaning, &mut listener);
    assert!(feed(&mut abstraction, &mut Shapes::new(), "a x=1 y=2", 0).is_ok());
    let argument = |name: &str, declared| crate::event::Argument { name: name.into(), declared };
    assert_eq!(*listener.shapes[0].arguments, [argument("n", Some(Type::Integer)), argument("y", None)]);
}

#[test]
fn a_text_that_is_not_of_its_declared_type_is_a_fault() {
    let map = |kind: &str| format!("[[event]]\nfrom = 'a'\nargs = ['x:{kind}']");
    for (kind, good) in
        [("int", "12"), ("int", "7.0"), ("float", "7"), ("float", "1e3"), ("bool", "true"), ("string", "7")]
    {
        assert_eq!(hear(&map(kind), &[&format!("a x={good}")]), format!("[1.1 1:a({good}) ]"));
    }
    for (kind, bad) in [("int", "7.5"), ("int", "007"), ("float", "x"), ("bool", "1"), ("int", "")] {
        let (_, message, _) = fault(&map(kind), &[&format!("a x={bad}")]);
        assert_eq!(message, format!("field `x` is declared {kind}, found `{bad}`"));
    }
    assert!(fault(&map("int"), &["a x=007"]).2.contains("leading zeros"));
}

#[test]
fn a_signature_declares_types_by_position_or_name() {
    for (signature, line) in
        [("a(int, string)", "a x=q y=1"), ("a(y: string, x: int)", "a x=q y=1"), ("a(x: int)", "a 1=q")]
    {
        let signature = Signature::parse(signature).unwrap_or_else(|error| panic!("{error}"));
        let meaning = Meaning { signature: Some(signature), ..Meaning::default() };
        let fault = hear_with(&meaning, &[line]).map_err(|fault| fault.message);
        assert!(fault.as_ref().is_err_and(|message| message.contains("is declared int, found `q`")), "{fault:?}");
    }
}

#[test]
fn names_are_built_from_fields() {
    let map = "[[event]]\nfrom = '*'\nto = '{name}_{kind}'\nargs = ['x']";
    let lines = ["a kind=start x=1", "a kind=stop x=2", "a kind=start x=3"];
    assert_eq!(hear(map, &lines), "[1.1 1:a_start(1) ] [1.2 2:a_stop(2) ] [1.3 3:a_start(3) ]");
}

#[test]
fn one_event_becomes_several_of_one_point() {
    let map = "[[event]]\nfrom = 'a'\nto = 'b'\n[[event]]\nfrom = 'a'\nwhen = 'x > 1'\nto = 'c'\n[[event]]\nfrom = 'd'\nto = 'b'";
    let lines = ["a x=1", "a x=2", "d x=3"];
    assert_eq!(hear(map, &lines), "[1.1 1:b(1) ] [1.2 2:b(2) 2:c(2) ] [1.3 3:b(3) ]");
}

#[test]
fn what_no_entry_matches_stays_unless_it_is_dropped() {
    let entries = "[[event]]\nfrom = 'a'\nwhen = 'x > 1'\nto = 'b'";
    let lines = ["a x=1", "a x=2", "c"];
    assert_eq!(hear(entries, &lines), "[1.1 1:a(1) ] [1.2 2:b(2) ] [1.3 3:c() ]");
    assert_eq!(hear(&format!("drop-others = true\n{entries}"), &lines), "[1.1 2:b(2) ]");
    let labelled = ["a x=1 tp=1", "a x=2 tp=1", "c tp=2", "a x=3 tp=3"];
    let expected = "[1.1 2:b(2) tp=1 ] [1.2 4:b(3) tp=3 ]";
    assert_eq!(hear(&format!("drop-others = true\n{entries}"), &labelled), expected);
    assert_eq!(hear(&format!("drop-others = true\n{entries}"), &["@5", "c"]), "[1.1@5 ]");
}

#[test]
fn a_mapping_that_names_a_missing_field_is_a_fault_at_the_event() {
    let (offset, message, hint) = fault("[[event]]\nfrom = 'b'\nargs = ['amount']", &["a x=1", "b amuont=1 y=2"]);
    assert_eq!((offset, message.as_str()), (1, "event `b` has no field `amount`, which the mapping names"));
    assert_eq!(hint, "did you mean `amuont`?");
    assert_eq!(fault("[[event]]\nfrom = 'a'\nto = '{kind}'", &["a x=1 y=2"]).2, "it has `x`, `y`");
    assert_eq!(
        fault("time = { field = 'when' }", &["a"]).1,
        "event `a` has no field `when`, which the mapping names as its time"
    );
    let (_, message, hint) = fault("[[event]]\nfrom = 'a'\nwhen = 'k = 1'", &["a x=1"]);
    assert_eq!(message, "event `a` has no field `k`, which a condition of the mapping names");
    assert!(hint.contains("`has k and …` asks first"), "{hint}");
    assert_eq!(
        hear("[[event]]\nfrom = 'a'\nwhen = 'has k'\nargs = ['k']", &["a x=1", "a k=2"]),
        "[1.1 1:a(1) ] [1.2 2:a(2) ]"
    );
}

#[test]
fn the_mapping_says_which_field_is_the_time() {
    assert_eq!(hear("time = { field = 'when' }", &["a when=3 ts=1"]), "[1.1@3 1:a(1) when=3 ]");
    assert_eq!(hear("time = { field = ['when', 'ts'] }", &["a ts=1"]), "[1.1@1 1:a() ts=1 ]");
    let rfc = "time = { field = 't', format = 'rfc3339', unit = 'ms' }";
    assert_eq!(hear(rfc, &["a t=1970-01-01T00:00:01.5Z"]), "[1.1@1500 1:a() t=1970-01-01T00:00:01.5Z ]");
    assert!(fault(rfc, &["a t=5"]).1.contains("expected a time like 2026-11-15T12:30:00Z"));
    assert_eq!(hear("time = { field = 'when', optional = true }", &["a"]), "[1.1 1:a() ]");
    assert_eq!(hear("time = { field = 'when' }", &["@3", "a"]), "[1.1@3 1:a() ]");
}

#[test]
fn two_fields_make_one_time() {
    let both = "time = { fields = ['date', 'clock'], format = 'rfc3339' }";
    let heard = "[1.1@3600 1:a(1) date=1970-01-01 clock=01:00:00 ]";
    assert_eq!(hear(both, &["a date=1970-01-01 x=1 clock=01:00:00"]), heard);
    let (_, message, hint) = fault(both, &["a date=1970-01-01 clock=noon"]);
    let expected =
        "expected a time like 2026-11-15T12:30:00Z as timestamp in fields `date` and `clock`, found `1970-01-01 noon`";
    assert_eq!(message, expected);
    assert!(hint.contains("`format` in the mapping's `time` says how times are written"), "{hint}");
    assert_eq!(
        fault(both, &["a date=1970-01-01"]).1,
        "event `a` has no field `clock`, which the mapping names as its time"
    );
}

#[test]
fn a_time_that_is_none_says_what_it_looks_like() {
    let hint = |mapping: &str, line: &str| fault(mapping, &[line]).2;
    assert_eq!(
        hint("", "a ts=2026-11-15T12:30:00Z"),
        "this looks like RFC 3339: write time = { field = \"ts\", format = \"rfc3339\" } in a mapping, and give it with --map"
    );
    assert_eq!(
        hint("time = { field = 'ts', format = 'rfc3339' }", "a ts=10/Oct/2000:13:55:36"),
        "this looks like a time of Apache's logs: write format = \"apache\""
    );
    assert_eq!(
        hint("time = { field = 'ts', format = 'rfc3339' }", "a ts=1700000000"),
        "this looks like a number since 1970: write format = \"epoch\""
    );
    let epoch = fault("time = { field = 'ts', format = 'epoch' }", &["a ts=1700000000", "a ts=1700000000123"]);
    let expected = "expected a number of s since 1970, as the first was by its size, as timestamp in field `ts`, found `1700000000123`";
    assert_eq!(epoch.1, expected);
}

#[test]
fn service_logs_become_predicates() {
    let meaning = Meaning { mapping: Mapping::load("soloist").unwrap_or_default(), ..Meaning::default() };
    let lines = [
        "recvlogon Timestamp=930 ActivityType=Receive",
        "invcheck Timestamp=931 EventType=start ActivityType=Invocation",
        "invcheck Timestamp=935 EventType=complete",
        "reply ts=936 EventType=complete ActivityType=Reply",
    ];
    let heard = hear_with(&meaning, &lines).unwrap_or_else(|fault| panic!("{fault:?}"));
    let expected = [
        "[1.1@930 1:recvlogon(Receive) Timestamp=930 ]",
        "[1.2@931 2:invcheck_start(start,Invocation) Timestamp=931 ]",
        "[1.3@935 3:invcheck_complete(complete) Timestamp=935 ]",
        "[1.4@936 4:reply(complete,Reply) ts=936 ]",
    ];
    assert_eq!(heard, expected.join(" "));
}

#[test]
fn machine_logs_are_split_into_traces() {
    let meaning = Meaning { mapping: Mapping::load("stepr").unwrap_or_default(), ..Meaning::default() };
    let lines = ["log id=1", "step alarm=true time=770576", "step init=0", "log id=2", "step time=5"];
    let heard = hear_with(&meaning, &lines).unwrap_or_else(|fault| panic!("{fault:?}"));
    let expected = "[1.1@770576 2:step(true) time=770576 ] [1.2 3:step(0) ] [2.1@5 5:step() time=5 ]";
    assert_eq!(heard, expected);
}

#[test]
fn only_what_is_needed_is_wanted() {
    let want = |mapping: &str, sink_wants: Want, fields: &[&str]| {
        let (meaning, mut listener) = (meaning(mapping), Listener { want: Some(sink_wants), ..Listener::default() });
        let mut abstraction = Abstraction::new(&meaning, &mut listener);
        let shape = Shape { name: "a".into(), fields: fields.iter().map(|&field| field.into()).collect() };
        abstraction.shape(ShapeId(0), &shape)
    };
    let fields = ["x", "y", "z"];
    assert_eq!(want("", Want::NONE, &fields), Want::NONE);
    assert_eq!(want("", Want::fields([1]), &fields), Want::fields([1]));
    assert_eq!(want("", Want::ALL, &fields), Want::ALL);
    assert_eq!(want("", Want::NONE, &["x", "ts", "tp"]), Want::fields([1, 2]));
    assert_eq!(want("", Want::fields([0]), &["tp", "x"]), Want::ALL);
    assert_eq!(want("split = 'a'", Want::ALL, &fields), Want::NONE);
    assert_eq!(want("[[event]]\nfrom = 'a'\nargs = ['z', 'x']", Want::fields([0]), &fields), Want::fields([2]));
    assert_eq!(want("[[event]]\nfrom = 'a'\nwhen = 'y = 1'", Want::NONE, &fields), Want::fields([1]));
    assert_eq!(want("[[event]]\nfrom = 'a'\nto = '{y}'\nargs = ['x']", Want::NONE, &fields), Want::fields([0, 1]));
}

#[test]
fn equal_times_may_be_merged_or_refused() {
    let tied = |ties, lines: &[&str]| hear_with(&Meaning { ties, ..Meaning::default() }, lines);
    let rows = ["a ts=7", "b ts=7.0", "c ts=8", "d", "e ts=9"];
    let merged = "[1.1@7 1:a() ts=7 2:b() ts=7.0 ] [1.2@8 3:c() ts=8 ] [1.3 4:d() ] [1.4@9 5:e() ts=9 ]";
    assert_eq!(tied(Ties::Merged, &rows).as_deref(), Ok(merged));
    let explicit = ["@7", "a", "@7", "@7", "b", "@8"];
    assert_eq!(tied(Ties::Merged, &explicit).as_deref(), Ok("[1.1@7 1:a() 2:b() ] [1.2@8 ]"));
    assert_eq!(tied(Ties::Merged, &["a tp=1 ts=7", "b tp=2 ts=7"]).map(|heard| heard.matches("[").count()), Ok(1));
    for lines in [&rows[..], &explicit[..]] {
        let fault = tied(Ties::Refused, lines).expect_err("equal times are refused");
        assert!(fault.message.starts_with("timestamp 7"), "{}", fault.message);
        assert!(fault.hint.is_some_and(|hint| hint.contains("--merge")));
    }
    assert!(tied(Ties::Refused, &["a ts=7", "b ts=7.5"]).is_ok());
}
