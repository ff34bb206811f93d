//! From files to events: opens, decompresses, detects, decodes and abstracts.
//!
//! ```text
//!  paths ─▶ Source ─ window ─▶ Decoder ─▶ Abstraction ─▶ EventSink
//!             ▲                  │ bytes used up            │
//!             └──────────────────┘        Fault { offset } ─┴─▶ TraceError { file, line, column }
//! ```
//!
//! Several files are one trace: shapes, numbers, times and points go on from one to the next, also if their formats
//! differ. Which format a file is in is decided from its first 64 KiB; of a live stream, from its first telling line.

use std::io::Read;
use std::path::Path;

use crate::abstraction::{Abstraction, Meaning, Totals};
use crate::error::{Fault, Stop, TraceError};
use crate::event::EventSink;
use crate::format::csv::header_has_values;
use crate::format::detect::{HEAD, detect, opened};
use crate::format::{Decoder, DecoderUser, Detection, Format};
use crate::raw::Shapes;
use crate::source::{MAX_LINE, Source};

/// How traces are to be read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format of all files; without one it is detected for each file.
    pub format: Option<Format>,
    /// What the events mean.
    pub meaning: Meaning,
    /// The longest line or event, in bytes.
    pub max_line: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, meaning: Meaning::default(), max_line: MAX_LINE }
    }
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The format of the first file that is not empty.
    pub format: Option<Format>,
    /// How much there was.
    pub totals: Totals,
    /// Whether everything was read; otherwise the sink had enough before.
    pub complete: bool,
    /// Whether the format was detected as `csv` by a first line that could as well be an event called `event`: one of
    /// its cells is a number, or nothing follows it.
    pub doubtful_header: bool,
}

/// How far reading has come, in bytes of the files, compressed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Read so far.
    pub bytes: u64,
    /// In all, where that is known.
    pub total: Option<u64>,
}

/// Reads files as one trace into `sink`; `-` is standard input.
pub fn read<E: EventSink>(
    paths: &[impl AsRef<Path>],
    options: &ReadOptions,
    sink: &mut E,
) -> Result<Summary, TraceError> {
    read_with_progress(paths, options, sink, |_| {})
}

/// The same, and tells after every window how far it has come.
pub fn read_with_progress<E: EventSink>(
    paths: &[impl AsRef<Path>],
    options: &ReadOptions,
    sink: &mut E,
    progress: impl FnMut(Progress),
) -> Result<Summary, TraceError> {
    let total = paths.iter().map(|path| std::fs::metadata(path).ok().filter(|about| about.is_file()));
    let total = total.map(|about| about.map(|about| about.len())).sum();
    let mut reading = Reading::new(options, sink, progress, total);
    for path in paths {
        let source = Source::open(path.as_ref())?;
        if !reading.file(source, extension(path.as_ref()).as_deref())? {
            return Ok(reading.summary(false));
        }
    }
    reading.finish()
}

/// Reads one stream, such as a pipe or a text in memory, into `sink`; `name` stands for it in errors.
pub fn read_stream<E: EventSink>(
    name: &str,
    stream: impl Read + Send + 'static,
    options: &ReadOptions,
    sink: &mut E,
) -> Result<Summary, TraceError> {
    let mut reading = Reading::new(options, sink, |_| {}, None);
    match reading.file(Source::from_reader(name, stream)?, None)? {
        true => reading.finish(),
        false => Ok(reading.summary(false)),
    }
}

/// A file's extension, without that of its compression.
fn extension(path: &Path) -> Option<String> {
    let plain = match path.extension()?.to_str()? {
        "gz" | "zst" => Path::new(path.file_stem()?),
        _ => path,
    };
    Some(plain.extension()?.to_str()?.to_ascii_lowercase())
}

/// The state that goes on from file to file.
struct Reading<'a, E: EventSink, P: FnMut(Progress)> {
    options: &'a ReadOptions,
    shapes: Shapes,
    abstraction: Abstraction<'a, E>,
    format: Option<Format>,
    doubtful_header: bool,
    progress: P,
    /// Bytes of the files before.
    bytes_before: u64,
    total: Option<u64>,
    /// The name of the last file, for errors that come when all is over.
    last_file: Option<String>,
}

impl<'a, E: EventSink, P: FnMut(Progress)> Reading<'a, E, P> {
    fn new(options: &'a ReadOptions, sink: &'a mut E, progress: P, total: Option<u64>) -> Self {
        Reading {
            options,
            shapes: Shapes::new(),
            abstraction: Abstraction::new(&options.meaning, sink),
            format: None,
            doubtful_header: false,
            progress,
            bytes_before: 0,
            total,
            last_file: None,
        }
    }

    /// Reads one file; tells whether the sink wants more.
    fn file(&mut self, source: Source, extension: Option<&str>) -> Result<bool, TraceError> {
        let mut source = source.max_line(self.options.max_line);
        let Some(choice) = self.choose(&mut source, extension)? else { return Ok(true) };
        self.format.get_or_insert(choice.format);
        self.doubtful_header |= choice.doubtful_header;
        let user = Decoding { reading: self, source: &mut source, choice: &choice };
        let more = choice.format.with_decoder(user)?;
        self.bytes_before += source.bytes_read();
        self.last_file = Some(source.name().to_owned());
        Ok(more)
    }

    /// The format of a file; none if the file is empty.
    fn choose(&self, source: &mut Source, extension: Option<&str>) -> Result<Option<Choice>, TraceError> {
        loop {
            let block = source.window()?;
            let (seen, last) = (block.text.len(), block.last);
            if seen == 0 && last {
                return Ok(None);
            }
            if last || seen >= HEAD || tells(block.text) {
                let doubtful_header = self.options.format.is_none() && header_has_values(block.text);
                let detected = detect(block.text, extension);
                let detected = match (self.options.format, detected) {
                    (None, Err(fault)) => return Err(located(source, fault)),
                    (_, detected) => detected.ok(),
                };
                return Ok(self.options.format.or(detected).map(|format| Choice { format, detected, doubtful_header }));
            }
            source.consume(0);
        }
    }

    /// Decodes a file to its end; tells whether the sink wants more.
    fn decode<D: Decoder>(&mut self, mut decoder: D, source: &mut Source, choice: &Choice) -> Result<bool, TraceError> {
        let events_before = self.abstraction.totals().events;
        loop {
            let block = source.window()?;
            let last = block.last;
            let outcome = match decoder.decode(block, &mut self.shapes, &mut self.abstraction) {
                Ok(used) if last => self.abstraction.end_file().map(|()| used),
                outcome => outcome,
            };
            let outcome = outcome.and_then(|used| self.abstraction.pause().map(|()| used));
            match outcome {
                Ok(used) => source.consume(used),
                Err(Stop::Enough) => return source.check_unchanged().map(|()| false),
                Err(Stop::Fault(fault)) => {
                    source.check_unchanged()?;
                    let at_once = self.abstraction.totals().events == events_before;
                    let error = located(source, *fault);
                    return Err(if at_once && choice.is_doubtful(&error) { choice.explain(error) } else { error });
                }
            }
            (self.progress)(Progress { bytes: self.bytes_before + source.bytes_read(), total: self.total });
            if last {
                return Ok(true);
            }
        }
    }

    fn finish(mut self) -> Result<Summary, TraceError> {
        match self.abstraction.finish() {
            Ok(()) => Ok(self.summary(true)),
            Err(Stop::Enough) => Ok(self.summary(false)),
            Err(Stop::Fault(fault)) => Err(TraceError { file: self.last_file.take(), ..unlocated(*fault) }),
        }
    }

    fn summary(&self, complete: bool) -> Summary {
        let totals = self.abstraction.totals();
        let nothing_follows = totals.events == 0
            && self.options.format.is_none()
            && self.format.is_some_and(|format| format.description().has_header);
        Summary { format: self.format, totals, complete, doubtful_header: self.doubtful_header || nothing_follows }
    }
}

/// Reads one file with the decoder of its format.
struct Decoding<'r, 'a, E: EventSink, P: FnMut(Progress)> {
    reading: &'r mut Reading<'a, E, P>,
    source: &'r mut Source,
    choice: &'r Choice,
}

impl<E: EventSink, P: FnMut(Progress)> DecoderUser for Decoding<'_, '_, E, P> {
    type Output = Result<bool, TraceError>;

    fn with<D: Decoder>(self, decoder: D) -> Self::Output {
        self.reading.decode(decoder, self.source, self.choice)
    }
}

/// The format a file is read in, and the one its content looks like.
struct Choice {
    format: Format,
    detected: Option<Format>,
    /// Whether it was taken for `csv` by a header that looks like an event.
    doubtful_header: bool,
}

impl Choice {
    /// Whether the format may be to blame for an error before the first event: it is not the one that the content looks
    /// like, it has no marks of its own, or the text is wrong from its first letter on.
    fn is_doubtful(&self, error: &TraceError) -> bool {
        let speaks_for_itself = matches!(self.format.description().detection, Detection::Opening(_));
        self.detected != Some(self.format) || !speaks_for_itself || (error.line, error.column) == (Some(1), Some(1))
    }

    /// Adds to an error before the first event why the file was read as it was.
    fn explain(&self, error: TraceError) -> TraceError {
        let name = self.format.name();
        let reason = match self.detected {
            Some(other) if other != self.format => {
                format!("the file was read as {name}, as --format says; it looks like {}", other.name())
            }
            Some(_) => format!("the file was read as {name}, which it looks like; --format FORMAT says otherwise"),
            None => format!("the file was read as {name}, as --format says; it does not look like text"),
        };
        let hint = match &error.hint {
            Some(hint) => format!("{hint}; {reason}"),
            None => reason,
        };
        error.hint(hint)
    }
}

/// Whether the beginning of a stream says which format it is in.
///
/// The first character of XML, JSON and MonPoly's logs does. So does one whole line, unless it is a bare name: that
/// starts blocks as well as rows without values.
fn tells(text: &str) -> bool {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().filter(|line| !line.trim().is_empty());
    opened(text.trim_start()).is_some()
        || lines.next().is_some_and(|line| line.contains([',', '=', '(', ':', '"']))
        || lines.next().is_some()
}

fn located(source: &Source, fault: Fault) -> TraceError {
    let error = source.error_at(fault.offset, fault.message);
    TraceError { hint: fault.hint, ..error }
}

fn unlocated(fault: Fault) -> TraceError {
    TraceError { hint: fault.hint, ..TraceError::new(fault.message) }
}

#[cfg(test)]
mod tests;
