//! `referee stats`: what a trace holds.

use std::io::{self, BufWriter, Write};
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
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        serde_json::to_writer(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(summary_of(&report).as_bytes())?;
        if !report.kinds.is_empty() {
            writeln!(out)?;
        }
        write_kinds(&report, &mut out)?;
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

/// The report as people read it, up to the kinds of events.
fn summary_of(report: &Report<'_>) -> String {
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
    text
}

/// The format; of `csv` also what its first line was taken for, which is a guess where an event is called `event`.
fn format_of(report: &Report<'_>) -> &'static str {
    match report.format {
        Some("csv") => "csv, its first line is the header",
        Some(format) => format,
        None => "none: the trace is empty",
    }
}

/// Names that are wider do not widen the column of all others: a row would have as many blanks as the longest name has letters.
const WIDEST: usize = 80;

/// Writes the table of the kinds of events, line by line: there may be as many as events.
fn write_kinds(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    if report.kinds.is_empty() {
        return Ok(());
    }
    let (mut names, mut counts) = ("event".len(), "count".len());
    for (name, kind) in report.kinds.iter() {
        let width = name.width();
        names = if width > WIDEST { names } else { names.max(width) };
        counts = counts.max(kind.count.to_string().len());
    }
    let mut row = |name: &str, count: &str, arguments: &str| {
        // Names may hold letters that are two columns wide, which formatting does not know.
        let gap = " ".repeat(names.saturating_sub(name.width()));
        let row = format!("{name}{gap}  {count:>counts$}  {arguments}");
        writeln!(out, "{}", row.trim_end())
    };
    row("event", "count", "arguments")?;
    report.kinds.iter().try_for_each(|(name, kind)| row(name, &kind.count.to_string(), &arguments(&kind)))
}

fn arguments(kind: &KindReport<'_>) -> String {
    let shown = kind.arguments.iter().map(|argument| match argument.distinct {
        Some(distinct) => format!("{}: {} ({distinct} distinct)", argument.name, argument.kind),
        None => format!("{}: {}", argument.name, argument.kind),
    });
    shown.collect::<Vec<String>>().join(", ")
}
