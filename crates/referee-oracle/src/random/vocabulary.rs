//! The few events, fields and values that random properties and traces speak of, so that things meet.

/// Events that properties and traces speak of, with their arities.
pub(super) const EVENTS: [(&str, usize); 4] = [("p", 1), ("q", 1), ("r", 2), ("s", 0)];

/// The names of positional arguments, and of one that can only be read by name.
pub(super) const FIELDS: [&str; 3] = ["a", "b", "size"];

/// What values are written like: numbers that meet, one to divide by, one that is not canonical, a fraction, a word.
pub(super) const TEXTS: [&str; 7] = ["1", "2", "3", "0", "a", "07", "1.5"];
