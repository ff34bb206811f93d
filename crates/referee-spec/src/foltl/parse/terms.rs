//! Comparisons, terms, applications and parentheses: what may be a term or a formula until the next token is seen.

use std::sync::Arc;

use super::parser::{Operand, Parser};
use crate::diagnostic::Diagnostic;
use crate::foltl::lex::Kind;
use crate::foltl::syntax::*;
use crate::parse::{quote, unescape};

impl Parser<'_> {
    pub(super) fn as_formula(&mut self, operand: Operand) -> Formula {
        let term = match operand {
            Operand::Formula(formula) => return formula,
            Operand::Term(term) => term,
        };
        let kind = match term.kind {
            TermKind::Name(name) => FormulaKind::Event(name, None),
            TermKind::Apply(name, arguments) => FormulaKind::Event(name, Some(arguments)),
            TermKind::Boolean(truth) => FormulaKind::Constant(truth),
            TermKind::Missing => FormulaKind::Missing,
            _ => {
                let message = format!("{} is a term, not a formula", quote(self.cursor.text(term.span)));
                let hint = "compare it with another term: `=`, `!=`, `<`, `<=`, `>`, `>=`";
                self.cursor.fail(Diagnostic::error("E0102", term.span, message).hint(hint));
                FormulaKind::Missing
            }
        };
        Formula { kind, span: term.span }
    }

    fn as_term(&mut self, operand: Operand) -> Term {
        match operand {
            Operand::Term(term) => term,
            Operand::Formula(formula) => {
                if formula.kind != FormulaKind::Missing {
                    let message = format!("{} is a formula, not a term", quote(self.cursor.text(formula.span)));
                    let hint = "only variables, fields, constants and arithmetic can be compared or be arguments";
                    self.cursor.report(Diagnostic::error("E0103", formula.span, message).hint(hint));
                }
                Term { kind: TermKind::Missing, span: formula.span }
            }
        }
    }

    /// A comparison, or what may be a term or a formula.
    pub(super) fn comparison(&mut self) -> Operand {
        let start = self.cursor.span();
        let left = self.arithmetic(0);
        let Some(comparison) = self.take_comparison() else { return left };
        let left = self.as_term(left);
        let right = self.arithmetic(0);
        let right = self.as_term(right);
        let formula = self.build(start, FormulaKind::Compare(comparison, left, right));
        if self.cursor.kind().is_comparison() {
            let message = "comparisons cannot be chained";
            let hint = "write each of them and join them: `a < b and b < c`";
            self.cursor.fail(Diagnostic::error("E0104", self.cursor.span(), message).hint(hint));
            while self.take_comparison().is_some() {
                self.arithmetic(0);
            }
        }
        Operand::Formula(formula)
    }

    fn take_comparison(&mut self) -> Option<Comparison> {
        let comparison = match self.cursor.kind() {
            Kind::Equal => Comparison::Equal,
            Kind::NotEqual => Comparison::NotEqual,
            Kind::Less => Comparison::Less,
            Kind::LessOrEqual => Comparison::LessOrEqual,
            Kind::Greater => Comparison::Greater,
            Kind::GreaterOrEqual => Comparison::GreaterOrEqual,
            _ => return None,
        };
        self.cursor.bump();
        Some(comparison)
    }

    /// Sums (level 0) or products (level 1).
    fn arithmetic(&mut self, level: u8) -> Operand {
        let start = self.cursor.span();
        let mut left = self.factor(level);
        while let Some(op) = self.arithmetic_operator(level) {
            self.cursor.bump();
            let right = self.factor(level);
            if !self.cursor.grow() {
                break;
            }
            let (left_term, right) = (self.as_term(left), self.as_term(right));
            let kind = TermKind::Binary(op, Box::new(left_term), Box::new(right));
            left = Operand::Term(Term { kind, span: self.cursor.since(start) });
        }
        left
    }

    fn factor(&mut self, level: u8) -> Operand {
        if level == 0 { self.arithmetic(1) } else { self.signed() }
    }

    fn arithmetic_operator(&self, level: u8) -> Option<Arithmetic> {
        match (level, self.cursor.kind()) {
            (0, Kind::Plus) => Some(Arithmetic::Add),
            (0, Kind::Minus) => Some(Arithmetic::Subtract),
            (1, Kind::Times) => Some(Arithmetic::Multiply),
            (1, Kind::Divide) => Some(Arithmetic::Divide),
            _ => None,
        }
    }

    fn signed(&mut self) -> Operand {
        let start = self.cursor.span();
        if self.cursor.kind() != Kind::Minus {
            return self.primary();
        }
        self.cursor.bump();
        let Some(level) = self.cursor.enter() else { return Operand::Formula(Formula::missing(start)) };
        let body = self.signed();
        self.cursor.leave(level);
        let body = self.as_term(body);
        Operand::Term(Term { kind: TermKind::Negate(Box::new(body)), span: self.cursor.since(start) })
    }

    fn primary(&mut self) -> Operand {
        let start = self.cursor.span();
        let kind = match self.cursor.kind() {
            Kind::Open => return self.group(),
            Kind::Less => match self.quoted_name() {
                Some(name) => self.applied(name),
                None => TermKind::Missing,
            },
            Kind::Name if !self.at_item() => {
                let name = self.take_name().text;
                if self.is_parameter(&name) { self.parameter(name) } else { self.applied(name) }
            }
            kind if kind.is_temporal_word() && self.is_event_call(0) => {
                let name = self.take_name().text;
                self.applied(name)
            }
            Kind::Number => TermKind::Number(self.take_name().text),
            Kind::String | Kind::OpenString => TermKind::String(unescape(&self.take_name().text).into()),
            Kind::True | Kind::False => TermKind::Boolean(self.cursor.bump().kind == Kind::True),
            _ => {
                self.cursor.expect_also("a formula");
                self.cursor.unexpected(self.missing_hint());
                TermKind::Missing
            }
        };
        Operand::Term(Term { kind, span: self.cursor.since(start) })
    }

    /// What to write where nothing that begins a formula stands.
    fn missing_hint(&self) -> &'static str {
        match self.cursor.kind() {
            kind if kind.is_temporal_word() => "an event with the name of an operator is written `<next>(x)`",
            _ => "write an event, a comparison, an operator or `(`",
        }
    }

    fn group(&mut self) -> Operand {
        let start = self.cursor.bump().span;
        let mut inner = self.chain();
        if !self.close("close the parenthesis") {
            return Operand::Formula(Formula::missing(self.cursor.since(start)));
        }
        *inner.span_mut() = self.cursor.since(start);
        inner
    }

    /// Takes the closing parenthesis. If something else stands here, reports it, skips to the parenthesis, and is false.
    pub(super) fn close(&mut self, hint: &str) -> bool {
        let hint = self.habit_hint().unwrap_or_else(|| hint.to_owned());
        if self.cursor.expect(Kind::Close, &hint).is_some() {
            return true;
        }
        let mut depth = 0;
        while !self.at_item() && (depth > 0 || self.cursor.kind() != Kind::Close) {
            match self.cursor.bump().kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
        }
        self.cursor.eat(Kind::Close);
        false
    }

    /// What to write where a habit of another notation leads to an error: `F p`, `10,000`.
    pub(super) fn habit_hint(&self) -> Option<String> {
        let before = self.cursor.text(self.cursor.previous_span());
        if let Some(operator) = word_of_letter(before) {
            return Some(format!("`{before}` is an event here; the operator is written `{operator}`"));
        }
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let after = self.cursor.text(self.cursor.nth(1).span);
        let is_grouped = self.cursor.kind() == Kind::Comma && is_number(before) && is_number(after);
        is_grouped.then(|| format!("write the number without a comma: `{before}{after}`"))
    }

    /// `<next>` or `<"any text">`: a name that cannot be an operator.
    fn quoted_name(&mut self) -> Option<Arc<str>> {
        self.cursor.bump();
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        let name: Arc<str> = match token.kind {
            Kind::String => unescape(text).into(),
            _ if text.starts_with(|first: char| first.is_alphabetic() || first == '_') => text.into(),
            _ => {
                self.cursor.expect_also("the name of an event");
                self.cursor.unexpected("between `<` and `>` stands the name of an event: `<next>(x)`");
                return None;
            }
        };
        self.cursor.bump();
        self.cursor.expect(Kind::Greater, "close the name of the event: `<next>(x)`")?;
        Some(name)
    }

    /// Whether a definition is being parsed that has this parameter.
    fn is_parameter(&self, name: &str) -> bool {
        self.parameters.iter().flatten().any(|parameter| *parameter.text == *name)
    }

    /// A parameter of the definition, or a coordinate of it. It is never applied: the parenthesis after the last one of a
    /// definition begins the next property.
    fn parameter(&mut self, name: Arc<str>) -> TermKind {
        if self.cursor.eat(Kind::Dot).is_none() {
            return TermKind::Name(name);
        }
        match self.name("write the coordinate: `p.x` or `p.y`") {
            Some(coordinate) => TermKind::Coordinate(name, coordinate),
            None => TermKind::Missing,
        }
    }

    /// A name with its arguments, if it has any.
    fn applied(&mut self, name: Arc<str>) -> TermKind {
        if self.cursor.eat(Kind::Open).is_none() {
            return TermKind::Name(name);
        }
        let mut arguments = Vec::new();
        if self.cursor.eat(Kind::Close).is_none() {
            loop {
                let argument = self.chain();
                arguments.push(self.argument(&name, argument));
                if self.cursor.eat(Kind::Comma).is_none() {
                    break;
                }
            }
            self.close("close the list of arguments");
        }
        TermKind::Apply(name, arguments)
    }

    /// An argument as a term; for `G (p => q)` the error says what `G` is called here.
    fn argument(&mut self, name: &str, argument: Operand) -> Term {
        let Some(operator) = word_of_letter(name) else { return self.as_term(argument) };
        match argument {
            Operand::Term(term) => term,
            Operand::Formula(Formula { kind: FormulaKind::Missing, span }) => Term { kind: TermKind::Missing, span },
            Operand::Formula(formula) => {
                let message = format!("`{name}` is an event here, and events take terms, not formulas");
                let hint = format!("the operator is written `{operator}`");
                self.cursor.report(Diagnostic::error("E0103", formula.span, message).hint(hint));
                Term { kind: TermKind::Missing, span: formula.span }
            }
        }
    }
}

/// What the operators that other notations write as a letter are called here.
fn word_of_letter(letter: &str) -> Option<&'static str> {
    match letter {
        "G" => Some("always"),
        "F" => Some("eventually"),
        "X" => Some("next"),
        _ => None,
    }
}
