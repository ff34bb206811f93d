//! Reads files of any format into a sink.
