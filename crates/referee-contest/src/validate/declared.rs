//! Every event of a trace is declared, with the same arguments.

use referee_trace::mapping::nearest;

use super::written::is_time;
use crate::package::EventKind;

/// An event as a trace shows it.
pub(super) struct Shown<'a> {
    /// Its name.
    pub name: &'a str,
    /// The names of its arguments.
    pub arguments: Vec<&'a str>,
    /// How many of them are positional.
    pub positional: usize,
}

/// What is declared, and what a trace may show beside it.
pub(super) struct Declared<'a> {
    /// The kinds of events.
    pub kinds: &'a [EventKind],
    /// Whether a mapping chooses what is of interest: events may then have fields that nobody declares.
    pub mapped: bool,
}

impl Declared<'_> {
    /// Whether an event is declared; else what is wrong with it.
    ///
    /// Its time is a field that need not be declared, and an event that names its fields need not have all of them.
    pub fn check(&self, event: &Shown<'_>) -> Result<(), String> {
        let namesakes: Vec<&EventKind> = self.kinds.iter().filter(|kind| kind.name == event.name).collect();
        let Some(first) = namesakes.first() else { return Err(self.stranger(event.name)) };
        if namesakes.iter().any(|kind| kind.fields.len() == event.positional) {
            return Ok(());
        }
        let name = event.name;
        if !is_named(event) {
            let (found, declared) = (event.positional, first.fields.len());
            return Err(format!("the event `{name}` has {found} arguments here, and is declared with {declared}"));
        }
        let known = |field: &str| namesakes.iter().any(|kind| kind.fields.iter().any(|one| one.name == field));
        let mut strangers = event.arguments.iter().filter(|field| !self.mapped && !is_time(field) && !known(field));
        match strangers.next() {
            Some(field) => Err(format!("the event `{name}` has a field `{field}` here, which is not declared")),
            None => Ok(()),
        }
    }

    fn stranger(&self, name: &str) -> String {
        let near = nearest(name, self.kinds.iter().map(|kind| kind.name.as_str()));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("the event `{name}` is not declared{hint}")
    }
}

fn is_named(event: &Shown<'_>) -> bool {
    !event.arguments.iter().enumerate().all(|(index, name)| name.parse() == Ok(index + 1))
}
