//! The outline of a program of streams.

use referee_spec::core::stream::{Input, Program, StreamId, StreamOutline, Template, outline};

use super::outline::{EventOutline, Looks, Outline, TableOutline};

const COST: &str = "the clauses that can be evaluated on such an event; no other is looked at";

/// How a program is judged.
pub(super) fn of_program(program: &Program) -> Outline {
    let streams = outline(program).map(|outline| outline.streams).unwrap_or_default();
    let late = streams.iter().map(|stream| stream.delay).max().unwrap_or(0);
    let reached = |stream: &StreamOutline| {
        stream.reached.as_ref().map(|reached| format!("instances of {} are {reached}", stream.title))
    };
    let growth = streams.iter().filter(|stream| stream.memory.contains("nothing closes them"));
    Outline {
        name: program.name.to_string(),
        language: "lola".to_owned(),
        judged: "at every event; a trigger that is true is a violation of its point".to_owned(),
        verdicts: match late {
            0 => "at once; those of `at end` at the end of the trace".to_owned(),
            late => format!("at most {late} steps later; those of `at end` at the end of the trace"),
        },
        growth: growth.map(|stream| stream.title.clone()).collect(),
        cost: std::iter::once(COST.to_owned()).chain(streams.iter().filter_map(reached)).collect(),
        tables: streams.iter().map(table).collect(),
        events: events(program),
        domains: Vec::new(),
        way: Vec::new(),
        gives_up: vec!["division by zero".to_owned(), "a value that is not of its input's type".to_owned()],
    }
}

/// What the fields and events that inputs name are read by.
fn events(program: &Program) -> Vec<EventOutline> {
    let event = |(index, input): (usize, &Input)| {
        let (event, place) = match (&input.event, &input.field) {
            (None, Some(field)) => (field.to_string(), " in any event"),
            (Some(event), Some(field)) => (format!("{event}.{field}"), ""),
            (Some(event), None) => (event.to_string(), ""),
            (None, None) => ("true".to_owned(), ""),
        };
        let readers = readers(program, StreamId::new(index));
        let effect = match readers.is_empty() {
            true => "is read by nobody".to_owned(),
            false => format!("is read by {}", readers.join(", ")),
        };
        EventOutline { event, effects: vec![format!("{effect}{place}")] }
    };
    program.inputs.iter().enumerate().map(event).collect()
}

/// The outputs and triggers that read a stream.
fn readers(program: &Program, stream: StreamId) -> Vec<String> {
    let reads = |template: &Template| {
        let mut found = false;
        template.clauses(&mut |clause| {
            for expression in clause.expressions {
                expression.references(&mut |reference| found |= reference.access.stream == stream);
            }
        });
        found
    };
    let outputs = program.outputs.iter().filter(|output| reads(&output.template));
    let triggers = program.triggers.iter().enumerate().filter(|(_, trigger)| reads(&trigger.template));
    let reports = program.reports.iter().filter(|report| report.columns.contains(&stream));
    outputs
        .map(|output| format!("output {}", output.name))
        .chain(triggers.map(|(index, _)| format!("trigger {}", index + 1)))
        .chain(reports.map(|report| format!("the report {}", report.path)))
        .collect()
}

fn table(stream: &StreamOutline) -> TableOutline {
    let late = match stream.delay {
        0 => String::new(),
        1 => ", known 1 step later".to_owned(),
        delay => format!(", known {delay} steps later"),
    };
    TableOutline {
        formula: stream.title.clone(),
        looks: if stream.delay > 0 { Looks::Ahead } else { Looks::Back },
        keys: Vec::new(),
        rows: format!("{}{late}", stream.memory),
    }
}
