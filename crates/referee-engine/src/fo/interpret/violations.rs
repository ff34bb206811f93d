//! Reading violations out of a table.
//!
//! A table over the reported variables says for which assignments the property is false. Listed rows are read as they
//! are; where "anything else" is false, every named value that is not listed is a violation of its own, and one more row
//! stands for the values that nobody has named.

use referee_spec::core::{Domain, Obstacle};

use std::collections::HashSet;

use crate::fo::interpret::algebra::{Algebra, listed_values};
use crate::fo::interpret::table::{Condition, ConditionTable, earlier};
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::universe::ValueId;

/// One value per reported variable; nothing stands for all values that nobody has named.
pub(crate) type Finding = Vec<Option<ValueId>>;

/// Reads tables over the reported variables of a property.
pub(crate) struct Inspector<'a> {
    algebra: &'a mut Algebra,
    bindings: &'a [(FormulaVar, Domain)],
}

impl<'a> Inspector<'a> {
    /// An inspector of tables over these variables.
    pub(crate) fn new(algebra: &'a mut Algebra, bindings: &'a [(FormulaVar, Domain)]) -> Inspector<'a> {
        Inspector { algebra, bindings }
    }

    /// The first false assignment.
    pub(crate) fn first(&mut self, table: &ConditionTable) -> Option<Finding> {
        self.first_below(table, &mut Vec::new())
    }

    fn first_below(&mut self, table: &ConditionTable, path: &mut Finding) -> Option<Finding> {
        if !suspect(table) {
            return None;
        }
        let Some(&(var, domain)) = self.bindings.get(path.len()) else {
            let unnamed = self.unnamed_variables(path);
            return self.is_false(table, &unnamed).then(|| path.clone());
        };
        if domain == Domain::Infinite {
            let rest = self.rest(table, var);
            path.push(None);
            let found = self.first_below(&rest, path);
            path.pop();
            if found.is_some() {
                return found;
            }
        }
        let mut candidates = self.candidates(table, var, domain);
        let universe = &self.algebra.universe;
        candidates.sort_by(|one, other| universe.value(*one).report_order(universe.value(*other)));
        for value in candidates {
            let at = self.algebra.at(table, var, value);
            path.push(Some(value));
            let found = self.first_below(&at, path);
            path.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// All false assignments, which are then made true, so that none is found twice.
    pub(crate) fn take(&mut self, table: &mut ConditionTable) -> Vec<Finding> {
        let mut findings = Vec::new();
        *table = self.take_below(table, &mut Vec::new(), &mut findings);
        let mut seen = HashSet::new();
        findings.retain(|finding| seen.insert(finding.clone()));
        findings
    }

    fn take_below(
        &mut self,
        table: &ConditionTable,
        path: &mut Finding,
        findings: &mut Vec<Finding>,
    ) -> ConditionTable {
        if !suspect(table) {
            return table.clone();
        }
        let Some(&(var, domain)) = self.bindings.get(path.len()) else {
            let unnamed = self.unnamed_variables(path);
            if self.is_false(table, &unnamed) {
                findings.push(path.clone());
                return ConditionTable::constant(true);
            }
            return table.clone();
        };
        let mut rows: Vec<(ValueId, ConditionTable)> =
            listed_values(table, var).into_iter().map(|value| (value, self.algebra.at(table, var, value))).collect();
        for value in self.candidates(table, var, domain) {
            let at = self.algebra.at(table, var, value);
            path.push(Some(value));
            let row = self.take_below(&at, path, findings);
            path.pop();
            match rows.iter_mut().find(|(listed, _)| *listed == value) {
                Some((_, listed)) => *listed = row,
                None => rows.push((value, row)),
            }
        }
        let mut rest = self.rest(table, var);
        if domain == Domain::Infinite {
            // A listed value that nobody has named is the result of a computation: it fails by itself.
            for (value, row) in &mut rows {
                if self.algebra.universe.rank(*value).is_none() {
                    path.push(Some(*value));
                    *row = self.take_below(row, path, findings);
                    path.pop();
                }
            }
            path.push(None);
            rest = self.take_below(&rest, path, findings);
            path.pop();
        }
        self.algebra.level(var, rows, rest)
    }

    /// How many assignments there are.
    pub(crate) fn rows(&self) -> u64 {
        let values = |domain: Domain| self.all_values(domain).len() as u64 + u64::from(domain == Domain::Infinite);
        self.bindings.iter().map(|(_, domain)| values(*domain)).product()
    }

    /// How many assignments are open.
    pub(crate) fn pending(&mut self, table: &ConditionTable) -> u64 {
        self.pending_from(table, 0)
    }

    fn pending_from(&mut self, table: &ConditionTable, depth: usize) -> u64 {
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

    /// The first thing that keeps an assignment from being judged.
    pub(crate) fn obstacle(&mut self, table: &ConditionTable) -> Option<Obstacle> {
        self.obstacle_below(table, &mut Vec::new())
    }

    fn obstacle_below(&mut self, table: &ConditionTable, path: &mut Finding) -> Option<Obstacle> {
        if table.as_constant().is_some() {
            return None;
        }
        let Some(&(var, domain)) = self.bindings.get(path.len()) else {
            if table.is_pending() && !self.algebra.ended {
                return None;
            }
            let unnamed = self.unnamed_variables(path);
            let table = unnamed.into_iter().fold(table.clone(), |table, var| self.algebra.unnamed(&table, var));
            let mut found = None;
            table.for_each_condition(&mut |condition| found = earlier(found.take(), condition.obstacle()));
            return found;
        };
        let mut found = None;
        for value in self.all_values(domain) {
            let at = self.algebra.at(table, var, value);
            path.push(Some(value));
            found = earlier(found, self.obstacle_below(&at, path));
            path.pop();
        }
        if domain == Domain::Infinite {
            let rest = self.rest(table, var);
            path.push(None);
            found = earlier(found, self.obstacle_below(&rest, path));
            path.pop();
        }
        found
    }

    /// The table for all values of a variable that it does not list. Progress may have put the variable's level below that
    /// of an inner one, so the top alone does not tell.
    fn rest(&mut self, table: &ConditionTable, var: FormulaVar) -> ConditionTable {
        self.algebra.strip(table, var)
    }

    /// The values of a variable for which a table may be false.
    fn candidates(&mut self, table: &ConditionTable, var: FormulaVar, domain: Domain) -> Vec<ValueId> {
        let rest = self.rest(table, var);
        if suspect(&rest) {
            return self.all_values(domain);
        }
        let mut listed = listed_values(table, var);
        if domain != Domain::Infinite {
            let domain = self.all_values(domain);
            listed.retain(|value| domain.contains(value));
        }
        listed.retain(|value| self.algebra.universe.rank(*value).is_some());
        listed
    }

    fn all_values(&self, domain: Domain) -> Vec<ValueId> {
        match domain {
            Domain::Infinite => self.algebra.universe.named().to_vec(),
            Domain::Trace(sort) | Domain::SoFar(sort) => self.algebra.domains[sort.0 as usize].clone(),
        }
    }

    fn unnamed_variables(&self, path: &Finding) -> Vec<FormulaVar> {
        path.iter().zip(self.bindings).filter(|(value, _)| value.is_none()).map(|(_, (var, _))| *var).collect()
    }

    /// Whether the table is false for some choice of unnamed values, equal or different, for these variables.
    fn is_false(&mut self, table: &ConditionTable, unnamed: &[FormulaVar]) -> bool {
        if let Some(truth) = table.as_constant() {
            return !truth;
        }
        match unnamed {
            [] => false,
            [var, others @ ..] if table.nodes().has(*var) => {
                let computed: Vec<ValueId> = listed_values(table, *var)
                    .into_iter()
                    .filter(|value| self.algebra.universe.rank(*value).is_none())
                    .collect();
                let rest = self.algebra.strip(table, *var);
                self.is_false(&rest, unnamed)
                    || computed.into_iter().any(|value| {
                        let at = self.algebra.at(table, *var, value);
                        self.is_false(&at, others)
                    })
            }
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
fn suspect(table: &ConditionTable) -> bool {
    let mut found = false;
    table.for_each_condition(&mut |condition| {
        found |= matches!(condition, Condition::Constant(false)) || !condition.tests().is_empty();
    });
    found
}
