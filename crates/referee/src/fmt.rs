//! `referee fmt`: specifications in canonical layout.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use referee_spec::core::Language;
use referee_spec::language;

use crate::check;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::specification::Specification;
use crate::streams::Results;

/// Print specifications in canonical layout
#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Specifications, or folders of them; `-` is standard input
    #[arg(required = true, value_name = "SPEC")]
    specifications: Vec<PathBuf>,
    /// Language of the specifications; without it, their extensions tell
    #[arg(long, value_name = "LANGUAGE", value_parser = check::languages())]
    language: Option<Language>,
    /// Only tell whether a file would change: exit code 1, and its name
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Change the files instead of printing
    #[arg(long)]
    write: bool,
}

/// Runs the command.
pub(crate) fn run(args: &FmtArgs) -> Result<ExitStatus, Failure> {
    let mut status = ExitStatus::Fine;
    let mut out = Results::stdout();
    for path in &args.specifications {
        for specification in Specification::load(path, args.language)? {
            let laid_out = lay_out(&specification)?;
            let changed = *laid_out != *specification.source.text;
            if args.check && changed {
                writeln!(out, "{}", specification.source.name)?;
                status = ExitStatus::Violated;
            } else if args.write && changed && specification.source.name != "-" {
                replace(Path::new(&specification.source.name), &laid_out)?;
            } else if !args.check && (!args.write || specification.source.name == "-") {
                out.write_all(laid_out.as_bytes())?;
            }
        }
    }
    out.flush()?;
    Ok(status)
}

fn lay_out(specification: &Specification) -> Result<String, Failure> {
    match language::format(specification.language, &specification.source) {
        Ok(text) => Ok(text),
        Err(diagnostics) => {
            specification.report(&diagnostics)?;
            Err(Failure::Other(format!("{}: it cannot be laid out", specification.source.name)))
        }
    }
}

/// Writes beside the file, then renames.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let mut output = referee_trace::write::Output::create(path)?;
    output.write_all(text.as_bytes())?;
    Ok(output.commit()?)
}
