//! Tables and what defines them: temporal subformulas become *views*, shared by all formulas that have them.
//!
//! ```text
//!   access(u,f) ∧ ¬(¬logout(u) S login(u))        unit: access(0,1) ∧ ¬V0(0)
//!                                                  V0(c): row c is true iff ¬logout(c) S login(c)
//! ```
//!
//! A view's columns are its free variables. Those that its right side restricts to values that occurred are *keys*: the
//! view is true of finitely many keys. At most one column may be left; a row then carries a finite or co-finite set of
//! its values ([`crate::fo::store::sets`]), so that "everything but" needs no safe range. Two views with the same definition, up to
//! the names of variables, are one.

use crate::fo::code::view::Upkeep;
use crate::fo::code::view::View;
use crate::fo::types::REGISTERS;
use crate::fo::types::ViewId;
use std::collections::{BTreeSet, HashMap};

use referee_spec::core::{Comparison, Interval};

use crate::fo::code::expression::{Argument, Compare, Expr, Pattern};
use crate::fo::code::reason::Reason;
use crate::fo::compile::logic::{Defined, Event, Logic};
use crate::fo::compile::lower::Lowered;
use crate::fo::types::Var;
use crate::fo::types::join::Join;

/// A formula of one unit, whose temporal parts are tables. Variables are registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
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
pub enum Leaf {
    /// An event of the point.
    Event(EventUse),
    /// A row of a view, now or before this point.
    View(ViewUse),
    /// Two terms compare.
    Compare(Compare),
    /// The last stamp of one view is not before the first of another.
    Stamps(StampUse),
    /// What the general path says of these registers.
    Foreign(ForeignUse),
}

/// An event that a unit looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventUse {
    /// The number of its pattern.
    pub pattern: usize,
    /// One per argument or field of the pattern.
    pub arguments: Vec<Argument>,
    /// What must hold besides.
    pub condition: Option<Compare>,
}

/// A row that a unit looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewUse {
    /// Which view.
    pub view: ViewId,
    /// Whether its value before this point is meant.
    pub old: bool,
    /// One register per column.
    pub arguments: Vec<Var>,
}

/// A part that the general path evaluates, and that a unit asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignUse {
    /// Which part.
    pub part: usize,
    /// One register per free variable.
    pub arguments: Vec<Var>,
    /// Whether the others give the value of the last one.
    pub yields: bool,
}

/// Two rows whose stamps a unit compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampUse {
    /// What happened, with the stamp of the last time.
    pub last: ViewUse,
    /// What came to stay, with the stamp of the first time.
    pub first: ViewUse,
    /// Whether `first` counts from the point after its stamp.
    pub delayed: bool,
}

/// The definition of a table, from which the compiler makes what keeps it.
#[derive(Debug, Clone)]
pub struct Definition {
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
    /// What it stands for, for `explain`.
    pub text: String,
    /// How it is joined when it is asked for, instead of having rows.
    pub join: Option<Box<JoinedWindow>>,
    /// The view whose rows are its own as well, instead of having rows.
    pub rows_of: Option<ViewId>,
}

/// How a window is joined, and what must hold when a witness comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedWindow {
    /// The columns.
    pub join: Join,
    /// What must hold.
    pub witness: Form,
}

impl Definition {
    /// The table with this number, which this defines, without the formulas that its units are made of.
    pub fn view(&self, own: ViewId) -> View {
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
    pub fn keys(&self) -> usize {
        self.columns - usize::from(self.has_set)
    }
}

/// All views and patterns of a program.
#[derive(Debug, Default)]
pub struct Views {
    /// The views, each after those it reads.
    pub all: Vec<Definition>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    known: HashMap<(bool, Logic), ViewId>,
    /// The views of definitions that call themselves, while these are read.
    own: HashMap<u32, ViewId>,
}

/// The variables of a formula in their order, with numbers from 0.
#[derive(Debug, Default)]
pub struct Numbering {
    numbers: HashMap<Var, Var>,
}

impl Numbering {
    /// A numbering that begins with these variables.
    pub fn starting_with(variables: &[Var]) -> Numbering {
        let mut numbering = Numbering::default();
        for variable in variables {
            numbering.number(*variable);
        }
        numbering
    }

    /// The number of a variable.
    pub fn number(&mut self, variable: Var) -> Var {
        let next = self.numbers.len() as Var;
        *self.numbers.entry(variable).or_insert(next)
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// The variables that a formula restricts to values that occurred.
pub fn restricted(logic: &Logic) -> BTreeSet<Var> {
    match logic {
        Logic::Constant(_) | Logic::Not(_) => BTreeSet::new(),
        Logic::Foreign(_, arguments, yields) => arguments.iter().copied().rev().take(usize::from(*yields)).collect(),
        Logic::Event(event) => event.bound().collect(),
        Logic::Compare(compare) => equated(compare, &BTreeSet::new()).into_iter().collect(),
        Logic::And(parts) => {
            let mut all: BTreeSet<Var> = parts.iter().flat_map(restricted).collect();
            loop {
                let before = all.len();
                for part in parts {
                    if let Logic::Compare(compare) = part {
                        all.extend(equated(compare, &all));
                    }
                }
                if all.len() == before {
                    return all;
                }
            }
        }
        Logic::Or(parts) => {
            let mut parts = parts.iter().map(restricted);
            let first = parts.next().unwrap_or_default();
            parts.fold(first, |all, part| all.intersection(&part).copied().collect())
        }
        Logic::Exists(variables, body) => {
            restricted(body).into_iter().filter(|variable| !variables.contains(variable)).collect()
        }
        Logic::Prev(body) | Logic::Since(_, _, body) => restricted(body),
        Logic::Last(event, state) => restricted(event).into_iter().chain(restricted(state)).collect(),
        // Its table has keys only: it is true of finitely many.
        Logic::Defined(defined) => defined.arguments.iter().copied().collect(),
        Logic::Own(_, arguments) => arguments.iter().copied().collect(),
    }
}

/// A temporal operator with columns for its variables, which these are, and whether the last one is a set.
fn canonical(since: &Logic, last: bool) -> Lowered<(Logic, Vec<Var>, bool)> {
    let Logic::Since(interval, left, right) = since else { return Err(Reason::Size) };
    let keys = restricted(right);
    let mut free = Vec::new();
    since.collect_free(&mut free);
    let mut columns: Vec<Var> = Vec::new();
    free.into_iter().for_each(|variable| {
        if !columns.contains(&variable) {
            columns.push(variable);
        }
    });
    let open: Vec<Var> = columns.iter().copied().filter(|variable| !keys.contains(variable)).collect();
    let has_set = match open[..] {
        [] => false,
        [open] if interval.is_all() && !last && !left.free().contains(&open) => {
            columns.retain(|column| *column != open);
            columns.push(open);
            true
        }
        _ => return Err(Reason::Unrestricted),
    };
    let mut numbering = Numbering::starting_with(&columns);
    let canonical = since.rename(&mut |variable| numbering.number(variable));
    if numbering.len() > REGISTERS {
        return Err(Reason::Size);
    }
    Ok((canonical, columns, has_set))
}

/// The variable that an equation restricts, given those that are.
fn equated(compare: &Compare, known: &BTreeSet<Var>) -> Option<Var> {
    let fixed = |side: &Expr| match side {
        Expr::Var(variable) => known.contains(variable),
        Expr::Constant(_) => true,
        _ => false,
    };
    match (&compare.how, &compare.left, &compare.right) {
        (Comparison::Equal, Expr::Var(variable), other) if fixed(other) => Some(*variable),
        (Comparison::Equal, other, Expr::Var(variable)) if fixed(other) => Some(*variable),
        _ => None,
    }
}

impl Views {
    /// The form of a formula whose variables are registers.
    pub fn form(&mut self, logic: &Logic) -> Lowered<Form> {
        Ok(match logic {
            Logic::Constant(truth) => Form::Constant(*truth),
            Logic::Not(body) => match self.form(body)? {
                Form::Leaf(truth, leaf) => Form::Leaf(!truth, leaf),
                Form::Exists(truth, variables, body) => Form::Exists(!truth, variables, body),
                Form::Constant(truth) => Form::Constant(!truth),
                Form::And(_) | Form::Or(_) => return Err(Reason::Size),
            },
            Logic::And(parts) => Form::And(parts.iter().map(|part| self.form(part)).collect::<Lowered<_>>()?),
            Logic::Or(parts) => Form::Or(parts.iter().map(|part| self.form(part)).collect::<Lowered<_>>()?),
            Logic::Exists(variables, body) => Form::Exists(true, variables.clone(), Box::new(self.form(body)?)),
            Logic::Event(event) => Form::Leaf(true, Leaf::Event(self.event(event))),
            Logic::Compare(compare) => Form::Leaf(true, Leaf::Compare(compare.clone())),
            Logic::Since(..) => Form::Leaf(true, Leaf::View(self.view(logic, false)?)),
            Logic::Last(event, state) => Form::Leaf(true, Leaf::Stamps(self.stamps(event, state, false)?)),
            Logic::Defined(defined) => Form::Leaf(true, Leaf::View(self.defined(defined, false)?)),
            Logic::Own(..) => return Err(Reason::Recursion),
            Logic::Foreign(part, arguments, yields) => {
                let foreign = ForeignUse { part: *part, arguments: arguments.clone(), yields: *yields };
                Form::Leaf(true, Leaf::Foreign(foreign))
            }
            Logic::Prev(body) => match &**body {
                Logic::Defined(defined) => Form::Leaf(true, Leaf::View(self.defined(defined, true)?)),
                Logic::Own(number, arguments) => {
                    let view = *self.own.get(number).ok_or(Reason::Recursion)?;
                    Form::Leaf(true, Leaf::View(ViewUse { view, old: true, arguments: arguments.clone() }))
                }
                Logic::Since(..) => Form::Leaf(true, Leaf::View(self.view(body, true)?)),
                Logic::Last(event, state) => Form::Leaf(true, Leaf::Stamps(self.stamps(event, state, true)?)),
                Logic::Constant(true) => {
                    let started = Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(Logic::TRUE));
                    Form::Leaf(true, Leaf::View(self.view(&started, true)?))
                }
                other => {
                    let now = Logic::Since(Interval::all(), Box::new(Logic::FALSE), Box::new(other.clone()));
                    Form::Leaf(true, Leaf::View(self.view(&now, true)?))
                }
            },
        })
    }

    fn event(&mut self, event: &Event) -> EventUse {
        let pattern = self.patterns.iter().position(|known| *known == event.pattern).unwrap_or_else(|| {
            self.patterns.push(event.pattern.clone());
            self.patterns.len() - 1
        });
        EventUse { pattern, arguments: event.arguments.clone(), condition: event.condition.clone() }
    }

    fn stamps(&mut self, event: &Logic, state: &Logic, old: bool) -> Lowered<StampUse> {
        let (state, delayed) = match state {
            Logic::Prev(body) => (&**body, true),
            other => (other, false),
        };
        let first = self.view(state, false)?;
        self.all[first.view].stamped = true;
        let once = Logic::Since(Interval::all(), Box::new(Logic::TRUE), Box::new(event.clone()));
        let last = self.define(&once, old, true)?;
        if self.all[first.view].has_set || self.all[last.view].has_set {
            return Err(Reason::Unrestricted);
        }
        Ok(StampUse { last, first, delayed })
    }

    fn view(&mut self, since: &Logic, old: bool) -> Lowered<ViewUse> {
        self.define(since, old, false)
    }

    /// The view of `φ S ψ`, made unless it is known, and its columns here.
    pub fn define(&mut self, since: &Logic, old: bool, last: bool) -> Lowered<ViewUse> {
        let (canonical, columns, has_set) = canonical(since, last)?;
        let view = match self.known.get(&(last, canonical.clone())) {
            Some(view) => *view,
            None => self.add(canonical, last, columns.len(), has_set)?,
        };
        Ok(ViewUse { view, old, arguments: columns })
    }

    /// The view of `φ S ψ`, if it is known, and its columns here.
    pub fn known_use(&self, since: &Logic) -> Option<ViewUse> {
        let (canonical, columns, _) = canonical(since, false).ok()?;
        let view = *self.known.get(&(false, canonical))?;
        Some(ViewUse { view, old: false, arguments: columns })
    }

    /// What each view without stamps is defined by, in the order of views.
    pub fn definitions(&self) -> Vec<(ViewId, Logic)> {
        let plain = self.known.iter().filter(|((last, _), _)| !last);
        let mut all: Vec<(ViewId, Logic)> = plain.map(|((_, logic), view)| (*view, logic.clone())).collect();
        all.sort_by_key(|(view, _)| *view);
        all
    }

    fn add(&mut self, canonical: Logic, last: bool, columns: usize, has_set: bool) -> Lowered<ViewId> {
        let Logic::Since(interval, left, right) = &canonical else { return Err(Reason::Size) };
        let makes = self.form(right)?;
        let breaks = self.form(&left.clone().negate())?;
        let upkeep = match (last, interval.is_all()) {
            (true, _) => Upkeep::LastStamp,
            (false, true) => Upkeep::Since,
            (false, false) => Upkeep::Window(interval.clone()),
        };
        let text = crate::fo::compile::show::logic(&canonical);
        self.all.push(Definition {
            upkeep,
            columns,
            has_set,
            breaks,
            makes,
            stamped: last,
            text,
            join: None,
            rows_of: None,
        });
        self.known.insert((last, canonical), self.all.len() - 1);
        Ok(self.all.len() - 1)
    }

    /// The view of a definition that calls itself, made unless it is known.
    fn defined(&mut self, defined: &Defined, old: bool) -> Lowered<ViewUse> {
        let Defined { number, parameters, .. } = defined;
        let general = Logic::Defined(Box::new(Defined { arguments: parameters.clone(), ..defined.clone() }));
        let mut numbering = Numbering::starting_with(parameters);
        let canonical = general.rename(&mut |variable| numbering.number(variable));
        if numbering.len() > REGISTERS {
            return Err(Reason::Size);
        }
        let view = match self.known.get(&(false, canonical.clone())) {
            Some(view) => *view,
            None => self.add_defined(*number, canonical)?,
        };
        Ok(ViewUse { view, old, arguments: defined.arguments.clone() })
    }

    fn add_defined(&mut self, number: u32, canonical: Logic) -> Lowered<ViewId> {
        let text = crate::fo::compile::show::logic(&canonical);
        let Logic::Defined(defined) = &canonical else { return Err(Reason::Size) };
        let columns = defined.parameters.len();
        let keys = restricted(&defined.right);
        if !(0..columns as Var).all(|column| keys.contains(&column)) {
            return Err(Reason::Unrestricted);
        }
        let nothing = Form::Constant(false);
        let view = self.all.len();
        let (upkeep, breaks, makes) = (Upkeep::Since, nothing.clone(), nothing);
        self.all.push(Definition {
            upkeep,
            columns,
            has_set: false,
            breaks,
            makes,
            stamped: false,
            text,
            join: None,
            rows_of: None,
        });
        let outer = self.own.insert(number, view);
        let makes = self.form(&defined.right)?;
        let breaks = self.form(&defined.left.clone().negate())?;
        match outer {
            Some(outer) => _ = self.own.insert(number, outer),
            None => _ = self.own.remove(&number),
        }
        (self.all[view].makes, self.all[view].breaks) = (makes, breaks);
        self.known.insert((false, canonical), view);
        Ok(view)
    }

    /// A table that holds what a view was before each point.
    pub fn add_copy(&mut self, of: ViewId) -> ViewId {
        let Definition { columns, has_set, .. } = self.all[of];
        let text = format!("@ {}", self.all[of].text);
        let nothing = Form::Constant(false);
        self.all.push(Definition {
            upkeep: Upkeep::Copy(of),
            columns,
            has_set,
            breaks: nothing.clone(),
            makes: nothing,
            stamped: false,
            text,
            join: None,
            rows_of: None,
        });
        self.all.len() - 1
    }
}

impl Form {
    /// The conjuncts, below quantifiers too.
    pub fn conjuncts_below(&self) -> Vec<Form> {
        match self {
            Form::And(all) => all.iter().flat_map(Form::conjuncts_below).collect(),
            Form::Exists(true, _, body) => body.conjuncts_below(),
            other => vec![other.clone()],
        }
    }

    /// The negation.
    pub fn negate(&self) -> Form {
        match self {
            Form::Constant(truth) => Form::Constant(!truth),
            Form::Leaf(there, leaf) => Form::Leaf(!there, leaf.clone()),
            Form::And(parts) => Form::Or(parts.iter().map(Form::negate).collect()),
            Form::Or(parts) => Form::And(parts.iter().map(Form::negate).collect()),
            Form::Exists(there, variables, body) => Form::Exists(!there, variables.clone(), body.clone()),
        }
    }

    /// Calls `visit` for every leaf.
    pub fn visit<'f>(&'f self, visit: &mut impl FnMut(&'f Leaf)) {
        match self {
            Form::Constant(_) => {}
            Form::Leaf(_, leaf) => visit(leaf),
            Form::And(parts) | Form::Or(parts) => parts.iter().for_each(|part| part.visit(visit)),
            Form::Exists(_, _, body) => body.visit(visit),
        }
    }

    /// The same with every leaf changed.
    pub fn change(&mut self, change: &mut impl FnMut(&mut Leaf)) {
        match self {
            Form::Constant(_) => {}
            Form::Leaf(_, leaf) => change(leaf),
            Form::And(parts) | Form::Or(parts) => parts.iter_mut().for_each(|part| part.change(change)),
            Form::Exists(_, _, body) => body.change(change),
        }
    }

    /// The registers that occur free.
    pub fn free(&self) -> BTreeSet<Var> {
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
    pub fn disjuncts(&self) -> Vec<&Form> {
        match self {
            Form::Constant(false) => Vec::new(),
            Form::Or(parts) => parts.iter().flat_map(Form::disjuncts).collect(),
            other => vec![other],
        }
    }

    /// Events of which one must happen for the formula to be true, if there are such.
    pub fn drivers(&self) -> Option<Vec<&EventUse>> {
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
    pub fn views(&self) -> impl Iterator<Item = ViewId> + use<> {
        let views = match self {
            Leaf::View(row) => [Some(row.view), None],
            Leaf::Stamps(stamps) => [Some(stamps.last.view), Some(stamps.first.view)],
            Leaf::Event(_) | Leaf::Compare(_) | Leaf::Foreign(_) => [None, None],
        };
        views.into_iter().flatten()
    }

    /// The registers that occur.
    pub fn variables(&self) -> Vec<Var> {
        match self {
            Leaf::Event(event) => event.variables(),
            Leaf::View(view) => view.arguments.clone(),
            Leaf::Compare(compare) => compare.variables(),
            Leaf::Stamps(stamps) => [&stamps.last.arguments[..], &stamps.first.arguments[..]].concat(),
            Leaf::Foreign(foreign) => foreign.arguments.clone(),
        }
    }
}

impl EventUse {
    /// The registers of the arguments and of the condition.
    pub fn variables(&self) -> Vec<Var> {
        let arguments = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Var(variable) => Some(*variable),
            _ => None,
        });
        arguments.chain(self.condition.iter().flat_map(Compare::variables)).collect()
    }
}
