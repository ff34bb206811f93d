//! The bodies of the fuzz targets, on their corpus and on mutations of it, so that they neither rot nor wait for a
//! fuzzer to find what is easily found.

#[path = "../../../fuzz/src/lib.rs"]
mod checks;

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use checks::{CHECKS, CORPUS, Check};

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
fn passes(name: &str, check: Check, cuts: &[u8], text: &str) {
    let data = input(cuts, text);
    assert!(catch_unwind(|| check(&data)).is_ok(), "{name} fails with cuts {cuts:?} on {text:?}");
}

#[test]
fn the_corpus_passes_however_it_is_cut() {
    for (name, check) in CHECKS {
        for text in CORPUS {
            passes(name, check, &[], text);
            for cut in 0..=u8::try_from(text.len()).unwrap_or(u8::MAX) {
                passes(name, check, &[cut], text);
            }
        }
    }
}

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit
    }

    /// A text of the corpus with a few pieces put in, taken out or taken from another text.
    fn text(&mut self) -> String {
        let mut text = CORPUS[self.below(CORPUS.len())].to_owned();
        for _ in 0..=self.below(4) {
            let start = text.floor_char_boundary(self.below(text.len() + 1));
            let end = text.ceil_char_boundary(start + self.below(4)).min(text.len());
            match self.below(3) {
                0 => text.insert_str(start, PIECES[self.below(PIECES.len())]),
                1 => text.replace_range(start..end, ""),
                _ => {
                    let other = CORPUS[self.below(CORPUS.len())];
                    let from = other.floor_char_boundary(self.below(other.len() + 1));
                    text.insert_str(start, &other[from..]);
                }
            }
        }
        text
    }
}

#[test]
fn mutations_of_the_corpus_pass() {
    for (name, check) in CHECKS {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let text = dice.text();
            let cuts: Vec<u8> = (0..dice.below(4)).map(|_| u8::try_from(dice.below(80)).unwrap_or(0)).collect();
            passes(name, check, &cuts, &text);
        }
    }
}
