//! Makes a judge anew that once remembered much more than it does now, so that its tables, indexes and queues are small again.
//!
//! ```text
//!   rows   1,000,000 at most ─▶ 90,000 now ─▶ save ─▶ bytes ─▶ load into a new judge ─▶ the old one goes, with all its room
//! ```
//!
//! No table has to know how to shrink: what is saved has no room in it. It costs one pass over the rows that are left, after seven times
//! as many were taken out. Rows are counted now and then only.

use std::sync::Arc;

use referee_spec::core::Rule;

use super::judging::Session;
use super::late_judge::LateJudge;
use crate::dispatch::AssignedJudge;
use crate::judge::{Judge, Reader, Writer};

impl Session {
    /// Counts rows if it is time to, and makes judges anew that have few left.
    #[inline]
    pub(super) fn compact_if_due(&mut self) {
        if self.peaks.is_due(self.point) {
            self.compact();
        }
    }

    #[cold]
    fn compact(&mut self) {
        self.peaks.count_at(self.point);
        for at in 0..self.judges.len() {
            let rows = self.judges[at].judge.sizes().iter().map(|size| size.rows).sum();
            if self.peaks.has_much_room(at, rows) && self.remake(at) {
                self.peaks.restart(at);
            }
        }
    }

    /// Puts a new judge with the same state into the place of one; whether there is one.
    fn remake(&mut self, at: usize) -> bool {
        let Session { judges, rules, settings, values, shapes, .. } = self;
        let mut state = Writer::default();
        if judges[at].judge.save(values, &mut state).is_err() {
            return false;
        }
        let own: Vec<Arc<Rule>> = judges[at].rules.iter().map(|rule| rules[*rule].clone()).collect();
        let Ok([AssignedJudge { mut judge, .. }]) = <[AssignedJudge; 1]>::try_from((self.make)(&own, settings)) else {
            return false;
        };
        if self.begun_after[at] > 0 {
            judge = Box::new(LateJudge::new(judge, self.begun_after[at])) as Box<dyn Judge>;
        }
        for shape in shapes.iter() {
            judge.shape(&shape, values);
        }
        let mut reader = Reader::new(state.as_bytes());
        let is_loaded = judge.load(values, &mut reader).is_ok() && reader.is_done();
        if is_loaded {
            judges[at].judge = judge;
        }
        is_loaded
    }
}
