//! Conditions over values, for languages that keep the two apart.
//!
//! ```text
//!  atom  ::= 'true' | 'false' | '(' condition ')' | value op value | what the language can ask
//!  value ::= sums and products of: '-' value | constant | '(' value ')' | what the language can compute
//! ```

use referee_trace::value::Value;

use super::expression::Arithmetical as _;
use super::reader::Reader;
use super::token::Dialect;
use super::tree::{CLikeExpression, CLikeGuard, Name};
use crate::core::{Arithmetic, Span};

/// What the conditions of one language add.
pub(crate) trait Conditions: Dialect {
    /// The values that only this language has.
    type Value;
    /// The conditions that only this language has.
    type Condition;
    /// What to write where a condition cannot be read.
    const HINT: &'static str;

    /// A condition that begins like no other, if one stands here; before parentheses are looked at.
    fn special(reader: &mut Reader<'_, Self>) -> Option<CLikeGuard<Self::Value, Self::Condition>>;

    /// The condition that a value which is not compared makes, with what follows it; nothing if it makes none.
    fn uncompared(
        reader: &mut Reader<'_, Self>,
        value: CLikeExpression<Self::Value>,
    ) -> Option<CLikeGuard<Self::Value, Self::Condition>>;

    /// A value that begins with a name.
    fn named(reader: &mut Reader<'_, Self>) -> CLikeExpression<Self::Value>;

    /// Whether a token after a closing parenthesis says that a value stood in it.
    fn follows_value(reader: &Reader<'_, Self>, ahead: usize) -> bool {
        reader.cursor.nth(ahead).kind.joins_values()
    }
}

impl<K: Conditions> Reader<'_, K> {
    /// A condition.
    pub(crate) fn guard(&mut self) -> CLikeGuard<K::Value, K::Condition> {
        self.condition(Self::guard_atom)
    }

    fn guard_atom(&mut self) -> CLikeGuard<K::Value, K::Condition> {
        if let Some(guard) = K::special(self) {
            return guard;
        }
        if self.cursor.kind() == K::OPEN && self.is_guard_in_parentheses() {
            self.cursor.bump();
            let guard = self.guard();
            self.close(K::CLOSE, "close the parenthesis with `)`");
            return guard;
        }
        self.comparison()
    }

    /// Whether the parenthesis that opens here holds a condition and not a value: nothing that joins values follows its
    /// partner.
    fn is_guard_in_parentheses(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.cursor.nth(ahead).kind {
                kind if kind == K::OPEN => depth += 1,
                kind if kind == K::CLOSE && depth <= 1 => return !K::follows_value(self, ahead + 1),
                kind if kind == K::CLOSE => depth -= 1,
                kind if kind == K::END => return true,
                _ => {}
            }
        }
        true
    }

    fn comparison(&mut self) -> CLikeGuard<K::Value, K::Condition> {
        let truth = ["true", "false"].iter().position(|word| self.is_word(word));
        if let Some(truth) = truth
            && !self.cursor.nth(1).kind.joins_values()
        {
            self.cursor.bump();
            return CLikeGuard::Constant(truth == 0);
        }
        let left = self.value();
        if let Some(comparison) = self.cursor.kind().comparison() {
            self.cursor.bump();
            return CLikeGuard::Compare(comparison, left, self.value());
        }
        if let Some(guard) = K::uncompared(self, left) {
            return guard;
        }
        self.cursor.expect_also("a comparison");
        self.cursor.unexpected(K::HINT);
        CLikeGuard::Unreadable
    }

    /// A value.
    pub(crate) fn value(&mut self) -> CLikeExpression<K::Value> {
        self.sum(Self::factor)
    }

    fn factor(&mut self) -> CLikeExpression<K::Value> {
        let start = self.cursor.span();
        if let Some(value) = self.constant() {
            return CLikeExpression::Constant(value);
        }
        let zero = CLikeExpression::Constant(Value::from(0));
        let Some(level) = self.cursor.enter() else { return zero };
        let expression = if self.cursor.eat(K::MINUS).is_some() {
            let body = self.factor();
            CLikeExpression::binary(Arithmetic::Subtract, zero, body, self.cursor.since(start))
        } else if self.cursor.eat(K::OPEN).is_some() {
            let inner = self.value();
            self.close(K::CLOSE, "close the parenthesis with `)`");
            inner
        } else {
            K::named(self)
        };
        self.cursor.leave(level);
        expression
    }

    /// What `x++`, `x--`, `x += e` or `x -= e` makes of the variable, if one of their signs stands here.
    pub(crate) fn changed(&mut self, name: &Name, start: Span) -> Option<(CLikeExpression<K::Value>, Span)> {
        let (operator, by_one) = self.cursor.kind().change()?;
        self.cursor.bump();
        let amount = if by_one { CLikeExpression::Constant(Value::from(1)) } else { self.value() };
        let span = self.cursor.since(start);
        Some((CLikeExpression::binary(operator, CLikeExpression::Variable(name.clone()), amount, span), span))
    }
}
