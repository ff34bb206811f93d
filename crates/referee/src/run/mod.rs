//! `referee run`: judges a program while it runs, from outside.
//!
//! ```text
//!   instrumented ─▶ ring in memory that both have ─▶ supervise ─▶ Monitor ─▶ lines of `check`
//!   any program ──▶ system calls (ptrace) ─────────▶ syscalls ──▶    └─────▶ a trace
//! ```
//!
//! Whatever ends the program, its events lie in memory of this process: a verdict is said after SIGKILL as well. Processes that the
//! program starts belong to the same trace.

mod args;
mod descriptors;
mod process;
mod supervise;
mod syscalls;
mod tracee;

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use referee_monitor::monitor::{Monitor, Outlets};
use referee_spec::core::Status;

pub(crate) use args::RunArgs;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;
use crate::streams::tell;

use args::own_configuration;
use process::{ProgramEnd, ignore_interrupts};

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
