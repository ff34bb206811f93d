//! Drives a decoder over a text, whole or cut into blocks anywhere, and collects what it hands over.
//!
//! ```text
//!  text  ────────┬─────┬──────────┬───────
//!  cuts          4     7          13
//!  blocks  [0,4) [u1,7) [u2,13) [u3,end) last     u: how far the call before came
//! ```
//!
//! Every offset is counted from the start of the text, so that the outcome must not depend on the cuts.

use super::decode::decoder::{Block, Decoder};
use crate::error::{Fault, Flow, Stop};
use crate::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

/// One thing that a decoder handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// An event with its fields and where it starts.
    Event { name: String, fields: Vec<(String, String)>, offset: usize },
    /// An explicit time point and where it starts.
    Point { time: String, offset: usize },
}

/// All that came of a text: what was seen, and the fault that ended it, if one did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// In the order of the text.
    pub seen: Vec<Seen>,
    /// With its offset in the text.
    pub fault: Option<Fault>,
}

impl Outcome {
    /// The events and points in short: `a(x=1,y=2)` and `@5`. Panics if there was a fault.
    pub(crate) fn shown(&self) -> Vec<String> {
        assert_eq!(self.fault, None, "the text is read without a fault");
        self.seen.iter().map(show).collect()
    }

    /// Offset and message of the fault. Panics if there was none.
    pub(crate) fn fault(&self) -> (usize, &str) {
        let fault = self.fault.as_ref().expect("the text has a fault");
        assert!(fault.hint.is_some(), "a fault says what to do instead: {fault:?}");
        (fault.offset, &fault.message)
    }
}

fn show(seen: &Seen) -> String {
    match seen {
        Seen::Event { name, fields, .. } => {
            let fields: Vec<String> = fields.iter().map(|(field, value)| format!("{field}={value}")).collect();
            format!("{name}({})", fields.join(","))
        }
        Seen::Point { time, .. } => format!("@{time}"),
    }
}

/// Decodes a text in one block.
pub(crate) fn collect<D: Decoder>(decoder: D, text: &str) -> Outcome {
    collect_cut(decoder, text, &[])
}

/// Decodes a text in blocks that end at `cuts`, moved forward to the next character; the last block ends the text.
pub(crate) fn collect_cut<D: Decoder>(mut decoder: D, text: &str, cuts: &[usize]) -> Outcome {
    let mut cuts: Vec<usize> = cuts.iter().map(|&cut| character_at(text, cut)).collect();
    cuts.sort_unstable();
    let (mut shapes, mut collector) = (Shapes::new(), Collector::default());
    for (end, last) in cuts.into_iter().map(|cut| (cut, false)).chain([(text.len(), true)]) {
        let start = collector.base;
        let block = Block { text: text.get(start..end).unwrap_or_default(), last };
        match decoder.decode(block, &mut shapes, &mut collector) {
            Ok(used) => {
                assert!(block.text.is_char_boundary(used), "a decoder stops within its block, between characters");
                assert!(!last || used == block.text.len(), "the last block is used up");
                collector.base += used;
            }
            Err(Stop::Fault(mut fault)) => {
                fault.offset += start;
                return Outcome { seen: collector.seen, fault: Some(*fault) };
            }
            Err(Stop::Enough) => unreachable!("the collector never has enough"),
        }
    }
    Outcome { seen: collector.seen, fault: None }
}

fn character_at(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Keeps everything, with offsets in the whole text.
#[derive(Default)]
struct Collector {
    shapes: Vec<Shape>,
    seen: Vec<Seen>,
    base: usize,
}

impl RawSink for Collector {
    type Rows = NoRawRows;

    fn shape(&mut self, id: ShapeId, shape: &Shape) -> Want {
        assert_eq!(id.index(), self.shapes.len(), "shapes are announced in order, once");
        self.shapes.push(shape.clone());
        Want::ALL
    }

    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        let shape = &self.shapes[event.shape.index()];
        assert_eq!(shape.fields.len(), event.values.len(), "one value per field");
        let pairs = shape.fields.iter().zip(event.values);
        let fields = pairs.map(|(field, value)| (field.to_string(), (*value).to_owned())).collect();
        self.seen.push(Seen::Event { name: shape.name.to_string(), fields, offset: self.base + event.offset });
        Ok(())
    }

    fn point(&mut self, time: &str, offset: usize) -> Flow {
        self.seen.push(Seen::Point { time: time.to_owned(), offset: self.base + offset });
        Ok(())
    }
}
