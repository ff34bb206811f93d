//! `abstract`: events as terms, `a(1).b(2,x)`.

pub mod decode;
pub(crate) mod encode;

use super::decode::decoder::{Block, Decoder};
use super::decode::head::{lines, skip_comments};
use super::description::{Description, Detection, PointNotation};
use crate::error::Flow;
use crate::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};
use decode::AbstractDecoder;

/// What there is to know about the format.
pub(crate) static DESCRIPTION: Description = Description {
    name: "abstract",
    extensions: &["trace"],
    trusts_extension: false,
    detection: Detection::Likeness(is_abstract),
    points: PointNotation::LineStarts,
    has_header: false,
    multiline: false,
};

/// Whether the first line that is more than a word can be read as terms.
fn is_abstract(head: &str) -> bool {
    let Some(telling) = lines(skip_comments(head)).find(|line| line.contains([',', '(', '.', '"', ' '])) else {
        return false;
    };
    // A line with a position is read when the next one is seen.
    let text = format!("{telling}\n#");
    let is_whole = telling.trim_start().starts_with(|first: char| first.is_ascii_digit());
    let block = Block { text: if is_whole { &text } else { telling }, last: false };
    AbstractDecoder::default().decode(block, &mut Shapes::new(), &mut Nobody).is_ok()
}

/// Listens to nothing: only faults are of interest.
struct Nobody;

impl RawSink for Nobody {
    type Rows = NoRawRows;

    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::NONE
    }

    fn event(&mut self, _: RawEvent<'_>) -> Flow {
        Ok(())
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        Ok(())
    }
}
