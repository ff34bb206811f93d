//! Judges sliced logics.
//!
//! ```text
//!  event e(θ) ─▶ new slices: θ joined with a stored slice θ' whose variables the enable set of e names
//!             ─▶ all stored slices that contain θ: moved, by groups where the store allows ─▶ categories
//! ```
//!
//! **Only slices that can still reach a category are stored.** A join τ = θ' ⊔ θ is new exactly if nothing else that is part
//! of τ but not of θ' has been seen since θ' began; otherwise the join with that was made then, or was hopeless then. So it
//! is enough to remember, per binding of an event, when it was last seen and when it first began a slice.
//!
//! A slice begins with a creation event. Where the property names none, every event begins one; but if every report of a
//! finite machine binds all parameters, events that leave the initial state as it is need not begin anything: nobody can
//! tell. That keeps `update(map)` before any iterator from making a slice per map and iterator.
//!
//! Cost per event: the classes or slices that contain θ, plus the stored slices that θ can be joined with.

use std::sync::Arc;

use referee_spec::core::machine::{Machine, Sliced};
use referee_spec::core::{Obstacle, Outcome, Problem, Span, Status, Violation};
use referee_trace::event::EventShape;
use referee_trace::number::Number;
use referee_trace::points::{Interest, Points};
use referee_trace::raw::Want;
use referee_trace::values::{Atom, LiveValues, Values};

use super::behaviour::{Behaviour, Move};
use super::config::ConfigId;
use super::seen::{Seen, SeenTable};
use super::slice_forgetting::{SilentStates, parameters_with};
use super::state::{read_partial, write_partial};
use super::store::InstanceStore;
use crate::judge::{Damaged, Finding, Judge, Reader, RuleState, Size, Unsavable, Writer, mark_saved};
use crate::machine::binding::{BoundVariables, MOST_VARIABLES, Partial, members};
use crate::shared::maps::Set;

/// An event of the alphabet.
#[derive(Debug, Clone)]
struct SliceKind {
    set: BoundVariables,
    /// The parameter of each argument.
    parameters: Vec<usize>,
    begins: bool,
    /// The sets of variables of slices that it can extend to something that is not hopeless.
    enabled: Vec<BoundVariables>,
    /// The sets of variables of slices that it belongs to and may change.
    moved: Vec<BoundVariables>,
    /// Whether anybody asks when its bindings were seen.
    remembered: bool,
}

/// What an event binds, and the same as a key.
#[derive(Debug, Clone, Copy)]
struct BoundArgument {
    binding: Partial,
    key: [Atom; MOST_VARIABLES],
    len: usize,
}

impl BoundArgument {
    fn of(binding: Partial) -> BoundArgument {
        let (key, len) = binding.key(binding.set);
        BoundArgument { binding, key, len }
    }

    #[inline]
    fn set(&self) -> BoundVariables {
        self.binding.set
    }

    #[inline]
    fn key(&self) -> &[Atom] {
        &self.key[..self.len]
    }
}

/// A slice that an event makes, its configuration before the event, and when it began.
type Made = (Partial, ConfigId, u64);

/// How many slices an event must meet on average for classes of them to pay.
const MANY: usize = 6;

/// Judges one sliced logic.
#[derive(Debug)]
pub struct SlicedJudge {
    body: Sliced,
    behaviour: Behaviour,
    kinds: Vec<SliceKind>,
    shapes: Vec<Option<usize>>,
    /// Indexed by set of variables; nothing at 0.
    stores: Vec<Option<InstanceStore>>,
    /// When the slice of each slot began, by set of variables.
    births: Vec<Vec<u64>>,
    /// The slice that binds nothing, and when it began.
    base: (ConfigId, Option<u64>),
    /// When bindings were seen, by set of variables.
    seen: Vec<SeenTable>,
    event_sets: Vec<BoundVariables>,
    /// Whether all events bind all parameters.
    uniform: bool,
    /// Whether such a slice can be forgotten when it is back at the beginning: the end would not report it.
    forgets: bool,
    time: u64,
    last: u64,
    reports: Vec<(Partial, ConfigId, ConfigId)>,
    stuck: Option<Obstacle>,
    violated: bool,
    made: Vec<Made>,
    slots: Vec<u32>,
    groups: Vec<u32>,
    classes: Vec<(u32, ConfigId)>,
    moves: Vec<(u32, ConfigId)>,
    silent: SilentStates,
    /// Whether what is kept was read from bytes: if those were damaged, a slice may be stored twice, which does no harm to others.
    was_loaded: bool,
}

impl SlicedJudge {
    /// A judge before the first point; nothing if there are more parameters than can be followed.
    pub fn new(machine: &Machine, body: &Sliced) -> SlicedJudge {
        debug_assert_eq!(machine.binding_names().len(), body.parameters.len());
        let mut behaviour = Behaviour::new(body);
        let set = |parameters: &[usize]| {
            parameters.iter().fold(0, |set: BoundVariables, parameter| set | 1 << (parameter & 31))
        };
        let mut kinds: Vec<SliceKind> = (body.events.iter())
            .map(|event| SliceKind {
                set: set(&event.parameters),
                parameters: event.parameters.clone(),
                begins: event.creation && !event.end,
                enabled: Vec::new(),
                moved: Vec::new(),
                remembered: false,
            })
            .collect();
        let too_many = body.parameters.len() > MOST_VARIABLES;
        let full = if too_many { 0 } else { (1 << body.parameters.len()) - 1 };
        let declared = body.events.iter().any(|event| !event.creation && !event.end);
        if !declared && !too_many {
            wake_lazily(body, &behaviour, &mut kinds, full);
        }
        enable(&behaviour, body, &mut kinds, full);
        find_moved(&behaviour, &mut kinds, full);
        find_remembered(&mut kinds);
        // What does not begin a slice must mean nothing to one that stands at the beginning.
        let forgets = (0..kinds.len()).filter(|symbol| !kinds[*symbol].begins).all(|symbol| {
            let after = behaviour.step(0, symbol);
            let is_fresh = |after: ConfigId| behaviour.is_fresh(after) || body.events[symbol].end;
            after.is_ok_and(|after| !behaviour.reports_any(0, after) && is_fresh(after))
        });
        let mut event_sets: Vec<BoundVariables> =
            (kinds.iter().zip(&body.events)).filter(|(_, event)| !event.end).map(|(kind, _)| kind.set).collect();
        event_sets.sort_unstable();
        event_sets.dedup();
        let stuck = (behaviour.is_too_large() || too_many).then_some(Obstacle {
            point: 1,
            span: Span { start: 0, end: 0 },
            problem: Problem::TooManyStates,
        });
        let room = if too_many { 1 } else { full as usize + 1 };
        SlicedJudge {
            uniform: event_sets.len() == 1 && event_sets[0] == full && full != 0,
            forgets,
            body: body.clone(),
            behaviour,
            kinds,
            shapes: Vec::new(),
            stores: vec![None; room],
            births: vec![Vec::new(); room],
            base: (0, None),
            seen: (0..room).map(|set| SeenTable::new(set.count_ones() as usize)).collect(),
            event_sets,
            time: 0,
            last: 0,
            reports: Vec::new(),
            stuck,
            violated: false,
            made: Vec::new(),
            slots: Vec::new(),
            groups: Vec::new(),
            classes: Vec::new(),
            moves: Vec::new(),
            silent: SilentStates::default(),
            was_loaded: false,
        }
    }

    fn store(&mut self, set: BoundVariables) -> &mut InstanceStore {
        let (uniform, events, kinds) = (self.uniform, &self.body.events, &self.kinds);
        let one_by_one = || uniform && !events.iter().any(|event| event.end);
        let keyed = || kinds.iter().any(|kind| set & !kind.set == 0);
        self.stores[set as usize]
            .get_or_insert_with(|| InstanceStore::new(set, (!one_by_one()).then_some(MANY), keyed()))
    }

    /// Whether a slice is stored; nobody asks but those who doubt that it is not.
    fn has(&self, binding: &Partial) -> bool {
        let (key, len) = binding.key(binding.set);
        self.stores[binding.set as usize].as_ref().is_some_and(|store| store.find(&key[..len]).is_some())
    }

    /// What an event does to a slice that binds `set`; one that cannot be judged stays as it is.
    #[inline]
    fn advance(&mut self, set: BoundVariables, config: ConfigId, symbol: usize) -> Move {
        match self.behaviour.advance(config, symbol) {
            Ok(moved) => moved,
            Err((problem, span)) => self.stick(set, config, problem, span),
        }
    }

    #[cold]
    fn stick(&mut self, set: BoundVariables, config: ConfigId, problem: Problem, span: Span) -> Move {
        if !self.is_judged(set) {
            // Nobody asks for it, but what extends it may be asked for.
            return Move { after: self.behaviour.stuck((problem, span)), reports: false, hopeless: false };
        }
        let earlier = self.stuck.as_ref().is_some_and(|known| known.span.start <= span.start);
        if !earlier {
            self.stuck = Some(Obstacle { point: self.last, span, problem });
        }
        Move {
            after: config,
            reports: self.behaviour.reports_any(config, config),
            hopeless: self.behaviour.is_hopeless(config),
        }
    }

    /// Whether slices that bind `set` are judged.
    fn is_judged(&self, set: BoundVariables) -> bool {
        !self.body.full_binding || set.count_ones() as usize == self.body.parameters.len()
    }

    #[inline]
    fn event(&mut self, symbol: usize, arguments: &[Atom], values: &Values) {
        let mut binding = Partial::EMPTY;
        for (position, parameter) in self.kinds[symbol].parameters.iter().enumerate() {
            binding = binding.with(*parameter, values.normal(arguments[position]));
        }
        self.time += 1;
        if self.uniform {
            self.single(symbol, binding);
        } else {
            self.route(symbol, &BoundArgument::of(binding));
        }
        if self.behaviour.wants_collection() {
            let used = self.stores.iter().flatten().flat_map(InstanceStore::configs).chain([self.base.0]);
            self.behaviour.collect(used);
        }
    }

    /// The common case: every event binds all parameters.
    #[inline]
    fn single(&mut self, symbol: usize, binding: Partial) {
        let (key, len) = binding.key(binding.set);
        let slot = self.store(binding.set).find(&key[..len]);
        let begins = self.kinds[symbol].begins;
        let before = match slot {
            Some(slot) => self.store(binding.set).config(slot),
            None if !begins || self.is_over(&binding) => return,
            None => 0,
        };
        let Move { after, reports, hopeless } = self.advance(binding.set, before, symbol);
        if reports {
            self.reports.push((binding, before, after));
        }
        match slot {
            Some(slot) if hopeless || self.is_gone(after) => self.store(binding.set).remove(slot),
            Some(slot) => self.store(binding.set).set_config(slot, after),
            None if hopeless || self.is_gone(after) => {}
            None => drop(self.store(binding.set).insert(&key[..len], after)),
        }
        if hopeless {
            self.seen[binding.set as usize].note(&key[..len], self.time, true);
        }
    }

    /// Whether a slice with a configuration is as good as one that has not begun.
    #[inline]
    fn is_gone(&self, config: ConfigId) -> bool {
        self.forgets && self.behaviour.is_fresh(config)
    }

    /// Whether a slice that is not stored was given up.
    fn is_over(&self, binding: &Partial) -> bool {
        let (key, len) = binding.key(binding.set);
        self.seen[binding.set as usize].get(&key[..len]).is_some()
    }

    // ── Making ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The general case: makes slices, moves those that are stored, and enters the new ones.
    #[inline]
    fn route(&mut self, symbol: usize, bound: &BoundArgument) {
        if !self.kinds[symbol].enabled.is_empty() {
            self.make(symbol, bound);
        }
        self.move_stored(symbol, bound);
        if !self.made.is_empty() {
            let mut made = std::mem::take(&mut self.made);
            made.drain(..).for_each(|(joined, before, birth)| self.insert(joined, before, birth, symbol));
            self.made = made;
        }
        let kind = &self.kinds[symbol];
        if kind.remembered {
            self.seen[bound.set() as usize].note(bound.key(), self.time, kind.begins);
        }
    }

    /// Finds the slices that an event makes.
    fn make(&mut self, symbol: usize, bound: &BoundArgument) {
        for number in 0..self.kinds[symbol].enabled.len() {
            let set = self.kinds[symbol].enabled[number];
            if set == 0 {
                self.extend_base(symbol, bound);
            } else if self.stores[set as usize].as_ref().is_some_and(|store| !store.is_empty()) {
                self.extend_store(set, &bound.binding);
            }
        }
        if self.made.len() > 1 {
            let mut known: Set<Partial> = Set::default();
            self.made.retain(|(joined, ..)| known.insert(*joined));
        }
    }

    fn extend_base(&mut self, symbol: usize, bound: &BoundArgument) {
        if bound.set() == 0 {
            return;
        }
        let (config, birth) = match self.base {
            (config, Some(birth)) => (config, birth),
            (_, None) if self.kinds[symbol].begins => (0, self.time),
            _ => return,
        };
        if self.is_new(&bound.binding, 0, birth) {
            debug_assert!(self.was_loaded || !self.has(&bound.binding));
            self.made.push((bound.binding, config, birth));
        }
    }

    fn extend_store(&mut self, set: BoundVariables, binding: &Partial) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        let shared = set & binding.set;
        let (key, len) = binding.key(shared);
        self.store(set).lookup(shared, &key[..len], &mut slots);
        for &slot in &slots {
            let store = self.store(set);
            let (slice, config) = (Partial::of_key(set, store.key(slot)), store.config(slot));
            let birth = self.births[set as usize][slot as usize];
            if let Some(joined) = slice.join(binding)
                && joined.set != set
                && self.is_new(&joined, set, birth)
            {
                debug_assert!(self.was_loaded || !self.has(&joined));
                self.made.push((joined, config, birth));
            }
        }
        self.slots = slots;
    }

    /// Whether nothing that is part of a binding, but not of its variables in `set`, was seen since `birth` or has begun a
    /// slice before. What is new is not stored: some event of a stored slice binds what `set` does not, and came after the slice began;
    /// so that was before `birth`, and with an event that is not part of `set`, or not before it, and then since `birth`.
    fn is_new(&self, binding: &Partial, set: BoundVariables, birth: u64) -> bool {
        let inside = self.event_sets.iter().filter(|event| **event & !binding.set == 0 && **event & !set != 0);
        inside.into_iter().all(|event| {
            let (key, len) = binding.key(*event);
            let seen = self.seen[*event as usize].get(&key[..len]);
            seen.is_none_or(|seen| seen.last <= birth && seen.began >= birth)
        })
    }

    fn insert(&mut self, binding: Partial, before: ConfigId, birth: u64, symbol: usize) {
        let Move { after, reports, hopeless } = self.advance(binding.set, before, symbol);
        if reports {
            self.reports.push((binding, before, after));
        }
        if hopeless {
            return;
        }
        self.enter(&binding, after, birth);
    }

    /// Stores a slice that is not there yet.
    fn enter(&mut self, binding: &Partial, config: ConfigId, birth: u64) {
        let (key, len) = binding.key(binding.set);
        let slot = self.store(binding.set).insert(&key[..len], config) as usize;
        let births = &mut self.births[binding.set as usize];
        if births.len() <= slot {
            births.resize(slot + 1, 0);
        }
        births[slot] = birth;
    }

    // ── Moving ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Moves the stored slices that contain a binding.
    #[inline]
    fn move_stored(&mut self, symbol: usize, bound: &BoundArgument) {
        if bound.set() == 0 {
            self.move_base(symbol);
        }
        for number in 0..self.kinds[symbol].moved.len() {
            let set = self.kinds[symbol].moved[number];
            let Some(store) = self.stores[set as usize].as_ref().filter(|store| !store.is_empty()) else { continue };
            self.groups.clear();
            if store.groups_of(bound.set(), bound.key(), &mut self.groups) {
                for number in 0..self.groups.len() {
                    self.move_group(set, self.groups[number], symbol);
                }
            } else {
                self.move_slots(set, bound, symbol);
            }
        }
    }

    fn move_base(&mut self, symbol: usize) {
        let (before, birth) = self.base;
        if birth.is_none() && !self.kinds[symbol].begins {
            return;
        }
        let Move { after, reports, .. } = self.advance(0, before, symbol);
        self.base = (after, birth.or(Some(self.time)));
        if reports {
            self.reports.push((Partial::EMPTY, before, after));
        }
    }

    fn move_slots(&mut self, set: BoundVariables, bound: &BoundArgument, symbol: usize) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        self.store(set).lookup(bound.set(), bound.key(), &mut slots);
        for &slot in &slots {
            let before = self.store(set).config(slot);
            let Move { after, reports, hopeless } = self.advance(set, before, symbol);
            if reports {
                let slice = Partial::of_key(set, self.store(set).key(slot));
                self.reports.push((slice, before, after));
            }
            if hopeless {
                self.store(set).remove(slot);
            } else if after != before {
                self.store(set).set_config(slot, after);
            }
        }
        self.slots = slots;
    }

    fn move_group(&mut self, set: BoundVariables, group: u32, symbol: usize) {
        let (mut classes, mut moves) = (std::mem::take(&mut self.classes), std::mem::take(&mut self.moves));
        classes.clear();
        classes.extend(self.store(set).group_configs(group));
        moves.clear();
        for &(class, before) in &classes {
            let moved = self.advance(set, before, symbol);
            if moved.hopeless || moved.reports {
                self.report_class(set, class, before, moved);
            }
            if moved.after != before && !moved.hopeless {
                moves.push((class, moved.after));
            }
        }
        if !moves.is_empty() {
            self.store(set).relabel(&moves);
        }
        (self.classes, self.moves) = (classes, moves);
    }

    /// Reports the members of a class, if an event reaches a category in them, and drops them, if nothing can be reported any more.
    fn report_class(&mut self, set: BoundVariables, class: u32, before: ConfigId, moved: Move) {
        let mut slots = Vec::new();
        self.store(set).class_slots(class, &mut slots);
        if moved.reports {
            for &slot in &slots {
                let slice = Partial::of_key(set, self.store(set).key(slot));
                self.reports.push((slice, before, moved.after));
            }
        }
        if moved.hopeless {
            slots.into_iter().for_each(|slot| self.store(set).remove(slot));
        }
    }

    // ── Reporting ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// What the reports say, as violations in the order of reports.
    fn violations(&mut self, decided: Option<u64>, values: &Values) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (slice, before, after) in std::mem::take(&mut self.reports) {
            if !self.is_judged(slice.set) {
                continue;
            }
            for (number, (_, name)) in self.body.categories.iter().enumerate() {
                if self.behaviour.reports(number, before, after) {
                    violations.push(self.violation(&slice, name, decided, values));
                }
            }
        }
        violations.sort_by(|one, other| one.report_order(other).then_with(|| one.message.cmp(&other.message)));
        violations
    }

    fn violation(&self, slice: &Partial, name: &Arc<str>, decided: Option<u64>, values: &Values) -> Violation {
        let value = |parameter: usize| (slice.set >> parameter & 1 == 1).then(|| values.value(slice.values[parameter]));
        Violation {
            point: self.last,
            decided,
            opened: None,
            bindings: (0..self.body.parameters.len()).map(value).collect(),
            message: Some(name.clone()),
        }
    }

    /// Lets the event of the end follow in every slice.
    fn finish(&mut self) {
        let Some(symbol) = self.body.events.iter().position(|event| event.end) else { return };
        if self.base.1.is_some() {
            self.move_base(symbol);
        }
        for set in 1..self.stores.len() as BoundVariables {
            if self.stores[set as usize].as_ref().is_some_and(|store| !store.is_empty()) {
                self.move_slots(set, &BoundArgument::of(Partial::EMPTY), symbol);
            }
        }
    }
}

/// Lets slices begin only with events that leave the initial state, where nobody can tell the difference.
fn wake_lazily(body: &Sliced, behaviour: &Behaviour, kinds: &mut [SliceKind], full: BoundVariables) {
    let Some(finite) = behaviour.finite() else { return };
    let unchanged: Vec<bool> =
        (0..kinds.len()).map(|symbol| finite.step(0, symbol) == 0 && !behaviour.reports_any(0, 0)).collect();
    let mut lazy: Vec<SliceKind> = kinds.to_vec();
    lazy.iter_mut().zip(&unchanged).for_each(|(kind, unchanged)| kind.begins &= !unchanged);
    let partial = |state: u32, set: BoundVariables, symbol: usize| {
        let next = finite.step(state, symbol);
        behaviour.reports_any(state, next) && set | kinds[symbol].set != full
    };
    let reachable = reachable(behaviour, &lazy);
    let told = reachable.iter().any(|(state, set)| (0..kinds.len()).any(|symbol| partial(*state, *set, symbol)));
    // A slice that only the end would report must have begun, too.
    let at_end =
        (0..kinds.len()).any(|symbol| body.events[symbol].end && behaviour.reports_any(0, finite.step(0, symbol)));
    if !told && !at_end {
        kinds.clone_from_slice(&lazy);
    }
}

/// The states of a finite machine that slices can be in, each with the variables that they may bind then.
fn reachable(behaviour: &Behaviour, kinds: &[SliceKind]) -> Vec<(u32, BoundVariables)> {
    let Some(finite) = behaviour.finite() else { return Vec::new() };
    let mut known: Set<(u32, BoundVariables)> = Set::default();
    let mut open: Vec<(u32, BoundVariables)> = Vec::new();
    for (symbol, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.begins) {
        open.push((finite.step(0, symbol), kind.set));
    }
    let mut all = vec![(0, 0)];
    while let Some((state, set)) = open.pop() {
        if known.insert((state, set)) {
            all.push((state, set));
            open.extend(kinds.iter().enumerate().map(|(symbol, kind)| (finite.step(state, symbol), set | kind.set)));
        }
    }
    all
}

/// Finds whose bindings somebody asks for: those that may hide in the join of an event with a slice that it extends. A slice that
/// begins now asks only which bindings have begun one before.
fn find_remembered(kinds: &mut [SliceKind]) {
    let base_lives = kinds.iter().any(|kind| kind.set == 0);
    let sets: Vec<(BoundVariables, BoundVariables)> =
        kinds.iter().flat_map(|kind| kind.enabled.iter().map(|set| (*set, *set | kind.set))).collect();
    for kind in kinds {
        let hides = |(set, joined): &&(BoundVariables, BoundVariables)| kind.set & !joined == 0 && kind.set & !set != 0;
        kind.remembered = sets.iter().filter(hides).any(|(set, _)| *set != 0 || base_lives || kind.begins);
    }
}

/// Finds which slices each event can extend to something that is not hopeless.
fn enable(behaviour: &Behaviour, body: &Sliced, kinds: &mut [SliceKind], full: BoundVariables) {
    if body.parameters.len() > MOST_VARIABLES {
        return;
    }
    let Some(finite) = behaviour.finite() else {
        for kind in kinds {
            kind.enabled = (0..=full).filter(|set| kind.set & !set != 0).collect();
        }
        return;
    };
    let reachable = reachable(behaviour, kinds);
    for (symbol, kind) in kinds.iter_mut().enumerate() {
        let useful = |(state, _): &&(u32, BoundVariables)| {
            let next = finite.step(*state, symbol);
            !behaviour.is_hopeless(next) || behaviour.reports_any(*state, next)
        };
        let mut sets: Vec<BoundVariables> = reachable.iter().filter(useful).map(|(_, set)| *set).collect();
        sets.retain(|set| kind.set & !set != 0);
        sets.sort_unstable();
        sets.dedup();
        kind.enabled = sets;
    }
}

/// Finds which slices each event may change or report.
fn find_moved(behaviour: &Behaviour, kinds: &mut [SliceKind], full: BoundVariables) {
    let reachable = reachable(behaviour, kinds);
    for (symbol, kind) in kinds.iter_mut().enumerate() {
        let loud = |(state, _): &&(u32, BoundVariables)| {
            let next = behaviour.finite().map_or(*state, |finite| finite.step(*state, symbol));
            !behaviour.is_hopeless(*state) && (next != *state || behaviour.reports_any(*state, next))
        };
        let changed: Set<BoundVariables> = reachable.iter().filter(loud).map(|(_, set)| *set).collect();
        let changes = |set: &BoundVariables| behaviour.finite().is_none() || changed.contains(set);
        kind.moved = (1..=full).filter(|set| kind.set & !set == 0).filter(changes).collect();
    }
}

impl SlicedJudge {
    /// Judges one point: the shapes of its events and their arguments.
    #[inline]
    pub fn point<'e>(
        &mut self,
        point: u64,
        events: impl Iterator<Item = (usize, &'e [Atom])>,
        values: &Values,
        found: &mut Vec<Finding>,
    ) {
        if self.stuck.is_some() {
            return;
        }
        self.last = point;
        for (shape, arguments) in events {
            if let Some(symbol) = self.shapes[shape] {
                self.event(symbol, arguments, values);
            }
        }
        if self.stuck.is_some() {
            self.reports.clear();
        } else if !self.reports.is_empty() {
            let violations = self.violations(Some(point), values);
            self.violated |= !violations.is_empty();
            found.extend(violations.into_iter().map(|violation| Finding { rule: 0, violation }));
        }
    }

    // ── Forgetting ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Drops the slices with a value that can report nothing without it, and what was seen with it if no slice has it then.
    fn forget_value(&mut self, value: Atom) {
        let kinds: Vec<(BoundVariables, bool)> =
            self.kinds.iter().zip(&self.body.events).map(|(kind, event)| (kind.set, event.end)).collect();
        let mut left = false;
        for set in 1..self.stores.len() as BoundVariables {
            for parameter in members(set) {
                let Some(store) = self.stores[set as usize].as_mut().filter(|store| !store.is_empty()) else { break };
                let mut slots = Vec::new();
                store.lookup(1 << parameter, &[value], &mut slots);
                for slot in slots {
                    left |= !self.forget_slice(set, slot, value, &kinds);
                }
            }
        }
        if !left {
            self.seen.iter_mut().for_each(|table| table.forget(value));
        }
    }

    /// Drops a slice with a dead value if it is silent from now on; whether it was.
    fn forget_slice(&mut self, set: BoundVariables, slot: u32, value: Atom, kinds: &[(BoundVariables, bool)]) -> bool {
        let Some(store) = &self.stores[set as usize] else { return true };
        let (dead, config) = (parameters_with(value, set, store.key(slot)), store.config(slot));
        let silent = self.silent.are(&mut self.behaviour, kinds, dead, config);
        if silent {
            self.store(set).remove(slot);
        }
        silent
    }

    // ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The verdict if the trace ended now; nothing if an event follows the last one, so that the end has to be tried.
    fn state_now(&self) -> Option<RuleState> {
        let open = self.body.events.iter().any(|event| event.end);
        match (self.violated, &self.stuck) {
            (true, _) => Some(RuleState { status: Status::Violated, settled: true }),
            (false, Some(_)) => Some(RuleState { status: Status::GaveUp, settled: true }),
            (false, None) => (!open).then_some(RuleState { status: Status::Satisfied, settled: false }),
        }
    }

    /// Writes all that later verdicts depend on.
    fn write_state(&self, values: &Values, out: &mut Writer) {
        out.number(self.last);
        out.number(self.time);
        out.truth(self.violated);
        out.truth(self.stuck.is_some());
        self.stuck.iter().for_each(|obstacle| out.obstacle(obstacle));
        self.behaviour.save(out);
        out.number(u64::from(self.base.0));
        out.truth(self.base.1.is_some());
        out.number(self.base.1.unwrap_or(0));
        out.length(self.stores.iter().flatten().map(InstanceStore::len).sum());
        for store in self.stores.iter().flatten() {
            for slot in store.slots() {
                write_partial(&Partial::of_key(store.set(), store.key(slot)), values, out);
                out.number(u64::from(store.config(slot)));
                // Where all events bind all parameters, nobody asks when slices began.
                out.number(self.births[store.set() as usize].get(slot as usize).copied().unwrap_or(0));
            }
        }
        out.length(self.seen.iter().map(SeenTable::len).sum());
        for (set, table) in self.seen.iter().enumerate() {
            for (key, seen) in table.all() {
                write_partial(&Partial::of_key(set as BoundVariables, key), values, out);
                out.number(seen.last);
                out.truth(seen.began != u64::MAX);
                out.number(if seen.began == u64::MAX { 0 } else { seen.began });
            }
        }
    }

    /// Reads what `write_state` wrote, into a judge that has heard of shapes and nothing else.
    fn read_state(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        let full = (self.stores.len() - 1) as BoundVariables;
        self.was_loaded = true;
        self.last = reader.number()?;
        self.time = reader.number()?;
        self.violated = reader.truth()?;
        self.stuck = if reader.truth()? { Some(reader.obstacle()?) } else { None };
        self.behaviour.load(reader)?;
        let base = self.read_config(reader)?;
        let begun = reader.truth()?;
        self.base = (base, Some(reader.number()?).filter(|_| begun));
        let mut known: Set<Partial> = Set::default();
        for _ in 0..reader.length()? {
            let slice = read_partial(full, values, reader)?;
            let (config, birth) = (self.read_config(reader)?, reader.number()?);
            if slice.set == 0 || !known.insert(slice) {
                return Err(Damaged);
            }
            self.enter(&slice, config, birth);
        }
        for _ in 0..reader.length()? {
            let binding = read_partial(full, values, reader)?;
            let (last, begun, began) = (reader.number()?, reader.truth()?, reader.number()?);
            let (key, len) = binding.key(binding.set);
            self.seen[binding.set as usize]
                .put(&key[..len], Seen { last, began: if begun { began } else { u64::MAX } });
        }
        Ok(())
    }

    fn read_config(&self, reader: &mut Reader) -> Result<ConfigId, Damaged> {
        Some(reader.small()?).filter(|config| self.behaviour.has(*config)).ok_or(Damaged)
    }
}

impl Judge for SlicedJudge {
    fn shape(&mut self, shape: &EventShape, _: &mut Values) -> Interest {
        let known = |event: &referee_spec::core::machine::SliceEvent| {
            !event.end && *event.name == *shape.name && event.parameters.len() == shape.positional
        };
        let symbol = self.body.events.iter().position(known);
        self.shapes.push(symbol);
        match symbol {
            None => Interest::none(),
            Some(_) => Interest { want: Want::fields(0..shape.positional), ..Interest::all() },
        }
    }

    fn points(&mut self, points: &Points, values: &mut Values, found: &mut Vec<Finding>) {
        if let Some(events) = points.single_events() {
            for (point, shape, arguments) in (0..events.len()).map_while(|at| events.get(at)) {
                self.point(point, std::iter::once((shape.index(), arguments)), values, found);
            }
            return;
        }
        for point in points.iter() {
            let events = point.events().map(|(shape, arguments)| (shape.index(), arguments));
            self.point(point.number, events, values, found);
        }
    }

    /// Nothing is decided between two points.
    fn advance(&mut self, _last: u64, _time: &Number, _values: &mut Values, _found: &mut Vec<Finding>) {}

    fn save(&self, values: &Values, out: &mut Writer) -> Result<(), Unsavable> {
        self.write_state(values, out);
        Ok(())
    }

    fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        self.read_state(values, reader)
    }

    fn forget(&mut self, value: Atom, values: &Values) {
        if self.stuck.is_none() {
            self.forget_value(values.normal(value));
        }
    }

    fn rule_state(&mut self, _rule: usize, _values: &mut Values) -> Option<RuleState> {
        self.state_now()
    }

    fn mark(&mut self, values: &Values, live: &mut LiveValues) -> Result<(), Unsavable> {
        mark_saved(self, values, live)
    }

    fn end(&mut self, last: u64, prefix: bool, values: &mut Values) -> Vec<Outcome> {
        self.last = last;
        let (mut violations, mut pending) = (Vec::new(), 0);
        if self.stuck.is_none() {
            self.finish();
            violations = if self.stuck.is_none() { self.violations(None, values) } else { Vec::new() };
            if prefix {
                // What the end would reach is open as long as it has not come.
                pending = std::mem::take(&mut violations).len() as u64;
                self.stuck = None;
            }
        }
        let status = match (!self.violated && violations.is_empty(), &self.stuck) {
            (false, _) => Status::Violated,
            (true, Some(_)) => Status::GaveUp,
            (true, None) => Status::Satisfied,
        };
        vec![Outcome { status, violations, pending, obstacle: self.stuck.clone() }]
    }

    fn wants_empty_points(&self) -> bool {
        false
    }

    fn sizes(&self) -> Vec<Size> {
        let mut sizes = Vec::new();
        let mut add = |purpose: &str, rows: usize| sizes.push(Size { rule: 0, purpose: purpose.to_owned(), rows });
        add("slices", self.stores.iter().flatten().map(InstanceStore::len).sum());
        add("configurations", self.behaviour.len());
        add("bindings seen", self.seen.iter().map(SeenTable::len).sum());
        sizes
    }
}
