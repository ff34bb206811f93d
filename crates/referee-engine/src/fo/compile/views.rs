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

use std::collections::HashMap;
use std::sync::Arc;

use referee_spec::core::Interval;

use crate::fo::code::expression::Pattern;
use crate::fo::code::reason::Reason;
use crate::fo::code::view::Upkeep;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Definition, EventUse, Form, Leaf, PartUse, StampUse, ViewKey, ViewUse};
use crate::fo::compile::logic::{Defined, Event, Logic};
use crate::fo::compile::restricted::restricted;
use crate::fo::types::{REGISTERS, Var, ViewId};

/// All views and patterns: of a program, or of all that the compiler has looked at.
#[derive(Debug, Clone, Default)]
pub(crate) struct Views {
    /// The views, each after those it reads.
    pub all: Vec<Definition>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    known: HashMap<Arc<ViewKey>, ViewId>,
    /// The definition that calls itself and is being read, and its view.
    own: Option<(u32, ViewId)>,
}

/// The variables of a formula in their order, with numbers from 0.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    numbers: HashMap<Var, Var>,
}

impl Numbering {
    /// A numbering that begins with these variables.
    pub(crate) fn starting_with(variables: &[Var]) -> Numbering {
        let mut numbering = Numbering::default();
        for variable in variables {
            numbering.number(*variable);
        }
        numbering
    }

    /// The number of a variable.
    pub(crate) fn number(&mut self, variable: Var) -> Var {
        let next = self.numbers.len() as Var;
        *self.numbers.entry(variable).or_insert(next)
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
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

impl Views {
    /// The form of a formula whose variables are registers.
    pub(crate) fn form(&mut self, logic: &Logic) -> Lowered<Form> {
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
            Logic::Part(part, arguments, yields) => {
                let part = PartUse { part: *part, arguments: arguments.clone(), yields: *yields };
                Form::Leaf(true, Leaf::Part(part))
            }
            Logic::Prev(body) => match &**body {
                Logic::Defined(defined) => Form::Leaf(true, Leaf::View(self.defined(defined, true)?)),
                Logic::Own(number, arguments) => {
                    let (_, view) = self.own.filter(|(own, _)| own == number).ok_or(Reason::Recursion)?;
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
    pub(crate) fn define(&mut self, since: &Logic, old: bool, last: bool) -> Lowered<ViewUse> {
        let (logic, columns, has_set) = canonical(since, last)?;
        let within = self.own.map(|(_, view)| view).filter(|_| logic.calls_itself());
        let key = ViewKey { within, last, logic };
        let view = match self.known.get(&key) {
            Some(view) => *view,
            None => self.add(key, columns.len(), has_set)?,
        };
        Ok(ViewUse { view, old, arguments: columns })
    }

    /// The view of `φ S ψ`, if it is known, and its columns here.
    pub(crate) fn known_use(&self, within: Option<ViewId>, since: &Logic) -> Option<ViewUse> {
        let (logic, columns, _) = canonical(since, false).ok()?;
        let view = *self.known.get(&ViewKey { within, last: false, logic })?;
        Some(ViewUse { view, old: false, arguments: columns })
    }

    fn add(&mut self, key: ViewKey, columns: usize, has_set: bool) -> Lowered<ViewId> {
        let Logic::Since(interval, left, right) = &key.logic else { return Err(Reason::Size) };
        let makes = self.form(right)?;
        let breaks = self.form(&left.clone().negate())?;
        let upkeep = match (key.last, interval.is_all()) {
            (true, _) => Upkeep::LastStamp,
            (false, true) => Upkeep::Since,
            (false, false) => Upkeep::Window(interval.clone()),
        };
        let text = crate::fo::compile::show::logic(&key.logic);
        let definition = Definition::new(upkeep, columns, has_set, text);
        Ok(self.push(Definition { makes, breaks, key: Some(Arc::new(key)), ..definition }))
    }

    /// Takes a view as it is; one that stands for something is known from then on.
    pub(crate) fn push(&mut self, definition: Definition) -> ViewId {
        let view = self.all.len();
        if let Some(key) = &definition.key {
            self.known.insert(key.clone(), view);
        }
        self.all.push(definition);
        view
    }

    /// The view of a definition that calls itself, made unless it is known.
    fn defined(&mut self, defined: &Defined, old: bool) -> Lowered<ViewUse> {
        let Defined { number, parameters, .. } = defined;
        let general = Logic::Defined(Box::new(Defined { arguments: parameters.clone(), ..defined.clone() }));
        let mut numbering = Numbering::starting_with(parameters);
        let logic = general.rename(&mut |variable| numbering.number(variable));
        if numbering.len() > REGISTERS {
            return Err(Reason::Size);
        }
        let key = ViewKey { within: None, last: false, logic };
        let view = match self.known.get(&key) {
            Some(view) => *view,
            None => self.add_defined(*number, key)?,
        };
        Ok(ViewUse { view, old, arguments: defined.arguments.clone() })
    }

    fn add_defined(&mut self, number: u32, key: ViewKey) -> Lowered<ViewId> {
        let Logic::Defined(defined) = &key.logic else { return Err(Reason::Size) };
        let columns = defined.parameters.len();
        let keys = restricted(&defined.right);
        if !(0..columns as Var).all(|column| keys.contains(&column)) {
            return Err(Reason::Unrestricted);
        }
        let text = crate::fo::compile::show::logic(&key.logic);
        let view = self.push(Definition::new(Upkeep::Since, columns, false, text));
        let outer = self.own.replace((number, view));
        let forms = self.form(&defined.right).and_then(|makes| Ok((makes, self.form(&defined.left.clone().negate())?)));
        self.own = outer;
        let (makes, breaks) = forms?;
        let key = Arc::new(key);
        self.known.insert(key.clone(), view);
        let own = &mut self.all[view];
        (own.makes, own.breaks, own.key) = (makes, breaks, Some(key));
        Ok(view)
    }

    /// A table that holds what a view was before each point.
    pub(crate) fn add_copy(&mut self, of: ViewId) -> ViewId {
        let Definition { columns, has_set, text, .. } = &self.all[of];
        let copy = Definition::new(Upkeep::Copy(of), *columns, *has_set, format!("@ {text}"));
        self.push(copy)
    }
}
