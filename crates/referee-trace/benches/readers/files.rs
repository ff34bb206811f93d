//! Plain CSV from a file to abstract events, as a regular file and as a stream, against the `csv` crate's ByteRecord loop.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use referee_trace::error::Flow;
use referee_trace::event::{Event, EventShape, EventSink, NoRows, Point};
use referee_trace::format::Format;
use referee_trace::raw::{ShapeId, Want};
use referee_trace::reader::{ReadOptions, read, read_stream};

use crate::csv::{Numbers, csv_loop, tally};
use crate::kit::Kit;

const EVENTS: u64 = 1_000_000;

/// Prints all rows.
pub(crate) fn run(kit: &Kit) {
    let (regular, streamed) = ("csv: regular file to events", "csv: stream to events");
    if !kit.selects(regular) && !kit.selects(streamed) {
        return;
    }
    let file = three_integers();
    let reference = || csv_loop(File::open(file.path()).expect("the file is there"));
    kit.row(regular, 2.0, reference, || read_regular(file.path()));
    kit.row(streamed, 2.0, reference, || read_streamed(file.path()));
}

/// Events with three integers each.
fn three_integers() -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("there is room for a file");
    let (mut text, mut numbers) = (Vec::new(), Numbers(4));
    for _ in 0..EVENTS {
        let kind = ["open", "read", "write", "close"][numbers.below(4) as usize];
        let (user, file, size) = (numbers.below(1000), numbers.below(100_000), numbers.below(1_000_000));
        writeln!(text, "{kind},{user},{file},{size}").expect("a list grows");
    }
    file.write_all(&text).expect("there is room for a file");
    file
}

fn options() -> ReadOptions {
    ReadOptions { format: Some(Format::CsvPlain), ..ReadOptions::default() }
}

fn read_regular(path: &Path) -> u64 {
    let mut counter = Counter::default();
    read(&[path], &options(), &mut counter).expect("the file is well formed");
    tally(counter.cells, counter.bytes)
}

fn read_streamed(path: &Path) -> u64 {
    let (mut counter, file) = (Counter::default(), File::open(path).expect("the file is there"));
    read_stream("stream", file, &options(), &mut counter).expect("the file is well formed");
    tally(counter.cells, counter.bytes)
}

/// Counts what it is given.
#[derive(Default)]
struct Counter {
    names: Vec<usize>,
    cells: u64,
    bytes: u64,
}

impl EventSink for Counter {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.names.push(shape.name.len());
        Want::ALL
    }

    fn begin_point(&mut self, _: Point<'_>) -> Flow {
        Ok(())
    }

    #[inline]
    fn event(&mut self, event: Event<'_>) -> Flow {
        self.cells += 1 + event.arguments.len() as u64;
        let length: usize = event.arguments.iter().map(|argument| argument.len()).sum();
        self.bytes += (self.names[event.shape.index()] + length) as u64;
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        Ok(())
    }
}
