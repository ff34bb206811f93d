//! `monpoly`: `@ts P (v,…)(v,…) Q (v,…);` per point.

pub mod decode;
pub(crate) mod encode;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "monpoly",
    extensions: &["log"],
    trusts_extension: false,
    detection: Detection::Opening(|text| text.starts_with('@')),
    points: PointNotation::Explicit,
    has_header: false,
    multiline: false,
};
