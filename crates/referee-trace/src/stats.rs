//! Counts what a trace holds: events, points, times, and per kind of event its arguments, their types and values.
//!
//! ```text
//!  shape (once) ─▶ its kind, and which column of the kind each argument is
//!  event ─▶ count += 1, and per column: join the type, remember the value if asked
//! ```
//!
//! Shapes with one name are one kind; its arguments are those of all its shapes, in the order of first appearance. A
//! column that is known to hold strings is not looked at again, unless distinct values are counted. A log may have as many names as events,
//! and an event as many fields as a line has room for: names and lists of columns are shared, and columns of many are found by a hash.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet, HashTable};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::error::Flow;
use crate::event::{Event, EventShape, EventSink, NoRows, Point};
use crate::number::{Number, is_too_large, parse_small};
use crate::pool::Pool;
use crate::raw::{ShapeId, Want};
use crate::reader::Summary;
use crate::value::{Type, Value};

type Hasher = foldhash::fast::FixedState;

/// So many columns are looked at one by one; of more, a table tells which has a name.
const FEW: usize = 16;

/// Counts the events that it receives.
#[derive(Debug, Default)]
pub struct Stats {
    count_distinct: bool,
    events: u64,
    times: Option<(Number, Number)>,
    kinds: Vec<EventKind>,
    kind_of_name: HashTable<u32>,
    hasher: Hasher,
    shapes: Vec<CountedShape>,
    /// The columns of all kinds. Those of one stand together, with room for as many as the next power of two.
    columns: Vec<Column>,
    /// Which column has which name, of kinds that have many.
    by_name: HashMap<(u32, u32), u32, Hasher>,
    /// The names of columns, each once.
    names: Pool<Box<str>>,
    /// The lists of columns of shapes, each once.
    lists: Pool<Box<[ShapeColumn]>>,
}

/// A column of a kind, and the type that is declared for it.
type ShapeColumn = (u32, Option<Type>);

/// What a shape counts for: its kind, and per positional argument a column of the kind with the declared type, in a list by its number.
#[derive(Debug, Clone, Copy)]
struct CountedShape {
    kind: u32,
    list: u32,
}

#[derive(Debug)]
struct EventKind {
    name: Arc<str>,
    count: u64,
    /// Where its columns are.
    first_column: u32,
    column_count: u32,
}

#[derive(Debug, Default)]
struct Column {
    /// The number of its name.
    name: u32,
    /// The join of all types seen; nothing before the first value.
    joined: Option<Type>,
    /// The values seen, if they are counted.
    distinct: Option<Box<Distinct>>,
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
    pub fn report(&self, summary: &Summary) -> Report<'_> {
        let mut order: Vec<u32> = (0..self.kinds.len() as u32).collect();
        order.retain(|kind| self.kinds[*kind as usize].count > 0);
        order.sort_unstable_by(|one, other| self.kinds[*one as usize].name.cmp(&self.kinds[*other as usize].name));
        Report {
            format: summary.format.map(|format| format.name()),
            traces: summary.totals.traces,
            events: self.events,
            points: summary.totals.points,
            time: self.times.clone().map(|(first, last)| TimeSpan { first: Exact(first), last: Exact(last) }),
            kinds: Kinds { stats: self, order },
        }
    }

    fn kind(&mut self, name: &Arc<str>) -> u32 {
        let hash = self.hasher.hash_one(name);
        let same = |kind: &u32| self.kinds[*kind as usize].name == *name;
        if let Some(kind) = self.kind_of_name.find(hash, same) {
            return *kind;
        }
        let number = u32::try_from(self.kinds.len()).expect("fewer than four billion kinds fit in memory");
        self.kinds.push(EventKind { name: name.clone(), count: 0, first_column: 0, column_count: 0 });
        let (kinds, hasher) = (&self.kinds, &self.hasher);
        self.kind_of_name.insert_unique(hash, number, |kind| hasher.hash_one(&kinds[*kind as usize].name));
        number
    }

    /// The columns of a kind that the positional arguments of a shape are: the number of their list.
    fn list(&mut self, kind: u32, shape: &EventShape) -> u32 {
        let mut list: Vec<ShapeColumn> = Vec::with_capacity(shape.positional);
        for argument in &shape.arguments[..shape.positional] {
            let name = self.names.number(argument.name.clone());
            let column = self.column(kind, name).unwrap_or_else(|| self.add_column(kind, name));
            list.push((column, argument.declared));
        }
        self.lists.number(list.into())
    }

    /// The column of a kind that has a name.
    fn column(&self, kind: u32, name: u32) -> Option<u32> {
        let columns = &self.columns[self.kinds[kind as usize].columns()];
        match columns.len() > FEW {
            true => self.by_name.get(&(kind, name)).copied(),
            false => columns.iter().position(|column| column.name == name).map(|column| column as u32),
        }
    }

    /// Adds a column to a kind. One that has no room left moves behind all others and gets twice as much.
    fn add_column(&mut self, kind: u32, name: u32) -> u32 {
        let own = &mut self.kinds[kind as usize];
        let number = own.column_count;
        if number == room(number) {
            let known = own.columns();
            if known.end != self.columns.len() {
                own.first_column = u32::try_from(self.columns.len()).expect("fewer than four billion columns");
                for at in known {
                    let column = std::mem::take(&mut self.columns[at]);
                    self.columns.push(column);
                }
            }
            self.columns.resize_with((own.first_column + room(number + 1)) as usize, Column::default);
        }
        own.column_count += 1;
        let distinct = self.count_distinct.then(Box::default);
        self.columns[(own.first_column + number) as usize] = Column { name, joined: None, distinct };
        match own.column_count as usize {
            count if count == FEW + 1 => {
                let numbered = (0..).zip(&self.columns[own.columns()]);
                self.by_name.extend(numbered.map(|(number, column)| ((kind, column.name), number)));
            }
            count if count > FEW => drop(self.by_name.insert((kind, name), number)),
            _ => {}
        }
        number
    }
}

/// How many columns there is room for where so many are.
fn room(columns: u32) -> u32 {
    if columns == 0 { 0 } else { columns.next_power_of_two() }
}

impl EventKind {
    /// Where its columns are.
    #[inline]
    fn columns(&self) -> Range<usize> {
        self.first_column as usize..(self.first_column + self.column_count) as usize
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

    fn report<'s>(&'s self, names: &'s Pool<Box<str>>) -> ArgumentReport<'s> {
        ArgumentReport {
            name: names.get(self.name),
            kind: self.joined.unwrap_or(Type::String).keyword(),
            distinct: self.distinct.as_ref().map(|distinct| distinct.len()),
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
        let list = self.list(kind, shape);
        self.shapes.push(CountedShape { kind, list });
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
        let CountedShape { kind, list } = self.shapes[event.shape.index()];
        let kind = &mut self.kinds[kind as usize];
        kind.count += 1;
        let columns = &mut self.columns[kind.columns()];
        for (text, (column, declared)) in event.arguments.iter().zip(self.lists.get(list)) {
            let column = &mut columns[*column as usize];
            column.see(text, *declared);
            if let Some(distinct) = &mut column.distinct {
                distinct.see(text, *declared);
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
pub struct Report<'s> {
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
    pub kinds: Kinds<'s>,
}

/// All kinds of events, by name. What is said of each is made when it is asked for: there may be as many kinds as events.
#[derive(Debug)]
pub struct Kinds<'s> {
    stats: &'s Stats,
    order: Vec<u32>,
}

impl<'s> Kinds<'s> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Each with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&'s str, KindReport<'s>)> {
        let stats = self.stats;
        self.order.iter().map(move |kind| {
            let kind = &stats.kinds[*kind as usize];
            let columns = stats.columns[kind.columns()].iter();
            let arguments = columns.map(|column| column.report(&stats.names)).collect();
            (&*kind.name, KindReport { count: kind.count, arguments })
        })
    }
}

impl Serialize for Kinds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.order.len()))?;
        for (name, kind) in self.iter() {
            map.serialize_entry(name, &kind)?;
        }
        map.end()
    }
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
pub struct KindReport<'s> {
    /// How many events.
    pub count: u64,
    /// Its positional arguments, in the order of first appearance.
    pub arguments: Vec<ArgumentReport<'s>>,
}

/// One argument of a kind.
#[derive(Debug, Serialize)]
pub struct ArgumentReport<'s> {
    /// Its name.
    pub name: &'s str,
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
            let mut names = Pool::default();
            let mut column = Column { name: names.number("x".into()), joined: None, distinct: None };
            texts.iter().for_each(|text| column.see(text, None));
            column.report(&names).kind
        };
        assert_eq!(inferred(&["1", "2"]), "int");
        assert_eq!(inferred(&["1", "2.5", "3"]), "float");
        assert_eq!(inferred(&["true", "false"]), "bool");
        assert_eq!(inferred(&["true", "1"]), "string");
        assert_eq!(inferred(&["1", "x"]), "string");
    }

    #[test]
    fn kinds_get_columns_in_turn_and_keep_them() {
        // Two kinds whose columns grow in turn, one by one, past the number from which a table finds them.
        let mut text = String::new();
        for name in ["a", "b"] {
            text.push_str(&format!("{{\"event\":\"{name}\",\"{name}0\":\"x\"}}\n"));
        }
        for number in 1..40 {
            for name in ["a", "b"] {
                text.push_str(&format!("{{\"event\":\"{name}\",\"{name}{number}\":{number},\"{name}0\":\"x\"}}\n"));
            }
        }
        let mut stats = Stats::new(true);
        let options = ReadOptions::default();
        let summary = read_stream("t", std::io::Cursor::new(text), &options, &mut stats);
        let summary = summary.unwrap_or_else(|error| panic!("{error}"));
        for (name, kind) in stats.report(&summary).kinds.iter() {
            assert_eq!(kind.count, 40);
            let found: Vec<(&str, &str)> = kind.arguments.iter().map(|own| (own.name, own.kind)).collect();
            let expected: Vec<String> = (0..40).map(|number| format!("{name}{number}")).collect();
            assert!(found.iter().map(|(name, _)| *name).eq(expected.iter().map(String::as_str)), "{found:?}");
            assert!(found[1..].iter().all(|(_, kind)| *kind == "int"), "{found:?}");
            assert!(kind.arguments[1..].iter().all(|own| own.distinct == Some(1)));
        }
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
