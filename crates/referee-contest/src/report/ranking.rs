//! Who is first, by how much, and how sure that is.

use std::fmt::Write as _;

use super::markup::{anchor, escape, points};
use crate::score::{Place, Rules, TrackScores};

/// The table of ranks, and a bar per tool: correctness, overhead and memory.
pub(super) fn write(out: &mut String, track: &TrackScores, rules: &Rules) {
    out.push_str("<h3>Ranking</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ranking\">\n<table class=\"ranking\">\n");
    out.push_str(
        "<thead><tr><th scope=\"col\" class=\"n\">Rank</th><th scope=\"col\">Tool</th><th scope=\"col\" class=\"n\">Correctness</th>\
         <th scope=\"col\" class=\"n\">Overhead</th><th scope=\"col\" class=\"n\">Memory</th><th scope=\"col\" class=\"n\">Total</th>\
         <th scope=\"col\" class=\"bars\">Points, and the 95 % interval of the total</th></tr></thead>\n<tbody>\n",
    );
    let scale = Scale::of(track);
    for place in &track.ranking {
        let _ = writeln!(
            out,
            "<tr><td class=\"n rank\">{}</td><th scope=\"row\"><a href=\"#{}\">{}</a></th><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n total\">{}</td><td class=\"bars\">{}</td></tr>",
            place.rank,
            anchor(&format!("{}-tool-{}", track.track, place.tool)),
            escape(&place.tool),
            points(place.correctness).trim_end_matches(".00"),
            points(place.overhead),
            points(place.memory),
            points(place.total),
            scale.bar(place)
        );
    }
    out.push_str("</tbody></table></div>\n");
    out.push_str("<p class=\"legend\"><span class=\"c\"></span>correctness <span class=\"o\"></span>overhead <span class=\"m\"></span>memory");
    if track.ranking.iter().any(|place| place.interval.is_some()) {
        out.push_str(" <span class=\"i\"></span>95 % interval");
    }
    out.push_str("</p>\n");
    sureness(out, track, rules);
}

/// Which neighbours the measurements tell apart.
fn sureness(out: &mut String, track: &TrackScores, rules: &Rules) {
    let unsure: Vec<String> = track
        .separations
        .iter()
        .filter(|pair| !pair.separable)
        .map(|pair| format!("{} from {} ({:.0} %)", escape(&pair.better), escape(&pair.worse), pair.certainty * 100.0))
        .collect();
    match (track.separations.is_empty(), unsure.is_empty()) {
        (true, _) => {
            let _ = writeln!(
                out,
                "<p class=\"hint\">One measurement per cell: no intervals. Totals within {} points share a rank.</p>",
                rules.ranking.draw
            );
        }
        (false, true) => {
            out.push_str("<p class=\"hint\">The measurements tell all neighbours in the ranking apart.</p>\n")
        }
        (false, false) => {
            let _ = writeln!(out, "<p class=\"hint\">The measurements do not tell {}.</p>", unsure.join(", nor "));
        }
    }
    if let Some(text) = track.measured_once() {
        let _ = writeln!(out, "<p class=\"hint\">{text}.</p>");
    }
}

/// From points to the width of a bar.
struct Scale {
    low: f64,
    high: f64,
}

const WIDTH: f64 = 320.0;

impl Scale {
    fn of(track: &TrackScores) -> Scale {
        let ends = |place: &Place| {
            let positive = place.correctness.max(0.0) + place.overhead + place.memory;
            (place.correctness.min(0.0), place.interval.map_or(positive, |interval| interval.high.max(positive)))
        };
        let (low, high) = track
            .ranking
            .iter()
            .map(ends)
            .fold((0.0, 1.0), |(low, high): (f64, f64), (a, b)| (low.min(a), high.max(b)));
        Scale { low, high }
    }

    fn at(&self, points: f64) -> f64 {
        (points - self.low) / (self.high - self.low) * WIDTH
    }

    fn bar(&self, place: &Place) -> String {
        let label = format!(
            "{}: correctness {:.0}, overhead {:.2}, memory {:.2}",
            escape(&place.tool),
            place.correctness,
            place.overhead,
            place.memory
        );
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} 20\" role=\"img\" aria-label=\"{label}\" preserveAspectRatio=\"none\">"
        );
        let mut from = 0.0;
        for (class, value) in [("c", place.correctness), ("o", place.overhead), ("m", place.memory)] {
            let (left, right) = if value < 0.0 { (value, 0.0) } else { (from, from + value) };
            from = right.max(0.0);
            let (x, width) = (self.at(left), self.at(right) - self.at(left));
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"3\" width=\"{width:.1}\" height=\"14\"><title>{label}</title></rect>"
            );
        }
        if let Some(interval) = place.interval {
            let (low, high) = (self.at(interval.low), self.at(interval.high));
            let _ = write!(svg, "<path class=\"i\" d=\"M{low:.1} 5V15M{low:.1} 10H{high:.1}M{high:.1} 5V15\"/>");
        }
        svg.push_str("</svg>");
        svg
    }
}
