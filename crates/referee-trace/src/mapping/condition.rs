//! Conditions on the fields of a concrete event: `has EventType and not (amount <= 100 or kind = "test")`.
//!
//! ```text
//!  condition  ::= both ('or' both)*
//!  both       ::= factor ('and' factor)*
//!  factor     ::= 'not' factor | 'has' field | '(' condition ')' | operand op operand
//!  op         ::= '=' | '!=' | '<' | '<=' | '>' | '>='
//!  operand    ::= field | number | 'true' | 'false' | "text" | 'text'          `a field` with odd letters in backquotes
//! ```
//!
//! Numbers compare as numbers, quoted texts as text; two fields compare as numbers if both are. `and` and `or` read from
//! the left and stop as soon as the answer is known, so `has` protects what follows. A comparison with a field that the
//! event lacks is an error, not false: a misspelt name would otherwise go unnoticed.
//!
//! Bound to a shape once, a condition reads fields by position and allocates nothing for integers and texts.

use std::cmp::Ordering;

use crate::number::Number;
use crate::raw::Shape;

/// How deeply parentheses and `not` may nest: far more than anybody writes, far less than the stack holds.
const MAX_DEPTH: u32 = 100;

/// A condition as written, or bound to a shape (then its fields are positions).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition<F> {
    Or(Vec<Condition<F>>),
    And(Vec<Condition<F>>),
    Not(Box<Condition<F>>),
    Has(F),
    Compare(Operand<F>, Comparison, Operand<F>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operand<F> {
    Field(F),
    Text(Box<str>),
    Number(Number),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// What is wrong with the text of a condition, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrongCondition {
    pub offset: usize,
    pub message: String,
}

/// A field as written.
pub(crate) type Name = Box<str>;

/// A field of a shape: its position, or its name where the shape lacks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bound {
    At(usize),
    Missing(Name),
}

impl Condition<Name> {
    /// Reads a condition.
    pub(crate) fn parse(text: &str) -> Result<Condition<Name>, WrongCondition> {
        let mut parser = ConditionParser { text, at: 0, depth: 0 };
        let condition = parser.condition()?;
        match parser.peek() {
            ConditionToken::End => Ok(condition),
            token => Err(parser.wrong(format!("expected `and`, `or` or the end, found {}", token.shown()))),
        }
    }

    /// Adds the names of all its fields.
    pub(crate) fn add_names<'c>(&'c self, names: &mut Vec<&'c str>) {
        match self {
            Condition::Or(parts) | Condition::And(parts) => parts.iter().for_each(|part| part.add_names(names)),
            Condition::Not(part) => part.add_names(names),
            Condition::Has(field) => names.push(field),
            Condition::Compare(left, _, right) => {
                for side in [left, right] {
                    if let Operand::Field(field) = side {
                        names.push(field);
                    }
                }
            }
        }
    }

    /// The same condition for the events of one shape.
    pub(crate) fn bind(&self, shape: &Shape) -> Condition<Bound> {
        let bind_all = |all: &[Condition<Name>]| all.iter().map(|part| part.bind(shape)).collect();
        match self {
            Condition::Or(parts) => Condition::Or(bind_all(parts)),
            Condition::And(parts) => Condition::And(bind_all(parts)),
            Condition::Not(part) => Condition::Not(Box::new(part.bind(shape))),
            Condition::Has(field) => Condition::Has(Bound::of(field, shape)),
            Condition::Compare(left, how, right) => Condition::Compare(left.bind(shape), *how, right.bind(shape)),
        }
    }
}

impl Operand<Name> {
    fn bind(&self, shape: &Shape) -> Operand<Bound> {
        match self {
            Operand::Field(field) => Operand::Field(Bound::of(field, shape)),
            Operand::Text(text) => Operand::Text(text.clone()),
            Operand::Number(number) => Operand::Number(number.clone()),
        }
    }
}

impl Bound {
    /// The first field of that name.
    pub(crate) fn of(name: &str, shape: &Shape) -> Bound {
        match shape.fields.iter().position(|field| **field == *name) {
            Some(position) => Bound::At(position),
            None => Bound::Missing(name.into()),
        }
    }
}

impl Condition<Bound> {
    /// Whether the condition holds; the name of a missing field if it needs one.
    pub(crate) fn holds(&self, values: &[&str]) -> Result<bool, &str> {
        match self {
            Condition::Or(parts) => first_that_is(true, parts, values),
            Condition::And(parts) => first_that_is(false, parts, values),
            Condition::Not(part) => Ok(!part.holds(values)?),
            Condition::Has(field) => Ok(matches!(field, Bound::At(_))),
            Condition::Compare(left, how, right) => Ok(how.holds(left.read(values)?, right.read(values)?)),
        }
    }

    /// Whether the condition holds of all events of the shape, or of none, if that is plain to see.
    ///
    /// A part that cannot be told may be an error, so nothing behind it counts.
    pub(crate) fn verdict(&self) -> Option<bool> {
        let first = |wanted: bool, parts: &[Condition<Bound>]| {
            let decides = |part: &&Condition<Bound>| part.verdict() != Some(!wanted);
            parts.iter().find(decides).map_or(Some(!wanted), Condition::verdict)
        };
        match self {
            Condition::Or(parts) => first(true, parts),
            Condition::And(parts) => first(false, parts),
            Condition::Not(part) => part.verdict().map(|truth| !truth),
            Condition::Has(field) => Some(matches!(field, Bound::At(_))),
            Condition::Compare(..) => None,
        }
    }

    /// Adds the positions of the fields that are read.
    pub(crate) fn add_positions(&self, positions: &mut Vec<usize>) {
        match self {
            Condition::Or(parts) | Condition::And(parts) => {
                parts.iter().for_each(|part| part.add_positions(positions));
            }
            Condition::Not(part) => part.add_positions(positions),
            Condition::Has(_) => {}
            Condition::Compare(left, _, right) => {
                for side in [left, right] {
                    if let Operand::Field(Bound::At(position)) = side {
                        positions.push(*position);
                    }
                }
            }
        }
    }
}

/// `or` stops at the first true part, `and` at the first false one.
fn first_that_is<'a>(truth: bool, parts: &'a [Condition<Bound>], values: &[&str]) -> Result<bool, &'a str> {
    for part in parts {
        if part.holds(values)? == truth {
            return Ok(truth);
        }
    }
    Ok(!truth)
}

/// What one side of a comparison comes to.
#[derive(Clone, Copy)]
enum Side<'a> {
    Field(&'a str),
    Text(&'a str),
    Number(&'a Number),
}

impl Operand<Bound> {
    fn read<'a: 's, 's>(&'a self, values: &[&'s str]) -> Result<Side<'s>, &'a str> {
        Ok(match self {
            Operand::Field(Bound::At(position)) => Side::Field(values[*position]),
            Operand::Field(Bound::Missing(name)) => return Err(name),
            Operand::Text(text) => Side::Text(text),
            Operand::Number(number) => Side::Number(number),
        })
    }
}

impl Comparison {
    fn holds(self, left: Side<'_>, right: Side<'_>) -> bool {
        match compare(left, right) {
            None => self == Comparison::Unequal,
            Some(order) => match self {
                Comparison::Equal => order.is_eq(),
                Comparison::Unequal => order.is_ne(),
                Comparison::Less => order.is_lt(),
                Comparison::AtMost => order.is_le(),
                Comparison::Greater => order.is_gt(),
                Comparison::AtLeast => order.is_ge(),
            },
        }
    }
}

/// The order of two sides; none between a number and something else.
fn compare(left: Side<'_>, right: Side<'_>) -> Option<Ordering> {
    match (left, right) {
        (Side::Number(a), Side::Number(b)) => Some(a.cmp(b)),
        (Side::Number(a), Side::Field(b)) => Number::parse(b).map(|b| a.cmp(&b)),
        (Side::Field(a), Side::Number(b)) => Number::parse(a).map(|a| a.cmp(b)),
        (Side::Number(_), Side::Text(_)) | (Side::Text(_), Side::Number(_)) => None,
        (Side::Field(a), Side::Field(b)) => match (Number::parse(a), Number::parse(b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => Some(a.cmp(b)),
        },
        (Side::Field(a) | Side::Text(a), Side::Field(b) | Side::Text(b)) => Some(a.cmp(b)),
    }
}

/// A recursive descent over the text; the current token is found anew whenever it is looked at.
struct ConditionParser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum ConditionToken<'a> {
    End,
    Word(&'a str),
    Field(&'a str),
    Quoted(&'a str),
    Number(&'a str),
    Symbol(&'a str),
    Open(char),
}

impl ConditionToken<'_> {
    fn shown(self) -> String {
        match self {
            ConditionToken::End => "the end".to_owned(),
            ConditionToken::Open(quote) => format!("a text without its closing {quote}"),
            ConditionToken::Quoted(text) => format!("the text '{text}'"),
            ConditionToken::Word(text)
            | ConditionToken::Field(text)
            | ConditionToken::Number(text)
            | ConditionToken::Symbol(text) => format!("`{text}`"),
        }
    }
}

impl<'a> ConditionParser<'a> {
    fn condition(&mut self) -> Result<Condition<Name>, WrongCondition> {
        let mut parts = vec![self.both()?];
        while self.accept(ConditionToken::Word("or")) {
            parts.push(self.both()?);
        }
        Ok(single_or(parts, Condition::Or))
    }

    fn both(&mut self) -> Result<Condition<Name>, WrongCondition> {
        let mut parts = vec![self.factor()?];
        while self.accept(ConditionToken::Word("and")) {
            parts.push(self.factor()?);
        }
        Ok(single_or(parts, Condition::And))
    }

    fn factor(&mut self) -> Result<Condition<Name>, WrongCondition> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(format!("the condition is nested more than {MAX_DEPTH} deep")));
        }
        let factor = self.factor_within();
        self.depth -= 1;
        factor
    }

    fn factor_within(&mut self) -> Result<Condition<Name>, WrongCondition> {
        if self.accept(ConditionToken::Word("not")) {
            return Ok(Condition::Not(Box::new(self.factor()?)));
        }
        if self.accept(ConditionToken::Word("has")) {
            return match self.operand()? {
                Operand::Field(field) => Ok(Condition::Has(field)),
                _ => Err(self.wrong("expected the name of a field after `has`".to_owned())),
            };
        }
        if self.accept(ConditionToken::Symbol("(")) {
            let inner = self.condition()?;
            if !self.accept(ConditionToken::Symbol(")")) {
                let found = self.peek().shown();
                return Err(self.wrong(format!("expected `)`, found {found}")));
            }
            return Ok(inner);
        }
        Ok(Condition::Compare(self.operand()?, self.comparison()?, self.operand()?))
    }

    fn operand(&mut self) -> Result<Operand<Name>, WrongCondition> {
        let operand = match self.peek() {
            ConditionToken::Word(word @ ("true" | "false")) => Operand::Text(word.into()),
            ConditionToken::Word(word) if !["and", "or", "not", "has"].contains(&word) => Operand::Field(word.into()),
            ConditionToken::Field(name) => Operand::Field(name.into()),
            ConditionToken::Quoted(text) => Operand::Text(text.into()),
            ConditionToken::Number(text) => match Number::parse(text) {
                Some(number) => Operand::Number(number),
                None => return Err(self.wrong(format!("`{text}` is no number; a text is written in quotes"))),
            },
            token => {
                let found = token.shown();
                return Err(self.wrong(format!("expected a field, a number or a text in quotes, found {found}")));
            }
        };
        self.skip();
        Ok(operand)
    }

    fn comparison(&mut self) -> Result<Comparison, WrongCondition> {
        let comparison = match self.peek() {
            ConditionToken::Symbol("=" | "==") => Comparison::Equal,
            ConditionToken::Symbol("!=") => Comparison::Unequal,
            ConditionToken::Symbol("<") => Comparison::Less,
            ConditionToken::Symbol("<=") => Comparison::AtMost,
            ConditionToken::Symbol(">") => Comparison::Greater,
            ConditionToken::Symbol(">=") => Comparison::AtLeast,
            token => {
                let found = token.shown();
                return Err(self.wrong(format!("expected one of = != < <= > >=, found {found}")));
            }
        };
        self.skip();
        Ok(comparison)
    }

    fn accept(&mut self, token: ConditionToken<'_>) -> bool {
        let found = self.peek() == token;
        if found {
            self.skip();
        }
        found
    }

    fn wrong(&mut self, message: String) -> WrongCondition {
        WrongCondition { offset: self.start(), message }
    }

    /// Where the current token starts.
    fn start(&self) -> usize {
        let rest = &self.text[self.at..];
        self.at + (rest.len() - rest.trim_start().len())
    }

    fn peek(&self) -> ConditionToken<'a> {
        self.token().0
    }

    fn skip(&mut self) {
        self.at = self.token().1;
    }

    /// The current token and where it ends.
    fn token(&self) -> (ConditionToken<'a>, usize) {
        let start = self.start();
        let rest = &self.text[start..];
        let while_ = |belongs: fn(char) -> bool| &rest[..rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())];
        let Some(first) = rest.chars().next() else { return (ConditionToken::End, start) };
        match first {
            '"' | '\'' | '`' => match rest[1..].split_once(first) {
                Some((text, _)) if first == '`' => (ConditionToken::Field(text), start + text.len() + 2),
                Some((text, _)) => (ConditionToken::Quoted(text), start + text.len() + 2),
                None => (ConditionToken::Open(first), self.text.len()),
            },
            '-' | '0'..='9' => {
                let text = while_(|letter| letter.is_ascii_alphanumeric() || ".-+".contains(letter));
                (ConditionToken::Number(text), start + text.len())
            }
            letter if is_word(letter) => {
                // Behind its first letter, a path may have brackets.
                let text = while_(|letter| is_word(letter) || "[]".contains(letter));
                (ConditionToken::Word(text), start + text.len())
            }
            letter => {
                let length = match rest.get(..2) {
                    Some("<=" | ">=" | "!=" | "==") => 2,
                    _ => letter.len_utf8(),
                };
                (ConditionToken::Symbol(&rest[..length]), start + length)
            }
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || "_.-:@$".contains(letter)
}

fn single_or(mut parts: Vec<Condition<Name>>, several: fn(Vec<Condition<Name>>) -> Condition<Name>) -> Condition<Name> {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => several(parts.into_iter().chain(last).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Result<bool, String> {
        let fields = ["kind", "amount", "limit", "concept:name", "a b"].map(Box::from);
        let shape = Shape { name: "e".into(), fields: fields.into() };
        let condition = Condition::parse(text).map_err(|wrong| format!("{}: {}", wrong.offset, wrong.message))?;
        let bound = condition.bind(&shape);
        let truth = bound.holds(&["start", "100", "99.5", "x", "true"]).map_err(str::to_owned);
        // What is said of all events of the shape is said of this one.
        assert!(bound.verdict().is_none_or(|verdict| truth == Ok(verdict)), "{text}");
        truth
    }

    #[test]
    fn what_the_shape_alone_decides() {
        let shape = Shape { name: "e".into(), fields: ["kind".into()].into() };
        let verdict = |text: &str| Condition::parse(text).ok().and_then(|condition| condition.bind(&shape).verdict());
        for (text, expected) in [
            ("has kind", Some(true)),
            ("not has kind or has nobody", Some(false)),
            ("has nobody and kind = 'a'", Some(false)),
            ("has kind or nobody = 3", Some(true)),
            ("has kind and kind = 'a'", None),
            // The comparison is an error, or holds: neither may be passed over.
            ("nobody = 3 or has kind", None),
            ("nobody = 3 and has nobody", None),
        ] {
            assert_eq!(verdict(text), expected, "{text}");
        }
    }

    #[test]
    fn what_holds_and_what_does_not() {
        for (text, expected) in [
            ("kind = 'start'", true),
            ("kind = \"stop\"", false),
            ("kind != 'stop'", true),
            ("amount = 100.0", true),
            ("amount = '100.0'", false),
            ("amount > limit", true),
            ("limit >= 99.5 and limit <= 99.5", true),
            ("amount < 1e2", false),
            ("-1 < amount", true),
            ("kind < 5", false),
            ("kind != 5", true),
            ("kind < 'stop'", true),
            ("has kind and not has nobody", true),
            ("not (kind = 'start' or has nobody)", false),
            ("kind = 'stop' or kind = 'start' and amount = 100", true),
            ("has nobody and nobody = 3", false),
            ("not has nobody or nobody = 3", true),
            ("concept:name = 'x'", true),
            ("`a b` = true", true),
        ] {
            assert_eq!(holds(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_missing_field_is_named_when_it_is_needed() {
        assert_eq!(holds("nobody = 3"), Err("nobody".to_owned()));
        assert_eq!(holds("kind = 'start' and nobody > 3"), Err("nobody".to_owned()));
    }

    #[test]
    fn what_is_wrong_with_a_condition() {
        for (text, expected) in [
            ("", "0: expected a field, a number or a text in quotes, found the end"),
            ("kind", "4: expected one of = != < <= > >=, found the end"),
            ("kind = start stop", "13: expected `and`, `or` or the end, found `stop`"),
            ("kind = 'start", "7: expected a field, a number or a text in quotes, found a text without its closing '"),
            ("(kind = 1", "9: expected `)`, found the end"),
            ("kind = 1x", "7: `1x` is no number; a text is written in quotes"),
            ("has 'kind'", "10: expected the name of a field after `has`"),
            ("kind =! 'é'", "6: expected a field, a number or a text in quotes, found `!`"),
            ("not", "3: expected a field, a number or a text in quotes, found the end"),
        ] {
            assert_eq!(holds(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn nesting_has_a_bound() {
        let deep = "(".repeat(100_000);
        assert!(holds(&deep).is_err_and(|message| message.contains("nested more than 100 deep")));
        assert_eq!(holds(&format!("{}kind = 'start'", "not ".repeat(98))), Ok(true));
    }
}
