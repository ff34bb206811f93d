//! `referee contest tool check`: a tool on the demonstrations of the packages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use clap::{Args, Subcommand};
use referee_contest::package::{Acceptance, Package, Subject, Trace};
use referee_contest::run::copy_of;
use referee_contest::scratch::Scratch;
use referee_contest::tool::{Places, Tool, referee};

use super::complaint::failure;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::Results;

/// Tools that take part
#[derive(Debug, Args)]
pub(super) struct ToolArgs {
    #[command(subcommand)]
    command: ToolCommand,
}

#[derive(Debug, Subcommand)]
enum ToolCommand {
    Check(CheckArgs),
}

/// Run tools on the demonstrations of packages, in the format of their traces, and see whether they say what they should
#[derive(Debug, Args)]
struct CheckArgs {
    /// Directories of tools
    #[arg(required = true)]
    tools: Vec<PathBuf>,
    /// A package, or a directory of packages; may be given several times
    #[arg(long = "package", value_name = "PATH", default_value = "benchmarks")]
    packages: Vec<PathBuf>,
}

/// How long a tool may take for a demonstration.
const JUDGING: Duration = Duration::from_secs(60);
/// How long a tool may take for its set-up.
const SETTING_UP: Duration = Duration::from_secs(600);

/// Runs the command.
pub(super) fn run(args: &ToolArgs) -> Result<ExitStatus, Failure> {
    let ToolCommand::Check(args) = &args.command;
    let packages = packages(&args.packages)?;
    let mut out = Results::stdout();
    let mut failed = false;
    for path in &args.tools {
        let scratch = Scratch::new("tool")?;
        let tool = built(&Tool::load(path).map_err(failure)?, scratch.path())?;
        for package in packages.iter().filter(|package| tool.enters(package)) {
            let Subject::Trace(trace) = &package.subject else { continue };
            let problems = problems(&tool, package, trace)?;
            let word = if problems.is_empty() { "ok" } else { "FAIL" };
            let count = package.property.demonstrations.len();
            writeln!(out, "{word} {} {}: {count} demonstrations", tool.name(), package.id)?;
            for problem in &problems {
                writeln!(out, "    {problem}")?;
            }
            failed |= !problems.is_empty();
        }
    }
    out.flush()?;
    Ok(if failed { ExitStatus::Violated } else { ExitStatus::Fine })
}

/// The tool, after its set-up in a copy of its directory if it has one: what was handed in stays as it is.
fn built(tool: &Tool, scratch: &Path) -> Result<Tool, Failure> {
    if tool.setup().is_none() {
        return Ok(tool.clone());
    }
    let tool = copy_of(tool, &scratch.join("copy")).map_err(failure)?;
    let words = tool.setup().unwrap_or_default();
    let Some((program, arguments)) = words.split_first() else { return Ok(tool) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&tool.directory).env("REFEREE", referee());
    match bounded(command, SETTING_UP) {
        Ok(output) if output.status.success() => Ok(tool),
        Ok(output) => Err(failure(format!("the set-up of {} failed: {}", tool.name(), output.status))),
        Err(error) => Err(failure(format!("the set-up of {} failed: {program}: {error}", tool.name()))),
    }
}

/// The packages at some paths: each a package, or a directory of them.
fn packages(paths: &[PathBuf]) -> Result<Vec<Package>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if referee_contest::package::DOCUMENTS.iter().any(|name| path.join(name).is_file()) {
            found.push(Package::load(path).map_err(failure)?);
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| failure(format!("{}: {error}", path.display())))?;
        let mut directories: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        directories.retain(|path| path.is_dir());
        directories.sort();
        for directory in directories {
            found.push(Package::load(&directory).map_err(failure)?);
        }
    }
    Ok(found)
}

/// What a tool says wrongly about the demonstrations of a package, which it gets as it would get the trace.
fn problems(tool: &Tool, package: &Package, trace: &Trace) -> Result<Vec<String>, Failure> {
    let directory = Scratch::new("tool-check")?;
    let mut problems = Vec::new();
    for (number, demonstration) in (1..).zip(&package.property.demonstrations) {
        let bytes = package
            .handed(demonstration, trace)
            .map_err(|reason| failure(format!("{}: demonstration {number}: {reason}", package.document.display())))?;
        let file = directory.path().join(format!("demonstration-{number}.{}", trace.format.extension()));
        std::fs::write(&file, bytes)?;
        let expected = match demonstration.verdict {
            Acceptance::Accepted => "Satisfied",
            Acceptance::Rejected => "Violated",
        };
        let said = said(tool, package, &file, directory.path())?;
        if said != expected {
            problems
                .push(format!("demonstration {number} is {expected}, and the tool says {said}: {}", demonstration.why));
        }
    }
    Ok(problems)
}

/// The status that a tool prints for a trace.
fn said(tool: &Tool, package: &Package, trace: &Path, directory: &Path) -> Result<String, Failure> {
    let words = tool.command(&Places { benchmark: package.id.clone(), trace: trace.to_owned() });
    let Some((program, arguments)) = words.split_first() else { return Ok("nothing".into()) };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env("REFEREE", referee()).envs(&tool.manifest.environment);
    let output = match bounded(command, JUDGING) {
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
        Err(error) => return Ok(format!("nothing ({program}: {error})")),
    };
    let mut statuses = output.lines().filter_map(|line| line.strip_prefix("STATUS:")).map(str::trim);
    match (statuses.next(), statuses.next()) {
        (Some(status), None) => Ok(status.to_owned()),
        (Some(_), Some(_)) => Ok("several STATUS lines".into()),
        (None, _) => Ok("no STATUS line".into()),
    }
}

/// What a command prints and how it ends within some time; its output is small, for demonstrations are.
fn bounded(mut command: Command, limit: Duration) -> std::io::Result<Output> {
    use std::os::unix::process::CommandExt;
    let child = command
        .process_group(0)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()?;
    let group = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(limit) {
        Ok(output) => output,
        Err(_) => {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
            Err(std::io::Error::other(format!("no end after {} s", limit.as_secs())))
        }
    }
}
