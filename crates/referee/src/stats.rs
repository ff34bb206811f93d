//! `referee stats`: what a trace holds.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use referee_trace::stats::{KindReport, Report, Stats};
use unicode_width::UnicodeWidthStr;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::{self, ReadArgs};
use crate::view::ViewArgs;

/// Count the events of a trace: kinds, points, time span, argument types
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Trace files, read as one trace; `-` is standard input
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Also count the different values of each argument
    #[arg(long)]
    distinct: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &StatsArgs) -> Result<ExitStatus, Failure> {
    let options = args.view.options(&args.read, &args.traces)?;
    let mut stats = Stats::new(args.distinct);
    let summary = input::read(&args.traces, &options, &mut stats)?;
    args.view.tell(&summary);
    let report = stats.report(&summary);
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(table(&report).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

/// The report as people read it.
fn table(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| text.push_str(&format!("{label:<8} {value}\n"));
    line("format", format_of(report));
    if report.traces > 1 {
        line("traces", &report.traces.to_string());
    }
    line("events", &report.events.to_string());
    line("points", &report.points.to_string());
    if let Some(time) = &report.time {
        line("time", &format!("{} to {}", time.first.0, time.last.0));
    }
    if !report.kinds.is_empty() {
        text.push('\n');
        text.push_str(&kinds_table(report));
    }
    text
}

/// The format; of `csv` also what its first line was taken for, which is a guess where an event is called `event`.
fn format_of(report: &Report) -> &'static str {
    match report.format {
        Some("csv") => "csv, its first line is the header",
        Some(format) => format,
        None => "none: the trace is empty",
    }
}

fn kinds_table(report: &Report) -> String {
    let rows: Vec<[String; 3]> = std::iter::once(["event".into(), "count".into(), "arguments".into()])
        .chain(report.kinds.iter().map(|(name, kind)| [name.clone(), kind.count.to_string(), arguments(kind)]))
        .collect();
    let widest = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let (names, counts) = (widest(0), widest(1));
    rows.iter()
        .map(|[name, count, arguments]| {
            // Names may hold letters that are two columns wide, which formatting does not know.
            let gap = names - name.width();
            let row = format!("{name}{:gap$}  {count:>counts$}  {arguments}", "");
            format!("{}\n", row.trim_end())
        })
        .collect()
}

fn arguments(kind: &KindReport) -> String {
    let shown = kind.arguments.iter().map(|argument| match argument.distinct {
        Some(distinct) => format!("{}: {} ({distinct} distinct)", argument.name, argument.kind),
        None => format!("{}: {}", argument.name, argument.kind),
    });
    shown.collect::<Vec<String>>().join(", ")
}
