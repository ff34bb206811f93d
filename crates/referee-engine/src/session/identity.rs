//! What tells a rule from another: its text and the options that change its meaning, wherever in its file it stands.

use std::sync::Arc;

use referee_spec::core::Rule;

use crate::dispatch::Settings;
use crate::shared::bytes::fingerprint;

/// A number that tells rules with their settings apart.
pub(super) fn of(rule: &Arc<Rule>, settings: &Settings) -> u64 {
    let Settings { wanted, prefix, passes, compile, .. } = settings;
    fingerprint(&[&essence(rule), wanted, prefix, passes, compile])
}

/// All that the compiled form of a rule shows, but for the places of its parts in the file and the rest of the file.
fn essence(rule: &Rule) -> String {
    let shown = format!("{rule:?}");
    let source = format!("source: {:?}", rule.source());
    let mut kept = String::with_capacity(shown.len());
    let (mut rest, mut is_quoted) = (&shown[..], false);
    while let Some(first) = rest.chars().next() {
        if !is_quoted && let Some(after) = rest.strip_prefix(&*source).or_else(|| after_span(rest)) {
            rest = after;
            continue;
        }
        let mut length = first.len_utf8();
        match first {
            '"' => is_quoted = !is_quoted,
            '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => {}
        }
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept
}

/// What follows `Span { start: 3, end: 7 }`.
fn after_span(text: &str) -> Option<&str> {
    let digits = |text| str::trim_start_matches(text, |letter: char| letter.is_ascii_digit());
    let start = digits(text.strip_prefix("Span { start: ")?);
    digits(start.strip_prefix(", end: ")?).strip_prefix(" }")
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_spec::core::Language;
    use referee_spec::language::{Options, Source, compile};

    fn rules(text: &str) -> Vec<Arc<Rule>> {
        let compiled = compile(Language::Qtl, &Source::new("rules.qtl", text), &Options::default());
        compiled.properties.into_iter().map(Arc::new).collect()
    }

    #[test]
    fn where_a_rule_stands_in_its_file_changes_nothing() {
        let all = rules("prop a : Forall x . !p(x)\nprop b : Forall y . q(y) -> P p(y)\n");
        let alone = rules("\n\nprop b :   Forall y . q(y) -> P p(y)\n");
        let other = rules("prop b : Forall y . q(y) -> P r(y)\n");
        let of = |rule| of(rule, &Settings::default());
        assert_eq!(of(&all[1]), of(&alone[0]));
        assert_ne!(of(&all[1]), of(&all[0]));
        assert_ne!(of(&all[1]), of(&other[0]));
    }

    #[test]
    fn what_is_quoted_is_no_place() {
        assert_eq!(after_span("Span { start: 3, end: 7 }, x"), Some(", x"));
        assert_eq!(after_span("Span { start: x, end: 7 }"), None);
        let of = |text: &str| {
            of(&rules(&format!("prop a : ! p(\"Span {{ start: {text}, end: 7 }}\")\n"))[0], &Settings::default())
        };
        assert_ne!(of("1"), of("2"));
    }
}
