//! The columns of a header: an order of all fields in which every event's own order survives.
//!
//! Fields are nodes, and each event's list of fields is a path. Columns are a topological order of that graph; where it
//! leaves a choice, the field that was seen first comes first. Cost: the length of all different lists, sorted.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use crate::error::TraceError;

/// The different lists of fields that events have.
#[derive(Debug, Default)]
pub(crate) struct FieldLists {
    lists: Vec<Box<[Box<str>]>>,
    numbers: HashMap<Box<[Box<str>]>, usize>,
    /// The answer to the last question: events of one kind come in runs.
    recent: Option<usize>,
}

impl FieldLists {
    /// The number of a list.
    pub(crate) fn find(&mut self, fields: &[Box<str>]) -> usize {
        if let Some(recent) = self.recent
            && *self.lists[recent] == *fields
        {
            return recent;
        }
        let number = match self.numbers.get(fields) {
            Some(&number) => number,
            None => self.add(fields.into()),
        };
        self.recent = Some(number);
        number
    }

    fn add(&mut self, fields: Box<[Box<str>]>) -> usize {
        let number = self.lists.len();
        self.numbers.insert(fields.clone(), number);
        self.lists.push(fields);
        number
    }

    /// How many fields a list has.
    pub(crate) fn len_of(&self, list: usize) -> usize {
        self.lists[list].len()
    }

    /// All fields, in an order that agrees with every list. If there is none, a lossy order starts from what was seen
    /// first, and else it is refused.
    pub(crate) fn columns(&self, lossy: bool) -> Result<Vec<Box<str>>, TraceError> {
        let mut graph = Graph::default();
        self.lists.iter().for_each(|list| graph.add_path(list));
        let order = graph.order();
        match graph.first_missing(&order) {
            Some(_) if lossy => Ok(graph.names.iter().map(|&name| name.into()).collect()),
            Some(field) => Err(disagreement(graph.names[field])),
            None => Ok(order.into_iter().map(|field| graph.names[field].into()).collect()),
        }
    }

    /// For each list and each column, which field of the list stands there.
    pub(crate) fn places(&self, columns: &[Box<str>]) -> Vec<Vec<Option<usize>>> {
        let fields = |list: &[Box<str>]| -> HashMap<Box<str>, usize> {
            list.iter().enumerate().map(|(place, field)| (field.clone(), place)).collect()
        };
        let places = |list: &[Box<str>]| {
            let fields = fields(list);
            columns.iter().map(|column| fields.get(column).copied()).collect()
        };
        self.lists.iter().map(|list| places(list)).collect()
    }
}

#[cold]
fn disagreement(field: &str) -> TraceError {
    TraceError::new(format!(
        "csv has one order of fields for all events, and events disagree about the place of `{field}`"
    ))
    .hint("write another format, such as csv-named, or give up the order of the fields with --lossy")
}

/// Fields, in the order of their first appearance, and which of them comes right after which in some event.
#[derive(Debug, Default)]
struct Graph<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
    edges: BTreeSet<(usize, usize)>,
}

impl<'a> Graph<'a> {
    fn add_path(&mut self, path: &'a [Box<str>]) {
        let mut before = None;
        for field in path {
            let node = *self.numbers.entry(field).or_insert(self.names.len());
            if node == self.names.len() {
                self.names.push(field);
            }
            if let Some(before) = before.replace(node) {
                self.edges.insert((before, node));
            }
        }
    }

    /// A topological order, without the nodes on cycles and behind them.
    fn order(&self) -> Vec<usize> {
        let mut waiting = vec![0usize; self.names.len()];
        self.edges.iter().for_each(|&(_, node)| waiting[node] += 1);
        let mut ready: BinaryHeap<Reverse<usize>> =
            (0..waiting.len()).filter(|&node| waiting[node] == 0).map(Reverse).collect();
        let mut order = Vec::with_capacity(waiting.len());
        while let Some(Reverse(node)) = ready.pop() {
            order.push(node);
            for &(_, next) in self.edges.range((node, 0)..=(node, usize::MAX)) {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.push(Reverse(next));
                }
            }
        }
        order
    }

    /// The first node that is not part of `order`.
    fn first_missing(&self, order: &[usize]) -> Option<usize> {
        let found: BTreeSet<usize> = order.iter().copied().collect();
        (0..self.names.len()).find(|node| !found.contains(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(lists: &[&[&str]], lossy: bool) -> Result<String, TraceError> {
        let mut all = FieldLists::default();
        for list in lists {
            let fields: Vec<Box<str>> = list.iter().map(|&field| field.into()).collect();
            all.find(&fields);
        }
        all.columns(lossy).map(|columns| columns.join(","))
    }

    #[test]
    fn every_order_survives() {
        assert_eq!(columns(&[&["x", "z"], &["x", "y", "z"], &[], &["w"]], false), Ok("x,y,z,w".into()));
        assert_eq!(columns(&[&["b"], &["a", "b"]], false), Ok("a,b".into()));
        assert_eq!(columns(&[], false), Ok(String::new()));
    }

    #[test]
    fn a_contradiction_is_refused() {
        let lists: &[&[&str]] = &[&["w", "x", "y"], &["y", "x"]];
        let error = columns(lists, false).expect_err("x and y contradict each other");
        assert!(error.message.contains("`x`") && error.hint.is_some(), "{error}");
        assert_eq!(columns(lists, true), Ok("w,x,y".into()));
    }
}
