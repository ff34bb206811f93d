//! Conditions joined by `and`, `or`, `not`, and values joined by arithmetic, whatever trees a language makes of them.

use super::reader::Reader;
use super::token::Dialect;
use super::tree::{CLikeExpression, CLikeGuard};
use crate::core::{Arithmetic, Span};

/// A tree of conditions.
pub(crate) trait Connected {
    /// The body does not hold.
    fn not(body: Self, span: Span) -> Self;
    /// All of them hold.
    fn and(all: Vec<Self>, span: Span) -> Self
    where
        Self: Sized;
    /// One of them holds.
    fn or(all: Vec<Self>, span: Span) -> Self
    where
        Self: Sized;
    /// Stands for what could not be read.
    fn unreadable(span: Span) -> Self;
}

/// A tree of values.
pub(crate) trait Arithmetical {
    /// Two values and what is computed of them.
    fn binary(operator: Arithmetic, left: Self, right: Self, span: Span) -> Self;
}

impl<K: Dialect> Reader<'_, K> {
    /// Conditions joined by `or`, and within these by `and`, where `atom` reads what is not joined.
    pub(crate) fn condition<T: Connected>(&mut self, atom: fn(&mut Self) -> T) -> T {
        let start = self.cursor.span();
        let Some(level) = self.cursor.enter() else { return T::unreadable(start) };
        let mut all = vec![self.conjunction(atom)];
        while self.eat_connective(K::OR, "or") {
            all.push(self.conjunction(atom));
        }
        self.cursor.leave(level);
        if all.len() == 1 { all.remove(0) } else { T::or(all, self.cursor.since(start)) }
    }

    fn conjunction<T: Connected>(&mut self, atom: fn(&mut Self) -> T) -> T {
        let start = self.cursor.span();
        let mut all = vec![self.negation(atom)];
        while self.eat_connective(K::AND, "and") {
            all.push(self.negation(atom));
        }
        if all.len() == 1 { all.remove(0) } else { T::and(all, self.cursor.since(start)) }
    }

    fn negation<T: Connected>(&mut self, atom: fn(&mut Self) -> T) -> T {
        let start = self.cursor.span();
        if !self.eat_connective(K::NOT, "not") {
            return atom(self);
        }
        let Some(level) = self.cursor.enter() else { return T::unreadable(start) };
        let body = self.negation(atom);
        self.cursor.leave(level);
        T::not(body, self.cursor.since(start))
    }

    fn eat_connective(&mut self, symbol: K, word: &str) -> bool {
        self.cursor.eat(symbol).is_some() || (K::CONNECTIVES_ARE_WORDS && self.eat_word(word))
    }

    /// Values joined by `+` and `-`, and within these by `*`, `/` and `%`, where `value` reads what is not joined.
    pub(crate) fn sum<T: Arithmetical>(&mut self, value: fn(&mut Self) -> T) -> T {
        self.chain(|reader| reader.cursor.kind().sum(), |reader| reader.chain(Self::product_operator, value))
    }

    fn product_operator(&self) -> Option<Arithmetic> {
        let word = || (K::MODULO_IS_A_WORD && self.is_word("mod")).then_some(Arithmetic::Modulo);
        self.cursor.kind().product().or_else(word)
    }

    fn chain<T: Arithmetical>(
        &mut self,
        operator: impl Fn(&Self) -> Option<Arithmetic>,
        value: impl Fn(&mut Self) -> T,
    ) -> T {
        let start = self.cursor.span();
        let mut left = value(self);
        while let Some(operator) = operator(self) {
            self.cursor.bump();
            let right = value(self);
            if !self.cursor.grow() {
                break;
            }
            left = T::binary(operator, left, right, self.cursor.since(start));
        }
        left
    }
}

impl<V, C> Connected for CLikeGuard<V, C> {
    fn not(body: Self, _: Span) -> Self {
        CLikeGuard::Not(Box::new(body))
    }

    fn and(all: Vec<Self>, _: Span) -> Self {
        CLikeGuard::And(all)
    }

    fn or(all: Vec<Self>, _: Span) -> Self {
        CLikeGuard::Or(all)
    }

    fn unreadable(_: Span) -> Self {
        CLikeGuard::Unreadable
    }
}

impl<V> Arithmetical for CLikeExpression<V> {
    fn binary(operator: Arithmetic, left: Self, right: Self, span: Span) -> Self {
        CLikeExpression::Binary(operator, Box::new(left), Box::new(right), span)
    }
}
