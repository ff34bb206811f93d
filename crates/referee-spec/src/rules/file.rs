//! What becomes of the properties of a file: names, signatures, and whether there is anything to judge.

use std::sync::Arc;

use super::syntax::Name;
use crate::compiled::Compiled;
use crate::core::facts::{Effects, Implication, Observed, Relation, RuleSet};
use crate::core::{Language, Span};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::check_rules_signature;
use crate::options::Options;
use crate::source::Source;

/// A property that was lowered.
pub(crate) struct Draft {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// Where it stands.
    pub span: Span,
    /// Its relations.
    pub relations: Vec<Relation>,
    /// Its events.
    pub alphabet: Vec<Observed>,
    /// Its rules.
    pub rules: Vec<Implication>,
    /// What is wrong with it.
    pub found: Vec<Diagnostic>,
}

/// The rule sets of a file; those with errors are left out.
pub(crate) fn assemble(
    language: Language,
    effects: Effects,
    source: &Source,
    options: &Options,
    drafts: Vec<Draft>,
    mut diagnostics: Vec<Diagnostic>,
) -> Compiled<RuleSet> {
    let mut properties = Vec::new();
    let mut names: Vec<(Arc<str>, Span)> = Vec::new();
    if drafts.is_empty() && !has_errors(&diagnostics) {
        let end = source.text.trim_end().len();
        diagnostics.push(no_rules(Span { start: end, end }));
    }
    for draft in drafts {
        let readable = !diagnostics.iter().any(|found| found.is_error() && holds(draft.span, found.span));
        if !readable {
            continue;
        }
        let mut found = draft.found;
        let place = draft.name.as_ref().map_or(Span { end: draft.span.start, ..draft.span }, |name| name.span);
        let name = draft.name.map_or_else(|| source.stem.as_str().into(), |name| name.text);
        check_name(&name, place, &mut names, &mut found);
        let (relations, alphabet, rules) = (draft.relations, draft.alphabet, draft.rules);
        let set = RuleSet { name, language, source: source.text.clone(), relations, alphabet, rules, effects };
        if set.rules.is_empty() && !has_errors(&found) {
            found.push(no_rules(place));
        } else if !can_fail(&set) && !has_errors(&found) {
            let hint = "say what must not happen with `fail`, or which facts must not be left at the end";
            let message = format!("nothing can violate `{}`: no rule of it fails", set.name);
            found.push(Diagnostic::warning("L1002", place, message).hint(hint));
        }
        if let Some(signature) = &options.signature {
            found.extend(check_rules_signature(&set, signature));
        }
        if !has_errors(&found) {
            properties.push(set);
        }
        diagnostics.extend(found);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties, diagnostics }
}

fn no_rules(span: Span) -> Diagnostic {
    Diagnostic::error("E1009", span, "there are no rules").hint("`referee explain E1009` shows what to write")
}

fn check_name(name: &Arc<str>, place: Span, names: &mut Vec<(Arc<str>, Span)>, found: &mut Vec<Diagnostic>) {
    match names.iter().find(|(known, _)| known == name) {
        Some((_, first)) => {
            let message = format!("property `{name}` is there already");
            let clash = Diagnostic::error("E1002", place, message).hint("give it a name of its own");
            found.push(clash.related(*first, "the first one"));
        }
        None => names.push((name.clone(), place)),
    }
}

fn can_fail(set: &RuleSet) -> bool {
    set.rules.iter().any(Implication::fails) || set.relations.iter().any(|relation| relation.hot.is_some())
}

/// Whether a place lies in another.
fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
