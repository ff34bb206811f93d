//! CSV: split into cells, and interned, against the `csv` crate's ByteRecord loop.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::PathBuf;

use referee_trace::error::Flow;
use referee_trace::format::csv_plain::CsvPlain;
use referee_trace::format::{Block, Decoder};
use referee_trace::raw::{RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

use crate::kit::Kit;

const EVENTS: u64 = 1_000_000;

/// Prints all rows.
pub fn run(kit: &Kit) {
    let text = four_fields();
    kit.row("csv: split, 4 fields", 4.0, || csv_loop(&text), || split(&text));
}

/// A sum that both loops must agree on: cells, and the bytes in them.
fn tally(cells: u64, bytes: u64) -> u64 {
    cells << 40 | bytes
}

/// The loop that measurements refer to.
fn csv_loop(text: &str) -> u64 {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut record = csv::ByteRecord::new();
    let (mut cells, mut bytes) = (0, 0);
    while reader.read_byte_record(&mut record).expect("the text is well formed") {
        cells += record.len() as u64;
        bytes += record.as_slice().len() as u64;
    }
    tally(cells, bytes)
}

/// Counts what it is given.
#[derive(Default)]
struct Counter {
    names: Vec<usize>,
    cells: u64,
    bytes: u64,
}

impl RawSink for Counter {
    fn shape(&mut self, _: ShapeId, shape: &Shape) -> Want {
        self.names.push(shape.name.len());
        Want::ALL
    }

    #[inline]
    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        self.cells += 1 + event.values.len() as u64;
        let length: usize = event.values.iter().map(|value| value.len()).sum();
        self.bytes += (self.names[event.shape.index()] + length) as u64;
        Ok(())
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        Ok(())
    }
}

fn decode(text: &str, sink: &mut impl RawSink) {
    let block = Block { text, last: true };
    let used = CsvPlain::default().decode(block, &mut Shapes::new(), sink).expect("the text is well formed");
    assert_eq!(used, text.len());
}

fn split(text: &str) -> u64 {
    let mut counter = Counter::default();
    decode(text, &mut counter);
    tally(counter.cells, counter.bytes)
}

/// A stream of numbers that looks random and is always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }
}

/// Events of four kinds with four fields each.
fn four_fields() -> String {
    let (mut text, mut numbers) = (String::new(), Numbers(1));
    for event in 0..EVENTS {
        let kind = ["open", "read", "write", "close"][numbers.below(4) as usize];
        let (user, file, size) = (numbers.below(1000), numbers.below(100_000), numbers.below(1_000_000));
        writeln!(text, "{kind},u{user},file{file},{size},{event}").expect("a string grows");
    }
    text
}
