//! How many rows judges had, to tell those that have much room left over.

/// After so many points rows are counted again.
const PERIOD: u64 = 1 << 16;
/// A judge that never had so many rows has little room to give back.
const FEW: usize = 1 << 16;
/// How many times as many rows there must have been.
const MUCH_MORE: usize = 8;

/// The most rows of each judge since it was made.
#[derive(Debug, Default)]
pub(super) struct Peaks {
    /// After which point rows are counted next.
    next: u64,
    rows: Vec<usize>,
}

impl Peaks {
    /// Whether rows should be counted after a point.
    #[inline]
    pub(super) fn is_due(&self, point: u64) -> bool {
        point >= self.next
    }

    /// Rows are counted after this point.
    pub(super) fn count_at(&mut self, point: u64) {
        self.next = point + PERIOD;
    }

    /// A judge has so many rows; whether there were many more.
    pub(super) fn has_much_room(&mut self, judge: usize, rows: usize) -> bool {
        if self.rows.len() <= judge {
            self.rows.resize(judge + 1, 0);
        }
        let peak = &mut self.rows[judge];
        *peak = rows.max(*peak);
        *peak >= FEW && rows < *peak / MUCH_MORE
    }

    /// A judge was made anew.
    pub(super) fn restart(&mut self, judge: usize) {
        self.rows[judge] = 0;
    }
}
