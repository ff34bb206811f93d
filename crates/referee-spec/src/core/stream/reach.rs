//! Which instances a clause can concern: found by key, or only by looking at all of them.
//!
//! ```text
//!  eval when init = p or run = p          keys: init, run
//!  eval when s(p) > 3                     keys: those at which s has a value
//!  eval when tick                         all
//! ```
//!
//! A conjunction concerns no more than either side, a disjunction no more than both together; naming `s(p)` directly
//! concerns only keys at which `s` has a value. What is found is a superset: the clause itself still decides.

use super::{Access, Expr, ExprKind, How, Operator, StreamId, Template};

/// The instances that may have to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Those with keys from these sources.
    Keys(Vec<KeySource>),
    /// All that live.
    All,
}

/// Where keys come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// One expression per parameter.
    Values(Vec<Expr>),
    /// The instances of another stream that have a value at the step.
    Fresh(StreamId),
}

impl Reach {
    fn or(self, other: Reach) -> Reach {
        match (self, other) {
            (Reach::Keys(mut left), Reach::Keys(right)) => {
                for source in right {
                    if !left.contains(&source) {
                        left.push(source);
                    }
                }
                Reach::Keys(left)
            }
            _ => Reach::All,
        }
    }
}

/// The instances that some clauses of a template concern; each clause is given as its condition and its other expressions.
pub fn reach(template: &Template, clauses: &[(Option<&Expr>, Option<&Expr>)]) -> Reach {
    if template.parameters.is_empty() {
        return Reach::Keys(vec![KeySource::Values(Vec::new())]);
    }
    let arity = template.parameters.len();
    let of_clause = |(when, with): &(Option<&Expr>, Option<&Expr>)| {
        let named = [when, with].into_iter().flatten().find_map(|expression| named_directly(expression, arity));
        let equal = when.and_then(|when| equal_keys(when, arity));
        match (equal, named) {
            (Some(keys), _) => Reach::Keys(keys.into_iter().map(KeySource::Values).collect()),
            (None, Some(stream)) => Reach::Keys(vec![KeySource::Fresh(stream)]),
            (None, None) => Reach::All,
        }
    };
    clauses.iter().map(of_clause).fold(Reach::Keys(Vec::new()), Reach::or)
}

/// A stream that the expression names directly at exactly the template's own key.
fn named_directly(expression: &Expr, arity: usize) -> Option<StreamId> {
    let mut found = None;
    expression.references(&mut |reference| {
        let Access { stream, key, how } = reference.access;
        let is_own =
            key.len() == arity && key.iter().enumerate().all(|(index, part)| part.kind == ExprKind::Parameter(index));
        if found.is_none() && *how == How::Now && is_own {
            found = Some(*stream);
        }
    });
    found
}

/// The keys at which a condition can be true, if it says so by equations.
fn equal_keys(condition: &Expr, arity: usize) -> Option<Vec<Vec<Expr>>> {
    match &condition.kind {
        ExprKind::Binary(Operator::Or, left, right) => {
            let mut keys = equal_keys(left, arity)?;
            for key in equal_keys(right, arity)? {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            Some(keys)
        }
        ExprKind::Binary(Operator::And | Operator::Equal, ..) => {
            let mut parts: Vec<Option<Expr>> = vec![None; arity];
            let mut alternatives = None;
            conjuncts(condition, &mut |conjunct| {
                if let Some((parameter, value)) = equation(conjunct) {
                    parts[parameter].get_or_insert_with(|| value.clone());
                } else if alternatives.is_none() {
                    alternatives = equal_keys_of_disjunction(conjunct, arity);
                }
            });
            parts.into_iter().collect::<Option<Vec<Expr>>>().map(|key| vec![key]).or(alternatives)
        }
        _ => None,
    }
}

fn equal_keys_of_disjunction(conjunct: &Expr, arity: usize) -> Option<Vec<Vec<Expr>>> {
    match &conjunct.kind {
        ExprKind::Binary(Operator::Or, ..) => equal_keys(conjunct, arity),
        _ => None,
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

/// `p = e` or `e = p`, where e mentions no parameter.
fn equation(condition: &Expr) -> Option<(usize, &Expr)> {
    let ExprKind::Binary(Operator::Equal, left, right) = &condition.kind else { return None };
    match (&left.kind, &right.kind) {
        (ExprKind::Parameter(index), _) if !right.has_parameter() => Some((*index, right)),
        (_, ExprKind::Parameter(index)) if !left.has_parameter() => Some((*index, left)),
        _ => None,
    }
}
