//! The manual's programs in C are compiled and run, and print what the page shows.

use std::fs;

use crate::kit::{Linked, Program, repository, run};

/// The blocks of a page that begin with this line.
fn blocks(page: &str, fence: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == fence {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push(block.join("\n") + "\n");
        }
    }
    found
}

#[test]
fn the_programs_of_the_manual_do_what_it_shows() {
    let page = fs::read_to_string(repository().join("docs/embedding-c.md")).expect("the page");
    let (programs, outputs) = (blocks(&page, "```c"), blocks(&page, "```text"));
    assert!(!programs.is_empty() && programs.len() == outputs.len(), "{} and {}", programs.len(), outputs.len());
    for (program, output) in programs.iter().zip(&outputs) {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("example.c");
        fs::write(&source, program).expect("the source is written");
        for linked in [Linked::Shared, Linked::Static] {
            let printed = run(&mut Program::compile(&source, linked, &[]).command(&[])).stdout;
            assert_eq!(String::from_utf8(printed).expect("a text"), *output, "{linked:?}");
        }
    }
}
