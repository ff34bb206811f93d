//! What a view is now, said by what it was: for units that ask for both.
//!
//! ```text
//!   enter(x) ∧ @V(x) ∧ V(y)        V = P enter        V must change after the unit (@V) and before it (V)
//!   enter(x) ∧ @V(x) ∧ (enter(y) ∨ @V(y))             V changes after it
//! ```
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | previous_state | `V = ψ ∨ (@V ∧ φ)` where V is the view of `φ S ψ` | no interval, no set of values; somebody reads what a view was that V is made of, or V itself; events drive the unit before and after | the definition of `S`; what drives a unit must happen whatever else the formula says |
//!
//! Otherwise a copy of the view that is one point late takes the place of what it was: every point must then be looked at,
//! and none by a handler. A unit that would get too long, or ask for too many registers, is left to copies.

use std::collections::{BTreeSet, HashMap};

use crate::faults::{self, Fault};
use crate::fo::code::view::Upkeep;
use crate::fo::compile::form::{Definition, EventUse, Form, Leaf, PartUse, StampUse, ViewUse};
use crate::fo::types::{REGISTERS, Var, ViewId};

/// How many leaves a unit may have after that.
const MOST: usize = 48;

/// Which views a unit says by what they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestatedViews {
    /// Those that are made of one of which the unit itself asks what it was.
    Own,
    /// Those that are made of one of which anybody asks what it was: two units may keep each other from their places.
    All,
}

/// The views that each view is made of as they are now, itself among them. Views come after those that they are made of.
pub(crate) fn made_of(views: &[Definition]) -> Vec<BTreeSet<ViewId>> {
    let mut all: Vec<BTreeSet<ViewId>> = Vec::new();
    for (number, view) in views.iter().enumerate() {
        let mut own = BTreeSet::from([number]);
        for form in [&view.breaks, &view.makes] {
            form.visit(&mut |leaf| {
                for row in rows(leaf).filter(|row| !row.old) {
                    own.extend(all.get(row.view).into_iter().flatten());
                }
            });
        }
        all.push(own);
    }
    all
}

/// The views of which forms ask what they were.
pub(crate) fn asked_before<'f>(forms: impl Iterator<Item = &'f Form>) -> BTreeSet<ViewId> {
    let mut old = BTreeSet::new();
    forms.for_each(|form| {
        form.visit(&mut |leaf| old.extend(rows(leaf).filter(|row| row.old).map(|row| row.view)));
    });
    old
}

/// The forms of a unit, without asking what a view is that is made of one of which they ask what it was, or of one of
/// some others; nothing if they do not, or if that cannot be.
pub(crate) fn restated(
    forms: &[&Form],
    views: &[Definition],
    made_of: &[BTreeSet<ViewId>],
    others: &BTreeSet<ViewId>,
) -> Option<Vec<Form>> {
    let mut new: Vec<Form> = forms.iter().map(|form| (*form).clone()).collect();
    let mut restating = Restating { views, next: 1 + new.iter().map(highest).max()? };
    let mut has_changed = false;
    loop {
        let old = asked_before(new.iter());
        let is_asked = |view: ViewId| !made_of[view].is_disjoint(&old) || !made_of[view].is_disjoint(others);
        let (mut asked, mut leaves) = (false, 0);
        for form in &new {
            form.visit(&mut |leaf| {
                leaves += 1;
                asked |= rows(leaf).any(|row| !row.old && is_asked(row.view));
            });
        }
        if !asked {
            break;
        }
        if leaves > MOST {
            return None;
        }
        new = new.iter().map(|form| restating.form(form, &is_asked)).collect::<Option<_>>()?;
        has_changed = true;
    }
    let is_driven = |form: &&Form| form.drivers().is_some();
    (has_changed && new.iter().all(|form| is_driven(&form)) && forms.iter().all(is_driven)).then_some(new)
}

/// The rows that a leaf looks at.
fn rows(leaf: &Leaf) -> impl Iterator<Item = ViewUse> {
    let rows = match leaf {
        Leaf::View(row) => vec![row.clone()],
        Leaf::Stamps(StampUse { last, first, delayed }) => {
            let first = ViewUse { old: *delayed || last.old, ..first.clone() };
            // A row that counts from the next point on may be there already.
            if first.old { vec![last.clone()] } else { vec![last.clone(), first] }
        }
        Leaf::Event(_) | Leaf::Compare(_) | Leaf::Part(_) => Vec::new(),
    };
    rows.into_iter()
}

/// The highest register of a form, bound ones included.
fn highest(form: &Form) -> Var {
    let mut highest = 0;
    form.visit(&mut |leaf| highest = highest.max(leaf.variables().into_iter().max().unwrap_or(0)));
    highest
}

struct Restating<'v> {
    views: &'v [Definition],
    /// The next register that nobody uses.
    next: Var,
}

impl Restating<'_> {
    fn form(&mut self, form: &Form, is_asked: &impl Fn(ViewId) -> bool) -> Option<Form> {
        let mut all = |parts: &[Form]| parts.iter().map(|part| self.form(part, is_asked)).collect::<Option<Vec<_>>>();
        Some(match form {
            Form::And(parts) => Form::And(all(parts)?),
            Form::Or(parts) => Form::Or(all(parts)?),
            Form::Exists(there, variables, body) => {
                Form::Exists(*there, variables.clone(), Box::new(self.form(body, is_asked)?))
            }
            Form::Leaf(there, Leaf::View(row)) if !row.old && is_asked(row.view) => {
                let restated = self.row(row)?;
                if *there { restated } else { restated.negate() }
            }
            Form::Leaf(_, leaf) if rows(leaf).any(|row| !row.old && is_asked(row.view)) => return None,
            other => other.clone(),
        })
    }

    /// What a row is now, by what it was.
    fn row(&mut self, row: &ViewUse) -> Option<Form> {
        let view = &self.views[row.view];
        if view.upkeep != Upkeep::Since || view.has_set {
            return None;
        }
        let was = Form::Leaf(true, Leaf::View(ViewUse { old: true, ..row.clone() }));
        let (makes, stays) = (self.instance(&view.makes, row), self.instance(&view.breaks.negate(), row));
        let stays = match stays {
            Form::Constant(true) => was,
            _ if faults::is(Fault::PreviousState) => was,
            stays => Form::And(vec![was, stays]),
        };
        (self.next as usize <= REGISTERS).then(|| Form::Or(vec![makes, stays]))
    }

    /// The form of a view for a row of it, with registers of its own for what the form quantifies.
    fn instance(&mut self, form: &Form, row: &ViewUse) -> Form {
        let mut own: HashMap<Var, Var> = HashMap::new();
        let next = &mut self.next;
        let mut rename = |register: Var| match row.arguments.get(register as usize) {
            Some(argument) => *argument,
            None => *own.entry(register).or_insert_with(|| {
                *next += 1;
                *next - 1
            }),
        };
        renamed(form, &mut rename)
    }
}

/// The same form with other registers.
fn renamed(form: &Form, rename: &mut impl FnMut(Var) -> Var) -> Form {
    let mut all = |parts: &[Form]| parts.iter().map(|part| renamed(part, rename)).collect();
    match form {
        Form::Constant(truth) => Form::Constant(*truth),
        Form::And(parts) => Form::And(all(parts)),
        Form::Or(parts) => Form::Or(all(parts)),
        Form::Exists(there, variables, body) => {
            let variables = variables.iter().map(|variable| rename(*variable)).collect();
            Form::Exists(*there, variables, Box::new(renamed(body, rename)))
        }
        Form::Leaf(there, leaf) => Form::Leaf(*there, renamed_leaf(leaf, rename)),
    }
}

fn renamed_leaf(leaf: &Leaf, rename: &mut impl FnMut(Var) -> Var) -> Leaf {
    let mut row = |row: &ViewUse| ViewUse {
        arguments: row.arguments.iter().map(|argument| rename(*argument)).collect(),
        ..row.clone()
    };
    match leaf {
        Leaf::View(own) => Leaf::View(row(own)),
        Leaf::Stamps(stamps) => {
            Leaf::Stamps(StampUse { last: row(&stamps.last), first: row(&stamps.first), ..stamps.clone() })
        }
        Leaf::Compare(compare) => Leaf::Compare(compare.rename(rename)),
        Leaf::Part(part) => Leaf::Part(PartUse {
            arguments: part.arguments.iter().map(|argument| rename(*argument)).collect(),
            ..part.clone()
        }),
        Leaf::Event(event) => Leaf::Event(EventUse {
            arguments: event.arguments.iter().map(|argument| argument.rename(rename)).collect(),
            condition: event.condition.as_ref().map(|condition| condition.rename(rename)),
            ..event.clone()
        }),
    }
}
