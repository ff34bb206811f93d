//! `csv-named`: every cell names its field.
