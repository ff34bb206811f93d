//! The bodies of the fuzz targets, on their corpus and on mutations of it, so that they neither rot nor wait for a
//! fuzzer to find what is easily found.

// The files of the fuzz crate are public there.
#![allow(unreachable_pub)]

#[path = "../../../fuzz/src/traces/mod.rs"]
mod checks;
#[path = "../../../fuzz/src/dice.rs"]
mod dice;

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use checks::{CORPUS, Check, checks, written};
use dice::Dice;
use referee_testing::fixed_and_daily;
use referee_trace::format::Format;

/// How long each target is tried.
const PATIENCE: Duration = Duration::from_millis(100);

/// Pieces that mutations put in.
const PIECES: [&str; 24] = [
    "\"", ",", "\n", "\r\n", "=", " ", "<", ">", "&", "]]>", "{", "}", "[", "]", ":", "(", ")", ".", "@", ";", "\\",
    "é", "\0", "1",
];

/// An input whose first `cuts` bytes after the first are cuts.
fn input(cuts: &[u8], text: &str) -> Vec<u8> {
    let count = u8::try_from(cuts.len()).expect("a few cuts");
    [&[count], cuts, text.as_bytes()].concat()
}

#[track_caller]
fn passes(name: &str, check: &Check, cuts: &[u8], text: &str) {
    let data = input(cuts, text);
    assert!(catch_unwind(|| check(&data)).is_ok(), "{name} fails with cuts {cuts:?} on {text:?}");
}

#[test]
fn the_corpus_passes_however_it_is_cut() {
    let written = written();
    assert_eq!(written.len(), Format::ALL.len(), "every format writes a seed");
    for (name, check) in &checks() {
        for text in CORPUS.iter().copied().chain(written.iter().map(String::as_str)) {
            passes(name, check, &[], text);
            for cut in 0..=u8::try_from(text.len()).unwrap_or(u8::MAX) {
                passes(name, check, &[cut], text);
            }
        }
    }
}

#[test]
fn mutations_of_the_corpus_pass() {
    let written = written();
    let corpus: Vec<&str> = CORPUS.iter().copied().chain(written.iter().map(String::as_str)).collect();
    for (name, check) in &checks() {
        for mut dice in fixed_and_daily().map(Dice::new) {
            let start = Instant::now();
            while start.elapsed() < PATIENCE / 2 {
                let text = dice.text(&corpus, &PIECES);
                let cuts: Vec<u8> = (0..dice.below(4)).map(|_| u8::try_from(dice.below(80)).unwrap_or(0)).collect();
                passes(name, check, &cuts, &text);
            }
        }
    }
}
