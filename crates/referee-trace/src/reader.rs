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

mod foreign;
mod unmatched;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use crate::abstraction::{Abstraction, Meaning, Position, Ties, Totals};
use crate::error::{Fault, Stop, TraceError, excerpt};
use crate::event::EventSink;
use crate::format::csv::{has_own_header, header_has_values};
use crate::format::detect::{HEAD, detect, opened};
use crate::format::xes::is_xes;
use crate::format::{Decoder, DecoderUser, Detection, Format, InputRule, Naming};
use crate::mapping::{ReorderWindow, Unit};
use crate::raw::Shapes;
use crate::reorder::{Order, Reorder, Reordered};
use crate::source::{MAX_LINE, Source};

pub use unmatched::UnmatchedRule;

/// How traces are to be read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format of all files; without one, and without one in the mapping, it is detected for each file.
    pub format: Option<Format>,
    /// What the events mean.
    pub meaning: Meaning,
    /// The longest line or event, in bytes.
    pub max_line: usize,
    /// Within which window events are sorted by time, unless the mapping says.
    pub reorder: Option<ReorderWindow>,
    /// Whether events that are later than that are taken, at the newest time before them.
    pub unsorted: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions { format: None, meaning: Meaning::default(), max_line: MAX_LINE, reorder: None, unsorted: false }
    }
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The format of the first file that is not empty.
    pub format: Option<Format>,
    /// How much there was.
    pub totals: Totals,
    /// The unit of times since 1970, if the first of them told it by its size.
    pub epoch: Option<Unit>,
    /// A field that was read as an argument, and is the time for rules of a language that measures it.
    pub other_time: Option<Box<str>>,
    /// What became of events out of order, if they were sorted.
    pub reordered: Option<Reordered>,
    /// Whether everything was read; otherwise the sink had enough before.
    pub complete: bool,
    /// Whether the format was detected as `csv` by a first line that could as well be an event called `event`: one of
    /// its cells is a number, or nothing follows it.
    pub doubtful_header: bool,
    /// Whether the first line of a table was found to name its columns, and nothing names its rows.
    pub own_header: bool,
    /// Lines that fit no pattern of the mapping.
    pub skipped: Option<SkippedLines>,
    /// Rules of the mapping that nothing fitted so far.
    pub unmatched: Vec<UnmatchedRule>,
    /// Where the reading ended, for another one to go on from there.
    pub end: Position,
    /// How many bytes of the files were read, compressed or not.
    pub bytes: u64,
    /// All fields that events could have, if every file is a table whose header names them and the mapping leaves fields as they are.
    pub columns: Option<BTreeSet<Box<str>>>,
}

/// Lines that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLines {
    /// How many.
    pub count: u64,
    /// The file and line of the first.
    pub file: String,
    /// Its number in the file.
    pub line: u64,
    /// How it begins.
    pub text: String,
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
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let total = paths.iter().map(|path| std::fs::metadata(path).ok().filter(|about| about.is_file()));
    let total = total.map(|about| about.map(|about| about.len())).sum();
    read_input(Input::Files(paths), total, options, sink, progress)
}

/// Reads one stream, such as a pipe or a text in memory, into `sink`; `name` stands for it in errors.
pub fn read_stream<E: EventSink>(
    name: &str,
    stream: impl Read + Send + 'static,
    options: &ReadOptions,
    sink: &mut E,
) -> Result<Summary, TraceError> {
    let source = Source::from_reader(name, stream)?;
    read_input(Input::Stream(Box::new(source)), None, options, sink, |_| {})
}

/// What is read.
enum Input<'p> {
    Files(Vec<&'p Path>),
    Stream(Box<Source>),
}

/// Reads in the order of the input, or sorts on the way.
fn read_input<E: EventSink>(
    input: Input<'_>,
    total: Option<u64>,
    options: &ReadOptions,
    sink: &mut E,
    mut progress: impl FnMut(Progress),
) -> Result<Summary, TraceError> {
    let mapping = &options.meaning.mapping;
    let window = options.reorder.as_ref().or(mapping.reorder.as_ref());
    if window.is_none() && !options.unsorted {
        return Ok(read_as_it_is(input, total, options, sink, progress)?.0);
    }
    let order = Order {
        window: window.unwrap_or(&ReorderWindow::NONE).in_units(mapping.unit()),
        unsorted: options.unsorted,
        ties: options.meaning.ties,
        memory: Order::MEMORY,
    };
    let meaning = Meaning { ties: Ties::Apart, unsorted: true, ..options.meaning.clone() };
    let mut reorder = Reorder::new(sink, order);
    let options = ReadOptions { meaning, ..options.clone() };
    let progress: &mut dyn FnMut(Progress) = &mut progress;
    let (mut summary, last_file) = read_as_it_is(input, total, &options, &mut reorder, progress)?;
    if summary.complete {
        match reorder.finish() {
            Ok(()) => {}
            Err(Stop::Enough) => summary.complete = false,
            Err(Stop::Fault(fault)) => return Err(TraceError { file: last_file, ..unlocated(*fault) }),
        }
    }
    summary.totals.points = reorder.points();
    summary.reordered = Some(reorder.counts());
    Ok(summary)
}

/// Reads in the order of the input; also tells which file was the last.
fn read_as_it_is<E: EventSink>(
    input: Input<'_>,
    total: Option<u64>,
    options: &ReadOptions,
    sink: &mut E,
    progress: impl FnMut(Progress),
) -> Result<(Summary, Option<String>), TraceError> {
    let mut reading = Reading::new(options, sink, progress, total);
    let more = match input {
        Input::Stream(source) => reading.file(*source, None)?,
        Input::Files(paths) => {
            let mut more = true;
            for path in paths {
                let source = Source::open(path)?;
                more = reading.file(source, extension(path).as_deref())?;
                if !more {
                    break;
                }
            }
            more
        }
    };
    match more {
        true => reading.finish(),
        false => Ok((reading.summary(false), None)),
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
    own_header: bool,
    skipped: Option<SkippedLines>,
    /// Which patterns of the mapping fitted a line.
    fitting: Vec<bool>,
    progress: P,
    /// The columns of all files so far; nothing if one of them did not name its own.
    columns: Option<BTreeSet<Box<str>>>,
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
            own_header: false,
            skipped: None,
            fitting: Vec::new(),
            progress,
            columns: Some(BTreeSet::new()),
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
        let told = &self.options.meaning.mapping.input;
        let is_found = choice.own_header && !source.is_table();
        self.own_header |= is_found && told.naming == Naming::Usual && !told.header;
        let input = match (source.is_table(), choice.own_header) {
            (true, _) => &InputRule { header: true, delimiter: Some(b','), ..told.clone() },
            (_, true) => &InputRule { header: true, ..told.clone() },
            (_, false) => told,
        };
        let user = Decoding { reading: self, source: &mut source, choice: &choice };
        let more = choice.format.with_decoder(input, user)?;
        self.bytes_before += source.bytes_read();
        self.last_file = Some(source.name().to_owned());
        Ok(more)
    }

    /// The format of all files, if one is told.
    fn told(&self) -> Option<Format> {
        self.options.format.or(self.options.meaning.mapping.format())
    }

    /// The format of a file; none if the file is empty.
    fn choose(&self, source: &mut Source, extension: Option<&str>) -> Result<Option<Choice>, TraceError> {
        if source.is_table() {
            return self.table(source).map(Some);
        }
        loop {
            let block = source.window()?;
            let (seen, last) = (block.text.len(), block.last);
            if seen == 0 && last {
                return Ok(None);
            }
            if last || seen >= HEAD || tells(block.text) {
                let doubtful_header = self.told().is_none() && header_has_values(block.text);
                let detected = detect(block.text, extension);
                let detected = match (self.told(), detected) {
                    (None, Err(fault)) => return Err(located(source, fault)),
                    (_, detected) => detected.ok(),
                };
                let own_header = has_own_header(block.text) || extension == Some("tsv") && block.text.contains('\t');
                let detected = detected.map(|format| match own_header && format == Format::CsvPlain {
                    true => Format::Csv,
                    false => format,
                });
                let format = self.told().or(detected);
                let is_guess = self.told().is_none() && format.is_some_and(foreign::takes_any_line);
                let first_lines = if is_guess { first_lines(block.text) } else { String::new() };
                if let Some(format) = format.filter(|_| self.told().is_none()) {
                    foreign::refuse_sentences(block.text, format).map_err(|fault| located(source, fault))?;
                }
                let teller = if self.options.format.is_some() { "--format" } else { "the mapping" };
                let own_header = own_header && format == Some(Format::Csv);
                let choice = |format| Choice { format, detected, teller, doubtful_header, own_header, first_lines };
                return Ok(format.map(choice));
            }
            source.consume(0);
        }
    }

    /// Columns are a table with a header, whatever else is said.
    fn table(&self, source: &Source) -> Result<Choice, TraceError> {
        let teller = if self.options.format.is_some() { "--format" } else { "the mapping" };
        match self.told().filter(|format| *format != Format::Csv) {
            Some(other) => {
                let message = format!("this file holds columns, but {teller} says that it is {}", other.name());
                Err(TraceError::new(message).in_file(source.name()).hint("columns are read like csv with a header"))
            }
            None => Ok(Choice {
                format: Format::Csv,
                detected: Some(Format::Csv),
                teller,
                doubtful_header: false,
                own_header: true,
                first_lines: String::new(),
            }),
        }
    }

    /// Decodes a file to its end; tells whether the sink wants more.
    fn decode<D: Decoder>(&mut self, mut decoder: D, source: &mut Source, choice: &Choice) -> Result<bool, TraceError> {
        let events_before = self.abstraction.totals().events;
        let shapes_before = self.shapes.len();
        let mut watches_names = !choice.first_lines.is_empty();
        let naming = &self.options.meaning.mapping.input.naming;
        if !D::TAKES_NAMING && *naming != Naming::Usual {
            return Err(source.error_at(0, unnamed(choice.format)).hint(UNNAMED_HINT));
        }
        loop {
            let block = source.window()?;
            let last = block.last;
            let outcome = match decoder.decode(block, &mut self.shapes, &mut self.abstraction) {
                Ok(used) if last => self.abstraction.end_file().map(|()| used),
                outcome => outcome,
            };
            if decoder.skipped().count > 0 && self.skipped.is_none() {
                self.skipped = Some(first_skipped(source, decoder.skipped().first));
            }
            let outcome = outcome.and_then(|used| self.abstraction.pause().map(|()| used));
            match outcome {
                Ok(used) if decoder.held() > self.options.max_line => {
                    return Err(long_point(source, used, self.options));
                }
                Ok(used) => source.consume(used),
                Err(Stop::Enough) => return source.check_unchanged().map(|()| false),
                Err(Stop::Fault(fault)) => {
                    source.check_unchanged()?;
                    let at_once = self.abstraction.totals().events == events_before;
                    let error = of_cases(located(source, *fault), choice.format);
                    return Err(if at_once && choice.is_doubtful(&error) { choice.explain(error) } else { error });
                }
            }
            let events = self.abstraction.totals().events - events_before;
            if watches_names && (last || events >= foreign::EVENTS) {
                watches_names = false;
                if foreign::are_names_of_their_own(self.shapes.len() - shapes_before, events) {
                    let fault = foreign::no_trace(&choice.first_lines, choice.format);
                    let error = TraceError { hint: fault.hint, ..TraceError::new(fault.message) };
                    return Err(error.in_file(source.name()).at(1, 1));
                }
            }
            (self.progress)(Progress { bytes: self.bytes_before + source.bytes_read(), total: self.total });
            if last {
                unmatched::note(&mut self.fitting, &decoder.fitting());
                self.columns = self.columns.take().zip(decoder.columns()).map(|(mut all, columns)| {
                    all.extend(columns.iter().cloned());
                    all
                });
                return self.note_skipped(decoder.skipped().count, events);
            }
        }
    }

    /// Adds the lines of a file that were left out; a file all of whose lines were is an error.
    fn note_skipped(&mut self, count: u64, events: u64) -> Result<bool, TraceError> {
        let Some(skipped) = self.skipped.as_mut().filter(|_| count > 0) else { return Ok(true) };
        skipped.count += count;
        if events > 0 {
            return Ok(true);
        }
        let message = format!("no pattern of the mapping fits any line, such as `{}`", skipped.text);
        Err(TraceError::new(message)
            .in_file(skipped.file.as_str())
            .at(skipped.line, 1)
            .hint("write a pattern that fits, and look at what it gives with `referee cat`"))
    }

    fn finish(mut self) -> Result<(Summary, Option<String>), TraceError> {
        match self.abstraction.finish() {
            Ok(()) => Ok((self.summary(true), self.last_file.take())),
            Err(Stop::Enough) => Ok((self.summary(false), None)),
            Err(Stop::Fault(fault)) => Err(TraceError { file: self.last_file.take(), ..unlocated(*fault) }),
        }
    }

    fn unmatched(&self) -> Vec<UnmatchedRule> {
        let mapping = &self.options.meaning.mapping;
        let mut all = unmatched::patterns(mapping, &self.fitting);
        if !mapping.entries.is_empty() {
            let names: Vec<&str> = self.shapes.names().collect();
            all.extend(unmatched::entries(mapping, self.abstraction.entry_uses(), &names));
        }
        all
    }

    fn summary(&self, complete: bool) -> Summary {
        let totals = self.abstraction.totals();
        let nothing_follows = totals.events == 0
            && self.told().is_none()
            && self.format.is_some_and(|format| format.description().has_header);
        Summary {
            format: self.format,
            totals,
            epoch: self.abstraction.epoch_unit(),
            other_time: self.abstraction.other_time().map(Into::into),
            reordered: None,
            complete,
            doubtful_header: self.doubtful_header || nothing_follows && !self.own_header,
            own_header: self.own_header,
            skipped: self.skipped.clone(),
            unmatched: self.unmatched(),
            end: self.abstraction.position(),
            bytes: self.bytes_before,
            columns: self.columns.clone().filter(|_| self.options.meaning.mapping.entries.is_empty()),
        }
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
    /// Who tells the format, if it is told.
    teller: &'static str,
    /// Whether it was taken for `csv` by a header that looks like an event.
    doubtful_header: bool,
    /// Whether its first line names columns of its own.
    own_header: bool,
    /// How it begins, if it was taken for a format that takes any line.
    first_lines: String,
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
        let (name, teller) = (self.format.name(), self.teller);
        let reason = match self.detected {
            Some(other) if other != self.format => {
                format!("the file was read as {name}, as {teller} says; it looks like {}", other.name())
            }
            Some(_) => format!("the file was read as {name}, which it looks like; --format FORMAT says otherwise"),
            None => format!("the file was read as {name}, as {teller} says; it does not look like text"),
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
/// The first character of JSON and MonPoly's logs does, and the first tags of XML. So does one whole line, unless it is a bare name: that
/// starts blocks as well as rows without values.
fn tells(text: &str) -> bool {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().filter(|line| !line.trim().is_empty());
    if text.trim_start().starts_with('<') {
        return is_xes(text.trim_start()).is_some();
    }
    opened(text.trim_start()).is_some()
        || lines.next().is_some_and(|line| line.contains([',', '=', '(', ':', '"']))
        || lines.next().is_some()
}

/// How a text begins.
fn first_lines(text: &str) -> String {
    text[..text.floor_char_boundary(1000)].to_owned()
}

fn first_skipped(source: &mut Source, offset: usize) -> SkippedLines {
    let line = source.locate(offset).0;
    let text = source.text_at(offset).lines().next().map(excerpt).unwrap_or_default();
    SkippedLines { count: 0, file: source.name().to_owned(), line, text }
}

/// Cases come one after another: says what to do where times go back between them.
fn of_cases(error: TraceError, format: Format) -> TraceError {
    match format == Format::Xes && error.message.starts_with("timestamp") && error.message.contains("comes after") {
        true => error.hint(
            "cases come one after another: `--reorder all` sorts the events of all cases in memory, and `--map xes` (or \
             split = { field = \"case\" } in a mapping) makes each case a trace of its own",
        ),
        false => error,
    }
}

fn unnamed(format: Format) -> String {
    format!("the mapping says what names the events, but in {} the events have names of their own", format.name())
}

const UNNAMED_HINT: &str = "`name` and `constant` of [input] are for lines, csv, json, logfmt, xes and journald; a table with a header needs header = true";

/// The error of a point that has more bytes on one line than are allowed, found before `offset` of the last window.
#[cold]
fn long_point(source: &Source, offset: usize, options: &ReadOptions) -> TraceError {
    let message = format!("a point has more than {} bytes on this line", options.max_line);
    source.error_at(offset, message).hint("--max-line BYTES allows more; a point may go on over several lines")
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
