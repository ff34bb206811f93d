//! `xes`: logs for process mining, IEEE 1849: `<log><trace><event><string key="…" value="…"/>…`.

pub mod decode;
mod marks;

pub(crate) use marks::is_xes;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "xes",
    extensions: &["xes"],
    trusts_extension: true,
    detection: Detection::Opening(|text| is_xes(text) == Some(true)),
    points: PointNotation::Fields,
    has_header: false,
    multiline: true,
};
