//! `csv-plain`: a name and positional values per line.
//!
//! ```text
//!  open,f,7        open(1 = "f", 2 = "7")
//!  close, f        close(1 = "f")
//!  tick            tick()
//!  note,"a, b",    note(1 = "a, b", 2 = "")
//! ```
//!
//! Fields are called `1`, `2`, … by position. A blank cell is therefore an empty text: were it absent, the cells behind
//! it would change their names. How cells and lines end is told in `format::decode::rows`.

use crate::error::{Flow, Stop};
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::decode::integers::{Integers, Positional};
use crate::format::decode::name_cache::{NameCache, NameKey};
use crate::format::decode::rows::{QuotedRow, Rows, Splitter, for_each_row, no_name};
use crate::format::decode::split::{head, head_within};
use crate::raw::{RawEvent, RawSink, ShapeId, Shapes};
use crate::recycle::recycle;

/// Decodes `name,value,…`.
#[derive(Debug, Default)]
pub struct CsvPlainDecoder {
    splitter: Splitter,
    names: NameCache,
    integers: Integers<Positional>,
    quoted_values: Vec<&'static str>,
}

impl Decoder for CsvPlainDecoder {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let CsvPlainDecoder { splitter, names, integers, quoted_values } = self;
        let mut run = CsvPlainRun { text: block.text, names, integers, shapes, sink, quoted_values };
        let used = for_each_row(splitter, block, 0, &mut run);
        run.integers.finish(used, run.sink)
    }
}

/// The decoding of one block.
struct CsvPlainRun<'r, 'b, S> {
    text: &'b str,
    names: &'r mut NameCache,
    integers: &'r mut Integers<Positional>,
    shapes: &'r mut Shapes,
    sink: &'r mut S,
    quoted_values: &'r mut Vec<&'static str>,
}

impl<'b, S: RawSink> Rows<'b> for CsvPlainRun<'_, 'b, S> {
    const NAMED: bool = false;

    #[inline(always)]
    unsafe fn bulk(&mut self, text: &'b str, start: usize, separators: &[usize]) -> Result<usize, Stop> {
        if self.sink.rows().is_none() || !self.integers.tries() {
            return Ok(0);
        }
        // SAFETY: the caller's promise.
        let (_, used) = unsafe { self.integers.take(text, start, separators, self.sink)? };
        Ok(used)
    }

    // Inlined, a row of two integers takes 12.2 instead of 13.6 ns: as long as nothing on the way calls a function, the loop
    // keeps its counters in registers.
    #[inline(always)]
    fn plain_row(&mut self, start: usize, name: &'b str, values: &[&'b str]) -> Flow {
        if name.len() <= 8
            && let key = NameKey::new(name, head_within(self.text, name), values.len() as u64)
            && let Some(shape) = self.names.get_short(key)
        {
            self.integers.hand_over(self.sink)?;
            return self.sink.event(RawEvent { shape, values, offset: start });
        }
        self.any_row(start, name, values)
    }

    fn quoted_row(&mut self, start: usize, row: &QuotedRow) -> Flow {
        let mut values = recycle(std::mem::take(self.quoted_values));
        let mut cells = row.cells(self.text).map(|cell| cell.text);
        let name = cells.next().unwrap_or_default();
        if name.is_empty() {
            return Err(no_name(start).into());
        }
        values.extend(cells);
        let flow = self.any_row(start, name, &values);
        *self.quoted_values = recycle(values);
        flow
    }
}

impl<S: RawSink> CsvPlainRun<'_, '_, S> {
    /// An event with a name of any length, seen before or not.
    #[inline(never)]
    fn any_row(&mut self, start: usize, name: &str, values: &[&str]) -> Flow {
        let key = NameKey::new(name, head(name.as_bytes()), values.len() as u64);
        let found = self.names.get(key, |_| true);
        self.integers.hand_over(self.sink)?;
        let shape = found.unwrap_or_else(|| self.find_anew(name, values.len()));
        self.sink.event(RawEvent { shape, values, offset: start })
    }

    /// The shape of events with this name and so many values, which is remembered.
    #[cold]
    #[inline(never)]
    fn find_anew(&mut self, name: &str, count: usize) -> ShapeId {
        let positions: Vec<String> = (1..=count).map(|position| position.to_string()).collect();
        let fields: Vec<&str> = positions.iter().map(String::as_str).collect();
        let shape = self.shapes.find(name, &fields, self.sink);
        self.integers.keep(name, count, Positional, shape, self.sink);
        self.names.keep(NameKey::new(name, head(name.as_bytes()), count as u64), shape)
    }
}
