//! Outlines of rules over facts.

use referee_spec::core::facts::{Action, Effects, FactTerm, Implication, Lifetime, Relation, RuleSet};

use super::outline::{EventOutline, Looks, Outline, TableOutline};

/// The outline of a set of rules.
pub(super) fn of(rules: &RuleSet) -> Outline {
    Outline {
        name: rules.name.to_string(),
        language: rules.language.name().to_owned(),
        judged: "at every event that a rule mentions or the rules declare".to_owned(),
        verdicts: verdicts(rules),
        tables: rules.relations.iter().enumerate().map(|(number, relation)| table(rules, number, relation)).collect(),
        events: events(rules),
        cost: cost(rules),
        growth: growth(rules),
        domains: Vec::new(),
        way: Vec::new(),
        gives_up: gives_up(rules),
    }
}

fn verdicts(rules: &RuleSet) -> String {
    let hot: Vec<String> = rules.relations.iter().filter(|relation| relation.hot.is_some()).map(shown).collect();
    match (hot.as_slice(), rules.rules.iter().any(Implication::fails)) {
        ([], _) => "at the event that makes a rule fail".to_owned(),
        (hot, true) => format!("at the event that makes a rule fail, and at the end for each {} left", hot.join(", ")),
        (hot, false) => format!("at the end, for each {} left", hot.join(", ")),
    }
}

/// `Safe(i)`
fn shown(relation: &Relation) -> String {
    match relation.columns.len() {
        0 => relation.name.to_string(),
        _ => format!("{}({})", relation.name, relation.columns.join(", ")),
    }
}

fn table(rules: &RuleSet, number: usize, relation: &Relation) -> TableOutline {
    let removes = |action: &Action| matches!(action, Action::Remove(removed, ..) if *removed == number);
    let removed = rules.rules.iter().any(|rule| rule.actions.iter().any(removes));
    let rows = match (relation.lifetime, removed) {
        (Lifetime::Step, _) => "rows go at the next event",
        (Lifetime::Kept, true) => "rows go when a rule removes them",
        (Lifetime::Kept, false) => "rows never go",
    };
    let keys: Vec<String> = relation.columns[..relation.keys].iter().map(ToString::to_string).collect();
    let rows = if keys.is_empty() { "one row at most".to_owned() } else { rows.to_owned() };
    TableOutline { formula: shown(relation), looks: Looks::Back, keys, rows }
}

fn events(rules: &RuleSet) -> Vec<EventOutline> {
    let concerned = |name: &str| {
        let mut effects: Vec<String> = Vec::new();
        for rule in &rules.rules {
            if rule.event.as_ref().is_none_or(|pattern| *pattern.event == *name) {
                let text = rules.source.get(rule.span.start..rule.span.end).unwrap_or("");
                effects.push(format!("tries `{}`", text.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
        effects
    };
    let mut names: Vec<&str> = Vec::new();
    for seen in &rules.alphabet {
        if !names.contains(&&*seen.event) {
            names.push(&seen.event);
        }
    }
    names.into_iter().map(|name| EventOutline { event: name.to_owned(), effects: concerned(name) }).collect()
}

fn cost(rules: &RuleSet) -> Vec<String> {
    let mut cost = vec!["one look-up per condition, and what it finds, for each rule of the event".to_owned()];
    if rules.rules.iter().any(|rule| rule.event.is_none()) {
        cost.push("rules without an event are tried when facts have changed, or fired at the event before".to_owned());
    }
    if rules.effects == Effects::Together && rules.rules.iter().any(|rule| rule.facts.len() > 1) {
        cost.push("a rule with several facts costs as many steps as facts agree".to_owned());
    }
    cost
}

fn growth(rules: &RuleSet) -> Vec<String> {
    let kept = rules.relations.iter().filter(|relation| relation.keys > 0 && relation.lifetime == Lifetime::Kept);
    kept.map(|relation| {
        format!("`{}`: one row per {} that holds", relation.name, relation.columns[..relation.keys].join(", "))
    })
    .collect()
}

fn gives_up(rules: &RuleSet) -> Vec<String> {
    let mut computes = false;
    let mut note = |term: &FactTerm| computes |= matches!(term, FactTerm::Binary(..));
    for rule in &rules.rules {
        rule.guards.iter().for_each(|guard| guard.visit_terms(&mut note));
        for action in &rule.actions {
            match action {
                Action::Insert(_, terms, _) => terms.iter().for_each(|term| term.visit(&mut note)),
                Action::Remove(_, terms, _) => terms.iter().flatten().for_each(|term| term.visit(&mut note)),
                Action::Fail(..) => {}
            }
        }
    }
    let mut reasons = Vec::new();
    if computes {
        reasons.push("computing with something that is no number or has no value, or dividing by zero".to_owned());
    }
    if rules.rules.iter().any(|rule| rule.facts.len() > 1) {
        reasons.push("an event that meets more than ten million combinations of facts".to_owned());
    }
    reasons
}
