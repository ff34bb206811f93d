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

use std::convert::Infallible;
use std::fmt::Write;

use super::syntax::{Argument, Automaton, Branch, Document, Head, HeadKind, Name, State, Statement, Transition};
use crate::core::Quantifier;
use crate::parse::c_like::print::{Layout, by_one, comments, constant};

const LAYOUT: Layout<Infallible, Infallible> = Layout {
    or: " or ",
    and: " and ",
    not: "not ",
    equal: "=",
    is_in: |element, set, is_inside| {
        Some(format!("{element} {} {}", if is_inside { "in" } else { "not in" }, set.text))
    },
    is_empty: |set| format!("empty({})", set.text),
    own_value: |never| match *never {},
    own_condition: |never| match *never {},
};

/// Prints a file; the tree must come from a text without errors.
pub(super) fn print(document: &Document) -> String {
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
            let _ = write!(text, "where({})", LAYOUT.guard(guard));
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
        let _ = write!(text, " if [{}]", LAYOUT.guard(guard));
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
        Argument::Constant(value) => constant(value),
        Argument::Any => "_".to_owned(),
    }
}

fn shown_statement(statement: &Statement) -> String {
    match statement {
        Statement::Assign(name, value, _) => match by_one(name, value) {
            Some(sign) => format!("{}{sign}", name.text),
            None => format!("{} := {}", name.text, LAYOUT.value(value)),
        },
        Statement::Add(set, element, _) => format!("{}.add({})", set.text, LAYOUT.value(element)),
        Statement::Remove(set, element, _) => format!("{}.remove({})", set.text, LAYOUT.value(element)),
        Statement::Clear(set) => format!("{} := {{}}", set.text),
    }
}
