//! Traces of any size whose verdict is known beforehand.
//!
//! ```text
//!  Request ─▶ Order ─▶ tell ── obey(left) or breach(step) ─▶ Story
//!             checked   │ ◀──────────── Row ─────────────────┘
//!                       ├▶ Scribe ─▶ TraceSink: a file
//!                       └▶ Renderer ─▶ EventSink: a monitor, a trace in memory
//! ```
//!
//! A *story* knows one property. It tells events one by one, keeps what it needs to tell the next one and nothing else,
//! and takes all chance from a seed, in integers: the same wish gives the same bytes on every machine. Where the
//! property breaks is decided by the *schedule*, not by the story: either one breach, whose breaking event is the one
//! with number ⌈share × events⌉, or a share of all events, spread evenly. A story only promises that `obey` never breaks the
//! property and that `breach` always does, at one known step, whatever came before.
//!
//! Each generator carries the specification that its traces are made for; the tests judge them with it.

mod atm;
mod automata;
mod crv16;
mod dejavu;
mod junitrv;
mod lives;
pub mod machine;
mod monpoly;
mod obligations;
pub(crate) mod random;
mod render;
mod request;
mod rithm;
mod share;
mod story;
mod suite;

use std::io::Write;
use std::path::Path;

use referee_spec::core::Language;
use referee_trace::error::{Flow, Stop, TraceError};
use referee_trace::event::EventSink;
use referee_trace::format::Format;
use referee_trace::write::{Foreseen, TraceSink, WriteError};

pub use render::TimePlace;
pub use request::{Order, Request, Schedule, Values, Verdict};
pub use share::Share;
pub use story::{Content, Kind, Row, Story};

use random::Random;
use render::{Listener, Renderer, Scribe, Survey, announce};

/// Makes traces for one property.
#[derive(Debug)]
pub struct Generator {
    /// Its name on the command line.
    pub name: &'static str,
    /// What its property says, in one line.
    pub about: &'static str,
    /// The language of the specification.
    pub language: Language,
    /// The specification that its traces are made for.
    pub specification: &'static str,
    /// How many events a trace has unless told otherwise.
    pub events: u64,
    /// How many events a satisfied trace can have.
    pub sizes: Sizes,
    /// The format it is written in unless told otherwise.
    pub format: Format,
    /// Whether points have times.
    pub times: bool,
    /// The kinds of events.
    pub kinds: &'static [Kind],
    /// How its property is broken.
    pub breach: Breach,
    /// The variant with times, where there is one.
    pub timed: Option<&'static Generator>,
    /// Begins a story.
    story: fn(&Order, Random) -> Box<dyn Story>,
}

/// How many events a trace can have that obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// So many at least.
    pub least: u64,
    /// And a multiple of this.
    pub multiple_of: u64,
}

impl Sizes {
    /// Any number of events, and none at all.
    pub const ANY: Sizes = Sizes { least: 0, multiple_of: 1 };
}

/// How a property is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// Once, by an event that needs others around it.
    Once {
        /// How many must come right before it.
        before: u64,
        /// How many follow to tidy up.
        after: u64,
    },
    /// By as many single events as are asked for.
    Spread,
}

/// A wish that cannot be fulfilled, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

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

/// All generators, family by family.
pub fn all() -> impl Iterator<Item = &'static Generator> {
    let families = [dejavu::ALL, rithm::ALL, monpoly::ALL, junitrv::ALL, crv16::ALL, atm::ALL, automata::ALL];
    let described = lives::ALL.iter().copied();
    families.into_iter().chain(described).chain([machine::ALL, suite::ALL]).flatten()
}

/// The generator with this name.
pub fn find(name: &str) -> Option<&'static Generator> {
    all().find(|generator| generator.name == name)
}

impl Generator {
    /// The generator that answers a request: this one or its variant with times.
    pub fn variant(&'static self, request: &Request) -> Result<&'static Generator, Refusal> {
        match (request.timed, self.timed) {
            (false, _) => Ok(self),
            (true, Some(timed)) => Ok(timed),
            (true, None) => Err(Refusal(format!("{} does not take --timed: it has one form only", self.name))),
        }
    }

    /// Checks and completes a request to this variant.
    pub fn order(&self, request: &Request) -> Result<Order, Refusal> {
        Order::new(self, request)
    }

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
        if format == Format::Csv {
            sink.foresee(&self.survey(order, time_place))?;
        }
        match self.narrate(order, &mut Scribe::new(self.kinds, order, time_place, &mut sink)) {
            Ok(()) | Err(Stop::Enough) => Ok(sink.finish()?),
            Err(Stop::Fault(fault)) => Err(WriteError::Refused(TraceError::new(fault.message)).into()),
        }
    }

    /// Where a format holds the times of this generator.
    fn time_place(&self, format: Format) -> Result<TimePlace, Refusal> {
        let by_point = format == Format::Monpoly || (format == Format::Abstract && self.language != Language::Qtl);
        let carried = !self.times || format.names_fields() || by_point;
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
