//! CSV: split into cells, and interned, against the `csv` crate's ByteRecord loop.

use std::fmt::Write as _;
use std::io::Read;
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;
use referee_trace::abstraction::{Abstraction, Meaning};
use referee_trace::error::Flow;
use referee_trace::event::EventShape;
use referee_trace::format::csv_plain::decode::CsvPlainDecoder;
use referee_trace::format::{Block, Decoder};
use referee_trace::points::{Batcher, Interest, PointSink, Points};
use referee_trace::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};
use referee_trace::values::Values;

use crate::kit::Kit;

const EVENTS: u64 = 1_000_000;

/// Prints all rows.
pub(crate) fn run(kit: &Kit) {
    row(kit, "csv: split, 4 fields", 4.0, || Some(four_fields()), split);
    row(kit, "csv: interned, like access", 2.0, || Some(access()), intern);
    row(kit, "csv: interned, like fifo", 2.0, || Some(fifo()), intern);
    row(kit, "csv: interned, access.1m", 2.0, || shared("access.1m"), intern);
    row(kit, "csv: interned, fifo.1m", 2.0, || shared("fifo.1m"), intern);
    row(kit, "csv: interned, 500k distinct strings", 0.4, || Some(strings()), intern);
}

/// One row, if it was asked for and there is a text for it.
fn row(kit: &Kit, work: &str, aim: f64, text: impl Fn() -> Option<String>, referee: impl Fn(&str) -> u64) {
    if kit.selects(work)
        && let Some(text) = text()
    {
        kit.row(work, aim, || csv_loop(text.as_bytes()), || referee(&text));
    }
}

/// A sum that both loops must agree on: cells, and the bytes in them.
pub(crate) fn tally(cells: u64, bytes: u64) -> u64 {
    cells << 40 | bytes
}

/// The loop that measurements refer to.
pub(crate) fn csv_loop(input: impl Read) -> u64 {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input);
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
    type Rows = NoRawRows;

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
    let used = CsvPlainDecoder::default().decode(block, &mut Shapes::new(), sink).expect("the text is well formed");
    assert_eq!(used, text.len());
}

fn split(text: &str) -> u64 {
    let mut counter = Counter::default();
    decode(text, &mut counter);
    tally(counter.cells, counter.bytes)
}

/// Counts points and values.
#[derive(Default)]
struct Judged {
    values: Values,
    events: u64,
    atoms: u64,
}

impl PointSink for Judged {
    fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    fn shape(&mut self, _: ShapeId, _: &EventShape) -> Interest {
        Interest::all()
    }

    fn begin_trace(&mut self, _: u64, _: u64) -> Flow {
        Ok(())
    }

    fn points(&mut self, points: &Points) -> Flow {
        self.events += points.len() as u64;
        self.atoms += points.atoms().len() as u64;
        Ok(())
    }
}

/// Interns everything, as `check` does. The bytes are told from the text, since a batch has none: all but separators, as
/// no cell is quoted.
fn intern(text: &str) -> u64 {
    let (meaning, mut batcher) = (Meaning::default(), Batcher::new(Judged::default()));
    let mut abstraction = Abstraction::new(&meaning, &mut batcher);
    decode(text, &mut abstraction);
    abstraction.finish().expect("the counter goes on");
    batcher.finish().expect("the counter goes on");
    let Judged { events, atoms, .. } = batcher.sink();
    tally(*events + *atoms, text.len() as u64 - *events - *atoms)
}

/// A stream of numbers that looks random and is always the same.
pub(crate) struct Numbers(pub u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
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

/// Users that log in, open, access and close files.
fn access() -> String {
    let (mut text, mut numbers) = (String::new(), Numbers(2));
    for user in 1..=EVENTS / 2 {
        writeln!(text, "login,{user}").expect("a string grows");
    }
    for file in 1..=EVENTS / 2 {
        let user = 1 + numbers.below(EVENTS / 2);
        match numbers.below(20) {
            0 => writeln!(text, "access,{user},{file}"),
            1 => writeln!(text, "close,{file}"),
            2 => writeln!(text, "logout,{user}"),
            _ => writeln!(text, "open,{user},{file}"),
        }
        .expect("a string grows");
    }
    text
}

/// Many enter, then all leave.
fn fifo() -> String {
    let mut text = String::new();
    for kind in ["enter", "exit"] {
        for guest in 1..=EVENTS / 2 {
            writeln!(text, "{kind},{guest}").expect("a string grows");
        }
    }
    text
}

/// Two strings per event, half of them out of 500 thousand.
fn strings() -> String {
    let (mut text, mut numbers) = (String::new(), Numbers(3));
    for _ in 0..EVENTS {
        let (session, user) = (numbers.below(500_000), numbers.below(1000));
        let kind = ["open", "read", "write", "close"][numbers.below(4) as usize];
        writeln!(text, "{kind},session-{:08x},user{user}", session.wrapping_mul(0x9e37_79b1) as u32)
            .expect("a string grows");
    }
    text
}

/// A trace of the shared data, which lies beside the repository or above it.
fn shared(name: &str) -> Option<String> {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = manifest.ancestors().map(|folder| folder.join("shared/data/dejavu")).find(|folder| folder.is_dir())?;
    let file = std::fs::File::open(file.join(format!("{name}.csv.gz"))).ok()?;
    let mut text = String::new();
    MultiGzDecoder::new(file).read_to_string(&mut text).ok()?;
    Some(text)
}
