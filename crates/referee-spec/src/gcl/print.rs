//! The canonical layout.
//!
//! ```text
//!  property Name {
//!    var n = 0;
//!    event(x, y) | n > 3 && !s.contains(x) -> n = 0; fail("too many");
//!  }
//! ```

use std::fmt::Write;

use referee_trace::value::Value;

use super::syntax::{Arguments, Document, Item, ItemKind, Pattern, Property, Rule, Sort, Statement};
use crate::core::Arithmetic;
use crate::rules::print::{Style, comments, shown_fail};
use crate::rules::syntax::Expression;

const STYLE: Style = Style { or: " || ", and: " && ", not: "!", equal: "==", type_first: true };

/// Prints a file; the tree must come from a text without errors.
pub(super) fn print(document: &Document) -> String {
    let mut text = String::new();
    for (number, property) in document.properties.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        print_property(&mut text, property);
    }
    if !document.properties.is_empty() && !document.comments.is_empty() {
        text.push('\n');
    }
    comments(&mut text, "", &document.comments);
    text
}

fn print_property(text: &mut String, property: &Property) {
    let Some(name) = &property.name else {
        property.items.iter().for_each(|item| print_item(text, "", item));
        comments(text, "", &property.end_comments);
        return;
    };
    comments(text, "", &property.comments);
    let _ = writeln!(text, "property {} {{", name.text);
    property.items.iter().for_each(|item| print_item(text, "  ", item));
    comments(text, "  ", &property.end_comments);
    text.push_str("}\n");
}

fn print_item(text: &mut String, indent: &str, item: &Item) {
    comments(text, indent, &item.comments);
    let _ = match &item.kind {
        ItemKind::Declaration(sort, name, initial) => {
            let word = match sort {
                Sort::Variable => "var",
                Sort::Set => "set",
                Sort::Map => "map",
            };
            let initial = initial.as_ref().map_or(String::new(), |value| format!(" = {}", STYLE.expression(value)));
            writeln!(text, "{indent}{word} {}{initial};", name.text)
        }
        ItemKind::Rule(rule) => writeln!(text, "{indent}{}", shown_rule(rule)),
    };
}

fn shown_rule(rule: &Rule) -> String {
    let condition =
        rule.condition.as_ref().map_or(String::new(), |condition| format!(" {}", STYLE.conditions(condition, " && ")));
    let statements: Vec<String> = rule.statements.iter().map(shown_statement).collect();
    format!("{} |{condition} -> {};", shown_pattern(&rule.pattern), statements.join("; "))
}

fn shown_pattern(pattern: &Pattern) -> String {
    let mut text = pattern.qualifier.as_ref().map_or(String::new(), |qualifier| format!("{qualifier}."));
    text.push_str(&pattern.name.text);
    match &pattern.arguments {
        Arguments::None => {}
        Arguments::Any => text.push_str("(..)"),
        Arguments::Listed(arguments) => text.push_str(&format!("({})", STYLE.list(arguments))),
    }
    if let Some(target) = &pattern.target {
        text.push_str(&format!(" target ({})", STYLE.expression(target)));
    }
    text
}

fn shown_statement(statement: &Statement) -> String {
    match statement {
        Statement::Fail(message, _) => shown_fail("fail", message.as_ref()),
        Statement::Call(set, method, arguments, _) => {
            format!("{}.{}({})", set.text, method.name(), STYLE.list(arguments))
        }
        Statement::Assign(target, value, _) => match step(target, value) {
            Some(sign) => format!("{}{sign}", STYLE.expression(target)),
            None => format!("{} = {}", STYLE.expression(target), STYLE.expression(value)),
        },
    }
}

/// How a variable that changes by one is written.
fn step(target: &Expression, value: &Expression) -> Option<&'static str> {
    let Expression::Binary(operator, left, right, _) = value else { return None };
    let by_one = matches!(&**right, Expression::Constant(one, _) if *one == Value::from(1));
    if !by_one || STYLE.expression(left) != STYLE.expression(target) {
        return None;
    }
    match operator {
        Arithmetic::Add => Some("++"),
        Arithmetic::Subtract => Some("--"),
        _ => None,
    }
}
