//! Points, lines and areas of the plane with exact coordinates, and how a straight line cuts them.
//!
//! A [`Cell`] is one point, a straight line without its ends, or an area without its border; lines and areas may go on for ever. An
//! area is convex: it is where some linear forms are positive. For an area the crossing with a line is found by clipping that
//! line by every border. If nothing is left of it, the area lies on one side, and one point inside tells on which.

use std::cmp::Ordering;

use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// A point of the plane, or a direction; points are ordered by x, then by y.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    /// How far right.
    pub x: Number,
    /// How far up.
    pub y: Number,
}

impl Point {
    fn save(&self, out: &mut Writer) {
        out.exact(&self.x);
        out.exact(&self.y);
    }

    fn load(reader: &mut Reader) -> Result<Point, Damaged> {
        Ok(Point { x: reader.exact()?, y: reader.exact()? })
    }

    /// The point that is reached from here by going so often in a direction.
    fn moved(&self, direction: &Point, times: &Number) -> Point {
        Point { x: self.x.add(&direction.x.mul(times)), y: self.y.add(&direction.y.mul(times)) }
    }

    fn reversed(&self) -> Point {
        Point { x: self.x.neg(), y: self.y.neg() }
    }

    /// The point halfway to another.
    fn halfway(&self, other: &Point) -> Point {
        Point { x: half(&self.x.add(&other.x)), y: half(&self.y.add(&other.y)) }
    }
}

fn half(number: &Number) -> Number {
    // Two is not zero.
    number.div(&Number::Int(2)).unwrap_or(Number::ZERO)
}

fn times(factor: &Number, number: &Number) -> Number {
    if *factor == Number::Int(1) { number.clone() } else { factor.mul(number) }
}

fn sign(number: &Number) -> Ordering {
    number.cmp(&Number::ZERO)
}

/// A number for every point: a·x + b·y + c.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Linear {
    /// By how much it grows to the right.
    pub a: Number,
    /// By how much it grows upwards.
    pub b: Number,
    /// What it is at the origin.
    pub c: Number,
}

impl Linear {
    /// The same number everywhere.
    pub(super) fn constant(c: Number) -> Linear {
        Linear { a: Number::ZERO, b: Number::ZERO, c }
    }

    /// That number, if it is the same everywhere.
    pub(super) fn as_constant(&self) -> Option<&Number> {
        (self.a == Number::ZERO && self.b == Number::ZERO).then_some(&self.c)
    }

    fn at(&self, point: &Point) -> Number {
        self.along(point).add(&self.c)
    }

    /// By how much it grows in a direction.
    fn along(&self, direction: &Point) -> Number {
        // Most borders are upright or level, and arithmetic on fractions is not cheap.
        match (self.a == Number::ZERO, self.b == Number::ZERO) {
            (false, false) => times(&self.a, &direction.x).add(&times(&self.b, &direction.y)),
            (false, true) => times(&self.a, &direction.x),
            (true, _) => times(&self.b, &direction.y),
        }
    }

    /// Whether its zeros are an upright or a level line.
    pub(super) fn is_straight(&self) -> bool {
        self.a == Number::ZERO || self.b == Number::ZERO
    }

    fn negated(&self) -> Linear {
        Linear { a: self.a.neg(), b: self.b.neg(), c: self.c.neg() }
    }

    /// The whole line on which it is zero; it must not be constant.
    fn zeros(&self) -> OpenLine {
        let upwards = Point { x: Number::ZERO, y: Number::Int(1) };
        let (base, along) = match (self.c.neg().div(&self.b), self.c.neg().div(&self.a)) {
            (Some(y), _) if self.b > Number::ZERO => {
                (Point { x: Number::ZERO, y }, Point { x: self.b.clone(), y: self.a.neg() })
            }
            (Some(y), _) => (Point { x: Number::ZERO, y }, Point { x: self.b.neg(), y: self.a.clone() }),
            (None, x) => (Point { x: x.unwrap_or(Number::ZERO), y: Number::ZERO }, upwards),
        };
        OpenLine { base, along, from: None, to: None }
    }
}

/// A straight line without its ends.
#[derive(Debug, Clone)]
pub(super) struct OpenLine {
    /// Some point of the endless line on which it lies.
    base: Point,
    /// Its direction: to the right, or straight up.
    along: Point,
    /// The lesser end; without one it goes on for ever.
    from: Option<Point>,
    /// The greater end.
    to: Option<Point>,
}

impl OpenLine {
    /// What is left of it where a form is positive.
    fn clipped(mut self, form: &Linear) -> Option<OpenLine> {
        let slope = form.along(&self.along);
        let at_base = form.at(&self.base);
        let Some(times) = at_base.neg().div(&slope) else {
            return (at_base > Number::ZERO).then_some(self);
        };
        let zero = self.base.moved(&self.along, &times);
        if slope > Number::ZERO {
            if self.from.as_ref().is_none_or(|from| *from < zero) {
                self.from = Some(zero);
            }
        } else if self.to.as_ref().is_none_or(|to| *to > zero) {
            self.to = Some(zero);
        }
        let is_empty = matches!((&self.from, &self.to), (Some(from), Some(to)) if from >= to);
        (!is_empty).then_some(self)
    }

    /// Some point of it.
    fn middle(&self) -> Point {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => from.halfway(to),
            (Some(from), None) => from.moved(&self.along, &Number::Int(1)),
            (None, Some(to)) => to.moved(&self.along, &Number::Int(-1)),
            (None, None) => self.base.clone(),
        }
    }

    /// On which sides of the zeros of a form its two ends lie.
    fn ends(&self, form: &Linear) -> (Ordering, Ordering) {
        let endless = || match sign(&form.along(&self.along)) {
            Ordering::Equal => {
                let everywhere = sign(&form.at(&self.base));
                (everywhere, everywhere)
            }
            upwards => (upwards.reverse(), upwards),
        };
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => (sign(&form.at(from)), sign(&form.at(to))),
            (Some(from), None) => (sign(&form.at(from)), endless().1),
            (None, Some(to)) => (endless().0, sign(&form.at(to))),
            (None, None) => endless(),
        }
    }

    fn side(&self, form: &Linear) -> Side {
        match self.ends(form) {
            (first, second) if first == second => Side::All(first),
            (Ordering::Equal, other) | (other, Ordering::Equal) => Side::All(other),
            (first, _) => {
                let times = form.at(&self.base).neg().div(&form.along(&self.along));
                // A form that changes its sign along the line has a slope there.
                let at = self.base.moved(&self.along, &times.unwrap_or(Number::ZERO));
                Side::Cut(Crossing::Point { at, first })
            }
        }
    }

    /// The forms that say which points belong to it: the first is zero there, the others are positive.
    fn forms(&self) -> Vec<(Linear, Ordering)> {
        let OpenLine { base, along, from, to } = self;
        let across = Point { x: along.y.clone(), y: along.x.neg() };
        let mut forms = vec![(through(base, &across), Ordering::Equal)];
        forms.extend(from.iter().map(|from| (through(from, along), Ordering::Greater)));
        forms.extend(to.iter().map(|to| (through(to, &along.reversed()), Ordering::Greater)));
        forms
    }

    fn begin(&self) -> Begin {
        match &self.from {
            Some(from) => Some((from.x.clone(), Some(from.y.clone()))),
            None if self.along.x > Number::ZERO => None,
            None => Some((self.base.x.clone(), None)),
        }
    }
}

/// The form that is zero at a point and grows in a direction.
fn through(point: &Point, direction: &Point) -> Linear {
    let flat = Linear { a: direction.x.clone(), b: direction.y.clone(), c: Number::ZERO };
    let c = flat.along(point).neg();
    Linear { c, ..flat }
}

/// A convex area without its border.
#[derive(Debug, Clone)]
pub(super) struct OpenArea {
    /// The forms that are positive there and nowhere else; each of them is needed.
    borders: Vec<Linear>,
    /// A point of it.
    inside: Point,
}

impl OpenArea {
    /// The whole plane.
    pub(super) fn plane() -> OpenArea {
        OpenArea { borders: Vec::new(), inside: Point { x: Number::ZERO, y: Number::ZERO } }
    }

    fn side(&self, form: &Linear) -> Side {
        let clipped = self.borders.iter().try_fold(form.zeros(), OpenLine::clipped);
        clipped.map_or_else(|| Side::All(sign(&form.at(&self.inside))), |line| Side::Cut(Crossing::Line(line)))
    }

    /// The part in which a form is positive that is zero along a line of this area.
    fn part(&self, form: Linear, line: &OpenLine) -> OpenArea {
        let upwards = Point { x: form.a.clone(), y: form.b.clone() };
        let start = line.middle();
        // As far as half the way to the next border.
        let to_border = |border: &Linear| border.at(&start).div(&border.along(&upwards).neg());
        let ways = self.borders.iter().filter_map(to_border).filter(|way| *way > Number::ZERO);
        let way = ways.min().map_or(Number::Int(1), |way| half(&way));
        let inside = start.moved(&upwards, &way);
        let mut borders = self.borders.clone();
        borders.push(form);
        let is_needed = |index: &usize| OpenArea::border(&borders, *index).is_some();
        let needed: Vec<usize> = (0..borders.len()).filter(is_needed).collect();
        OpenArea { borders: needed.into_iter().map(|index| borders[index].clone()).collect(), inside }
    }

    /// The part of a border that belongs to the area's edge.
    fn border(borders: &[Linear], index: usize) -> Option<OpenLine> {
        let others = borders.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, border)| border);
        others.into_iter().try_fold(borders[index].zeros(), OpenLine::clipped)
    }

    /// Whether it goes on for ever in a direction.
    fn goes_on(&self, direction: &Point) -> bool {
        self.borders.iter().all(|border| border.along(direction) >= Number::ZERO)
    }

    fn begin(&self) -> Begin {
        let edges: Vec<OpenLine> =
            (0..self.borders.len()).filter_map(|index| OpenArea::border(&self.borders, index)).collect();
        // The directions in which a convex area goes on lie between directions of its edges, unless it is half the plane or more.
        let leftwards = Point { x: Number::Int(-1), y: Number::ZERO };
        let edgewise = edges.iter().flat_map(|edge| [edge.along.clone(), edge.along.reversed()]);
        let mut directions = edgewise.filter(|direction| direction.x < Number::ZERO);
        if self.goes_on(&leftwards) || directions.any(|direction| self.goes_on(&direction)) {
            return None;
        }
        // It is bounded on the left: by a corner, or by an edge that goes straight up and down for ever.
        let corners = edges.iter().flat_map(|edge| [&edge.from, &edge.to]).flatten();
        match corners.min() {
            None => edges.iter().map(|edge| edge.base.x.clone()).min().map(|x| (x, None)),
            Some(least) => {
                let downwards = Point { x: Number::ZERO, y: Number::Int(-1) };
                let y = (!self.goes_on(&downwards)).then(|| least.y.clone());
                Some((least.x.clone(), y))
            }
        }
    }
}

/// Where points begin, by x and then by y; nothing where they go on for ever to the left, or downwards.
pub(super) type Begin = Option<(Number, Option<Number>)>;

/// Where a cell lies, seen from the line on which a form is zero.
pub(super) enum Side {
    /// The form has this sign in all of it.
    All(Ordering),
    /// It has all three.
    Cut(Crossing),
}

/// Where the zeros of a form cut a cell.
pub(super) enum Crossing {
    /// A line, in this point; before it the form has the sign `first`.
    Point {
        /// Where.
        at: Point,
        /// The sign before.
        first: Ordering,
    },
    /// An area, along this line.
    Line(OpenLine),
}

/// A convex part of the plane that has no border of its own.
#[derive(Debug, Clone)]
pub(super) enum Cell {
    /// One point.
    Point(Point),
    /// A line without its ends.
    Line(OpenLine),
    /// An area without its border.
    Area(OpenArea),
}

impl Cell {
    /// Writes it.
    pub(super) fn save(&self, out: &mut Writer) {
        match self {
            Cell::Point(point) => {
                out.number(0);
                point.save(out);
            }
            Cell::Line(OpenLine { base, along, from, to }) => {
                out.number(1);
                base.save(out);
                along.save(out);
                for end in [from, to] {
                    out.truth(end.is_some());
                    end.iter().for_each(|end| end.save(out));
                }
            }
            Cell::Area(OpenArea { borders, inside }) => {
                out.number(2);
                inside.save(out);
                out.length(borders.len());
                for Linear { a, b, c } in borders {
                    [a, b, c].into_iter().for_each(|number| out.exact(number));
                }
            }
        }
    }

    /// Reads what [`Cell::save`] wrote.
    pub(super) fn load(reader: &mut Reader) -> Result<Cell, Damaged> {
        match reader.number()? {
            0 => Ok(Cell::Point(Point::load(reader)?)),
            1 => {
                let (base, along) = (Point::load(reader)?, Point::load(reader)?);
                let mut end = || if reader.truth()? { Point::load(reader).map(Some) } else { Ok(None) };
                Ok(Cell::Line(OpenLine { base, along, from: end()?, to: end()? }))
            }
            2 => {
                let inside = Point::load(reader)?;
                let border =
                    |reader: &mut Reader| Ok(Linear { a: reader.exact()?, b: reader.exact()?, c: reader.exact()? });
                Ok(Cell::Area(OpenArea { inside, borders: reader.list(border)? }))
            }
            _ => Err(Damaged),
        }
    }

    /// Where it lies, seen from the zeros of a form that is not constant.
    pub(super) fn side(&self, form: &Linear) -> Side {
        match self {
            Cell::Point(point) => Side::All(sign(&form.at(point))),
            Cell::Line(line) => line.side(form),
            Cell::Area(area) => area.side(form),
        }
    }

    /// Its part in which a form that cuts it has a sign.
    pub(super) fn part(&self, form: &Linear, crossing: &Crossing, wanted: Ordering) -> Cell {
        match (self, crossing) {
            (Cell::Line(line), Crossing::Point { at, first }) => match wanted {
                Ordering::Equal => Cell::Point(at.clone()),
                wanted if wanted == *first => Cell::Line(OpenLine { to: Some(at.clone()), ..line.clone() }),
                _ => Cell::Line(OpenLine { from: Some(at.clone()), ..line.clone() }),
            },
            (Cell::Area(area), Crossing::Line(line)) => match wanted {
                Ordering::Equal => Cell::Line(line.clone()),
                Ordering::Greater => Cell::Area(area.part(form.clone(), line)),
                Ordering::Less => Cell::Area(area.part(form.negated(), line)),
            },
            // Points are not cut, lines in a point and areas along a line.
            _ => self.clone(),
        }
    }

    /// The forms that say which points belong to it, each with its sign there.
    pub(super) fn forms(&self) -> Vec<(Linear, Ordering)> {
        match self {
            Cell::Point(point) => {
                let (one, zero) = (Number::Int(1), Number::ZERO);
                let right = through(point, &Point { x: one.clone(), y: zero.clone() });
                let up = through(point, &Point { x: zero, y: one });
                vec![(right, Ordering::Equal), (up, Ordering::Equal)]
            }
            Cell::Line(line) => line.forms(),
            Cell::Area(area) => area.borders.iter().map(|border| (border.clone(), Ordering::Greater)).collect(),
        }
    }

    /// The least place that is in it or next to it.
    pub(super) fn begin(&self) -> Begin {
        match self {
            Cell::Point(point) => Some((point.x.clone(), Some(point.y.clone()))),
            Cell::Line(line) => line.begin(),
            Cell::Area(area) => area.begin(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(a: i64, b: i64, c: i64) -> Linear {
        Linear { a: Number::Int(a), b: Number::Int(b), c: Number::Int(c) }
    }

    /// The part of the plane in which all forms are positive.
    fn area(forms: &[Linear]) -> Option<Cell> {
        let mut cell = Cell::Area(OpenArea::plane());
        for form in forms {
            match cell.side(form) {
                Side::All(Ordering::Greater) => {}
                Side::All(_) => return None,
                Side::Cut(crossing) => cell = cell.part(form, &crossing, Ordering::Greater),
            }
        }
        Some(cell)
    }

    fn begin(x: i64, y: Option<i64>) -> Begin {
        Some((Number::Int(x), y.map(Number::Int)))
    }

    #[test]
    fn areas_begin_at_their_least_place() {
        let square = [form(1, 0, 0), form(-1, 0, 2), form(0, 1, 1), form(0, -1, 3)];
        assert_eq!(area(&square).expect("not empty").begin(), begin(0, Some(-1)));
        assert_eq!(area(&square[..3]).expect("not empty").begin(), begin(0, Some(-1)));
        assert_eq!(area(&square[..2]).expect("not empty").begin(), begin(0, None));
        assert_eq!(area(&square[..1]).expect("not empty").begin(), begin(0, None));
        assert_eq!(area(&square[1..]).expect("not empty").begin(), None);
        assert_eq!(area(&[]).expect("not empty").begin(), None);
        // A wedge that opens to the right, and one that opens downwards.
        assert_eq!(area(&[form(1, 1, 0), form(1, -1, 0)]).expect("not empty").begin(), begin(0, Some(0)));
        assert_eq!(area(&[form(1, -1, 0), form(-1, -1, 0)]).expect("not empty").begin(), None);
        assert_eq!(area(&[form(1, 0, 0), form(-1, -1, 0)]).expect("not empty").begin(), begin(0, None));
    }

    #[test]
    fn areas_forget_borders_that_others_make_needless_and_are_empty_exactly() {
        let Some(Cell::Area(strip)) = area(&[form(1, 0, 0), form(1, 0, -1), form(-1, 0, 2)]) else { panic!("empty") };
        assert_eq!(strip.borders, [form(1, 0, -1), form(-1, 0, 2)]);
        assert!(area(&[form(1, 0, 0), form(-1, 0, 0)]).is_none());
        let corner = [form(1, 0, 0), form(0, 1, 0), form(-1, -1, 0)];
        assert!(area(&corner).is_none(), "only the origin would be left, and it is on the border");
    }

    #[test]
    fn lines_are_cut_exactly() {
        let third = Number::Int(1).div(&Number::Int(3)).expect("not by zero");
        let line = Cell::Line(form(1, -1, 0).zeros());
        let Side::Cut(crossing) = line.side(&form(2, 1, -1)) else { panic!("not cut") };
        let cut = line.part(&form(2, 1, -1), &crossing, Ordering::Equal);
        assert!(matches!(cut, Cell::Point(at) if at.x == third && at.y == third));
        assert!(matches!(line.side(&form(1, -1, 3)), Side::All(Ordering::Greater)));
        assert!(matches!(line.side(&form(-2, 2, 0)), Side::All(Ordering::Equal)));
        let right = line.part(&form(2, 1, -1), &crossing, Ordering::Greater);
        assert_eq!(right.begin(), Some((third.clone(), Some(third))));
        assert!(matches!(right.side(&form(1, 0, 0)), Side::All(Ordering::Greater)));
    }
}
