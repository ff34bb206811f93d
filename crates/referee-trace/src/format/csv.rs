//! `csv`: a header names the fields of all events.
