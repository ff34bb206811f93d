//! Judges formulas about every point of the plane.
//!
//! ```text
//!  event ─▶ route ─▶ cells split where they meet it, the rest of it becomes cells ─▶ every cell takes a step, on the route or not
//! ```
//!
//! Points that lie on the same routes are alike, so the plane is kept as *cells*: single points, and lines without their ends, which
//! hold no other cell; everything else is the rest of the plane. Each has a [`residue`]. A cell that demands what the rest demands is
//! given back to it: a route that was freed is forgotten where the formula forgets it. All coordinates are exact.
//!
//! Cost per event: one step per cell, and some arithmetic per cell where the event is a route.

mod geometry;
mod residue;

use referee_spec::core::machine::Machine;
use referee_spec::core::machine::plane::Plane;
use referee_spec::core::{Obstacle, Outcome, Problem, Span, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use crate::judge::{Finding, Judge, Size};
use geometry::{Meeting, Point, Segment};
use residue::{FALSE, ResidueId, Residues, Step};

/// Points that lie on the same routes.
#[derive(Debug, Clone)]
enum Cell {
    /// One point.
    Point(Point),
    /// A line without its ends.
    Line(Segment),
}

impl Cell {
    /// The least place that is in it or next to it.
    fn begin(&self) -> &Point {
        match self {
            Cell::Point(point) => point,
            Cell::Line(line) => &line.from,
        }
    }
}

/// A cell, what is demanded of its points, and whether they lie on the route at hand.
#[derive(Debug, Clone)]
struct Part {
    cell: Cell,
    residue: ResidueId,
    on_route: bool,
}

/// Judges one formula about every point.
#[derive(Debug)]
pub struct PlaneJudge {
    plane: Plane,
    residues: Residues,
    parts: Vec<Part>,
    rest: ResidueId,
    /// By shape, the number of its event if the formula knows it, and whether such events may be routes.
    shapes: Vec<(Option<usize>, bool)>,
    begun: bool,
    violated: bool,
    stuck: Option<Obstacle>,
}

impl PlaneJudge {
    /// A judge before the first point.
    pub fn new(machine: &Machine, plane: &Plane) -> PlaneJudge {
        debug_assert_eq!(machine.binding_names().len(), 1);
        let (residues, rest) = Residues::new(&plane.formula, plane.events.len());
        PlaneJudge {
            plane: plane.clone(),
            residues,
            parts: Vec::new(),
            rest,
            shapes: Vec::new(),
            begun: false,
            violated: false,
            stuck: None,
        }
    }

    /// Takes a step: whether points violate the formula for good then, and where they begin.
    fn step(&mut self, event: Option<usize>, route: Option<&Segment>) -> Option<Option<Point>> {
        self.begun = true;
        self.parts.iter_mut().for_each(|part| part.on_route = false);
        if let Some(route) = route {
            self.lay(route);
        }
        for part in &mut self.parts {
            part.residue = self.residues.step(part.residue, Step { event, on_route: part.on_route });
        }
        self.rest = self.residues.step(self.rest, Step { event, on_route: false });
        let rest = self.rest;
        let found = self.first(|residue| residue == FALSE);
        self.parts.retain(|part| part.residue != rest);
        found
    }

    /// Where the points begin whose residue is bad, if there are any.
    fn first(&self, bad: impl Fn(ResidueId) -> bool) -> Option<Option<Point>> {
        if bad(self.rest) {
            return Some(None);
        }
        let all = self.parts.iter().filter(|part| bad(part.residue)).map(|part| part.cell.begin());
        all.min().map(|point| Some(point.clone()))
    }

    /// Splits cells where they meet a route, and makes cells of the rest of it.
    fn lay(&mut self, route: &Segment) {
        let mut parts: Vec<Part> = Vec::with_capacity(self.parts.len() + 3);
        for part in self.parts.drain(..) {
            split(part, route, &mut parts);
        }
        let mut ends = vec![route.from.clone(), route.to.clone()];
        for part in parts.iter().filter(|part| part.on_route) {
            match &part.cell {
                Cell::Point(point) => ends.push(point.clone()),
                Cell::Line(line) => ends.extend([line.from.clone(), line.to.clone()]),
            }
        }
        ends.sort();
        ends.dedup();
        let own: Vec<Cell> = {
            let covered =
                |point: &Point| parts.iter().any(|part| matches!(&part.cell, Cell::Point(own) if own == point));
            let taken = |from: &Point| {
                parts.iter().any(|part| part.on_route && matches!(&part.cell, Cell::Line(line) if line.from == *from))
            };
            let points = ends.iter().filter(|point| !covered(point)).cloned().map(Cell::Point);
            let lines = ends.windows(2).filter(|pair| !taken(&pair[0]));
            points.chain(lines.map(|pair| Cell::Line(Segment::new(pair[0].clone(), pair[1].clone())))).collect()
        };
        parts.extend(own.into_iter().map(|cell| Part { cell, residue: self.rest, on_route: true }));
        self.parts = parts;
    }

    fn violation(&mut self, at: Option<Point>, point: u64, decided: Option<u64>) -> Violation {
        self.violated = true;
        let shown = at.map(|point| Value::string(&format!("({}, {})", point.x, point.y)));
        Violation { point, decided, opened: None, bindings: vec![shown], message: None }
    }
}

/// Splits a cell where it meets a route, and says which pieces lie on it.
fn split(part: Part, route: &Segment, parts: &mut Vec<Part>) {
    let Part { cell, residue, .. } = part;
    let mut add = |cell: Cell, on_route: bool| parts.push(Part { cell, residue, on_route });
    let line = match cell {
        Cell::Point(point) => {
            let on_route = route.has(&point);
            return add(Cell::Point(point), on_route);
        }
        Cell::Line(line) => line,
    };
    let (from, to) = match line.meet(route) {
        Meeting::Nowhere => return add(Cell::Line(line), false),
        Meeting::Point(point) => (point.clone(), point),
        Meeting::Line(from, to) => (from, to),
    };
    // The line has lost its ends already.
    let inside = |point: &Point| line.from < *point && *point < line.to;
    if line.from < from {
        add(Cell::Line(Segment::new(line.from.clone(), from.clone())), false);
    }
    if inside(&from) {
        add(Cell::Point(from.clone()), true);
    }
    if from < to {
        add(Cell::Line(Segment::new(from.clone(), to.clone())), true);
        if inside(&to) {
            add(Cell::Point(to.clone()), true);
        }
    }
    if to < line.to {
        add(Cell::Line(Segment::new(to, line.to.clone())), false);
    }
}

/// The route of an event, if its arguments are four numbers.
fn route(arguments: &[Atom], values: &Values) -> Option<Segment> {
    let number = |place: usize| -> Option<Number> {
        match values.value(*arguments.get(place)?) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    };
    let (one, other) = (Point { x: number(0)?, y: number(1)? }, Point { x: number(2)?, y: number(3)? });
    Some(Segment::new(one, other))
}

impl Judge for PlaneJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        let event = self.plane.events.iter().position(|name| **name == *shape.name);
        self.shapes.push((event, shape.positional == 4));
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            for (shape, arguments) in point.events() {
                if self.violated || self.stuck.is_some() {
                    return;
                }
                let (event, may_be_route) = self.shapes[shape.index()];
                let route = if may_be_route { route(arguments, values) } else { None };
                if let Some(at) = self.step(event, route.as_ref()) {
                    let violation = self.violation(at, point.number, Some(point.number));
                    found.push(Finding { rule: 0, violation });
                } else if self.residues.is_too_large() {
                    let problem = Problem::TooManyStates;
                    self.stuck = Some(Obstacle { point: point.number, span: Span::default(), problem });
                }
            }
        }
    }

    fn end(&mut self, last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        let open = self.begun && !self.violated && self.stuck.is_none();
        let mut violations = Vec::new();
        if open && !prefix {
            let found = self.first(|residue| !self.residues.holds_at_end(residue));
            violations.extend(found.map(|at| self.violation(at, last, None)));
        }
        let pending = u64::from(open && prefix && self.first(|residue| !self.residues.is_true(residue)).is_some());
        let status = match (self.violated, &self.stuck) {
            (true, _) => Status::Violated,
            (false, Some(_)) => Status::GaveUp,
            (false, None) => Status::Satisfied,
        };
        vec![Outcome { status, violations, pending, obstacle: self.stuck.clone() }]
    }

    fn wants_empty_points(&self) -> bool {
        false
    }

    fn sizes(&self) -> Vec<Size> {
        let size = |purpose: &str, rows: usize| Size { rule: 0, purpose: purpose.to_owned(), rows };
        vec![size("points and lines of routes", self.parts.len())]
    }
}
