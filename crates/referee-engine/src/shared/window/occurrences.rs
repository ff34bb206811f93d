//! When something happened, and how far apart things were, within a time window that ends now.
//!
//! A window of length K at time t holds the times in (t − K, t].

use std::collections::VecDeque;

use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::window::Sum;

/// The times at which something happened.
///
/// Where only so many matter, no more are kept: of a bound of 3, the last four occurrences tell all.
#[derive(Debug, Clone)]
pub(crate) struct Occurrences {
    window: Number,
    most: usize,
    times: VecDeque<Number>,
}

impl Occurrences {
    /// A window of this length, of which at most so many occurrences are counted.
    pub(crate) fn new(window: Number, most: usize) -> Occurrences {
        Occurrences { window, most: most.max(1), times: VecDeque::new() }
    }

    /// It happens now.
    pub(crate) fn enter(&mut self, now: Number) {
        self.expire(&now);
        if self.times.len() == self.most {
            self.times.pop_front();
        }
        self.times.push_back(now);
    }

    /// Drops what is too old at this time.
    pub(crate) fn expire(&mut self, now: &Number) {
        while self.times.front().is_some_and(|time| now.sub(time) >= self.window) {
            self.times.pop_front();
        }
    }

    /// How often it happened in the window that ends now, as far as it is counted.
    pub(crate) fn count(&mut self, now: &Number) -> usize {
        self.expire(now);
        self.times.len()
    }

    /// How often it happened in the richest of the stretches of this length that end now, one stretch ago, and so on. The
    /// search jumps from stretch to stretch over those that are empty: O(log n) for each that is not.
    pub(crate) fn richest(&mut self, now: &Number, stretch: &Number) -> usize {
        self.expire(now);
        let (mut richest, mut end) = (0, self.times.len());
        while let Some(newest) = end.checked_sub(1).and_then(|last| self.times.get(last)) {
            if end <= richest {
                break;
            }
            let Some(index) = now.sub(newest).div_trunc(stretch) else { break };
            let reach = index.add(&Number::Int(1)).mul(stretch);
            let start = self.times.partition_point(|time| now.sub(time) >= reach);
            richest = richest.max(end - start);
            end = start;
        }
        richest
    }

    /// Writes the times that are kept.
    pub(crate) fn save(&self, out: &mut Writer) {
        out.exacts(self.times.iter());
    }

    /// Reads what [`Occurrences::save`] wrote.
    pub(crate) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        self.times = reader.list(Reader::exact)?.into();
        Ok(())
    }

    /// The times that are kept, oldest first.
    pub(crate) fn times(&self) -> impl DoubleEndedIterator<Item = &Number> + ExactSizeIterator {
        self.times.iter()
    }
}

/// The distances from each occurrence of one thing to the first later occurrence of another.
#[derive(Debug, Clone)]
pub(crate) struct Distances {
    window: Number,
    /// When the first thing happened, and how much later the second did.
    pairs: VecDeque<(Number, Number)>,
    sum: Sum,
    /// When the first thing happened without the second since.
    waiting: VecDeque<Number>,
}

impl Distances {
    /// Pairs whose first occurrence lies in a window of this length.
    pub(crate) fn new(window: Number) -> Distances {
        Distances { window, pairs: VecDeque::new(), sum: Sum::default(), waiting: VecDeque::new() }
    }

    /// What happens now: the first thing, the second thing, both or none.
    pub(crate) fn enter(&mut self, now: &Number, first: bool, second: bool) {
        if second {
            for start in self.waiting.drain(..) {
                let distance = now.sub(&start);
                self.sum.add(&distance);
                self.pairs.push_back((start, distance));
            }
        }
        if first {
            self.waiting.push_back(now.clone());
        }
        if first || second {
            self.expire(now);
        }
    }

    /// Drops what is too old at this time.
    pub(crate) fn expire(&mut self, now: &Number) {
        while let Some((start, distance)) = self.pairs.front()
            && now.sub(start) >= self.window
        {
            self.sum.remove(distance);
            self.pairs.pop_front();
        }
        while self.waiting.front().is_some_and(|start| now.sub(start) >= self.window) {
            self.waiting.pop_front();
        }
    }

    /// Writes pairs and what waits.
    pub(crate) fn save(&self, out: &mut Writer) {
        out.length(self.pairs.len());
        for (start, distance) in &self.pairs {
            out.exact(start);
            out.exact(distance);
        }
        out.exacts(self.waiting.iter());
    }

    /// Reads what [`Distances::save`] wrote, where there was nothing.
    pub(crate) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        self.pairs = reader.list(|reader| Ok((reader.exact()?, reader.exact()?)))?.into();
        self.pairs.iter().for_each(|(_, distance)| self.sum.add(distance));
        self.waiting = reader.list(Reader::exact)?.into();
        Ok(())
    }

    /// How many pairs there are at this time, and the sum of their distances.
    pub(crate) fn total(&mut self, now: &Number) -> (usize, Number) {
        self.expire(now);
        (self.pairs.len(), self.sum.value())
    }

    /// How many occurrences are kept.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len() + self.waiting.len()
    }

    /// The pairs that are kept, oldest first: when the first thing happened, and how much later the second did.
    pub(crate) fn pairs(&self) -> impl DoubleEndedIterator<Item = &(Number, Number)> + ExactSizeIterator {
        self.pairs.iter()
    }
}
