//! `monpoly`: timestamped sets of tuples.
