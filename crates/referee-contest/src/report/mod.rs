//! The report: one HTML file that needs nothing else, and the same as CSV.
//!
//! ```text
//!  Page ─▶ overview, per track: ranking ─ bars ─ matrix ─ plots ─ benchmarks ─ tools, then remarks, method ─▶ html
//!          style.css, script.js inside; plots are SVG, made here
//! ```
//!
//! Everything can be read without scripts; with them, rows can be filtered, two tools chosen for the scatter plot, the
//! colours switched and a printed page shows what is folded. Linear in the number of cells.

mod against;
mod benchmarks;
mod markup;
mod matrix;
mod page;
mod plot;
mod ranking;
mod scatter;
mod sections;
mod tools;

use std::fmt::Write as _;

use crate::score::{Scores, TrackScores};

pub use page::{Against, Page};

use markup::escape;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page.
pub fn html(page: &Page<'_>) -> String {
    let mut out = String::new();
    let title = escape(&page.results.title);
    // Writing to a string does not fail, here and in all of this room.
    let _ = writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the results</a>"
    );
    sections::header(&mut out, page);
    out.push_str("<main id=\"main\">\n");
    for track in &page.scores.tracks {
        section(&mut out, page, track);
    }
    against::section(&mut out, page);
    sections::remarks(&mut out, page);
    sections::method(&mut out, page);
    let _ =
        writeln!(out, "</main>\n<footer>Made by Referee. Scored by the rules {}.</footer>", escape(&page.rules.name));
    let _ = writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>");
    out
}

fn section(out: &mut String, page: &Page<'_>, track: &TrackScores) {
    let id = markup::anchor(&track.track);
    let _ = writeln!(out, "<section class=\"track\" id=\"{id}\">\n<h2>Track {}</h2>", escape(&track.track));
    ranking::write(out, track, page.rules);
    matrix::write(out, track);
    plot::section(out, track);
    scatter::section(out, track);
    benchmarks::write(out, page, track);
    tools::write(out, track);
    out.push_str("</section>\n");
}

/// Every cell as CSV.
pub fn csv(scores: &Scores) -> String {
    let mut out =
        String::from("track,benchmark,tool,outcome,verdict,weight,c,o,m,total,wall,memory,own_memory,runs,note\n");
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for track in &scores.tracks {
        for cell in &track.cells {
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                quoted(&track.track),
                quoted(&cell.benchmark),
                quoted(&cell.tool),
                quoted(cell.outcome.words()),
                quoted(cell.verdict.as_deref().unwrap_or_default()),
                cell.weight,
                cell.c,
                cell.o,
                cell.m,
                cell.total(),
                number(cell.wall),
                number(cell.memory),
                number(cell.own_memory),
                cell.walls.len(),
                quoted(cell.note.as_deref().unwrap_or_default())
            );
        }
    }
    out
}

#[cfg(test)]
mod tests;
