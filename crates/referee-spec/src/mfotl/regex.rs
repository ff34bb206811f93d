//! The regular expressions of `MATCHF` and `MATCHP`.
//!
//! ```text
//!  choice  ::= concat ('+' concat)*
//!  concat  ::= repeat repeat*
//!  repeat  ::= atom ['*']
//!  atom    ::= '.' | F ['?'] | '(' choice ')'          F: a predicate, a comparison, NOT F, or anything in parentheses
//! ```
//!
//! Formulas and expressions both have parentheses. What stands in them decides: a formula and nothing else is a formula,
//! so that `(a() OR b())?` is one test; with `?`, `*`, `+`, `.` or a second element it is an expression. `+` and `*`
//! after a term are arithmetic, after a formula or an expression they belong to the expression; hence a comparison that
//! such an operator follows needs parentheses: `(x = 1)*`.
//!
//! A connective ends the expression: `MATCHP a() b() AND c()` is `(MATCHP a() b()) AND c()`.

use super::expression::Expression;
use super::level;
use super::lex::Kind;
use super::operators::{begins_operand, is_connective};
use super::parse::Parser;
use super::syntax::{FormulaKind, Regex};
use crate::core::{Direction, Span};
use crate::diagnostic::Diagnostic;

/// What a pair of parentheses held.
enum Group {
    Expression(Expression),
    Regex(Regex),
}

impl Parser<'_> {
    /// `MATCHF I R` or `MATCHP I R`.
    pub(super) fn matching(&mut self, direction: Direction) -> FormulaKind {
        self.cursor.bump();
        let interval = self.interval();
        let first = self.element();
        FormulaKind::Match(direction, interval, self.choice(first))
    }

    /// Goes on after the first element of a choice.
    fn choice(&mut self, first: Regex) -> Regex {
        let mut branches = vec![self.concat(first)];
        while self.cursor.eat(Kind::Plus).is_some() {
            let first = self.element();
            branches.push(self.concat(first));
        }
        Regex::choice(branches)
    }

    /// Goes on after the first element of a sequence.
    fn concat(&mut self, first: Regex) -> Regex {
        let mut parts = vec![self.repeat(first)];
        while self.cursor.kind() == Kind::Dot || begins_operand(self.cursor.kind()) {
            let next = self.element();
            parts.push(self.repeat(next));
        }
        Regex::concat(parts)
    }

    fn repeat(&mut self, atom: Regex) -> Regex {
        let mut stars = 0;
        while self.cursor.eat(Kind::Star).is_some() {
            stars += 1;
        }
        if stars == 0 { atom } else { Regex::star(atom) }
    }

    /// `.`, a formula with or without `?`, or an expression in parentheses.
    fn element(&mut self) -> Regex {
        match self.cursor.kind() {
            Kind::Dot => {
                self.cursor.bump();
                Regex::Any
            }
            Kind::Open => {
                let start = self.cursor.span();
                match self.group() {
                    Group::Regex(regex) => regex,
                    Group::Expression(expression) => {
                        let whole = self.infix(expression, start, level::NOT);
                        self.tested(whole)
                    }
                }
            }
            _ => {
                let expression = self.expression(level::NOT);
                self.tested(expression)
            }
        }
    }

    /// The formula with the `?` that may follow it.
    fn tested(&mut self, expression: Expression) -> Regex {
        let formula = Box::new(self.as_formula(expression));
        if self.cursor.eat(Kind::Question).is_some() { Regex::Test(formula) } else { Regex::Step(formula) }
    }

    /// `( … )`, not yet known to be a formula, a term or an expression.
    fn group(&mut self) -> Group {
        let open = self.cursor.bump().span;
        let start = self.cursor.span();
        let Some(outer) = self.cursor.enter() else { return Group::Regex(Regex::Any) };
        let content = self.group_content(start);
        let group = match content {
            Group::Expression(expression) if !self.continues_regex() => {
                Group::Expression(self.closed(expression, start, open))
            }
            Group::Expression(expression) => {
                let first = self.tested(expression);
                Group::Regex(self.rest_of_group(first, open))
            }
            Group::Regex(first) => Group::Regex(self.rest_of_group(first, open)),
        };
        self.cursor.leave(outer);
        group
    }

    /// The first element of a group; as a formula with all its connectives, because it may be all there is.
    fn group_content(&mut self, start: Span) -> Group {
        let first = match self.cursor.kind() {
            Kind::Dot => {
                self.cursor.bump();
                return Group::Regex(Regex::Any);
            }
            Kind::Open => match self.group() {
                Group::Regex(regex) => return Group::Regex(regex),
                Group::Expression(inner) => self.infix(inner, start, level::NOT),
            },
            _ => self.expression(level::NOT),
        };
        if !is_connective(self.cursor.kind()) {
            return Group::Expression(first);
        }
        let whole = self.infix(first, start, level::LOOSEST);
        if self.continues_regex() {
            let message = "a formula with a connective needs parentheses in a regular expression";
            let span = self.cursor.since(start);
            let hint = format!("write `({})`", self.cursor.text(span));
            self.cursor.report(Diagnostic::error("E0312", span, message).hint(hint));
        }
        Group::Expression(whole)
    }

    /// Whether what stands here makes an expression of the formula before it.
    fn continues_regex(&self) -> bool {
        let kind = self.cursor.kind();
        matches!(kind, Kind::Question | Kind::Star | Kind::Plus | Kind::Dot) || begins_operand(kind)
    }

    fn rest_of_group(&mut self, first: Regex, open: Span) -> Regex {
        let regex = self.choice(first);
        if self.cursor.eat(Kind::Close).is_none() {
            if is_connective(self.cursor.kind()) {
                let message = format!("{} cannot join regular expressions", self.cursor.found());
                let hint = "put formulas with connectives in parentheses, or MATCHF and MATCHP around each expression";
                self.cursor.fail(Diagnostic::error("E0312", self.cursor.span(), message).hint(hint));
            } else {
                self.unclosed(open);
            }
            self.cursor.skip_to(|kind| kind == Kind::Close);
            self.cursor.eat(Kind::Close);
        }
        regex
    }
}
