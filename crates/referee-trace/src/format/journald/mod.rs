//! `journald`: what `journalctl -o export` writes, blocks of `KEY=VALUE` lines with an empty line behind each.

pub mod decode;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "journald",
    extensions: &["journal"],
    trusts_extension: false,
    detection: Detection::Opening(|text| text.starts_with("__CURSOR=")),
    points: PointNotation::Fields,
    has_header: false,
    multiline: true,
};
