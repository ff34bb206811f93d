//! `referee contest tool check`: a tool on the demonstrations of the packages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::{Args, Subcommand};
use referee_contest::package::{Acceptance, Package, Subject};
use referee_contest::tool::{Places, Tool, referee};

use super::failure;
use crate::exit::ExitStatus;
use crate::failure::Failure;

/// Tools that take part
#[derive(Debug, Args)]
pub struct ToolArgs {
    #[command(subcommand)]
    command: ToolCommand,
}

#[derive(Debug, Subcommand)]
enum ToolCommand {
    Check(CheckArgs),
}

/// Run tools on the demonstrations of packages, and see whether they say what they should
#[derive(Debug, Args)]
struct CheckArgs {
    /// Directories of tools
    #[arg(required = true)]
    tools: Vec<PathBuf>,
    /// A package, or a directory of packages; may be given several times
    #[arg(long = "package", value_name = "PATH", default_value = "benchmarks")]
    packages: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ToolArgs) -> Result<ExitStatus, Failure> {
    let ToolCommand::Check(args) = &args.command;
    let packages = packages(&args.packages)?;
    let mut out = std::io::stdout().lock();
    let mut failed = false;
    for path in &args.tools {
        let tool = Tool::load(path).map_err(failure)?;
        let entered = packages.iter().filter(|package| tool.enters(package));
        for package in entered.filter(|package| matches!(package.subject, Subject::Trace(_))) {
            let problems = problems(&tool, package)?;
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

/// What a tool says wrongly about the demonstrations of a package.
fn problems(tool: &Tool, package: &Package) -> Result<Vec<String>, Failure> {
    let directory = Directory::new()?;
    let mut problems = Vec::new();
    for (number, demonstration) in (1..).zip(&package.property.demonstrations) {
        let file = match (&demonstration.trace, &demonstration.file) {
            (_, Some(file)) => package.path(file).canonicalize()?,
            (Some(text), None) => {
                let file = directory.0.join(format!("demonstration-{number}.trace"));
                std::fs::write(&file, text)?;
                file
            }
            (None, None) => continue,
        };
        let expected = match demonstration.verdict {
            Acceptance::Accepted => "Satisfied",
            Acceptance::Rejected => "Violated",
        };
        let said = said(tool, package, &file, &directory.0)?;
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
    let output = match bounded(command, Duration::from_secs(60)) {
        Ok(output) => output,
        Err(error) => return Ok(format!("nothing ({program}: {error})")),
    };
    let mut statuses = output.lines().filter_map(|line| line.strip_prefix("STATUS:")).map(str::trim);
    match (statuses.next(), statuses.next()) {
        (Some(status), None) => Ok(status.to_owned()),
        (Some(_), Some(_)) => Ok("several STATUS lines".into()),
        (None, _) => Ok("no STATUS line".into()),
    }
}

/// What a command prints within some time; its output is small, for demonstrations are.
fn bounded(mut command: Command, limit: Duration) -> std::io::Result<String> {
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
        Ok(output) => Ok(String::from_utf8_lossy(&output?.stdout).into_owned()),
        Err(_) => {
            let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
            Err(std::io::Error::other(format!("no end after {} s", limit.as_secs())))
        }
    }
}

/// A directory that goes away with this.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Result<Directory, Failure> {
        let path = std::env::temp_dir().join(format!("referee-tool-check-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Directory(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
