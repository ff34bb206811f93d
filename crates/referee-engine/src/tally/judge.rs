//! Judges one policy that bounds aggregates over windows.
//!
//! ```text
//!   point: windows advance ─▶ its events arrive ─▶ limits of changed groups ─▶ guard: the groups it names
//!                                                                            └ no guard: all groups that violate
//! ```

use std::cmp::Ordering;
use std::collections::HashSet;

use referee_spec::core::{Outcome, Property, Status, VarId, Violation, bindings_order};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, PointView, Points};
use referee_trace::raw::Want;
use referee_trace::value::Value;
use referee_trace::values::{Atom, LiveValues, Values};

use super::groups::{GroupId, Recipe, TallyGroups};
use super::limit::{self, Limit};
use super::shape::{TallyArgument, TallyPattern, TallyShape};
use super::window::{Coming, Inside, TallyWindow};
use crate::judge::{Damaged, Finding, Judge, Reader, Size, Unsavable, Writer, mark_saved};

/// From so many groups on, their states are more than the nearest cache holds.
const MANY_GROUPS: usize = 2048;

/// Judges one policy that bounds aggregates over windows.
#[derive(Debug)]
pub struct TallyJudge {
    shape: TallyShape,
    limit: Limit,
    windows: Vec<TallyWindow>,
    groups: TallyGroups,
    readers: Vec<TallyReader>,
    /// What each shape of events is read for.
    uses: Vec<Vec<Use>>,
    changed: Vec<GroupId>,
    /// The groups that violate, with what is reported of them, in the order of reports.
    violating: Vec<(GroupId, Vec<Option<Value>>)>,
    key: Vec<Atom>,
    tuple: Vec<Atom>,
    /// The assignments of the current point, where points have several events.
    seen: HashSet<(usize, Box<[Atom]>)>,
    violations: u64,
    /// From so many groups on, the states of a batch's groups are asked for before its points are judged.
    many_groups: usize,
}

/// What an event of some shape is.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// It is counted by an aggregate.
    Counted(usize),
    /// It is the guard.
    Guard,
}

/// How the arguments of an event become an assignment.
#[derive(Debug)]
struct TallyReader {
    /// Arguments that must be this constant.
    constants: Vec<(usize, Atom)>,
    /// Arguments that must be equal.
    twins: Vec<(usize, usize)>,
    /// Where the groups are.
    groups: Vec<usize>,
    /// Where the variables are that tell assignments apart.
    own: Vec<usize>,
    over: Option<usize>,
}

impl TallyJudge {
    /// A judge for a policy, if it has the shape.
    pub fn new(property: &Property) -> Option<TallyJudge> {
        let shape = TallyShape::of(property)?;
        let grouped = !shape.groups.is_empty();
        let recipes = shape.aggregates.iter().map(|one| Recipe::new(one.function, grouped)).collect();
        let windows = shape.aggregates.iter().enumerate();
        let windows = windows.map(|(index, one)| shape.window(index, one)).collect();
        let mut judge = TallyJudge {
            limit: Limit::of(&shape),
            windows,
            groups: TallyGroups::new(recipes, shape.groups.len()),
            readers: Vec::new(),
            uses: Vec::new(),
            changed: Vec::new(),
            violating: Vec::new(),
            key: Vec::new(),
            tuple: Vec::new(),
            seen: HashSet::new(),
            violations: 0,
            many_groups: MANY_GROUPS,
            shape,
        };
        if !grouped {
            // Without groups there is one from the start: nothing counts 0.
            let only = judge.groups.find_or_add(&[]);
            judge.changed.push(only);
        }
        Some(judge)
    }

    /// The same, which asks for the states of groups in advance from so many groups on.
    #[must_use]
    pub fn with_many_groups(self, many_groups: usize) -> TallyJudge {
        TallyJudge { many_groups, ..self }
    }

    fn make_readers(&mut self, values: &mut Values) {
        let TallyShape { aggregates, groups, .. } = &self.shape;
        let counted = aggregates.iter().map(|one| TallyReader::new(&one.pattern, groups, &one.own, one.over, values));
        let counted: Vec<TallyReader> = counted.collect();
        self.readers = counted;
        if let Some(guard) = &self.shape.guard {
            let reader = TallyReader::new(guard, groups, &[], None, values);
            self.readers.push(reader);
        }
    }

    /// Asks for the groups that the events of a batch will change.
    fn ask_ahead(&mut self, points: &Points, values: &Values) {
        for point in points.iter() {
            for (shape, arguments) in point.events() {
                for one in &self.uses[shape.index()] {
                    let Use::Counted(aggregate) = one else { continue };
                    let reader = &self.readers[*aggregate];
                    reader.fill(&reader.groups, arguments, values, &mut self.key);
                    if let Some(id) = self.groups.find(&self.key) {
                        self.groups.ask_for(id);
                    }
                }
            }
        }
    }

    fn point(&mut self, point: PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let now = point.time.unwrap_or(&Number::ZERO);
        let mut inside = Inside { groups: &mut self.groups, changed: &mut self.changed, values };
        for window in &mut self.windows {
            window.advance(now, &mut inside);
        }
        let many_events = point.len() > 1;
        for (shape, arguments) in point.events() {
            for index in 0..self.uses[shape.index()].len() {
                if let Use::Counted(aggregate) = self.uses[shape.index()][index] {
                    self.arrive(aggregate, arguments, now, many_events, values);
                }
            }
        }
        self.seen.clear();
        self.look_at_changed(values);
        let before = found.len();
        match self.shape.guard {
            Some(_) => self.guarded(point, values, found),
            None => {
                let row = |(_, bindings): &(GroupId, Vec<Option<Value>>)| finding(point.number, bindings.clone());
                found.extend(self.violating.iter().map(row));
            }
        }
        self.violations += (found.len() - before) as u64;
    }

    fn arrive(&mut self, aggregate: usize, arguments: &[Atom], now: &Number, many_events: bool, values: &Values) {
        let reader = &self.readers[aggregate];
        if !reader.fits(arguments, values) || !self.passes(aggregate, arguments, values) {
            return;
        }
        reader.fill(&reader.groups, arguments, values, &mut self.key);
        let stamped = self.shape.aggregates[aggregate].stamped;
        if !stamped || many_events {
            self.tuple.clear();
            self.tuple.extend_from_slice(&self.key);
            self.tuple.extend(reader.own.iter().map(|&place| values.normal(arguments[place])));
        }
        if many_events && !self.seen.insert((aggregate, self.tuple.as_slice().into())) {
            return;
        }
        let value = reader.over.map_or(Atom::boolean(false), |place| arguments[place]);
        let tuple = if stamped { &[] } else { &self.tuple[..] };
        let coming = Coming { key: &self.key, value, tuple };
        let mut inside = Inside { groups: &mut self.groups, changed: &mut self.changed, values };
        self.windows[aggregate].arrive(now, coming, &mut inside);
    }

    /// Whether the filters of an aggregate hold of an event.
    fn passes(&self, aggregate: usize, arguments: &[Atom], values: &Values) -> bool {
        let one = &self.shape.aggregates[aggregate];
        let value = |variable: VarId| Some(values.value(*arguments.get(one.pattern.place(variable)?)?));
        one.filters.iter().all(|filter| limit::holds(filter, &value))
    }

    /// Looks at the limits of groups that changed, and drops those that fell empty.
    fn look_at_changed(&mut self, values: &Values) {
        let mut changed = std::mem::take(&mut self.changed);
        for id in changed.drain(..) {
            if self.shape.guard.is_none() {
                self.look_at(id, values);
            }
            self.groups.drop_empty(id);
        }
        self.changed = changed;
    }

    fn look_at(&mut self, id: GroupId, values: &Values) {
        let violates = match self.limit.quick(&self.groups, id) {
            Some(exceeded) => exceeded,
            None => exceeds(&self.shape, &self.limit, &self.groups, id, values),
        };
        if self.groups.set_violates(id, violates) {
            self.violating.retain(|(other, _)| *other != id);
        }
        if violates {
            let results = self.groups.results(id);
            let (shape, key) = (&self.shape, self.groups.key(id));
            let value = |variable: VarId| of_group(shape, key, &results, variable, values);
            let bindings: Vec<Option<Value>> = shape.reported.iter().map(|&variable| value(variable)).collect();
            let at = self.violating.partition_point(|(_, other)| bindings_order(other, &bindings) == Ordering::Less);
            self.violating.insert(at, (id, bindings));
        }
    }

    /// The violations of a point with a guard: one per binding of the guard's variables.
    fn guarded(&mut self, point: PointView<'_>, values: &Values, found: &mut Vec<Finding>) {
        let mut rows: Vec<Vec<Option<Value>>> = Vec::new();
        for (shape, arguments) in point.events() {
            let is_guard = self.uses[shape.index()].iter().any(|one| matches!(one, Use::Guard));
            if is_guard && let Some(bindings) = self.guard_row(arguments, values) {
                rows.push(bindings);
            }
        }
        rows.sort_by(|one, other| bindings_order(one, other));
        rows.dedup();
        found.extend(rows.into_iter().map(|bindings| finding(point.number, bindings)));
    }

    fn guard_row(&mut self, arguments: &[Atom], values: &Values) -> Option<Vec<Option<Value>>> {
        let reader = self.readers.last()?;
        if !reader.fits(arguments, values) {
            return None;
        }
        reader.fill(&reader.groups, arguments, values, &mut self.key);
        let group = self.groups.find(&self.key)?;
        if self.limit.quick(&self.groups, group) == Some(false) {
            return None;
        }
        let results = self.groups.results(group);
        if results.contains(&None) {
            return None;
        }
        let (shape, key) = (&self.shape, &self.key);
        let guard = shape.guard.as_ref()?;
        let value = |variable: VarId| match guard.place(variable) {
            Some(place) => Some(values.value(*arguments.get(place)?)),
            None => of_group(shape, key, &results, variable, values),
        };
        let exceeded = self.limit.holds(shape, &value);
        exceeded.then(|| shape.reported.iter().map(|&variable| value(variable)).collect())
    }
}

/// Whether a group exceeds its limit.
fn exceeds(shape: &TallyShape, limit: &Limit, groups: &TallyGroups, id: GroupId, values: &Values) -> bool {
    let (key, results) = (groups.key(id), groups.results(id));
    let value = |variable: VarId| of_group(shape, key, &results, variable, values);
    !results.contains(&None) && limit.holds(shape, &value)
}

/// The value that a variable has in a group: a result, or a part of its key.
fn of_group(
    shape: &TallyShape,
    key: &[Atom],
    results: &[Option<Value>],
    variable: VarId,
    values: &Values,
) -> Option<Value> {
    match shape.aggregates.iter().position(|one| one.result == variable) {
        Some(index) => results[index].clone(),
        None => {
            let place = shape.groups.iter().position(|group| *group == variable)?;
            Some(values.value(key[place]))
        }
    }
}

fn finding(point: u64, bindings: Vec<Option<Value>>) -> Finding {
    let violation = Violation { point, decided: Some(point), opened: None, bindings, message: None };
    Finding { rule: 0, violation }
}

impl TallyReader {
    fn new(
        pattern: &TallyPattern,
        groups: &[VarId],
        own: &[VarId],
        over: Option<VarId>,
        values: &mut Values,
    ) -> TallyReader {
        let (mut constants, mut twins) = (Vec::new(), Vec::new());
        for (place, argument) in pattern.arguments.iter().enumerate() {
            match argument {
                TallyArgument::Any => {}
                TallyArgument::Constant(value) => constants.push((place, values.constant(value))),
                TallyArgument::Variable(variable) => match pattern.place(*variable) {
                    Some(first) if first < place => twins.push((first, place)),
                    _ => {}
                },
            }
        }
        let places = |variables: &[VarId]| variables.iter().filter_map(|&variable| pattern.place(variable)).collect();
        let over = over.and_then(|over| pattern.place(over));
        TallyReader { constants, twins, groups: places(groups), own: places(own), over }
    }

    /// Whether an event has the constants and equal values that the pattern wants.
    fn fits(&self, arguments: &[Atom], values: &Values) -> bool {
        self.constants.iter().all(|&(place, wanted)| values.normal(arguments[place]) == values.normal(wanted))
            && self.twins.iter().all(|&(one, two)| values.normal(arguments[one]) == values.normal(arguments[two]))
    }

    fn fill(&self, places: &[usize], arguments: &[Atom], values: &Values, into: &mut Vec<Atom>) {
        into.clear();
        into.extend(places.iter().map(|&place| values.normal(arguments[place])));
    }
}

impl Judge for TallyJudge {
    fn shape(&mut self, shape: &EventShape, values: &mut Values) -> Interest {
        if self.uses.is_empty() {
            self.make_readers(values);
        }
        let fits = |pattern: &TallyPattern| *pattern.name == *shape.name && pattern.arguments.len() == shape.positional;
        let counted = self.shape.aggregates.iter().enumerate().filter(|(_, one)| fits(&one.pattern));
        let mut uses: Vec<Use> = counted.map(|(index, _)| Use::Counted(index)).collect();
        uses.extend(self.shape.guard.iter().filter(|guard| fits(guard)).map(|_| Use::Guard));
        let places = if uses.is_empty() { 0..0 } else { 0..shape.positional };
        // Without a guard every point has the violations of its groups.
        let steps = self.shape.guard.is_none() || !uses.is_empty();
        self.uses.push(uses);
        Interest { want: Want::fields(places), steps, ..Interest::all() }
    }

    fn wants_empty_points(&self) -> bool {
        self.shape.guard.is_none()
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        if self.groups.len() >= self.many_groups {
            self.ask_ahead(points, values);
        }
        for point in points.iter() {
            self.point(point, values, found);
        }
    }

    /// Nothing is decided between two points.
    fn advance(&mut self, _last: u64, _time: &Number, _values: &mut Values, _found: &mut Vec<Finding>) {}

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        out.number(self.violations);
        self.windows.iter().for_each(|window| window.save(&self.groups, values, out));
        Ok(())
    }

    /// Which groups violate is not written: all that have come back count as changed, and are looked at with the next point.
    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.violations = Some(reader.number()?).filter(|violations| *violations <= u64::MAX / 2).ok_or(Damaged)?;
        for window in &mut self.windows {
            window.load(&mut self.groups, &mut self.changed, values, reader)?;
        }
        Ok(())
    }

    /// **An assignment with a dead value** never comes again, so nobody asks whether it counts already. **A group with a dead value** gets no
    /// more values; where none leaves either, it amounts to what it does for ever. If a guard is demanded, it would show the value. If
    /// not, the group violates the policy for ever or never, and may go in the second case. Windows that end let go of their
    /// assignments by themselves.
    fn forget(&mut self, value: Atom, values: &Values) {
        let value = values.normal(value);
        self.windows.iter_mut().for_each(|window| window.forget(value));
        // Groups that have changed since they were looked at last may violate the policy.
        if self.changed.is_empty() && !self.windows.iter().any(|window| window.has(value)) {
            self.groups.harmless_with(value).into_iter().for_each(|id| self.groups.forget(id));
        }
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, _last: u64, _prefix: bool, _values: &mut Values) -> Vec<Outcome> {
        let status = if self.violations == 0 { Status::Satisfied } else { Status::Violated };
        vec![Outcome { status, violations: Vec::new(), pending: 0, obstacle: None }]
    }

    fn sizes(&self) -> Vec<Size> {
        let window = |window: &TallyWindow| Size { rule: 0, purpose: "window".to_owned(), rows: window.len() };
        let groups = Size { rule: 0, purpose: "groups".to_owned(), rows: self.groups.len() };
        self.windows.iter().map(window).chain([groups]).collect()
    }
}
