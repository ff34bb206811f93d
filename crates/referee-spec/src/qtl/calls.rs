//! Who calls whom: circles, the order of rules, and how large a property becomes when its macros are written out.
//!
//! ```text
//!  macro graph: every call             a circle is an error; sizes add up from the leaves
//!  rule graph:  calls not below `@`    a circle is an error: a value would depend on itself at the same point
//! ```
//!
//! Both are searched once, depth first and without recursion, in time linear in the number of calls.

use std::collections::HashMap;

use super::names::{Names, rule_index};
use super::syntax::{Definition, Formula, Kind, Property};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::MAX_DEPTH;

/// How many formulas a property may have after its macros are written out.
pub(super) const MAX_SIZE: usize = 50_000;

/// How many circles are reported at most.
const MAX_CIRCLES: usize = 20;

/// A call: who is called, and where.
#[derive(Debug, Clone, Copy)]
struct Call {
    target: usize,
    span: Span,
}

/// The result of searching a graph of calls.
struct Search {
    /// All nodes, each after those that it calls, circles aside.
    sorted: Vec<usize>,
    /// Circles, each as its calls in order with their callers.
    circles: Vec<Vec<(usize, Call)>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

fn search(graph: &[Vec<Call>]) -> Search {
    let mut marks = vec![Mark::New; graph.len()];
    let mut in_circle = vec![false; graph.len()];
    let mut found = Search { sorted: Vec::new(), circles: Vec::new() };
    for root in 0..graph.len() {
        // The path from the root, each node with the number of its calls that were followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if marks[root] == Mark::New {
            marks[root] = Mark::Open;
            path.push((root, 0));
        }
        while let Some((node, followed)) = path.last_mut() {
            let node = *node;
            let Some(call) = graph[node].get(*followed) else {
                marks[node] = Mark::Done;
                found.sorted.push(node);
                path.pop();
                continue;
            };
            *followed += 1;
            match marks[call.target] {
                Mark::Done => {}
                Mark::New => {
                    marks[call.target] = Mark::Open;
                    path.push((call.target, 0));
                }
                Mark::Open if in_circle[node] && in_circle[call.target] => {}
                Mark::Open if found.circles.len() < MAX_CIRCLES => {
                    let start = path.iter().position(|(on_path, _)| *on_path == call.target).unwrap_or(0);
                    let circle: Vec<_> =
                        path[start..].iter().map(|(node, next)| (*node, graph[*node][next - 1])).collect();
                    circle.iter().for_each(|(node, _)| in_circle[*node] = true);
                    found.circles.push(circle);
                }
                Mark::Open => {}
            }
        }
    }
    found
}

/// The macros of a file: which may be used, and how large they are.
pub(super) struct Macros {
    graph: Vec<Vec<Call>>,
    sorted: Vec<usize>,
    in_circle: Vec<bool>,
    sizes: Vec<Size>,
}

/// How large a formula is with its macros written out.
#[derive(Debug, Clone, Copy)]
struct Size {
    formulas: usize,
    depth: usize,
}

impl Macros {
    /// Examines the macros and reports those that call themselves.
    pub(super) fn of(names: &Names<'_>, diagnostics: &mut Vec<Diagnostic>) -> Macros {
        let graph: Vec<Vec<Call>> =
            names.macros.iter().map(|definition| calls(&definition.body, &names.macro_index)).collect();
        let Search { sorted, circles } = search(&graph);
        let mut in_circle = vec![false; graph.len()];
        for circle in &circles {
            diagnostics.push(macro_circle(names, circle));
            circle.iter().for_each(|(node, _)| in_circle[*node] = true);
        }
        let mut macros = Macros { sizes: vec![Size { formulas: 1, depth: 1 }; graph.len()], graph, sorted, in_circle };
        for at in 0..macros.sorted.len() {
            let node = macros.sorted[at];
            if !macros.in_circle[node] {
                macros.sizes[node] = macros.size(&names.macros[node].body, names);
            }
        }
        macros
    }

    /// Which macros cannot be written out: those in which `has_error` is true, those in a circle, and all that call one
    /// of them.
    pub(super) fn unusable(&self, has_error: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut unusable: Vec<bool> =
            (0..self.graph.len()).map(|node| self.in_circle[node] || has_error(node)).collect();
        for &node in &self.sorted {
            unusable[node] |= self.graph[node].iter().any(|call| unusable[call.target]);
        }
        unusable
    }

    /// Reports a property that is too large with its macros written out.
    pub(super) fn check_size(&self, property: &Property, names: &Names<'_>) -> Option<Diagnostic> {
        let bodies = property.rules.iter().map(|rule| &rule.body).chain([&property.formula]);
        let whole = self.largest(bodies, names);
        let problem = if whole.formulas > MAX_SIZE {
            format!("has more than {MAX_SIZE} formulas")
        } else if whole.depth > MAX_DEPTH {
            format!("nests more than {MAX_DEPTH} levels deep")
        } else {
            return None;
        };
        let message = format!("property `{}` {problem} when its macros are written out", property.name.text);
        let hint = "make rules of the macros that are called most: `where name(x) := formula`";
        Some(Diagnostic::error("E0211", property.name.span, message).hint(hint))
    }

    /// The sum of sizes and the greatest depth.
    fn largest<'t>(&self, formulas: impl IntoIterator<Item = &'t Formula>, names: &Names<'_>) -> Size {
        formulas.into_iter().fold(Size { formulas: 0, depth: 0 }, |all, formula| {
            let size = self.size(formula, names);
            Size { formulas: all.formulas.saturating_add(size.formulas), depth: all.depth.max(size.depth) }
        })
    }

    /// A call is one level deeper than what it calls, so that writing it out is bounded as well.
    fn size(&self, formula: &Formula, names: &Names<'_>) -> Size {
        let below = match &formula.kind {
            Kind::Atom(name, _) => match names.macro_index.get(&*name.text) {
                Some(&node) => self.sizes[node],
                None => Size { formulas: 0, depth: 0 },
            },
            kind => self.largest(kind.children(), names),
        };
        Size { formulas: below.formulas.saturating_add(1), depth: below.depth.saturating_add(1) }
    }
}

/// All calls of the named definitions.
fn calls(formula: &Formula, index: &HashMap<&str, usize>) -> Vec<Call> {
    let mut found = Vec::new();
    formula.visit(&mut |part| found.extend(call(part, index)));
    found
}

fn call(formula: &Formula, index: &HashMap<&str, usize>) -> Option<Call> {
    match &formula.kind {
        Kind::Atom(name, _) => index.get(&*name.text).map(|&target| Call { target, span: formula.span }),
        _ => None,
    }
}

/// Adds the calls that read the current point: those not below `@`.
fn immediate_calls(formula: &Formula, index: &HashMap<&str, usize>, found: &mut Vec<Call>) {
    if matches!(formula.kind, Kind::Previous(_)) {
        return;
    }
    found.extend(call(formula, index));
    for child in formula.kind.children() {
        immediate_calls(child, index, found);
    }
}

fn search_rules(property: &Property) -> Search {
    let index = rule_index(property);
    let graph: Vec<Vec<Call>> = (property.rules.iter())
        .map(|rule| {
            let mut found = Vec::new();
            immediate_calls(&rule.body, &index, &mut found);
            found
        })
        .collect();
    search(&graph)
}

/// The rules of a property, each after those that it reads at the same point.
pub(super) fn rule_order(property: &Property) -> Vec<usize> {
    search_rules(property).sorted
}

/// Reports the rules of a property whose value at a point depends on itself.
pub(super) fn check_rules(property: &Property, diagnostics: &mut Vec<Diagnostic>) {
    for circle in search_rules(property).circles {
        let rules: Vec<&Definition> = property.rules.iter().collect();
        let hint = "put `@` before a call in the circle, so that it reads the point before";
        let sentence = ("rule", "depends on itself at the same point");
        diagnostics.push(draw("E0208", sentence, &rules, &circle).hint(hint));
    }
}

fn macro_circle(names: &Names<'_>, circle: &[(usize, Call)]) -> Diagnostic {
    let hint = "macros are written out, so they cannot be recursive: use a rule, `where name(x) := … @ name(x) …`";
    draw("E0207", ("macro", "calls itself"), &names.macros, circle).hint(hint)
}

/// Draws a circle, beginning with the definition that stands first in the text. `what` it is `does` wrong.
fn draw(
    code: &'static str,
    (what, does): (&str, &str),
    definitions: &[&Definition],
    circle: &[(usize, Call)],
) -> Diagnostic {
    let name = |node: usize| -> &str { &definitions[node].head.name.text };
    let mut circle = circle.to_vec();
    let first = (0..circle.len()).min_by_key(|at| circle[*at].0).unwrap_or(0);
    circle.rotate_left(first);
    let (start, place) = circle.first().map_or((0, Span::default()), |(node, call)| (*node, call.span));
    let path: Vec<&str> = circle.iter().map(|(node, _)| name(*node)).chain([name(start)]).collect();
    let message = format!("{what} `{}` {does}: {}", name(start), path.join(" -> "));
    circle.iter().skip(1).fold(Diagnostic::error(code, place, message), |diagnostic, (node, call)| {
        diagnostic.related(call.span, format!("`{}` calls `{}` here", name(*node), name(call.target)))
    })
}
