//! The formal specifications of a package: those in Referee's own languages are read, compiled and used.

use std::collections::BTreeSet;
use std::sync::Arc;

use referee_spec::core::{Language, Position, Rule};
use referee_spec::diagnostic::Diagnostic;
use referee_spec::language::{self, Argument, EventShape, Options, Source, Vocabulary};
use referee_spec::lint;
use referee_spec::trace_needs::{check_inputs, time_need};
use referee_trace::abstraction::TimeNeed;
use referee_trace::mapping::{Mapping, Unit};
use referee_trace::value::Type;

use super::checklist::Check;
use super::written::is_time;
use crate::package::{EventKind, FieldType, Package, Subject, Trace, TraceSource};

/// The lint that says nothing about mistakes: what grows is true of many good properties.
const GROWING_TABLE: &str = "L0005";

/// A formal specification that Referee can judge by.
#[derive(Debug, Clone)]
pub(super) struct Specification {
    /// The file of the package, or `foltl` for the formula in the document.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: Arc<str>,
    /// What it asks for; not empty.
    pub rules: Vec<Arc<Rule>>,
    /// Whether its traces are timed DejaVu traces.
    pub timed: bool,
    unit: Unit,
}

impl Specification {
    /// All specifications of a package that compile; what is wrong with the others becomes checks.
    pub(super) fn all(package: &Package, checks: &mut Vec<Check>) -> Vec<Specification> {
        let mut found = Vec::new();
        for formal in &package.property.formal {
            let name = format!("specification {}", formal.file);
            let Some(language) = Language::from_name(&formal.language) else {
                checks.push(Check::fine(name, format!("Referee does not read {}", formal.language)));
                continue;
            };
            match std::fs::read_to_string(package.path(&formal.file)) {
                Ok(text) => found.extend(Specification::checked(package, &formal.file, language, &text, checks)),
                Err(error) => checks.push(Check::wrong(name, format!("cannot be read: {error}"))),
            }
        }
        if let Some(text) = &package.property.foltl {
            found.extend(Specification::checked(package, "foltl", Language::Foltl, text, checks));
        }
        if found.is_empty() && !package.property.formal.is_empty() {
            checks.push(Check::doubtful(
                "specification",
                "none is in a language that Referee reads, so nothing is judged",
            ));
        }
        found
    }

    /// The assumptions of a package, where they are written as a specification.
    pub(super) fn assumed(package: &Package, checks: &mut Vec<Check>) -> Option<Specification> {
        let file = package.property.assumed.as_deref()?;
        let path = package.path(file);
        let language = Language::from_name(path.extension()?.to_str()?)?;
        match std::fs::read_to_string(path) {
            Ok(text) => Specification::checked(package, file, language, &text, checks),
            Err(error) => {
                checks.push(Check::wrong(format!("specification {file}"), format!("cannot be read: {error}")));
                None
            }
        }
    }

    fn checked(
        package: &Package,
        name: &str,
        language: Language,
        text: &str,
        checks: &mut Vec<Check>,
    ) -> Option<Specification> {
        let mut specification = Specification {
            name: name.to_owned(),
            language,
            text: text.into(),
            rules: Vec::new(),
            timed: language == Language::Qtl && is_timed(package),
            unit: unit(package),
        };
        let source = Source::new(name, text);
        match specification.compile(text, None) {
            Ok(rules) => specification.rules = rules,
            Err(error) => {
                checks.push(Check::wrong(format!("specification {name}"), described(&error, &source)));
                return None;
            }
        }
        let count = specification.rules.len();
        checks.push(specification.lints(&source).unwrap_or_else(|| {
            let properties = if count == 1 { "property" } else { "properties" };
            Check::fine(format!("specification {name}"), format!("{} with {count} {properties}", language.name()))
        }));
        checks.push(specification.events(package, &source));
        Some(specification)
    }

    fn source(&self) -> Source {
        Source::new(self.name.as_str(), self.text.clone())
    }

    /// Which points of a trace must have a time.
    pub(super) fn time_need(&self) -> TimeNeed {
        let source = self.source();
        let needs = self.rules.iter().map(|rule| time_need(rule, &source));
        needs.fold(TimeNeed::default(), TimeNeed::and)
    }

    /// Whether a trace shows all inputs of the rules; else what is wrong.
    pub(super) fn check_inputs(&self, shown: &Vocabulary) -> Result<(), String> {
        let missing = self.rules.iter().flat_map(|rule| check_inputs(rule, shown)).next();
        missing.map_or(Ok(()), |missing| Err(described(&missing, &self.source())))
    }

    /// The rules of a text in the same language and with the same options, or its first error.
    pub(super) fn compile(&self, text: &str, signature: Option<Vocabulary>) -> Result<Vec<Arc<Rule>>, Diagnostic> {
        let options = Options { signature, unit: self.unit, ..Options::default() };
        let compiled = language::compile(self.language, &Source::new(self.name.as_str(), text), &options);
        match compiled.diagnostics.into_iter().find(Diagnostic::is_error) {
            Some(error) => Err(error),
            None if compiled.properties.is_empty() => {
                Err(Diagnostic::error("", Default::default(), "there is no property in it"))
            }
            None => Ok(compiled.properties.into_iter().map(Arc::new).collect()),
        }
    }

    /// What it says that its author probably did not mean.
    fn lints(&self, source: &Source) -> Option<Check> {
        let mut found = self.rules.iter().flat_map(|rule| lint::lint(rule, None));
        let doubt = found.find(|found| found.code != GROWING_TABLE)?;
        Some(Check::doubtful(format!("specification {}", self.name), described(&doubt, source)))
    }

    /// Every event is declared, with the same arguments and sorts.
    fn events(&self, package: &Package, source: &Source) -> Check {
        let declared = vocabulary(&package.property.events, &self.text);
        let result = match self.compile(&self.text, Some(declared)) {
            Err(error) => Err(described(&error, source).replace("the signature", "the package")),
            Ok(rules) => match rules.iter().find_map(|rule| mixed_sorts(rule, &package.property.events)) {
                Some(reason) => Err(reason),
                None => Ok("all its events are declared".to_owned()),
            },
        };
        Check::of(format!("events {}", self.name), result)
    }
}

/// `file:3:17: message; hint`
fn described(diagnostic: &Diagnostic, source: &Source) -> String {
    let (line, column) = source.line_column(diagnostic.span);
    let hint = diagnostic.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let code = if diagnostic.code.is_empty() { String::new() } else { format!(" ({})", diagnostic.code) };
    format!("{}:{line}:{column}: {}{hint}{code}", source.name, diagnostic.message)
}

/// A variable that ranges over positions of two declared sorts.
fn mixed_sorts(rule: &Rule, events: &[EventKind]) -> Option<String> {
    let property = rule.as_formula()?;
    property.sorts.iter().find_map(|sort| {
        let mut declared: Vec<&str> =
            sort.positions.iter().filter_map(|position| declared_sort(position, events)).collect();
        declared.sort_unstable();
        declared.dedup();
        (declared.len() > 1)
            .then(|| format!("`{}` ranges over arguments of the declared sorts {}", sort.name, declared.join(" and ")))
    })
}

fn declared_sort<'e>(position: &Position, events: &'e [EventKind]) -> Option<&'e str> {
    let Position::Argument { event, arity, index } = position else { return None };
    let kind = events.iter().find(|kind| kind.name == **event && kind.fields.len() == *arity)?;
    kind.fields.get(*index)?.sort.as_deref()
}

/// The declared events as the front ends see them. The time of an event may be a field, under whichever of its names the
/// text calls it, or not: further shapes of each event have it, or lack it.
fn vocabulary(events: &[EventKind], text: &str) -> Vocabulary {
    let words: BTreeSet<&str> =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| is_time(word)).collect();
    let times: Vec<Argument> =
        words.into_iter().map(|word| Argument { name: Some(word.into()), declared: None }).collect();
    let mut vocabulary = Vocabulary::default();
    for event in events {
        let arguments = event.fields.iter().map(|field| Argument {
            name: Some(field.name.as_str().into()),
            declared: field.writing.and_then(type_of),
        });
        let shape = EventShape { arguments: arguments.collect() };
        let timed = EventShape { arguments: shape.arguments.iter().chain(&times).cloned().collect() };
        let named = |argument: &&Argument| argument.name.as_deref().is_some_and(is_time);
        let untimed = shape.arguments.iter().filter(|argument| !named(argument)).cloned().collect();
        let shapes = [shape, timed, EventShape { arguments: untimed }];
        vocabulary.events.entry(event.name.as_str().into()).or_default().extend(shapes);
    }
    vocabulary
}

/// The type that a writing promises; a time may be written in many ways.
fn type_of(writing: FieldType) -> Option<Type> {
    match writing {
        FieldType::Int => Some(Type::Integer),
        FieldType::Decimal => Some(Type::Decimal),
        FieldType::Bool => Some(Type::Boolean),
        FieldType::String => Some(Type::String),
        FieldType::Time => None,
    }
}

/// The trace of a package that has one.
pub(super) fn trace(package: &Package) -> Option<&Trace> {
    match &package.subject {
        Subject::Trace(trace) => Some(trace),
        Subject::Program(_) => None,
    }
}

fn is_timed(package: &Package) -> bool {
    let source = trace(package).map(|trace| &trace.source);
    matches!(source, Some(TraceSource::Generated(generated)) if generated.request.timed)
}

fn unit(package: &Package) -> Unit {
    let mapping = trace(package).and_then(|trace| trace.mapping.as_ref());
    let loaded = mapping.and_then(|name| mapping_of(package, name).ok());
    loaded.map_or(Unit::Second, |mapping| mapping.unit())
}

/// A mapping that a package names.
pub(super) fn mapping_of(package: &Package, name: &str) -> Result<Mapping, String> {
    let built_in = Mapping::built_in_names().any(|one| one == name);
    let path = if built_in { name.to_owned() } else { package.path(name).display().to_string() };
    Mapping::load(&path).map_err(|error| error.to_string())
}
