//! A working directory and the real program in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// How a run of the program ended, and what it said.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; nothing after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Standard output of a run that must have gone well, without a word on standard error.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "standard output: {}", self.out);
        self.out
    }

    /// Standard error of a run that must have failed with code 2.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!(self.code, Some(2), "standard error: {}", self.err);
        self.err
    }

    /// Checks that the run failed with this message and a hint.
    #[track_caller]
    pub(crate) fn failed_with(self, message: &str, hint: &str) {
        let err = self.failed();
        let (first, rest) = err.split_once('\n').unwrap_or_default();
        assert_eq!(first, format!("error: {message}"), "{err}");
        assert!(rest.trim_start().starts_with("hint: ") && rest.contains(hint), "expected the hint {hint:?} in {err}");
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The program, with a quiet environment.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// A directory of its own for each test.
pub(crate) struct Desk {
    directory: TempDir,
}

impl Desk {
    /// An empty directory.
    pub(crate) fn new() -> Desk {
        Desk { directory: tempfile::tempdir().expect("a directory for the test") }
    }

    /// A directory with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Desk {
        let desk = Desk::new();
        desk.write(name, content);
        desk
    }

    /// Where a file of this name is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("the test's file is written");
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the program's file is there")
    }

    /// All files, hidden ones too, sorted by name.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory.path()).expect("the test's directory is readable");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program, to be run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments).current_dir(self.directory.path());
        command
    }

    /// Runs the program with nothing on standard input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).stdin(Stdio::null()).output().expect("the program starts").into()
    }

    /// Runs the program with these bytes on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: impl AsRef<[u8]> + Send) -> Run {
        let mut child = self.start(arguments);
        let mut standard_input = child.stdin.take().expect("standard input is piped");
        std::thread::scope(|scope| {
            // The program may stop reading before the end, which is its right.
            scope.spawn(move || drop(standard_input.write_all(input.as_ref())));
            child.wait_with_output().expect("the program ends").into()
        })
    }

    /// Starts the program with all three streams piped.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }
}

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is two levels deep")
}

/// Compresses with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}
