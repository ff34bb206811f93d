//! `csv-plain`: `name,value,…` per line.

pub mod decode;
pub(crate) mod encode;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "csv-plain",
    extensions: &["csv"],
    trusts_extension: true,
    detection: Detection::Otherwise,
    points: PointNotation::Absent,
    has_header: false,
    multiline: false,
};
