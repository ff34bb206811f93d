//! Tells the story of a generator, event by event, to whoever listens: a sink of events, or a file.

use std::io::Write;
use std::path::Path;

use referee_spec::core::Language;
use referee_trace::error::{Flow, Stop, TraceError};
use referee_trace::event::EventSink;
use referee_trace::format::{Format, PointNotation};
use referee_trace::write::{Foreseen, TraceSink, WriteError};

use crate::check_request::Refusal;
use crate::generator::Generator;
use crate::order::Order;
use crate::random::Random;
use crate::render::{Listener, Renderer, Scribe, Survey, TimePlace, announce};

/// Why a trace is not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The wish cannot be fulfilled.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The trace cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Generator {
    /// Tells a sink the whole trace; all kinds of events are announced first.
    pub fn tell(&self, order: &Order, time_place: TimePlace, sink: &mut impl EventSink) -> Flow {
        announce(self.kinds, self.times, time_place, sink);
        self.narrate(order, &mut Renderer::new(self.kinds, order, time_place, sink))
    }

    /// Tells a listener the whole story.
    fn narrate(&self, order: &Order, listener: &mut impl Listener) -> Flow {
        let mut story = (self.story)(order, Random::new(order.seed));
        // How many events are still to come: those that obey, and those of the point.
        let (mut left, mut of_point) = (order.obeying, 0);
        for number in 1..=order.events {
            if of_point == 0 {
                of_point = order.per_point.min(order.events + 1 - number);
                listener.begin_point(story.begin_point(), of_point)?;
            }
            let row = match order.schedule.step(number) {
                Some(step) => story.breach(step),
                None => {
                    left -= 1;
                    story.obey(left + 1)
                }
            };
            listener.event(&row)?;
            of_point -= 1;
            if of_point == 0 {
                listener.end_point()?;
            }
        }
        Ok(())
    }

    /// The kinds of events of a trace, in the order of their first appearance.
    ///
    /// The story is told until all have appeared, to its end if one never does; telling costs little beside writing.
    fn survey(&self, order: &Order, time_place: TimePlace) -> Vec<Foreseen> {
        let mut survey = Survey::new(self.kinds, order, time_place);
        // It stops by itself where there is nothing more to find.
        let _ = self.narrate(order, &mut survey);
        survey.found
    }

    /// Writes a trace. `spool_directory` is where rows would wait for a header that is not known.
    pub fn write<'w>(
        &self,
        order: &Order,
        format: Format,
        out: impl Write + 'w,
        spool_directory: Option<&Path>,
    ) -> Result<(), GenerateError> {
        let time_place = self.time_place(format)?;
        // Names of fields and the like are left out where a format has none.
        let mut sink = TraceSink::new(format, true, out, spool_directory);
        announce(self.kinds, self.times, time_place, &mut sink);
        if format.description().has_header {
            sink.foresee(&self.survey(order, time_place))?;
        }
        match self.narrate(order, &mut Scribe::new(self.kinds, order, time_place, &mut sink)) {
            Ok(()) | Err(Stop::Enough) => Ok(sink.finish()?),
            Err(Stop::Fault(fault)) => Err(WriteError::Refused(TraceError::new(fault.message)).into()),
        }
    }

    /// Where a format holds the times of this generator.
    fn time_place(&self, format: Format) -> Result<TimePlace, Refusal> {
        let by_point = match format.description().points {
            PointNotation::Fields | PointNotation::Explicit => true,
            // DejaVu has its times among the arguments.
            PointNotation::LineStarts => self.language != Language::Qtl,
            PointNotation::Absent => false,
        };
        let carried = !self.times || by_point;
        match (carried, self.language) {
            (true, _) => Ok(TimePlace::Point),
            (false, Language::Qtl) => Ok(TimePlace::LastArgument),
            (false, _) => Err(Refusal(format!(
                "{} has no place for the times of {}\n  hint: write monpoly or a format with field names, such as csv-named",
                format.name(),
                self.name
            ))),
        }
    }
}
