//! `referee convert`: a trace from one format to another.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use referee_trace::abstraction::TimeField;
use referee_trace::format::Format;
use referee_trace::reader::ReadOptions;
use referee_trace::write::{Output, TraceSink};

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::{self, ReadArgs, formats};
use crate::interrupt;

/// Convert a trace to another format
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The trace; `-` is standard input
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write; `-` is standard output. Its extension names the format, unless --to does
    #[arg(value_name = "OUT")]
    to: PathBuf,
    /// Format of the input; without it, its content tells
    #[arg(long = "from", value_name = "FORMAT", value_parser = formats())]
    from_format: Option<Format>,
    /// Format of the output
    #[arg(long = "to", value_name = "FORMAT", value_parser = formats())]
    to_format: Option<Format>,
    /// Mapping from concrete to abstract events: a TOML file, or a built-in one (soloist, stepr)
    #[arg(long = "map", value_name = "MAPPING")]
    map: Option<String>,
    /// Longest line or event that is read, in bytes
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = input::bytes)]
    max_line: usize,
    /// Leave out what the target format cannot carry instead of refusing
    #[arg(long)]
    lossy: bool,
}

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<ExitStatus, Failure> {
    let read = ReadArgs { format: args.from_format, map: args.map.clone(), max_line: args.max_line };
    let options = read.options(TimeField::default())?;
    let format = target_format(args)?;
    interrupt::watch();
    let mut output = Output::create(&args.to).map_err(|error| unwritable(&args.to, &error))?;
    interrupt::set_unfinished(output.temporary());
    write_trace(args, &options, format, &mut output)?;
    output.commit()?;
    Ok(ExitStatus::Fine)
}

fn write_trace(args: &ConvertArgs, options: &ReadOptions, format: Format, output: &mut Output) -> Result<(), Failure> {
    let directory = output.directory();
    let compressed = args.to.extension().and_then(|extension| extension.to_str());
    match compressed {
        Some("gz") => {
            let mut encoder = flate2::write::GzEncoder::new(output, flate2::Compression::default());
            copy(args, options, format, &mut encoder, directory.as_deref())?;
            encoder.finish()?;
        }
        Some("zst") => {
            let mut encoder = zstd::Encoder::new(output, 0)?;
            copy(args, options, format, &mut encoder, directory.as_deref())?;
            encoder.finish()?;
        }
        _ => copy(args, options, format, output, directory.as_deref())?,
    }
    Ok(())
}

fn copy(
    args: &ConvertArgs,
    options: &ReadOptions,
    format: Format,
    out: &mut impl std::io::Write,
    spool: Option<&Path>,
) -> Result<(), Failure> {
    let mut sink = TraceSink::new(format, args.lossy, out, spool);
    input::read(std::slice::from_ref(&args.from), options, &mut sink)?;
    Ok(sink.finish()?)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let reason = match error.kind() {
        ErrorKind::NotFound => "its directory does not exist",
        ErrorKind::PermissionDenied => "no permission to write here",
        ErrorKind::IsADirectory => "this is a directory, not a file",
        _ => return Failure::Other(format!("{}: cannot be written: {error}", path.display())),
    };
    Failure::Other(format!("{}: cannot be written: {reason}", path.display()))
}

/// The format that `--to` or the output's extension names.
fn target_format(args: &ConvertArgs) -> Result<Format, Failure> {
    if let Some(format) = args.to_format {
        return Ok(format);
    }
    let plain = match args.to.extension().and_then(|extension| extension.to_str()) {
        Some("gz" | "zst") => args.to.with_extension(""),
        _ => args.to.clone(),
    };
    let extension = plain.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    Format::of_extension(&extension).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        let path = args.to.display();
        Failure::Other(format!(
            "{path}: the name does not tell the format to write\n  hint: add --to with one of {names}"
        ))
    })
}
