//! Types: what the signature, constants and operators say of each term.
//!
//! Terms that are compared, or computed with each other, are of one *class*; so are a parameter and what is given for it.
//! A class learns that it is of numbers, strings or booleans, and the first two pieces of evidence that disagree are an
//! error. Integers and decimals are both numbers and may be mixed.
//!
//! What a class knows decides what `/` means: exact division if a decimal constant, a declared `float`, `i2f`, `s2f`, or
//! the argument of `f2i` or `f2s` belongs to it, division that truncates otherwise; so of values whose type nobody tells,
//! the quotient is the integer one.
//!
//! Classes are joined by union and find: the cost is as good as linear in the text.

use std::collections::{HashMap, HashSet};

use referee_trace::value::Type;

use super::resolve::{Meaning, Names, Target};
use super::syntax::{Aggregation, Conversion, Formula, FormulaKind, Name, Operator, Predicate, Regex, Term, TermKind};
use crate::core::{AggregateOperand, AggregateResult, Comparison, DefId, Span, VarId};
use crate::diagnostic::Diagnostic;
use crate::parse::quote;
use crate::vocabulary::{EventShape, Vocabulary};

/// What is known of the terms of a policy.
#[derive(Debug, Default)]
pub(super) struct Types {
    /// The divisions that are exact, by their place.
    exact: HashSet<(usize, usize)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Types {
    /// Whether the division at this place is exact; otherwise it truncates.
    pub(super) fn is_exact(&self, span: Span) -> bool {
        self.exact.contains(&(span.start, span.end))
    }
}

/// Finds the types of all terms, and what contradicts them or the signature.
pub(super) fn infer(formula: &Formula, names: &Names, text: &str, signature: Option<&Vocabulary>) -> Types {
    let mut inference = Inference {
        names,
        text,
        signature,
        classes: Classes::default(),
        variables: HashMap::new(),
        divisions: Vec::new(),
        diagnostics: Vec::new(),
    };
    inference.formula(formula);
    let mut exact = HashSet::new();
    for (span, class) in std::mem::take(&mut inference.divisions) {
        if inference.classes.is_decimal(class) {
            exact.insert((span.start, span.end));
        }
    }
    Types { exact, diagnostics: inference.diagnostics }
}

/// What the values of a class are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Text,
    Boolean,
}

impl Sort {
    fn of(declared: Type) -> Sort {
        match declared {
            Type::Integer | Type::Decimal => Sort::Number,
            Type::String => Sort::Text,
            Type::Boolean => Sort::Boolean,
        }
    }

    /// "a number".
    fn words(self) -> &'static str {
        match self {
            Sort::Number => "a number",
            Sort::Text => "a string",
            Sort::Boolean => "a boolean",
        }
    }
}

/// Why a class is of a sort.
#[derive(Debug, Clone)]
struct Evidence {
    sort: Sort,
    span: Span,
}

/// Two pieces of evidence that disagree.
struct Conflict {
    known: Evidence,
    found: Evidence,
}

/// A class of terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Class(usize);

/// All classes: a forest, whose roots know what is known.
#[derive(Debug, Default)]
struct Classes {
    parents: Vec<usize>,
    evidence: Vec<Option<Evidence>>,
    decimal: Vec<bool>,
}

impl Classes {
    /// A class of which nothing is known.
    fn fresh(&mut self) -> Class {
        self.parents.push(self.parents.len());
        self.evidence.push(None);
        self.decimal.push(false);
        Class(self.parents.len() - 1)
    }

    /// A class of a known sort.
    fn of(&mut self, sort: Sort, span: Span) -> Class {
        let class = self.fresh();
        self.evidence[class.0] = Some(Evidence { sort, span });
        class
    }

    fn root(&mut self, class: Class) -> usize {
        let mut at = class.0;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn is_decimal(&mut self, class: Class) -> bool {
        let root = self.root(class);
        self.decimal[root]
    }

    fn make_decimal(&mut self, class: Class) {
        let root = self.root(class);
        self.decimal[root] = true;
    }

    /// Notes what a class is; what it was before stays if the two disagree.
    fn learn(&mut self, class: Class, found: Evidence) -> Result<(), Conflict> {
        let root = self.root(class);
        match &self.evidence[root] {
            Some(known) if known.sort != found.sort => Err(Conflict { known: known.clone(), found }),
            Some(_) => Ok(()),
            None => {
                self.evidence[root] = Some(found);
                Ok(())
            }
        }
    }

    /// Makes two classes one, unless they disagree.
    fn unite(&mut self, left: Class, right: Class) -> Result<(), Conflict> {
        let (left, right) = (self.root(left), self.root(right));
        match (&self.evidence[left], &self.evidence[right]) {
            (Some(known), Some(found)) if known.sort != found.sort => {
                return Err(Conflict { known: known.clone(), found: found.clone() });
            }
            (None, Some(found)) => self.evidence[left] = Some(found.clone()),
            _ => {}
        }
        self.decimal[left] |= self.decimal[right];
        self.parents[right] = left;
        Ok(())
    }
}

struct Inference<'a> {
    names: &'a Names,
    text: &'a str,
    signature: Option<&'a Vocabulary>,
    classes: Classes,
    variables: HashMap<VarId, Class>,
    divisions: Vec<(Span, Class)>,
    diagnostics: Vec<Diagnostic>,
}

impl Inference<'_> {
    fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Predicate(predicate) => self.predicate(predicate),
            FormulaKind::Compare(comparison, left, right) => self.comparison(*comparison, left, right, formula.span),
            FormulaKind::Match(_, _, regex) => self.regex(regex),
            FormulaKind::Aggregation(aggregation) => self.aggregation(aggregation),
            _ => formula.children().into_iter().for_each(|child| self.formula(child)),
        }
    }

    /// What an aggregate is of, and what it makes of that, tells types of values and of results.
    fn aggregation(&mut self, aggregation: &Aggregation) {
        self.formula(&aggregation.body);
        let name = |name: &Name| Term { kind: TermKind::Name(name.text.clone()), span: name.span };
        let (result, over) = (name(&aggregation.result), name(&aggregation.over));
        let (of_result, of_over) = (self.term(&result), self.term(&over));
        let descriptor = aggregation.operator.descriptor();
        let fits = match descriptor.operand {
            AggregateOperand::Ignored | AggregateOperand::Ordered => true,
            AggregateOperand::Numbers => self.expect(of_over, Sort::Number, &over, "is computed with"),
            AggregateOperand::Truths => self.expect(of_over, Sort::Boolean, &over, "is judged"),
        };
        match descriptor.result {
            AggregateResult::Integer => {
                self.expect(of_result, Sort::Number, &result, "is a count");
            }
            AggregateResult::Decimal => {
                self.expect(of_result, Sort::Number, &result, "is computed");
                self.classes.make_decimal(of_result);
            }
            AggregateResult::Operand => {
                let numbers = descriptor.operand == AggregateOperand::Numbers;
                let computed = !numbers || self.expect(of_result, Sort::Number, &result, "is computed");
                if fits & computed {
                    self.unite_aggregated(of_result, of_over, &result, &over);
                }
            }
            AggregateResult::Truth => {
                self.expect(of_result, Sort::Boolean, &result, "is a truth value");
            }
        }
    }

    fn unite_aggregated(&mut self, of_result: Class, of_over: Class, result: &Term, over: &Term) {
        if let Err(conflict) = self.classes.unite(of_result, of_over) {
            let (result, name) = (self.quote(result.span), self.quote(over.span));
            let (known, found) = (conflict.known.sort.words(), conflict.found.sort.words());
            let message = format!("{result} is {known} and {name}, which it is computed from, is {found}");
            self.contradict(over.span, message, "aggregate values of the type that the result has", &conflict);
        }
    }

    fn regex(&mut self, regex: &Regex) {
        regex.formulas().into_iter().for_each(|formula| self.formula(formula));
    }

    fn comparison(&mut self, comparison: Comparison, left: &Term, right: &Term, span: Span) {
        self.refuse_any(left);
        self.refuse_any(right);
        let (of_left, of_right) = (self.term(left), self.term(right));
        if matches!(comparison, Comparison::Substring | Comparison::Matches) {
            self.expect(of_left, Sort::Text, left, "is compared as a string");
            self.expect(of_right, Sort::Text, right, "is compared as a string");
        } else if let Err(conflict) = self.classes.unite(of_left, of_right) {
            let (left, right) = (self.quote(left.span), self.quote(right.span));
            let (known, found) = (conflict.known.sort.words(), conflict.found.sort.words());
            let message = format!("{left} is {known} and {right} is {found}");
            let hint = "compare values of one type; `i2s`, `f2s`, `s2i` and `s2f` convert";
            self.contradict(span, message, hint, &conflict);
        }
    }

    fn predicate(&mut self, predicate: &Predicate) {
        match self.names.target(&predicate.name) {
            Target::Event => self.event(predicate),
            Target::Definition(id) => self.call(predicate, id),
            Target::PointNumber | Target::PointTime | Target::PointNumberAndTime => {
                for argument in &predicate.arguments {
                    let class = self.argument(argument);
                    self.expect(class, Sort::Number, argument, "is the number or time of a point");
                }
            }
        }
    }

    fn call(&mut self, predicate: &Predicate, id: DefId) {
        let names = self.names;
        let parameters = names.parameters.get(&id).map_or(&[][..], |parameters| parameters);
        for (index, argument) in predicate.arguments.iter().enumerate() {
            let given = self.argument(argument);
            let Some(parameter) = parameters.get(index) else { continue };
            let parameter = self.variable(*parameter);
            if let Err(conflict) = self.classes.unite(parameter, given) {
                let (known, found) = (conflict.known.sort.words(), conflict.found.sort.words());
                let message = format!(
                    "`{}` wants {known} here, and {} is {found}",
                    predicate.name.text,
                    self.quote(argument.span)
                );
                self.contradict(argument.span, message, "give a value of the parameter's type", &conflict);
            }
        }
    }

    /// An event; its name and number of arguments are checked on the core, for all languages alike.
    fn event(&mut self, predicate: &Predicate) {
        let classes: Vec<Class> = predicate.arguments.iter().map(|argument| self.argument(argument)).collect();
        let shapes = self.signature.and_then(|signature| signature.events.get(&predicate.name.text));
        let fitting = shapes.into_iter().flatten().find(|shape| shape.arguments.len() == classes.len());
        if let Some(shape) = fitting {
            self.check_arguments(predicate, shape, &classes);
        }
    }

    fn check_arguments(&mut self, predicate: &Predicate, shape: &EventShape, classes: &[Class]) {
        for ((argument, declared), class) in predicate.arguments.iter().zip(&shape.arguments).zip(classes) {
            let Some(declared) = declared.declared else { continue };
            let found = Evidence { sort: Sort::of(declared), span: argument.span };
            if let Err(conflict) = self.classes.learn(*class, found) {
                let message = format!(
                    "{} is {}, and the signature has {} here",
                    self.quote(argument.span),
                    conflict.known.sort.words(),
                    conflict.found.sort.words()
                );
                let hint = format!("the signature has `{}`", describe(&predicate.name.text, shape));
                self.contradict(argument.span, message, &hint, &conflict);
            } else if declared == Type::Decimal {
                self.classes.make_decimal(*class);
            }
        }
    }

    /// An argument: a term, or `_`.
    fn argument(&mut self, argument: &Term) -> Class {
        match argument.kind {
            TermKind::Any => self.classes.fresh(),
            _ => self.term(argument),
        }
    }

    /// The class of a term.
    fn term(&mut self, term: &Term) -> Class {
        match &term.kind {
            TermKind::Missing | TermKind::Any => self.classes.fresh(),
            TermKind::Name(_) => match self.names.meaning(term.span) {
                Meaning::Variable(variable) => self.variable(variable),
                Meaning::Text => self.classes.of(Sort::Text, term.span),
            },
            TermKind::Number(digits) => {
                let class = self.classes.of(Sort::Number, term.span);
                if digits.contains(['.', 'e', 'E']) {
                    self.classes.make_decimal(class);
                }
                class
            }
            TermKind::Text(_) => self.classes.of(Sort::Text, term.span),
            TermKind::Binary(operator, left, right) => self.arithmetic(*operator, left, right, term.span),
            TermKind::Negate(body) => {
                let class = self.computed(body);
                self.expect(class, Sort::Number, body, "is computed with");
                class
            }
            TermKind::Apply(conversion, body) => self.conversion(*conversion, body, term.span),
        }
    }

    fn arithmetic(&mut self, operator: Operator, left: &Term, right: &Term, span: Span) -> Class {
        let (of_left, of_right) = (self.computed(left), self.computed(right));
        let fine = self.expect(of_left, Sort::Number, left, "is computed with")
            & self.expect(of_right, Sort::Number, right, "is computed with");
        let result = self.classes.of(Sort::Number, span);
        if fine {
            // Both are numbers, and numbers do not contradict each other.
            let united = self.classes.unite(result, of_left).and_then(|()| self.classes.unite(result, of_right));
            debug_assert!(united.is_ok());
        }
        if operator == Operator::Divide {
            self.divisions.push((span, result));
        }
        result
    }

    fn conversion(&mut self, conversion: Conversion, body: &Term, span: Span) -> Class {
        let class = self.computed(body);
        let from = match conversion {
            Conversion::TextToInteger | Conversion::TextToFloat => Sort::Text,
            _ => Sort::Number,
        };
        self.expect(class, from, body, "is converted");
        if matches!(conversion, Conversion::FloatToInteger | Conversion::FloatToText) {
            self.classes.make_decimal(class);
        }
        let to = match conversion {
            Conversion::IntegerToText | Conversion::FloatToText => Sort::Text,
            _ => Sort::Number,
        };
        let result = self.classes.of(to, span);
        if matches!(conversion, Conversion::IntegerToFloat | Conversion::TextToFloat) {
            self.classes.make_decimal(result);
        }
        result
    }

    /// The class of a term inside another one, where `_` has no meaning.
    fn computed(&mut self, term: &Term) -> Class {
        self.refuse_any(term);
        self.term(term)
    }

    fn refuse_any(&mut self, term: &Term) {
        if term.kind == TermKind::Any {
            let message = "`_` stands for any value and can only be a whole argument";
            let hint = "give the value a name and bind it with EXISTS";
            self.diagnostics.push(Diagnostic::error("E0309", term.span, message).hint(hint));
        }
    }

    fn variable(&mut self, variable: VarId) -> Class {
        let classes = &mut self.classes;
        *self.variables.entry(variable).or_insert_with(|| classes.fresh())
    }

    /// Notes the sort that an operator asks of a term; false if the term is of another.
    fn expect(&mut self, class: Class, sort: Sort, term: &Term, why: &str) -> bool {
        let Err(conflict) = self.classes.learn(class, Evidence { sort, span: term.span }) else { return true };
        let (known, wanted) = (conflict.known.sort.words(), sort.words());
        let message = format!("{} is {known}, but {why} where {wanted} is needed", self.quote(term.span));
        self.contradict(
            term.span,
            message,
            "convert it with `i2s`, `f2s`, `s2i` or `s2f`, or use a value of that type",
            &conflict,
        );
        false
    }

    fn contradict(&mut self, span: Span, message: String, hint: &str, conflict: &Conflict) {
        let mut diagnostic = Diagnostic::error("E0308", span, message).hint(hint);
        for evidence in [&conflict.known, &conflict.found] {
            let elsewhere = evidence.span.end <= span.start || evidence.span.start >= span.end;
            if elsewhere {
                diagnostic = diagnostic.related(evidence.span, format!("{} here", evidence.sort.words()));
            }
        }
        self.diagnostics.push(diagnostic);
    }

    fn quote(&self, span: Span) -> String {
        quote(self.text.get(span.start..span.end).unwrap_or(""))
    }
}

/// `trans(c:string, int, _)`: an event as its signature declares it.
fn describe(name: &str, shape: &EventShape) -> String {
    let arguments: Vec<String> = shape
        .arguments
        .iter()
        .map(|argument| match (&argument.name, argument.declared) {
            (Some(name), Some(declared)) => format!("{name}:{declared}"),
            (Some(name), None) => name.to_string(),
            (None, Some(declared)) => declared.to_string(),
            (None, None) => "_".to_owned(),
        })
        .collect();
    format!("{name}({})", arguments.join(", "))
}
