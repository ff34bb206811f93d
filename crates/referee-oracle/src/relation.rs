//! Regular expressions as relations between points.
//!
//! The relation of an expression is the matrix of its truth for every pair of points that the operator can reach,
//! and, where the trace may go on, for one point more, *beyond*, that stands for all later ones. A step leads from
//! the last known point there and from there to itself; whatever arrives there is at best unknown.
//!
//! ```text
//!   R[i][j] = R relates point i to point j
//!   (R S)[i][j] = some m: R[i][m] and S[m][j]
//!   R*[i][j] = i = j, or some m > i: R[i][m] and R*[m][j]      (a round that does not move adds nothing)
//! ```

use std::ops::RangeInclusive;

use referee_spec::core::{Direction, Interval, Regex};

use crate::assignment::Assignment;
use crate::evaluate::Evaluator;
use crate::truth::Truth;

/// The truth for every pair of points, counted from 0.
type Relation = Vec<Vec<Truth>>;

/// How expressions read the trace.
struct Reading<'a> {
    direction: Direction,
    /// The points that matter: reading any others could ask a recursive definition for itself.
    points: RangeInclusive<usize>,
    assignment: &'a Assignment,
}

impl Evaluator<'_> {
    /// Whether an expression relates `point` to one at the right distance, before or after it.
    pub(crate) fn matching(
        &mut self,
        direction: Direction,
        interval: &Interval,
        regex: &Regex,
        point: usize,
        assignment: &Assignment,
    ) -> Truth {
        if self.is_void() {
            return Truth::False;
        }
        let points = match direction {
            Direction::Past => 1..=point,
            Direction::Future if self.ended => point..=self.known,
            Direction::Future => point..=self.known + 1,
        };
        let relation = self.relation(&Reading { direction, points, assignment }, regex);
        let related = |from: usize, to: usize| relation[from - 1][to - 1].clone();
        if direction == Direction::Past {
            let starts = (1..=point).filter(|&start| self.within(interval, start, point));
            return Truth::any(starts.map(|start| related(start, point)));
        }
        let ends = (point..=self.known).filter(|&end| self.within(interval, point, end));
        let known = Truth::any(ends.map(|end| related(point, end)));
        if self.may_go_on(interval, point) { known.or(related(point, self.known + 1)) } else { known }
    }

    fn relation(&mut self, reading: &Reading<'_>, regex: &Regex) -> Relation {
        match regex {
            Regex::Any => self.pairs(reading, |this, from, to| this.steps(from, to)),
            Regex::Step(body) => self.pairs(reading, |this, from, to| {
                let tested = if reading.direction == Direction::Future { from } else { to };
                match this.steps(from, to) {
                    Truth::False => Truth::False,
                    steps => steps.and(this.formula(body, tested, reading.assignment)),
                }
            }),
            Regex::Test(body) => self.pairs(reading, |this, from, to| match from == to {
                true => this.formula(body, to, reading.assignment),
                false => Truth::False,
            }),
            Regex::Concat(left, right) => {
                let (left, right) = (self.relation(reading, left), self.relation(reading, right));
                let through = |from: usize, middle: usize, to: usize| {
                    left[from - 1][middle - 1].clone().and(right[middle - 1][to - 1].clone())
                };
                self.pairs(reading, |_, from, to| Truth::any((from..=to).map(|middle| through(from, middle, to))))
            }
            Regex::Choice(left, right) => {
                let (left, right) = (self.relation(reading, left), self.relation(reading, right));
                self.pairs(reading, |_, from, to| left[from - 1][to - 1].clone().or(right[from - 1][to - 1].clone()))
            }
            Regex::Star(body) => closure(&self.relation(reading, body)),
        }
    }

    /// The relation that has this truth for the pairs of points that are read, and for no others.
    fn pairs(&mut self, reading: &Reading<'_>, mut truth: impl FnMut(&mut Self, usize, usize) -> Truth) -> Relation {
        let last = *reading.points.end();
        let mut relation = vec![vec![Truth::False; last]; last];
        for from in reading.points.clone() {
            for to in from..=last {
                relation[from - 1][to - 1] = truth(self, from, to);
            }
        }
        relation
    }

    /// Whether one step leads from a point to another.
    fn steps(&self, from: usize, to: usize) -> Truth {
        let beyond = self.known + 1;
        if to == beyond && from >= self.known { Truth::Unknown } else { Truth::from(from + 1 == to) }
    }
}

/// The reflexive and transitive closure, from the last point to the first.
fn closure(body: &Relation) -> Relation {
    let size = body.len();
    let mut result: Relation = vec![Vec::new(); size];
    for from in (0..size).rev() {
        let rounds = |to: usize| {
            let through = |middle: usize| body[from][middle].clone().and(result[middle][to].clone());
            Truth::any((from + 1..=to).map(through))
        };
        result[from] = (0..size).map(|to| if to == from { Truth::True } else { rounds(to) }).collect();
    }
    result
}
