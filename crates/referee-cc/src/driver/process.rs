//! Starts compilers.

use std::process::{Command, ExitStatus, Output, Stdio};

use super::error::DriverError;

/// Runs a command in the place of this process.
pub(super) fn replace(command: &[String]) -> Result<i32, DriverError> {
    let (name, words) =
        command.split_first().ok_or_else(|| DriverError::Other("there is no compiler to run".into()))?;
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        Err(DriverError::compiler(name, &Command::new(name).args(words).exec()))
    }
    #[cfg(not(unix))]
    {
        let status = Command::new(name).args(words).status().map_err(|error| DriverError::compiler(name, &error))?;
        Ok(code(status))
    }
}

/// Runs a compiler, which prints as it likes.
pub(super) fn run(compiler: &[String], words: &[String]) -> Result<i32, DriverError> {
    let status = command(compiler, words)?.status().map_err(|error| DriverError::compiler(&compiler[0], &error))?;
    Ok(code(status))
}

/// Runs a compiler and keeps what it prints.
pub(super) fn capture(compiler: &[String], words: &[String]) -> Result<Output, DriverError> {
    let mut command = command(compiler, words)?;
    command.stdin(Stdio::null()).output().map_err(|error| DriverError::compiler(&compiler[0], &error))
}

/// The same in plain English, so that what is printed can be understood.
pub(super) fn capture_plain(compiler: &[String], words: &[String]) -> Result<Output, DriverError> {
    let mut command = command(compiler, words)?;
    command.env("LC_ALL", "C").env_remove("GCC_COLORS").stdin(Stdio::null());
    command.output().map_err(|error| DriverError::compiler(&compiler[0], &error))
}

fn command(compiler: &[String], words: &[String]) -> Result<Command, DriverError> {
    let (name, before) =
        compiler.split_first().ok_or_else(|| DriverError::Other("there is no compiler to run".into()))?;
    let mut command = Command::new(name);
    command.args(before).args(words);
    Ok(command)
}

/// The exit code, as a shell has it: after a signal, 128 and its number.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    status.code().or(signal).unwrap_or(1)
}
