//! The canonical layout.
//!
//! ```text
//!  prop name: F                       if it fits into 100 columns; otherwise
//!  prop name:
//!    Forall x .
//!      left ->
//!        first &
//!        second
//!  where
//!    rule(x) := F,
//!    other(x) := F
//! ```
//!
//! A formula is first written on one line; that attempt ends at the first column too many, so that laying out costs at
//! most a line's width per formula. What does not fit, or has comments in it, is broken at its outermost operator. Only
//! parentheses that the grammar needs are written, and those around a comparison under a prefix operator, where
//! `!x = y` would mislead. An open end counts: a quantifier reaches as far as it can, so it is put in parentheses where
//! something follows.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use super::syntax::{
    Argument, Bound, Comment, Constant, Definition, Document, Formula, Head, Item, ItemKind, Kind, Property,
    Quantification,
};
use crate::core::Quantifier;

/// The greatest width of a line.
const WIDTH: usize = 100;

/// Prints a file; the tree must come from a text without errors.
pub(super) fn print(document: &Document) -> String {
    let mut printer = Printer { text: String::new(), line_start: 0 };
    for (number, item) in document.items.iter().enumerate() {
        if number > 0 {
            printer.line(0);
        }
        printer.item(item);
    }
    if !document.items.is_empty() && !document.comments.is_empty() {
        printer.line(0);
    }
    printer.comments(&document.comments, 0);
    printer.finish()
}

/// How tightly a formula binds; the order of the grammar's levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implication,
    Disjunction,
    Conjunction,
    Since,
    Operand,
}

fn level(formula: &Formula) -> Level {
    match formula.kind {
        Kind::Implies(..) | Kind::Iff(..) => Level::Implication,
        Kind::Or(_) => Level::Disjunction,
        Kind::And(_) => Level::Conjunction,
        Kind::Since(..) | Kind::StrictSince(..) => Level::Since,
        _ => Level::Operand,
    }
}

/// What a formula's surroundings demand of it.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// The loosest level that needs no parentheses.
    loosest: Level,
    /// Whether nothing follows that a quantifier could swallow.
    last: bool,
    /// Whether it stands under a prefix operator.
    prefixed: bool,
    /// Whether it is an operand whose operators must not be taken for those around it: lines after its first are set in.
    nested: bool,
}

impl Context {
    /// Between brackets, or alone.
    const WHOLE: Context = Context { loosest: Level::Implication, last: true, prefixed: false, nested: false };

    fn prefixed(last: bool) -> Context {
        Context { loosest: Level::Operand, last, prefixed: true, nested: false }
    }

    fn needs_parentheses(self, formula: &Formula) -> bool {
        match formula.kind {
            Kind::Quantified(..) => !self.last,
            Kind::Relation(..) => self.prefixed,
            _ => level(formula) < self.loosest,
        }
    }
}

/// A binary formula's operator, and what it demands of its operands.
struct Joined<'t> {
    operands: Vec<&'t Formula>,
    operator: String,
    first: Level,
    others: Level,
    /// Whether operands after the first are set in when the formula is broken.
    set_in: bool,
}

impl<'t> Joined<'t> {
    fn of(kind: &'t Kind) -> Option<Joined<'t>> {
        use Level::{Conjunction, Disjunction, Implication, Operand, Since};
        let pair = |left: &'t Formula, right: &'t Formula| vec![left, right];
        let (operands, operator, first, others) = match kind {
            Kind::Implies(left, right) => (pair(left, right), "->".to_owned(), Implication, Disjunction),
            Kind::Iff(left, right) => (pair(left, right), "<->".to_owned(), Implication, Disjunction),
            Kind::Or(all) => (all.iter().collect(), "|".to_owned(), Conjunction, Conjunction),
            Kind::And(all) => (all.iter().collect(), "&".to_owned(), Since, Since),
            Kind::Since(bound, left, right) => (pair(left, right), format!("S{}", shown(bound)), Operand, Operand),
            Kind::StrictSince(limit, left, right) => (pair(left, right), format!("Z[<={limit}]"), Operand, Operand),
            _ => return None,
        };
        Some(Joined { operands, operator, first, others, set_in: !matches!(kind, Kind::And(_) | Kind::Or(_)) })
    }

    /// Each operand with its context and whether it is the last.
    fn operands(&self, context: Context) -> impl Iterator<Item = (&'t Formula, Context, bool)> {
        let last = self.operands.len() - 1;
        self.operands.iter().enumerate().map(move |(at, operand)| {
            let loosest = if at == 0 { self.first } else { self.others };
            let nested = !self.set_in || at == 0;
            (*operand, Context { loosest, last: at == last && context.last, prefixed: false, nested }, at == last)
        })
    }
}

fn shown(bound: &Bound) -> String {
    match bound {
        Bound::None => String::new(),
        Bound::AtMost(limit) => format!("[<={limit}]"),
        Bound::MoreThan(limit) => format!("[>{limit}]"),
    }
}

/// A prefix operator and its operand.
fn prefixed(kind: &Kind) -> Option<(String, &Formula)> {
    Some(match kind {
        Kind::Not(body) => ("!".to_owned(), body),
        Kind::Previous(body) => ("@".to_owned(), body),
        Kind::Once(bound, body) => (format!("P{} ", shown(bound)), body),
        Kind::Historically(bound, body) => (format!("H{} ", shown(bound)), body),
        _ => return None,
    })
}

fn quantifier(how: Quantification) -> &'static str {
    match (how.quantifier, how.lower_case) {
        (Quantifier::Forall, false) => "Forall",
        (Quantifier::Exists, false) => "Exists",
        (Quantifier::Forall, true) => "forall",
        (Quantifier::Exists, true) => "exists",
    }
}

/// That a formula does not fit on the line.
struct TooLong;

struct Printer {
    text: String,
    /// Where the current line begins.
    line_start: usize,
}

impl Printer {
    fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }

    fn item(&mut self, item: &Item) {
        self.comments(&item.comments, 0);
        match &item.kind {
            ItemKind::Macro(definition) => {
                self.text.push_str("pred ");
                self.definition(definition, " =", 0, 0);
            }
            ItemKind::Property(property) => self.property(property),
            ItemKind::Events(heads) => self.events(heads),
        }
        self.line(0);
    }

    fn property(&mut self, property: &Property) {
        self.text.push_str("prop ");
        self.text.push_str(&property.name.text);
        self.after_head(":", &property.formula, 0, 0);
        for (number, rule) in property.rules.iter().enumerate() {
            match number {
                0 => {
                    self.line(0);
                    self.text.push_str("where");
                }
                _ => self.text.push(','),
            }
            self.line(2);
            self.comments(&rule.comments, 2);
            self.definition(rule, " :=", 2, 1);
        }
    }

    fn definition(&mut self, definition: &Definition, sign: &str, indent: usize, reserve: usize) {
        self.head(&definition.head);
        self.after_head(sign, &definition.body, indent, reserve);
    }

    /// A formula after a name, on the same line if it fits and `reserve` columns are left.
    fn after_head(&mut self, sign: &str, formula: &Formula, indent: usize, reserve: usize) {
        self.text.push_str(sign);
        let start = self.text.len();
        self.text.push(' ');
        if !formula.comments.is_empty() || !self.fits(formula, Context::WHOLE, reserve) {
            self.text.truncate(start);
            self.line(indent + 2);
            self.operand(formula, Context::WHOLE, indent + 2, reserve);
        }
    }

    fn events(&mut self, heads: &[Head]) {
        self.text.push_str(if heads.len() == 1 { "event " } else { "events " });
        for (number, head) in heads.iter().enumerate() {
            if number > 0 {
                self.text.push_str(", ");
            }
            let start = self.text.len();
            self.head(head);
            if number > 0 && self.column() >= WIDTH {
                self.text.truncate(start - 1);
                self.line(2);
                self.head(head);
            }
        }
    }

    fn head(&mut self, head: &Head) {
        self.text.push_str(&head.name.text);
        if !head.parameters.is_empty() {
            let names: Vec<&str> = head.parameters.iter().map(|name| &*name.text).collect();
            let _ = write!(self.text, "({})", names.join(", "));
        }
    }

    /// Comments, each on a line that is already set in.
    fn comments(&mut self, comments: &[Comment], indent: usize) {
        for comment in comments {
            self.text.push_str(&comment.text);
            if comment.blank_after && indent == 0 {
                self.line(0);
            }
            self.line(indent);
        }
    }

    /// Ends the line and sets in the next one.
    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.line_start = self.text.len();
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn column(&self) -> usize {
        self.text[self.line_start..].chars().count()
    }

    /// A formula at the beginning of a line that is set in by `indent`, with its comments.
    fn operand(&mut self, formula: &Formula, context: Context, indent: usize, reserve: usize) {
        self.comments(&formula.comments, indent);
        self.laid_out(formula, context, indent, reserve);
    }

    /// A formula without its comments, on this line if it fits and `reserve` columns are left.
    fn laid_out(&mut self, formula: &Formula, context: Context, indent: usize, reserve: usize) {
        if self.fits(formula, context, reserve) {
            return;
        }
        if !context.needs_parentheses(formula) {
            return self.broken(formula, context, indent, reserve);
        }
        self.text.push('(');
        self.line(indent + 2);
        self.laid_out(formula, Context::WHOLE, indent + 2, 0);
        self.line(indent);
        self.text.push(')');
    }

    /// A formula that is broken at its outermost operator.
    fn broken(&mut self, formula: &Formula, context: Context, indent: usize, reserve: usize) {
        if let Some(joined) = Joined::of(&formula.kind) {
            return self.broken_join(&joined, context, indent, reserve);
        }
        if let Some((operator, body)) = prefixed(&formula.kind) {
            self.text.push_str(&operator);
            return self.laid_out(body, Context::prefixed(context.last), indent, reserve);
        }
        match &formula.kind {
            Kind::Interval(from, to) => {
                self.text.push('[');
                self.line(indent + 2);
                self.operand(from, Context::WHOLE, indent + 2, 1);
                self.text.push(',');
                self.line(indent + 2);
                self.operand(to, Context::WHOLE, indent + 2, 0);
                self.line(indent);
                self.text.push(')');
            }
            Kind::Quantified(how, name, body) => {
                let _ = write!(self.text, "{} {} .", quantifier(*how), name.text);
                if matches!(body.kind, Kind::Quantified(..)) && body.comments.is_empty() {
                    self.text.push(' ');
                    self.broken(body, Context::WHOLE, indent, reserve);
                } else {
                    self.line(indent + 2);
                    self.operand(body, Context::WHOLE, indent + 2, reserve);
                }
            }
            kind => self.atom(kind),
        }
    }

    /// One operand per line, each but the last followed by the operator.
    fn broken_join(&mut self, joined: &Joined<'_>, context: Context, indent: usize, reserve: usize) {
        let further = if joined.set_in || context.nested { indent + 2 } else { indent };
        let mut indent = indent;
        for (operand, context, last) in joined.operands(context) {
            self.operand(operand, context, indent, if last { reserve } else { joined.operator.len() + 1 });
            if !last {
                self.text.push(' ');
                self.text.push_str(&joined.operator);
                indent = further;
                self.line(indent);
            }
        }
    }

    /// Writes a formula on this line if that leaves `reserve` columns, otherwise nothing.
    fn fits(&mut self, formula: &Formula, context: Context, reserve: usize) -> bool {
        let start = self.text.len();
        let fits = self.flat(formula, context).is_ok() && self.column() + reserve <= WIDTH;
        if !fits {
            self.text.truncate(start);
        }
        fits
    }

    /// Writes a formula on this line; gives up when the line becomes too long or a comment stands in the way.
    fn flat(&mut self, formula: &Formula, context: Context) -> Result<(), TooLong> {
        if !context.needs_parentheses(formula) {
            return self.flat_content(formula, context);
        }
        self.text.push('(');
        self.flat_content(formula, Context::WHOLE)?;
        self.text.push(')');
        Ok(())
    }

    fn flat_content(&mut self, formula: &Formula, context: Context) -> Result<(), TooLong> {
        if let Some(joined) = Joined::of(&formula.kind) {
            for (operand, context, last) in joined.operands(context) {
                self.flat_part(operand, context)?;
                if !last {
                    let _ = write!(self.text, " {} ", joined.operator);
                }
            }
        } else if let Some((operator, body)) = prefixed(&formula.kind) {
            self.text.push_str(&operator);
            self.flat_part(body, Context::prefixed(context.last))?;
        } else {
            match &formula.kind {
                Kind::Interval(from, to) => {
                    self.text.push('[');
                    self.flat_part(from, Context::WHOLE)?;
                    self.text.push_str(", ");
                    self.flat_part(to, Context::WHOLE)?;
                    self.text.push(')');
                }
                Kind::Quantified(how, name, body) => {
                    let _ = write!(self.text, "{} {} . ", quantifier(*how), name.text);
                    self.flat_part(body, Context::WHOLE)?;
                }
                kind => self.atom(kind),
            }
        }
        if self.column() > WIDTH { Err(TooLong) } else { Ok(()) }
    }

    fn flat_part(&mut self, formula: &Formula, context: Context) -> Result<(), TooLong> {
        if formula.comments.is_empty() { self.flat(formula, context) } else { Err(TooLong) }
    }

    /// A formula without formulas in it.
    fn atom(&mut self, kind: &Kind) {
        match kind {
            Kind::Constant(truth) => {
                let _ = write!(self.text, "{truth}");
            }
            Kind::Atom(name, arguments) => {
                self.text.push_str(&name.text);
                if !arguments.is_empty() {
                    let shown: Vec<String> = arguments.iter().map(argument).collect();
                    let _ = write!(self.text, "({})", shown.join(", "));
                }
            }
            Kind::Relation(relation, left, right) => {
                let _ = write!(self.text, "{} {} {}", argument(left), relation.symbol(), argument(right));
            }
            _ => {}
        }
    }
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Variable(name) => name.text.to_string(),
        Argument::Constant(Constant { text, quoted: false }) => text.to_string(),
        Argument::Constant(Constant { text, quoted: true }) => quoted(text),
    }
}

/// A text as a string of the language.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' => quoted.extend(['\\', character]),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
