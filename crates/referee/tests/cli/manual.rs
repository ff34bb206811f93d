//! The manual does what it says: every console block of `docs/` and the README is run.
//!
//! ```text
//!  $ referee cat bank.csv | head -1      a command; the lines up to the next `$` are what it must print, errors included
//!  > …                                   goes on with the command above it
//! ```
//!
//! The blocks of one page run in order in one directory, which starts as a copy of `examples/traces`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::kit::repository;

/// A command of a page and what it prints.
struct Step {
    line: usize,
    command: String,
    expected: String,
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            steps.push(Step { line: number + 1, command: command.to_owned(), expected: String::new() });
        } else if let (true, Some(step)) = (inside, steps.last_mut()) {
            match line.strip_prefix('>') {
                Some(more) if step.expected.is_empty() => {
                    step.command.push('\n');
                    step.command.push_str(more.strip_prefix(' ').unwrap_or(more));
                }
                _ => {
                    step.expected.push_str(line);
                    step.expected.push('\n');
                }
            }
        }
    }
    steps
}

/// Runs a command and returns what it printed on both streams, and how it ended.
fn shell(command: &str, status_before: i32, directory: &Path) -> (String, i32) {
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    let tools = program.parent().expect("the program is in a directory").display();
    let path = format!("{tools}:{}", std::env::var("PATH").unwrap_or_default());
    let script = format!("exec 2>&1\n(exit {status_before})\n{command}\n");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).current_dir(directory).env("PATH", path).env("NO_COLOR", "1").env("COLUMNS", "100");
    let output = shell.stdin(Stdio::null()).output().expect("there is a shell");
    (String::from_utf8(output.stdout).expect("text"), output.status.code().unwrap_or(-1))
}

fn copy_examples(to: &Path) {
    for entry in fs::read_dir(repository().join("examples/traces")).expect("the repository has examples") {
        let file = entry.expect("an entry").path();
        fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("an example is copied");
    }
}

/// The differences between a page and what really happens.
fn differences(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("the page is readable");
    let directory = tempfile::tempdir().expect("a directory");
    copy_examples(directory.path());
    let mut status = 0;
    let mut differences = Vec::new();
    for step in steps(&text) {
        let (printed, code) = shell(&step.command, status, directory.path());
        status = code;
        if printed != step.expected {
            let Step { line, command, expected } = step;
            let page = page.display();
            differences.push(format!("{page}:{line}: $ {command}\nexpected:\n{expected}\nfound:\n{printed}"));
        }
    }
    differences
}

#[test]
fn the_manual_is_true() {
    let docs = fs::read_dir(repository().join("docs")).expect("the repository has a manual");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    pages.push(repository().join("README.md"));
    let differences: Vec<String> = pages.iter().flat_map(|page| differences(page)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn blocks_are_cut_into_steps() {
    let page = "text\n```console\n$ one\na\n\nb\n$ two\n> more\nc\n```\n$ no\n```sh\n$ nor this\n```\n";
    let found: Vec<(usize, String, String)> =
        steps(page).into_iter().map(|step| (step.line, step.command, step.expected)).collect();
    assert_eq!(
        found,
        [(3, "one".to_owned(), "a\n\nb\n".to_owned()), (7, "two\nmore".to_owned(), "c\n".to_owned())]
    );
}
