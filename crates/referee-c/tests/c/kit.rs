//! Compiles C programs against the library that cargo has just built, and runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// What every program must compile with.
pub(crate) const STRICT: [&str; 5] = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];

/// How a program gets the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Linked {
    /// At its start.
    Shared,
    /// Into itself.
    Static,
}

/// The folder of the crate.
pub(crate) fn own() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the workspace.
pub(crate) fn repository() -> PathBuf {
    own().join("../..")
}

/// The folder in which cargo has put the library: that of this test.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the program of the tests");
    test.parent().expect("it is in a folder").to_owned()
}

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{}\n{out}\n{err}", output.status);
    output
}

/// A compiled program, in a folder of its own.
pub(crate) struct Program {
    pub(crate) folder: TempDir,
}

impl Program {
    /// Compiles a source with the options that every program must pass, and more.
    pub(crate) fn compile(source: &Path, linked: Linked, more: &[&str]) -> Program {
        let folder = tempfile::tempdir().expect("a folder");
        let name = match linked {
            Linked::Shared => "libreferee.so.0",
            Linked::Static => "libreferee.a",
        };
        let built_as = if linked == Linked::Shared { "libreferee_c.so" } else { "libreferee_c.a" };
        std::fs::copy(built().join(built_as), folder.path().join(name)).expect("cargo has built the library");
        let mut gcc = Command::new("gcc");
        gcc.args(STRICT).args(more).arg("-I").arg(own().join("include")).arg(source);
        gcc.arg("-o").arg(folder.path().join("program")).arg(folder.path().join(name));
        gcc.args(["-lpthread", "-ldl", "-lm"]);
        run(&mut gcc);
        Program { folder }
    }

    /// The command that runs it, perhaps below another one.
    pub(crate) fn command(&self, below: &[&str]) -> Command {
        let program = self.folder.path().join("program");
        let mut command = match below.split_first() {
            Some((first, others)) => {
                let mut command = Command::new(first);
                command.args(others).arg(&program);
                command
            }
            None => Command::new(&program),
        };
        command.current_dir(self.folder.path()).env("LD_LIBRARY_PATH", self.folder.path());
        command
    }
}
