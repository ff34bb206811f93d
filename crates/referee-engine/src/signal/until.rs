//! The truth of `φ U_[a,b] ψ` at every sample, told as soon as the samples decide it.
//!
//! ```text
//!  samples   i ········· l ················ r          l, r: the first and the last that lie in the interval of i
//!  φ         T T T T T T T T ? F                        p: the first that is not true,  f: the first that is false
//!  ψ                     F F F F ? T                    q: the first that is not false, w: the first that is true
//! ```
//!
//! It is true once w ≤ r and w ≤ p; it is false once q > r, or f < q. Samples are looked at when something changes for
//! them: their interval begins or ends, ψ becomes true in it, φ becomes false before it, or the ψ that kept them open
//! becomes false. What ψ and φ say may come in any order; where it comes in the order of the samples, each sample is
//! looked at a constant number of times, whatever the length of the interval. `F` is the same without φ.

use std::collections::{BTreeSet, HashMap, VecDeque};

use referee_trace::number::Number;

use super::sample_numbers::{ensure, read_sample};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// A truth that has been decided: the sample, what it is there, and the sample that decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UntilDecision {
    /// The sample, from 1.
    pub sample: u64,
    /// What the formula says there.
    pub truth: bool,
    /// The sample that tipped the scales.
    pub witness: u64,
}

/// What is known of one sample.
#[derive(Debug, Clone)]
struct UntilEntry {
    time: Number,
    left: Option<bool>,
    right: Option<bool>,
    decided: bool,
    /// How far to jump to the next sample at which ψ is not false, or φ is not true; 0 if it is this one.
    right_skip: u32,
    left_skip: u32,
    /// Of a decided sample: how many below it, itself included, are known to be decided.
    open_skip: u32,
}

/// Which of the two skips.
#[derive(Clone, Copy)]
enum UntilSide {
    Left,
    Right,
}

/// One until.
#[derive(Debug)]
pub(super) struct Until {
    low: Number,
    high: Option<Number>,
    has_left: bool,
    /// The number of the first entry.
    base: u64,
    entries: VecDeque<UntilEntry>,
    /// The first sample whose interval has not begun, and the first whose has not ended.
    unstarted: u64,
    unclosed: u64,
    /// Where the intervals of the samples begin, and whether by a sample that is still in force.
    starts: VecDeque<(u64, bool)>,
    starts_base: u64,
    /// The last sample of intervals that have ended.
    ends: VecDeque<u64>,
    ends_base: u64,
    rights_true: BTreeSet<u64>,
    lefts_false: BTreeSet<u64>,
    watches: HashMap<u64, Vec<u64>>,
}

impl Until {
    /// An until before the first sample.
    pub(super) fn new(low: Number, high: Option<Number>, has_left: bool) -> Until {
        Until {
            low,
            high,
            has_left,
            base: 1,
            entries: VecDeque::new(),
            unstarted: 1,
            unclosed: 1,
            starts: VecDeque::new(),
            starts_base: 1,
            ends: VecDeque::new(),
            ends_base: 1,
            rights_true: BTreeSet::new(),
            lefts_false: BTreeSet::new(),
            watches: HashMap::new(),
        }
    }

    /// How many samples are kept.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Writes what is known of the samples that count: after each call, starts and ends are those from the first of them on.
    pub(super) fn save(&self, out: &mut Writer) {
        out.number(self.base);
        out.length(self.entries.len());
        for UntilEntry { time, left, right, decided, .. } in &self.entries {
            out.exact(time);
            out.perhaps(*left);
            out.perhaps(*right);
            out.truth(*decided);
        }
        out.length(self.starts.len());
        for (start, in_force) in &self.starts {
            out.number(*start);
            out.truth(*in_force);
        }
        out.length(self.ends.len());
        self.ends.iter().for_each(|end| out.number(*end));
        // Samples that are gone neither watch nor are watched.
        let mut watches: Vec<(&u64, &Vec<u64>)> = self.watches.iter().filter(|(at, _)| **at >= self.base).collect();
        watches.sort_unstable();
        out.length(watches.len());
        for (at, watchers) in watches {
            out.number(*at);
            let open: Vec<&u64> = watchers.iter().filter(|own| **own >= self.base).collect();
            out.length(open.len());
            open.into_iter().for_each(|own| out.number(*own));
        }
    }

    /// Reads what [`Until::save`] wrote after so many samples. Sets and skips follow from what is known of the samples.
    pub(super) fn load(&mut self, samples: u64, reader: &mut Reader) -> Result<(), Damaged> {
        self.base = read_sample(reader)?;
        let mut run = 0;
        let entries = reader.list(|reader| {
            let (time, left, right) = (reader.exact()?, reader.perhaps()?, reader.perhaps()?);
            let decided = reader.truth()?;
            run = if decided { run + 1 } else { 0 };
            let (left_skip, right_skip) = (u32::from(left == Some(true)), u32::from(right == Some(false)));
            Ok(UntilEntry { time, left, right, decided, right_skip, left_skip, open_skip: run })
        })?;
        ensure(self.base >= 1 && self.base + entries.len() as u64 == samples + 1)?;
        for (sample, entry) in (self.base..).zip(&entries) {
            if entry.right == Some(true) {
                self.rights_true.insert(sample);
            }
            if entry.left == Some(false) {
                self.lefts_false.insert(sample);
            }
        }
        self.entries = entries.into();
        self.starts = reader.list(|reader| Ok((read_sample(reader)?, reader.truth()?)))?.into();
        self.ends = reader.list(read_sample)?.into();
        ensure(self.starts.len() <= self.entries.len() && self.ends.len() <= self.entries.len())?;
        (self.starts_base, self.ends_base) = (self.base, self.base);
        self.unstarted = self.base + self.starts.len() as u64;
        self.unclosed = self.base + self.ends.len() as u64;
        for (at, watchers) in reader.list(|reader| Ok((read_sample(reader)?, reader.list(read_sample)?)))? {
            ensure(watchers.iter().all(|own| (self.base..=samples).contains(own)))?;
            self.watches.insert(at, watchers);
        }
        Ok(())
    }

    fn next(&self) -> u64 {
        self.base + self.entries.len() as u64
    }

    fn entry(&self, sample: u64) -> &UntilEntry {
        &self.entries[(sample - self.base) as usize]
    }

    fn entry_mut(&mut self, sample: u64) -> &mut UntilEntry {
        let at = (sample - self.base) as usize;
        &mut self.entries[at]
    }

    /// The first sample from `from` on at which ψ is not false, or φ not true; the next one to come if there is none.
    fn find(&mut self, side: UntilSide, from: u64) -> u64 {
        let (start, next) = (from.max(self.base), self.next());
        let mut at = start;
        while at < next {
            let skip = match side {
                UntilSide::Left => self.entry(at).left_skip,
                UntilSide::Right => self.entry(at).right_skip,
            };
            if skip == 0 {
                break;
            }
            at += u64::from(skip);
        }
        // The path is shortened for those who come next.
        let mut walk = start;
        while walk < at && walk < next {
            let jump = u32::try_from(at - walk).unwrap_or(u32::MAX);
            let entry = self.entry_mut(walk);
            let skip = match side {
                UntilSide::Left => &mut entry.left_skip,
                UntilSide::Right => &mut entry.right_skip,
            };
            walk += u64::from(std::mem::replace(skip, jump));
        }
        at.min(next)
    }

    /// A sample comes.
    pub(super) fn arrive(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        let sample = self.next();
        let left = if self.has_left { None } else { Some(true) };
        let left_skip = u32::from(!self.has_left);
        self.entries.push_back(UntilEntry {
            time: time.clone(),
            left,
            right: None,
            decided: false,
            right_skip: 0,
            left_skip,
            open_skip: 0,
        });
        while self.unstarted <= sample && self.can_start(sample, time) {
            self.start_one(sample, time, out);
        }
        while self.unclosed < sample && self.is_past(self.unclosed, time) {
            self.close_one(sample - 1, out);
        }
        self.prune();
    }

    /// Time passes: no sample will come before this time, and the last one is in force until then.
    pub(super) fn advance(&mut self, time: &Number, out: &mut Vec<UntilDecision>) {
        let last = self.next() - 1;
        while self.unstarted <= last && *time > self.entry(self.unstarted).time.add(&self.low) {
            self.started(self.unstarted, (last, true), out);
        }
        while self.unclosed <= last && self.is_past(self.unclosed, time) {
            self.close_one(last, out);
        }
        self.prune();
    }

    fn can_start(&self, sample: u64, time: &Number) -> bool {
        self.unstarted <= sample && *time >= self.entry(self.unstarted).time.add(&self.low)
    }

    fn start_one(&mut self, sample: u64, time: &Number, out: &mut Vec<UntilDecision>) {
        let own = self.unstarted;
        let begins = self.entry(own).time.add(&self.low);
        let start = if *time == begins || sample == own { (sample, false) } else { (sample - 1, true) };
        self.started(own, start, out);
    }

    fn started(&mut self, own: u64, start: (u64, bool), out: &mut Vec<UntilDecision>) {
        self.starts.push_back(start);
        self.unstarted += 1;
        self.consider(own, out);
    }

    fn is_past(&self, own: u64, time: &Number) -> bool {
        self.high.as_ref().is_some_and(|high| *time > self.entry(own).time.add(high))
    }

    fn close_one(&mut self, last: u64, out: &mut Vec<UntilDecision>) {
        let own = self.unclosed;
        self.ends.push_back(last);
        self.unclosed += 1;
        self.consider(own, out);
    }

    /// What ψ says of a sample is known.
    pub(super) fn right(&mut self, sample: u64, truth: bool, out: &mut Vec<UntilDecision>) {
        if sample < self.base {
            return;
        }
        self.entry_mut(sample).right = Some(truth);
        if truth {
            self.rights_true.insert(sample);
            self.decide_back(sample, sample, out);
        } else {
            self.entry_mut(sample).right_skip = 1;
            for own in self.watches.remove(&sample).unwrap_or_default() {
                self.consider(own, out);
            }
        }
        self.prune();
    }

    /// What φ says of a sample is known.
    pub(super) fn left(&mut self, sample: u64, truth: bool, out: &mut Vec<UntilDecision>) {
        if sample < self.base {
            return;
        }
        self.entry_mut(sample).left = Some(truth);
        if truth {
            self.entry_mut(sample).left_skip = 1;
            if let Some(witness) = self.rights_true.range(sample..).next().copied() {
                self.decide_back(witness, sample, out);
            }
        } else {
            let before = self.lefts_false.range(..sample).next_back().copied().unwrap_or(0);
            self.lefts_false.insert(sample);
            for own in (before.max(self.base - 1) + 1..=sample).rev() {
                self.consider(own, out);
            }
        }
        self.prune();
    }

    /// Looks at the samples up to `from` that a true ψ may have made true, downwards: those before see no more of φ being
    /// true, and no later end of their intervals.
    fn decide_back(&mut self, witness: u64, from: u64, out: &mut Vec<UntilDecision>) {
        let mut own = from.min(self.unstarted - 1);
        while own >= self.base && self.find(UntilSide::Left, own) >= witness && !self.ends_before(own, witness) {
            if !self.entry(own).decided {
                self.consider(own, out);
                if !self.entry(own).decided && self.is_too_late(own, witness) {
                    break;
                }
            }
            own -= u64::from(self.entry(own).open_skip).max(1);
        }
    }

    /// Whether a sample lies after an interval that has not ended yet.
    fn is_too_late(&self, own: u64, sample: u64) -> bool {
        !self.within(own, sample)
    }

    fn ends_before(&self, own: u64, witness: u64) -> bool {
        self.end_of(own).is_some_and(|end| end < witness)
    }

    /// The last sample in an interval, if it has ended.
    fn end_of(&self, own: u64) -> Option<u64> {
        own.checked_sub(self.ends_base).and_then(|at| self.ends.get(at as usize)).copied()
    }

    /// The first sample in an interval, if it has begun, and whether that is one still in force.
    fn start_of(&self, own: u64) -> Option<(u64, bool)> {
        own.checked_sub(self.starts_base).and_then(|at| self.starts.get(at as usize)).copied()
    }

    /// Decides a sample if that can be done, or watches what keeps it open.
    fn consider(&mut self, own: u64, out: &mut Vec<UntilDecision>) {
        if own < self.base || self.entry(own).decided {
            return;
        }
        let first_false = self.lefts_false.range(own..).next().copied();
        let Some((start, in_force)) = self.start_of(own) else {
            if let Some(left) = first_false {
                self.decide(own, false, left, out);
            }
            return;
        };
        let end = self.end_of(own);
        let inside = |sample: u64| end.is_none_or(|end| sample <= end) && self.within(own, sample);
        if let Some(witness) = self.rights_true.range(start..).next().copied().filter(|witness| inside(*witness)) {
            let open = self.find(UntilSide::Left, own);
            let reaches = if in_force && witness == start { open > witness } else { open >= witness };
            if reaches {
                return self.decide(own, true, witness, out);
            }
        }
        let blocker = first_false.filter(|_| self.has_left);
        if end.is_none() && blocker.is_none() {
            return;
        }
        let open = self.find(UntilSide::Right, start);
        let over = end.is_some_and(|end| open > end);
        let blocked = blocker.is_some_and(|left| left < open || (in_force && open == start && left <= start));
        if over || blocked {
            self.decide(own, false, blocker.filter(|_| blocked).unwrap_or(own), out);
        } else {
            let watchers = self.watches.entry(open).or_default();
            if !watchers.contains(&own) {
                watchers.push(own);
            }
        }
    }

    /// Whether a sample is not too late for an interval that has not ended.
    fn within(&self, own: u64, sample: u64) -> bool {
        self.high.as_ref().is_none_or(|high| self.entry(sample).time <= self.entry(own).time.add(high))
    }

    fn decide(&mut self, own: u64, truth: bool, witness: u64, out: &mut Vec<UntilDecision>) {
        self.entry_mut(own).decided = true;
        // Runs of decided samples are passed over in one step; a run knows its length at its upper end.
        let below = own.checked_sub(1).filter(|below| *below >= self.base);
        let run = below.map_or(0, |below| if self.entry(below).decided { self.entry(below).open_skip } else { 0 });
        self.entry_mut(own).open_skip = run + 1;
        out.push(UntilDecision { sample: own, truth, witness });
    }

    /// Forgets what no open sample can see.
    fn prune(&mut self) {
        while self.entries.front().is_some_and(|entry| entry.decided) {
            let sample = self.base;
            self.entries.pop_front();
            self.base += 1;
            self.rights_true.remove(&sample);
            self.lefts_false.remove(&sample);
        }
        // Samples that were decided before their intervals began or ended need neither.
        while self.starts_base < self.base {
            self.starts.pop_front();
            self.starts_base += 1;
        }
        while self.ends_base < self.base {
            self.ends.pop_front();
            self.ends_base += 1;
        }
        self.unstarted = self.unstarted.max(self.base);
        self.unclosed = self.unclosed.max(self.base);
    }

    /// No more samples come; all that φ and ψ say is known after this.
    pub(super) fn end(&mut self, out: &mut Vec<UntilDecision>) {
        let last = self.next() - 1;
        while self.unstarted <= last {
            self.started(self.unstarted, (last, true), out);
        }
        while self.unclosed <= last {
            self.close_one(last, out);
        }
        self.prune();
    }
}
