//! The canonical layout: one declaration per line, clauses below each other where there are several.

use super::parse::level;
use super::syntax::{
    Argument, Body, Comment, Document, Expr, InputItem, Item, ItemKind, Kind, Name, OutputItem, SpawnClause,
    TriggerItem,
};
use crate::core::stream::Operator;

/// Prints a file.
pub(super) fn print(document: &Document) -> String {
    let mut text = String::new();
    for (index, item) in document.items.iter().enumerate() {
        if index > 0 && item.blank_before {
            text.push('\n');
        }
        comments(&mut text, &item.comments);
        print_item(&mut text, item);
    }
    if !document.items.is_empty() && !document.comments.is_empty() {
        text.push('\n');
    }
    comments(&mut text, &document.comments);
    text
}

fn comments(text: &mut String, comments: &[Comment]) {
    for comment in comments {
        text.push_str(&comment.text);
        text.push_str(if comment.blank_after { "\n\n" } else { "\n" });
    }
}

fn print_item(text: &mut String, item: &Item) {
    match &item.kind {
        ItemKind::Input(inputs) => {
            let all: Vec<String> = inputs.iter().map(input).collect();
            text.push_str(&format!("input {}\n", all.join(", ")));
        }
        ItemKind::Constant(constant) => {
            let declared = declared(constant.type_name.as_ref());
            text.push_str(&format!("constant {}{declared} := {}\n", constant.name.text, show(&constant.value)));
        }
        ItemKind::Output(output) => print_output(text, output),
        ItemKind::Trigger(trigger) => print_trigger(text, trigger),
        ItemKind::Report(report) => {
            let columns: Vec<&str> = report.columns.iter().map(|column| &*column.text).collect();
            text.push_str(&format!("report {} to {:?}\n", columns.join(", "), report.path.text));
        }
    }
}

fn input(input: &InputItem) -> String {
    let from = match &input.from {
        None => String::new(),
        Some((event, None)) => format!(" from {}", word(event)),
        Some((event, Some(field))) => format!(" from {}.{}", word(event), word(field)),
    };
    format!("{}{}{from}", input.name.text, declared(input.type_name.as_ref()))
}

/// An event's or a field's name, in quotes where it needs them.
fn word(name: &Name) -> String {
    let plain = super::parse::is_plain_name(&name.text);
    if plain { name.text.to_string() } else { format!("{:?}", name.text) }
}

fn declared(type_name: Option<&Name>) -> String {
    type_name.map_or(String::new(), |name| format!(": {}", name.text))
}

fn parameters(body: &Body) -> String {
    let all: Vec<String> = body.parameters.iter().map(|(name, kind)| format!("{}: {}", name.text, kind.text)).collect();
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

fn print_output(text: &mut String, output: &OutputItem) {
    let head =
        format!("output {}{}{}", output.name.text, parameters(&output.body), declared(output.type_name.as_ref()));
    text.push_str(&head);
    let mut clauses = Vec::new();
    clauses.extend(output.body.spawns.iter().map(spawn));
    for eval in &output.body.evals {
        let with = eval.with.as_ref().map(show).unwrap_or_default();
        clauses.push(match &eval.when {
            None if eval.is_definition => format!(":= {with}"),
            None => format!("eval with {with}"),
            Some(when) => format!("eval when {} with {with}", show(when)),
        });
    }
    clauses.extend(close(&output.body));
    let separator = if clauses.len() == 1 { " " } else { "\n  " };
    for clause in clauses {
        text.push_str(separator);
        text.push_str(&clause);
    }
    text.push('\n');
}

fn spawn(spawn: &SpawnClause) -> String {
    let values: Vec<String> = spawn.with.iter().map(show).collect();
    let with = match values.len() {
        0 => String::new(),
        1 => format!(" with {}", values.join("")),
        _ => format!(" with ({})", values.join(", ")),
    };
    let when = spawn.when.as_ref().map_or(String::new(), |when| format!(" when {}", show(when)));
    format!("spawn{with}{when}")
}

fn close(body: &Body) -> Option<String> {
    body.close.as_ref().map(|close| format!("close when {}", show(close)))
}

fn print_trigger(text: &mut String, trigger: &TriggerItem) {
    let list = parameters(&trigger.body);
    text.push_str("trigger");
    if !list.is_empty() {
        text.push_str(&format!(" {list}"));
    }
    let condition = trigger.body.evals.iter().filter_map(|eval| eval.with.as_ref()).map(show).collect::<String>();
    let message = trigger.message.as_ref().map_or(String::new(), |message| format!(" {}", message.raw));
    let at_end = if trigger.at_end { "at end " } else { "" };
    for clause in &trigger.body.spawns {
        text.push_str(&format!("\n  {}", spawn(clause)));
    }
    match trigger.body.spawns.is_empty() {
        true => text.push_str(&format!(" {at_end}{condition}{message}")),
        false => text.push_str(&format!("\n  {at_end}eval when {condition}{message}")),
    }
    if let Some(close) = close(&trigger.body) {
        text.push_str(&format!("\n  {close}"));
    }
    text.push('\n');
}

/// How tightly an expression holds together.
fn tightness(expression: &Expr) -> u8 {
    match &expression.kind {
        Kind::Binary(operator, ..) => level(*operator),
        Kind::If(..) => 0,
        Kind::Not(_) => 5,
        Kind::Negate(_) => 12,
        _ => 20,
    }
}

/// An expression that must hold together as tightly as `least`, in parentheses where it does not.
fn at_least(least: u8, expression: &Expr) -> String {
    let text = show(expression);
    if tightness(expression) < least { format!("({text})") } else { text }
}

fn show(expression: &Expr) -> String {
    match &expression.kind {
        Kind::Number(number) => number.to_string(),
        Kind::Duration(amount, unit) => format!("{amount}{}", unit.sign()),
        Kind::Text(text) => format!("\"{}\"", escape(text)),
        Kind::Truth(truth) => truth.to_string(),
        Kind::Name(name) => name.text.to_string(),
        Kind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
        Kind::Method(receiver, name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(argument).collect();
            format!("{}.{}({})", at_least(20, receiver), name.text, arguments.join(", "))
        }
        Kind::Offset(receiver, offset, default) => {
            format!("{}[{}, {}]", at_least(20, receiver), show(offset), show(default))
        }
        Kind::Not(body) => format!("not {}", at_least(5, body)),
        Kind::Negate(body) => format!("-{}", at_least(13, body)),
        Kind::Binary(operator, left, right) => binary(*operator, left, right),
        Kind::If(condition, then, other) => {
            format!("if {} then {} else {}", show(condition), show(then), show(other))
        }
        Kind::Unreadable => String::new(),
    }
}

fn binary(operator: Operator, left: &Expr, right: &Expr) -> String {
    let own = level(operator);
    let (least_left, least_right) = match operator {
        Operator::Implies => (own + 1, own),
        // A comparison of comparisons reads badly without parentheses.
        _ if own == 6 => (own + 1, own + 1),
        _ => (own, own + 1),
    };
    // What reaches as far as it can must not be followed by anything.
    let left_text = match &left.kind {
        Kind::If(..) | Kind::Not(_) if own > 5 => format!("({})", show(left)),
        _ => at_least(least_left, left),
    };
    format!("{left_text} {} {}", symbol(operator), at_least(least_right, right))
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::And => "and",
        Operator::Or => "or",
        Operator::Implies => "->",
        Operator::Iff => "<->",
        Operator::Equal => "=",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
        Operator::Minimum => "min",
        Operator::Maximum => "max",
    }
}

fn list(all: &[Expr]) -> String {
    all.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn argument(argument: &Argument) -> String {
    match &argument.label {
        Some(label) => format!("{}: {}", label.text, show(&argument.value)),
        None => show(&argument.value),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
}
