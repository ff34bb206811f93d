//! The times and labels of rows that come in bulk.
//!
//! ```text
//!  rows    withdraw 7 120 4    withdraw 9 80 4    withdraw 7 60 3
//!  place            third               third              third
//!  times                  4                  4          ✗ back from 4 to 3: this row and what follows is not read here
//! ```

use crate::number::Number;
use crate::pool::Pool;
use crate::raw::{IntegerRows, ShapeId};

/// Which values of a row are its time and its label.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stamp {
    pub time: Option<usize>,
    pub label: Option<usize>,
}

impl Stamp {
    /// Their places.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        self.time.into_iter().chain(self.label)
    }
}

/// Which value of a row is its time, by the shape of its event.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// For shapes of which rows come in bulk, one more than the number of the stamp; 0 for others.
    numbers: Vec<u32>,
    /// Different stamps: there are few, and there may be as many shapes as events.
    stamps: Pool<Stamp>,
    /// Whether some events have a time.
    any: bool,
    /// Whether some events have a label.
    has_labels: bool,
}

impl Clocks {
    /// The time and the label of events of this shape are the values at these places.
    pub(super) fn keep(&mut self, shape: ShapeId, stamp: Stamp) {
        if self.numbers.len() <= shape.index() {
            self.numbers.resize(shape.index() + 1, 0);
        }
        self.numbers[shape.index()] = self.stamps.number(stamp) + 1;
        self.any |= stamp.time.is_some();
        self.has_labels |= stamp.label.is_some();
    }

    /// Whether rows of a shape are known to have time and label elsewhere, as a mapping may have it.
    pub(super) fn differs(&self, shape: ShapeId, stamp: Stamp) -> bool {
        self.kept(shape).is_some_and(|kept| kept != stamp)
    }

    /// Whether rows may share their points.
    pub(super) fn has_labels(&self) -> bool {
        self.has_labels
    }

    /// Where time and label are in the rows of a shape.
    #[inline]
    pub(super) fn stamp(&self, shape: ShapeId) -> Stamp {
        self.kept(shape).unwrap_or_default()
    }

    #[inline]
    fn kept(&self, shape: ShapeId) -> Option<Stamp> {
        let number = self.numbers.get(shape.index())?.checked_sub(1)?;
        Some(*self.stamps.get(number))
    }

    /// Writes the times of rows, the newest of which is kept. Where time goes back, that row and what follows is cut off, and
    /// its time and start are given; before the first point of a trace there is nothing to go back from.
    pub(super) fn read(
        &self,
        rows: &mut IntegerRows,
        newest: &mut Option<Number>,
        has_points: bool,
    ) -> Option<(Number, usize)> {
        if !self.any {
            return None;
        }
        let mut times = std::mem::take(&mut rows.times);
        let mut first_value = 0;
        let mut back = None;
        for (row, head) in rows.heads().iter().enumerate() {
            let place = self.stamp(head.shape).time;
            let time = place.and_then(|place| rows.values()[first_value + place].as_integer());
            first_value = head.end as usize;
            if let Some(time) = time {
                let goes_back = match newest {
                    Some(Number::Int(newest)) => time < *newest,
                    Some(newest) => Number::Int(time) < *newest,
                    None => false,
                };
                if goes_back && (has_points || row > 0) {
                    back = Some((row, Number::Int(time)));
                    break;
                }
                *newest = Some(Number::Int(time));
            }
            times.push(time.map(Number::Int));
        }
        rows.times = times;
        back.map(|(row, time)| {
            let start = rows.heads()[row].start;
            rows.truncate(row);
            (time, start)
        })
    }
}
