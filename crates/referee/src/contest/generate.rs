//! `referee contest generate`: traces whose verdict is known beforehand.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use referee_contest::package::Package;
use referee_generate::{GenerateError, Generator, Refusal, Request, Share, Values, Verdict};
use referee_trace::format::Format;

use super::{corpus, machine};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::input::written_formats;
use crate::output;

/// Generate a trace
#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    /// The generator (`referee contest list --generators` names them), or a package that has one
    name: String,
    /// The file to write; `-` is standard output. Its extension names the format, unless --format does
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// How many events
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// Where chance begins: the same seed gives the same trace [default: 1, or as the package has it]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Whether the trace obeys the property [default: satisfied, or as the package has it]
    #[arg(long, value_enum)]
    verdict: Option<VerdictName>,
    /// Which part of a violated trace has passed when it breaks the property [default: 0.999]
    #[arg(long, value_name = "R")]
    at: Option<Share>,
    /// Format of the trace
    #[arg(long, value_name = "FORMAT", value_parser = written_formats())]
    format: Option<Format>,
    /// How users, files and the like are called [default: integers, or as the package has it]
    #[arg(long, value_enum)]
    values: Option<ValuesName>,
    /// The variant with times (dejavu-access)
    #[arg(long)]
    timed: bool,
    /// How many events a time point has (monpoly) [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    per_point: Option<u64>,
    /// How many rows are within the property's window (monpoly) [default: 10000, at most an eighth of the events], or how
    /// many processes there are (machine-log) [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    live: Option<u64>,
    /// How many percent of the events of a violated trace break the property (monpoly, machine-log) [default: 1; of machine-log 0.1]
    #[arg(long, value_name = "PERCENT", value_parser = Share::of_percent)]
    violations: Option<Share>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum VerdictName {
    Satisfied,
    Violated,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ValuesName {
    /// Numbers, in the order of their appearance
    Integers,
    /// Strings without any order
    Strings,
}

impl ValuesName {
    fn values(self) -> Values {
        match self {
            ValuesName::Integers => Values::Integers,
            ValuesName::Strings => Values::Strings,
        }
    }
}

/// Generates a trace.
pub(super) fn run(args: &GenerateArgs) -> Result<ExitStatus, Failure> {
    if args.name == machine::NAME {
        return machine_log(args);
    }
    let (named, known, format) = known(args)?;
    let request = request(args, known);
    let generator = named.variant(&request)?;
    let order = generator.order(&request)?;
    let format = chosen_format(args, format.unwrap_or(generator.format))?;
    output::write_file(&args.output, |out, spool| Ok(generator.write(&order, format, out, spool)?))?;
    Ok(ExitStatus::Fine)
}

/// Generates a log of a machine.
fn machine_log(args: &GenerateArgs) -> Result<ExitStatus, Failure> {
    let foreign = [("--timed", args.timed), ("--per-point", args.per_point.is_some())];
    if let Some((option, _)) = foreign.into_iter().find(|(_, given)| *given) {
        return Err(Failure::Other(format!("{} does not take {option}", machine::NAME)));
    }
    let values = args.values.map_or(Values::Integers, ValuesName::values);
    let processes = args.live.unwrap_or(machine::PROCESSES);
    let log = machine::log(args.events.unwrap_or(machine::EVENTS), args.seed.unwrap_or(1), processes, values);
    let log = match (args.verdict, args.at, args.violations) {
        (Some(VerdictName::Violated), Some(_), Some(_)) => {
            return Err(Failure::Other(format!(
                "{} does not take --at and --violations together: it breaks at one place, or at many",
                machine::NAME
            )));
        }
        (Some(VerdictName::Violated), Some(at), None) => machine::failing_at(log, at)?,
        (Some(VerdictName::Violated), None, share) => machine::failing(log, share.unwrap_or(Share::thousandths(1))),
        _ => log,
    };
    let format = chosen_format(args, Format::CsvNamed)?;
    output::write_file(&args.output, |out, _| machine::write(&log, format, out))?;
    Ok(ExitStatus::Fine)
}

/// The generator, what is known of the request, and the format: a package has all three.
fn known(args: &GenerateArgs) -> Result<(&'static Generator, Request, Option<Format>), Failure> {
    if let Some(generator) = referee_generate::find(&args.name) {
        return Ok((generator, Request { seed: 1, ..Request::default() }, None));
    }
    let package = corpus::find(&args.name, Path::new(corpus::DIRECTORY)).map_err(|_| unknown(&args.name))?;
    let Some((trace, generated)) = package.generated() else { return Err(no_generator(&package)) };
    // The package may mean the variant with times, which its request asks for, too.
    let is_variant = |one: &&Generator| one.timed.is_some_and(|timed| timed.name == generated.generator.name);
    let generator = referee_generate::all().find(is_variant).unwrap_or(generated.generator);
    Ok((generator, generated.request.clone(), Some(trace.format)))
}

fn request(args: &GenerateArgs, known: Request) -> Request {
    let verdict = args.verdict.map(|name| match name {
        VerdictName::Satisfied => Verdict::Satisfied,
        VerdictName::Violated => Verdict::Violated,
    });
    let values = args.values.map(ValuesName::values);
    Request {
        events: args.events.or(known.events),
        seed: args.seed.unwrap_or(known.seed),
        verdict: verdict.unwrap_or(known.verdict),
        values: values.unwrap_or(known.values),
        at: args.at.or(known.at),
        timed: args.timed || known.timed,
        per_point: args.per_point.or(known.per_point),
        live: args.live.or(known.live),
        violations: args.violations.or(known.violations),
    }
}

/// The format that was asked for, by option or by extension; else `own`, if the extension fits it.
fn chosen_format(args: &GenerateArgs, own: Format) -> Result<Format, Failure> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    if args.output == Path::new("-") {
        return Ok(own);
    }
    let named = output::format_of(&args.output, "--format")?;
    Ok(if named.extension() == own.extension() { own } else { named })
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = referee_generate::all().map(|generator| generator.name).chain([machine::NAME]).collect();
    Failure::Other(format!(
        "there is no generator or package called `{name}`\n  hint: write one of {}, or the path of a package",
        names.join(", ")
    ))
}

fn no_generator(package: &Package) -> Failure {
    Failure::Other(format!(
        "{} has no generator: what it judges is a file or a program\n  hint: name one in [trace.generator] or in a table [[further]]; `referee contest list --generators` lists them",
        package.id
    ))
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
