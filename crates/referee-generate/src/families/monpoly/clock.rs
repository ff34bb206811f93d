//! Time that follows what a policy has to remember.

/// Time that follows the rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) rows: u64,
    /// How much time passes while `live` rows come.
    span: u64,
    pub(super) live: u64,
    pub(super) now: u64,
}

impl Clock {
    pub(super) fn new(span: u64, live: u64) -> Clock {
        Clock { rows: 0, span, live, now: 0 }
    }

    /// A point begins: its time.
    pub(super) fn strike(&mut self) -> u64 {
        self.now = match self.rows.checked_mul(self.span) {
            Some(product) => product / self.live,
            None => (u128::from(self.rows) * u128::from(self.span) / u128::from(self.live)) as u64,
        };
        self.now
    }
}
