//! Hash tables and sets whose order is the same in every run.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

/// A table whose order is the same in every run.
pub(crate) type Map<K, V> = HashMap<K, V, FixedState>;
/// A set whose order is the same in every run.
pub(crate) type Set<T> = HashSet<T, FixedState>;
