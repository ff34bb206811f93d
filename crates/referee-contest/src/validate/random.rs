//! Random traces over the events that a package declares.
//!
//! ```text
//!  declared events ─┐                        ┌─ half: events and values by chance
//!  demonstrations ──┼─▶ templates, pools ─▶ ─┤                                       ─▶ text ─▶ each specification
//!  numbers in the ──┘   of values per sort   └─ half: demonstrations with a few changes           reads it its own way
//!  specifications
//! ```
//!
//! A trace by chance takes few values, so that they meet. One that was a demonstration reaches what chance alone seldom
//! does: the long stories that a property is about. Languages differ in what they take for time and in whether they name
//! fields, so a trace is written down and read by each of them, as a real one would be.

use std::sync::Arc;

use referee_spec::core::{Rule, Status};
use referee_trace::abstraction::NeededTimes;
use referee_trace::format::Format;
use referee_trace::mapping::Mapping;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

use super::judge::{read_options, status_of_all};
use super::pools::{self, Pools};
use super::specification::{Specification, mapping_of, trace as trace_of};
use super::written::{is_named, is_time, written};
use crate::package::{Demonstration, EventKind, Package, TraceSource};
use referee_generate::random::Random;

/// How many points a trace by chance has at most.
const POINTS: u64 = 12;
/// The longest demonstration that is changed, in points.
const LONGEST: usize = 60;

/// How a random trace reaches a specification.
enum Form {
    /// As a text in this format, through this mapping.
    Text(Format, Option<Box<Mapping>>),
    /// As it is: formats that carry points and times of their own are read alike by all.
    Direct,
}

/// Makes random traces for one package.
pub(super) struct Chance {
    templates: Vec<Template>,
    pools: Pools,
    /// Gaps between times; none if points have no times.
    gaps: Vec<i64>,
    /// Whether times increase strictly.
    increasing: bool,
    /// Whether points may have several events, or none.
    crowded: bool,
    form: Form,
    demonstrations: Vec<OwnedTrace>,
}

/// An event without its values.
#[derive(Debug, Clone, PartialEq)]
struct Template {
    event: OwnedEvent,
    /// The sort of each argument; none for its time.
    sorts: Vec<Option<String>>,
}

impl Chance {
    /// What is known about a package's traces.
    pub(super) fn new(package: &Package, specifications: &[Specification]) -> Chance {
        let demonstrations: Vec<OwnedTrace> =
            package.property.demonstrations.iter().filter_map(|one| raw(package, one)).collect();
        let points = || demonstrations.iter().flat_map(|trace| &trace.points);
        let named = points().flat_map(|point| &point.events).any(is_named);
        let crowded = !named && points().any(|point| point.events.len() != 1);
        let timed = has_times(package) || points().any(|point| point.time.is_some());
        let mapping = trace_of(package).and_then(|trace| trace.mapping.as_deref());
        let mapping = mapping.and_then(|name| mapping_of(package, name).ok()).map(Box::new);
        let form = match (named, crowded || timed) {
            (true, _) => Form::Text(Format::CsvNamed, mapping),
            (false, false) => Form::Text(Format::Abstract, mapping),
            (false, true) => Form::Direct,
        };
        let numbers = pools::numbers(specifications.iter().map(|specification| &*specification.text));
        let increasing = specifications.iter().any(|specification| specification.language.wants_increasing_times());
        let templates = templates(&package.property.events, &demonstrations, named);
        let has_time_field = templates.iter().any(|template| template.sorts.iter().any(Option::is_none));
        Chance {
            pools: Pools::new(&package.property.events, &demonstrations, &numbers),
            gaps: if timed || has_time_field { gaps(&demonstrations, &numbers, increasing) } else { Vec::new() },
            templates,
            increasing,
            crowded,
            form,
            demonstrations: demonstrations.into_iter().filter(|trace| trace.points.len() <= LONGEST).collect(),
        }
    }

    /// What a specification with these rules says of a trace; nothing if it cannot read it.
    pub(super) fn status(
        &self,
        specification: &Specification,
        rules: &[Arc<Rule>],
        trace: &OwnedTrace,
    ) -> Option<Status> {
        match &self.form {
            // Nobody reads these, so nobody else asks for times.
            Form::Direct if self.gaps.is_empty() && measures_time(specification) => None,
            Form::Direct => Some(status_of_all(rules, std::slice::from_ref(trace))),
            Form::Text(format, mapping) => {
                let options = read_options(specification, Some(*format), mapping.as_deref().cloned());
                Some(status_of_all(rules, &read_text("trace", &written(trace, *format), &options).ok()?))
            }
        }
    }

    /// The trace with this number.
    pub(super) fn trace(&self, seed: u64, number: u64) -> OwnedTrace {
        let mut random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(number));
        let few = self.pools.few(&mut random);
        let mut trace = match self.demonstrations.is_empty() || random.one_in(2) {
            true => self.by_chance(&mut random, &few),
            false => self.changed(&mut random, &few),
        };
        self.mend_times(&mut trace, &mut random);
        trace
    }

    fn by_chance(&self, random: &mut Random, few: &Pools) -> OwnedTrace {
        let length = random.below(POINTS + 1);
        OwnedTrace { points: (0..length).map(|_| self.point(random, few)).collect() }
    }

    fn point(&self, random: &mut Random, few: &Pools) -> OwnedPoint {
        let count = if self.crowded { [0, 1, 1, 1, 2, 3][random.index(6)] } else { 1 };
        OwnedPoint { time: None, events: (0..count).filter_map(|_| self.event(random, few)).collect() }
    }

    fn event(&self, random: &mut Random, few: &Pools) -> Option<OwnedEvent> {
        let template = self.templates.get(random.index(self.templates.len()))?;
        let mut event = template.event.clone();
        for (argument, sort) in event.arguments.iter_mut().zip(&template.sorts) {
            argument.text = sort.as_ref().map_or_else(|| "0".into(), |sort| few.pick(sort, random));
        }
        Some(event)
    }

    /// A demonstration with up to four changes.
    fn changed(&self, random: &mut Random, few: &Pools) -> OwnedTrace {
        let mut trace = self.demonstrations[random.index(self.demonstrations.len())].clone();
        for _ in 0..random.below(5) {
            self.change(&mut trace, random, few);
        }
        trace
    }

    fn change(&self, trace: &mut OwnedTrace, random: &mut Random, few: &Pools) {
        let points = &mut trace.points;
        let (place, other) = (random.index(points.len()), random.index(points.len()));
        match random.below(6) {
            0 if !points.is_empty() => drop(points.remove(place)),
            1 if !points.is_empty() => points.insert(other, points[place].clone()),
            2 if !points.is_empty() => points.swap(place, other),
            3 if !points.is_empty() => self.rename(&mut points[place], random, few),
            4 => points.extend(self.demonstrations[random.index(self.demonstrations.len())].points.iter().cloned()),
            _ => points.insert(random.index(points.len() + 1), self.point(random, few)),
        }
    }

    /// Gives an argument of a point another value.
    fn rename(&self, point: &mut OwnedPoint, random: &mut Random, few: &Pools) {
        let index = random.index(point.events.len());
        let Some(event) = point.events.get_mut(index) else { return };
        let Some(template) = self.templates.iter().find(|template| same_shape(&template.event, event)) else { return };
        let place = random.index(template.sorts.len());
        if let (Some(argument), Some(Some(sort))) = (event.arguments.get_mut(place), template.sorts.get(place)) {
            argument.text = few.pick(sort, random);
        }
    }

    /// Gives every point a time that is not before the last one's, and its events the same where they have a field for it.
    fn mend_times(&self, trace: &mut OwnedTrace, random: &mut Random) {
        let least = Number::Int(i64::from(self.increasing));
        let mut last: Option<Number> = None;
        for point in &mut trace.points {
            if self.gaps.is_empty() {
                point.time = None;
                continue;
            }
            let gap = Number::Int(self.gaps[random.index(self.gaps.len())]);
            let earliest = last.as_ref().map(|last| last.add(&least));
            let fits = |time: &Number| earliest.as_ref().is_none_or(|earliest| time >= earliest);
            // Times that are still in order are kept: they belong to the story.
            let time = time_of(point).filter(|time| fits(time) && !random.one_in(4));
            let time = time.unwrap_or_else(|| last.as_ref().map_or(Number::Int(0), |last| last.add(&gap)));
            set_time(point, &time);
            last = Some(time);
        }
    }
}

fn measures_time(specification: &Specification) -> bool {
    matches!(specification.time_need().times, NeededTimes::First | NeededTimes::All)
}

/// The time of a point, or of the field of its events that tells it.
fn time_of(point: &OwnedPoint) -> Option<Number> {
    let fields = point.events.iter().flat_map(|event| &event.arguments).filter(|argument| is_time(&argument.name));
    point.time.clone().or_else(|| fields.into_iter().find_map(|argument| Number::parse(&argument.text)))
}

fn set_time(point: &mut OwnedPoint, time: &Number) {
    point.time = Some(time.clone());
    let fields = point.events.iter_mut().flat_map(|event| &mut event.arguments);
    for argument in fields.filter(|argument| is_time(&argument.name)) {
        argument.text = time.to_string().into();
    }
}

/// A demonstration as it is written: without mapping, and all fields kept.
fn raw(package: &Package, demonstration: &Demonstration) -> Option<OwnedTrace> {
    let text = match (&demonstration.trace, &demonstration.file) {
        (_, Some(file)) => std::fs::read_to_string(package.path(file)).ok()?,
        (text, None) => text.clone().unwrap_or_default(),
    };
    let inline = demonstration.file.is_none() && !text.trim_start().starts_with('@');
    let format = inline.then_some(Format::Abstract);
    let read = |format| read_text("trace", &text, &ReadOptions { format, ..ReadOptions::default() }).ok();
    read(format).or_else(|| read(None))?.into_iter().next()
}

fn has_times(package: &Package) -> bool {
    let source = trace_of(package).map(|trace| &trace.source);
    matches!(source, Some(TraceSource::Generated(generated)) if generated.generator.times)
}

fn same_shape(one: &OwnedEvent, other: &OwnedEvent) -> bool {
    let names = |event: &OwnedEvent| event.arguments.iter().map(|argument| argument.name.clone()).collect::<Vec<_>>();
    one.name == other.name && names(one) == names(other)
}

/// The events that demonstrations show, and those that are only declared.
fn templates(kinds: &[EventKind], demonstrations: &[OwnedTrace], named: bool) -> Vec<Template> {
    let mut templates: Vec<Template> = Vec::new();
    for event in demonstrations.iter().flat_map(|trace| &trace.points).flat_map(|point| &point.events) {
        if !templates.iter().any(|template| same_shape(&template.event, event)) {
            let sorts = pools::sorts(event, kinds);
            templates.push(Template { event: event.clone(), sorts });
        }
    }
    let times: Option<OwnedArgument> = templates
        .iter()
        .flat_map(|template| &template.event.arguments)
        .find(|argument| is_time(&argument.name))
        .cloned();
    for kind in kinds {
        if !templates.iter().any(|template| *template.event.name == *kind.name) {
            let event = declared_event(kind, named, times.as_ref());
            let sorts = pools::sorts(&event, kinds);
            templates.push(Template { event, sorts });
        }
    }
    templates
}

/// An event that is declared and never shown.
fn declared_event(kind: &EventKind, named: bool, time: Option<&OwnedArgument>) -> OwnedEvent {
    let name = |index: usize, field: &str| if named { field.to_owned() } else { (index + 1).to_string() };
    let arguments = kind.fields.iter().enumerate().map(|(index, field)| OwnedArgument {
        name: name(index, &field.name).into(),
        text: "0".into(),
        declared: None,
    });
    let mut arguments: Vec<OwnedArgument> = arguments.collect();
    if !arguments.iter().any(|argument| is_time(&argument.name)) {
        arguments.extend(time.cloned());
    }
    OwnedEvent { name: kind.name.as_str().into(), positional: arguments.len(), arguments }
}

/// Gaps between times: small ones, those of the demonstrations, and those that the specifications mention.
fn gaps(demonstrations: &[OwnedTrace], numbers: &[i64], increasing: bool) -> Vec<i64> {
    let mut all = vec![0, 1, 1, 2, 5];
    for trace in demonstrations {
        let times: Vec<i64> = trace.points.iter().filter_map(|point| time_of(point)?.as_i64()).collect();
        all.extend(times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])));
    }
    all.extend(numbers.iter().flat_map(|number| [number - 1, *number, number + 1]));
    all.retain(|gap| *gap >= i64::from(increasing));
    all
}
