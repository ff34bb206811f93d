//! What the fields of records look like: how many records have one, how many values it has, and of which kind they are.

use std::collections::{HashMap, HashSet};

use jiff::fmt::strtime::BrokenDownTime;
use referee_trace::instant::guess;
use referee_trace::owned::OwnedTrace;

/// How many different values of a field are kept.
const MOST_VALUES: usize = 2000;

/// How many values of a field are looked at to find out whether it is a time.
const LOOKED_AT: usize = 100;

/// Forms of times that have no name of their own.
const PATTERNS: [&str; 12] = [
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%d-%m-%Y %H:%M:%S",
    "%d.%m.%Y",
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S%.f %Y",
    "%Y%m%d %H%M%S",
];

/// A field of the records of a log.
#[derive(Debug)]
pub(super) struct FieldSummary {
    pub name: String,
    /// How many records have it, and not as an empty text.
    pub present: usize,
    /// Its different values in the order in which they came, up to a bound.
    pub values: Vec<String>,
    known: HashSet<String>,
    /// Whether all values are numbers.
    pub is_number: bool,
    /// The longest value, in bytes.
    pub longest: usize,
    /// Whether values never get smaller, if they are whole numbers.
    pub is_rising: bool,
    last: i64,
}

impl FieldSummary {
    fn new(name: &str) -> FieldSummary {
        FieldSummary {
            name: name.to_owned(),
            present: 0,
            values: Vec::new(),
            known: HashSet::new(),
            is_number: true,
            longest: 0,
            is_rising: true,
            last: i64::MIN,
        }
    }

    fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.present += 1;
        self.longest = self.longest.max(text.len());
        self.is_number &= is_number(text);
        match text.parse::<i64>() {
            Ok(number) => {
                self.is_rising &= number >= self.last;
                self.last = number;
            }
            Err(_) => self.is_rising = false,
        }
        if self.values.len() < MOST_VALUES && self.known.insert(text.to_owned()) {
            self.values.push(text.to_owned());
        }
    }

    /// How a mapping would read it as a time, if all its values are times.
    pub(super) fn time_format(&self) -> Option<&'static str> {
        let mut formats = self.values.iter().take(LOOKED_AT).map(|value| time_format(value));
        let first = formats.next()??;
        formats.all(|other| other == Some(first)).then_some(first)
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The form of a time that is more than a number.
pub(super) fn time_format(text: &str) -> Option<&'static str> {
    if is_number(text) {
        return None;
    }
    if let Some(guess) = guess(text) {
        return Some(guess.format);
    }
    PATTERNS.into_iter().find(|pattern| BrokenDownTime::parse(pattern, text).is_ok_and(|read| read.to_date().is_ok()))
}

/// All fields of the events of a trace, in the order in which they first came.
pub(super) fn summaries(trace: &OwnedTrace) -> Vec<FieldSummary> {
    let mut fields: Vec<FieldSummary> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for argument in trace.points.iter().flat_map(|point| &point.events).flat_map(|event| &event.arguments) {
        let place = *places.entry(argument.name.to_string()).or_insert_with(|| {
            fields.push(FieldSummary::new(&argument.name));
            fields.len() - 1
        });
        fields[place].add(&argument.text);
    }
    fields
}
