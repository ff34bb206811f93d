//! The canonical layout.
//!
//! ```text
//!  monitor Name {
//!    hot fact Open(f)
//!    rule opens: open(f) & not Open(f) -> insert Open(f)
//!  }
//! ```

use std::fmt::Write;

use super::syntax::{Action, Document, Item, ItemKind, Monitor, Rule};
use crate::parse::literal;
use crate::rules::print::{Style, comments};

const STYLE: Style = Style { or: " or ", and: " and ", not: "not ", equal: "=", type_first: false };

/// Prints a file; the tree must come from a text without errors.
pub(super) fn print(document: &Document) -> String {
    let mut text = String::new();
    for (number, monitor) in document.monitors.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        print_monitor(&mut text, monitor);
    }
    if !document.monitors.is_empty() && !document.comments.is_empty() {
        text.push('\n');
    }
    comments(&mut text, "", &document.comments);
    text
}

fn print_monitor(text: &mut String, monitor: &Monitor) {
    let Some(name) = &monitor.name else {
        monitor.items.iter().for_each(|item| print_item(text, "", item));
        comments(text, "", &monitor.end_comments);
        return;
    };
    comments(text, "", &monitor.comments);
    let _ = writeln!(text, "monitor {} {{", name.text);
    monitor.items.iter().for_each(|item| print_item(text, "  ", item));
    comments(text, "  ", &monitor.end_comments);
    text.push_str("}\n");
}

fn print_item(text: &mut String, indent: &str, item: &Item) {
    comments(text, indent, &item.comments);
    let _ = match &item.kind {
        ItemKind::Events(events) => writeln!(text, "{indent}event {}", STYLE.declarations(events)),
        ItemKind::Facts { hot, facts } => {
            let hot = if *hot { "hot " } else { "" };
            writeln!(text, "{indent}{hot}fact {}", STYLE.declarations(facts))
        }
        ItemKind::Rule(rule) => writeln!(text, "{indent}{}", shown_rule(rule)),
    };
}

fn shown_rule(rule: &Rule) -> String {
    let actions: Vec<String> = rule.actions.iter().map(shown_action).collect();
    let name = if is_plain(&rule.name.text) { rule.name.text.to_string() } else { literal(&rule.name.text) };
    format!("rule {name}: {} -> {}", STYLE.conditions(&rule.condition, " & "), actions.join(", "))
}

/// Whether a name needs no quotes.
fn is_plain(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    first && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn shown_action(action: &Action) -> String {
    match action {
        Action::Ok => "ok".to_owned(),
        Action::Fail(None, _) => "fail".to_owned(),
        Action::Fail(Some(message), _) => format!("fail {}", literal(message)),
        Action::Change(change, fact, _) => format!("{} {}", change.word(), STYLE.declared(fact)),
    }
}
