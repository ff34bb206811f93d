//! How old points are, as an interval sees them.
//!
//! ```text
//!   times   oldest ─────────────────────────────▶ newest
//!           │ within the interval │ too young    │
//!           └ goes when too old   └ first young
//! ```
//!
//! Points come in the order of their times, so an interval cuts them in two places: those before one point are too old, those from
//! another one on are too young. Who keeps the number of a point therefore need not keep its time. Only times at which
//! something was noted are kept, each with the first point that had it: amortised O(1) per point.

use std::collections::VecDeque;

use referee_spec::core::Interval;
use referee_trace::number::Number;

use crate::shared::bytes::{Damaged, Reader, Writer};

/// The points that lie within an interval.
#[derive(Debug)]
pub(crate) struct Clock {
    interval: Interval,
    /// Times at which something was noted, each with the first point at which it was.
    times: VecDeque<(Number, u64)>,
    /// The last of them, if it is an integer.
    newest: Option<i64>,
    /// How many at the front are old enough.
    ripe: usize,
    /// Up to this time nothing changes, as far as times are integers.
    until: i64,
    /// Whether what is noted lies within at once.
    begins_now: bool,
}

impl Clock {
    /// Nothing noted yet.
    pub(crate) fn new(interval: Interval) -> Clock {
        let begins_now = interval.contains(&Number::ZERO);
        Clock { interval, times: VecDeque::new(), newest: None, ripe: 0, until: i64::MAX, begins_now }
    }

    /// Notes a point; tells whether it may have changed what lies within.
    #[inline(always)]
    pub(crate) fn note(&mut self, point: u64, now: &Number) -> bool {
        // Nearly all times are integers, and most are those of the point before.
        let is_known = matches!((self.newest, now), (Some(newest), Number::Int(now)) if newest == *now);
        !is_known && self.note_time(point, now)
    }

    #[inline(never)]
    fn note_time(&mut self, point: u64, now: &Number) -> bool {
        if self.times.back().is_some_and(|(last, _)| last == now) {
            return false;
        }
        let is_plain = self.begins_now && self.ripe > 0 && self.ripe == self.times.len() && self.is_still(now);
        self.times.push_back((now.clone(), point));
        self.newest = if let Number::Int(now) = now { Some(*now) } else { None };
        if is_plain {
            // It is old enough, and not the first to get too old.
            self.ripe += 1;
            return false;
        }
        self.turn(now);
        true
    }

    /// Whether nothing has changed up to now.
    #[inline(always)]
    fn is_still(&self, now: &Number) -> bool {
        matches!(now, Number::Int(now) if *now <= self.until)
    }

    /// Lets time pass; tells whether that may have changed what lies within.
    #[inline(always)]
    pub(crate) fn advance(&mut self, now: &Number) -> bool {
        let is_still = self.is_still(now);
        if !is_still {
            self.turn(now);
        }
        !is_still
    }

    /// What is noted at points before this one is too old.
    pub(crate) fn first_within(&self) -> u64 {
        match self.interval.high {
            Some(_) => self.times.front().map_or(u64::MAX, |(_, point)| *point),
            None => 0,
        }
    }

    /// What is noted at this point or behind it is too young.
    pub(crate) fn first_young(&self) -> u64 {
        self.times.get(self.ripe).map_or(u64::MAX, |(_, point)| *point)
    }

    /// Forgets the times at which nothing was noted that still matters, but for the newest; `points` are those that matter, in order. The
    /// others may be told to be of any age from now on.
    pub(crate) fn keep_only(&mut self, points: impl Iterator<Item = u64>) {
        let mut points = points.peekable();
        let times = std::mem::take(&mut self.times);
        let mut ends: Vec<u64> = times.iter().skip(1).map(|(_, point)| *point).collect();
        ends.push(u64::MAX);
        let (last, ripe) = (times.len().saturating_sub(1), std::mem::take(&mut self.ripe));
        for (place, (entry, end)) in times.into_iter().zip(ends).enumerate() {
            let mut matters = place == last;
            while points.next_if(|point| *point < end).is_some() {
                matters = true;
            }
            if matters {
                self.times.push_back(entry);
                self.ripe += usize::from(place < ripe);
            }
        }
        self.until = self.first_change();
    }

    #[inline(never)]
    fn turn(&mut self, now: &Number) {
        while let Some((time, _)) = self.times.get(self.ripe) {
            let age = now.sub(time);
            if !self.interval.contains(&age) && !self.interval.is_before(&age) {
                break;
            }
            self.ripe += 1;
        }
        while let Some((time, _)) = self.times.front().filter(|_| self.ripe > 0) {
            // Where nothing gets too old, what is old enough is so for ever, and its time is not needed.
            if self.interval.high.is_some() && !self.interval.is_before(&now.sub(time)) {
                break;
            }
            self.times.pop_front();
            self.ripe -= 1;
        }
        self.newest = self.newest.filter(|_| !self.times.is_empty());
        self.until = self.first_change();
    }

    /// The last time before something gets too old, or old enough.
    fn first_change(&self) -> i64 {
        let Interval { low, low_included, high, high_included } = &self.interval;
        let old = match (self.times.front().filter(|_| self.ripe > 0), high) {
            (None, _) | (_, None) => i64::MAX,
            // Where the end is not included, the integer before it is the last that is.
            (Some((Number::Int(time), _)), Some(Number::Int(high))) => {
                time.saturating_add(*high).saturating_sub(i64::from(!high_included))
            }
            _ => i64::MIN,
        };
        let ripe = match (self.times.get(self.ripe), low) {
            (None, _) => i64::MAX,
            (Some((Number::Int(time), _)), Number::Int(low)) => {
                time.saturating_add(*low).saturating_sub(i64::from(*low_included))
            }
            _ => i64::MIN,
        };
        old.min(ripe)
    }
}

/// As bytes: the times with their points, and how many are old enough.
impl Clock {
    /// Writes what was noted.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.length(self.ripe);
        out.length(self.times.len());
        let mut last = 0;
        for (time, point) in &self.times {
            out.exact(time);
            out.number(point.wrapping_sub(last));
            last = *point;
        }
    }

    /// Reads it, into a clock that has noted nothing; no point is behind the last one.
    pub(crate) fn read(&mut self, last: u64, reader: &mut Reader<'_>) -> Result<(), Damaged> {
        self.ripe = usize::try_from(reader.number()?).map_err(|_| Damaged)?;
        let mut point: u64 = 0;
        for _ in 0..reader.length()? {
            let time = reader.exact()?;
            let distance = Some(reader.number()?).filter(|distance| *distance > 0).ok_or(Damaged)?;
            point = point.checked_add(distance).filter(|point| *point <= last).ok_or(Damaged)?;
            if self.times.back().is_some_and(|(before, _)| *before >= time) {
                return Err(Damaged);
            }
            self.times.push_back((time, point));
        }
        if self.ripe > self.times.len() {
            return Err(Damaged);
        }
        self.newest =
            self.times.back().and_then(|(time, _)| if let Number::Int(time) = time { Some(*time) } else { None });
        self.until = self.first_change();
        Ok(())
    }

    /// Whether nothing is noted that still matters.
    pub(crate) fn is_empty(&self) -> bool {
        self.times.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use referee_testing::seeds;

    use super::*;

    /// Numbers in no order, the same each time.
    struct Rng(u64);

    impl Rng {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }

        fn number(&mut self, texts: &[&str]) -> Number {
            Number::parse(texts[self.below(texts.len())]).expect("a number")
        }
    }

    /// Every point is told to be too old, within, or too young as its age says, with all kinds of ends and times.
    #[test]
    fn points_are_as_old_as_their_times_say() {
        for seed in seeds(200) {
            let mut rng = Rng(seed);
            let low = rng.number(&["0", "0", "2", "2.5"]);
            let high = (rng.below(4) > 0).then(|| rng.number(&["0", "3", "7", "7.5"]));
            let high = high.filter(|high| *high >= low);
            let interval = Interval { low, low_included: rng.below(3) > 0, high, high_included: rng.below(2) > 0 };
            let mut clock = Clock::new(interval.clone());
            let (mut now, mut noted) = (Number::ZERO, Vec::new());
            for point in 1..400 {
                now = now.add(&rng.number(&["0", "0", "0", "1", "0.5", "4"]));
                clock.advance(&now);
                if rng.below(3) > 0 {
                    clock.note(point, &now);
                    noted.push((point, now.clone()));
                }
                if rng.below(30) == 0 {
                    noted.retain(|_: &(u64, Number)| rng.below(3) > 0);
                    let within = clock.first_within();
                    clock.keep_only(noted.iter().map(|(point, _)| *point).filter(|point| *point >= within));
                }
                for (point, time) in &noted {
                    let age = now.sub(time);
                    let is_old = interval.is_before(&age);
                    let context = format!("seed {seed}, {interval:?}, {point} at {time} of {now}");
                    assert_eq!(*point < clock.first_within(), is_old, "{context}");
                    let is_ripe = interval.contains(&age) || is_old;
                    assert_eq!(*point < clock.first_young(), is_ripe, "{context}");
                }
            }
        }
    }
}
