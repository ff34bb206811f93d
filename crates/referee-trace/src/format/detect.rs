//! Which format a text is in.
