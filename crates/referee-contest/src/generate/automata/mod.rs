//! The properties of the QEA team, the maps and iterators of JavaMOP's, and pieces on devices.
//!
//! | shape | generators |
//! |---|---|
//! | one variable, with or without a register | granting, lifecycle |
//! | two variables that events bind one at a time | nested, conflicts, pieces |
//! | some rover leads all others | leader |
//! | slices that events bind in parts | maps |
//!
//! Each asks by default for as many events as its published trace has.

mod commands;
mod maps;
mod pieces;
mod resources;
mod rovers;

use referee_spec::core::Language;
use referee_trace::format::Format;

use super::{Breach, Generator};

const COMMON: Generator = Generator {
    name: "",
    about: "",
    language: Language::Qea,
    specification: "",
    events: 1_000_000,
    format: Format::Csv,
    times: false,
    kinds: &[],
    breach: Breach::Once { before: 0, after: 0 },
    timed: None,
    story: rovers::story,
};

/// The text of a specification.
macro_rules! specification {
    ($name:literal) => {
        include_str!(concat!("../../../specifications/", $name))
    };
}

/// All of them.
pub(super) const ALL: &[Generator] = &[
    Generator {
        name: "qea-leader",
        about: "Some rover has pinged all others and was answered",
        specification: specification!("qea-leader.qea"),
        events: 9_756,
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
        kinds: maps::KINDS,
        breach: Breach::Once { before: 3, after: 0 },
        story: maps::story,
        ..COMMON
    },
];
