//! The policies of the MonPoly team: times, several events per point, windows with many rows, many violations.
//!
//! A *row* is what a policy has to remember: an authorisation, an approval, an insertion, a withdrawal, a transaction that
//! waits for its report. Time follows the rows: while `live` rows come, as much time passes as the window is long, so
//! that about so many rows are within the window at any moment, however many events the trace and its points have.

mod approve;
mod auth;
mod clock;
mod fields;
mod insert;
mod report;
mod withdraw;

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Mfotl,
    specification: "",
    events: 1_000_000,
    sizes: Sizes::ANY,
    format: Format::CsvNamed,
    times: true,
    kinds: report::KINDS,
    breach: Breach::Spread,
    timed: None,
    story: report::story,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "monpoly-report",
        about: "Transactions above 2000 are reported within 5 days",
        specification: specification!("monpoly-report.mfotl"),
        kinds: report::KINDS,
        story: report::story,
        ..COMMON
    },
    Generator {
        name: "monpoly-auth",
        about: "Transactions above 2000 have been authorised 2 to 20 days before",
        specification: specification!("monpoly-auth.mfotl"),
        kinds: auth::KINDS,
        story: auth::story,
        ..COMMON
    },
    Generator {
        name: "monpoly-approve",
        about: "Accountants publish what their managers approved at most 10 days before",
        specification: specification!("monpoly-approve.mfotl"),
        kinds: approve::KINDS,
        story: approve::story,
        ..COMMON
    },
    Generator {
        name: "monpoly-withdraw",
        about: "In 28 days nobody withdraws more than 10,000",
        specification: specification!("monpoly-withdraw.mfotl"),
        kinds: withdraw::KINDS,
        story: withdraw::story,
        ..COMMON
    },
    Generator {
        name: "monpoly-insert",
        about: "What is inserted into db3 was inserted into db2 within the last minute",
        specification: specification!("monpoly-insert.mfotl"),
        kinds: insert::KINDS,
        story: insert::story,
        ..COMMON
    },
];
