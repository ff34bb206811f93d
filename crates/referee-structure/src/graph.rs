//! Graphs of names, and the circles in them.

use std::collections::{BTreeMap, BTreeSet};

/// Who uses whom.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// The groups of two and more nodes each of which reaches all others of the group, in alphabetical order.
pub fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|node| (node, reachable(graph, node))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (node, nodes) in &reached {
        let is_mutual = |other: &&&String| reached.get(**other).is_some_and(|back| back.contains(node));
        let circle: BTreeSet<String> = nodes.iter().filter(is_mutual).map(|other| (*other).clone()).collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

/// The nodes that are reached from one by at least one step.
fn reachable<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(node) = open.pop() {
        for next in graph.get(node).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_chains_are_not() {
        let edge = |from: &str, to: &[&str]| (from.to_owned(), to.iter().map(|name| (*name).to_owned()).collect());
        let graph: Graph = [edge("a", &["b"]), edge("b", &["c"]), edge("c", &["b", "d"]), edge("d", &[])].into();
        let found = circles(&graph);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].iter().map(String::as_str).collect::<Vec<_>>(), ["b", "c"]);
    }
}
