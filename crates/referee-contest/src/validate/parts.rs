//! All parts are there: demonstrations of both kinds, reasons, a formal specification, counts that add up.

use super::Check;
use crate::package::{Acceptance, Package, Subject, Trace};
use crate::skeleton::blanks;

/// How many demonstrations of each kind a package has at least.
const DEMONSTRATIONS: usize = 3;

/// The checks that need nothing but the document.
pub(super) fn checks(package: &Package) -> Vec<Check> {
    let mut checks = vec![Check::of("parts", parts(package)), Check::of("reasons", reasons(package))];
    checks.extend(blank(package).map(|text| Check::wrong("blanks", text)));
    if let Subject::Trace(trace) = &package.subject {
        let further = package.further.iter().map(|further| (further.name.as_str(), &further.trace));
        let wrong = std::iter::once(("", trace)).chain(further).find_map(|(name, trace)| sum(name, trace).err());
        checks.extend(wrong.map(|text| Check::wrong("counts", text)));
    }
    checks
}

fn parts(package: &Package) -> Result<String, String> {
    if package.property.implicit.is_some() {
        return Ok("an implicit property needs neither formula nor demonstrations".into());
    }
    let [accepted, rejected] = [Acceptance::Accepted, Acceptance::Rejected].map(|kind| package.demonstrations(kind));
    if accepted < DEMONSTRATIONS || rejected < DEMONSTRATIONS {
        return Err(format!(
            "expected at least {DEMONSTRATIONS} accepted and {DEMONSTRATIONS} rejected demonstrations, found {accepted} and {rejected}"
        ));
    }
    match package.property.formal.len() {
        0 => Err("expected a formal specification, found none; add a table [[property.formal]]".into()),
        formal => Ok(format!("{accepted} accepted and {rejected} rejected demonstrations, {formal} specifications")),
    }
}

fn reasons(package: &Package) -> Result<String, String> {
    let mut numbered = (1..).zip(&package.property.demonstrations);
    match numbered.find(|(_, demonstration)| demonstration.why.trim().is_empty()) {
        Some((number, _)) => Err(format!("demonstration {number} has no reason; say in `why` what is right or wrong")),
        None => Ok("every demonstration has its reason".into()),
    }
}

/// The first blank that nobody has filled.
fn blank(package: &Package) -> Option<String> {
    let formal = package.property.formal.iter().map(|formal| package.path(&formal.file));
    [package.document.clone()].into_iter().chain(formal).find_map(|file| {
        let text = std::fs::read_to_string(&file).ok()?;
        let (line, asked) = blanks(&text).next()?;
        let name = file.file_name().unwrap_or_default().display();
        Some(format!("{name}:{line}: still blank: «{asked}»"))
    })
}

/// Whether the counts of a trace add up.
fn sum(name: &str, trace: &Trace) -> Result<(), String> {
    let sum: u64 = trace.counts.values().sum();
    let which = if name.is_empty() { String::new() } else { format!("{name}: ") };
    match sum == trace.events {
        true => Ok(()),
        false => Err(format!("{which}the counts add up to {sum}, not to the {} events", trace.events)),
    }
}
