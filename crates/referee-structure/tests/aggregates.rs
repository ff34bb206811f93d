//! A new aggregate has few places: its row in the core's table, its answers in the engine and in the oracle, and the pages
//! of the languages that spell it.
//!
//! The tests look for the newest aggregate. Where another file names its variant, that file tells aggregates apart by
//! itself, and what it says belongs into the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use referee_structure::tokens::{Token, product_tokens};
use referee_structure::{crates, workspace};

/// The variant that came last, and how languages and users call it.
const NEWEST: (&str, [&str; 2]) = ("Quantile", ["QUANTILE", "quantile("]);

/// The files that may tell aggregates apart.
const HOMES: [&str; 3] = [
    "crates/referee-engine/src/shared/aggregate.rs",
    "crates/referee-oracle/src/combine.rs",
    "crates/referee-spec/src/core/aggregate.rs",
];

/// What a new aggregate may touch, with the manual and the changelog.
const MOST_FILES: usize = 6;

fn files(folder: &Path, extension: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|own| own == extension) {
            let name = path.strip_prefix(workspace()).expect("a file of the workspace").display().to_string();
            found.push((name, fs::read_to_string(&path).expect("a readable file")));
        }
    }
}

fn sources() -> Vec<(String, Vec<Token>)> {
    let mut found = Vec::new();
    for name in crates() {
        files(&workspace().join("crates").join(name).join("src"), "rs", &mut found);
    }
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    found.into_iter().filter(|(path, _)| !is_test(path)).map(|(path, text)| (path, product_tokens(&text).0)).collect()
}

#[test]
fn a_new_aggregate_touches_few_files() {
    let (variant, spellings) = NEWEST;
    let naming = |(_, tokens): &&(String, Vec<Token>)| tokens.iter().any(|token| token.is_word(variant));
    let all = sources();
    let code: BTreeSet<&str> = all.iter().filter(naming).map(|(path, _)| path.as_str()).collect();
    assert_eq!(code, BTreeSet::from(HOMES), "files that tell the newest aggregate from the others");
    let mut pages = Vec::new();
    files(&workspace().join("docs/languages"), "md", &mut pages);
    pages.push(("CHANGELOG.md".into(), fs::read_to_string(workspace().join("CHANGELOG.md")).expect("a changelog")));
    pages.retain(|(_, text)| spellings.iter().any(|spelling| text.contains(spelling)));
    let pages: Vec<String> = pages.into_iter().map(|(path, _)| path).collect();
    assert!(pages.len() >= 3, "a language page or the changelog does not know the newest aggregate: {pages:?}");
    assert!(code.len() + pages.len() <= MOST_FILES, "{code:?} and {pages:?}");
}

/// A new variant must not fall into what was written for others: clippy refuses a wildcard where these files match.
#[test]
fn the_homes_of_aggregates_match_without_wildcards() {
    for home in HOMES {
        let text = fs::read_to_string(workspace().join(home)).expect("a readable file");
        assert!(
            text.contains("#![deny(clippy::wildcard_enum_match_arm)]"),
            "{home} lets a wildcard stand for aggregates"
        );
    }
}
