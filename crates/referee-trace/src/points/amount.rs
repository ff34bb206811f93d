//! How much has been read.

/// How much has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many events of each shape, wanted or not.
    pub counts: Vec<u64>,
    /// How many points, of all traces.
    pub points: u64,
    /// The number of the last point within its trace; 0 if there was none.
    pub last_point: u64,
}
