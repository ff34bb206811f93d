//! Finds separators and line ends 64 bytes at a time.
