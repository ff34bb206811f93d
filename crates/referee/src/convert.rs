//! `referee convert`: a trace from one format to another.

use std::path::PathBuf;

use clap::Args;
use referee_trace::format::Format;
use referee_trace::write::TraceSink;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::{self, OrderArgs, ReadArgs, formats, written_formats};
use crate::output;
use crate::view::ViewArgs;

/// Convert a trace to another format
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
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
    #[arg(long = "to", value_name = "FORMAT", value_parser = written_formats())]
    to_format: Option<Format>,
    #[arg(long = "map", value_name = "MAPPING", help = input::map_help())]
    map: Option<String>,
    /// Take the first line of a table for the names of its columns, whatever its first cell is
    #[arg(long)]
    header: bool,
    /// Longest line or event that is read, in bytes
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = input::bytes)]
    max_line: usize,
    #[command(flatten)]
    order: OrderArgs,
    #[command(flatten)]
    view: ViewArgs,
    /// Leave out names of fields, times and points that the target format cannot carry instead of refusing
    #[arg(long)]
    lossy: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> Result<ExitStatus, Failure> {
    let read = ReadArgs {
        format: args.from_format,
        map: args.map.clone(),
        header: args.header,
        max_line: args.max_line,
        order: args.order.clone(),
    };
    let options = args.view.options(&read, std::slice::from_ref(&args.from))?;
    let format = match args.to_format {
        Some(format) => format,
        None => output::format_of(&args.to, "--to")?,
    };
    output::write_file(&args.to, |out, spool| {
        let mut sink = TraceSink::new(format, args.lossy, out, spool);
        args.view.tell(&input::read(std::slice::from_ref(&args.from), &options, &mut sink)?);
        Ok(sink.finish()?)
    })?;
    Ok(ExitStatus::Fine)
}
