//! Events that belong together by their names, such as `session_opened` and `session_closed`.

use super::atoms::{FirstRule, atom, atom_with};
use crate::init::kinds::EventKind;
use crate::init::words::parts;

/// What opens something, what closes it, and both as sentences say them.
const PAIRS: [(&str, &str); 44] = [
    ("open", "close"),
    ("opened", "closed"),
    ("login", "logout"),
    ("logon", "logoff"),
    ("start", "end"),
    ("start", "stop"),
    ("start", "finish"),
    ("start", "complete"),
    ("started", "ended"),
    ("started", "finished"),
    ("started", "stopped"),
    ("started", "completed"),
    ("started", "complete"),
    ("begin", "end"),
    ("begin", "commit"),
    ("acquire", "release"),
    ("acquired", "released"),
    ("lock", "unlock"),
    ("locked", "unlocked"),
    ("connect", "disconnect"),
    ("connected", "disconnected"),
    ("create", "delete"),
    ("created", "deleted"),
    ("request", "response"),
    ("request", "reply"),
    ("send", "receive"),
    ("sent", "received"),
    ("enter", "exit"),
    ("enter", "leave"),
    ("alloc", "free"),
    ("malloc", "free"),
    ("submit", "approve"),
    ("submitted", "approved"),
    ("mount", "unmount"),
    ("subscribe", "unsubscribe"),
    ("register", "unregister"),
    ("join", "leave"),
    ("push", "pop"),
    ("add", "remove"),
    ("added", "removed"),
    ("pay", "ship"),
    ("paid", "shipped"),
    ("checkin", "checkout"),
    ("order", "pay"),
];

/// The rules of all pairs.
pub(super) fn rules(kinds: &[&EventKind]) -> Vec<FirstRule> {
    let mut rules = Vec::new();
    for opening in kinds {
        for closing in kinds.iter().filter(|closing| are_pair(&opening.name, &closing.name)) {
            rules.extend(of_pair(opening, closing));
        }
    }
    rules
}

/// Whether one name becomes the other by a pair of words.
fn are_pair(opening: &str, closing: &str) -> bool {
    let (opening, closing) = (parts(opening), parts(closing));
    opening.len() == closing.len()
        && opening.iter().zip(&closing).filter(|(one, other)| one != other).count() == 1
        && opening.iter().zip(&closing).any(|(one, other)| PAIRS.contains(&(one, other)))
}

fn of_pair(opening: &EventKind, closing: &EventKind) -> [FirstRule; 2] {
    let (open, close) = (&opening.name, &closing.name);
    match common_key(opening, closing) {
        Some((first, second)) => {
            let key = &opening.arguments[first].variable;
            let (opens, closes) = (atom_with(opening, first, key), atom_with(closing, second, key));
            [
                FirstRule::new(
                    format!("Every `{close}` has had its `{open}`: one with the same {key}."),
                    format!("{closes} IMPLIES ONCE {opens}"),
                ),
                FirstRule::new(
                    format!("Every `{open}` gets its `{close}`, at the latest by the end of the log."),
                    format!("{opens} IMPLIES EVENTUALLY {closes}"),
                ),
            ]
        }
        None => [
            FirstRule::new(
                format!("No `{close}` comes before the first `{open}`."),
                format!("{} IMPLIES ONCE {}", atom(closing, &[]), atom(opening, &[])),
            ),
            FirstRule::new(
                format!("Behind every `{open}` comes a `{close}`."),
                format!("{} IMPLIES EVENTUALLY {}", atom(opening, &[]), atom(closing, &[])),
            ),
        ],
    }
}

/// The arguments of one name that tell things apart best, and of which both kinds have most values in common.
fn common_key(opening: &EventKind, closing: &EventKind) -> Option<(usize, usize)> {
    let mut best: Option<((usize, usize), (usize, usize))> = None;
    for (first, argument) in opening.arguments.iter().enumerate() {
        let Some(second) = closing.arguments.iter().position(|other| other.name == argument.name) else { continue };
        let common = argument.values.intersection(&closing.arguments[second].values).count();
        let score = (argument.identity(), common);
        if common > 0 && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, (first, second)));
        }
    }
    best.map(|(_, places)| places)
}
