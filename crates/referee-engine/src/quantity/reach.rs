//! Decides strict until and since, whose arguments may be decided late and in any order.
//!
//! Positions lie on an axis on which the operator looks to the right: until by their numbers, since by the negatives of
//! their numbers. `φ U_I ψ` at i asks for a witness j to the right of i, at a distance in I, with φ everywhere between:
//!
//! ```text
//!        i ──── φ ──── φ ──── φ ──── j        age(i, j) ∈ I,  ψ at j
//!   true     some j has ψ = true,   and no φ between is open or false
//!   false    no j has ψ ≠ false,    but such as have a false φ between
//! ```
//!
//! What is kept: the positions where φ is not true and where it is false, where ψ is true and where it is not false, and the
//! positions i whose verdict is unknown. Ages are monotone along the axis, so whatever an argument decides, it decides
//! it for a contiguous range of the unknown positions:
//!
//! | happens | becomes | for all unknown i |
//! |---|---|---|
//! | ψ true at j | true | with age(i, j) ∈ I, and no φ ≠ true between |
//! | φ true at m | true | the same, for each j up to the next φ ≠ true |
//! | φ false at m | false | for which no ψ ≠ false up to m is old enough |
//! | ψ false at j | false | for which j was the first possible witness, and the next one is too far or behind a false φ |
//! | time passes | false | whose interval is over, without a possible witness |
//!
//! Cost: each position becomes unknown once and is decided once; finding a range is O(log) of what is kept. What can no
//! longer matter is dropped at every position.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// A position on the operator's axis, and its time.
type ReachPlace = (i64, Number);

/// A verdict on a position, by its number.
pub(super) type ReachDecision = (i64, bool);

/// Which argument of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReachSide {
    /// What must hold between.
    Left,
    /// What must hold at the witness.
    Right,
}

/// The state of one operator.
#[derive(Debug, Clone)]
pub(super) struct QuantityReach {
    forward: bool,
    interval: Interval,
    /// Where the left side is not true.
    left_open: BTreeSet<i64>,
    /// Where the left side is false.
    left_false: BTreeSet<i64>,
    /// Where the right side is not false.
    right_open: VecDeque<ReachPlace>,
    /// Where the right side is true.
    right_true: VecDeque<ReachPlace>,
    /// The positions whose verdict is not known.
    unknown: VecDeque<ReachPlace>,
    /// Up to here, no later position can be a witness.
    expired: i64,
}

impl QuantityReach {
    /// An operator that looks to later positions (`forward`) or to earlier ones.
    pub(super) fn new(forward: bool, interval: Interval) -> QuantityReach {
        QuantityReach {
            forward,
            interval,
            left_open: BTreeSet::new(),
            left_false: BTreeSet::new(),
            right_open: VecDeque::new(),
            right_true: VecDeque::new(),
            unknown: VecDeque::new(),
            expired: i64::MIN,
        }
    }

    fn axis(&self, position: i64) -> i64 {
        if self.forward { position } else { -position }
    }

    /// A new position, with what its arguments are so far; decides earlier positions.
    pub(super) fn arrive(
        &mut self,
        position: i64,
        time: &Number,
        left: Option<bool>,
        right: Option<bool>,
        decided: &mut Vec<ReachDecision>,
    ) {
        // Before the new marks come: what they dominate may still be asked for at this position.
        self.prune(time);
        let x = self.axis(position);
        if left != Some(true) {
            self.left_open.insert(x);
        }
        if left == Some(false) {
            self.left_false.insert(x);
        }
        if right != Some(false) {
            insert(&mut self.right_open, (x, time.clone()));
        }
        if right == Some(true) {
            insert(&mut self.right_true, (x, time.clone()));
        }
        if self.forward {
            if right == Some(true) {
                self.witness(&(x, time.clone()), decided);
            }
            if left == Some(false) {
                self.barrier(x, decided);
            }
            self.expire(time, decided);
        }
    }

    /// Whether nothing is unknown of an operator that looks to later positions, so that they matter to nobody.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.forward && self.unknown.is_empty()
    }

    /// Whether the passing of time alone may decide positions.
    #[inline]
    pub(super) fn has_deadline(&self) -> bool {
        self.forward && self.interval.high.is_some()
    }

    /// Whether a new position can matter to a verdict that is not known: if not even the newest unknown position can have
    /// its witness there, none can. Since looks back from positions to come, so to it all matter.
    pub(super) fn wants(&self, time: &Number) -> bool {
        if !self.forward {
            return true;
        }
        let Some(newest) = self.unknown.back() else { return false };
        let barred = self.left_false.last().is_some_and(|&barrier| barrier > newest.0);
        !barred && (self.interval.high.is_none() || !self.interval.is_before(&time.sub(&newest.1)))
    }

    /// A new position that nothing wants: only time passes.
    pub(super) fn pass(&mut self, time: &Number, decided: &mut Vec<ReachDecision>) {
        self.expire(time, decided);
    }

    /// The verdict on the newest position, where something asks for it; if it is not known, it will be decided later.
    pub(super) fn ask(&mut self, position: i64, time: &Number) -> Option<bool> {
        let place = (self.axis(position), time.clone());
        if self.is_true(&place) {
            return Some(true);
        }
        if self.is_false(&place) {
            return Some(false);
        }
        insert(&mut self.unknown, place);
        None
    }

    /// An argument at an earlier position is decided.
    pub(super) fn settle(&mut self, side: ReachSide, position: i64, truth: bool, decided: &mut Vec<ReachDecision>) {
        let x = self.axis(position);
        match (side, truth) {
            (ReachSide::Left, true) => self.clear_left(x, decided),
            (ReachSide::Left, false) => {
                // What was dropped, or never open, matters to nobody any more.
                if self.left_open.contains(&x) {
                    self.left_false.insert(x);
                    self.barrier(x, decided);
                }
            }
            (ReachSide::Right, true) => {
                if let Some(place) = find(&self.right_open, x) {
                    insert(&mut self.right_true, place.clone());
                    self.witness(&place, decided);
                }
            }
            (ReachSide::Right, false) => self.clear_right(x, decided),
        }
    }

    /// No position follows: whatever is unknown, its arguments being decided, is false.
    pub(super) fn end(&mut self, decided: &mut Vec<ReachDecision>) {
        self.decide(0..self.unknown.len(), false, decided);
    }

    /// Writes positions and marks.
    pub(super) fn save(&self, out: &mut Writer) {
        for marks in [&self.left_open, &self.left_false] {
            out.length(marks.len());
            marks.iter().for_each(|x| out.integer(*x));
        }
        for places in [&self.right_open, &self.right_true, &self.unknown] {
            out.length(places.len());
            for (x, time) in places {
                out.integer(*x);
                out.exact(time);
            }
        }
        out.integer(self.expired);
    }

    /// Reads what [`QuantityReach::save`] wrote; no position lies beyond the newest.
    pub(super) fn load(&mut self, newest: i64, reader: &mut Reader) -> Result<(), Damaged> {
        let position = |reader: &mut Reader| {
            let x = reader.signed()?;
            if (-newest..=newest).contains(&x) { Ok(x) } else { Err(Damaged) }
        };
        for marks in [&mut self.left_open, &mut self.left_false] {
            *marks = reader.list(position)?.into_iter().collect();
        }
        for places in [&mut self.right_open, &mut self.right_true, &mut self.unknown] {
            *places = reader.list(|reader| Ok((position(reader)?, reader.exact()?)))?.into();
            // All that is looked up in them is looked up by their order.
            if !places.iter().is_sorted_by(|one, other| one.0 < other.0) {
                return Err(Damaged);
            }
        }
        self.expired = reader.signed()?;
        Ok(())
    }

    /// How many positions and marks are kept.
    pub(super) fn size(&self) -> usize {
        self.unknown.len() + self.right_open.len() + self.left_open.len()
    }

    // Ages.

    fn age(&self, of: &ReachPlace, at: &ReachPlace) -> Number {
        if self.forward { at.1.sub(&of.1) } else { of.1.sub(&at.1) }
    }

    fn is_old_enough(&self, age: &Number) -> bool {
        if self.interval.low_included { *age >= self.interval.low } else { *age > self.interval.low }
    }

    /// How many unknown positions lie to the left of a place at an age that has reached the interval.
    fn old_enough(&self, place: &ReachPlace) -> usize {
        self.unknown.partition_point(|of| of.0 < place.0 && self.is_old_enough(&self.age(of, place)))
    }

    /// How many unknown positions lie to the left of a place at an age past the interval.
    fn too_old(&self, place: &ReachPlace) -> usize {
        self.unknown.partition_point(|of| of.0 < place.0 && self.interval.is_before(&self.age(of, place)))
    }

    /// How many unknown positions lie to the left of x.
    fn before(&self, x: i64) -> usize {
        self.unknown.partition_point(|of| of.0 < x)
    }

    // Deciding.

    fn decide(&mut self, range: Range<usize>, truth: bool, decided: &mut Vec<ReachDecision>) {
        if range.start < range.end {
            let forward = self.forward;
            decided.extend(self.unknown.drain(range).map(|(x, _)| (if forward { x } else { -x }, truth)));
        }
    }

    /// The right side is true at a place.
    fn witness(&mut self, place: &ReachPlace, decided: &mut Vec<ReachDecision>) {
        let blocked = self.left_open.range(..place.0).next_back().map_or(0, |&open| self.before(open));
        let range = self.too_old(place).max(blocked)..self.old_enough(place);
        self.decide(range, true, decided);
    }

    /// The left side has become true.
    fn clear_left(&mut self, x: i64, decided: &mut Vec<ReachDecision>) {
        if !self.left_open.remove(&x) {
            return;
        }
        let limit = self.left_open.range(x + 1..).next().copied().unwrap_or(i64::MAX);
        let first = self.right_true.partition_point(|place| place.0 <= x);
        for index in first..self.right_true.len() {
            let place = self.right_true[index].clone();
            let reached = self.too_old(&place) < self.before(x);
            if place.0 > limit || !reached {
                break;
            }
            self.witness(&place, decided);
        }
    }

    /// The left side is false.
    fn barrier(&mut self, x: i64, decided: &mut Vec<ReachDecision>) {
        let after = self.right_open.partition_point(|place| place.0 <= x);
        let last = after.checked_sub(1).map(|index| &self.right_open[index]);
        let possible = last.map_or(0, |last| self.old_enough(last));
        self.decide(possible..self.before(x), false, decided);
    }

    /// The right side has become false.
    fn clear_right(&mut self, x: i64, decided: &mut Vec<ReachDecision>) {
        let at = self.right_open.partition_point(|place| place.0 < x);
        let Some(place) = self.right_open.get(at).filter(|place| place.0 == x).cloned() else { return };
        self.right_open.remove(at);
        let start = at.checked_sub(1).map_or(0, |before| self.old_enough(&self.right_open[before]));
        let end = self.old_enough(&place);
        let next = self.right_open.get(at);
        let too_far = match next {
            Some(next) => self.too_old(next),
            None if self.forward => self.unknown.partition_point(|of| of.0 <= self.expired),
            None => self.unknown.len(),
        };
        let barrier = self.left_false.range(..next.map_or(i64::MAX, |next| next.0)).next_back();
        let behind = barrier.map_or(0, |&barrier| self.before(barrier));
        self.decide(start..end.min(too_far.max(behind)), false, decided);
    }

    /// Decides positions whose interval no later position can reach, as there is one now.
    fn expire(&mut self, now: &Number, decided: &mut Vec<ReachDecision>) {
        let Some(high) = self.interval.high.clone() else { return };
        self.expire_while(decided, |_, time| now.sub(time) >= high);
    }

    /// Time passes: no position will come before this time.
    pub(super) fn advance(&mut self, time: &Number, decided: &mut Vec<ReachDecision>) {
        if self.has_deadline() {
            self.expire_while(decided, |interval, from| interval.is_before(&time.sub(from)));
        }
    }

    /// Decides positions whose interval is over; each is looked at once.
    fn expire_while(&mut self, decided: &mut Vec<ReachDecision>, is_over: impl Fn(&Interval, &Number) -> bool) {
        let mut index = self.unknown.partition_point(|of| of.0 <= self.expired);
        while let Some(place) = self.unknown.get(index).cloned() {
            if !is_over(&self.interval, &place.1) {
                break;
            }
            self.expired = place.0;
            if self.is_false(&place) {
                self.decide(index..index + 1, false, decided);
            } else {
                index += 1;
            }
        }
    }

    fn is_true(&self, of: &ReachPlace) -> bool {
        let first = self.first_witness(&self.right_true, of);
        let limit = self.left_open.range(of.0 + 1..).next().copied().unwrap_or(i64::MAX);
        first.is_some_and(|place| place.0 <= limit && !self.interval.is_before(&self.age(of, place)))
    }

    fn is_false(&self, of: &ReachPlace) -> bool {
        let barrier = self.left_false.range(of.0 + 1..).next().copied().unwrap_or(i64::MAX);
        match self.first_witness(&self.right_open, of) {
            Some(place) => place.0 > barrier || self.interval.is_before(&self.age(of, place)),
            None => !self.forward || of.0 <= self.expired || barrier < i64::MAX || self.is_hopeless(),
        }
    }

    /// Whether no position can have a witness: two positions are never at the same time.
    fn is_hopeless(&self) -> bool {
        self.interval.high == Some(Number::ZERO)
    }

    /// The first mark to the right of a position that is old enough for the interval.
    fn first_witness<'m>(&self, marks: &'m VecDeque<ReachPlace>, of: &ReachPlace) -> Option<&'m ReachPlace> {
        let at = marks.partition_point(|place| place.0 <= of.0 || !self.is_old_enough(&self.age(of, place)));
        marks.get(at)
    }

    // Forgetting.

    fn prune(&mut self, now: &Number) {
        if self.forward { self.prune_passed() } else { self.prune_old(now) }
    }

    /// Until: nothing up to the first unknown position matters.
    fn prune_passed(&mut self) {
        let first = self.unknown.front().map_or(i64::MAX, |place| place.0);
        let is_passed = |place: Option<&ReachPlace>| place.is_some_and(|place| place.0 <= first);
        while is_passed(self.right_open.front()) {
            self.right_open.pop_front();
        }
        while is_passed(self.right_true.front()) {
            self.right_true.pop_front();
        }
        for marks in [&mut self.left_open, &mut self.left_false] {
            while marks.first().is_some_and(|&x| x <= first) {
                marks.pop_first();
            }
        }
    }

    /// Since: what is past the interval, and what newer marks dominate.
    fn prune_old(&mut self, now: &Number) {
        let oldest = self.unknown.back().map_or(now, |place| &place.1);
        let is_old =
            |place: Option<&ReachPlace>| place.is_some_and(|place| self.interval.is_before(&oldest.sub(&place.1)));
        let (mut open, mut sure) = (0, 0);
        while is_old(self.right_open.iter().rev().nth(open)) {
            open += 1;
        }
        while is_old(self.right_true.iter().rev().nth(sure)) {
            sure += 1;
        }
        self.right_open.truncate(self.right_open.len() - open);
        self.right_true.truncate(self.right_true.len() - sure);
        let all_decided =
            self.left_open.len() == self.left_false.len() && self.right_open.len() == self.right_true.len();
        if self.unknown.is_empty() && all_decided {
            self.prune_dominated(now);
        }
        let last = self.right_open.back().map_or(i64::MIN, |place| place.0);
        for marks in [&mut self.left_open, &mut self.left_false] {
            while marks.last().is_some_and(|&x| x >= last) {
                marks.pop_last();
            }
        }
    }

    /// With all arguments decided, the newest false left side bars all witnesses before it, and of the witnesses that are
    /// old enough the newest serves as well as all others.
    fn prune_dominated(&mut self, now: &Number) {
        let barrier = self.left_false.first().copied().unwrap_or(i64::MAX);
        let within = self.right_true.partition_point(|place| place.0 <= barrier);
        let ripe = self.right_true.partition_point(|place| !self.is_old_enough(&now.sub(&place.1)));
        let kept = within.min(ripe + 1);
        self.right_true.truncate(kept);
        self.right_open.truncate(kept);
        while self.left_open.len() > 1 {
            self.left_open.pop_last();
        }
        while self.left_false.len() > 1 {
            self.left_false.pop_last();
        }
    }
}

/// Puts a place where it belongs, nearly always at an end.
fn insert(places: &mut VecDeque<ReachPlace>, place: ReachPlace) {
    if places.back().is_none_or(|last| last.0 < place.0) {
        places.push_back(place);
    } else if places.front().is_some_and(|first| place.0 < first.0) {
        places.push_front(place);
    } else {
        let at = places.partition_point(|other| other.0 < place.0);
        places.insert(at, place);
    }
}

fn find(places: &VecDeque<ReachPlace>, x: i64) -> Option<ReachPlace> {
    let at = places.partition_point(|place| place.0 < x);
    places.get(at).filter(|place| place.0 == x).cloned()
}
