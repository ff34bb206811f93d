//! What differs from other results.

use std::fmt::Write as _;

use super::markup::{escape, points, seconds};
use super::page::{Against, Page};
use crate::score::{Cell, TrackScores};

/// A change of time of less than this part is not shown.
const NOTICEABLE: f64 = 0.05;

/// The section, if there is something to compare with.
pub(super) fn section(out: &mut String, page: &Page<'_>) {
    let Some(against) = page.against else { return };
    let _ = writeln!(out, "<section id=\"against\">\n<h2>Differences from {}</h2>", escape(&against.title));
    for track in &page.scores.tracks {
        match against.scores.tracks.iter().find(|other| other.track == track.track) {
            Some(other) => differences(out, track, other),
            None => {
                let _ = writeln!(out, "<p>The track {} is new.</p>", escape(&track.track));
            }
        }
    }
    missing(out, page, against);
    out.push_str("</section>\n");
}

fn differences(out: &mut String, track: &TrackScores, other: &TrackScores) {
    let changed: Vec<(&Cell, &Cell)> = track
        .cells
        .iter()
        .filter_map(|cell| {
            Some((cell, other.cells.iter().find(|old| old.tool == cell.tool && old.benchmark == cell.benchmark)?))
        })
        .filter(|(cell, old)| differs(cell, old))
        .collect();
    let _ = writeln!(
        out,
        "<h3>Track {}: {} of {} cells differ</h3>",
        escape(&track.track),
        changed.len(),
        track.cells.len()
    );
    if changed.is_empty() {
        return;
    }
    out.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Differences\">\n<table class=\"differences\">\n<thead><tr>\
         <th scope=\"col\">Benchmark</th><th scope=\"col\">Tool</th><th scope=\"col\">Outcome</th><th scope=\"col\" class=\"n\">Time before</th>\
         <th scope=\"col\" class=\"n\">now</th><th scope=\"col\" class=\"n\">Points before</th><th scope=\"col\" class=\"n\">now</th></tr></thead>\n<tbody>\n",
    );
    for (cell, old) in changed {
        let outcome = match cell.outcome == old.outcome {
            true => cell.outcome.words().to_owned(),
            false => format!("{} → {}", old.outcome.words(), cell.outcome.words()),
        };
        let _ = writeln!(
            out,
            "<tr class=\"row\" data-name=\"{}\"><th scope=\"row\">{}</th><td>{}</td><td>{outcome}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&cell.benchmark),
            escape(&cell.benchmark),
            escape(&cell.tool),
            seconds(old.wall),
            seconds(cell.wall),
            points(old.total()),
            points(cell.total())
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn differs(cell: &Cell, old: &Cell) -> bool {
    let ratio = cell.wall.zip(old.wall).map_or(1.0, |(now, before)| now / before.max(f64::MIN_POSITIVE));
    cell.outcome != old.outcome || !(1.0 - NOTICEABLE..=1.0 / (1.0 - NOTICEABLE)).contains(&ratio)
}

/// Tools that only the other results have.
fn missing(out: &mut String, page: &Page<'_>, against: &Against) {
    for other in &against.scores.tracks {
        let track = page.scores.tracks.iter().find(|track| track.track == other.track);
        let here = |tool: &str| track.is_some_and(|track| track.ranking.iter().any(|place| place.tool == tool));
        for place in other.ranking.iter().filter(|place| !here(&place.tool)) {
            let _ = writeln!(out, "<p>{} is no longer in the track {}.</p>", escape(&place.tool), escape(&other.track));
        }
    }
}
