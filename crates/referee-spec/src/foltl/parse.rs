//! From text to tree.
//!
//! A name, an application and a parenthesis can begin a term as well as a formula (`f(x)`, `f(x) < 3`), so one function
//! parses both ([`Parser::comparison`]) and what follows decides. Two more places look ahead: a temporal word before a
//! parenthesis ([`Parser::is_event_call`]) and a parenthesis before a quantifier ([`Parser::is_closed_prefix`]); both
//! scan to the closing parenthesis, and since depth is bounded the whole stays linear.

use std::sync::Arc;

use super::lex::Kind;
use super::syntax::*;
use crate::diagnostic::Diagnostic;
use crate::parse::{Binding, Comment, Cursor, Lexed, Pratt, lex, pratt, quote, unescape};

/// What parsing gives.
pub struct Parsed {
    /// The tree, whatever the errors.
    pub file: File,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// Errors and lints.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. With `lenient`, binary operators may be mixed without parentheses.
pub fn parse(text: &str, lenient: bool) -> Parsed {
    let lexed: Lexed<Kind> = lex(text);
    let comments = lexed.comments.clone();
    let mut parser = Parser { cursor: Cursor::new(text, lexed), lenient, scope: Vec::new(), chains: Vec::new() };
    let file = parser.file();
    Parsed { file, comments, diagnostics: parser.cursor.finish() }
}

/// A binary operator on formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    And,
    Or,
    Implies,
    Iff,
    Temporal(BinaryOp),
}

/// What can be a term or a formula until the next token is seen.
enum Operand {
    Term(Term),
    Formula(Formula),
}

impl Operand {
    fn span_mut(&mut self) -> &mut Span {
        match self {
            Operand::Term(term) => &mut term.span,
            Operand::Formula(formula) => &mut formula.span,
        }
    }
}

struct Parser<'s> {
    cursor: Cursor<'s, Kind>,
    lenient: bool,
    /// The variables that quantifiers bind here.
    scope: Vec<Arc<str>>,
    /// The operators of every chain that is being parsed, innermost last.
    chains: Vec<Vec<(Operator, Span)>>,
}

impl<'s> Parser<'s> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        while !self.cursor.is_end() {
            let before = self.cursor.position();
            let mut item = self.item();
            if let Item::Property(property) = &mut item
                && !self.at_item()
            {
                property.damage = Damage::Gap;
                self.cursor.expect_also("`property`");
                self.cursor.unexpected("a file with several formulas names each of them: `property name: formula`");
                self.skip_to_item(before);
            }
            file.items.push(item);
        }
        file
    }

    /// Whether the file ends here, or a declaration or a named property begins.
    fn at_item(&self) -> bool {
        self.cursor.is_end() || self.at_event() || self.at_property()
    }

    fn at_event(&self) -> bool {
        self.word(0) == "event" && self.cursor.nth(1).kind == Kind::Name
    }

    fn at_property(&self) -> bool {
        self.word(0) == "property" && self.cursor.nth(1).kind == Kind::Name && self.cursor.nth(2).kind == Kind::Colon
    }

    /// The text of the name `n` tokens ahead.
    fn word(&self, n: usize) -> &'s str {
        let token = self.cursor.nth(n);
        if token.kind == Kind::Name { self.cursor.text(token.span) } else { "" }
    }

    /// Skips to the next item, by at least one token since `before`.
    fn skip_to_item(&mut self, before: usize) {
        if self.cursor.position() == before {
            self.cursor.bump();
        }
        while !self.at_item() {
            self.cursor.bump();
        }
    }

    fn item(&mut self) -> Item {
        if self.at_event() { Item::Event(self.declaration()) } else { Item::Property(self.property()) }
    }

    fn declaration(&mut self) -> Declaration {
        let start = self.cursor.bump().span;
        let name = self.take_name();
        let mut arguments = Vec::new();
        if self.at_declared_arguments() {
            self.cursor.bump();
            if self.cursor.eat(Kind::Close).is_none() {
                arguments = self.declared_arguments();
            }
        }
        Declaration { name, arguments, span: self.cursor.since(start) }
    }

    /// Whether a list of arguments stands here, and not the formula after a declaration without arguments.
    fn at_declared_arguments(&self) -> bool {
        let kinds = [0, 1, 2].map(|n| self.cursor.nth(n).kind);
        matches!(
            kinds,
            [Kind::Open, Kind::Close, _] | [Kind::Open, Kind::Name, Kind::Comma | Kind::Colon | Kind::Close]
        )
    }

    fn declared_arguments(&mut self) -> Vec<DeclaredArgument> {
        let mut arguments = Vec::new();
        loop {
            let Some(first) = self.name("write the argument's sort, or `field:sort`") else { break };
            let argument = match self.cursor.eat(Kind::Colon) {
                None => DeclaredArgument { field: None, sort: first },
                Some(_) => match self.name("write the field's sort after `:`") {
                    Some(sort) => DeclaredArgument { field: Some(first), sort },
                    None => break,
                },
            };
            arguments.push(argument);
            if self.cursor.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.close("close the list of arguments");
        arguments
    }

    fn property(&mut self) -> PropertyItem {
        let start = self.cursor.span();
        let before = self.cursor.errors();
        let name = self.at_property().then(|| {
            self.cursor.bump();
            let name = self.take_name();
            self.cursor.bump();
            name
        });
        let formula = self.formula();
        let after = self.cursor.errors();
        let damage = match () {
            () if after.gaps > before.gaps => Damage::Gap,
            () if after.all > before.all => Damage::Faulty,
            () => Damage::None,
        };
        PropertyItem { name, formula, span: self.cursor.since(start), damage }
    }

    /// Takes the current token as a name.
    fn take_name(&mut self) -> Name {
        let token = self.cursor.bump();
        Name { text: self.cursor.text(token.span).into(), span: token.span }
    }

    fn name(&mut self, hint: &str) -> Option<Name> {
        let token = self.cursor.expect(Kind::Name, hint)?;
        Some(Name { text: self.cursor.text(token.span).into(), span: token.span })
    }

    fn formula(&mut self) -> Formula {
        let operand = self.chain();
        self.as_formula(operand)
    }

    /// Operands joined by binary operators; a term if there is one operand and it may be one.
    fn chain(&mut self) -> Operand {
        let (start, before) = (self.cursor.span(), self.cursor.errors());
        self.chains.push(Vec::new());
        let operand = pratt(self, 0);
        let chain = self.chains.pop().unwrap_or_default();
        if !self.lenient && self.cursor.errors().gaps == before.gaps {
            self.check_chain(&chain, self.cursor.since(start));
        }
        operand
    }

    /// Reports a chain that mixes operators, or repeats one that does not associate.
    fn check_chain(&mut self, chain: &[(Operator, Span)], whole: Span) {
        let Some((first, first_span)) = chain.first().copied() else { return };
        let associates = matches!(first, Operator::And | Operator::Or);
        let Some((other, span)) = chain[1..].iter().copied().find(|(other, _)| !associates || *other != first) else {
            return;
        };
        let (a, b) = (self.cursor.text(first_span), self.cursor.text(span));
        let message = if first == other {
            format!("two `{a}` in a row need parentheses: it is not said which one comes first")
        } else {
            format!("`{a}` and `{b}` are mixed without parentheses")
        };
        let before = excerpt(self.cursor.text(Span { start: whole.start, end: span.start }));
        let hint = format!("write for example `({before}) {b} …`, or check with `--lenient`");
        let related = format!("the first operator is `{a}`");
        self.cursor.report(Diagnostic::error("E0101", span, message).hint(hint).related(first_span, related));
    }

    /// An operand of binary operators: prefix operators, quantifiers, atoms, parentheses.
    fn prefixed(&mut self) -> Operand {
        let start = self.cursor.span();
        if let Some(op) = self.unary_operator() {
            return Operand::Formula(self.unary(start, op));
        }
        Operand::Formula(match self.cursor.kind() {
            Kind::Not => {
                self.cursor.bump();
                let body = self.operand_formula();
                self.build(start, FormulaKind::Not(Box::new(body)))
            }
            Kind::Forall | Kind::Exists => self.quantified(start, false),
            Kind::Open if self.is_closed_prefix() => {
                self.cursor.bump();
                self.quantified(start, true)
            }
            _ => return self.comparison(),
        })
    }

    fn operand_formula(&mut self) -> Formula {
        let operand = self.operand();
        self.as_formula(operand)
    }

    fn build(&self, start: Span, kind: FormulaKind) -> Formula {
        Formula { kind, span: self.cursor.since(start) }
    }

    /// The temporal operator that stands here, unless its word is the name of an event.
    fn unary_operator(&self) -> Option<UnaryOp> {
        let op = match self.cursor.kind() {
            Kind::Next => UnaryOp::Next,
            Kind::WeakNext => UnaryOp::WeakNext,
            Kind::Last => UnaryOp::Prev,
            Kind::WeakLast => UnaryOp::WeakPrev,
            Kind::Always => UnaryOp::Always,
            Kind::AlwaysBeen => UnaryOp::Historically,
            Kind::Eventually => UnaryOp::Eventually,
            Kind::Once => UnaryOp::Once,
            _ => return None,
        };
        (!self.is_event_call(0)).then_some(op)
    }

    fn unary(&mut self, start: Span, op: UnaryOp) -> Formula {
        self.cursor.bump();
        let op = if op == UnaryOp::Always && self.at_before() {
            self.cursor.bump();
            UnaryOp::Historically
        } else {
            op
        };
        let body = self.operand_formula();
        self.build(start, FormulaKind::Unary(op, Box::new(body)))
    }

    /// Whether `before` stands here as the second word of `always before`, not as an event.
    fn at_before(&self) -> bool {
        self.word(0) == "before" && self.cursor.nth(1).kind.begins_operand() && !self.is_event_call(0)
    }

    /// Whether the word `n` tokens ahead is applied to terms only, so that it names an event: `next(i)`, `next(i, 3)`,
    /// `next()`, but not `next (p)`, `next (x = 3)` or `next (x + 1) < y`.
    fn is_event_call(&self, n: usize) -> bool {
        let word = self.cursor.nth(n).kind;
        if !(word.is_temporal_word() || word == Kind::Name) || self.cursor.nth(n + 1).kind != Kind::Open {
            return false;
        }
        let (mut depth, mut at, mut list, mut arithmetic) = (1, n + 2, false, false);
        while depth > 0 {
            let kind = self.cursor.nth(at).kind;
            match kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Comma => list |= depth == 1,
                other if other.is_arithmetic() => arithmetic = true,
                other if other.is_of_terms() => {}
                _ => return false,
            }
            at += 1;
        }
        let after = self.cursor.nth(at).kind;
        let goes_on = after.is_comparison() || after.is_arithmetic();
        match at - (n + 2) {
            1 => true,
            2 if !goes_on => self.is_term(n + 2),
            _ => list || arithmetic && !goes_on,
        }
    }

    /// Whether the token `n` ahead cannot be a formula.
    fn is_term(&self, n: usize) -> bool {
        match self.cursor.nth(n).kind {
            Kind::Number | Kind::String => true,
            Kind::Name => self.scope.iter().any(|bound| **bound == *self.word(n)),
            _ => false,
        }
    }

    /// Whether `(forall x:s)` stands here, closed before its formula.
    fn is_closed_prefix(&self) -> bool {
        let mut at = 2;
        while matches!(self.cursor.nth(at).kind, Kind::Name | Kind::Comma | Kind::Colon) {
            at += 1;
        }
        matches!(self.cursor.nth(1).kind, Kind::Forall | Kind::Exists) && self.cursor.nth(at).kind == Kind::Close
    }

    /// A quantifier from its word on, and the one operand below it.
    fn quantified(&mut self, start: Span, parenthesised: bool) -> Formula {
        let word = self.cursor.bump().kind;
        let quantifier = if word == Kind::Forall { Quantifier::Forall } else { Quantifier::Exists };
        let mut variables = Vec::new();
        while let Some(variable) = self.name("write the variable and its sort: `(forall x:sort)(…)`") {
            variables.push(variable);
            if self.cursor.eat(Kind::Comma).is_none() || !self.cursor.grow() {
                break;
            }
        }
        let sort = self.cursor.eat(Kind::Colon).and_then(|_| self.name("write the sort of the variable after `:`"));
        if parenthesised {
            self.close("close the quantifier: `(forall x:sort)(…)`");
        } else {
            self.cursor.eat(Kind::Dot);
        }
        let outer = self.scope.len();
        self.scope.extend(variables.iter().map(|variable| variable.text.clone()));
        let body = self.operand_formula();
        self.scope.truncate(outer);
        // Each variable becomes a quantifier of its own, above the body.
        for _ in variables.iter().skip(1) {
            if !self.cursor.grow() {
                break;
            }
        }
        self.build(start, FormulaKind::Quantified(quantifier, variables, sort, Box::new(body)))
    }

    fn as_formula(&mut self, operand: Operand) -> Formula {
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
    fn comparison(&mut self) -> Operand {
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
                self.applied(name)
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
        self.close("close the parenthesis");
        *inner.span_mut() = self.cursor.since(start);
        inner
    }

    /// Takes the closing parenthesis; if something else stands here, reports it and skips to there.
    fn close(&mut self, hint: &str) {
        if self.cursor.expect(Kind::Close, hint).is_some() {
            return;
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
        let operator = match name {
            "G" => "always",
            "F" => "eventually",
            "X" => "next",
            _ => return self.as_term(argument),
        };
        match argument {
            Operand::Term(term) => term,
            Operand::Formula(formula) => {
                let message = format!("`{name}` is an event here, and events take terms, not formulas");
                let hint = format!("the operator is written `{operator}`");
                self.cursor.report(Diagnostic::error("E0103", formula.span, message).hint(hint));
                Term { kind: TermKind::Missing, span: formula.span }
            }
        }
    }

    /// Warns of `always a => b`, which few people mean.
    fn check_reach(&mut self, left: &Formula, operator: &str) {
        let mut reach = left;
        while let FormulaKind::Quantified(_, _, _, body) = &reach.kind {
            reach = body;
        }
        let text = self.cursor.text(reach.span);
        if let FormulaKind::Unary(UnaryOp::Always | UnaryOp::Historically | UnaryOp::Eventually, _) = reach.kind
            && !text.starts_with('(')
        {
            let word = text.split(|end: char| end.is_whitespace() || end == '(').next().unwrap_or(text);
            let message = format!("`{word}` ends before `{operator}`: this says `({}) {operator} …`", excerpt(text));
            let hint = format!("write `{word} (… {operator} …)`, or put the left side into parentheses");
            self.cursor.report(Diagnostic::warning("L0003", reach.span, message).hint(hint));
        }
    }
}

/// The first characters of a text, on one line.
fn excerpt(text: &str) -> String {
    quote(text.lines().next().unwrap_or("").trim()).trim_matches('`').to_owned()
}

impl<'s> Pratt<'s> for Parser<'s> {
    type Kind = Kind;
    type Tree = Operand;
    type Operator = Operator;

    fn cursor(&mut self) -> &mut Cursor<'s, Kind> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Operand {
        let Some(level) = self.cursor.enter() else {
            return Operand::Formula(Formula::missing(self.cursor.span()));
        };
        let operand = self.prefixed();
        self.cursor.leave(level);
        operand
    }

    fn operator(&mut self) -> Option<(Operator, Binding)> {
        self.cursor.expect_also("an operator");
        let operator = match (self.cursor.kind(), self.cursor.nth(1).kind) {
            (Kind::And, _) => Operator::And,
            (Kind::Or, _) => Operator::Or,
            (Kind::Implies, _) => Operator::Implies,
            (Kind::Iff, _) => Operator::Iff,
            (Kind::Until, _) => Operator::Temporal(BinaryOp::Until),
            (Kind::WeakUntil, _) | (Kind::Weakly, Kind::Until) => Operator::Temporal(BinaryOp::WeakUntil),
            (Kind::Since, _) => Operator::Temporal(BinaryOp::Since),
            (Kind::WeakSince, _) | (Kind::Weakly, Kind::Since) => Operator::Temporal(BinaryOp::WeakSince),
            (Kind::Release, _) => Operator::Temporal(BinaryOp::Release),
            (Kind::Name, next) if next.begins_operand() => Operator::Temporal(letter(self.word(0))?),
            _ => return None,
        };
        Some((operator, operator.binding()))
    }

    fn take(&mut self, operator: Operator) -> Operator {
        let start = self.cursor.span();
        if self.cursor.bump().kind == Kind::Weakly {
            self.cursor.bump();
        }
        let span = self.cursor.since(start);
        if let Some(chain) = self.chains.last_mut() {
            chain.push((operator, span));
        }
        operator
    }

    fn is_flat(&self, operator: &Operator) -> bool {
        matches!(operator, Operator::And | Operator::Or)
    }

    fn join(&mut self, operator: Operator, left: Operand, right: Operand) -> Operand {
        let (left, right) = (self.as_formula(left), self.as_formula(right));
        if operator == Operator::Implies {
            self.check_reach(&left, "=>");
        }
        let span = left.span.to(right.span);
        let (a, b) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Operator::And => FormulaKind::And(flatten(*a, *b, |kind| match kind {
                FormulaKind::And(all) => Ok(all),
                other => Err(other),
            })),
            Operator::Or => FormulaKind::Or(flatten(*a, *b, |kind| match kind {
                FormulaKind::Or(all) => Ok(all),
                other => Err(other),
            })),
            Operator::Implies => FormulaKind::Implies(a, b),
            Operator::Iff => FormulaKind::Iff(a, b),
            Operator::Temporal(op) => FormulaKind::Binary(op, a, b),
        };
        Operand::Formula(Formula { kind, span })
    }
}

impl Operator {
    /// The order that `--lenient` gives the operators.
    fn binding(self) -> Binding {
        match self {
            Operator::Iff => Binding::left(0),
            Operator::Implies => Binding::right(2),
            Operator::Or => Binding::left(4),
            Operator::And => Binding::left(6),
            Operator::Temporal(_) => Binding::right(8),
        }
    }
}

/// The operator that a letter of the logic's own notation stands for.
fn letter(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "U" => BinaryOp::Until,
        "W" => BinaryOp::WeakUntil,
        "S" => BinaryOp::Since,
        "B" => BinaryOp::WeakSince,
        "R" => BinaryOp::Release,
        _ => return None,
    })
}

/// Both sides of `and` or `or` as one list, where `open` opens a side that is such a list already.
fn flatten(
    left: Formula,
    right: Formula,
    open: impl Fn(FormulaKind) -> Result<Vec<Formula>, FormulaKind>,
) -> Vec<Formula> {
    let list = |side: Formula| match open(side.kind) {
        Ok(all) => all,
        Err(kind) => vec![Formula { kind, span: side.span }],
    };
    let mut all = list(left);
    all.extend(list(right));
    all
}
