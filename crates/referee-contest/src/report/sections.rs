//! The top of the page, and what stands after the tracks.

use std::fmt::Write as _;

use super::markup::{anchor, escape};
use super::page::Page;

/// Title, figures, links.
pub(super) fn header(out: &mut String, page: &Page<'_>) {
    let _ = writeln!(out, "<header>\n<div class=\"title\"><h1>{}</h1>", escape(&page.results.title));
    out.push_str("<button type=\"button\" id=\"theme\" hidden>Dark or light</button></div>\n");
    let _ = writeln!(out, "<p class=\"lead\">{}</p>", escape(&page.rules.title));
    let tools: std::collections::BTreeSet<&String> =
        page.results.tracks.iter().flat_map(|track| &track.tools).collect();
    let benchmarks: usize = page.results.tracks.iter().map(|track| track.benchmarks.len()).sum();
    let runs: usize = page.scores.tracks.iter().flat_map(|track| &track.cells).map(|cell| cell.walls.len()).sum();
    out.push_str("<dl class=\"figures\">\n");
    let tracks = page.results.tracks.len();
    for (name, number) in [("tracks", tracks), ("tools", tools.len()), ("benchmarks", benchmarks), ("times", runs)] {
        let name = if number == 1 { name.trim_end_matches('s') } else { name };
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{number}</dd></div>");
    }
    out.push_str("</dl>\n</header>\n<nav aria-label=\"Sections\">\n");
    for track in &page.scores.tracks {
        let _ = writeln!(out, "<a href=\"#{}\">{}</a>", anchor(&track.track), escape(&track.track));
    }
    if page.against.is_some() {
        out.push_str("<a href=\"#against\">differences</a>\n");
    }
    if !page.results.remarks.is_empty() || !page.deviations.is_empty() || !page.queries.is_empty() {
        out.push_str("<a href=\"#remarks\">remarks</a>\n");
    }
    out.push_str("<a href=\"#method\">method</a>\n");
    out.push_str("<label class=\"filter\" hidden>Filter <input type=\"search\" id=\"filter\" placeholder=\"benchmark\"></label>\n</nav>\n");
}

/// Errors of published tables, what else a reader must know, and questions about results.
pub(super) fn remarks(out: &mut String, page: &Page<'_>) {
    if page.deviations.is_empty() && page.results.remarks.is_empty() && page.queries.is_empty() {
        return;
    }
    out.push_str("<section id=\"remarks\">\n<h2>Remarks</h2>\n");
    if !page.deviations.is_empty() {
        deviations(out, page);
    }
    if !page.results.remarks.is_empty() {
        out.push_str("<h3>What a reader must know</h3>\n<dl class=\"remarks\">\n");
        for remark in &page.results.remarks {
            let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(&remark.about), escape(&remark.text));
        }
        out.push_str("</dl>\n");
    }
    if !page.queries.is_empty() {
        out.push_str("<h3>Queries</h3>\n<dl class=\"remarks\">\n");
        for query in page.queries {
            let about = format!("{} {}", query.tool, query.benchmark.as_deref().unwrap_or_default());
            let answer = query.answer.as_deref().map(|answer| format!(" — {}", escape(answer))).unwrap_or_default();
            let _ = writeln!(
                out,
                "<dt>{}</dt><dd>{}, {}: {}{answer} <span class=\"tag\">{:?}</span></dd>",
                escape(about.trim()),
                escape(&query.by),
                escape(&query.at),
                escape(&query.text),
                query.state
            );
        }
        out.push_str("</dl>\n");
    }
    out.push_str("</section>\n");
}

fn deviations(out: &mut String, page: &Page<'_>) {
    out.push_str(
        "<h3>Printed scores that do not follow from the printed measurements</h3>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Printed scores that do not follow\">\n<table id=\"deviations\">\n\
         <thead><tr><th scope=\"col\">Where</th><th scope=\"col\">Tool</th><th scope=\"col\">Score</th>\
         <th scope=\"col\" class=\"n\">Printed</th><th scope=\"col\" class=\"n\">Formula</th>\
         <th scope=\"col\" class=\"n\">Possible</th></tr></thead>\n<tbody>\n",
    );
    for one in page.deviations {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{} {}</th><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.5}</td>\
             <td class=\"n\">{:.4} to {:.4}</td></tr>",
            escape(&one.track),
            escape(&one.section),
            escape(&one.tool),
            one.score,
            escape(&one.printed),
            one.formula,
            one.low,
            one.high
        );
    }
    out.push_str("</tbody></table></div>\n");
}

/// The machine, the means and the rules.
pub(super) fn method(out: &mut String, page: &Page<'_>) {
    out.push_str("<section id=\"method\">\n<h2>Method</h2>\n<dl class=\"remarks\">\n");
    for (name, text) in &page.results.method {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(text));
    }
    let rules = page.rules;
    let penalties = |name: &str, penalty: &crate::score::Penalty| {
        format!(
            "{name}: crash {}, no verdict {}, wrong {}, gave up {}",
            penalty.crash, penalty.no_verdict, penalty.wrong, penalty.gave_up
        )
    };
    let rows = [
        (
            "Points",
            format!(
                "{} for a right verdict; {} for time and {} for memory, shared by all tools with a right verdict in proportion to \
                 1/V; the traces of one package share these",
                rules.points.correctness, rules.points.overhead, rules.points.memory
            ),
        ),
        (
            "Penalties",
            [penalties("traces", &rules.penalties.offline), penalties("programs", &rules.penalties.online)].join("; "),
        ),
        (
            "Time limit of a monitored program",
            format!("{} × its own time, at least {} s", rules.time_limit.factor, rules.time_limit.floor),
        ),
        ("Draw", format!("totals that differ by at most {} points share a rank", rules.ranking.draw)),
        (
            "Intervals",
            "95 of 100 totals when the runs of every cell are drawn again with replacement, 1000 times; a cell that was \
             measured once may have needed anything"
                .into(),
        ),
    ];
    for (name, text) in rows {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(&text));
    }
    if let Some(journal) = &page.results.journal {
        let _ = writeln!(
            out,
            "<dt>Every run</dt><dd><a href=\"{}\">the journal</a> has the timings of all, also of those that do not count</dd>",
            escape(journal)
        );
    }
    out.push_str("</dl>\n</section>\n");
}
