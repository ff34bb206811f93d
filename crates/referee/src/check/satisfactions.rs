//! `--satisfactions`: the assignments that satisfy an MFOTL formula at each point, in MonPoly's form.
//!
//! What satisfies a formula violates its negation, so the negation is judged, at every point and for every assignment.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use referee_engine::judge_rule;
use referee_spec::core::{Formula, Judgement, Kind, Language, Property, Rule, Status, Violation};
use referee_spec::language::Options;
use referee_spec::mfotl;
use referee_trace::number::Number;
use referee_trace::owned::{Collect, OwnedTrace};

use super::args::CheckArgs;
use super::options::{Given, Input, Reading, inline_or_files, read_options};
use super::report::Reporter;
use crate::failure::Failure;
use crate::specification::{Specification, vocabulary};
use crate::streams::tell;

/// Prints the satisfactions of all formulas, then the status of having done so.
pub(super) fn print(
    args: &CheckArgs,
    given: &Given,
    specifications: &[Specification],
    reporter: &Reporter,
) -> Result<Status, Failure> {
    let options =
        Options { signature: given.signature.as_ref().map(vocabulary), unit: given.unit(), ..Options::default() };
    let mut read = read_options(args, given, Reading::of(Language::Mfotl, false));
    let mut rules = Vec::new();
    for specification in specifications {
        for property in formulas(specification, &options)? {
            let need = specification.time_need(&Rule::Formula(Arc::new(property.clone())));
            read.meaning.need = std::mem::take(&mut read.meaning.need).and(need);
            let property = negation(property);
            let closed = property.bindings.is_empty();
            rules.push((Arc::new(Rule::Formula(Arc::new(property))), closed));
        }
    }
    let mut collect = Collect::default();
    inline_or_files(Input::of(args), &read, &mut collect)?;
    let traces = collect.into_traces();
    let mut status = Status::Satisfied;
    for (rule, closed) in &rules {
        for trace in &traces {
            if print_formula(rule, *closed, trace)? == Status::GaveUp {
                status = Status::GaveUp;
            }
        }
    }
    reporter.seal();
    writeln!(io::stdout(), "STATUS: {status}")?;
    Ok(status)
}

fn formulas(specification: &Specification, options: &Options) -> Result<Vec<Property>, Failure> {
    if specification.language != Language::Mfotl {
        let name = &specification.source.name;
        return Err(Failure::Other(format!(
            "{name}: --satisfactions is for MFOTL; {} has violations only",
            specification.language.name()
        )));
    }
    let compiled = mfotl::compile_satisfactions(&specification.source, options);
    specification.report(&compiled.diagnostics)?;
    Ok(compiled.properties)
}

fn negation(property: Property) -> Property {
    let span = property.body.span;
    let body = Formula::new(Kind::Not(Box::new(property.body)), span);
    Property { body, judgement: Judgement::EveryBinding, ..property }
}

fn print_formula(negation: &Arc<Rule>, closed: bool, trace: &OwnedTrace) -> Result<Status, Failure> {
    let outcome = judge_rule(negation, trace, false);
    let mut found: BTreeMap<u64, Vec<Violation>> = BTreeMap::new();
    for violation in outcome.violations {
        found.entry(violation.point).or_default().push(violation);
    }
    let mut out = io::stdout().lock();
    for (point, violations) in &found {
        writeln!(out, "{}", line(*point, trace, violations, closed))?;
    }
    out.flush()?;
    match outcome.obstacle {
        Some(obstacle) => {
            tell!("GaveUp: {} at point {}", obstacle.problem, obstacle.point);
            Ok(Status::GaveUp)
        }
        None => Ok(Status::Satisfied),
    }
}

/// `@ts (time point n): (v,…) (v,…)`, n from 0; `true` for a formula without free variables.
fn line(point: u64, trace: &OwnedTrace, satisfactions: &[Violation], closed: bool) -> String {
    let index = usize::try_from(point).unwrap_or(usize::MAX).saturating_sub(1);
    let time = trace.points.get(index).and_then(|point| point.time.clone()).unwrap_or(Number::ZERO);
    let tuple = |violation: &Violation| {
        let values: Vec<String> = violation
            .bindings
            .iter()
            .map(|value| value.as_ref().map_or_else(|| "*".to_owned(), ToString::to_string))
            .collect();
        format!("({})", values.join(","))
    };
    let tuples = if closed { "true".to_owned() } else { satisfactions.iter().map(tuple).collect::<Vec<_>>().join(" ") };
    format!("@{time} (time point {index}): {tuples}")
}
