//! What a unit says about an event: how it looks, and how its values compare.
//!
//! ```text
//!   access(u, "a.txt", n) ∧ n + 1 < m     Pattern: access with three arguments
//!                                         Argument: variable u, constant, variable n
//!                                         Compare: Expr (n + 1) is less than Expr (m)
//! ```
//!
//! The compiler's formulas and the plans that are made of them share these types, so that a plan needs no copy of a term.

use std::sync::Arc;

use referee_spec::core::{Arithmetic, Comparison};
use referee_trace::value::Value;

use crate::fo::types::Var;

/// What an event must look like: a name and a number of arguments, or some fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// An event with this name and this many positional arguments.
    Positional(Arc<str>, usize),
    /// An event with this name, whatever its arguments.
    Bare(Arc<str>),
    /// An event with all these fields.
    Fields(Vec<Arc<str>>),
}

/// An argument of an event or of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// Anything.
    Any,
    /// A variable.
    Var(Var),
    /// A constant.
    Constant(Value),
}

/// A term of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A variable.
    Var(Var),
    /// A constant.
    Constant(Value),
    /// The value at this place of the event's pattern; only in an event's own condition.
    Field(usize),
    /// The time of the point.
    Time,
    /// Sums, differences and products.
    Binary(Arithmetic, Box<Expr>, Box<Expr>),
    /// The negative.
    Negate(Box<Expr>),
}

/// A comparison of two terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Compare {
    /// How.
    pub how: Comparison,
    /// The left term.
    pub left: Expr,
    /// The right term.
    pub right: Expr,
}

impl Expr {
    fn collect(&self, variables: &mut Vec<Var>) {
        match self {
            Expr::Var(variable) => variables.push(*variable),
            Expr::Binary(_, left, right) => {
                left.collect(variables);
                right.collect(variables);
            }
            Expr::Negate(body) => body.collect(variables),
            Expr::Constant(_) | Expr::Field(_) | Expr::Time => {}
        }
    }

    fn rename(&self, rename: &mut impl FnMut(Var) -> Var) -> Expr {
        match self {
            Expr::Var(variable) => Expr::Var(rename(*variable)),
            Expr::Binary(how, left, right) => {
                Expr::Binary(*how, Box::new(left.rename(rename)), Box::new(right.rename(rename)))
            }
            Expr::Negate(body) => Expr::Negate(Box::new(body.rename(rename))),
            Expr::Constant(_) | Expr::Field(_) | Expr::Time => self.clone(),
        }
    }
}

impl Compare {
    /// The variables, in order.
    pub fn variables(&self) -> Vec<Var> {
        let mut variables = Vec::new();
        self.left.collect(&mut variables);
        self.right.collect(&mut variables);
        variables
    }

    /// The same with other variables.
    pub fn rename(&self, rename: &mut impl FnMut(Var) -> Var) -> Compare {
        Compare { how: self.how, left: self.left.rename(rename), right: self.right.rename(rename) }
    }
}

impl Argument {
    /// The same with another variable.
    pub fn rename(&self, rename: &mut impl FnMut(Var) -> Var) -> Argument {
        match self {
            Argument::Var(variable) => Argument::Var(rename(*variable)),
            other => other.clone(),
        }
    }
}
