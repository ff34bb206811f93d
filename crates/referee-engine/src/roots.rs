//! Reading violations out of a table.
//!
//! A table over the reported variables says for which assignments the property is false. Listed rows are read as they
//! are; where "anything else" is false, every named value that is not listed is a violation of its own, and one more row
//! stands for the values that nobody has named.

use referee_spec::core::Domain;

use crate::algebra::Algebra;
use crate::condition::{Condition, Var};
use crate::table::Table;
use crate::universe::ValueId;

/// One value per reported variable; nothing stands for all values that nobody has named.
pub type Finding = Vec<Option<ValueId>>;

/// Reads tables over the reported variables of a property.
pub struct Inspector<'a> {
    algebra: &'a mut Algebra,
    bindings: &'a [(Var, Domain)],
}

impl<'a> Inspector<'a> {
    /// An inspector of tables over these variables.
    pub fn new(algebra: &'a mut Algebra, bindings: &'a [(Var, Domain)]) -> Inspector<'a> {
        Inspector { algebra, bindings }
    }

    /// The first false assignment.
    pub fn first(&mut self, table: &Table) -> Option<Finding> {
        self.first_from(table, 0)
    }

    fn first_from(&mut self, table: &Table, depth: usize) -> Option<Finding> {
        if !suspect(table) {
            return None;
        }
        let Some(&(var, domain)) = self.bindings.get(depth) else {
            return self.is_false(table, &[]).then(Vec::new);
        };
        for value in self.candidates(table, var, domain) {
            let at = self.algebra.at(table, var, value);
            if let Some(mut finding) = self.first_from(&at, depth + 1) {
                finding.insert(0, Some(value));
                return Some(finding);
            }
        }
        if domain != Domain::Infinite {
            return None;
        }
        let rest = self.rest(table, var);
        let mut finding = self.first_from(&rest, depth + 1)?;
        finding.insert(0, None);
        Some(finding)
    }

    /// All false assignments, which are then made true, so that none is found twice.
    pub fn take(&mut self, table: &mut Table) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut path = Vec::new();
        *table = self.take_from(table, 0, &mut path, &mut findings);
        findings
    }

    fn take_from(&mut self, table: &Table, depth: usize, path: &mut Finding, findings: &mut Vec<Finding>) -> Table {
        if !suspect(table) {
            return table.clone();
        }
        let Some(&(var, domain)) = self.bindings.get(depth) else {
            let unnamed = self.unnamed_variables(path);
            if self.is_false(table, &unnamed) {
                findings.push(path.clone());
                return Table::constant(true);
            }
            return table.clone();
        };
        let mut rows: Vec<(ValueId, Table)> = match table.level_of(var) {
            Some(node) => node.rows.iter().map(|(value, row)| (*value, row.clone())).collect(),
            None => Vec::new(),
        };
        for value in self.candidates(table, var, domain) {
            let at = self.algebra.at(table, var, value);
            path.push(Some(value));
            let row = self.take_from(&at, depth + 1, path, findings);
            path.pop();
            match rows.iter_mut().find(|(listed, _)| *listed == value) {
                Some((_, listed)) => *listed = row,
                None => rows.push((value, row)),
            }
        }
        let mut rest = self.rest(table, var);
        if domain == Domain::Infinite {
            path.push(None);
            rest = self.take_from(&rest, depth + 1, path, findings);
            path.pop();
        }
        self.algebra.level(var, rows, rest)
    }

    /// How many assignments are open.
    pub fn pending(&mut self, table: &Table) -> u64 {
        self.pending_from(table, 0)
    }

    fn pending_from(&mut self, table: &Table, depth: usize) -> u64 {
        if table.as_constant().is_some() {
            return 0;
        }
        let Some(&(var, domain)) = self.bindings.get(depth) else { return 1 };
        let values = self.all_values(domain);
        let mut count = 0;
        for value in values {
            let at = self.algebra.at(table, var, value);
            count += self.pending_from(&at, depth + 1);
        }
        if domain == Domain::Infinite {
            let rest = self.rest(table, var);
            count += self.pending_from(&rest, depth + 1);
        }
        count
    }

    fn rest(&mut self, table: &Table, var: Var) -> Table {
        match table.level_of(var) {
            Some(node) => node.rest.clone(),
            None => table.clone(),
        }
    }

    /// The values of a variable for which a table may be false, in the order in which they are reported.
    fn candidates(&mut self, table: &Table, var: Var, domain: Domain) -> Vec<ValueId> {
        let rest = self.rest(table, var);
        if suspect(&rest) {
            return self.all_values(domain);
        }
        let mut listed: Vec<ValueId> = match table.level_of(var) {
            Some(node) => node.rows.keys().copied().collect(),
            None => Vec::new(),
        };
        if domain != Domain::Infinite {
            let domain = self.all_values(domain);
            listed.retain(|value| domain.contains(value));
        }
        listed.retain(|value| self.algebra.universe.rank(*value).is_some());
        listed.sort_by_key(|value| self.algebra.universe.rank(*value));
        listed
    }

    fn all_values(&self, domain: Domain) -> Vec<ValueId> {
        match domain {
            Domain::Infinite => self.algebra.universe.named().to_vec(),
            Domain::Trace(sort) | Domain::SoFar(sort) => self.algebra.domains[sort.0 as usize].clone(),
        }
    }

    fn unnamed_variables(&self, path: &Finding) -> Vec<Var> {
        path.iter().zip(self.bindings).filter(|(value, _)| value.is_none()).map(|(_, (var, _))| *var).collect()
    }

    /// Whether the table is false for some choice of unnamed values, equal or different, for these variables.
    fn is_false(&mut self, table: &Table, unnamed: &[Var]) -> bool {
        if table.as_constant().is_some() || table.tests().is_empty() {
            return table.as_constant() == Some(false);
        }
        match unnamed {
            [] => false,
            [var, others @ ..] => {
                let twins = others.iter().any(|other| {
                    let same = self.algebra.rename(table, *var, *other);
                    self.is_false(&same, others)
                });
                twins || {
                    let apart = self.algebra.unnamed(table, *var);
                    self.is_false(&apart, others)
                }
            }
        }
    }
}

/// Whether a table may contain something false: a false condition, or a test that may come out so.
fn suspect(table: &Table) -> bool {
    let mut found = false;
    table.for_each_condition(&mut |condition| {
        found |= matches!(condition, Condition::Constant(false)) || !condition.tests().is_empty();
    });
    found
}
