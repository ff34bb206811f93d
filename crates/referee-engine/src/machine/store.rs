//! Stores the instances that bind one set of variables, each with its configuration.
//!
//! ```text
//!  key (d=7, p=3) ─table─▶ slot ─▶ class ─▶ configuration          slots of a class are chained
//!                            │       └─ group d=7: its classes     one per configuration, chained
//!                            └─ index p=3: its slots               chained, for events that bind p only
//! ```
//!
//! An event that binds d alone moves all instances of the group d=7: it relabels the classes of that group, and where two
//! get the same configuration it appends the smaller to the larger. Its cost is the number of classes, not of instances; an
//! instance is relabelled by merging at most log n times between two moves of its own. An event that binds p alone visits
//! the chained slots. By which variables instances are grouped is not fixed: when the slots visited for one set of
//! variables outnumber the instances four times, and a visit meets many, they are grouped by that set. Until then, and
//! where all events bind the whole key, there are no classes, and a slot holds its configuration itself.
//!
//! An event that binds several variables of the key visits the slots with the same value of one of them, and passes over those with other
//! values of the rest; only where it passes over many is there an index over all of them. Where no event binds the whole key, nobody asks
//! for a slot by it, and there is no table.
//!
//! Most groups have one class or two: which of them has a configuration is seen by looking at each. Only those of groups with more than
//! [`FEW`] are found by a table.

use referee_trace::values::Atom;

use super::binding::{BoundVariables, MOST_VARIABLES, members};
use super::config::ConfigId;
use super::key_numbers::{KeyNumbers, hash_of};
use crate::shared::maps::Map;

/// How many classes of a group are looked at one by one.
const FEW: usize = 8;

/// The configuration of a class that is between two.
const MOVING: ConfigId = ConfigId::MAX;

/// No slot, no class.
const NONE: u32 = u32::MAX;

/// Chains of slots: a doubly linked list through two arrays.
#[derive(Debug, Clone, Default)]
struct Chains {
    links: Vec<(u32, u32)>,
}

impl Chains {
    fn grow(&mut self, len: usize) {
        self.links.resize(len, (NONE, NONE));
    }

    /// Puts a slot before the head of a chain; it is the new head.
    fn push(&mut self, head: u32, slot: u32) -> u32 {
        self.links[slot as usize] = (NONE, head);
        if head != NONE {
            self.links[head as usize].0 = slot;
        }
        slot
    }

    /// Takes a slot out of the chain with this head; the head afterwards.
    fn remove(&mut self, head: u32, slot: u32) -> u32 {
        let (before, after) = self.links[slot as usize];
        if after != NONE {
            self.links[after as usize].0 = before;
        }
        if before == NONE {
            return after;
        }
        self.links[before as usize].1 = after;
        head
    }

    fn next(&self, slot: u32) -> u32 {
        self.links[slot as usize].1
    }

    fn extend(&self, head: u32, slots: &mut Vec<u32>) {
        let mut at = head;
        while at != NONE {
            slots.push(at);
            at = self.next(at);
        }
    }
}

/// The slots with equal values of some variables.
#[derive(Debug, Clone)]
struct InstanceIndex {
    set: BoundVariables,
    columns: Box<[usize]>,
    /// How many slots were passed over because of variables that are not indexed.
    passed: usize,
    heads: KeyNumbers,
    chains: Chains,
}

/// Instances of one group with one configuration.
#[derive(Debug, Clone)]
struct Class {
    config: ConfigId,
    group: u32,
    head: u32,
    len: u32,
}

/// Instances with equal values of the grouping variables.
#[derive(Debug, Clone, Default)]
struct Group {
    key: Box<[Atom]>,
    classes: Vec<u32>,
}

/// The instances that bind one set of variables.
#[derive(Debug, Clone)]
pub(super) struct InstanceStore {
    set: BoundVariables,
    arity: usize,
    /// How many instances an event must meet on average for classes of them to pay; nothing if they are never grouped.
    many: Option<usize>,
    /// Whether somebody asks for slots by their whole key.
    keyed: bool,
    /// Whether instances are grouped into classes.
    grouped: bool,
    keys: Vec<Atom>,
    /// The class of a slot, or where there are none its configuration.
    labels: Vec<u32>,
    free: Vec<u32>,
    places: KeyNumbers,
    indexes: Vec<InstanceIndex>,
    grouping: BoundVariables,
    group_columns: Box<[usize]>,
    groups: Vec<Group>,
    free_groups: Vec<u32>,
    group_places: KeyNumbers,
    classes: Vec<Class>,
    free_classes: Vec<u32>,
    /// The classes of groups that have more than a few.
    class_table: Map<(u32, ConfigId), u32>,
    chains: Chains,
    /// For a set of variables, how many slots were visited since the last grouping, and how often.
    visits: Vec<(BoundVariables, usize, usize)>,
}

impl InstanceStore {
    /// No instances yet. Those that events meet so `many` of are grouped; none where every event binds all variables of the key. They are
    /// `keyed` where some event binds them, and perhaps more.
    pub(super) fn new(set: BoundVariables, many: Option<usize>, keyed: bool) -> InstanceStore {
        InstanceStore {
            set,
            arity: set.count_ones() as usize,
            many,
            keyed,
            grouped: false,
            keys: Vec::new(),
            labels: Vec::new(),
            free: Vec::new(),
            places: KeyNumbers::new(set.count_ones() as usize),
            indexes: Vec::new(),
            grouping: 0,
            group_columns: Box::default(),
            groups: Vec::new(),
            free_groups: Vec::new(),
            group_places: KeyNumbers::new(0),
            classes: Vec::new(),
            free_classes: Vec::new(),
            class_table: Map::default(),
            chains: Chains::default(),
            visits: Vec::new(),
        }
    }

    /// How many instances there are.
    pub(super) fn len(&self) -> usize {
        self.labels.len() - self.free.len()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The variables of the keys.
    pub(super) fn set(&self) -> BoundVariables {
        self.set
    }

    /// The values of a slot, in the order of the variables.
    pub(super) fn key(&self, slot: u32) -> &[Atom] {
        let start = slot as usize * self.arity;
        &self.keys[start..start + self.arity]
    }

    /// The slot with these values; where there is no table, by looking at all.
    #[inline]
    pub(super) fn find(&self, key: &[Atom]) -> Option<u32> {
        self.find_hashed(self.hash(key), key)
    }

    /// What keys are looked up by.
    #[inline]
    pub(super) fn hash(&self, key: &[Atom]) -> u64 {
        if self.keyed { self.places.hash(key) } else { 0 }
    }

    /// The slot with these values, whose hash is known.
    #[inline]
    pub(super) fn find_hashed(&self, hash: u64, key: &[Atom]) -> Option<u32> {
        if !self.keyed {
            return self.slots().find(|slot| self.key(*slot) == key);
        }
        self.places.find(hash, key, |slot| self.key(slot) == key)
    }

    /// Whether instances are grouped into classes now.
    pub(super) fn is_grouped(&self) -> bool {
        self.grouped
    }

    /// The configuration of a slot.
    #[inline]
    pub(super) fn config(&self, slot: u32) -> ConfigId {
        let label = self.labels[slot as usize];
        if self.grouped { self.classes[label as usize].config } else { label }
    }

    /// Adds an instance that is not there yet.
    pub(super) fn insert(&mut self, key: &[Atom], config: ConfigId) -> u32 {
        self.insert_hashed(self.hash(key), key, config)
    }

    /// Adds an instance that is not there yet, whose hash is known.
    #[inline]
    pub(super) fn insert_hashed(&mut self, hash: u64, key: &[Atom], config: ConfigId) -> u32 {
        let slot = match self.free.pop() {
            Some(slot) => {
                let start = slot as usize * self.arity;
                self.keys[start..start + self.arity].copy_from_slice(key);
                slot
            }
            None => self.new_slot(key),
        };
        if self.keyed {
            let (keys, arity) = (&self.keys, self.arity);
            self.places.insert(hash, key, slot, |slot| hash_of(&keys[slot as usize * arity..][..arity]));
        }
        for index in 0..self.indexes.len() {
            self.enter_index(index, slot);
        }
        if self.grouped {
            self.enter_class(slot, config);
        } else {
            self.labels[slot as usize] = config;
        }
        slot
    }

    fn new_slot(&mut self, key: &[Atom]) -> u32 {
        self.keys.extend_from_slice(key);
        self.labels.push(NONE);
        let len = self.labels.len();
        if self.grouped {
            self.chains.grow(len);
        }
        self.indexes.iter_mut().for_each(|index| index.chains.grow(len));
        (len - 1) as u32
    }

    /// Drops an instance.
    pub(super) fn remove(&mut self, slot: u32) {
        self.remove_hashed(self.hash(self.key(slot)), slot);
    }

    /// Drops an instance whose hash is known.
    #[inline]
    pub(super) fn remove_hashed(&mut self, hash: u64, slot: u32) {
        if self.grouped {
            self.leave_class(slot);
        }
        for index in 0..self.indexes.len() {
            self.leave_index(index, slot);
        }
        if self.keyed {
            let key = &self.keys[slot as usize * self.arity..][..self.arity];
            self.places.remove(hash, key, slot);
        }
        self.labels[slot as usize] = NONE;
        self.free.push(slot);
    }

    /// Gives an instance another configuration.
    #[inline]
    pub(super) fn set_config(&mut self, slot: u32, config: ConfigId) {
        if !self.grouped {
            self.labels[slot as usize] = config;
        } else if self.config(slot) != config {
            self.leave_class(slot);
            self.enter_class(slot, config);
        }
    }

    /// All slots, in no order.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        (0..self.labels.len() as u32).filter(|slot| self.labels[*slot as usize] != NONE)
    }

    /// All configurations in use, perhaps several times.
    pub(super) fn configs(&self) -> impl Iterator<Item = ConfigId> {
        let single = self.labels.iter().filter(|label| !self.grouped && **label != NONE).copied();
        single.chain(self.classes.iter().filter(|class| class.len > 0).map(|class| class.config))
    }

    // ── Indexes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Collects the slots whose values of the variables in `set` are those of `key`; `set` is part of the store's.
    pub(super) fn lookup(&mut self, set: BoundVariables, key: &[Atom], slots: &mut Vec<u32>) {
        if set == self.set {
            slots.extend(self.find(key));
        } else if set == 0 {
            slots.extend(self.slots());
        } else if set == self.grouping && self.grouped {
            if let Some(group) = self.find_group(key) {
                for &class in &self.groups[group as usize].classes {
                    self.chains.extend(self.classes[class as usize].head, slots);
                }
            }
        } else {
            let index = self.index_within(set);
            let indexed = self.indexes[index].set;
            if indexed == set {
                self.extend_by(index, key, slots);
            } else {
                self.lookup_within(index, set, key, slots);
            }
        }
        self.note_visits(set, slots.len());
    }

    /// Collects the slots that have the values of a key where an index has columns.
    #[inline]
    fn extend_by(&self, index: usize, key: &[Atom], slots: &mut Vec<u32>) {
        let InstanceIndex { columns, heads, chains, .. } = &self.indexes[index];
        if let Some(head) = heads.find(heads.hash(key), key, |slot| self.projects_to(slot, columns, key)) {
            chains.extend(head, slots);
        }
    }

    /// Collects slots by an index over some of the variables in `set`, passing over those with other values of the rest.
    fn lookup_within(&mut self, index: usize, set: BoundVariables, key: &[Atom], slots: &mut Vec<u32>) {
        let before = slots.len();
        let indexed = self.indexes[index].set;
        let mut part = [Atom::boolean(false); MOST_VARIABLES];
        let own = members(set).zip(key).filter(|(variable, _)| indexed >> variable & 1 == 1);
        let len = part.iter_mut().zip(own).map(|(place, (_, value))| *place = *value).count();
        self.extend_by(index, &part[..len], slots);
        let (columns, mut kept) = (self.columns(set), before);
        for at in before..slots.len() {
            if self.projects_to(slots[at], &columns, key) {
                slots[kept] = slots[at];
                kept += 1;
            }
        }
        let index = &mut self.indexes[index];
        index.passed += slots.len() - kept;
        slots.truncate(kept);
    }

    /// An index over a set of variables, or over one of them if that has not let us pass over many slots.
    #[inline]
    fn index_within(&mut self, set: BoundVariables) -> usize {
        let exact = self.indexes.iter().position(|index| index.set == set);
        exact.unwrap_or_else(|| self.find_index_within(set))
    }

    fn find_index_within(&mut self, set: BoundVariables) -> usize {
        let most = 4 * self.len() + 256;
        let part = self.indexes.iter().position(|index| index.set & !set == 0);
        match part {
            Some(part) if self.indexes[part].passed <= most => part,
            Some(_) => self.index(set),
            // The last variable is often the youngest: an iterator has one collection, a collection many iterators.
            None => self.index(1 << (BoundVariables::BITS - 1 - set.leading_zeros())),
        }
    }

    fn projects_to(&self, slot: u32, columns: &[usize], key: &[Atom]) -> bool {
        let own = self.key(slot);
        columns.iter().zip(key).all(|(column, value)| own[*column] == *value)
    }

    /// The values of some columns, and how many these are.
    fn projected(&self, slot: u32, columns: &[usize]) -> ([Atom; MOST_VARIABLES], usize) {
        let own = self.key(slot);
        let mut values = [Atom::boolean(false); MOST_VARIABLES];
        for (value, column) in values.iter_mut().zip(columns) {
            *value = own[*column];
        }
        (values, columns.len())
    }

    fn columns(&self, set: BoundVariables) -> Box<[usize]> {
        members(self.set)
            .enumerate()
            .filter(|(_, variable)| set >> variable & 1 == 1)
            .map(|(column, _)| column)
            .collect()
    }

    /// The index over a set of variables, made when it is first asked for.
    fn index(&mut self, set: BoundVariables) -> usize {
        if let Some(known) = self.indexes.iter().position(|index| index.set == set) {
            return known;
        }
        let mut chains = Chains::default();
        chains.grow(self.labels.len());
        let columns = self.columns(set);
        self.indexes.push(InstanceIndex { set, heads: KeyNumbers::new(columns.len()), columns, passed: 0, chains });
        let (index, slots) = (self.indexes.len() - 1, self.slots().collect::<Vec<u32>>());
        slots.into_iter().for_each(|slot| self.enter_index(index, slot));
        index
    }

    fn enter_index(&mut self, number: usize, slot: u32) {
        let (key, len) = self.projected(slot, &self.indexes[number].columns);
        let key = &key[..len];
        let mut index = std::mem::take(&mut self.indexes);
        let InstanceIndex { columns, heads, chains, .. } = &mut index[number];
        let hash = heads.hash(key);
        match heads.find(hash, key, |head| self.projects_to(head, columns, key)) {
            Some(head) => {
                chains.push(head, slot);
                heads.replace(hash, key, head, slot);
            }
            None => {
                chains.push(NONE, slot);
                heads.insert(hash, key, slot, |head| {
                    let (key, len) = self.projected(head, columns);
                    hash_of(&key[..len])
                });
            }
        }
        self.indexes = index;
    }

    fn leave_index(&mut self, number: usize, slot: u32) {
        let (key, len) = self.projected(slot, &self.indexes[number].columns);
        let key = &key[..len];
        let mut index = std::mem::take(&mut self.indexes);
        let InstanceIndex { columns, heads, chains, .. } = &mut index[number];
        let hash = heads.hash(key);
        if let Some(head) = heads.find(hash, key, |head| self.projects_to(head, columns, key)) {
            match chains.remove(head, slot) {
                NONE => heads.remove(hash, key, head),
                after if after != head => heads.replace(hash, key, head, after),
                _ => {}
            }
        }
        self.indexes = index;
    }

    // ── Classes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    fn find_group(&self, key: &[Atom]) -> Option<u32> {
        let hash = self.group_places.hash(key);
        self.group_places.find(hash, key, |group| *self.groups[group as usize].key == *key)
    }

    fn group_of(&mut self, slot: u32) -> u32 {
        let (key, len) = self.projected(slot, &self.group_columns);
        let key = &key[..len];
        if let Some(group) = self.find_group(key) {
            return group;
        }
        let hash = self.group_places.hash(key);
        let made = Group { key: key.into(), classes: Vec::new() };
        let group = match self.free_groups.pop() {
            Some(group) => {
                self.groups[group as usize] = made;
                group
            }
            None => {
                self.groups.push(made);
                (self.groups.len() - 1) as u32
            }
        };
        let groups = &self.groups;
        self.group_places.insert(hash, key, group, |group| hash_of(&groups[group as usize].key));
        group
    }

    /// The class of a group with this configuration.
    fn find_class(&self, group: u32, config: ConfigId) -> Option<u32> {
        let own = &self.groups[group as usize].classes;
        if own.len() > FEW {
            return self.class_table.get(&(group, config)).copied();
        }
        own.iter().copied().find(|class| self.classes[*class as usize].config == config)
    }

    /// Adds a class to its group, and to the table if that has many.
    fn enlist(&mut self, class: u32) {
        let group = self.classes[class as usize].group;
        let own = &mut self.groups[group as usize].classes;
        own.push(class);
        let missing = match own.len() {
            0..=FEW => &own[..0],
            len if len == FEW + 1 => &own[..],
            len => &own[len - 1..],
        };
        let classes = &self.classes;
        self.class_table.extend(missing.iter().map(|class| ((group, classes[*class as usize].config), *class)));
    }

    /// Takes a class out of its group, and out of the table if that had many.
    fn delist(&mut self, class: u32) {
        let Class { config, group, .. } = self.classes[class as usize];
        let own = &mut self.groups[group as usize].classes;
        if own.len() > FEW {
            self.class_table.remove(&(group, config));
        }
        own.retain(|other| *other != class);
        if own.len() == FEW {
            for class in own {
                self.class_table.remove(&(group, self.classes[*class as usize].config));
            }
        }
    }

    fn class_of(&mut self, group: u32, config: ConfigId) -> u32 {
        if let Some(class) = self.find_class(group, config) {
            return class;
        }
        let made = Class { config, group, head: NONE, len: 0 };
        let class = match self.free_classes.pop() {
            Some(class) => {
                self.classes[class as usize] = made;
                class
            }
            None => {
                self.classes.push(made);
                (self.classes.len() - 1) as u32
            }
        };
        self.enlist(class);
        class
    }

    fn enter_class(&mut self, slot: u32, config: ConfigId) {
        let group = self.group_of(slot);
        let number = self.class_of(group, config);
        let class = &mut self.classes[number as usize];
        class.head = self.chains.push(class.head, slot);
        class.len += 1;
        self.labels[slot as usize] = number;
    }

    fn leave_class(&mut self, slot: u32) {
        let number = self.labels[slot as usize];
        let class = &mut self.classes[number as usize];
        class.head = self.chains.remove(class.head, slot);
        class.len -= 1;
        if class.len == 0 {
            self.drop_class(number);
        }
    }

    fn drop_class(&mut self, number: u32) {
        self.delist(number);
        self.free_classes.push(number);
        let group = self.classes[number as usize].group;
        let place = &self.groups[group as usize];
        if place.classes.is_empty() {
            let hash = self.group_places.hash(&place.key);
            self.group_places.remove(hash, &place.key, group);
            self.free_groups.push(group);
        }
    }

    /// Collects the groups that an event which binds `set` moves as a whole; false if instances have to be visited one by one.
    pub(super) fn groups_of(&self, set: BoundVariables, key: &[Atom], groups: &mut Vec<u32>) -> bool {
        if !self.grouped || (set != 0 && set != self.grouping) {
            return false;
        }
        if set == self.grouping {
            groups.extend(self.find_group(key));
        } else {
            let inhabited = |group: &u32| !self.groups[*group as usize].classes.is_empty();
            groups.extend((0..self.groups.len() as u32).filter(inhabited));
        }
        true
    }

    /// The configurations of a group's classes.
    pub(super) fn group_configs(&self, group: u32) -> impl Iterator<Item = (u32, ConfigId)> {
        self.groups[group as usize].classes.iter().map(|class| (*class, self.classes[*class as usize].config))
    }

    /// Moves classes of one group to other configurations, all at once.
    pub(super) fn relabel(&mut self, moves: &[(u32, ConfigId)]) {
        // None that still has to move may be taken for one that has arrived.
        for (class, _) in moves {
            let Class { config, group, .. } = self.classes[*class as usize];
            if self.groups[group as usize].classes.len() > FEW {
                self.class_table.remove(&(group, config));
            }
            self.classes[*class as usize].config = MOVING;
        }
        for (class, config) in moves {
            let group = self.classes[*class as usize].group;
            match self.find_class(group, *config) {
                Some(other) => self.merge(*class, other),
                None => self.arrive(*class, *config),
            }
        }
    }

    /// Gives a class a configuration that no other of its group has.
    fn arrive(&mut self, number: u32, config: ConfigId) {
        let class = &mut self.classes[number as usize];
        class.config = config;
        if self.groups[class.group as usize].classes.len() > FEW {
            self.class_table.insert((class.group, config), number);
        }
    }

    /// Makes one class of two, of which the second has arrived, relabelling the slots of the smaller.
    fn merge(&mut self, moving: u32, arrived: u32) {
        let config = self.classes[arrived as usize].config;
        let (small, large) = if self.classes[moving as usize].len <= self.classes[arrived as usize].len {
            (moving, arrived)
        } else {
            (arrived, moving)
        };
        let Class { head, len, .. } = self.classes[small as usize];
        let mut at = head;
        while at != NONE {
            let next = self.chains.next(at);
            self.labels[at as usize] = large;
            let into = &mut self.classes[large as usize];
            into.head = self.chains.push(into.head, at);
            at = next;
        }
        self.classes[large as usize].len += len;
        self.delist(small);
        self.classes[small as usize] = Class { len: 0, head: NONE, ..self.classes[small as usize] };
        self.free_classes.push(small);
        if large == moving {
            self.arrive(large, config);
        }
    }

    /// Sees to it that there are classes.
    pub(super) fn group_somehow(&mut self) {
        if !self.grouped && self.many.is_some() {
            self.regroup(0);
        }
    }

    /// All classes: their number and configuration.
    pub(super) fn classes(&self) -> impl Iterator<Item = (u32, ConfigId)> {
        let live = self.classes.iter().enumerate().filter(|(_, class)| class.len > 0);
        live.map(|(number, class)| (number as u32, class.config))
    }

    /// The slots of a class.
    pub(super) fn class_slots(&self, class: u32, slots: &mut Vec<u32>) {
        self.chains.extend(self.classes[class as usize].head, slots);
    }

    /// The variables by which instances are grouped.
    pub(super) fn grouping(&self) -> BoundVariables {
        self.grouping
    }

    /// A slot of a class.
    pub(super) fn sample(&self, class: u32) -> u32 {
        self.classes[class as usize].head
    }

    /// Counts visits one by one, and groups by the variables that cause most of them, if a visit meets many.
    #[inline]
    fn note_visits(&mut self, set: BoundVariables, count: usize) {
        let already = self.grouped && (set == 0 || set == self.grouping);
        if let Some(many) = self.many
            && count >= 2
            && !already
            && set != self.set
        {
            self.count_visits(set, count, many);
        }
    }

    #[inline(never)]
    fn count_visits(&mut self, set: BoundVariables, count: usize, many: usize) {
        let known = self.visits.iter().position(|(known, ..)| *known == set).unwrap_or_else(|| {
            self.visits.push((set, 0, 0));
            self.visits.len() - 1
        });
        let (_, visits, times) = &mut self.visits[known];
        *visits += count;
        *times += 1;
        if *visits > 4 * (self.labels.len() - self.free.len()) + 256 && *visits >= many * *times {
            self.regroup(set);
        }
    }

    fn regroup(&mut self, set: BoundVariables) {
        let slots: Vec<(u32, ConfigId)> = self.slots().map(|slot| (slot, self.config(slot))).collect();
        self.visits.clear();
        self.grouped = true;
        // The groups are an index over their variables, too.
        self.indexes.retain(|index| index.set != set);
        self.chains.grow(self.labels.len());
        self.grouping = set;
        self.group_columns = self.columns(set);
        self.groups.clear();
        self.free_groups.clear();
        self.group_places = KeyNumbers::new(self.group_columns.len());
        self.classes.clear();
        self.free_classes.clear();
        self.class_table.clear();
        slots.into_iter().for_each(|(slot, config)| self.enter_class(slot, config));
    }
}
