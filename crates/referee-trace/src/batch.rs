//! Events in batches: what those who judge consume.
//!
//! ```text
//!  RawSink ─▶ Interner ─▶ Batch { shapes  a  b  a            ─▶ closure, every few hundred events
//!                                 ends    2  3  5
//!                                 atoms   7  x  7  8  y }
//! ```
//!
//! Integers become atoms as they come. Strings wait until the batch is full and are then looked up together, so that the
//! waits for memory overlap; the closure does the same with its own tables. Time points of a format are no part of a
//! batch: which events share a point is decided by the abstraction, not by the text.

use crate::error::Flow;
use crate::number::parse_short;
use crate::raw::{RawEvent, RawSink, Shape, ShapeId, Want};
use crate::values::{Atom, Pending, Typed, Values};

/// How many events make a batch.
const EVENTS: usize = 512;
/// How many bytes of strings may wait before a batch is handed over early.
const WAITING: usize = 1 << 20;

/// Some hundred events, one array per property.
///
/// The arrays are overwritten, never shrunk: what they hold behind the last event means nothing.
#[derive(Debug)]
pub struct Batch {
    len: usize,
    /// How many atoms the events have.
    filled: usize,
    shapes: [ShapeId; EVENTS],
    /// Where the atoms of each event end.
    ends: [usize; EVENTS],
    atoms: Vec<Atom>,
}

impl Default for Batch {
    fn default() -> Self {
        Batch { len: 0, filled: 0, shapes: [ShapeId(0); EVENTS], ends: [0; EVENTS], atoms: Vec::new() }
    }
}

impl Batch {
    /// How many events there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shapes of the events.
    pub fn shapes(&self) -> &[ShapeId] {
        &self.shapes[..self.len]
    }

    /// All arguments, event after event.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms[..self.filled]
    }

    /// The arguments of one event.
    #[inline]
    pub fn arguments(&self, event: usize) -> &[Atom] {
        let start = event.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.atoms[start..self.ends[event]]
    }

    /// Shape and arguments of every event, in order.
    pub fn events(&self) -> impl Iterator<Item = (ShapeId, &[Atom])> {
        self.shapes().iter().enumerate().map(|(event, &shape)| (shape, self.arguments(event)))
    }

    /// Makes room for so many atoms in all.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        self.atoms.resize(count.max(2 * self.atoms.len()).max(EVENTS), Atom::boolean(false));
    }
}

/// A batch that is being filled, with the strings that wait for their atoms.
#[derive(Debug, Default)]
struct Filling {
    batch: Batch,
    pending: Pending,
    /// Whether so much waits that the batch must be handed over early.
    is_heavy: bool,
}

impl Filling {
    /// Appends an event whose arguments are all short integers; tells whether it could.
    ///
    /// No function is called here, so no register has to be saved: that is every tenth instruction of a row.
    #[inline(always)]
    fn push_integers(&mut self, shape: ShapeId, texts: &[&str]) -> bool {
        let Batch { len, filled, shapes, ends, atoms } = &mut self.batch;
        let end = *filled + texts.len();
        let Some(places) = atoms.get_mut(*filled..end) else { return false };
        for (text, place) in texts.iter().zip(places) {
            match parse_short(text.as_bytes()) {
                Some(integer) => *place = Atom::small(integer),
                None => return false,
            }
        }
        (shapes[*len], ends[*len]) = (shape, end);
        (*len, *filled) = (*len + 1, end);
        true
    }

    /// Appends any event.
    #[inline(never)]
    fn push(&mut self, values: &mut Values, shape: ShapeId, texts: &[&str]) {
        let Filling { batch, pending, is_heavy } = self;
        let (index, first) = (batch.len, batch.filled);
        let end = first + texts.len();
        if end > batch.atoms.len() {
            batch.grow(end);
        }
        batch.shapes[index] = shape;
        batch.ends[index] = end;
        (batch.len, batch.filled) = (index + 1, end);
        for (place, (text, slot)) in texts.iter().zip(&mut batch.atoms[first..]).enumerate() {
            *slot = match values.typed(text) {
                Typed::Atom(atom) => atom,
                Typed::String => {
                    *is_heavy |= wait(pending, text, first + place);
                    continue;
                }
            };
        }
    }

    /// The batch with all its atoms.
    fn complete(&mut self, values: &mut Values) -> &mut Batch {
        let atoms = &mut self.batch.atoms;
        values.resolve(&mut self.pending, |place, atom| atoms[place] = atom);
        self.is_heavy = false;
        &mut self.batch
    }
}

/// Lets a string wait; tells whether so many bytes do that its event should be the last of its batch.
#[inline(never)]
fn wait(pending: &mut Pending, text: &str, place: usize) -> bool {
    pending.push(text, place);
    pending.size() >= WAITING
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

    #[inline(never)]
    fn any_event(&mut self, event: RawEvent<'_>) -> Flow {
        self.filling.push(self.values, event.shape, event.values);
        if self.filling.batch.len < EVENTS && !self.filling.is_heavy { Ok(()) } else { self.flush() }
    }

    /// Hands over what has come so far: at the end, and where a live stream pauses.
    #[inline(never)]
    pub fn flush(&mut self) -> Flow {
        if self.filling.batch.is_empty() {
            return Ok(());
        }
        let batch = self.filling.complete(self.values);
        let flow = (self.each)(batch, self.values);
        (batch.len, batch.filled) = (0, 0);
        flow
    }
}

impl<F: FnMut(&Batch, &mut Values) -> Flow> RawSink for Interner<'_, F> {
    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::ALL
    }

    #[inline(always)]
    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        if !self.filling.push_integers(event.shape, event.values) {
            return self.any_event(event);
        }
        if self.filling.batch.len < EVENTS { Ok(()) } else { self.flush() }
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
