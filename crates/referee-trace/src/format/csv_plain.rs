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
//! it would change their names. How cells and lines end is told in [`rows`](super::rows).

use super::name_cache::{Found, Key, NameCache};
use super::rows::{QuotedRow, Rows, Splitter, for_each_row, no_name, recycled};
use super::split::{Cells, head};
use super::{Block, Decoder};
use crate::error::{Flow, Stop};
use crate::raw::{RawEvent, RawSink, Shapes};

/// Decodes `name,value,…`.
#[derive(Debug, Default)]
pub struct CsvPlain {
    splitter: Splitter,
    names: NameCache,
    values: Vec<&'static str>,
    quoted_values: Vec<&'static str>,
}

impl Decoder for CsvPlain {
    fn decode<S: RawSink>(&mut self, block: Block<'_>, shapes: &mut Shapes, sink: &mut S) -> Result<usize, Stop> {
        let values = recycled(std::mem::take(&mut self.values));
        let (names, quoted_values) = (&mut self.names, &mut self.quoted_values);
        let mut run = Run { text: block.text, names, shapes, sink, values, quoted_values };
        let used = for_each_row(&mut self.splitter, block, &mut run);
        self.values = recycled(run.values);
        used
    }
}

/// The decoding of one block.
struct Run<'r, 'b, S> {
    text: &'b str,
    names: &'r mut NameCache,
    shapes: &'r mut Shapes,
    sink: &'r mut S,
    values: Vec<&'b str>,
    quoted_values: &'r mut Vec<&'static str>,
}

impl<'b, S: RawSink> Rows<'b> for Run<'_, 'b, S> {
    const NAMED: bool = false;

    #[inline]
    fn plain_row(&mut self, cells: Cells<'b, '_>) -> Flow {
        let name = cells.first();
        if name.is_empty() {
            return Err(no_name(cells.start()).into());
        }
        let count = cells.len() - 1;
        let Found { shape, want } = self.find(Key::new(name, cells.first_head(), count as u64), name, count);
        if self.values.len() < count {
            self.values.resize(count, "");
        }
        let values = &mut self.values[..count];
        if !want.is_none() {
            values.iter_mut().zip(cells.rest()).for_each(|(value, cell)| *value = cell);
        }
        self.sink.event(RawEvent { shape, values, offset: cells.start() })
    }

    fn quoted_row(&mut self, start: usize, row: &QuotedRow) -> Flow {
        let mut values = recycled(std::mem::take(self.quoted_values));
        let mut cells = row.cells(self.text).map(|cell| cell.text);
        let name = cells.next().unwrap_or_default();
        if name.is_empty() {
            return Err(no_name(start).into());
        }
        values.extend(cells);
        let Found { shape, .. } =
            self.find(Key::new(name, head(name.as_bytes()), values.len() as u64), name, values.len());
        let flow = self.sink.event(RawEvent { shape, values: &values, offset: start });
        *self.quoted_values = recycled(values);
        flow
    }
}

impl<S: RawSink> Run<'_, '_, S> {
    #[inline]
    fn find(&mut self, key: Key<'_>, name: &str, count: usize) -> Found {
        match self.names.get(key, |_| true) {
            Some(found) => found,
            None => self.find_anew(key, name, count),
        }
    }

    #[cold]
    fn find_anew(&mut self, key: Key<'_>, name: &str, count: usize) -> Found {
        let positions: Vec<String> = (1..=count).map(|position| position.to_string()).collect();
        let fields: Vec<&str> = positions.iter().map(String::as_str).collect();
        let shape = self.shapes.find(name, &fields, self.sink);
        self.names.keep(key, Found { shape, want: self.shapes.want(shape) })
    }
}
