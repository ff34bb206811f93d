//! Counts what a decoder hands over.

use referee_trace::error::Flow;
use referee_trace::format::{Block, Decoder};
use referee_trace::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

/// How many events a generated log has.
pub(crate) const EVENTS: u64 = 1_000_000;

/// Events and bytes of values.
#[derive(Default)]
struct Tally(u64);

impl RawSink for Tally {
    type Rows = NoRawRows;

    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::ALL
    }

    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        self.0 += 1 + event.values.iter().map(|value| value.len() as u64).sum::<u64>();
        Ok(())
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        Ok(())
    }
}

/// Decodes a whole log in one block: events plus bytes of values.
pub(crate) fn tally<D: Decoder + Default>(log: &str) -> u64 {
    let mut tally = Tally::default();
    let block = Block { text: log, last: true };
    D::default().decode(block, &mut Shapes::new(), &mut tally).expect("the log is well formed");
    tally.0
}
