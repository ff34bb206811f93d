//! A section per benchmark: what each tool said and needed, and how its points come about.

use std::fmt::Write as _;

use super::markup::{anchor, cell_anchor, escape, mebibytes, points, seconds};
use super::page::{Page, by_benchmark};
use crate::run::half_width;
use crate::score::{BenchmarkResults, Cell, RunLink, TrackScores};

/// The sections of a track's benchmarks.
pub(super) fn write(out: &mut String, page: &Page<'_>, track: &TrackScores) {
    out.push_str("<h3>Benchmarks</h3>\n");
    let measured = page.results.tracks.iter().find(|one| one.track == track.track);
    for (id, title, cells) in by_benchmark(track) {
        let known = measured.and_then(|track| track.benchmarks.iter().find(|benchmark| benchmark.id == id));
        let _ = writeln!(
            out,
            "<details class=\"benchmark\" id=\"{}\" data-name=\"{} {}\"><summary><strong>{}</strong> {}</summary>",
            anchor(&format!("{}-{id}", track.track)),
            escape(id),
            escape(title),
            escape(id),
            escape(if title == id { "" } else { title })
        );
        facts(out, known);
        out.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Cells\">\n<table>\n<thead><tr><th scope=\"col\">Tool</th>\
             <th scope=\"col\">Verdict</th><th scope=\"col\" class=\"n\">Time</th><th scope=\"col\" class=\"n\">Memory</th>\
             <th scope=\"col\" class=\"n\">Points</th><th scope=\"col\">How they come about</th></tr></thead>\n<tbody>\n",
        );
        for cell in cells {
            write_cell(out, track, cell);
        }
        out.push_str("</tbody></table></div>\n</details>\n");
    }
}

fn facts(out: &mut String, known: Option<&BenchmarkResults>) {
    let expected = known.and_then(|benchmark| benchmark.expected.as_deref());
    let alone = known.and_then(|benchmark| benchmark.alone);
    let expected = expected.map(|verdict| format!("Right verdict: {}. ", escape(verdict))).unwrap_or_default();
    let alone = alone.map(|time| format!("Without monitor: {}.", seconds(Some(time)))).unwrap_or_default();
    let _ = writeln!(out, "<p>{expected}{alone}</p>");
    if let Some(benchmark) = known {
        runs(out, &benchmark.runs);
    }
}

fn write_cell(out: &mut String, track: &TrackScores, cell: &Cell) {
    let _ = write!(
        out,
        "<tr id=\"{}\"><th scope=\"row\">{}</th><td>{}<br><small>{}</small></td><td class=\"n\">{}{}</td><td class=\"n\">{}{}</td>\
         <td class=\"n total\">{}</td><td class=\"formula\">",
        cell_anchor(&track.track, &cell.benchmark, &cell.tool),
        escape(&cell.tool),
        escape(cell.verdict.as_deref().unwrap_or("–")),
        cell.outcome.words(),
        seconds(cell.wall),
        sureness(cell),
        mebibytes(cell.memory),
        cell.own_memory.map(|own| format!("<br><small>says {}</small>", mebibytes(Some(own)))).unwrap_or_default(),
        points(cell.total())
    );
    for line in &cell.formula {
        let _ = write!(out, "<code>{}</code><br>", escape(line));
    }
    if let Some(note) = &cell.note {
        let _ = write!(out, "<span class=\"note\">{}</span>", escape(note));
    }
    runs(out, &cell.runs);
    out.push_str("</td></tr>\n");
}

/// How far the mean time may be from the truth; of published tables nobody knows how often they measured.
fn sureness(cell: &Cell) -> String {
    match (half_width(&cell.walls), cell.walls.len()) {
        (Some(width), count) => format!("<br><small>± {:.0} %, {count} runs</small>", width * 100.0),
        (None, 1) if !cell.runs.is_empty() => "<br><small>one run</small>".into(),
        _ => String::new(),
    }
}

/// What every run took, with links to its output and its errors.
fn runs(out: &mut String, runs: &[RunLink]) {
    if runs.is_empty() {
        return;
    }
    out.push_str("<ul class=\"runs\">\n");
    for run in runs {
        let _ = writeln!(
            out,
            "<li>{}: {}, CPU {}, {}{} <a href=\"{}\">output</a> <a href=\"{}\">errors</a></li>",
            escape(&run.label),
            seconds(Some(run.wall)),
            seconds(Some(run.cpu)),
            mebibytes(run.memory.map(|bytes| bytes as f64)),
            if run.pressed { ", under CPU pressure" } else { "" },
            escape(&run.file),
            escape(&run.errors)
        );
    }
    out.push_str("</ul>");
}
