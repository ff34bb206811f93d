//! The logics of JavaMOP: parametric properties over slices.
//!
//! ```text
//!  text ─ lex, parse (fsm, ere, temporal, cfg, srs) ─▶ core::machine::Sliced
//! ```
//!
//! # Grammar
//!
//! ```text
//!  document ::= (('package' | 'import') … ';')* property*
//!  property ::= ['full-binding'] name ['(' ([type] x),* ')'] '{' event* logic ':' body ('@' category ['{' … '}'])+ '}'
//!  event    ::= ['creation'] 'event' name ['endtrace'] [('before' | 'after')] ['(' ([type] x),* ')'] ['returning' '(' … ')']
//!               ['call' | 'return'] [':' pointcut] ['{' … '}']
//!  logic    ::= 'fsm' | 'ere' | 'ltl' | 'ptltl' | 'ptcaret' | 'cfg' | 'srs'
//! ```
//!
//! The arguments of an event are its parameters in the order in which they appear. Pointcuts and handlers belong to running
//! programs and are passed over.

mod cfg;
mod codes;
mod ere;
mod fsm;
mod lex;
mod parse;
mod parser;
mod srs;
mod temporal;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use codes::CODES;

use crate::compiled::Compiled;
use crate::core::machine::{Body, Machine};
use crate::core::{Language, Span};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_machine_signature;
use crate::options::Options;
use crate::source::Source;

/// The machines of a file, and what is wrong with it; properties with errors are left out.
pub fn compile(source: &Source, options: &Options) -> Compiled<Machine> {
    let (properties, mut diagnostics) = parse::parse(&source.text);
    if properties.is_empty() && !has_errors(&diagnostics) {
        let end = source.text.trim_end().len();
        let hint = "write `Name(Type x) { event e(x) ere: e e @match }`";
        diagnostics.push(Diagnostic::error("E0708", Span { start: end, end }, "the file has no property").hint(hint));
    }
    let mut machines = Vec::new();
    let mut names: Vec<(Arc<str>, Span)> = Vec::new();
    for property in properties {
        if let Some((_, first)) = names.iter().find(|(known, _)| *known == property.name) {
            let message = format!("property `{}` is there already", property.name);
            let found = Diagnostic::error("E0702", property.span, message).hint("rename one of them");
            diagnostics.push(found.related(*first, "the first one"));
            continue;
        }
        names.push((property.name.clone(), property.span));
        let Some(body) = property.body else { continue };
        let (name, text) = (property.name, source.text.clone());
        let machine = Machine { name, language: Language::Mop, source: text, body: Body::Sliced(body) };
        let strangers = match &options.signature {
            Some(signature) => check_machine_signature(&machine, signature),
            None => Vec::new(),
        };
        if strangers.is_empty() {
            machines.push(machine);
        }
        diagnostics.extend(strangers);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties: machines, diagnostics }
}

/// A file with every line set in by the braces around it, unless it cannot be read. Line breaks stay: pointcuts and
/// handlers are somebody else's language.
pub fn format(source: &Source) -> Result<String, Vec<Diagnostic>> {
    let (_, diagnostics) = parse::parse(&source.text);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let mut text = String::new();
    let mut depth = 0usize;
    for line in source.text.lines().map(str::trim) {
        let closing = line.chars().take_while(|letter| *letter == '}').count();
        if !line.is_empty() {
            text.push_str(&"  ".repeat(depth.saturating_sub(closing)));
        }
        text.push_str(line);
        text.push('\n');
        let (opened, closed) = (line.matches('{').count(), line.matches('}').count());
        depth = (depth + opened).saturating_sub(closed);
    }
    Ok(text)
}
