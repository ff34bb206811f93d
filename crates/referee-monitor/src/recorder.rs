//! Writes what a monitored program does as a trace that `check` reads.

use std::io;
use std::path::Path;

use referee_trace::error::Stop;
use referee_trace::event::{Argument, Event, EventShape, EventSink, Point};
use referee_trace::format::Format;
use referee_trace::number::Number;
use referee_trace::raw::ShapeId;
use referee_trace::write::TraceSink;

/// A trace that is being written.
pub(crate) struct Recorder {
    sink: TraceSink<'static>,
    /// Whether the format has names of arguments; in others they are numbered, which is how it is read.
    names_fields: bool,
    /// Why no more is written.
    failure: Option<String>,
}

impl Recorder {
    /// Writes to `out` in the format that the extension of `name` tells, else in the abstract one.
    pub(crate) fn new(name: &str, out: Box<dyn io::Write>) -> Recorder {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::of_extension).unwrap_or(Format::Abstract);
        Recorder { sink: TraceSink::new(format, false, out, None), names_fields: format.names_fields(), failure: None }
    }

    /// A shape comes for the first time.
    pub(crate) fn shape(&mut self, id: ShapeId, shape: &EventShape) {
        let numbered = |place: usize| Argument { name: place.to_string().into(), declared: None };
        if self.names_fields {
            self.sink.shape(id, shape);
        } else {
            let arguments = (1..=shape.arguments.len()).map(numbered).collect();
            self.sink.shape(id, &EventShape { name: shape.name.clone(), arguments, positional: shape.positional });
        }
    }

    /// Writes a point with one event.
    pub(crate) fn event(&mut self, number: u64, time: Option<&Number>, shape: ShapeId, arguments: &[&str]) {
        if self.failure.is_some() {
            return;
        }
        let point = Point { trace: 1, number, time };
        match self.sink.single_event(point, Event { shape, arguments, number, offset: 0 }) {
            Ok(()) => {}
            Err(Stop::Enough) => self.failure = Some(String::new()),
            Err(Stop::Fault(fault)) => self.failure = Some(fault.message.clone()),
        }
    }

    /// Completes the file; says what went wrong.
    pub(crate) fn finish(self) -> Result<(), String> {
        let Recorder { sink, failure, .. } = self;
        sink.finish().map_err(|error| error.to_string())?;
        failure.map_or(Ok(()), Err)
    }
}
