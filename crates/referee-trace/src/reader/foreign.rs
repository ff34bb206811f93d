//! Texts that are no traces, although they can be read as such.
//!
//! Nearly every line of an access log would be an event of a name of its own: verdicts about such a trace say nothing. Formats
//! without marks and without names for fields take any line, so two questions are asked of a text that was taken for one of
//! them:
//!
//! * before the first event, of the lines that are there: are nearly all of them different sentences of several words? Of a few lines
//!   that is too little to know, but a ready pattern may fit the first of them;
//! * after the first ten thousand events, or at the end: has nearly every one another name?
//!
//! The first is also asked of a text that only the name of its file calls a trace: `access.log` is no log of MonPoly.
//!
//! Who names the format with `--format` is not asked.

use std::collections::HashSet;

use crate::error::{Fault, excerpt};
use crate::format::Format;
use crate::format::detect::is_by_name_only;
use crate::pattern;

/// How many lines are looked at before the first event.
const LINES: usize = 1000;

/// How many of them there must be.
const FEW: usize = 5;

/// How many blanks make a name a sentence.
const BLANKS: usize = 3;

/// After how many events the names are counted.
pub(super) const EVENTS: u64 = 10_000;

/// How many names a trace may have, whatever its events are.
const NAMES: usize = 1000;

/// Whether any line can be read in this format.
pub(super) fn takes_any_line(format: Format) -> bool {
    matches!(format, Format::CsvPlain | Format::Abstract)
}

/// What is wrong with a text that was taken for such a format, or for another one by its name alone, if nearly all its lines are sentences.
pub(super) fn refuse_sentences(text: &str, format: Format) -> Result<(), Fault> {
    let format = match takes_any_line(format) {
        true => format,
        false if is_by_name_only(text, format) => Format::CsvPlain,
        false => return Ok(()),
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(LINES);
    // In both formats a name ends at the latest where the arguments begin.
    let ends: &[char] = if format == Format::Abstract { &['(', ',', '.'] } else { &[','] };
    let names: Vec<&str> = lines.map(|line| line.split(ends).next().unwrap_or_default()).collect();
    let sentences = names.iter().filter(|name| name.trim().bytes().filter(|byte| *byte == b' ').count() >= BLANKS);
    let different: HashSet<&&str> = sentences.collect();
    let is_known = || first_line(text).and_then(ready_for).is_some();
    match are_nearly_all(different.len(), names.len()) && (names.len() >= FEW || is_known()) {
        true => Err(no_trace(text, format)),
        false => Ok(()),
    }
}

/// Whether so many events have so many names that they are no trace.
pub(super) fn are_names_of_their_own(names: usize, events: u64) -> bool {
    names > NAMES && are_nearly_all(names, usize::try_from(events).unwrap_or(usize::MAX))
}

fn are_nearly_all(some: usize, all: usize) -> bool {
    some >= all - all / 10
}

/// The fault of a text that is no trace.
pub(super) fn no_trace(text: &str, format: Format) -> Fault {
    let line = first_line(text).unwrap_or_default();
    let advice = match ready_for(line) {
        Some(name) => format!("it looks like lines that `--map {name}` reads"),
        None => {
            "describe its lines in a mapping, which `referee init LOG` writes, or take a ready one: --map combined, \
                 common or syslog"
                .to_owned()
        }
    };
    let message = format!(
        "this is no trace: nearly every line would be an event with a name of its own, the first `{}`",
        excerpt(line)
    );
    Fault::new(0, message).hint(format!("{advice}; --format {} reads it all the same", format.name()))
}

/// The first line that is not blank.
fn first_line(text: &str) -> Option<&str> {
    text.lines().find(|line| !line.trim().is_empty())
}

/// The ready mapping that reads a line.
fn ready_for(line: &str) -> Option<&'static str> {
    let fits = |name: &&str| {
        pattern::describe(name).is_ok_and(|described| {
            described.expressions.iter().any(|expression| expression.fits(line, &mut expression.captures()))
        })
    };
    pattern::ready_names().find(fits)
}
