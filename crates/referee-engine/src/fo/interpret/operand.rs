//! The two sides of a comparison whose fields and times are known, and the comparison itself.
//!
//! A variable in an operand stands for every value that the table around it does not list. The comparison is evaluated as
//! soon as the last variable has been replaced by a value; until then it waits in a condition.

use std::sync::Arc;

use referee_spec::core::{Arithmetic, Comparison, Function, Span};

use crate::fo::interpret::variables::{FormulaVar, VarSet};
use crate::shared::universe::ValueId;

/// A value, or a variable that stands for anything its table does not list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OperandSlot {
    /// A value.
    Value(ValueId),
    /// Anything else.
    Var(FormulaVar),
}

/// A term whose fields, point numbers and times are already values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    /// A value or a variable.
    Slot(OperandSlot),
    /// Arithmetic.
    Binary(Arithmetic, Arc<Operand>, Arc<Operand>),
    /// The negative.
    Negate(Arc<Operand>),
    /// A conversion.
    Apply(Function, Arc<Operand>),
}

impl Operand {
    /// The variables of the operand.
    pub(crate) fn variables(&self) -> VarSet {
        match self {
            Operand::Slot(OperandSlot::Value(_)) => VarSet::EMPTY,
            Operand::Slot(OperandSlot::Var(var)) => VarSet::of(*var),
            Operand::Binary(_, left, right) => left.variables().with(right.variables()),
            Operand::Negate(body) | Operand::Apply(_, body) => body.variables(),
        }
    }

    /// The operand with `var` replaced.
    #[must_use]
    pub(crate) fn replace(&self, var: FormulaVar, slot: OperandSlot) -> Operand {
        match self {
            Operand::Slot(OperandSlot::Var(own)) if *own == var => Operand::Slot(slot),
            Operand::Slot(_) => self.clone(),
            Operand::Binary(op, left, right) => {
                Operand::Binary(*op, Arc::new(left.replace(var, slot)), Arc::new(right.replace(var, slot)))
            }
            Operand::Negate(body) => Operand::Negate(Arc::new(body.replace(var, slot))),
            Operand::Apply(function, body) => Operand::Apply(*function, Arc::new(body.replace(var, slot))),
        }
    }

    /// The variable, if the operand is nothing else.
    pub(crate) fn as_variable(&self) -> Option<FormulaVar> {
        match self {
            Operand::Slot(OperandSlot::Var(var)) => Some(*var),
            _ => None,
        }
    }
}

/// A comparison that was made at a point.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Test {
    /// How.
    pub comparison: Comparison,
    /// The left side.
    pub left: Operand,
    /// The right side.
    pub right: Operand,
    /// Whether the comparison must fail.
    pub negated: bool,
    /// The point at which it was made.
    pub point: u64,
    /// Where the comparison stands in the specification.
    pub span: Span,
}

impl Test {
    /// The variables of both sides.
    pub(crate) fn variables(&self) -> VarSet {
        self.left.variables().with(self.right.variables())
    }

    /// Whether two tests differ at most in their points.
    pub(crate) fn same_but_point(&self, other: &Test) -> bool {
        self.negated == other.negated
            && self.comparison == other.comparison
            && self.left == other.left
            && self.right == other.right
    }
}
