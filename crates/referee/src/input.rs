//! The traces that a command reads, and how: options that all commands share.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use referee_trace::abstraction::{Meaning, TimeField};
use referee_trace::error::TraceError;
use referee_trace::event::EventSink;
use referee_trace::format::Format;
use referee_trace::mapping::{Mapping, ReorderWindow};
use referee_trace::reader::{self, ReadOptions, SkippedLines, Summary};
use referee_trace::reorder::Reordered;

use crate::progress::Progress;
use crate::streams::tell;

/// How traces are read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    /// Format of the traces; without it, each file's content tells
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<Format>,
    #[arg(long = "map", value_name = "MAPPING", help = map_help())]
    pub map: Option<String>,
    /// Take the first line of a table for the names of its columns, whatever its first cell is
    #[arg(long)]
    pub header: bool,
    /// Longest line or event that is read, in bytes (K, M and G are understood)
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes)]
    pub max_line: usize,
    #[command(flatten)]
    pub order: OrderArgs,
}

/// What becomes of events that are out of order.
#[derive(Debug, Clone, Args)]
pub(crate) struct OrderArgs {
    /// Sort events by time within a window such as 5s, or `all` of them in memory; what is later is an error
    #[arg(long, value_name = "DURATION", value_parser = window)]
    pub reorder: Option<ReorderWindow>,
    /// Take events that are later than --reorder allows (without it, all that go back in time) at the newest time before them
    #[arg(long)]
    pub unsorted: bool,
}

fn window(text: &str) -> Result<ReorderWindow, String> {
    let wrong = || format!("`{text}` is no length of time; write one like 5s, 500ms or 2h, or all");
    ReorderWindow::parse(text).ok_or_else(wrong)
}

/// What `--map` takes.
pub(crate) fn map_help() -> String {
    let ready: Vec<&str> = Mapping::built_in_names().collect();
    format!("Mapping from concrete to abstract events: a TOML file, or a ready one ({})", ready.join(", "))
}

/// Takes the names of formats that are read.
pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::READ.map(Format::name))
        .try_map(|name| Format::from_name(&name).ok_or("no such format"))
}

/// Takes the names of formats that are written.
pub(crate) fn written_formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::from_name(&name).ok_or("no such format"))
}

/// Reads a number of bytes with an optional unit.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is no number of bytes; write one like 1000000 or 64M");
    let (digits, unit) = match text.to_ascii_uppercase().chars().last() {
        Some('K') => (&text[..text.len() - 1], 1 << 10),
        Some('M') => (&text[..text.len() - 1], 1 << 20),
        Some('G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

impl ReadArgs {
    /// The mapping that `--map` names. It is read once: it may come through a pipe.
    pub(crate) fn mapping(&self) -> Result<Option<Mapping>, TraceError> {
        self.map.as_deref().map(Mapping::load).transpose()
    }

    /// The options for the reader.
    pub(crate) fn options(&self, mapping: Mapping, time: TimeField) -> ReadOptions {
        let mapping = if self.header { mapping.with_header() } else { mapping };
        let meaning = Meaning { mapping, time, ..Meaning::default() };
        ReadOptions {
            format: self.format,
            meaning,
            max_line: self.max_line,
            reorder: self.order.reorder.clone(),
            unsorted: self.order.unsorted,
        }
    }
}

/// Reads files as one trace, with a progress bar where somebody watches.
pub(crate) fn read<E: EventSink>(
    paths: &[PathBuf],
    options: &ReadOptions,
    sink: &mut E,
) -> Result<Summary, TraceError> {
    let mut progress = Progress::start();
    let summary = reader::read_with_progress(paths, options, sink, |at| progress.show(at));
    progress.finish();
    if summary.as_ref().is_ok_and(|summary| summary.doubtful_header) {
        tell!(
            "note: the first line was read as the header of csv, for its first cell is `event`\n  \
             hint: if it is an event, say that the format is csv-plain"
        );
    }
    if summary.as_ref().is_ok_and(|summary| summary.own_header) {
        tell!(
            "note: the first line was read as the names of the columns, and each row is an event\n  \
             hint: a mapping says which column names the events: [input] with name = \"COLUMN\"; --format csv-plain \
             takes the first line for an event"
        );
    }
    // Where reading stopped early, how much was read is no result: these counts would mean nothing.
    if let Ok(Summary { complete: true, skipped: Some(SkippedLines { count, file, line, text }), .. }) = &summary {
        tell!(
            "note: lines that fit no pattern of the mapping and are left out: {count}, the first at {file}:{line}: `{text}`\n  \
             hint: add a pattern for them, or make them errors with strict = true in [input]"
        );
    }
    if let Ok(Summary { complete: true, reordered: Some(Reordered { moved, late }), .. }) = &summary {
        let late = match late {
            0 => String::new(),
            late => format!("; too late for that, and judged at the newest time before them: {late}"),
        };
        tell!("note: events out of order that have been moved: {moved}{late}");
    }
    if let Ok(Summary { epoch: Some(unit), .. }) = &summary {
        tell!("note: the times are numbers of {} since 1970, by the size of the first", unit.sign());
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_with_units() {
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("1k"), Ok(1024));
        assert_eq!(bytes("7"), Ok(7));
        for wrong in ["", "M", "0", "-1", "9999999999999999999G", "1.5M"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
