//! What holds for every command.

use crate::kit::{Desk, program};

const COMMANDS: [&str; 3] = ["stats", "convert", "cat"];

#[test]
fn help_and_version_are_everywhere() {
    let desk = Desk::new();
    assert!(desk.run(&["--help"]).fine().contains("Usage: referee"));
    assert_eq!(desk.run(&["--version"]).fine(), format!("referee {}\n", env!("CARGO_PKG_VERSION")));
    for command in COMMANDS {
        let help = desk.run(&[command, "--help"]).fine();
        assert!(help.contains(&format!("Usage: referee {command}")) && help.contains("--map"), "{help}");
        assert!(help.contains("--color") && help.contains("--max-line"), "{help}");
        let version = desk.run(&[command, "--version"]).fine();
        assert!(version.ends_with(&format!("{}\n", env!("CARGO_PKG_VERSION"))), "{version}");
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    let desk = Desk::new();
    for arguments in [
        &["stats"][..],
        &["nonsense"],
        &["cat", "--limit", "many", "t"],
        &["cat", "--format", "yaml", "t"],
        &["convert", "one"],
        &["stats", "--no-such-option", "t"],
        &["stats", "--max-line", "0", "t"],
        &["stats", "--color", "green", "t"],
    ] {
        let err = desk.run(arguments).failed();
        assert!(err.starts_with("error: ") && err.contains("--help"), "{arguments:?}: {err}");
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    let run = Desk::new().run(&[]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("Commands:") && run.out.is_empty());
}

#[test]
fn colour_obeys_the_option_and_the_environment() {
    let desk = Desk::new();
    let coloured = |arguments: &[&str]| desk.run(arguments).failed().contains('\x1b');
    assert!(!coloured(&["stats", "nowhere"]), "no terminal, no colour");
    assert!(coloured(&["stats", "nowhere", "--color", "always"]));
    assert!(coloured(&["--color=always", "stats"]), "complaints about usage, too");
    assert!(!coloured(&["stats", "nowhere", "--color", "never"]));
    let mut command = program();
    let output = command.args(["stats", "nowhere"]).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").output();
    assert!(!output.expect("the program starts").stderr.contains(&0x1b));
}

#[test]
fn completions_are_made_for_each_shell() {
    let desk = Desk::new();
    for (shell, mark) in
        [("bash", "complete -F _referee"), ("zsh", "#compdef referee"), ("fish", "complete -c referee")]
    {
        let script = desk.run(&["completions", shell]).fine();
        assert!(script.contains(mark) && script.contains("max-line"), "{shell}");
    }
    desk.run(&["completions", "tcsh"]).failed();
}

#[test]
fn manual_pages_are_written() {
    let desk = Desk::new();
    desk.run(&["man", "pages/man1"]).fine();
    let page = desk.read("pages/man1/referee-convert.1");
    assert!(page.starts_with(".ie") || page.contains(".TH"), "{page}");
    assert!(page.contains("lossy"));
    assert!(desk.read("pages/man1/referee.1").contains("stats"));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8_are_no_reason_to_panic() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"no-such-\xff");
    let output = program().arg("stats").arg(name).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no such file"));
}
