//! Random traces over the events that a package declares.
//!
//! ```text
//!  declared events ─┐                        ┌─ half: events and values by chance
//!  demonstrations ──┼─▶ Pools: per sort, ─▶ ─┤
//!  numbers in the ──┘   the values to take   └─ half: demonstrations with a few changes
//!  specifications
//! ```
//!
//! A trace by chance takes few values, so that they meet. One that was a demonstration reaches what chance alone seldom
//! does: the long stories that a property is about.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};

use super::demonstrations;
use super::specification::{Specification, trace as trace_of};
use crate::generate::random::Random;
use crate::package::{EventKind, Field, FieldType, Package, TraceSource};

/// How many values of a sort one trace takes at most.
const VALUES: usize = 3;
/// How many points a trace by chance has at most.
const POINTS: u64 = 12;
/// The longest demonstration that is changed, in points.
const LONGEST: usize = 60;

/// Makes random traces for one package.
pub(super) struct Chance {
    kinds: Vec<EventKind>,
    /// The values of each sort.
    pools: BTreeMap<String, Vec<Arc<str>>>,
    /// Gaps between times; none if points have no times.
    gaps: Vec<i64>,
    /// Whether times increase strictly.
    increasing: bool,
    /// Whether points may have several events, or none.
    crowded: bool,
    demonstrations: Vec<OwnedTrace>,
}

impl Chance {
    /// What is known about a package's traces.
    pub fn new(package: &Package, specifications: &[Specification]) -> Chance {
        let reader = specifications.first();
        let read = |specification| {
            let all = package.property.demonstrations.iter();
            all.filter_map(|one| demonstrations::read(package, one, specification).ok()).collect()
        };
        let demonstrations: Vec<OwnedTrace> = reader.map(read).unwrap_or_default();
        let numbers = numbers(specifications.iter().map(|specification| &*specification.text));
        let points = || demonstrations.iter().flat_map(|trace| &trace.points);
        let timed = has_times(package) || points().any(|point| point.time.is_some());
        let increasing = specifications.iter().any(|specification| specification.language.wants_increasing_times());
        Chance {
            pools: pools(&package.property.events, &demonstrations, &numbers),
            gaps: if timed { gaps(&demonstrations, &numbers, increasing) } else { Vec::new() },
            increasing,
            crowded: points().any(|point| point.events.len() != 1),
            kinds: package.property.events.clone(),
            demonstrations: demonstrations.into_iter().filter(|trace| trace.points.len() <= LONGEST).collect(),
        }
    }

    /// The trace with this number.
    pub fn trace(&self, seed: u64, number: u64) -> OwnedTrace {
        let mut random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(number));
        let few = self.few(&mut random);
        let mut trace = match self.demonstrations.is_empty() || random.one_in(2) {
            true => self.by_chance(&mut random, &few),
            false => self.changed(&mut random, &few),
        };
        self.mend_times(&mut trace, &mut random);
        trace
    }

    /// A few values of each sort.
    fn few(&self, random: &mut Random) -> BTreeMap<&str, Vec<Arc<str>>> {
        let some = |pool: &Vec<Arc<str>>| (0..VALUES).map(|_| pool[random.index(pool.len())].clone()).collect();
        let mut some = some;
        self.pools.iter().map(|(sort, pool)| (sort.as_str(), some(pool))).collect()
    }

    fn by_chance(&self, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) -> OwnedTrace {
        let length = random.below(POINTS + 1);
        OwnedTrace { points: (0..length).map(|_| self.point(random, few)).collect() }
    }

    fn point(&self, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) -> OwnedPoint {
        let count = if self.crowded { [0, 1, 1, 1, 2, 3][random.index(6)] } else { 1 };
        OwnedPoint { time: None, events: (0..count).map(|_| self.event(random, few)).collect() }
    }

    fn event(&self, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) -> OwnedEvent {
        let kind = &self.kinds[random.index(self.kinds.len())];
        let argument = |field: &Field| {
            let pool = &few[sort_of(field)];
            let text = pool[random.index(pool.len())].clone();
            OwnedArgument { name: field.name.as_str().into(), text, declared: None }
        };
        let arguments: Vec<OwnedArgument> = kind.fields.iter().map(argument).collect();
        OwnedEvent { name: kind.name.as_str().into(), positional: arguments.len(), arguments }
    }

    /// A demonstration with up to four changes.
    fn changed(&self, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) -> OwnedTrace {
        let mut trace = self.demonstrations[random.index(self.demonstrations.len())].clone();
        for _ in 0..random.below(5) {
            self.change(&mut trace, random, few);
        }
        trace
    }

    fn change(&self, trace: &mut OwnedTrace, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) {
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
    fn rename(&self, point: &mut OwnedPoint, random: &mut Random, few: &BTreeMap<&str, Vec<Arc<str>>>) {
        let index = random.index(point.events.len());
        let Some(event) = point.events.get_mut(index) else { return };
        let kind = self.kinds.iter().find(|kind| *kind.name == *event.name && kind.fields.len() == event.positional);
        let Some(kind) = kind.filter(|kind| !kind.fields.is_empty()) else { return };
        let place = random.index(kind.fields.len());
        let pool = &few[sort_of(&kind.fields[place])];
        event.arguments[place].text = pool[random.index(pool.len())].clone();
    }

    /// Gives every point a time that is not before the last one's.
    fn mend_times(&self, trace: &mut OwnedTrace, random: &mut Random) {
        let least = Number::Int(i64::from(self.increasing));
        let mut last: Option<Number> = None;
        for point in &mut trace.points {
            if self.gaps.is_empty() {
                point.time = None;
                continue;
            }
            let gap = Number::Int(self.gaps[random.index(self.gaps.len())]);
            let after = |last: &Number| last.add(&gap);
            let earliest = last.as_ref().map(|last| last.add(&least));
            let fits = |time: &Number| earliest.as_ref().is_none_or(|earliest| time >= earliest);
            // Times that are still in order are kept: they belong to the story.
            let time = point.time.take().filter(|time| fits(time) && !random.one_in(4));
            let time = time.unwrap_or_else(|| last.as_ref().map_or(Number::Int(0), after));
            point.time = Some(time.clone());
            last = Some(time);
        }
    }
}

/// What tells the values of fields apart: their sort, or else their name.
fn sort_of(field: &Field) -> &str {
    field.sort.as_deref().unwrap_or(&field.name)
}

fn has_times(package: &Package) -> bool {
    let source = trace_of(package).map(|trace| &trace.source);
    matches!(source, Some(TraceSource::Generated(generated)) if generated.generator.times)
}

/// The whole numbers that texts mention, a few of them.
fn numbers<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<i64> {
    let mut all = Vec::new();
    for text in texts {
        let words = text.split(|letter: char| !letter.is_ascii_digit());
        all.extend(words.filter_map(|word| word.parse::<i64>().ok()).filter(|number| *number < 1_000_000_000));
    }
    all.sort_unstable();
    all.dedup();
    all.truncate(12);
    all
}

/// Gaps between times: small ones, those of the demonstrations, and those that the specifications mention.
fn gaps(demonstrations: &[OwnedTrace], numbers: &[i64], increasing: bool) -> Vec<i64> {
    let mut all = vec![0, 1, 1, 2, 5];
    for trace in demonstrations {
        let times = || trace.points.iter().filter_map(|point| point.time.as_ref()?.as_i64());
        all.extend(times().zip(times().skip(1)).map(|(one, next)| next - one));
    }
    all.extend(numbers.iter().flat_map(|number| [number - 1, *number, number + 1]));
    all.retain(|gap| *gap >= i64::from(increasing));
    all
}

/// The values of each sort: those of the demonstrations, and what belongs beside them.
fn pools(kinds: &[EventKind], demonstrations: &[OwnedTrace], numbers: &[i64]) -> BTreeMap<String, Vec<Arc<str>>> {
    let mut pools: BTreeMap<String, Vec<Arc<str>>> = BTreeMap::new();
    let mut writings: BTreeMap<String, FieldType> = BTreeMap::new();
    for field in kinds.iter().flat_map(|kind| &kind.fields) {
        pools.entry(sort_of(field).to_owned()).or_default();
        writings.extend(field.writing.map(|writing| (sort_of(field).to_owned(), writing)));
    }
    for event in demonstrations.iter().flat_map(|trace| &trace.points).flat_map(|point| &point.events) {
        let fields = kinds.iter().find(|kind| *kind.name == *event.name && kind.fields.len() == event.positional);
        for (field, argument) in fields.iter().flat_map(|kind| &kind.fields).zip(&event.arguments) {
            pools.entry(sort_of(field).to_owned()).or_default().push(argument.text.clone());
        }
    }
    for (sort, pool) in &mut pools {
        complete(pool, writings.get(sort).copied(), numbers);
    }
    pools
}

/// Sorts a pool and adds what it lacks: both truths, numbers around those that are mentioned, a few names.
fn complete(pool: &mut Vec<Arc<str>>, writing: Option<FieldType>, numbers: &[i64]) {
    let numeric = !pool.is_empty() && pool.iter().all(|text| Number::parse(text).is_some());
    match writing {
        Some(FieldType::Bool) => pool.extend(["true", "false"].map(Arc::from)),
        Some(FieldType::Int | FieldType::Decimal | FieldType::Time) => add_numbers(pool, numbers),
        None if numeric => add_numbers(pool, numbers),
        Some(FieldType::String) | None => {}
    }
    pool.sort_unstable();
    pool.dedup();
    let names = ["v1", "v2", "v3"].into_iter().take(VALUES.saturating_sub(pool.len()));
    if writing != Some(FieldType::Bool) {
        pool.extend(names.map(Arc::from));
    }
}

fn add_numbers(pool: &mut Vec<Arc<str>>, numbers: &[i64]) {
    let around = numbers.iter().flat_map(|number| [number - 1, *number, number + 1]);
    pool.extend([0, 1, 2, 3].into_iter().chain(around).map(|number| Arc::from(number.to_string())));
}
