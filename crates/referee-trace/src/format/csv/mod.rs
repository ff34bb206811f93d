//! `csv`: a header, then one row per event.

pub mod decode;
pub(crate) mod encode;
mod header;
mod table;

use super::decode::head::{field_of, first, first_cell};
use super::description::{Description, Detection, PointNotation};
use crate::number::Number;

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "csv",
    extensions: &["csv", "tsv"],
    trusts_extension: false,
    detection: Detection::Line(is_csv),
    points: PointNotation::Fields,
    has_header: true,
    multiline: false,
};

fn is_csv(head: &str) -> bool {
    has_header(head) || has_own_header(head)
}

/// Whether the first line names columns, and its first cell is not `event`: see `header::is_table`.
pub fn has_own_header(head: &str) -> bool {
    let head = first(head);
    !has_header(head) && header::is_table(head)
}

/// Whether the first line is a header: its first cell is `event`, and no line of blocks follows.
fn has_header(head: &str) -> bool {
    let mut lines = head.trim_start().lines();
    let first = lines.next().unwrap_or_default();
    let (cell, rest) = first_cell(first);
    cell == "event" && (rest.is_some() || lines.next().is_none_or(|second| field_of(second).is_none()))
}

/// Whether the first line is a header with a number for a name, other than the position that stands for one: it may be
/// an event that is called `event`.
pub fn header_has_values(head: &str) -> bool {
    let head = first(head).trim_start();
    let line = head.lines().next().unwrap_or_default();
    let is_value = |(position, cell): (usize, &str)| {
        let cell = cell.trim().trim_matches('"');
        Number::parse(cell).is_some() && cell != position.to_string()
    };
    has_header(head) && line.split(',').enumerate().skip(1).any(is_value)
}
