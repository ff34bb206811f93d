//! Our packages: each can be generated, and its traces have the verdicts that are asked for, says each specification of it.

use std::path::Path;

use referee_contest::package::{Expected, Generated, Package, Subject, Trace, TraceSource};
use referee_contest::validate::{Check, Effort, Grade, package_report};
use referee_generate::{Request, Schedule, Share, Values, Verdict};
use referee_spec::core::Language;
use referee_testing::daily_seed;

fn packages() -> Vec<Package> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks");
    let mut paths: Vec<_> = directory.read_dir().expect("benchmarks").map(|entry| entry.expect("one").path()).collect();
    paths.sort();
    let documents = paths.iter().filter(|path| path.join("benchmark.toml").exists());
    documents.map(|path| Package::load(path).expect("it loads")).collect()
}

fn generated(package: &Package) -> (&Trace, &Generated) {
    package.generated().unwrap_or_else(|| panic!("{} has no generator", package.id))
}

/// A wish that differs from the package's own in what a user may ask for.
fn wish(package: &Package, events: u64, seed: u64, verdict: Verdict) -> Generated {
    let (_, Generated { generator, request }) = generated(package);
    let multiple = if verdict == Verdict::Satisfied { generator.sizes.multiple_of } else { 1 };
    let request = Request {
        events: Some(events.next_multiple_of(multiple)),
        seed,
        verdict,
        at: None,
        per_point: None,
        live: None,
        violations: None,
        ..request.clone()
    };
    Generated { generator, request }
}

/// What all specifications of the package say of another trace: the checks of that alone.
fn checks(package: &Package, made: &Generated) -> Vec<Check> {
    let mut package = package.clone();
    package.property.demonstrations.clear();
    let source = TraceSource::Generated(Box::new(made.clone()));
    let (trace, _) = generated(&package);
    package.subject = Subject::Trace(Trace { source, sha256: None, ..trace.clone() });
    package.further.clear();
    package.verdict.witness.clear();
    package.verdict.violating_event = None;
    package.verdict.decided_at = None;
    package.verdict.status = match made.request.verdict {
        Verdict::Satisfied => Expected::Satisfied,
        Verdict::Violated => Expected::Violated,
    };
    let effort = Effort { random: 0, events: None, threads: 1, ..Effort::small() };
    package_report(&package, &effort).checks
}

fn find<'c>(checks: &'c [Check], name: &str) -> &'c Check {
    checks.iter().find(|check| check.name == name).unwrap_or_else(|| panic!("no check {name} in {checks:?}"))
}

fn assert_judged_as_asked(package: &Package, made: &Generated) -> Vec<Check> {
    let checks = checks(package, made);
    let verdict = find(&checks, "verdict");
    assert_eq!(verdict.grade, Grade::Fine, "{} {:?}: {}", package.id, made.request, verdict.text);
    checks
}

#[test]
fn satisfied_traces_satisfy_every_specification_of_their_package() {
    for package in packages() {
        for (events, seed) in [(40, 1), (301, daily_seed())] {
            assert_judged_as_asked(&package, &wish(&package, events, seed, Verdict::Satisfied));
        }
    }
}

/// The report of a violated trace says where it was decided: at the place that was asked for, or by the end.
#[test]
fn violated_traces_violate_every_specification_of_their_package() {
    for package in packages() {
        for (events, seed, at) in [(100, 1, 500), (301, daily_seed(), 999)] {
            let mut made = wish(&package, events, seed, Verdict::Violated);
            made.request.at = Some(Share::thousandths(at));
            // Those that spread their violations have no single place.
            if made.generator.order(&made.request).is_err() {
                made.request.at = None;
            }
            let checks = assert_judged_as_asked(&package, &made);
            let order = made.generator.order(&made.request).expect("it was made");
            if matches!(order.schedule, Schedule::Once { .. }) {
                let place = Share::thousandths(at).up(events);
                let late = &find(&checks, "late").text;
                let known =
                    [place, events].iter().any(|point| late.starts_with(&format!("decided by point {point} of")));
                assert!(known, "{}: {late}, not {place}", package.id);
            }
        }
    }
}

/// Strings without any order do not change a verdict, where a field may hold them: where one is declared to be a number,
/// that is told.
#[test]
fn strings_have_the_same_verdicts() {
    for package in packages() {
        for verdict in [Verdict::Satisfied, Verdict::Violated] {
            let mut made = wish(&package, 120, 5, verdict);
            made.request.values = Values::Strings;
            let typed =
                package.property.events.iter().flat_map(|kind| &kind.fields).any(|field| field.writing.is_some());
            if !typed {
                assert_judged_as_asked(&package, &made);
            }
        }
    }
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

/// A text without its comments and its layout.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/']));
    lines.flat_map(str::split_whitespace).collect::<String>().to_lowercase().replace(';', "")
}

/// A generator that is called like a package speaks of the package's own property.
#[test]
fn generators_carry_the_specification_of_their_package() {
    for package in packages() {
        let name = package.directory.file_name().and_then(|name| name.to_str()).expect("a name");
        // The package of these has the pointcuts of its authors, too, which say nothing about traces.
        let Some(generator) = referee_generate::find(name).filter(|_| name != "mop-maps") else { continue };
        let is_same = |language: &str| Language::from_name(language) == Some(generator.language);
        let formal = package.property.formal.iter().filter(|formal| is_same(&formal.language));
        let mut texts = formal.filter_map(|formal| std::fs::read_to_string(package.path(&formal.file)).ok());
        let said = code(generator.specification);
        assert!(texts.any(|text| said.contains(&code(&text))), "{}: {said}", package.id);
    }
}
