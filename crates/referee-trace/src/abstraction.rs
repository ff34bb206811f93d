//! Turns raw events into events and time points.
