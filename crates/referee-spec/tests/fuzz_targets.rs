//! The bodies of the parsers' fuzz targets, on their corpus and on mutations of it.
//!
//! `REFEREE_FUZZ_SECONDS=60 cargo test -p referee-spec --test fuzz_targets` tries each target for longer.

// The files of the fuzz crate are public there.
#![allow(unreachable_pub)]

#[path = "../../../fuzz/src/specifications/mod.rs"]
mod checks;
#[path = "../../../fuzz/src/dice.rs"]
mod dice;

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use checks::{CHECKS, CORPUS, Check};
use dice::Dice;
use referee_spec::core::Language;
use referee_spec::language::{Options, Source, compile};
use referee_testing::fixed_and_daily;

/// How long each target is tried.
const PATIENCE: Duration = Duration::from_millis(300);

/// Pieces that mutations put in.
const PIECES: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    ":",
    "=",
    "<",
    "<=",
    "->",
    "=>",
    "!",
    "&",
    "|",
    "@",
    "\"",
    "'",
    "\\",
    " ",
    "\n",
    "//",
    "#",
    "(*",
    "*)",
    "_",
    "x",
    "p(x)",
    "0",
    "-1",
    "1.5",
    "true",
    "forall x:s",
    "Exists x .",
    "AND",
    "UNTIL[0,5]",
    "ONCE",
    "S",
    "∧",
    "é",
];

#[track_caller]
fn passes(name: &str, check: Check, text: &str) {
    assert!(catch_unwind(|| check(text.as_bytes())).is_ok(), "{name} fails on {text:?}");
}

#[test]
fn the_corpus_passes() {
    for (name, check) in CHECKS {
        CORPUS.iter().for_each(|text| passes(name, check, text));
    }
}

#[test]
fn the_corpus_has_something_for_every_parser() {
    for language in [&Language::FORMULAS[..], &[Language::Gcl, Language::Ruler, Language::Logfire]].concat() {
        let compiles = |text: &&&str| {
            let compiled = compile(language, &Source::new("text", **text), &Options::default());
            !compiled.properties.is_empty() && !compiled.diagnostics.iter().any(|found| found.is_error())
        };
        let count = CORPUS.iter().filter(compiles).count();
        assert!(count >= 5, "{} has only {count}", language.name());
    }
}

#[test]
fn every_beginning_of_the_corpus_passes() {
    for (name, check) in CHECKS {
        for text in CORPUS {
            text.char_indices().for_each(|(end, _)| passes(name, check, &text[..end]));
        }
    }
}

#[test]
fn mutations_of_the_corpus_pass() {
    let patience = std::env::var("REFEREE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let patience = patience.map_or(PATIENCE, Duration::from_secs);
    for (name, check) in CHECKS {
        for mut dice in fixed_and_daily().map(Dice::new) {
            let start = Instant::now();
            while start.elapsed() < patience / 2 {
                passes(name, check, &dice.text(CORPUS, &PIECES));
            }
        }
    }
}
