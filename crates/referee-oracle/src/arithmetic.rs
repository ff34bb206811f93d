//! Arithmetic on numbers, as the definitions of all rules share it.

use referee_spec::core::{Arithmetic, Problem, Span};
use referee_trace::number::Number;

/// What keeps a term from having a value, and where the term stands.
pub(crate) type Trouble = (Problem, Span);

/// The result of an operation on two numbers; nothing where it divides by zero.
pub(crate) fn compute(operation: Arithmetic, left: &Number, right: &Number) -> Option<Number> {
    match operation {
        Arithmetic::Add => Some(left.add(right)),
        Arithmetic::Subtract => Some(left.sub(right)),
        Arithmetic::Multiply => Some(left.mul(right)),
        Arithmetic::Divide => left.div(right),
        Arithmetic::DivideTruncating => left.div_trunc(right),
        Arithmetic::Modulo => left.rem_trunc(right),
    }
}
