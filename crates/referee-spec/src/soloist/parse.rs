//! From tokens to the tree: properties and formulas here, intervals and modalities in [`modality`].
//!
//! ```text
//!  level   1 <->   2 -> (right)   3 |   4 &   5 U S (right)   then prefix operators and modalities
//! ```
//!
//! Errors are mended where they happen: a parenthesis ends at its partner, a property at the next one. What is missing
//! becomes [`Kind::Missing`], of which later stages say nothing.

mod modality;
mod parser;

use std::sync::Arc;

use self::parser::Parser;
use super::lex::{Letter, Lexeme};
use super::syntax::{Formula, Item, Kind, WrittenInterval};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::{BindingPower, Comment, Cursor, Pratt, Spelling, TokenKind as _, lex, pratt, unescape};

/// What others write for the operators.
const SPELLING: Spelling = Spelling {
    words: &[],
    foreign: &[
        ("and", "&"),
        ("&&", "&"),
        ("or", "|"),
        ("||", "|"),
        ("not", "!"),
        ("implies", "->"),
        ("=>", "->"),
        ("iff", "<->"),
        ("<=>", "<->"),
        ("until", "U"),
        ("since", "S"),
        ("always", "G"),
        ("eventually", "F"),
    ],
};

/// A tree, its comments, and what is wrong with its text.
pub(super) struct Parsed {
    pub(super) items: Vec<Item>,
    pub(super) comments: Vec<Comment>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut lexed = lex(text);
    lexed.tokens.retain(|token| token.kind != Lexeme::OpenComment);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser { cursor: Cursor::new(text, lexed).spelling(SPELLING) };
    let items = parser.items();
    Parsed { items, comments, diagnostics: parser.cursor.finish() }
}

const OPERAND_HINT: &str = "write an atom, `true`, `!`, a letter such as `G` with its operand, or a modality such as `C[600] <= 3 (p)`; an \
                            atom whose name is a letter of the language stands in quotes";
const END_HINT: &str =
    "join formulas with `&`, `|`, `->`, `<->`, `U` or `S`; several properties are written `property name: F`";

impl Parser<'_> {
    /// One formula, or properties with names.
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.cursor.is_end() {
            let before = self.cursor.position();
            items.push(self.item());
            if !self.cursor.is_end() && !self.at_property() {
                self.cursor.unexpected(END_HINT);
                self.skip_to_property();
            }
            if self.cursor.position() == before {
                self.cursor.bump();
            }
        }
        items
    }

    fn item(&mut self) -> Item {
        let start = self.cursor.span();
        let mut name = None;
        if self.at_property() {
            self.cursor.bump();
            name = self.name();
            self.cursor.expect(Lexeme::Colon, "write `:` between the property's name and its formula");
        }
        let formula = self.formula();
        Item { name, formula, span: self.cursor.since(start) }
    }

    /// Whether `property name:` stands here; alone, `property` is an atom.
    fn at_property(&self) -> bool {
        let named = matches!(self.cursor.nth(1).kind, Lexeme::Name | Lexeme::Quoted);
        self.cursor.kind() == Lexeme::Name
            && self.cursor.text(self.cursor.span()) == "property"
            && named
            && self.cursor.nth(2).kind == Lexeme::Colon
    }

    fn skip_to_property(&mut self) {
        while !self.cursor.is_end() && !self.at_property() {
            self.cursor.bump();
        }
    }

    fn name(&mut self) -> Option<Arc<str>> {
        let token = self.cursor.bump();
        let text = self.cursor.text(token.span);
        Some(if token.kind == Lexeme::Quoted { unescape(text).into() } else { text.into() })
    }

    fn formula(&mut self) -> Formula {
        let Some(level) = self.cursor.enter() else { return self.missing() };
        let formula = pratt(self, 0);
        self.cursor.leave(level);
        formula
    }

    fn missing(&self) -> Formula {
        Formula { kind: Kind::Missing, span: self.cursor.span() }
    }

    /// The operator that the current token writes, and whether an underscore follows it.
    fn letter(&self) -> Option<(Letter, bool)> {
        if self.cursor.kind() != Lexeme::Name {
            return None;
        }
        let text = self.cursor.text(self.cursor.span());
        let bare = text.strip_suffix('_').unwrap_or(text);
        let followed = bare.len() < text.len() || self.cursor.nth(1).kind == Lexeme::Underscore;
        Letter::of(bare).map(|letter| (letter, followed))
    }

    /// Takes an operator and the underscore after it.
    fn take_letter(&mut self) -> bool {
        let token = self.cursor.bump();
        self.cursor.text(token.span).ends_with('_') || self.took_underscore()
    }

    /// Takes an underscore; messages need not say that there could be one.
    fn took_underscore(&mut self) -> bool {
        let found = self.cursor.kind() == Lexeme::Underscore;
        if found {
            self.cursor.bump();
        }
        found
    }

    fn prefixed(&mut self, start: Span) -> Formula {
        match (self.cursor.kind(), self.letter()) {
            (Lexeme::Not, _) => {
                self.cursor.bump();
                let body = Box::new(self.inner_operand());
                self.formula_since(start, Kind::Not(body))
            }
            (Lexeme::Name, Some((letter, _))) if letter.is_unary() => self.unary(letter, start),
            (Lexeme::Name, Some((letter, followed))) if letter.is_modality() && self.begins_window(followed) => {
                let kind = self.modality(letter);
                self.formula_since(start, kind)
            }
            _ => self.primary(start),
        }
    }

    /// Whether a window follows the letter of a modality; without one the letter is an atom.
    fn begins_window(&self, followed: bool) -> bool {
        followed || matches!(self.cursor.nth(1).kind, Lexeme::OpenSquare | Lexeme::Caret)
    }

    fn unary(&mut self, letter: Letter, start: Span) -> Formula {
        let mut marked = self.take_letter();
        let mut times = 1;
        if !marked && self.cursor.kind() == Lexeme::Caret {
            times = self.power(letter);
            marked = self.took_underscore();
        }
        let interval = self.interval(marked);
        let body = Box::new(self.inner_operand());
        self.formula_since(start, Kind::Unary(letter, times, interval, body))
    }

    fn primary(&mut self, start: Span) -> Formula {
        let kind = match self.cursor.kind() {
            Lexeme::True => self.taken(Kind::Constant(true)),
            Lexeme::False => self.taken(Kind::Constant(false)),
            Lexeme::Name | Lexeme::Quoted if !self.at_property() => self.name().map_or(Kind::Missing, Kind::Atom),
            Lexeme::Open => return self.parenthesised(start),
            _ => {
                self.cursor.expect_also("a formula");
                self.cursor.unexpected(OPERAND_HINT);
                Kind::Missing
            }
        };
        self.formula_since(start, kind)
    }

    fn taken(&mut self, kind: Kind) -> Kind {
        self.cursor.bump();
        kind
    }

    fn parenthesised(&mut self, start: Span) -> Formula {
        self.cursor.bump();
        let formula = self.formula();
        self.close(Lexeme::Close, "close the parenthesis");
        Formula { span: self.cursor.since(start), ..formula }
    }

    /// Takes a closing bracket; where there is none, says so and goes on behind the one that is meant.
    fn close(&mut self, bracket: Lexeme, hint: &str) {
        if self.cursor.expect(bracket, hint).is_none() {
            self.skip_to_bracket(bracket);
        }
    }

    /// Skips behind a closing bracket, over whole pairs of brackets, but not into the next property.
    fn skip_to_bracket(&mut self, bracket: Lexeme) {
        let mut closings = vec![bracket];
        while !closings.is_empty() && !self.cursor.is_end() && !self.at_property() {
            let kind = self.cursor.bump().kind;
            if closings.last() == Some(&kind) {
                closings.pop();
            } else {
                closings.extend(kind.closing());
            }
        }
    }

    /// The operand of a prefix operator, one level deeper.
    fn inner_operand(&mut self) -> Formula {
        let Some(level) = self.cursor.enter() else { return self.missing() };
        let formula = self.prefixed(self.cursor.span());
        self.cursor.leave(level);
        formula
    }

    fn formula_since(&self, start: Span, kind: Kind) -> Formula {
        Formula { kind, span: self.cursor.since(start) }
    }
}

/// A binary operator.
enum Operator {
    Iff,
    Implies,
    Or,
    And,
    Reach(Letter, Option<WrittenInterval>),
}

impl<'s> Pratt<'s> for Parser<'s> {
    type Kind = Lexeme;
    type Tree = Formula;
    type Operator = Operator;

    fn cursor(&mut self) -> &mut Cursor<'s, Lexeme> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Formula {
        self.prefixed(self.cursor.span())
    }

    fn operator(&mut self) -> Option<(Operator, BindingPower)> {
        Some(match (self.cursor.kind(), self.letter()) {
            (Lexeme::Iff, _) => (Operator::Iff, BindingPower::left(1)),
            (Lexeme::Implies, _) => (Operator::Implies, BindingPower::right(2)),
            (Lexeme::Or, _) => (Operator::Or, BindingPower::left(3)),
            (Lexeme::And, _) => (Operator::And, BindingPower::left(4)),
            (_, Some((letter @ (Letter::Until | Letter::Since), _))) => {
                (Operator::Reach(letter, None), BindingPower::right(5))
            }
            _ => {
                self.cursor.expect_also("an operator");
                return None;
            }
        })
    }

    fn take(&mut self, operator: Operator) -> Operator {
        match operator {
            Operator::Reach(letter, _) => {
                let marked = self.take_letter();
                Operator::Reach(letter, self.interval(marked))
            }
            other => {
                self.cursor.bump();
                other
            }
        }
    }

    fn is_flat(&self, operator: &Operator) -> bool {
        matches!(operator, Operator::And | Operator::Or)
    }

    fn join(&mut self, operator: Operator, left: Formula, right: Formula) -> Formula {
        let span = left.span.to(right.span);
        let kind = match operator {
            Operator::Iff => Kind::Iff(Box::new(left), Box::new(right)),
            Operator::Implies => Kind::Implies(Box::new(left), Box::new(right)),
            Operator::Or => Kind::Or(flat(left, right, |kind| match kind {
                Kind::Or(parts) => Ok(parts),
                other => Err(other),
            })),
            Operator::And => Kind::And(flat(left, right, |kind| match kind {
                Kind::And(parts) => Ok(parts),
                other => Err(other),
            })),
            Operator::Reach(letter, interval) => Kind::Binary(letter, interval, Box::new(left), Box::new(right)),
        };
        Formula { kind, span }
    }
}

/// The parts of two formulas joined by one operator, those of the same operator without a level of their own.
fn flat(left: Formula, right: Formula, open: impl Fn(Kind) -> Result<Vec<Formula>, Kind>) -> Vec<Formula> {
    let mut parts = Vec::new();
    for Formula { kind, span } in [left, right] {
        match open(kind) {
            Ok(inner) => parts.extend(inner),
            Err(kind) => parts.push(Formula { kind, span }),
        }
    }
    parts
}
