//! Keeps the least or greatest of what is in a window.
//!
//! ```text
//!   5 3 8 4 6   greatest: 8 6       an entry that a later one equals or exceeds will never be the answer
//! ```
//!
//! Entries carry the stamp (a time, a number) at which they entered; those in the queue are ordered both by stamp and by
//! value, so the answer is the first one. Cost: amortised O(1) per entry.

use std::cmp::Ordering;
use std::collections::VecDeque;

/// The first entry, in one order of values, of a window.
#[derive(Debug, Clone)]
pub(crate) struct Extreme<S, V> {
    wanted: Ordering,
    entries: VecDeque<(S, V)>,
}

impl<S: PartialOrd, V: Ord> Extreme<S, V> {
    /// The least of a window.
    pub(crate) fn least() -> Self {
        Extreme { wanted: Ordering::Less, entries: VecDeque::new() }
    }

    /// The greatest of a window.
    pub(crate) fn greatest() -> Self {
        Extreme { wanted: Ordering::Greater, entries: VecDeque::new() }
    }

    /// A value enters, no earlier than those before it.
    #[inline]
    pub(crate) fn enter(&mut self, stamp: S, value: V) {
        while self.entries.back().is_some_and(|(_, last)| last.cmp(&value) != self.wanted) {
            self.entries.pop_back();
        }
        self.entries.push_back((stamp, value));
    }

    /// What entered at this stamp or before leaves.
    #[inline]
    pub(crate) fn leave(&mut self, stamp: &S) {
        while self.entries.front().is_some_and(|(entered, _)| entered <= stamp) {
            self.entries.pop_front();
        }
    }

    /// The answer; nothing if the window is empty.
    #[inline]
    pub(crate) fn value(&self) -> Option<&V> {
        self.entries.front().map(|(_, value)| value)
    }

    /// The same with other values, which must be in the same order.
    pub(crate) fn map<W>(self, value: impl Fn(V) -> W) -> Extreme<S, W> {
        let entries = self.entries.into_iter().map(|(stamp, one)| (stamp, value(one))).collect();
        Extreme { wanted: self.wanted, entries }
    }

    /// The entries that are kept, oldest first.
    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = &(S, V)> {
        self.entries.iter()
    }

    /// How many entries are kept.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_that_of_the_window() {
        let values = [5, 3, 8, 4, 4, 6, -2, 7, 7, 1];
        let (mut least, mut greatest) = (Extreme::least(), Extreme::greatest());
        for (now, value) in values.into_iter().enumerate() {
            least.enter(now, value);
            greatest.enter(now, value);
            if let Some(gone) = now.checked_sub(3) {
                least.leave(&gone);
                greatest.leave(&gone);
            }
            let window = &values[now.saturating_sub(2)..=now];
            assert_eq!(least.value(), window.iter().min());
            assert_eq!(greatest.value(), window.iter().max());
        }
        assert!(least.len() <= 3);
        least.leave(&9);
        assert!(least.len() == 0 && least.value().is_none());
    }
}
