//! What the compiler says of the expressions of a mapping.

use referee_trace::error::TraceError;

use crate::mapping::{Expression, Mapping};

/// The file name under which an expression is compiled.
const FILE: &str = "referee-expression";

/// The name of an expression of an entry: its arguments come first, then its condition.
pub(super) fn expression_name(entry: usize, which: usize) -> String {
    format!("{FILE}-{entry}-{which}")
}

/// What the compiler said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Complaint {
    /// Something is wrong with the mapping.
    Mapping(TraceError),
    /// Something else is.
    Other(String),
}

/// The first error in what the compiler printed; those behind it may follow from it.
pub(crate) fn complaint(printed: &str, mapping: &Mapping) -> Option<Complaint> {
    let first = printed.lines().find(|line| line.contains(" error: "))?;
    Some(match expression(first, mapping) {
        Some((expression, message)) => Complaint::Mapping(located(mapping, expression, message)),
        None => Complaint::Other(first.to_owned()),
    })
}

/// The expression that a line is about, and the message.
fn expression<'m, 'l>(line: &'l str, mapping: &'m Mapping) -> Option<(&'m Expression, &'l str)> {
    let rest = line.strip_prefix(FILE)?.strip_prefix('-')?;
    let (name, message) = rest.split_once(" error: ")?;
    let (entry, which) = name.split(':').next()?.split_once('-')?;
    let entry = mapping.entries.get(entry.parse::<usize>().ok()?)?;
    let which: usize = which.parse().ok()?;
    let argument = entry.arguments.get(which).map(|argument| &argument.value);
    Some((argument.or(entry.when.as_ref())?, message))
}

fn located(mapping: &Mapping, expression: &Expression, message: &str) -> TraceError {
    let message = message.replace(" (first use in this function)", "").replace('\'', "`");
    let (message, hint) = match message.split_once("; did you mean ") {
        Some((message, meant)) => (message.to_owned(), Some(format!("did you mean {meant}"))),
        None => (message, None),
    };
    let error = mapping.error(expression.offset, format!("in `{}`: {message}", expression.text));
    match hint {
        Some(hint) => error.hint(hint),
        None if message.ends_with("undeclared") => {
            error.hint("an expression knows parameters, variables and constants; macros are gone when it is compiled")
        }
        None => error,
    }
}
