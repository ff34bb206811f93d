//! Gives values back to which nobody refers.
//!
//! ```text
//!   a batch was judged ─▶ so many texts that it pays? ─▶ all judges mark what they keep ─▶ the others go, some after each batch
//! ```
//!
//! What a judge saves is what it refers to, so marking is saving without bytes. See [`referee_trace::values`] for what becomes of the
//! values, and [`Judge::mark`](crate::judge::Judge::mark) for what judges have to see to. A session that gives reasons keeps the
//! whole trace anyway and gives nothing back.

use referee_trace::values::LiveValues;

use super::judging::Session;

impl Session {
    /// Goes on giving back values to which no rule refers, if there are so many that it pays: between two batches. Values from
    /// [`Session::text`] and [`Session::value`] stay, and so do those that `keeps` marks for the caller.
    #[inline]
    pub fn reclaim_values(&mut self, keeps: impl FnOnce(&mut LiveValues)) {
        self.compact_if_due();
        if self.values.is_collecting() {
            self.values.sweep();
        } else if self.values.is_collection_due() {
            self.begin_to_reclaim(keeps);
        }
    }

    /// Gives back all values to which no rule refers, however few they are.
    pub fn reclaim_all_values(&mut self, keeps: impl FnOnce(&mut LiveValues)) {
        while self.values.is_collecting() && !self.values.sweep() {}
        self.begin_to_reclaim(keeps);
        while self.values.is_collecting() && !self.values.sweep() {}
    }

    #[cold]
    fn begin_to_reclaim(&mut self, keeps: impl FnOnce(&mut LiveValues)) {
        match self.live_values(keeps) {
            Some(live) => self.values.begin_collection(&live),
            None => self.values.give_up_collecting(),
        }
    }

    /// The values to which somebody refers, unless nobody can tell.
    fn live_values(&mut self, keeps: impl FnOnce(&mut LiveValues)) -> Option<LiveValues> {
        if self.settings.witness {
            return None;
        }
        let Session { judges, values, batch, .. } = self;
        let mut live = LiveValues::default();
        judges.iter_mut().try_for_each(|own| own.judge.mark(values, &mut live)).ok()?;
        let waiting = batch.iter().collect::<Vec<_>>();
        for (_, arguments) in waiting.iter().flat_map(|point| point.events()) {
            arguments.iter().for_each(|atom| live.mark(*atom));
        }
        keeps(&mut live);
        Some(live)
    }
}
