//! The parser of MFOTL: operator precedence over formulas and terms alike.
//!
//! `(x + 1) * 2 = y` and `(p(x) OR q(x)) AND r(x)` begin alike, so one descent reads both: an [`Expression`] is a formula
//! or a term, and each operator says which it wants of its sides. That needs no looking ahead and no second try.
//!
//! ```text
//!  level   0 LET, aggregation   2 SINCE UNTIL TRIGGER RELEASE (right)   4 ONCE … (prefix)   6 EXISTS FORALL (prefix)
//!          8 EQUIV (left)  10 IMPLIES (right)  12 OR  14 AND  16 NOT (prefix)  18 = < …  20 + -  22 * / MOD  24 -t
//! ```
//!
//! A prefix operator takes what its level says, wherever it stands: `a AND ONCE b AND c` is `a AND ONCE (b AND c)`.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::expression::Expression;
use super::level;
use super::lex::{Kind, keyword_like, lex};
use super::operators::{Infix, begins_operand, conversion, infix_operator, is_connective, unary_operator};
use super::syntax::{
    Aggregation, Bound, Conversion, Document, Formula, FormulaKind, Interval, Let, Name, Predicate, Term, TermKind,
};
use crate::core::{AggregateFunction, AggregateNotation, Direction, NamedAggregate, Quantifier, Rank, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::{Cursor, Spelling, one_of, quote};

/// How operators are written. Those of other notations are replaced by the lexer.
const SPELLING: Spelling = Spelling {
    words: &[
        "NOT",
        "AND",
        "OR",
        "IMPLIES",
        "EQUIV",
        "EXISTS",
        "FORALL",
        "PREV",
        "PREVIOUS",
        "NEXT",
        "ONCE",
        "EVENTUALLY",
        "SOMETIMES",
        "ALWAYS",
        "PAST_ALWAYS",
        "HISTORICALLY",
        "SINCE",
        "UNTIL",
        "TRIGGER",
        "RELEASE",
        "LETPAST",
        "SUBSTRING",
        "MATCHES",
    ],
    foreign: &[("iff", "EQUIV"), ("globally", "ALWAYS"), ("finally", "EVENTUALLY")],
};

/// Parses a file.
pub(super) fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let lexed = lex(text);
    let comments = lexed.comments.clone();
    let mut parser = Parser { cursor: Cursor::new(text, lexed).spelling(SPELLING), in_arguments: false };
    let formula = parser.policy();
    (Document { formula, comments }, parser.cursor.finish())
}

/// The parser: a cursor, and whether it stands in an argument list, where a comma ends a number.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<'s, Kind>,
    in_arguments: bool,
}

impl Parser<'_> {
    /// The whole file: a formula and, as papers print it, a full stop.
    fn policy(&mut self) -> Formula {
        let start = self.cursor.span();
        let mut formula = self.formula(level::LOOSEST);
        while !self.cursor.is_end() {
            if self.cursor.kind() == Kind::Dot && self.cursor.nth(1).kind == Kind::End {
                self.cursor.bump();
                break;
            }
            self.cursor.forget_expected();
            self.cursor.expect_also("an operator");
            self.cursor.expect_also(Kind::End);
            self.unexpected();
            self.cursor.skip_to(is_connective);
            let left = Expression::Formula(formula);
            let whole = self.infix(left, start, level::LOOSEST);
            formula = self.as_formula(whole);
        }
        formula
    }

    /// A formula whose operators bind at least as tightly as `min`.
    pub(super) fn formula(&mut self, min: u8) -> Formula {
        let expression = self.expression(min);
        self.as_formula(expression)
    }

    /// A term whose operators bind at least as tightly as `min`.
    fn term(&mut self, min: u8) -> Term {
        let expression = self.expression(min);
        self.as_term(expression)
    }

    /// A formula or a term, one level deeper.
    pub(super) fn expression(&mut self, min: u8) -> Expression {
        let start = self.cursor.span();
        let Some(outer) = self.cursor.enter() else { return missing(start, min) };
        let left = self.operand(min);
        let whole = self.infix(left, start, min);
        self.cursor.leave(outer);
        whole
    }

    /// Goes on after `left`, which began at `start`, with operators that bind at least as tightly as `min`.
    pub(super) fn infix(&mut self, mut left: Expression, start: Span, min: u8) -> Expression {
        while let Some((operator, binding)) = infix_operator(self.cursor.kind(), &left) {
            if binding.left < min {
                break;
            }
            self.cursor.bump();
            let interval = if let Infix::Temporal(_) = operator { self.interval() } else { None };
            let right = self.expression(binding.right);
            // A chain of AND or OR is one node and grows no higher.
            if !matches!(operator, Infix::And | Infix::Or) && !self.cursor.grow() {
                break;
            }
            left = self.join(operator, interval, left, right, start);
        }
        left
    }

    fn join(
        &mut self,
        operator: Infix,
        interval: Option<Interval>,
        left: Expression,
        right: Expression,
        start: Span,
    ) -> Expression {
        let span = self.cursor.since(start);
        let kind = match operator {
            Infix::Arithmetic(operator) => {
                let (left, right) = (self.as_term(left), self.as_term(right));
                let kind = TermKind::Binary(operator, Box::new(left), Box::new(right));
                return Expression::Term(Term { kind, span });
            }
            Infix::Compare(comparison) => {
                let (left, right) = (self.as_term(left), self.as_term(right));
                FormulaKind::Compare(comparison, left, right)
            }
            Infix::And => {
                return Expression::Formula(Formula::and(self.as_formula(left), self.as_formula(right), span));
            }
            Infix::Or => return Expression::Formula(Formula::or(self.as_formula(left), self.as_formula(right), span)),
            Infix::Implies => FormulaKind::Implies(self.boxed(left), self.boxed(right)),
            Infix::Equiv => FormulaKind::Equiv(self.boxed(left), self.boxed(right)),
            Infix::Temporal(operator) => FormulaKind::Binary(operator, interval, self.boxed(left), self.boxed(right)),
        };
        Expression::Formula(Formula { kind, span })
    }

    fn boxed(&mut self, expression: Expression) -> Box<Formula> {
        Box::new(self.as_formula(expression))
    }

    /// The expression as a formula; a term is an error.
    pub(super) fn as_formula(&mut self, expression: Expression) -> Formula {
        let term = match expression {
            Expression::Formula(formula) => return formula,
            Expression::Term(term) => term,
        };
        if !is_broken(&term) {
            let text = self.cursor.text(term.span);
            let hint = match (&term.kind, keyword_like(text)) {
                (TermKind::Name(_), Some(keyword)) => format!("write `{keyword}`: keywords are written in capitals"),
                (TermKind::Name(_), None) => match SPELLING.near(text) {
                    Some(keyword) => format!("did you mean `{keyword}`?"),
                    None => format!("write `{text}()` for an event without arguments"),
                },
                _ => format!("compare it with another term, as in `{text} = x`"),
            };
            let message = format!("expected a formula, found the term {}", quote(text));
            self.cursor.fail(Diagnostic::error("E0302", term.span, message).hint(hint));
        }
        Formula { kind: FormulaKind::Missing, span: term.span }
    }

    /// The expression as a term; a formula is an error.
    fn as_term(&mut self, expression: Expression) -> Term {
        let formula = match expression {
            Expression::Term(term) => return term,
            Expression::Formula(formula) => formula,
        };
        let hint = match formula.kind {
            FormulaKind::Missing => None,
            FormulaKind::Predicate(_) => {
                Some("an event has no value: bind its arguments to variables and compare those")
            }
            FormulaKind::Compare(..) => Some("write two comparisons and join them with AND"),
            _ => Some("write EQUIV between two formulas"),
        };
        if let Some(hint) = hint {
            let message = format!("expected a term, found the formula {}", quote(self.cursor.text(formula.span)));
            self.cursor.fail(Diagnostic::error("E0303", formula.span, message).hint(hint));
        }
        Term { kind: TermKind::Missing, span: formula.span }
    }

    /// Reports the current token, with a hint where a keyword was written in small letters.
    pub(super) fn unexpected(&mut self) {
        let places = [self.cursor.span(), self.cursor.previous_span()];
        let misspelt = places.into_iter().find_map(|span| keyword_like(self.cursor.text(span)));
        match misspelt {
            Some(keyword) => self.cursor.unexpected(&format!("keywords are written in capitals: `{keyword}`")),
            None => self.cursor.unexpected(""),
        }
    }

    /// An operand with its prefix operators.
    fn operand(&mut self, min: u8) -> Expression {
        let start = self.cursor.span();
        let kind = match self.cursor.kind() {
            Kind::True => self.constant(true),
            Kind::False => self.constant(false),
            Kind::Not => {
                self.cursor.bump();
                FormulaKind::Not(Box::new(self.formula(level::NOT)))
            }
            Kind::Exists => self.quantified(Quantifier::Exists),
            Kind::Forall => self.quantified(Quantifier::Forall),
            Kind::MatchForward => self.matching(Direction::Future),
            Kind::MatchPast => self.matching(Direction::Past),
            Kind::Let | Kind::LetPast => self.definition(),
            Kind::Name if self.cursor.nth(1).kind == Kind::Open => FormulaKind::Predicate(self.predicate()),
            Kind::Name if self.cursor.nth(1).kind == Kind::Arrow => self.aggregation(),
            Kind::Open => return self.parenthesis(),
            other => match unary_operator(other) {
                Some(operator) => {
                    self.cursor.bump();
                    let interval = self.interval();
                    FormulaKind::Unary(operator, interval, Box::new(self.formula(level::TEMPORAL)))
                }
                None => return self.simple_term(min),
            },
        };
        Expression::Formula(Formula { kind, span: self.cursor.since(start) })
    }

    fn constant(&mut self, truth: bool) -> FormulaKind {
        self.cursor.bump();
        FormulaKind::Constant(truth)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> FormulaKind {
        self.cursor.bump();
        let variables = self.names();
        if self.cursor.expect(Kind::Dot, "write a full stop between the variables and the formula").is_none() {
            self.cursor.skip_to(|kind| kind == Kind::Dot || begins_operand(kind) || kind == Kind::Close);
            self.cursor.eat(Kind::Dot);
        }
        let body = Box::new(self.formula(level::QUANTIFIER));
        // The core has one quantifier per variable, and its depth is bounded too.
        for _ in variables.iter().skip(1) {
            if !self.cursor.grow() {
                break;
            }
        }
        FormulaKind::Quantified(quantifier, variables, body)
    }

    /// `x, y, …`
    fn names(&mut self) -> Vec<Name> {
        let mut names = Vec::new();
        loop {
            match self.name("write the name of a variable") {
                Some(name) => names.push(name),
                None => return names,
            }
            if self.cursor.eat(Kind::Comma).is_none() {
                return names;
            }
        }
    }

    fn name(&mut self, hint: &str) -> Option<Name> {
        let token = self.cursor.expect(Kind::Name, hint)?;
        Some(Name { text: self.cursor.text(token.span).into(), span: token.span })
    }

    /// `P(t, …)`; the caller saw both the name and the parenthesis.
    fn predicate(&mut self) -> Predicate {
        let token = self.cursor.bump();
        let name = Name { text: self.cursor.text(token.span).into(), span: token.span };
        let open = self.cursor.bump().span;
        let outside = std::mem::replace(&mut self.in_arguments, true);
        let arguments = self.arguments(open);
        self.in_arguments = outside;
        // In a definition's arguments each `_` becomes a quantifier.
        for _ in arguments.iter().filter(|argument| argument.kind == TermKind::Any) {
            if !self.cursor.grow() {
                break;
            }
        }
        Predicate { name, arguments }
    }

    fn arguments(&mut self, open: Span) -> Vec<Term> {
        let mut arguments = Vec::new();
        if self.cursor.eat(Kind::Close).is_some() {
            return arguments;
        }
        loop {
            arguments.push(self.term(level::ADD));
            if self.cursor.eat(Kind::Comma).is_some() {
                continue;
            }
            if self.cursor.eat(Kind::Close).is_some() {
                return arguments;
            }
            self.unclosed(open);
            self.cursor.skip_to(|kind| matches!(kind, Kind::Comma | Kind::Close) || is_connective(kind));
            if self.cursor.eat(Kind::Comma).is_none() {
                self.cursor.eat(Kind::Close);
                return arguments;
            }
        }
    }

    /// Reports that a parenthesis is not closed where it should be.
    pub(super) fn unclosed(&mut self, open: Span) {
        let message_place = self.cursor.span();
        let expected = if self.in_arguments { "`,` or `)`" } else { "an operator or `)`" };
        let found = self.cursor.found();
        let advice = self.cursor.advice();
        let diagnostic = Diagnostic::error("E0003", message_place, format!("expected {expected}, found {found}"))
            .hint(advice.as_deref().unwrap_or("close the parenthesis, or write an operator"))
            .related(open, "opened here");
        self.cursor.fail(diagnostic);
    }

    /// `( … )` around a formula or a term.
    fn parenthesis(&mut self) -> Expression {
        let open = self.cursor.bump().span;
        let inner_start = self.cursor.span();
        let inner = self.expression(level::LOOSEST);
        self.closed(inner, inner_start, open)
    }

    /// Takes the closing parenthesis after `inner`; on an error goes on at the next connective.
    pub(super) fn closed(&mut self, mut inner: Expression, start: Span, open: Span) -> Expression {
        while self.cursor.eat(Kind::Close).is_none() {
            self.unclosed(open);
            self.cursor.skip_to(|kind| matches!(kind, Kind::Close | Kind::In) || is_connective(kind));
            if self.cursor.is_end() || self.cursor.kind() == Kind::In {
                break;
            }
            inner = match inner {
                Expression::Formula(_) => self.infix(inner, start, level::LOOSEST),
                // Whatever comes, a connective wants a formula: the term was reported with the token after it.
                Expression::Term(term) => {
                    let formula = Formula { kind: FormulaKind::Missing, span: term.span };
                    self.infix(Expression::Formula(formula), start, level::LOOSEST)
                }
            };
        }
        inner
    }

    /// `LET P(x, …) = F IN F`
    fn definition(&mut self) -> FormulaKind {
        let past = self.cursor.bump().kind == Kind::LetPast;
        let hint = "a definition is written `LET P(x, y) = F IN F`";
        let here = Name { text: Arc::from(""), span: self.cursor.span() };
        let name = self.name(hint).unwrap_or(here);
        let parameters = self.parameters(hint);
        if self.cursor.expect(Kind::Equal, hint).is_none() {
            self.cursor.skip_to(|kind| matches!(kind, Kind::Equal | Kind::In));
            self.cursor.eat(Kind::Equal);
        }
        let definition = self.formula(level::LOOSEST);
        if self.cursor.expect(Kind::In, "write IN and the formula that uses the definition").is_none() {
            self.cursor.skip_to(|kind| matches!(kind, Kind::In | Kind::Close));
            self.cursor.eat(Kind::In);
        }
        let body = self.formula(level::LOOSEST);
        FormulaKind::Let(Box::new(Let { past, name, parameters, definition, body }))
    }

    fn parameters(&mut self, hint: &str) -> Vec<Name> {
        if self.cursor.expect(Kind::Open, hint).is_none() || self.cursor.eat(Kind::Close).is_some() {
            return Vec::new();
        }
        let parameters = self.names();
        if self.cursor.expect(Kind::Close, hint).is_none() {
            self.cursor.skip_to(|kind| matches!(kind, Kind::Close | Kind::Equal | Kind::In));
            self.cursor.eat(Kind::Close);
        }
        parameters
    }

    /// `r <- SUM x; g, … F`; the caller saw the name and the arrow.
    fn aggregation(&mut self) -> FormulaKind {
        let token = self.cursor.bump();
        let result = Name { text: self.cursor.text(token.span).into(), span: token.span };
        self.cursor.bump();
        let Some(operator) = self.aggregate() else { return FormulaKind::Missing };
        let here = Name { text: Arc::from(""), span: self.cursor.span() };
        let over = self.name("write the variable to aggregate over").unwrap_or(here);
        let groups = if self.cursor.eat(Kind::Semicolon).is_some() { self.names() } else { Vec::new() };
        self.cursor.eat(Kind::Dot);
        let body = self.formula(level::LOOSEST);
        FormulaKind::Aggregation(Box::new(Aggregation { result, operator, over, groups, body }))
    }

    /// The aggregation's name and rank; without a name the rest of it is skipped.
    fn aggregate(&mut self) -> Option<AggregateFunction> {
        let notation = AggregateNotation::Mfotl;
        let found = match self.cursor.kind() {
            Kind::Aggregate => notation.named(self.cursor.text(self.cursor.span())),
            _ => None,
        };
        let Some(found) = found else {
            self.cursor.expect_also("an aggregation");
            self.cursor.unexpected(&format!("write {}", one_of(&notation.names())));
            self.cursor.skip_to(|kind| matches!(kind, Kind::Close | Kind::In) || is_connective(kind));
            return None;
        };
        let name = self.cursor.bump();
        Some(match found {
            NamedAggregate::Complete(function) => function,
            NamedAggregate::NeedsRank(make) => make(self.rank(name.span)),
            NamedAggregate::OutOfRange(make) => {
                let message = format!("{} is not between 0 and 100 percent", quote(self.cursor.text(name.span)));
                let hint = "write percents from `P0` to `P100`, such as `P95` or `P99.9`";
                self.cursor.report(Diagnostic::error("E0315", name.span, message).hint(hint));
                make(Rank::MIDDLE)
            }
        })
    }

    /// The rank after the name of an aggregation; the middle if it is missing or none.
    fn rank(&mut self, name: Span) -> Rank {
        let name = self.cursor.text(name).to_owned();
        let start = self.cursor.span();
        let negative = self.cursor.eat(Kind::Minus).is_some();
        let hint = format!("write a fraction from 0 to 1, such as `{name} 0.95 x`, or percents: `P95 x`");
        if !matches!(self.cursor.kind(), Kind::Integer | Kind::Decimal) {
            let message = format!("{name} needs a rank, found {}", self.cursor.found());
            self.cursor.report(Diagnostic::error("E0315", self.cursor.span(), message).hint(hint));
            return Rank::MIDDLE;
        }
        let written = self.cursor.bump();
        let number = Number::parse(self.cursor.text(written.span));
        let number = if negative { number.map(|number| number.neg()) } else { number };
        if let Some(rank) = number.as_ref().and_then(Rank::of) {
            return rank;
        }
        let span = self.cursor.since(start);
        let inside = number.is_some_and(|number| number >= Number::ZERO && number <= Number::Int(1));
        let problem = match inside {
            true => format!("has more than {} digits after the point", Rank::DIGITS),
            false => "is not between 0 and 1".to_owned(),
        };
        let message = format!("the rank {} {problem}", quote(self.cursor.text(span)));
        self.cursor.report(Diagnostic::error("E0315", span, message).hint(hint));
        Rank::MIDDLE
    }

    /// `[2, 5d)`, if an interval stands here.
    ///
    /// An open left end looks like a parenthesis: it is an interval if two bounds follow and then its right end.
    pub(super) fn interval(&mut self) -> Option<Interval> {
        let bound = |n: usize| matches!(self.cursor.nth(n).kind, Kind::Integer | Kind::Duration | Kind::Decimal);
        let kind = |n: usize| self.cursor.nth(n).kind;
        let open_end = bound(1)
            && kind(2) == Kind::Comma
            && (bound(3) || kind(3) == Kind::Star)
            && matches!(kind(4), Kind::Close | Kind::CloseBracket);
        let begins = kind(0) == Kind::OpenBracket || (kind(0) == Kind::Open && open_end);
        begins.then(|| self.bounds()).flatten()
    }

    fn bounds(&mut self) -> Option<Interval> {
        let start = self.cursor.bump();
        let interval = self.bounds_after(start.span, start.kind == Kind::OpenBracket);
        if interval.is_none() {
            let stop = |kind| matches!(kind, Kind::CloseBracket | Kind::Close) || is_connective(kind);
            self.cursor.skip_to(stop);
            if !is_connective(self.cursor.kind()) {
                self.cursor.bump();
            }
        }
        interval
    }

    fn bounds_after(&mut self, start: Span, low_included: bool) -> Option<Interval> {
        let hint = "an interval is written `[0, 5]`, `(2, 3h]` or `[1, *)`";
        let low = self.bound(hint)?;
        self.cursor.expect(Kind::Comma, hint)?;
        let high = match self.cursor.eat(Kind::Star) {
            Some(_) => None,
            None => Some(self.bound(hint)?),
        };
        let closed = self.cursor.eat(Kind::CloseBracket).is_some();
        if !closed {
            self.cursor.expect(Kind::Close, hint)?;
        }
        let high_included = closed && high.is_some();
        Some(Interval { low, low_included, high, high_included, span: self.cursor.since(start) })
    }

    fn bound(&mut self, hint: &str) -> Option<Bound> {
        if self.cursor.kind() == Kind::Decimal {
            let message = format!("expected a whole number, found {}", self.cursor.found());
            let diagnostic = Diagnostic::error("E0313", self.cursor.span(), message);
            self.cursor.report(diagnostic.hint("write a whole number of a smaller unit, such as `90s` or `500ms`"));
        } else if !matches!(self.cursor.kind(), Kind::Integer | Kind::Duration) {
            self.cursor.expect_also("a number");
            self.cursor.unexpected(hint);
            return None;
        }
        let token = self.cursor.bump();
        let text = self.cursor.text(token.span);
        let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = Unit::from_sign(&text[number.len()..]);
        let digits = number.trim_start_matches('0');
        Some(Bound { digits: if digits.is_empty() { "0" } else { digits }.into(), unit, span: token.span })
    }

    /// A term without operators other than a sign.
    fn simple_term(&mut self, min: u8) -> Expression {
        let start = self.cursor.span();
        let kind = match self.cursor.kind() {
            Kind::Name => TermKind::Name(self.take_text()),
            Kind::Integer | Kind::Decimal => TermKind::Number(self.number()),
            Kind::Text | Kind::OpenText => TermKind::Text(unquoted(&self.take_text())),
            Kind::Underscore => {
                self.cursor.bump();
                TermKind::Any
            }
            Kind::Minus => {
                self.cursor.bump();
                TermKind::Negate(Box::new(self.term(level::NEGATE)))
            }
            other => match conversion(other) {
                Some(conversion) => self.conversion(conversion),
                None => return self.no_operand(min),
            },
        };
        Expression::Term(Term { kind, span: self.cursor.since(start) })
    }

    fn take_text(&mut self) -> Arc<str> {
        let token = self.cursor.bump();
        self.cursor.text(token.span).into()
    }

    /// A number; outside argument lists `10,000` is 10000.
    fn number(&mut self) -> Arc<str> {
        let first = self.cursor.bump();
        let mut digits = self.cursor.text(first.span).to_owned();
        if first.kind == Kind::Integer && digits.len() <= 3 && !self.in_arguments {
            while let Some(group) = self.thousands() {
                digits.push_str(self.cursor.text(group));
            }
        }
        digits.into()
    }

    /// Takes a comma and three digits, if they follow without a space.
    fn thousands(&mut self) -> Option<Span> {
        let (before, comma, group) = (self.cursor.previous_span(), self.cursor.nth(0), self.cursor.nth(1));
        let adjacent = before.end == comma.span.start && comma.span.end == group.span.start;
        let three_digits = group.kind == Kind::Integer && group.span.end - group.span.start == 3;
        (comma.kind == Kind::Comma && adjacent && three_digits).then(|| {
            self.cursor.bump();
            self.cursor.bump().span
        })
    }

    fn conversion(&mut self, conversion: Conversion) -> TermKind {
        self.cursor.bump();
        let open = self.cursor.span();
        if self.cursor.expect(Kind::Open, "write the converted term in parentheses").is_none() {
            return TermKind::Missing;
        }
        let outside = std::mem::replace(&mut self.in_arguments, true);
        let start = self.cursor.span();
        let inner = self.expression(level::ADD);
        let inner = self.closed(inner, start, open);
        self.in_arguments = outside;
        TermKind::Apply(conversion, Box::new(self.as_term(inner)))
    }

    /// Reports that an operand is missing here.
    fn no_operand(&mut self, min: u8) -> Expression {
        self.cursor.forget_expected();
        self.cursor.expect_also(if min > level::COMPARE { "a term" } else { "a formula" });
        self.unexpected();
        missing(Span { start: self.cursor.span().start, end: self.cursor.span().start }, min)
    }
}

/// What stands for an operand that is not there.
fn missing(span: Span, min: u8) -> Expression {
    if min > level::COMPARE {
        Expression::Term(Term { kind: TermKind::Missing, span })
    } else {
        Expression::Formula(Formula { kind: FormulaKind::Missing, span })
    }
}

/// Whether an error left a hole in the term, so that nothing more should be said of it.
fn is_broken(term: &Term) -> bool {
    match &term.kind {
        TermKind::Missing => true,
        TermKind::Binary(_, left, right) => is_broken(left) || is_broken(right),
        TermKind::Negate(body) | TermKind::Apply(_, body) => is_broken(body),
        TermKind::Name(_) | TermKind::Number(_) | TermKind::Text(_) | TermKind::Any => false,
    }
}

/// A string token's content: no quotes, and no mark of a regular expression before them.
fn unquoted(token: &str) -> Arc<str> {
    let quoted = token.strip_prefix('r').unwrap_or(token);
    let mut inner = quoted.chars();
    let quote = inner.next();
    let inner = inner.as_str();
    quote.and_then(|quote| inner.strip_suffix(quote)).unwrap_or(inner).into()
}
