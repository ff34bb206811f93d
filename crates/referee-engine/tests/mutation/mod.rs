//! Changes in the text of a formula: another operator, another event, another variable, a sign before a bracket.

// Each test takes what it needs.
#![allow(dead_code)]

use referee_oracle::random::Rng;
use referee_spec::core::Language;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Words, blanks and single signs.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for letter in text.chars() {
        let joins = |token: &String| {
            let last = token.chars().next_back().unwrap_or(' ');
            (is_word(last) && is_word(letter)) || (matches!(last, '-' | '=') && letter == '>')
        };
        match tokens.last_mut() {
            Some(token) if joins(token) => token.push(letter),
            _ => tokens.push(letter.to_string()),
        }
    }
    tokens
}

/// The events of a text, with how many arguments they have.
pub(crate) fn events(tokens: &[String]) -> Vec<(String, usize)> {
    let mut events = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let is_name = pair[0].starts_with(|letter: char| letter.is_ascii_lowercase());
        if is_name && pair[1] == "(" {
            let inside = tokens[at + 2..].iter().take_while(|token| *token != ")");
            let event = (pair[0].clone(), inside.filter(|token| *token == ",").count() + 1);
            if !events.contains(&event) {
                events.push(event);
            }
        }
    }
    events
}

/// What may stand instead of a word or sign of a language.
fn instead(language: Language, token: &str) -> &'static [&'static str] {
    match (language, token) {
        (Language::Qtl, "&") => &["|"],
        (Language::Qtl, "|") => &["&"],
        (Language::Qtl, "->") => &["&", "|"],
        (Language::Qtl, "P") => &["H", "@", "!P"],
        (Language::Qtl, "H") => &["P", "@"],
        (Language::Qtl, "@") => &["", "P ", "!@"],
        (Language::Qtl, "!") => &["", "@"],
        (Language::Qtl, "Exists") => &["Forall"],
        (Language::Qtl, "Forall") => &["Exists"],
        (Language::Foltl, "and") => &["or", "since", "until"],
        (Language::Foltl, "or") => &["and", "weakly until"],
        (Language::Foltl, "=>") => &["and", "or"],
        (Language::Foltl, "once") => &["last", "next", "always-been", "eventually"],
        (Language::Foltl, "last") => &["once", "next", "not last"],
        (Language::Foltl, "next") => &["last", "eventually", "not next"],
        (Language::Foltl, "eventually") => &["always", "next", "once"],
        (Language::Foltl, "since") => &["until", "and"],
        (Language::Foltl, "until") => &["since", "release"],
        (Language::Foltl, "weakly") => &[""],
        (Language::Foltl, "not") => &["", "once", "next"],
        (Language::Foltl, "exists") => &["forall"],
        (Language::Foltl, "forall") => &["exists"],
        (Language::Mfotl, "AND") => &["OR", "SINCE", "UNTIL"],
        (Language::Mfotl, "OR") => &["AND"],
        (Language::Mfotl, "IMPLIES") => &["AND", "OR"],
        (Language::Mfotl, "ONCE") => &["PAST_ALWAYS", "PREV", "EVENTUALLY"],
        (Language::Mfotl, "EVENTUALLY") => &["ALWAYS", "NEXT", "ONCE"],
        (Language::Mfotl, "PREV") => &["ONCE", "NEXT", "NOT PREV"],
        (Language::Mfotl, "PAST_ALWAYS") => &["ONCE", "PREV"],
        (Language::Mfotl, "SINCE") => &["UNTIL", "AND"],
        (Language::Mfotl, "UNTIL") => &["SINCE"],
        (Language::Mfotl, "NOT") => &["", "ONCE"],
        (Language::Mfotl, "EXISTS") => &["FORALL"],
        (Language::Mfotl, "FORALL") => &["EXISTS"],
        _ => &[],
    }
}

/// What may stand before a bracket.
fn before(language: Language) -> &'static [&'static str] {
    match language {
        Language::Qtl => &["!", "@", "P "],
        Language::Foltl => &["not ", "last ", "once ", "eventually "],
        _ => &["NOT ", "PREV ", "ONCE[0,2] ", "EVENTUALLY[0,2] "],
    }
}

/// Changes one token.
pub(crate) fn mutate(rng: &mut Rng, language: Language, tokens: &mut [String]) {
    let at = rng.below(tokens.len());
    let events = events(tokens);
    let is_variable =
        |token: &&String| token.len() <= 2 && token.starts_with(|letter: char| letter.is_ascii_lowercase());
    let variables: Vec<String> = tokens.iter().filter(is_variable).cloned().collect();
    let token = tokens[at].clone();
    let others = instead(language, &token);
    tokens[at] = match &*token {
        _ if !others.is_empty() => rng.pick(others).to_owned(),
        "[" if language == Language::Qtl => format!("{}[", rng.pick(before(language))),
        "(" if at == 0 || !tokens[at - 1].ends_with(is_word) => format!("{}(", rng.pick(before(language))),
        word if events.iter().any(|(name, _)| name == word) => rng.pick(&events).0,
        word if variables.iter().any(|variable| variable == word) => rng.pick(&variables),
        _ => return,
    };
}

/// Deadlines and amounts that short traces reach.
pub(crate) fn shorten(rng: &mut Rng, tokens: &mut [String]) {
    for token in tokens.iter_mut().filter(|token| token.parse::<u32>().is_ok()) {
        let most: u32 = token.parse().expect("it is a number");
        *token = if most > 3 { rng.pick(&["2", "3", "4"]).to_owned() } else { token.clone() };
    }
}

/// A trace over some events and values: with times where the language has them, and often with several events a point.
pub(crate) fn trace_over(rng: &mut Rng, language: Language, events: &[(String, usize)], values: &[&str]) -> OwnedTrace {
    let crowded = rng.below(2) == 0;
    let mut time = 0;
    let mut point = |rng: &mut Rng| {
        time += rng.pick(&[0, 1, 1, 3]);
        let count = if crowded { rng.below(4) } else { 1 };
        let mut event = || {
            let (name, arity) = rng.pick(events);
            let texts: Vec<&str> = (0..arity).map(|_| rng.pick(values)).collect();
            OwnedEvent::positional(&name, &texts)
        };
        let events = (0..count).map(|_| event()).collect();
        OwnedPoint { time: (language == Language::Mfotl).then_some(Number::Int(time)), events }
    };
    let length = 1 + rng.below(14);
    OwnedTrace { points: (0..length).map(|_| point(rng)).collect() }
}
