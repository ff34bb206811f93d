//! Plots of a track: how many benchmarks within which time, and within which memory.
//!
//! Both are cactus plots: a tool's correct results, sorted, each at its rank; the further a line goes to the right and the
//! lower it stays, the better. The vertical axis is logarithmic.

use std::fmt::Write as _;

use super::markup::escape;
use super::page::ranked;
use crate::score::{Cell, Outcome, TrackScores};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 76.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = 14.0;

/// A kind of plot.
struct Kind {
    class: &'static str,
    title: &'static str,
    axis: &'static str,
    value: fn(&Cell) -> Option<f64>,
    label: fn(f64) -> String,
}

const KINDS: [Kind; 2] = [
    Kind {
        class: "cactus",
        title: "Benchmarks solved within a time",
        axis: "time, logarithmic",
        value: |cell| cell.wall,
        label: |value| mark(value, "s"),
    },
    Kind {
        class: "cactus-memory",
        title: "Benchmarks solved within a memory",
        axis: "memory, logarithmic",
        value: |cell| cell.memory.map(|bytes| bytes / f64::from(1 << 20)),
        label: |value| mark(value, "MiB"),
    },
];

/// A number on an axis: `10 ms`, `1 s`, `0.1 MiB`.
pub(super) fn mark(value: f64, unit: &str) -> String {
    let (value, unit) = match unit {
        "s" if value < 0.000_999 => (value * 1e6, "µs"),
        "s" if value < 0.999 => (value * 1e3, "ms"),
        unit => (value, unit),
    };
    let text = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{short} {unit}")
}

/// Both plots.
pub(super) fn section(out: &mut String, track: &TrackScores) {
    out.push_str("<h3>Plots</h3>\n<div class=\"plots\">\n");
    for kind in &KINDS {
        cactus(out, track, kind);
    }
    out.push_str("</div>\n");
}

/// A logarithmic axis over whole decades.
pub(super) struct Decades {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Decades {
    /// The decades that some values lie in.
    pub(super) fn around(values: impl Iterator<Item = f64>) -> Option<Decades> {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log), high.max(log)));
        if low > high {
            return None;
        }
        let low_decade = low.floor() as i32;
        Some(Decades { low: low_decade, high: (high.ceil() as i32).max(low_decade + 1) })
    }

    /// Where a value lies, from 0 to 1.
    pub(super) fn at(&self, value: f64) -> f64 {
        (value.max(f64::MIN_POSITIVE).log10() - f64::from(self.low)) / f64::from(self.high - self.low)
    }

    /// The powers of ten in it.
    pub(super) fn marks(&self) -> impl Iterator<Item = f64> + '_ {
        (self.low..=self.high).map(|power| 10f64.powi(power))
    }
}

fn cactus(out: &mut String, track: &TrackScores, kind: &Kind) {
    let tools = ranked(track);
    let lines: Vec<Vec<f64>> = tools.iter().map(|tool| solved(track, tool, kind)).collect();
    let Some(decades) = Decades::around(lines.iter().flatten().copied()) else { return };
    let most = lines.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let x = |count: usize| LEFT + (WIDTH - LEFT - RIGHT) * count as f64 / most as f64;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * decades.at(value);
    let summary: Vec<String> = tools.iter().zip(&lines).map(|(tool, line)| format!("{tool} {}", line.len())).collect();
    let _ = writeln!(
        out,
        "<figure class=\"{}\"><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}: {}\">",
        kind.class,
        kind.title,
        kind.title,
        escape(&summary.join(", "))
    );
    for mark in decades.marks() {
        let at = y(mark);
        let label = (kind.label)(mark);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" class=\"end\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let step = most.div_ceil(10);
    for count in (0..=most).step_by(step) {
        let _ =
            writeln!(out, "<text x=\"{:.1}\" y=\"{}\" class=\"mid\">{count}</text>", x(count), HEIGHT - BOTTOM + 18.0);
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{}\" class=\"mid axis\">benchmarks solved</text><text x=\"{LEFT}\" y=\"{}\" class=\"axis\" dx=\"4\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 6.0,
        TOP - 2.0,
        kind.axis
    );
    for (index, (tool, line)) in tools.iter().zip(&lines).enumerate() {
        let points: Vec<String> =
            (1..).zip(line).map(|(count, value)| format!("{:.1},{:.1}", x(count), y(*value))).collect();
        let _ = write!(out, "<g class=\"s s{}\"><polyline points=\"{}\"/>", index % 8, points.join(" "));
        for (count, value) in (1..).zip(line) {
            let _ = write!(
                out,
                "{}",
                marker(
                    index,
                    x(count),
                    y(*value),
                    &format!("{}: {count} within {}", escape(tool), (kind.label)(*value))
                )
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    legend(out, &tools);
    out.push_str("</figure>\n");
}

/// What the correct results of a tool needed, in order.
fn solved(track: &TrackScores, tool: &str, kind: &Kind) -> Vec<f64> {
    let correct = track.cells.iter().filter(|cell| cell.tool == tool && cell.outcome == Outcome::Correct);
    let mut values: Vec<f64> = correct.filter_map(kind.value).filter(|value| *value > 0.0).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// A mark whose shape tells the tool, for those who do not see its colour.
pub(super) fn marker(index: usize, x: f64, y: f64, title: &str) -> String {
    let shape = match index % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\">"),
        1 => format!("<path d=\"M{:.1} {:.1}h7v7h-7z\">", x - 3.5, y - 3.5),
        2 => format!("<path d=\"M{x:.1} {:.1}l4.5 8h-9z\">", y - 5.0),
        _ => format!("<path d=\"M{x:.1} {:.1}l4.5 4.5-4.5 4.5-4.5-4.5z\">", y - 4.5),
    };
    let end = if index.is_multiple_of(4) { "</circle>" } else { "</path>" };
    format!("{shape}<title>{title}</title>{end}")
}

/// The tools with their colours and marks.
fn legend(out: &mut String, tools: &[&str]) {
    out.push_str("<ul class=\"key\">");
    for (index, tool) in tools.iter().enumerate() {
        let mark = marker(index, 7.0, 7.0, &escape(tool));
        let _ = write!(
            out,
            "<li><svg class=\"s s{}\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">{mark}</svg>{}</li>",
            index % 8,
            escape(tool)
        );
    }
    out.push_str("</ul>");
}
