//! Mutants of real properties, compiled, against the oracle.
//!
//! Purely random formulas rarely look like what people write: a guard, a look at the past under `@`, a quantifier that one
//! event binds, an obligation with a deadline. So the properties of the benchmark suite, in all their writings and languages, are
//! changed in up to three places, and what still compiles is judged on short traces over the same events: one event a point or
//! several, with times that stand still and go on. `REFEREE_CASES` and `REFEREE_SEED` as elsewhere.

use std::cmp::Ordering;
use std::sync::Arc;

use referee_engine::fo::Passes;
use referee_engine::{first_compiled, judge_compiled};
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Judgement, Language, Outcome, Property, Rule, Violation};
use referee_spec::language::{Options, Source, compile};
use referee_trace::number::Number;
use referee_trace::owned::{OwnedEvent, OwnedPoint, OwnedTrace};

const CASES: u64 = 1_500;

macro_rules! texts {
    ($folder:literal: $($file:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../../", $folder, "/", $file))),*]
    };
}

macro_rules! writings {
    ($($property:literal),*) => {
        &[$(
            include_str!(concat!("../../../benches/specifications/", $property, "/prenex.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/miniscoped.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/demorgan.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/macro.qtl")),
        )*]
    };
}

const QTL: &[&str] = writings!("access", "file", "fifo", "locking", "deadlock", "datarace");
const PAST_FOLTL: &[&str] = texts!("benches/specifications": "access/access.foltl", "file/file.foltl", "fifo/fifo.foltl",
    "locking/locking.foltl", "deadlock/deadlock.foltl", "datarace/datarace.foltl");
const PAST_MFOTL: &[&str] = texts!("benches/specifications": "access/access.mfotl", "file/file.mfotl", "fifo/fifo.mfotl",
    "locking/locking.mfotl", "deadlock/deadlock.mfotl", "datarace/datarace.mfotl");
const FOLTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-audits.foltl", "suite-cards.foltl",
    "suite-jobs.foltl", "suite-parcels.foltl", "suite-tickets.foltl", "c-files.foltl");
const MFOTL: &[&str] = texts!("crates/referee-generate/specifications": "suite-alarms.mfotl", "suite-ballots.mfotl",
    "suite-doses.mfotl", "suite-nodes.mfotl", "suite-shifts.mfotl", "monpoly-report.mfotl", "monpoly-auth.mfotl",
    "monpoly-approve.mfotl");

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Words, blanks and single signs.
fn tokens(text: &str) -> Vec<String> {
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
fn events(tokens: &[String]) -> Vec<(String, usize)> {
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
fn mutate(rng: &mut Rng, language: Language, tokens: &mut [String]) {
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
fn shorten(rng: &mut Rng, tokens: &mut [String]) {
    for token in tokens.iter_mut().filter(|token| token.parse::<u32>().is_ok()) {
        let most: u32 = token.parse().expect("it is a number");
        *token = if most > 3 { rng.pick(&["2", "3", "4"]).to_owned() } else { token.clone() };
    }
}

fn formula(language: Language, text: &str) -> Option<Arc<Property>> {
    let compiled = compile(language, &Source::new("mutant", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

/// A trace over some events: with times where the language has them, and often with several events a point.
fn trace(rng: &mut Rng, language: Language, events: &[(String, usize)]) -> OwnedTrace {
    let crowded = rng.below(2) == 0;
    let mut time = 0;
    let mut point = |rng: &mut Rng| {
        time += rng.pick(&[0, 1, 1, 3]);
        let count = if crowded { rng.below(4) } else { 1 };
        let mut event = || {
            let (name, arity) = rng.pick(events);
            let texts: Vec<&str> = (0..arity).map(|_| rng.pick(&["1", "2", "2", "x", "-1"])).collect();
            OwnedEvent::positional(&name, &texts)
        };
        let events = (0..count).map(|_| event()).collect();
        OwnedPoint { time: (language == Language::Mfotl).then_some(Number::Int(time)), events }
    };
    let length = 1 + rng.below(9);
    OwnedTrace { points: (0..length).map(|_| point(rng)).collect() }
}

fn passes(seed: u64) -> Passes {
    let mut passes = Passes { prefetch_small_tables: true, ..Passes::ALL };
    if let Some(name) = Passes::NAMES.get((seed % (2 * Passes::NAMES.len() as u64)) as usize) {
        assert!(passes.set(name, false));
    }
    passes
}

/// What was decided first, and of that what reports tell first.
fn first(outcome: &Outcome) -> Option<&Violation> {
    let decided = outcome.violations.iter().filter(|violation| violation.decided.is_some());
    decided.min_by(|one, other| one.decided.cmp(&other.decided).then_with(|| one.report_order(other)))
}

/// Whether every obligation that was still open when the trace ended was opened at one of its points, and no other was.
fn opens_within(outcome: &Outcome, trace: &OwnedTrace) -> bool {
    let points = 1..=trace.points.len() as u64;
    let mut violations = outcome.violations.iter();
    violations.all(|violation| match violation.opened {
        Some(opened) => violation.decided.is_none() && points.contains(&opened),
        None => true,
    })
}

fn compare(property: &Arc<Property>, trace: &OwnedTrace, seed: u64, context: &str) -> Option<bool> {
    let prefix = seed.is_multiple_of(4) && property.judgement != Judgement::Once;
    let mut compiled = judge_compiled(property.clone(), trace, prefix, passes(seed)).ok()?;
    assert!(opens_within(&compiled, trace), "opened, {context}: {compiled:?}");
    compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
    let oracle = expected(property, trace, if prefix { Mode::Prefix } else { Mode::Complete });
    assert_eq!(compiled, oracle, "{context}");
    let alone = first_compiled(property.clone(), trace, passes(seed)).ok()?;
    let is_same =
        |one: &Violation, other: &Violation| one.decided == other.decided && one.report_order(other) == Ordering::Equal;
    let agrees = match (first(&alone), first(&oracle)) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    assert!(agrees, "the first, {context}: {alone:?}, {oracle:?}");
    Some(!oracle.violations.is_empty())
}

fn check(language: Language, properties: &[&str]) {
    let (cases, start) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let (mut judged, mut violated) = (0, 0);
    for seed in start..start + cases {
        let mut rng = Rng::new(seed);
        let original = tokens(rng.pick(properties));
        let mut mutant = original.clone();
        shorten(&mut rng, &mut mutant);
        (0..rng.below(4)).for_each(|_| mutate(&mut rng, language, &mut mutant));
        let text = mutant.concat();
        let Some(property) = formula(language, &text) else { continue };
        let trace = trace(&mut rng, language, &events(&original));
        let context = format!("seed {seed}, {:?}\n{text}\n{trace:?}", passes(seed));
        if let Some(is_violated) = compare(&property, &trace, seed, &context) {
            judged += 1;
            violated += u64::from(is_violated);
        }
    }
    println!("{language:?}: {judged} mutants of {cases} were compiled, {violated} violated");
    assert!(judged * 4 > cases && violated * 5 > judged, "{judged} of {cases} judged, {violated} violated");
}

#[test]
fn qtl() {
    check(Language::Qtl, QTL);
}

#[test]
fn foltl() {
    check(Language::Foltl, &[PAST_FOLTL, FOLTL].concat());
}

#[test]
fn mfotl() {
    check(Language::Mfotl, &[PAST_MFOTL, MFOTL].concat());
}
