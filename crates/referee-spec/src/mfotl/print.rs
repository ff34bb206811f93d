//! Canonical layout: what `referee fmt` prints.
//!
//! A formula stays on its line if it fits in 100 columns and no comment stands in it. Otherwise it is broken at its
//! outermost operator, and its parts are laid out the same way:
//!
//! ```text
//!  ALWAYS FORALL x, y.        prefix operators stay together, their formula goes below, two columns to the right
//!    a(x, y) AND b(y)
//!    IMPLIES                  connectives begin lines
//! ```
//!
//! Parentheses are written where the tree needs them: around an operator that binds less tightly than its place demands,
//! and around a prefix operator that would otherwise take what follows it. At the right end of a formula nothing follows,
//! so `a() IMPLIES ONCE b()` needs none.
//!
//! A comment belongs to the next *item* after it: a part that begins a line when its formula is broken. Comments are
//! printed on lines of their own before their item; so what is printed is laid out again in the same way.

use referee_trace::mapping::Unit;

use super::level;
use super::syntax::{
    Aggregation, Bound, Conversion, Document, Formula, FormulaKind, Interval, Let, Name, Operator, Predicate, Regex,
    Term, TermKind,
};
use crate::core::{AggregateNotation, BinaryOp, Comparison, Direction, Quantifier, UnaryOp};

/// How wide a line may be.
const WIDTH: usize = 100;

/// A document in canonical layout; `text` is what it was parsed from.
pub(super) fn print(document: &Document, text: &str) -> String {
    let comments = document
        .comments
        .iter()
        .filter_map(|comment| Some((comment.span.start, text.get(comment.span.start..comment.span.end)?.trim_end())));
    let mut printer = Printer { out: String::new(), comments: comments.collect(), anchors: Vec::new(), printed: 0 };
    printer.find_anchors(&document.formula);
    printer.comments_before(document.formula.span.start, 0);
    printer.write(&document.formula, Place::alone(), 0);
    printer.out.push('\n');
    printer.comments_before(usize::MAX, 0);
    printer.out
}

/// Where a formula stands: what its surroundings demand of it.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// How tightly its outermost operator must bind.
    min: u8,
    /// Whether nothing follows it before the next closing parenthesis.
    last: bool,
}

impl Place {
    /// In parentheses, or all there is.
    fn alone() -> Place {
        Place { min: level::LOOSEST, last: true }
    }

    /// Before something that binds less tightly than `min`.
    fn before(min: u8) -> Place {
        Place { min, last: false }
    }

    /// The same end, with another demand.
    fn with(self, min: u8) -> Place {
        Place { min, last: self.last }
    }
}

struct Printer<'s> {
    out: String,
    /// Where each comment stood and what it says.
    comments: Vec<(usize, &'s str)>,
    /// The items that comments belong to, sorted.
    anchors: Vec<usize>,
    /// How many comments are printed.
    printed: usize,
}

impl Printer<'_> {
    /// Finds the item of each comment.
    fn find_anchors(&mut self, formula: &Formula) {
        let mut items = vec![formula.span.start];
        collect_items(formula, &mut items);
        items.sort_unstable();
        for (start, _) in &self.comments {
            let at = items.partition_point(|item| item < start);
            self.anchors.extend(items.get(at));
        }
    }

    /// Whether a comment is printed inside the formula, so that it must be broken.
    fn holds_comment(&self, formula: &Formula) -> bool {
        let at = self.anchors.partition_point(|anchor| *anchor <= formula.span.start);
        self.anchors.get(at).is_some_and(|anchor| *anchor < formula.span.end)
    }

    /// Prints the comments that stood before an offset, at the beginning of a line.
    fn comments_before(&mut self, offset: usize, indent: usize) {
        while let Some((start, text)) = self.comments.get(self.printed).copied()
            && start < offset
        {
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.out.push_str(text);
            self.out.push('\n');
            self.printed += 1;
        }
    }

    /// Begins the line of an item.
    fn item(&mut self, offset: usize, indent: usize) {
        self.out.push('\n');
        self.comments_before(offset, indent);
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn column(&self) -> usize {
        self.out.rsplit('\n').next().unwrap_or("").chars().count()
    }

    /// Prints a formula from here; `indent` is where the lines below it begin.
    fn write(&mut self, formula: &Formula, place: Place, indent: usize) {
        let flat = flat(formula, place);
        if !self.holds_comment(formula) && self.column() + flat.chars().count() <= WIDTH {
            self.out.push_str(&flat);
        } else if needs_parentheses(formula, place) {
            self.out.push('(');
            self.broken(formula, Place::alone(), indent + 1);
            self.out.push(')');
        } else {
            self.broken(formula, place, indent);
        }
    }

    /// Prints a formula over several lines, if it has parts to put there.
    fn broken(&mut self, formula: &Formula, place: Place, indent: usize) {
        match &formula.kind {
            FormulaKind::And(parts) => self.chain(parts, "AND", level::AND, place, indent),
            FormulaKind::Or(parts) => self.chain(parts, "OR", level::OR, place, indent),
            FormulaKind::Implies(left, right) => {
                self.write(left, Place::before(level::IMPLIES + 1), indent);
                self.joined("IMPLIES", right, place.with(level::IMPLIES), indent);
            }
            FormulaKind::Equiv(left, right) => {
                self.write(left, Place::before(level::EQUIV), indent);
                self.joined("EQUIV", right, place.with(level::EQUIV + 1), indent);
            }
            FormulaKind::Binary(operator, interval, left, right) => {
                self.write(left, Place::before(level::SINCE + 1), indent);
                let operator = with_interval(binary(*operator), interval.as_ref());
                self.joined(&operator, right, place.with(level::SINCE), indent);
            }
            FormulaKind::Not(body) => {
                self.out.push_str("NOT ");
                self.write(body, place.with(level::NOT), indent + 4);
            }
            FormulaKind::Quantified(_, _, body) | FormulaKind::Unary(_, _, body) => {
                self.out.push_str(&prefix(formula));
                self.below_prefix(body, place.with(own_level(formula)), indent);
            }
            FormulaKind::Aggregation(aggregation) => {
                self.out.push_str(&aggregation_head(aggregation));
                self.below_prefix(&aggregation.body, place.with(level::LOOSEST), indent);
            }
            FormulaKind::Let(definition) => self.definition(definition, place, indent),
            FormulaKind::Missing
            | FormulaKind::Constant(_)
            | FormulaKind::Predicate(_)
            | FormulaKind::Compare(..)
            | FormulaKind::Match(..) => self.out.push_str(&flat(formula, place)),
        }
    }

    fn chain(&mut self, parts: &[Formula], operator: &str, own: u8, place: Place, indent: usize) {
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            let place = if last { place.with(own + 1) } else { Place::before(own + 1) };
            if index == 0 {
                self.write(part, place, indent);
            } else {
                self.joined(operator, part, place, indent);
            }
        }
    }

    /// Prints an operator and its right side on a new line.
    fn joined(&mut self, operator: &str, right: &Formula, place: Place, indent: usize) {
        self.item(right.span.start, indent);
        self.out.push_str(operator);
        self.out.push(' ');
        self.write(right, place, indent + 2);
    }

    /// Prints the formula of a prefix operator: behind it if it begins with another one, else below it.
    fn below_prefix(&mut self, body: &Formula, place: Place, indent: usize) {
        if stays_with_prefix(body, place) {
            self.out.push(' ');
            self.write(body, place, indent);
        } else {
            self.item(body.span.start, indent + 2);
            self.write(body, place, indent + 2);
        }
    }

    fn definition(&mut self, definition: &Let, place: Place, indent: usize) {
        self.out.push_str(&definition_head(definition));
        let (inner, text) = (&definition.definition, flat(&definition.definition, Place::alone()));
        let commented = self.holds_comment(inner) || self.anchors.binary_search(&inner.span.start).is_ok();
        if !commented && self.column() + 1 + text.chars().count() <= WIDTH {
            self.out.push(' ');
            self.out.push_str(&text);
        } else {
            self.item(inner.span.start, indent + 2);
            self.write(inner, Place::alone(), indent + 2);
        }
        self.item(definition.body.span.start, indent);
        self.out.push_str("IN ");
        self.write(&definition.body, place.with(level::LOOSEST), indent);
    }
}

/// The offsets of all parts that begin a line when the formula around them is broken.
fn collect_items(formula: &Formula, items: &mut Vec<usize>) {
    match &formula.kind {
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            items.extend(parts.iter().skip(1).map(|part| part.span.start));
        }
        FormulaKind::Implies(_, right) | FormulaKind::Equiv(_, right) | FormulaKind::Binary(_, _, _, right) => {
            items.push(right.span.start);
        }
        FormulaKind::Quantified(_, _, body) | FormulaKind::Unary(_, _, body) => {
            collect_body(body, own_level(formula), items);
        }
        FormulaKind::Aggregation(aggregation) => collect_body(&aggregation.body, level::LOOSEST, items),
        FormulaKind::Let(definition) => items.extend([definition.definition.span.start, definition.body.span.start]),
        FormulaKind::Match(..) => return,
        _ => {}
    }
    formula.children().into_iter().for_each(|child| collect_items(child, items));
}

/// The formula of a prefix operator, if it begins a line.
fn collect_body(body: &Formula, min: u8, items: &mut Vec<usize>) {
    if !stays_with_prefix(body, Place::alone().with(min)) {
        items.push(body.span.start);
    }
}

/// Whether a prefix operator's formula begins with another one and so stays on its line.
fn stays_with_prefix(body: &Formula, place: Place) -> bool {
    matches!(body.kind, FormulaKind::Quantified(..) | FormulaKind::Unary(..)) && !needs_parentheses(body, place)
}

/// How tightly a formula's outermost operator binds.
fn own_level(formula: &Formula) -> u8 {
    match &formula.kind {
        FormulaKind::Let(_) | FormulaKind::Aggregation(_) => level::LOOSEST,
        FormulaKind::Binary(..) => level::SINCE,
        FormulaKind::Unary(..) => level::TEMPORAL,
        FormulaKind::Quantified(..) => level::QUANTIFIER,
        FormulaKind::Equiv(..) => level::EQUIV,
        FormulaKind::Implies(..) => level::IMPLIES,
        FormulaKind::Or(_) => level::OR,
        FormulaKind::And(_) => level::AND,
        FormulaKind::Not(_) => level::NOT,
        FormulaKind::Compare(..) => level::COMPARE,
        FormulaKind::Missing | FormulaKind::Constant(_) | FormulaKind::Predicate(_) | FormulaKind::Match(..) => {
            level::NEGATE
        }
    }
}

/// Whether a formula would be read otherwise in this place.
fn needs_parentheses(formula: &Formula, place: Place) -> bool {
    let is_prefix = matches!(formula.kind, FormulaKind::Unary(..) | FormulaKind::Quantified(..));
    own_level(formula) < place.min && !(is_prefix && place.last)
}

/// A formula on one line.
fn flat(formula: &Formula, place: Place) -> String {
    if needs_parentheses(formula, place) {
        return format!("({})", flat(formula, Place::alone()));
    }
    match &formula.kind {
        FormulaKind::Missing => String::new(),
        FormulaKind::Constant(true) => "TRUE".to_owned(),
        FormulaKind::Constant(false) => "FALSE".to_owned(),
        FormulaKind::Predicate(predicate) => flat_predicate(predicate),
        FormulaKind::Compare(comparison, left, right) => {
            let operand = |term| flat_term(term, level::COMPARE + 1);
            format!("{} {} {}", operand(left), comparison_symbol(*comparison), operand(right))
        }
        FormulaKind::Not(body) => format!("NOT {}", flat(body, place.with(level::NOT))),
        FormulaKind::And(parts) => flat_chain(parts, " AND ", level::AND, place),
        FormulaKind::Or(parts) => flat_chain(parts, " OR ", level::OR, place),
        FormulaKind::Implies(left, right) => {
            let left = flat(left, Place::before(level::IMPLIES + 1));
            format!("{left} IMPLIES {}", flat(right, place.with(level::IMPLIES)))
        }
        FormulaKind::Equiv(left, right) => {
            let left = flat(left, Place::before(level::EQUIV));
            format!("{left} EQUIV {}", flat(right, place.with(level::EQUIV + 1)))
        }
        FormulaKind::Binary(operator, interval, left, right) => {
            let left = flat(left, Place::before(level::SINCE + 1));
            let operator = with_interval(binary(*operator), interval.as_ref());
            format!("{left} {operator} {}", flat(right, place.with(level::SINCE)))
        }
        FormulaKind::Quantified(_, _, body) | FormulaKind::Unary(_, _, body) => {
            format!("{} {}", prefix(formula), flat(body, place.with(own_level(formula))))
        }
        FormulaKind::Match(direction, interval, regex) => {
            let operator = if *direction == Direction::Future { "MATCHF" } else { "MATCHP" };
            format!("{} {}", with_interval(operator, interval.as_ref()), flat_regex(regex, RegexPlace::Choice))
        }
        FormulaKind::Let(definition) => format!(
            "{} {} IN {}",
            definition_head(definition),
            flat(&definition.definition, Place::alone()),
            flat(&definition.body, place.with(level::LOOSEST))
        ),
        FormulaKind::Aggregation(aggregation) => {
            format!("{} {}", aggregation_head(aggregation), flat(&aggregation.body, place.with(level::LOOSEST)))
        }
    }
}

fn flat_chain(parts: &[Formula], operator: &str, own: u8, place: Place) -> String {
    let place_of = |index: usize| {
        if index + 1 == parts.len() { place.with(own + 1) } else { Place::before(own + 1) }
    };
    let parts: Vec<String> = parts.iter().enumerate().map(|(index, part)| flat(part, place_of(index))).collect();
    parts.join(operator)
}

fn flat_predicate(predicate: &Predicate) -> String {
    let arguments: Vec<String> = predicate.arguments.iter().map(|argument| flat_term(argument, level::ADD)).collect();
    format!("{}({})", predicate.name.text, arguments.join(", "))
}

/// What stands before the formula of a quantifier or a temporal operator.
fn prefix(formula: &Formula) -> String {
    match &formula.kind {
        FormulaKind::Quantified(quantifier, names, _) => {
            let quantifier = if *quantifier == Quantifier::Forall { "FORALL" } else { "EXISTS" };
            format!("{quantifier} {}.", list(names))
        }
        FormulaKind::Unary(operator, interval, _) => with_interval(unary(*operator), interval.as_ref()),
        _ => String::new(),
    }
}

fn definition_head(definition: &Let) -> String {
    let keyword = if definition.past { "LETPAST" } else { "LET" };
    format!("{keyword} {}({}) =", definition.name.text, list(&definition.parameters))
}

fn aggregation_head(aggregation: &Aggregation) -> String {
    let operator = AggregateNotation::Mfotl.written(aggregation.operator);
    let groups = if aggregation.groups.is_empty() { String::new() } else { format!("; {}", list(&aggregation.groups)) };
    format!("{} <- {operator} {}{groups}", aggregation.result.text, aggregation.over.text)
}

fn list(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
    names.join(", ")
}

/// Where a regular expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RegexPlace {
    Choice,
    Concat,
    Repeated,
}

fn flat_regex(regex: &Regex, place: RegexPlace) -> String {
    let (text, own) = match regex {
        Regex::Any => (".".to_owned(), RegexPlace::Repeated),
        Regex::Step(formula) => (flat_element(formula), RegexPlace::Repeated),
        Regex::Test(formula) => (format!("{}?", flat_element(formula)), RegexPlace::Repeated),
        Regex::Concat(parts) => (flat_parts(parts, " ", RegexPlace::Repeated), RegexPlace::Concat),
        Regex::Choice(parts) => (flat_parts(parts, " + ", RegexPlace::Concat), RegexPlace::Choice),
        Regex::Star(body) => (format!("{}*", flat_regex(body, RegexPlace::Repeated)), RegexPlace::Repeated),
    };
    if own < place { format!("({text})") } else { text }
}

fn flat_parts(parts: &[Regex], between: &str, place: RegexPlace) -> String {
    let parts: Vec<String> = parts.iter().map(|part| flat_regex(part, place)).collect();
    parts.join(between)
}

/// A formula in a regular expression: in parentheses unless it is a predicate or a constant.
fn flat_element(formula: &Formula) -> String {
    match &formula.kind {
        FormulaKind::Constant(_) | FormulaKind::Predicate(_) => flat(formula, Place::before(level::NOT)),
        _ => format!("({})", flat(formula, Place::alone())),
    }
}

fn with_interval(operator: &str, interval: Option<&Interval>) -> String {
    let Some(interval) = interval else { return operator.to_owned() };
    let open = if interval.low_included { '[' } else { '(' };
    let close = if interval.high_included { ']' } else { ')' };
    let high = interval.high.as_ref().map_or("*".to_owned(), bound);
    format!("{operator}{open}{}, {high}{close}", bound(&interval.low))
}

fn bound(bound: &Bound) -> String {
    format!("{}{}", bound.digits, bound.unit.map_or("", Unit::sign))
}

fn flat_term(term: &Term, min: u8) -> String {
    let (text, own) = match &term.kind {
        TermKind::Missing => (String::new(), level::NEGATE),
        TermKind::Name(text) | TermKind::Number(text) => (text.to_string(), level::NEGATE),
        TermKind::Text(text) => (quoted(text), level::NEGATE),
        TermKind::Any => ("_".to_owned(), level::NEGATE),
        TermKind::Negate(body) => (format!("-{}", flat_term(body, level::NEGATE)), level::NEGATE),
        TermKind::Apply(function, body) => {
            (format!("{}({})", conversion(*function), flat_term(body, level::ADD)), level::NEGATE)
        }
        TermKind::Binary(operator, left, right) => {
            let (symbol, own) = arithmetic(*operator);
            (format!("{} {symbol} {}", flat_term(left, own), flat_term(right, own + 1)), own)
        }
    };
    if own < min { format!("({text})") } else { text }
}

/// A string between quotes that it does not hold itself.
fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

fn unary(operator: UnaryOp) -> &'static str {
    match operator {
        UnaryOp::Prev | UnaryOp::WeakPrev => "PREV",
        UnaryOp::Next | UnaryOp::WeakNext => "NEXT",
        UnaryOp::Once => "ONCE",
        UnaryOp::Historically => "PAST_ALWAYS",
        UnaryOp::Eventually => "EVENTUALLY",
        UnaryOp::Always => "ALWAYS",
    }
}

fn binary(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Since | BinaryOp::StrictSince | BinaryOp::WeakSince => "SINCE",
        BinaryOp::Trigger => "TRIGGER",
        BinaryOp::Until | BinaryOp::WeakUntil => "UNTIL",
        BinaryOp::Release => "RELEASE",
    }
}

fn comparison_symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Substring => "SUBSTRING",
        Comparison::Matches => "MATCHES",
    }
}

fn arithmetic(operator: Operator) -> (&'static str, u8) {
    match operator {
        Operator::Add => ("+", level::ADD),
        Operator::Subtract => ("-", level::ADD),
        Operator::Multiply => ("*", level::MULTIPLY),
        Operator::Divide => ("/", level::MULTIPLY),
        Operator::Modulo => ("MOD", level::MULTIPLY),
    }
}

fn conversion(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::FloatToInteger => "f2i",
        Conversion::IntegerToFloat => "i2f",
        Conversion::IntegerToText => "i2s",
        Conversion::TextToInteger => "s2i",
        Conversion::FloatToText => "f2s",
        Conversion::TextToFloat => "s2f",
    }
}
