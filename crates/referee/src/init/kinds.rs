//! The kinds of events of a sample, with what their arguments look like.

use std::collections::{HashMap, HashSet};

use referee_trace::owned::OwnedTrace;

use super::words::{identifier, last_word};

/// How many values of an argument are kept.
const MOST_VALUES: usize = 5000;

/// Words that are no variables in specifications.
const RESERVED: [&str; 8] = ["f2i", "i2f", "i2s", "s2i", "f2s", "s2f", "r", "i"];

/// Events of one name and one number of arguments.
#[derive(Debug)]
pub(super) struct EventKind {
    pub name: String,
    pub count: usize,
    pub arguments: Vec<ArgumentSummary>,
    /// The first one, as it is shown.
    pub example: Vec<String>,
}

/// An argument of a kind of events.
#[derive(Debug)]
pub(super) struct ArgumentSummary {
    /// Its name in the log.
    pub name: String,
    /// A variable for it.
    pub variable: String,
    /// Its values, up to a bound.
    pub values: HashSet<String>,
    /// How many of its values are whole numbers.
    pub integers: usize,
    pub least: i64,
    pub most: i64,
}

impl ArgumentSummary {
    /// Its name as one small word, for comparisons.
    pub(super) fn word(&self) -> String {
        identifier(last_word(&self.name))
    }

    /// How much it looks like what tells one thing from another: a number or key rather than a name, a name rather than a kind.
    pub(super) fn identity(&self) -> usize {
        let word = self.word();
        match &*word {
            _ if word.ends_with("id") || word.ends_with("key") => 4,
            "span" | "session" | "job" | "order" | "case" | "file" | "transaction" | "connection" | "x1" => 3,
            "user" | "client" | "address" | "customer" | "account" => 1,
            _ if word.ends_with("name") || word == "path" || word == "node" => 1,
            _ => 0,
        }
    }
}

/// All kinds, the most frequent first.
pub(super) fn kinds(trace: &OwnedTrace) -> Vec<EventKind> {
    let mut kinds: Vec<EventKind> = Vec::new();
    let mut places: HashMap<(String, usize), usize> = HashMap::new();
    for event in trace.points.iter().flat_map(|point| &point.events) {
        let arguments = &event.arguments[..event.positional];
        let place = *places.entry((event.name.to_string(), arguments.len())).or_insert_with(|| {
            let names: Vec<&str> = arguments.iter().map(|argument| &*argument.name).collect();
            let example = arguments.iter().map(|argument| argument.text.to_string()).collect();
            kinds.push(EventKind { name: event.name.to_string(), count: 0, arguments: summaries(&names), example });
            kinds.len() - 1
        });
        let kind = &mut kinds[place];
        kind.count += 1;
        for (summary, argument) in kind.arguments.iter_mut().zip(arguments) {
            if let Ok(number) = argument.text.parse::<i64>() {
                summary.integers += 1;
                (summary.least, summary.most) = (summary.least.min(number), summary.most.max(number));
            }
            if summary.values.len() < MOST_VALUES && !summary.values.contains(&*argument.text) {
                summary.values.insert(argument.text.to_string());
            }
        }
    }
    kinds.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
    kinds
}

fn summaries(names: &[&str]) -> Vec<ArgumentSummary> {
    let mut taken: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for name in names {
        // Formats without names call arguments 1, 2, and so on.
        let base = match name.parse::<usize>() {
            Ok(number) => format!("x{number}"),
            Err(_) => identifier(last_word(name)),
        };
        let base = if RESERVED.contains(&&*base) { format!("{base}_") } else { base };
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let variable = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(base);
        taken.push(variable.clone());
        all.push(ArgumentSummary {
            name: (*name).to_owned(),
            variable,
            values: HashSet::new(),
            integers: 0,
            least: i64::MAX,
            most: i64::MIN,
        });
    }
    all
}
