//! From tokens to the formula. Terms and formulas share one parser: which of them an operand is, its operators tell.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::lex::Lexeme;
use crate::core::signal::{SignalFormula, SignalInterval, SignalKind, SignalTerm, TermKind};
use crate::core::stream::Duration;
use crate::core::{Comparison, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::{BindingPower, Comment, Cursor, Pratt, Spelling, lex, number_hint, pratt, quote, unescape};

/// How operators are written, and what others write for them.
const SPELLING: Spelling = Spelling {
    words: &["always", "eventually", "until", "not", "and", "or", "implies"],
    foreign: &[("iff", "<=>"), ("equiv", "<=>"), ("globally", "always"), ("finally", "eventually")],
};

/// A formula, the fields it reads, and what is wrong with its text.
pub(super) struct Parsed {
    /// The formula.
    pub formula: SignalFormula,
    /// The fields.
    pub fields: Vec<Arc<str>>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// The errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut lexed = lex(text);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser { cursor: Cursor::new(text, lexed).spelling(SPELLING), fields: Vec::new() };
    let tree = pratt(&mut parser, 0);
    let formula = parser.formula(tree);
    if !parser.cursor.is_end() {
        parser.cursor.expect_also(Lexeme::End);
        parser.cursor.unexpected("a file holds one formula; join formulas with `and`, `or`, `=>` or `U`");
    }
    Parsed { formula, fields: parser.fields, comments, diagnostics: parser.cursor.finish() }
}

struct Parser<'s> {
    cursor: Cursor<'s, Lexeme>,
    fields: Vec<Arc<str>>,
}

/// An operand: a term as long as nothing says otherwise.
enum Tree {
    Formula(SignalFormula),
    Term(SignalTerm),
}

impl Tree {
    fn span(&self) -> Span {
        match self {
            Tree::Formula(formula) => formula.span,
            Tree::Term(term) => term.span,
        }
    }
}

enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Until(SignalInterval),
    Compare(Comparison),
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// How tightly `not`, `G` and `F` bind: tighter than `U`, looser than comparisons.
const PREFIX: u8 = 6;
/// How tightly a sign binds.
const SIGN: u8 = 12;

impl<'s> Pratt<'s> for Parser<'s> {
    type Kind = Lexeme;
    type Tree = Tree;
    type Operator = Operator;

    fn cursor(&mut self) -> &mut Cursor<'s, Lexeme> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Tree {
        let start = self.cursor.span();
        let Some(level) = self.cursor.enter() else { return unreadable(start) };
        let operand = match self.cursor.kind() {
            Lexeme::Not => {
                self.cursor.bump();
                let body = self.prefixed();
                self.built(SignalKind::Not(body), start)
            }
            Lexeme::Globally => {
                self.cursor.bump();
                let interval = self.interval();
                let body = self.prefixed();
                self.built(SignalKind::Globally(interval, body), start)
            }
            Lexeme::Finally => {
                self.cursor.bump();
                let interval = self.interval();
                let body = self.prefixed();
                self.built(SignalKind::Finally(interval, body), start)
            }
            Lexeme::Minus => {
                self.cursor.bump();
                let body = pratt(self, SIGN);
                let body = self.term(body);
                let kind = match body.kind {
                    TermKind::Constant(Value::Number(number)) => TermKind::Constant(Value::Number(number.neg())),
                    _ => TermKind::Negate(Box::new(body)),
                };
                Tree::Term(SignalTerm { kind, span: self.cursor.since(start) })
            }
            _ => self.primary(start),
        };
        self.cursor.leave(level);
        operand
    }

    fn operator(&mut self) -> Option<(Operator, BindingPower)> {
        let compare = |comparison| Some((Operator::Compare(comparison), BindingPower::left(8)));
        match self.cursor.kind() {
            Lexeme::Iff => Some((Operator::Iff, BindingPower::left(1))),
            Lexeme::Implies => Some((Operator::Implies, BindingPower::right(2))),
            Lexeme::Or => Some((Operator::Or, BindingPower::left(3))),
            Lexeme::And => Some((Operator::And, BindingPower::left(4))),
            Lexeme::Until => Some((Operator::Until(SignalInterval::all()), BindingPower::right(5))),
            Lexeme::Less => compare(Comparison::Less),
            Lexeme::LessOrEqual => compare(Comparison::LessOrEqual),
            Lexeme::Greater => compare(Comparison::Greater),
            Lexeme::GreaterOrEqual => compare(Comparison::GreaterOrEqual),
            Lexeme::Equal => compare(Comparison::Equal),
            Lexeme::NotEqual => compare(Comparison::NotEqual),
            Lexeme::Plus => Some((Operator::Add, BindingPower::left(9))),
            Lexeme::Minus => Some((Operator::Subtract, BindingPower::left(9))),
            Lexeme::Times => Some((Operator::Multiply, BindingPower::left(10))),
            Lexeme::Divide => Some((Operator::Divide, BindingPower::left(10))),
            _ => None,
        }
    }

    fn take(&mut self, operator: Operator) -> Operator {
        self.cursor.bump();
        match operator {
            Operator::Until(_) => Operator::Until(self.interval()),
            other => other,
        }
    }

    fn join(&mut self, operator: Operator, left: Tree, right: Tree) -> Tree {
        let span = left.span().to(right.span());
        match operator {
            Operator::Add => self.terms(left, right, span, TermKind::Add),
            Operator::Subtract => self.terms(left, right, span, TermKind::Subtract),
            Operator::Multiply => self.terms(left, right, span, TermKind::Multiply),
            Operator::Divide => self.terms(left, right, span, TermKind::Divide),
            Operator::Compare(comparison) => {
                let (left, right) = (self.term(left), self.term(right));
                Tree::Formula(SignalFormula { kind: SignalKind::Compare(comparison, left, right), span })
            }
            operator => {
                let (left, right) = (Box::new(self.formula(left)), Box::new(self.formula(right)));
                let kind = match operator {
                    Operator::Iff => SignalKind::Iff(left, right),
                    Operator::Implies => SignalKind::Implies(left, right),
                    Operator::Or => SignalKind::Or(left, right),
                    Operator::Until(interval) => SignalKind::Until(interval, left, right),
                    _ => SignalKind::And(left, right),
                };
                Tree::Formula(SignalFormula { kind, span })
            }
        }
    }
}

impl Parser<'_> {
    fn prefixed(&mut self) -> Box<SignalFormula> {
        let body = pratt(self, PREFIX);
        Box::new(self.formula(body))
    }

    fn built(&self, kind: SignalKind, start: Span) -> Tree {
        Tree::Formula(SignalFormula { kind, span: self.cursor.since(start) })
    }

    fn terms(
        &mut self,
        left: Tree,
        right: Tree,
        span: Span,
        join: fn(Box<SignalTerm>, Box<SignalTerm>) -> TermKind,
    ) -> Tree {
        let (left, right) = (Box::new(self.term(left)), Box::new(self.term(right)));
        Tree::Term(SignalTerm { kind: join(left, right), span })
    }

    /// A tree that must be a term.
    fn term(&mut self, tree: Tree) -> SignalTerm {
        match tree {
            Tree::Term(term) => term,
            Tree::Formula(formula) => {
                let error = Diagnostic::error("E0801", formula.span, "a formula has no value to compute with");
                self.cursor.report(error.hint("compare and compute with fields and numbers"));
                SignalTerm { kind: TermKind::Constant(Value::Boolean(false)), span: formula.span }
            }
        }
    }

    /// A tree that must be a formula: a field alone says that it is `true`.
    fn formula(&mut self, tree: Tree) -> SignalFormula {
        let SignalTerm { kind, span } = match tree {
            Tree::Formula(formula) => return formula,
            Tree::Term(term) => term,
        };
        let kind = match kind {
            TermKind::Field(field) => SignalKind::Truth(field),
            TermKind::Constant(Value::Boolean(truth)) => SignalKind::Constant(truth),
            _ => {
                let error = Diagnostic::error("E0801", span, "expected a formula, found a number or a string");
                self.cursor.report(error.hint("compare it: `x < 5`"));
                SignalKind::Constant(false)
            }
        };
        SignalFormula { kind, span }
    }

    fn primary(&mut self, start: Span) -> Tree {
        let text = self.cursor.text(start);
        let kind = match self.cursor.kind() {
            Lexeme::True => TermKind::Constant(Value::Boolean(true)),
            Lexeme::False => TermKind::Constant(Value::Boolean(false)),
            Lexeme::Number => TermKind::Constant(Value::Number(self.number(text, start))),
            Lexeme::String => TermKind::Constant(Value::string(&unescape(text))),
            Lexeme::Name => {
                self.cursor.bump();
                if text == "abs" && self.cursor.kind() == Lexeme::OpenRound {
                    let body = self.operand();
                    let body = Box::new(self.term(body));
                    return Tree::Term(SignalTerm { kind: TermKind::Absolute(body), span: self.cursor.since(start) });
                }
                return Tree::Term(SignalTerm { kind: TermKind::Field(self.field(text)), span: start });
            }
            Lexeme::OpenRound => {
                self.cursor.bump();
                let inner = pratt(self, 0);
                self.cursor.expect(Lexeme::CloseRound, "close the parenthesis");
                let span = self.cursor.since(start);
                return match inner {
                    Tree::Formula(formula) => Tree::Formula(SignalFormula { span, ..formula }),
                    Tree::Term(term) => Tree::Term(SignalTerm { span, ..term }),
                };
            }
            _ => {
                self.cursor.expect_also("a formula");
                self.cursor.unexpected("write a comparison such as `x < 5`, `G_[0,10] …`, `F_[0,10] …` or `not …`");
                return unreadable(start);
            }
        };
        self.cursor.bump();
        Tree::Term(SignalTerm { kind, span: start })
    }

    fn field(&mut self, name: &str) -> usize {
        self.fields.iter().position(|known| **known == *name).unwrap_or_else(|| {
            self.fields.push(name.into());
            self.fields.len() - 1
        })
    }

    fn number(&mut self, text: &str, span: Span) -> Number {
        Number::parse(text).unwrap_or_else(|| {
            let error = Diagnostic::error("E0802", span, format!("{} is no number", quote(text)));
            self.cursor.report(error.hint(number_hint(text)));
            Number::ZERO
        })
    }

    /// `[a,b]` or `[a,inf)`, if it stands here.
    fn interval(&mut self) -> SignalInterval {
        let start = self.cursor.span();
        if self.cursor.eat(Lexeme::OpenSquare).is_none() {
            return SignalInterval::all();
        }
        let low = self.bound().unwrap_or(Duration { amount: Number::ZERO, unit: None });
        self.cursor.expect(Lexeme::Comma, "write both bounds: `[0,10]`");
        let high = self.bound();
        let closed = match self.cursor.kind() {
            Lexeme::CloseRound if high.is_none() => {
                self.cursor.bump();
                true
            }
            _ => self.cursor.expect(Lexeme::CloseSquare, "intervals are closed: `[0,10]`, or `[0,inf)`").is_some(),
        };
        let length = |bound: &Duration| bound.in_unit(Unit::Second);
        let mixed =
            high.as_ref().is_some_and(|high| high.unit.is_none() != low.unit.is_none()) && low.amount != Number::ZERO;
        if closed && (mixed || high.as_ref().is_some_and(|high| !mixed && length(high) < length(&low))) {
            let message =
                if mixed { "one bound has a unit, the other has none" } else { "the interval ends before it begins" };
            let error = Diagnostic::error("E0803", self.cursor.since(start), message);
            self.cursor.report(error.hint("write the lower bound first, both with or both without a unit"));
        }
        SignalInterval { low, high }
    }

    /// A bound; nothing for `inf`.
    fn bound(&mut self) -> Option<Duration> {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        match token.kind {
            Lexeme::Number => {
                self.cursor.bump();
                Some(Duration { amount: self.number(text, token.span), unit: None })
            }
            Lexeme::Duration => {
                self.cursor.bump();
                let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
                let unit = Unit::from_sign(&text[digits.len()..]);
                Some(Duration { amount: self.number(digits, token.span), unit })
            }
            Lexeme::Name if matches!(text, "inf" | "oo") => {
                self.cursor.bump();
                None
            }
            Lexeme::Times => {
                self.cursor.bump();
                None
            }
            _ => {
                self.cursor.expect_also("a bound");
                self.cursor.unexpected("write a number, a length of time such as `10s`, or `inf`");
                None
            }
        }
    }
}

fn unreadable(start: Span) -> Tree {
    let span = Span { start: start.start, end: start.start };
    Tree::Formula(SignalFormula { kind: SignalKind::Constant(false), span })
}
