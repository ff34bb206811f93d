//! Stores the instances of one stream: each is found by its key and has a short ring of its last values.
//!
//! ```text
//!  keys    key ─▶ slot            an array of small integers, or a hash look-up
//!  entries slot × ring            (step, value), newest last
//!  fresh   slots with a value at the step
//!  groups  part of a key ─▶ slots    where instances are found by less than their key
//! ```
//!
//! A stream without parameters has one slot. Slots of closed instances are used again. Nothing is allocated for a value
//! once its instance exists.

use referee_spec::core::AggregateFunction;
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::datum::StreamDatum;
use super::window::{Bag, Length, StreamWindow};
use crate::shared::aggregate::Leaving;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::keys::DenseKeys;
use crate::shared::saved_values::{read_row, write_list};

/// What a table must be able to tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TableDemand {
    /// How many values of the past are kept per instance.
    pub history: usize,
    /// The windows of each instance.
    pub windows: Vec<(Length, AggregateFunction)>,
    /// The aggregates over all instances.
    pub bags: Vec<AggregateFunction>,
    /// Whether somebody asks which instances have a value at the step.
    pub fresh: bool,
    /// The parts of keys by which instances are found.
    pub parts: Vec<Vec<usize>>,
}

/// The instances of one stream.
#[derive(Debug, Default)]
pub(super) struct StreamTable {
    demand: TableDemand,
    keys: DenseKeys,
    live: Vec<bool>,
    /// The length of a ring, a power of two.
    ring: usize,
    entries: Vec<(u64, StreamDatum)>,
    counts: Vec<u64>,
    windows: Vec<StreamWindow>,
    /// The last values of all instances, once for each aggregate over them.
    bags: Vec<Bag>,
    fresh: Vec<u32>,
    fresh_step: u64,
    groups: Vec<PartialKeys>,
    /// The step that its node is at.
    step: u64,
}

impl StreamTable {
    /// A table; with one instance that always lives unless instances are `spawned`.
    pub(super) fn new(arity: usize, spawned: bool, demand: TableDemand) -> StreamTable {
        let ring = demand.history.max(1).next_power_of_two();
        let bags = demand.bags.iter().map(|aggregate| Bag::new(*aggregate, Leaving::AnyOrder)).collect();
        let groups = demand.parts.iter().map(|columns| PartialKeys::new(columns.clone())).collect();
        let mut table =
            StreamTable { demand, ring, bags, keys: DenseKeys::new(arity), groups, ..StreamTable::default() };
        if !spawned {
            table.keys.insert(&[]);
            table.new_slot();
        }
        table
    }

    /// How many instances live.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The step that the table's node is at.
    #[inline]
    pub(super) fn step(&self) -> u64 {
        self.step
    }

    /// Tells the table the step that its node is at.
    #[inline]
    pub(super) fn set_step(&mut self, step: u64) {
        self.step = step;
    }

    /// How many values are kept in windows.
    pub(super) fn window_len(&self) -> usize {
        self.windows.iter().map(StreamWindow::len).sum()
    }

    /// The slots of the instances that live.
    pub(super) fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.live.len() as u32).filter(|slot| self.live[*slot as usize])
    }

    /// The key of an instance.
    #[inline]
    pub(super) fn key(&self, slot: u32) -> &[Atom] {
        self.keys.key(slot)
    }

    /// The instance with this key.
    #[inline]
    pub(super) fn find(&self, key: &[Atom]) -> Option<u32> {
        match key {
            [] => self.live.first().copied().unwrap_or(false).then_some(0),
            _ => self.keys.find(key),
        }
    }

    /// The instance with this key, which begins if there was none.
    pub(super) fn spawn(&mut self, key: &[Atom]) -> u32 {
        if let Some(slot) = self.find(key) {
            return slot;
        }
        let slot = self.keys.insert(key);
        match self.live.get_mut(slot as usize) {
            Some(live) => *live = true,
            None => self.new_slot(),
        }
        self.groups.iter_mut().for_each(|groups| groups.insert(key, slot));
        slot
    }

    /// The instances with this part of a key.
    #[inline]
    pub(super) fn with_part(&self, part: usize, key: &[Atom]) -> &[u32] {
        self.groups[part].find(key)
    }

    fn new_slot(&mut self) {
        self.live.push(true);
        self.counts.push(0);
        self.entries.extend((0..self.ring).map(|_| (0, StreamDatum::Absent)));
        self.windows.extend(
            self.demand.windows.iter().map(|(length, aggregate)| StreamWindow::new(length.clone(), *aggregate)),
        );
    }

    /// Ends an instance.
    pub(super) fn close(&mut self, slot: u32) {
        let place = slot as usize;
        self.groups.iter_mut().for_each(|groups| groups.remove(self.keys.key(slot), slot));
        self.keys.remove(slot);
        if let Some(last) = newest(self.counts[place], self.ring) {
            let value = &self.entries[place * self.ring + last].1;
            self.bags.iter_mut().for_each(|bag| bag.remove(value, 0));
        }
        self.live[place] = false;
        self.counts[place] = 0;
        let windows = self.demand.windows.len();
        self.windows[place * windows..(place + 1) * windows].iter_mut().for_each(StreamWindow::clear);
    }

    /// The step and the value of an instance's last own value.
    #[inline]
    pub(super) fn last(&self, slot: u32) -> Option<(u64, &StreamDatum)> {
        let count = self.counts[slot as usize];
        (count > 0).then(|| self.entry(slot, count - 1))
    }

    #[inline]
    fn entry(&self, slot: u32, number: u64) -> (u64, &StreamDatum) {
        let place = slot as usize * self.ring + (number as usize & (self.ring - 1));
        let (step, value) = &self.entries[place];
        (*step, value)
    }

    /// The value of an instance at a step, if the ring still has it.
    #[inline]
    pub(super) fn at(&self, slot: u32, step: u64) -> Option<&StreamDatum> {
        let count = self.counts[slot as usize];
        let (mut low, mut high) = (count.saturating_sub(self.ring as u64), count);
        // Most often the newest value, or the one before it, is asked for.
        while high > low && self.entry(slot, high - 1).0 > step {
            let middle = if high - low > 4 { low + (high - low) / 2 } else { high - 1 };
            match self.entry(slot, middle).0 > step {
                true => high = middle,
                false => low = middle,
            }
        }
        let (found, value) = self.entry(slot, high.checked_sub(1)?);
        (high > low && found == step).then_some(value)
    }

    /// The n-th last own value before a step.
    #[inline]
    pub(super) fn before(&self, slot: u32, step: u64, n: u64) -> Option<&StreamDatum> {
        let count = self.counts[slot as usize];
        let mut number = count;
        while number > 0 && self.entry(slot, number - 1).0 >= step {
            number -= 1;
        }
        let wanted = number.checked_sub(n)?;
        (wanted + self.ring as u64 >= count).then(|| self.entry(slot, wanted).1)
    }

    /// Gives an instance its value at a step.
    #[inline]
    pub(super) fn put(&mut self, slot: u32, step: u64, time: &Number, value: StreamDatum) {
        if !self.bags.is_empty() {
            self.update_bags(slot, &value);
        }
        if !self.windows.is_empty() {
            let windows = self.demand.windows.len();
            let place = slot as usize * windows;
            self.windows[place..place + windows].iter_mut().for_each(|window| window.push(time, &value));
        }
        let count = self.counts[slot as usize];
        let place = slot as usize * self.ring + (count as usize & (self.ring - 1));
        self.entries[place] = (step, value);
        self.counts[slot as usize] = count + 1;
        if self.demand.fresh {
            self.note_fresh(slot, step);
        }
    }

    fn note_fresh(&mut self, slot: u32, step: u64) {
        if self.fresh_step != step {
            self.fresh.clear();
            self.fresh_step = step;
        }
        self.fresh.push(slot);
    }

    fn update_bags(&mut self, slot: u32, value: &StreamDatum) {
        let newest = newest(self.counts[slot as usize], self.ring);
        if let Some(before) = newest.map(|last| &self.entries[slot as usize * self.ring + last].1) {
            if before == value {
                return;
            }
            self.bags.iter_mut().for_each(|bag| bag.remove(before, 0));
        }
        self.bags.iter_mut().for_each(|bag| bag.insert(value, 0));
    }

    /// The instances with a value at a step.
    #[inline]
    pub(super) fn fresh(&self, step: u64) -> &[u32] {
        if self.fresh_step == step { &self.fresh } else { &[] }
    }

    /// What a window of an instance says now.
    pub(super) fn window(&mut self, slot: u32, window: usize, now: &Number) -> StreamDatum {
        let windows = self.demand.windows.len();
        self.windows[slot as usize * windows + window].read(now)
    }

    /// What a window says of an instance that does not live.
    pub(super) fn empty_window(&self, window: usize) -> StreamDatum {
        let (_, aggregate) = &self.demand.windows[window];
        Bag::new(*aggregate, Leaving::OldestFirst).read()
    }

    /// Writes the instances that live, with the values that somebody may still ask for. Which slots they have decides nothing: what
    /// they do at a step does not depend on each other's order, and findings are put in order.
    pub(super) fn save(&self, values: &Values, out: &mut Writer) {
        out.length(self.live().count());
        let windows = self.demand.windows.len();
        for slot in self.live() {
            write_list(self.key(slot), values, out);
            let count = self.counts[slot as usize];
            let kept = count.min(self.ring as u64);
            out.number(kept);
            for number in count - kept..count {
                let (step, value) = self.entry(slot, number);
                out.number(step);
                value.save(values, out);
            }
            let own = &self.windows[slot as usize * windows..][..windows];
            own.iter().for_each(|window| window.save(values, out));
        }
    }

    /// Reads what [`StreamTable::save`] wrote, into a table before the first step.
    pub(super) fn load(&mut self, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        let always = self.live.len();
        let count = reader.length()?;
        if always > 0 && count != always {
            return Err(Damaged);
        }
        for number in 0..count {
            let key = read_row(self.keys.arity(), values, reader)?;
            let slot = self.spawn(&key);
            // A key that comes twice finds an instance that is there already.
            if slot as usize != number {
                return Err(Damaged);
            }
            self.load_instance(slot, values, reader)?;
        }
        Ok(())
    }

    fn load_instance(&mut self, slot: u32, values: &mut Values, reader: &mut Reader) -> Result<(), Damaged> {
        let (place, windows) = (slot as usize, self.demand.windows.len());
        let kept = reader.length()?;
        if kept > self.ring {
            return Err(Damaged);
        }
        for number in 0..kept {
            let entry = (reader.number()?, StreamDatum::load(values, reader)?);
            self.entries[place * self.ring + number] = entry;
        }
        self.counts[place] = kept as u64;
        if let Some((_, last)) = kept.checked_sub(1).map(|last| &self.entries[place * self.ring + last]) {
            self.bags.iter_mut().for_each(|bag| bag.insert(last, 0));
        }
        let own = &mut self.windows[place * windows..][..windows];
        own.iter_mut().try_for_each(|window| window.load(values, reader))
    }

    /// What an aggregate over all instances says.
    pub(super) fn bag(&self, bag: usize) -> StreamDatum {
        self.bags[bag].read()
    }
}

/// The place of the newest of so many values in a ring.
#[inline]
fn newest(count: u64, ring: usize) -> Option<usize> {
    count.checked_sub(1).map(|last| last as usize & (ring - 1))
}

/// The instances by a part of their keys. To enter and to leave costs one look-up.
#[derive(Debug, Default)]
struct PartialKeys {
    columns: Vec<usize>,
    keys: DenseKeys,
    /// By group.
    slots: Vec<Vec<u32>>,
    /// The place of a slot in its group.
    places: Vec<u32>,
    /// The part of the key at hand.
    part: Vec<Atom>,
}

impl PartialKeys {
    fn new(columns: Vec<usize>) -> PartialKeys {
        PartialKeys { keys: DenseKeys::new(columns.len()), columns, ..PartialKeys::default() }
    }

    fn find(&self, part: &[Atom]) -> &[u32] {
        self.keys.find(part).map_or(&[], |group| &self.slots[group as usize])
    }

    /// The group of a key, if it has one.
    fn group(&mut self, key: &[Atom]) -> Option<u32> {
        self.part.clear();
        self.part.extend(self.columns.iter().map(|column| key[*column]));
        self.keys.find(&self.part)
    }

    fn insert(&mut self, key: &[Atom], slot: u32) {
        let group = match self.group(key) {
            Some(group) => group as usize,
            None => self.keys.insert(&self.part) as usize,
        };
        if group >= self.slots.len() {
            self.slots.push(Vec::new());
        }
        if slot as usize >= self.places.len() {
            self.places.resize(slot as usize + 1, 0);
        }
        self.places[slot as usize] = self.slots[group].len() as u32;
        self.slots[group].push(slot);
    }

    fn remove(&mut self, key: &[Atom], slot: u32) {
        let Some(group) = self.group(key) else { return };
        let slots = &mut self.slots[group as usize];
        let place = self.places[slot as usize];
        slots.swap_remove(place as usize);
        if let Some(moved) = slots.get(place as usize) {
            self.places[*moved as usize] = place;
        }
        if slots.is_empty() {
            self.keys.remove(group);
        }
    }
}
