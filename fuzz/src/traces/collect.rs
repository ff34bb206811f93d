//! Drives a decoder over a text that is cut into blocks, and keeps what it hands over.

use referee_trace::error::{Fault, Flow, Stop};
use referee_trace::format::{Block, Decoder};
use referee_trace::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

/// What a decoder handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// An event: its name, and its fields with their values.
    Event(String, Vec<(String, String)>),
    /// An explicit point: its time.
    Point(String),
}

/// The same, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What.
    pub seen: Seen,
    /// Where.
    pub offset: usize,
}

/// All that came of a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In the order of the text.
    pub found: Vec<Found>,
    /// What ended it, with its place in the text.
    pub fault: Option<Fault>,
}

/// Decodes a text in blocks that end at the cuts.
pub fn collect<D: Decoder>(mut decoder: D, text: &str, cuts: &[usize]) -> Outcome {
    let mut ends: Vec<usize> = cuts.iter().map(|&cut| text.ceil_char_boundary(cut)).collect();
    ends.sort_unstable();
    let blocks = ends.into_iter().map(|end| (end, false)).chain([(text.len(), true)]);
    let mut keeper = Keeper::default();
    let mut shapes = Shapes::new();
    for (end, last) in blocks {
        let start = keeper.base;
        let block = Block { text: text.get(start..end).unwrap_or_default(), last };
        match decoder.decode(block, &mut shapes, &mut keeper) {
            Ok(used) => {
                assert!(block.text.is_char_boundary(used), "used up {used} of {:?}", block.text);
                assert!(!last || used == block.text.len(), "used up {used} of the last block {:?}", block.text);
                keeper.base += used;
            }
            Err(Stop::Fault(fault)) => {
                let fault = Fault { offset: start + fault.offset, ..*fault };
                return Outcome { found: keeper.found, fault: Some(fault) };
            }
            Err(Stop::Enough) => unreachable!("the keeper never has enough"),
        }
    }
    Outcome { found: keeper.found, fault: None }
}

#[derive(Default)]
struct Keeper {
    shapes: Vec<Shape>,
    found: Vec<Found>,
    base: usize,
}

impl Keeper {
    fn keep(&mut self, seen: Seen, offset: usize) -> Flow {
        self.found.push(Found { seen, offset: self.base + offset });
        Ok(())
    }
}

impl RawSink for Keeper {
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
        let pairs = pairs.map(|(field, value)| (field.to_string(), (*value).to_owned())).collect();
        self.keep(Seen::Event(shape.name.to_string(), pairs), event.offset)
    }

    fn point(&mut self, time: &str, offset: usize) -> Flow {
        self.keep(Seen::Point(time.to_owned()), offset)
    }
}
