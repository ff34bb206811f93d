//! Tables that follow other tables: the program keeps them up to date from the rows of those, and not from events.
//!
//! ```text
//!   T3(t,x,l) = P (access(t,x) ∧ ¬held(t,l))       a row per t and x, with the values of l
//!   T4(x,l)   = P ∃t (access(t,x) ∧ ¬held(t,l))    = ∃t T3(t,x,l)
//!   T0(t,x)   = P access(t,x)                      = ∃l T3(t,x,l)
//! ```
//!
//! | law | side condition | because |
//! |---|---|---|
//! | `P ∃c ψ = ∃c P ψ` | both are tables, without intervals | the witness of one is one of the other |
//! | `P φ = ∃l P (φ ∧ ¬ν)` | l not in φ; for given values of its other variables ν holds of finitely many l | every domain here is infinite: at each point some l is left over |
//!
//! The tables on the right (T3) have sets, which cost most of the time of such a property. Most events let no set grow; they then change
//! none of the tables on the left (T4, T0) either, and no unit looks at those. **Changes of the followed table alone change the table that
//! follows**: the followed table has every row of it, and never loses one.
//!
//! A row of the follower changes at a point only if the row that it follows does. A unit that does the same on changes of both tables
//! is therefore triggered by the followed table only.
//!
//! Where both have the same key, like T0 and T3, **a row of one is there if and only if that of the other one is**: no set is empty, and
//! the other one never loses a row. Then the program keeps one of them: a plan that looks up a row of T0 looks up that of T3, whatever
//! its set is, and T0 stores nothing. For a thousand threads and their variables that is one large table less.
//!
//! A table whose earlier state or whose stamps some unit reads does not follow another one: the program would have to update the two in
//! another order.

use std::collections::BTreeSet;

use referee_spec::core::Interval;

use crate::faults::{self, Fault};
use crate::fo::code::view::Upkeep;
use crate::fo::compile::form::{Definition, Form, Leaf, ViewKey, ViewUse, followed};
use crate::fo::compile::logic::Logic;
use crate::fo::compile::restricted::restricted;
use crate::fo::compile::views::Views;
use crate::fo::types::{Var, ViewId};

impl Views {
    /// Lets tables follow others where they can, except for some; tells which do.
    pub(crate) fn share(&mut self, except: &BTreeSet<ViewId>) -> BTreeSet<ViewId> {
        let mut followers = BTreeSet::new();
        for view in 0..self.all.len() {
            let Some(key) = self.all[view].key.clone() else { continue };
            if let Some((follower, makes)) = self.shared(view, &key)
                && self.follow(follower, makes, except)
            {
                followers.insert(follower);
            }
        }
        followers
    }

    /// The table that may follow another one because of this view, and what its rows are then.
    fn shared(&self, view: ViewId, key: &ViewKey) -> Option<(ViewId, Form)> {
        if key.last {
            return None;
        }
        match (once(&key.logic)?, self.all[view].has_set) {
            (Logic::Exists(variables, inner), _) => Some((view, self.projected(key.within, variables, inner)?)),
            (Logic::And(parts), true) => self.without_exceptions(view, key.within, parts),
            _ => None,
        }
    }

    /// Lets a table follow the one that a form looks at, unless that looks at it in turn; tells whether it does.
    fn follow(&mut self, follower: ViewId, makes: Form, except: &BTreeSet<ViewId>) -> bool {
        let Some(row) = followed(&makes) else { return false };
        let view = &self.all[follower];
        let is_plain = view.upkeep == Upkeep::Since && view.breaks == Form::Constant(false) && !view.stamped;
        let can = is_plain && self.tells(row, follower) && !except.contains(&follower);
        if can && !self.looks_at(row.view, follower) {
            self.all[follower].makes = makes;
            return true;
        }
        false
    }

    /// Lets tables that follow others with the same key do without rows, except for some.
    pub(crate) fn share_rows(&mut self, except: &BTreeSet<ViewId>) {
        for view in (0..self.all.len()).filter(|view| !except.contains(view)) {
            self.all[view].rows_of = self.twin(view).filter(|twin| !except.contains(twin));
        }
    }

    /// The table that a table follows with the same key, if neither loses a row.
    fn twin(&self, follower: ViewId) -> Option<ViewId> {
        let view = &self.all[follower];
        let row = followed(&view.makes)?;
        let (other, keys) = (&self.all[row.view], self.all[row.view].keys());
        let is_kept = |view: &Definition| {
            view.upkeep == Upkeep::Since && view.breaks == Form::Constant(false) && !view.stamped && view.join.is_none()
        };
        let in_order = faults::is(Fault::SharedViews) || row.arguments[..keys].iter().copied().eq(0..keys as Var);
        let is_same = !view.has_set && keys == view.columns && in_order;
        let is_any = other.has_set && row.arguments[keys..].iter().all(|set| *set as usize >= keys);
        (is_same && is_any && is_kept(view) && is_kept(other)).then_some(row.view)
    }

    /// Whether a row that changes says which row of a follower does.
    fn tells(&self, row: &ViewUse, follower: ViewId) -> bool {
        let (Definition { columns, has_set, .. }, own) = (&self.all[follower], self.all[row.view].keys());
        let (keys, set) = row.arguments.split_at(own);
        let is_column = |variable: &Var| (*variable as usize) < *columns;
        match has_set {
            true => set == [*columns as Var - 1] && (0..*columns as Var - 1).all(|column| keys.contains(&column)),
            false => {
                let all = (0..*columns as Var).all(|column| keys.contains(&column));
                all && keys.iter().all(is_column) && !set.iter().any(is_column)
            }
        }
    }

    /// `P ∃c ψ` by the table of `P ψ`, if there is one with sets.
    fn projected(&self, within: Option<ViewId>, variables: &[Var], inner: &Logic) -> Option<Form> {
        let row =
            self.known_use(within, &Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(inner.clone())))?;
        let makes = Form::Exists(true, variables.to_vec(), Box::new(Form::Leaf(true, Leaf::View(row.clone()))));
        self.all[row.view].has_set.then_some(makes)
    }

    /// The table of `P φ`, if there is one, by that of `P (φ ∧ ¬ν)`.
    fn without_exceptions(&self, view: ViewId, within: Option<ViewId>, parts: &[Logic]) -> Option<(ViewId, Form)> {
        let columns = self.all[view].columns;
        let open = (columns - 1) as Var;
        let (with, without): (Vec<&Logic>, Vec<&Logic>) = parts.iter().partition(|part| part.free().contains(&open));
        let [Logic::Not(exceptions)] = with[..] else { return None };
        if !restricted(exceptions).contains(&open) {
            return None;
        }
        let body = Logic::and(without.into_iter().cloned());
        let row = self.known_use(within, &Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(body)))?;
        if self.all[row.view].has_set {
            return None;
        }
        // The registers of the follower are its columns, and one more for the value that is left over.
        let own = row.arguments.len() as Var;
        let place = |column: Var| match row.arguments.iter().position(|argument| *argument == column) {
            Some(at) => Some(at as Var),
            None => (column == open).then_some(own),
        };
        let arguments: Option<Vec<Var>> = (0..columns as Var).map(place).collect();
        let leaf = Form::Leaf(true, Leaf::View(ViewUse { view, old: false, arguments: arguments? }));
        Some((row.view, Form::Exists(true, vec![own], Box::new(leaf))))
    }

    /// Whether a view looks at another one, or is it, directly or by others.
    fn looks_at(&self, view: ViewId, other: ViewId) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([view]), vec![view]);
        while let Some(view) = open.pop() {
            for form in [&self.all[view].breaks, &self.all[view].makes] {
                form.visit(&mut |leaf| {
                    leaf.views().filter(|below| seen.insert(*below)).for_each(|below| open.push(below));
                });
            }
        }
        seen.contains(&other)
    }
}

/// The body of `P`.
fn once(logic: &Logic) -> Option<&Logic> {
    match logic {
        Logic::Since(interval, left, body) if interval.is_all() && **left == Logic::TRUE => Some(body),
        _ => None,
    }
}
