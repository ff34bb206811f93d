//! Mutants of real properties, compiled, against the oracle.
//!
//! Purely random formulas rarely look like what people write: a guard, a look at the past under `@`, a quantifier that one
//! event binds. So the properties of the benchmark suite, in all their writings, are changed in one to three places, and
//! what still compiles is judged on short traces over the same events. `REFEREE_CASES` and `REFEREE_SEED` as elsewhere.

use std::sync::Arc;

use referee_engine::judge_compiled;
use referee_engine::program::Passes;
use referee_oracle::random::Rng;
use referee_oracle::{Mode, judge as expected};
use referee_spec::core::{Language, Property, Rule};
use referee_spec::language::{Options, Source, compile};
use referee_trace::owned::{OwnedTrace, read_text};
use referee_trace::reader::ReadOptions;

const CASES: u64 = 1_500;

macro_rules! writings {
    ($($property:literal),*) => {
        [$(
            include_str!(concat!("../../../benches/specifications/", $property, "/prenex.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/miniscoped.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/demorgan.qtl")),
            include_str!(concat!("../../../benches/specifications/", $property, "/macro.qtl")),
        )*]
    };
}

const PROPERTIES: [&str; 24] = writings!("access", "file", "fifo", "locking", "deadlock", "datarace");

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Words, blanks and single signs.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for letter in text.chars() {
        let joins = |token: &String| {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let last = token.chars().next_back().unwrap_or(' ');
            (is_word(last) && is_word(letter)) || (last == '-' && letter == '>')
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
        let is_name = pair[0].chars().all(|letter| letter.is_ascii_lowercase());
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

/// Changes one token.
fn mutate(rng: &mut Rng, tokens: &mut [String]) {
    let at = rng.below(tokens.len());
    let events = events(tokens);
    let variables = ["t", "t1", "t2", "x", "y", "l", "l1", "l2", "u", "f"];
    let other = match &*tokens[at].clone() {
        "&" => "|".to_owned(),
        "|" => "&".to_owned(),
        "->" => rng.pick(&["&", "|"]).to_owned(),
        "P" => rng.pick(&["H", "@", "!P"]).to_owned(),
        "H" => rng.pick(&["P", "@"]).to_owned(),
        "@" => rng.pick(&["", "P ", "!@"]).to_owned(),
        "!" => rng.pick(&["", "@"]).to_owned(),
        "Exists" => "Forall".to_owned(),
        "Forall" => "Exists".to_owned(),
        "[" | "(" => format!("{}{}", rng.pick(&["!", "@", "P "]), tokens[at]),
        word if events.iter().any(|(name, _)| name == word) => rng.pick(&events).0,
        word if variables.contains(&word) => rng.pick(&variables).to_owned(),
        _ => return,
    };
    tokens[at] = other;
}

fn formula(text: &str) -> Option<Arc<Property>> {
    let compiled = compile(Language::Qtl, &Source::new("mutant.qtl", text), &Options::default());
    compiled.properties.into_iter().find_map(Rule::into_formula)
}

fn trace(rng: &mut Rng, events: &[(String, usize)]) -> OwnedTrace {
    let event = |rng: &mut Rng| {
        let (name, arity) = rng.pick(events);
        let arguments: Vec<&str> = (0..arity).map(|_| rng.pick(&["1", "2", "2", "x", "-1"])).collect();
        format!("{name}({})", arguments.join(","))
    };
    let length = 1 + rng.below(9);
    let text: Vec<String> = (0..length).map(|_| event(rng)).collect();
    read_text("trace", &text.join("."), &ReadOptions::default()).expect("a trace").remove(0)
}

fn passes(seed: u64) -> Passes {
    let mut passes = Passes::ALL;
    if let Some(name) = Passes::NAMES.get((seed % (2 * Passes::NAMES.len() as u64)) as usize) {
        assert!(passes.set(name, false));
    }
    passes
}

#[test]
fn mutants_of_real_properties_agree_with_the_oracle() {
    let (cases, first) = (setting("REFEREE_CASES", CASES), setting("REFEREE_SEED", 1));
    let (mut judged, mut violated) = (0, 0);
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        let original = tokens(rng.pick(&PROPERTIES));
        let mut mutant = original.clone();
        (0..rng.below(4)).for_each(|_| mutate(&mut rng, &mut mutant));
        let text = mutant.concat();
        let Some(property) = formula(&text) else { continue };
        let trace = trace(&mut rng, &events(&original));
        let Ok(mut compiled) = judge_compiled(property.clone(), &trace, false, passes(seed)) else { continue };
        compiled.violations.iter_mut().for_each(|violation| violation.opened = None);
        let oracle = expected(&property, &trace, Mode::Complete);
        assert_eq!(compiled, oracle, "seed {seed}, {:?}\n{text}\n{trace:?}", passes(seed));
        judged += 1;
        violated += u64::from(!oracle.violations.is_empty());
    }
    println!("{judged} mutants of {cases} were compiled, {violated} violated");
    assert!(judged * 4 > cases && violated * 5 > judged, "{judged} of {cases} judged, {violated} violated");
}
