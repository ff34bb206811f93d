//! From tokens to the tree: automata and their parts here, guards and statements in [`expression`].
//!
//! Errors are mended where they happen: a transition that cannot be read ends at the next `;` or brace, a state at its
//! closing brace, an automaton at the next `qea`. Comments stand before the automaton, the part, the state or the
//! transition that follows them; those inside a transition stand before it.

mod expression;
mod parser;

use std::sync::Arc;

use self::parser::Parser;
use super::lex::Lexeme;
use super::syntax::{Argument, Automaton, Branch, Document, Head, HeadKind, Name, State, Transition};
use crate::core::Quantifier;
use crate::diagnostic::Diagnostic;

/// A tree, and what is wrong with its text.
pub(super) struct Parsed {
    /// The tree.
    pub document: Document,
    /// The errors, in textual order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub(super) fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text);
    let document = parser.document();
    Parsed { document, diagnostics: parser.finish() }
}

const FILE_HINT: &str = "write `qea (Name) { forall(x) accept skip(start) { event(x) -> failure } }`";
const PART_HINT: &str =
    "write `forall(x)`, `exists(x)`, `where(…)`, `join(x, y)` or a state: `accept skip(name) { … }`";

impl Parser<'_> {
    fn document(&mut self) -> Document {
        let mut automata = Vec::new();
        loop {
            let comments = self.comments_before();
            if self.cursor.is_end() {
                return Document { automata, comments };
            }
            if self.eat_word("qea") {
                automata.push(self.automaton(comments));
            } else {
                self.cursor.expect_also("`qea`");
                self.cursor.unexpected(FILE_HINT);
                self.skip_to_automaton();
            }
        }
    }

    fn skip_to_automaton(&mut self) {
        while !self.cursor.is_end() && !self.is_word("qea") {
            self.cursor.bump();
        }
    }

    fn automaton(&mut self, comments: Vec<Arc<str>>) -> Automaton {
        let start = self.cursor.previous_span();
        let name = self.cursor.eat(Lexeme::Open).map(|_| {
            let name = self.name("name the automaton: `qea (Name) { … }`");
            self.cursor.expect(Lexeme::Close, "close the name with `)`");
            name
        });
        let mut automaton =
            Automaton { comments, name, head: Vec::new(), states: Vec::new(), end_comments: Vec::new(), span: start };
        if self.cursor.expect(Lexeme::OpenBrace, "open the automaton with `{`").is_none() {
            self.skip_to_automaton();
        } else {
            self.parts(&mut automaton);
        }
        automaton.span = self.cursor.since(start);
        automaton
    }

    fn parts(&mut self, automaton: &mut Automaton) {
        loop {
            let comments = self.comments_before();
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                automaton.end_comments = comments;
                return;
            }
            if let Some(kind) = self.head() {
                automaton.head.push(Head { comments, kind });
            } else if ["accept", "skip", "next"].iter().any(|word| self.is_word(word)) {
                automaton.states.push(self.state(comments));
            } else {
                for word in ["`forall`", "`exists`", "`where`", "`join`", "`accept`", "`skip`", "`next`"] {
                    self.cursor.expect_also(word);
                }
                self.cursor.unexpected(PART_HINT);
                if self.cursor.is_end() || self.is_word("qea") {
                    return;
                }
                self.cursor.bump();
            }
        }
    }

    /// A part before the states, if one begins here.
    fn head(&mut self) -> Option<HeadKind> {
        if self.eat_word("forall") {
            Some(HeadKind::Quantified(Quantifier::Forall, self.names("quantify variables: `forall(x, y)`")))
        } else if self.eat_word("exists") {
            Some(HeadKind::Quantified(Quantifier::Exists, self.names("quantify variables: `exists(x, y)`")))
        } else if self.eat_word("where") {
            Some(HeadKind::Where(self.head_condition()))
        } else if self.eat_word("join") {
            Some(HeadKind::Join(self.names("join variables: `join(x, y)`")))
        } else if self.eat_word("negated") {
            Some(HeadKind::Negated)
        } else {
            None
        }
    }

    fn head_condition(&mut self) -> super::syntax::Guard {
        self.cursor.expect(Lexeme::Open, "write the condition in parentheses: `where(x != y)`");
        let guard = self.guard();
        self.close(Lexeme::Close, "close the condition with `)`");
        guard
    }

    fn names(&mut self, hint: &str) -> Vec<Name> {
        if self.cursor.expect(Lexeme::Open, hint).is_none() {
            return Vec::new();
        }
        let mut names = vec![self.name(hint)];
        while self.cursor.eat(Lexeme::Comma).is_some() {
            names.push(self.name(hint));
        }
        self.close(Lexeme::Close, "separate variables with commas and close with `)`");
        names
    }

    fn state(&mut self, comments: Vec<Arc<str>>) -> State {
        let accepting = self.eat_word("accept");
        let is_next = self.eat_word("next");
        if !is_next && !self.eat_word("skip") {
            self.cursor.expect_also("`skip`");
            self.cursor.expect_also("`next`");
            self.cursor.unexpected("say what happens without a transition: `skip` stays, `next` fails");
        }
        self.cursor.expect(Lexeme::Open, "name the state in parentheses: `skip(start)`");
        let name = self.name("name the state: `skip(start)`");
        self.cursor.expect(Lexeme::Close, "close the name with `)`");
        let mut state = State { comments, accepting, is_next, name, transitions: Vec::new(), end_comments: Vec::new() };
        if self.cursor.expect(Lexeme::OpenBrace, "put the transitions between `{` and `}`").is_some() {
            self.transitions(&mut state);
        }
        state
    }

    fn transitions(&mut self, state: &mut State) {
        loop {
            while self.cursor.eat(Lexeme::Semicolon).is_some() {}
            let comments = self.comments_before();
            if self.cursor.eat(Lexeme::CloseBrace).is_some() {
                state.end_comments = comments;
                return;
            }
            if self.cursor.is_end() {
                self.cursor.expect_also(Lexeme::Name);
                return self.cursor.unexpected("close the state with `}`");
            }
            let (position, errors) = (self.cursor.position(), self.cursor.errors());
            let transition = self.transition(comments);
            if self.cursor.errors() == errors {
                state.transitions.push(transition);
                continue;
            }
            self.cursor.skip_to(|kind| matches!(kind, Lexeme::Semicolon | Lexeme::CloseBrace));
            if self.cursor.position() == position && !matches!(self.cursor.kind(), Lexeme::CloseBrace) {
                self.cursor.bump();
            }
        }
    }

    fn transition(&mut self, mut comments: Vec<Arc<str>>) -> Transition {
        let event = self.name("begin a transition with its event: `event(x) -> state`");
        let arguments = if self.cursor.eat(Lexeme::Open).is_some() { self.arguments() } else { Vec::new() };
        let mut branches = vec![self.branch()];
        while self.eat_word("else") {
            branches.push(self.branch());
        }
        comments.extend(self.comments_inside());
        Transition { comments, event, arguments, branches }
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        if self.cursor.eat(Lexeme::Close).is_some() {
            return arguments;
        }
        loop {
            arguments.push(self.argument());
            if self.cursor.eat(Lexeme::Comma).is_none() {
                break;
            }
        }
        self.close(Lexeme::Close, "separate arguments with commas and close with `)`");
        arguments
    }

    fn argument(&mut self) -> Argument {
        if let Some(value) = self.constant() {
            return Argument::Constant(value);
        }
        let name = self.name("an argument is a variable, a constant or `_`");
        if &*name.text == "_" { Argument::Any } else { Argument::Variable(name) }
    }

    fn branch(&mut self) -> Branch {
        let guard = self.eat_word("if").then(|| {
            let open = self.cursor.expect(Lexeme::OpenSquare, "write the guard in brackets: `if [x = y]`");
            let guard = self.guard();
            if open.is_some() {
                self.close(Lexeme::CloseSquare, "close the guard with `]`");
            }
            guard
        });
        let mut statements = self.statements();
        self.cursor.expect(Lexeme::Arrow, "write `->` and the state that follows");
        let target = self.name("name the state that follows: `-> state`");
        statements.extend(self.statements());
        Branch { guard, statements, target }
    }
}
