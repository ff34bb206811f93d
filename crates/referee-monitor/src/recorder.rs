//! Writes what a monitored program does as a trace that `check` reads.

use std::io;
use std::path::Path;

use referee_trace::error::{Flow, Stop};
use referee_trace::event::{Event, EventShape, EventSink, Point};
use referee_trace::format::Format;
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::write::TraceSink;

/// A trace that is being written.
pub(crate) struct Recorder {
    sink: TraceSink<'static>,
    failure: bool,
}

impl Recorder {
    /// Writes to `out` in the format that the extension of `name` tells, else in the abstract one.
    pub(crate) fn new(name: &str, out: Box<dyn io::Write>) -> Recorder {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::of_extension).unwrap_or(Format::Abstract);
        Recorder { sink: TraceSink::new(format, false, out, None), failure: false }
    }

    /// A shape comes for the first time.
    pub(crate) fn shape(&mut self, id: ShapeId, shape: &EventShape) {
        self.sink.shape(id, shape);
    }

    /// Writes a point with one event.
    pub(crate) fn event(&mut self, number: u64, time: Option<&Number>, shape: ShapeId, arguments: &[&str]) {
        if !self.failure {
            let written = self.write(number, time, shape, arguments);
            self.failure = matches!(written, Err(Stop::Enough | Stop::Fault(_)));
        }
    }

    fn write(&mut self, number: u64, time: Option<&Number>, shape: ShapeId, arguments: &[&str]) -> Flow {
        self.sink.single_event(Point { trace: 1, number, time }, Event { shape, arguments, number, offset: 0 })
    }

    /// Completes the file; says what went wrong.
    pub(crate) fn finish(self) -> Result<(), String> {
        self.sink.finish().map_err(|error| error.to_string())
    }
}
