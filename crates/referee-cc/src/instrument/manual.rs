//! `REFEREE_EVENT(open, pid, fd)`: events that the program itself tells.
//!
//! The driver tells the header that it is there, so that such an event comes out of the preprocessor under the name [`MANUAL`].

use referee_trace::error::TraceError;

use super::event::{Value, tell};
use super::pass::Pass;
use super::place::{Mode, Place};
use crate::mapping::Happening;
use crate::syntax::declarator::parts;

/// What the macro becomes.
pub(super) const MANUAL: &[u8] = b"referee_manual_event";

/// Makes an event of what the program tells.
pub(super) fn manual(pass: &mut Pass<'_, '_>, at: usize, place: &Place<'_>) -> Result<(), TraceError> {
    let tokens = pass.tokens;
    if tokens.get(at + 1) != b"(" {
        return Ok(());
    }
    let arguments = parts(tokens, at + 1);
    let name = arguments.first().filter(|name| name.len() == 1 && tokens.is_word(name.start));
    let Some(name) = name.map(|name| tokens.name(name.start)) else {
        let error = TraceError::new("REFEREE_EVENT begins with the name of the event").in_file(place.file);
        return Err(error.at(u64::from(place.line), 1).hint("write REFEREE_EVENT(open, pid, fd)"));
    };
    known(pass, name, arguments.len() - 1, place)?;
    let (word, open, close) = (tokens.all[at], tokens.all[at + 1], tokens.all[tokens.mate(at + 1)]);
    pass.edits.opening(word.start, close.end, "__extension__ ({ ");
    pass.edits.replace(word.start, open.end, "");
    let first = &arguments[0];
    pass.edits.replace(tokens.all[first.start].start, tokens.all[first.start].end, "");
    for (position, argument) in arguments.iter().enumerate().skip(1) {
        let comma = tokens.all[argument.start - 1];
        pass.edits.replace(comma.start, comma.end, " ");
        let (start, end) = (tokens.all[argument.start].start, tokens.all[argument.end - 1].end);
        pass.edits.around(start, end, format!("__auto_type referee_a{position} = ((void)0, ("), "));");
    }
    let values: Vec<Value> =
        (1..arguments.len()).map(|position| Value { text: format!("referee_a{position}"), declared: None }).collect();
    let event = match pass.mode {
        Mode::Compile => tell(pass.sites.add(name, place), &values),
        Mode::Explain => String::new(),
    };
    pass.edits.replace(close.start, close.end, format!(" {event}(void)0; }})"));
    Ok(())
}

/// An event that the mapping knows has as many arguments as the mapping says.
fn known(pass: &mut Pass<'_, '_>, name: &str, count: usize, place: &Place<'_>) -> Result<(), TraceError> {
    let mapping = pass.mapping;
    let same = |entry: &&crate::mapping::MappingEntry| entry.pattern.name == name;
    let manual = mapping.entries.iter().filter(|entry| entry.happening == Happening::Manual);
    let all: Vec<_> = manual.filter(same).collect();
    for (number, entry) in mapping.entries.iter().enumerate() {
        pass.sites.hit[number] |= entry.happening == Happening::Manual && entry.pattern.name == name;
    }
    if all.is_empty() || all.iter().any(|entry| entry.arguments.len() == count) {
        return Ok(());
    }
    let expected = all[0].arguments.len();
    let message = format!(
        "REFEREE_EVENT({name}) at {}:{} has {count} arguments, the mapping says {expected}",
        place.file, place.line
    );
    Err(mapping.error(all[0].pattern.offset, message))
}
