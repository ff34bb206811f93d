//! What a pass over a trace that goes on knows beside what every pass knows.
//!
//! ```text
//!  file, read again from its start   1 2 3 4 5 │ 6 7 8 …       numbers are those of the whole trace
//!  judged by an earlier run          ─────────▶│               these points are left out
//! ```

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use referee_engine::session::Session;
use referee_trace::points::{Interest, Points};

use super::state_file::WrittenState;
use super::trace_progress::{InputExtent, InputProgress};
use crate::failure::Failure;

/// A trace that goes on.
pub(super) struct Resumption {
    /// The file that keeps the state.
    path: PathBuf,
    /// How far the input has been read.
    pub progress: InputProgress,
    /// The points up to this one have been judged.
    judged: u64,
    /// The number of the last event of those, where it is known.
    judged_events: Option<u64>,
    /// What is read of events of each shape.
    pub interests: Vec<Interest>,
    /// How often the state is kept, and when it will be next.
    every: Option<(Duration, Option<Instant>)>,
    /// Whether what is read can be read again, so that the state may be kept in the midst of it.
    is_file: bool,
}

impl Resumption {
    /// A trace that goes on from this far.
    pub(super) fn new(
        path: &Path,
        progress: InputProgress,
        interests: Vec<Interest>,
        every: Option<Duration>,
    ) -> Resumption {
        let every = every.map(|every| (every, Instant::now().checked_add(every)));
        let (path, is_file) = (path.to_owned(), false);
        Resumption { path, progress, judged: 0, judged_events: None, interests, every, is_file }
    }

    /// Something is read from its start, and its points up to `judged` have been judged, with the events up to `events`.
    pub(super) fn begin(&mut self, is_file: bool, judged: u64, events: Option<u64>) {
        (self.is_file, self.judged, self.judged_events) = (is_file, judged, events);
    }

    /// The points of a batch that have not been judged; nothing if that is all of it.
    pub(super) fn unjudged(&self, points: &Points) -> Result<Option<Points>, Failure> {
        if points.iter().next().is_none_or(|first| first.number > self.judged) {
            return Ok(None);
        }
        let mut rest = Points::new(points.trace());
        for point in points.iter() {
            let is_new = point.number > self.judged;
            for (index, (shape, arguments)) in point.events().enumerate() {
                let number = point.event_number(index);
                if self.judged_events.is_some_and(|judged| (number > judged) != is_new) {
                    return Err(extended(point.number));
                }
                if is_new {
                    rest.push_event(shape, number, arguments);
                }
            }
            if is_new {
                rest.end_point(point.number, point.time.cloned());
            }
        }
        Ok(Some(rest))
    }

    /// Whether it is time to keep the state.
    pub(super) fn is_due(&self) -> bool {
        let next = self.every.and_then(|(_, next)| next);
        self.is_file && next.is_some_and(|next| next <= Instant::now())
    }

    /// Keeps the state after the last point that was judged, in the midst of what is read, if that can be read again. There is a point
    /// after that one: it will not be extended.
    pub(super) fn keep(&mut self, session: &Session, contexts: &[u8]) -> Result<(), Failure> {
        if !self.is_file {
            return Ok(());
        }
        self.write(session, contexts)?.commit()?;
        if let Some((every, next)) = &mut self.every {
            *next = Instant::now().checked_add(*every);
        }
        Ok(())
    }

    /// Writes the state beside the old one.
    pub(super) fn write(&self, session: &Session, contexts: &[u8]) -> Result<WrittenState, Failure> {
        WrittenState::write(&self.path, session, &self.progress.write(contexts))
    }

    /// How much was read before what is being read.
    pub(super) fn before(&self) -> &InputExtent {
        &self.progress.before
    }
}

fn extended(point: u64) -> Failure {
    Failure::Other(format!(
        "the log has grown in the midst of point {point}, which was judged without the events that it has now\n  \
         hint: judge a log when its last point is whole; put back an earlier state, or begin anew"
    ))
}
