//! `referee contest generate` and `list`: traces whose verdict is known beforehand.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use referee_contest::generate::machine::{self, MachineFormat, MachineLog};
use referee_contest::generate::{self, GenerateError, Generator, Refusal, Request, Share, Values, Verdict};
use referee_trace::format::Format;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::formats;
use crate::output;

/// Generate a trace
#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The generator; `referee contest list` names them
    name: String,
    /// The file to write; `-` is standard output. Its extension names the format, unless --format does
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// How many events
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// Where chance begins: the same seed gives the same trace
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Whether the trace obeys the property
    #[arg(long, value_enum, default_value_t)]
    verdict: VerdictName,
    /// Which part of a violated trace has passed when it breaks the property [default: 0.999]
    #[arg(long, value_name = "R")]
    at: Option<Share>,
    /// Format of the trace
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    format: Option<Format>,
    /// How users, files and the like are called
    #[arg(long, value_enum, default_value_t)]
    values: ValuesName,
    /// The variant with times (dejavu-access)
    #[arg(long)]
    timed: bool,
    /// How many events a time point has (monpoly) [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    per_point: Option<u64>,
    /// How many rows are within the property's window (monpoly) [default: 10000, at most an eighth of the events], or how
    /// many process numbers there are (stepr) [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    live: Option<u64>,
    /// How many percent of the events of a violated trace break the property (monpoly [default: 1], stepr [default: 0.1])
    #[arg(long, value_name = "PERCENT", value_parser = Share::of_percent)]
    violations: Option<Share>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum VerdictName {
    #[default]
    Satisfied,
    Violated,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ValuesName {
    /// Numbers, in the order of their appearance
    #[default]
    Integers,
    /// Strings without any order
    Strings,
}

/// The generator of machine logs, which serves several properties at once.
const MACHINE: &str = "stepr";

/// Lists the generators.
pub fn list() -> Result<ExitStatus, Failure> {
    let mut out = std::io::stdout().lock();
    let width = generate::all().map(|generator| generator.name.len()).max().unwrap_or(0);
    for generator in generate::all() {
        writeln!(out, "{:width$}  {:>7}  {}", generator.name, generator.events, generator.about)?;
    }
    let about = "Groups, phases and processes of a machine come in order (read with --map stepr)";
    writeln!(out, "{MACHINE:width$}  {:>7}  {about}", machine::STEPS)?;
    out.flush()?;
    Ok(ExitStatus::Fine)
}

/// Generates a trace.
pub fn run(args: &GenerateArgs) -> Result<ExitStatus, Failure> {
    if args.name == MACHINE {
        return run_machine(args);
    }
    let request = request(args);
    let generator = generate::find(&args.name).ok_or_else(|| unknown(&args.name))?.variant(&request)?;
    let order = generator.order(&request)?;
    let format = format(args, generator)?;
    output::write_file(&args.output, |out, spool| Ok(generator.write(&order, format, out, spool)?))?;
    Ok(ExitStatus::Fine)
}

/// Generates a log of machine operations: four traces in one file, with failures of all properties in a violated one.
fn run_machine(args: &GenerateArgs) -> Result<ExitStatus, Failure> {
    let format = match args.format {
        None if args.output == Path::new("-") => Format::CsvNamed,
        None => output::format_of(&args.output, "--format")?,
        Some(format) => format,
    };
    let format = match format {
        Format::CsvNamed => MachineFormat::CsvNamed,
        Format::Csv => MachineFormat::Csv,
        Format::Xml => MachineFormat::Xml,
        other => {
            let message =
                format!("machine logs are not written as {}\n  hint: write csv-named, csv or xml", other.name());
            return Err(Failure::Other(message));
        }
    };
    let share = args.violations.unwrap_or(Share::thousandths(1));
    let log = MachineLog {
        steps: args.events.unwrap_or(machine::STEPS),
        traces: machine::TRACES,
        processes: args.live.unwrap_or(machine::PROCESSES),
        failures_every: match args.verdict {
            VerdictName::Satisfied => 0,
            VerdictName::Violated => machine::STEPS / share.up(machine::STEPS).max(1),
        },
        seed: args.seed,
    };
    output::write_file(&args.output, |out, _| Ok(log.write(format, out).map(drop)?))?;
    Ok(ExitStatus::Fine)
}

fn request(args: &GenerateArgs) -> Request {
    Request {
        events: args.events,
        seed: args.seed,
        verdict: match args.verdict {
            VerdictName::Satisfied => Verdict::Satisfied,
            VerdictName::Violated => Verdict::Violated,
        },
        values: match args.values {
            ValuesName::Integers => Values::Integers,
            ValuesName::Strings => Values::Strings,
        },
        at: args.at,
        timed: args.timed,
        per_point: args.per_point,
        live: args.live,
        violations: args.violations,
    }
}

/// The format that was asked for, by option or by extension; else the generator's own, which is a kind of CSV.
fn format(args: &GenerateArgs, generator: &Generator) -> Result<Format, Failure> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    if args.output == Path::new("-") {
        return Ok(generator.format);
    }
    match output::format_of(&args.output, "--format")? {
        Format::Csv => Ok(generator.format),
        format => Ok(format),
    }
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = generate::all().map(|generator| generator.name).chain([MACHINE]).collect();
    Failure::Other(format!("there is no generator called `{name}`\n  hint: write one of {}", names.join(", ")))
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Other(refusal.to_string())
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Refused(refusal) => refusal.into(),
            GenerateError::Write(error) => error.into(),
        }
    }
}
