//! Trace files that commands write: their format, their compression, and nothing left of an unfinished one.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use referee_trace::format::Format;
use referee_trace::write::Output;

use crate::failure::Failure;
use crate::interrupt;

/// The format that a file's extension names, without that of its compression; `option` is what to use where none does.
pub(crate) fn format_of(target: &Path, option: &str) -> Result<Format, Failure> {
    let plain = match extension(target) {
        Some("gz" | "zst") => target.with_extension(""),
        _ => target.to_owned(),
    };
    let found = extension(&plain).and_then(|extension| Format::of_extension(&extension.to_ascii_lowercase()));
    found.ok_or_else(|| {
        let names = Format::names();
        let path = target.display();
        Failure::Other(format!(
            "{path}: the name does not tell the format to write\n  hint: add {option} with one of {names}"
        ))
    })
}

/// Writes a file through `body`, which gets the writer and the directory for what has to wait. The file is compressed if
/// its name says so, and gets its name when it is complete.
pub(crate) fn write_file(
    target: &Path,
    body: impl FnOnce(&mut dyn Write, Option<&Path>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    interrupt::watch();
    let mut output = Output::create(target).map_err(|error| unwritable(target, &error))?;
    let temporary = output.temporary().map(Path::to_owned);
    temporary.iter().for_each(|file| interrupt::add_unfinished(file));
    let directory = output.directory();
    match extension(target) {
        Some("gz") => {
            let mut encoder = flate2::write::GzEncoder::new(&mut output, flate2::Compression::default());
            body(&mut encoder, directory.as_deref())?;
            encoder.finish()?;
        }
        Some("zst") => {
            let mut encoder = zstd::Encoder::new(&mut output, 0)?;
            body(&mut encoder, directory.as_deref())?;
            encoder.finish()?;
        }
        _ => body(&mut output, directory.as_deref())?,
    }
    output.commit()?;
    temporary.iter().for_each(|file| interrupt::forget_unfinished(file));
    Ok(())
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let reason = match error.kind() {
        ErrorKind::NotFound => "its directory does not exist",
        ErrorKind::PermissionDenied => "no permission to write here",
        ErrorKind::IsADirectory => "this is a directory, not a file",
        _ => return Failure::Other(format!("{}: cannot be written: {error}", path.display())),
    };
    Failure::Other(format!("{}: cannot be written: {reason}", path.display()))
}
