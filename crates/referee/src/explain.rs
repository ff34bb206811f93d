//! `referee explain`: what a code means, or how a specification will be judged.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use referee_spec::diagnostic::Explanation;
use referee_spec::explanations::{explain, explanations};
use referee_spec::language::Options;
use referee_spec::lint;
use referee_trace::mapping::{Mapping, Unit};
use serde::Serialize;

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::specification::Specification;

/// Explain an error or lint by its code, or how a specification will be judged
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A specification, or a code like E0101 or L0003
    #[arg(value_name = "SPEC|CODE")]
    subject: PathBuf,
    /// The mapping of the traces that will be judged, for the unit of their times: without it, seconds
    #[arg(long = "map", value_name = "MAPPING")]
    map: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs) -> Result<ExitStatus, Failure> {
    match args.subject.to_str().filter(|subject| is_code(subject)) {
        Some(code) => explain_code(code, args.json),
        None => explain_specification(args),
    }
}

fn is_code(subject: &str) -> bool {
    let (letter, digits) = subject.split_at_checked(1).unwrap_or(("", ""));
    matches!(letter, "E" | "L" | "e" | "l") && digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// An explanation as JSON has it.
#[derive(Serialize)]
struct CodeReport {
    code: &'static str,
    title: &'static str,
    meaning: &'static str,
    why: &'static str,
    example: &'static str,
    instead: &'static str,
}

fn explain_code(code: &str, json: bool) -> Result<ExitStatus, Failure> {
    let code = code.to_ascii_uppercase();
    let Some(found) = explain(&code) else {
        let first = explanations().first().map_or("", |explanation| explanation.code);
        return Err(Failure::Other(format!(
            "there is no code {code}\n  hint: codes look like {first}; docs/codes.md lists them"
        )));
    };
    let mut out = io::stdout().lock();
    if json {
        let Explanation { code, title, meaning, why, example, instead } = *found;
        let report = CodeReport { code, title, meaning, why, example, instead };
        serde_json::to_writer(&mut out, &report).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", found.text())?;
    }
    Ok(ExitStatus::Fine)
}

fn explain_specification(args: &ExplainArgs) -> Result<ExitStatus, Failure> {
    let unit = args.map.as_deref().map(Mapping::load).transpose()?.map_or(Unit::Second, |mapping| mapping.unit());
    let options = Options { unit, ..Options::default() };
    let mut outlines = Vec::new();
    for specification in Specification::load(&args.subject, None)? {
        for rule in specification.compile(&options)? {
            specification.report(&lint::lint(&rule, None))?;
            outlines.push(referee_engine::explain::of(&rule));
        }
    }
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &outlines).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        let texts: Vec<String> = outlines.iter().map(ToString::to_string).collect();
        write!(out, "{}", texts.join("\n"))?;
    }
    Ok(ExitStatus::Fine)
}
