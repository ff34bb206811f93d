//! Points and straight lines with exact coordinates.

use referee_trace::number::Number;

/// A point of the plane; points are ordered by x, then by y.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// How far right.
    pub x: Number,
    /// How far up.
    pub y: Number,
}

impl Point {
    fn minus(&self, other: &Point) -> Point {
        Point { x: self.x.sub(&other.x), y: self.y.sub(&other.y) }
    }

    /// Positive if the other direction lies to the left of this one, zero if both are parallel.
    fn cross(&self, other: &Point) -> Number {
        self.x.mul(&other.y).sub(&self.y.mul(&other.x))
    }

    fn dot(&self, other: &Point) -> Number {
        self.x.mul(&other.x).add(&self.y.mul(&other.y))
    }
}

/// A straight line from one point to another, which may be the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The lesser end.
    pub from: Point,
    /// The greater end.
    pub to: Point,
}

/// Where two lines meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meeting {
    /// Nowhere.
    Nowhere,
    /// In one point.
    Point(Point),
    /// In all points from one to another, greater one.
    Line(Point, Point),
}

impl Segment {
    /// The line between two points.
    pub fn new(one: Point, other: Point) -> Segment {
        if one <= other { Segment { from: one, to: other } } else { Segment { from: other, to: one } }
    }

    /// Whether a point lies on it.
    pub fn has(&self, point: &Point) -> bool {
        let along = self.to.minus(&self.from).cross(&point.minus(&self.from)) == Number::ZERO;
        // On a line, points are ordered as along it.
        along && self.from <= *point && *point <= self.to
    }

    /// Where it meets another line, ends included.
    pub fn meet(&self, other: &Segment) -> Meeting {
        let (own, its) = (self.to.minus(&self.from), other.to.minus(&other.from));
        let turn = own.cross(&its);
        if turn != Number::ZERO {
            return self.cut(other, &own, &its, &turn);
        }
        if own.dot(&own) == Number::ZERO {
            return if other.has(&self.from) { Meeting::Point(self.from.clone()) } else { Meeting::Nowhere };
        }
        if own.cross(&other.from.minus(&self.from)) != Number::ZERO {
            return Meeting::Nowhere;
        }
        let (from, to) = (self.from.clone().max(other.from.clone()), self.to.clone().min(other.to.clone()));
        match from.cmp(&to) {
            std::cmp::Ordering::Less => Meeting::Line(from, to),
            std::cmp::Ordering::Equal => Meeting::Point(from),
            std::cmp::Ordering::Greater => Meeting::Nowhere,
        }
    }

    /// Where it meets a line that is not parallel.
    fn cut(&self, other: &Segment, own: &Point, its: &Point, turn: &Number) -> Meeting {
        let between = other.from.minus(&self.from);
        let share = |cross: Number| cross.div(turn).filter(|share| *share >= Number::ZERO && *share <= Number::Int(1));
        match (share(between.cross(its)), share(between.cross(own))) {
            (Some(along), Some(_)) => {
                Meeting::Point(Point { x: self.from.x.add(&along.mul(&own.x)), y: self.from.y.add(&along.mul(&own.y)) })
            }
            _ => Meeting::Nowhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: i64, y: i64) -> Point {
        Point { x: Number::Int(x), y: Number::Int(y) }
    }

    fn line(x1: i64, y1: i64, x2: i64, y2: i64) -> Segment {
        Segment::new(point(x1, y1), point(x2, y2))
    }

    #[test]
    fn lines_cross_touch_overlap_or_miss() {
        let third = Number::Int(1).div(&Number::Int(3)).expect("not by zero");
        let crossing = Meeting::Point(Point { x: third.clone(), y: third });
        assert_eq!(line(0, 0, 1, 1).meet(&line(0, 1, 1, -1)), crossing);
        assert_eq!(line(0, 0, 2, 0).meet(&line(1, 0, 1, 5)), Meeting::Point(point(1, 0)));
        assert_eq!(line(0, 0, 2, 2).meet(&line(2, 2, 3, 9)), Meeting::Point(point(2, 2)));
        assert_eq!(line(0, 0, 4, 4).meet(&line(6, 6, 2, 2)), Meeting::Line(point(2, 2), point(4, 4)));
        assert_eq!(line(0, 0, 4, 0).meet(&line(4, 0, 9, 0)), Meeting::Point(point(4, 0)));
        assert_eq!(line(0, 0, 4, 0).meet(&line(5, 0, 9, 0)), Meeting::Nowhere);
        assert_eq!(line(0, 0, 4, 0).meet(&line(0, 1, 4, 1)), Meeting::Nowhere);
        assert_eq!(line(0, 0, 4, 0).meet(&line(5, -1, 5, 1)), Meeting::Nowhere);
        assert_eq!(line(3, 3, 3, 3).meet(&line(0, 0, 9, 9)), Meeting::Point(point(3, 3)));
        assert_eq!(line(0, 0, 9, 9).meet(&line(3, 3, 3, 3)), Meeting::Point(point(3, 3)));
        assert_eq!(line(3, 4, 3, 4).meet(&line(0, 0, 9, 9)), Meeting::Nowhere);
    }

    #[test]
    fn points_lie_on_lines_exactly() {
        assert!(line(0, 0, 3, 1).has(&point(3, 1)) && line(0, 0, 6, 2).has(&point(3, 1)));
        assert!(!line(0, 0, 6, 2).has(&point(9, 3)) && !line(0, 0, 1_000_000_000, 1).has(&point(500_000_000, 0)));
    }
}
