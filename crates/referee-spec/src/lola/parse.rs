//! From tokens to the tree: items here, expressions in [`expression`].
//!
//! An item that cannot be read ends where the next one begins. What is missing becomes [`Kind::Unreadable`], of which later
//! stages say nothing.

mod expression;
mod parser;

pub(super) use expression::level;

use self::parser::Parser;
use super::lex::Lexeme;
use super::syntax::{
    Body, Comment, ConstantItem, Document, EvalClause, Expr, InputItem, Item, ItemKind, Kind, Message, Name,
    OutputItem, ReportItem, SpawnClause, TriggerItem,
};
use crate::core::Span;
use crate::diagnostic::Diagnostic;
use crate::parse::{self, Cursor, lex, unescape};

/// A tree, and what is wrong with its text.
pub(super) struct Parsed {
    /// The tree.
    pub document: Document,
    /// The errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut lexed = lex(text);
    lexed.tokens.retain(|token| token.kind != Lexeme::OpenComment);
    let comments = std::mem::take(&mut lexed.comments);
    let mut parser = Parser { text, cursor: Cursor::new(text, lexed), comments, next_comment: 0 };
    let document = parser.document();
    Parsed { document, diagnostics: parser.cursor.finish() }
}

/// Whether a text is read as one name, and as no number.
pub(super) fn is_plain_name(text: &str) -> bool {
    matches!(&lex::<Lexeme>(text).tokens[..], [only, _] if matches!(only.kind, Lexeme::Name) && only.span.end == text.len())
}

const ITEM_HINT: &str =
    "write `input x: Int`, `output s := …`, `trigger … \"message\"`, `constant c := …` or `report …`";

impl Parser<'_> {
    fn document(&mut self) -> Document {
        let mut items = Vec::new();
        loop {
            let blank_before = self.is_after_blank_line();
            let comments = self.comments_before(self.cursor.span().start);
            if self.cursor.is_end() {
                return Document { items, comments };
            }
            items.extend(self.item(comments, blank_before));
        }
    }

    fn item(&mut self, mut comments: Vec<Comment>, blank_before: bool) -> Option<Item> {
        let start = self.cursor.span();
        let kind = match self.cursor.kind() {
            Lexeme::Input => self.input(),
            Lexeme::Constant => self.constant(),
            Lexeme::Output => self.output(),
            Lexeme::Trigger => self.trigger(),
            _ if self.at_word("report") => self.report(),
            _ => {
                for kind in [Lexeme::Input, Lexeme::Output, Lexeme::Trigger, Lexeme::Constant] {
                    self.cursor.expect_also(kind);
                }
                self.cursor.unexpected(ITEM_HINT);
                self.skip_item();
                return None;
            }
        };
        if !self.begins_item() {
            self.cursor.expect_also("the next declaration");
            self.cursor.unexpected(ITEM_HINT);
            self.skip_item();
        }
        let span = self.cursor.since(start);
        let offset = self.cursor.span().start;
        let mut inner = self.take_comments(|comment| comment.span.start < span.end);
        inner.extend(self.take_comments(|comment| comment.span.start < offset && !comment.own_line));
        comments.extend(inner.into_iter().map(|comment| Comment { blank_after: false, ..comment }));
        Some(Item { comments, kind, span, blank_before })
    }

    fn begins_item(&self) -> bool {
        self.cursor.kind().begins_item() || self.at_word("report")
    }

    fn skip_item(&mut self) {
        let position = self.cursor.position();
        loop {
            if self.cursor.is_end() || (self.cursor.position() > position && self.begins_item()) {
                return;
            }
            self.cursor.bump();
        }
    }

    fn input(&mut self) -> ItemKind {
        self.cursor.bump();
        let mut inputs = vec![self.one_input()];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            inputs.push(self.one_input());
        }
        // `input x, y: Int` gives all of them the type.
        let mut later: Option<Name> = None;
        for input in inputs.iter_mut().rev() {
            match &input.type_name {
                Some(name) => later = Some(name.clone()),
                None => input.type_name = later.clone(),
            }
        }
        ItemKind::Input(inputs)
    }

    fn one_input(&mut self) -> InputItem {
        let name = self.name("name the input: `input x: Int`");
        let type_name = self.type_after_colon();
        let from = self.eat_word("from").then(|| {
            let event = self.quoted_or_name("name an event: `from sensor.temperature`");
            let field = self.cursor.eat(Lexeme::Dot).map(|_| self.quoted_or_name("name a field of the event"));
            (event, field)
        });
        InputItem { name, type_name, from }
    }

    fn type_after_colon(&mut self) -> Option<Name> {
        self.cursor.eat(Lexeme::Colon).map(|_| self.name("write a type: Int, Float, Bool or String"))
    }

    fn constant(&mut self) -> ItemKind {
        self.cursor.bump();
        let name = self.name("name the constant: `constant limit := 5`");
        let type_name = self.type_after_colon();
        self.cursor.expect(Lexeme::Define, "write `:=` and a value");
        let value = self.expression();
        ItemKind::Constant(ConstantItem { name, type_name, value })
    }

    fn output(&mut self) -> ItemKind {
        self.cursor.bump();
        let name = self.name("name the output: `output s := …`");
        let mut body = Body { parameters: self.parameters(), ..Body::default() };
        let type_name = self.type_after_colon();
        self.clauses(&mut body, true);
        if body.evals.is_empty() {
            self.cursor.expect_also(Lexeme::Define);
            self.cursor.unexpected("say what it is: `:= e` or `eval when c with e`");
        }
        ItemKind::Output(OutputItem { name, type_name, body })
    }

    /// `(p: Int, q: String)`, if it stands here.
    fn parameters(&mut self) -> Vec<(Name, Name)> {
        let mut parameters = Vec::new();
        if self.cursor.eat(Lexeme::OpenRound).is_none() {
            return parameters;
        }
        loop {
            let name = self.name("name a parameter: `(p: Int)`");
            self.cursor.expect(Lexeme::Colon, "give the parameter a type: `(p: Int)`");
            parameters.push((name, self.name("write a type: Int, Float, Bool or String")));
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.cursor.expect(Lexeme::CloseRound, "close the parameters with `)`");
        parameters
    }

    fn clauses(&mut self, body: &mut Body, with_evals: bool) {
        loop {
            let start = self.cursor.span();
            match self.cursor.kind() {
                Lexeme::Spawn => {
                    self.cursor.bump();
                    body.spawns.push(self.spawn(start));
                }
                Lexeme::Eval if with_evals => {
                    self.cursor.bump();
                    body.evals.push(self.eval(start));
                }
                Lexeme::Define if with_evals => {
                    self.cursor.bump();
                    let with = Some(self.expression());
                    let span = self.cursor.since(start);
                    body.evals.push(EvalClause { when: None, with, is_definition: true, span });
                }
                Lexeme::Close if body.close.is_none() => {
                    self.cursor.bump();
                    self.expect_word("when", "write `close when` and a condition");
                    body.close = Some(self.expression());
                }
                _ => return,
            }
        }
    }

    fn spawn(&mut self, start: Span) -> SpawnClause {
        let (mut with, mut when) = (Vec::new(), None);
        loop {
            if with.is_empty() && self.eat_word("with") {
                with = self.spawn_values();
            } else if when.is_none() && self.eat_word("when") {
                when = Some(self.expression());
            } else {
                break;
            }
        }
        if with.is_empty() && when.is_none() {
            self.cursor.expect_also("`with`");
            self.cursor.expect_also("`when`");
            self.cursor.unexpected("say for which values: `spawn with x`, and when: `spawn with x when x > 0`");
        }
        SpawnClause { with, when, span: self.cursor.since(start) }
    }

    /// `e`, or `(e, e)` for several parameters.
    fn spawn_values(&mut self) -> Vec<Expr> {
        let first = self.tuple_or_expression();
        match first {
            Ok(values) => values,
            Err(value) => vec![value],
        }
    }

    fn eval(&mut self, start: Span) -> EvalClause {
        let (mut with, mut when) = (None, None);
        loop {
            if with.is_none() && self.eat_word("with") {
                with = Some(self.expression());
            } else if when.is_none() && self.eat_word("when") {
                when = Some(self.expression());
            } else {
                break;
            }
        }
        if with.is_none() {
            self.cursor.expect_also("`with`");
            if when.is_none() {
                self.cursor.expect_also("`when`");
            }
            self.cursor.unexpected("say what the value is: `eval when c with e`");
            with = Some(self.unreadable());
        }
        EvalClause { when, with, is_definition: false, span: self.cursor.since(start) }
    }

    fn trigger(&mut self) -> ItemKind {
        self.cursor.bump();
        let is_list = self.cursor.kind() == Lexeme::OpenRound
            && self.cursor.nth(1).kind == Lexeme::Name
            && self.cursor.nth(2).kind == Lexeme::Colon;
        let parameters = if is_list { self.parameters() } else { Vec::new() };
        let mut body = Body { parameters, ..Body::default() };
        self.clauses(&mut body, false);
        let at_end = self.at_word("at") && self.word_follows("end");
        if at_end {
            self.cursor.bump();
            self.cursor.bump();
        }
        let start = self.cursor.span();
        if self.cursor.kind() == Lexeme::Eval {
            self.cursor.bump();
        }
        if self.at_word("when") {
            self.cursor.bump();
        }
        let condition = self.expression();
        let span = self.cursor.since(start);
        body.evals.push(EvalClause { when: None, with: Some(condition), is_definition: true, span });
        if self.at_word("with") && self.cursor.nth(1).kind == Lexeme::String {
            self.cursor.bump();
        }
        let message = (self.cursor.kind() == Lexeme::String).then(|| self.message());
        self.clauses(&mut body, false);
        ItemKind::Trigger(TriggerItem { body, at_end, message })
    }

    fn message(&mut self) -> Message {
        let token = self.cursor.bump();
        let raw = self.cursor.text(token.span);
        let pieces = self.pieces(token.span);
        Message { raw: raw.into(), pieces }
    }

    fn report(&mut self) -> ItemKind {
        self.cursor.bump();
        let mut columns = vec![self.name("name a stream: `report s to \"file.csv\"`")];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            columns.push(self.name("name another stream"));
        }
        self.expect_word("to", "say which file: `to \"file.csv\"`");
        let path = match self.cursor.kind() {
            Lexeme::String => self.quoted_or_name(""),
            _ => {
                self.cursor.expect_also(Lexeme::String);
                self.cursor.unexpected("name a file in quotes: `to \"file.csv\"` or `to \"file.json\"`");
                self.nameless()
            }
        };
        ItemKind::Report(ReportItem { columns, path })
    }

    fn name(&mut self, hint: &str) -> Name {
        match self.cursor.expect(Lexeme::Name, hint) {
            Some(token) => Name { text: self.cursor.text(token.span).into(), span: token.span },
            None => self.nameless(),
        }
    }

    fn quoted_or_name(&mut self, hint: &str) -> Name {
        let token = self.cursor.token();
        let text = self.cursor.text(token.span);
        match token.kind {
            Lexeme::String => {
                self.cursor.bump();
                Name { text: unescape(text).into(), span: token.span }
            }
            // Events may be called like a word of the language, and fields have numbers where formats name none.
            _ if text.starts_with(char::is_alphanumeric) => {
                self.cursor.bump();
                Name { text: text.into(), span: token.span }
            }
            _ => self.name(hint),
        }
    }

    fn nameless(&self) -> Name {
        let start = self.cursor.span().start;
        Name { text: "".into(), span: Span { start, end: start } }
    }

    fn unreadable(&self) -> Expr {
        let start = self.cursor.span().start;
        Expr { kind: Kind::Unreadable, span: Span { start, end: start } }
    }

    fn at_word(&self, word: &str) -> bool {
        self.cursor.kind() == Lexeme::Name && self.cursor.text(self.cursor.span()) == word
    }

    fn word_follows(&self, word: &str) -> bool {
        let next = self.cursor.nth(1);
        next.kind == Lexeme::Name && self.cursor.text(next.span) == word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.cursor.bump();
        }
        found
    }

    fn expect_word(&mut self, word: &str, hint: &str) {
        if !self.eat_word(word) {
            self.cursor.expect_also(format!("`{word}`"));
            self.cursor.unexpected(hint);
        }
    }

    /// Whether a blank line stands before whatever comes next, comments included.
    fn is_after_blank_line(&self) -> bool {
        let from = self.cursor.previous_span().end;
        let comment = self.comments.get(self.next_comment).map_or(usize::MAX, |comment| comment.span.start);
        let to = self.cursor.span().start.min(comment);
        from > 0 && self.text.get(from..to).is_some_and(|between| between.matches('\n').count() > 1)
    }

    fn comments_before(&mut self, offset: usize) -> Vec<Comment> {
        self.take_comments(|comment| comment.span.start < offset)
    }

    fn take_comments(&mut self, mine: impl Fn(&parse::Comment) -> bool) -> Vec<Comment> {
        let rest = self.comments.get(self.next_comment..).unwrap_or_default();
        let count = rest.iter().take_while(|comment| mine(comment)).count();
        let taken = rest[..count].iter().map(|comment| comment_of(self.text, comment.span)).collect();
        self.next_comment += count;
        taken
    }
}

fn comment_of(text: &str, span: Span) -> Comment {
    let own = text.get(span.start..span.end).unwrap_or("");
    let after = text.get(span.end..).unwrap_or("");
    let blanks = &after[..after.len() - after.trim_start().len()];
    Comment { text: own.trim_end().into(), blank_after: blanks.matches('\n').count() > 1 }
}
