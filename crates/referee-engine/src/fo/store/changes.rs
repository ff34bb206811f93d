//! What has changed at a point.
//!
//! ```text
//!   T3   7 x | 8 y      the keys of rows that came or went, one after the other, for those who go by what changes
//!   T5   1 2
//!   at   T3, T5         the views that have some, so that the next point forgets them alone
//! ```
use crate::fo::types::ViewId;

/// The keys of rows that changed at a point, by view.
#[derive(Debug)]
pub(crate) struct Changes {
    keys: Vec<Vec<u64>>,
    tracked: Vec<bool>,
    /// The views that have some, each once.
    at: Vec<ViewId>,
}

impl Changes {
    /// None yet; `tracked` says which views tell what changes.
    pub(crate) fn new(tracked: Vec<bool>) -> Changes {
        Changes { keys: vec![Vec::new(); tracked.len()], tracked, at: Vec::new() }
    }

    /// Whether there are any.
    #[inline(always)]
    pub(crate) fn is_any(&self) -> bool {
        !self.at.is_empty()
    }

    /// Whether a view has some.
    #[inline(always)]
    pub(crate) fn has(&self, view: ViewId) -> bool {
        !self.keys[view].is_empty()
    }

    /// The keys of a view, one after the other; a word that nobody reads for each row without columns.
    #[inline(always)]
    pub(crate) fn of(&self, view: ViewId) -> &[u64] {
        &self.keys[view]
    }

    /// Notes that the row with a key has changed, if its view tells that.
    #[inline(always)]
    pub(crate) fn note(&mut self, view: ViewId, key: &[u64]) {
        if self.tracked[view] {
            self.note_any(view, key);
        }
    }

    /// Notes that the row with a key has changed.
    pub(crate) fn note_any(&mut self, view: ViewId, key: &[u64]) {
        let keys = &mut self.keys[view];
        if keys.is_empty() {
            self.at.push(view);
        }
        keys.extend_from_slice(if key.is_empty() { &[0] } else { key });
    }

    /// Forgets all.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        if self.is_any() {
            self.at.drain(..).for_each(|view| self.keys[view].clear());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_can_be_noted_again() {
        let mut changes = Changes::new(vec![true, false, true]);
        for _ in 0..2 {
            assert!(!changes.is_any());
            changes.note(1, &[5]);
            assert!(!changes.is_any() && !changes.has(1));
            changes.note(0, &[]);
            changes.note(2, &[7, 8]);
            changes.note(0, &[]);
            changes.note_any(1, &[5]);
            assert_eq!((changes.of(0), changes.of(1), changes.of(2)), (&[0, 0][..], &[5][..], &[7, 8][..]));
            changes.clear();
            assert!((0..3).all(|view| !changes.has(view)));
        }
    }
}
