//! A generator: what one property says, and the story that makes traces for it.

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::order::Order;
use crate::random::Random;
use crate::story::{Kind, Story};

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
    pub(crate) story: fn(&Order, Random) -> Box<dyn Story>,
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
