//! The order in which the units of a program run, and the views of which it needs late copies.
//!
//! ```text
//!   a unit that reads what a view is      runs after the view's unit
//!   a unit that reads what a view was     runs before it; where both cannot be, it reads a copy that is one point late
//! ```
//!
//! This is a question to the graph of who reads what: an edge from a reader of old values to the view closes a circle iff the reader can
//! be reached from the view.

use std::collections::{BTreeSet, HashMap};

use crate::fo::code::program::Target;
use crate::fo::code::reason::Reason;
use crate::fo::code::view::Upkeep;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Definition, Form, Leaf, StampUse};
use crate::fo::passes::Passes;
use crate::fo::types::ViewId;

/// An order of units.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    /// The units in their order.
    pub order: Vec<Target>,
    /// The views of which a copy takes the place of what they were.
    pub copied: Vec<ViewId>,
}

/// Who reads what a view was, and whether stamps are read.
type OldValueReader = (usize, bool);

/// Who reads what: nodes are units.
#[derive(Default)]
struct Graph {
    /// The units that run after each.
    after: Vec<Vec<usize>>,
    /// The readers of what each view was.
    old: HashMap<ViewId, Vec<OldValueReader>>,
}

/// Orders the units of views and the others, which have these forms.
pub(crate) fn schedule(views: &[Definition], others: &[(Target, Vec<&Form>)], passes: &Passes) -> Lowered<Schedule> {
    let kept: Vec<ViewId> = (0..views.len()).filter(|view| views[*view].upkeep != Upkeep::Open).collect();
    let mut node_of: Vec<Option<usize>> = vec![None; views.len()];
    kept.iter().enumerate().for_each(|(node, view)| node_of[*view] = Some(node));
    let mut graph = Graph { after: vec![Vec::new(); kept.len() + others.len()], old: HashMap::new() };
    for (reader, view) in kept.iter().enumerate() {
        views[*view].forms().into_iter().try_for_each(|form| graph.read(form, reader, &node_of))?;
    }
    for (at, (_, forms)) in others.iter().enumerate() {
        forms.iter().try_for_each(|form| graph.read(form, kept.len() + at, &node_of))?;
    }
    let copied = graph.place_readers_of_old_values(&node_of, passes)?;
    let targets: Vec<Target> =
        kept.iter().map(|view| Target::View(*view)).chain(others.iter().map(|(target, _)| *target)).collect();
    let order = graph.topological().ok_or(Reason::Size)?.into_iter().map(|node| targets[node]).collect();
    Ok(Schedule { order, copied })
}

impl Graph {
    /// Notes what a form of a unit reads.
    fn read(&mut self, form: &Form, reader: usize, node_of: &[Option<usize>]) -> Lowered<()> {
        let mut fine = true;
        let mut now = |view: ViewId, after: &mut Vec<Vec<usize>>| match node_of[view] {
            Some(node) => after[node].push(reader),
            None => fine = false,
        };
        form.visit(&mut |leaf| match leaf {
            Leaf::View(row) if row.old => self.old.entry(row.view).or_default().push((reader, false)),
            Leaf::View(row) => now(row.view, &mut self.after),
            Leaf::Stamps(StampUse { last, first, delayed }) => {
                match last.old {
                    true => self.old.entry(last.view).or_default().push((reader, true)),
                    false => now(last.view, &mut self.after),
                }
                if !delayed && !last.old {
                    now(first.view, &mut self.after);
                }
            }
            Leaf::Event(_) | Leaf::Compare(_) | Leaf::Part(_) => {}
        });
        if fine { Ok(()) } else { Err(Reason::Size) }
    }

    /// Lets readers of old values run first where that can be; tells of which views they need copies instead.
    fn place_readers_of_old_values(&mut self, node_of: &[Option<usize>], passes: &Passes) -> Lowered<Vec<ViewId>> {
        let mut late: Vec<(ViewId, Vec<OldValueReader>)> = std::mem::take(&mut self.old).into_iter().collect();
        // Stamps cannot be copied, so their readers come first.
        late.sort_by_key(|(view, readers)| (!readers.iter().any(|(_, stamps)| *stamps), *view));
        let mut copied = Vec::new();
        for (view, readers) in late {
            let stamps = readers.iter().any(|(_, stamps)| *stamps);
            let node = node_of[view].ok_or(Reason::Size)?;
            // A view that reads what it was itself does so before it changes.
            let readers: Vec<usize> = readers.iter().map(|(reader, _)| *reader).filter(|own| *own != node).collect();
            let possible = (passes.old_values || stamps) && !self.reaches(node, &readers);
            match (possible, stamps) {
                (true, _) => readers.iter().for_each(|reader| self.after[*reader].push(node)),
                (false, true) => return Err(Reason::Size),
                (false, false) => copied.push(view),
            }
        }
        Ok(copied)
    }

    /// Whether some of these nodes come after one.
    fn reaches(&self, node: usize, targets: &[usize]) -> bool {
        let mut seen = vec![false; self.after.len()];
        let mut open = vec![node];
        seen[node] = true;
        while let Some(node) = open.pop() {
            for next in &self.after[node] {
                if !std::mem::replace(&mut seen[*next], true) {
                    open.push(*next);
                }
            }
        }
        targets.iter().any(|target| seen[*target])
    }

    /// An order of nodes in which every edge leads forwards, if there is one; among equals the smaller number first.
    fn topological(&self) -> Option<Vec<usize>> {
        let mut waiting = vec![0; self.after.len()];
        self.after.iter().flatten().for_each(|to| waiting[*to] += 1);
        let mut ready: BTreeSet<usize> = (0..waiting.len()).filter(|node| waiting[*node] == 0).collect();
        let mut order = Vec::with_capacity(waiting.len());
        while let Some(node) = ready.pop_first() {
            order.push(node);
            for to in &self.after[node] {
                waiting[*to] -= 1;
                if waiting[*to] == 0 {
                    ready.insert(*to);
                }
            }
        }
        (order.len() == waiting.len()).then_some(order)
    }
}
