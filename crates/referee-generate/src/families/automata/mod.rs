//! The properties of the QEA team, the maps and iterators of JavaMOP's and prm4j's, and pieces on devices.
//!
//! | shape | generators |
//! |---|---|
//! | one variable, with or without a register | granting, lifecycle |
//! | two variables that events bind one at a time | nested, conflicts, locks, pieces |
//! | some rover leads all others | leader |
//! | slices that events bind in parts | maps, iterators |
//!
//! Each asks by default for as many events as its published trace has.

mod commands;
mod locks;
mod maps;
mod pieces;
mod resources;
mod rovers;

use referee_spec::core::Language;
use referee_trace::format::Format;

use crate::generator::{Breach, Generator, Sizes};

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Qea,
    specification: "",
    events: 1_000_000,
    sizes: Sizes::ANY,
    format: Format::Csv,
    times: false,
    kinds: &[],
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: rovers::story,
};

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "qea-leader",
        about: "Some rover has pinged all others and was answered",
        specification: specification!("qea-leader.qea"),
        events: 9_756,
        // Without any rover, none leads.
        sizes: Sizes { least: 1, ..Sizes::ANY },
        kinds: rovers::KINDS,
        story: rovers::story,
        ..COMMON
    },
    Generator {
        name: "qea-granting",
        about: "A resource is held by one task at a time, which gives it back",
        specification: specification!("qea-granting.qea"),
        events: 1_000_002,
        kinds: resources::GRANTING_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        story: resources::granting,
        ..COMMON
    },
    Generator {
        name: "qea-nested",
        about: "Of two commands the one that began later succeeds first",
        specification: specification!("qea-nested.qea"),
        events: 1_200,
        kinds: commands::KINDS,
        breach: Breach::Once { before: 2, after: 1 },
        story: commands::story,
        ..COMMON
    },
    Generator {
        name: "qea-lifecycle",
        about: "Resources are requested, denied or granted, and given back",
        specification: specification!("qea-lifecycle.qea"),
        kinds: resources::LIFECYCLE_KINDS,
        breach: Breach::Once { before: 1, after: 0 },
        story: resources::lifecycle,
        ..COMMON
    },
    Generator {
        name: "qea-conflicts",
        about: "Resources that are in conflict are not granted at the same time",
        specification: specification!("qea-conflicts.qea"),
        events: 1_002_954,
        kinds: resources::CONFLICT_KINDS,
        breach: Breach::Once { before: 2, after: 0 },
        story: resources::conflicts,
        ..COMMON
    },
    Generator {
        name: "qea-pieces",
        about: "No piece is processed while its device is toggled",
        specification: specification!("qea-pieces.qea"),
        events: 110_003,
        kinds: pieces::KINDS,
        breach: Breach::Once { before: 2, after: 0 },
        story: pieces::story,
        ..COMMON
    },
    Generator {
        name: "mop-maps",
        about: "No iterator is used after the map that it goes over was updated",
        language: Language::Mop,
        specification: specification!("mop-maps.mop"),
        kinds: maps::MOP_KINDS,
        breach: Breach::Once { before: 3, after: 0 },
        story: maps::maps,
        ..COMMON
    },
    Generator {
        name: "prm4j-maps",
        about: "No iterator is used after the map that it goes over was changed",
        language: Language::Mop,
        specification: specification!("prm4j-maps.mop"),
        events: 100_000,
        kinds: maps::PRM4J_KINDS,
        breach: Breach::Once { before: 3, after: 0 },
        story: maps::maps,
        ..COMMON
    },
    Generator {
        name: "prm4j-iterators",
        about: "No iterator is used after the collection that it goes over was changed",
        language: Language::Mop,
        specification: specification!("prm4j-iterators.mop"),
        events: 100_000,
        kinds: maps::ITERATOR_KINDS,
        breach: Breach::Once { before: 3, after: 0 },
        story: maps::collections,
        ..COMMON
    },
    Generator {
        name: "prm4j-combined",
        about: "Iterators are asked, and not used after their collection or map was changed",
        language: Language::Mop,
        specification: specification!("prm4j-combined.mop"),
        events: 100_000,
        kinds: maps::COMBINED_KINDS,
        breach: Breach::Once { before: 4, after: 0 },
        story: maps::combined,
        ..COMMON
    },
    Generator {
        name: "qea-locks",
        about: "No two locks are taken in both orders",
        specification: specification!("qea-locks.qea"),
        events: 100_000,
        kinds: locks::KINDS,
        breach: Breach::Once { before: 5, after: 2 },
        story: locks::story,
        ..COMMON
    },
];
