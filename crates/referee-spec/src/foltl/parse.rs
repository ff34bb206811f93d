//! From text to tree.
//!
//! ```text
//!  parse.rs      items, prefix operators, quantifiers        operators.rs  binary operators and their precedence
//!  terms.rs      comparisons, terms, parentheses             lookahead.rs  event or operator, prefix or group
//! ```
//!
//! A name, an application and a parenthesis can begin a term as well as a formula (`f(x)`, `f(x) < 3`), so one function
//! parses both ([`Parser::comparison`]) and what follows decides. Two more places look ahead: a temporal word before a
//! parenthesis ([`Parser::is_event_call`]) and a parenthesis before a quantifier ([`Parser::is_closed_prefix`]); both
//! scan to the closing parenthesis, and since depth is bounded the whole stays linear.

mod lookahead;
mod operators;
mod parser;
mod terms;

use self::parser::{Operand, Parser};
use super::lex::Kind;
use super::syntax::*;
use crate::diagnostic::Diagnostic;
use crate::parse::{Comment, Cursor, Errors, Lexed, Pratt as _, Spelling, lex, pratt};

/// How operators are written, and what others write for them.
const SPELLING: Spelling = Spelling {
    words: &[
        "not",
        "and",
        "or",
        "forall",
        "exists",
        "next",
        "strong-next",
        "weak-next",
        "last",
        "strong-last",
        "weak-last",
        "always",
        "always-been",
        "eventually",
        "once",
        "previously",
        "weakly",
        "until",
        "weak-until",
        "since",
        "weak-since",
        "back-to",
        "release",
    ],
    foreign: &[("implies", "=>"), ("iff", "<=>"), ("equiv", "<=>"), ("xor", "not (… <=> …)")],
};

/// How a definition is written.
const DEFINITION: &str = "write `define name(p, a, b) = …`: the point, and the arguments of the event";

/// What parsing gives.
pub(super) struct Parsed {
    /// The tree, whatever the errors.
    pub file: File,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// Errors and lints.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file. With `lenient`, binary operators may be mixed without parentheses.
pub(super) fn parse(text: &str, lenient: bool) -> Parsed {
    let lexed: Lexed<Kind> = lex(text);
    let comments = lexed.comments.clone();
    let mut parser = Parser {
        cursor: Cursor::new(text, lexed).spelling(SPELLING),
        lenient,
        scope: Vec::new(),
        parameters: None,
        chains: Vec::new(),
    };
    let file = parser.file();
    Parsed { file, comments, diagnostics: parser.cursor.finish() }
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
                let several = "a file with several formulas names each of them: `property name: formula`";
                let hint = self.habit_hint().unwrap_or_else(|| several.to_owned());
                self.cursor.unexpected(&hint);
                self.skip_to_item(before);
            }
            file.items.push(item);
        }
        file
    }

    /// Whether the file ends here, or a declaration, a definition or a named property begins.
    fn at_item(&self) -> bool {
        self.cursor.is_end() || self.at_event() || self.at_definition() || self.at_property()
    }

    fn at_event(&self) -> bool {
        self.word(0) == "event" && self.cursor.nth(1).kind == Kind::Name
    }

    fn at_definition(&self) -> bool {
        self.word(0) == "define" && self.cursor.nth(1).kind == Kind::Name
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
        match () {
            () if self.at_event() => Item::Event(self.declaration()),
            () if self.at_definition() => Item::Definition(self.definition()),
            () => Item::Property(self.property()),
        }
    }

    /// `define name(p, x1, x2) = F`
    fn definition(&mut self) -> DefinitionItem {
        let (start, before) = (self.cursor.bump().span, self.cursor.errors());
        let name = self.take_name();
        let mut parameters = Vec::new();
        if self.cursor.expect(Kind::Open, DEFINITION).is_some() {
            while let Some(parameter) = self.name(DEFINITION) {
                parameters.push(parameter);
                if self.cursor.eat(Kind::Comma).is_none() {
                    break;
                }
            }
            self.close("close the list of parameters");
        }
        let body = match self.cursor.expect(Kind::Equal, DEFINITION) {
            None => Formula::missing(self.cursor.span()),
            Some(_) => {
                self.parameters = Some(parameters.clone());
                let body = self.formula();
                self.parameters = None;
                body
            }
        };
        DefinitionItem { name, parameters, body, span: self.cursor.since(start), damage: self.damage(before) }
    }

    /// What the errors since `before` did.
    fn damage(&self, before: Errors) -> Damage {
        let after = self.cursor.errors();
        match () {
            () if after.gaps > before.gaps => Damage::Gap,
            () if after.all > before.all => Damage::Faulty,
            () => Damage::None,
        }
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
        while let Some(first) = self.name("write the argument's sort, or `field:sort`") {
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
        PropertyItem { name, formula, span: self.cursor.since(start), damage: self.damage(before) }
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
}
