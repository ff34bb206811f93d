//! Twenty properties of the benchmark suite: what engines meet beyond the published benchmarks.
//!
//! | shape | generators |
//! |---|---|
//! | guarded by an event | checkout, lease, meters, questions |
//! | a join of past relations, with or without negation | doors, transfers, runways |
//! | not guarded by any event | sessions, parts |
//! | recursive | secrets |
//! | obligations without a deadline | tickets, jobs, parcels, audits, cards |
//! | windows and deadlines | doses, alarms, shifts, ballots, nodes |
//!
//! Each has three kinds of events or more, no two are the same but for names, and all three languages of first-order logic
//! take their part.

mod doors;
mod machines;
mod people;
mod pool;
mod secrets;
mod service;
mod trade;

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};

/// What those in DejaVu's logic have in common.
const PAST: Generator = Generator {
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
    story: doors::story,
};

/// What those in FO-LTL have in common.
const FUTURE: Generator = Generator { language: Language::Foltl, ..PAST };

/// What those in MFOTL have in common.
const METRIC: Generator = Generator { language: Language::Mfotl, format: Format::CsvNamed, times: true, ..PAST };

/// A breach that needs so many events before it.
const fn after(before: u64) -> Breach {
    Breach::Once { before, after: 0 }
}

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "suite-checkout",
        about: "What is shipped was ordered, then paid, and never cancelled",
        specification: specification!("suite-checkout.qtl"),
        kinds: trade::CHECKOUT_KINDS,
        breach: after(1),
        story: pool::story::<trade::Checkout>,
        ..PAST
    },
    Generator {
        name: "suite-doors",
        about: "Who enters has a role that opens the door",
        specification: specification!("suite-doors.qtl"),
        kinds: doors::KINDS,
        breach: after(2),
        story: doors::story,
        ..PAST
    },
    Generator {
        name: "suite-lease",
        about: "Things are used by those to whom they were lent from the stock",
        specification: specification!("suite-lease.qtl"),
        kinds: service::LEASE_KINDS,
        breach: after(2),
        story: pool::story::<service::LentThing>,
        ..PAST
    },
    Generator {
        name: "suite-sessions",
        about: "Nobody has two sessions at once",
        specification: specification!("suite-sessions.qtl"),
        kinds: people::SESSION_KINDS,
        breach: Breach::Once { before: 1, after: 1 },
        story: pool::story::<people::User>,
        ..PAST
    },
    Generator {
        name: "suite-transfers",
        about: "Money moves between accounts of one owner, who was never frozen",
        specification: specification!("suite-transfers.qtl"),
        kinds: trade::TRANSFER_KINDS,
        breach: after(2),
        story: pool::story::<trade::Owner>,
        ..PAST
    },
    Generator {
        name: "suite-runways",
        about: "Who takes off is cleared and alone on the runway",
        specification: specification!("suite-runways.qtl"),
        kinds: machines::RUNWAY_KINDS,
        breach: after(2),
        story: pool::story::<machines::Runway>,
        ..PAST
    },
    Generator {
        name: "suite-meters",
        about: "Meters do not count down unless they are reset or swapped",
        specification: specification!("suite-meters.qtl"),
        kinds: machines::METER_KINDS,
        breach: after(1),
        story: pool::story::<machines::Meter>,
        ..PAST
    },
    Generator {
        name: "suite-secrets",
        about: "No document is sent that holds a secret, copied from wherever",
        specification: specification!("suite-secrets.qtl"),
        kinds: secrets::KINDS,
        breach: after(2),
        story: secrets::story,
        ..PAST
    },
    Generator {
        name: "suite-parts",
        about: "Parts that failed had been tested whenever they were used",
        specification: specification!("suite-parts.qtl"),
        kinds: machines::PART_KINDS,
        breach: after(1),
        story: pool::story::<machines::Part>,
        ..PAST
    },
    Generator {
        name: "suite-questions",
        about: "What is solved was answered within 30 units, and that within 60 of the question",
        specification: specification!("suite-questions.timed.qtl"),
        times: true,
        kinds: service::ANSWER_KINDS,
        breach: after(1),
        story: pool::story::<service::Question>,
        ..PAST
    },
    Generator {
        name: "suite-tickets",
        about: "A ticket is closed or merged before it is opened again",
        specification: specification!("suite-tickets.foltl"),
        kinds: service::TICKET_KINDS,
        story: pool::story::<service::Ticket>,
        ..FUTURE
    },
    Generator {
        name: "suite-jobs",
        about: "Jobs run when granted, and every run is done",
        specification: specification!("suite-jobs.foltl"),
        kinds: machines::JOB_KINDS,
        breach: Breach::Once { before: 0, after: 1 },
        story: pool::story::<machines::Job>,
        ..FUTURE
    },
    Generator {
        name: "suite-parcels",
        about: "What is sent is picked up by a courier who delivers it",
        specification: specification!("suite-parcels.foltl"),
        kinds: trade::PARCEL_KINDS,
        breach: Breach::Once { before: 0, after: 2 },
        story: pool::story::<trade::Parcel>,
        ..FUTURE
    },
    Generator {
        name: "suite-audits",
        about: "Administrators who are removed are audited",
        specification: specification!("suite-audits.foltl"),
        kinds: people::AUDIT_KINDS,
        breach: after(1),
        story: pool::story::<people::Member>,
        ..FUTURE
    },
    Generator {
        name: "suite-cards",
        about: "Nobody pays with a card from when it is blocked until it is not",
        specification: specification!("suite-cards.foltl"),
        kinds: trade::CARD_KINDS,
        breach: after(1),
        story: pool::story::<trade::Card>,
        ..FUTURE
    },
    Generator {
        name: "suite-doses",
        about: "Drugs are given while prescribed within 24 units, and not twice within 4",
        specification: specification!("suite-doses.mfotl"),
        kinds: service::DOSE_KINDS,
        breach: after(2),
        story: pool::story::<service::Patient>,
        ..METRIC
    },
    Generator {
        name: "suite-alarms",
        about: "Alarms are acknowledged within 10 units, and not silenced before",
        specification: specification!("suite-alarms.mfotl"),
        kinds: service::ALARM_KINDS,
        breach: Breach::Once { before: 0, after: 1 },
        story: pool::story::<service::Alarm>,
        ..METRIC
    },
    Generator {
        name: "suite-shifts",
        about: "Whoever is assigned in absence is withdrawn within 20 units",
        specification: specification!("suite-shifts.mfotl"),
        kinds: people::SHIFT_KINDS,
        story: pool::story::<people::Worker>,
        ..METRIC
    },
    Generator {
        name: "suite-ballots",
        about: "What is committed has votes of two members within 60 units and no veto",
        specification: specification!("suite-ballots.mfotl"),
        kinds: people::BALLOT_KINDS,
        breach: after(2),
        story: pool::story::<people::Ballot>,
        ..METRIC
    },
    Generator {
        name: "suite-nodes",
        about: "Nodes that are declared dead have been silent for 15 units",
        specification: specification!("suite-nodes.mfotl"),
        kinds: machines::NODE_KINDS,
        story: pool::story::<machines::Node>,
        ..METRIC
    },
];
