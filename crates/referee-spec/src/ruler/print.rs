//! The canonical layout.
//!
//! ```text
//!  ruler Name {
//!    observes open(obj), close(obj);
//!    state Open(f:obj) {
//!      close(f) -> Ok;
//!    }
//!    initials Start;
//!  }
//! ```

use std::fmt::Write;

use super::syntax::{Document, Part, PartKind, Rule, RuleBlock, Ruler, Target};
use crate::rules::print::{Style, comments, shown_fail};
use crate::rules::syntax::Expression;

const STYLE: Style = Style { or: " or ", and: " and ", not: "!", equal: "=", type_first: false };

/// Prints a file; the tree must come from a text without errors.
pub(super) fn print(document: &Document) -> String {
    let mut text = String::new();
    for (number, ruler) in document.rulers.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        print_ruler(&mut text, ruler);
    }
    if !document.rulers.is_empty() && !document.comments.is_empty() {
        text.push('\n');
    }
    comments(&mut text, "", &document.comments);
    text
}

fn print_ruler(text: &mut String, ruler: &Ruler) {
    comments(text, "", &ruler.comments);
    let name = ruler.name.as_ref().map_or(String::new(), |name| format!(" {}", name.text));
    let _ = writeln!(text, "ruler{name} {{");
    ruler.parts.iter().for_each(|part| print_part(text, part));
    comments(text, "  ", &ruler.end_comments);
    text.push_str("}\n");
}

fn print_part(text: &mut String, part: &Part) {
    comments(text, "  ", &part.comments);
    let _ = match &part.kind {
        PartKind::Observes(events) => writeln!(text, "  observes {};", STYLE.declarations(events)),
        PartKind::Initials(first) => writeln!(text, "  initials {};", STYLE.declarations(first)),
        PartKind::Forbidden(names) => {
            let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
            writeln!(text, "  forbidden {};", names.join(", "))
        }
        PartKind::Rules(block) => {
            print_block(text, block);
            Ok(())
        }
    };
}

fn print_block(text: &mut String, block: &RuleBlock) {
    let _ = write!(text, "  {} {} {{", block.modifier.word(), STYLE.declared(&block.declared));
    if block.rules.is_empty() && block.end_comments.is_empty() {
        text.push_str(" }\n");
        return;
    }
    text.push('\n');
    for rule in &block.rules {
        comments(text, "    ", &rule.comments);
        let _ = writeln!(text, "    {};", shown_rule(rule));
    }
    comments(text, "    ", &block.end_comments);
    text.push_str("  }\n");
}

fn shown_rule(rule: &Rule) -> String {
    let conditions: Vec<&Expression> = rule.conditions.iter().flat_map(Expression::conjuncts).collect();
    let space = if conditions.is_empty() { "" } else { " " };
    let targets: Vec<String> = rule.targets.iter().map(shown_target).collect();
    format!("{}{space}-> {}", STYLE.joined(&conditions, ", "), targets.join(", "))
}

fn shown_target(target: &Target) -> String {
    match target {
        Target::Ok => "Ok".to_owned(),
        Target::Fail(message, _) => shown_fail("Fail", message.as_ref()),
        Target::Add(name, arguments, _) if arguments.is_empty() => name.text.to_string(),
        Target::Add(name, arguments, _) => format!("{}({})", name.text, STYLE.list(arguments)),
        Target::Remove(name, arguments, _) if arguments.is_empty() => format!("!{}", name.text),
        Target::Remove(name, arguments, _) => format!("!{}({})", name.text, STYLE.list(arguments)),
    }
}
