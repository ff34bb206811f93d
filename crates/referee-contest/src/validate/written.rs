//! Short traces as text: for people, and for readers.

use referee_trace::format::Format;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::write::Term;

/// Whether an event has fields with names of their own.
pub(super) fn is_named(event: &OwnedEvent) -> bool {
    let numeral = |(index, name): (usize, &str)| name.parse() == Ok(index + 1);
    !event.arguments.iter().map(|argument| &*argument.name).enumerate().all(numeral)
}

/// Whether a field of this name is the time of its event.
pub(super) fn is_time(name: &str) -> bool {
    ["ts", "time", "timestamp"].iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// A trace as a text in one of two formats: `abstract`, or `csv-named` with all fields.
pub(super) fn written(trace: &OwnedTrace, format: Format) -> String {
    let events = trace.points.iter().flat_map(|point| &point.events);
    let line = |event: &OwnedEvent| match format == Format::CsvNamed {
        true => named_line(event),
        false => format!("{}\n", term(event)),
    };
    events.map(line).collect()
}

fn named_line(event: &OwnedEvent) -> String {
    let fields =
        event.arguments.iter().map(|argument| format!(", {} = {}", cell(&argument.name), cell(&argument.text)));
    format!("{}{}\n", cell(&event.name), fields.collect::<String>())
}

/// A cell of a line, in quotes where it needs them.
fn cell(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains([',', '"', '=', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A trace for people: `a(1).b(2)`; with names, times or several events at a point, as `cat` does.
pub(super) fn shown(trace: &OwnedTrace) -> String {
    if trace.points.is_empty() {
        return "the empty trace".into();
    }
    let named = trace.points.iter().flat_map(|point| &point.events).any(is_named);
    let plain = trace.points.iter().all(|point| point.events.len() == 1 && (named || point.time.is_none()));
    match plain {
        true => trace.points.iter().flat_map(terms).collect::<Vec<_>>().join("."),
        false => (1..).zip(&trace.points).map(|(number, point)| line(number, point)).collect::<Vec<_>>().join("; "),
    }
}

fn terms(point: &OwnedPoint) -> impl Iterator<Item = String> {
    point.events.iter().map(|event| match is_named(event) {
        true => named_term(event),
        false => term(event),
    })
}

fn term(event: &OwnedEvent) -> String {
    let texts: Vec<&str> = event.arguments.iter().take(event.positional).map(|argument| &*argument.text).collect();
    Term { name: &event.name, values: &texts }.to_string()
}

fn named_term(event: &OwnedEvent) -> String {
    let fields = event.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.text));
    format!("{}({})", event.name, fields.collect::<Vec<_>>().join(", "))
}

fn line(number: usize, point: &OwnedPoint) -> String {
    let time = point.time.as_ref().map(|time| format!(" @{time}")).unwrap_or_default();
    format!("{number}{time} {}", terms(point).collect::<Vec<_>>().join(" ")).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_trace::owned::read_text;
    use referee_trace::reader::ReadOptions;

    #[test]
    fn what_is_written_is_read_again() {
        for (text, format, people) in [
            ("a(1).b(x,\"y z\")", Format::Abstract, "a(1).b(x,\"y z\")"),
            ("a, x = 1, ts = 3\nb, y = \"q,r\", ts = 4\n", Format::CsvNamed, "a(x = 1, ts = 3).b(y = q,r, ts = 4)"),
        ] {
            let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
            let [trace] = &read_text("t", text, &options).expect("readable")[..] else { panic!("one trace") };
            let again = read_text("t", &written(trace, format), &options).expect("readable again");
            assert_eq!(again, std::slice::from_ref(trace));
            assert_eq!(shown(trace), people);
        }
    }
}
