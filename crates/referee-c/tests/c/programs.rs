//! Programs that use all of the header, one file per part of it in `programs/`. A program ends with 0 if everything is as it says.

use std::path::PathBuf;

use crate::kit::{Linked, Program, own, run};

/// All programs.
fn sources() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(own().join("tests/c/programs")).expect("the folder of the programs");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    assert!(sources.len() >= 5, "{sources:?}");
    sources
}

#[test]
fn programs_find_what_they_expect() {
    for source in sources() {
        run(&mut Program::compile(&source, Linked::Shared, &[]).command(&[]));
    }
}

#[test]
fn a_program_may_have_the_library_in_itself() {
    let source = own().join("tests/c/programs/findings.c");
    run(&mut Program::compile(&source, Linked::Static, &[]).command(&[]));
}

#[test]
#[ignore = "needs valgrind, which .ci/c installs"]
fn valgrind_has_nothing_to_report() {
    let valgrind =
        ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"];
    for source in sources() {
        run(&mut Program::compile(&source, Linked::Shared, &["-g"]).command(&valgrind));
    }
}

#[test]
#[ignore = "needs the sanitizers of gcc, which .ci/c installs"]
fn the_address_sanitizer_has_nothing_to_report() {
    for source in sources() {
        let options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        run(Program::compile(&source, Linked::Shared, &options).command(&[]).env("ASAN_OPTIONS", "detect_leaks=1"));
    }
}
