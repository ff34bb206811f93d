//! Interned values: a word per value, equal words for equal values.
