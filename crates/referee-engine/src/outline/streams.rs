//! The outline of a program of streams.

use referee_spec::core::stream::{Program, StreamOutline, outline};

use super::{Looks, Outline, Table};

/// How a program is judged.
pub fn of_program(program: &Program) -> Outline {
    let streams = outline(program).map(|outline| outline.streams).unwrap_or_default();
    let late = streams.iter().map(|stream| stream.delay).max().unwrap_or(0);
    let reached = |stream: &StreamOutline| {
        stream.reached.as_ref().map(|reached| format!("instances of {} are found {reached}", stream.title))
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
        cost: streams.iter().filter_map(reached).collect(),
        tables: streams.iter().map(table).collect(),
        events: Vec::new(),
        domains: Vec::new(),
        way: Vec::new(),
        gives_up: vec!["division by zero".to_owned(), "a value that is not of its input's type".to_owned()],
    }
}

fn table(stream: &StreamOutline) -> Table {
    let late = match stream.delay {
        0 => String::new(),
        1 => ", known 1 step later".to_owned(),
        delay => format!(", known {delay} steps later"),
    };
    Table {
        formula: stream.title.clone(),
        looks: if stream.delay > 0 { Looks::Ahead } else { Looks::Back },
        keys: Vec::new(),
        rows: format!("{}{late}", stream.memory),
    }
}
