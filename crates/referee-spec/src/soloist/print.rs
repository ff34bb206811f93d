//! Canonical layout: what `referee fmt` writes.
//!
//! ASCII notation, parentheses only where the tree needs them, one line where it fits into 100 columns. A formula that
//! does not fit is broken at its outermost binary operator, which then begins the next line; what stands in parentheses
//! goes two columns to the right:
//!
//! ```text
//!  property limit:
//!    G (
//!      …
//!      -> …
//!    )
//! ```
//!
//! Comments stay before the property that they precede or stand in; one that follows a property on its line stays there.

use std::fmt::Write as _;

use logos::Logos as _;

use super::lex::{Letter, Lexeme};
use super::syntax::{Formula, Item, Kind, Modality, WrittenInterval};
use crate::parse::Comment;

const WIDTH: usize = 100;

/// A file in canonical layout; `comments` are those of `text`, from which the items were parsed.
pub(super) fn print(items: &[Item], comments: &[Comment], text: &str) -> String {
    let mut out = String::new();
    let mut comments = comments.iter().peekable();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        while let Some(comment) = comments.next_if(|comment| comment.span.start < item.span.end) {
            push_comment(&mut out, comment, text);
        }
        print_item(&mut out, item);
        let mut end = item.span.end;
        let same_line = |end: usize, comment: &Comment| !text[end..comment.span.start].contains('\n');
        while let Some(comment) = comments.next_if(|comment| !comment.own_line && same_line(end, comment)) {
            end = comment.span.end;
            let _ = write!(out, " {}", text[comment.span.start..end].trim_end());
        }
        out.push('\n');
    }
    for comment in comments {
        push_comment(&mut out, comment, text);
    }
    out
}

fn push_comment(out: &mut String, comment: &Comment, text: &str) {
    out.push_str(text[comment.span.start..comment.span.end].trim_end());
    out.push('\n');
}

fn print_item(out: &mut String, item: &Item) {
    let Some(name) = &item.name else { return layout(out, &item.formula, 0, 0) };
    let head = format!("property {}:", printed_name(name, &[]));
    let line = format!("{head} {}", flat(&item.formula));
    if line.chars().count() <= WIDTH {
        out.push_str(&line);
    } else {
        out.push_str(&head);
        new_line(out, 2);
        layout(out, &item.formula, 2, 2);
    }
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Writes a formula that begins at `column` and whose further lines begin at `indent`.
fn layout(out: &mut String, formula: &Formula, indent: usize, column: usize) {
    let line = flat(formula);
    if column + line.chars().count() <= WIDTH {
        return out.push_str(&line);
    }
    if let Some((word, level, parts)) = chain(formula) {
        for (index, part) in parts.into_iter().enumerate() {
            let mut start = column;
            if index > 0 {
                new_line(out, indent);
                let _ = write!(out, "{word} ");
                start = indent + word.chars().count() + 1;
            }
            operand(out, part, needs_parentheses(part, level, index), indent, start);
        }
        return;
    }
    match &formula.kind {
        Kind::Not(body) => prefixed(out, "!", body, indent, column),
        Kind::Unary(letter, times, interval, body) => {
            prefixed(out, &prefix(*letter, *times, interval), body, indent, column);
        }
        _ => out.push_str(&line),
    }
}

fn prefixed(out: &mut String, prefix: &str, body: &Formula, indent: usize, column: usize) {
    out.push_str(prefix);
    operand(out, body, level_of(body) < PREFIX, indent, column + prefix.chars().count());
}

fn operand(out: &mut String, formula: &Formula, parentheses: bool, indent: usize, column: usize) {
    if !parentheses {
        return layout(out, formula, indent, column);
    }
    let line = flat(formula);
    if column + line.chars().count() + 2 <= WIDTH {
        let _ = write!(out, "({line})");
    } else {
        out.push('(');
        new_line(out, indent + 2);
        layout(out, formula, indent + 2, indent + 2);
        new_line(out, indent);
        out.push(')');
    }
}

/// How tightly prefix operators bind; atoms and modalities bind tighter.
const PREFIX: u8 = 6;

fn level_of(formula: &Formula) -> u8 {
    match &formula.kind {
        Kind::Unary(..) | Kind::Not(_) => PREFIX,
        _ => chain(formula).map_or(PREFIX + 1, |(_, level, _)| level),
    }
}

/// Whether the operand at this place of an operator with this level needs parentheses.
fn needs_parentheses(part: &Formula, level: u8, index: usize) -> bool {
    let own = level_of(part);
    // `->`, `U` and `S` associate to the right, `<->` to the left; the others have one level for all operands.
    let right = matches!(level, 2 | 5) && index > 0;
    let left = level == 1 && index == 0;
    own < level || (own == level && !right && !left)
}

/// For a formula with a binary operator: the operator, its level and its operands.
fn chain(formula: &Formula) -> Option<(String, u8, Vec<&Formula>)> {
    Some(match &formula.kind {
        Kind::Iff(left, right) => ("<->".to_owned(), 1, vec![left, right]),
        Kind::Implies(left, right) => ("->".to_owned(), 2, vec![left, right]),
        Kind::Or(parts) => ("|".to_owned(), 3, parts.iter().collect()),
        Kind::And(parts) => ("&".to_owned(), 4, parts.iter().collect()),
        Kind::Binary(letter, interval, left, right) => {
            (format!("{}{}", letter.word(), bounds(interval)), 5, vec![left, right])
        }
        _ => return None,
    })
}

/// A formula on one line.
fn flat(formula: &Formula) -> String {
    if let Some((word, level, parts)) = chain(formula) {
        let parts = parts.into_iter().enumerate();
        let parts: Vec<String> =
            parts.map(|(index, part)| enclosed(part, needs_parentheses(part, level, index))).collect();
        return parts.join(&format!(" {word} "));
    }
    match &formula.kind {
        Kind::Constant(truth) => truth.to_string(),
        Kind::Atom(name) => printed_name(name, &["true", "false", "inf", "property"]),
        Kind::Not(body) => format!("!{}", enclosed(body, level_of(body) < PREFIX)),
        Kind::Unary(letter, times, interval, body) => {
            format!("{}{}", prefix(*letter, *times, interval), enclosed(body, level_of(body) < PREFIX))
        }
        Kind::Modality(modality) => measured(modality),
        _ => String::new(),
    }
}

fn enclosed(formula: &Formula, parentheses: bool) -> String {
    if parentheses { format!("({})", flat(formula)) } else { flat(formula) }
}

/// `X^6 `, `G_[0,10] `
fn prefix(letter: Letter, times: u32, interval: &Option<WrittenInterval>) -> String {
    let power = if times == 1 { String::new() } else { format!("^{times}") };
    format!("{}{power}{} ", letter.word(), bounds(interval))
}

/// `_[0,10]`, or nothing.
fn bounds(interval: &Option<WrittenInterval>) -> String {
    let Some(interval) = interval else { return String::new() };
    let (open, close) = (if interval.low_included { '[' } else { '(' }, if interval.high_included { ']' } else { ')' });
    let high = interval.high.as_ref().map_or("inf".to_owned(), |high| high.to_string());
    format!("_{open}{},{high}{close}", interval.low)
}

fn measured(modality: &Modality) -> String {
    let stretch = modality.stretch.as_ref().map_or(String::new(), |stretch| format!(", {stretch}"));
    let arguments: Vec<String> = modality.arguments.iter().map(flat).collect();
    let (letter, window) = (modality.letter.word(), &modality.window);
    let (comparison, bound) = (modality.comparison.word(), &modality.bound);
    format!("{letter}[{window}{stretch}] {comparison} {bound} ({})", arguments.join(", "))
}

/// A name so that it is read as one: bare, or in quotes where it would be read as something else.
fn printed_name(name: &str, reserved: &[&str]) -> String {
    let mut tokens = Lexeme::lexer(name);
    let bare = tokens.next() == Some(Ok(Lexeme::Name)) && tokens.span() == (0..name.len());
    let letter = Letter::of(name.strip_suffix('_').unwrap_or(name)).is_some();
    if bare && !letter && !reserved.contains(&name) {
        return name.to_owned();
    }
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}
