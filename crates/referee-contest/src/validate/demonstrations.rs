//! Informal and formal agree: each specification gives each demonstration its verdict.

use referee_spec::core::Status;
use referee_spec::language::Vocabulary;
use referee_trace::owned::{Collect, OwnedTrace};
use referee_trace::reader;

use super::checklist::{Check, Grade};
use super::declared::Declared;
use super::judge::{read_options, read_short, status_of_all};
use super::specification::{Specification, mapping_of, trace as trace_of};
use crate::package::{Acceptance, Demonstration, Package};

/// Judges all demonstrations by all specifications.
pub(super) fn checks(
    package: &Package,
    specifications: &[Specification],
    assumed: Option<&Specification>,
    checks: &mut Vec<Check>,
) {
    for (index, specification) in specifications.iter().enumerate() {
        let name = format!("demonstrations {}", specification.name);
        let assumed = assumed.filter(|_| index > 0);
        checks.push(Check::of(name, judged(package, specification, assumed)));
    }
}

fn judged(package: &Package, specification: &Specification, assumed: Option<&Specification>) -> Result<String, String> {
    let all = &package.property.demonstrations;
    let mut left_out = 0;
    for (number, demonstration) in (1..).zip(all) {
        if breaks(package, demonstration, assumed) {
            left_out += 1;
            continue;
        }
        let about = |text: String| format!("demonstration {number} ({}): {text}", shown(demonstration));
        one(package, demonstration, specification).map_err(about)?;
    }
    let more = match left_out {
        0 => String::new(),
        _ => format!("; {left_out} left out, which break what is assumed"),
    };
    Ok(format!("{} judged as the package says{more}", all.len() - left_out))
}

/// Whether a demonstration breaks what is assumed. Of such a one the authors' specification, the first, speaks alone.
fn breaks(package: &Package, demonstration: &Demonstration, assumed: Option<&Specification>) -> bool {
    let Some(assumed) = assumed else { return false };
    let traces = read(package, demonstration, assumed);
    traces.is_ok_and(|traces| status_of_all(&assumed.rules, &traces) != Status::Satisfied)
}

/// Whether a specification says of a demonstration what the package says.
fn one(package: &Package, demonstration: &Demonstration, specification: &Specification) -> Result<(), String> {
    let traces = read(package, demonstration, specification)?;
    let declared = declared(package);
    traces.iter().try_for_each(|trace| declared.check_trace(trace))?;
    has_inputs(package, specification, &traces)?;
    let found = status_of_all(&specification.rules, &traces);
    let said = match demonstration.verdict {
        Acceptance::Accepted => "accepted",
        Acceptance::Rejected => "rejected",
    };
    match found == expected(demonstration) {
        true => Ok(()),
        false => Err(format!("the package says {said}, the specification {found}")),
    }
}

/// Whether all inputs of a specification come. A demonstration is short, and need not show every event: it is enough that
/// the others show what it lacks.
fn has_inputs(package: &Package, specification: &Specification, traces: &[OwnedTrace]) -> Result<(), String> {
    specification.check_inputs(&Vocabulary::of_traces(traces)).or_else(|_| {
        let all = package.property.demonstrations.iter().filter_map(|one| read(package, one, specification).ok());
        specification.check_inputs(&Vocabulary::of_traces(&all.flatten().collect::<Vec<_>>()))
    })
}

/// A demonstration judged by one specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demonstrated {
    /// The file of the specification.
    pub specification: String,
    /// The demonstration's number, from 1.
    pub number: usize,
    /// Its trace, or the file of it.
    pub trace: String,
    /// What is wrong.
    pub result: Result<(), String>,
}

/// Judges every demonstration by every specification; the first list is what is wrong with the specifications.
pub fn demonstrate(package: &Package) -> (Vec<Check>, Vec<Demonstrated>) {
    let mut checks = Vec::new();
    let specifications = Specification::all(package, &mut checks);
    let assumed = Specification::assumed(package, &mut checks);
    checks.retain(|check| check.grade == Grade::Wrong);
    let mut all = Vec::new();
    for (index, specification) in specifications.iter().enumerate() {
        let assumed = assumed.as_ref().filter(|_| index > 0);
        for (number, demonstration) in (1..).zip(&package.property.demonstrations) {
            if breaks(package, demonstration, assumed) {
                continue;
            }
            let result = one(package, demonstration, specification);
            let (specification, trace) = (specification.name.clone(), shown(demonstration));
            all.push(Demonstrated { specification, number, trace, result });
        }
    }
    (checks, all)
}

/// The demonstration's trace as a specification reads it; several, where a mapping splits it.
pub(super) fn read(
    package: &Package,
    demonstration: &Demonstration,
    specification: &Specification,
) -> Result<Vec<OwnedTrace>, String> {
    let mapping = trace_of(package).and_then(|trace| trace.mapping.as_deref());
    let mapping = mapping.map(|name| mapping_of(package, name)).transpose()?;
    let Some(file) = &demonstration.file else {
        let text = demonstration.trace.as_deref().unwrap_or_default();
        return read_short(text, specification, mapping).map_err(|error| error.to_string());
    };
    let mut collect = Collect::default();
    reader::read(&[package.path(file)], &read_options(specification, None, mapping), &mut collect)
        .map_err(|error| error.to_string())?;
    Ok(collect.into_traces())
}

/// The status that a demonstration should have.
pub(super) fn expected(demonstration: &Demonstration) -> Status {
    match demonstration.verdict {
        Acceptance::Accepted => Status::Satisfied,
        Acceptance::Rejected => Status::Violated,
    }
}

fn shown(demonstration: &Demonstration) -> String {
    match (&demonstration.trace, &demonstration.file) {
        (_, Some(file)) => file.clone(),
        (Some(text), None) if text.trim().is_empty() => "the empty trace".into(),
        (text, None) => format!("`{}`", text.as_deref().unwrap_or_default().trim()),
    }
}

/// What the traces of a package may show.
pub(super) fn declared(package: &Package) -> Declared<'_> {
    let mapped = trace_of(package).is_some_and(|trace| trace.mapping.is_some());
    Declared { kinds: &package.property.events, mapped }
}
