//! The canonical layout.
//!
//! ```text
//!  qea (Name) {
//!    forall(x) exists(y)            quantifiers on one line, the other parts on lines of their own
//!    where(x != y)
//!    accept skip(start) {
//!      event(x, v) if [v > 0] do [n := v] -> other
//!    }
//!  }
//! ```

use std::fmt::Write;
use std::sync::Arc;

use referee_trace::value::Value;

use super::syntax::{
    Argument, Automaton, Branch, Document, Expression, Guard, Head, HeadKind, Name, State, Statement, Transition,
};
use crate::core::{Arithmetic, Comparison, Quantifier};

/// Prints a file; the tree must come from a text without errors.
pub fn print(document: &Document) -> String {
    let mut text = String::new();
    for (number, automaton) in document.automata.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        print_automaton(&mut text, automaton);
    }
    if !document.automata.is_empty() && !document.comments.is_empty() {
        text.push('\n');
    }
    comments(&mut text, "", &document.comments);
    text
}

fn comments(text: &mut String, indent: &str, all: &[Arc<str>]) {
    for comment in all {
        text.push_str(indent);
        text.push_str(comment);
        text.push('\n');
    }
}

fn print_automaton(text: &mut String, automaton: &Automaton) {
    comments(text, "", &automaton.comments);
    text.push_str("qea ");
    if let Some(name) = &automaton.name {
        let _ = write!(text, "({}) ", name.text);
    }
    text.push_str("{\n");
    let mut open_line = false;
    for head in &automaton.head {
        open_line = print_head(text, head, open_line);
    }
    if open_line {
        text.push('\n');
    }
    automaton.states.iter().for_each(|state| print_state(text, state));
    comments(text, "  ", &automaton.end_comments);
    text.push_str("}\n");
}

/// Prints a part before the states; quantifiers leave their line open for the next one.
fn print_head(text: &mut String, head: &Head, open_line: bool) -> bool {
    let quantified = matches!(head.kind, HeadKind::Quantified(..));
    let goes_on = open_line && quantified && head.comments.is_empty();
    if open_line && !goes_on {
        text.push('\n');
    }
    comments(text, "  ", &head.comments);
    text.push_str(if goes_on { " " } else { "  " });
    match &head.kind {
        HeadKind::Quantified(quantifier, names) => {
            let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
            let _ = write!(text, "{word}({})", list(names));
        }
        HeadKind::Where(guard) => {
            let _ = write!(text, "where({})", shown_guard(guard, 0));
        }
        HeadKind::Join(names) => {
            let _ = write!(text, "join({})", list(names));
        }
        HeadKind::Negated => text.push_str("negated"),
    }
    if !quantified {
        text.push('\n');
    }
    quantified
}

fn list(names: &[Name]) -> String {
    names.iter().map(|name| &*name.text).collect::<Vec<_>>().join(", ")
}

fn print_state(text: &mut String, state: &State) {
    comments(text, "  ", &state.comments);
    let accept = if state.accepting { "accept " } else { "" };
    let mode = if state.is_next { "next" } else { "skip" };
    let _ = write!(text, "  {accept}{mode}({}) {{", state.name.text);
    if state.transitions.is_empty() && state.end_comments.is_empty() {
        text.push_str(" }\n");
        return;
    }
    text.push('\n');
    state.transitions.iter().for_each(|transition| print_transition(text, transition));
    comments(text, "    ", &state.end_comments);
    text.push_str("  }\n");
}

fn print_transition(text: &mut String, transition: &Transition) {
    comments(text, "    ", &transition.comments);
    let arguments: Vec<String> = transition.arguments.iter().map(shown_argument).collect();
    let branches: Vec<String> = transition.branches.iter().map(shown_branch).collect();
    let _ = writeln!(text, "    {}({}){}", transition.event.text, arguments.join(", "), branches.join(" else"));
}

fn shown_branch(branch: &Branch) -> String {
    let mut text = String::new();
    if let Some(guard) = &branch.guard {
        let _ = write!(text, " if [{}]", shown_guard(guard, 0));
    }
    if !branch.statements.is_empty() {
        let statements: Vec<String> = branch.statements.iter().map(shown_statement).collect();
        let _ = write!(text, " do [{}]", statements.join("; "));
    }
    let _ = write!(text, " -> {}", branch.target.text);
    text
}

fn shown_argument(argument: &Argument) -> String {
    match argument {
        Argument::Variable(name) => name.text.to_string(),
        Argument::Constant(value) => shown_value(value),
        Argument::Any => "_".to_owned(),
    }
}

fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
            format!("\"{escaped}\"")
        }
        other => other.to_string(),
    }
}

/// A guard where only what binds at least as tightly as `level` needs no parentheses: 0 or, 1 and, 2 not.
fn shown_guard(guard: &Guard, level: u8) -> String {
    let joined = |all: &[Guard], word: &str, inner: u8| {
        let parts: Vec<String> = all.iter().map(|guard| shown_guard(guard, inner)).collect();
        if level >= inner { format!("({})", parts.join(word)) } else { parts.join(word) }
    };
    match guard {
        Guard::Constant(truth) => truth.to_string(),
        Guard::Not(body) => match &**body {
            Guard::In(element, set) => format!("{} not in {}", shown(element, 0), set.text),
            body => format!("not {}", shown_guard(body, 3)),
        },
        Guard::And(all) => joined(all, " and ", 2),
        Guard::Or(all) => joined(all, " or ", 1),
        Guard::Compare(comparison, left, right) => {
            let text = format!("{} {} {}", shown(left, 0), symbol(*comparison), shown(right, 0));
            if level == 3 { format!("({text})") } else { text }
        }
        Guard::In(element, set) => format!("{} in {}", shown(element, 0), set.text),
        Guard::Empty(set) => format!("empty({})", set.text),
        Guard::Unreadable => String::new(),
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Substring | Comparison::Matches => "in",
    }
}

/// An expression in parentheses if it binds less tightly than `level`: 0 sums, 1 products, 2 single values.
fn shown(expression: &Expression, level: u8) -> String {
    match expression {
        Expression::Variable(name) => name.text.to_string(),
        Expression::Constant(value) => shown_value(value),
        Expression::Binary(operator, left, right, _) => {
            let (own, symbol) = match operator {
                Arithmetic::Add => (0, "+"),
                Arithmetic::Subtract => (0, "-"),
                Arithmetic::Multiply => (1, "*"),
                Arithmetic::Divide | Arithmetic::DivideTruncating => (1, "/"),
                Arithmetic::Modulo => (1, "%"),
            };
            let text = format!("{} {symbol} {}", shown(left, own), shown(right, own + 1));
            if own < level { format!("({text})") } else { text }
        }
    }
}

fn shown_statement(statement: &Statement) -> String {
    match statement {
        Statement::Assign(name, Expression::Binary(operator, left, right, _), _) if is_by_one(name, left, right) => {
            match operator {
                Arithmetic::Add => format!("{}++", name.text),
                Arithmetic::Subtract => format!("{}--", name.text),
                _ => format!("{} := {}", name.text, shown_product(*operator, left, right)),
            }
        }
        Statement::Assign(name, value, _) => format!("{} := {}", name.text, shown(value, 0)),
        Statement::Add(set, element, _) => format!("{}.add({})", set.text, shown(element, 0)),
        Statement::Remove(set, element, _) => format!("{}.remove({})", set.text, shown(element, 0)),
        Statement::Clear(set) => format!("{} := {{}}", set.text),
    }
}

fn shown_product(operator: Arithmetic, left: &Expression, right: &Expression) -> String {
    let symbol = match operator {
        Arithmetic::Multiply => "*",
        Arithmetic::Modulo => "%",
        _ => "/",
    };
    format!("{} {symbol} {}", shown(left, 1), shown(right, 2))
}

/// Whether a statement changes a variable by one.
fn is_by_one(name: &Name, left: &Expression, right: &Expression) -> bool {
    matches!(left, Expression::Variable(old) if old.text == name.text)
        && matches!(right, Expression::Constant(one) if *one == Value::from(1))
}
