//! Joining tables: conjunction, disjunction and quantifiers over many tables at once.
//!
//! A formula at a point is a [`Tree`] whose leaves are tables. It is joined from the outermost variable inwards:
//!
//! ```text
//!   join(tree):  no variable left?  ─▶ a condition
//!                else take the outermost variable x of all leaves,
//!                     for each relevant value v of x:  row v  = join(tree at x = v)
//!                     for all other values:            rest   = join(tree at "anything else")
//! ```
//!
//! *Relevant* values are few where the formula has a guard. In `access(u,f) -> loggedIn(u) and open(f)` the guard is true
//! unless u is in the event; so only that u is looked up, however many users are logged in. [`Candidates`] finds this for
//! any formula, by asking each part what it is worth for "anything else".
//!
//! Cost: one look-up per leaf and relevant value. Nothing is computed for a value that only uninvolved tables list.

use referee_spec::core::{Comparison, Obstacle, Problem, Quantifier, UnseenOrder};
use referee_trace::value::Value;

use crate::fo::interpret::comparing::Comparing;
use crate::fo::interpret::join_conditions::join;
use crate::fo::interpret::obligation::Later;
use crate::fo::interpret::operand::{Operand, OperandSlot, Test};
use crate::fo::interpret::table::{
    Condition, ConditionRows, ConditionTable, Gathering, Open, Residual, Scope, earlier,
};
use crate::fo::interpret::tree::{Candidates, Tree};
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::aggregate::{counted, of_nothing, put_together};
use crate::shared::universe::{Universe, ValueId};

/// What joining needs to know: the values, the domains, and how order treats unnamed values.
#[derive(Debug)]
pub(crate) struct Algebra {
    /// All values.
    pub universe: Universe,
    /// The values shown at the positions of each sort, in order.
    pub domains: Vec<Vec<ValueId>>,
    /// What an order comparison says of unnamed values.
    pub unseen_order: UnseenOrder,
    /// Whether the trace is over, so that no value can come any more.
    pub ended: bool,
}

impl Algebra {
    /// Joins a tree into one table.
    pub(crate) fn join(&mut self, tree: Tree) -> ConditionTable {
        match tree.simplify() {
            Tree::Leaf(table, false) => table,
            Tree::Leaf(table, true) => table.negate(),
            tree => match tree.outermost() {
                Some(var) => self.split(&tree, var),
                None => self.settle(tree),
            },
        }
    }

    fn split(&mut self, tree: &Tree, var: FormulaVar) -> ConditionTable {
        let values = Candidates::of(tree, var).values();
        let rest = self.join(tree.rest(var));
        let rows: Vec<(ValueId, ConditionTable)> = values
            .into_iter()
            .map(|value| {
                let at = self.tree_at(tree, var, value);
                (value, self.join(at))
            })
            .collect();
        self.level(var, rows, rest)
    }

    fn tree_at(&mut self, tree: &Tree, var: FormulaVar, value: ValueId) -> Tree {
        match tree {
            Tree::Leaf(table, negated) => Tree::Leaf(self.at(table, var, value), *negated),
            Tree::Join(all, members) => {
                Tree::Join(*all, members.iter().map(|member| self.tree_at(member, var, value)).collect())
            }
            Tree::Quantified(quantifier, bound, scope, apart, body) => {
                let body = self.tree_at(body, var, value);
                let (apart, body) = self.keep_apart(*quantifier, *bound, apart, body, var, OperandSlot::Value(value));
                Tree::Quantified(*quantifier, *bound, *scope, apart, Box::new(body))
            }
        }
    }

    /// A level whose rest, being joined without knowing the level, may have found further values that matter.
    pub(crate) fn level(
        &mut self,
        var: FormulaVar,
        rows: Vec<(ValueId, ConditionTable)>,
        rest: ConditionTable,
    ) -> ConditionTable {
        let mut rows: ConditionRows = rows.into_iter().collect();
        let mut plain = rest;
        if plain.nodes().has(var) {
            for value in listed_values(&plain, var) {
                if !rows.contains_key(&value) {
                    let row = self.at(&plain, var, value);
                    rows.insert_mut(value, row);
                }
            }
            plain = self.strip(&plain, var);
        }
        let depends = plain.mentions().has(var);
        let same: Vec<ValueId> = rows
            .iter()
            .filter(|(value, row)| if depends { self.at(&plain, var, **value) == **row } else { plain == **row })
            .map(|(value, _)| *value)
            .collect();
        for value in same {
            rows.remove_mut(&value);
        }
        ConditionTable::level(var, rows, plain)
    }

    /// The table with the levels of `var` replaced by what they say of all other values.
    pub(crate) fn strip(&mut self, table: &ConditionTable, var: FormulaVar) -> ConditionTable {
        match table {
            ConditionTable::Node(node) if node.var == var => node.rest.clone(),
            ConditionTable::Node(node) if table.nodes().has(var) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, self.strip(child, var))).collect();
                let rest = self.strip(&node.rest, var);
                self.level(node.var, rows, rest)
            }
            _ => table.clone(),
        }
    }

    /// The table where `var` has a value.
    pub(crate) fn at(&mut self, table: &ConditionTable, var: FormulaVar, value: ValueId) -> ConditionTable {
        self.replace(table, var, OperandSlot::Value(value))
    }

    /// The table with `var` replaced by a value, or by a variable that stands for values that no level of `var` lists.
    fn replace(&mut self, table: &ConditionTable, var: FormulaVar, slot: OperandSlot) -> ConditionTable {
        if !table.depends_on(var) {
            return table.clone();
        }
        match table {
            ConditionTable::Leaf(condition) => {
                let tree = self.replace_in(condition, var, slot);
                self.join(tree)
            }
            ConditionTable::Node(node) if node.var == var => {
                let listed = match slot {
                    OperandSlot::Value(value) => node.rows.get(&value),
                    OperandSlot::Var(_) => None,
                };
                match listed {
                    Some(row) => row.clone(),
                    None => self.replace(&node.rest, var, slot),
                }
            }
            ConditionTable::Node(node) => {
                let rows: Vec<(ValueId, ConditionTable)> =
                    node.rows.iter().map(|(value, child)| (*value, self.replace(child, var, slot))).collect();
                let rest = self.replace(&node.rest, var, slot);
                self.level(node.var, rows, rest)
            }
        }
    }

    /// The table with one variable called by another name.
    pub(crate) fn rename(&mut self, table: &ConditionTable, var: FormulaVar, to: FormulaVar) -> ConditionTable {
        if !table.depends_on(var) {
            return table.clone();
        }
        let values = listed_values(table, var);
        let rest = self.strip(table, var);
        let rest = self.replace(&rest, var, OperandSlot::Var(to));
        let mut ways = Vec::with_capacity(values.len() + 1);
        let mut others = vec![Tree::table(rest)];
        for value in values {
            let row = self.at(table, var, value);
            ways.push(Tree::all(vec![Tree::table(ConditionTable::equals(to, value, true)), Tree::table(row)]));
            others.push(Tree::table(ConditionTable::equals(to, value, false)));
        }
        ways.push(Tree::all(others));
        self.join(Tree::any(ways))
    }

    fn replace_in(&mut self, condition: &Condition, var: FormulaVar, slot: OperandSlot) -> Tree {
        let node = match condition {
            Condition::Open(node) if node.mentions.has(var) => node,
            _ => return Tree::table(ConditionTable::Leaf(condition.clone())),
        };
        match &node.open {
            Open::All(members) => Tree::all(members.iter().map(|member| self.replace_in(member, var, slot)).collect()),
            Open::Any(members) => Tree::any(members.iter().map(|member| self.replace_in(member, var, slot)).collect()),
            Open::Later(later) => {
                let replaced = |own: &OperandSlot| if *own == OperandSlot::Var(var) { slot } else { *own };
                let slots = later.slots.iter().map(replaced).collect();
                Tree::table(ConditionTable::Leaf(Condition::open(Open::Later(Later { slots, ..later.clone() }))))
            }
            Open::Test(test) => Tree::table(self.test(Test {
                left: test.left.replace(var, slot),
                right: test.right.replace(var, slot),
                ..test.clone()
            })),
            Open::Residual(residual) => {
                let body = Tree::table(self.replace(&residual.body, var, slot));
                let (apart, body) =
                    self.keep_apart(residual.quantifier, residual.var, &residual.apart, body, var, slot);
                Tree::Quantified(residual.quantifier, residual.var, residual.scope, apart, Box::new(body))
            }
            Open::Gathering(gathering) => {
                let body = self.replace(&gathering.body, var, slot);
                Tree::table(self.gather(gathering.with(var, slot, body)))
            }
            Open::Stuck(_) => Tree::table(ConditionTable::Leaf(condition.clone())),
        }
    }

    /// When a variable from which a quantified one differs gets a value, that value is passed over.
    fn keep_apart(
        &mut self,
        quantifier: Quantifier,
        bound: FormulaVar,
        apart: &[FormulaVar],
        body: Tree,
        var: FormulaVar,
        slot: OperandSlot,
    ) -> (Vec<FormulaVar>, Tree) {
        if !apart.contains(&var) {
            return (apart.to_vec(), body);
        }
        let mut apart: Vec<FormulaVar> = apart.iter().copied().filter(|other| *other != var).collect();
        match slot {
            OperandSlot::Var(other) => {
                if !apart.contains(&other) {
                    apart.push(other);
                }
                (apart, body)
            }
            OperandSlot::Value(value) => {
                let exists = quantifier == Quantifier::Exists;
                let pass_over = Tree::table(ConditionTable::equals(bound, value, !exists));
                (apart, Tree::Join(exists, vec![pass_over, body]))
            }
        }
    }

    /// Joins a tree whose leaves have no levels outside quantifiers.
    fn settle(&mut self, tree: Tree) -> ConditionTable {
        match tree {
            Tree::Leaf(table, negated) => self.join(Tree::Leaf(table, negated)),
            Tree::Quantified(quantifier, var, scope, apart, body) => {
                self.quantify(quantifier, var, scope, apart, *body)
            }
            Tree::Join(all, members) => {
                let mut settled: Vec<ConditionTable> = Vec::with_capacity(members.len());
                // Quantifiers last: they cost most, and what stands beside them may decide.
                let (quantified, plain): (Vec<Tree>, Vec<Tree>) =
                    members.into_iter().partition(|member| matches!(member, Tree::Quantified(..)));
                for member in plain.into_iter().chain(quantified) {
                    let table = self.join(member);
                    if table.as_constant() == Some(!all) {
                        return table;
                    }
                    settled.push(table);
                }
                self.join_settled(all, settled)
            }
        }
    }

    fn join_settled(&mut self, all: bool, tables: Vec<ConditionTable>) -> ConditionTable {
        if tables.iter().any(|table| table.top().is_some()) {
            return self.join(Tree::Join(all, tables.into_iter().map(Tree::table).collect()));
        }
        ConditionTable::Leaf(join(
            all,
            tables.into_iter().filter_map(|table| match table {
                ConditionTable::Leaf(condition) => Some(condition),
                ConditionTable::Node(_) => None,
            }),
        ))
    }

    fn quantify(
        &mut self,
        quantifier: Quantifier,
        var: FormulaVar,
        scope: Scope,
        apart: Vec<FormulaVar>,
        body: Tree,
    ) -> ConditionTable {
        let body = self.join(body);
        if let Some(outer) = body.nodes().first_before(var) {
            return self.quantify_below(outer, &body, &|body| {
                Tree::Quantified(quantifier, var, scope, apart.clone(), Box::new(Tree::table(body)))
            });
        }
        let parts = match scope {
            Scope::Infinite { after } => self.infinite_parts(quantifier, var, after, apart, &body),
            Scope::Trace { sort, after } => {
                let mut parts = self.domain_parts(var, sort, after, &body);
                if !self.ended {
                    let after = u32::try_from(self.domains[sort as usize].len()).unwrap_or(u32::MAX);
                    let scope = Scope::Trace { sort, after };
                    parts.push(residual(quantifier, var, scope, apart, body));
                }
                parts
            }
            Scope::SoFar { sort } => self.domain_parts(var, sort, 0, &body),
        };
        self.join(Tree::Join(quantifier == Quantifier::Forall, parts.into_iter().map(Tree::table).collect()))
    }

    /// Quantifies where the body has a level of an outer variable: progress may have put it anywhere in the table.
    fn quantify_below(
        &mut self,
        outer: FormulaVar,
        body: &ConditionTable,
        quantified: &dyn Fn(ConditionTable) -> Tree,
    ) -> ConditionTable {
        let rest = self.strip(body, outer);
        let rest = self.join(quantified(rest));
        let values = listed_values(body, outer);
        let mut rows = Vec::with_capacity(values.len());
        for value in values {
            let at = self.at(body, outer, value);
            let tree = self.tree_at(&quantified(at), outer, value);
            rows.push((value, self.join(tree)));
        }
        self.level(outer, rows, rest)
    }

    /// What the body says of each value of a sort from `after` on.
    fn domain_parts(&mut self, var: FormulaVar, sort: u32, after: u32, body: &ConditionTable) -> Vec<ConditionTable> {
        let values: Vec<ValueId> = self.domains[sort as usize].iter().skip(after as usize).copied().collect();
        let mut parts = Vec::new();
        let mut rest_done = false;
        for value in values {
            let listed = body.level_of(var).is_some_and(|node| node.rows.contains_key(&value));
            // All values that are not listed say the same: one of them is enough.
            if !listed && !body.mentions().has(var) && std::mem::replace(&mut rest_done, true) {
                continue;
            }
            parts.push(self.at(body, var, value));
        }
        parts
    }

    /// What the body says of all values there are, but for the first `after` named ones.
    fn infinite_parts(
        &mut self,
        quantifier: Quantifier,
        var: FormulaVar,
        after: u32,
        apart: Vec<FormulaVar>,
        body: &ConditionTable,
    ) -> Vec<ConditionTable> {
        let (rows, rest) = match body.level_of(var) {
            Some(node) => (node.rows.clone(), node.rest.clone()),
            None => (ConditionRows::new_sync(), body.clone()),
        };
        let counts = |universe: &Universe, value: ValueId| universe.rank(value).is_none_or(|rank| rank >= after);
        let mut parts: Vec<ConditionTable> =
            rows.iter().filter(|(value, _)| counts(&self.universe, **value)).map(|(_, row)| row.clone()).collect();
        if !rest.mentions().has(var) {
            parts.push(rest);
            return parts;
        }
        let (mut rest, mut after, mut apart) = (rest, after, apart);
        if rest.tests().has(var) {
            let named: Vec<ValueId> = self.universe.named().iter().skip(after as usize).copied().collect();
            for value in named.into_iter().filter(|value| !rows.contains_key(value)) {
                parts.push(self.at(&rest, var, value));
            }
            after = u32::try_from(self.universe.named().len()).unwrap_or(u32::MAX);
            for twin in compared_variables(&rest, var) {
                if !apart.contains(&twin) {
                    parts.push(self.rename(body, var, twin));
                    apart.push(twin);
                }
            }
            // A value that nobody has named may be computed from another variable: until that one is known, the end of the
            // trace does not make this one unknowable.
            if !self.ended || rest.tests().without(var).is_empty() {
                rest = self.unnamed(&rest, var);
            }
        }
        if rest.mentions().has(var) {
            let neutral = quantifier == Quantifier::Forall;
            let passed = rows.keys().map(|value| (*value, ConditionTable::constant(neutral))).collect();
            let body = self.level(var, passed, rest);
            parts.push(residual(quantifier, var, Scope::Infinite { after }, apart, body));
        } else {
            parts.push(rest);
        }
        parts
    }

    /// The table where `var` stands for a value that nobody has named and that differs from all others at hand.
    pub(crate) fn unnamed(&mut self, table: &ConditionTable, var: FormulaVar) -> ConditionTable {
        if !table.tests().has(var) {
            return table.clone();
        }
        match table {
            ConditionTable::Leaf(condition) => {
                let tree = self.unnamed_in(condition, var);
                self.join(tree)
            }
            ConditionTable::Node(node) => {
                let rows = node.rows.iter().map(|(value, child)| (*value, self.unnamed(child, var))).collect();
                let rest = self.unnamed(&node.rest, var);
                self.level(node.var, rows, rest)
            }
        }
    }

    fn unnamed_in(&mut self, condition: &Condition, var: FormulaVar) -> Tree {
        let node = match condition {
            Condition::Open(node) if node.tests.has(var) => node,
            _ => return Tree::table(ConditionTable::Leaf(condition.clone())),
        };
        match &node.open {
            Open::All(members) => Tree::all(members.iter().map(|member| self.unnamed_in(member, var)).collect()),
            Open::Any(members) => Tree::any(members.iter().map(|member| self.unnamed_in(member, var)).collect()),
            Open::Test(test) => Tree::table(ConditionTable::Leaf(self.unnamed_test(test, var))),
            Open::Residual(residual) => {
                let body = Tree::table(self.unnamed(&residual.body, var));
                let Residual { quantifier, var, scope, apart, .. } = residual;
                Tree::Quantified(*quantifier, *var, *scope, apart.clone(), Box::new(body))
            }
            Open::Gathering(gathering) => {
                let body = self.unnamed(&gathering.body, var);
                Tree::table(self.gather(Gathering { body, ..gathering.clone() }))
            }
            Open::Later(_) | Open::Stuck(_) => Tree::table(ConditionTable::Leaf(condition.clone())),
        }
    }

    /// A test on a value that nobody has named: equality with anything else fails, order is false or undecided.
    fn unnamed_test(&self, test: &Test, var: FormulaVar) -> Condition {
        let bare = |operand: &Operand| operand.as_variable().is_some();
        let alone = [&test.left, &test.right].into_iter().any(|side| side.as_variable() == Some(var));
        let simple = bare(&test.left) || bare(&test.right);
        let other_is_arithmetic = !matches!((&test.left, &test.right), (Operand::Slot(_), Operand::Slot(_)));
        let outcome = match test.comparison {
            Comparison::Equal if alone && simple && !other_is_arithmetic => Some(false),
            Comparison::NotEqual if alone && simple && !other_is_arithmetic => Some(true),
            Comparison::Equal | Comparison::NotEqual => None,
            _ if self.unseen_order == UnseenOrder::False => Some(false),
            _ => None,
        };
        match outcome {
            Some(truth) => Condition::Constant(truth != test.negated),
            None if self.ended && test.variables().without(var).is_empty() => Condition::open(Open::Stuck(Obstacle {
                point: test.point,
                span: test.span,
                problem: Problem::UnnamedValue,
            })),
            None => Condition::open(Open::Test(test.clone())),
        }
    }

    /// What evaluates comparisons.
    fn comparing(&self) -> Comparing<'_> {
        Comparing { universe: &self.universe, unseen_order: self.unseen_order }
    }

    /// The table of a comparison, as far as its operands are known.
    pub(crate) fn test(&mut self, test: Test) -> ConditionTable {
        if self.comparing().lacks_value(&test.left) || self.comparing().lacks_value(&test.right) {
            return ConditionTable::constant(test.negated);
        }
        if test.variables().is_empty() {
            return ConditionTable::Leaf(self.comparing().decide(&test));
        }
        if let (Some(left), Some(right)) = (test.left.as_variable(), test.right.as_variable())
            && left == right
            && matches!(test.comparison, Comparison::Equal | Comparison::NotEqual)
        {
            return ConditionTable::constant((test.comparison == Comparison::Equal) != test.negated);
        }
        self.solve(&test).unwrap_or_else(|| ConditionTable::Leaf(Condition::open(Open::Test(test))))
    }

    /// An equality of a variable with a known value is a table with one row.
    fn solve(&mut self, test: &Test) -> Option<ConditionTable> {
        let equal = match test.comparison {
            Comparison::Equal => !test.negated,
            Comparison::NotEqual => test.negated,
            _ => return None,
        };
        let (var, other) = match (test.left.as_variable(), test.right.as_variable()) {
            (Some(var), None) => (var, &test.right),
            (None, Some(var)) => (var, &test.left),
            _ => return None,
        };
        if !other.variables().is_empty() {
            return None;
        }
        Some(match self.comparing().evaluate(other) {
            Ok(value) => {
                let value = self.universe.intern(&value);
                ConditionTable::equals(var, value, equal)
            }
            Err(problem) => stuck(test, problem),
        })
    }

    /// The table of an aggregation, as far as its body is known.
    pub(crate) fn gather(&mut self, gathering: Gathering) -> ConditionTable {
        if let Some(outer) = outer_level(&gathering.body, &gathering.spec.own) {
            return self.gather_below(outer, &gathering);
        }
        if gathering.body.is_pending() {
            return gathering.open();
        }
        let mut assignments = Vec::new();
        let own = gathering.spec.own.clone();
        let mut path: Vec<Option<ValueId>> = vec![None; own.len()];
        match collect_assignments(&gathering, &gathering.body, &mut path, &mut assignments) {
            Ok(()) => self.settle_gathering(&gathering, &assignments),
            Err(Unlisted::Open) => gathering.open(),
            Err(Unlisted::Stuck(obstacle)) => given_up(obstacle),
        }
    }

    /// Aggregates where the body has a level of an outer variable.
    fn gather_below(&mut self, outer: FormulaVar, gathering: &Gathering) -> ConditionTable {
        let rest = self.strip(&gathering.body, outer);
        let rest = self.gather(Gathering { body: rest, ..gathering.clone() });
        let mut rows = Vec::new();
        for value in listed_values(&gathering.body, outer) {
            let body = self.at(&gathering.body, outer, value);
            rows.push((value, self.gather(gathering.with(outer, OperandSlot::Value(value), body))));
        }
        self.level(outer, rows, rest)
    }

    fn settle_gathering(&mut self, gathering: &Gathering, assignments: &[Vec<ValueId>]) -> ConditionTable {
        let Gathering { spec, negated, .. } = gathering;
        let result = match assignments.len() {
            0 => of_nothing(spec.function, spec.grouped),
            count if spec.function.ignores_values() => Some(counted(count)),
            _ => match over_values(&self.universe, gathering, assignments) {
                Some(values) => put_together(spec.function, &values),
                // It is a group whose value nobody has named.
                None => return given_up(gathering.obstacle(Problem::UnnamedValue)),
            },
        };
        let Some(result) = result else { return ConditionTable::constant(*negated) };
        let id = self.universe.intern(&result);
        match gathering.result {
            OperandSlot::Var(var) => ConditionTable::equals(var, id, !negated),
            OperandSlot::Value(value) => ConditionTable::constant((value == id) != *negated),
        }
    }
}

fn stuck(test: &Test, problem: Problem) -> ConditionTable {
    ConditionTable::Leaf(Condition::open(Open::Stuck(Obstacle { point: test.point, span: test.span, problem })))
}

/// Why a table has no list of assignments.
enum Unlisted {
    /// It depends on something that is not known yet.
    Open,
    /// It never will have one.
    Stuck(Obstacle),
}

/// A variable that has a level in a table and is not among `own`.
fn outer_level(table: &ConditionTable, own: &[FormulaVar]) -> Option<FormulaVar> {
    let ConditionTable::Node(node) = table else { return None };
    if own.iter().fold(table.nodes(), |set, var| set.without(*var)).is_empty() {
        return None;
    }
    if !own.contains(&node.var) {
        return Some(node.var);
    }
    outer_level(&node.rest, own).or_else(|| node.rows.values().find_map(|row| outer_level(row, own)))
}

/// The assignments of the own variables that satisfy a table without other levels.
fn collect_assignments(
    gathering: &Gathering,
    table: &ConditionTable,
    path: &mut Vec<Option<ValueId>>,
    assignments: &mut Vec<Vec<ValueId>>,
) -> Result<(), Unlisted> {
    match table {
        ConditionTable::Leaf(Condition::Constant(false)) => Ok(()),
        ConditionTable::Leaf(Condition::Constant(true)) => {
            let assignment: Option<Vec<ValueId>> = path.iter().copied().collect();
            assignments.push(assignment.ok_or_else(|| Unlisted::Stuck(gathering.obstacle(Problem::Endless)))?);
            Ok(())
        }
        ConditionTable::Leaf(condition) => Err(unresolved(gathering, condition)),
        ConditionTable::Node(node) => {
            let at = gathering.spec.own.iter().position(|own| *own == node.var);
            let mut obstacle = None;
            let rows = node.rows.iter().map(|(value, row)| (Some(*value), row));
            for (value, child) in rows.chain([(None, &node.rest)]) {
                if let Some(at) = at {
                    path[at] = value;
                }
                let found = collect_assignments(gathering, child, path, assignments);
                if let Some(at) = at {
                    path[at] = None;
                }
                match found {
                    Err(Unlisted::Open) => return Err(Unlisted::Open),
                    Err(Unlisted::Stuck(found)) => obstacle = earlier(obstacle, Some(found)),
                    Ok(()) => {}
                }
            }
            obstacle.map_or(Ok(()), |obstacle| Err(Unlisted::Stuck(obstacle)))
        }
    }
}

/// Why a condition is no truth value: an outer variable may settle it, or nothing will.
fn unresolved(gathering: &Gathering, condition: &Condition) -> Unlisted {
    let outer = gathering.spec.own.iter().fold(condition.mentions(), |set, var| set.without(*var));
    if !outer.is_empty() {
        return Unlisted::Open;
    }
    Unlisted::Stuck(condition.obstacle().unwrap_or_else(|| gathering.obstacle(Problem::UnnamedValue)))
}

/// The values that are put together, one per assignment; nothing if they are of a variable without a value.
fn over_values(universe: &Universe, gathering: &Gathering, assignments: &[Vec<ValueId>]) -> Option<Vec<Value>> {
    match gathering.over {
        OperandSlot::Value(value) => Some(vec![universe.value(value).clone(); assignments.len()]),
        OperandSlot::Var(var) => {
            let at = gathering.spec.own.iter().position(|own| *own == var)?;
            Some(assignments.iter().map(|assignment| universe.value(assignment[at]).clone()).collect())
        }
    }
}

fn given_up(obstacle: Obstacle) -> ConditionTable {
    ConditionTable::Leaf(Condition::open(Open::Stuck(obstacle)))
}

fn residual(
    quantifier: Quantifier,
    var: FormulaVar,
    scope: Scope,
    apart: Vec<FormulaVar>,
    body: ConditionTable,
) -> ConditionTable {
    ConditionTable::Leaf(Condition::open(Open::Residual(Residual { quantifier, var, scope, apart, body })))
}

/// The values that levels of `var` list anywhere in a table.
pub(crate) fn listed_values(table: &ConditionTable, var: FormulaVar) -> Vec<ValueId> {
    let mut values = Vec::new();
    collect_listed(table, var, &mut values);
    values.sort_unstable();
    values.dedup();
    values
}

fn collect_listed(table: &ConditionTable, var: FormulaVar, values: &mut Vec<ValueId>) {
    if let ConditionTable::Node(node) = table
        && table.nodes().has(var)
    {
        if node.var == var {
            values.extend(node.rows.keys());
        }
        node.rows.values().for_each(|child| collect_listed(child, var, values));
        collect_listed(&node.rest, var, values);
    }
}

/// The variables that tests of a table compare with `var` directly.
fn compared_variables(table: &ConditionTable, var: FormulaVar) -> Vec<FormulaVar> {
    let mut found = Vec::new();
    table.for_each_condition(&mut |condition| collect_compared(condition, var, &mut found));
    found
}

fn collect_compared(condition: &Condition, var: FormulaVar, found: &mut Vec<FormulaVar>) {
    let Condition::Open(node) = condition else { return };
    match &node.open {
        Open::All(members) | Open::Any(members) => {
            members.iter().for_each(|member| collect_compared(member, var, found));
        }
        Open::Test(test) => match (test.left.as_variable(), test.right.as_variable()) {
            (Some(left), Some(right)) if left == right => {}
            (Some(left), Some(right)) if left == var && !found.contains(&right) => found.push(right),
            (Some(left), Some(right)) if right == var && !found.contains(&left) => found.push(left),
            _ => {}
        },
        Open::Residual(residual) => {
            residual.body.for_each_condition(&mut |condition| {
                collect_compared(condition, var, found);
                found.retain(|twin| *twin != residual.var);
            });
        }
        Open::Gathering(gathering) => {
            gathering.body.for_each_condition(&mut |condition| collect_compared(condition, var, found));
            found.retain(|twin| !gathering.spec.own.contains(twin));
        }
        Open::Later(_) | Open::Stuck(_) => {}
    }
}
