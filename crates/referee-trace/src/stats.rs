//! Counts what a trace holds: events, points, times, and per kind of event its arguments, their types and values.
//!
//! ```text
//!  shape (once) ─▶ its kind, and which column of the kind each argument is
//!  event ─▶ count += 1, and per column: join the type, remember the value if asked
//! ```
//!
//! Shapes with one name are one kind; its arguments are those of all its shapes, in the order of first appearance. A
//! column that is known to hold strings is not looked at again, unless distinct values are counted.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use serde::{Serialize, Serializer};

use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, NoRows, Point};
use crate::number::{Number, is_too_large, parse_small};
use crate::raw::{ShapeId, Want};
use crate::reader::Summary;
use crate::value::{Type, Value};

type Hasher = foldhash::fast::FixedState;

/// Counts the events that it receives.
#[derive(Debug, Default)]
pub struct Stats {
    count_distinct: bool,
    events: u64,
    times: Option<(Number, Number)>,
    kinds: Vec<EventKind>,
    kind_of_name: HashMap<Box<str>, usize, Hasher>,
    shapes: Vec<CountedShape>,
}

/// What a shape counts for: its kind, and per positional argument a column of the kind with the declared type.
#[derive(Debug)]
struct CountedShape {
    kind: usize,
    columns: Vec<(usize, Option<Type>)>,
}

#[derive(Debug)]
struct EventKind {
    name: Box<str>,
    count: u64,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: Box<str>,
    /// The join of all types seen; nothing before the first value.
    joined: Option<Type>,
    distinct: Distinct,
}

/// Values seen, in the cheapest set that tells them apart.
#[derive(Debug, Default)]
struct Distinct {
    integers: HashSet<i64, Hasher>,
    strings: HashSet<Box<str>, Hasher>,
    others: HashSet<Value, Hasher>,
}

impl Stats {
    /// Counts; with `distinct` also the different values of each argument, which takes memory for each of them.
    pub fn new(distinct: bool) -> Stats {
        Stats { count_distinct: distinct, ..Stats::default() }
    }

    /// What was counted.
    pub fn report(&self, summary: &Summary) -> Report {
        let kinds = self.kinds.iter().filter(|kind| kind.count > 0);
        let report = |kind: &EventKind| KindReport {
            count: kind.count,
            arguments: kind.columns.iter().map(|column| column.report(self.count_distinct)).collect(),
        };
        Report {
            format: summary.format.map(|format| format.name()),
            traces: summary.totals.traces,
            events: self.events,
            points: summary.totals.points,
            time: self.times.clone().map(|(first, last)| TimeSpan { first: Exact(first), last: Exact(last) }),
            kinds: kinds.map(|kind| (kind.name.to_string(), report(kind))).collect(),
        }
    }

    fn kind(&mut self, name: &str) -> usize {
        if let Some(kind) = self.kind_of_name.get(name) {
            return *kind;
        }
        self.kinds.push(EventKind { name: name.into(), count: 0, columns: Vec::new() });
        self.kind_of_name.insert(name.into(), self.kinds.len() - 1);
        self.kinds.len() - 1
    }
}

impl EventKind {
    fn column(&mut self, name: &str) -> usize {
        if let Some(position) = self.columns.iter().position(|column| *column.name == *name) {
            return position;
        }
        self.columns.push(Column { name: name.into(), joined: None, distinct: Distinct::default() });
        self.columns.len() - 1
    }
}

impl Column {
    #[inline]
    fn see(&mut self, text: &str, declared: Option<Type>) {
        if self.joined == Some(Type::String) {
            return;
        }
        let seen = declared.unwrap_or_else(|| match parse_small(text.as_bytes()) {
            Some(_) => Type::Integer,
            None if is_too_large(text) => Type::Decimal,
            None => Type::of(text),
        });
        self.joined = Some(self.joined.map_or(seen, |joined| join(joined, seen)));
    }

    fn report(&self, count_distinct: bool) -> ArgumentReport {
        ArgumentReport {
            name: self.name.to_string(),
            kind: self.joined.unwrap_or(Type::String).keyword(),
            distinct: count_distinct.then(|| self.distinct.len()),
        }
    }
}

/// The narrowest type that holds the values of both.
fn join(a: Type, b: Type) -> Type {
    match (a, b) {
        _ if a == b => a,
        (Type::Integer | Type::Decimal, Type::Integer | Type::Decimal) => Type::Decimal,
        _ => Type::String,
    }
}

impl Distinct {
    fn see(&mut self, text: &str, declared: Option<Type>) {
        if declared != Some(Type::String)
            && let Some(integer) = parse_small(text.as_bytes())
        {
            self.integers.insert(integer);
            return;
        }
        if self.strings.contains(text) {
            return;
        }
        match Value::of_type(text, declared) {
            Some(Value::Number(Number::Int(integer))) => drop(self.integers.insert(integer)),
            Some(Value::String(_)) | None => drop(self.strings.insert(text.into())),
            Some(other) => drop(self.others.insert(other)),
        }
    }

    fn len(&self) -> u64 {
        (self.integers.len() + self.strings.len() + self.others.len()) as u64
    }
}

impl EventSink for Stats {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        let kind = self.kind(&shape.name);
        let positional = &shape.arguments[..shape.positional];
        let columns = positional.iter().map(|argument| (self.kinds[kind].column(&argument.name), argument.declared));
        let columns = columns.collect();
        self.shapes.push(CountedShape { kind, columns });
        Want::fields(0..shape.positional)
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        if let Some(time) = point.time {
            match &mut self.times {
                Some((first, _)) if time < first => *first = time.clone(),
                Some((_, last)) if time > last => *last = time.clone(),
                Some(_) => {}
                None => self.times = Some((time.clone(), time.clone())),
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        self.events += 1;
        let CountedShape { kind, columns } = &self.shapes[event.shape.index()];
        let kind = &mut self.kinds[*kind];
        kind.count += 1;
        for (text, (column, declared)) in event.arguments.iter().zip(columns) {
            let column = &mut kind.columns[*column];
            column.see(text, *declared);
            if self.count_distinct {
                column.distinct.see(text, *declared);
            }
        }
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}

/// What `referee stats --json` prints.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The format of the first file that is not empty.
    pub format: Option<&'static str>,
    /// How many traces.
    pub traces: u64,
    /// How many abstract events.
    pub events: u64,
    /// How many points.
    pub points: u64,
    /// The least and the greatest timestamp, if there are any.
    pub time: Option<TimeSpan>,
    /// Every kind of event, by name.
    pub kinds: BTreeMap<String, KindReport>,
}

/// The time that a trace spans.
#[derive(Debug, Serialize)]
pub struct TimeSpan {
    /// The least timestamp.
    pub first: Exact,
    /// The greatest timestamp.
    pub last: Exact,
}

/// One kind of event.
#[derive(Debug, Serialize)]
pub struct KindReport {
    /// How many events.
    pub count: u64,
    /// Its positional arguments, in the order of first appearance.
    pub arguments: Vec<ArgumentReport>,
}

/// One argument of a kind.
#[derive(Debug, Serialize)]
pub struct ArgumentReport {
    /// Its name.
    pub name: String,
    /// Its type, declared or inferred from all values.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How many different values it has, if they were counted.
    pub distinct: Option<u64>,
}

/// A number that is never rounded when written: a JSON number where one says it exactly, else a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact(pub Number);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.to_string();
        match (&self.0, text.parse::<f64>()) {
            (Number::Int(integer), _) => serializer.serialize_i64(*integer),
            (_, Ok(float)) if float.to_string() == text => serializer.serialize_f64(float),
            _ => serializer.serialize_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{ReadOptions, read_stream};

    fn json(text: &'static str, distinct: bool) -> String {
        let mut stats = Stats::new(distinct);
        let summary = read_stream("t", text.as_bytes(), &ReadOptions::default(), &mut stats);
        let summary = summary.unwrap_or_else(|error| panic!("{error}"));
        serde_json::to_string(&stats.report(&summary)).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_document_is_as_the_manual_says() {
        assert_eq!(
            json("b,1,x\na\nb,2.5,x\nb,3\n", true),
            concat!(
                r#"{"format":"csv-plain","traces":1,"events":4,"points":4,"time":null,"kinds":{"a":{"count":1,"arguments":[]},"#,
                r#""b":{"count":3,"arguments":[{"name":"1","type":"float","distinct":3},{"name":"2","type":"string","distinct":1}]}}}"#
            )
        );
    }

    #[test]
    fn points_and_times_are_counted_and_distinct_is_not_unless_asked() {
        assert_eq!(
            json("@3 a (1)(2);\n@4.5;\n@7 a (1);\n", false),
            concat!(
                r#"{"format":"monpoly","traces":1,"events":3,"points":3,"time":{"first":3,"last":7},"#,
                r#""kinds":{"a":{"count":3,"arguments":[{"name":"1","type":"int","distinct":null}]}}}"#
            )
        );
    }

    #[test]
    fn no_events_are_one_empty_trace() {
        assert_eq!(json("", true), r#"{"format":null,"traces":1,"events":0,"points":0,"time":null,"kinds":{}}"#);
    }

    #[test]
    fn equal_numbers_are_one_value_and_other_types_are_others() {
        let mut distinct = Distinct::default();
        for text in ["3", "3.0", "true", "007", "7", "x", "x", "0.5", "5e-1", "99999999999999999999"] {
            distinct.see(text, None);
        }
        distinct.see("7", Some(Type::String));
        assert_eq!(distinct.len(), 8, "3, true, '007', 7, x, 0.5, a wide integer, and the string '7'");
    }

    #[test]
    fn types_are_joined() {
        let inferred = |texts: &[&str]| {
            let mut column = Column { name: "x".into(), joined: None, distinct: Distinct::default() };
            texts.iter().for_each(|text| column.see(text, None));
            column.report(false).kind
        };
        assert_eq!(inferred(&["1", "2"]), "int");
        assert_eq!(inferred(&["1", "2.5", "3"]), "float");
        assert_eq!(inferred(&["true", "false"]), "bool");
        assert_eq!(inferred(&["true", "1"]), "string");
        assert_eq!(inferred(&["1", "x"]), "string");
    }

    #[test]
    fn times_are_written_exactly() {
        let written = |text: &str| {
            let number = Number::parse(text).unwrap_or(Number::ZERO);
            serde_json::to_string(&Exact(number)).unwrap_or_default()
        };
        assert_eq!(written("7"), "7");
        assert_eq!(written("0.1"), "0.1");
        assert_eq!(written("0.12345678901234567890"), "\"0.1234567890123456789\"");
    }
}
