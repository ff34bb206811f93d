//! Formulas and terms as text, in a neutral ASCII notation; messages and explanations use it.
//!
//! What a person wrote is better quoted from the source ([`Property::text`]). This notation shows what a lowering made of
//! it: `(forall x:file)(always (open(x) => eventually[0,7] close(x)))`. An observation is `event with (f = x, g < 3)`.

use std::fmt::{self, Display, Formatter, Write as _};

use referee_trace::value::Value;

use super::formula::{
    Arithmetic, BinaryOp, Comparison, Direction, Formula, Function, Interval, Kind, Observation, Quantifier, Regex,
    Term, UnaryOp, VarId,
};
use super::property::{Domain, Property, SortId};

/// A formula, term or regular expression with the property that knows its names.
pub struct Shown<'a, T> {
    property: &'a Property,
    node: &'a T,
}

impl Formula {
    /// The formula as text; `property` knows the names of its variables.
    pub fn display<'a>(&'a self, property: &'a Property) -> Shown<'a, Formula> {
        Shown { property, node: self }
    }
}

impl Term {
    /// The term as text; `property` knows the names of its variables.
    pub fn display<'a>(&'a self, property: &'a Property) -> Shown<'a, Term> {
        Shown { property, node: self }
    }
}

impl<'a, T> Shown<'a, T> {
    fn with<U>(&self, node: &'a U) -> Shown<'a, U> {
        Shown { property: self.property, node }
    }

    fn variable(&self, id: VarId) -> &'a str {
        self.property.variables.get(id.index()).map_or("?", |variable| &*variable.name)
    }
}

impl<'a> Shown<'a, Formula> {
    /// An operand: in parentheses if it is a chain.
    fn operand(&self, f: &mut Formatter<'_>, node: &'a Formula) -> fmt::Result {
        let shown = self.with(node);
        if chain(node).is_some() { write!(f, "({shown})") } else { write!(f, "{shown}") }
    }

    fn quantifier(&self, f: &mut Formatter<'_>, quantifier: Quantifier, id: VarId, body: &'a Formula) -> fmt::Result {
        let domain = self.property.variables.get(id.index()).map(|variable| variable.domain);
        write!(f, "({} {}", quantifier.word(), self.variable(id))?;
        if let Some(Domain::Trace(SortId(sort)) | Domain::SoFar(SortId(sort))) = domain
            && let Some(sort) = self.property.sorts.get(sort as usize)
        {
            write!(f, ":{}", sort.name)?;
        }
        let body_shown = self.with(body);
        if matches!(body.kind, Kind::Quantified(..)) {
            write!(f, "){body_shown}")
        } else {
            write!(f, ")({body_shown})")
        }
    }

    fn observation(&self, f: &mut Formatter<'_>, observation: &'a Observation) -> fmt::Result {
        let mut parts = Vec::new();
        for (field, term) in &observation.required {
            parts.push(format!("{field} = {}", self.with(term)));
        }
        match &observation.constraint {
            None => parts.extend(observation.present.iter().map(|field| format!("{field} present"))),
            Some(constraint) => {
                let (left, right) = (self.with(&constraint.left), self.with(&constraint.right));
                parts.push(format!("{left} {} {right}", constraint.comparison.word()));
            }
        }
        write!(f, "event with ({})", parts.join(", "))
    }
}

/// For a formula with a binary operator: the operator and its operands. A conjunction of one is no chain.
fn chain(formula: &Formula) -> Option<(String, Vec<&Formula>)> {
    Some(match &formula.kind {
        Kind::And(all) if all.len() > 1 => ("and".to_owned(), all.iter().collect()),
        Kind::Or(all) if all.len() > 1 => ("or".to_owned(), all.iter().collect()),
        Kind::Implies(left, right) => ("=>".to_owned(), vec![left, right]),
        Kind::Iff(left, right) => ("<=>".to_owned(), vec![left, right]),
        Kind::Binary(op, interval, left, right) => (format!("{}{interval}", op.word()), vec![left, right]),
        _ => return None,
    })
}

impl Display for Shown<'_, Formula> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((word, parts)) = chain(self.node) {
            for (index, part) in parts.into_iter().enumerate() {
                if index > 0 {
                    write!(f, " {word} ")?;
                }
                self.operand(f, part)?;
            }
            return Ok(());
        }
        match &self.node.kind {
            Kind::Constant(truth) => write!(f, "{truth}"),
            Kind::Event(atom) => match &atom.arguments {
                None => f.write_str(&atom.name),
                Some(arguments) => write!(f, "{}({})", atom.name, Arguments(self.property, arguments)),
            },
            Kind::Compare(comparison, left, right) => {
                write!(f, "{} {} {}", self.with(left), comparison.word(), self.with(right))
            }
            Kind::Observe(observation) => self.observation(f, observation),
            Kind::Not(body) => {
                f.write_str("not ")?;
                self.operand(f, body)
            }
            Kind::Unary(op, interval, body) => {
                write!(f, "{}{interval} ", op.word())?;
                self.operand(f, body)
            }
            Kind::Quantified(quantifier, id, body) => self.quantifier(f, *quantifier, *id, body),
            Kind::Match(direction, interval, regex) => {
                let word = if *direction == Direction::Past { "match-past" } else { "match" };
                write!(f, "{word}{interval} {}", self.with(regex))
            }
            Kind::Aggregate(aggregation) => {
                let groups: Vec<&str> = aggregation.groups.iter().map(|&group| self.variable(group)).collect();
                let groups = if groups.is_empty() { String::new() } else { format!("; {}", groups.join(", ")) };
                let (result, over) = (self.variable(aggregation.result), self.variable(aggregation.over));
                let body = self.with(&aggregation.body);
                write!(f, "{result} is the {} of {over}{groups} in ({body})", aggregation.function.noun())
            }
            Kind::Call(id, arguments) => {
                let name = self.property.definitions.get(id.index()).map_or("?", |definition| &*definition.name);
                write!(f, "{name}({})", Arguments(self.property, arguments))
            }
            Kind::And(all) | Kind::Or(all) => match all.first() {
                Some(only) => self.with(only).fmt(f),
                None => write!(f, "{}", matches!(self.node.kind, Kind::And(_))),
            },
            Kind::Implies(..) | Kind::Iff(..) | Kind::Binary(..) => Ok(()),
        }
    }
}

impl Display for Shown<'_, Regex> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.node {
            Regex::Any => f.write_char('.'),
            Regex::Step(formula) => write!(f, "({})", self.with(&**formula)),
            Regex::Test(formula) => write!(f, "({})?", self.with(&**formula)),
            Regex::Concat(left, right) => write!(f, "{} {}", self.with(&**left), self.with(&**right)),
            Regex::Choice(left, right) => write!(f, "({} + {})", self.with(&**left), self.with(&**right)),
            Regex::Star(body) => write!(f, "({})*", self.with(&**body)),
        }
    }
}

/// Terms with commas between them.
struct Arguments<'a>(&'a Property, &'a [Term]);

impl Display for Arguments<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, argument) in self.1.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}", argument.display(self.0))?;
        }
        Ok(())
    }
}

impl Display for Shown<'_, Term> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.node {
            Term::Variable(id) => f.write_str(self.variable(*id)),
            Term::Constant(Value::String(text)) => write!(f, "{text:?}"),
            Term::Constant(value) => write!(f, "{value}"),
            Term::Field(name) => f.write_str(name),
            Term::Any => f.write_char('_'),
            Term::PointNumber => f.write_str("tp"),
            Term::PointTime => f.write_str("ts"),
            Term::Binary(op, left, right) => {
                let side = |term: &Term| matches!(term, Term::Binary(..));
                let parenthesised = |term| if side(term) { ("(", ")") } else { ("", "") };
                let ((a, b), (c, d)) = (parenthesised(left), parenthesised(right));
                write!(f, "{a}{}{b} {} {c}{}{d}", self.with(&**left), op.word(), self.with(&**right))
            }
            Term::Negate(body) => write!(f, "-({})", self.with(&**body)),
            Term::Apply(function, body) => write!(f, "{}({})", function.word(), self.with(&**body)),
        }
    }
}

impl Display for Interval {
    /// Nothing for [0, ∞), else `[0,28]`, `(3,*)`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_all() {
            return Ok(());
        }
        write!(f, "{}{},", if self.low_included { '[' } else { '(' }, self.low)?;
        match &self.high {
            None => f.write_str("*)"),
            Some(high) => write!(f, "{high}{}", if self.high_included { ']' } else { ')' }),
        }
    }
}

impl Quantifier {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        }
    }
}

impl UnaryOp {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            UnaryOp::Prev => "last",
            UnaryOp::WeakPrev => "weak-last",
            UnaryOp::Next => "next",
            UnaryOp::WeakNext => "weak-next",
            UnaryOp::Once => "once",
            UnaryOp::Historically => "always-been",
            UnaryOp::Eventually => "eventually",
            UnaryOp::Always => "always",
        }
    }
}

impl BinaryOp {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            BinaryOp::Since => "since",
            BinaryOp::StrictSince => "strictly since",
            BinaryOp::WeakSince => "weakly since",
            BinaryOp::Trigger => "trigger",
            BinaryOp::Until => "until",
            BinaryOp::WeakUntil => "weakly until",
            BinaryOp::Release => "release",
        }
    }
}

impl Comparison {
    /// Its symbol or word.
    pub fn word(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Substring => "substring",
            Comparison::Matches => "matches",
        }
    }
}

impl Arithmetic {
    /// Its symbol or word.
    pub fn word(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::DivideTruncating => "div",
            Arithmetic::Modulo => "mod",
        }
    }
}

impl Function {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Function::ToInteger => "to-integer",
            Function::ToDecimal => "to-decimal",
            Function::ToText => "to-text",
            Function::ParseInteger => "parse-integer",
            Function::ParseDecimal => "parse-decimal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{
        Constraint, DefId, Definition, Equality, EventAtom, Judgement, Language, Sort, Span, UnseenOrder, Variable,
    };

    fn property() -> Property {
        let variable = |name: &str, domain| Variable { name: name.into(), domain, span: Span::default() };
        let definition =
            Definition { name: "seen".into(), parameters: vec![VarId(1)], body: constant(true), recursive: false };
        Property {
            name: "p".into(),
            language: Language::Mfotl,
            source: "".into(),
            variables: vec![variable("x", Domain::Trace(SortId(0))), variable("y", Domain::Infinite)],
            sorts: vec![Sort { name: "file".into(), positions: Vec::new() }],
            definitions: vec![definition],
            bindings: Vec::new(),
            body: constant(true),
            judgement: Judgement::EveryPoint,
            equality: Equality::ByValue,
            timed: false,
            unseen_order: UnseenOrder::False,
        }
    }

    fn formula(kind: Kind) -> Formula {
        Formula::new(kind, Span::default())
    }

    fn constant(truth: bool) -> Formula {
        formula(Kind::Constant(truth))
    }

    fn event(name: &str, arguments: Vec<Term>) -> Formula {
        formula(Kind::Event(EventAtom { name: name.into(), arguments: Some(arguments) }))
    }

    fn shown(kind: Kind) -> String {
        formula(kind).display(&property()).to_string()
    }

    fn variable(id: u32) -> Term {
        Term::Variable(VarId(id))
    }

    #[test]
    fn quantifiers_show_sorts_and_intervals_show_ends() {
        let week = Interval { high: Some(7.into()), high_included: true, ..Interval::all() };
        let late = Interval { low: 3.into(), low_included: false, ..Interval::all() };
        let close =
            formula(Kind::Unary(UnaryOp::Eventually, week, Box::new(event("close", vec![variable(0), Term::Any]))));
        let since = Kind::Binary(BinaryOp::StrictSince, late, Box::new(close), Box::new(constant(false)));
        let inner = Kind::Quantified(Quantifier::Exists, VarId(1), Box::new(formula(since)));
        assert_eq!(
            shown(Kind::Quantified(Quantifier::Forall, VarId(0), Box::new(formula(inner)))),
            "(forall x:file)(exists y)(eventually[0,7] close(x, _) strictly since(3,*) false)"
        );
    }

    #[test]
    fn lists_calls_and_expressions() {
        assert_eq!(shown(Kind::And(Vec::new())), "true");
        assert_eq!(shown(Kind::Or(Vec::new())), "false");
        assert_eq!(shown(Kind::Not(Box::new(formula(Kind::Or(vec![constant(true)]))))), "not true");
        assert_eq!(shown(Kind::Call(DefId(0), vec![Term::PointTime])), "seen(ts)");
        let step = Regex::Concat(Box::new(Regex::Any), Box::new(Regex::Test(Box::new(constant(true)))));
        let star =
            Regex::Star(Box::new(Regex::Choice(Box::new(step), Box::new(Regex::Step(Box::new(constant(false)))))));
        assert_eq!(shown(Kind::Match(Direction::Past, Interval::all(), star)), "match-past ((. (true)? + (false)))*");
    }

    #[test]
    fn terms_and_observations() {
        let sum = Term::Binary(Arithmetic::Add, Box::new(Term::Field("f".into())), Box::new(Term::Constant(1.into())));
        let product = Term::Binary(Arithmetic::Modulo, Box::new(sum), Box::new(Term::Negate(Box::new(variable(1)))));
        let right = Term::Apply(Function::ToText, Box::new(Term::Constant(Value::string("a"))));
        let constraint = Constraint { comparison: Comparison::Substring, left: product, right };
        let required = vec![("s".into(), variable(0))];
        let whole = Observation { required, present: vec!["f".into()], constraint: Some(constraint) };
        assert_eq!(shown(Kind::Observe(whole)), "event with (s = x, (f + 1) mod -(y) substring to-text(\"a\"))");
        let bare = Observation { required: Vec::new(), present: vec!["f".into()], constraint: None };
        assert_eq!(shown(Kind::Observe(bare)), "event with (f present)");
    }
}
