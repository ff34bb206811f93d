//! `lines`: lines of text that the patterns of a mapping describe.

pub mod decode;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "lines",
    extensions: &["log"],
    trusts_extension: false,
    detection: Detection::Never,
    points: PointNotation::Fields,
    has_header: false,
    multiline: false,
};
