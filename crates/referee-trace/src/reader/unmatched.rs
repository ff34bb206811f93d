//! Rules of a mapping that nothing in the trace fitted: most often they are misspelt.

use crate::abstraction::EntryUse;
use crate::mapping::{Mapping, MappingEntry, nearest};

/// A rule of the mapping that nothing fitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedRule {
    /// One plain sentence without its full stop.
    pub message: String,
    /// What to look at.
    pub hint: String,
    /// The line of the mapping.
    pub line: Option<u64>,
}

/// Adds the patterns that fitted a line of one more file.
pub(super) fn note(fitting: &mut Vec<bool>, of_file: &[bool]) {
    fitting.resize(fitting.len().max(of_file.len()), false);
    for (fits, more) in fitting.iter_mut().zip(of_file) {
        *fits |= more;
    }
}

/// The entries of `patterns` that fitted no line; those of a ready pattern stand for one another.
pub(super) fn patterns(mapping: &Mapping, fitting: &[bool]) -> Vec<UnmatchedRule> {
    let patterns = &mapping.input.patterns;
    let mut all: Vec<UnmatchedRule> = Vec::new();
    for (number, (pattern, fits)) in patterns.iter().zip(fitting).enumerate() {
        let is_of_entry = |other: &usize| patterns[*other].entry == pattern.entry;
        let entry_fits = (0..fitting.len()).filter(is_of_entry).any(|other| fitting[other]);
        let is_known = (0..number).any(|other| is_of_entry(&other));
        if !fits && !entry_fits && !is_known {
            all.push(UnmatchedRule {
                message: "a pattern of the mapping fitted no line that those before it left".to_owned(),
                hint: "look at what the lines give with `referee cat`".to_owned(),
                line: Some(pattern.line),
            });
        }
    }
    all
}

/// The `[[event]]` entries that made no event; `names` are those of the events that were read.
pub(super) fn entries(mapping: &Mapping, uses: &[EntryUse], names: &[&str]) -> Vec<UnmatchedRule> {
    let unmatched = mapping.entries.iter().zip(uses).filter(|(_, used)| **used != EntryUse::Matched);
    unmatched.map(|(entry, used)| rule(entry, *used, names)).collect()
}

fn rule(entry: &MappingEntry, used: EntryUse, names: &[&str]) -> UnmatchedRule {
    let from = entry.from.as_deref().unwrap_or("*");
    let (message, hint) = match used {
        EntryUse::Unmet => {
            let near = nearest(from, names.iter().copied());
            let hint = near.map_or_else(
                || "`referee stats` without the mapping lists the names that there are".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            (format!("an [[event]] of the mapping matched nothing: no event is called `{from}`"), hint)
        }
        EntryUse::Meant | EntryUse::Matched => {
            let message = format!("an [[event]] of the mapping matched nothing: its `when` held for no event `{from}`");
            (message, "look at the values with `referee cat` without the mapping".to_owned())
        }
    };
    UnmatchedRule { message, hint, line: Some(entry.line) }
}
