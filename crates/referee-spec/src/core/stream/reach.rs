//! Which instances a clause can concern: found by key, by a part of it, or only by looking at all of them.
//!
//! ```text
//!  eval when init = p or run = p          keys: init, run
//!  eval when s(p) > 3                     keys: those at which s has a value
//!  eval when x = p, of (p, q)             those whose p is x
//!  eval when tick                         all
//! ```
//!
//! A conjunction concerns no more than either side, a disjunction no more than both together; naming `s(p)` directly
//! concerns only keys at which `s` has a value. What is found is a superset: the clause itself still decides. Of those that
//! are left out it is certain that their clauses say nothing, not even that they divide by zero: an equation counts only if
//! nothing before it in its condition can.

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::expression::{Access, Expr, ExprKind, How, Operator, StreamId};
use super::program::{Eval, Template};

/// The instances that may have to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstanceReach {
    /// Those with keys from these sources.
    Keys(Vec<KeySource>),
    /// All that live.
    All,
}

/// Where keys come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// One expression per parameter; nothing where any value will do, which is not so for all of them.
    Values(Vec<Option<Expr>>),
    /// The instances of another stream that have a value at the step; its key is made of these parameters.
    Fresh(StreamId, Vec<usize>),
}

impl KeySource {
    /// The parameters that it says something of, in the order in which it does.
    pub fn columns(&self) -> Vec<usize> {
        match self {
            KeySource::Values(key) => (0..key.len()).filter(|index| key[*index].is_some()).collect(),
            KeySource::Fresh(_, columns) => columns.clone(),
        }
    }

    /// Whether it gives whole keys of a template with so many parameters, each in its place.
    pub fn is_whole(&self, arity: usize) -> bool {
        self.columns().into_iter().eq(0..arity)
    }
}

impl InstanceReach {
    fn or(self, other: InstanceReach) -> InstanceReach {
        match (self, other) {
            (InstanceReach::Keys(mut left), InstanceReach::Keys(right)) => {
                for source in right {
                    if !left.contains(&source) {
                        left.push(source);
                    }
                }
                InstanceReach::Keys(left)
            }
            _ => InstanceReach::All,
        }
    }
}

/// A clause, as far as it tells which instances it concerns.
#[derive(Debug, Clone, Copy)]
pub struct Concern<'t> {
    /// What is true wherever it has an effect.
    condition: Option<&'t Expr>,
    /// What else it reads.
    value: Option<&'t Expr>,
}

impl<'t> Concern<'t> {
    /// Of an `eval` clause. That of a trigger has an effect only where its value is true.
    pub fn of_eval(eval: &'t Eval, is_trigger: bool) -> Concern<'t> {
        let condition = eval.when.as_ref().or(is_trigger.then_some(&eval.with));
        Concern { condition, value: Some(&eval.with) }
    }

    /// Of a `close` clause.
    pub fn of_close(close: &'t Expr) -> Concern<'t> {
        Concern { condition: Some(close), value: None }
    }

    /// The instances that it concerns.
    fn reach(&self, arity: usize) -> InstanceReach {
        let expressions = || [self.condition, self.value].into_iter().flatten();
        if expressions().any(has_risky_key) {
            return InstanceReach::All;
        }
        let equal = self.condition.and_then(|condition| equal_keys(condition, arity));
        let named = named_directly(expressions(), arity);
        let is_whole = |keys: &Vec<Key>| keys.iter().flatten().all(Option::is_some);
        match (equal, named) {
            (Some(keys), named) if named.is_none() || is_whole(&keys) => {
                InstanceReach::Keys(keys.into_iter().map(KeySource::Values).collect())
            }
            (_, Some(source)) => InstanceReach::Keys(vec![source]),
            (_, None) => InstanceReach::All,
        }
    }
}

/// The instances that some clauses of a template concern.
pub fn reach<'t>(template: &Template, concerns: impl IntoIterator<Item = Concern<'t>>) -> InstanceReach {
    if template.parameters.is_empty() {
        return InstanceReach::Keys(vec![KeySource::Values(Vec::new())]);
    }
    let arity = template.parameters.len();
    concerns.into_iter().map(|concern| concern.reach(arity)).fold(InstanceReach::Keys(Vec::new()), InstanceReach::or)
}

/// The stream that is named directly at the most of the template's own key.
fn named_directly<'e>(expressions: impl Iterator<Item = &'e Expr>, arity: usize) -> Option<KeySource> {
    let rank = |source: &KeySource| (source.is_whole(arity), source.columns().len());
    let mut found: Option<KeySource> = None;
    for expression in expressions {
        expression.references(&mut |reference| {
            let Access { stream, key, how } = reference.access;
            if let Some(columns) = parameters(key).filter(|columns| !columns.is_empty() && *how == How::Now) {
                let source = KeySource::Fresh(*stream, columns);
                if found.as_ref().is_none_or(|known| rank(&source) > rank(known)) {
                    found = Some(source);
                }
            }
        });
    }
    found
}

/// The parameters that make up a key, if nothing else does and each stands there once.
fn parameters(key: &[Expr]) -> Option<Vec<usize>> {
    let mut columns = Vec::new();
    for part in key {
        match part.kind {
            ExprKind::Parameter(index) if !columns.contains(&index) => columns.push(index),
            _ => return None,
        }
    }
    Some(columns)
}

/// One expression per parameter, where it is known.
type Key = Vec<Option<Expr>>;

/// The keys at which a condition can be true, if it says so by equations.
fn equal_keys(condition: &Expr, arity: usize) -> Option<Vec<Key>> {
    if let ExprKind::Binary(Operator::Or, left, right) = &condition.kind {
        let mut keys = equal_keys(left, arity)?;
        for key in equal_keys(right, arity)? {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        return Some(keys);
    }
    let mut own: Key = vec![None; arity];
    let mut alternatives = None;
    let mut is_safe = true;
    conjuncts(condition, &mut |conjunct| {
        if !is_safe {
            return;
        }
        if let Some((parameter, value)) = equation(conjunct) {
            own[parameter].get_or_insert_with(|| value.clone());
        } else if alternatives.is_none() && matches!(conjunct.kind, ExprKind::Binary(Operator::Or, ..)) {
            alternatives = equal_keys(conjunct, arity);
        }
        is_safe = !can_divide_by_zero(conjunct);
    });
    let is_known = own.iter().any(Option::is_some);
    match alternatives {
        Some(_) if own.iter().all(Option::is_some) => Some(vec![own]),
        Some(keys) => {
            let join = |key: Key| own.iter().cloned().zip(key).map(|(own, other)| own.or(other)).collect();
            Some(keys.into_iter().map(join).collect())
        }
        None => is_known.then(|| vec![own]),
    }
}

fn conjuncts<'e>(condition: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    match &condition.kind {
        ExprKind::Binary(Operator::And, left, right) => {
            conjuncts(left, visit);
            conjuncts(right, visit);
        }
        _ => visit(condition),
    }
}

/// `p = e` or `e = p`, where e mentions no parameter and can be computed whether there is such an instance or not.
fn equation(condition: &Expr) -> Option<(usize, &Expr)> {
    let ExprKind::Binary(Operator::Equal, left, right) = &condition.kind else { return None };
    let (index, value) = match (&left.kind, &right.kind) {
        (ExprKind::Parameter(index), _) => (*index, right),
        (_, ExprKind::Parameter(index)) => (*index, left),
        _ => return None,
    };
    (!value.has_parameter() && !can_divide_by_zero(value)).then_some((index, value))
}

fn can_divide_by_zero(expression: &Expr) -> bool {
    let mut found = false;
    expression.visit(&mut |inner| {
        if let ExprKind::Binary(Operator::Divide | Operator::Remainder, _, divisor) = &inner.kind {
            let constant = match &divisor.kind {
                ExprKind::Constant(Value::Number(number)) => Some(number),
                _ => None,
            };
            found |= constant.is_none_or(|number| *number == Number::ZERO);
        }
    });
    found
}

/// Whether a stream is named directly with a key that divides: that is computed before any condition.
fn has_risky_key(expression: &Expr) -> bool {
    let mut found = false;
    expression.references(&mut |reference| {
        let Access { key, how, .. } = reference.access;
        found |= *how == How::Now && key.iter().any(can_divide_by_zero);
    });
    found
}
