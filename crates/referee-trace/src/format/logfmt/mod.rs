//! `logfmt`: `event=name key=value key="a b" …` per line.

pub mod decode;
pub(crate) mod encode;
mod line;

use super::decode::head::{lines, skip_comments};
use super::description::{Description, Detection, PointNotation};
use line::{EVENT, Line};

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "logfmt",
    extensions: &["logfmt"],
    trusts_extension: true,
    detection: Detection::Line(is_pairs),
    points: PointNotation::Fields,
    has_header: false,
    multiline: false,
};

/// Whether the first line that is no comment begins with `key=`, can be read, and names its event or has a second pair.
fn is_pairs(head: &str) -> bool {
    let first = lines(skip_comments(head)).next().unwrap_or_default();
    let begins_with_pair = first.split_ascii_whitespace().next().is_some_and(|word| {
        let key = word.split_once('=').map(|(key, _)| key);
        key.is_some_and(|key| !key.is_empty() && !key.contains([',', '(', '"', '<', '{', '[', '@']))
    });
    let mut line = Line::default();
    begins_with_pair && line.read(first, 0, first.len()).is_ok() && {
        let pairs = line.keys.iter().filter(|key| !key.is_bare);
        pairs.clone().count() > 1 || pairs.clone().any(|key| key.text(first) == EVENT)
    }
}
