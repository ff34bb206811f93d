//! The manual does what it says: every console block of `docs/` and the README is run.
//!
//! ```text
//!  $ referee cat bank.csv | head -1      a command; the lines up to the next `$` are what it must print, errors included
//!  > …                                   goes on with the command above it
//! ```
//!
//! The blocks of one page run in order in one directory, which starts as a copy of the files in `examples`. With REFRESH=1 in
//! the environment the pages are rewritten with what is really printed; read the difference before you keep it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::kit::repository;

/// A page, cut at its commands.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    /// A line that is no business of ours.
    Line(String),
    /// A command, as it is written and as the shell gets it, and what it prints.
    Step { number: usize, written: String, command: String, expected: String },
}

fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(page.lines()) {
        let line_and_end = format!("{line}\n");
        if line.starts_with("```") {
            inside = line == "```console";
            pieces.push(Piece::Line(line_and_end));
            continue;
        }
        match (inside, line.strip_prefix("$ "), pieces.last_mut()) {
            (true, Some(command), _) => {
                let command = command.to_owned();
                pieces.push(Piece::Step { number, written: line_and_end, command, expected: String::new() });
            }
            (true, None, Some(Piece::Step { written, command, expected, .. })) => match line.strip_prefix('>') {
                Some(more) if expected.is_empty() => {
                    written.push_str(&line_and_end);
                    command.push('\n');
                    command.push_str(more.strip_prefix(' ').unwrap_or(more));
                }
                _ => expected.push_str(&line_and_end),
            },
            _ => pieces.push(Piece::Line(line_and_end)),
        }
    }
    pieces
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
    for folder in ["traces", "logs", "dejavu", "mfotl"] {
        let folder = repository().join("examples").join(folder);
        for entry in fs::read_dir(folder).expect("the repository has examples") {
            let file = entry.expect("an entry").path();
            fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("an example is copied");
        }
    }
}

/// A page as it should be, and where it differs from what it is.
fn replayed(page: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(page).expect("the page is readable");
    let directory = tempfile::tempdir().expect("a directory");
    copy_examples(directory.path());
    let (mut status, mut whole, mut differences) = (0, String::new(), Vec::new());
    for piece in pieces(&text) {
        let (number, written, command, expected) = match piece {
            Piece::Line(line) => {
                whole.push_str(&line);
                continue;
            }
            Piece::Step { number, written, command, expected } => (number, written, command, expected),
        };
        let (printed, code) = shell(&command, status, directory.path());
        status = code;
        whole.push_str(&written);
        whole.push_str(&printed);
        if printed != expected {
            let page = page.display();
            differences.push(format!("{page}:{number}: $ {command}\nexpected:\n{expected}\nfound:\n{printed}"));
        }
    }
    (whole, differences)
}

#[test]
fn the_manual_is_true() {
    let docs = fs::read_dir(repository().join("docs")).expect("the repository has a manual");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.is_file());
    pages.push(repository().join("README.md"));
    let mut differences = Vec::new();
    for page in pages {
        let (whole, found) = replayed(&page);
        if !found.is_empty() && std::env::var_os("REFRESH").is_some() {
            fs::write(&page, whole).expect("the page is writable");
        }
        differences.extend(found);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn pages_are_cut_at_their_commands() {
    let page = "text\n```console\n$ one\na\n\nb\n$ two\n> more\nc\n```\n$ no\n```sh\n$ nor this\n```\n";
    let steps: Vec<(usize, String, String)> = pieces(page)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Step { number, command, expected, .. } => Some((number, command, expected)),
            Piece::Line(_) => None,
        })
        .collect();
    let step = |number, command: &str, expected: &str| (number, command.to_owned(), expected.to_owned());
    assert_eq!(steps, [step(3, "one", "a\n\nb\n"), step(7, "two\nmore", "c\n")]);
}
