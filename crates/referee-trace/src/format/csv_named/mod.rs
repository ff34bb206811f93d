//! `csv-named`: `name, field = value, …` per line.

pub mod decode;
pub(crate) mod encode;

use super::decode::head::{first_cell, lines};
use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "csv-named",
    extensions: &["csv"],
    trusts_extension: false,
    detection: Detection::Line(names_its_fields),
    points: PointNotation::Fields,
    has_header: false,
    multiline: false,
};

/// Whether the first line with two cells has `=` in the second and none in the first.
fn names_its_fields(head: &str) -> bool {
    let with_cells = lines(head).find_map(|line| match first_cell(line) {
        (cell, Some(rest)) => Some((cell, first_cell(rest).0)),
        _ => None,
    });
    with_cells.is_some_and(|(first, second)| !first.contains(['=', '(']) && second.contains('='))
}
