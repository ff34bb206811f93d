//! Demonstrations as tools get them: in the format of the package's trace.
//!
//! ```text
//!  text, abstract or MonPoly's ─┐              ┌─ same format: as it is
//!  file, in any format ─────────┴─▶ events ────┴─ else: named by the declared fields ─▶ TraceSink ─▶ bytes
//! ```
//!
//! No mapping is applied: what is handed in is the log, and tools map it themselves, as they do with the trace.

use referee_trace::error::TraceError;
use referee_trace::format::Format;
use referee_trace::owned::{Collect, OwnedEvent, OwnedTrace, read_text};
use referee_trace::reader::{self, ReadOptions};
use referee_trace::write::TraceSink;

use super::document::Demonstration;
use super::model::{Package, Trace};

/// Reads a short text: MonPoly's if it begins with `@`, else abstract, else in whatever format it looks like.
pub(crate) fn read_short(
    text: &str,
    options: impl Fn(Option<Format>) -> ReadOptions,
) -> Result<Vec<OwnedTrace>, TraceError> {
    let format = if text.trim_start().starts_with('@') { Format::Monpoly } else { Format::Abstract };
    let read = |format| read_text("trace", text, &options(format));
    read(Some(format)).or_else(|error| read(None).map_err(|_| error))
}

impl Package {
    /// A demonstration as a file in the format of a trace of the package.
    pub fn handed(&self, demonstration: &Demonstration, trace: &Trace) -> Result<Vec<u8>, String> {
        let options = |format| ReadOptions { format, ..ReadOptions::default() };
        let Some(name) = &demonstration.file else {
            let text = demonstration.trace.as_deref().unwrap_or_default();
            let traces = read_short(text, options).map_err(|error| error.to_string())?;
            return self.written(&traces, trace.format);
        };
        let (file, mut events) = (self.path(name), Collect::default());
        let read = reader::read(&[&file], &options(None), &mut events).map_err(|error| error.to_string())?;
        match read.format == Some(trace.format) {
            true => std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display())),
            false => self.written(&events.into_traces(), trace.format),
        }
    }

    fn written(&self, traces: &[OwnedTrace], format: Format) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut sink = TraceSink::new(format, false, &mut bytes, None);
        for trace in traces {
            // Why it stopped comes out when the sink is finished.
            if self.named(trace, format).send(&mut sink).is_err() {
                break;
            }
        }
        sink.finish().map_err(|error| format!("it cannot be written as {}: {error}", format.name()))?;
        Ok(bytes)
    }

    /// The trace with the declared names of its arguments, or without names where the format has none.
    fn named(&self, trace: &OwnedTrace, format: Format) -> OwnedTrace {
        let mut trace = trace.clone();
        for event in trace.points.iter_mut().flat_map(|point| &mut point.events) {
            match format.names_fields() {
                true => self.name_arguments(event),
                false => number_arguments(event),
            }
        }
        trace
    }

    fn name_arguments(&self, event: &mut OwnedEvent) {
        let is_number = |(index, name): (usize, &str)| name.parse() == Ok(index + 1);
        if !event.arguments.iter().map(|argument| &*argument.name).enumerate().all(is_number) {
            return;
        }
        let mut kinds = self.property.events.iter();
        let kind = kinds.find(|kind| *kind.name == *event.name && kind.fields.len() == event.arguments.len());
        for (argument, field) in event.arguments.iter_mut().zip(kind.iter().flat_map(|kind| &kind.fields)) {
            argument.name = field.name.as_str().into();
        }
    }
}

fn number_arguments(event: &mut OwnedEvent) {
    for (index, argument) in event.arguments.iter_mut().enumerate() {
        argument.name = (index + 1).to_string().into();
    }
}
