//! The body of the fuzz target for snapshots, on snapshots and on mutations of them.

// The files of the fuzz crate are public there.
#![allow(unreachable_pub)]

#[path = "../../../fuzz/src/snapshots/mod.rs"]
mod checks;
#[path = "../../../fuzz/src/dice.rs"]
mod dice;

use checks::{COMPILED, compiled_snapshot, content, content_of, inside, read, read_inside, read_of, rules, snapshot};
use dice::Dice;
use referee_engine::fo::Passes;
use referee_engine::judge_compiled;
use referee_spec::core::Rule;
use referee_testing::fixed_and_daily;
use referee_trace::owned::OwnedTrace;

/// How many mutations are tried.
const MUTATIONS: usize = 20_000;

/// How many of compiled programs, each of which is compiled anew.
const COMPILED_MUTATIONS: usize = 6_000;

#[test]
fn snapshots_and_all_their_beginnings_pass() {
    for points in [0, 1, 2, 7] {
        for bytes in [content(points), inside(points)] {
            (0..=bytes.len()).for_each(|end| snapshot(&bytes[..end]));
        }
        assert!(
            read(&content(points)).is_some() && read_inside(&inside(points)).is_some(),
            "the target reaches judges"
        );
    }
}

#[test]
fn mutations_of_snapshots_pass() {
    let corpus: Vec<Vec<u8>> = [0, 1, 2, 3, 7].map(|points| [content(points), inside(points)]).concat();
    for_each_mutation(MUTATIONS, &corpus, snapshot);
}

/// The contents of states of all compiled programs, behind the byte that chooses the program.
fn compiled_corpus() -> Vec<Vec<u8>> {
    let content = |program: usize, points: u64| {
        let mut bytes = vec![u8::try_from(program).unwrap_or(0)];
        bytes.extend(content_of(COMPILED[program], points));
        bytes
    };
    (0..COMPILED.len()).flat_map(|program| [0, 1, 5, 13].map(|points| content(program, points))).collect()
}

/// What is called compiled is compiled, and not left to the interpreter.
#[test]
fn compiled_programs_are_compiled() {
    for (text, rule) in COMPILED.iter().map(|text| (text, rules(text).remove(0))) {
        let Rule::Formula(property) = &*rule else { panic!("a formula: {text}") };
        let compiled = judge_compiled(property.clone(), &OwnedTrace::default(), false, Passes::ALL);
        assert!(compiled.is_ok(), "{text}: {compiled:?}");
    }
}

#[test]
fn snapshots_of_compiled_programs_and_all_their_beginnings_pass() {
    for content in compiled_corpus() {
        assert!(read_of(COMPILED[usize::from(content[0])], &content[1..]).is_some(), "a state can be loaded");
        (0..=content.len()).for_each(|end| compiled_snapshot(&content[..end]));
    }
}

#[test]
fn mutations_of_snapshots_of_compiled_programs_pass() {
    for_each_mutation(COMPILED_MUTATIONS, &compiled_corpus(), compiled_snapshot);
}

/// Hands damaged copies of some bytes to a check.
fn for_each_mutation(mutations: usize, corpus: &[Vec<u8>], check: impl Fn(&[u8])) {
    let [mut fixed, mut daily] = fixed_and_daily().map(Dice::new);
    for number in 0..mutations {
        let dice = if number % 2 == 0 { &mut fixed } else { &mut daily };
        let mut bytes = corpus[dice.below(corpus.len())].clone();
        for _ in 0..=dice.below(3) {
            let place = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[place] ^= 1 << dice.below(8),
                1 => bytes[place] = u8::try_from(dice.below(256)).unwrap_or(0),
                2 => bytes.insert(place, [0, 1, 0x7f, 0xff][dice.below(4)]),
                _ => drop(bytes.remove(place)),
            }
        }
        check(&bytes);
    }
}

/// A content with one value and a root that is a chain of tables, each inside the next.
fn chain(depth: u64, entry: impl Fn(&mut Vec<u8>, &[u8])) -> Vec<u8> {
    // It is not done, and has no futures, points, violations and obstacles; values are not compared by their text.
    let mut bytes = vec![0; 8];
    // One value, the integer 0; nothing is named; no domains.
    bytes.extend([1, 0, 0, 0, 0]);
    bytes.extend(number(depth));
    (0..depth).for_each(|index| entry(&mut bytes, &number(if index == 0 { 1 } else { index + 1 })));
    // No memories; one root with the outermost table.
    bytes.extend([0, 1, 1]);
    bytes.extend(number(depth + 1));
    bytes
}

fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

#[test]
fn deep_chains_neither_overflow_nor_hang() {
    for depth in [1, 999, 1000, 1001, 100_000] {
        let levels = chain(depth, |bytes, inner| bytes.extend([&[0, 0], inner, &[1, 0], inner].concat()));
        let members = chain(depth, |bytes, inner| bytes.extend([&[1, 2], inner, inner].concat()));
        for content in [levels, members] {
            snapshot(&content);
            let is_read = read_of("FORALL x. p(x) IMPLIES q(x)", &content).is_some();
            assert_eq!(is_read, depth <= 1000, "{depth} tables inside one another");
        }
    }
}
