//! Tests of the whole way from text to property, by purpose.

mod errors;
mod layout;
mod lowering;
mod policies;
mod reading;

use referee_trace::value::Type;

use super::{compile, parse};
use crate::compiled::Compiled;
use crate::core::Property;
use crate::diagnostic::Diagnostic;
use crate::options::Options;
use crate::source::Source;
use crate::vocabulary::{Argument, EventShape, Vocabulary};

fn source(text: &str) -> Source {
    Source::new("policy.mfotl", text)
}

/// Compiles without a signature.
fn compiled(text: &str) -> Compiled {
    compile(&source(text), &Options::default())
}

/// The one property of a text without errors.
fn property(text: &str) -> Property {
    let compiled = compiled(text);
    let errors: Vec<&Diagnostic> = compiled.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{text}: {errors:?}");
    compiled.properties.into_iter().next().expect("one property")
}

/// The formula as it was understood: every operator in parentheses.
fn understood(text: &str) -> String {
    let (document, diagnostics) = parse::parse(text);
    assert_eq!(diagnostics, [], "{text}");
    skeleton::formula(&document.formula)
}

/// Code, place and message of each diagnostic, as `E0302 3..4 expected …`.
fn told(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|found| format!("{} {}..{} {}", found.code, found.span.start, found.span.end, found.message))
        .collect()
}

/// Options with a signature written as `trans(c:string, t:int)`; types only, without names, are fine too.
fn signature(events: &[&str]) -> Options {
    let mut vocabulary = Vocabulary::default();
    for event in events {
        let (name, rest) = event.split_once('(').expect("an argument list");
        let arguments = rest.trim_end_matches(')').split(", ").filter(|argument| !argument.is_empty());
        let arguments = arguments
            .map(|argument| match argument.split_once(':') {
                Some((name, declared)) => Argument { name: Some(name.into()), declared: Type::from_keyword(declared) },
                None => Argument { name: None, declared: Type::from_keyword(argument) },
            })
            .collect();
        vocabulary.events.entry(name.into()).or_default().push(EventShape { arguments });
    }
    Options { signature: Some(vocabulary), ..Options::default() }
}

/// Trees as text that hides nothing: an independent printer, so that tests of the layout do not trust it.
mod skeleton {
    use crate::mfotl::syntax::{Formula, FormulaKind, Regex, Term, TermKind};

    pub(super) fn formula(tree: &Formula) -> String {
        match &tree.kind {
            FormulaKind::Missing => "MISSING".to_owned(),
            FormulaKind::Constant(truth) => format!("{truth}"),
            FormulaKind::Predicate(predicate) => {
                format!("{}({})", predicate.name.text, all(&predicate.arguments, term))
            }
            FormulaKind::Compare(comparison, left, right) => {
                format!("({} {comparison:?} {})", term(left), term(right))
            }
            FormulaKind::Not(body) => format!("(NOT {})", formula(body)),
            FormulaKind::And(parts) => format!("(AND {})", all(parts, formula)),
            FormulaKind::Or(parts) => format!("(OR {})", all(parts, formula)),
            FormulaKind::Implies(left, right) => format!("({} IMPLIES {})", formula(left), formula(right)),
            FormulaKind::Equiv(left, right) => format!("({} EQUIV {})", formula(left), formula(right)),
            FormulaKind::Quantified(quantifier, names, body) => {
                format!("({quantifier:?} {}. {})", all(names, |name| name.text.to_string()), formula(body))
            }
            FormulaKind::Unary(operator, interval, body) => {
                format!("({operator:?}{} {})", interval_of(interval.as_ref()), formula(body))
            }
            FormulaKind::Binary(operator, interval, left, right) => {
                format!("({} {operator:?}{} {})", formula(left), interval_of(interval.as_ref()), formula(right))
            }
            FormulaKind::Match(direction, interval, expression) => {
                format!("(Match{direction:?}{} {})", interval_of(interval.as_ref()), regex(expression))
            }
            FormulaKind::Let(definition) => format!(
                "(LET{} {}({}) = {} IN {})",
                if definition.past { "PAST" } else { "" },
                definition.name.text,
                all(&definition.parameters, |name| name.text.to_string()),
                formula(&definition.definition),
                formula(&definition.body)
            ),
            FormulaKind::Aggregation(aggregation) => format!(
                "({} <- {:?} {}; {}. {})",
                aggregation.result.text,
                aggregation.operator,
                aggregation.over.text,
                all(&aggregation.groups, |name| name.text.to_string()),
                formula(&aggregation.body)
            ),
        }
    }

    fn interval_of(interval: Option<&crate::mfotl::syntax::Interval>) -> String {
        let Some(interval) = interval else { return String::new() };
        let bound = |bound: &crate::mfotl::syntax::Bound| format!("{}{:?}", bound.digits, bound.unit);
        format!(
            "<{} {} {} {}>",
            bound(&interval.low),
            interval.low_included,
            interval.high.as_ref().map_or("*".to_owned(), bound),
            interval.high_included
        )
    }

    fn regex(tree: &Regex) -> String {
        match tree {
            Regex::Any => ".".to_owned(),
            Regex::Step(inner) => format!("<{}>", formula(inner)),
            Regex::Test(inner) => format!("<{}>?", formula(inner)),
            Regex::Concat(parts) => format!("[{}]", all(parts, regex)),
            Regex::Choice(parts) => format!("{{{}}}", all(parts, regex)),
            Regex::Star(body) => format!("{}*", regex(body)),
        }
    }

    fn term(tree: &Term) -> String {
        match &tree.kind {
            TermKind::Missing => "MISSING".to_owned(),
            TermKind::Name(name) => name.to_string(),
            TermKind::Number(digits) => format!("#{digits}"),
            TermKind::Text(text) => format!("{text:?}"),
            TermKind::Any => "_".to_owned(),
            TermKind::Binary(operator, left, right) => format!("({} {operator:?} {})", term(left), term(right)),
            TermKind::Negate(body) => format!("(- {})", term(body)),
            TermKind::Apply(conversion, body) => format!("{conversion:?}({})", term(body)),
        }
    }

    fn all<T>(parts: &[T], show: impl Fn(&T) -> String) -> String {
        parts.iter().map(show).collect::<Vec<_>>().join(", ")
    }
}
