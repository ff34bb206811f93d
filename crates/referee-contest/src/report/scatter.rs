//! Two tools against each other: a point per benchmark that both solved.
//!
//! The page has the plot of the two best; its script draws any other pair from the same numbers.

use std::fmt::Write as _;

use super::markup::{anchor, escape, json, seconds};
use super::page::{by_benchmark, ranked};
use super::plot::{Decades, mark as tick, marker};
use crate::score::{Cell, Outcome, TrackScores};

const SIZE: f64 = 420.0;
const EDGE: f64 = 64.0;

/// The plot, and the numbers for other pairs.
pub(super) fn section(out: &mut String, track: &TrackScores) {
    let tools = ranked(track);
    let [first, second, ..] = tools.as_slice() else { return };
    let id = anchor(&track.track);
    let _ = write!(
        out,
        "<figure class=\"scatter\" data-track=\"{id}\"><figcaption>Time on each benchmark that both solved: "
    );
    for (place, chosen) in [("horizontal", first), ("vertical", second)] {
        let _ = write!(out, "<select aria-label=\"{place} tool\" class=\"pick\" disabled>");
        for tool in &tools {
            let selected = if tool == chosen { " selected" } else { "" };
            let _ = write!(out, "<option{selected}>{}</option>", escape(tool));
        }
        out.push_str("</select> ");
    }
    out.push_str("</figcaption>\n");
    out.push_str(&plot(track, first, second));
    out.push_str("<p class=\"hint\">Below the line the vertical tool is faster.</p>\n</figure>\n");
    data(out, track, &id);
}

/// The time of a right answer.
fn time(cell: &Cell) -> Option<f64> {
    cell.wall.filter(|_| cell.outcome == Outcome::Correct)
}

fn plot(track: &TrackScores, first: &str, second: &str) -> String {
    let of = |cells: &[&Cell], tool: &str| cells.iter().find(|cell| cell.tool == tool).and_then(|cell| time(cell));
    let both: Vec<(&str, f64, f64)> = by_benchmark(track)
        .iter()
        .filter_map(|(id, _, cells)| Some((*id, of(cells, first)?, of(cells, second)?)))
        .collect();
    let label = format!("{} against {}: {} benchmarks", escape(first), escape(second), both.len());
    let mut svg = format!("<svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"{label}\">\n");
    let Some(decades) = Decades::around(track.cells.iter().filter_map(time)) else { return svg + "</svg>\n" };
    let far = SIZE - 28.0;
    let x = |value: f64| EDGE + (far - EDGE) * decades.at(value);
    let y = |value: f64| SIZE - EDGE + 16.0 - (SIZE - EDGE + 4.0) * decades.at(value);
    let (low, high) = (10f64.powi(decades.low), 10f64.powi(decades.high));
    for mark in decades.marks() {
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{EDGE} {at:.1}H{far}M{across:.1} {top:.1}V{bottom:.1}\"/><text x=\"{}\" y=\"{:.1}\" class=\"end\">{name}</text><text x=\"{across:.1}\" y=\"{:.1}\" class=\"mid\">{name}</text>",
            EDGE - 6.0,
            y(mark) + 4.0,
            y(low) + 18.0,
            at = y(mark),
            across = x(mark),
            top = y(high),
            bottom = y(low),
            name = tick(mark, "s")
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"even\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/><g class=\"s s0\">",
        x(low),
        y(low),
        x(high),
        y(high)
    );
    for (id, a, b) in &both {
        let title = format!("{}: {} and {}", escape(id), seconds(Some(*a)), seconds(Some(*b)));
        svg.push_str(&marker(0, x(*a), y(*b), &title));
    }
    let _ = writeln!(
        svg,
        "</g><text x=\"{:.1}\" y=\"{}\" class=\"mid axis\">{}</text>",
        (EDGE + far) / 2.0,
        SIZE - 4.0,
        escape(first)
    );
    let _ = writeln!(
        svg,
        "<text x=\"{EDGE}\" y=\"{:.1}\" class=\"axis\" dx=\"6\" dy=\"14\">{}</text></svg>",
        y(high),
        escape(second)
    );
    svg
}

/// The times of right answers: a row per benchmark, a column per tool.
fn data(out: &mut String, track: &TrackScores, id: &str) {
    let tools = ranked(track);
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"{id}-times\">{{\"tools\":[{}],\"rows\":[",
        list(tools.iter().map(|tool| json(tool)))
    );
    let row = |(id, _, cells): &(&str, &str, Vec<&Cell>)| {
        let times = cells.iter().map(|cell| time(cell).map_or_else(|| "null".to_owned(), |time| time.to_string()));
        format!("[{},{}]", json(id), list(times))
    };
    let _ = writeln!(out, "{}]}}</script>", list(by_benchmark(track).iter().map(row)));
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}
