//! Formulas, by descent through the levels of the grammar.
//!
//! ```text
//!  implication   ->  <->     left associative, one level
//!  disjunction   |           one node per chain
//!  conjunction   &           one node per chain
//!  since         S  Z        two operands: more need parentheses
//!  operand       everything else; a quantifier reaches as far as it can
//! ```
//!
//! The cursor's bound on depth counts brackets, prefix operators and the links of left-associative chains; between two
//! of those the tree has at most four levels. What is lowered is measured exactly, see `calls`.

use referee_trace::number::{Number, TOO_LARGE, is_too_large};

use super::super::lex::Lexeme;
use super::super::syntax::{Argument, Bound, Constant, Formula, Kind, Name, Quantification, Relation};
use super::parser::Parser;
use crate::core::stream::Duration;
use crate::core::{Quantifier, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::{Token, quote, unescape};

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Implies,
    Iff,
    Or,
    And,
    Since,
    StrictSince,
}

/// The operator that a word or symbol of another language stands for.
pub(super) fn operator_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "&&" | "and" | "AND" => "&",
        "||" | "or" | "OR" => "|",
        "=>" | "implies" | "IMPLIES" => "->",
        "<=>" | "iff" | "EQUIV" => "<->",
        "==" => "=",
        "since" | "SINCE" => "S",
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Formula {
        match self.cursor.enter() {
            None => self.unreadable(),
            Some(level) => {
                let formula = self.implication();
                self.cursor.leave(level);
                formula
            }
        }
    }

    fn unreadable(&self) -> Formula {
        let start = self.cursor.span().start;
        Formula::new(Kind::Unreadable, Span { start, end: start })
    }

    fn implication(&mut self) -> Formula {
        let start = self.cursor.span();
        let mut left = self.disjunction();
        while let Some(operator @ (Operator::Implies | Operator::Iff)) = self.operator() {
            self.take_operator();
            let mut comments = std::mem::take(&mut left.comments);
            comments.extend(self.comments_on_this_line());
            let sides = (Box::new(left), Box::new(self.disjunction()));
            let kind = match operator {
                Operator::Iff => Kind::Iff(sides.0, sides.1),
                _ => Kind::Implies(sides.0, sides.1),
            };
            self.cursor.grow();
            left = Formula { kind, span: self.cursor.since(start), comments };
        }
        left
    }

    fn disjunction(&mut self) -> Formula {
        self.chain(Operator::Or, Self::conjunction, Kind::Or)
    }

    fn conjunction(&mut self) -> Formula {
        self.chain(Operator::And, Self::since, Kind::And)
    }

    /// Operands joined by one operator, as one node.
    fn chain(
        &mut self,
        operator: Operator,
        operand: fn(&mut Self) -> Formula,
        join: fn(Vec<Formula>) -> Kind,
    ) -> Formula {
        let start = self.cursor.span();
        let first = operand(self);
        if self.operator() != Some(operator) {
            return first;
        }
        let mut all = Vec::new();
        flatten(operator, first, &mut all);
        while self.operator() == Some(operator) {
            self.take_operator();
            let comments = self.comments_on_this_line();
            if let Some(last) = all.last_mut() {
                last.comments.extend(comments);
            }
            flatten(operator, operand(self), &mut all);
        }
        let comments = all.first_mut().map(|first| std::mem::take(&mut first.comments)).unwrap_or_default();
        Formula { kind: join(all), span: self.cursor.since(start), comments }
    }

    fn since(&mut self) -> Formula {
        let start = self.cursor.span();
        let mut left = self.operand();
        let mut chained = false;
        while let Some(operator @ (Operator::Since | Operator::StrictSince)) = self.operator() {
            let token = self.cursor.bump();
            if chained {
                self.since_without_parentheses(token.span);
                self.cursor.grow();
            }
            chained = true;
            let bound = self.bound();
            let mut comments = std::mem::take(&mut left.comments);
            comments.extend(self.comments_on_this_line());
            let sides = (Box::new(left), Box::new(self.operand()));
            let kind = match operator {
                Operator::StrictSince => Kind::StrictSince(self.strict_bound(bound, token.span), sides.0, sides.1),
                _ => Kind::Since(bound, sides.0, sides.1),
            };
            left = Formula { kind, span: self.cursor.since(start), comments };
        }
        left
    }

    fn since_without_parentheses(&mut self, span: Span) {
        let diagnostic = Diagnostic::error("E0216", span, "`S` and `Z` cannot be chained")
            .hint("say what belongs together: `(a S b) S c` or `a S (b S c)`");
        self.cursor.report(diagnostic);
    }

    fn strict_bound(&mut self, bound: Bound, operator: Span) -> Duration {
        if let Bound::AtMost(limit) = bound {
            return limit;
        }
        let diagnostic =
            Diagnostic::error("E0213", operator, "`Z` needs a time bound `[<=n]`").hint("write `p Z[<=10] q`");
        self.cursor.report(diagnostic);
        Duration { amount: Number::ZERO, unit: None }
    }

    /// The binary operator that stands here.
    fn operator(&self) -> Option<Operator> {
        let text = self.cursor.text(self.cursor.span());
        Some(match (self.cursor.kind(), text) {
            (Lexeme::Implies, _) | (Lexeme::Foreign, "=>") => Operator::Implies,
            (Lexeme::Iff, _) | (Lexeme::Foreign, "<=>") => Operator::Iff,
            (Lexeme::Or, _) | (Lexeme::Foreign, "||") => Operator::Or,
            (Lexeme::And, _) | (Lexeme::Foreign, "&&") => Operator::And,
            (Lexeme::Since, _) => Operator::Since,
            (Lexeme::Name, "Z") => Operator::StrictSince,
            _ => return None,
        })
    }

    fn take_operator(&mut self) {
        let token = self.cursor.bump();
        if token.kind == Lexeme::Foreign {
            self.foreign(token.span);
        }
    }

    /// Reports an operator of another language that was understood.
    fn foreign(&mut self, span: Span) {
        let text = self.cursor.text(span);
        let hint = match operator_for(text) {
            Some(operator) => format!("write `{operator}`"),
            None => "write `!(x = y)`".to_owned(),
        };
        let message = format!("DejaVu has no operator `{text}`");
        self.cursor.report(Diagnostic::error("E0212", span, message).hint(hint));
    }

    /// An operand and the comments before it.
    fn operand(&mut self) -> Formula {
        let mut comments = self.comments_before(self.cursor.span().start);
        let start = self.cursor.span();
        let Formula { kind, comments: inner, span } = match self.cursor.kind() {
            Lexeme::True | Lexeme::False => self.truth(),
            Lexeme::Name => self.atom_or_relation(),
            Lexeme::Integer | Lexeme::Decimal | Lexeme::String | Lexeme::OpenString => self.relation(start),
            Lexeme::Not | Lexeme::Previous | Lexeme::Once | Lexeme::Historically => self.prefix(),
            Lexeme::OpenSquare => self.interval(),
            Lexeme::Forall | Lexeme::Exists | Lexeme::ForallSeen | Lexeme::ExistsSeen => self.quantified(),
            Lexeme::Open => self.parenthesised(),
            _ => self.no_formula(),
        };
        self.cursor.expect_also("an operator");
        comments.extend(inner);
        Formula { kind, span, comments }
    }

    fn no_formula(&mut self) -> Formula {
        self.cursor.forget_expected();
        self.cursor.expect_also("a formula");
        self.cursor.unexpected("write an event such as `open(f)`, or a formula in parentheses");
        self.unreadable()
    }

    fn truth(&mut self) -> Formula {
        let token = self.cursor.bump();
        Formula::new(Kind::Constant(token.kind == Lexeme::True), token.span)
    }

    fn atom_or_relation(&mut self) -> Formula {
        let start = self.cursor.span();
        let next = self.cursor.nth(1);
        if next.kind.is_relation() || self.is_foreign_relation(next) {
            return self.relation(start);
        }
        let name = self.name("");
        let mut arguments = Vec::new();
        if self.cursor.kind() == Lexeme::Open {
            self.cursor.bump();
            arguments = self.list(Self::argument);
        }
        Formula::new(Kind::Atom(name, arguments), self.cursor.since(start))
    }

    fn is_foreign_relation(&self, token: Token<Lexeme>) -> bool {
        token.kind == Lexeme::Foreign && matches!(self.cursor.text(token.span), "==" | "!=" | "<>" | "≠")
    }

    fn relation(&mut self, start: Span) -> Formula {
        let left = self.argument();
        let operator = self.cursor.token();
        let (relation, negated) = match operator.kind {
            Lexeme::Less => (Relation::Less, false),
            Lexeme::LessOrEqual => (Relation::LessOrEqual, false),
            Lexeme::Greater => (Relation::Greater, false),
            Lexeme::GreaterOrEqual => (Relation::GreaterOrEqual, false),
            Lexeme::Equal => (Relation::Equal, false),
            _ if self.is_foreign_relation(operator) => (Relation::Equal, self.cursor.text(operator.span) != "=="),
            _ => return self.constant_alone(),
        };
        self.take_operator();
        let right = self.argument();
        let span = self.cursor.since(start);
        let kind = Kind::Relation(relation, left, right);
        Formula::new(if negated { Kind::Not(Box::new(Formula::new(kind, span))) } else { kind }, span)
    }

    fn constant_alone(&mut self) -> Formula {
        self.cursor.expect_also("a comparison");
        self.cursor.unexpected("a constant is no formula: compare it, as in `x = 3`");
        self.unreadable()
    }

    /// A variable or a constant; where neither stands, a nameless variable, of which later stages say nothing.
    fn argument(&mut self) -> Argument {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        let (text, quoted) = match token.kind {
            Lexeme::Integer => (text.to_owned(), false),
            Lexeme::Decimal => {
                self.fraction(token.span);
                (text.to_owned(), true)
            }
            Lexeme::String | Lexeme::OpenString => (unescape(text), true),
            Lexeme::True | Lexeme::False => {
                self.cursor.expect_also("an argument");
                self.cursor.unexpected(&format!("as a value, write it in quotes: `\"{text}\"`"));
                (text.to_owned(), true)
            }
            Lexeme::Name => return Argument::Variable(self.name("")),
            _ => {
                self.cursor.expect_also("an argument");
                self.cursor.unexpected("write a variable, a whole number or a string in quotes");
                return Argument::Variable(self.nameless());
            }
        };
        self.cursor.bump();
        Argument::Constant(Constant { text: text.into(), quoted })
    }

    fn fraction(&mut self, span: Span) {
        let text = self.cursor.text(span);
        let diagnostic = Diagnostic::error("E0214", span, format!("`{text}` is no whole number"))
            .hint(format!("as a value, write it in quotes: `\"{text}\"`; as a time bound, use a finer unit of time"));
        self.cursor.report(diagnostic);
    }

    fn prefix(&mut self) -> Formula {
        let token = self.cursor.bump();
        let bound = match token.kind {
            Lexeme::Once | Lexeme::Historically => self.bound(),
            _ => Bound::None,
        };
        let Some(level) = self.cursor.enter() else { return self.unreadable() };
        let mut body = Box::new(self.operand());
        self.cursor.leave(level);
        let comments = std::mem::take(&mut body.comments);
        let kind = match token.kind {
            Lexeme::Not => Kind::Not(body),
            Lexeme::Once => Kind::Once(bound, body),
            Lexeme::Historically => Kind::Historically(bound, body),
            _ => Kind::Previous(body),
        };
        Formula { kind, span: self.cursor.since(token.span), comments }
    }

    /// `[<=n]` or `[>n]`, if it stands here; `[p, q)` is told apart by what follows the bracket.
    fn bound(&mut self) -> Bound {
        let operator = self.cursor.nth(1);
        if self.cursor.kind() != Lexeme::OpenSquare || !operator.kind.is_relation() {
            return Bound::None;
        }
        self.cursor.bump();
        self.cursor.bump();
        let limit = self.limit();
        self.close(|kind| kind == Lexeme::CloseSquare, &[Lexeme::CloseSquare], "a time bound ends with `]`");
        match operator.kind {
            Lexeme::LessOrEqual => Bound::AtMost(limit),
            Lexeme::Greater => Bound::MoreThan(limit),
            _ => {
                let text = self.cursor.text(operator.span);
                let message = format!("expected `<=` or `>` in a time bound, found `{text}`");
                let hint = "write `[<=n]` for at most n, `[>n]` for more than n";
                self.cursor.report(Diagnostic::error("E0213", operator.span, message).hint(hint));
                Bound::AtMost(limit)
            }
        }
    }

    /// The length of a time bound: a number, with or without a unit.
    fn limit(&mut self) -> Duration {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        match token.kind {
            Lexeme::Decimal => self.fraction(token.span),
            Lexeme::Integer if text.starts_with('-') => self.negative_limit(token.span),
            Lexeme::Integer => {}
            _ => {
                self.cursor.expect_also(Lexeme::Integer);
                self.cursor.unexpected("write a length of time, such as `[<=10]` in the trace's unit, or `[<=10s]`");
                return Duration { amount: Number::ZERO, unit: None };
            }
        }
        self.cursor.bump();
        let digits = text.trim_start_matches('0');
        if is_too_large(digits) {
            let message = format!("the number {} is too large", quote(digits));
            self.cursor.report(Diagnostic::error("E0213", token.span, message).hint(TOO_LARGE));
        }
        Duration { amount: Number::parse(digits).unwrap_or(Number::ZERO), unit: self.cursor.eat_unit() }
    }

    fn negative_limit(&mut self, span: Span) {
        let diagnostic = Diagnostic::error("E0213", span, "a time bound cannot be negative")
            .hint("time bounds look back already: write `[<=10]` for the last ten units of time");
        self.cursor.report(diagnostic);
    }

    fn interval(&mut self) -> Formula {
        let start = self.cursor.bump().span;
        let from = Box::new(self.formula());
        if self.cursor.expect(Lexeme::Comma, "an interval has two formulas: `[from, to)`").is_none() {
            self.skip_until(|kind| matches!(kind, Lexeme::Comma | Lexeme::Close | Lexeme::CloseSquare | Lexeme::Where));
            self.cursor.eat(Lexeme::Comma);
        }
        let to = Box::new(self.formula());
        let is_closing = |kind| matches!(kind, Lexeme::Close | Lexeme::CloseSquare);
        self.close(is_closing, &[Lexeme::Close], "close the interval: `[from, to)`");
        Formula::new(Kind::Interval(from, to), self.cursor.since(start))
    }

    fn parenthesised(&mut self) -> Formula {
        let start = self.cursor.bump().span;
        let mut formula = self.formula();
        self.close(|kind| kind == Lexeme::Close, &[Lexeme::Close], "close the parenthesis");
        formula.span = self.cursor.since(start);
        formula
    }

    fn quantified(&mut self) -> Formula {
        let token = self.cursor.bump();
        let quantifier = match token.kind {
            Lexeme::Forall | Lexeme::ForallSeen => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        let lower_case = matches!(token.kind, Lexeme::ForallSeen | Lexeme::ExistsSeen);
        let mut names = vec![self.variable()];
        if self.cursor.kind() == Lexeme::Comma {
            self.cursor.expect_also(Lexeme::Dot);
            self.cursor.unexpected("quantify one variable at a time: `Forall x . Forall y . formula`");
            while self.cursor.eat(Lexeme::Comma).is_some() {
                names.push(self.variable());
            }
        }
        self.cursor.expect(Lexeme::Dot, "write `.` between the variable and the formula");
        let body = self.formula();
        let span = self.cursor.since(token.span);
        let quantify = |body, name| {
            let quantification = Quantification { quantifier, lower_case };
            Formula::new(Kind::Quantified(quantification, name, Box::new(body)), span)
        };
        names.into_iter().rfold(body, quantify)
    }

    fn variable(&mut self) -> Name {
        self.name("name the variable: `Forall x . formula`")
    }
}

/// Adds an operand to a chain; the operands of a chain of the same operator are added one by one.
fn flatten(operator: Operator, operand: Formula, all: &mut Vec<Formula>) {
    match (operator, operand.kind) {
        (Operator::And, Kind::And(inner)) | (Operator::Or, Kind::Or(inner)) => {
            let first = all.len();
            all.extend(inner);
            if let Some(first) = all.get_mut(first) {
                first.comments.splice(0..0, operand.comments);
            }
        }
        (_, kind) => all.push(Formula { kind, ..operand }),
    }
}
