//! `csv-plain`: a name and positional values per line.
