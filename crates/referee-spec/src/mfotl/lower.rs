//! From the syntax tree to the core.
//!
//! | written | core |
//! |---|---|
//! | `ALWAYS FORALL x. F` in front | F, judged at every point for every binding of x |
//! | `tp(t)`, `ts(t)`, `tpts(t, u)` | comparisons with the point's number and time |
//! | `P(t, _)` of a definition | `Exists y. P(t, y)` |
//! | `PREV`, `NEXT` | the strong ones: false without a point to look at |
//! | `PAST_ALWAYS` | `Historically` |
//! | `LET`, `LETPAST` | definitions, each after those inside it |
//! | `r <- SUM x; g F` | an aggregation; what F has besides g is bound by it |
//! | `x / y` | division that truncates or is exact, as [`super::types`] found |
//!
//! Lowering runs on every tree, so that what it alone finds (empty intervals, bad regular expressions) is
//! reported together with all else; if there was an error anywhere, the property is dropped.

use std::sync::Arc;

use referee_trace::mapping::Unit;
use referee_trace::number::{Number, TOO_LARGE};
use referee_trace::value::Value;

use super::resolve::{Meaning, Names, Policy, Target};
use super::syntax::{self, Bound, Conversion, FormulaKind, Let, Name, Operator, Predicate, TermKind};
use super::types::Types;
use crate::core::stream::Duration;
use crate::core::{
    Aggregation, Arithmetic, Binding, Comparison, DefId, Definition, Direction, Domain, Equality, EventAtom, Formula,
    Function, Interval, Judgement, Kind, Language, Property, Quantifier, Regex, Span, Term, UnseenOrder, VarId,
    Variable,
};
use crate::diagnostic::Diagnostic;
use crate::parse::{MAX_DEPTH, quote};
use crate::source::Source;

/// Which variables of a policy its bindings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Those of the leading universal quantifiers, which are stripped, and the free ones: for violations.
    Policy,
    /// The free ones of the formula as it is written: for satisfactions.
    AsWritten,
}

/// Makes a property of a policy.
pub(super) fn lower(
    source: &Source,
    formula: &syntax::Formula,
    names: &Names,
    types: &Types,
    unit: Unit,
    reading: Reading,
) -> (Property, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        names,
        types,
        unit,
        variables: names.variables.clone(),
        definitions: Vec::new(),
        diagnostics: Vec::new(),
    };
    let (body, stripped) = match reading {
        Reading::Policy => lowering.policy(formula),
        Reading::AsWritten => (lowering.formula(formula), Vec::new()),
    };
    lowering.check_size(&body, formula.span);
    let variables = stripped.into_iter().chain(names.free.iter().copied());
    let property = Property {
        name: source.stem.as_str().into(),
        language: Language::Mfotl,
        source: source.text.clone(),
        bindings: variables.map(|variable| Binding { variable }).collect(),
        variables: lowering.variables,
        sorts: Vec::new(),
        definitions: lowering.definitions,
        body,
        judgement: Judgement::EveryBinding,
        equality: Equality::ByValue,
        timed: true,
        unseen_order: UnseenOrder::Undecided,
    };
    (property, lowering.diagnostics)
}

struct Lowering<'a> {
    names: &'a Names,
    types: &'a Types,
    /// The unit of the trace's times.
    unit: Unit,
    /// The variables of the policy, and those that lowering adds.
    variables: Vec<Variable>,
    definitions: Vec<Definition>,
    diagnostics: Vec<Diagnostic>,
}

impl Lowering<'_> {
    /// The policy without what leads it, and the variables stripped off.
    fn policy(&mut self, formula: &syntax::Formula) -> (Formula, Vec<VarId>) {
        let policy = Policy::of(formula);
        policy.definitions.iter().for_each(|definition| self.define(definition));
        let body = self.formula(policy.body);
        (body, policy.stripped.iter().filter_map(|name| self.names.bound(name)).collect())
    }

    fn formula(&mut self, formula: &syntax::Formula) -> Formula {
        let span = formula.span;
        let kind = match &formula.kind {
            // A tree with a hole has an error, and what becomes of it is dropped.
            FormulaKind::Missing => Kind::Constant(false),
            FormulaKind::Constant(truth) => Kind::Constant(*truth),
            FormulaKind::Predicate(predicate) => self.predicate(predicate, span),
            FormulaKind::Compare(comparison, left, right) => self.comparison(*comparison, left, right),
            FormulaKind::Not(body) => Kind::Not(self.boxed(body)),
            FormulaKind::And(parts) => Kind::And(parts.iter().map(|part| self.formula(part)).collect()),
            FormulaKind::Or(parts) => Kind::Or(parts.iter().map(|part| self.formula(part)).collect()),
            FormulaKind::Implies(left, right) => Kind::Implies(self.boxed(left), self.boxed(right)),
            FormulaKind::Equiv(left, right) => Kind::Iff(self.boxed(left), self.boxed(right)),
            FormulaKind::Quantified(quantifier, names, body) => {
                let body = self.formula(body);
                return self.quantified(*quantifier, names, body, span);
            }
            FormulaKind::Unary(operator, interval, body) => {
                Kind::Unary(*operator, self.interval(interval.as_ref()), self.boxed(body))
            }
            FormulaKind::Binary(operator, interval, left, right) => {
                Kind::Binary(*operator, self.interval(interval.as_ref()), self.boxed(left), self.boxed(right))
            }
            FormulaKind::Match(direction, interval, regex) => self.matching(*direction, interval.as_ref(), regex),
            FormulaKind::Let(definition) => {
                self.define(definition);
                return self.formula(&definition.body);
            }
            FormulaKind::Aggregation(aggregation) => self.aggregation(aggregation),
        };
        Formula::new(kind, span)
    }

    fn boxed(&mut self, formula: &syntax::Formula) -> Box<Formula> {
        Box::new(self.formula(formula))
    }

    fn aggregation(&mut self, aggregation: &syntax::Aggregation) -> Kind {
        let body = self.formula(&aggregation.body);
        let mut groups: Vec<VarId> = aggregation.groups.iter().filter_map(|group| self.names.bound(group)).collect();
        let mut seen = std::collections::HashSet::new();
        groups.retain(|group| seen.insert(*group));
        let free = body.free_variables();
        for name in [&aggregation.over].into_iter().chain(&aggregation.groups) {
            if self.names.bound(name).is_none_or(|variable| !free.contains(&variable)) {
                let message = format!("`{}` does not occur in what is aggregated", name.text);
                let hint = "aggregate over, and group by, variables of the formula after them";
                self.diagnostics.push(Diagnostic::error("E0301", name.span, message).hint(hint));
            }
        }
        let (Some(result), Some(over)) = (self.names.bound(&aggregation.result), self.names.bound(&aggregation.over))
        else {
            return Kind::Constant(false);
        };
        if groups.contains(&result) {
            let name = &aggregation.result;
            let message = format!("`{}` cannot be the result and a group", name.text);
            let hint = "give the result a name of its own";
            self.diagnostics.push(Diagnostic::error("E0314", name.span, message).hint(hint));
        }
        Kind::Aggregate(Box::new(Aggregation { result, function: aggregation.operator, over, groups, body }))
    }

    /// One quantifier per variable, the first outermost.
    fn quantified(&mut self, quantifier: Quantifier, names: &[Name], body: Formula, span: Span) -> Formula {
        let variables = names.iter().rev().filter_map(|name| self.names.bound(name));
        variables
            .fold(body, |body, variable| Formula::new(Kind::Quantified(quantifier, variable, Box::new(body)), span))
    }

    fn define(&mut self, definition: &Let) {
        let body = self.formula(&definition.definition);
        let Target::Definition(id) = self.names.target(&definition.name) else { return };
        debug_assert_eq!(id.index(), self.definitions.len());
        self.definitions.push(Definition {
            name: definition.name.text.clone(),
            parameters: self.names.parameters.get(&id).cloned().unwrap_or_default(),
            body,
            recursive: self.names.recursive.contains(&id),
        });
    }

    /// Reports a policy that is too large or too deep when its definitions are written out, as whoever judges it does.
    fn check_size(&mut self, body: &Formula, span: Span) {
        let mut sizes: Vec<Size> = Vec::with_capacity(self.definitions.len());
        for definition in &self.definitions {
            sizes.push(Size::of(&definition.body, &self.definitions, &sizes));
        }
        sizes.push(Size::of(body, &self.definitions, &sizes));
        let most = |part: fn(&Size) -> usize| sizes.iter().map(part).max().unwrap_or(0);
        let problem = if self.definitions.is_empty() {
            return;
        } else if most(|size| size.formulas) > MAX_SIZE {
            format!("has more than {MAX_SIZE} formulas")
        } else if most(|size| size.depth) > MAX_DEPTH {
            format!("nests more than {MAX_DEPTH} levels deep")
        } else {
            return;
        };
        let message = format!("the policy {problem} when its definitions are written out");
        let hint = "use a definition once where it is used twice, or let events carry what it says";
        self.diagnostics.push(Diagnostic::error("E0316", span, message).hint(hint));
    }

    fn predicate(&mut self, predicate: &Predicate, span: Span) -> Kind {
        let at = |index: usize| predicate.arguments.get(index);
        match self.names.target(&predicate.name) {
            Target::Event => {
                let arguments = predicate.arguments.iter().map(|argument| self.term(argument)).collect();
                Kind::Event(EventAtom { name: predicate.name.text.clone(), arguments: Some(arguments) })
            }
            Target::Definition(id) => self.call(id, predicate, span),
            Target::PointNumber => self.point(at(0), Term::PointNumber),
            Target::PointTime => self.point(at(0), Term::PointTime),
            Target::PointNumberAndTime => Kind::And(vec![
                Formula::new(self.point(at(0), Term::PointNumber), span),
                Formula::new(self.point(at(1), Term::PointTime), span),
            ]),
        }
    }

    /// `t` is the number or the time of the point; any term will do for `_`.
    fn point(&mut self, argument: Option<&syntax::Term>, of_point: Term) -> Kind {
        match argument.map(|argument| self.term(argument)) {
            None | Some(Term::Any) => Kind::Constant(true),
            Some(term) => Kind::Compare(Comparison::Equal, term, of_point),
        }
    }

    /// A call; what is `_` in it becomes a variable of its own, for some value of which the definition holds.
    fn call(&mut self, id: DefId, predicate: &Predicate, span: Span) -> Kind {
        let mut added = Vec::new();
        let mut arguments = Vec::with_capacity(predicate.arguments.len());
        for argument in &predicate.arguments {
            let term = match self.term(argument) {
                Term::Any => {
                    let variable = self.anonymous(argument.span);
                    added.push(variable);
                    Term::Variable(variable)
                }
                term => term,
            };
            arguments.push(term);
        }
        added.into_iter().rev().fold(Kind::Call(id, arguments), |kind, variable| {
            Kind::Quantified(Quantifier::Exists, variable, Box::new(Formula::new(kind, span)))
        })
    }

    fn anonymous(&mut self, span: Span) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable { name: "_".into(), domain: Domain::Infinite, span });
        id
    }

    fn comparison(&mut self, comparison: Comparison, left: &syntax::Term, right: &syntax::Term) -> Kind {
        if let (Comparison::Matches, TermKind::Text(pattern)) = (comparison, &right.kind) {
            self.check_pattern(pattern, right.span);
        }
        Kind::Compare(comparison, self.term(left), self.term(right))
    }

    fn check_pattern(&mut self, pattern: &str, span: Span) {
        let Err(error) = regex::Regex::new(pattern) else { return };
        // The library's message draws the pattern over several lines; its last line says what is wrong.
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or("").trim_start_matches("error: ");
        let message = format!("this is no regular expression: {reason}");
        let hint = "write special characters that stand for themselves with `\\` before them";
        self.diagnostics.push(Diagnostic::error("E0310", span, message).hint(hint));
    }

    fn matching(&mut self, direction: Direction, interval: Option<&syntax::Interval>, regex: &syntax::Regex) -> Kind {
        Kind::Match(direction, self.interval(interval), self.regex(regex))
    }

    fn regex(&mut self, regex: &syntax::Regex) -> Regex {
        match regex {
            syntax::Regex::Any => Regex::Any,
            syntax::Regex::Step(formula) => Regex::Step(self.boxed(formula)),
            syntax::Regex::Test(formula) => Regex::Test(self.boxed(formula)),
            syntax::Regex::Concat(parts) => self.balanced(parts, &Regex::Concat),
            syntax::Regex::Choice(parts) => self.balanced(parts, &Regex::Choice),
            syntax::Regex::Star(body) => Regex::Star(Box::new(self.regex(body))),
        }
    }

    /// Joins parts two by two, so that a long list makes a low tree.
    fn balanced(&mut self, parts: &[syntax::Regex], join: &impl Fn(Box<Regex>, Box<Regex>) -> Regex) -> Regex {
        match parts {
            [] => Regex::Any,
            [only] => self.regex(only),
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                join(Box::new(self.balanced(left, join)), Box::new(self.balanced(right, join)))
            }
        }
    }

    fn interval(&mut self, interval: Option<&syntax::Interval>) -> Interval {
        let Some(written) = interval else { return Interval::all() };
        let interval = Interval {
            low: self.duration(&written.low),
            low_included: written.low_included,
            high: written.high.as_ref().map(|high| self.duration(high)),
            high_included: written.high_included,
        };
        let holds_low = interval.low_included && interval.high_included;
        let is_empty = interval.high.as_ref().is_some_and(|high| match high.cmp(&interval.low) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => !holds_low,
            std::cmp::Ordering::Greater => false,
        });
        if is_empty {
            let message = "no duration lies in this interval";
            let hint = "write the smaller bound first, and `[` and `]` where a bound belongs to the interval";
            self.diagnostics.push(Diagnostic::error("E0304", written.span, message).hint(hint));
        }
        interval
    }

    /// A bound of an interval in the unit of the trace: exactly that much time where the bound has a unit.
    fn duration(&mut self, bound: &Bound) -> Number {
        let amount = Number::parse(&bound.digits).unwrap_or_else(|| {
            self.diagnostics.push(bad_number(&bound.digits, bound.span));
            Number::ZERO
        });
        Duration { amount, unit: bound.unit }.in_unit(self.unit)
    }

    fn term(&mut self, term: &syntax::Term) -> Term {
        match &term.kind {
            TermKind::Missing | TermKind::Any => Term::Any,
            TermKind::Name(name) => match self.names.meaning(term.span) {
                Meaning::Variable(variable) => Term::Variable(variable),
                Meaning::Text => text(name),
            },
            TermKind::Number(digits) => self.number(digits, term.span),
            TermKind::Text(content) => text(content),
            TermKind::Binary(operator, left, right) => {
                let operator = self.arithmetic(*operator, term.span);
                Term::Binary(operator, Box::new(self.term(left)), Box::new(self.term(right)))
            }
            TermKind::Negate(body) => match self.term(body) {
                Term::Constant(Value::Number(number)) => Term::Constant(Value::Number(number.neg())),
                body => Term::Negate(Box::new(body)),
            },
            TermKind::Apply(conversion, body) => Term::Apply(function(*conversion), Box::new(self.term(body))),
        }
    }

    fn number(&mut self, digits: &str, span: Span) -> Term {
        let number = Number::parse(digits).unwrap_or_else(|| {
            self.diagnostics.push(bad_number(digits, span));
            Number::ZERO
        });
        Term::Constant(Value::Number(number))
    }

    fn arithmetic(&self, operator: Operator, span: Span) -> Arithmetic {
        match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Subtract => Arithmetic::Subtract,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Divide if self.types.is_exact(span) => Arithmetic::Divide,
            Operator::Divide => Arithmetic::DivideTruncating,
            Operator::Modulo => Arithmetic::Modulo,
        }
    }
}

/// How many formulas a policy may have after its definitions are written out.
const MAX_SIZE: usize = 50_000;

/// How large a formula is with its definitions written out.
#[derive(Debug, Clone, Copy)]
struct Size {
    formulas: usize,
    depth: usize,
}

impl Size {
    /// The size of a formula, given those of the definitions before it. One that calls itself is kept apart, not written out.
    fn of(formula: &Formula, definitions: &[Definition], sizes: &[Size]) -> Size {
        let below = match &formula.kind {
            Kind::Call(id, _) if definitions.get(id.index()).is_some_and(|called| !called.recursive) => {
                sizes.get(id.index()).copied().unwrap_or(Size { formulas: 0, depth: 0 })
            }
            kind => {
                let children = kind.children().into_iter().map(|child| Size::of(child, definitions, sizes));
                children.fold(Size { formulas: 0, depth: 0 }, Size::and)
            }
        };
        Size { formulas: below.formulas.saturating_add(1), depth: below.depth.saturating_add(1) }
    }

    /// The sum, and the greater depth.
    fn and(self, other: Size) -> Size {
        Size { formulas: self.formulas.saturating_add(other.formulas), depth: self.depth.max(other.depth) }
    }
}

fn text(content: &Arc<str>) -> Term {
    Term::Constant(Value::String(content.clone()))
}

/// Why digits with a fraction and an exponent are no number.
fn bad_number(digits: &str, span: Span) -> Diagnostic {
    if digits.starts_with('0') && digits[1..].starts_with(|next: char| next.is_ascii_digit()) {
        let rest = digits.trim_start_matches('0');
        let canonical = if rest.starts_with(|first: char| first.is_ascii_digit()) { "" } else { "0" };
        let message = format!("the number {} begins with a zero", quote(digits));
        let hint = format!("write `{canonical}{rest}`, or `\"{digits}\"` for the text");
        return Diagnostic::error("E0313", span, message).hint(hint);
    }
    let message = format!("the number {} is too large or too small", quote(digits));
    Diagnostic::error("E0313", span, message).hint(TOO_LARGE)
}

fn function(conversion: Conversion) -> Function {
    match conversion {
        Conversion::FloatToInteger => Function::ToInteger,
        Conversion::IntegerToFloat => Function::ToDecimal,
        Conversion::IntegerToText | Conversion::FloatToText => Function::ToText,
        Conversion::TextToInteger => Function::ParseInteger,
        Conversion::TextToFloat => Function::ParseDecimal,
    }
}
