//! `xml`: `<log><event><name/><field><name/><value/></field>…</event></log>`.

pub mod decode;
pub(crate) mod encode;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "xml",
    extensions: &["xml"],
    trusts_extension: true,
    detection: Detection::Opening(|text| text.starts_with('<')),
    points: PointNotation::Fields,
    has_header: false,
    multiline: true,
};
