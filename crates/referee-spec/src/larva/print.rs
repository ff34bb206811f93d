//! Prints a LARVA file in canonical layout: one line each, two spaces per level.

use std::fmt::Write as _;
use std::sync::Arc;

use super::syntax::{
    Argument, Block, Call, Current, Declaration, Document, EventLine, Holds, Part, Property, Scope, Statement,
    Transition, Typed, Way, clock_word,
};
use crate::parse::c_like::print::{Layout, by_one, constant};

const LAYOUT: Layout<Current, Holds> = Layout {
    or: " || ",
    and: " && ",
    not: "!",
    equal: "==",
    is_in: |element, set, is_inside| is_inside.then(|| format!("{}.contains({element})", set.text)),
    is_empty: |set| format!("{}.isEmpty()", set.text),
    own_value: |Current(clock)| format!("{}.current()", clock.text),
    own_condition: |Holds(name)| name.text.to_string(),
};

/// The canonical text of a file.
pub(super) fn print(document: &Document) -> String {
    let mut page = Page { text: String::new(), depth: 0 };
    for (number, global) in document.globals.iter().enumerate() {
        if number > 0 {
            page.text.push('\n');
        }
        page.comments(&global.comments);
        page.scope("GLOBAL", global);
    }
    page.comments(&document.comments);
    page.text
}

struct Page {
    text: String,
    depth: usize,
}

impl Page {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.depth);
    }

    fn comments(&mut self, comments: &[Arc<str>]) {
        comments.iter().for_each(|comment| self.line(comment));
    }

    /// Something between braces.
    fn braces(&mut self, head: &str, inside: impl FnOnce(&mut Page)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line("}");
    }

    fn scope(&mut self, head: &str, scope: &Scope) {
        self.braces(head, |page| {
            scope.parts.iter().for_each(|part| page.part(part));
            page.comments(&scope.end_comments);
        });
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Variables(block) => self.block("VARIABLES", block, shown_declaration),
            Part::Events(block) => self.block("EVENTS", block, shown_event),
            Part::Property(property) => self.property(property),
            Part::Foreach(scope) => {
                let keys: Vec<String> = scope.keys.iter().map(shown_typed).collect();
                self.comments(&scope.comments);
                self.scope(&format!("FOREACH ({})", keys.join(", ")), scope);
            }
        }
    }

    fn block<T>(&mut self, head: &str, block: &Block<T>, shown: fn(&T) -> String) {
        self.comments(&block.comments);
        self.braces(head, |page| {
            for (comments, line) in &block.lines {
                page.comments(comments);
                page.line(&shown(line));
            }
            page.comments(&block.end_comments);
        });
    }

    fn property(&mut self, property: &Property) {
        self.comments(&property.comments);
        self.braces(&format!("PROPERTY {}", property.name.text), |page| {
            page.braces("STATES", |page| {
                for (kind, names) in &property.states {
                    let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
                    page.line(&format!("{} {{ {} }}", kind.word(), names.join(" ")));
                }
            });
            page.block("TRANSITIONS", &property.transitions, shown_transition);
        });
    }
}

fn shown_typed(typed: &Typed) -> String {
    match &typed.sort {
        Some(sort) => format!("{sort} {}", typed.name.text),
        None => typed.name.text.to_string(),
    }
}

fn shown_declaration(declaration: &Declaration) -> String {
    match &declaration.initial {
        Some(value) => format!("{} = {};", shown_typed(&declaration.typed), constant(value)),
        None => format!("{};", shown_typed(&declaration.typed)),
    }
}

fn shown_event(line: &EventLine) -> String {
    let parameters: Vec<String> = line.parameters.iter().map(shown_typed).collect();
    let ways: Vec<String> = line.ways.iter().map(shown_way).collect();
    let mut text = format!("{}({}) = {{ {} }}", line.name.text, parameters.join(", "), ways.join(" | "));
    for (number, (key, local)) in line.wheres.iter().enumerate() {
        let word = if number == 0 { " where" } else { "" };
        let _ = write!(text, "{word} {} = {};", key.text, local.text);
    }
    text
}

fn shown_way(way: &Way) -> String {
    match way {
        Way::Line(name) => name.text.to_string(),
        Way::Timeout(clock, delay, _) => format!("{}@{delay}", clock.text),
        Way::Call(call) => shown_call(call),
    }
}

fn shown_call(call: &Call) -> String {
    let mut arguments: Vec<String> = call.arguments.iter().map(shown_argument).collect();
    if call.open {
        arguments.push("..".to_owned());
    }
    let target = call.target.as_ref().map_or(String::new(), |target| format!("{}.", shown_typed(target)));
    let mut text = format!("{target}{}({})", call.method.text, arguments.join(", "));
    if let Some(target) = &call.named_target {
        let _ = write!(text, " target ({})", shown_typed(target));
    }
    if let Some(returning) = &call.returning {
        let _ = write!(text, " uponReturning ({})", shown_typed(returning));
    }
    text
}

fn shown_argument(argument: &Argument) -> String {
    match argument {
        Argument::Named(typed) => shown_typed(typed),
        Argument::Constant(value) => constant(value),
        Argument::Any => "_".to_owned(),
    }
}

fn shown_transition(transition: &Transition) -> String {
    let mut text = format!("{} -> {} [{}", transition.from.text, transition.to.text, transition.event.text);
    if let Some(guard) = &transition.guard {
        let _ = write!(text, " \\ {}", LAYOUT.guard(guard));
    }
    if !transition.statements.is_empty() {
        text.push_str(if transition.guard.is_some() { " \\ " } else { " \\\\ " });
        let statements: Vec<String> = transition.statements.iter().map(shown_statement).collect();
        text.push_str(&statements.join(" "));
    }
    text.push(']');
    text
}

fn shown_statement(statement: &Statement) -> String {
    match statement {
        Statement::Assign(name, value, _) => match by_one(name, value) {
            Some(sign) => format!("{}{sign};", name.text),
            None => format!("{} = {};", name.text, LAYOUT.value(value)),
        },
        Statement::Add(set, element, _) => format!("{}.add({});", set.text, LAYOUT.value(element)),
        Statement::Remove(set, element, _) => format!("{}.remove({});", set.text, LAYOUT.value(element)),
        Statement::Clear(set) => format!("{}.clear();", set.text),
        Statement::Clock(clock, act) => format!("{}.{}();", clock.text, clock_word(*act)),
        Statement::Send(channel, arguments, _) => {
            let arguments: Vec<String> = arguments.iter().map(|argument| LAYOUT.value(argument)).collect();
            format!("{}.send({});", channel.text, arguments.join(", "))
        }
    }
}
