//! Plans: how a formula is evaluated, given what is known already.
//!
//! ```text
//!   acq(t1,l2) ∧ @held(t1,l1) ∧ @P edge(l2,l1)         known: t1, l2 (the event)
//!      ─▶ scan held by its first column for l1, probe edge(l2,l1)
//! ```
//!
//! A plan is a list of steps. A step tests what is bound, or binds more and goes on for every way to do so. The planner
//! tests as soon as everything is bound, the cheapest test first, and otherwise takes the generator that has most columns
//! bound. **A plan finds every solution that agrees with what is bound, and nothing else.**
//!
//! A variable that nothing generates is handled by the algebra of finite and co-finite sets, if it is the only one.

use crate::fo::code::plan::Action;
use crate::fo::code::plan::EventMatch;
use crate::fo::code::plan::Plan;
use crate::fo::code::plan::PlanOperand;
use crate::fo::code::plan::PlanStep;
use crate::fo::code::plan::RowMatch;
use crate::fo::code::plan::SetPlan;
use std::collections::BTreeSet;

use referee_spec::core::Comparison;

use crate::fo::code::expression::{Argument, Compare, Expr};
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::form::{Definition, EventUse, Form, Leaf, StampUse, ViewUse};
use crate::fo::types::{Var, ViewId};

/// Makes plans for one program.
pub(crate) struct FormPlanner<'v> {
    /// The views.
    pub views: &'v [Definition],
    /// The constants, as the plans number them.
    pub constants: &'v mut Vec<referee_trace::value::Value>,
    /// The indexes that plans need, by view: their columns, and whether one plan alone uses it.
    pub indexes: &'v mut Vec<Vec<(Vec<usize>, bool)>>,
    /// Whether indexes may be used.
    pub use_indexes: bool,
    /// The view of which rows are meant even if they do not count at the moment, in a window.
    pub whole: Option<ViewId>,
}

type BoundVars = BTreeSet<Var>;

fn register(variable: Var) -> u8 {
    variable as u8
}

impl FormPlanner<'_> {
    /// A plan that binds all free registers of a formula, given some; `known` is an event that is known to be there.
    pub(crate) fn plan(&mut self, form: &Form, bound: &mut BoundVars, known: Option<&EventUse>) -> Lowered<Plan> {
        let mut plan = Plan::default();
        self.conjunction(vec![form], bound, known, &mut plan)?;
        Ok(plan)
    }

    fn conjunction(
        &mut self,
        parts: Vec<&Form>,
        bound: &mut BoundVars,
        known: Option<&EventUse>,
        plan: &mut Plan,
    ) -> Lowered<()> {
        let mut open: Vec<&Form> = Vec::new();
        parts.into_iter().for_each(|part| flatten(part, &mut open));
        open.retain(|part| !matches!(part, Form::Constant(true)));
        while !open.is_empty() {
            let ready = (0..open.len()).filter(|&at| is_bound(open[at], bound)).min_by_key(|&at| test_cost(open[at]));
            if let Some(at) = ready {
                let part = open.remove(at);
                self.test(part, bound, known, plan)?;
                continue;
            }
            if let Some(at) = open.iter().position(|part| assignment(part, bound).is_some()) {
                if let Some((variable, value)) = assignment(open.remove(at), bound) {
                    let operand = self.expr_operand(&value)?;
                    plan.steps.push(PlanStep::Assign(register(variable), operand));
                    bound.insert(variable);
                }
                continue;
            }
            let best = (0..open.len()).filter_map(|at| Some((self.cost(open[at], bound)?, at))).min();
            let Some((_, at)) = best else { return Err(Reason::Unrestricted) };
            match open.remove(at) {
                // The body's parts join the others: a test of those may cut its generators short.
                Form::Exists(true, _, body) => flatten(body, &mut open),
                part => self.generate(part, bound, known, plan, &open)?,
            }
            open.retain(|part| !matches!(part, Form::Constant(true)));
        }
        Ok(())
    }

    /// A test of what is bound.
    fn test(&mut self, part: &Form, bound: &BoundVars, known: Option<&EventUse>, plan: &mut Plan) -> Lowered<()> {
        let step = match part {
            Form::Constant(true) => return Ok(()),
            Form::Constant(false) => PlanStep::Some(true, Plan { steps: vec![PlanStep::Choice(Vec::new())] }),
            Form::Leaf(true, Leaf::Event(event)) if known == Some(event) => return Ok(()),
            Form::Leaf(there, Leaf::Event(event)) => {
                let matching = self.event_match(event, &mut bound.clone())?;
                match there {
                    true => PlanStep::Some(true, Plan { steps: vec![PlanStep::Events(matching)] }),
                    false => PlanStep::NoEvent(matching),
                }
            }
            Form::Leaf(there, Leaf::View(row)) => self.probe(*there, row),
            Form::Leaf(there, Leaf::Compare(compare)) => {
                self.note_constants(compare);
                PlanStep::Compare(*there, compare.clone())
            }
            Form::Leaf(there, Leaf::Stamps(stamps)) => PlanStep::Stamps {
                there: *there,
                last: (stamps.last.view, registers(&stamps.last.arguments)),
                first: (stamps.first.view, registers(&stamps.first.arguments)),
                delayed: stamps.delayed,
            },
            Form::Leaf(there, Leaf::Part(part)) => {
                PlanStep::Fallback { there: *there, part: part.part, key: registers(&part.arguments) }
            }
            Form::Or(parts) => {
                let plans =
                    parts.iter().map(|part| self.plan(part, &mut bound.clone(), known)).collect::<Lowered<Vec<_>>>()?;
                PlanStep::Some(true, Plan { steps: vec![PlanStep::Choice(plans)] })
            }
            Form::Exists(there, variables, body) => self.some(*there, variables, body, bound, known)?,
            Form::And(_) => return Err(Reason::Size),
        };
        plan.steps.push(step);
        Ok(())
    }

    fn some(
        &mut self,
        there: bool,
        variables: &[Var],
        body: &Form,
        bound: &BoundVars,
        known: Option<&EventUse>,
    ) -> Lowered<PlanStep> {
        // What is known of an event says nothing about others that a negation may range over.
        let known = known.filter(|_| there);
        match self.plan(body, &mut bound.clone(), known) {
            Ok(plan) => Ok(PlanStep::Some(there, plan)),
            Err(reason) => match variables[..] {
                [variable] => Ok(PlanStep::NonEmpty(there, self.set(body, variable, bound)?)),
                _ => Err(reason),
            },
        }
    }

    /// The view that has the rows of a view: itself, or another one.
    pub(crate) fn home(&self, view: ViewId) -> ViewId {
        self.views[view].rows_of.unwrap_or(view)
    }

    fn probe(&mut self, there: bool, row: &ViewUse) -> PlanStep {
        let keys = self.views[row.view].keys();
        let operands = registers(&row.arguments);
        PlanStep::Probe {
            there,
            view: self.home(row.view),
            key: operands[..keys].to_vec(),
            member: self.views[row.view].has_set.then(|| operands[keys]),
            all: self.whole == Some(row.view),
        }
    }

    /// How much a generator costs; nothing if it does not generate all its registers.
    fn cost(&mut self, part: &Form, bound: &BoundVars) -> Option<usize> {
        match part {
            Form::Leaf(true, Leaf::Event(event)) => {
                let mut all = bound.clone();
                all.extend(arguments(event));
                event.condition.iter().flat_map(Compare::variables).all(|variable| all.contains(&variable)).then_some(1)
            }
            // What is joined when it is asked for has no rows to go through.
            Form::Leaf(true, Leaf::View(row)) if self.views[row.view].join.is_some() => None,
            Form::Leaf(true, Leaf::View(row)) => {
                let keys = self.views[row.view].keys();
                let open = |variable: &&Var| !bound.contains(variable);
                let member_open = row.arguments[keys..]
                    .iter()
                    .any(|variable| !bound.contains(variable) && !row.arguments[..keys].contains(variable));
                let unbound = row.arguments[..keys].iter().filter(open).count();
                match (member_open, unbound == keys) {
                    (true, _) => None,
                    (false, true) => Some(1000 + unbound),
                    (false, false) => Some(10 + unbound),
                }
            }
            Form::Leaf(true, Leaf::Stamps(stamps)) => {
                let last_bound = stamps.last.arguments.iter().all(|variable| bound.contains(variable));
                Some(if last_bound { 100 } else { 2000 })
            }
            Form::Leaf(true, Leaf::Part(part)) => {
                let others = &part.arguments[..part.arguments.len() - usize::from(part.yields)];
                (part.yields && others.iter().all(|other| bound.contains(other))).then_some(700)
            }
            Form::Or(parts) => {
                let free = part.free();
                let each = |part: &Form| {
                    let mut bound = bound.clone();
                    self.plan(part, &mut bound, None).is_ok() && free.is_subset(&bound)
                };
                parts.iter().map(each).collect::<Vec<_>>().into_iter().all(|fine| fine).then_some(500)
            }
            Form::Exists(true, _, body) => self.plan(body, &mut bound.clone(), None).is_ok().then_some(600),
            _ => None,
        }
    }

    fn generate(
        &mut self,
        part: &Form,
        bound: &mut BoundVars,
        known: Option<&EventUse>,
        plan: &mut Plan,
        others: &[&Form],
    ) -> Lowered<()> {
        match part {
            Form::Leaf(true, Leaf::Event(event)) => {
                let matching = self.event_match(event, bound)?;
                plan.steps.push(PlanStep::Events(matching));
            }
            Form::Leaf(true, Leaf::View(row)) => {
                let rows = self.row_match(row, bound);
                plan.steps.push(PlanStep::Rows(rows));
            }
            Form::Leaf(true, Leaf::Stamps(stamps)) => self.older(stamps, bound, plan, others)?,
            Form::Leaf(true, Leaf::Part(part)) => {
                let (last, others) = part.arguments.split_last().ok_or(Reason::Unrestricted)?;
                let (key, register) = (registers(others), register(*last));
                plan.steps.push(PlanStep::Yield { part: part.part, key, register });
                bound.insert(*last);
            }
            Form::Or(parts) => {
                let free = part.free();
                let plans =
                    parts.iter().map(|part| self.plan(part, &mut bound.clone(), known)).collect::<Lowered<Vec<_>>>()?;
                plan.steps.push(PlanStep::Choice(plans));
                bound.extend(free);
            }
            _ => return Err(Reason::Unrestricted),
        }
        Ok(())
    }

    /// Rows in the order of their first stamps, up to the last stamp of another row.
    fn older(&mut self, stamps: &StampUse, bound: &mut BoundVars, plan: &mut Plan, others: &[&Form]) -> Lowered<()> {
        if !stamps.last.arguments.iter().all(|variable| bound.contains(variable)) {
            let rows = self.row_match(&stamps.last, bound);
            plan.steps.push(PlanStep::Rows(rows));
        }
        let last = (stamps.last.view, registers(&stamps.last.arguments));
        let unless = self.antitone(stamps, others);
        // The rows that are passed over for good leave the index, which must therefore be used by nobody else.
        let rows = match &unless {
            Some(_) => self.private_match(&stamps.first, bound),
            None => self.row_match(&stamps.first, bound),
        };
        plan.steps.push(PlanStep::Older { last, rows, delayed: stamps.delayed, unless });
        Ok(())
    }

    /// A test that fails for good once a monotone row is there, over the columns of the row alone.
    fn antitone(&self, stamps: &StampUse, others: &[&Form]) -> Option<(ViewId, Vec<usize>)> {
        if !self.use_indexes {
            return None;
        }
        let place = |variable: &Var| stamps.first.arguments.iter().position(|argument| argument == variable);
        others.iter().find_map(|other| match other {
            Form::Leaf(false, Leaf::View(row)) if self.is_monotone(row.view) => {
                let columns = row.arguments.iter().map(place).collect::<Option<Vec<_>>>()?;
                Some((self.home(row.view), columns))
            }
            _ => None,
        })
    }

    fn is_monotone(&self, view: ViewId) -> bool {
        let view = &self.views[view];
        view.breaks == Form::Constant(false)
            && matches!(view.upkeep, crate::fo::code::view::Upkeep::Since)
            && !view.has_set
    }

    fn event_match(&mut self, event: &EventUse, bound: &mut BoundVars) -> Lowered<EventMatch> {
        let mut actions = Vec::with_capacity(event.arguments.len());
        for argument in &event.arguments {
            actions.push(match argument {
                Argument::Any => Action::Skip,
                Argument::Constant(value) => Action::Equal(self.constant(value)),
                Argument::Var(variable) => bind(*variable, bound),
            });
        }
        if event.condition.iter().flat_map(Compare::variables).any(|variable| !bound.contains(&variable)) {
            return Err(Reason::Unrestricted);
        }
        event.condition.iter().for_each(|condition| self.note_constants(condition));
        Ok(EventMatch { pattern: event.pattern, actions, condition: event.condition.clone() })
    }

    /// How the event of a trigger is matched: it binds what it can.
    pub(crate) fn trigger_match(
        &mut self,
        event: &EventUse,
        bound: &mut BoundVars,
        only: Option<&BoundVars>,
    ) -> EventMatch {
        let mut actions = Vec::with_capacity(event.arguments.len());
        for argument in &event.arguments {
            actions.push(match argument {
                Argument::Any => Action::Skip,
                Argument::Constant(value) => Action::Equal(self.constant(value)),
                Argument::Var(variable) if only.is_none_or(|only| only.contains(variable)) => bind(*variable, bound),
                Argument::Var(_) => Action::Skip,
            });
        }
        // A condition over what is not bound yet is left to the plan.
        let ready = |condition: &&Compare| condition.variables().iter().all(|variable| bound.contains(variable));
        let condition = event.condition.as_ref().filter(ready).cloned();
        condition.iter().for_each(|condition| self.note_constants(condition));
        EventMatch { pattern: event.pattern, actions, condition }
    }

    /// How rows are found and read.
    pub(crate) fn row_match(&mut self, row: &ViewUse, bound: &mut BoundVars) -> RowMatch {
        self.match_rows(row, bound, false)
    }

    fn private_match(&mut self, row: &ViewUse, bound: &mut BoundVars) -> RowMatch {
        self.match_rows(row, bound, true)
    }

    fn match_rows(&mut self, row: &ViewUse, bound: &mut BoundVars, private: bool) -> RowMatch {
        let (view, keys) = (self.home(row.view), self.views[row.view].keys());
        let columns: Vec<usize> = (0..keys).filter(|&at| bound.contains(&row.arguments[at])).collect();
        let values: Vec<PlanOperand> =
            columns.iter().map(|&at| PlanOperand::Register(register(row.arguments[at]))).collect();
        let index = match columns.len() {
            0 if !private => None,
            // The whole key needs no index.
            bound if bound == keys && !private => Some((usize::MAX, values)),
            _ if self.use_indexes => Some((self.index(view, columns, private), values)),
            _ => None,
        };
        let actions = row.arguments[..keys].iter().map(|variable| bind(*variable, bound)).collect();
        let member = row.arguments.get(keys).map(|variable| PlanOperand::Register(register(*variable)));
        RowMatch { view, index, actions, member, all: self.whole == Some(row.view) }
    }

    fn index(&mut self, view: ViewId, columns: Vec<usize>, private: bool) -> usize {
        let all = &mut self.indexes[view];
        let known = all.iter().position(|(known, is_private)| *known == columns && !private && !is_private);
        known.unwrap_or_else(|| {
            all.push((columns, private));
            all.len() - 1
        })
    }

    /// The values of one variable that make a formula true, all others being bound.
    pub(crate) fn set(&mut self, form: &Form, variable: Var, bound: &BoundVars) -> Lowered<SetPlan> {
        if !form.free().contains(&variable) {
            return Ok(SetPlan::If(self.plan(form, &mut bound.clone(), None)?));
        }
        let signed = |there: bool, plan: SetPlan| if there { plan } else { SetPlan::Not(Box::new(plan)) };
        match form {
            Form::And(parts) => {
                Ok(SetPlan::And(parts.iter().map(|part| self.set(part, variable, bound)).collect::<Lowered<_>>()?))
            }
            Form::Or(parts) => {
                Ok(SetPlan::Or(parts.iter().map(|part| self.set(part, variable, bound)).collect::<Lowered<_>>()?))
            }
            Form::Leaf(there, leaf) => Ok(signed(*there, self.leaf_set(leaf, variable, bound)?)),
            Form::Constant(_) | Form::Exists(..) => Err(Reason::Unrestricted),
        }
    }

    fn leaf_set(&mut self, leaf: &Leaf, variable: Var, bound: &BoundVars) -> Lowered<SetPlan> {
        let others_bound = leaf.variables().iter().all(|other| *other == variable || bound.contains(other));
        if !others_bound || bound.contains(&variable) {
            return Err(Reason::Unrestricted);
        }
        match leaf {
            Leaf::Compare(Compare { how, left, right }) => {
                let side = match (left, right) {
                    (Expr::Var(own), other) | (other, Expr::Var(own)) if *own == variable => other,
                    _ => return Err(Reason::Unrestricted),
                };
                let value = SetPlan::Value(self.expr_operand(side)?);
                match (how, side) {
                    (_, Expr::Var(other)) if *other == variable => Err(Reason::Unrestricted),
                    (Comparison::Equal, _) => Ok(value),
                    (Comparison::NotEqual, _) => Ok(SetPlan::Not(Box::new(value))),
                    _ => Err(Reason::Unrestricted),
                }
            }
            Leaf::View(row) if self.views[row.view].join.is_some() => Err(Reason::Unrestricted),
            Leaf::View(row) => {
                let keys = self.views[row.view].keys();
                let own_keys = row.arguments[..keys].iter().filter(|own| **own == variable).count();
                let in_set = row.arguments.get(keys) == Some(&variable);
                match (in_set, own_keys, self.views[row.view].has_set) {
                    (true, 0, _) => Ok(SetPlan::OfRow(row.view, registers(&row.arguments[..keys]))),
                    (false, 1.., false) => {
                        let rows = self.row_match(row, &mut bound.clone());
                        Ok(SetPlan::Column(rows, register(variable)))
                    }
                    _ => Err(Reason::Unrestricted),
                }
            }
            Leaf::Event(event) if event.condition.is_none() => {
                let matching = self.event_match(event, &mut bound.clone())?;
                Ok(SetPlan::Events(matching, register(variable)))
            }
            Leaf::Event(_) | Leaf::Stamps(_) | Leaf::Part(_) => Err(Reason::Unrestricted),
        }
    }

    /// The number of a constant.
    pub(crate) fn constant(&mut self, value: &referee_trace::value::Value) -> PlanOperand {
        let at = self.constants.iter().position(|known| known == value).unwrap_or_else(|| {
            self.constants.push(value.clone());
            self.constants.len() - 1
        });
        PlanOperand::Constant(at as u16)
    }

    fn note_constants(&mut self, compare: &Compare) {
        for side in [&compare.left, &compare.right] {
            if let Expr::Constant(value) = side {
                self.constant(value);
            }
        }
    }

    fn expr_operand(&mut self, side: &Expr) -> Lowered<PlanOperand> {
        match side {
            Expr::Var(variable) => Ok(PlanOperand::Register(register(*variable))),
            Expr::Constant(value) => Ok(self.constant(value)),
            _ => Err(Reason::Computation),
        }
    }
}

/// Binds a variable, or compares with what is bound.
pub(crate) fn bind(variable: Var, bound: &mut BoundVars) -> Action {
    match bound.insert(variable) {
        true => Action::Bind(register(variable)),
        false => Action::Equal(PlanOperand::Register(register(variable))),
    }
}

/// The registers of variables.
pub(crate) fn registers(variables: &[Var]) -> Vec<PlanOperand> {
    variables.iter().map(|variable| PlanOperand::Register(register(*variable))).collect()
}

fn arguments(event: &EventUse) -> impl Iterator<Item = Var> {
    event.arguments.iter().filter_map(|argument| match argument {
        Argument::Var(variable) => Some(*variable),
        _ => None,
    })
}

fn flatten<'f>(part: &'f Form, all: &mut Vec<&'f Form>) {
    match part {
        Form::And(parts) => parts.iter().for_each(|part| flatten(part, all)),
        other => all.push(other),
    }
}

fn is_bound(part: &Form, bound: &BoundVars) -> bool {
    part.free().is_subset(bound)
}

/// Cheap tests come first.
fn test_cost(part: &Form) -> usize {
    match part {
        Form::Constant(_) => 0,
        Form::Leaf(_, Leaf::Compare(_)) => 1,
        Form::Leaf(_, Leaf::Event(_)) => 2,
        // That a row lacks no value at all is rarer than that a row is there.
        Form::Exists(false, variables, body)
            if variables.len() == 1 && matches!(**body, Form::Leaf(false, Leaf::View(_))) =>
        {
            3
        }
        Form::Leaf(_, Leaf::View(_)) => 4,
        Form::Leaf(_, Leaf::Stamps(_)) => 5,
        Form::Or(_) | Form::And(_) => 6,
        Form::Exists(..) => 7,
        Form::Leaf(_, Leaf::Part(_)) => 8,
    }
}

/// A variable that an equation gives, and the other side.
fn assignment(part: &Form, bound: &BoundVars) -> Option<(Var, Expr)> {
    let Form::Leaf(true, Leaf::Compare(Compare { how: Comparison::Equal, left, right })) = part else { return None };
    let fixed = |side: &Expr| match side {
        Expr::Var(variable) => bound.contains(variable),
        Expr::Constant(_) => true,
        _ => false,
    };
    match (left, right) {
        (Expr::Var(variable), other) if !bound.contains(variable) && fixed(other) => Some((*variable, other.clone())),
        (other, Expr::Var(variable)) if !bound.contains(variable) && fixed(other) => Some((*variable, other.clone())),
        _ => None,
    }
}
