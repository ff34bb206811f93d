//! `json`: objects, in all the writings of the field.

pub mod decode;
pub(crate) mod encode;
pub(crate) mod path;
mod records;
mod syntax;

use super::description::{Description, Detection, PointNotation};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "json",
    extensions: &["json", "jsonl"],
    trusts_extension: true,
    detection: Detection::Opening(begins_with_object),
    points: PointNotation::Fields,
    has_header: false,
    multiline: true,
};

/// Whether a text begins with a brace, a bracket or `name: {`.
fn begins_with_object(text: &str) -> bool {
    text.starts_with(['{', '[']) || begins_with_object_member(text)
}

/// Whether a text begins with `name: {`, the name quoted or not.
fn begins_with_object_member(text: &str) -> bool {
    let after_name = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(_, after)| after.trim_start()),
        None => text.find([':', '\n', ',', '(', '=']).map(|end| &text[end..]),
    };
    after_name.and_then(|after| after.strip_prefix(':')).is_some_and(|value| value.trim_start().starts_with('{'))
}
