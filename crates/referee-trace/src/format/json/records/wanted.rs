//! The paths that a mapping names, as one tree per level of the document.
//!
//! ```text
//!  records = "resourceSpans[].scopeSpans[].spans[]"
//!
//!  level 0   the document             $.source
//!  level 1   a resource span          resourceSpans[].resource.name
//!  level 2   a scope span
//!  level 3   a span: the record       name   startTimeUnixNano   status.code
//! ```
//!
//! Each path has a *slot* for its value; a node knows the slots below it as a set of bits, so that what an object says twice is
//! forgotten with one operation.

use super::super::path::{JsonPath, Step};

/// The most paths that a mapping may name: slots are bits of a word.
pub(super) const MOST_SLOTS: usize = 128;

/// A node of the tree: a place in a record.
#[derive(Debug, Default)]
pub(super) struct PathNode {
    /// The slots of values that are right here.
    pub(super) slots: Vec<usize>,
    /// The slots of values here and below.
    pub(super) below: u128,
    pub(super) keys: Vec<(Box<str>, usize)>,
    pub(super) indices: Vec<(usize, usize)>,
    /// Key and value of a member by which an element is found.
    pub(super) entries: Vec<(Box<str>, Box<str>, usize)>,
}

impl PathNode {
    /// The node of a member.
    #[inline(always)]
    pub(super) fn member(&self, key: &str) -> Option<usize> {
        self.keys.iter().find(|(wanted, _)| **wanted == *key).map(|(_, node)| *node)
    }

    /// Whether something inside an array is wanted.
    #[inline]
    pub(super) fn enters_arrays(&self) -> bool {
        !self.indices.is_empty() || !self.entries.is_empty()
    }
}

/// All paths, and where the records are.
#[derive(Debug)]
pub(super) struct WantedPaths {
    pub(super) nodes: Vec<PathNode>,
    /// The root of each level's tree; the last level is that of the records.
    pub(super) roots: Vec<usize>,
    /// The way from the document to a record.
    pub(super) way: Vec<Step>,
    /// Which slots are filled by outer levels, and by which.
    pub(super) outer: Vec<Option<usize>>,
}

impl WantedPaths {
    /// The tree of these paths; the error names the path and says what is wrong with it.
    pub(super) fn new(records: Option<&str>, paths: &[Box<str>]) -> Result<WantedPaths, String> {
        let way = records.map_or(Ok(Vec::new()), way)?;
        let levels = 1 + way.iter().filter(|step| **step == Step::Each).count();
        let nodes = (0..levels).map(|_| PathNode::default()).collect();
        let mut wanted = WantedPaths { nodes, roots: (0..levels).collect(), way, outer: Vec::new() };
        if paths.len() > MOST_SLOTS {
            return Err(format!("a mapping may name {MOST_SLOTS} fields of a record, this one names {}", paths.len()));
        }
        for path in paths {
            wanted.add(path).map_err(|reason| format!("`{path}` is no path to a field: {reason}"))?;
        }
        Ok(wanted)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let path = JsonPath::parse(text)?;
        let slot = self.outer.len();
        let last_each = path.steps.iter().rposition(|step| *step == Step::Each).map_or(0, |last| last + 1);
        let (through, rest) = path.steps.split_at(last_each);
        if !self.way.starts_with(through) {
            return Err("its `[]` are not those of `records`".to_owned());
        }
        let is_outer = path.from_root || last_each > 0;
        let level = match is_outer {
            true => through.iter().filter(|step| **step == Step::Each).count(),
            false => self.roots.len() - 1,
        };
        let is_record = level + 1 == self.roots.len();
        if !is_record && self.way[last_each..].starts_with(rest) {
            return Err("the records are inside it".to_owned());
        }
        self.outer.push((!is_record).then_some(level));
        self.insert(self.roots[level], rest, slot);
        // A key may itself be written with dots.
        if is_record && !is_outer && text.contains('.') && rest.iter().all(|step| matches!(step, Step::Key(_))) {
            self.insert(self.roots[level], &[Step::Key(text.into())], slot);
        }
        Ok(())
    }

    fn insert(&mut self, root: usize, steps: &[Step], slot: usize) {
        let bit = 1u128 << slot;
        let mut ends = vec![root];
        self.nodes[root].below |= bit;
        for step in steps {
            ends = ends.into_iter().flat_map(|node| self.children(node, step)).collect();
            ends.iter().for_each(|&node| self.nodes[node].below |= bit);
        }
        ends.into_iter().for_each(|node| self.nodes[node].slots.push(slot));
    }

    /// The nodes that a step leads to: two where it may be a key or a number.
    fn children(&mut self, node: usize, step: &Step) -> Vec<usize> {
        match step {
            Step::Key(key) => vec![self.key_child(node, key)],
            Step::Index(index) => vec![self.index_child(node, *index)],
            Step::Token(key, None) => vec![self.key_child(node, key)],
            Step::Token(key, Some(index)) => vec![self.key_child(node, key), self.index_child(node, *index)],
            Step::Entry(key, value) => vec![self.entry_child(node, key, value)],
            // No path has one behind the last of the way.
            Step::Each => Vec::new(),
        }
    }

    fn key_child(&mut self, node: usize, key: &str) -> usize {
        if let Some(child) = self.nodes[node].member(key) {
            return child;
        }
        let child = self.fresh();
        self.nodes[node].keys.push((key.into(), child));
        child
    }

    fn index_child(&mut self, node: usize, index: usize) -> usize {
        if let Some((_, child)) = self.nodes[node].indices.iter().find(|(known, _)| *known == index) {
            return *child;
        }
        let child = self.fresh();
        self.nodes[node].indices.push((index, child));
        child
    }

    fn entry_child(&mut self, node: usize, key: &str, value: &str) -> usize {
        let known =
            |(known_key, known_value, _): &&(Box<str>, Box<str>, usize)| **known_key == *key && **known_value == *value;
        if let Some((_, _, child)) = self.nodes[node].entries.iter().find(known) {
            return *child;
        }
        let child = self.fresh();
        self.nodes[node].entries.push((key.into(), value.into(), child));
        child
    }

    fn fresh(&mut self) -> usize {
        self.nodes.push(PathNode::default());
        self.nodes.len() - 1
    }
}

/// The way to the records.
fn way(records: &str) -> Result<Vec<Step>, String> {
    let path = JsonPath::parse(records).map_err(|reason| format!("`{records}` is no path to records: {reason}"))?;
    let fits = path.steps.iter().all(|step| matches!(step, Step::Key(_) | Step::Each));
    match fits && path.steps.last() == Some(&Step::Each) {
        true => Ok(path.steps),
        false => Err(format!(
            "`{records}` is no path to records: write keys and `[]`, with `[]` at its end, as in Records[]"
        )),
    }
}
