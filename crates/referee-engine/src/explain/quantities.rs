//! Outlines of rules over quantities.

use referee_spec::core::quantity::QuantityRule;

use super::outline::{EventOutline, Outline};

/// The outline of a rule over quantities.
pub(super) fn of_quantity(rule: &QuantityRule) -> Outline {
    let event = |atom: std::sync::Arc<str>| EventOutline { event: atom.to_string(), effects: Vec::new() };
    Outline {
        name: rule.name.to_string(),
        language: rule.language.name().to_owned(),
        judged: "once, at the first point".to_owned(),
        verdicts: "the verdict is reported as soon as it is decided".to_owned(),
        cost: vec![
            "an event costs what it enters into windows and what it decides; no window is looked through".to_owned(),
        ],
        growth: vec!["memory grows with what windows hold, and with points that wait for later ones".to_owned()],
        domains: Vec::new(),
        gives_up: Vec::new(),
        way: Vec::new(),
        events: rule.atoms().into_iter().map(event).collect(),
        tables: Vec::new(),
    }
}
