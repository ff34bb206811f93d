//! Packages that no random trace tells apart are one benchmark too many.

use std::collections::BTreeSet;

use referee_spec::core::Status;
use referee_trace::owned::OwnedTrace;

use super::checklist::{Check, Effort};
use super::random::Chance;
use super::specification::Specification;
use crate::package::Package;

/// How many random traces of each package two packages are compared on, at most.
const TRACES: usize = 500;

/// A warning for every package that agrees with an earlier one on all random traces of both; each with its number.
pub(super) fn checks(packages: &[(usize, &Package)], effort: &Effort) -> Vec<(usize, Check)> {
    let subjects: Vec<Subject<'_>> =
        packages.iter().filter_map(|(index, package)| Subject::new(*index, package)).collect();
    let mut found = Vec::new();
    for (position, later) in subjects.iter().enumerate() {
        let alike = subjects[..position].iter().filter(|earlier| earlier.signature == later.signature);
        let mut same = alike.filter(|earlier| !earlier.differs(later, effort));
        if let Some(earlier) = same.next() {
            let text = format!("no random trace tells it from {}", earlier.package.id);
            found.push((later.index, Check::doubtful("dissimilar", text)));
        }
    }
    found
}

/// A package with a specification to judge by.
struct Subject<'a> {
    index: usize,
    package: &'a Package,
    signature: BTreeSet<(&'a str, usize)>,
    specifications: Vec<Specification>,
}

impl<'a> Subject<'a> {
    fn new(index: usize, package: &'a Package) -> Option<Subject<'a>> {
        let specifications = Specification::all(package, &mut Vec::new());
        let events = package.property.events.iter();
        let signature = events.map(|event| (event.name.as_str(), event.fields.len())).collect();
        (!specifications.is_empty()).then_some(Subject { index, package, signature, specifications })
    }

    /// Whether a random trace of either tells them apart.
    fn differs(&self, other: &Subject<'_>, effort: &Effort) -> bool {
        let count = effort.random.min(TRACES) as u64;
        [self, other].into_iter().any(|subject| {
            let chance = Chance::new(subject.package, &subject.specifications);
            let mut traces = (0..count).map(|number| chance.trace(effort.seed, number));
            traces.any(|trace| self.says(&chance, &trace) != other.says(&chance, &trace))
        })
    }

    /// What its first specification says of a trace.
    fn says(&self, chance: &Chance, trace: &OwnedTrace) -> Option<Status> {
        let first = self.specifications.first()?;
        chance.status(first, &first.rules, trace)
    }
}
