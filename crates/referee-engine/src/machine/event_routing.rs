//! Routes each event to the bindings that it belongs to.
//!
//! ```text
//!  event ─▶ parts: what each class that it fits binds, and their joins ─▶ the letter of each
//!
//!  stored instances    ⊥ (nothing bound), (d=7), (d=7, p=3), …           closed under joins
//!  any other binding   has the configuration of the largest stored one that is part of it
//! ```
//!
//! So only bindings that differ from what they extend are stored, and the full product of the domains is never built
//! unless it is full of differences. On an event
//!
//! 1. a binding that is not stored is made an instance if the event moves it otherwise than what it extends: candidates
//!    are joins of a part with a stored instance;
//! 2. joins of such a one with stored instances are made too, so that "the largest" stays well-defined;
//! 3. all stored instances that contain a part are moved, by groups where the store allows;
//! 4. an instance that has become what it would be anyway is dropped.
//!
//! An event that leaves a configuration as it is makes no instance of it. Cost: per store the classes or instances that
//! contain the part, plus what is made.
//!
//! Where two variables can be exchanged (see [`symmetry`](super::symmetry)), the stored instances are the upright ones, and "stored" above
//! means those and their mirror images. An event whose parts contain one contain its image, too, so whatever moves an image moves the
//! instance: moving (3) needs to look at nothing else. What is made (1, 2) is made upright, and a look for the largest (4) is one for two.

use referee_trace::values::{Atom, Values};

use super::alphabet::Candidate;
use super::automaton::{Automaton, AutomatonEvent, AutomatonFact};
use super::binding::{BoundVariables, Partial, members};
use super::config::ConfigId;
use super::store::InstanceStore;
use super::symmetry::Swap;
use crate::shared::maps::Set;

/// What an event binds by some of the classes that it fits.
#[derive(Debug, Clone)]
struct BoundPart {
    binding: Partial,
    classes: Vec<u32>,
    letter: u32,
}

/// What an event did.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// Stored instances that have come to a configuration that settles them: what they bind, and what was and is known of them.
    pub moved: Vec<(Partial, AutomatonFact, AutomatonFact)>,
    /// Whether somebody wants to know of all changes.
    pub watched: bool,
    /// If so, the stored instances that are new, or of which something else is known than before.
    pub changed: Vec<Partial>,
}

/// The instances of an automaton.
#[derive(Debug)]
pub(super) struct Instances {
    /// Indexed by set of variables; nothing at 0.
    stores: Vec<Option<InstanceStore>>,
    /// The configuration of what binds nothing.
    pub base: ConfigId,
    event_sets: Vec<BoundVariables>,
    /// How many instances do not bind all variables.
    partial: usize,
    full: BoundVariables,
    slots: Vec<u32>,
    combinations: Vec<Combination>,
    /// The variables that can be exchanged, so that only upright bindings are stored.
    swap: Option<Swap>,
}

/// The letters of some classes that an event fits, by which of them a binding agrees with: a bit each.
#[derive(Debug)]
struct Combination {
    letters: Box<[u32]>,
    /// A configuration that none of them changes.
    unchanged: Option<ConfigId>,
}

/// How many instances an event must meet on average for classes of them to pay. One by one is quick here: see
/// [`EventRouting::loose`].
const MANY: usize = 16;

/// The most classes of one event whose combinations are kept.
const MOST_COMBINED: usize = 3;

impl Instances {
    /// No instances but the one that binds nothing.
    pub(super) fn new(variables: usize, event_sets: Vec<BoundVariables>, swap: Option<Swap>) -> Instances {
        let full = ((1u64 << variables) - 1) as BoundVariables;
        Instances {
            stores: vec![None; full as usize + 1],
            base: 0,
            event_sets,
            partial: 0,
            full,
            slots: Vec::new(),
            combinations: Vec::new(),
            swap,
        }
    }

    /// Whether any instance does not bind all variables.
    pub(super) fn has_parts(&self) -> bool {
        self.partial != 0
    }

    /// The stores that have instances.
    pub(super) fn stores(&self) -> impl Iterator<Item = &InstanceStore> {
        self.stores.iter().flatten().filter(|store| !store.is_empty())
    }

    fn sets(&self) -> Vec<BoundVariables> {
        self.stores().map(InstanceStore::set).collect()
    }

    fn store(&mut self, set: BoundVariables) -> &mut InstanceStore {
        let event_sets = &self.event_sets;
        let many = || event_sets.iter().any(|event| *event != set).then_some(MANY);
        self.stores[set as usize].get_or_insert_with(|| InstanceStore::new(set, many(), true))
    }

    /// The stored instance that binds exactly this.
    fn find(&self, binding: &Partial) -> Option<(&InstanceStore, u32)> {
        let store = self.stores[binding.set as usize].as_ref()?;
        let (key, len) = binding.key(binding.set);
        Some((store, store.find(&key[..len])?))
    }

    /// All variables.
    pub(super) fn full(&self) -> BoundVariables {
        self.full
    }

    /// The stored instances with a value, each with its configuration.
    pub(super) fn with_value(&mut self, value: Atom) -> Vec<(Partial, ConfigId)> {
        let mut found: Vec<(Partial, ConfigId)> = Vec::new();
        for set in self.sets() {
            for variable in members(set) {
                let mut slots = Vec::new();
                let store = self.store(set);
                store.lookup(1 << variable, &[value], &mut slots);
                for slot in slots {
                    let binding = Partial::of_key(set, store.key(slot));
                    // One that has the value twice is found by its first variable.
                    if members(set).find(|own| binding.values[*own] == value) == Some(variable) {
                        found.push((binding, store.config(slot)));
                    }
                }
            }
        }
        found
    }

    /// Stored instances that do not bind all variables: all of them, or so many.
    pub(super) fn parts(&self, most: usize) -> Vec<(Partial, ConfigId)> {
        let stores = self.stores().filter(|store| store.set() != self.full);
        stores.flat_map(|store| self.stored(store.set())).take(most).collect()
    }

    /// The variable that can be exchanged with another, or that one itself.
    pub(super) fn partner(&self, variable: usize) -> usize {
        self.swap.map_or(variable, |swap| swap.variable(variable))
    }

    /// Drops exactly this, which is stored.
    pub(super) fn forget(&mut self, binding: &Partial) {
        if let Some((_, slot)) = self.find(binding) {
            self.remove(binding.set, slot);
        }
    }

    /// The mirror image of a binding, if that is another.
    pub(super) fn image(&self, binding: &Partial) -> Option<Partial> {
        self.swap.map(|swap| swap.binding(binding)).filter(|image| image != binding)
    }

    /// The largest instance that is part of a binding: its variables, and a configuration that says of it what its own says.
    pub(super) fn largest(&self, binding: &Partial) -> (BoundVariables, ConfigId) {
        let (set, config, _) = self.largest_of_two(binding);
        (set, config)
    }

    /// The same, with the configuration of what is stored, and whether that is the mirror image.
    fn largest_of_two(&self, binding: &Partial) -> (BoundVariables, ConfigId, bool) {
        let (set, config) = self.largest_stored(binding);
        if let Some(swap) = self.swap
            && set != binding.set
            && let Some(image) = self.image(binding)
        {
            let (mirrored, other) = self.largest_stored(&image);
            if mirrored.count_ones() > set.count_ones() {
                return (swap.set(mirrored), other, true);
            }
        }
        (set, config, false)
    }

    fn largest_stored(&self, binding: &Partial) -> (BoundVariables, ConfigId) {
        let mut best = (0, self.base);
        if self.partial == 0 {
            return match self.find(binding) {
                Some((store, slot)) => (binding.set, store.config(slot)),
                None => best,
            };
        }
        for store in self.stores().filter(|store| store.set() & !binding.set == 0) {
            let (key, len) = binding.key(store.set());
            if store.set().count_ones() > best.0.count_ones()
                && let Some(slot) = store.find(&key[..len])
            {
                best = (store.set(), store.config(slot));
            }
        }
        best
    }

    /// All instances that bind exactly `set`, each with a configuration that says of it what its own says.
    pub(super) fn bound(&self, set: BoundVariables) -> impl Iterator<Item = (Partial, ConfigId)> {
        let images = self.swap.into_iter().flat_map(move |swap| {
            let stored = self.stored(swap.set(set));
            stored.filter_map(move |(binding, config)| Some((self.image(&binding)?, config)))
        });
        self.stored(set).chain(images)
    }

    fn stored(&self, set: BoundVariables) -> impl Iterator<Item = (Partial, ConfigId)> {
        let store = self.stores[set as usize].iter();
        store.flat_map(move |store| {
            store.slots().map(move |slot| (Partial::of_key(set, store.key(slot)), store.config(slot)))
        })
    }

    /// All stored instances, each with its configuration.
    pub(super) fn all_stored(&self) -> Vec<(Partial, ConfigId)> {
        self.stores().flat_map(|store| self.stored(store.set())).collect()
    }

    /// What all instances bind.
    pub(super) fn all(&self) -> Vec<Partial> {
        let stored = self.stores().flat_map(|store| self.stored(store.set())).map(|(binding, _)| binding);
        stored.flat_map(|binding| [Some(binding), self.image(&binding)].into_iter().flatten()).collect()
    }

    /// The one of a binding and its mirror image that is stored, and its configuration, given that of the binding.
    pub(super) fn upright(&self, binding: Partial, config: ConfigId, automaton: &mut Automaton) -> (Partial, ConfigId) {
        match self.swap.filter(|swap| !swap.is_upright(&binding)) {
            Some(swap) => (swap.binding(&binding), automaton.mirror(config)),
            None => (binding, config),
        }
    }

    /// Whether exactly this is stored.
    pub(super) fn has(&self, binding: &Partial) -> bool {
        self.find(binding).is_some()
    }

    /// All configurations in use.
    pub(super) fn configs(&self) -> impl Iterator<Item = ConfigId> {
        self.stores.iter().flatten().flat_map(InstanceStore::configs).chain([self.base])
    }

    /// A number for the classes that events of a shape may fit, by which bindings are moved that agree with some of them; nothing if such
    /// events have to be looked at one by one.
    pub(super) fn combine(&mut self, candidates: &[Candidate], automaton: &mut Automaton) -> Option<usize> {
        let few = (1..=MOST_COMBINED).contains(&candidates.len());
        if !few || !automaton.is_plain() || candidates.iter().any(|candidate| candidate.set() == 0) {
            return None;
        }
        let letter = |mask: usize| {
            let chosen = candidates.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            let classes: Vec<u32> = chosen.map(|(_, candidate)| candidate.class).collect();
            if classes.is_empty() { 0 } else { automaton.letter(&classes) }
        };
        let letters = (0..1usize << candidates.len()).map(letter).collect();
        self.combinations.push(Combination { letters, unchanged: None });
        Some(self.combinations.len() - 1)
    }

    /// Adds an instance that is not there yet, and upright.
    pub(super) fn insert(&mut self, binding: &Partial, config: ConfigId) {
        debug_assert!(self.swap.is_none_or(|swap| swap.is_upright(binding)));
        self.partial += usize::from(binding.set != self.full);
        let (key, len) = binding.key(binding.set);
        self.store(binding.set).insert(&key[..len], config);
    }

    fn remove(&mut self, set: BoundVariables, slot: u32) {
        self.partial -= usize::from(set != self.full);
        self.store(set).remove(slot);
    }
}

/// The bindings that an event makes instances of.
#[derive(Debug, Default)]
struct Making {
    /// Each with its configuration before the event.
    made: Vec<(Partial, ConfigId)>,
    known: Set<Partial>,
    /// Those that are moved as what they extend, unless something that is made comes between.
    alike: Vec<(Partial, ConfigId)>,
}

impl Making {
    fn add(&mut self, binding: Partial, config: ConfigId) {
        if self.known.insert(binding) {
            self.made.push((binding, config));
        }
    }

    /// Makes those that extend something that is made, or its mirror image; whether there were any.
    fn revive(&mut self, swap: Option<Swap>) -> bool {
        let before = self.made.len();
        for (binding, config) in std::mem::take(&mut self.alike) {
            let image = swap.map_or(binding, |swap| swap.binding(&binding));
            if self.made.iter().any(|(made, _)| made.is_part_of(&binding) || made.is_part_of(&image)) {
                self.add(binding, config);
            } else {
                self.alike.push((binding, config));
            }
        }
        self.made.len() > before
    }
}

/// Moves everything that an event belongs to.
pub(super) struct EventRouting<'s> {
    pub instances: &'s mut Instances,
    pub automaton: &'s mut Automaton,
    pub values: &'s mut Values,
    pub event: AutomatonEvent<'s>,
    pub effects: &'s mut Effects,
}

impl EventRouting<'_> {
    /// Moves everything, given what each class that the event fits binds.
    #[inline]
    pub(super) fn run(mut self, fitting: &[(u32, Partial)]) {
        if self.instances.partial == 0
            && let [(class, binding)] = fitting
            && binding.set == self.instances.full
        {
            let (key, len) = binding.key(binding.set);
            return self.exact(*class, &key[..len]);
        }
        self.general(fitting);
    }

    #[inline]
    fn step(&mut self, config: ConfigId, letter: u32) -> ConfigId {
        self.automaton.step(config, letter, self.event, self.values)
    }

    /// The common case: the event belongs to one full binding, and nothing partial is stored.
    #[inline]
    pub(super) fn exact(&mut self, letter: u32, key: &[Atom]) {
        let (full, base) = (self.instances.full, self.instances.base);
        if full == 0 {
            let after = self.step(base, letter);
            self.instances.base = after;
            self.watch(Partial::EMPTY);
            return self.note(Partial::EMPTY, base, after);
        }
        let store = self.instances.store(full);
        let hash = store.hash(key);
        let slot = store.find_hashed(hash, key);
        let before = slot.map_or(base, |slot| store.config(slot));
        let old = self.automaton.fact(before);
        let after = self.step(before, letter);
        if after == before && !self.automaton.steps_in_place() {
            return;
        }
        let store = self.instances.store(full);
        match slot {
            Some(slot) if after == base => store.remove_hashed(hash, slot),
            Some(slot) if after != before => store.set_config(slot, after),
            None if after != base => drop(store.insert_hashed(hash, key, after)),
            _ => {}
        }
        let new = self.automaton.fact(after);
        if new != old && new.settles() {
            self.effects.moved.push((Partial::of_key(full, key), old, new));
        }
        if self.effects.watched && (new != old || slot.is_none()) {
            self.effects.changed.push(Partial::of_key(full, key));
        }
    }

    /// Notes an instance that is new or may have changed, and its mirror image, if somebody wants to know.
    #[inline]
    fn watch(&mut self, binding: Partial) {
        if self.effects.watched {
            self.effects.changed.extend([Some(binding), self.instances.image(&binding)].into_iter().flatten());
        }
    }

    fn note(&mut self, binding: Partial, before: ConfigId, after: ConfigId) {
        let (old, new) = (self.automaton.fact(before), self.automaton.fact(after));
        if before != after && new.settles() {
            let both = [Some(binding), self.instances.image(&binding)].into_iter().flatten();
            self.effects.moved.extend(both.map(|binding| (binding, old, new)));
        }
        if old != new {
            self.watch(binding);
        }
    }

    /// The largest instance that is part of a binding: its variables and configuration.
    fn largest(&mut self, binding: &Partial) -> (BoundVariables, ConfigId) {
        let (set, config, mirrored) = self.instances.largest_of_two(binding);
        (set, if mirrored { self.automaton.mirror(config) } else { config })
    }

    // ── Full bindings only ──────────────────────────────────────────────────────────────────────────────────────────

    /// Moves the full bindings that an event belongs to, if it is known to make none, given the classes that events of its shape may
    /// fit and the number of their combination; whether it did.
    ///
    /// That is known if whatever the event agrees with leaves the first configuration as it is, and nothing partial is stored. Where
    /// instances are grouped, an event meets so many that they are better moved by classes.
    #[inline]
    pub(super) fn loose(&mut self, candidates: &[Candidate], combination: usize) -> bool {
        if self.instances.partial != 0 || !self.is_quiet(combination) {
            return false;
        }
        let full = self.instances.full;
        let Some(store) = &mut self.instances.stores[full as usize] else { return true };
        if store.is_grouped() {
            return false;
        }
        let mut slots = std::mem::take(&mut self.instances.slots);
        let arguments = self.event.arguments;
        let fits = |(_, candidate): &(usize, &Candidate)| candidate.fits(arguments);
        for (number, candidate) in candidates.iter().enumerate().filter(fits) {
            slots.clear();
            let (key, len) = candidate.key(arguments);
            self.instances.store(full).lookup(candidate.set(), &key[..len], &mut slots);
            for &slot in &slots {
                let mask = if candidates.len() == 1 { 1 } else { self.agreeing(candidates, slot) };
                // What agrees with an earlier class was moved then.
                if mask & ((1 << number) - 1) == 0 {
                    let letter = self.instances.combinations[combination].letters[mask];
                    self.move_full(slot, letter);
                }
            }
        }
        self.instances.slots = slots;
        true
    }

    /// Whether no letter of a combination changes the configuration of what is not stored.
    #[inline]
    fn is_quiet(&mut self, combination: usize) -> bool {
        self.instances.combinations[combination].unchanged == Some(self.instances.base)
            || self.find_unchanged(combination)
    }

    fn find_unchanged(&mut self, combination: usize) -> bool {
        let (base, letters) = (self.instances.base, self.instances.combinations[combination].letters.clone());
        let unchanged = letters[1..].iter().all(|letter| self.step(base, *letter) == base);
        self.instances.combinations[combination].unchanged = unchanged.then_some(base);
        unchanged
    }

    /// Which of the classes that an event fits a full binding agrees with: a bit each.
    #[inline]
    fn agreeing(&self, candidates: &[Candidate], slot: u32) -> usize {
        let Some(store) = &self.instances.stores[self.instances.full as usize] else { return 0 };
        let (key, arguments) = (store.key(slot), self.event.arguments);
        let bits = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| candidate.agrees(arguments, key) && candidate.fits(arguments));
        bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    #[inline]
    fn move_full(&mut self, slot: u32, letter: u32) {
        let (full, base) = (self.instances.full, self.instances.base);
        let before = self.instances.store(full).config(slot);
        let after = self.step(before, letter);
        if after == before {
            return;
        }
        if self.effects.watched || self.automaton.fact(after).settles() {
            let binding = Partial::of_key(full, self.instances.store(full).key(slot));
            self.note(binding, before, after);
        }
        let store = self.instances.store(full);
        if after == base { store.remove(slot) } else { store.set_config(slot, after) }
    }

    // ── Everything else ─────────────────────────────────────────────────────────────────────────────────────────────

    #[inline(never)]
    fn general(&mut self, fitting: &[(u32, Partial)]) {
        let parts = self.parts(fitting);
        let made = self.made(&parts);
        if let Some(letter) = self.letter_of(&parts, &Partial::EMPTY) {
            let before = self.instances.base;
            self.instances.base = self.step(before, letter);
            let after = self.instances.base;
            self.note(Partial::EMPTY, before, after);
        }
        let mut touched = Vec::new();
        for set in self.instances.sets() {
            self.move_stored(set, &parts, &mut touched);
        }
        for (binding, before) in made.made {
            let after = match self.letter_of(&parts, &binding) {
                Some(letter) => self.step(before, letter),
                None => before,
            };
            self.instances.insert(&binding, after);
            self.watch(binding);
            self.note(binding, before, after);
            touched.push(binding);
        }
        for binding in touched {
            self.drop_if_alike(&binding);
        }
    }

    /// What each class binds, and all joins of that.
    fn parts(&mut self, fitting: &[(u32, Partial)]) -> Vec<BoundPart> {
        let mut bindings: Vec<Partial> = Vec::new();
        for (_, binding) in fitting {
            let joins: Vec<Partial> = bindings.iter().filter_map(|known| known.join(binding)).collect();
            for binding in joins.into_iter().chain([*binding]) {
                if !bindings.contains(&binding) {
                    bindings.push(binding);
                }
            }
        }
        let mut parts: Vec<BoundPart> = Vec::with_capacity(bindings.len());
        for binding in bindings {
            let classes: Vec<u32> =
                fitting.iter().filter(|(_, part)| part.is_part_of(&binding)).map(|(class, _)| *class).collect();
            let letter = self.automaton.letter(&classes);
            parts.push(BoundPart { binding, classes, letter });
        }
        parts
    }

    /// The letter of the event under a binding, if it belongs to it.
    fn letter_of(&self, parts: &[BoundPart], binding: &Partial) -> Option<u32> {
        let inside = parts.iter().filter(|part| part.binding.is_part_of(binding));
        inside.max_by_key(|part| part.classes.len()).map(|part| part.letter)
    }

    // ── Making ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// The bindings that become instances, each with its configuration before the event.
    fn made(&mut self, parts: &[BoundPart]) -> Making {
        let mut making = Making::default();
        for part in parts {
            let base = self.instances.base;
            self.consider(parts, part, Partial::EMPTY, base, &mut making);
            for set in self.instances.sets() {
                if part.binding.set & !set != 0 {
                    self.consider_store(parts, part, set, &mut making);
                }
            }
        }
        let mut next = 0;
        while next < making.made.len() || making.revive(self.instances.swap) {
            self.close(next, &mut making);
            next += 1;
        }
        making
    }

    /// Considers the joins of a part with the instances that bind `set`.
    fn consider_store(&mut self, parts: &[BoundPart], part: &BoundPart, set: BoundVariables, making: &mut Making) {
        let mut slots = std::mem::take(&mut self.instances.slots);
        slots.clear();
        let shared = set & part.binding.set;
        if shared != 0 {
            let (key, len) = part.binding.key(shared);
            self.instances.store(set).lookup(shared, &key[..len], &mut slots);
        } else {
            self.loud_slots(parts, part, set, &mut slots);
            // An instance that agrees with another part is moved by that one, too.
            for other in parts.iter().filter(|other| other.binding.set & set != 0) {
                let (key, len) = other.binding.key(other.binding.set & set);
                self.instances.store(set).lookup(other.binding.set & set, &key[..len], &mut slots);
            }
        }
        for &slot in &slots {
            let store = self.instances.store(set);
            let (instance, config) = (Partial::of_key(set, store.key(slot)), store.config(slot));
            self.consider(parts, part, instance, config, making);
        }
        self.instances.slots = slots;
    }

    /// The instances that the letter of a part, or of what is part of it, moves otherwise than what belongs to everybody does: where
    /// a smaller one makes an instance, the larger one has to be told from that.
    fn loud_slots(&mut self, parts: &[BoundPart], part: &BoundPart, set: BoundVariables, slots: &mut Vec<u32>) {
        self.instances.store(set).group_somehow();
        let shared = self.letter_of(parts, &Partial::EMPTY);
        let classes: Vec<(u32, ConfigId)> = self.instances.store(set).classes().collect();
        for (class, config) in classes {
            let anyway = shared.map_or(config, |letter| self.step(config, letter));
            let mut inside = parts.iter().filter(|other| other.binding.is_part_of(&part.binding));
            if inside.any(|other| self.step(config, other.letter) != anyway) {
                self.instances.store(set).class_slots(class, slots);
            }
        }
    }

    /// Makes the join of a part with an instance, unless the event moves it as it moves the instance.
    fn consider(
        &mut self,
        parts: &[BoundPart],
        part: &BoundPart,
        instance: Partial,
        config: ConfigId,
        making: &mut Making,
    ) {
        let Some(joined) = instance.join(&part.binding).filter(|joined| joined.set != instance.set) else { return };
        let Some(letter) = self.letter_of(parts, &joined) else { return };
        let own = self.letter_of(parts, &instance);
        let after = own.map_or(config, |own| self.step(config, own));
        let alike = self.step(config, letter) == after;
        if (alike && parts.len() == 1) || self.instances.largest(&joined).0 != instance.set {
            return;
        }
        let (joined, config) = self.instances.upright(joined, config, self.automaton);
        if alike {
            making.alike.push((joined, config));
        } else {
            making.add(joined, config);
        }
    }

    /// Makes the joins of a new instance, and of its mirror image, with those that are stored or new.
    fn close(&mut self, number: usize, making: &mut Making) {
        let Some(&(new, _)) = making.made.get(number) else { return };
        self.close_one(new, number, making);
        if let Some(image) = self.instances.image(&new) {
            self.close_one(image, number, making);
        }
    }

    fn close_one(&mut self, new: Partial, number: usize, making: &mut Making) {
        let incomparable = |set: BoundVariables| set & !new.set != 0 && new.set & !set != 0;
        // What is made itself may be joined with its mirror image.
        let earlier = making.made[..=number].iter().map(|(other, _)| *other);
        let mut others: Vec<Partial> = earlier.filter(|other| incomparable(other.set)).collect();
        for set in self.instances.sets().into_iter().filter(|set| incomparable(*set)) {
            let mut slots = Vec::new();
            let (key, len) = new.key(new.set & set);
            let store = self.instances.store(set);
            store.lookup(new.set & set, &key[..len], &mut slots);
            others.extend(slots.iter().map(|slot| Partial::of_key(set, store.key(*slot))));
        }
        for joined in others.into_iter().filter_map(|other| new.join(&other)) {
            let (set, config) = self.largest(&joined);
            if set != joined.set {
                let (joined, config) = self.instances.upright(joined, config, self.automaton);
                making.add(joined, config);
            }
        }
    }

    // ── Moving ──────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Moves the stored instances that bind `set` and contain a part.
    fn move_stored(&mut self, set: BoundVariables, parts: &[BoundPart], touched: &mut Vec<Partial>) {
        let inside: Vec<&BoundPart> = parts.iter().filter(|part| part.binding.set & !set == 0).collect();
        let contains_other = |part: &&BoundPart| {
            inside.iter().any(|other| other.binding != part.binding && other.binding.is_part_of(&part.binding))
        };
        let (special, minimal): (Vec<&BoundPart>, Vec<&BoundPart>) =
            inside.iter().partition(|part| contains_other(part));
        // What contains several parts is moved by its own letter, from where it was before the event.
        let mut exceptions: Vec<(u32, Partial, ConfigId, ConfigId)> = Vec::new();
        for part in special {
            for slot in self.slots_of(set, part) {
                let store = self.instances.store(set);
                let (binding, before) = (Partial::of_key(set, store.key(slot)), store.config(slot));
                if let Some(letter) = self.letter_of(parts, &binding)
                    && exceptions.iter().all(|(other, ..)| *other != slot)
                {
                    let after = self.step(before, letter);
                    exceptions.push((slot, binding, before, after));
                }
            }
        }
        for part in minimal {
            let (key, len) = part.binding.key(part.binding.set);
            let mut groups = Vec::new();
            match self.instances.store(set).groups_of(part.binding.set, &key[..len], &mut groups) {
                true => groups.into_iter().for_each(|group| self.move_group(set, group, part.letter, &exceptions)),
                false => self.move_slots(set, part, &exceptions, touched),
            }
        }
        for (slot, binding, before, after) in exceptions {
            self.instances.store(set).set_config(slot, after);
            self.note(binding, before, after);
            touched.push(binding);
        }
    }

    fn slots_of(&mut self, set: BoundVariables, part: &BoundPart) -> Vec<u32> {
        let mut slots = Vec::new();
        let (key, len) = part.binding.key(part.binding.set);
        self.instances.store(set).lookup(part.binding.set, &key[..len], &mut slots);
        slots
    }

    fn move_slots(
        &mut self,
        set: BoundVariables,
        part: &BoundPart,
        exceptions: &[(u32, Partial, ConfigId, ConfigId)],
        touched: &mut Vec<Partial>,
    ) {
        for slot in self.slots_of(set, part) {
            let before = self.instances.store(set).config(slot);
            let after = self.step(before, part.letter);
            if before != after && exceptions.iter().all(|(other, ..)| *other != slot) {
                let store = self.instances.store(set);
                let binding = Partial::of_key(set, store.key(slot));
                store.set_config(slot, after);
                self.note(binding, before, after);
                touched.push(binding);
            }
        }
    }

    /// Moves all classes of a group at once; instances in `exceptions` are put right afterwards.
    fn move_group(
        &mut self,
        set: BoundVariables,
        group: u32,
        letter: u32,
        exceptions: &[(u32, Partial, ConfigId, ConfigId)],
    ) {
        let classes: Vec<(u32, ConfigId)> = self.instances.store(set).group_configs(group).collect();
        let mut moves: Vec<(u32, ConfigId)> = Vec::new();
        for (class, before) in classes {
            let after = self.step(before, letter);
            if after != before {
                self.note_class(set, class, before, after, exceptions);
                moves.push((class, after));
            }
        }
        self.instances.store(set).relabel(&moves);
        if !moves.is_empty() && exceptions.is_empty() {
            self.drop_group_if_alike(set, group);
        }
    }

    /// Notes the members of a class, if what they have come to matters.
    fn note_class(
        &mut self,
        set: BoundVariables,
        class: u32,
        before: ConfigId,
        after: ConfigId,
        exceptions: &[(u32, Partial, ConfigId, ConfigId)],
    ) {
        let (old, new) = (self.automaton.fact(before), self.automaton.fact(after));
        let settles = new.settles() && (old.never != new.never || old.stuck != new.stuck);
        let matters = settles || (self.effects.watched && old != new);
        if !matters {
            return;
        }
        let mut slots = Vec::new();
        let store = self.instances.store(set);
        store.class_slots(class, &mut slots);
        slots.retain(|slot| exceptions.iter().all(|(other, ..)| other != slot));
        for slot in slots {
            let binding = Partial::of_key(set, self.instances.store(set).key(slot));
            self.note(binding, before, after);
        }
    }

    // ── Dropping ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Drops an instance that has the configuration of the largest one that it extends, if there is one largest.
    fn drop_if_alike(&mut self, binding: &Partial) {
        let Some((store, slot)) = self.instances.find(binding) else { return };
        let config = store.config(slot);
        let (mut union, mut best) = self.parts_of(binding);
        if let (Some(swap), Some(image)) = (self.instances.swap, self.instances.image(binding)) {
            let (mirrored, largest) = self.parts_of(&image);
            union |= swap.set(mirrored);
            if largest.0.count_ones() > best.0.count_ones() {
                best = (swap.set(largest.0), self.automaton.mirror(largest.1));
            }
        }
        if union == best.0 && best.1 == config {
            self.instances.remove(binding.set, slot);
        }
    }

    /// What the stored instances that are part of a binding, and less, bind together, and the largest: its variables and configuration.
    fn parts_of(&self, binding: &Partial) -> (BoundVariables, (BoundVariables, ConfigId)) {
        let (mut union, mut best): (BoundVariables, (BoundVariables, ConfigId)) = (0, (0, self.instances.base));
        for store in self.instances.stores() {
            let set = store.set();
            let (key, len) = binding.key(set);
            if set & !binding.set == 0
                && set != binding.set
                && let Some(slot) = store.find(&key[..len])
            {
                union |= set;
                if set.count_ones() > best.0.count_ones() {
                    best = (set, store.config(slot));
                }
            }
        }
        (union, best)
    }

    /// Drops the classes of a group that have the configuration of what the group's key extends, if nothing else can
    /// matter to their members.
    fn drop_group_if_alike(&mut self, set: BoundVariables, group: u32) {
        let grouping = self.instances.store(set).grouping();
        let matters = |other: BoundVariables| other != set && other & !set == 0 && other & !grouping != 0;
        let swap = self.instances.swap;
        let others =
            |store: &InstanceStore| matters(store.set()) || swap.is_some_and(|swap| matters(swap.set(store.set())));
        if self.instances.stores().any(others) {
            return;
        }
        let classes: Vec<(u32, ConfigId)> = self.instances.store(set).group_configs(group).collect();
        for (class, config) in classes {
            let store = self.instances.store(set);
            let sample = Partial::of_key(set, store.key(store.sample(class)));
            let outer = Partial { set: grouping, ..sample };
            if self.largest(&outer).1 == config {
                let mut slots = Vec::new();
                self.instances.store(set).class_slots(class, &mut slots);
                slots.into_iter().for_each(|slot| self.instances.remove(set, slot));
            }
        }
    }
}
