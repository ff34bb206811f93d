//! How `check` reads its traces.

use std::fs::Metadata;
use std::path::PathBuf;

use referee_spec::core::Language;
use referee_trace::abstraction::{Ties, TimeField};
use referee_trace::event::EventSink;
use referee_trace::format::Format;
use referee_trace::mapping::{Mapping, Unit};
use referee_trace::points::{Batcher, Done, PointSink};
use referee_trace::reader::{self, ReadOptions, Summary};
use referee_trace::signature::Signature;

use super::args::CheckArgs;
use crate::failure::Failure;
use crate::input::{self, ReadArgs};

/// What is given beside specifications and traces. Each is read once: it may come through a pipe.
pub(super) struct Given {
    /// The mapping that `--map` names.
    pub mapping: Option<Mapping>,
    /// The signature that `--signature` names.
    pub signature: Option<Signature>,
}

impl Given {
    /// Reads what the command line names.
    pub(super) fn load(args: &CheckArgs) -> Result<Given, Failure> {
        Ok(Given { mapping: args.read.mapping()?, signature: signature(args)? })
    }

    /// The unit of the trace's times.
    pub(super) fn unit(&self) -> Unit {
        self.mapping.as_ref().map_or(Unit::Second, Mapping::unit)
    }

    /// Whether the input may have several traces.
    pub(super) fn splits(&self) -> bool {
        self.mapping.as_ref().is_some_and(Mapping::splits)
    }
}

fn signature(args: &CheckArgs) -> Result<Option<Signature>, Failure> {
    let Some(path) = &args.signature else { return Ok(None) };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Other(format!("{name}: the signature cannot be read: {error}")))?;
    Ok(Some(Signature::parse(&text).map_err(|error| error.in_file(name))?))
}

/// How a language reads traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    time: TimeField,
    /// The mapping that is used where none is given.
    mapping: Option<&'static str>,
    /// Whether equal times are an error.
    increasing: bool,
}

impl Reading {
    /// How a language reads traces; `timed` where they are timed DejaVu traces.
    pub(crate) fn of(language: Language, timed: bool) -> Reading {
        Reading {
            time: language.time_field(timed),
            mapping: language.built_in_mapping(),
            increasing: language.wants_increasing_times(),
        }
    }
}

/// The reader's options for rules that read traces in this way.
pub(super) fn read_options(args: &CheckArgs, given: &Given, reading: Reading) -> ReadOptions {
    let mut options = options_as_judged(&args.read, given.mapping.clone(), reading, args.merge);
    options.meaning.signature = given.signature.clone();
    options
}

/// The options by which rules that read traces in this way see events: all commands take them from here.
pub(crate) fn options_as_judged(
    read: &ReadArgs,
    mapping: Option<Mapping>,
    reading: Reading,
    merge: bool,
) -> ReadOptions {
    let usual = || reading.mapping.and_then(|name| Mapping::load(name).ok()).unwrap_or_default();
    let mut options = read.options(mapping.unwrap_or_else(usual), reading.time);
    options.meaning.ties = match (merge, reading.increasing) {
        (true, _) => Ties::Merged,
        (false, true) => Ties::Refused,
        (false, false) => Ties::Apart,
    };
    options
}

/// Whether the traces are timed DejaVu traces: `--timed` says so, or a name that contains `.timed.`.
pub(super) fn is_timed(args: &CheckArgs) -> bool {
    args.timed || are_marked_timed(&args.traces)
}

/// Whether a name says that its trace is a timed DejaVu trace.
pub(crate) fn are_marked_timed(traces: &[PathBuf]) -> bool {
    traces.iter().any(|path| path.to_string_lossy().contains(".timed."))
}

/// From how many bytes on two threads pay.
const LARGE: u64 = 8 << 20;

/// On how many threads the trace is read and judged. Only files are read on a thread of their own; large ones are without
/// `--threads`, too.
pub(super) fn threads(args: &CheckArgs) -> usize {
    let sizes = args.traces.iter().map(|path| std::fs::metadata(path).ok().filter(Metadata::is_file));
    let size: Option<u64> = sizes.map(|about| about.map(|about| about.len())).sum();
    match (size.filter(|_| args.inline.is_none()), args.threads) {
        (None, _) => 1,
        (Some(_), Some(threads)) => usize::from(threads),
        (Some(size), None) if size >= LARGE => {
            std::thread::available_parallelism().map_or(1, |cores| cores.get().min(2))
        }
        (Some(_), None) => 1,
    }
}

/// What is read as a trace.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input<'a> {
    /// A text of the command line.
    Inline(&'a str),
    /// Files, one after the other.
    Files(&'a [PathBuf]),
}

impl<'a> Input<'a> {
    /// What the command line says.
    pub(super) fn of(args: &'a CheckArgs) -> Input<'a> {
        args.inline.as_deref().map_or(Input::Files(&args.traces), Input::Inline)
    }
}

/// Reads a trace and hands it to a sink, all on this thread.
pub(super) fn read_here<S: PointSink>(
    input: Input<'_>,
    options: &ReadOptions,
    sink: S,
) -> Done<Result<Summary, Failure>> {
    let mut batcher = Batcher::new(sink);
    let read = inline_or_files(input, options, &mut batcher);
    let flow = batcher.finish();
    Done { read, flow, amount: batcher.amount() }
}

/// Reads a trace into a sink.
pub(super) fn inline_or_files<E: EventSink>(
    input: Input<'_>,
    options: &ReadOptions,
    sink: &mut E,
) -> Result<Summary, Failure> {
    Ok(match input {
        Input::Inline(text) => {
            let format = options.format.unwrap_or(Format::Abstract);
            let options = ReadOptions { format: Some(format), ..options.clone() };
            let text = std::io::Cursor::new(text.to_owned().into_bytes());
            reader::read_stream("--inline", text, &options, sink)?
        }
        Input::Files(paths) => input::read(paths, options, sink)?,
    })
}
