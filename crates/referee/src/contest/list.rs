//! `referee contest list`: the packages, or the generators, in a table.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use referee_contest::gallery::{first_sentence, grouped, verdict_word};
use referee_contest::package::{Package, Subject};

use super::complaint::failure;
use super::table::Table;
use super::{corpus, machine};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::tell;

/// List the packages of a directory, or the generators of traces
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Packages, or directories of packages
    #[arg(value_name = "PATH", default_value = corpus::DIRECTORY)]
    paths: Vec<PathBuf>,
    /// List the generators of traces instead
    #[arg(long)]
    generators: bool,
}

/// Runs the command.
pub(super) fn run(args: &ListArgs) -> Result<ExitStatus, Failure> {
    let mut out = std::io::stdout().lock();
    match args.generators {
        true => generators(&mut out)?,
        false => packages(&mut out, args)?,
    }
    out.flush()?;
    Ok(ExitStatus::Fine)
}

fn generators(out: &mut dyn Write) -> std::io::Result<()> {
    let width = referee_generate::all().map(|generator| generator.name.len()).max().unwrap_or(0);
    for generator in referee_generate::all() {
        writeln!(out, "{:width$}  {:>7}  {}", generator.name, generator.events, generator.about)?;
    }
    writeln!(out, "{:width$}  {:>7}  {}", machine::NAME, machine::EVENTS, machine::ABOUT)
}

fn packages(out: &mut dyn Write, args: &ListArgs) -> Result<(), Failure> {
    let default = args.paths.iter().all(|path| path.as_os_str() == corpus::DIRECTORY);
    if default && !args.paths.iter().all(|path| path.exists()) {
        let hint = "give a directory of packages, or ask for --generators";
        return Err(failure(format!("there is no directory {} here\n  hint: {hint}", corpus::DIRECTORY)));
    }
    let mut table = Table::new(&["Package", "Track", ">Events", "Verdict", "Languages", "About"]);
    for path in corpus::expanded(&args.paths)? {
        match Package::load(&path) {
            Ok(package) => table.row(row(&package)),
            Err(error) => tell!("note: {error}"),
        }
    }
    write!(out, "{table}")?;
    Ok(())
}

fn row(package: &Package) -> [String; 6] {
    let events = match &package.subject {
        Subject::Trace(trace) => grouped(trace.events),
        Subject::Program(_) => "a program".into(),
    };
    let languages: Vec<&str> = package.property.formal.iter().map(|formal| formal.language.as_str()).collect();
    [
        package.id.clone(),
        package.track.name().into(),
        events,
        verdict_word(package).into(),
        languages.join(" "),
        first_sentence(&package.description),
    ]
}
