//! What raw events mean: the mapping, which field is the time, and what equal times make of neighbours.

use crate::error::{Fault, Stop};
use crate::mapping::Mapping;
use crate::number::Number;
use crate::signature::Signature;

use super::position::Start;

/// Which field is the time of an event, where the mapping does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TimeField {
    /// A field called `ts`.
    #[default]
    Ts,
    /// A field called `ts`, `time` or `timestamp`, in any case: for languages with time.
    Named,
    /// The last positional field, or one that is named as above: for timed DejaVu.
    LastPositional,
}

/// What becomes of neighbours with equal times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ties {
    /// They are points of their own, if nothing else makes them one.
    #[default]
    Apart,
    /// They are one point.
    Merged,
    /// They are an error: for languages in which times increase strictly.
    Refused,
}

/// Which points must have a time, as a rule measures it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NeededTimes {
    /// None: nothing measures time.
    #[default]
    Nothing,
    /// The first of each trace; later ones without a time have that of the one before.
    First,
    /// All of a trace or none: where there is none, no time passes.
    AllOrNone,
    /// All.
    All,
}

/// Which points must have a time, and for whom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeNeed {
    /// Which points.
    pub times: NeededTimes,
    /// Where something measures time: `policy.mfotl:1:8`.
    pub place: String,
}

impl TimeNeed {
    /// What two need together; the place is that of the stronger need.
    #[must_use]
    pub fn and(self, other: TimeNeed) -> TimeNeed {
        use NeededTimes::{All, AllOrNone, First, Nothing};
        match (self.times, other.times) {
            (_, Nothing) | (All, _) => self,
            (Nothing, _) | (_, All) => other,
            (First, AllOrNone) | (AllOrNone, First) => TimeNeed { times: All, ..self },
            (First, First) | (AllOrNone, AllOrNone) => self,
        }
    }

    /// What is wrong with a point that has no time.
    pub(super) fn missing(&self, offset: usize) -> Stop {
        let message = format!("this event has no time, and {} measures time", self.place);
        Fault::new(offset, message).hint(TIME_HINT).into()
    }

    /// What is wrong with a point that has a time, behind others that have none.
    pub(super) fn unexpected(&self, offset: usize) -> Stop {
        let message = format!("this event has a time, those before it have none, and {} measures time", self.place);
        Fault::new(offset, message).hint(TIME_HINT).into()
    }
}

const TIME_HINT: &str = "give every event a field `ts` with its time (in the format abstract, write `1 @5 start(7)`), or say in a mapping which field it is: \
                         `time = { field = \"…\" }`";

/// What the raw events mean.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    /// From concrete to abstract events.
    pub mapping: Mapping,
    /// Which field is the time, where the mapping does not say.
    pub time: TimeField,
    /// The declared types of arguments.
    pub signature: Option<Signature>,
    /// What becomes of neighbours with equal times.
    pub ties: Ties,
    /// Whether times may go back, as the sink sorts.
    pub unsorted: bool,
    /// Which points must have a time.
    pub need: TimeNeed,
    /// What came before, where a trace goes on. Nothing else may sort or split it then.
    pub start: Option<Start>,
}

/// What is wrong with a time that comes a second time, where times increase strictly.
pub(crate) fn equal_times(time: &Number, offset: usize) -> Stop {
    Fault::new(offset, format!("timestamp {time} comes a second time"))
        .hint("here timestamps must increase; `--merge` makes one point of events with equal timestamps")
        .into()
}
