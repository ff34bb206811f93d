//! A formula at a point as a tree whose leaves are tables, and which values of a variable matter to it.

use referee_spec::core::Quantifier;

use crate::fo::interpret::table::{ConditionTable, Node, Scope};
use crate::fo::interpret::variables::FormulaVar;
use crate::shared::universe::ValueId;

/// A formula at a point, over tables.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    /// A table, or its negation.
    Leaf(ConditionTable, bool),
    /// A conjunction (`true`) or a disjunction (`false`).
    Join(bool, Vec<Tree>),
    /// A quantifier; variables that its own differs from; its body.
    Quantified(Quantifier, FormulaVar, Scope, Vec<FormulaVar>, Box<Tree>),
}

impl Tree {
    /// A leaf.
    pub(crate) fn table(table: ConditionTable) -> Tree {
        Tree::Leaf(table, false)
    }

    /// A truth value.
    pub(crate) fn constant(truth: bool) -> Tree {
        Tree::Leaf(ConditionTable::constant(truth), false)
    }

    /// All of these.
    pub(crate) fn all(members: Vec<Tree>) -> Tree {
        Tree::Join(true, members)
    }

    /// Any of these.
    pub(crate) fn any(members: Vec<Tree>) -> Tree {
        Tree::Join(false, members)
    }

    /// The truth value, if the tree is one.
    pub(crate) fn as_constant(&self) -> Option<bool> {
        match self {
            Tree::Leaf(table, negated) => table.as_constant().map(|truth| truth != *negated),
            _ => None,
        }
    }

    /// Drops neutral members, stops at an absorbing one, and unwraps what is left alone.
    pub(crate) fn simplify(self) -> Tree {
        match self {
            Tree::Leaf(..) => self,
            Tree::Join(all, members) => {
                let mut kept = Vec::with_capacity(members.len());
                for member in members {
                    let member = member.simplify();
                    match (member.as_constant(), member) {
                        (Some(truth), _) if truth == all => {}
                        (Some(truth), _) => return Tree::constant(truth),
                        (None, Tree::Join(inner, members)) if inner == all => kept.extend(members),
                        (None, member) => kept.push(member),
                    }
                }
                match kept.len() {
                    0 => Tree::constant(all),
                    1 => kept.swap_remove(0),
                    _ => Tree::Join(all, kept),
                }
            }
            Tree::Quantified(quantifier, var, scope, apart, body) => {
                let body = body.simplify();
                match (scope, body.as_constant()) {
                    // There is always another value in an infinite domain.
                    (Scope::Infinite { .. }, Some(truth)) => Tree::constant(truth),
                    _ => Tree::Quantified(quantifier, var, scope, apart, Box::new(body)),
                }
            }
        }
    }

    /// The outermost variable that some leaf has a level for and no quantifier of the tree binds.
    pub(crate) fn outermost(&self) -> Option<FormulaVar> {
        match self {
            Tree::Leaf(table, _) => table.top(),
            Tree::Join(_, members) => members.iter().filter_map(Tree::outermost).min(),
            Tree::Quantified(_, var, _, _, body) => body.outermost().filter(|found| found < var),
        }
    }

    /// The tree for all values of `var` that no level lists.
    pub(crate) fn rest(&self, var: FormulaVar) -> Tree {
        match self {
            Tree::Leaf(table, negated) => match table.level_of(var) {
                Some(node) => Tree::Leaf(node.rest.clone(), *negated),
                None => self.clone(),
            },
            Tree::Join(all, members) => Tree::Join(*all, members.iter().map(|member| member.rest(var)).collect()),
            Tree::Quantified(quantifier, bound, scope, apart, body) => {
                Tree::Quantified(*quantifier, *bound, *scope, apart.clone(), Box::new(body.rest(var)))
            }
        }
    }
}

/// The values of one variable for which a tree may differ from what it is for all others.
pub(crate) struct Candidates<'t> {
    /// What the tree is worth for all others, if that is a constant.
    rest: Option<bool>,
    /// The levels that list the candidates.
    levels: Vec<&'t Node>,
    size: usize,
}

impl<'t> Candidates<'t> {
    /// The candidates of a variable.
    pub(crate) fn of(tree: &'t Tree, var: FormulaVar) -> Candidates<'t> {
        match tree {
            Tree::Leaf(table, negated) => match table.level_of(var) {
                Some(node) => Candidates {
                    rest: node.rest.as_constant().map(|truth| truth != *negated),
                    levels: vec![node],
                    size: node.rows.size(),
                },
                None => Candidates { rest: tree.as_constant(), levels: Vec::new(), size: 0 },
            },
            Tree::Join(all, members) => Candidates::of_join(*all, members, var),
            Tree::Quantified(_, _, scope, _, body) => {
                let body = Candidates::of(body, var);
                let keeps = matches!(scope, Scope::Infinite { .. });
                Candidates { rest: body.rest.filter(|_| keeps), ..body }
            }
        }
    }

    /// A member that is absorbing for all other values is a guard: its candidates are enough.
    fn of_join(all: bool, members: &'t [Tree], var: FormulaVar) -> Candidates<'t> {
        let parts: Vec<Candidates<'t>> = members.iter().map(|member| Candidates::of(member, var)).collect();
        let guard = (0..parts.len()).filter(|&at| parts[at].rest == Some(!all)).min_by_key(|&at| parts[at].size);
        if let Some(guard) = guard {
            return parts.into_iter().nth(guard).expect("the guard is one of the parts");
        }
        let rest = parts.iter().all(|part| part.rest == Some(all)).then_some(all);
        let size = parts.iter().map(|part| part.size).sum();
        Candidates { rest, levels: parts.into_iter().flat_map(|part| part.levels).collect(), size }
    }

    /// The candidates, ascending.
    pub(crate) fn values(&self) -> Vec<ValueId> {
        let mut values: Vec<ValueId> = self.levels.iter().flat_map(|node| node.rows.keys().copied()).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}
