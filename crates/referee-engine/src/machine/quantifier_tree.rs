//! Keeps the truth of all quantifiers in a tree that follows the instances, so that the verdict is known between two events.
//!
//! ```text
//!  forall x exists y              root: 1 value of x is false ─▶ Violated, if the trace ended here
//!                               ┌───────────┼───────────┐
//!  instances (A,B) (A,C) (-,D)  A           │           other
//!                            ┌──┼──┬─────┐  …         ┌─┴────┐
//!                            B  C  D   other          D    other
//! ```
//!
//! A node stands for a binding of the first variables, perhaps with *other* for some: any value that no instance binds below the node.
//! Each value that an instance binds has a child, and so has *other*, which is also the pattern from which the child of a value is made
//! when an instance first binds it. A node counts the children that decide its quantifier (false ones of forall, true ones of exists);
//! *other* counts if some seen value is neither bound by an instance nor dropped by a condition. So an instance that changes costs the
//! nodes on its path, times the children at levels that it leaves open; a new value costs the nodes that have no other value, or have a
//! child for each value because an inner condition tells values apart.
//!
//! Children are never taken away: when there are twice as many as at first, all are made anew.

use referee_spec::core::Quantifier;
use referee_spec::core::machine::Quantified;
use referee_trace::values::{Atom, Values};

use super::automaton::{Automaton, condition_holds};
use super::event_routing::Instances;
use crate::machine::binding::Partial;
use crate::shared::maps::{Map, Set};

/// The most nodes that are kept.
const MOST_NODES: usize = 4_000_000;

/// So many nodes more than at first are no reason to make all anew.
const FEW_NODES: usize = 1_024;

/// The truth of something if the trace ended now, and whether that is so whatever comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeTruth {
    pub holds: bool,
    pub settled: bool,
}

/// What is known below a binding of the first variables.
#[derive(Debug)]
enum BelowBinding {
    /// All variables are bound.
    Leaf(TreeTruth),
    Node(Box<TreeNode>),
}

#[derive(Debug)]
struct TreeNode {
    /// The distinct values, each with whether the conditions keep it.
    apart: Map<Atom, (bool, BelowBinding)>,
    other: BelowBinding,
    /// How many kept children decide the quantifier now, and how many for good.
    deciding: usize,
    settling: usize,
    /// The values whose children wait for new values, or have nodes below that do.
    waiting: Set<Atom>,
    /// How many of the seen values have been passed: they are distinct, or conditions drop them.
    passed: usize,
    /// Whether a seen value is one of the others.
    has_other: bool,
    /// Whether a new value would change this node itself.
    waits: bool,
}

impl BelowBinding {
    /// Whether a new value may change something here.
    fn waits(&self) -> bool {
        match self {
            BelowBinding::Leaf(_) => false,
            BelowBinding::Node(node) => node.waits || !node.waiting.is_empty() || node.other.waits(),
        }
    }
}

impl TreeNode {
    /// Counts what a kept child is.
    fn add(&mut self, truth: TreeTruth) {
        self.deciding += 1;
        self.settling += usize::from(truth.settled);
    }

    /// Counts no longer what a kept child was.
    fn subtract(&mut self, truth: TreeTruth) {
        self.deciding -= 1;
        self.settling -= usize::from(truth.settled);
    }

    fn note_waiting(&mut self, value: Atom, waits: bool) {
        if waits {
            self.waiting.insert(value);
        } else {
            self.waiting.remove(&value);
        }
    }
}

/// What the tree is made from.
pub(super) struct TreeWorld<'w> {
    pub body: &'w Quantified,
    /// By variable, the values seen.
    pub seen: Vec<&'w [Atom]>,
    /// By variable, whether no condition on an inner one mentions it.
    pub alike: &'w [bool],
    pub instances: &'w Instances,
    pub automaton: &'w Automaton,
    pub values: &'w mut Values,
}

/// The truth of an automaton's quantifiers over all bindings.
#[derive(Debug)]
pub(super) struct QuantifierTree {
    root: BelowBinding,
    /// How many values had been seen, by variable.
    seen: Vec<usize>,
    nodes: usize,
    at_first: usize,
}

impl QuantifierTree {
    /// Folds over all instances; nothing if that takes too many nodes.
    pub(super) fn new(world: &mut TreeWorld) -> Option<QuantifierTree> {
        let mut nodes = 0;
        let mut root = Folding { world, nodes: &mut nodes }.fresh(0, &Partial::EMPTY, None);
        let seen = world.seen.iter().map(|seen| seen.len()).collect();
        for instance in world.instances.all() {
            Folding { world, nodes: &mut nodes }.touch(0, &Partial::EMPTY, &mut root, &instance);
            if nodes > MOST_NODES {
                return None;
            }
        }
        (nodes <= MOST_NODES).then_some(QuantifierTree { root, seen, nodes, at_first: nodes })
    }

    /// Takes in the values and instances that have come since, and the instances that have changed; whether it can go on.
    pub(super) fn update(&mut self, world: &mut TreeWorld, changed: &[Partial]) -> bool {
        let seen: Vec<usize> = world.seen.iter().map(|seen| seen.len()).collect();
        let mut folding = Folding { world, nodes: &mut self.nodes };
        if seen != self.seen {
            folding.arrive(0, &Partial::EMPTY, &mut self.root);
            self.seen = seen;
        }
        for instance in changed {
            folding.touch(0, &Partial::EMPTY, &mut self.root, instance);
        }
        self.nodes <= MOST_NODES.min(2 * self.at_first + FEW_NODES)
    }

    /// The truth of everything.
    pub(super) fn truth(&self, body: &Quantified) -> TreeTruth {
        truth(body, 0, &self.root)
    }
}

/// Whether true children decide the quantifier of a level; else false ones do.
fn deciding(body: &Quantified, level: usize) -> bool {
    body.variables[level].quantifier == Quantifier::Exists
}

fn truth(body: &Quantified, level: usize, below: &BelowBinding) -> TreeTruth {
    let node = match below {
        BelowBinding::Leaf(truth) => return *truth,
        BelowBinding::Node(node) => node,
    };
    let decides = deciding(body, level);
    let other = node.has_other.then(|| truth(body, level + 1, &node.other)).filter(|other| other.holds == decides);
    let decided = node.deciding > 0 || other.is_some();
    let settled = node.settling > 0 || other.is_some_and(|other| other.settled);
    TreeTruth { holds: decided == decides, settled }
}

/// The truth of a child, if it decides the quantifier of its level.
fn decision(body: &Quantified, level: usize, kept: bool, child: &BelowBinding) -> Option<TreeTruth> {
    let truth = truth(body, level + 1, child);
    (kept && truth.holds == deciding(body, level)).then_some(truth)
}

/// A walk over the nodes.
struct Folding<'f, 'w> {
    world: &'f mut TreeWorld<'w>,
    nodes: &'f mut usize,
}

impl Folding<'_, '_> {
    fn leaf(&self, pattern: &Partial) -> TreeTruth {
        let fact = self.world.automaton.fact(self.world.instances.largest(pattern).1);
        TreeTruth { holds: fact.accepted, settled: if fact.accepted { fact.surely } else { fact.never } }
    }

    fn keeps(&mut self, level: usize, pattern: &Partial) -> bool {
        let mut own = self.world.body.conditions.iter().filter(|condition| condition.level == level);
        own.all(|condition| condition_holds(&condition.guard, &pattern.values[..=level], self.world.values))
    }

    /// Makes what is below a pattern, with children for the values that have some in `like`.
    fn fresh(&mut self, level: usize, pattern: &Partial, like: Option<&TreeNode>) -> BelowBinding {
        *self.nodes += 1;
        if level == self.world.body.variables.len() || *self.nodes > MOST_NODES {
            return BelowBinding::Leaf(self.leaf(pattern));
        }
        let other = self.fresh(level + 1, pattern, like.and_then(|like| node_of(&like.other)));
        let mut node = TreeNode {
            apart: Map::default(),
            other,
            deciding: 0,
            settling: 0,
            waiting: Set::default(),
            passed: 0,
            has_other: false,
            waits: false,
        };
        for (value, (_, below)) in like.into_iter().flat_map(|like| &like.apart) {
            let with = pattern.with(level, *value);
            let child = self.fresh(level + 1, &with, node_of(below));
            self.attach(level, &with, &mut node, child);
        }
        self.look(level, pattern, &mut node);
        BelowBinding::Node(Box::new(node))
    }

    /// Gives a node the child of the value that a pattern binds.
    fn attach(&mut self, level: usize, with: &Partial, node: &mut TreeNode, child: BelowBinding) {
        let kept = self.keeps(level, with);
        let (body, value) = (self.world.body, with.values[level]);
        decision(body, level, kept, &child).into_iter().for_each(|truth| node.add(truth));
        node.note_waiting(value, child.waits());
        node.apart.insert(value, (kept, child));
    }

    /// Sees to it that a value has a child.
    fn part(&mut self, level: usize, with: &Partial, node: &mut TreeNode) {
        if !node.apart.contains_key(&with.values[level]) {
            let child = self.fresh(level + 1, with, node_of(&node.other));
            self.attach(level, with, node, child);
        }
    }

    /// Looks at the seen values that a node has not passed.
    fn look(&mut self, level: usize, pattern: &Partial, node: &mut TreeNode) {
        let alike = self.world.alike[level];
        while let Some(&value) = self.world.seen[level].get(node.passed) {
            let with = pattern.with(level, value);
            if !alike {
                self.part(level, &with, node);
            } else if !node.apart.contains_key(&value) && self.keeps(level, &with) {
                break;
            }
            node.passed += 1;
        }
        node.has_other = node.passed < self.world.seen[level].len();
        node.waits = !node.has_other;
    }

    /// Does something to the child of a value, and counts what that changes.
    fn change(
        &mut self,
        level: usize,
        with: &Partial,
        node: &mut TreeNode,
        act: impl FnOnce(&mut Self, &mut BelowBinding),
    ) {
        let (body, value) = (self.world.body, with.values[level]);
        let Some((kept, child)) = node.apart.get_mut(&value) else { return };
        let before = decision(body, level, *kept, child);
        act(self, child);
        let (after, waits) = (decision(body, level, *kept, child), child.waits());
        before.into_iter().for_each(|truth| node.subtract(truth));
        after.into_iter().for_each(|truth| node.add(truth));
        node.note_waiting(value, waits);
    }

    /// An instance is new or has changed.
    fn touch(&mut self, level: usize, pattern: &Partial, below: &mut BelowBinding, instance: &Partial) {
        let node = match below {
            BelowBinding::Leaf(truth) => return *truth = self.leaf(pattern),
            BelowBinding::Node(node) => node,
        };
        if instance.set >> level & 1 == 1 {
            let with = pattern.with(level, instance.values[level]);
            self.part(level, &with, node);
            self.change(level, &with, node, |walk, child| walk.touch(level + 1, &with, child, instance));
        } else {
            for value in node.apart.keys().copied().collect::<Vec<Atom>>() {
                let with = pattern.with(level, value);
                self.change(level, &with, node, |walk, child| walk.touch(level + 1, &with, child, instance));
            }
            self.touch(level + 1, pattern, &mut node.other, instance);
        }
        self.look(level, pattern, node);
    }

    /// Values have come.
    fn arrive(&mut self, level: usize, pattern: &Partial, below: &mut BelowBinding) {
        let BelowBinding::Node(node) = below else { return };
        for value in node.waiting.iter().copied().collect::<Vec<Atom>>() {
            let with = pattern.with(level, value);
            self.change(level, &with, node, |walk, child| walk.arrive(level + 1, &with, child));
        }
        if node.other.waits() {
            self.arrive(level + 1, pattern, &mut node.other);
        }
        if node.waits {
            self.look(level, pattern, node);
        }
    }
}

fn node_of(below: &BelowBinding) -> Option<&TreeNode> {
    match below {
        BelowBinding::Leaf(_) => None,
        BelowBinding::Node(node) => Some(node),
    }
}
