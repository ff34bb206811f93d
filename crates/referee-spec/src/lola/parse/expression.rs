//! Expressions: operator precedence, accesses, and expressions inside of messages.

use referee_trace::mapping::Unit;
use referee_trace::number::Number;

use super::super::lex::Lexeme;
use super::super::syntax::{Argument, Expr, Kind, Name, Piece};
use super::parser::Parser;
use crate::core::Span;
use crate::core::stream::Operator;
use crate::diagnostic::Diagnostic;
use crate::parse::{BindingPower, Cursor, Pratt, lex, number_hint, pratt, quote, unescape};

const OPERAND_HINT: &str = "write a number, a string, `true`, `false`, a stream, or an expression in parentheses";

/// How tightly the operators bind, loosest first.
fn binding(operator: Operator) -> BindingPower {
    match operator {
        Operator::Iff => BindingPower::left(1),
        Operator::Implies => BindingPower::right(2),
        Operator::Or => BindingPower::left(3),
        Operator::And => BindingPower::left(4),
        Operator::Equal | Operator::NotEqual => BindingPower::left(6),
        Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => BindingPower::left(6),
        Operator::Add | Operator::Subtract => BindingPower::left(8),
        Operator::Multiply | Operator::Divide | Operator::Remainder => BindingPower::left(10),
        Operator::Minimum | Operator::Maximum => BindingPower::left(12),
    }
}

/// How tightly an operator binds, for the printer.
pub(crate) fn level(operator: Operator) -> u8 {
    binding(operator).left
}

/// How tightly `not` binds: its operand may be a comparison.
const NOT: u8 = 5;
/// How tightly a sign binds.
const SIGN: u8 = 12;

impl<'s> Pratt<'s> for Parser<'s> {
    type Kind = Lexeme;
    type Tree = Expr;
    type Operator = Operator;

    fn cursor(&mut self) -> &mut Cursor<'s, Lexeme> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Expr {
        let start = self.cursor.span();
        let Some(level) = self.cursor.enter() else { return self.unreadable() };
        let operand = match self.cursor.kind() {
            Lexeme::Not => {
                self.cursor.bump();
                let body = pratt(self, NOT);
                Expr { span: self.cursor.since(start), kind: Kind::Not(Box::new(body)) }
            }
            Lexeme::Minus => {
                self.cursor.bump();
                let body = pratt(self, SIGN);
                Expr { span: self.cursor.since(start), kind: Kind::Negate(Box::new(body)) }
            }
            Lexeme::If => self.conditional(start),
            _ => self.postfix(start),
        };
        self.cursor.leave(level);
        operand
    }

    fn operator(&mut self) -> Option<(Operator, BindingPower)> {
        let operator = match self.cursor.kind() {
            Lexeme::And => Operator::And,
            Lexeme::Or => Operator::Or,
            Lexeme::Implies => Operator::Implies,
            Lexeme::Iff => Operator::Iff,
            Lexeme::Equal => Operator::Equal,
            Lexeme::NotEqual => Operator::NotEqual,
            Lexeme::Less => Operator::Less,
            Lexeme::LessOrEqual => Operator::LessOrEqual,
            Lexeme::Greater => Operator::Greater,
            Lexeme::GreaterOrEqual => Operator::GreaterOrEqual,
            Lexeme::Plus => Operator::Add,
            Lexeme::Minus => Operator::Subtract,
            Lexeme::Times => Operator::Multiply,
            Lexeme::Divide => Operator::Divide,
            Lexeme::Remainder => Operator::Remainder,
            _ => return None,
        };
        Some((operator, binding(operator)))
    }

    fn take(&mut self, operator: Operator) -> Operator {
        self.cursor.bump();
        operator
    }

    fn join(&mut self, operator: Operator, left: Expr, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        Expr { kind: Kind::Binary(operator, Box::new(left), Box::new(right)), span }
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        pratt(self, 0)
    }

    /// `(e, e)` as a list, anything else as one expression.
    pub(super) fn tuple_or_expression(&mut self) -> Result<Vec<Expr>, Expr> {
        if self.cursor.kind() != Lexeme::OpenRound || !self.is_tuple() {
            return Err(self.expression());
        }
        self.cursor.bump();
        Ok(self.list(Lexeme::CloseRound))
    }

    /// Whether the parenthesis here holds a comma of its own.
    fn is_tuple(&self) -> bool {
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.cursor.nth(ahead).kind {
                Lexeme::OpenRound | Lexeme::OpenSquare => depth += 1,
                Lexeme::CloseRound | Lexeme::CloseSquare if depth <= 1 => return false,
                Lexeme::CloseRound | Lexeme::CloseSquare => depth -= 1,
                Lexeme::Comma if depth == 1 => return true,
                Lexeme::End => return false,
                _ => {}
            }
        }
        false
    }

    fn list(&mut self, closing: Lexeme) -> Vec<Expr> {
        let mut values = Vec::new();
        if self.cursor.eat(closing).is_some() {
            return values;
        }
        loop {
            values.push(self.expression());
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(closing, "separate values with commas and close the bracket");
        values
    }

    fn conditional(&mut self, start: Span) -> Expr {
        self.cursor.bump();
        let condition = self.expression();
        self.cursor.expect(Lexeme::Then, "write `if c then a else b`");
        let then = self.expression();
        self.cursor.expect(Lexeme::Else, "write `if c then a else b`");
        let other = self.expression();
        let kind = Kind::If(Box::new(condition), Box::new(then), Box::new(other));
        Expr { kind, span: self.cursor.since(start) }
    }

    fn postfix(&mut self, start: Span) -> Expr {
        let mut expression = self.primary(start);
        loop {
            match self.cursor.kind() {
                Lexeme::Dot => {
                    self.cursor.bump();
                    expression = self.method(expression, start);
                }
                Lexeme::OpenSquare => {
                    self.cursor.bump();
                    let offset = self.expression();
                    self.cursor.expect(Lexeme::Comma, "give a default: `s[-1, 0]`");
                    let default = self.expression();
                    self.cursor.expect(Lexeme::CloseSquare, "close the offset with `]`");
                    let kind = Kind::Offset(Box::new(expression), Box::new(offset), Box::new(default));
                    expression = Expr { kind, span: self.cursor.since(start) };
                }
                _ => return expression,
            }
            if !self.cursor.grow() {
                return expression;
            }
        }
    }

    fn method(&mut self, receiver: Expr, start: Span) -> Expr {
        let name = self.name("name an access: `hold`, `get`, `last`, `offset`, `is_fresh` or `aggregate`");
        let mut arguments = Vec::new();
        if self.cursor.expect(Lexeme::OpenRound, "an access has parentheses: `s.hold(or: 0)`").is_some()
            && self.cursor.eat(Lexeme::CloseRound).is_none()
        {
            loop {
                arguments.push(self.argument());
                if self.cursor.eat(Lexeme::Comma).is_none() {
                    break;
                }
            }
            self.cursor.expect(Lexeme::CloseRound, "separate arguments with commas and close with `)`");
        }
        Expr { kind: Kind::Method(Box::new(receiver), name, arguments), span: self.cursor.since(start) }
    }

    fn argument(&mut self) -> Argument {
        let token = self.cursor.token();
        let is_label = self.cursor.nth(1).kind == Lexeme::Colon && matches!(token.kind, Lexeme::Name | Lexeme::Or);
        let label = is_label.then(|| {
            self.cursor.bump();
            self.cursor.bump();
            Name { text: self.cursor.text(token.span).into(), span: token.span }
        });
        Argument { label, value: self.expression() }
    }

    fn primary(&mut self, start: Span) -> Expr {
        let text = self.cursor.text(start);
        let kind = match self.cursor.kind() {
            Lexeme::Number => Kind::Number(self.number(text, start)),
            Lexeme::Duration => self.duration(text, start),
            Lexeme::String => Kind::Text(unescape(text).into()),
            Lexeme::OpenString => Kind::Unreadable,
            Lexeme::True => Kind::Truth(true),
            Lexeme::False => Kind::Truth(false),
            Lexeme::Name => {
                self.cursor.bump();
                let name = Name { text: text.into(), span: start };
                let kind = match self.cursor.kind() {
                    Lexeme::OpenRound => {
                        self.cursor.bump();
                        Kind::Call(name, self.list(Lexeme::CloseRound))
                    }
                    _ => Kind::Name(name),
                };
                return Expr { kind, span: self.cursor.since(start) };
            }
            Lexeme::OpenRound => {
                self.cursor.bump();
                let inner = self.expression();
                if self.cursor.expect(Lexeme::CloseRound, "close the parenthesis").is_none() {
                    return inner;
                }
                return Expr { span: self.cursor.since(start), ..inner };
            }
            _ => {
                self.cursor.expect_also("an expression");
                self.cursor.unexpected(OPERAND_HINT);
                return self.unreadable();
            }
        };
        self.cursor.bump();
        Expr { kind, span: start }
    }

    fn number(&mut self, text: &str, span: Span) -> Number {
        Number::parse(text).unwrap_or_else(|| {
            let message = format!("{} is no number", quote(text));
            self.cursor.report(Diagnostic::error("E0901", span, message).hint(number_hint(text)));
            Number::ZERO
        })
    }

    fn duration(&mut self, text: &str, span: Span) -> Kind {
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let sign = match &text[digits.len()..] {
            "sec" => "s",
            "min" => "m",
            sign => sign,
        };
        let amount = self.number(digits, span);
        Kind::Duration(amount, Unit::from_sign(sign).unwrap_or(Unit::Second))
    }

    /// The parts of a message: text, and expressions in braces.
    pub(super) fn pieces(&mut self, span: Span) -> Vec<Piece> {
        let raw = self.cursor.text(span);
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut at = 1;
        let end = raw.len() - 1;
        while at < end {
            let rest = &raw[at..end];
            if rest.starts_with("{{") || rest.starts_with("}}") {
                text.push_str(&rest[..1]);
                at += 2;
            } else if let Some(inner) = rest.strip_prefix('{') {
                let Some(length) = inner.find('}') else {
                    let place = Span { start: span.start + at, end: span.end };
                    let error = Diagnostic::error("E0902", place, "this brace is not closed");
                    self.cursor.report(error.hint("write `{s}` for the value of s, and `{{` for a brace"));
                    break;
                };
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Value(self.embedded(span.start + at + 1, length)));
                at += length + 2;
            } else {
                let plain = rest.find(['{', '}']).unwrap_or(rest.len()).max(1);
                text.push_str(&unescape(&format!("\"{}\"", &rest[..plain])));
                at += plain;
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    /// The expression at a place inside of a string.
    fn embedded(&mut self, start: usize, length: usize) -> Expr {
        let text = &self.text[..start + length];
        let mut lexed = lex::<Lexeme>(&text[start..]);
        let shift = |span: &mut Span| *span = Span { start: span.start + start, end: span.end + start };
        lexed.tokens.iter_mut().for_each(|token| shift(&mut token.span));
        lexed.diagnostics.iter_mut().for_each(|found| shift(&mut found.span));
        lexed.tokens.retain(|token| token.kind != Lexeme::OpenComment);
        let mut inner = Parser { text, cursor: Cursor::new(text, lexed), comments: Vec::new(), next_comment: 0 };
        let expression = inner.expression();
        if !inner.cursor.is_end() {
            inner.cursor.expect_also("`}`");
            inner.cursor.unexpected("one expression stands between the braces");
        }
        for found in inner.cursor.finish() {
            self.cursor.report(found);
        }
        expression
    }
}
