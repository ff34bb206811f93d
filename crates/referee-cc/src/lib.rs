//! A compiler driver that makes C programs tell their events.
