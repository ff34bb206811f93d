//! Keeps the window of one aggregate: assignments that wait, those that count, and those that are gone.
//!
//! ```text
//!   waiting: too recent for the interval
//!   live:    (group, assignment, value) ── 16 bytes each, oldest first
//!   times:   (time, how many entered up to then) ── one per time
//! ```
//!
//! Without `tp(i)` the same assignment may come again while it is live: it counts once, and leaves when it came last leaves.
//! For that each assignment has the stamp of its latest entry; a stamp that is not the latest leaves nothing behind.
//! Stamps count entries, so those of the live ones need not be kept.

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;
use referee_trace::values::{Atom, Values};

use super::groups::{GroupId, TallyGroups};
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::keys::DenseKeys;
use crate::shared::saved_values::{read_row, read_value, write_list};

/// How many assignments leave before the one whose group is asked for: all of one time leave together.
const SOON: usize = 16;

/// An assignment in the window.
#[derive(Debug, Clone, Copy)]
struct WindowEntry {
    group: GroupId,
    /// The assignment, where it may come again.
    tuple: u32,
    /// The value that is put together, where values matter.
    value: Atom,
}

/// An assignment before it has a place in the window.
#[derive(Debug, Clone)]
struct Arrival {
    time: Number,
    group: Box<[Atom]>,
    value: Atom,
    tuple: Box<[Atom]>,
}

/// What comes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coming<'c> {
    /// The values of the group variables.
    pub key: &'c [Atom],
    /// The value that is put together; any if values do not matter.
    pub value: Atom,
    /// The values that tell assignments apart, where one may come again.
    pub tuple: &'c [Atom],
}

/// Assignments that may come again.
#[derive(Debug, Clone)]
struct Repeats {
    tuples: DenseKeys,
    /// The stamp with which each came last.
    latest: Vec<u64>,
}

/// The window of one aggregate.
#[derive(Debug, Clone)]
pub(super) struct TallyWindow {
    interval: Interval,
    /// Which of the states of a group it feeds.
    state: usize,
    /// Whether values matter.
    valued: bool,
    /// Whether what comes counts at once.
    immediate: bool,
    now: Option<Number>,
    waiting: VecDeque<Arrival>,
    live: VecDeque<WindowEntry>,
    /// Up to which stamp assignments came at which time.
    times: VecDeque<(Number, u64)>,
    repeats: Option<Repeats>,
    stamps: u64,
}

impl TallyWindow {
    /// An empty window that feeds this state of each group; `repeats` is the length of assignments that may come again.
    pub(super) fn new(interval: Interval, state: usize, valued: bool, repeats: Option<usize>) -> TallyWindow {
        let repeats = repeats.map(|arity| Repeats { tuples: DenseKeys::new(arity), latest: Vec::new() });
        TallyWindow {
            immediate: interval.contains(&Number::ZERO),
            interval,
            state,
            valued,
            now: None,
            waiting: VecDeque::new(),
            live: VecDeque::new(),
            times: VecDeque::new(),
            repeats,
            stamps: 0,
        }
    }

    /// An assignment comes.
    #[inline]
    pub(super) fn arrive(&mut self, now: &Number, coming: Coming<'_>, inside: &mut Inside<'_>) {
        if self.immediate {
            self.admit(now, coming, inside);
        } else {
            let Coming { key, value, tuple } = coming;
            self.waiting.push_back(Arrival { time: now.clone(), group: key.into(), value, tuple: tuple.into() });
        }
    }

    #[inline]
    fn admit(&mut self, time: &Number, coming: Coming<'_>, inside: &mut Inside<'_>) {
        self.stamps += 1;
        let stamp = self.stamps;
        let group = inside.groups.find_or_add(coming.key);
        let (tuple, again) = self.repeats.as_mut().map_or((0, false), |repeats| repeats.come(coming.tuple, stamp));
        let value = self.valued.then_some(coming.value);
        let state = inside.groups.state(group, self.state);
        if again {
            state.refresh(value, stamp, inside.values);
        } else {
            state.enter(value, stamp, inside.values);
            inside.changed.push(group);
        }
        // What never leaves need not be kept.
        if self.interval.high.is_none() {
            return;
        }
        self.live.push_back(WindowEntry { group, tuple, value: coming.value });
        match self.times.back_mut() {
            Some((last, end)) if last == time => *end = stamp,
            _ => self.times.push_back((time.clone(), stamp)),
        }
    }

    /// Lets in what has become old enough, and out what has become too old.
    #[inline]
    pub(super) fn advance(&mut self, now: &Number, inside: &mut Inside<'_>) {
        if self.now.as_ref() != Some(now) {
            self.now = Some(now.clone());
            self.move_on(now, inside);
        }
    }

    fn move_on(&mut self, now: &Number, inside: &mut Inside<'_>) {
        while self.waiting.front().is_some_and(|first| self.has_reached(&now.sub(&first.time))) {
            if let Some(Arrival { time, group, value, tuple }) = self.waiting.pop_front() {
                self.admit(&time, Coming { key: &group, value, tuple: &tuple }, inside);
            }
        }
        while let Some((time, end)) = self.times.front()
            && self.interval.is_before(&now.sub(time))
        {
            let first = self.stamps + 1 - self.live.len() as u64;
            for stamp in first..=*end {
                if let Some(soon) = self.live.get(SOON) {
                    inside.groups.ask_for(soon.group);
                }
                if let Some(entry) = self.live.pop_front() {
                    expire(entry, stamp, self.state, self.valued, &mut self.repeats, inside);
                }
            }
            self.times.pop_front();
        }
    }

    fn has_reached(&self, age: &Number) -> bool {
        self.interval.contains(age) || self.interval.is_before(age)
    }

    /// Writes what waits and what counts. Assignments that will leave say all about the groups; where none ever leaves, the groups
    /// themselves are written, and which assignments count already.
    pub(super) fn save(&self, groups: &TallyGroups, values: &Values, out: &mut Writer) {
        out.truth(self.now.is_some());
        self.now.iter().for_each(|now| out.exact(now));
        out.length(self.waiting.len());
        for Arrival { time, group, value, tuple } in &self.waiting {
            out.exact(time);
            self.save_assignment(group, tuple, *value, values, out);
        }
        if self.interval.high.is_some() {
            self.save_live(groups, values, out);
            return;
        }
        groups.save(self.state, values, out);
        if let Some(repeats) = &self.repeats {
            out.length(repeats.tuples.len());
            repeats.tuples.ids().for_each(|id| write_list(repeats.tuples.key(id), values, out));
        }
    }

    fn save_live(&self, groups: &TallyGroups, values: &Values, out: &mut Writer) {
        out.length(self.times.len());
        let (mut live, mut stamp) = (self.live.iter(), self.stamps - self.live.len() as u64);
        for (time, end) in &self.times {
            let count = (end - stamp) as usize;
            stamp = *end;
            out.exact(time);
            out.length(count);
            for entry in live.by_ref().take(count) {
                let tuple = self.repeats.as_ref().map_or(&[][..], |repeats| repeats.tuples.key(entry.tuple));
                self.save_assignment(groups.key(entry.group), tuple, entry.value, values, out);
            }
        }
    }

    /// An assignment that may come again begins with the values of its group.
    fn save_assignment(&self, group: &[Atom], tuple: &[Atom], value: Atom, values: &Values, out: &mut Writer) {
        write_list(if self.repeats.is_some() { tuple } else { group }, values, out);
        if self.valued {
            out.atom(value, values);
        }
    }

    /// Reads what [`TallyWindow::save`] wrote, into an empty window: what counted enters again, in the old order.
    pub(super) fn load(
        &mut self,
        groups: &mut TallyGroups,
        changed: &mut Vec<GroupId>,
        values: &mut Values,
        reader: &mut Reader,
    ) -> Result<(), Damaged> {
        let arity = groups.arity();
        self.now = if reader.truth()? { Some(reader.exact()?) } else { None };
        for _ in 0..reader.length()? {
            let time = reader.exact()?;
            let (row, value) = self.load_assignment(arity, values, reader)?;
            let tuple = if self.repeats.is_some() { row.clone().into() } else { Box::default() };
            self.waiting.push_back(Arrival { time, group: row[..arity].into(), value, tuple });
        }
        if self.interval.high.is_some() {
            for _ in 0..reader.length()? {
                let time = reader.exact()?;
                for _ in 0..reader.length()? {
                    let (row, value) = self.load_assignment(arity, values, reader)?;
                    let coming = Coming { key: &row[..arity], value, tuple: &row };
                    self.admit(&time, coming, &mut Inside { groups, changed, values });
                }
            }
            return Ok(());
        }
        groups.load(self.state, changed, values, reader)?;
        if let Some(repeats) = &mut self.repeats {
            for _ in 0..reader.length()? {
                let tuple = read_row(repeats.tuples.arity(), values, reader)?;
                repeats.come(&tuple, 0);
            }
        }
        Ok(())
    }

    /// Whether no value ever leaves.
    pub(super) fn is_endless(&self) -> bool {
        self.interval.high.is_none()
    }

    /// Whether an assignment with a value waits, or will leave.
    pub(super) fn has(&self, value: Atom) -> bool {
        let waits = |arrival: &Arrival| arrival.group.contains(&value) || arrival.tuple.contains(&value);
        self.waiting.iter().any(waits) || !self.is_endless()
    }

    /// Forgets which assignments with a dead value count already, where that is asked only of those that come.
    pub(super) fn forget(&mut self, value: Atom) {
        let waits = self.has(value);
        if let Some(repeats) = self.repeats.as_mut().filter(|_| !waits) {
            let tuples = &mut repeats.tuples;
            let dead: Vec<u32> = tuples.ids().filter(|id| tuples.key(*id).contains(&value)).collect();
            dead.into_iter().for_each(|id| _ = tuples.remove(id));
        }
    }

    fn load_assignment(
        &self,
        arity: usize,
        values: &mut Values,
        reader: &mut Reader,
    ) -> Result<(Vec<Atom>, Atom), Damaged> {
        let length = self.repeats.as_ref().map_or(arity, |repeats| repeats.tuples.arity());
        let row = read_row(length, values, reader)?;
        let value = if self.valued { read_value(values, reader)? } else { Atom::boolean(false) };
        Ok((row, value))
    }

    /// How many assignments are kept.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.live.len()
    }
}

#[inline]
fn expire(
    entry: WindowEntry,
    stamp: u64,
    state: usize,
    valued: bool,
    repeats: &mut Option<Repeats>,
    inside: &mut Inside<'_>,
) {
    if repeats.as_mut().is_some_and(|repeats| !repeats.go(entry.tuple, stamp)) {
        return;
    }
    inside.groups.state(entry.group, state).leave(valued.then_some(entry.value), stamp, inside.values);
    inside.changed.push(entry.group);
}

impl Repeats {
    /// An assignment comes: its number, and whether it was there.
    fn come(&mut self, tuple: &[Atom], stamp: u64) -> (u32, bool) {
        if let Some(id) = self.tuples.find(tuple) {
            self.latest[id as usize] = stamp;
            return (id, true);
        }
        let id = self.tuples.insert(tuple);
        self.latest.resize(self.tuples.capacity(), 0);
        self.latest[id as usize] = stamp;
        (id, false)
    }

    /// What came with a stamp goes: whether the assignment goes with it, because it has not come again.
    fn go(&mut self, tuple: u32, stamp: u64) -> bool {
        self.latest[tuple as usize] == stamp && self.tuples.remove(tuple)
    }
}

/// What a window works on: the groups, and those of them that it changes.
pub(super) struct Inside<'a> {
    /// All groups.
    pub groups: &'a mut TallyGroups,
    /// The groups that changed, perhaps several times.
    pub changed: &'a mut Vec<GroupId>,
    /// The values of atoms.
    pub values: &'a Values,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_in_the_window_takes_few_bytes() {
        assert!(size_of::<WindowEntry>() <= 16);
    }
}
