//! Every package of ours can be generated, and its traces have the verdicts that are asked for, says each specification.

use std::path::Path;

use referee_spec::core::{Language, Status};

use super::specification::Specification;
use super::subject::judge_generated;
use crate::generate::{self, Request, Schedule, Share, Values, Verdict};
use crate::package::{Generated, Package};

fn packages() -> Vec<Package> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks");
    let mut paths: Vec<_> = directory.read_dir().expect("benchmarks").map(|entry| entry.expect("one").path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.join("benchmark.toml").exists())
        .map(|path| Package::load(path).expect("it loads"))
        .collect()
}

/// The edge cases that the competition asks for.
#[test]
fn every_package_shows_the_empty_trace_and_a_broken_assumption() {
    for package in packages() {
        let demonstrations = &package.property.demonstrations;
        assert!(demonstrations.iter().any(|one| one.trace.as_deref() == Some("")), "{}: no empty trace", package.id);
        let broken = demonstrations.iter().any(|one| one.why.contains("assum"));
        assert!(broken && !package.property.informal.assumptions.is_empty(), "{}: no assumption", package.id);
    }
}

/// A generator that is called like a package speaks of the package's own property.
#[test]
fn generators_carry_the_specification_of_their_package() {
    for package in packages() {
        let Some(generator) = package.directory.file_name().and_then(|name| generate::find(name.to_str()?)) else {
            continue;
        };
        let formal = package
            .property
            .formal
            .iter()
            .filter(|formal| Language::from_name(&formal.language) == Some(generator.language));
        let mut texts = formal.filter_map(|formal| std::fs::read_to_string(package.path(&formal.file)).ok());
        let code = |text: &str| -> String { text.lines().filter(|line| !line.starts_with(['#', '/'])).collect() };
        let said = code(generator.specification);
        assert!(texts.any(|text| said.contains(&code(&text))), "{}: {said}", package.id);
    }
}

/// A wish that the package's own differs from in what a user may ask for.
fn wish(generated: &Generated, events: u64, seed: u64, verdict: Verdict) -> Generated {
    let multiple = if verdict == Verdict::Satisfied { generated.generator.sizes.multiple_of } else { 1 };
    let events = Some(events.next_multiple_of(multiple));
    let (per_point, live, violations) = (None, None, None);
    let request = Request { events, seed, verdict, per_point, live, violations, at: None, ..generated.request.clone() };
    Generated { generator: generated.generator, request }
}

/// What all specifications of a package say of a generated trace, and where the first violation was found.
fn judged(package: &Package, made: &Generated) -> (Vec<Status>, Option<u64>) {
    let specifications = Specification::all(package, &mut Vec::new());
    assert!(!specifications.is_empty(), "{}", package.id);
    let judged = judge_generated(package, made, &specifications)
        .unwrap_or_else(|error| panic!("{} {:?}: {error}", package.id, made.request));
    let decided = judged.found.iter().flatten().filter_map(|(_, found)| found.violation.decided).min();
    (judged.statuses, decided)
}

#[test]
fn satisfied_traces_satisfy_every_specification_of_their_package() {
    for package in packages() {
        let (_, generated) = package.generated().unwrap_or_else(|| panic!("{} has no generator", package.id));
        for (events, seed) in [(40, 1), (120, 2), (301, 3)] {
            let made = wish(generated, events, seed, Verdict::Satisfied);
            let (statuses, _) = judged(&package, &made);
            assert!(
                statuses.iter().all(|status| *status == Status::Satisfied),
                "{} {:?}: {statuses:?}",
                package.id,
                made.request
            );
        }
    }
}

#[test]
fn violated_traces_violate_every_specification_of_their_package_where_they_should() {
    for package in packages() {
        let Some((_, generated)) = package.generated() else { continue };
        for (events, seed, at) in [(80, 1, 500), (120, 2, 999), (301, 3, 999)] {
            let mut made = wish(generated, events, seed, Verdict::Violated);
            // Those that spread their violations have no single place.
            made.request.at = Some(Share::thousandths(at));
            if made.generator.order(&made.request).is_err() {
                made.request.at = None;
            }
            let order =
                made.generator.order(&made.request).unwrap_or_else(|refusal| panic!("{}: {refusal}", package.id));
            let (statuses, decided) = judged(&package, &made);
            assert!(
                statuses.iter().all(|status| *status == Status::Violated),
                "{} {:?}: {statuses:?}",
                package.id,
                made.request
            );
            if let (Schedule::Once { .. }, Some(decided)) = (order.schedule, decided) {
                let place = Share::thousandths(at).up(order.events);
                assert!([place, order.events].contains(&decided), "{}: {decided}, not {place}", package.id);
            }
        }
    }
}

/// Strings without any order do not change a verdict, where a field may hold them.
#[test]
fn strings_have_the_same_verdicts() {
    for package in packages() {
        let Some((_, generated)) = package.generated() else { continue };
        for (verdict, expected) in [(Verdict::Satisfied, Status::Satisfied), (Verdict::Violated, Status::Violated)] {
            let mut made = wish(generated, 120, 5, verdict);
            made.request.values = Values::Strings;
            let (statuses, _) = judged(&package, &made);
            assert!(
                statuses.iter().all(|status| *status == expected),
                "{} {:?}: {statuses:?}",
                package.id,
                made.request
            );
        }
    }
}
