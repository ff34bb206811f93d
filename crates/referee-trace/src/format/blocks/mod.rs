//! `blocks`: a name line, then one `field = value` line per field.

pub mod decode;
pub(crate) mod encode;

use super::decode::head::field_of;
use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "blocks",
    extensions: &["blocks"],
    trusts_extension: true,
    detection: Detection::Likeness(is_blocks),
    points: PointNotation::Fields,
    has_header: false,
    multiline: true,
};

/// Whether the first line with `=` is a field right below a name line.
fn is_blocks(head: &str) -> bool {
    let mut name_above = false;
    for line in head.lines() {
        if field_of(line).is_some() {
            return name_above;
        }
        name_above = !line.trim().is_empty();
        if line.contains([',', '(', '"']) {
            return false;
        }
    }
    false
}
