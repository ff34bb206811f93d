//! Since when a verdict has been open.
//!
//! A property that is judged once leaves, for each assignment, a condition that later points progress. As long as nothing
//! happens to the assignment its condition stays the same; an event that opens an obligation changes it, and so does the
//! one that discharges it. So what is still open at the end was opened where its condition changed last.

use std::collections::{HashMap, HashSet};

use crate::algebra::Algebra;
use crate::condition::Var;
use crate::roots::Finding;
use crate::table::Table;

/// The point at which each row of a root's table changed last.
#[derive(Debug, Clone, Default)]
pub struct Opened {
    /// By assignment; nothing stands for anything else.
    pub points: HashMap<Finding, u64>,
}

impl Opened {
    /// Notes the rows that differ from what they were before `point`.
    pub fn note(&mut self, algebra: &mut Algebra, vars: &[Var], before: Option<&Table>, after: &Table, point: u64) {
        let mut walk = Walk { algebra, vars, changed: Vec::new(), rows: Vec::new() };
        walk.compare(before, after, &mut Vec::new());
        let Walk { changed, rows, .. } = walk;
        if rows.len() < self.points.len() + changed.len() {
            let rows: HashSet<Finding> = rows.into_iter().collect();
            self.points.retain(|path, _| rows.contains(path));
        }
        self.points.extend(changed.into_iter().map(|path| (path, point)));
    }

    /// Since when the verdict on an assignment has been open.
    pub fn of(&self, finding: &Finding) -> Option<u64> {
        let stands_for = |path: &Finding| path.iter().zip(finding).all(|(own, wanted)| own.is_none() || own == wanted);
        let listed = |path: &Finding| path.iter().flatten().count();
        let rows = self.points.iter().filter(|(path, _)| stands_for(path));
        // Of rows that say equally much the one that changed last counts, whatever order they come in.
        rows.max_by_key(|(path, point)| (listed(path), **point)).map(|(_, point)| *point)
    }
}

/// A walk over two versions of a table at once.
struct Walk<'a> {
    algebra: &'a mut Algebra,
    vars: &'a [Var],
    changed: Vec<Finding>,
    rows: Vec<Finding>,
}

impl Walk<'_> {
    fn compare(&mut self, before: Option<&Table>, after: &Table, path: &mut Finding) {
        let Some(&var) = self.vars.get(path.len()) else {
            self.rows.push(path.clone());
            if before != Some(after) {
                self.changed.push(path.clone());
            }
            return;
        };
        let (rows, rest) = match after.level_of(var) {
            Some(node) => (node.rows.clone(), node.rest.clone()),
            None => (crate::table::Rows::new_sync(), after.clone()),
        };
        for (value, row) in &rows {
            let earlier = before.map(|before| self.algebra.at(before, var, *value));
            path.push(Some(*value));
            self.compare(earlier.as_ref(), row, path);
            path.pop();
        }
        let earlier = before.map(|before| self.algebra.strip(before, var));
        path.push(None);
        self.compare(earlier.as_ref(), &rest, path);
        path.pop();
    }
}
