//! What a panic says: one sentence, the version, and how to report it. No input should get us here.

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;

use crate::color;
use crate::exit::ExitStatus;
use crate::streams::tell;

/// From now on a panic, on any thread, ends the process as other failures do.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|panic| {
        let error = color::ERROR;
        tell!("{error}error:{error:#} {}", sentence(panic));
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            tell!("{}", Backtrace::force_capture());
        }
        std::process::exit(ExitStatus::Failed.code().into());
    }));
}

fn sentence(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("for a reason that it does not tell");
    let place = panic.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "this is a bug in referee {version}, which stopped{place}: {what}\n  hint: please report this message with the \
         command and, if you can, the files that lead to it; RUST_BACKTRACE=1 adds where it happened"
    )
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    /// Tells the test below that it is the one that has to panic.
    const VICTIM: &str = "REFEREE_TEST_PANICS";

    #[test]
    fn a_process_that_panics() {
        if std::env::var_os(VICTIM).is_some() {
            super::install();
            let nothing: Vec<usize> = Vec::new();
            let index = nothing.len() + 7;
            std::hint::black_box(nothing[index]);
        }
    }

    fn run(backtrace: &str) -> (Option<i32>, String) {
        let program = std::env::current_exe().expect("the program of the tests");
        let arguments = ["panics::tests::a_process_that_panics", "--exact", "--nocapture", "--test-threads=1"];
        let mut command = Command::new(program);
        command.args(arguments).env(VICTIM, "1").env("RUST_BACKTRACE", backtrace).env("NO_COLOR", "1");
        let Output { status, stderr, .. } = command.output().expect("it starts");
        (status.code(), String::from_utf8(stderr).expect("text"))
    }

    #[test]
    fn a_panic_is_one_sentence_and_exits_with_2() {
        let (code, err) = run("0");
        assert_eq!(code, Some(2), "{err}");
        let version = env!("CARGO_PKG_VERSION");
        assert!(err.starts_with(&format!("error: this is a bug in referee {version}, which stopped at ")), "{err}");
        assert!(err.contains("index out of bounds") && err.contains("hint: please report"), "{err}");
        assert_eq!(err.lines().count(), 2, "{err}");
    }

    #[test]
    fn a_backtrace_is_shown_on_demand() {
        let (code, err) = run("1");
        assert_eq!(code, Some(2), "{err}");
        assert!(err.lines().count() > 2, "{err}");
    }
}
