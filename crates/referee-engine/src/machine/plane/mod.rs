//! Judges formulas about every point of the plane.
//!
//! ```text
//!  event ─▶ regions, one per definition ─▶ cells are cut where their borders cross, the rest of each region becomes cells
//!                                       ─▶ every cell takes a step, with the set of regions in which it lies
//! ```
//!
//! Points that lie in the same regions are alike, so the plane is kept as *cells*: single points, lines without their ends, and areas
//! without their border, of which no two have a point in common. Everything else is the rest of the plane. Each has a [`residue`].
//! A cell that demands what the rest demands is given back to it: a region that was left is forgotten where the formula forgets it. The
//! parts of a cell that demand the same after a step are one cell again. All coordinates are exact.
//!
//! Cost per event: one step per cell, and where the event has regions the sign of one or more linear forms per cell.

mod geometry;
mod region;
mod residue;
mod saved;

use referee_spec::core::machine::Machine;
use referee_spec::core::machine::plane::{Plane, RegionDefinition};
use referee_spec::core::{Obstacle, Outcome, Problem, Span, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer, mark_saved};
use geometry::{Begin, Cell, OpenArea};
use region::{Division, Region};
use residue::{FALSE, PlaneStep, ResidueId, Residues};

/// A cell, and what is demanded of its points.
#[derive(Debug)]
struct Part {
    cell: Cell,
    residue: ResidueId,
}

/// Which definitions hold of points at one event, one bit each.
type Inside = u64;

/// The parts of one cell at one event.
enum Pieces {
    /// All of it lies in these regions.
    Whole(Inside),
    /// Each part lies in its own.
    Cut(Vec<(Cell, Inside)>),
}

/// What the judge knows of an event by its shape.
#[derive(Debug, Clone, Copy)]
struct ShapeUse {
    /// Its number among the events that the formula names.
    event: Option<usize>,
    /// How many positional arguments it has.
    arity: usize,
}

/// Judges one formula about every point.
#[derive(Debug)]
pub struct PlaneJudge {
    plane: Plane,
    residues: Residues,
    parts: Vec<Part>,
    rest: ResidueId,
    /// Whether the cells are known to leave no rest.
    is_covered: bool,
    shapes: Vec<ShapeUse>,
    begun: bool,
    violated: bool,
    stuck: Option<Obstacle>,
}

impl PlaneJudge {
    /// A judge before the first point.
    pub fn new(machine: &Machine, plane: &Plane) -> PlaneJudge {
        debug_assert_eq!(machine.binding_names().len(), 1);
        let (residues, rest) = Residues::new(&plane.formula);
        PlaneJudge {
            plane: plane.clone(),
            residues,
            parts: Vec::new(),
            rest,
            is_covered: false,
            shapes: Vec::new(),
            begun: false,
            violated: false,
            stuck: None,
        }
    }

    /// Takes a step: whether points violate the formula for good then, and where they begin.
    fn step(&mut self, event: Option<usize>, regions: &[(usize, Region)]) -> Option<Begin> {
        self.begun = true;
        let fresh = if regions.is_empty() { self.stay(event) } else { self.lay(event, regions) };
        let rest = self.rest;
        self.rest = self.residues.step(rest, PlaneStep { event, inside: 0 });
        for (cell, inside) in fresh {
            let residue = self.residues.step(rest, PlaneStep { event, inside });
            self.parts.push(Part { cell, residue });
        }
        let found = self.first(|residue| residue == FALSE);
        // Nothing was found in the rest although it is false: there is no rest.
        self.is_covered |= self.rest == FALSE && found.is_none();
        let (rest, before) = (self.rest, self.parts.len());
        self.parts.retain(|part| part.residue != rest);
        self.is_covered &= self.parts.len() == before;
        found
    }

    /// Every cell takes a step outside of all regions.
    fn stay(&mut self, event: Option<usize>) -> Vec<(Cell, Inside)> {
        for part in &mut self.parts {
            part.residue = self.residues.step(part.residue, PlaneStep { event, inside: 0 });
        }
        Vec::new()
    }

    /// Every cell takes a step, cut where it has to be. Returns the parts of the regions that were no cells.
    fn lay(&mut self, event: Option<usize>, regions: &[(usize, Region)]) -> Vec<(Cell, Inside)> {
        let plane = Cell::Area(OpenArea::plane());
        let mut fresh = match pieces(&plane, regions, 0, false) {
            Pieces::Whole(0) => Vec::new(),
            Pieces::Whole(inside) => vec![(plane, inside)],
            Pieces::Cut(pieces) => pieces,
        };
        let mut parts = Vec::with_capacity(self.parts.len() + fresh.len());
        for Part { cell, residue } in std::mem::take(&mut self.parts) {
            match pieces(&cell, regions, 0, true) {
                Pieces::Whole(inside) => {
                    if inside != 0 {
                        fresh = without(fresh, &cell);
                    }
                    let residue = self.residues.step(residue, PlaneStep { event, inside });
                    parts.push(Part { cell, residue });
                }
                Pieces::Cut(pieces) => {
                    fresh = without(fresh, &cell);
                    let step = |(piece, inside)| {
                        let residue = self.residues.step(residue, PlaneStep { event, inside });
                        Part { cell: piece, residue }
                    };
                    let mut pieces: Vec<Part> = pieces.into_iter().map(step).collect();
                    let first = pieces.first().map_or(residue, |piece| piece.residue);
                    if pieces.iter().all(|piece| piece.residue == first) {
                        parts.push(Part { cell, residue: first });
                    } else {
                        parts.append(&mut pieces);
                    }
                }
            }
        }
        self.parts = parts;
        fresh
    }

    /// Where the points begin whose residue is bad, if there are any.
    fn first(&self, bad: impl Fn(ResidueId) -> bool) -> Option<Begin> {
        let all = self.parts.iter().filter(|part| bad(part.residue)).map(|part| part.cell.begin());
        let rest = if bad(self.rest) { self.rest_begins() } else { None };
        all.chain(rest).min()
    }

    /// Where the points begin that lie in no cell, if there are any.
    fn rest_begins(&self) -> Option<Begin> {
        if self.is_covered {
            return None;
        }
        // Points and lines leave something everywhere.
        if !self.parts.iter().any(|part| matches!(part.cell, Cell::Area(_))) {
            return Some(None);
        }
        let plane = vec![(Cell::Area(OpenArea::plane()), 0)];
        let rest = self.parts.iter().fold(plane, |rest, part| without(rest, &part.cell));
        rest.iter().map(|(cell, _)| cell.begin()).min()
    }

    fn violation(&mut self, begin: Begin, point: u64, decided: Option<u64>) -> Violation {
        self.violated = true;
        let shown = begin.and_then(|(x, y)| Some(Value::string(&format!("({x}, {})", y?))));
        Violation { point, decided, opened: None, bindings: vec![shown], message: None }
    }

    /// The regions of an event, with the bit of the definition of each.
    fn regions(&self, arity: usize, arguments: &[Atom], values: &Values) -> Vec<(usize, Region)> {
        let definitions = self.plane.regions.iter().enumerate().filter(|(_, definition)| definition.arity == arity);
        definitions.filter_map(|(bit, definition)| Some((bit, region(definition, arguments, values)?))).collect()
    }
}

/// The region that a definition makes of an event, if the arguments that it reads are numbers.
fn region(definition: &RegionDefinition, arguments: &[Atom], values: &Values) -> Option<Region> {
    let mut numbers = vec![Number::ZERO; definition.arity];
    for &index in &definition.reads {
        match values.value(*arguments.get(index)?) {
            Value::Number(number) => numbers[index] = number,
            _ => return None,
        }
    }
    Some(Region::of(definition, &numbers))
}

/// Cuts a cell that lies in some regions already along the borders of others. Parts that lie in none are left out unless they are
/// wanted.
fn pieces(cell: &Cell, regions: &[(usize, Region)], mut inside: Inside, wants_outside: bool) -> Pieces {
    for (place, (bit, region)) in regions.iter().enumerate() {
        let others = &regions[place + 1..];
        // What lies outside of this one may lie in one that comes, or lies in one already.
        let wants = wants_outside || inside != 0 || !others.is_empty();
        let parts = match region.divide(cell, wants) {
            Division::Whole(truth) => {
                inside |= Inside::from(truth) << bit;
                continue;
            }
            Division::Parts(parts) => parts,
        };
        let mut all = Vec::with_capacity(parts.len());
        for (part, truth) in parts {
            match pieces(&part, others, inside | Inside::from(truth) << bit, wants_outside) {
                Pieces::Whole(0) if !wants_outside => {}
                Pieces::Whole(inside) => all.push((part, inside)),
                Pieces::Cut(further) => all.extend(further),
            }
        }
        return Pieces::Cut(all);
    }
    Pieces::Whole(inside)
}

/// What is left of some cells without the points of another.
fn without(cells: Vec<(Cell, Inside)>, other: &Cell) -> Vec<(Cell, Inside)> {
    if cells.is_empty() {
        return cells;
    }
    let other = Region::of_cell(other);
    let mut left = Vec::with_capacity(cells.len());
    for (cell, inside) in cells {
        match other.divide(&cell, true) {
            Division::Whole(true) => {}
            Division::Whole(false) => left.push((cell, inside)),
            Division::Parts(parts) => {
                left.extend(parts.into_iter().filter(|(_, truth)| !truth).map(|(part, _)| (part, inside)));
            }
        }
    }
    left
}

impl Judge for PlaneJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        let event = self.plane.events.iter().position(|event| *event.name == *shape.name);
        self.shapes.push(ShapeUse { event, arity: shape.positional });
        Interest::all()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        for point in points.iter() {
            for (shape, arguments) in point.events() {
                if self.violated || self.stuck.is_some() {
                    return;
                }
                let ShapeUse { event, arity } = self.shapes[shape.index()];
                let regions = self.regions(arity, arguments, values);
                if let Some(begin) = self.step(event, &regions) {
                    let violation = self.violation(begin, point.number, Some(point.number));
                    found.push(Finding { rule: 0, violation });
                } else if self.residues.is_too_large() {
                    let problem = Problem::TooManyStates;
                    self.stuck = Some(Obstacle { point: point.number, span: Span::default(), problem });
                }
            }
        }
    }

    /// Nothing is decided between two points.
    fn advance(&mut self, _last: u64, _time: &Number, _values: &mut Values, _found: &mut Vec<Finding>) {}

    fn save(&self, _values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(out)
    }

    fn load(&mut self, _values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(reader)
    }

    fn forget(&mut self, _: Atom, _: &Values) {
        // It keeps regions of points, not values.
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, _: &mut Values) -> Vec<Outcome> {
        let open = self.begun && !self.violated && self.stuck.is_none();
        let mut violations = Vec::new();
        if open && !prefix {
            let found = self.first(|residue| !self.residues.holds_at_end(residue));
            violations.extend(found.map(|begin| self.violation(begin, last, None)));
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
        vec![size("points, lines and areas of the plane", self.parts.len())]
    }
}
