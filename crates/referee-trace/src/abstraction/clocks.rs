//! The times of rows that come in bulk.
//!
//! ```text
//!  rows    withdraw 7 120 4    withdraw 9 80 4    withdraw 7 60 3
//!  place            third               third              third
//!  times                  4                  4          ✗ back from 4 to 3: this row and what follows is not read here
//! ```

use crate::number::Number;
use crate::raw::{IntegerRows, ShapeId};

/// Which value of a row is its time, by the shape of its event.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    places: Vec<Option<usize>>,
    /// Whether some events have a time.
    any: bool,
}

impl Clocks {
    /// The time of events of this shape is the value at `place`, if they have one.
    pub fn keep(&mut self, shape: ShapeId, place: Option<usize>) {
        if self.places.len() <= shape.index() {
            self.places.resize(shape.index() + 1, None);
        }
        self.places[shape.index()] = place;
        self.any |= place.is_some();
    }

    /// Writes the times of rows, the newest of which is kept. Where time goes back, that row and what follows is cut off, and
    /// its time and start are given; before the first point of a trace there is nothing to go back from.
    pub fn read(
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
        for (row, (shape, &end)) in rows.shapes().iter().zip(rows.ends()).enumerate() {
            let place = self.places[shape.index()];
            let time = place.and_then(|place| rows.values()[first_value + place].as_integer());
            first_value = end as usize;
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
            let start = rows.start(row);
            rows.truncate(row);
            (time, start)
        })
    }
}
