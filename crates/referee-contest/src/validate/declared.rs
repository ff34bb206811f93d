//! Every event of a trace is declared, with the same arguments, and its values are written as the package says.
//!
//! The shape of an event (its name and its arguments) is looked at once; its values one by one, where their field has a
//! type: `int`, `decimal`, `bool` or `time`. Any text is a `string`.

use referee_trace::mapping::nearest;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedTrace};

use super::written::is_time;
use crate::package::{EventKind, Field, FieldType};

/// An event as a trace shows it.
pub(super) struct Shown<'a> {
    /// Its name.
    pub name: &'a str,
    /// The names of its arguments.
    pub arguments: Vec<&'a str>,
    /// How many of them are positional.
    pub positional: usize,
}

impl<'a> Shown<'a> {
    /// An event of a trace in memory.
    pub(super) fn of(event: &'a OwnedEvent) -> Shown<'a> {
        let arguments = event.arguments.iter().map(|argument| &*argument.name).collect();
        Shown { name: &event.name, arguments, positional: event.positional }
    }
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
    pub(super) fn check(&self, event: &Shown<'_>) -> Result<(), String> {
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

    /// The declared types of an event's arguments, where they have one that not every text has.
    pub(super) fn types(&self, event: &Shown<'_>) -> Vec<Option<FieldType>> {
        let writing = |field: &Field| field.writing.filter(|writing| *writing != FieldType::String);
        fields(event, self.kinds).into_iter().map(|field| field.and_then(writing)).collect()
    }

    /// Whether a short trace is one that the package speaks of: its events and their values.
    pub(super) fn check_trace(&self, trace: &OwnedTrace) -> Result<(), String> {
        let events = trace.points.iter().flat_map(|point| &point.events);
        events.into_iter().try_for_each(|event| {
            let shown = Shown::of(event);
            self.check(&shown)?;
            let typed = event.arguments.iter().zip(self.types(&shown)).enumerate();
            typed.into_iter().try_for_each(|(index, (argument, writing))| match writing {
                Some(writing) if !fits(&argument.text, writing) => {
                    Err(wrong_value(&shown, index, &argument.text, writing))
                }
                _ => Ok(()),
            })
        })
    }

    pub(super) fn stranger(&self, name: &str) -> String {
        let near = nearest(name, self.kinds.iter().map(|kind| kind.name.as_str()));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("the event `{name}` is not declared{hint}")
    }
}

fn is_named(event: &Shown<'_>) -> bool {
    !event.arguments.iter().enumerate().all(|(index, name)| name.parse() == Ok(index + 1))
}

/// The declared fields of an event's arguments: by name, or by place where they have none.
pub(super) fn fields<'k>(event: &Shown<'_>, kinds: &'k [EventKind]) -> Vec<Option<&'k Field>> {
    let kind = kinds.iter().find(|kind| *kind.name == *event.name && kind.fields.len() == event.positional);
    let namesake = kind.or_else(|| kinds.iter().find(|kind| *kind.name == *event.name));
    let field = |(index, name): (usize, &&str)| {
        let by_name = namesake.and_then(|kind| kind.fields.iter().find(|field| field.name == *name));
        let by_place = kind.and_then(|kind| kind.fields.get(index)).filter(|_| name.parse() == Ok(index + 1));
        by_name.or(by_place)
    };
    event.arguments.iter().enumerate().map(field).collect()
}

/// Whether a text is written as its type asks.
pub(super) fn fits(text: &str, writing: FieldType) -> bool {
    match writing {
        FieldType::Int => is_integer(text),
        FieldType::Decimal => Number::parse(text).is_some(),
        FieldType::Bool => matches!(text, "true" | "false"),
        // A moment is a number, or a date with its time; which of them are well formed is for the reader to say.
        FieldType::Time => text.bytes().any(|byte| byte.is_ascii_digit()),
        FieldType::String => true,
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What is wrong with a value, and what to do about it.
pub(super) fn wrong_value(event: &Shown<'_>, index: usize, text: &str, writing: FieldType) -> String {
    let (expected, other) = match writing {
        FieldType::Int if Number::parse(text).is_some() => ("a whole number", "decimal"),
        FieldType::Int => ("a whole number", "string"),
        FieldType::Decimal => ("a number", "string"),
        FieldType::Bool => ("true or false", "string"),
        FieldType::Time => ("a time", "string"),
        FieldType::String => ("a text", "string"),
    };
    let field = event.arguments.get(index).copied().unwrap_or_default();
    let field = if field.parse::<usize>().is_ok() { format!("argument {field}") } else { format!("field `{field}`") };
    let name = event.name;
    format!(
        "expected {expected} in the {field} of the event `{name}`, found `{text}`; correct the value, or declare the field \
         with type = \"{other}\""
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_their_types() {
        for (writing, good, bad) in [
            (FieldType::Int, &["0", "-17", "9999999999999999999999"][..], &["", "-", "1.5", "x1", "1e3", "+1"][..]),
            (FieldType::Decimal, &["0", "-0.5"], &["", "half"]),
            (FieldType::Bool, &["true", "false"], &["1", "True", ""]),
            (FieldType::Time, &["12", "2016-06-07T12:00:00Z"], &["noon", ""]),
            (FieldType::String, &["", "anything"], &[]),
        ] {
            assert!(good.iter().all(|text| fits(text, writing)), "{writing:?}");
            assert!(!bad.iter().any(|text| fits(text, writing)), "{writing:?}");
        }
    }
}
