//! A section per tool: what it got, and from what.

use std::fmt::Write as _;

use super::markup::{anchor, cell_anchor, escape, mebibytes, points, seconds};
use crate::score::{Cell, Outcome, TrackScores};

/// The sections of a track's tools.
pub(super) fn write(out: &mut String, track: &TrackScores) {
    out.push_str("<h3>Tools</h3>\n");
    for place in &track.ranking {
        let cells: Vec<&Cell> = track.cells.iter().filter(|cell| cell.tool == place.tool).collect();
        let _ = writeln!(
            out,
            "<details class=\"tool\" id=\"{}\"><summary><strong>{}</strong> rank {}, {} points</summary>\n<p>{}</p>",
            anchor(&format!("{}-tool-{}", track.track, place.tool)),
            escape(&place.tool),
            place.rank,
            points(place.total),
            outcomes(&cells)
        );
        out.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Results\">\n<table>\n<thead><tr><th scope=\"col\">Benchmark</th>\
             <th scope=\"col\">Outcome</th><th scope=\"col\" class=\"n\">Time</th><th scope=\"col\" class=\"n\">Memory</th>\
             <th scope=\"col\" class=\"n\">C</th><th scope=\"col\" class=\"n\">O</th><th scope=\"col\" class=\"n\">M</th></tr></thead>\n<tbody>\n",
        );
        for cell in cells {
            let _ = writeln!(
                out,
                "<tr class=\"row\" data-name=\"{} {}\"><th scope=\"row\"><a href=\"#{}\">{}</a></th><td>{}</td><td class=\"n\">{}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                escape(&cell.benchmark),
                escape(&cell.title),
                cell_anchor(&track.track, &cell.benchmark, &cell.tool),
                escape(&cell.benchmark),
                cell.outcome.words(),
                seconds(cell.wall),
                mebibytes(cell.memory),
                points(cell.c),
                points(cell.o),
                points(cell.m)
            );
        }
        out.push_str("</tbody></table></div>\n</details>\n");
    }
}

/// How often it ended how.
fn outcomes(cells: &[&Cell]) -> String {
    let all =
        [Outcome::Correct, Outcome::Wrong, Outcome::GaveUp, Outcome::NoVerdict, Outcome::Crash, Outcome::NotEntered];
    let count = |outcome: Outcome| cells.iter().filter(|cell| cell.outcome == outcome).count();
    let parts = all.into_iter().map(|outcome| (outcome, count(outcome))).filter(|(_, count)| *count > 0);
    parts.map(|(outcome, count)| format!("{count} {}", outcome.words())).collect::<Vec<_>>().join(", ")
}
