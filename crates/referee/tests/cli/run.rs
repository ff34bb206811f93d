//! `referee run`: programs with events, whatever kills them, and any program by what it asks of the kernel.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kit::Desk;

/// Files that are open when their process exits.
const LEAK: &str = "prop leak: Forall p . Forall c . exit(p,c) -> ! Exists d . Exists f . (!close(p,d) S open(p,d,f))";

/// Builds a C program in the desk's folder.
fn build(desk: &Desk, text: &str, more: &[&Path]) {
    desk.write("program.c", text);
    let done = Command::new("gcc")
        .args(["-w", "-o", "program", "program.c"])
        .args(more)
        .args(["-lm", "-ldl", "-Wl,--gc-sections"])
        .current_dir(desk.path("."))
        .output()
        .expect("gcc runs");
    assert!(done.status.success(), "gcc: {}", String::from_utf8_lossy(&done.stderr));
}

/// A program that opens a file, and closes it if it has an argument.
fn leaking() -> Desk {
    let desk = Desk::with("leak.qtl", LEAK);
    desk.write("file", "text\n");
    let text = "#include <fcntl.h>\n#include <unistd.h>\n
        int main(int n, char **a) { int d = open(\"file\", O_RDONLY); if (n > 1) close(d); return 3; }";
    build(&desk, text, &[]);
    desk
}

#[test]
fn a_descriptor_leak() {
    let desk = leaking();
    let judged =
        |more: &[&str]| desk.run(&[&["run", "--syscalls", "--spec", "leak.qtl", "--", "./program"], more].concat());
    let fine = judged(&["close"]);
    assert_eq!((fine.code, &*fine.err), (Some(0), "STATUS: Satisfied\nnote: ./program ended with exit code 3\n"));
    let leaks = judged(&[]);
    let lines: Vec<&str> = leaks.err.lines().collect();
    assert_eq!(leaks.code, Some(1), "{lines:?}");
    assert!(lines[0].starts_with("VIOLATION leak: point ") && lines[0].contains("c = 3"), "{lines:?}");
    assert_eq!(lines[1..], ["STATUS: Violated", "note: ./program ended with exit code 3"]);
}

#[test]
fn a_recorded_trace_is_judged_alike() {
    let desk = leaking();
    let program = ["sh", "-c", "./program; exec 7< file; (exit 4); cat file | cat"];
    let options = ["run", "--syscalls", "--all", "--trace", "t.trace", "--spec", "leak.qtl", "--"];
    let seen = desk.run(&[&options[..], &program].concat());
    let judged = desk.run(&["check", "leak.qtl", "t.trace", "--all"]);
    assert_eq!((seen.out.as_str(), seen.code), ("text\n", Some(1)), "{}", seen.err);
    assert_eq!(seen.err, judged.out);
    let trace = desk.read("t.trace");
    for event in ["open(", "close(", "read(", "write(", "fork(", "exec(", "exit(", "pipe(", "dup("] {
        assert!(trace.contains(&format!("\n{event}")) || trace.starts_with(event), "no {event} in {trace}");
    }
}

/// The run time that cargo has built for these tests.
fn archive() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a path");
    let folder = own.parent().expect("it lies in a folder");
    let files = std::fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libreferee_runtime") && name.ends_with(".a")
    };
    let age = |path: &PathBuf| path.metadata().and_then(|about| about.modified()).expect("a file has an age");
    files.filter(is_archive).max_by_key(age).expect("cargo builds the archive before the tests")
}

/// Opens 7 here and in a child, and kills itself if it has an argument.
const WITH_EVENTS: &str = r#"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
struct referee_site { const char *event, *file, *function; unsigned line; unsigned kind; };
extern void referee_ev1(struct referee_site *, unsigned, unsigned long long);
static struct referee_site site = { "open", "", "", 1, 0 };
const char referee_configuration[] = "version = 1\n[[specification]]\nfile = 's.qtl'\nlanguage = 'qtl'\n"
    "text = 'prop opened: Forall f . open(f) -> ! @ (!close(f) S open(f))'\n[[event]]\nname = 'open'\narguments = ['file']\n";
const unsigned long referee_configuration_size = sizeof referee_configuration;
int main(int n, char **a) {
    referee_ev1(&site, 1, 7);
    if (fork() == 0) { referee_ev1(&site, 1, 7); _exit(0); }
    wait(0);
    if (n > 1) kill(getpid(), SIGKILL);
    return 0;
}
"#;

#[test]
fn processes_with_events_are_one_trace_whatever_kills_them() {
    let desk = Desk::new();
    build(&desk, WITH_EVENTS, &[&archive()]);
    let run = desk.run(&["run", "--events", "--trace", "t.trace", "--", "./program"]);
    let found = "VIOLATION opened: point 2, open(7), f = 7\nEVENTS: 2\n  open 2\nSTATUS: Violated\n";
    assert_eq!((run.code, run.err.as_str()), (Some(1), found));
    assert_eq!(desk.read("t.trace"), "open(7)\nopen(7)\n");
    let run = desk.run(&["run", "--events", "--", "./program", "kill"]);
    let killed = format!("{found}note: ./program was ended by signal 9\n");
    assert_eq!((run.code, run.err), (Some(1), killed));
    desk.write("other.qtl", "prop other: Forall f . open(f) -> ! open(8)");
    let run = desk.run(&["run", "--spec", "other.qtl", "--report", "report", "--", "./program"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(desk.read("report"), "STATUS: Satisfied\n");
}

#[test]
fn a_program_that_is_not_there() {
    let desk = Desk::with("leak.qtl", LEAK);
    for more in [&["--syscalls"][..], &[]] {
        let run = desk.run(&[&["run", "--spec", "leak.qtl"][..], more, &["--", "./no-such-program"]].concat());
        run.failed_with(
            "./no-such-program: the program cannot be started: No such file or directory (os error 2)",
            "say the path of the program",
        );
    }
}

#[test]
fn a_program_without_events() {
    let desk = Desk::new();
    desk.run(&["run", "--", "true"]).failed_with(
        "true: the program has no events: it was not built with `referee cc`, or did not get as far as its start",
        "--syscalls",
    );
}

/// The whole way: the driver instruments a program and links the run time, and the program tells its verdict.
#[test]
fn a_program_that_the_driver_builds_judges_itself() {
    let desk = Desk::with("open.qtl", "prop opened: Forall f . close(f) -> @[open(f), close(f))\n");
    desk.write(
        "open.toml",
        "[[event]]\nreturn = \"open\"\nto = \"open\"\nargs = [\"fd = result\"]\n\n[[event]]\ncall = \"close(fd)\"\n",
    );
    let text = "#include <fcntl.h>\n#include <unistd.h>\nint main(int n, char **a) {\n    int d = open(\"/dev/null\", O_RDONLY);\n    \
                close(d);\n    if (n > 1) close(d);\n    return 3;\n}\n";
    desk.write("program.c", text);
    std::fs::create_dir(desk.path("runtime")).expect("a folder");
    std::os::unix::fs::symlink(archive(), desk.path("runtime/libreferee_runtime.a")).expect("a link");
    let options = ["cc", "--spec", "open.qtl", "--map", "open.toml", "--runtime", "runtime", "--"];
    desk.run(&[&options[..], &["gcc", "-O1", "program.c", "-o", "program"]].concat()).fine();
    let judged = |more: &[&str]| {
        let done = Command::new(desk.path("program")).args(more).output().expect("the program starts");
        (done.status.code(), String::from_utf8(done.stderr).expect("text"))
    };
    assert_eq!(judged(&[]), (Some(3), "STATUS: Satisfied\n".to_owned()));
    let (code, lines) = judged(&["twice"]);
    assert_eq!(code, Some(3), "{lines}");
    assert!(lines.starts_with("VIOLATION opened: point 3, close("), "{lines}");
    assert!(lines.ends_with("\nSTATUS: Violated\n"), "{lines}");
}
