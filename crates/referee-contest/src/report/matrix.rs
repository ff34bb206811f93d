//! Every cell at a glance: a row per benchmark, a column per tool.

use std::fmt::Write as _;

use super::markup::{anchor, cell_anchor, escape, mebibytes, points, seconds};
use super::page::{by_benchmark, ranked};
use crate::score::{Cell, Outcome, TrackScores};

/// The matrix of scores; each cell leads to its explanation.
pub(super) fn write(out: &mut String, track: &TrackScores) {
    out.push_str("<h3>Scores</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Scores\">\n<table class=\"matrix\">\n<thead><tr><th scope=\"col\">Benchmark</th>");
    for tool in ranked(track) {
        let _ = write!(out, "<th scope=\"col\" class=\"n\">{}</th>", escape(tool));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (id, title, cells) in by_benchmark(track) {
        let _ = write!(
            out,
            "<tr class=\"row\" data-name=\"{} {}\"><th scope=\"row\"><a href=\"#{}\">{}</a> <small>{}</small></th>",
            escape(id),
            escape(title),
            anchor(&format!("{}-{id}", track.track)),
            escape(id),
            escape(if title == id { "" } else { title })
        );
        for cell in cells {
            write_cell(out, track, cell);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn write_cell(out: &mut String, track: &TrackScores, cell: &Cell) {
    let mark = match cell.outcome {
        Outcome::NotEntered => return out.push_str("<td class=\"n none\" title=\"not entered\">–</td>"),
        Outcome::Correct => "",
        Outcome::Wrong => "✗ ",
        Outcome::GaveUp => "? ",
        Outcome::NoVerdict => "∅ ",
        Outcome::Crash => "✱ ",
    };
    let class = if cell.outcome == Outcome::Correct { "good" } else { "bad" };
    // The better the score among the thirty points, or its part of them, the stronger the colour.
    let strength = (cell.total() / (30.0 * cell.weight)).clamp(0.0, 1.0) * 55.0;
    let _ = write!(
        out,
        "<td class=\"n {class}\" style=\"--strength:{strength:.0}%\"><a href=\"#{}\" title=\"{}, {}, {}\">{mark}{}</a>{}</td>",
        cell_anchor(&track.track, &cell.benchmark, &cell.tool),
        cell.outcome.words(),
        seconds(cell.wall),
        mebibytes(cell.memory),
        points(cell.total()),
        if cell.note.is_some() { "<sup title=\"with a note\">•</sup>" } else { "" }
    );
}
