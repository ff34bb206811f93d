//! What reading and judging a trace gave.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_spec::core::{Rule, Status};

use super::judge::Found;

/// What reading and judging gave.
pub(super) struct Judged {
    /// How many events there are of each name.
    pub counts: BTreeMap<String, u64>,
    /// How many points.
    pub points: u64,
    /// What each specification says.
    pub statuses: Vec<Status>,
    /// The first violations that each specification reports.
    pub found: Vec<Vec<(Arc<Rule>, Found)>>,
    /// An event that is not declared.
    pub stranger: Option<String>,
}

impl Judged {
    /// How many events there are.
    pub(super) fn events(&self) -> u64 {
        self.counts.values().sum()
    }
}
