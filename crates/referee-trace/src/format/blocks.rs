//! `blocks`: a name line, then one `field = value` line per field.
