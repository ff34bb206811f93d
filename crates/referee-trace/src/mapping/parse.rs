//! Reads the TOML text of a mapping.

use serde::Deserialize;
use toml::Spanned;

use super::condition::Condition;
use super::input::{InputEntry, input_rule};
use super::rules::{ArgumentRule, Mapping, MappingEntry, SplitRule};
use super::template::Template;
use super::time::{NO_YEAR, TimePlace, TimeRule, TimeWriting, Unit};
use super::window::ReorderWindow;
use super::wrong::{Wrong, choose, inside, line_of};
use crate::format::json::path::JsonPath;
use crate::format::{Format, Naming};
use crate::instant::{Pattern, Zone};
use crate::nearest::nearest;
use crate::value::Type;

/// The document as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    time: Option<Spanned<TimeEntry>>,
    split: Option<SplitEntry>,
    #[serde(default)]
    drop_others: bool,
    reorder: Option<Spanned<String>>,
    input: Option<InputEntry>,
    #[serde(default)]
    event: Vec<EventEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeEntry {
    field: Option<Fields>,
    fields: Option<Vec<Box<str>>>,
    unit: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    zone: Option<Spanned<String>>,
    year: Option<Spanned<i32>>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of a field, or a list of such names")]
enum Fields {
    One(Box<str>),
    Several(Vec<Box<str>>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name of an event that starts a trace, or { field = \"…\" }")]
enum SplitEntry {
    Event(Box<str>),
    Field(SplitField),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SplitField {
    field: Box<str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventEntry {
    from: Spanned<Box<str>>,
    when: Option<Spanned<String>>,
    to: Option<Spanned<String>>,
    args: Option<Vec<Spanned<String>>>,
    time: Option<Spanned<TimeEntry>>,
}

/// Reads a mapping.
pub(super) fn mapping(text: &str) -> Result<Mapping, Wrong> {
    let document: Document = toml::from_str(text).map_err(|error| from_toml(&error))?;
    let (format, input) = document.input.map(|input| input_rule(input, text)).transpose()?.unwrap_or_default();
    let mut mapping = Mapping {
        format,
        input,
        time: document.time.map(time_rule).transpose()?,
        split: document.split.map(split_rule),
        drop_others: document.drop_others,
        reorder: document.reorder.as_ref().map(reorder).transpose()?,
        entries: document.event.into_iter().map(|event| entry(event, text)).collect::<Result<_, _>>()?,
    };
    check_units(&mapping, text)?;
    (mapping.input.fields, mapping.input.only_named) = (mapping.named_fields(), !mapping.takes_all());
    if mapping.input.only_named {
        add_implied(&mut mapping);
    }
    check_paths(&mapping, text)?;
    Ok(mapping)
}

/// Fields that mean something although no mapping names them: the label of the point, and the time where the mapping is silent about it.
fn add_implied(mapping: &mut Mapping) {
    const TIMES: [&str; 11] =
        ["ts", "time", "timestamp", "Ts", "Time", "Timestamp", "TimeStamp", "timeStamp", "TS", "TIME", "TIMESTAMP"];
    let is_timed = mapping.time.is_some() || mapping.entries.iter().all(|entry| entry.time.is_some());
    let times: &[&str] = if is_timed { &[] } else { &TIMES };
    for implied in ["tp"].iter().chain(times) {
        if !mapping.input.fields.iter().any(|field| **field == **implied) {
            mapping.input.fields.push((*implied).into());
        }
    }
}

/// The times of one trace have one unit.
fn check_units(mapping: &Mapping, text: &str) -> Result<(), Wrong> {
    let unit = mapping.unit();
    let other = mapping.entries.iter().find_map(|entry| entry.time.as_ref().filter(|time| time.unit != unit));
    match other {
        Some(time) => {
            let (sign, other) = (unit.sign(), time.unit.sign());
            let offset = text.rfind(&format!("\"{other}\"")).unwrap_or(0);
            let message = format!("the times of some events are in {other}, those of others in {sign}");
            Err(Wrong::new(offset, message).hint("all times of a trace have one unit"))
        }
        None => Ok(()),
    }
}

/// Of JSON, fields are paths: finds one that is none.
fn check_paths(mapping: &Mapping, text: &str) -> Result<(), Wrong> {
    let is_json = mapping.format == Some(Format::Json) && mapping.input.reads_records();
    let named = match &mapping.input.naming {
        Naming::Field(path) => Some(path),
        _ => None,
    };
    for path in mapping.input.fields.iter().chain(named).filter(|_| is_json) {
        if let Err(reason) = JsonPath::parse(path) {
            let offset = text.find(&**path).unwrap_or(0);
            return Err(Wrong::new(offset, format!("`{path}` is no path to a field: {reason}")));
        }
    }
    Ok(())
}

/// The parser's own message: its first line says all; an unknown key is listed with those that are known.
fn from_toml(error: &toml::de::Error) -> Wrong {
    let offset = error.span().map_or(0, |span| span.start);
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    let wrong = Wrong::new(offset, message.as_str());
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next().filter(|_| message.starts_with("unknown field")).and_then(|word| nearest(word, names)) {
        Some(name) => wrong.hint(format!("did you mean `{name}`?")),
        None => wrong,
    }
}

fn split_rule(written: SplitEntry) -> SplitRule {
    match written {
        SplitEntry::Event(name) => SplitRule::Event(name),
        SplitEntry::Field(SplitField { field }) => SplitRule::Field(field),
    }
}

fn reorder(written: &Spanned<String>) -> Result<ReorderWindow, Wrong> {
    ReorderWindow::parse(written.get_ref()).ok_or_else(|| {
        Wrong::new(written.span().start, format!("`{}` is no length of time", written.get_ref()))
            .hint("write a number with ns, us, ms, s, m, h or d, such as \"5s\", or \"all\" for the whole log")
    })
}

fn time_rule(time: Spanned<TimeEntry>) -> Result<TimeRule, Wrong> {
    let start = time.span().start;
    let time = time.into_inner();
    let place = time_place(time.field, time.fields, start)?;
    let writing = time_writing(time.format.as_ref(), time.year.as_ref())?;
    let unit = match &time.unit {
        None => Unit::Second,
        Some(unit) => choose(unit, "unit", &Unit::ALL.map(Unit::sign), Unit::from_sign)?,
    };
    let zone = match &time.zone {
        None => Zone::UTC,
        Some(zone) => time_zone(zone, &writing)?,
    };
    Ok(TimeRule { place, unit, writing, zone, optional: time.optional })
}

fn time_place(field: Option<Fields>, fields: Option<Vec<Box<str>>>, start: usize) -> Result<TimePlace, Wrong> {
    match (field, fields) {
        (Some(Fields::One(field)), None) => Ok(TimePlace::FirstOf(vec![field])),
        (Some(Fields::Several(fields)), None) => Ok(TimePlace::FirstOf(fields)),
        (None, Some(fields)) if !fields.is_empty() => Ok(TimePlace::Joined(fields)),
        (Some(_), Some(_)) => Err(Wrong::new(start, "`time` has both `field` and `fields`").hint(
            "`field` names one field, or several of which the first counts; `fields` those that make the time together",
        )),
        _ => Err(Wrong::new(start, "`time` names no field").hint("write time = { field = \"ts\" }")),
    }
}

/// The names of forms of times.
const FORMATS: [&str; 5] = ["number", "epoch", "rfc3339", "apache", "syslog"];

fn time_writing(format: Option<&Spanned<String>>, year: Option<&Spanned<i32>>) -> Result<TimeWriting, Wrong> {
    let writing = match format {
        None => TimeWriting::Number,
        Some(format) if format.get_ref().contains('%') => {
            let wrong =
                |reason| Wrong::new(format.span().start, format!("the format of times cannot be used: {reason}"));
            TimeWriting::Pattern(Pattern::parse(format.get_ref()).map_err(wrong)?)
        }
        Some(format) => choose(format, "time format", &FORMATS, |word| match word {
            "number" => Some(TimeWriting::Number),
            "epoch" => Some(TimeWriting::Epoch),
            "rfc3339" => Some(TimeWriting::Rfc3339),
            "apache" => Some(TimeWriting::Apache),
            "syslog" => Some(TimeWriting::Syslog { year: NO_YEAR }),
            _ => None,
        })?,
    };
    match (writing, year) {
        (TimeWriting::Syslog { .. }, Some(year)) if (0..=9999).contains(year.get_ref()) => {
            Ok(TimeWriting::Syslog { year: *year.get_ref() })
        }
        (TimeWriting::Syslog { .. }, Some(year)) => {
            Err(Wrong::new(year.span().start, "expected a year from 0 to 9999"))
        }
        (_, Some(year)) => {
            Err(Wrong::new(year.span().start, "only times in format \"syslog\" lack a year").hint("leave `year` out"))
        }
        (writing, None) => Ok(writing),
    }
}

fn time_zone(zone: &Spanned<String>, writing: &TimeWriting) -> Result<Zone, Wrong> {
    if matches!(writing, TimeWriting::Number | TimeWriting::Epoch) {
        let wrong = Wrong::new(zone.span().start, "numbers have no time zone");
        return Err(wrong.hint("leave `zone` out, or say how times are written with `format`"));
    }
    Zone::of(zone.get_ref()).ok_or_else(|| {
        let message = format!("unknown time zone `{}`", zone.get_ref());
        Wrong::new(zone.span().start, message).hint(
            "write UTC, an offset like +01:00, or a name like Europe/Berlin, which the system's database must have",
        )
    })
}

fn entry(event: EventEntry, text: &str) -> Result<MappingEntry, Wrong> {
    let when = event.when.map(|when| {
        Condition::parse(when.get_ref()).map_err(|wrong| {
            Wrong::new(inside(&when, wrong.offset, text), format!("in the condition: {}", wrong.message))
        })
    });
    let to = event.to.map(|to| {
        Template::parse(to.get_ref()).map_err(|(offset, message)| Wrong::new(inside(&to, offset, text), message))
    });
    let arguments = event.args.map(|arguments| arguments.iter().map(argument).collect());
    Ok(MappingEntry {
        line: line_of(text, event.from.span().start),
        from: (&**event.from.get_ref() != "*").then_some(event.from.into_inner()),
        when: when.transpose()?,
        to: to.transpose()?.unwrap_or_else(Template::unchanged),
        arguments: arguments.transpose()?,
        time: event.time.map(time_rule).transpose()?,
    })
}

/// `field`, `field:type`, `name = field`, `name = field:type`. A field's own name may hold a colon. With `?` behind it, a field may
/// be absent.
fn argument(written: &Spanned<String>) -> Result<ArgumentRule, Wrong> {
    let text = written.get_ref();
    let (name, field) = match renaming(text) {
        Some(at) => (Some(text[..at].trim()), text[at + 1..].trim()),
        None => (None, text.trim()),
    };
    let (field, declared) = match field.rsplit_once(':').map(|(field, word)| (field.trim_end(), word.trim_start())) {
        Some((before, word)) => match Type::from_keyword(word) {
            Some(declared) => (before, Some(declared)),
            None => (field, misspelt_type(word, written)?),
        },
        None => (field, None),
    };
    let (field, optional) = match field.strip_suffix('?') {
        Some(field) => (field.trim_end(), true),
        None => (field, false),
    };
    if optional && declared.is_some_and(|declared| declared != Type::String) {
        let wrong = Wrong::new(written.span().start, "a field that may be absent is a text, which is then empty");
        return Err(wrong.hint("leave its type out, or write an entry of its own with `when = 'has …'`"));
    }
    let name = name.unwrap_or(field);
    if field.is_empty() || name.is_empty() {
        let wrong = Wrong::new(written.span().start, format!("`{text}` names no field"));
        return Err(wrong.hint("an argument is written \"field\", \"field:int\" or \"name = field:int\""));
    }
    Ok(ArgumentRule { name: name.into(), field: field.into(), declared, optional })
}

/// Where the name of an argument ends: at the first `=` that stands in no brackets, which belong to a path.
fn renaming(text: &str) -> Option<usize> {
    let count = |before: &str, bracket: char| before.matches(bracket).count();
    let is_outside = |at: &usize| count(&text[..*at], '[') <= count(&text[..*at], ']');
    text.match_indices('=').map(|(at, _)| at).find(is_outside)
}

/// No type, unless the word after the colon is nearly one: then it was meant as such.
fn misspelt_type(word: &str, written: &Spanned<String>) -> Result<Option<Type>, Wrong> {
    let known = ["int", "float", "string", "bool"];
    match nearest(word, known) {
        Some(name) => {
            let message = format!("unknown type `{word}`, expected one of {}", known.join(", "));
            Err(Wrong::new(written.span().start, message).hint(format!("did you mean `{name}`?")))
        }
        None => Ok(None),
    }
}
