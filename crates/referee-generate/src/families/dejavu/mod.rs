//! The six properties of the DejaVu benchmark.
//!
//! As in the published traces many things are opened first (users log in, files are opened, data enter, locks are taken),
//! so that a monitor has much to remember, and some of them are used and closed afterwards.

mod access;
mod fifo;
mod file;
mod threads;
mod timed_access;

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};

/// What all of them have in common.
const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Qtl,
    specification: "",
    events: 1_000_000,
    sizes: Sizes::ANY,
    format: Format::CsvPlain,
    times: false,
    kinds: &[],
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: access::story,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "dejavu-access",
        about: "Who touches a file is logged in, and the file is open",
        specification: specification!("dejavu-access.qtl"),
        kinds: access::KINDS,
        timed: Some(&TIMED_ACCESS),
        story: access::story,
        ..COMMON
    },
    Generator {
        name: "dejavu-file",
        about: "Only what is open, in whichever mode, is closed",
        specification: specification!("dejavu-file.qtl"),
        kinds: file::KINDS,
        story: file::story,
        ..COMMON
    },
    Generator {
        name: "dejavu-fifo",
        about: "What enters a queue leaves it once, in the same order",
        specification: specification!("dejavu-fifo.qtl"),
        kinds: fifo::KINDS,
        story: fifo::story,
        ..COMMON
    },
    Generator {
        name: "dejavu-locking",
        about: "Locks have one owner, who gives them back and does not sleep before",
        specification: specification!("dejavu-locking.qtl"),
        kinds: threads::LOCKING_KINDS,
        story: threads::locking,
        ..COMMON
    },
    Generator {
        name: "dejavu-deadlock",
        about: "No two locks are taken in both orders",
        specification: specification!("dejavu-deadlock.qtl"),
        kinds: threads::DEADLOCK_KINDS,
        breach: Breach::Once { before: 5, after: 2 },
        story: threads::deadlock,
        ..COMMON
    },
    Generator {
        name: "dejavu-datarace",
        about: "Threads that share a variable share a lock whenever they use it",
        specification: specification!("dejavu-datarace.qtl"),
        kinds: threads::DATARACE_KINDS,
        breach: Breach::Once { before: 4, after: 1 },
        story: threads::datarace,
        ..COMMON
    },
];

static TIMED_ACCESS: Generator = Generator {
    name: "dejavu-access --timed",
    about: "Who touches a file has logged in and the file has been opened at most 50 time units ago",
    specification: specification!("dejavu-access.timed.qtl"),
    times: true,
    kinds: access::KINDS,
    story: timed_access::story,
    ..COMMON
};
