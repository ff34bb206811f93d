//! A mapping that is being written, and what the sample looks like through it.
//!
//! What `init` writes has been tried: a draft whose times go back in the sample gets a window for sorting, one whose times
//! cannot be read goes without, and one through which the sample cannot be read is given up for the next.

use std::fmt::Write;

use referee_spec::core::Language;
use referee_trace::abstraction::Meaning;
use referee_trace::error::TraceError;
use referee_trace::format::Format;
use referee_trace::mapping::{Mapping, ReorderWindow, Unit};
use referee_trace::owned::{Collect, OwnedTrace};
use referee_trace::reader::{ReadOptions, read_stream};

use super::sample::LogSample;

/// The windows that are tried where times go back.
const WINDOWS: [&str; 6] = ["1s", "10s", "1m", "1h", "1d", "30d"];

/// Says that no field is the time.
pub(super) const NO_TIME: &str = "time = { field = \"none\", optional = true }";

/// A way to read the log.
#[derive(Debug)]
pub(super) struct Draft {
    /// What the log is taken for.
    pub what: String,
    /// What reads it.
    pub source: DraftSource,
    /// Whether every record is a line, so that pieces of the log can be put behind each other.
    pub is_by_line: bool,
}

/// What reads the log.
#[derive(Debug)]
pub(super) enum DraftSource {
    /// No mapping is needed: the log is in this format.
    Native(Format),
    /// A mapping that comes with Referee.
    Ready(&'static str),
    /// A mapping of its own.
    Own(OwnMapping),
}

/// The text of a mapping.
#[derive(Debug, Default, Clone)]
pub(super) struct OwnMapping {
    /// Lines above all, without their `#`.
    pub remarks: Vec<String>,
    /// `{ field = …, … }`
    pub time: Option<String>,
    /// Whether events that no entry takes are dropped.
    pub drops_others: bool,
    /// The table `[input]`, without its heading.
    pub input: String,
    /// The tables `[[event]]`.
    pub entries: String,
}

impl OwnMapping {
    /// The document.
    pub(super) fn text(&self, time: TimeChoice) -> String {
        let mut text: String = self.remarks.iter().map(|remark| format!("# {}\n", plain(remark))).collect();
        text.push('\n');
        match (&self.time, time) {
            (Some(time), TimeChoice::Sorted(window)) => {
                let _ = write!(
                    text,
                    "time = {time}\n# Lines are out of order by up to this much, and are sorted.\nreorder = \"{window}\"\n"
                );
            }
            (Some(time), TimeChoice::AsTold) => {
                let _ = writeln!(text, "time = {time}");
            }
            (None, TimeChoice::AsTold) => {
                let _ =
                    writeln!(text, "# No field looks like a time. If one is: time = {{ field = \"…\" }}\n{NO_TIME}");
            }
            (told, _) => {
                let told = told.as_deref().unwrap_or("{ field = \"…\" }");
                let _ = writeln!(text, "# These times cannot be used in all lines: time = {}\n{NO_TIME}", plain(told));
            }
        }
        if self.drops_others {
            text.push_str("# Events that no [[event]] takes are left out.\ndrop-others = true\n");
        }
        let _ = write!(text, "\n[input]\n{}", self.input);
        if !self.entries.is_empty() {
            let _ = write!(text, "\n{}", self.entries);
        }
        text
    }
}

/// What becomes of the times of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeChoice {
    /// They are read as told.
    AsTold,
    /// They are sorted within a window.
    Sorted(&'static str),
    /// They go back, and count as the newest before them.
    Unsorted,
    /// They are not read.
    Left,
}

/// A sample as a draft shows it.
#[derive(Debug)]
pub(super) struct SampleTrace {
    pub trace: OwnedTrace,
    /// The text of the mapping, if one is written.
    pub mapping: Option<String>,
    pub time: TimeChoice,
    /// The unit of its times.
    pub unit: Unit,
}

impl SampleTrace {
    /// How many events it has.
    pub(super) fn events(&self) -> usize {
        self.trace.points.iter().map(|point| point.events.len()).sum()
    }
}

impl Draft {
    /// A way to read the log by a mapping of its own.
    pub(super) fn own(what: impl Into<String>, mapping: OwnMapping) -> Draft {
        Draft { what: what.into(), source: DraftSource::Own(mapping), is_by_line: true }
    }

    /// A way to read the log by a mapping that comes with Referee.
    pub(super) fn ready(what: &str, name: &'static str) -> Draft {
        Draft { what: what.to_owned(), source: DraftSource::Ready(name), is_by_line: true }
    }

    /// Reads the sample, with its times if that is possible; nothing if it cannot be read, or has no events.
    pub(super) fn read(&self, sample: &LogSample) -> Option<SampleTrace> {
        let text = if self.is_by_line { sample.lines() } else { super::document::completed(sample) };
        let sorted = WINDOWS.into_iter().map(TimeChoice::Sorted);
        let last = match self.source {
            DraftSource::Own(_) => TimeChoice::Left,
            _ => TimeChoice::Unsorted,
        };
        let choices = std::iter::once(TimeChoice::AsTold).chain(sorted).chain([last]);
        choices.filter_map(|choice| self.read_with(&text, sample, choice)).find(|read| read.events() > 0)
    }

    fn read_with(&self, text: &str, sample: &LogSample, time: TimeChoice) -> Option<SampleTrace> {
        let own = match &self.source {
            DraftSource::Own(mapping) => Some(mapping.text(time)),
            _ => None,
        };
        let mapping = match (&self.source, &own) {
            (DraftSource::Ready(name), _) => Mapping::load(name).ok()?,
            (_, Some(text)) => Mapping::parse(text, "mapping").ok()?,
            _ => Mapping::default(),
        };
        let reorder = match (time, &own) {
            (TimeChoice::Sorted(window), None) => ReorderWindow::parse(window),
            _ => None,
        };
        let unit = mapping.unit();
        let meaning = Meaning { mapping, time: Language::Mfotl.time_field(false), ..Meaning::default() };
        let unsorted = time == TimeChoice::Unsorted;
        let format = match self.source {
            DraftSource::Native(format) => Some(format),
            _ => None,
        };
        let options = ReadOptions { format, meaning, reorder, unsorted, ..ReadOptions::default() };
        let trace = read_text(text, &options, !sample.is_whole && !self.is_by_line)?;
        Some(SampleTrace { trace, mapping: own, time, unit })
    }
}

/// Reads a text. If it is cut off, what was read before its end counts.
pub(super) fn read_text(text: &str, options: &ReadOptions, is_cut: bool) -> Option<OwnedTrace> {
    let mut collect = Collect::default();
    let bytes = std::io::Cursor::new(text.to_owned().into_bytes());
    match read_stream("sample", bytes, options, &mut collect) {
        Ok(_) => {}
        Err(error) if is_cut && is_at_end(&error, text) => {}
        Err(_) => return None,
    }
    collect.into_traces().into_iter().next()
}

/// Whether an error is that the text ends.
fn is_at_end(error: &TraceError, text: &str) -> bool {
    let lines = text.matches('\n').count() as u64 + 1;
    error.line.is_some_and(|line| line + 1 >= lines)
}

/// A text without control characters, for a comment.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
