//! Operator precedence, after Pratt.
//!
//! ```text
//!  pratt(min):  left ← operand
//!               while the next operator binds at least as tightly as min:
//!                   right ← pratt(the operator's right power);  left ← left op right
//! ```
//!
//! An operator that associates to the left has a right power above its left one; to the right, an equal one. A parser
//! gives the operators their numbers; [`Binding::left`] and [`Binding::right`] make the two powers of a level.

use super::cursor::Cursor;
use super::token::TokenKind;

/// How tightly an operator binds on either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BindingPower {
    /// What the operator asks of its left neighbour.
    pub left: u8,
    /// What it demands of operators to its right.
    pub right: u8,
}

impl BindingPower {
    /// A level (higher binds tighter) that associates to the left.
    pub const fn left(level: u8) -> BindingPower {
        BindingPower { left: level, right: level + 1 }
    }

    /// A level that associates to the right.
    pub const fn right(level: u8) -> BindingPower {
        BindingPower { left: level, right: level }
    }
}

/// A parser with binary operators.
pub trait Pratt<'s> {
    /// Its tokens.
    type Kind: TokenKind;
    /// What it builds.
    type Tree;
    /// Its operators.
    type Operator;

    /// Where it stands.
    fn cursor(&mut self) -> &mut Cursor<'s, Self::Kind>;

    /// Parses an operand, prefix operators included; on an error some tree that stands for the missing one.
    fn operand(&mut self) -> Self::Tree;

    /// The binary operator that stands here, without taking it.
    fn operator(&mut self) -> Option<(Self::Operator, BindingPower)>;

    /// Takes the operator's tokens, and what belongs to it (an interval).
    fn take(&mut self, operator: Self::Operator) -> Self::Operator;

    /// Whether `join` makes one list of a chain of this operator, which then grows wider and not higher.
    fn is_flat(&self, _operator: &Self::Operator) -> bool {
        false
    }

    /// Joins two trees.
    fn join(&mut self, operator: Self::Operator, left: Self::Tree, right: Self::Tree) -> Self::Tree;
}

/// Parses operands joined by operators that bind at least as tightly as `min`. Start with 0.
pub fn pratt<'s, P: Pratt<'s>>(parser: &mut P, min: u8) -> P::Tree {
    let mut left = parser.operand();
    while let Some((operator, binding)) = parser.operator() {
        if binding.left < min {
            break;
        }
        let operator = parser.take(operator);
        let Some(level) = parser.cursor().enter() else { break };
        let right = pratt(parser, binding.right);
        parser.cursor().leave(level);
        if !parser.is_flat(&operator) && !parser.cursor().grow() {
            break;
        }
        left = parser.join(operator, left, right);
    }
    left
}
