//! Events in batches: what those who judge consume.
//!
//! ```text
//!  RawSink ─▶ Interner ─▶ Batch { shapes  a  b  a            ─▶ closure, every few hundred events
//!                                 starts  0  2  3  5
//!                                 atoms   7  x  7  8  y }
//! ```
//!
//! Integers become atoms as they come. Strings wait until the batch is full and are then looked up together, so that the
//! waits for memory overlap; the closure does the same with its own tables. Time points of a format are no part of a
//! batch: which events share a point is decided by the abstraction, not by the text.

use crate::error::Flow;
use crate::raw::{RawEvent, RawSink, Shape, ShapeId, Want};
use crate::values::{Atom, Pending, Typed, Values};

/// How many events make a batch.
const EVENTS: usize = 512;
/// How many bytes of strings may wait before a batch is handed over early.
const WAITING: usize = 1 << 20;

/// Some hundred events, one array per property.
#[derive(Debug)]
pub struct Batch {
    shapes: Vec<ShapeId>,
    starts: Vec<usize>,
    atoms: Vec<Atom>,
}

impl Default for Batch {
    fn default() -> Self {
        Batch { shapes: Vec::new(), starts: vec![0], atoms: Vec::new() }
    }
}

impl Batch {
    /// How many events there are.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The shapes of the events.
    pub fn shapes(&self) -> &[ShapeId] {
        &self.shapes
    }

    /// All arguments, event after event.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The arguments of one event.
    #[inline]
    pub fn arguments(&self, event: usize) -> &[Atom] {
        &self.atoms[self.starts[event]..self.starts[event + 1]]
    }

    /// Shape and arguments of every event, in order.
    pub fn events(&self) -> impl Iterator<Item = (ShapeId, &[Atom])> {
        let ranges = self.starts.windows(2).map(|starts| starts[0]..starts[1]);
        self.shapes.iter().zip(ranges).map(|(&shape, range)| (shape, &self.atoms[range]))
    }

    fn clear(&mut self) {
        self.shapes.clear();
        self.starts.truncate(1);
        self.atoms.clear();
    }
}

/// A batch that is being filled, with the strings that wait for their atoms.
#[derive(Debug)]
struct Filling {
    batch: Batch,
    pending: Pending,
    /// How many events it still takes: the one question that every event asks.
    room: usize,
}

impl Default for Filling {
    fn default() -> Self {
        Filling { batch: Batch::default(), pending: Pending::default(), room: EVENTS }
    }
}

impl Filling {
    #[inline(always)]
    fn push(&mut self, values: &mut Values, shape: ShapeId, texts: &[&str]) {
        let Filling { batch, pending, room } = self;
        let mut place = batch.atoms.len();
        batch.atoms.extend(texts.iter().map(|text| {
            let atom = match values.typed(text) {
                Typed::Atom(atom) => atom,
                Typed::String => wait(pending, text, place, room),
            };
            place += 1;
            atom
        }));
        batch.shapes.push(shape);
        batch.starts.push(place);
        *room -= 1;
    }

    /// The batch with all its atoms.
    fn complete(&mut self, values: &mut Values) -> &mut Batch {
        let atoms = &mut self.batch.atoms;
        values.resolve(&mut self.pending, |place, atom| atoms[place] = atom);
        self.room = EVENTS;
        &mut self.batch
    }
}

/// Lets a string wait, and says what stands in its place until then. If many bytes wait, its event is the last.
#[inline(never)]
fn wait(pending: &mut Pending, text: &str, place: usize, room: &mut usize) -> Atom {
    pending.push(text, place);
    if pending.size() >= WAITING {
        *room = 1;
    }
    Atom::boolean(false)
}

/// Interns raw events and hands them to a closure in batches.
#[derive(Debug)]
pub struct Interner<'v, F> {
    values: &'v mut Values,
    filling: Filling,
    each: F,
}

impl<'v, F: FnMut(&Batch, &mut Values) -> Flow> Interner<'v, F> {
    /// Interns into `values` and calls `each` with every batch.
    pub fn new(values: &'v mut Values, each: F) -> Self {
        Interner { values, filling: Filling::default(), each }
    }

    /// Hands over what has come so far: at the end, and where a live stream pauses.
    #[inline(never)]
    pub fn flush(&mut self) -> Flow {
        if self.filling.batch.is_empty() {
            return Ok(());
        }
        let batch = self.filling.complete(self.values);
        let flow = (self.each)(batch, self.values);
        batch.clear();
        flow
    }
}

impl<F: FnMut(&Batch, &mut Values) -> Flow> RawSink for Interner<'_, F> {
    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::ALL
    }

    #[inline(always)]
    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        self.filling.push(self.values, event.shape, event.values);
        if self.filling.room == 0 { self.flush() } else { Ok(()) }
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Stop;
    use crate::format::csv_plain::CsvPlain;
    use crate::format::{Block, Decoder as _};
    use crate::raw::Shapes;

    /// The events of all batches as text, and how many batches there were.
    fn batches(text: &str) -> (Vec<String>, usize) {
        let (mut values, mut shapes, mut events) = (Values::new(), Shapes::new(), Vec::new());
        let mut count = 0;
        let mut interner = Interner::new(&mut values, |batch, values| {
            count += 1;
            assert!(batch.len() <= EVENTS);
            for (index, (shape, arguments)) in batch.events().enumerate() {
                assert_eq!(arguments, batch.arguments(index));
                let arguments: Vec<_> = arguments.iter().map(|&atom| values.text(atom)).collect();
                events.push(format!("{}:{}", shape.0, arguments.join(",")));
            }
            Ok(())
        });
        CsvPlain::default().decode(Block { text, last: true }, &mut shapes, &mut interner).expect("no fault");
        interner.flush().expect("the closure goes on");
        interner.flush().expect("an empty batch is not handed over");
        (events, count)
    }

    #[test]
    fn events_come_in_order_with_all_their_arguments() {
        let (events, count) = batches("a,7,x,true\nb\na,x,-3.50,y\n");
        assert_eq!((events, count), (vec!["0:7,x,true".into(), "1:".into(), "0:x,-3.50,y".into()], 1));
    }

    #[test]
    fn full_batches_are_handed_over() {
        let text: String = (0..3 * EVENTS + 1).map(|event| format!("a,s{event},{event}\n")).collect();
        let (events, count) = batches(&text);
        let expected: Vec<String> = (0..3 * EVENTS + 1).map(|event| format!("0:s{event},{event}")).collect();
        assert_eq!((events, count), (expected, 4));
    }

    #[test]
    fn many_waiting_bytes_end_a_batch_early() {
        let text = format!("a,{}\n", "x".repeat(WAITING)).repeat(3);
        assert_eq!(batches(&text).1, 3);
    }

    #[test]
    fn the_closure_may_have_enough() {
        let mut values = Values::new();
        let mut interner = Interner::new(&mut values, |_, _| Err(Stop::Enough));
        let event = RawEvent { shape: ShapeId(0), values: &["x"], offset: 0 };
        interner.event(event).expect("the batch is not full");
        assert!(matches!(interner.flush(), Err(Stop::Enough)));
    }
}
