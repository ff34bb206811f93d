//! Canonical layout: what `referee fmt` writes.
//!
//! ASCII notation, parentheses only where the tree needs them (and around the body of a quantifier), one line where it
//! fits into 100 columns. A formula that does not fit is broken at its outermost operator, which then begins the next
//! line; what stands in parentheses goes two columns to the right:
//!
//! ```text
//!  property name:
//!    (forall x:s)(
//!      always (
//!        (…)
//!        => (…)
//!      )
//!    )
//! ```
//!
//! Comments stay before the item that they precede or stand in; one that follows an item on its line stays there.

use std::fmt::Write as _;

use logos::Logos as _;

use super::lex::Kind;
use super::syntax::*;
use crate::parse::Comment;

const WIDTH: usize = 100;

/// Words that are names to the lexer but mean something to the parser at certain places.
const SOFT_WORDS: [&str; 4] = ["before", "define", "event", "property"];

/// A file in canonical layout; `comments` are those of `text`, from which the file was parsed.
pub(super) fn print(file: &File, comments: &[Comment], text: &str) -> String {
    let mut out = String::new();
    let mut comments = comments.iter().peekable();
    let mut previous: Option<&Item> = None;
    for item in &file.items {
        if previous.is_some_and(|previous| needs_blank_line(previous, item)) {
            out.push('\n');
        }
        while let Some(comment) = comments.next_if(|comment| comment.span.start < item.span().end) {
            push_comment(&mut out, comment, text);
        }
        print_item(&mut out, item);
        let same_line = |end: usize, comment: &Comment| !text[end..comment.span.start].contains('\n');
        let mut end = item.span().end;
        while let Some(comment) = comments.next_if(|comment| !comment.own_line && same_line(end, comment)) {
            end = comment.span.end;
            let _ = write!(out, " {}", text[comment.span.start..end].trim_end());
        }
        out.push('\n');
        previous = Some(item);
    }
    for comment in comments {
        push_comment(&mut out, comment, text);
    }
    out
}

fn needs_blank_line(previous: &Item, next: &Item) -> bool {
    !matches!((previous, next), (Item::Event(_), Item::Event(_)))
}

fn push_comment(out: &mut String, comment: &Comment, text: &str) {
    out.push_str(text[comment.span.start..comment.span.end].trim_end());
    out.push('\n');
}

fn print_item(out: &mut String, item: &Item) {
    match item {
        Item::Event(declaration) => {
            let argument = |argument: &DeclaredArgument| match &argument.field {
                Some(field) => format!("{}:{}", field.text, argument.sort.text),
                None => argument.sort.text.to_string(),
            };
            let arguments: Vec<String> = declaration.arguments.iter().map(argument).collect();
            let _ = write!(out, "event {}({})", declaration.name.text, arguments.join(", "));
        }
        Item::Definition(definition) => {
            let parameters: Vec<&str> = definition.parameters.iter().map(|parameter| &*parameter.text).collect();
            headed(out, &format!("define {}({}) =", definition.name.text, parameters.join(", ")), &definition.body);
        }
        Item::Property(PropertyItem { name: None, formula, .. }) => layout(out, formula, 0, 0, 0),
        Item::Property(PropertyItem { name: Some(name), formula, .. }) => {
            headed(out, &format!("property {}:", name.text), formula);
        }
    }
}

/// A formula behind its head, on the same line if it fits there.
fn headed(out: &mut String, head: &str, formula: &Formula) {
    let line = format!("{head} {}", flat(formula));
    if line.chars().count() <= WIDTH {
        out.push_str(&line);
    } else {
        out.push_str(head);
        new_line(out, 2);
        layout(out, formula, 2, 2, 0);
    }
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Writes a formula that begins at `column`, whose further lines begin at `indent`, and that `trail` characters follow.
fn layout(out: &mut String, formula: &Formula, indent: usize, column: usize, trail: usize) {
    let line = flat(formula);
    if column + line.chars().count() + trail <= WIDTH {
        out.push_str(&line);
        return;
    }
    match &formula.kind {
        FormulaKind::Not(body) => prefixed(out, "not ", body, indent, column, trail),
        FormulaKind::Unary(op, body) => prefixed(out, &format!("{} ", op.word()), body, indent, column, trail),
        FormulaKind::Quantified(quantifier, variables, sort, body) => {
            let prefix = quantifier_prefix(*quantifier, variables, sort.as_ref());
            if matches!(body.kind, FormulaKind::Quantified(..)) {
                prefixed(out, &prefix, body, indent, column, trail);
            } else {
                out.push_str(&prefix);
                in_parentheses(out, body, indent);
            }
        }
        _ => match chain(formula) {
            None => out.push_str(&line),
            Some((word, parts)) => {
                for (index, part) in parts.into_iter().enumerate() {
                    if index > 0 {
                        new_line(out, indent);
                        let _ = write!(out, "{word} ");
                    }
                    let column = if index > 0 { indent + word.len() + 1 } else { column };
                    operand(out, part, indent, column, trail);
                }
            }
        },
    }
}

fn prefixed(out: &mut String, prefix: &str, body: &Formula, indent: usize, column: usize, trail: usize) {
    out.push_str(prefix);
    operand(out, body, indent, column + prefix.chars().count(), trail);
}

/// Writes an operand, in parentheses if it needs them.
fn operand(out: &mut String, formula: &Formula, indent: usize, column: usize, trail: usize) {
    if chain(formula).is_none() {
        return layout(out, formula, indent, column, trail);
    }
    let line = flat(formula);
    if column + line.chars().count() + 2 + trail <= WIDTH {
        let _ = write!(out, "({line})");
    } else {
        in_parentheses(out, formula, indent);
    }
}

fn in_parentheses(out: &mut String, formula: &Formula, indent: usize) {
    out.push('(');
    new_line(out, indent + 2);
    layout(out, formula, indent + 2, indent + 2, 0);
    new_line(out, indent);
    out.push(')');
}

/// For a formula with a binary operator, the operator and its operands.
fn chain(formula: &Formula) -> Option<(&'static str, Vec<&Formula>)> {
    Some(match &formula.kind {
        FormulaKind::And(all) => ("and", all.iter().collect()),
        FormulaKind::Or(all) => ("or", all.iter().collect()),
        FormulaKind::Implies(left, right) => ("=>", vec![left, right]),
        FormulaKind::Iff(left, right) => ("<=>", vec![left, right]),
        FormulaKind::Binary(op, left, right) => (op.word(), vec![left, right]),
        _ => return None,
    })
}

/// A formula on one line.
fn flat(formula: &Formula) -> String {
    if let Some((word, parts)) = chain(formula) {
        let parts: Vec<String> = parts.into_iter().map(flat_operand).collect();
        return parts.join(&format!(" {word} "));
    }
    match &formula.kind {
        FormulaKind::Constant(truth) => truth.to_string(),
        FormulaKind::Event(name, None) => printed_name(name),
        FormulaKind::Event(name, Some(arguments)) => application(name, arguments),
        FormulaKind::Compare(comparison, left, right) => {
            format!("{} {} {}", term(left, 0), comparison.word(), term(right, 0))
        }
        FormulaKind::Not(body) => format!("not {}", flat_operand(body)),
        FormulaKind::Unary(op, body) => format!("{} {}", op.word(), flat_operand(body)),
        FormulaKind::Quantified(quantifier, variables, sort, body) => {
            let prefix = quantifier_prefix(*quantifier, variables, sort.as_ref());
            match body.kind {
                FormulaKind::Quantified(..) => format!("{prefix}{}", flat(body)),
                _ => format!("{prefix}({})", flat(body)),
            }
        }
        _ => String::new(),
    }
}

fn flat_operand(formula: &Formula) -> String {
    let line = flat(formula);
    if chain(formula).is_some() { format!("({line})") } else { line }
}

fn quantifier_prefix(quantifier: Quantifier, variables: &[Name], sort: Option<&Name>) -> String {
    let variables: Vec<&str> = variables.iter().map(|variable| &*variable.text).collect();
    let sort = sort.map_or(String::new(), |sort| format!(":{}", sort.text));
    format!("({} {}{sort})", quantifier.word(), variables.join(","))
}

fn application(name: &str, arguments: &[Term]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|argument| term(argument, 0)).collect();
    format!("{}({})", printed_name(name), arguments.join(", "))
}

/// A name so that it is read as one: `open`, `<next>`, `<"a b">`.
fn printed_name(name: &str) -> String {
    let mut tokens = Kind::lexer(name);
    let first = tokens.next();
    let one_token = tokens.span() == (0..name.len()) && tokens.next().is_none();
    let is_word = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    match first {
        Some(Ok(Kind::Name)) if one_token && !SOFT_WORDS.contains(&name) => name.to_owned(),
        Some(Ok(_)) if one_token && is_word => format!("<{name}>"),
        _ => format!("<{}>", string(name)),
    }
}

/// A term where operators that bind looser than `level` need parentheses: 0 sums, 1 products, 2 signs.
fn term(tree: &Term, level: u8) -> String {
    match &tree.kind {
        TermKind::Missing => String::new(),
        TermKind::Name(name) => printed_name(name),
        TermKind::Coordinate(point, coordinate) => format!("{point}.{}", coordinate.text),
        TermKind::Number(text) => text.to_string(),
        TermKind::String(text) => string(text),
        TermKind::Boolean(truth) => truth.to_string(),
        TermKind::Apply(name, arguments) => application(name, arguments),
        TermKind::Negate(body) => format!("-{}", term(body, 2)),
        TermKind::Binary(op, left, right) => {
            let (word, own) = (op.word(), level_of(*op));
            let line = format!("{} {word} {}", term(left, own), term(right, own + 1));
            if own < level { format!("({line})") } else { line }
        }
    }
}

fn string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

/// How tightly an operator on terms binds.
fn level_of(op: Arithmetic) -> u8 {
    u8::from(!matches!(op, Arithmetic::Add | Arithmetic::Subtract))
}
