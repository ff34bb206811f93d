//! C programs with events written by hand, compiled with the real gcc and linked with the run time.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// What instrumented code declares, and two events.
const HEAD: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef unsigned long long referee_word;
struct referee_site { const char *event, *file, *function; unsigned line; unsigned kind; };
extern void referee_ev0(struct referee_site *);
extern void referee_ev1(struct referee_site *, unsigned, referee_word);
extern void referee_ev2(struct referee_site *, unsigned, referee_word, referee_word);
extern void referee_ev3(struct referee_site *, unsigned, referee_word, referee_word, referee_word);
extern void referee_evn(struct referee_site *, unsigned, const unsigned char *, const referee_word *);
extern unsigned char referee_off;
static struct referee_site open_site = { "open", __FILE__, "f", 1, 0 };
static struct referee_site close_site = { "close", __FILE__, "f", 2, 0 };
#define OPEN(file) referee_ev1(&open_site, 1, (referee_word)(file))
#define CLOSE(file) referee_ev1(&close_site, 1, (referee_word)(file))
"#;

/// No file is opened twice.
pub(crate) const OPENED: &str = "prop opened: Forall f . open(f) -> ! @ (!close(f) S open(f))";

/// A program, and how it is built.
pub(crate) struct Program {
    body: String,
    specification: String,
    language: &'static str,
    options: String,
    flags: Vec<&'static str>,
}

/// A program that was built.
pub(crate) struct Built {
    pub(crate) folder: TempDir,
}

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The archive that cargo has built for these tests, packed as for a release.
fn archive() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let own = std::env::current_exe().expect("a test has a path");
        let folder = own.parent().expect("it lies in a folder");
        let files = fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
        let is_archive = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("libreferee_runtime") && name.ends_with(".a")
        };
        let age = |path: &PathBuf| fs::metadata(path).and_then(|about| about.modified()).expect("a file has an age");
        let built = files.filter(is_archive).max_by_key(age).expect("cargo builds the archive before the tests");
        let packed =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("libreferee_runtime-{}.a", std::process::id()));
        let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("pack");
        assert!(Command::new(pack).args([&built, &packed]).status().expect("pack runs").success());
        packed
    })
}

impl Program {
    /// A program with these functions.
    pub(crate) fn new(body: &str) -> Program {
        Program {
            body: body.to_owned(),
            specification: OPENED.to_owned(),
            language: "qtl",
            options: String::new(),
            flags: Vec::new(),
        }
    }

    /// A program whose `main` does this.
    pub(crate) fn main(statements: &str) -> Program {
        Program::new(&format!("int main(int argc, char **argv) {{ (void)argc; (void)argv; {statements} return 0; }}"))
    }

    pub(crate) fn specification(mut self, language: &'static str, text: &str) -> Program {
        (self.language, self.specification) = (language, text.to_owned());
        self
    }

    pub(crate) fn options(mut self, options: &str) -> Program {
        self.options = options.to_owned();
        self
    }

    pub(crate) fn flags(mut self, flags: &[&'static str]) -> Program {
        self.flags = flags.to_vec();
        self
    }

    /// Compiles and links it.
    pub(crate) fn build(&self) -> Built {
        let folder = TempDir::new().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("program.c"), format!("{HEAD}{}", self.body)).expect("written");
        let configuration = format!(
            "version = 1\n[[specification]]\nfile = \"s.{0}\"\nlanguage = \"{0}\"\ntext = '''{1}'''\n\
             [[event]]\nname = \"open\"\narguments = [\"file\"]\n[[event]]\nname = \"close\"\narguments = [\"file\"]\n\
             [[event]]\nname = \"say\"\narguments = [\"text\"]\ntext_limit = 32\n[options]\n{2}\n",
            self.language, self.specification, self.options
        );
        let bytes: Vec<String> = configuration.bytes().map(|byte| byte.to_string()).collect();
        let text = format!(
            "const char referee_configuration[] = {{{},0}};\nconst unsigned long referee_configuration_size = {};\n",
            bytes.join(","),
            configuration.len()
        );
        fs::write(at("configuration.c"), text).expect("written");
        let done = Command::new("gcc")
            .args(["-O1", "-g", "-pthread", "-w", "-o"])
            .args([at("program"), at("program.c"), at("configuration.c")])
            .arg(archive())
            .args(["-lm", "-ldl", "-Wl,--gc-sections"])
            .args(&self.flags)
            .output()
            .expect("gcc runs");
        assert!(done.status.success(), "gcc: {}", String::from_utf8_lossy(&done.stderr));
        Built { folder }
    }

    /// Builds and runs it.
    pub(crate) fn run(&self) -> Run {
        self.build().run(&[], &[])
    }
}

impl Built {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs it with arguments and variables.
    pub(crate) fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        let done = Command::new(self.path("program"))
            .args(arguments)
            .envs(variables.iter().copied())
            .current_dir(self.folder.path())
            .output()
            .expect("the program runs");
        Run::of(&done)
    }
}

impl Run {
    pub(crate) fn of(done: &Output) -> Run {
        Run {
            code: done.status.code(),
            signal: done.status.signal(),
            out: String::from_utf8_lossy(&done.stdout).into_owned(),
            err: String::from_utf8_lossy(&done.stderr).into_owned(),
        }
    }

    /// The verdict is said once, in the last line, after a violation of the second event.
    pub(crate) fn is_violated_once(&self) -> &Run {
        assert_eq!(self.err, "VIOLATION opened: point 2, open(7), f = 7\nSTATUS: Violated\n", "{:?}", self.code);
        self
    }

    pub(crate) fn ends_with(&self, code: i32) -> &Run {
        assert_eq!((self.code, self.signal), (Some(code), None), "{}", self.err);
        self
    }

    pub(crate) fn ends_by(&self, signal: i32) -> &Run {
        assert_eq!((self.code, self.signal), (None, Some(signal)), "{}", self.err);
        self
    }
}
