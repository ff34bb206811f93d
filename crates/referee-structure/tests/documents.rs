//! What the documents say about the code is there: the files that they name, and not too many words to learn.

use std::path::{Path, PathBuf};

use referee_structure::workspace;

/// The most words that the glossary may ask a newcomer to learn.
const MOST_WORDS: usize = 25;

fn document(name: &str) -> String {
    std::fs::read_to_string(workspace().join(name)).expect("the document is there")
}

/// What stands between backquotes and is the path of a source file.
fn named_files(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_file =
        |name: &&str| name.ends_with(".rs") && !name.contains(|letter: char| letter.is_uppercase() || letter == ' ');
    quoted.filter(is_file).map(str::to_owned).collect()
}

/// All source files of the workspace, relative to it.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_files_that_documents_name_are_there() {
    let mut all = Vec::new();
    sources(&workspace().join("crates"), &mut all);
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        for file in named_files(&document(name)) {
            assert!(all.iter().any(|source| source.ends_with(&file)), "{name} names {file}, which is not there");
        }
    }
    assert!(named_files(&document("ARCHITECTURE.md")).len() > 10, "files are found");
}

#[test]
fn the_glossary_is_short() {
    let text = document("ARCHITECTURE.md");
    let words = text.split("## Words").nth(1).expect("there is a glossary");
    let rows = words.lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert!((10..=MOST_WORDS).contains(&rows), "the glossary has {rows} words");
}
