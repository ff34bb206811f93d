//! `fsm`: states with their transitions, `s [ e -> t, …, default u ]`, and `alias name = s, t`.

use std::sync::Arc;

use super::lex::Lexeme;
use super::parser::Parser;
use crate::core::Span;
use crate::core::machine::{Fsm, FsmState};
use crate::diagnostic::Diagnostic;

const HINT: &str = "write states: `start [ open -> opened, default start ]`";

/// A name and the places it stands for.
type Alias = (Arc<str>, Vec<(Arc<str>, Span)>);

/// The transitions of a state, by event and state, and its default.
type Resolved = (Vec<(usize, usize)>, Option<usize>);

/// A state as written: its transitions and its default, by name.
struct Draft {
    name: Arc<str>,
    span: Span,
    transitions: Vec<(usize, Arc<str>, Span)>,
    default: Option<(Arc<str>, Span)>,
}

/// Reads the body.
pub(super) fn parse(parser: &mut Parser<'_>) -> Option<Fsm> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut aliases: Vec<Alias> = Vec::new();
    while !parser.is_body_end() {
        if parser.eat_word("alias") {
            aliases.push(alias(parser));
            continue;
        }
        let position = parser.cursor.position();
        let draft = state(parser);
        if let Some(first) = drafts.iter().find(|known| known.name == draft.name) {
            let message = format!("state `{}` is there already", draft.name);
            let found = Diagnostic::error("E0702", draft.span, message).hint("rename one of them");
            parser.cursor.report(found.related(first.span, "the first one"));
        }
        drafts.push(draft);
        if parser.cursor.position() == position {
            return None;
        }
    }
    if drafts.is_empty() {
        parser.cursor.expect_also("a state");
        parser.cursor.unexpected(HINT);
        return None;
    }
    Some(resolve(parser, &drafts, &aliases))
}

fn alias(parser: &mut Parser<'_>) -> (Arc<str>, Vec<(Arc<str>, Span)>) {
    let (name, _) = parser.name("name the alias: `alias bad = one, other`");
    parser.cursor.expect(Lexeme::Equal, "write `=` and the states");
    let mut states = vec![parser.name("name a state")];
    while parser.cursor.eat(Lexeme::Comma).is_some() {
        states.push(parser.name("name a state"));
    }
    (name, states)
}

fn state(parser: &mut Parser<'_>) -> Draft {
    let (name, span) = parser.name(HINT);
    let mut draft = Draft { name, span, transitions: Vec::new(), default: None };
    if parser.cursor.eat(Lexeme::Always).is_some() {
        return draft;
    }
    parser.cursor.expect(Lexeme::OpenSquare, HINT);
    while parser.cursor.eat(Lexeme::CloseSquare).is_none() {
        let position = parser.cursor.position();
        if parser.eat_word("default") {
            draft.default = Some(parser.name("name the state that follows: `default start`"));
        } else {
            let (event, place) = parser.name("write `event -> state`, or close with `]`");
            parser.cursor.expect(Lexeme::Arrow, "write `event -> state`");
            let (target, span) = parser.name("name the state that follows");
            if let Some(symbol) = parser.symbol(&event, place) {
                draft.transitions.push((symbol, target, span));
            }
        }
        parser.cursor.eat(Lexeme::Comma);
        if parser.cursor.position() == position || parser.is_body_end() {
            parser.cursor.expect_also(Lexeme::CloseSquare);
            parser.cursor.unexpected("close the state with `]`");
            break;
        }
    }
    draft
}

fn resolve(parser: &mut Parser<'_>, drafts: &[Draft], aliases: &[Alias]) -> Fsm {
    let mut find = |name: &Arc<str>, span: Span| {
        let found = drafts.iter().position(|draft| draft.name == *name);
        if found.is_none() {
            let message = format!("no state is called `{name}`");
            let hint = format!("define it: `{name} [ … ]`");
            parser.cursor.report(Diagnostic::error("E0704", span, message).hint(hint));
        }
        found.unwrap_or(0)
    };
    let mut resolved: Vec<Resolved> = Vec::new();
    for draft in drafts {
        let transitions = draft.transitions.iter().map(|(event, name, span)| (*event, find(name, *span))).collect();
        resolved.push((transitions, draft.default.as_ref().map(|(name, span)| find(name, *span))));
    }
    let aliases: Vec<(Arc<str>, Vec<usize>)> = (aliases.iter())
        .map(|(name, states)| (name.clone(), states.iter().map(|(state, span)| find(state, *span)).collect()))
        .collect();
    let events = parser.event_names().len();
    let states = drafts.iter().zip(resolved).map(|(draft, (transitions, default))| {
        let mut targets = vec![default; events];
        transitions.into_iter().for_each(|(event, target)| targets[event] = Some(target));
        FsmState { name: draft.name.clone(), targets }
    });
    Fsm { states: states.collect(), aliases }
}
