//! The rows of the checklist, and how much work they may be.

/// How much work a validation may be.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Traces with more events are made smaller, or left out if nobody can make them; without it, none are.
    pub events: Option<u64>,
    /// On how many random traces specifications are compared.
    pub random: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many threads share the work.
    pub threads: usize,
}

impl Effort {
    /// Small traces, for every change: a second or so per package.
    pub fn small() -> Effort {
        Effort { events: Some(20_000), random: 2_000, seed: 1, threads: threads() }
    }

    /// Traces of the sizes that the packages name.
    pub fn published() -> Effort {
        Effort { events: None, ..Effort::small() }
    }

    /// Whether a trace with this many events is checked as it is.
    pub(super) fn allows(&self, events: u64) -> bool {
        self.events.is_none_or(|most| events <= most)
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// All is well.
    Fine,
    /// It is allowed, and probably not meant.
    Doubtful,
    /// The package does not keep a promise.
    Wrong,
}

/// One row of the checklist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked, such as `demonstrations property.qtl`.
    pub name: String,
    /// How it went.
    pub grade: Grade,
    /// What was found, in a sentence without its full stop.
    pub text: String,
}

impl Check {
    /// All is well.
    pub(super) fn fine(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Fine, text: text.into() }
    }

    /// It is allowed, and probably not meant.
    pub(super) fn doubtful(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Doubtful, text: text.into() }
    }

    /// The package does not keep a promise.
    pub(super) fn wrong(name: impl Into<String>, text: impl Into<String>) -> Check {
        Check { name: name.into(), grade: Grade::Wrong, text: text.into() }
    }

    /// Fine with one text, or wrong with another.
    pub(super) fn of(name: impl Into<String>, result: Result<String, String>) -> Check {
        match result {
            Ok(text) => Check::fine(name, text),
            Err(text) => Check::wrong(name, text),
        }
    }
}

/// Everything that was checked of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The package's identifier; of a package that cannot be loaded, its directory's name.
    pub name: String,
    /// What was checked, in order.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether the package keeps all its promises.
    pub fn is_ok(&self) -> bool {
        self.checks.iter().all(|check| check.grade != Grade::Wrong)
    }

    /// The first promise that is not kept.
    pub fn first_wrong(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.grade == Grade::Wrong)
    }
}
