//! Definitions that call themselves: tables that read what they were.
//!
//! ```text
//!   tainted(d) := secret(d) | @tainted(d) & !clean(d) | (Exists s . copy(s,d) & @tainted(s))
//!                 └ makes ─┘  └ stays ┘    └ unless ┘   └ makes, by what the table was before this point ───────────┘
//! ```
//!
//! | law | statement | side condition | because |
//! |---|---|---|---|
//! | recursion | `D := a ∨ (@D ∧ b)` is `D = b S a`, where a and b may ask for `@D` of other values | every call of D in its body is below one `@`; a restricts the parameters | `b S a` is a, or `@(b S a)` and b: by induction on the points both are the same |
//!
//! So a definition is a table like that of any `S`, whose rows come and go with events, and which has a row for each of the
//! finitely many values that it is true of. What it asks of itself is what the table was before this point: all rows that
//! come and go are found before the first of them does.

use referee_spec::core::{DefId, Term};

use crate::faults::{self, Fault};
use crate::fo::code::expression::Argument;
use crate::fo::code::reason::Reason;
use crate::fo::compile::branch::Lowered;
use crate::fo::compile::logic::{Defined, Logic};
use crate::fo::compile::lowering::{Lowering, VariableScope};
use crate::fo::compile::sort_coverage::alternatives;
use crate::fo::types::Var;

impl Lowering<'_> {
    /// The call of a definition that calls itself, from outside or from its own body.
    pub(crate) fn recursive(&mut self, number: DefId, arguments: &[Term], scope: &VariableScope) -> Lowered<Logic> {
        let argument = |term: &Term| match self.argument(term, scope)? {
            Argument::Var(variable) => Ok(variable),
            Argument::Any | Argument::Constant(_) => Err(Reason::Recursion),
        };
        let arguments: Vec<Var> = arguments.iter().map(argument).collect::<Lowered<_>>()?;
        match self.defining {
            Some(own) if own == number => return Ok(Logic::Own(number.0, arguments)),
            // One that calls another one is left alone: the other may call it back.
            Some(_) => return Err(Reason::Recursion),
            None if !self.passes.recursion => return Err(Reason::Recursion),
            None => self.defining = Some(number),
        }
        let definition = &self.property.definitions[number.index()];
        let mut inner = VariableScope::default();
        let mut parameters = Vec::new();
        for parameter in &definition.parameters {
            parameters.push(self.bind(*parameter, &mut inner)?);
        }
        let body = self.past(&definition.body, true, &inner)?;
        self.defining = None;
        let (left, right) = split(body, number, &parameters)?;
        let left = if faults::is(Fault::Recursion) { Logic::TRUE } else { left };
        let defined = Defined { number: number.0, parameters, left, right, arguments };
        Ok(Logic::Defined(Box::new(defined)))
    }
}

/// What keeps a definition true, and what makes it true.
fn split(body: Logic, number: DefId, parameters: &[Var]) -> Lowered<(Logic, Logic)> {
    let before = Logic::Prev(Box::new(Logic::Own(number.0, parameters.to_vec())));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for alternative in alternatives(body)? {
        let parts = alternative.conjuncts();
        match parts.contains(&&before) {
            true => left.push(Logic::and(parts.into_iter().filter(|part| **part != before).cloned())),
            false => right.push(alternative.clone()),
        }
    }
    Ok((Logic::or(left), Logic::or(right)))
}
