//! Every document of the repository, judged by the engine and by the oracle.
//!
//! `REFEREE_CASES_ONLY=tests/cases/qtl` runs those whose path contains the text.

use std::path::{Path, PathBuf};

use referee_cases::{Mismatch, check, parse};
use referee_oracle::Mode;
use referee_spec::core::Language;

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown files below a folder, sorted.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .flat_map(|path| if path.is_dir() { documents(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.sort();
    found
}

/// The documents and their names from the repository's root.
fn all_documents() -> Vec<(String, String)> {
    let only = std::env::var("REFEREE_CASES_ONLY").unwrap_or_default();
    let paths = ["docs/languages", "tests/cases"].into_iter().flat_map(|folder| documents(&root().join(folder)));
    let named = paths.map(|path| {
        let name = path.strip_prefix(root()).expect("below the root").display().to_string();
        (name, std::fs::read_to_string(&path).expect("a readable document"))
    });
    named.filter(|(name, _)| name.contains(&only)).collect()
}

fn assert_none(judge: &str, mismatches: &[Mismatch]) {
    let list: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    assert!(mismatches.is_empty(), "the {judge} says otherwise in {} cases:\n{}", list.len(), list.join("\n"));
}

#[test]
fn the_engine_says_what_the_documents_say() {
    let mut mismatches = Vec::new();
    for (name, text) in all_documents() {
        let document = parse(&name, &text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        mismatches.extend(check(&document, &mut |rule, trace, prefix| referee_engine::judge_rule(rule, trace, prefix)));
    }
    assert_none("engine", &mismatches);
}

#[test]
fn the_oracle_says_what_the_documents_say() {
    let mut mismatches = Vec::new();
    for (name, text) in all_documents() {
        let document = parse(&name, &text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        mismatches.extend(check(&document, &mut |rule, trace, prefix| {
            referee_oracle::judge_rule(rule, trace, if prefix { Mode::Prefix } else { Mode::Complete })
        }));
    }
    assert_none("oracle", &mismatches);
}

#[test]
fn every_language_has_its_page_and_cases() {
    let names: Vec<String> = all_documents().into_iter().map(|(name, _)| name).collect();
    if std::env::var_os("REFEREE_CASES_ONLY").is_some() {
        return;
    }
    for language in Language::ALL.iter().map(|language| language.name()) {
        assert!(names.contains(&format!("docs/languages/{language}.md")), "{language} has no page: {names:?}");
        assert!(
            names.iter().any(|name| name.starts_with(&format!("tests/cases/{language}/"))),
            "{language}: {names:?}"
        );
    }
}
