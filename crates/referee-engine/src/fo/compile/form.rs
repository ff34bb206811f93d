//! What a unit looks at: formulas whose temporal parts are tables, and the definitions of those tables.
//!
//! ```text
//!   access(0,1) ∧ ¬V0(0)        a form: its variables are registers, its leaves events, rows, comparisons and stamps
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fo::code::expression::{Argument, Compare};
use crate::fo::code::view::{Upkeep, View};
use crate::fo::compile::logic::Logic;
use crate::fo::types::join::Join;
use crate::fo::types::{Var, ViewId};

/// A formula of one unit, whose temporal parts are tables. Variables are registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// True or false.
    Constant(bool),
    /// A leaf, or its negation.
    Leaf(bool, Leaf),
    /// Conjunction.
    And(Vec<Form>),
    /// Disjunction.
    Or(Vec<Form>),
    /// Some values of these registers make the body true, or none do.
    Exists(bool, Vec<Var>, Box<Form>),
}

/// What a unit looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// An event of the point.
    Event(EventUse),
    /// A row of a view, now or before this point.
    View(ViewUse),
    /// Two terms compare.
    Compare(Compare),
    /// The last stamp of one view is not before the first of another.
    Stamps(StampUse),
    /// What the interpreter says of these registers.
    Part(PartUse),
}

/// An event that a unit looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventUse {
    /// The number of its pattern.
    pub pattern: usize,
    /// One per argument or field of the pattern.
    pub arguments: Vec<Argument>,
    /// What must hold besides.
    pub condition: Option<Compare>,
}

/// A row that a unit looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ViewUse {
    /// Which view.
    pub view: ViewId,
    /// Whether its value before this point is meant.
    pub old: bool,
    /// One register per column.
    pub arguments: Vec<Var>,
}

/// A part that the interpreter evaluates, and that a unit asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartUse {
    /// Which part.
    pub part: usize,
    /// One register per free variable.
    pub arguments: Vec<Var>,
    /// Whether the others give the value of the last one.
    pub yields: bool,
}

/// Two rows whose stamps a unit compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StampUse {
    /// What happened, with the stamp of the last time.
    pub last: ViewUse,
    /// What came to stay, with the stamp of the first time.
    pub first: ViewUse,
    /// Whether `first` counts from the point after its stamp.
    pub delayed: bool,
}

/// The definition of a table, from which the compiler makes what keeps it.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    /// How rows come and go.
    pub upkeep: Upkeep,
    /// How many columns, of which the last may be a set.
    pub columns: usize,
    /// Whether the last column is a set.
    pub has_set: bool,
    /// The negated left side.
    pub breaks: Form,
    /// The right side.
    pub makes: Form,
    /// Whether somebody compares the stamps of its rows.
    pub stamped: bool,
    /// What it stands for.
    pub key: Option<Arc<ViewKey>>,
    /// The same for `explain`.
    pub text: String,
    /// How it is joined when it is asked for, instead of having rows.
    pub join: Option<Box<JoinedWindow>>,
    /// The view whose rows are its own as well, instead of having rows.
    pub rows_of: Option<ViewId>,
}

/// What a table stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ViewKey {
    /// The table of the recursive definition that the formula calls, in whose body it stands.
    pub within: Option<ViewId>,
    /// Whether the last stamps of its rows are meant.
    pub last: bool,
    /// The formula, with columns for its variables.
    pub logic: Logic,
}

/// How a window is joined, and what must hold when a witness comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinedWindow {
    /// The columns.
    pub join: Join,
    /// What must hold.
    pub witness: Form,
}

impl Definition {
    /// A table without formulas.
    pub(crate) fn new(upkeep: Upkeep, columns: usize, has_set: bool, text: String) -> Definition {
        let nothing = Form::Constant(false);
        let stamped = upkeep == Upkeep::LastStamp;
        let (breaks, makes, key, join, rows_of) = (nothing.clone(), nothing, None, None, None);
        Definition { upkeep, columns, has_set, breaks, makes, stamped, key, text, join, rows_of }
    }

    /// Both formulas.
    pub(crate) fn forms(&self) -> [&Form; 2] {
        [&self.breaks, &self.makes]
    }

    /// The table with this number, which this defines, without the formulas that its units are made of.
    pub(crate) fn view(&self, own: ViewId) -> View {
        View {
            upkeep: self.upkeep.clone(),
            columns: self.columns,
            has_set: self.has_set,
            reads_itself: self.reads_itself(own),
            stamped: self.stamped,
            text: self.text.clone(),
            join: self.join.as_ref().map(|joined| joined.join.clone()),
            rows_of: self.rows_of,
        }
    }

    /// Whether the view with this number, which this is, reads what it was itself.
    fn reads_itself(&self, own: ViewId) -> bool {
        let mut reads = false;
        for form in [&self.breaks, &self.makes] {
            form.visit(&mut |leaf| reads |= matches!(leaf, Leaf::View(row) if row.view == own));
        }
        reads
    }

    /// How many columns are keys.
    pub(crate) fn keys(&self) -> usize {
        self.columns - usize::from(self.has_set)
    }
}

impl Form {
    /// The conjuncts, below quantifiers too.
    pub(crate) fn conjuncts_below(&self) -> Vec<Form> {
        match self {
            Form::And(all) => all.iter().flat_map(Form::conjuncts_below).collect(),
            Form::Exists(true, _, body) => body.conjuncts_below(),
            other => vec![other.clone()],
        }
    }

    /// The negation.
    pub(crate) fn negate(&self) -> Form {
        match self {
            Form::Constant(truth) => Form::Constant(!truth),
            Form::Leaf(there, leaf) => Form::Leaf(!there, leaf.clone()),
            Form::And(parts) => Form::Or(parts.iter().map(Form::negate).collect()),
            Form::Or(parts) => Form::And(parts.iter().map(Form::negate).collect()),
            Form::Exists(there, variables, body) => Form::Exists(!there, variables.clone(), body.clone()),
        }
    }

    /// Calls `visit` for every leaf.
    pub(crate) fn visit<'f>(&'f self, visit: &mut impl FnMut(&'f Leaf)) {
        match self {
            Form::Constant(_) => {}
            Form::Leaf(_, leaf) => visit(leaf),
            Form::And(parts) | Form::Or(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Form::Exists(_, _, body) => body.visit(visit),
        }
    }

    /// The same with every leaf changed.
    pub(crate) fn change(&mut self, change: &mut impl FnMut(&mut Leaf)) {
        match self {
            Form::Constant(_) => {}
            Form::Leaf(_, leaf) => change(leaf),
            Form::And(parts) | Form::Or(parts) => parts.iter_mut().for_each(|part| part.change(change)),
            Form::Exists(_, _, body) => body.change(change),
        }
    }

    /// The registers that occur free.
    pub(crate) fn free(&self) -> BTreeSet<Var> {
        match self {
            Form::Constant(_) => BTreeSet::new(),
            Form::Leaf(_, leaf) => leaf.variables().into_iter().collect(),
            Form::And(parts) | Form::Or(parts) => parts.iter().flat_map(Form::free).collect(),
            Form::Exists(_, variables, body) => {
                body.free().into_iter().filter(|variable| !variables.contains(variable)).collect()
            }
        }
    }

    /// The disjuncts.
    pub(crate) fn disjuncts(&self) -> Vec<&Form> {
        match self {
            Form::Constant(false) => Vec::new(),
            Form::Or(parts) => parts.iter().flat_map(Form::disjuncts).collect(),
            other => vec![other],
        }
    }

    /// Events of which one must happen for the formula to be true, if there are such.
    pub(crate) fn drivers(&self) -> Option<Vec<&EventUse>> {
        match self {
            Form::Constant(false) => Some(Vec::new()),
            Form::Leaf(true, Leaf::Event(event)) => Some(vec![event]),
            Form::And(parts) => parts.iter().filter_map(Form::drivers).min_by_key(Vec::len),
            Form::Or(parts) => {
                let parts = parts.iter().map(Form::drivers).collect::<Option<Vec<_>>>()?;
                Some(parts.concat())
            }
            Form::Exists(true, _, body) => body.drivers(),
            _ => None,
        }
    }
}

impl Leaf {
    /// The views that it looks at.
    pub(crate) fn views(&self) -> impl Iterator<Item = ViewId> + use<> {
        let views = match self {
            Leaf::View(row) => [Some(row.view), None],
            Leaf::Stamps(stamps) => [Some(stamps.last.view), Some(stamps.first.view)],
            Leaf::Event(_) | Leaf::Compare(_) | Leaf::Part(_) => [None, None],
        };
        views.into_iter().flatten()
    }

    /// The registers that occur.
    pub(crate) fn variables(&self) -> Vec<Var> {
        match self {
            Leaf::Event(event) => event.variables(),
            Leaf::View(view) => view.arguments.clone(),
            Leaf::Compare(compare) => compare.variables(),
            Leaf::Stamps(stamps) => [&stamps.last.arguments[..], &stamps.first.arguments[..]].concat(),
            Leaf::Part(part) => part.arguments.clone(),
        }
    }
}

impl EventUse {
    /// The registers of the arguments and of the condition.
    pub(crate) fn variables(&self) -> Vec<Var> {
        let arguments = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Var(variable) => Some(*variable),
            _ => None,
        });
        arguments.chain(self.condition.iter().flat_map(Compare::variables)).collect()
    }
}

/// The row that a formula asks for, if that is all it does, whatever some of its columns are, and there are such.
pub(crate) fn followed(form: &Form) -> Option<&ViewUse> {
    let Form::Exists(true, _, body) = form else { return None };
    match &**body {
        Form::Leaf(true, Leaf::View(row)) if !row.old => Some(row),
        _ => None,
    }
}
