//! `referee contest validate`: do packages keep what they promise?

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use referee_contest::run::leave_network;
use referee_contest::validate::{self, Check, Effort, Grade, Report};
use serde::Serialize;

use super::complaint::failure;
use super::corpus;
use crate::color;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::streams::Results;

/// Check whether packages keep what they promise: one line per check
#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Packages, or directories of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Make traces as large as the packages say, instead of 20,000 events at most
    #[arg(long, conflicts_with = "events")]
    published: bool,
    /// How many events a trace has at most
    #[arg(long, value_name = "N")]
    events: Option<u64>,
    /// On how many random traces specifications are compared
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    random: u32,
    /// Where chance begins
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many packages are checked at a time; without it, as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print failures and doubts only
    #[arg(long, short)]
    quiet: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(args: &ValidateArgs) -> Result<ExitStatus, Failure> {
    // Programs of packages are run off the network where that can be, and name spaces can be left only before there are threads.
    let _ = leave_network();
    let paths = corpus::expanded(&args.packages)?;
    let bar = bar(paths.len() as u64);
    let reports = validate::validate(&paths, &effort(args), &|report| {
        bar.inc(1);
        bar.set_message(report.name.clone());
    });
    bar.finish_and_clear();
    let mut out = Results::to(anstream::stdout().lock());
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&Document::new(&reports)).map_err(failure)?)?,
        false => print(&mut out, &reports, args.quiet)?,
    }
    out.flush()?;
    Ok(if reports.iter().all(Report::is_ok) { ExitStatus::Fine } else { ExitStatus::Violated })
}

fn effort(args: &ValidateArgs) -> Effort {
    let mut effort = if args.published { Effort::published() } else { Effort::small() };
    effort.events = args.events.or(effort.events);
    effort.random = args.random as usize;
    effort.seed = args.seed;
    effort.threads = args.jobs.map_or(effort.threads, usize::from);
    effort
}

fn bar(packages: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:24} {pos} of {len} packages  {msg}");
    ProgressBar::new(packages).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// One line per check, and how many packages there are of each kind.
fn print(out: &mut dyn Write, reports: &[Report], quiet: bool) -> std::io::Result<()> {
    for report in reports {
        for check in report.checks.iter().filter(|check| !quiet || check.grade != Grade::Fine) {
            line(out, &report.name, check)?;
        }
    }
    let bad = reports.iter().filter(|report| !report.is_ok()).count();
    match (reports.len(), bad) {
        (all, 0) => writeln!(out, "{all} packages keep what they promise"),
        (all, bad) => writeln!(out, "{bad} of {all} packages do not keep what they promise"),
    }
}

/// `ok|FAIL package check: reason`
fn line(out: &mut dyn Write, package: &str, check: &Check) -> std::io::Result<()> {
    let text = check.text.replace('\n', "\n    ");
    let Check { name, .. } = check;
    match check.grade {
        Grade::Fine => writeln!(out, "ok {package} {name}: {text}"),
        Grade::Doubtful => writeln!(out, "ok {package} {name}: {0}warning:{0:#} {text}", color::WARNING),
        Grade::Wrong => writeln!(out, "{0}FAIL{0:#} {package} {name}: {text}", color::ERROR),
    }
}

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    packages: Vec<PackageDocument<'a>>,
}

#[derive(Serialize)]
struct PackageDocument<'a> {
    name: &'a str,
    ok: bool,
    checks: Vec<CheckDocument<'a>>,
}

#[derive(Serialize)]
struct CheckDocument<'a> {
    check: &'a str,
    ok: bool,
    /// Nothing where all is well; a warning where something is doubtful.
    reason: Option<String>,
}

impl<'a> Document<'a> {
    fn new(reports: &'a [Report]) -> Document<'a> {
        let package = |report: &'a Report| PackageDocument {
            name: &report.name,
            ok: report.is_ok(),
            checks: report.checks.iter().map(CheckDocument::new).collect(),
        };
        Document { packages: reports.iter().map(package).collect() }
    }
}

impl<'a> CheckDocument<'a> {
    fn new(check: &'a Check) -> CheckDocument<'a> {
        let reason = match check.grade {
            Grade::Fine => None,
            Grade::Doubtful => Some(format!("warning: {}", check.text)),
            Grade::Wrong => Some(check.text.clone()),
        };
        CheckDocument { check: &check.name, ok: check.grade != Grade::Wrong, reason }
    }
}
