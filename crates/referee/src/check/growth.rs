//! Whether what a rule remembers grows with the log: a warning while there is memory left.
//!
//! ```text
//!   points   524,288 ─▶ rows 500,000      1,048,576 ─▶ rows 1,000,000: twice the log, twice the rows ─▶ warning
//! ```
//!
//! Rows are counted each time when twice as many points have passed, so that counting costs nothing beside judging.

use referee_engine::judge::Size;

/// After so many points rows are counted for the first time.
const FIRST: u64 = 1 << 19;
/// So many rows of a rule are no reason to warn.
const FEW: usize = 1 << 19;

/// How many rows there were when they were counted last.
#[derive(Debug)]
pub(super) struct Growth {
    next: u64,
    /// By rule.
    rows: Vec<usize>,
    is_told: Vec<bool>,
}

/// A rule that remembers the more the longer the log is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GrowingRule {
    /// Its number.
    pub rule: usize,
    /// How many rows it has.
    pub rows: usize,
    /// What most of them are kept for.
    pub purpose: String,
}

impl Growth {
    /// Of so many rules, before the first point.
    pub(super) fn new(rules: usize) -> Growth {
        Growth { next: FIRST, rows: vec![0; rules], is_told: vec![false; rules] }
    }

    /// Whether rows should be counted after this point.
    pub(super) fn is_due(&self, point: u64) -> bool {
        point >= self.next
    }

    /// The rules that have become ever larger, each told once.
    pub(super) fn look(&mut self, point: u64, sizes: &[Size]) -> Vec<GrowingRule> {
        self.next = 2 * point;
        let mut growing = Vec::new();
        for rule in 0..self.rows.len() {
            let own = sizes.iter().filter(|size| size.rule == rule);
            let rows: usize = own.clone().map(|size| size.rows).sum();
            let before = std::mem::replace(&mut self.rows[rule], rows);
            let grows = before > 0 && rows >= FEW && rows >= before + before / 2;
            if let (true, false, Some(most)) = (grows, self.is_told[rule], own.max_by_key(|size| size.rows)) {
                self.is_told[rule] = true;
                growing.push(GrowingRule { rule, rows, purpose: most.purpose.clone() });
            }
        }
        growing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rule: usize, rows: usize) -> Size {
        Size { rule, purpose: format!("rows of {rule}"), rows }
    }

    #[test]
    fn who_grows_is_told_once() {
        let mut growth = Growth::new(2);
        assert!(!growth.is_due(FIRST - 1) && growth.is_due(FIRST));
        assert_eq!(growth.look(FIRST, &[size(0, FEW), size(1, FEW)]), []);
        assert!(!growth.is_due(2 * FIRST - 1));
        let found = growth.look(2 * FIRST, &[size(0, 2 * FEW), size(1, FEW + 7)]);
        assert_eq!(found, [GrowingRule { rule: 0, rows: 2 * FEW, purpose: "rows of 0".to_owned() }]);
        assert_eq!(growth.look(4 * FIRST, &[size(0, 4 * FEW), size(1, FEW)]), []);
    }

    #[test]
    fn few_rows_are_no_matter() {
        let mut growth = Growth::new(1);
        growth.look(FIRST, &[size(0, 10)]);
        assert_eq!(growth.look(2 * FIRST, &[size(0, 1000)]), []);
    }
}
