//! From tokens to the tree. Errors are mended where they happen: a rule that cannot be read ends at the next `;` or brace.

use std::sync::Arc;

use super::syntax::{Document, Modifier, Part, PartKind, Rule, RuleBlock, Ruler, Target};
use crate::diagnostic::Diagnostic;
use crate::rules::lex::Lexeme;
use crate::rules::parse::Parser;
use crate::rules::syntax::{Declared, Expression};

const FILE_HINT: &str = "write `ruler Name { observes e(obj); always Start { e(x) -> Fail } initials Start; }`";
const PART_HINT: &str =
    "write `observes`, `always Name { … }`, `state Name(x) { … }`, `step Name(x) { … }`, `initials` or `forbidden`";
const RULE_HINT: &str = "write `event(x), !Fact(x) -> Fact(x), Fail;`";

/// Parses a file.
pub(super) fn parse(text: &str) -> (Document, Vec<Diagnostic>) {
    let readable = uncommented(text);
    let mut reading = Reading { parser: Parser::with_comments_of(&readable, text) };
    let document = reading.document();
    (document, reading.parser.finish())
}

/// The text with `%` at the beginning of comments replaced by `#`, which begins one in all rule languages.
fn uncommented(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '%' | '#' => {
                readable.push('#');
                copy_until(&mut characters, &mut readable, |_, next| next == '\n');
            }
            '/' if characters.peek() == Some(&'/') => {
                readable.push('/');
                copy_until(&mut characters, &mut readable, |_, next| next == '\n');
            }
            '/' if characters.peek() == Some(&'*') => {
                readable.push('/');
                readable.extend(characters.next());
                copy_until(&mut characters, &mut readable, |last, next| last == '*' && next == '/');
            }
            '"' => {
                readable.push('"');
                copy_string(&mut characters, &mut readable);
            }
            other => readable.push(other),
        }
    }
    readable
}

type Characters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

/// Copies up to, not including, the character at which `stop` holds.
fn copy_until(characters: &mut Characters<'_>, to: &mut String, stop: impl Fn(char, char) -> bool) {
    let mut last = ' ';
    while let Some(next) = characters.next_if(|next| !stop(last, *next)) {
        to.push(next);
        last = next;
    }
}

/// Copies a string up to its closing quote or the end of its line.
fn copy_string(characters: &mut Characters<'_>, to: &mut String) {
    while let Some(next) = characters.next_if(|next| *next != '\n') {
        to.push(next);
        match next {
            '"' => return,
            '\\' => to.extend(characters.next_if(|next| *next != '\n')),
            _ => {}
        }
    }
}

struct Reading<'s> {
    parser: Parser<'s>,
}

impl Reading<'_> {
    fn document(&mut self) -> Document {
        let mut rulers = Vec::new();
        loop {
            let comments = self.parser.comments_before();
            if self.parser.cursor.is_end() {
                return Document { rulers, comments };
            }
            if self.parser.eat_word("ruler") {
                rulers.push(self.ruler(comments));
            } else {
                self.parser.cursor.expect_also("`ruler`");
                self.parser.cursor.unexpected(FILE_HINT);
                self.skip_to_ruler();
            }
        }
    }

    fn skip_to_ruler(&mut self) {
        while !self.parser.cursor.is_end() && !self.parser.is_word("ruler") {
            self.parser.cursor.bump();
        }
    }

    fn ruler(&mut self, comments: Vec<Arc<str>>) -> Ruler {
        let start = self.parser.cursor.previous_span();
        let named = self.parser.cursor.kind() == Lexeme::Name;
        let name = named.then(|| self.parser.name("name the rules: `ruler Name { … }`"));
        let mut ruler = Ruler { comments, name, parts: Vec::new(), end_comments: Vec::new(), span: start };
        if self.parser.cursor.expect(Lexeme::OpenBrace, "open the rules with `{`").is_none() {
            self.skip_to_ruler();
        } else {
            self.parts(&mut ruler);
        }
        ruler.span = self.parser.cursor.since(start);
        ruler
    }

    fn parts(&mut self, ruler: &mut Ruler) {
        loop {
            while self.parser.cursor.eat(Lexeme::Semicolon).is_some() {}
            let comments = self.parser.comments_before();
            if self.parser.cursor.eat(Lexeme::CloseBrace).is_some() {
                ruler.end_comments = comments;
                return;
            }
            if let Some(kind) = self.part() {
                ruler.parts.push(Part { comments, kind });
                continue;
            }
            for word in ["`observes`", "`always`", "`state`", "`step`", "`initials`", "`forbidden`"] {
                self.parser.cursor.expect_also(word);
            }
            self.parser.cursor.unexpected(PART_HINT);
            if self.parser.cursor.is_end() || self.parser.is_word("ruler") {
                return;
            }
            self.parser.cursor.bump();
        }
    }

    /// A part, if one begins here.
    fn part(&mut self) -> Option<PartKind> {
        if self.parser.eat_word("observes") {
            let events = self.parser.declarations("name events: `observes open(obj), close(obj);`");
            return Some(self.ended(PartKind::Observes(events)));
        }
        if self.parser.eat_word("initials") {
            let first = self.parser.declarations("name what holds at first: `initials Start, Safe(3);`");
            return Some(self.ended(PartKind::Initials(first)));
        }
        if self.parser.eat_word("forbidden") {
            let mut names = vec![self.parser.name("name what must not be left: `forbidden Open;`")];
            while self.parser.cursor.eat(Lexeme::Comma).is_some() {
                names.push(self.parser.name("name what must not be left: `forbidden Open;`"));
            }
            return Some(self.ended(PartKind::Forbidden(names)));
        }
        let modifiers = [Modifier::Always, Modifier::State, Modifier::Step];
        let modifier = modifiers.into_iter().find(|modifier| self.parser.eat_word(modifier.word()))?;
        Some(PartKind::Rules(self.block(modifier)))
    }

    /// A list is over at its semicolon; what stands before it cannot be read.
    fn ended(&mut self, part: PartKind) -> PartKind {
        let over = matches!(self.parser.cursor.kind(), Lexeme::Semicolon | Lexeme::CloseBrace) || self.is_part();
        if !over {
            self.parser.cursor.expect_also(Lexeme::Comma);
            self.parser.cursor.expect_also(Lexeme::Semicolon);
            self.parser.cursor.unexpected("separate names with `,` and end with `;`");
            self.parser.cursor.skip_to(|kind| matches!(kind, Lexeme::Semicolon | Lexeme::CloseBrace));
        }
        part
    }

    fn is_part(&self) -> bool {
        let words = ["observes", "always", "state", "step", "initials", "forbidden"];
        words.iter().any(|word| self.parser.is_word(word))
    }

    fn block(&mut self, modifier: Modifier) -> RuleBlock {
        let declared = self.parser.declared("name the rule: `state Safe(i:obj) { … }`");
        let mut block = RuleBlock { modifier, declared, rules: Vec::new(), end_comments: Vec::new() };
        if self.parser.cursor.expect(Lexeme::OpenBrace, "put the rules between `{` and `}`").is_some() {
            self.rules(&mut block);
        }
        block
    }

    fn rules(&mut self, block: &mut RuleBlock) {
        loop {
            while self.parser.cursor.eat(Lexeme::Semicolon).is_some() {}
            let comments = self.parser.comments_before();
            if self.parser.cursor.eat(Lexeme::CloseBrace).is_some() {
                block.end_comments = comments;
                return;
            }
            if self.parser.cursor.is_end() {
                self.parser.cursor.expect_also(Lexeme::CloseBrace);
                return self.parser.cursor.unexpected("close the rules with `}`");
            }
            let (position, errors) = (self.parser.cursor.position(), self.parser.cursor.errors());
            let rule = self.rule(comments);
            if self.parser.cursor.errors() == errors {
                block.rules.push(rule);
                continue;
            }
            self.parser.cursor.skip_to(|kind| matches!(kind, Lexeme::Semicolon | Lexeme::CloseBrace));
            if self.parser.cursor.position() == position && self.parser.cursor.kind() != Lexeme::CloseBrace {
                self.parser.cursor.bump();
            }
        }
    }

    fn rule(&mut self, mut comments: Vec<Arc<str>>) -> Rule {
        let start = self.parser.cursor.span();
        let mut conditions = Vec::new();
        if self.parser.cursor.kind() != Lexeme::Arrow {
            conditions.push(self.parser.expression());
            while self.parser.cursor.eat(Lexeme::Comma).is_some() {
                conditions.push(self.parser.expression());
            }
        }
        let mut targets = Vec::new();
        if self.parser.cursor.expect(Lexeme::Arrow, RULE_HINT).is_some() {
            targets.extend(self.target());
            while self.parser.cursor.eat(Lexeme::Comma).is_some() {
                targets.extend(self.target());
            }
        }
        let over = matches!(self.parser.cursor.kind(), Lexeme::Semicolon | Lexeme::CloseBrace);
        if !over && !targets.is_empty() {
            self.parser.cursor.expect_also(Lexeme::Comma);
            self.parser.cursor.expect_also(Lexeme::Semicolon);
            self.parser.cursor.unexpected("end a rule with `;`; what follows an arrow is separated by `,`");
        }
        let span = self.parser.cursor.since(start);
        self.parser.cursor.eat(Lexeme::Semicolon);
        comments.extend(self.parser.comments_inside());
        Rule { comments, conditions, targets, span }
    }

    fn target(&mut self) -> Option<Target> {
        let start = self.parser.cursor.span();
        let removed = self.parser.cursor.eat(Lexeme::Not).is_some() || self.parser.eat_word("not");
        if !removed && self.parser.eat_word("Ok") {
            return Some(Target::Ok);
        }
        if !removed && self.parser.eat_word("Fail") {
            let message = self.parser.message_of_fail();
            return Some(Target::Fail(message, self.parser.cursor.since(start)));
        }
        let hint = "write what holds then, `Ok` or `Fail`: `-> Safe(i)`";
        let Declared { name, parameters } = self.parser.declared(hint);
        let arguments: Vec<Expression> = parameters.unwrap_or_default();
        let span = self.parser.cursor.since(start);
        if name.text.is_empty() {
            return None;
        }
        Some(if removed { Target::Remove(name, arguments, span) } else { Target::Add(name, arguments, span) })
    }
}
