//! One clock of a context: it runs, stands still or is off.

use referee_spec::core::machine::dates::ClockAct;
use referee_trace::number::Number;

/// How a clock goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Going {
    /// It runs since then.
    Since(Number),
    /// It stands at this.
    At(Number),
    /// It has no value.
    Off,
}

/// A clock of a context.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    /// How it goes.
    pub going: Going,
    /// The first of its delays that is ahead.
    pub next: usize,
    /// How often it was reset, paused or turned off.
    pub touched: u64,
    /// The time of its entry in the queue.
    pub(super) entry: Option<Number>,
}

impl Watch {
    /// A clock that begins to run.
    pub(super) fn new(now: &Number) -> Watch {
        Watch { going: Going::Since(now.clone()), next: 0, touched: 0, entry: None }
    }

    /// Does something with the clock.
    pub(super) fn touch(&mut self, act: ClockAct, now: &Number) {
        self.touched += u64::from(act != ClockAct::Resume);
        match (act, &self.going) {
            (ClockAct::Reset, _) => (self.going, self.next) = (Going::Since(now.clone()), 0),
            (ClockAct::Pause, Going::Since(since)) => self.going = Going::At(now.sub(since)),
            (ClockAct::Resume, Going::At(value)) => self.going = Going::Since(now.sub(value)),
            (ClockAct::Off, _) => self.going = Going::Off,
            _ => {}
        }
    }

    /// When its next timeout comes, if nobody touches it.
    pub(super) fn due(&self, delays: &[Number]) -> Option<Number> {
        match &self.going {
            Going::Since(since) => delays.get(self.next).map(|delay| since.add(delay)),
            _ => None,
        }
    }
}
