//! What a story has begun and must end before the trace does.

use crate::random::Random;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Begin something.
    Open,
    /// End something that was begun.
    Close,
    /// Neither: nothing is open, and there is no room to begin anything.
    Idle,
}

/// Open obligations, of which never more are open than events are left.
#[derive(Debug, Clone)]
pub(super) struct Obligations<T> {
    open: Vec<T>,
    most: usize,
}

impl<T> Obligations<T> {
    /// None so far, and at most so many at a time.
    pub(super) fn new(most: usize) -> Self {
        Obligations { open: Vec::new(), most }
    }

    /// What to do with the first of `left` events: by chance, as far as there is a choice.
    pub(super) fn turn(&self, left: u64, random: &mut Random) -> Turn {
        let open = self.open.len() as u64;
        let room = open + 2 <= left && self.open.len() < self.most;
        match (open > 0, room) {
            (true, true) => [Turn::Open, Turn::Close][random.index(2)],
            (true, _) => Turn::Close,
            (false, true) => Turn::Open,
            (false, false) => Turn::Idle,
        }
    }

    /// Begins something.
    pub(super) fn open(&mut self, obligation: T) {
        self.open.push(obligation);
    }

    /// Ends something that is open, if anything is.
    pub(super) fn close(&mut self, random: &mut Random) -> Option<T> {
        (!self.open.is_empty()).then(|| self.open.swap_remove(random.index(self.open.len())))
    }
}
