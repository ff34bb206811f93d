//! What must hold for every specification: the bodies of the parsers' fuzz targets.
//!
//! ```text
//!  text ─▶ compile ─▶ errors at places within the text, or properties ─────┐
//!      └─▶ format ─▶ text' ─▶ format ─▶ the same text' ─▶ compile ─▶ equal properties
//! ```

mod corpus;

use referee_spec::core::facts::RuleSet;
use referee_spec::core::machine::Machine;
use referee_spec::core::quantity::QuantityRule;
use referee_spec::core::signal::Signal;
use referee_spec::core::stream::Program;
use referee_spec::core::{Language, Property, Rule};
use referee_spec::language::{Compiled, Options, Source, compile, format};

pub use corpus::CORPUS;

/// A check that panics if its input breaks a promise.
pub type Check = fn(&[u8]);

/// Every check by the name of its target.
pub const CHECKS: [(&str, Check); 12] = [
    ("foltl", foltl),
    ("qtl", qtl),
    ("mfotl", mfotl),
    ("soloist", soloist),
    ("lola", lola),
    ("stl", stl),
    ("gcl", gcl),
    ("ruler", ruler),
    ("logfire", logfire),
    ("qea", qea),
    ("mop", mop),
    ("larva", larva),
];

/// FO-LTL.
pub fn foltl(data: &[u8]) {
    holds(Language::Foltl, data);
}

/// DejaVu.
pub fn qtl(data: &[u8]) {
    holds(Language::Qtl, data);
}

/// MFOTL.
pub fn mfotl(data: &[u8]) {
    holds(Language::Mfotl, data);
}

/// Guarded commands.
pub fn gcl(data: &[u8]) {
    holds(Language::Gcl, data);
}

/// RuleR.
pub fn ruler(data: &[u8]) {
    holds(Language::Ruler, data);
}

/// LogFire.
pub fn logfire(data: &[u8]) {
    holds(Language::Logfire, data);
}

/// SOLOIST.
pub fn soloist(data: &[u8]) {
    holds(Language::Soloist, data);
}

/// Streams.
pub fn lola(data: &[u8]) {
    holds(Language::Lola, data);
}

/// Signal temporal logic.
pub fn stl(data: &[u8]) {
    holds(Language::Stl, data);
}

/// Quantified event automata.
pub fn qea(data: &[u8]) {
    holds(Language::Qea, data);
}

/// The logics of JavaMOP.
pub fn mop(data: &[u8]) {
    holds(Language::Mop, data);
}

/// LARVA's DATEs.
pub fn larva(data: &[u8]) {
    holds(Language::Larva, data);
}

fn holds(language: Language, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let compiled = compiled(language, text, &Options::default());
    self::compiled(language, text, &Options { lenient: true, seen: true, ..Options::default() });
    let Ok(once) = format(language, &source(language, text)) else {
        assert!(compiled.diagnostics.iter().any(|found| found.is_error()), "{text:?} compiles and has no layout");
        return;
    };
    let twice = format(language, &source(language, &once));
    assert_eq!(twice.as_ref(), Ok(&once), "the layout of {text:?} has another layout");
    if !compiled.diagnostics.iter().any(|found| found.is_error()) {
        let again = self::compiled(language, &once, &Options::default());
        assert_eq!(meaning(&again), meaning(&compiled), "{text:?} means something else than its layout {once:?}");
    }
}

fn source(language: Language, text: &str) -> Source {
    Source::new(format!("text.{}", language.name()), text)
}

/// Compiles a text; whatever is wrong with it has a place and a sentence, and keeps what is wrong from being judged.
fn compiled(language: Language, text: &str, options: &Options) -> Compiled<Rule> {
    let compiled = compile(language, &source(language, text), options);
    for found in &compiled.diagnostics {
        let span = found.span;
        assert!(text.get(span.start..span.end).is_some(), "{found:?} is at no place of {text:?}");
        assert!(!found.message.is_empty(), "{found:?} helps nobody");
    }
    compiled
}

/// What properties say, without the places where they say it.
fn meaning(compiled: &Compiled<Rule>) -> Vec<String> {
    let without_text = |rule: &Rule| match rule {
        Rule::Formula(property) => format!("{:?}", Property { source: "".into(), ..(**property).clone() }),
        Rule::Facts(rules) => format!("{:?}", RuleSet { source: "".into(), ..(**rules).clone() }),
        Rule::Quantity(rule) => format!("{:?}", QuantityRule { source: "".into(), ..(**rule).clone() }),
        Rule::Stream(program) => format!("{:?}", Program { source: "".into(), ..(**program).clone() }),
        Rule::Signal(signal) => format!("{:?}", Signal { source: "".into(), ..(**signal).clone() }),
        Rule::Machine(machine) => format!("{:?}", Machine { source: "".into(), ..(**machine).clone() }),
    };
    compiled.properties.iter().map(|rule| without_spans(&without_text(rule))).collect()
}

fn without_spans(text: &str) -> String {
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |kept, part| kept + part.split_once('}').map_or(part, |(_, rest)| rest))
}
