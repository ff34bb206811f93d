//! The times of the points that may still be reported.
//!
//! A finding tells the time of its point, which may lie long before the one that decides it. So the times of those points are kept
//! on which a judge's verdict is open, and that of the newest, which the end may be reported for. They lie in the order of their
//! points; when there are twice as many as were open when it was looked last, those that are no longer open go.

use std::collections::VecDeque;

use referee_engine::session::Session;
use referee_trace::number::Number;

/// So many are kept without a look at them.
const GRANTED: usize = 64;

/// What a state's note begins with that has times.
const MARK: &str = "times of open points";

/// The times of points that may be reported.
#[derive(Default)]
pub(crate) struct OpenTimes {
    rows: VecDeque<(u64, Number)>,
    limit: usize,
    newest: Option<(u64, Number)>,
}

impl OpenTimes {
    /// Another trace begins.
    pub(crate) fn clear(&mut self) {
        *self = OpenTimes::default();
    }

    /// Takes the time of the newest point, which has been judged.
    pub(crate) fn add(&mut self, time: &Number, session: &Session) {
        let point = session.position();
        self.newest = Some((point, time.clone()));
        if !is_open(session, point) {
            return;
        }
        if self.rows.len() > self.limit.max(GRANTED) {
            self.rows.retain(|(point, _)| is_open(session, *point));
            self.limit = 2 * self.rows.len();
        }
        self.rows.push_back((point, time.clone()));
    }

    /// The time of a point, where it is known.
    pub(crate) fn of(&self, point: u64) -> Option<&Number> {
        let newest = self.newest.iter().find(|(own, _)| *own == point).map(|(_, time)| time);
        newest.or_else(|| {
            let at = self.rows.binary_search_by_key(&point, |(own, _)| *own).ok()?;
            Some(&self.rows[at].1)
        })
    }

    /// The times as a note that a saved state carries.
    pub(crate) fn note(&self, session: &Session) -> String {
        let mut note = MARK.to_owned();
        let open = self.rows.iter().filter(|(point, _)| is_open(session, *point));
        let newest = self.newest.iter().filter(|(point, _)| !is_open(session, *point));
        for (point, time) in open.chain(newest) {
            note += &format!("\n{point} {time}");
        }
        note
    }

    /// The times in the note of a state; those of another program's state are not known.
    pub(crate) fn read(note: &[u8]) -> OpenTimes {
        let text = std::str::from_utf8(note).unwrap_or_default();
        let rows = text.strip_prefix(MARK).unwrap_or_default().lines().filter_map(|line| {
            let (point, time) = line.split_once(' ')?;
            Some((point.parse().ok()?, Number::read_back(time)?))
        });
        let mut rows: VecDeque<(u64, Number)> = rows.collect();
        rows.make_contiguous().sort_by_key(|(point, _)| *point);
        OpenTimes { newest: rows.back().cloned(), limit: 2 * rows.len(), rows }
    }
}

fn is_open(session: &Session, point: u64) -> bool {
    session.judges().iter().any(|own| own.judge.is_open(point))
}
