//! The values that random traces take, sort by sort.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedTrace};

use super::declared::{Shown, fields};
use super::written::is_time;
use crate::package::{EventKind, Field, FieldType};
use referee_generate::random::Random;

/// How many values of a sort one trace takes at most.
const VALUES: usize = 3;
/// How many numbers of the specifications are looked at.
const NUMBERS: usize = 12;

/// The values of each sort.
#[derive(Debug, Clone)]
pub(super) struct Pools(BTreeMap<String, Vec<Arc<str>>>);

impl Pools {
    /// The values of the demonstrations, and what belongs beside them.
    pub(super) fn new(kinds: &[EventKind], demonstrations: &[OwnedTrace], numbers: &[i64]) -> Pools {
        let mut pools = by_sort(kinds, demonstrations);
        let mut writings: BTreeMap<&str, FieldType> = BTreeMap::new();
        for field in kinds.iter().flat_map(|kind| &kind.fields) {
            pools.entry(sort_of(field).to_owned()).or_default();
            writings.extend(field.writing.map(|writing| (sort_of(field), writing)));
        }
        for (sort, pool) in &mut pools {
            complete(pool, writings.get(sort.as_str()).copied(), numbers);
        }
        Pools(pools)
    }

    /// A few values of each sort.
    pub(super) fn few(&self, random: &mut Random) -> Pools {
        let mut some = |pool: &Vec<Arc<str>>| (0..VALUES).map(|_| pool[random.index(pool.len())].clone()).collect();
        Pools(self.0.iter().map(|(sort, pool)| (sort.clone(), some(pool))).collect())
    }

    /// One value of a sort.
    pub(super) fn pick(&self, sort: &str, random: &mut Random) -> Arc<str> {
        let pool = self.0.get(sort).filter(|pool| !pool.is_empty());
        pool.map_or_else(|| "v1".into(), |pool| pool[random.index(pool.len())].clone())
    }
}

/// The sorts of an event's arguments; none for its time.
pub(super) fn sorts(event: &OwnedEvent, kinds: &[EventKind]) -> Vec<Option<String>> {
    let shown = Shown::of(event);
    let sort =
        |(name, field): (&&str, Option<&Field>)| (!is_time(name)).then(|| field.map_or(*name, sort_of).to_owned());
    shown.arguments.iter().zip(fields(&shown, kinds)).map(sort).collect()
}

/// What tells the values of fields apart: their sort, or else their name.
fn sort_of(field: &Field) -> &str {
    field.sort.as_deref().unwrap_or(&field.name)
}

/// The whole numbers that texts mention, a few of them.
pub(super) fn numbers<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<i64> {
    let mut all = Vec::new();
    for text in texts {
        let words = text.split(|letter: char| !letter.is_ascii_digit());
        all.extend(words.filter_map(|word| word.parse::<i64>().ok()).filter(|number| *number < 1_000_000_000));
    }
    all.sort_unstable();
    all.dedup();
    all.truncate(NUMBERS);
    all
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

/// The values that occur in traces by the sorts of a package.
fn by_sort(kinds: &[EventKind], traces: &[OwnedTrace]) -> BTreeMap<String, Vec<Arc<str>>> {
    let mut found: BTreeMap<String, Vec<Arc<str>>> = BTreeMap::new();
    for event in traces.iter().flat_map(|trace| &trace.points).flat_map(|point| &point.events) {
        for (argument, sort) in event.arguments.iter().zip(sorts(event, kinds)) {
            found.entry(sort.unwrap_or_default()).or_default().push(argument.text.clone());
        }
    }
    found.remove("");
    found
}
