//! `referee run`: judges a program while it runs, from outside.
//!
//! ```text
//!   instrumented ─▶ ring in memory that both have ─▶ supervise ─▶ Monitor ─▶ lines of `check`
//!   any program ──▶ system calls (ptrace) ─────────▶ syscalls ──▶    └─────▶ a trace
//! ```
//!
//! Whatever ends the program, its events lie in memory of this process: a verdict is said after SIGKILL as well. Processes that the
//! program starts belong to the same trace.

mod descriptors;
mod supervise;
mod syscalls;
mod tracee;

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use referee_monitor::configuration::{Configuration, EmbeddedSpecification, MonitorOptions};
use referee_monitor::monitor::{Monitor, Outlets};
use referee_spec::core::{Language, Status};

use crate::check;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;
use crate::specification::Specification;
use crate::streams::tell;

/// Judge a program while it runs: one that was built with events, or any other by its system calls
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A specification, or a folder of them; without one, those that the program was built with
    #[arg(long = "spec", value_name = "SPEC")]
    specifications: Vec<PathBuf>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = check::languages())]
    language: Option<Language>,
    /// The events are the program's system calls: it need not be built for this
    #[arg(long, requires = "specifications")]
    syscalls: bool,
    /// Report all violations instead of the first one of each property
    #[arg(long)]
    all: bool,
    /// Count the events by kind
    #[arg(long)]
    events: bool,
    /// Say why each violation is one
    #[arg(long)]
    witness: bool,
    /// Points have times: seconds since the start
    #[arg(long)]
    timed: bool,
    /// DejaVu: `forall` and `exists` range over the values seen so far
    #[arg(long)]
    seen: bool,
    /// End the program at the first violation
    #[arg(long)]
    halt: bool,
    /// Write results to this file instead of standard error, which is the program's as well
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the trace to this file, in the format that its extension names
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgramEnd {
    Exited(i32),
    Killed(i32),
}

impl ProgramEnd {
    /// What `waitpid` says, if the process is over.
    fn of(status: i32) -> Option<ProgramEnd> {
        if libc::WIFEXITED(status) {
            Some(ProgramEnd::Exited(libc::WEXITSTATUS(status)))
        } else if libc::WIFSIGNALED(status) {
            Some(ProgramEnd::Killed(libc::WTERMSIG(status)))
        } else {
            None
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> Result<ExitStatus, Failure> {
    let outlets = outlets(args)?;
    let own = own_configuration(args)?;
    // Who interrupts the program wants to see the verdict.
    ignore_interrupts();
    let (status, end) = match (args.syscalls, own) {
        (true, Some(own)) => syscalls::judge(args, Monitor::new(own, outlets).map_err(Failure::Other)?)?,
        (_, own) => supervise::judge(args, own, outlets)?,
    };
    match end {
        ProgramEnd::Exited(0) => {}
        ProgramEnd::Exited(code) => tell!("note: {} ended with exit code {code}", args.program[0]),
        ProgramEnd::Killed(signal) => tell!("note: {} was ended by signal {signal}", args.program[0]),
    }
    Ok(match (status, end) {
        (Status::Violated, _) => ExitStatus::Violated,
        (_, ProgramEnd::Killed(libc::SIGINT)) => ExitStatus::Interrupted,
        (Status::Satisfied, _) => ExitStatus::Fine,
        (Status::TimeOut | Status::GaveUp, _) => ExitStatus::Failed,
    })
}

/// The signals by which a terminal ends what runs in it go to the program; this process ends after it.
fn ignore_interrupts() {
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: to ignore a signal runs no code of ours; the program gets the default back before it begins.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// In the new process: signals are as the program expects them.
fn restore_interrupts() {
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: as above.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

fn outlets(args: &RunArgs) -> Result<Outlets, Failure> {
    let unwritable = |path: &PathBuf, error: io::Error| {
        Failure::Other(format!("{}: the file cannot be written: {error}", path.display()))
    };
    let results: Box<dyn Write> = match &args.report {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Box::new(file.map_err(|error| unwritable(path, error))?)
        }
        None => Box::new(io::stderr()),
    };
    let trace = match &args.trace {
        Some(path) => {
            output::format_of(path, "an extension such as .trace, or another option than --trace:")?;
            let file = BufWriter::new(File::create(path).map_err(|error| unwritable(path, error))?);
            Some((path.display().to_string(), Box::new(file) as Box<dyn Write>))
        }
        None => None,
    };
    Ok(Outlets { results, trace })
}

/// What the command line names to be judged.
fn own_configuration(args: &RunArgs) -> Result<Option<Configuration>, Failure> {
    if args.specifications.is_empty() {
        return Ok(None);
    }
    let mut configuration = Configuration { version: 1, ..Configuration::default() };
    for path in &args.specifications {
        for specification in Specification::load(path, args.language)? {
            let Specification { source, language } = specification;
            configuration.specifications.push(EmbeddedSpecification {
                file: source.name,
                language: language.name().to_owned(),
                text: source.text.to_string(),
            });
        }
    }
    add_options(&mut configuration.options, args);
    Ok(Some(configuration))
}

/// Adds what the command line asks for to what the program was built with.
fn add_options(options: &mut MonitorOptions, args: &RunArgs) {
    for (option, asked) in [
        (&mut options.all, args.all),
        (&mut options.events, args.events),
        (&mut options.witness, args.witness),
        (&mut options.timed, args.timed),
        (&mut options.seen, args.seen),
        (&mut options.halt, args.halt),
    ] {
        *option |= asked;
    }
}
